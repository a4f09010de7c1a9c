"""What all kinds that configure admission have in common."""

from __future__ import annotations

from functools import partial
from typing import Final

from crdkit.builtin.admission import reserved
from crdkit.builtin.admission.fields import FIELDS
from crdkit.builtin.behaviour import NEW_RULES, Behaviour

configuring: Final = partial(
    Behaviour, fields=FIELDS, metadata=NEW_RULES, unconditional_update=False, warnings=reserved.warnings, counts_generations=True
)
"""Makes the behaviour of such a kind, of what is its own."""
