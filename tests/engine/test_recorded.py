"""Games recorded by releases are read, decided and played on as they were then."""

from collections import deque
from pathlib import Path

import pytest

from engine import events, replay_codec
from engine.board import Card
from engine.commands import (
    AnswerByClock,
    Ballot,
    CancelGame,
    Command,
    CreateGame,
    ExtendDecision,
    GiveAnswer,
    Move,
    PauseGame,
    Placement,
    ResolveElection,
    ResumeGame,
    SeatBot,
    SeatPerson,
    Source,
    StartGame,
    TakeBack,
)
from engine.decide import decide
from engine.editions import EDITIONS
from engine.events import (
    BallotCast,
    BotSeated,
    ElectionResolved,
    Extended,
    GameCreated,
    GameOver,
    Moved,
    Paused,
    PersonSeated,
    Placed,
    Resumed,
    Started,
    Stored,
    TakenBack,
)
from engine.evolve import replay
from engine.export import Export
from engine.state import Kind, Phase, freeze, thaw
from engine.verify import verify
from tests.rig.engine import loading, record, recordings
from tests.rig.engine.record_plans import Plan, Player, plans
from tests.rig.engine.recordings import Restored
from tests.rig.engine.tables import chance

FILES = sorted(recordings.FOLDER.glob("*/*.jsonl"))
FIRST_SET = recordings.FOLDER / "rules-1"

every_file = pytest.mark.parametrize(
    "path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}"
)


@every_file
def test_a_recorded_game_replays_to_the_state_it_was_in(path: Path) -> None:
    kept = recordings.read(path)

    table = recordings.restored(kept)

    assert recordings.in_plain_words(table.game) == kept.end.state
    assert f"{len(table.heads) - 1}:{table.heads[-1].hex()}" == kept.end.head
    assert thaw(table.game.id, freeze(table.game)) == table.game


@every_file
def test_gists_replay_to_the_same_state_as_whole_events_after_every_row(
    path: Path,
) -> None:
    kept = recordings.read(path)
    table = Restored(kept.title)
    game_id, taken = table.game.id, []

    for row in kept.rows:
        table.take(row)
        taken.append(row)

        assert replay(game_id, replay_codec.read(game_id, taken)) == table.game


@every_file
def test_a_recorded_game_is_true_to_the_verifier(path: Path) -> None:
    kept = recordings.read(path)
    record = [(row.version, row.public) for row in kept.rows if row.public is not None]

    report = verify(
        Export(
            game=kept.title.game,
            names=("",) * len(kept.end.state["seats"]),
            versions=tuple(version for version, _ in record),
            record=tuple(public for _, public in record),
        )
    )

    assert report.wrong is None
    assert report.sealed is (kept.end.state["phase"] != "over")


def command_of(table: Restored, event: events.LogEvent) -> Command | None:
    """What led to this event next, None for what no rule decides anew."""
    match event:
        case GameCreated(word=word):
            return CreateGame(table.seed, bytes.fromhex(word))
        case Started():
            return StartGame(table.sealed)
        case Placed(by="clock") | Moved(by="clock") | BallotCast(source=Source.CLOCK):
            return AnswerByClock(event.decision, table.sealed)
        case Placed(decision=number, seat=seat, character=character, place=place):
            answer = Placement(character, place)
            return GiveAnswer(number, seat, answer, source(event.by))
        case Moved(decision=number, seat=seat, character=character):
            return GiveAnswer(number, seat, Move(character), source(event.by))
        case BallotCast(decision=number, seat=seat, card=card):
            return GiveAnswer(number, seat, Ballot(card), event.source)
        case ElectionResolved(decision=number):
            return ResolveElection(number, table.sealed)
        case BotSeated(seat=seat, bot=bot):
            return SeatBot(seat, bot)
        case PersonSeated(seat=seat):
            return SeatPerson(seat)
        case Paused() | Resumed() | Extended() | TakenBack():
            return beside(table, event)
        case GameOver(reason="cancelled"):
            return CancelGame(table.seed)
        case _:
            return None


def beside(table: Restored, event: events.Timing | TakenBack) -> Command:
    match event:
        case TakenBack(decision=number):
            act = table.game.latest
            assert act is not None
            return TakeBack(number, act.seat)
        case Paused():
            return PauseGame()
        case Resumed():
            return ResumeGame()
        case Extended(decision=number, seconds=seconds):
            return ExtendDecision(number, seconds)


def source(by: str) -> Source:
    return Source.BOT if by == "bot" else Source.PERSON


@every_file
def test_the_pinned_rules_decide_a_recorded_game_as_they_did(path: Path) -> None:
    kept = recordings.read(path)
    table, ahead, decided = Restored(kept.title), deque(kept.rows), 0

    while ahead:
        command = command_of(table, loading.load(table.game.id, ahead[0]))
        happened = () if command is None else decide(table.game, command)
        fresh = [contents(events.store(event)) for event in happened]
        rows = [ahead.popleft() for _ in range(len(fresh) or 1)]
        assert not fresh or fresh == [contents(row) for row in rows]
        decided += len(fresh)
        for row in rows:
            table.take(row)

    # All but the closing of the table, which pins the newest rules for new games.
    assert decided == len(kept.rows) - 1


def contents(row: Stored) -> events.LogEvent:
    """What a row says, whatever version it is written in."""
    return loading.load("", row)


UNFINISHED = [
    path for path in FILES if recordings.read(path).end.state["reason"] is None
]


@pytest.mark.parametrize("path", UNFINISHED, ids=lambda path: path.stem)
def test_a_game_recorded_in_mid_phase_goes_on_to_its_end(path: Path) -> None:
    table = recordings.restored(recordings.read(path))
    before = list(table.rows)
    if table.game.phase is Phase.TABLE:
        table.do(StartGame(table.sealed))
    rng = chance(1)
    while table.game.running:
        record.step(table, Player(hasty=0.95), rng)

    assert table.game.reason == "finished"
    assert table.rows[: len(before)] == before
    assert table.game.rules == 1


def shown(plan: Plan) -> Path:
    return FIRST_SET / f"{plan.edition}-{plan.seats}-{plan.name}.jsonl"


@pytest.mark.parametrize("plan", tuple(plans()), ids=lambda plan: shown(plan).stem)
def test_a_recorded_game_shows_what_it_is_kept_for(plan: Plan) -> None:
    table = recordings.restored(recordings.read(shown(plan)))

    assert plan.shows(table)
    assert (table.game.edition, len(table.game.seats)) == (plan.edition, plan.seats)
    assert (table.game.reason == "cancelled") == plan.cancelled


def test_every_edition_is_recorded_to_its_end_with_every_number_of_players() -> None:
    wanted = {
        (name, seats, edition.rules)
        for name, edition in EDITIONS.items()
        for seats in edition.seats
    }

    games = [recordings.restored(recordings.read(path)).game for path in FILES]

    finished = [game for game in games if game.reason == "finished"]
    assert {(g.edition, len(g.seats), g.rules) for g in finished} >= wanted


@pytest.mark.parametrize("name", EDITIONS)
def test_every_option_of_an_edition_is_recorded(name: str) -> None:
    choices = EDITIONS[name].choices
    games = [recordings.restored(recordings.read(path)).game for path in FILES]
    tables = [game.table for game in games if game.edition == name]

    assert {table.placement for table in tables} == set(choices.placement)
    assert {table.ballot_history for table in tables} == set(choices.ballot_history)
    assert {table.rounds for table in tables} == set(choices.rounds)
    assert {table.first is None for table in tables} == {True, False}
    assert {table.decision_time is None for table in tables} == {True, False}


def test_games_are_recorded_in_every_phase_and_kind_of_question() -> None:
    games = [recordings.restored(recordings.read(path)).game for path in UNFINISHED]
    kinds = {game.decision and game.decision.kind for game in games}
    laid = {
        (len(game.ballots) - game.ballots.count(None), len(game.ballots))
        for game in games
        if game.ballots
    }

    assert kinds == {None, *Kind}
    assert laid == {(0, 4), (3, 4), (4, 4), (0, 8), (7, 8), (8, 8)}


def test_a_set_is_played_anew_for_a_release_and_readable(tmp_path: Path) -> None:
    plan = next(plan for plan in plans() if plan.name == "one-card-missing")
    path = tmp_path / "game.jsonl"

    recordings.write(path, record.recording(plan))

    again = recordings.read(path)
    assert recordings.in_plain_words(recordings.restored(again).game) == again.end.state
    hands = again.end.state["hands"]
    assert isinstance(hands, list)
    assert all(Card.YES in str(hand) for hand in hands)


def test_recorded_games_are_never_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(FILES[0].read_bytes())

    with pytest.raises(FileExistsError):
        recordings.write(path, recordings.read(FILES[1]))
    refused = record.main([FIRST_SET.name])

    assert refused is not None
    assert "never rewritten" in refused
    assert path.read_bytes() == FILES[0].read_bytes()
