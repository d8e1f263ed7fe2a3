"""Five hundred twin tables, played through the service: nobody sees which world it is.

Parts of a hundred each, so that one can be run by itself.
"""

import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from tests.rig.engine import twins_leaks
from tests.rig.twin_tables import comparing
from tests.rig.twin_tables.acts import OF_A_KEPT_SEAT, OF_A_PERSON
from tests.rig.wiping import Wiper

PARTS, OF_EACH = 5, 100


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_table_tells_two_worlds_apart(
    app: Flask, wiper: Wiper, tmp_path: Path, part: int
) -> None:
    began, tally = time.monotonic(), Counter[str]()
    for number in range(part * OF_EACH, (part + 1) * OF_EACH):
        tally += comparing.compare(app, wiper.wipe, tmp_path, number)

    figures = ", ".join(f"{count} {name}" for name, count in sorted(tally.items()))
    sys.stdout.write(f"\n{figures}; 0 differences; {time.monotonic() - began:.0f} s\n")
    assert tally["twins"] == OF_EACH
    for kind in ("standing", "let pass", "taken back", *OF_A_PERSON, *OF_A_KEPT_SEAT):
        assert tally[kind] > OF_EACH / 10, kind


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_a_view_that_tells_who_has_laid_is_seen(
    app: Flask, wiper: Wiper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twins_leaks.who_has_laid(monkeypatch)

    compare = partial(comparing.compare, app, wiper.wipe, tmp_path)
    with pytest.raises(comparing.Differs):
        list(map(compare, range(100)))
