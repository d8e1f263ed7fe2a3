"""What the service would have written of a world."""

from datetime import timedelta
from uuid import UUID

import msgspec

from engine import events, fairness
from engine.commands import Answer, Ballot, Move, Placement
from engine.events import BallotCast, Moved, Placed
from engine.state import Phase, freeze
from service.game.unit_of_work import AnswerReceipt
from service.store import clock, event_log
from tests.rig.engine.twins import World

SOURCES = {"seat": "person", "bot": "bot", "clock": "clock"}


def writing(world: World) -> event_log.Writing:
    """Everything that the service would have written of a world until now."""
    entries, answers, record, table_head = [], [], 0, None
    for position, (event, row) in enumerate(
        zip(world.log, world.rows, strict=True), start=1
    ):
        record += row.public is not None
        head = world.heads[record]
        if isinstance(event, events.TableClosed):
            table_head = head
        entries.append(event_log.entry(position, record, head, event, row))
        given = _answer(world, event, record)
        if given is not None:
            answers.append(given)
    over, now = world.game.phase is Phase.OVER, clock.now()
    return event_log.Writing(
        game_id=UUID(world.game.id),
        now=now,
        entries=tuple(entries),
        answers=tuple(answers),
        due=(),
        notices=(),
        asked=None,
        position=len(entries),
        record=record,
        head=world.heads[-1],
        table_head=table_head,
        snapshot=freeze(world.game),
        status="over" if over else "running",
        deadline=None if over else now + timedelta(hours=1),
        paused=world.game.paused,
        same=False,
        starts=True,
        ends=over,
    )


def _answer(
    world: World, event: events.LogEvent, record: int
) -> event_log.AnswerRow | None:
    answer: Answer
    bound = None
    match event:
        case Placed(character=character, place=place):
            answer, source = Placement(character, place), SOURCES[event.by]
        case Moved(character=character):
            answer, source = Move(character), SOURCES[event.by]
        case BallotCast(card=card):
            answer, source = Ballot(card), event.source.value
            args = (world.game.id, b"", event.decision, event.seat, card)
            bound = fairness.ballot(*args).hex()
        case _:
            return None
    receipt = AnswerReceipt(event.decision, answer, None if bound else record, bound)
    return event_log.AnswerRow(
        decision=event.decision,
        seat=event.seat,
        source=source,
        answer=msgspec.json.encode(answer).decode(),
        receipt=msgspec.json.encode(receipt).decode(),
    )
