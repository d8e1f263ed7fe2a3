"""Two worlds of one table, played by one script: nobody may tell them apart.

They are alike in what a viewer may know. What others hold is dealt otherwise, and who
lays a card when, and by whose hand, differs between the moments that tell it. Whatever
a viewer can ask for, at any time, has to be the same.
"""

import itertools
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from flask import Flask

from tests.rig.twin_tables.looking import Seen
from tests.rig.twin_tables.script import Script
from tests.rig.twin_tables.world import World, stopped_clock


class Differs(AssertionError):
    """A viewer saw which of the two worlds they live in."""


def compare(
    app: Flask, wipe: Callable[[], None], folder: Path, number: int
) -> Counter[str]:
    """What twins of this number compared. Raises Differs for a leak."""
    sides = []
    for side in (0, 1):
        wipe()
        world = World(app, folder, number, side)
        with app.app_context(), stopped_clock():
            sides.append((world, Script(world).play()))
    (world, left), (_, right) = sides
    for ours, theirs in itertools.zip_longest(left, right):
        if ours != theirs:
            raise Differs(number, world.case, _around(ours, theirs))
    tally = world.tally + Counter(comparisons=len(left), twins=1)
    tally["bytes"] += sum(len(seen.what) for seen in left)
    return tally


def _around(ours: Seen | None, theirs: Seen | None) -> tuple[object, ...]:
    if ours is None or theirs is None or ours[:2] != theirs[:2]:
        return ours and ours[:2], theirs and theirs[:2]
    one, two = ours.what, theirs.what
    at = next(
        (n for n, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(two)),
    )
    parts = (each[max(at - 100, 0) : at + 100] for each in (one, two))
    return (*ours[:2], *parts)
