"""All pairs instead of all combinations: faults seldom take more than two values."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import pytest


def pairs_of(row: Sequence[Any]) -> set[tuple[tuple[int, Any], ...]]:
    """Every two values of a row, with their columns."""
    return set(combinations(enumerate(row), 2))


def covering(rows: Iterable[Sequence[Any]]) -> list[Sequence[Any]]:
    """Some of the rows, in which every two values meet that meet in any of them."""
    left = list(rows)
    wanted = set().union(*map(pairs_of, left))
    chosen = []
    while wanted:
        best = max(left, key=lambda row: len(pairs_of(row) & wanted))
        wanted -= pairs_of(best)
        chosen.append(best)
        left.remove(best)
    return chosen


def params(rows: Iterable[Sequence[Any]]) -> list[Any]:
    """All rows as a test's parameters; beyond the pairs they are for `make proof`."""
    everything = list(rows)
    some = covering(everything)
    return [
        pytest.param(*row, marks=() if row in some else pytest.mark.proof)
        for row in everything
    ]
