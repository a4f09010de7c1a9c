"""What is told of a rewriting: what was done beyond moving things, and what somebody must decide."""

from __future__ import annotations

from dataclasses import field

from crdkit.meta.records import record


@record
class Note:
    """``is_open`` tells that a server would still refuse the definition for it."""

    text: str
    is_open: bool = False


@record(frozen=False)
class Notes:
    """Collected while a definition is rewritten."""

    notes: list[Note] = field(default_factory=list)

    def tell(self, text: str) -> None:
        self.notes.append(Note(text))

    def ask(self, text: str) -> None:
        self.notes.append(Note(text, is_open=True))
