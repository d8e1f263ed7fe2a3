"""A bot that gives any of its legal answers, evenly."""

import random

from engine.commands import Answer
from engine.views import View


def answer(view: View, chance: random.Random) -> Answer:
    """One of the view's own legal answers. Raises LookupError when there is none."""
    own = view.own
    if own is None or not own.legal:
        raise LookupError("not asked")
    return chance.choice(own.legal).answer
