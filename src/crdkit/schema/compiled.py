"""All that a definition's version needs of its schema to read, complete and judge objects; each part is compiled on first use."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from crdkit.meta.changes import Changes
from crdkit.meta.errors import ErrorKind, FieldError
from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema import embedded, source
from crdkit.schema.cleanness import IsClean, compile_cleanness
from crdkit.schema.completion import Complete, compile_completion, completion_steps
from crdkit.schema.defaulting import Default, compile_defaulting, copy_json
from crdkit.schema.defaultpruning import with_pruned_defaults
from crdkit.schema.listtypes import check_list_types
from crdkit.schema.metadata import is_plain, is_plain_beside, is_plain_changed, read_metadata
from crdkit.schema.nulls import DropNulls, compile_null_dropping
from crdkit.schema.pruning import META_FIELDS, compile_node, compile_pruning
from crdkit.schema.quickpruning import compile_quick_pruning
from crdkit.schema.ratcheting import examine_update
from crdkit.schema.soundness import Soundness
from crdkit.schema.source import worthwhile
from crdkit.schema.structural import NotStructural, Structural, build
from crdkit.schema.survey import NotPlain, Survey, Walk, compile_survey
from crdkit.schema.validation.examination import examine
from crdkit.schema.validation.predicate import IsValid, compile_validation
from crdkit.schema.validation.reading import INT32_MAX, Reading

if TYPE_CHECKING:
    from crdkit.schema.rules.ruleset import SchemaRules

_BLOCKING: Final = frozenset((ErrorKind.TYPE_INVALID, ErrorKind.REQUIRED, ErrorKind.NOT_SUPPORTED, ErrorKind.TOO_LONG, ErrorKind.TOO_MANY))
_NO_SCHEMA: Final = Structural()
_METADATA: Final = "metadata"
_STATUS: Final = "status"
_MANY_CHANGES: Final = 8
"""After so many changes it is worth while to compile how to judge a change by what differs."""
_MANY_FAILURES: Final = 20
"""So many surveys that come to nothing are forgiven, whatever comes of others."""


class CompiledSchema:
    """One version's schema, compiled. Objects belong to the caller; `read`, `coerce`, `prune` and `default` change them in place.

    ``keeps_unknown`` is true of definitions that were made before v1: nothing is pruned, and the schema need not be structural.
    """

    def __init__(self, schema: JsonObject, *, kube: KubeVersion, keeps_unknown: bool = False) -> None:
        self.schema: Final = schema
        self.kube: Final = kube
        self._keeps_unknown: Final = keeps_unknown
        self._changes = 0
        self._surveys = 0
        self._failures = 0

    @cached_property
    def structural(self) -> Structural:
        try:
            return with_pruned_defaults(build(self.schema))
        except NotStructural:
            if not self._keeps_unknown:
                raise
            return Structural(preserve_unknown_fields=True)

    def make_ready(self) -> Iterator[None]:
        """Make what a first object needs, in steps of which none takes long."""
        for part in ("structural", "has_embedded", "_prune", "_completion_steps", "rules"):
            getattr(self, part)
            yield
        if self.rules is not None:
            yield from self.rules.make_ready()

    @cached_property
    def _reading(self) -> Reading:
        return Reading(self.kube)

    @cached_property
    def has_embedded(self) -> bool:
        return embedded.has_embedded(self.structural)

    def read(self, obj: JsonObject, *, drop_invalid: bool = False, beside: JsonObject | None = None) -> list[str]:
        """All that happens to an object as it is read, in a real server's order: `coerce` of its metadata, `prune`, nulls, embedded metadata.

        Returns the paths of unknown fields, each group in its order: in the metadata, in the object (sorted), in embedded metadata.
        ``beside`` is metadata that was read and shares much with the object's. Raises `ValueError` with the text for the client, as `coerce`
        does.
        """
        knows_metadata = beside is not None and is_plain_beside(obj["metadata"], beside)
        unknown = [] if knows_metadata else self.coerce_metadata(obj, drop_invalid=drop_invalid)
        return unknown + self.read_content(obj, drop_invalid=drop_invalid)

    def read_content(self, obj: JsonObject, *, drop_invalid: bool = False, nulls: bool = True) -> list[str]:
        """The same for an object whose metadata is in order; ``nulls`` tells whether there may be a null anywhere."""
        unknown = sorted(self._prune(obj))
        if nulls:
            self._drop_nulls(obj)
        return unknown + self._coerce_embedded(obj, drop_invalid=drop_invalid)

    def complete(self, obj: JsonObject, *, drop_invalid: bool = False) -> list[str]:
        """What `read` and then `default` do, in one go where nothing comes between them."""
        if self.has_embedded:
            unknown = self.read(obj, drop_invalid=drop_invalid)
        else:
            unknown = self.coerce_metadata(obj, drop_invalid=drop_invalid)
            unknown += sorted(self._prune(obj))
        self.default(obj)
        return unknown

    def take_in(self, obj: JsonObject) -> tuple[list[str], Survey | None]:
        """What `complete` does to an object that is to be created, and what is known of it afterwards.

        That holds however its metadata is changed, and if its status is dropped.
        """
        self._surveys += 1
        walk = self._survey if self._surveys > source.WALKED else None
        if walk is None:
            return self.complete(obj), None
        unknown = self.coerce_metadata(obj)
        outline: list[Hashable] = []
        found: list[str] = []
        numbers: list[Json] = []
        survey = None
        try:
            survey = Survey(walk(obj, outline, found, numbers), tuple(outline), bool(numbers))
        except NotPlain:
            found += self._prune(obj)
            self.default(obj)
            self._note_failure()
        return (unknown + sorted(found) if found else unknown), survey

    def _note_failure(self) -> None:
        """Where most objects cannot be surveyed, none is any more."""
        self._failures += 1
        if self._failures > _MANY_FAILURES and self._failures * 2 > self._surveys:
            self._survey = None

    @cached_property
    def _survey(self) -> Walk | None:
        return None if self._keeps_unknown or self.has_embedded else compile_survey(self.structural, self._reading)

    def coerce(self, obj: JsonObject, *, drop_invalid: bool = False) -> list[str]:
        """Bring the metadata of an object and of resources within it into the form that a real server keeps; returns unknown fields' paths.

        Raises `ValueError` with the text for the client where a field of theirs is of a wrong type; ``drop_invalid`` drops it instead.
        """
        unknown = self.coerce_metadata(obj, drop_invalid=drop_invalid)
        return unknown + self._coerce_embedded(obj, drop_invalid=drop_invalid)

    def coerce_applied(self, obj: JsonObject) -> None:
        """The same for what applying made: of its metadata, what is of a wrong type is dropped; resources within are left to be refused."""
        self.coerce_metadata(obj, drop_invalid=True)
        with contextlib.suppress(embedded.CoercionError):
            self._coerce_embedded(obj, drop_invalid=False)

    def coerce_metadata(self, obj: JsonObject, *, drop_invalid: bool = False) -> list[str]:
        """What `coerce` does, for the metadata of the object itself alone."""
        if "metadata" not in obj:
            return []
        given = obj["metadata"]
        if given.__class__ is dict and is_plain(given):
            return []
        metadata, unknown = read_metadata(given, self.kube, drop_invalid=drop_invalid)
        obj["metadata"] = metadata
        return [f"metadata.{path}" for path in unknown]

    def _coerce_embedded(self, obj: JsonObject, *, drop_invalid: bool) -> list[str]:
        if not self.has_embedded:
            return []
        return sorted(embedded.coerce(self.structural, obj, ROOT, kube=self.kube, drop_invalid=drop_invalid))

    @cached_property
    def _prune(self) -> Callable[[Json], list[str]]:
        if self._keeps_unknown:
            return _keep_all
        return worthwhile(compile_pruning(self.structural, is_resource=True), lambda: compile_quick_pruning(self.structural))

    def prune(self, obj: JsonObject) -> list[str]:
        """Drop the fields that the schema does not name; their paths, in no order."""
        return self._prune(obj)

    @cached_property
    def _is_clean(self) -> IsClean:
        schema = self.structural
        return worthwhile(lambda value: not compile_node(schema, is_resource=False)(copy_json(value)), lambda: compile_cleanness(schema))

    def is_clean(self, obj: JsonObject) -> bool:
        """Whether `prune` would find nothing to drop. A no may be wrong."""
        return self._keeps_unknown or self._is_clean({name: value for name, value in obj.items() if name not in META_FIELDS})

    @cached_property
    def _complete(self) -> Complete:
        return worthwhile(self._complete_in_steps, lambda: compile_completion(self.structural))

    @cached_property
    def _completion_steps(self) -> list[Complete]:
        return completion_steps(self.structural)

    def _complete_in_steps(self, obj: Json) -> None:
        for step in self._completion_steps:
            step(obj)

    def default(self, obj: JsonObject) -> None:
        """Drop nulls that are not allowed and have no default, then fill defaults in."""
        self._complete(obj)

    @cached_property
    def _fill(self) -> Default:
        return compile_defaulting(self.structural) or _do_nothing

    def fill(self, obj: JsonObject) -> None:
        """Fill defaults in, and leave the nulls that are not allowed: they are there to be refused."""
        self._fill(obj)

    # Changes of sound objects

    @cached_property
    def _soundness(self) -> Soundness | None:
        return None if self._keeps_unknown or self.has_embedded else Soundness(self.structural, self._reading)

    def _judge_of_change(self, obj: JsonObject, changes: Changes) -> Soundness | None:
        """What judges a change by what differs; None where there were too few changes yet, or the metadata needs more than that."""
        self._changes += 1
        if self._changes <= _MANY_CHANGES:
            return None
        below = changes.get(_METADATA)
        if below is not None and (below.__class__ is not dict or not is_plain_changed(obj[_METADATA], below)):
            return None
        return self._soundness

    def complete_beside(self, obj: JsonObject, changes: Changes) -> bool:
        """Do what `complete` does, in place, for an object that was made of a `sound <Soundness>` one; ``changes`` tell what differs.

        False where that takes a look at all of it, and for unknown fields; nothing was done then.
        """
        judge = self._judge_of_change(obj, changes)
        return judge is not None and judge.complete(obj, changes)

    def fill_beside(self, obj: JsonObject, changes: Changes) -> bool:
        """The same for `coerce` and `fill`: nulls that are not allowed stay."""
        judge = self._judge_of_change(obj, changes)
        return judge is not None and judge.fill(obj, changes)

    def settle(self, obj: JsonObject, changes: Changes, *, keep_nulls: bool = False) -> bool:
        """Whether an object that was made of a `sound <Soundness>` one is so too, once it is completed in place where it differs.

        Nulls that are not allowed are dropped, or kept, and judged. A no may be wrong; the object is of no use any more then.
        """
        judge = self._judge_of_change(obj, changes)
        return judge is not None and judge.settle(obj, changes, keep_nulls=keep_nulls)

    def is_valid(self, obj: JsonObject, changes: Changes | None = None) -> bool:
        """Whether there is nothing wrong with an object's values, however it came about; ``changes`` since it was sound, if it ever was.

        A no may be wrong.
        """
        if self.has_embedded:
            return False
        if changes is not None and self._changes > _MANY_CHANGES and self._soundness is not None and self._soundness.is_valid(obj, changes):
            return True
        return self._is_valid(obj)

    @cached_property
    def _drop_nulls(self) -> DropNulls:
        return compile_null_dropping(self.structural) or _do_nothing

    @cached_property
    def _is_valid(self) -> IsValid:
        return self._judging(self.structural)

    def _judging(self, schema: Structural) -> IsValid:
        def walk(value: Json) -> bool:
            return not examine(schema, value, "", self._reading).faults and not any(check_list_types(schema, value, ROOT))

        return worthwhile(walk, lambda: compile_validation(schema, self._reading))

    def validate(self, obj: JsonObject, old: JsonObject | None = None) -> list[FieldError]:
        """What is wrong with an object's values, if anything. Against ``old``, what has not changed is not judged again."""
        is_valid = self._is_valid(obj)
        if is_valid and not self.has_embedded:
            return []
        if not self.has_embedded:
            return self._examined(obj, old)
        errors = [] if is_valid else self._value_errors(self.structural, obj, old, ROOT)
        errors += embedded.check_embedded(self.structural, obj, ROOT, self.kube)
        if not is_valid:
            errors += self._duplicates(obj, old)
        return errors

    def validate_new(self, obj: JsonObject, survey: Survey | None) -> list[FieldError]:
        """The same for a new object, of which a survey may have told already."""
        if survey is None:
            return self.validate(obj)
        return [] if survey.is_valid else self._examined(obj, None)

    def _examined(self, obj: JsonObject, old: JsonObject | None) -> list[FieldError]:
        return [*self._value_errors(self.structural, obj, old, ROOT), *self._duplicates(obj, old)]

    @cached_property
    def _status(self) -> Structural:
        return self.structural.properties.get(_STATUS, _NO_SCHEMA)

    @cached_property
    def _is_status_valid(self) -> IsValid:
        return self._judging(self._status)

    def validate_status(self, obj: JsonObject, old: JsonObject | None = None) -> list[FieldError]:
        """What is wrong with an object written through ``/status``: only its status is judged, and in messages named relative to it."""
        if _STATUS not in obj or self._is_status_valid(obj[_STATUS]):
            return []
        old_status = None if old is None else old.get(_STATUS)
        if old is not None and old_status is None and obj[_STATUS] is None:  # as much as it was: here none and null are the same
            return self._duplicates(obj, old)
        return [*self._value_errors(self._status, obj[_STATUS], old_status, ROOT / _STATUS), *self._duplicates(obj, old)]

    def _value_errors(self, schema: Structural, value: Json, old: Json, at: FieldPath) -> list[FieldError]:
        if old is None:
            return examine(schema, value, "", self._reading).errors(at)
        return examine_update(schema, value, old, self._reading).errors(at)

    def _duplicates(self, obj: JsonObject, old: JsonObject | None) -> list[FieldError]:
        """Duplicates in sets and map lists; once an object has one, it may have more."""
        if old is not None and any(check_list_types(self.structural, old, ROOT)):
            return []
        return list(check_list_types(self.structural, obj, ROOT))

    def surely_counts(self, path: Sequence[str], most: int) -> bool:
        """Whether an object that a survey found valid has nothing at a path, or a whole number from 0 up to ``most``. A no may be wrong."""
        node: Structural | None = self.structural
        for name in path:
            if node is None or node.type != "object":
                return False
            node = node.properties.get(name)
        if node is None or node.type != "integer" or node.minimum is None or node.minimum < 0:
            return False
        highest = INT32_MAX if self._reading.number_type(node) == ("integer", "int32") else node.maximum
        return highest is not None and highest <= most

    @cached_property
    def rules(self) -> SchemaRules | None:
        """The rules that objects are held to; None if there are none."""
        from crdkit.schema.rules.ruleset import SchemaRules  # noqa: PLC0415 (schemas without rules need no expression language)

        return SchemaRules.of(self.structural, self.kube) if self.has_rules else None

    @cached_property
    def has_rules(self) -> bool:
        """Whether some node has rules."""
        return has_rules(self.structural)

    @cached_property
    def has_rules_on_metadata(self) -> bool:
        """Whether rules of the whole object may look at all of its metadata. A yes may be wrong."""
        if not self.structural.validations:
            return False
        from crdkit.schema.rules.looking import sees_metadata  # noqa: PLC0415 (likewise)

        rules = self.structural.validations
        return sees_metadata(rule.get(name) or "" for rule in rules for name in ("rule", "messageExpression"))

    @property
    def has_cold_rules(self) -> bool:
        """Whether the next object makes the rules be compiled."""
        if not self.has_rules:
            return False
        return "rules" not in self.__dict__ or (self.rules is not None and self.rules.is_cold)

    @staticmethod
    def blocks_rules(errors: Iterable[FieldError]) -> bool:
        """Whether these errors keep rules from being run: there is no telling what a rule would meet in an object of wrong types or sizes."""
        return any(error.kind in _BLOCKING for error in errors)


def has_rules(schema: Structural) -> bool:
    """Whether a node, or one below it, has rules."""
    if schema.validations:
        return True
    return any(child is not None and has_rules(child) for child in (*schema.properties.values(), schema.items, schema.values))


def _keep_all(_: Json) -> list[str]:
    """Nothing is unknown."""
    return []


def _do_nothing(_: Json) -> None:
    """The schema has nothing of the sort."""
