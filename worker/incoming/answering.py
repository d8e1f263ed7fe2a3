"""What somebody wrote, done: an answer, what is said with it, and what came of that.

In an election whatever comes of it leaves the same rows, all of them told to nobody but
the seat itself: what is held makes no difference that anybody else could see.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from engine import legal
from engine.commands import Answer, Ballot
from engine.errors import CardNotHeld, GameNotRunning, Refusal, SeatKept
from engine.state import Kind
from service.game import fresh_questions, handlers, talk
from service.present import languages, phrases
from service.store import games, mailed_votes, people
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values.conflicts import BeyondTheRecord, TalkClosed
from service.values.enums import NoticeKind, VoteByMail
from service.values.errors import Invalid, TooManyRequests
from service.values.lines import Line
from service.values.principals import ReplyHolder, System
from worker.incoming import commands
from worker.incoming.commands import Command

SYSTEM: Final = System()


class Result(msgspec.Struct, frozen=True):
    """What came of a mail: what its seat is mailed, and in an election its outcome."""

    notice: NoticeKind | None
    vote: VoteByMail | None = None

    def note(self, link: LinkRow) -> None:
        """Keep the outcome in an election for the seat, behind its cards."""
        if self.vote is not None:
            decision = link.decision or 0
            mailed_votes.note(link.game_id, link.seat, decision, self.vote)


def answer(
    seen: GameReadModel,
    link: LinkRow,
    proof: ReplyHolder,
    lines: Sequence[str],
    conclude: Callable[[Result], None],
) -> bool:
    """Do what the lines say to the open question of a link; False if it has closed.

    `conclude` writes what came of it, in the same transaction. Raises what that raises.
    """
    game = seen.game
    leads = game.law.destinations(game.board)
    found = commands.read(lines, legal.offers(game), game.law.places, leads)
    is_vote = game.decision is not None and game.decision.kind is Kind.ELECTION
    try:
        if isinstance(found, Command):
            outcome = _give(link, proof, found, is_vote, conclude)
        else:
            outcome = _say_alone(link, proof, lines, is_vote, conclude)
    except _Closed:
        return False
    if outcome is not None:
        with transaction():
            conclude(_result(is_vote, outcome))
    return True


class _Closed(Exception):
    """The question is over, or somebody else answers for the seat."""


def _result(is_vote: bool, outcome: VoteByMail) -> Result:
    if is_vote:
        return Result(NoticeKind.MAIL_READ, outcome)
    done = outcome in (VoteByMail.COUNTED, VoteByMail.SAID)
    return Result(None if done else NoticeKind.NOT_COUNTED)


def _give(
    link: LinkRow,
    proof: ReplyHolder,
    found: Command,
    is_vote: bool,
    conclude: Callable[[Result], None],
) -> VoteByMail | None:
    """Give an answer, concluded with it; else why it wasn't given."""
    decision = link.decision or 0
    try:
        line = _typed(link, found.line)
        with transaction():
            handlers.answer(link.game_id, proof, decision, found.answer, line)
            conclude(_result(is_vote, VoteByMail.COUNTED))
    except Invalid:
        return VoteByMail.UNSAYABLE
    except CardNotHeld:
        return VoteByMail.NOT_HELD
    except (Refusal, BeyondTheRecord, handlers.NotAtTable) as refusal:
        return _why_not(link, refusal, found.answer)
    return None


def _why_not(link: LinkRow, refusal: Exception, wanted: Answer) -> VoteByMail:
    """Why an answer wasn't given to a question that is open still. Raises _Closed."""
    seen = games.read(link.game_id, SYSTEM)
    # Of a bot's card, whose seat it was doesn't hear: not even that there is one.
    asked = None if seen is None else fresh_questions.asked(seen.game, link.seat)
    if asked is None or asked.number != link.decision:
        raise _Closed from refusal
    if isinstance(refusal, SeatKept | GameNotRunning | handlers.NotAtTable):
        raise _Closed from refusal
    is_card = isinstance(wanted, Ballot)
    return VoteByMail.LAID_BEFORE if is_card else VoteByMail.NOT_UNDERSTOOD


def _say_alone(
    link: LinkRow,
    proof: ReplyHolder,
    lines: Sequence[str],
    is_vote: bool,
    conclude: Callable[[Result], None],
) -> VoteByMail | None:
    """Say to the table what a mail has nothing beside, concluded with it; else why not.

    Raises _Closed.
    """
    try:
        line = _typed(link, commands.said_alone(lines))
        if line is None:
            return VoteByMail.NOT_UNDERSTOOD
        with transaction():
            talk.say(link.game_id, proof, line)
            conclude(_result(is_vote, VoteByMail.SAID))
    except (Invalid, TalkClosed, TooManyRequests):
        return VoteByMail.UNSAYABLE
    except handlers.NotAtTable as error:
        raise _Closed from error
    return None


def _typed(link: LinkRow, text: str) -> Line | None:
    """What somebody says, a stock phrase of their language by its code; None if not."""
    if not text:
        return None
    person = people.by_id(link.person_id)
    language = "" if person is None else person.profile.language
    with languages.speaking(languages.of_mails(language)):
        return phrases.typed(text)
