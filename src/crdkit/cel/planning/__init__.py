"""From checked nodes to closures: names and overloads are resolved once, and what is constant is worked out.

What a run costs is counted while it runs, step by step as the real server counts: a step that fails is charged, too.
"""
