import json

import msgspec
import pytest
from msgspec.structs import replace

from engine import events, replay_codec
from engine.commands import CancelGame
from engine.errors import UnreadableLog
from engine.events import Stored
from engine.evolve import evolve, replay
from engine.state import Game, freeze, thaw
from tests.rig.engine import loading
from tests.rig.engine.tables import GAME, Table, settled, started


def played() -> Table:
    table = settled()
    table.nominate("A")
    table.vote("yes", "no", "yes", "yes")
    table.crown("B")
    table.place("A", "3")
    return table


def test_a_stored_log_replays_to_the_live_state() -> None:
    table = played()

    again = replay(GAME, (loading.load(GAME, row) for row in table.rows))

    assert again == table.game


def test_the_gist_of_a_log_replays_to_the_live_state_at_every_event() -> None:
    table = settled()
    table.nominate("A")
    table.vote("yes", "no", "yes", "yes")
    table.crown("B")
    table.place("A", "3")
    table.do(CancelGame(table.seed))
    states = [Game(id=GAME)]
    for event in table.log:
        states.append(evolve(states[-1], event))

    replays = [
        replay(GAME, replay_codec.read(GAME, table.rows[:upto]))
        for upto in range(len(table.rows) + 1)
    ]

    assert replays == states
    assert states[-1] == table.game


def test_a_game_cancelled_amid_an_election_replays_to_the_live_state() -> None:
    table = settled()
    table.nominate("A")
    table.lay(table.game.asked()[0], "no")
    table.do(CancelGame(table.seed))

    again = replay(GAME, replay_codec.read(GAME, table.rows))

    assert again == table.game
    assert again.last_decision == table.game.last_decision > 0


@pytest.mark.parametrize("kind", ["election_resolved", "round_scored"])
def test_a_gist_is_refused_like_an_event(kind: str) -> None:
    row = next(row for row in played().rows if row.type == kind)
    broken = [
        replace(row, version=events.VERSION + 1),
        replace(row, type="whispered"),
        replace(row, public=b"{}"),
    ]

    for each in broken:
        with pytest.raises(UnreadableLog):
            replay_codec.read(GAME, [each])


def test_a_frozen_state_thaws_to_itself() -> None:
    table = settled()
    table.nominate("A")
    table.lay(table.game.asked()[0], "no")

    thawed = thaw(GAME, freeze(table.game))

    assert thawed == table.game
    assert freeze(thawed) == freeze(table.game)


def test_replay_decides_nothing_anew() -> None:
    table = played()
    scored = next(e for e in table.log if isinstance(e, events.RoundScored))
    other = replace(scored, totals=(1, 2, 3, 4))

    again = replay(GAME, (other if e is scored else e for e in table.log))

    assert again.totals == (1, 2, 3, 4)


def test_a_newer_version_of_an_event_is_not_read() -> None:
    row = replace(played().rows[-1], version=events.VERSION + 1)

    with pytest.raises(UnreadableLog) as unread:
        loading.load(GAME, row)

    assert (unread.value.game, unread.value.what) == (GAME, "placed version 2")


BROKEN = [
    Stored("crowd_cheered", b'{"seat":1,"type":"crowd_cheered"}', None),
    Stored("whispered", None, b'{"type":"whispered"}'),
    Stored("whispered", None, None),
    Stored("placed", b'{"type":"placed"}', None),
    Stored("placed", b"{", None),
    Stored("placed", b"", None),
    Stored("started", b'{"first":0,"leaves":[],"type":"started"}', None),
    Stored("ballot_cast", None, b'{"type":"ballot_cast","card":"maybe"}'),
    Stored(
        "moved",
        b'{"by":"seat","character":"A","decision":1.5,"election":null,'
        b'"from":"3","seat":0,"to":"4","type":"moved"}',
        None,
    ),
]


@pytest.mark.parametrize("row", BROKEN)
def test_a_row_that_is_not_understood_stops_its_game_only(row: Stored) -> None:
    with pytest.raises(UnreadableLog) as unread:
        loading.load(GAME, row)

    assert unread.value.game == GAME


def lifted(**changes: object) -> bytes:
    """The stored table of a game, with some fields of another release."""
    table = started()
    plain = json.loads(table.record[1])
    return msgspec.json.encode({**plain, **changes}, order="sorted")


@pytest.mark.parametrize("changes", [{"rules": 2}, {"edition": "chess"}])
def test_a_game_of_unknown_rules_waits_for_a_process_that_knows_them(
    changes: dict[str, object],
) -> None:
    event = loading.load(GAME, Stored("table_closed", lifted(**changes), None))

    with pytest.raises(UnreadableLog) as unread:
        evolve(Game(id=GAME), event)

    assert unread.value.game == GAME


@pytest.mark.parametrize(
    "stored", [b"", b"\x93\x01\x02", b"\xc1", msgspec.msgpack.encode(["x", "dungeon"])]
)
def test_a_snapshot_that_is_not_understood_is_not_thawed(stored: bytes) -> None:
    with pytest.raises(UnreadableLog) as unread:
        thaw(GAME, stored)

    assert (unread.value.game, unread.value.what) == (GAME, "snapshot")


def test_a_snapshot_of_unknown_rules_is_not_thawed() -> None:
    for game in (
        replace(started().game, rules=2),
        replace(started().game, edition="chess"),
    ):
        with pytest.raises(UnreadableLog):
            thaw(GAME, freeze(game))


def test_the_chain_links_every_record_event_and_no_ballot() -> None:
    table = played()

    ballots = [row for row in table.rows if row.type == "ballot_cast"]

    assert len(ballots) == 8
    assert all(row.public is None for row in ballots)
    assert len(table.heads) == len(table.rows) - len(ballots) + 1
    assert len(set(table.heads)) == len(table.heads)
