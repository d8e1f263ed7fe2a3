"""A choice of rows in which every two values meet, as tests take it."""

from itertools import product

from tests.rig import pairwise

ROWS = [row for row in product("ab", (1, 2, 3), "xyz", "pq") if row[:2] != ("a", 2)]


def test_some_rows_hold_all_pairs_that_all_rows_hold() -> None:
    some = pairwise.covering(ROWS)

    assert 9 <= len(some) <= 12 < len(ROWS)
    assert set().union(*map(pairwise.pairs_of, some)) == set().union(
        *map(pairwise.pairs_of, ROWS)
    )


def test_the_other_rows_are_left_for_the_proof() -> None:
    params = pairwise.params(ROWS)

    assert [each.values for each in params] == ROWS
    assert [each.values for each in params if not each.marks] == [
        row for row in ROWS if row in pairwise.covering(ROWS)
    ]
