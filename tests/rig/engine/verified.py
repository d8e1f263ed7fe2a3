"""Games for the verifier: one that has everything, and records that break off."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec.structs import replace

from engine import fairness, legal
from engine.board import Card, Seat, Verdict
from engine.commands import Ballot, Chair, CloseTable, CreateGame, Source, StartGame
from engine.events import ElectionResolved, read_record
from engine.export import Export
from engine.verify import verify
from tests.rig.engine.exported import exported
from tests.rig.engine.tables import GAME, SEED, Table, chance, options

WORDS = {0: "Würfel", 1: "luck"}
BOT = 3
CHAIRS = (Chair("person"), Chair("person"), Chair("person"), Chair("bot", "steady"))


@cache
def sample(
    edition: str = "classic",
    placement: str = "choose",
    history: str = "table",
    chairs: tuple[Chair, ...] = CHAIRS,
    pace: int | None = 86400,
    luck: int = 7,
    **more: Any,
) -> Export:
    """Two rounds of four: words, a bot, the clock, and refused elections in each."""
    rng = chance(luck)
    table = Table()
    words = tuple(
        fairness.word(GAME, Seat(seat), "" if chair.bot else WORDS.get(seat, ""))
        for seat, chair in enumerate(chairs)
    )
    chosen = options(2, placement, history, first=None, decision_time=pace, **more)
    table.do(CreateGame(SEED, words[0]))
    table.do(CloseTable(edition, chosen, chairs, words))
    table.do(StartGame(table.sealed))
    while table.game.running:
        if table.game.election_complete:
            table.resolve()
        elif table.game.decision and table.game.decision.number % 5 == 0:
            table.clock()
        else:
            seat = table.game.asked()[0]
            answers = legal.answers(table.game, seat)
            answer = rng.choice(answers)
            if isinstance(answer, Ballot) and len(table.game.elections) > 1:
                answer = Ballot(Card.YES)
            bot = chairs[seat].kind == "bot"
            source = Source.BOT if bot else Source.PERSON
            table.answer(answer, seat, source)
    return exported(table)


def cut(whole: Export, size: int) -> Export:
    """The record as it was after its first events."""
    record, versions = whole.record[:size], whole.versions[:size]
    return replace(whole, record=record, versions=versions)


def stages(whole: Export) -> Iterator[Export]:
    """The record at every moment at which somebody could have fetched it."""
    for size in range(1, len(whole.record) + 1):
        last = read_record(whole.record[size - 1])
        crowned = isinstance(last, ElectionResolved) and last.verdict is Verdict.CROWNED
        kind = str(type(last).__struct_config__.tag)
        if not crowned and kind not in ("started", "round_scored"):
            yield cut(whole, size)


def wrong(export: Export) -> tuple[str, int | None, int | None, int | None] | None:
    """What the verifier names: code, event, decision and seat."""
    found = verify(export).wrong
    if found is None:
        return None
    return found.code, found.event, found.decision, found.seat


def stamp(whole: Export, number: int | None = None) -> bytes:
    """A text with the head after an event, as mails have it."""
    head = fairness.chain_start(whole.game)
    last = len(whole.record) if number is None else number
    for at, stored in enumerate(whole.record[:last], start=1):
        head = fairness.chain(head, at, stored)
    return f"Fairness stamp: {last}:{head.hex()[:32]}\n".encode()
