"""An act at a table, which its seat takes back."""

from engine.commands import Placement
from service.game import acts_taken_back
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run

A4, B4 = Placement("A", "4"), Placement("B", "4")


def first_act(**wish: object) -> tuple[Seated, int]:
    """A table at which the first seat has just placed, and that seat."""
    table = seated.started(3, **wish)
    seat = int(table.game.asked()[0])
    table.answer(seat, A4)
    return table, seat


def take_back(table: Seated, seat: int, decision: int) -> int:
    return acts_taken_back.take_back(table.id, table.holder(seat), decision)


def due_rows(table: Seated) -> list[tuple]:
    return run(
        "SELECT decision, kind, due_at FROM due WHERE game_id = :g ORDER BY due_at",
        {"g": table.id},
    )
