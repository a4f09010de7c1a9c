"""The expression language: parse, check, cost, evaluate. Knows no Kubernetes object.

What a rule of a schema needs, in the order in which it needs it::

    declared = declare(schema, "selfType0")                 # openapi.declared: the type; None if rules cannot see it
    types = Declarations(declared)                          # the object types in it, and how large values can get
    env = environment(V1_36)                                # environment: what a rule that a request adds may use
    expression = env.compile(text, {"self": declared.type}, types)     # CompileError: the report with its carets
    expression.type, expression.variables                   # BOOL; {"self"}
    expression.estimate(types)                              # the least and the most that it costs
    program = expression.program()                          # ProgramError: a constant part of it fails
    read = reader(schema, V1_36)                            # openapi.data: JSON as values, checked when looked at
    value, cost = program.evaluate({"self": read(raw)}, limit=1_000_000)    # EvaluationError, CostLimitExceeded

The name of a declared type must not be that of a variable: ``self.a`` would be taken for the type of that name.
Every error's ``str`` is the text that a real server shows; what an evaluation cost is also the ``cost`` of its error.

Functions stand in libraries (`crdkit.cel.declarations`): those of the language in ``standard``, those that a cluster adds
in ``libraries``, whose table says which version knows which.
"""
