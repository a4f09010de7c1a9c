"""CEL rules of schemas (``x-kubernetes-validations``): checked where a definition brings them, run on its objects.

`checks` is the way in for definitions, `ruleset` for objects.
"""
