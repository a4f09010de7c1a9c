"""One run of decoding JSON into a Go type: where it is, what it found wrong, and the texts for that; the types are in `gokinds` and `gostruct`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from crdkit.meta import golang
from crdkit.meta.types import Json
from crdkit.meta.version import KubeVersion

NESTED_FIELDS: Final = KubeVersion(1, 34)
"""From here on the field told in an error goes on below a type that decodes itself (a schema's ``items``)."""
TYPE_META: Final = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
"""What Go calls the type that it reads of any object first."""
_MOST_PROBLEMS: Final = 100
"""A real server remembers no more unknown and duplicate fields (sigs.k8s.io/json)."""


_BAD_BYTES: Final = "illegal base64 data"


class DecodeError(ValueError):
    """The value does not fit; ``str()`` is Go's text."""


class TypeMismatch(DecodeError):
    """A JSON value of the wrong sort. ``where`` is the JSON fields below ``struct``, without indexes and map keys."""

    def __init__(self, found: str, wanted: str, struct: str, where: tuple[str, ...], *, restoring: str = "") -> None:
        into = f"struct field {struct}.{'.'.join(where)}" if struct else "value"
        super().__init__(f"json: cannot unmarshal {found} into Go {into} of type {wanted}")
        self.found, self.wanted, self.struct, self.where = found, wanted, struct, where
        self.restoring = restoring
        """The text of apimachinery's converter, which restores structs from maps, for the same."""


class Kind:
    """How values of one Go type are decoded. ``go`` is its name in errors."""

    shape = "struct"
    """What Go's reflection calls it."""
    plain: type | None = None
    """Values of this Python type, if there is one, are decoded into themselves."""

    def __init__(self, go: str) -> None:
        self.go = go

    def decode(self, value: Json, run: Decoding) -> Json:
        raise NotImplementedError

    def zero(self) -> Json:
        """What Go writes for the zero value."""
        return None

    def is_empty(self, value: Json) -> bool:
        """Whether ``omitempty`` leaves the value out."""
        return not value

    def is_zero(self, value: Json) -> bool:
        """Whether ``omitzero`` leaves the value out."""
        return bool(value == self.zero())


class FieldStep(NamedTuple):
    """A step into a field, ``struct`` is what Go calls the struct."""

    struct: str
    name: str


Step: TypeAlias = FieldStep | str | int
"""A step to what is within a value: into a field, a key or an index."""


class Decoding:
    """One run of the decoder: where it is, and what it found so far.

    As in Go, the first mismatch is told at the end, but a type that decodes itself ends the run by raising.
    """

    def __init__(self, kube: KubeVersion, duplicates: Iterable[str] = (), *, keep_empty: bool = False) -> None:
        self.kube = kube
        self.keep_empty = keep_empty
        self.problems: dict[str, str] = {}
        """What strict decoding refuses, and the path of each."""
        self.restoring: list[str] = []
        """The unknown fields as apimachinery's converter tells them: without the keys of maps on the way."""
        self.mismatch: DecodeError | None = None
        self.place: list[Step] = []
        """Where the run is. Whoever decodes what is within a value enters here where it stands, and leaves."""
        self._duplicates = frozenset(duplicates)

    def wrong(self, value: Json, wanted: Kind, found: str = "") -> None:
        """Note that a value stands where Go wants one of another type. ``found`` tells its sort, if there is more to tell than that."""
        if self.mismatch is None:
            fields = self._fields
            struct, where = fields[-1].struct if fields else "", tuple(step.name for step in fields)
            self.mismatch = TypeMismatch(found or sort_of(value), wanted.go, struct, where, restoring=_restoring(value, wanted))

    def failed(self, error: DecodeError) -> None:
        if self.mismatch is None:
            self.mismatch = error

    def unknown(self, name: str) -> None:
        self._note(self._text("unknown", name), self._below(name))
        if len(self.restoring) < _MOST_PROBLEMS:
            path = "".join((*(_step_text(step) for step in self.place if type(step) is not str), f".{name}")).removeprefix(".")
            self.restoring.append(f'unknown field "{path}"')

    @property
    def _fields(self) -> list[FieldStep]:
        return [step for step in self.place if step.__class__ is FieldStep]

    def note_duplicates(self, keys: Iterable[str]) -> None:
        """Note which of an object's keys the document gave twice."""
        if self._duplicates:
            for key in keys:
                if (problem := self._text("duplicate", key)) in self._duplicates:
                    self._note(problem, self._below(key))

    def nested(self, kind: Kind, value: Json) -> Json:
        """Decode as a type does that decodes itself: by a decoder of its own, which is not strict. Raises `DecodeError`."""
        inner = Decoding(self.kube, keep_empty=self.keep_empty)
        try:
            decoded = kind.decode(value, inner)
            if inner.mismatch is not None:
                raise inner.mismatch
        except TypeMismatch as error:
            below = error.where if self.kube >= NESTED_FIELDS else ()
            fields = self._fields
            struct = fields[-1].struct if fields else error.struct
            raise TypeMismatch(error.found, error.wanted, struct, (*(step.name for step in fields), *below)) from error
        return decoded

    def _below(self, name: str) -> str:
        return "".join((*map(_step_text, self.place), f".{name}")).removeprefix(".")

    def _text(self, sort: str, name: str) -> str:
        return f"{sort} field {golang.quote(self._below(name))}"

    def _note(self, problem: str, path: str) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems[problem] = path


def _step_text(step: Step) -> str:
    if isinstance(step, FieldStep):
        return f".{step.name}"
    return f".{step}" if isinstance(step, str) else f"[{step}]"


def _restoring(value: Json, wanted: Kind) -> str:
    """What apimachinery's converter tells of a value that is of another type than wanted."""
    shape, found = wanted.shape, _shape_of(value)
    if shape == "struct":
        return f"cannot restore struct from: {found}"
    if shape in ("slice", "map"):
        return f"cannot restore {shape} from {found}"
    converts = shape.startswith(("int", "float")) if found in ("int64", "float64") else False
    if converts or (found == "int64" and shape == "string"):
        return f"cannot convert {found} to {wanted.go}"
    return f"unrecognized type: {shape}"


def _shape_of(value: Json) -> str:
    """What Go's reflection calls a JSON value."""
    sort = sort_of(value)
    if sort == "number":
        return "int64" if isinstance(value, int) else "float64"
    return {"array": "slice", "object": "map"}.get(sort, sort)


def converter_words(error: DecodeError) -> str:
    """The text of apimachinery's converter for what does not fit: types that decode themselves tell of what is below them, and of nothing above."""
    text = str(error)
    if not isinstance(error, TypeMismatch):
        return f"error decoding from json: {text}" if text.startswith(_BAD_BYTES) else text
    return str(error.__cause__) if isinstance(error.__cause__, TypeMismatch) else error.restoring


def sort_of(value: Json) -> str:
    """What encoding/json calls a value in a mismatch."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "string"
    if isinstance(value, int | float):
        return "number"
    return "array" if isinstance(value, list) else "object"
