"""The text of an expression, and how errors at places in it are printed."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from crdkit.meta.records import record

NOWHERE: Final = -1
"""The offset of an error that no place in the text can be given."""
BEFORE: Final = -2
"""The offset of what could not be read, which is told to be before the first character."""
MAX_ERRORS: Final = 100
_MAX_SNIPPET: Final = 16384
_DOT, _WIDE_DOT = ".", "\uff0e"
_CARET, _WIDE_CARET = "^", "\uff3e"


@record
class Issue:
    """One error: where it is, as an offset in code points, and what it is."""

    at: int
    message: str


class Source:
    """A text and the offsets of its lines; only LF ends a line."""

    __slots__ = ("_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0]
        position = text.find("\n")
        while position >= 0:
            self._starts.append(position + 1)
            position = text.find("\n", position + 1)

    def position(self, at: int) -> tuple[int, int]:
        """Line (from 1) and column (from 0) of an offset."""
        if at == NOWHERE:
            return -1, -1
        if at == BEFORE:
            return 1, -1
        line = bisect_right(self._starts, at)
        return line, at - self._starts[line - 1]

    def line(self, number: int) -> str | None:
        """The text of a line (from 1), without its end."""
        if not 1 <= number <= len(self._starts):
            return None
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]

    def report(self, issues: list[Issue]) -> str:
        """The text of all errors, in order of place; those past the first hundred found are only counted."""
        kept = sorted(issues[:MAX_ERRORS], key=lambda issue: self.position(issue.at))
        texts = [self._print(issue) for issue in kept]
        if len(issues) > MAX_ERRORS:
            texts.append(f"{len(issues) - MAX_ERRORS} more errors were truncated")
        return "\n".join(texts)

    def _print(self, issue: Issue) -> str:
        line, column = self.position(issue.at)
        text = f"ERROR: <input>:{line}:{column + 1}: {issue.message}"
        snippet = self.line(line)
        if snippet is None or len(snippet.encode("utf-8", "surrogatepass")) > _MAX_SNIPPET:
            return text
        snippet = snippet.replace("\t", " ")
        marks = "".join(_DOT if char < "\x80" else _WIDE_DOT for char in snippet[: max(column, 0)])
        caret = _WIDE_CARET if snippet[column : column + 1] >= "\x80" else _CARET
        return f"{text}\n | {snippet}\n | {marks}{caret}"
