"""No more is erased at a time than was asked for, whatever the database's plan."""

from collections.abc import Callable

import pytest

from service.store import devices, links
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values.enums import LinkPurpose
from tests.rig.service import queries, seated
from tests.rig.service.seated import run

pytestmark = pytest.mark.usefixtures("inside")

_AGO = "kingup_now() - make_interval(years => 2, mins => {})"


def add_devices() -> None:
    table = seated.started(3)
    for minutes, seat in enumerate(table.principals):
        run(
            f"UPDATE device SET last_used_at = {_AGO.format(minutes)}"
            " WHERE game_id = :g AND seat = :s",
            {"g": table.id, "s": seat},
        )


def add_links() -> None:
    table = seated.started(3)
    for minutes in (2, 1, 0):
        person = seated.person_on(table.id, 0)
        links.add(LinkRow(LinkPurpose.DEVICES, table.id, person, 0, minutes))
        run(
            f"UPDATE link SET created_at = {_AGO.format(minutes)} WHERE decision = :d",
            {"d": minutes},
        )


@pytest.mark.parametrize(
    ("add", "forget"),
    [(add_devices, devices.forget_old), (add_links, links.forget_old)],
)
def test_no_more_is_forgotten_than_was_asked_for(
    add: Callable[[], None], forget: Callable[[int], int]
) -> None:
    add()

    with transaction():
        queries.loop_over_rows()
        forgotten = [forget(2), forget(2), forget(2)]

    assert forgotten == [2, 1, 0]
