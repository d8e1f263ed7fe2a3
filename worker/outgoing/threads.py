"""Which conversation a mail belongs to, so that mail programs keep it together.

A round is one, and each election is one of its own, from its question to whatever came
of it: no subject tells the outcome of a vote.
"""

from typing import Final

import msgspec

from engine.board import Character, Verdict
from engine.events import ElectionResolved, RoundScored
from engine.state import Game
from service.store import past_rounds
from service.store.games import GameReadModel
from service.store.outbox import ClaimedMail, Notice
from service.values.enums import EndReason, NoticeKind

_OF_THE_COURSE: Final = (
    NoticeKind.STARTED,
    NoticeKind.YOUR_TURN,
    NoticeKind.ELECTION,
    NoticeKind.REMINDER,
    NoticeKind.RESULT,
    NoticeKind.ROUND_OVER,
    NoticeKind.GAME_OVER,
)
"""What is told in the conversation of a round or an election."""


class TopicElection(msgspec.Struct, frozen=True):
    """The election that a mail is about: its decision, and who is to be king."""

    decision: int
    nominee: Character


def vote(lead: Notice, seen: GameReadModel) -> TopicElection | None:
    """The election that a mail with this lead asks for or tells the end of, if any."""
    game = seen.game
    match lead.kind:
        case NoticeKind.ELECTION | NoticeKind.REMINDER:
            return _open(game)
        case NoticeKind.RESULT:
            latest = game.elections[-1]
            return TopicElection(latest.decision, latest.nominee)
        case NoticeKind.ROUND_OVER:
            return _crowning(seen)
        case NoticeKind.GAME_OVER if game.reason == EndReason.FINISHED:
            return _crowning(seen)
        case _:
            return None


def _open(game: Game) -> TopicElection | None:
    decision = game.decision
    if decision is None or decision.nominee is None:
        return None
    return TopicElection(decision.number, decision.nominee)


def _crowning(seen: GameReadModel) -> TopicElection | None:
    """The election that ended the latest round that is over; None if none did."""
    events = past_rounds.until_end_of(seen.id, seen.game.scored[-1].round)
    for event in reversed(events[:-1]):
        if isinstance(event, RoundScored):
            return None
        if isinstance(event, ElectionResolved) and event.verdict is Verdict.CROWNED:
            return TopicElection(event.decision, event.nominee)
    return None


def identify(
    mail: ClaimedMail, lead: Notice, about: TopicElection | None, number: int
) -> str:
    """The id of the conversation, as `References` has it; `number` is the round's."""
    topic: str = lead.kind
    if about is not None:
        topic = f"e{about.decision}"
    elif lead.kind in _OF_THE_COURSE:
        topic = str(number)
    return f"<{mail.game_id}.{topic}@{mail.message_id.rpartition('@')[2]}"
