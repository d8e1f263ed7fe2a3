"""Recorded games as files: the rows of a log as they were stored, and where they led.

The first line of a file names the game, its seed and what the game is kept for; then
comes one line for each row; the last line is the head of the record and the state.
"""

from pathlib import Path

import msgspec

from engine.board import Board
from engine.deck import favourites
from engine.events import Stored
from engine.evolve import evolve
from engine.fairness import chain
from engine.state import Election, Game, ScoredRound
from tests.rig.engine.loading import load
from tests.rig.engine.tables import Table

FOLDER = Path(__file__).parents[2] / "engine" / "recorded"

Plain = dict[str, object]


class Title(msgspec.Struct, frozen=True):
    """The first line of a file."""

    game: str
    seed: str
    kept_for: str


class Row(msgspec.Struct, frozen=True):
    """A row of the log; what was stored stands in the line byte for byte."""

    type: str
    version: int
    public: msgspec.Raw
    secret: msgspec.Raw


class End(msgspec.Struct, frozen=True):
    """The last line: the record's last number and head, and the state in words."""

    head: str
    state: Plain


class Recording(msgspec.Struct, frozen=True):
    """A file as it is read."""

    title: Title
    rows: tuple[Stored, ...]
    end: End


def _part(raw: msgspec.Raw) -> bytes | None:
    return None if bytes(raw) == b"null" else bytes(raw)


def read(path: Path) -> Recording:
    """A recorded game from its file."""
    first, *lines, last = path.read_bytes().splitlines()
    rows = (msgspec.json.decode(line, type=Row) for line in lines)
    return Recording(
        title=msgspec.json.decode(first, type=Title),
        rows=tuple(
            Stored(row.type, _part(row.public), _part(row.secret), row.version)
            for row in rows
        ),
        end=msgspec.json.decode(last, type=End),
    )


def write(path: Path, recording: Recording) -> None:
    """Keep a recorded game. Raises FileExistsError: a kept game is never rewritten."""
    rows = (
        Row(
            row.type,
            row.version,
            msgspec.Raw(row.public or b"null"),
            msgspec.Raw(row.secret or b"null"),
        )
        for row in recording.rows
    )
    lines = (recording.title, *rows, recording.end)
    with path.open("xb") as file:
        file.writelines(msgspec.json.encode(line) + b"\n" for line in lines)


def in_plain_words(game: Game) -> Plain:
    """A state in plain words: whole, secrets included, in no format of the engine's."""
    decision = game.decision
    return {
        "phase": game.phase.value,
        "edition": f"{game.edition} {game.rules}",
        "options": msgspec.to_builtins(game.options),
        "seats": [chair.bot or chair.kind for chair in game.seats],
        "words": list(game.words),
        "deck": list(game.deck),
        "round": game.round,
        "first": game.first,
        "crown": game.crown,
        "board": _castle(game.board),
        "placed": list(game.placed),
        "hands": [_cards(hand) for hand in game.hands],
        "decision": decision
        and {
            "number": decision.number,
            "kind": decision.kind.value,
            "seat": decision.seat,
            "nominee": decision.nominee,
            "mover": decision.mover,
        },
        "last decision": game.last_decision,
        "ballots": [card and card.value for card in game.ballots],
        "elections": [_election(each) for each in game.elections],
        "totals": list(game.totals),
        "rounds over": [_round(each) for each in game.scored],
        "reason": game.reason,
        "winners": list(game.winners),
    }


def _castle(board: Board) -> dict[str, str]:
    places = sorted(set(board.at.values()))
    return {place: "".join(board.on(place)) for place in places}


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(str(card) for card in sorted(cards))


def _election(election: Election) -> str:
    cards = " ".join(card.value for card in election.cards)
    return (
        f"{election.decision}: {election.nominee} by {election.mover},"
        f" {election.verdict.value}: {cards}"
    )


def _round(scored: ScoredRound) -> Plain:
    return {
        "round": scored.round,
        "favourites": ["".join(favourites(card)) for card in scored.favourites],
        "points": list(scored.points),
        "bonus": list(scored.bonus),
        "totals": list(scored.totals),
        "board": _castle(scored.board),
    }


class Restored(Table):
    """A table at which a recorded game stands as its rows say, as far as they go."""

    def __init__(self, title: Title) -> None:
        super().__init__(title.game, bytes.fromhex(title.seed))

    def take(self, row: Stored) -> None:
        """One more row of the log."""
        event = load(self.game.id, row)
        self.log.append(event)
        self.rows.append(row)
        self.game = evolve(self.game, event)
        if row.public is not None:
            head = chain(self.heads[-1], len(self.heads), row.public)
            self.heads.append(head)


def restored(recording: Recording) -> Restored:
    """A recorded game where its log ends."""
    table = Restored(recording.title)
    for row in recording.rows:
        table.take(row)
    return table
