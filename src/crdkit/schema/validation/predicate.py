"""The quick validation of a value: a yes or no, by Python source made from the schema. Most objects are valid and cost no more.

The answer is exact but for one thing: where 1, 1.0 and true meet as items or keys of a list, a no may be wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final, TypeAlias

from crdkit.meta.types import Json
from crdkit.schema import formats
from crdkit.schema.listtypes import repeated
from crdkit.schema.numbers import to_int64
from crdkit.schema.patterns import remember, search
from crdkit.schema.source import Source, size
from crdkit.schema.structural import Structural
from crdkit.schema.validation.enums import is_admitted
from crdkit.schema.validation.examination import examine
from crdkit.schema.validation.kinds import check_type
from crdkit.schema.validation.numbers import has_faulty_bounds
from crdkit.schema.validation.reading import Reading

IsValid: TypeAlias = Callable[[Json], bool]

_SAMPLES: Final[dict[type, Json]] = {str: "", int: 0, float: 0.5, bool: True, list: [], dict: {}}
_NAMES: Final = {"str": str, "int": int, "float": float, "bool": bool, "list": list, "dict": dict}
_SCALARS: Final = frozenset(("str", "int", "float", "bool"))
_LARGE_BRANCH: Final = 50
_INT32: Final = (-(2**31), 2**31 - 1)


def compile_validation(schema: Structural, reading: Reading) -> IsValid:
    """Build the function that tells whether a value is valid, sets and map lists without duplicates included."""
    source = _Validation(reading)
    return source.load(source.validator(schema))


class _Validation(Source):
    """Functions that return False at the first fault."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.reading = reading
        self._kinds: dict[tuple[tuple[str, ...], str], list[str]] = {}

    def validator(self, schema: Structural) -> str:
        """Write a function that validates by a schema; returns its name."""
        with self.function() as name:
            self.node(schema, "v")
            self.line("return True")
        return name

    def refuse_if(self, condition: str) -> None:
        self.line(f"if {condition}: return False")

    def node(self, schema: Structural, var: str) -> None:
        """Write the checks of one value, here or, where that would grow too large or deep, as a call."""
        if not self.takes(schema):
            self.refuse_if(f"not {self.later(schema)}({var})")
            return
        types = self.reading.types(schema)
        if not schema.enum and (schema.nullable or not types):
            with self.block(f"if {var} is not None"):
                self.value(schema, var)
        else:
            if not types:
                self.refuse_if(f"{var} is None")
            self.value(schema, var)

    def later(self, schema: Structural) -> str:
        return self.part(lambda: compile_validation(schema, self.reading))

    def kinds(self, schema: Structural) -> list[str]:
        """The types of values, by Python's names, that a schema's type and format allow."""
        known = (self.reading.types(schema), self.reading.format(schema))
        if known not in self._kinds:
            allowed = [name for name, kind in _NAMES.items() if not list(check_type(schema, _SAMPLES[kind], "", self.reading))]
            self._kinds[known] = allowed
        return self._kinds[known]

    def value(self, schema: Structural, var: str) -> None:
        """Write the checks of a value that is not null."""
        kinds = self.kinds(schema)
        # Which floats are integers is left to the slow validation: they are rare.
        doubtful = "float" not in kinds and "integer" in self.reading.types(schema)
        if len(kinds) < len(_NAMES):
            self.types(schema, var, kinds, doubtful=doubtful)
        self.content(schema, var, kinds)
        self.junctors(schema, var)
        self.enum(schema, var, kinds)

    def types(self, schema: Structural, var: str, kinds: list[str], *, doubtful: bool) -> None:
        tests = [f"{var}.__class__ is not {kind}" for kind in kinds]
        if doubtful:
            reading = self.reading
            exact = self.bind(lambda value: not examine(schema, value, "", reading).faults)
            tests.append(f"({var}.__class__ is not float or not {exact}({var}))")
        self.refuse_if(" and ".join(tests) or "True")

    def content(self, schema: Structural, var: str, kinds: list[str]) -> None:
        writers = {"str": self.text, "int": self.integer, "float": self.number, "list": self.items, "dict": self.fields}
        for kind, write in writers.items():
            if kind not in kinds:
                continue
            if kinds == [kind] and kind != "int":
                write(schema, var)
            else:
                with self.block(f"if {var}.__class__ is {kind}"):
                    write(schema, var)

    def text(self, schema: Structural, var: str) -> None:
        if schema.max_length is not None:
            self.refuse_if(f"len({var}) > {schema.max_length:d}")
        if schema.min_length:
            self.refuse_if(f"len({var}) < {schema.min_length:d}")
        if schema.pattern:
            self.refuse_if(f"not {self.bind(search(schema.pattern))}({var})")
        declared = self.reading.format(schema)
        if declared and self.reading.is_text_format(declared):
            self.refuse_if(f"not {self.bind(remember(formats.check(declared)))}({var})")

    def integer(self, schema: Structural, var: str) -> None:
        """Bounds that do not fit the type need the words of the slow validation, and that is what a no leads to."""
        if has_faulty_bounds(schema, self.reading):
            self.line("return False")
            return
        if self.reading.number_type(schema) == ("integer", "int32"):
            self.refuse_if(f"not {_INT32[0]} <= {var} <= {_INT32[1]}")
        if schema.minimum is not None:
            self.refuse_if(f"{var} <{'=' * schema.exclusive_minimum} {to_int64(float(schema.minimum))}")
        if schema.maximum is not None:
            self.refuse_if(f"{var} >{'=' * schema.exclusive_maximum} {to_int64(float(schema.maximum))}")
        if schema.multiple_of is not None:
            factor = to_int64(float(schema.multiple_of))
            self.refuse_if(f"{var} % {factor}" if factor > 0 else "True")

    def number(self, schema: Structural, var: str) -> None:
        if schema.multiple_of is not None or self.reading.number_type(schema) == ("number", "float"):
            reading = self.reading
            self.refuse_if(f"not {self.bind(lambda value: not examine(schema, value, '', reading).faults)}({var})")
            return
        if schema.minimum is not None:
            self.refuse_if(f"{var} <{'=' * schema.exclusive_minimum} {self.bind(float(schema.minimum))}")
        if schema.maximum is not None:
            self.refuse_if(f"{var} >{'=' * schema.exclusive_maximum} {self.bind(float(schema.maximum))}")

    def items(self, schema: Structural, var: str) -> None:
        if schema.min_items:
            self.refuse_if(f"len({var}) < {schema.min_items:d}")
        if schema.max_items is not None:
            self.refuse_if(f"len({var}) > {schema.max_items:d}")
        if schema.items is not None:
            item = self.variable()
            with self.block(f"for {item} in {var}"):
                self.node(schema.items, item)
        if schema.list_type == "set":
            self.distinct_items(schema, var)
        elif schema.list_type == "map":
            self.refuse_if(f"len({var}) > 1 and not {self.bind(_distinct_keys(schema.list_map_keys))}({var})")

    def distinct_items(self, schema: Structural, var: str) -> None:
        allowed = self.kinds(schema.items) if schema.items is not None else _NAMES
        if _SCALARS.issuperset(allowed):
            self.refuse_if(f"len({{*{var}}}) != len({var})")
        else:
            self.refuse_if(f"{self.bind(repeated)}({var})")

    def fields(self, schema: Structural, var: str) -> None:
        if schema.min_properties:
            self.refuse_if(f"len({var}) < {schema.min_properties:d}")
        if schema.max_properties is not None:
            self.refuse_if(f"len({var}) > {schema.max_properties:d}")
        if schema.additional_properties is False:
            self.refuse_if(f"not {var}.keys() <= {self.bind(frozenset(schema.properties))}")
        for name in schema.required:
            if name not in schema.properties:
                self.refuse_if(f"{self.bind(name)} not in {var}")
        for name, child in schema.properties.items():
            self.field(schema, var, name, child)
        if schema.values is not None:
            self.map_values(schema, schema.values, var)

    def field(self, schema: Structural, var: str, name: str, child: Structural) -> None:
        key, item = self.bind(name), self.variable()
        if name in schema.required:
            self.refuse_if(f"{key} not in {var}")
            self.line(f"{item} = {var}[{key}]")
            self.node(child, item)
            return
        with self.block(f"if {key} in {var}"):
            self.line(f"{item} = {var}[{key}]")
            self.node(child, item)

    def map_values(self, schema: Structural, values: Structural, var: str) -> None:
        key, item = self.variable(), self.variable()
        if not schema.properties:
            with self.block(f"for {item} in {var}.values()"):
                self.node(values, item)
            return
        with (
            self.block(f"for {key}, {item} in {var}.items()"),
            self.block(f"if {key} not in {self.bind(frozenset(schema.properties))}"),
        ):
            self.node(values, item)

    def enum(self, schema: Structural, var: str, kinds: list[str]) -> None:
        if not schema.enum:
            return
        if kinds == ["str"] and all(isinstance(value, str) for value in schema.enum):
            self.refuse_if(f"{var} not in {self.bind(frozenset(schema.enum))}")
        else:
            values = schema.enum
            self.refuse_if(f"not {self.bind(lambda value: is_admitted(values, value))}({var})")

    def junctors(self, schema: Structural, var: str) -> None:
        if schema.any_of:
            self.refuse_if(f"not ({' or '.join(self.test(branch, var) for branch in schema.any_of)})")
        if schema.one_of:
            self.refuse_if(f"{' + '.join(self.test(branch, var) for branch in schema.one_of)} != 1")
        for branch in schema.all_of:
            self.refuse_if(f"not {self.test(branch, var)}")
        if schema.not_ is not None:
            self.refuse_if(self.test(schema.not_, var))

    def test(self, branch: Structural, var: str) -> str:
        """An expression, true or false, that tells whether a value that is not null is valid by a branch."""
        if branch == Structural(type="string"):
            return f"({var}.__class__ is str)"
        if branch == Structural(type="integer"):
            return f"({var}.__class__ is int or {var}.__class__ is float and {self.bind(self.reading.differences.is_whole)}({var}))"
        if branch == Structural(required=branch.required):
            tests = "".join(f" and {self.bind(name)} in {var}" for name in branch.required)
            return f"({var}.__class__ is not dict or True{tests})"
        write = self.later if size(branch, _LARGE_BRANCH) == _LARGE_BRANCH else self.validator
        return f"{write(branch)}({var})"


def _distinct_keys(keys: tuple[str, ...]) -> IsValid:
    """Whether no two items have equal keys; where one has no key, or one that is no scalar, the answer is left to slower code."""
    get = itemgetter(*keys)

    def are_distinct(items: list[Any]) -> bool:
        try:
            return len({*map(get, items)}) == len(items)
        except (KeyError, TypeError):
            return False

    return are_distinct
