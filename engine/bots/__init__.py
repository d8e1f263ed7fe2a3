"""The bots by name: each answers from its own view, and knows nothing else."""

import random
from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.bots import anyhow, shrewd, steady
from engine.commands import Answer
from engine.views import View

Bot: TypeAlias = Callable[[View, random.Random], Answer]
"""Takes the view of the seat it plays, and a source of chance for its whims.

It returns one of the view's own legal answers, the same one for the same view and the
same chance, in some milliseconds; it keeps nothing from one view for another. Raises
LookupError when its seat isn't asked.
"""

BOTS: Mapping[str, Bot] = {
    "random": anyhow.answer,
    "shrewd": shrewd.bot(),
    "steady": steady.answer,
}
"""A bot by the name a host chooses it by."""
