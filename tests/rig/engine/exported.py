"""Records as files: of games that were finished, and of some that were called off."""

from engine import events
from engine.commands import CancelGame
from engine.export import Export
from tests.rig.engine.tables import Table, options, settled

NAMES = ("Rachel", "Renée", 'Si"mon\\', "", "Бритта", "王", "Terry", "Paul")


def exported(table: Table) -> Export:
    return Export(
        game=table.game.id,
        names=NAMES[: len(table.game.seats)],
        versions=(events.VERSION,) * len(table.record),
        record=tuple(table.record),
    )


def finished(history: str = "table") -> Table:
    """A game of one round with a refused election and a crowned king."""
    table = settled(chosen=options(rounds=1, history=history))
    table.nominate("A")
    table.vote("yes", "no", "yes", "yes")
    table.crown("B")
    return table


def cancelled(history: str) -> Table:
    """A game called off in an election, behind another one that was resolved."""
    table = settled(chosen=options(rounds=1, history=history))
    table.nominate("A")
    table.vote("yes", "no", "yes", "yes")
    table.nominate("B")
    table.lay(table.game.asked()[0], "no")
    table.do(CancelGame(table.seed))
    return table
