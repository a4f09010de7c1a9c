"""Comments where fields are renamed, dropped or moved, in the trees of ruamel.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

_OWN_LINE: Final = re.compile(r"(?<=\n) *(?=#)")


def rename(mapping: Any, old: str, new: str) -> None:
    """Give a field another name; its place and its comments stay."""
    position, value, comments = list(mapping).index(old), mapping[old], mapping.ca.items.pop(old, None)
    del mapping[old]
    mapping.insert(position, new, value)
    if comments is not None:
        mapping.ca.items[new] = comments


def remove(mapping: Any, name: str) -> None:
    """Drop a field. The comments on it and after it go before the next field."""
    names = list(mapping)
    position = names.index(name)
    comments = mapping.ca.items.pop(name, None) or []
    del mapping[name]
    text = "\n".join(token.value for token in _flat(comments))
    lines = [line.strip().removeprefix("#").removeprefix(" ") for line in text.split("\n") if line.strip()]
    if not lines:
        return
    if position + 1 < len(names):
        mapping.yaml_set_comment_before_after_key(names[position + 1], before="\n".join(lines), indent=mapping.lc.col)
    elif position:
        mapping.yaml_set_comment_before_after_key(names[position - 1], after="\n".join(lines), after_indent=mapping.lc.col)


def shift(value: Any, by: int) -> None:
    """Indent the comments of a value by so many columns more: it is moved."""
    seen: set[int] = set()
    for token in _tokens(value):
        if id(token) in seen:
            continue
        seen.add(id(token))
        token.start_mark.column += by
        token.value = _OWN_LINE.sub(lambda match: match.group() + " " * by, token.value)


def _tokens(value: Any) -> Iterator[Any]:
    if not hasattr(value, "ca"):
        return
    yield from _flat([value.ca.comment])
    yield from _flat(list(value.ca.items.values()))
    for child in value.values() if isinstance(value, dict) else value:
        if isinstance(child, dict | list):
            yield from _tokens(child)


def _flat(comments: Any) -> Iterator[Any]:
    for one in comments:
        if isinstance(one, list):
            yield from _flat(one)
        elif one is not None:
            yield one
