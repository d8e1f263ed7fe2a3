"""Browsers that are remembered for a seat, and whether they still are."""

from service.store import devices as devicestore
from tests.rig.service.seated import Seated, person_on, run
from tests.rig.service.visitor import Visitor, path_of

OWN = "For your eyes only"


def device_of(visitor: Visitor, table: Seated, seat: int = 1) -> str:
    """Be remembered for a seat, for which nobody else is; the device's id."""
    run("DELETE FROM device WHERE seat = :s", {"s": seat})
    visitor.remember(table, seat)
    return str(run("SELECT id FROM device ORDER BY created_at DESC LIMIT 1")[0][0])


def sees(visitor: Visitor, table: Seated) -> bool:
    return OWN in visitor.get(path_of(table)).text


def of_seat(table: Seated, seat: int = 1) -> int:
    found = devicestore.of_seat(table.id, person_on(table.id, seat))
    return len(found)
