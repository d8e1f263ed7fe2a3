"""From a command to the events it causes, or a refusal that changes nothing."""

from typing import assert_never

from engine import fairness, legal, resolve, taking_back
from engine.board import THRONE, Card, Character, Seat
from engine.commands import (
    EXTENSIONS,
    AnswerByClock,
    Ballot,
    CancelGame,
    Chair,
    CloseTable,
    Command,
    CreateGame,
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
from engine.editions import edition
from engine.errors import (
    AlreadyAnswered,
    AlreadyExtended,
    AlreadyStarted,
    CannotMove,
    CardNotHeld,
    CardsNotOpen,
    DecisionClosed,
    GameNotPaused,
    GameNotRunning,
    GamePaused,
    NoExtensionLeft,
    NoRoom,
    NoSuchDecision,
    NotAsked,
    NotPlaceable,
    Refusal,
    SeatKept,
    SeatNotKept,
    UnknownCharacter,
    WrongKind,
)
from engine.events import (
    ActedBy,
    BallotCast,
    BotSeated,
    Extended,
    GameCreated,
    GameOver,
    LogEvent,
    Moved,
    Paused,
    PersonSeated,
    Placed,
    Resumed,
    Seating,
    Started,
    TableClosed,
    TakenBack,
    Timing,
)
from engine.evolve import evolve
from engine.state import Decision, Game, Kind, Phase

_BY = {
    Source.PERSON: ActedBy.SEAT,
    Source.STANDING: ActedBy.SEAT,
    Source.BOT: ActedBy.BOT,
    Source.CLOCK: ActedBy.CLOCK,
}
"""Who placed or moved, as the record tells it: a standing answer is the seat's own."""


def decide(game: Game, command: Command) -> tuple[LogEvent, ...]:
    """The events a command causes. Raises a Refusal, and then nothing has changed."""
    match command:
        case GiveAnswer():
            return _answer(game, command)
        case CreateGame(seed=seed, word=word):
            commitment = fairness.seed_commitment(game.id, seed).hex()
            return (GameCreated(seed=commitment, word=word.hex()),)
        case CloseTable():
            return (_close_table(game, command),)
        case StartGame(sealed=sealed):
            return _start(game, sealed)
        case ResolveElection(decision=number, sealed=sealed):
            _open_decision(game, number)
            return resolve.resolve(game, sealed)
        case AnswerByClock(decision=number, sealed=sealed):
            return _by_clock(game, _open_decision(game, number), sealed)
        case SeatBot() | SeatPerson():
            return (_seat(game, command),)
        case PauseGame() | ResumeGame() | ExtendDecision():
            return (_time(game, command),)
        case TakeBack():
            return (_take_back(game, command),)
        case CancelGame(seed=seed):
            if game.phase is Phase.OVER:
                raise GameNotRunning(game.phase)
            return (GameOver(reason="cancelled", winners=(), seed_opened=seed.hex()),)
        case _:
            assert_never(command)


def _close_table(game: Game, command: CloseTable) -> TableClosed:
    if game.phase is not Phase.TABLE or game.seats:
        raise AlreadyStarted
    law = edition(command.edition)
    options, seats = command.options, len(command.seats)
    law.check_options(options, seats)
    return TableClosed(
        edition=command.edition,
        rules=law.rules,
        options=options,
        seats=tuple(Chair(chair.kind, chair.bot) for chair in command.seats),
        words=tuple(word.hex() for word in command.words),
    )


def _start(game: Game, sealed: Sealed) -> tuple[LogEvent, ...]:
    if game.deck:
        raise AlreadyStarted
    if game.phase is Phase.OVER or not game.seats:
        raise GameNotRunning(game.phase)
    deck = fairness.shuffled_deck(sealed.key)
    first = game.table.first
    if first is None:
        first = Seat(fairness.DrawStream(sealed.key, "first").below(len(game.seats)))
    leaves = fairness.leaves(game.id, sealed.key, deck)
    started = Started(first=first, leaves=leaves, deck=deck)
    return (started, resolve.round_start(game, 1, first, sealed))


def _open_decision(game: Game, number: int) -> Decision:
    """The open decision, if it is this one. Raises the refusal that says why not."""
    if not 0 < number <= game.last_decision:
        if not game.running:
            raise GameNotRunning(game.phase)
        raise NoSuchDecision(number)
    if game.decision is None or game.decision.number != number:
        raise DecisionClosed(number)
    return game.decision


def _answer(game: Game, command: GiveAnswer) -> tuple[LogEvent, ...]:
    decision = _open_decision(game, command.decision)
    if not game.asks(command.seat):
        if decision.kind is Kind.ELECTION and command.seat in range(len(game.seats)):
            raise AlreadyAnswered(decision.number)
        asked = range(len(game.seats)) if decision.seat is None else (decision.seat,)
        raise NotAsked(decision.number, command.seat, tuple(asked))
    kind, answer = decision.kind, command.answer
    if type(answer) is Move and kind is Kind.MOVE:
        return (_move(game, command, answer),)
    if type(answer) is Ballot and kind is Kind.ELECTION:
        return (_ballot(game, command, answer),)
    if type(answer) is Placement and kind is Kind.PLACEMENT:
        return (_place(game, command, answer),)
    raise WrongKind(kind.value)


def _place(game: Game, command: GiveAnswer, answer: Placement) -> Placed:
    wanted = answer.character, answer.place
    if wanted not in game.law.placements(game.board):
        raise _not_placeable(game, answer)
    counts = list(game.placed)
    counts[command.seat] += 1
    dropped: tuple[Character, ...] = ()
    if game.next_to_place(counts, command.seat) is None:
        placed = {answer.character, *game.board.at}
        dropped = tuple(c for c in sorted(game.law.characters) if c not in placed)
    return Placed(
        decision=command.decision,
        seat=command.seat,
        character=answer.character,
        place=answer.place,
        by=_BY[command.source],
        dropped=dropped,
    )


def _not_placeable(game: Game, answer: Placement) -> Refusal:
    if answer.character not in game.law.characters:
        return UnknownCharacter(answer.character)
    if answer.character in game.board.at:
        return NotPlaceable(answer.character)
    return NoRoom(answer.place)


def _move(game: Game, command: GiveAnswer, answer: Move) -> Moved:
    character, at = answer.character, game.board.at
    to = game.destinations.get(character)
    if to is None:
        raise _immovable(game, character)
    return Moved(
        decision=command.decision,
        seat=command.seat,
        character=character,
        origin=at[character],
        to=to,
        by=_BY[command.source],
        election=command.decision + 1 if to == THRONE else None,
    )


def _immovable(game: Game, character: Character) -> Refusal:
    place = game.board.at.get(character)
    if place is None:
        return UnknownCharacter(character)
    return CannotMove(character, "no-room" if place in game.law.ways else "stays")


def _ballot(game: Game, command: GiveAnswer, answer: Ballot) -> BallotCast:
    if answer.card not in game.hands[command.seat]:
        raise CardNotHeld(answer.card.value)
    return BallotCast(command.decision, command.seat, answer.card, command.source)


def _by_clock(game: Game, decision: Decision, sealed: Sealed) -> tuple[LogEvent, ...]:
    """The missed deadline's answer: drawn evenly, or Yes for all missing (RULES §3)."""
    if decision.seat is None:
        # The clock looks at no hand and no favourites: a known program that played from
        # a secret would give it away (RULES §3.3).
        laid = tuple(
            BallotCast(decision.number, seat, Card.YES, Source.CLOCK)
            for seat in game.asked()
        )
        for event in laid:
            game = evolve(game, event)
        return (*laid, *resolve.resolve(game, sealed))
    stream = fairness.DrawStream(sealed.key, f"clock/{decision.number}")
    choices = legal.offers(game)
    answer = choices[stream.below(len(choices))]
    command = GiveAnswer(decision.number, decision.seat, answer, Source.CLOCK)
    return _answer(game, command)


def _seat(game: Game, command: SeatBot | SeatPerson) -> Seating:
    if isinstance(command, SeatPerson):
        return _seat_person(game, command.seat)
    return _seat_bot(game, command)


def _seat_bot(game: Game, command: SeatBot) -> BotSeated:
    _check_running(game)
    if game.has_bot(command.seat):
        raise SeatKept(command.seat)
    return BotSeated(command.seat, command.bot)


def _seat_person(game: Game, seat: Seat) -> PersonSeated:
    """The return: once the cards are open that the person left behind."""
    _check_running(game)
    since = game.kept[seat]
    if not since:
        raise SeatNotKept(seat)
    # Whoever came back earlier would have had a hand played by a program that sees no
    # favourites whenever that suits them, and the hand back for the rest of the round.
    if since == game.round:
        raise CardsNotOpen(seat, since)
    return PersonSeated(seat)


def _time(game: Game, command: PauseGame | ResumeGame | ExtendDecision) -> Timing:
    if isinstance(command, ExtendDecision):
        return _extend(game, command)
    _check_running(game)
    if isinstance(command, PauseGame):
        if game.paused:
            raise GamePaused
        return Paused()
    if not game.paused:
        raise GameNotPaused
    return Resumed()


def _extend(game: Game, command: ExtendDecision) -> Extended:
    decision = _open_decision(game, command.decision)
    if decision.number in game.extended:
        raise AlreadyExtended(decision.number)
    if not game.extensions_left:
        raise NoExtensionLeft(EXTENSIONS)
    return Extended(decision.number, command.seconds)


def _take_back(game: Game, command: TakeBack) -> TakenBack:
    _check_running(game)
    act = taking_back.act_of(game, command.decision, command.seat)
    # A number is never given twice: whoever has an old one can't mean the new question.
    return TakenBack(decision=act.decision, reopened=game.last_decision + 1)


def _check_running(game: Game) -> None:
    if not game.running:
        raise GameNotRunning(game.phase)
