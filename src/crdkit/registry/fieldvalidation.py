"""What becomes of unknown and duplicate fields: ignored, told in warnings, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

YAML_PREFIX: Final = "error converting YAML to JSON: yaml: unmarshal errors:\n"
_DECODED_PREFIX: Final = "yaml: unmarshal errors:\n"
_PREFIXES: Final = (_DECODED_PREFIX, YAML_PREFIX)


def strict_text(problems: Sequence[str]) -> str:
    """All problems as the one text of a refusal."""
    return "strict decoding error: " + ", ".join(problems)


def warnings_of(problems: Sequence[str]) -> list[str]:
    """A warning for each problem; YAML's, which come as one text, are told apart."""
    told: list[str] = []
    for problem in problems:
        if not problem.startswith(_PREFIXES):
            told.append(problem)
            continue
        lines = problem.removeprefix(YAML_PREFIX).removeprefix(_DECODED_PREFIX)
        told += [line.strip() for line in lines.split("\n")]
    return told
