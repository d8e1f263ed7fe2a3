"""What a table is about, in lines that are read at a glance."""

import pytest

from service.present import terms
from service.store import games
from service.values.principals import System
from tests.rig.service import seated


@pytest.mark.usefixtures("inside")
def test_every_choice_of_a_table_has_a_line_of_its_own() -> None:
    table = seated.started(3, spare=2, first=0, placement="random")
    seen = games.read(table.id, System())
    assert seen is not None

    edition, course, *more = terms.sentences_on(seen)

    assert edition.startswith("Classic.")
    assert course.startswith("3 rounds; the castle is filled by lot. ")
    assert course.endswith(" begins.")
    begins = (
        "There are",
        "A bot keeps",
        "A placement or",
        "The cards of",
        "Games like",
    )
    assert len(more) == len(begins)
    assert all(map(str.startswith, more, begins))
