"""The standard library: operators, conversions, strings, time, containers, optionals."""

from __future__ import annotations

from crdkit.cel.standard.arithmetic import LIBRARY as ARITHMETIC
from crdkit.cel.standard.comparisons import LIBRARY as COMPARISONS
from crdkit.cel.standard.containers import LIBRARY as CONTAINERS
from crdkit.cel.standard.conversions import LIBRARY as CONVERSIONS
from crdkit.cel.standard.logic import LIBRARY as LOGIC
from crdkit.cel.standard.optionals import LIBRARY as OPTIONALS
from crdkit.cel.standard.strings import LIBRARY as STRINGS
from crdkit.cel.standard.time import LIBRARY as TIME

__all__ = ["ARITHMETIC", "COMPARISONS", "CONTAINERS", "CONVERSIONS", "LOGIC", "OPTIONALS", "STRINGS", "TIME"]
