"""The recursion that parsing an expression asks for is granted ahead, so that hypothesis does not see it change."""

from __future__ import annotations

from crdkit.cel.environment import environment
from crdkit.meta.version import DEFAULT

environment(DEFAULT).compile("1", {})
