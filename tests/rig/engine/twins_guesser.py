"""A guesser who tries all cards on every commitment, with all that is public."""

from collections.abc import Iterable, Iterator, Sequence

from engine import events, fairness
from engine.board import Card, Seat
from tests.rig.engine import naive_proof
from tests.rig.engine.tables import Table

Slot = tuple[str | int, ...]
"""What a commitment stands for, as it enters the hash before the content."""


def bindings(table: Table) -> dict[Slot, str]:
    """Every commitment of a record so far, in hex, by its slot."""
    found: dict[Slot, str] = {}
    for event in map(events.read_record, table.record):
        if isinstance(event, events.StartedRecord):
            for index, leaf in enumerate(event.leaves):
                found["kingup/1/card", table.game.id, index] = leaf
        if isinstance(event, events.ElectionResolved):
            for seat, ballot in enumerate(event.ballots):
                found["kingup/1/ballot", table.game.id, event.decision, seat] = ballot
    return found


def opened(table: Table) -> dict[Slot, bytes]:
    """Every salt that the record has opened so far, by its slot."""
    found: dict[Slot, bytes] = {}
    game, seats = table.game.id, len(table.game.seats)
    for event in map(events.read_record, table.record):
        if not isinstance(event, events.RoundScored):
            continue
        for seat, salt in enumerate(event.salts):
            index = (event.round - 1) * seats + seat
            found["kingup/1/card", game, index] = bytes.fromhex(salt)
        for election in event.elections:
            for seat, salt in enumerate(election.salts):
                slot = ("kingup/1/ballot", game, election.decision, seat)
                found[slot] = bytes.fromhex(salt)
    return found


def guessed(table: Table) -> set[Slot]:
    """The sealed slots whose content can be found from the record alone.

    Tried are all cards without a salt, with every salt opened elsewhere, and with every
    public hash as the salt or as the key of the game's own formulas.
    """
    open_salts = opened(table)
    public = [b"", bytes(32), *table.heads, *open_salts.values()]
    sealed = {s: b for s, b in bindings(table).items() if s not in open_salts}
    return {
        slot
        for slot, bound in sealed.items()
        if bound in map(bytes.hex, _attempts(slot, public))
    }


def _attempts(slot: Slot, public: Sequence[bytes]) -> Iterator[bytes]:
    contents: Iterable[str | int] = range(26)
    if slot[0] == "kingup/1/ballot":
        contents = [card.value for card in Card]
    for content in contents:
        for parts in (slot, slot[:2], slot[:1], ()):
            yield naive_proof.h(*parts, content)
        for known in public:
            yield naive_proof.h(*slot, content, known)
            yield _with_key(slot, known, content)


def _with_key(slot: Slot, key: bytes, content: str | int) -> bytes:
    """The engine's own commitment under a key that the guesser has."""
    game, place = str(slot[1]), [int(part) for part in slot[2:]]
    if slot[0] == "kingup/1/card":
        return fairness.leaf(game, key, place[0], int(content))
    seat = Seat(place[1])
    return fairness.ballot(game, key, place[0], seat, Card(str(content)))
