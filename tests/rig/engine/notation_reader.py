"""Reads a game's notation and plays it again: what is written is enough."""

import json
import re
from collections.abc import Iterator

import msgspec

from engine.board import Card, Seat
from engine.commands import (
    Ballot,
    CancelGame,
    Chair,
    CloseTable,
    CreateGame,
    Move,
    Placement,
    Source,
    StartGame,
    TakeBack,
)
from engine.fairness import digest
from tests.rig.engine.tables import Table, options

_HEADER = re.compile(r"\[(\w+) (.*)\]")
_SEAT = re.compile(r'(\d+) ("(?:[^"\\]|\\.)*")(?: bot (".*"))?')
_PLACED = re.compile(r" *(\d+)\. (\d) (\w)@(\d)(?: \((\w+)\))?(?:, rest .*)?")
_MOVED = re.compile(r" *(\d+)\. (\d) (\w) (\w+)-(\w+)(?: \((\w+)\))?")
_VOTED = re.compile(r" *(\d+)\. \* (\w) ([YNS?]+) (\w+)(?: (\w+))?")

_BACK = re.compile(r"back (\d+), asked again as \d+")

_CARDS = {"Y": Card.YES, "N": Card.NO, "S": Card.STOMACHACHE}
_SOURCES = {None: Source.PERSON, "bot": Source.BOT, "clock": Source.CLOCK}


def seed_of(name: str) -> bytes:
    """The seed of the game that a file of that name tells."""
    return digest(name)


def names_of(text: str) -> tuple[str, ...]:
    """The names of the seats."""
    return tuple(name for name, _ in _seats(text))


def play(text: str, seed: bytes, words: tuple[bytes, ...] = ()) -> Table:
    """The game of a notation, on a table with that seed and those words.

    Cards that the notation doesn't show are any that lead to the same verdict.
    """
    headers = dict(_HEADER.findall(text))
    table = Table(json.loads(headers["Game"]), seed)
    words = words or (b"",) * int(headers["Seats"])
    table.do(CreateGame(seed, words[0]))
    table.do(_closing(text, headers, words))
    table.do(StartGame(table.sealed))
    for line in text.splitlines():
        _act(table, line)
    return table


def _seats(text: str) -> Iterator[tuple[str, str | None]]:
    for kind, value in _HEADER.findall(text):
        found = _SEAT.fullmatch(value) if kind == "Seat" else None
        if found is not None:
            bot = found[3]
            yield json.loads(found[2]), None if bot is None else json.loads(bot)


def _closing(
    text: str, headers: dict[str, str], words: tuple[bytes, ...]
) -> CloseTable:
    first, pace = headers["First"], headers["DecisionTime"]
    chosen = options(
        rounds=int(headers["Rounds"]),
        placement=headers["Placement"],
        history=headers["BallotHistory"],
        first=None if first == "drawn" else int(first),
        decision_time=None if pace == "none" else int(pace),
    )
    hour, _, zone = json.loads(headers.get("DailyAt", '""')).partition(" ")
    chosen = msgspec.structs.replace(
        chosen,
        spare=int(headers.get("Spare", 0)),
        misses=int(headers.get("Misses", 3)),
        take_back=headers.get("TakeBack") == "yes",
        daily_at=hour or None,
        zone=zone or None,
    )
    seats = tuple(
        Chair("person") if bot is None else Chair("bot", bot) for _, bot in _seats(text)
    )
    return CloseTable(json.loads(headers["Edition"]), chosen, seats, words)


def _act(table: Table, line: str) -> None:
    if found := _PLACED.fullmatch(line):
        _, seat, character, place, by = found.groups()
        table.answer(Placement(character, place), Seat(int(seat)), _SOURCES[by])
    elif found := _MOVED.fullmatch(line):
        _, seat, character, _, _, by = found.groups()
        table.answer(Move(character), Seat(int(seat)), _SOURCES[by])
    elif found := _VOTED.fullmatch(line):
        for at, card in enumerate(_cards(table, found[3], found[4])):
            table.answer(Ballot(card), Seat(at))
        table.resolve()
    elif found := _BACK.fullmatch(line):
        act = table.game.latest
        assert act is not None
        table.do(TakeBack(int(found[1]), act.seat))
    elif line == "Game cancelled":
        table.do(CancelGame(table.seed))


def _cards(table: Table, letters: str, verdict: str) -> Iterator[Card]:
    """The cards in seat order; of unseen ones a single one is not Yes."""
    spent = Card.STOMACHACHE if verdict == "cancelled" else Card.NO
    holder = next((s for s, hand in enumerate(table.game.hands) if spent in hand), None)
    for seat, letter in enumerate(letters):
        unseen = spent if seat == holder else Card.YES
        yield unseen if letter == "?" else _CARDS[letter]
