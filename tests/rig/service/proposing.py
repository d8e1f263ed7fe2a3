"""Proposals to call a game off, made and voted on for seats."""

from service.game import table_acts
from service.store import proposals
from service.store.proposals import Proposal
from tests.rig.service.seated import Seated, run


def propose(table: Seated, seat: int = 0) -> Proposal:
    return table_acts.propose(table.id, table.principals[seat])


def vote(table: Seated, seat: int, *, agrees: bool = True, number: int = 1) -> None:
    table_acts.vote(table.id, table.principals[seat], number, agrees=agrees)


def latest(table: Seated) -> Proposal:
    found = proposals.latest(table.id)
    assert found is not None
    return found


def told(table: Seated, kind: str) -> list[int]:
    """The seats that a kind of notice was written for, in order."""
    asked = "SELECT seat FROM notice WHERE game_id = :g AND kind = :k ORDER BY seat"
    return [seat for (seat,) in run(asked, {"g": table.id, "k": kind})]
