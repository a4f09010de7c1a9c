"""From stored bytes to answered bytes: most objects are answered as they are stored, but for the resourceVersion.

Both begin with apiVersion, kind and metadata; an answer is a head, the metadata up to the resourceVersion, the revision, and the rest.
How an entry is answered is found out once (`Renderings`), until it is written again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from crdkit.meta import json
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.storage.types import Entry

MOST_ENTRIES: Final = 200_000
"""Of so many entries of a resource it is remembered how they are answered; about 150 bytes each."""

MOST_BYTES: Final = 32 * 1024 * 1024
"""Room, per resource, for entries whose answer is not what is stored."""

_HEAD: Final = ("apiVersion", "kind", "metadata")
_VERSION: Final = "resourceVersion"
_VERSION_FIELD: Final = b',"resourceVersion":""'
_GO_FIRST: Final = ("name", "generateName", "namespace", "selfLink", "uid")
"""The fields of Go's ObjectMeta that come before the resourceVersion."""
_GO_LATER: Final = (
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
    "managedFields",
)
"""Those that come after it."""
_GO_OWNER: Final = ("manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource")
"""The fields of Go's ManagedFieldsEntry."""


_OWNERS_FIELD: Final = b',"managedFields":'
_OWNERS: Final = _OWNERS_FIELD + b"[{"
_AFTER_OWNERS: Final = b'}],"name":"'
NULL: Final = b":null"
"""Is in a text that has a null for a field; and may be in others."""


@record
class Parts:
    """An object's text but for its head and resourceVersion: what comes before that, and what after."""

    before: bytes
    after: bytes
    exact: bool = True
    """Whether the text reads as the very same object."""

    @property
    def size(self) -> int:
        return len(self.before) + len(self.after)

    def text(self) -> bytes:
        return self.before + self.after


class Pieces(NamedTuple):
    """The text of a stored custom object, taken apart: up to its owners, they, what is between them and the resourceVersion, and the rest."""

    first: bytes
    owners: bytes
    middle: bytes
    uid: bytes
    content: bytes
    """What follows the metadata, with the comma before it."""

    def text_without_owners(self) -> bytes:
        return b"%b%b%b%b" % (self.first, self.middle, self.uid, self.content)


def pieces_of(value: bytes, cut: int) -> Pieces | None:
    """The text of an object that has a resourceVersion at ``cut``; None if it has no owners.

    No quotes stand in a string but after a backslash, no list in a set of fields, and in metadata before its owners none of objects.
    """
    at = value.find(_OWNERS, 0, cut)
    end = value.find(_AFTER_OWNERS, at, cut) + 2
    if at < 0 or end < 2:
        return None
    after = value.index(b"}", cut) + 1  # behind the resourceVersion is nothing but the uid
    return Pieces(value[:at], value[at + len(_OWNERS_FIELD) : end], value[end:cut], value[cut:after], value[after:])


def text_before_owners(metadata: JsonObject) -> bytes:
    """The text of metadata that comes before its owners, in the order of names."""
    return json.encode_without_floats({name: value for name, value in metadata.items() if name < "managedFields"}, sort=True)[1:-1]


def text_of_content(obj: JsonObject, *, floats: bool = True) -> tuple[bytes, bool]:
    """What follows the metadata of a custom object, with the comma before it; and whether it is exact. ``floats`` tells of any in it."""
    text, exact = json.encode_told({name: value for name, value in obj.items() if name not in _HEAD}, sort=True, floats=floats)
    return (b"," + text[1:] if len(text) > 2 else b"}"), exact


class Style:
    """How the texts of a kind are laid out: custom objects have their fields in the order of names, built-in kinds in Go's."""

    def __init__(self, *, typed: bool) -> None:
        self.typed = typed

    def type_meta(self, api_version: str, kind: str) -> bytes:
        fields = (b'"kind":', b'"apiVersion":') if self.typed else (b'"apiVersion":', b'"kind":')
        values = (kind, api_version) if self.typed else (api_version, kind)
        return b"{" + b"".join(field + json.encode(value) + b"," for field, value in zip(fields, values, strict=True))

    def head(self, api_version: str, kind: str) -> bytes:
        """How every object of this kind begins."""
        return self.type_meta(api_version, kind) + b'"metadata":{'

    def item_head(self, api_version: str, kind: str) -> bytes:
        """How every object begins in a list: those of Go types do not tell their kind."""
        return b'{"metadata":{' if self.typed else self.head(api_version, kind)

    def parts(self, obj: JsonObject) -> Parts:
        """The text of an object; equal objects have equal texts."""
        before, after = (self._go_metadata if self.typed else self._sorted_metadata)(obj["metadata"])
        return self._with_content(before, after, obj)

    def parts_beside(self, metadata: Parts, obj: JsonObject) -> Parts:
        """The same where the text of the metadata is known."""
        return self._with_content(metadata.before, metadata.after, obj)

    def parts_around(self, spec: bytes, obj: JsonObject) -> Parts:
        """The text of an object of a built-in kind whose spec has that text. It has nothing but a spec and a status."""
        before, after = self._go_metadata(obj["metadata"])
        return Parts(before, b'%b,"spec":%b,"status":%b}' % (after, spec, json.encode(obj["status"])))

    def _with_content(self, before: bytes, after: bytes, obj: JsonObject) -> Parts:
        """The text of an object of which that up to the end of its metadata is known."""
        rest = obj.copy()
        for name in _HEAD:
            rest.pop(name, None)
        if not rest:
            return Parts(before, after + b"}")
        text, exact = json.encode_told(rest, sort=not self.typed)
        if not exact:
            text = json.unsigned_zeros(text)
        return Parts(before, b"%b,%b" % (after, text[1:]), exact)

    @staticmethod
    def _sorted_metadata(metadata: JsonObject) -> tuple[bytes, bytes]:
        """Metadata in the order of names: of what is ever there, only the uid comes after the resourceVersion."""
        shown = metadata
        if _VERSION in metadata:
            shown = metadata.copy()
            del shown[_VERSION]
        text = json.encode_without_floats(shown, sort=True)
        cut = text.rindex(b',"uid":') if "uid" in shown else len(text) - 1
        return text[1:cut], text[cut:]

    @staticmethod
    def _go_metadata(metadata: JsonObject) -> tuple[bytes, bytes]:
        first = {name: metadata[name] for name in _GO_FIRST if name in metadata}
        later = {name: metadata[name] for name in _GO_LATER if name in metadata}
        if owners := later.get("managedFields"):
            later["managedFields"] = [{name: entry[name] for name in _GO_OWNER if name in entry} for entry in owners]
        return json.encode(first)[1:-1], b"," + json.encode(later)[1:] if later else b"}"


class Known(NamedTuple):
    """How an entry is answered: ``cut`` is where its resourceVersion goes, in the stored text or in ``text``; and whether it is sound."""

    revision: int
    cut: int
    text: bytes | None
    sound: bool = False


class Renderings:
    """How entries are answered in one version. All answers begin alike, which is the only thing known of versions here."""

    __slots__ = ("_bytes", "_known", "_served_head", "_start", "_stored_head")

    def __init__(self, stored_head: bytes, served_head: bytes) -> None:
        self._stored_head = stored_head
        self._served_head = served_head
        self._start = len(stored_head)
        self._known: dict[str, Known] = {}
        self._bytes = 0

    def pieces(self, entry: Entry) -> Pieces | None:
        """The text of a `sound <is_sound>` entry, taken apart; None for any other."""
        known = self.find(entry)
        return pieces_of(entry.value, known.cut) if known is not None and known.sound else None

    def find(self, entry: Entry) -> Known | None:
        """How the entry is answered; None if that is still to be found out."""
        known = self._known.get(entry.key)
        return known if known is not None and known.revision == entry.revision else None

    def is_plain(self, entry: Entry) -> bool:
        """Whether the entry is known to be answered as it is stored, so that nothing needs to be pruned or filled in."""
        known = self.find(entry)
        return known is not None and known.text is None

    def is_sound(self, entry: Entry) -> bool:
        """Whether the entry was found valid in full, and its owners known, when it was written by the rules that hold now.

        Its text is exact, then: it reads as the object that was judged.
        """
        known = self.find(entry)
        return known is not None and known.sound

    def text(self, entry: Entry, known: Known, revision: int) -> bytes:
        """The entry as it is answered, at that revision."""
        start, text = (self._start, entry.value) if known.text is None else (0, known.text)
        return b'%s%s,"resourceVersion":"%d"%s' % (self._served_head, text[start : known.cut], revision, text[known.cut :])

    def items(self, entries: Sequence[Entry], known: Sequence[Known], head: bytes) -> Items:
        """The entries as they stand in a list, where each begins with ``head``."""
        return Items(entries, known, self._start, head)

    def join(self, parts: Parts, revision: int) -> bytes:
        """An answer from its parts; an object that is not stored has no revision."""
        version = b',"resourceVersion":"%d"' % revision if revision else b""
        return b"%s%s%s%s" % (self._served_head, parts.before, version, parts.after)

    def keep(self, entry: Entry, parts: Parts) -> Known:
        """Remember what the entry is answered as, unless a newer one has taken its place meanwhile."""
        text = parts.text()
        if entry.value.startswith(self._stored_head) and entry.value[self._start :] == text:
            found = Known(entry.revision, self._start + len(parts.before), None)
        else:
            found = Known(entry.revision, len(parts.before), text)
        if (known := self._known.get(entry.key)) is None or known.revision <= entry.revision:
            self._set(entry.key, found)
        return found

    def keep_plain(self, entry: Entry, parts: Parts, *, sound: bool = False) -> None:
        """Remember that the entry is answered as it is stored, and whether it is `sound <is_sound>`."""
        self._set(entry.key, Known(entry.revision, self._start + len(parts.before), None, sound and parts.exact))

    def keep_new(self, key: str, revision: int, cut: int, *, sound: bool) -> None:
        """The same where the entry is not at hand."""
        self._set(key, Known(revision, cut, None, sound))

    def keep_sound(self, entry: Entry, cut: int) -> Known:
        """Remember that the entry is sound, and where its resourceVersion goes."""
        known = Known(entry.revision, cut, None, sound=True)
        self._set(entry.key, known)
        return known

    def take_over(self, former: Renderings) -> None:
        """Remember of which entries another knew that they are answered as they are stored."""
        self._known.update((key, known) for key, known in former._known.items() if known.text is None)

    def metadata(self, entry: Entry) -> Parts | None:
        """The text of the metadata of an entry, if that is all that has to be read of it: the entry is known to be answered as it is stored."""
        known = self.find(entry)
        if known is None or known.text is not None:
            return None
        value, cut = entry.value, known.cut
        return Parts(value[self._start : cut], value[cut : value.index(b"}", cut) + 1])  # behind the resourceVersion is nothing but the uid

    def forget(self, key: str) -> None:
        """The object at a key is gone."""
        self._bytes -= self._size(self._known.pop(key, None))

    def _set(self, key: str, known: Known) -> None:
        everything = self._known
        former = everything.pop(key, None)
        if former is not None or known.text is not None:
            self._bytes += self._size(known) - self._size(former)
        everything[key] = known
        while len(everything) > MOST_ENTRIES or self._bytes > MOST_BYTES:
            self._bytes -= self._size(everything.pop(next(iter(everything))))

    @staticmethod
    def _size(known: Known | None) -> int:
        return len(known.text) if known is not None and known.text is not None else 0


class Items:
    """Some objects of a list, as text when it is wanted: each begins with a comma, as if it followed another."""

    __slots__ = ("_entries", "_head", "_known", "_start")

    def __init__(self, entries: Sequence[Entry], known: Sequence[Known], start: int, head: bytes) -> None:
        self._entries, self._known, self._start, self._head = entries, known, start, b"," + head

    def __len__(self) -> int:
        """The bytes of the text."""
        start, size = self._start, 0
        for entry, known in zip(self._entries, self._known, strict=True):
            size += len(entry.value) - start if known.text is None else len(known.text)
            size += len(str(entry.revision))
        return size + len(self._entries) * (len(self._head) + len(_VERSION_FIELD))

    def text(self) -> bytes:
        head, start = self._head, self._start
        parts: list[bytes] = []
        for entry, known in zip(self._entries, self._known, strict=True):
            cut = known.cut
            if (text := known.text) is None:
                text = entry.value
                parts += (head, text[start:cut], b',"resourceVersion":"%d"' % entry.revision, text[cut:])
            else:
                parts += (head, text[:cut], b',"resourceVersion":"%d"' % entry.revision, text[cut:])
        return b"".join(parts)
