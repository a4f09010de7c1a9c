"""What a schema asks of one value, as conditions in Python source: for a yes or no to a value as it is, and for a walk that completes it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final

from crdkit.meta.types import Json
from crdkit.schema import formats
from crdkit.schema.listtypes import repeated
from crdkit.schema.numbers import to_int64
from crdkit.schema.patterns import Remembering, search
from crdkit.schema.source import Source
from crdkit.schema.structural import Structural
from crdkit.schema.validation.enums import is_admitted
from crdkit.schema.validation.examination import examine
from crdkit.schema.validation.kinds import check_type
from crdkit.schema.validation.numbers import has_faulty_bounds
from crdkit.schema.validation.reading import INT32_MAX, Reading

NAMES: Final = {"str": str, "int": int, "float": float, "bool": bool, "list": list, "dict": dict}
"""The types of values, by Python's names."""
SCALARS: Final = frozenset(("str", "int", "float", "bool"))
_SAMPLES: Final[dict[type, Json]] = {str: "", int: 0, float: 0.5, bool: True, list: [], dict: {}}


class Conditions(Source, ABC):
    """Writes what is to be refused of the value of a variable; what happens then is up to who derives from it."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.reading = reading
        self._kinds: dict[tuple[tuple[str, ...], str], list[str]] = {}

    @abstractmethod
    def refuse_if(self, condition: str) -> None:
        """Write what is done where a condition holds. No condition that is written next matters then."""

    @abstractmethod
    def branch(self, schema: Structural) -> str:
        """The name of a function that tells whether a value is valid by a branch of a junctor."""

    def kinds(self, schema: Structural) -> list[str]:
        """The types of values, by Python's names, that a schema's type and format allow."""
        known = (self.reading.types(schema), self.reading.format(schema))
        if known not in self._kinds:
            allowed = [name for name, kind in NAMES.items() if not list(check_type(schema, _SAMPLES[kind], "", self.reading))]
            self._kinds[known] = allowed
        return self._kinds[known]

    def text(self, schema: Structural, var: str) -> None:
        self.within(f"len({var})", schema.min_length or None, schema.max_length)
        if schema.pattern:
            self.passes(search(schema.pattern), var)
        declared = self.reading.format(schema)
        if declared and self.reading.is_text_format(declared):
            self.passes(Remembering(formats.check(declared)), var)

    def within(self, number: str, least: int | None, most: int | None) -> None:
        """Refuse a whole number, given by an expression, that is too small or too great."""
        if least is not None and most is not None:
            self.refuse_if(f"not {least:d} <= {number} <= {most:d}")
        elif least is not None:
            self.refuse_if(f"{number} < {least:d}")
        elif most is not None:
            self.refuse_if(f"{number} > {most:d}")

    def passes(self, check: Remembering, var: str) -> None:
        """Refuse a text that does not pass a check."""
        self.refuse_if(f"{var} not in {self.bind(check.passed)} and not {self.bind(check)}({var})")

    def integer(self, schema: Structural, var: str) -> None:
        """Bounds that do not fit the type need the words of the slow validation, and that is what a no leads to."""
        if has_faulty_bounds(schema, self.reading):
            self.refuse_if("True")
            return
        least, most = [], []
        if self.reading.number_type(schema) == ("integer", "int32"):
            least, most = [-INT32_MAX - 1], [INT32_MAX]
        if schema.minimum is not None:
            least.append(to_int64(float(schema.minimum)) + schema.exclusive_minimum)
        if schema.maximum is not None:
            most.append(to_int64(float(schema.maximum)) - schema.exclusive_maximum)
        self.within(var, max(least, default=None), min(most, default=None))
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
        return f"{self.branch(branch)}({var})"

    def duplicates(self, schema: Structural, var: str) -> None:
        """Refuse the items of a set, or the keys of a map list, that come twice; all else about the items has been asked."""
        if schema.list_type == "map":
            self.refuse_if(f"len({var}) > 1 and not {self.bind(_distinct_keys(schema.list_map_keys))}({var})")
        elif schema.list_type == "set":
            allowed = self.kinds(schema.items) if schema.items is not None else NAMES
            if SCALARS.issuperset(allowed):
                self.refuse_if(f"len({{*{var}}}) != len({var})")
            else:
                self.refuse_if(f"{self.bind(repeated)}({var})")


def _distinct_keys(keys: tuple[str, ...]) -> Callable[[list[Any]], bool]:
    """Whether no two items have equal keys; where one has no key, or one that is no scalar, the answer is left to slower code."""
    get = itemgetter(*keys)

    def are_distinct(items: list[Any]) -> bool:
        try:
            return len({*map(get, items)}) == len(items)
        except (KeyError, TypeError):
            return False

    return are_distinct
