"""What the room refuses: a text that does not compile, a program that cannot be made, an evaluation that fails."""

from __future__ import annotations


class CelError(Exception):
    """The base of the room's own exceptions; ``str`` is the text that a real server shows."""

    cost: int = 0
    """What evaluating had cost when it failed."""


class CompileError(CelError):
    """The text does not parse or check. ``str`` is the report with positions and carets, one error after the other."""


class ProgramError(CelError):
    """A checked expression that no program can be made of: a constant part of it fails (``int('x')``)."""


class EvaluationError(CelError):
    """Evaluating came to an error value. ``&&`` and ``||`` may absorb it."""


class Panicked(CelError):
    """What crashes the real server's evaluator: the evaluation ends there, and nothing absorbs it."""

    def __init__(self, text: str) -> None:
        super().__init__(f"internal error: {text}")


class CostLimitExceeded(CelError):
    """Evaluating was stopped because it cost more than its limit. Nothing absorbs it."""

    def __init__(self) -> None:
        super().__init__("operation cancelled: actual cost limit exceeded")


def no_such_overload() -> EvaluationError:
    """The error of an operator whose operands' kinds do not go together."""
    return EvaluationError("no such overload")
