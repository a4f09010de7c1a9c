"""Values that JSON has no form of: they fit no type, and a real server tells of them as Go prints them."""

from __future__ import annotations

from typing import Self


class Foreign(str):
    """Such a value, which is its own text (fmt's ``%v``). ``syntax`` is its text as Go source (``%#v``), ``go_type`` its type (``%T``)."""

    __slots__ = ("go_type", "syntax")

    def __new__(cls, text: str, syntax: str, go_type: str) -> Self:
        made = super().__new__(cls, text)
        made.syntax = syntax
        made.go_type = go_type
        return made

    syntax: str
    go_type: str
