"""CEL beside other engines for Python, in one sitting: the same expressions on the same object.

Programs are compiled ahead. A server judges an object once, so each evaluation begins with plain JSON; what is left of the difference
when others get the object already converted, which ours never does, is told too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, Final

from benchmarks import parcels
from benchmarks.rows import Row, microseconds
from crdkit.meta.version import DEFAULT
from crdkit.schema.compiled import CompiledSchema

Evaluate = Callable[[], Any]
_RULES: Final = "x-kubernetes-validations"
_WARM: Final = 100
"""Evaluations after which code has been generated."""

EXPRESSIONS: Final = (
    "self.spec.fewest <= self.spec.pieces && self.spec.pieces <= self.spec.most",
    "!has(self.spec.insurance) || self.spec.insurance.share < 50 || self.spec.service != 'express'",
    "self.spec.notes.all(n, !n.name.startsWith('INTERNAL_'))",
    "!has(self.status) || !has(self.status.pieces) || self.status.pieces >= 0",
    "self.spec.service in ['letter', 'standard', 'express']",
    "self.spec.service == 'express' ? self.spec.pieces < 5 : self.spec.pieces < 50",
    "size(self.spec.regions) > 0",
    "self.spec.regions.exists(r, r == 'b')",
    "self.spec.regions.exists_one(r, r == 'c')",
    "self.spec.stops.all(s, s.number > 0 && s.number < 65536)",
    "self.spec.stops.exists(s, s.mode == 'AIR')",
    "self.spec.stops.filter(s, s.mode == 'ROAD').size() == 2",
    "self.spec.stops.map(s, s.number).all(n, n > 10)",
    "self.spec.notes.all(n, size(n.name) < 64 && size(n.text) < 1025)",
    "self.spec.notes.exists(n, n.name == 'CUSTOMS' && n.private)",
    "self.spec.carrier.contains('/') && !self.spec.carrier.endsWith('/')",
    "self.spec.carrier.startsWith('carriers.')",
    "self.spec.carrier.matches('^[a-z0-9./:@_-]+$')",
    "size(self.spec.carrier) <= 253",
    "self.metadata.name == 'a-parcel'",
    "has(self.spec.handling) && 'side' in self.spec.handling",
    "self.spec.handling['temperature'] == 'cold'",
    "self.spec.handling.all(key, size(key) < 20)",
    "self.spec.pieces * 2 + 1 == 7",
    "(self.spec.most - self.spec.pieces) % 7 == 0",
    "self.spec.insurance.policy + '-' + self.spec.service == 'x-parcel-standard'",
    "self.spec.notes.map(n, n.name) == ['FRAGILE', 'SENDER', 'CUSTOMS', 'CONTACT', 'FLOOR']",
    "self.spec.regions.all(r, self.spec.regions.exists_one(o, o == r))",
    "self.spec.stops.all(s, self.spec.stops.exists_one(o, o.number == s.number && o.mode == s.mode))",
    "self.spec.due > timestamp('2030-01-01T00:00:00Z')",
)
_TIMES: Final = frozenset(("self.spec.due > timestamp('2030-01-01T00:00:00Z')",))
"""What other engines must be told that a text is a time in."""


def _object() -> dict[str, Any]:
    schema, obj = CompiledSchema(parcels.schema(), kube=DEFAULT), parcels.parcel()
    schema.read(obj)
    schema.default(obj)
    obj["metadata"] = {"name": obj["metadata"]["name"]}
    return obj


def crdkit_engine() -> Callable[[str], Evaluate]:
    """Rules of the definition, held against an object as the server does it: with their costs counted."""
    obj = _object()

    def compiled(text: str) -> Evaluate:
        schema = {"type": "object", _RULES: [{"rule": text}], "properties": parcels.schema()["properties"]}
        for part in ("spec", "status"):
            schema["properties"][part].pop(_RULES, None)
        schema["properties"]["spec"]["properties"]["notes"].pop(_RULES)
        rules = CompiledSchema(schema, kube=DEFAULT).rules
        assert rules is not None
        return lambda: not rules.check(obj).errors

    return compiled


def cel_python(*, converted: bool) -> Callable[[str], Evaluate]:
    """https://pypi.org/project/cel-python/."""
    import celpy  # noqa: PLC0415 (may not be there)
    from celpy.adapter import json_to_cel  # noqa: PLC0415

    obj, engine = _object(), celpy.Environment()
    ahead = {"self": json_to_cel(obj)}

    def compiled(text: str) -> Evaluate:
        program = engine.program(engine.compile(_for_untyped(text)))
        return lambda: program.evaluate(ahead if converted else {"self": json_to_cel(obj)})

    return compiled


def common_expression_language(*, converted: bool) -> Callable[[str], Evaluate]:
    """https://pypi.org/project/common-expression-language/."""
    import cel  # noqa: PLC0415 (may not be there)

    obj = _object()
    ahead = cel.Context(variables={"self": obj})

    def compiled(text: str) -> Evaluate:
        program = cel.compile(_for_untyped(text))
        return lambda: program.execute(ahead if converted else {"self": obj})

    return compiled


def _for_untyped(text: str) -> str:
    return text.replace("self.spec.due", "timestamp(self.spec.due)") if text in _TIMES else text


OTHERS: Final = (("cel-python", "celpy", cel_python, 100, 20), ("common-expression-language", "cel", common_expression_language, 20, 5))
"""Engines: name, module, how to get it, and how many times faster than it we aim to be, on average (geometric) and at least."""


def measure(seconds: float) -> Iterator[Row]:
    """Our own figure, and how many times longer others take, as far as they are installed."""
    each = seconds / 10
    ours = _timed(crdkit_engine(), each)
    yield Row("an expression (geometric mean)", _mean(ours), "µs")
    for name, module, engine, mean, least in OTHERS:
        if find_spec(module) is None:
            continue
        ratios = _ratios(ours, _timed(engine(converted=False), each))
        yield Row(f"{name} takes longer, on average", _mean(ratios), "times", goal=mean)
        yield Row(f"{name} takes longer, at least", min(ratios), "times", goal=least)
        ratios = _ratios(ours, _timed(engine(converted=True), each))
        yield Row(f"{name}, converted ahead", _mean(ratios), "times")


def _ratios(ours: list[float], theirs: list[float]) -> list[float]:
    return [other / own for own, other in zip(ours, theirs, strict=True)]


def _timed(engine: Callable[[str], Evaluate], seconds: float) -> list[float]:
    took = []
    for text in EXPRESSIONS:
        evaluate = engine(text)
        for _ in range(_WARM):
            found = evaluate()
            if not found:
                msg = f"{text}: {found!r}"
                raise RuntimeError(msg)
        took.append(microseconds(evaluate, seconds))
    return took


def _mean(values: list[float]) -> float:
    return math.exp(sum(math.log(value) for value in values) / len(values))
