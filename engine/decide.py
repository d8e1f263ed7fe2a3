"""From a command to the events it causes, or a refusal that changes nothing."""

from typing import assert_never

from engine import fairness, legal, reveal
from engine.board import THRONE, Card, Seat
from engine.commands import (
    Answer,
    AnswerByClock,
    Ballot,
    CancelGame,
    Chair,
    CloseTable,
    Command,
    CreateGame,
    GiveAnswer,
    Move,
    Placement,
    ResolveElection,
    Sealed,
    Source,
    StartGame,
)
from engine.deck import CARDS
from engine.editions import edition
from engine.errors import (
    AlreadyAnswered,
    AlreadyStarted,
    BadTable,
    CannotMove,
    CardNotHeld,
    DecisionClosed,
    GameNotRunning,
    NoRoom,
    NoSuchDecision,
    NotAsked,
    NotPlaceable,
    Refusal,
    UnknownCharacter,
    WrongKind,
)
from engine.events import (
    BallotCast,
    GameCreated,
    GameOver,
    LogEvent,
    Moved,
    Placed,
    Started,
    TableClosed,
)
from engine.evolve import evolve
from engine.state import Decision, Game, Kind, Phase

_BY = {Source.BOT: "bot", Source.CLOCK: "clock"}


def decide(game: Game, command: Command) -> tuple[LogEvent, ...]:
    """The events a command causes. Raises a Refusal, and then nothing has changed."""
    match command:
        case CreateGame(seed=seed, word=word):
            commitment = fairness.seed_commitment(game.id, seed).hex()
            return (GameCreated(seed=commitment, word=word.hex()),)
        case CloseTable():
            return (_close_table(game, command),)
        case StartGame(sealed=sealed):
            return _start(game, sealed)
        case GiveAnswer():
            return _answer(game, command)
        case ResolveElection(decision=number, sealed=sealed):
            _open_decision(game, number)
            return reveal.resolve(game, sealed)
        case AnswerByClock(decision=number, sealed=sealed):
            return _by_clock(game, _open_decision(game, number), sealed)
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
    law.check_table(seats, options.rounds, options.placement, options.ballot_history)
    if options.first is not None and not 0 <= options.first < seats:
        raise BadTable("first", options.first)
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
    deck = fairness.Stream(sealed.key, "deck").shuffled(range(len(CARDS)))
    first = game.table.first
    if first is None:
        first = Seat(fairness.Stream(sealed.key, "first").below(len(game.seats)))
    leaves = tuple(
        fairness.leaf(game.id, sealed.key, index, card).hex()
        for index, card in enumerate(deck)
    )
    started = Started(first=first, leaves=leaves, deck=deck)
    return (started, reveal.round_start(game, 1, first, sealed))


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
    if command.seat not in game.asked():
        if decision.kind is Kind.ELECTION and command.seat in range(len(game.seats)):
            raise AlreadyAnswered(decision.number)
        raise NotAsked(decision.number, command.seat)
    if command.answer not in legal.answers(game, command.seat):
        raise _illegal(game, decision, command.answer)
    by = _BY.get(command.source, "seat")
    match command.answer:
        case Placement():
            return (_place(game, decision, command.seat, command.answer, by),)
        case Move():
            return (_move(game, decision, command.seat, command.answer, by),)
        case Ballot(card=card):
            return (BallotCast(decision.number, command.seat, card, command.source),)
        case _:
            assert_never(command.answer)


def _illegal(game: Game, decision: Decision, answer: Answer) -> Refusal:
    """Why an answer to an open decision isn't among the legal ones."""
    match answer:
        case Ballot(card=card) if decision.kind is Kind.ELECTION:
            return CardNotHeld(card.value)
        case Move(character=character) if decision.kind is Kind.MOVE:
            known = character in game.board.at
            return CannotMove(character) if known else UnknownCharacter(character)
        case Placement(character=character) if decision.kind is Kind.PLACEMENT:
            if character not in game.law.characters:
                return UnknownCharacter(character)
            if character in game.board.at:
                return NotPlaceable(character)
            return NoRoom(answer.place)
        case _:
            return WrongKind(decision.kind.value)


def _place(
    game: Game, decision: Decision, seat: Seat, answer: Placement, by: str
) -> Placed:
    board = game.board.put(answer.character, answer.place)
    quotas = sum(game.quota(Seat(s)) for s in range(len(game.seats)))
    last = sum(game.placed) + 1 == quotas
    rest = tuple(c for c in sorted(game.law.characters) if c not in board.at)
    return Placed(
        decision=decision.number,
        seat=seat,
        character=answer.character,
        place=answer.place,
        by=by,
        dropped=rest if last else (),
    )


def _move(game: Game, decision: Decision, seat: Seat, answer: Move, by: str) -> Moved:
    to = game.law.destinations(game.board)[answer.character]
    return Moved(
        decision=decision.number,
        seat=seat,
        character=answer.character,
        origin=game.board.at[answer.character],
        to=to,
        by=by,
        election=decision.number + 1 if to == THRONE else None,
    )


def _by_clock(game: Game, decision: Decision, sealed: Sealed) -> tuple[LogEvent, ...]:
    """The missed deadline's answer: drawn evenly, or Yes for all missing (RULES §3)."""
    if decision.seat is None:
        laid = tuple(
            BallotCast(decision.number, seat, Card.YES, Source.CLOCK)
            for seat in game.asked()
        )
        for event in laid:
            game = evolve(game, event)
        return (*laid, *reveal.resolve(game, sealed))
    stream = fairness.Stream(sealed.key, f"clock/{decision.number}")
    choices = legal.offers(game)
    answer = choices[stream.below(len(choices))]
    command = GiveAnswer(decision.number, decision.seat, answer, Source.CLOCK)
    return _answer(game, command)
