"""Events on their way into a locked game: numbered, chained, ready to be written."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from engine import fairness
from engine.board import Card, Seat
from engine.commands import (
    Answer,
    Ballot,
    Command,
    GiveAnswer,
    Move,
    Placement,
    Sealed,
    Source,
)
from engine.decide import decide
from engine.errors import GameNotRunning, SeatKept
from engine.events import (
    BallotCast,
    BotSeated,
    ElectionResolved,
    LogEvent,
    Moved,
    PersonSeated,
    Placed,
    RoundStarted,
    TableClosed,
    TakenBack,
    store,
)
from engine.evolve import evolve
from engine.state import Phase, freeze
from service.game import asked_people, consequences, pace
from service.store import (
    answers,
    availability,
    card_orders,
    devices,
    event_log,
    messages,
    pauses,
    proposals,
    replacements,
    seats,
    successions,
)
from service.store.availability import Availability
from service.store.games import Locked
from service.store.messages import Speaker
from service.values.enums import GameStatus, ReplacementState
from service.values.lines import Line


class AnswerReceipt(msgspec.Struct, frozen=True):
    """What an answer is acknowledged with: the same for ever."""

    decision: int
    answer: Answer
    revision: Annotated[
        int | None,
        Meta(description="The number of a placement or move in the record."),
    ]
    commitment: Annotated[
        str | None,
        Meta(
            description="What binds a ballot until the reveal (64 hex). Keep it:"
            " `kingup verify` compares `--receipt DECISION:SEAT:COMMITMENT`."
        ),
    ]


# It stands between handlers and store: they are left with locking, retrying and
# sending hints, and tables before the start can write events without `handle`.
class UnitOfWork:
    """What one write will add to a locked game.

    `game` is the state after it; `tells_now` whether a notice of it has no moment to
    wait for.
    """

    def __init__(self, locked: Locked) -> None:
        self.locked = locked
        self.game = locked.game
        self.events: list[LogEvent] = []
        self.entries: list[event_log.Entry] = []
        self.answers: list[event_log.AnswerRow] = []
        self.record = locked.record
        self.head = locked.head
        self.table_head = locked.table_head
        self.tells_now = False
        self._lost: list[Seat] = []
        self._line: Line | None = None
        self._waited: Sequence[Availability] = ()
        self._then: list[Callable[[], None]] = []

    def sealed(self) -> Sealed:
        """The game's randomness; only once its table is closed."""
        if self.table_head is None:
            raise LookupError(self.game.id)
        words = [bytes.fromhex(word) for word in self.game.words]
        key = fairness.draw_key(self.locked.seed, self.table_head, words)
        return Sealed(seed=self.locked.seed, key=key)

    def player(self) -> Seat:
        """The seat of whoever acts, who plays it in a running game.

        Raises GameNotRunning or SeatKept. LookupError for the service itself.
        """
        if self.locked.seat is None:
            raise LookupError(self.game.id)
        seat = Seat(self.locked.seat)
        if not self.game.running:
            raise GameNotRunning(self.game.phase)
        if self.game.has_bot(seat):
            raise SeatKept(seat)
        return seat

    def run(self, command: Command, wished: Card | None = None) -> None:
        """Take a command's events in. Raises its Refusal.

        `wished` is the card that a standing answer named in place of the ballot's.
        """
        # Whatever answers beside an answer given is the clock.
        given = command.source if isinstance(command, GiveAnswer) else Source.CLOCK
        for event in decide(self.game, command):
            self._take(event, given, wished)

    def say(self, line: Line | None) -> None:
        """Take in what the principal says with their answer, if they say anything."""
        self._line = line

    def then(self, act: Callable[[], None]) -> None:
        """Take in what is written behind these events, in the same transaction."""
        self._then.append(act)

    def lose(self, seat: Seat) -> None:
        """Let somebody hear that a bot keeps their seat, who didn't leave it."""
        self._lost.append(seat)

    def _take(self, event: LogEvent, source: Source, wished: Card | None) -> None:
        row = store(event)
        # A ballot has no public part. Did it move number or head, anybody could tell
        # when it was laid.
        if row.public is not None:
            self.record += 1
            self.head = fairness.chain(self.head, self.record, row.public)
        # The key of all draws is made of this head, too: edition, options, seats and
        # words are settled before anything can be drawn.
        if isinstance(event, TableClosed):
            self.table_head = self.head
        position = self.locked.position + len(self.entries) + 1
        entry = event_log.entry(position, self.record, self.head, event, row)
        self.entries.append(entry)
        self.events.append(event)
        self.game = evolve(self.game, event)
        answered = self._answer_row(event, source, wished)
        if answered is not None:
            self.answers.append(answered)

    def _answer_row(
        self, event: LogEvent, source: Source, wished: Card | None
    ) -> event_log.AnswerRow | None:
        answer: Answer
        match event:
            case Placed(character=character, place=place):
                answer = Placement(character, place)
                receipt = AnswerReceipt(event.decision, answer, self.record, None)
            case Moved(character=character):
                answer = Move(character)
                receipt = AnswerReceipt(event.decision, answer, self.record, None)
            case BallotCast(card=card):
                answer = Ballot(card)
                bound = self._commitment(event)
                receipt = AnswerReceipt(event.decision, answer, None, bound)
            case _:
                return None
        return event_log.AnswerRow(
            decision=event.decision,
            seat=event.seat,
            source=source.value,
            answer=msgspec.json.encode(answer).decode(),
            receipt=msgspec.json.encode(receipt).decode(),
            wished=None if wished is None else wished.value,
        )

    def _commitment(self, event: BallotCast) -> str:
        key = self.sealed().key
        args = (self.game.id, key, event.decision, event.seat, event.card)
        return fairness.ballot(*args).hex()

    def write(self) -> None:
        """Put everything down in one statement, consequences included.

        There is another one for each absence that it waits for, for a line, at a reveal
        for what lay with the ballots, for what is taken back, for a seat that changes
        hands, for what `then` took in, and in the last write of a game, whose pauses,
        proposals and browsers end in time.
        """
        writing = self._writing()
        event_log.append(writing)
        availability.use(writing.game_id, self._waited)
        self._talk(writing.game_id)
        self._seat(writing)
        for act in self._then:
            act()
        if writing.ends:
            pauses.end(writing.game_id, range(len(self.game.seats)))
            seats.close(writing.game_id)
            proposals.end(writing.game_id)
            messages.drop_sealed(writing.game_id)
            devices.close(writing.game_id)
            replacements.end(writing.game_id, None, ReplacementState.OVER)
            successions.forget_digests(writing.game_id)
        # What is told later is found by a sweep when its moment has come.
        moments = [each.due_at for each in writing.notices]
        self.tells_now = any(due is None or due <= writing.now for due in moments)

    def _talk(self, game_id: UUID) -> None:
        """Say what goes with these events, and only now what lay with ballots."""
        for event in self.events:
            match event:
                case ElectionResolved(decision=decision):
                    messages.reveal(game_id, decision)
                case BallotCast(decision=decision) if self._line is not None:
                    messages.seal(game_id, self._speaker(), self._line, decision)
                case Placed(decision=decision) | Moved(decision=decision) if (
                    self._line is not None
                ):
                    messages.say(game_id, self._speaker(), self._line, decision)
                case TakenBack(decision=decision, reopened=reopened):
                    answers.take_back(game_id, decision, reopened)
                case _:
                    pass

    def _speaker(self) -> Speaker:
        """The person who acts. Raises LookupError for a bot, or the service itself."""
        seat = self.locked.seat
        person_id = None if seat is None else self.locked.people[seat]
        if seat is None or person_id is None:
            raise LookupError(self.game.id)
        return Speaker(seat, person_id)

    def _seat(self, writing: event_log.Writing) -> None:
        """Say in the seats' rows who plays them now."""
        for event in self.events:
            if isinstance(event, BotSeated | PersonSeated):
                bot = event.bot if isinstance(event, BotSeated) else None
                seats.change_hands(writing.game_id, event.seat, bot, writing.asked)
            if isinstance(event, PersonSeated):
                returned = ReplacementState.RETURNED
                replacements.end(writing.game_id, event.seat, returned)

    def _writing(self) -> event_log.Writing:
        before, after = self.locked.game, self.game
        opened = after.decision is not None and after.decision != before.decision
        running = after.decision is not None
        now, found = self.locked.now, self._pace() if opened else None
        self._waited = () if found is None else found.waited
        moments = pace.standing(now, at_once=self._for_nobody())
        due = (
            consequences.due_for(after, found, moments.stands_at, self._called_off_at())
            if opened
            else consequences.taken_over(before, after, moments.stands_at)
        )
        return event_log.Writing(
            game_id=UUID(after.id),
            now=now,
            entries=tuple(self.entries),
            answers=tuple(self.answers),
            due=(*due, *consequences.resolution_of(after, now)),
            notices=self._notices(found.deadline if found else self.locked.deadline),
            ahead=consequences.ahead_of(before, after, self.events, moments),
            asked=before.decision.number if before.decision else None,
            position=self.locked.position + len(self.entries),
            record=self.record,
            head=self.head,
            table_head=self.table_head,
            snapshot=freeze(after),
            status=self._status(),
            deadline=None if found is None else found.deadline,
            same=running and not opened,
            paused=after.paused,
            starts=before.phase is Phase.TABLE and after.running,
            ends=after.phase is Phase.OVER,
        )

    def _for_nobody(self) -> bool:
        """Whether nobody watches what bots do, now or later in the game."""
        if self.locked.practice:
            return True
        return self.game.abandoned and not seats.awaited(self.game)

    def _pace(self) -> pace.Pace | None:
        """Until when the decision waits that has just been put."""
        options, asked = self.game.table, self.game.decision
        if asked is None or options.decision_time is None:
            return None
        people = asked_people.availabilities(self.game, self.locked.practice)
        fresh = pace.at_opening(options, asked.kind, self.locked.now, people)
        if fresh is None or not any(isinstance(e, TakenBack) for e in self.events):
            return fresh
        return pace.at_reopening(fresh, self._kept(), self.locked.now)

    def _kept(self) -> datetime | None:
        """Until when the decision answered last would wait, if it still did."""
        kept, stopped = self.locked.answered_deadline, self.locked.stopped_at
        if kept is None or stopped is None:
            return kept
        return kept + (self.locked.now - stopped)

    def _called_off_at(self) -> datetime | None:
        """When the game is called off if nobody answers the decision; or never."""
        if self.locked.practice or self.game.table.decision_time is not None:
            return None
        return pace.called_off_at(self.locked.now)

    def _notices(self, until: datetime | None) -> tuple[event_log.NoticeRow, ...]:
        """Who hears what, when there is time `until` a moment to answer."""
        if self.locked.practice:
            return ()
        before, after, people = self.locked.game, self.game, self.locked.people
        over = after.phase is Phase.OVER
        beside = seats.not_departed(UUID(after.id)) if over else frozenset[int]()
        mailed = pace.mailed(self.locked.now, until)
        return (
            *consequences.notices_of(
                before, after, self.events, self.record, people, beside, mailed
            ),
            *consequences.losses(before, self._lost, self.record, people),
            *consequences.cards_of(after, self._ordered(), people),
        )

    def _ordered(self) -> Collection[int]:
        """The seats whose cards are mailed: a round begins, or their owner is back."""
        begins = any(isinstance(event, RoundStarted) for event in self.events)
        back = {e.seat for e in self.events if isinstance(e, PersonSeated)}
        if not begins and not back:
            return ()
        found = card_orders.seats(UUID(self.game.id))
        return sorted(found if begins else found & back)

    def _status(self) -> GameStatus:
        if self.game.phase is Phase.OVER:
            return GameStatus.OVER
        return GameStatus.RUNNING if self.game.running else self.locked.status
