"""The string functions of cel-go's extension, as of its version 2. Characters are code points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from crdkit.cel.access import shown
from crdkit.cel.costs import MAX, Cost, Interval, Site, same_size, traversal
from crdkit.cel.declarations import Library
from crdkit.cel.errors import EvaluationError
from crdkit.cel.libraries.elements import each
from crdkit.cel.libraries.searching import SEARCHING
from crdkit.cel.types import INT, STRING, list_of
from crdkit.cel.values import Texts, Value, size_of
from crdkit.meta.golang import SPACE

LIBRARY: Final = Library("cel.lib.ext.strings")
BEFORE_1_34: Final = Library("cel.lib.ext.strings, where servers before 1.34 differ")
"""To be laid over `LIBRARY`."""

_STRINGS: Final = list_of(STRING)
"""What Unicode counts as white space; Python would also strip the separators 1c to 1f."""
_QUOTED: Final = str.maketrans(
    {
        "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\\": "\\\\", '"': '\\"',
        **dict.fromkeys(map(chr, range(0xD800, 0xE000)), "\ufffd"),
    }
)  # fmt: skip
_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_UPPER: Final = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}


def _out_of_range(index: int) -> EvaluationError:
    return EvaluationError(f"index out of range: {index}")


@LIBRARY.member("charAt", (STRING, INT), STRING, id="string_char_at_int")
def char_at(text: str, index: int) -> str:
    """The character at an index, or nothing right behind the last: ``'hello'.charAt(4) == 'o'``."""
    if not 0 <= index <= len(text):
        raise _out_of_range(index)
    return text[index : index + 1]


@LIBRARY.member("indexOf", (STRING, STRING), INT, id="string_index_of_string", cost=SEARCHING)
def index_of(text: str, part: str) -> int:
    """Where a part is found first, or -1: ``'hello'.indexOf('l') == 2``."""
    return text.find(part)


@LIBRARY.member("indexOf", (STRING, STRING, INT), INT, id="string_index_of_string_int", cost=SEARCHING)
def index_of_from(text: str, part: str, start: int) -> int:
    """Likewise, from an index on; nothing is found there, wherever that is."""
    if not part:
        return start
    if start < 0:
        raise _out_of_range(start)
    return text.find(part, start)


@LIBRARY.member("lastIndexOf", (STRING, STRING), INT, id="string_last_index_of_string", cost=SEARCHING)
def last_index_of(text: str, part: str) -> int:
    """Where a part is found last, or -1: ``'hello'.lastIndexOf('l') == 3``."""
    return text.rfind(part)


@BEFORE_1_34.member("lastIndexOf", (STRING, STRING), INT, id="string_last_index_of_string", cost=SEARCHING)
def last_index_of_before(text: str, part: str) -> int:
    """Likewise, but nothing may be looked for in an empty text."""
    if part and not text:
        raise _out_of_range(-1)
    return text.rfind(part)


@LIBRARY.member("lastIndexOf", (STRING, STRING, INT), INT, id="string_last_index_of_string_int", cost=SEARCHING)
def last_index_of_from(text: str, part: str, start: int) -> int:
    """Likewise, beginning at an index or before; behind the end nothing is found."""
    if not part:
        return start
    if start < 0:
        raise _out_of_range(start)
    return -1 if start >= len(text) else text.rfind(part, 0, start + len(part))


@LIBRARY.member("lowerAscii", (STRING,), STRING, id="string_lower_ascii", cost=traversal(0), size=same_size(0))
def lower_ascii(text: str) -> str:
    """Lower the letters A to Z and leave every other character alone: ``'ÆR'.lowerAscii() == 'Ær'``."""
    return text.translate(_LOWER)


@LIBRARY.member("upperAscii", (STRING,), STRING, id="string_upper_ascii", cost=traversal(0), size=same_size(0))
def upper_ascii(text: str) -> str:
    """Raise the letters a to z: ``'ær'.upperAscii() == 'æR'``."""
    return text.translate(_UPPER)


@LIBRARY.member("trim", (STRING,), STRING, id="string_trim", cost=traversal(0), size=same_size(0))
def trim(text: str) -> str:
    """Without white space at either end."""
    return text.strip(SPACE)


@LIBRARY.member("substring", (STRING, INT), STRING, id="string_substring_int", cost=traversal(0), size=same_size(0))
def substring_from(text: str, start: int) -> str:
    """From an index to the end: ``'tacocat'.substring(4) == 'cat'``."""
    if not 0 <= start <= len(text):
        raise _out_of_range(start)
    return text[start:]


@LIBRARY.member("substring", (STRING, INT, INT), STRING, id="string_substring_int_int", cost=traversal(0), size=same_size(0))
def substring(text: str, start: int, end: int) -> str:
    """From an index up to another: ``'tacocat'.substring(0, 4) == 'taco'``."""
    if start > end:
        msg = f"invalid substring range. start: {start}, end: {end}"
        raise EvaluationError(msg)
    for index in (start, end):
        if not 0 <= index <= len(text):
            raise _out_of_range(index)
    return text[start:end]


def _replaced_size(site: Site) -> Interval:
    text, old, new = site[0].size, site[1].size, site[2].size
    return Interval(min(_shortest(text, old, new), MAX), min(_longest(text, old, new), MAX))


def _longest(text: Interval, old: Interval, new: Interval) -> int:
    """Nothing is replaced between all characters; a part that is no shorter than its replacement does not lengthen the text."""
    if not old.low:
        return min(text.high + 1, MAX) * new.high + text.high
    return text.high if new.high <= old.low else _parts(text.high, old.low) * new.high


def _shortest(text: Interval, old: Interval, new: Interval) -> int:
    if not old.high:
        return min(text.low + 1, MAX) * new.low + text.low
    return text.low if old.high <= new.low else _parts(text.low, old.high) * new.low


def _parts(size: int, part: int) -> int:
    return math.ceil(float(size) / float(part))


_REBUILDING: Final[Cost] = traversal(0, 0.2)


@LIBRARY.member("replace", (STRING, STRING, STRING), STRING, id="string_replace_string_string", cost=_REBUILDING, size=_replaced_size)
def replace(text: str, old: str, new: str) -> str:
    """Each part by another: ``'hello'.replace('l', 'w') == 'hewwo'``."""
    return text.replace(old, new)


@LIBRARY.member(
    "replace", (STRING, STRING, STRING, INT), STRING, id="string_replace_string_string_int", cost=_REBUILDING, size=_replaced_size
)
def replace_limited(text: str, old: str, new: str, limit: int) -> str:
    """The first parts only, as many as are wanted; all if the limit is negative."""
    return text.replace(old, new, limit)


def _split_size(site: Site) -> Interval:
    limit = site[2].literal if len(site) > 2 else None
    return Interval(0, limit & MAX if limit.__class__ is int else site[0].size.high)


@LIBRARY.member("split", (STRING, STRING), _STRINGS, id="string_split_string", cost=_REBUILDING, size=_split_size)
def split(text: str, separator: str) -> list[str]:
    """The parts between separators: ``'a b'.split(' ') == ['a', 'b']``; the characters if there is no separator."""
    return Texts(text.split(separator) if separator else text)


@LIBRARY.member("split", (STRING, STRING, INT), _STRINGS, id="string_split_string_int", cost=_REBUILDING, size=_split_size)
def split_limited(text: str, separator: str, limit: int) -> list[str]:
    """Not more parts than are wanted, the last of them unsplit; all if the limit is negative."""
    if not limit:
        return Texts()
    if separator:
        return Texts(text.split(separator, limit - 1 if limit > 0 else -1))
    return Texts(text if limit < 0 or limit >= len(text) else [*text[: limit - 1], text[limit - 1 :]])


def _joined_size(site: Site) -> Interval:
    items = site[0]
    size = Interval(0, 0) if items.element is None else items.size.times(items.element)
    if len(site) > 1:
        size = size.plus(site[1].size.times(Interval(max(items.size.low - 1, 0), max(items.size.high - 1, 0))))
    return size


def _joined_cost(_arguments: Sequence[Value], result: Value) -> int:
    return math.ceil(size_of(result) * 0.2)


_JOINING: Final = Cost(lambda site: _joined_size(site).scaled(0.1), _joined_cost)


@LIBRARY.member("join", (_STRINGS,), STRING, id="list_join", cost=_JOINING, size=_joined_size)
def join(items: Value) -> str:
    """All texts one behind the other: ``['a', 'b'].join() == 'ab'``."""
    return join_with(items, "")


@LIBRARY.member("join", (_STRINGS, STRING), STRING, id="list_join_string", cost=_JOINING, size=_joined_size)
def join_with(items: Value, separator: str) -> str:
    """Likewise, with a separator between: ``['a', 'b'].join(', ') == 'a, b'``."""
    texts = list(each(items))
    for text in texts:
        if text.__class__ is not str:
            msg = f"join: invalid input: {shown(text)}"
            raise EvaluationError(msg)
    return separator.join(texts)


def _quoted_size(site: Site) -> Interval:
    size = site[0].size
    return Interval(min(size.low + 2, MAX), min(2 * size.high + 2, MAX))


@LIBRARY.function("strings.quote", (STRING,), STRING, id="strings_quote", cost=traversal(0), size=_quoted_size)
def quote(text: str) -> str:
    r"""As a literal: ``strings.quote('a "b"') == "\"a \\\"b\\\"\""``."""
    return f'"{text.translate(_QUOTED)}"'
