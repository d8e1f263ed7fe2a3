"""The rules: each event as the engine decides it, beside the recorded one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from engine.board import Card, Seat
from engine.commands import (
    AnswerByClock,
    Ballot,
    CancelGame,
    Command,
    ExtendDecision,
    GiveAnswer,
    Move,
    PauseGame,
    Placement,
    ResolveElection,
    ResumeGame,
    Sealed,
    SeatBot,
    SeatPerson,
    Source,
    StartGame,
    TakeBack,
)
from engine.decide import decide
from engine.deck import CardNumber
from engine.errors import CardNotHeld, Refusal
from engine.events import (
    ActedBy,
    BotSeated,
    ElectionResolved,
    Extended,
    GameCreated,
    GameOver,
    LogEvent,
    Moved,
    Paused,
    PersonSeated,
    Placed,
    Record,
    Resumed,
    RoundScored,
    RoundStarted,
    Seating,
    Started,
    StartedRecord,
    TableClosed,
    TakenBack,
    Timing,
    type_of,
)
from engine.evolve import evolve
from engine.state import Decision, Game
from engine.verify import sealed
from engine.verify.compare import compare
from engine.verify.evidence import Case
from engine.verify.report import Check, Fact, Wrong
from engine.verify.table import PACES

_NO_KEY: Final = Sealed(b"", b"")
"""Stands in while the key is sealed; what it draws is replaced by what is recorded."""

_SOURCES: Final[Mapping[str, Source]] = {
    ActedBy.SEAT: Source.PERSON,
    ActedBy.BOT: Source.BOT,
    ActedBy.CLOCK: Source.CLOCK,
}


class Replay:
    """A game on its way from record event to record event.

    `deck` and `cards` are what was found to be bound. `seen` counts by check what was
    compared, `unseen` what would need the key or a card that is sealed.
    """

    def __init__(
        self,
        case: Case,
        deck: tuple[CardNumber, ...],
        cards: Mapping[int, tuple[Card, ...]],
    ) -> None:
        self._case = case
        self._deck = deck
        self._cards = cards
        self._sealed = case.sealed or _NO_KEY
        self._at = 0
        self._game = Game(id=case.game)
        self._before_end: Game | None = None
        self.seen = Counter[Check]()
        self.unseen = Counter[Check]()

    @property
    def done(self) -> int:
        """How many record events have proved right."""
        return self._at

    @property
    def left(self) -> Game:
        """The game as its last answer left it: a cancellation has changed nothing."""
        return self._game if self._before_end is None else self._before_end

    def run(self) -> None:
        """Go through the record to its end. Raises Wrong."""
        while self._at < len(self._case.events):
            self._step(self._case.events[self._at])

    def _step(self, event: Record) -> None:
        match event:
            case GameCreated() | TableClosed():
                self._game = evolve(self._game, event)
                self._at += 1
            case StartedRecord():
                self._follow(StartGame(self._sealed))
            case Placed() | Moved():
                self._answer(event)
            case ElectionResolved():
                self._resolve(event)
            case GameOver():
                self._before_end = self._game
                self._follow(CancelGame(self._sealed.seed))
            case BotSeated() | PersonSeated():
                self._seat(event)
            case Paused() | Resumed() | Extended():
                self._time(event)
            case TakenBack():
                self._take_back(event)
            case RoundStarted() | RoundScored():
                # Both come only behind the event that causes them.
                raise self._wrong("out-of-order", "a turn", type_of(event))

    def _wrong(
        self,
        code: str,
        expected: Fact,
        found: Fact,
        decision: int | None = None,
        seat: int | None = None,
    ) -> Wrong:
        return Wrong(
            code,
            self._at + 1,
            expected=expected,
            found=found,
            decision=decision,
            seat=seat,
        )

    def _count(self, check: Check, number: int = 1) -> None:
        """What follows from the key is seen only when the key is open."""
        (self.unseen if self._case.sealed is None else self.seen)[check] += number

    def _answer(self, event: Placed | Moved) -> None:
        asked = self._asked(event, one=True)
        if event.seat != asked.seat:
            raise self._wrong("wrong-seat", asked.seat, event.seat, asked.number)
        has_bot = self._game.seats[event.seat].kind == "bot"
        own = ActedBy.BOT if has_bot else ActedBy.SEAT
        if event.by not in (own, ActedBy.CLOCK):
            raise self._wrong("wrong-by", own, event.by, asked.number, event.seat)
        if event.by == ActedBy.CLOCK:
            self._count(Check.CLOCK)
        if event.by == ActedBy.CLOCK and self._case.sealed is not None:
            self._follow(AnswerByClock(asked.number, self._case.sealed))
            return
        try:
            self._follow(_command(event))
        except Refusal as refusal:
            to = event.place if isinstance(event, Placed) else event.to
            found = f"{event.character} to {to}, {refusal.code}"
            raise self._wrong(
                "not-allowed", "an answer by the rules", found, asked.number, event.seat
            ) from None

    def _seat(self, event: Seating) -> None:
        """Whether the seat could change hands; why it did is no matter of the rules."""
        seat, seats = event.seat, range(len(self._game.seats))
        if seat not in seats:
            raise self._wrong("wrong-seating", f"0 to {seats.stop - 1}", seat)
        command = (
            SeatBot(seat, event.bot)
            if isinstance(event, BotSeated)
            else SeatPerson(seat)
        )
        try:
            self._follow(command)
        except Refusal as refusal:
            expected = "a seat that may change hands"
            raise self._wrong(
                "wrong-seating", expected, refusal.code, seat=seat
            ) from None

    def _time(self, event: Timing) -> None:
        """Whether the clock could be stopped, go on, or give a decision so much more.

        Who wanted it, and when, is no matter of the record.
        """
        if isinstance(event, Extended) and event.seconds not in PACES:
            expected = f"{PACES.start} to {PACES.stop - 1} seconds"
            raise self._wrong("wrong-timing", expected, event.seconds)
        try:
            self._follow(_timing(event))
        except Refusal as refusal:
            expected = "a clock that could be changed so"
            raise self._wrong("wrong-timing", expected, refusal.code) from None

    def _take_back(self, event: TakenBack) -> None:
        act = self._game.latest
        if act is None:
            raise self._wrong("out-of-order", "a placement or move before", None)
        try:
            self._follow(TakeBack(event.decision, act.seat))
        except Refusal as refusal:
            reason = refusal.facts.get("reason", refusal.code)
            raise self._wrong(
                "wrong-taking-back",
                "what may be taken back",
                f"decision {event.decision}, {reason}",
                event.decision,
                act.seat,
            ) from None

    def _asked(
        self, event: Placed | Moved | ElectionResolved, *, one: bool
    ) -> Decision:
        """The open decision, if the event is what it asks for."""
        asked = self._game.decision
        if asked is None or (asked.seat is not None) is not one:
            expected = "election_resolved" if one else "a turn"
            raise self._wrong("out-of-order", expected, type_of(event))
        if event.decision != asked.number:
            raise self._wrong("wrong-decision", asked.number, event.decision)
        return asked

    def _resolve(self, event: ElectionResolved) -> None:
        asked, hands = self._asked(event, one=False), self._game.hands
        cards = self._cards.get(asked.number)
        if cards is not None:
            self._lay(asked.number, cards)
            self._follow(ResolveElection(asked.number, self._sealed))
            self.seen[Check.HANDS] += len(cards)
            return
        stand_ins = sealed.cards_for(self._game, self._at + 1, event)
        self._game = replace(self._game, ballots=stand_ins)
        self._follow(ResolveElection(asked.number, self._sealed))
        # What they hold by now is sealed, so nothing can be held against them.
        self._game = replace(self._game, hands=hands)
        self.unseen[Check.HANDS] += len(stand_ins)

    def _lay(self, decision: int, cards: Sequence[Card]) -> None:
        """The ballots of an election, which are no record events."""
        for seat, card in enumerate(cards):
            command = GiveAnswer(decision, Seat(seat), Ballot(card), Source.PERSON)
            held = " or ".join(sorted(set(self._game.hands[seat])))
            try:
                happened = decide(self._game, command)
            except CardNotHeld:
                raise self._wrong(
                    "card-not-held", held, card.value, decision, seat
                ) from None
            for event in happened:
                self._game = evolve(self._game, event)

    def _follow(self, command: Command) -> None:
        """Compare what a command causes with the record, and go on behind it."""
        for event in decide(self._game, command):
            if self._at == len(self._case.events):
                raise self._wrong("breaks-off", type_of(event), None)
            recorded, number = self._case.events[self._at], self._at + 1
            caused = (
                sealed.known(self._game, self._deck, number, event, recorded)
                if self._case.sealed is None
                else event
            )
            compare(number, caused, recorded)
            self._game = evolve(self._game, caused)
            self._note(caused)
            self._at += 1

    def _note(self, event: LogEvent) -> None:
        self.seen[Check.RULES] += 1
        match event:
            case Started() if self._game.table.first is None:
                self._count(Check.FIRST)
            case Started():
                self.seen[Check.FIRST] += 1
            case RoundStarted(placed=(_, *_)):
                self._count(Check.LOTS)
            case RoundScored():
                self.seen[Check.SCORES] += 1
            case _:
                pass


def _timing(event: Timing) -> Command:
    match event:
        case Paused():
            return PauseGame()
        case Resumed():
            return ResumeGame()
        case Extended(decision=decision, seconds=seconds):
            return ExtendDecision(decision, seconds)


def _command(event: Placed | Moved) -> GiveAnswer:
    """What the seat has asked for."""
    answer = (
        Placement(event.character, event.place)
        if isinstance(event, Placed)
        else Move(event.character)
    )
    return GiveAnswer(event.decision, event.seat, answer, _SOURCES[event.by])
