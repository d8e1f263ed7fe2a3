"""The data of games that were played on another instance."""

from engine import export
from tests.rig.engine import random_games
from tests.rig.engine.exported import exported

NAMES = ("Rachel", "Renée", "Симон", "王", "Simon", "Terry", "Paul", "")


def data_of(number: int) -> bytes:
    """The file of a whole game by chance, from another instance."""
    whole = exported(random_games.game(number))
    names = NAMES[: len(whole.names)]
    return export.write(export.Export(whole.game, names, whole.versions, whole.record))
