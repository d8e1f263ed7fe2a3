"""A finished game played again from its record, to see that every rule was kept."""

from engine import export
from engine.commands import (
    AnswerByClock,
    Ballot,
    CancelGame,
    Command,
    GiveAnswer,
    Move,
    Placement,
    ResolveElection,
    Sealed,
    Source,
    StartGame,
)
from engine.decide import decide
from engine.errors import Refusal
from engine.events import (
    BallotCast,
    ElectionResolved,
    GameCreated,
    GameOver,
    LogEvent,
    Moved,
    Placed,
    Started,
    TableClosed,
)
from engine.evolve import evolve
from engine.export import Export, UnreadableExport
from engine.state import Game


def played(whole: Export) -> Game:
    """The state that a game ends in.

    Raises UnreadableExport for a game that isn't over, that doesn't fit its seed, or
    whose answers could not have been given or had other consequences; and
    UnreadableLog for rules nobody here knows.
    """
    sealed, events = export.sealed_of(whole), export.events_of(whole)
    game, happened = Game(id=whole.game), list[LogEvent]()
    for event in events:
        if happened:
            # A consequence of what was answered before.
            _same(event, happened.pop(0))
        elif isinstance(event, GameCreated | TableClosed):
            _check_table(game := evolve(game, event))
        else:
            happened = _consequences(game, event, sealed)
            _same(event, happened.pop(0))
            for follows in (event, *happened):
                game = evolve(game, follows)
    if happened:
        raise UnreadableExport("broken-rules", "the record ends too early")
    return game


def _consequences(game: Game, event: LogEvent, sealed: Sealed) -> list[LogEvent]:
    command = _command(event, sealed)
    try:
        return list(decide(game, command))
    except Refusal as refusal:
        raise _broken(event, refusal.code) from refusal


def _check_table(game: Game) -> None:
    if game.options is None:
        return
    rounds, placement = game.options.rounds, game.options.placement
    history = game.options.ballot_history
    try:
        game.law.check_table(len(game.seats), rounds, placement, history)
    except Refusal as refusal:
        raise UnreadableExport("broken-rules", f"the table: {refusal.code}") from None


def _same(event: LogEvent, ought: LogEvent) -> None:
    if event != ought:
        raise _broken(event, "not what the rules make of it")


def _broken(event: LogEvent, why: str) -> UnreadableExport:
    decision = getattr(event, "decision", None)
    where = "" if decision is None else f" of decision {decision}"
    name = type(event).__struct_config__.tag
    return UnreadableExport("broken-rules", f"{name}{where}: {why}")


def _command(event: LogEvent, sealed: Sealed) -> Command:
    """What was asked of the game when this happened."""
    match event:
        case Started():
            return StartGame(sealed)
        case Placed(by="clock") | Moved(by="clock"):
            return AnswerByClock(event.decision, sealed)
        case Placed():
            placement = Placement(event.character, event.place)
            return GiveAnswer(event.decision, event.seat, placement, _source(event.by))
        case Moved():
            move = Move(event.character)
            return GiveAnswer(event.decision, event.seat, move, _source(event.by))
        case BallotCast():
            ballot = Ballot(event.card)
            return GiveAnswer(event.decision, event.seat, ballot, event.source)
        case ElectionResolved():
            return ResolveElection(event.decision, sealed)
        case GameOver(reason="cancelled"):
            return CancelGame(sealed.seed)
        case _:
            raise _broken(event, "nothing led to it")


def _source(by: str) -> Source:
    return Source.BOT if by == "bot" else Source.PERSON
