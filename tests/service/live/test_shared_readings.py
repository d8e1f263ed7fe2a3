"""One reading of a game for all who wait: nobody gets more than by their own."""

import json
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from types import FrameType
from typing import Any
from uuid import UUID

import psycopg
import pytest
from flask import Flask

from service import live
from service.api.feeds import game_stream
from service.api.feeds.game_stream import GameBatch, Viewer
from service.api.feeds.turns import TurnsReader
from service.api.http import access
from service.game import table_acts, time_up
from service.live import subscriptions
from service.live.subscriptions import News
from service.people import absences
from service.people.absences import AbsenceWish
from service.store import clock, games, publisher, readings
from service.store import tokens as tokenstore
from service.store.transactions import transaction
from service.values import entropy
from service.values.enums import AbsenceChoice
from service.values.principals import Bearer, System
from tests.rig.parts import wait_until
from tests.rig.service import programs, seated
from tests.rig.service.heard import AT_ONCE, Heard
from tests.rig.service.programs import Api, Table, in_election, stranger
from tests.rig.service.seated import run
from tests.rig.sse import Message

ALL = ("games:read", "games:play")


@pytest.fixture(autouse=True)
def heard(app: Flask) -> None:
    """What is published is heard: a listener that begins wakes everybody."""
    game_id = entropy.identifier()
    with (
        app.app_context(),
        live.current().subscriptions.watch_game(game_id) as subscription,
    ):

        def is_heard() -> bool:
            publisher.publish(game_id)
            return bool(subscription.wait(0.1))

        wait_until(is_heard, "news")


def tokens(table: Table) -> Iterator[str]:
    """Tokens of every kind: good, and no good for this game."""
    yield from table.tokens
    yield stranger(table.api)
    yield "kup_nobody"
    with table.api.app.app_context(), transaction():
        person = seated.person_on(table.id, 1)
        other = Table(table.api).id
        now = clock.now()
        yield tokenstore.issue(person, "blind", ("games:play",)).token
        yield tokenstore.issue(person, "here", ALL, table.id).token
        yield tokenstore.issue(person, "elsewhere", ALL, other).token
        yield tokenstore.issue(person, "expired", ALL, None, now - timedelta(1)).token
        yield tokenstore.issue(person, "lasting", ALL, None, now + timedelta(1)).token
        revoked = tokenstore.issue(person, "revoked", ALL).token
        run(
            "UPDATE token SET revoked_at = kingup_now() WHERE token_hash = :t",
            {"t": entropy.digest(revoked)},
        )
        yield revoked


def laid(api: Api) -> Table:
    """An election in which somebody has laid a card."""
    table = in_election(api)
    table.put(1, table.first_legal(1))
    return table


def declined(api: Api) -> Table:
    """A table before the start at which a seat was declined."""
    table = Table(api)
    with api.app.app_context():
        run(
            "UPDATE seat SET state = 'declined' WHERE game_id = :g AND number = 1",
            {"g": table.id},
        )
    return table


@pytest.mark.parametrize("made", [laid, declined])
def test_each_row_is_the_one_of_a_reading_of_ones_own(
    api: Api, made: Callable[[Api], Table]
) -> None:
    table = made(api)
    proofs = [entropy.digest(each) for each in tokens(table)]

    with api.app.app_context():
        shared = readings.read(table.id, proofs, access.READ)
        alone = [games.find(table.id, Bearer(each, access.READ)) for each in proofs]
        nobody = games.find(table.id, System())

    assert shared is not None
    assert [shared.row(each) for each in proofs] == [
        row if row is not None and row.proved else None for row in alone
    ]
    assert shared.row(None) == nobody
    assert len([row for row in alone if row is not None and row.proved]) > 4


def test_who_was_not_asked_for_gets_nothing(api: Api) -> None:
    table = Table(api)
    proofs = [entropy.digest(each) for each in table.tokens]

    with api.app.app_context():
        shared = readings.read(table.id, proofs[:1], access.READ)

    assert shared is not None
    assert [shared.row(each) is None for each in proofs] == [False, True, True]


def test_a_game_that_is_not_there_is_read_by_nobody(app: Flask) -> None:
    with app.app_context():
        assert readings.read(programs.unknown_game(), [], access.READ) is None


class Waiting:
    """Streams that are read at the same time, each on a thread of its own."""

    def __init__(self, *streams: Heard) -> None:
        self._found: dict[Heard, list[Message]] = {}
        self._threads = [
            threading.Thread(target=self._read, args=(stream,)) for stream in streams
        ]
        for stream in streams:
            stream.next()
        for thread in self._threads:
            thread.start()
        wait_until(self._all_wait, "all streams to wait")

    def _read(self, stream: Heard) -> None:
        self._found[stream] = []
        with suppress(StopIteration):
            self._found[stream].append(stream.next())
            while self._found[stream][-1].event == "entry":
                self._found[stream].append(stream.next())

    def _all_wait(self) -> bool:
        frames = sys._current_frames()
        return all(_waits(frames.get(each.ident or 0)) for each in self._threads)

    def found(self, stream: Heard) -> list[Message]:
        """What a stream sent up to the next view or list; nothing if it ended."""
        for thread in self._threads:
            thread.join(AT_ONCE)
            assert not thread.is_alive()
        return self._found[stream]


def _waits(frame: FrameType | None) -> bool:
    """Whether a thread waits for news."""
    while frame is not None:
        code = frame.f_code
        if (code.co_name, code.co_filename) == ("wait", subscriptions.__file__):
            return True
        frame = frame.f_back
    return False


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The statements inside by which other threads than this read games."""
    real, said, here = psycopg.Cursor.execute, [], threading.get_ident()

    def execute(
        cursor: Any, query: Any, params: Any = None, **options: Any
    ) -> psycopg.Cursor:
        if "g.snapshot" in str(query) and threading.get_ident() != here:
            said.append(str(query))
        return real(cursor, query, params, **options)

    with monkeypatch.context() as hearing:
        hearing.setattr(psycopg.Cursor, "execute", execute)
        yield said


@contextmanager
def heard_news(monkeypatch: pytest.MonkeyPatch, game_id: UUID) -> Iterator[list[UUID]]:
    """How often those who wait are notified of news of a game inside."""
    real, heard = subscriptions.Subscriptions.notify, list[UUID]()

    def notify(
        self: subscriptions.Subscriptions, games: Mapping[UUID, Collection[UUID]]
    ) -> None:
        heard.extend(each for each in games if each == game_id)
        real(self, games)

    with monkeypatch.context() as hearing:
        hearing.setattr(subscriptions.Subscriptions, "notify", notify)
        yield heard


def turns_of(api: Api, token: str) -> Heard:
    query, headers = "?view=true", {"Authorization": f"Bearer {token}"}
    return Heard(api, "/v1/me", query=query, headers=headers)


@pytest.mark.usefixtures("steady")
def test_news_of_a_game_reads_it_once_for_all_who_wait_for_it(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(api)
    asked = table.asked
    seats = (None, None, 0, 1, 2)
    streams = [Heard(api, table, seat) for seat in seats]
    lists = [turns_of(api, table.tokens[seat]) for seat in (asked, (asked + 1) % 3)]
    waiting = Waiting(*streams, *lists)

    # That of the table's beginning may still be under way.
    with counted(monkeypatch) as reads, heard_news(monkeypatch, table.id) as news:
        table.play_a_turn()
        views = [waiting.found(each)[-1].json for each in streams]
        turns = [waiting.found(each)[-1].json["turns"] for each in lists]

    assert [name for name in reads if "t.token_hash = ANY" in name] == reads
    assert 1 <= len(reads) <= len(news) <= 2
    assert views == [table.view(seat).json for seat in seats]
    assert len({str(view["own"]) for view in views}) == 4
    assert (turns[0], turns[1][0]["view"]) == ([], views[2 + (asked + 1) % 3])


def test_shared_news_tell_each_what_is_behind_their_own_last_message(api: Api) -> None:
    table = Table(api)
    viewer = Viewer(table.id, None, "en")
    nothing = GameBatch(mark="", messages=(), record=0, view_mark="", newest_message=0)
    behind = [nothing]
    for _ in range(2):
        with api.app.app_context():
            behind.append(game_stream.after(viewer, behind[-1], ()))
        table.play_a_turn()
    news = News(table.id, frozenset())

    with api.app.app_context():
        shared = [game_stream.after(viewer, each, (news,)) for each in behind]
        alone = [game_stream.after(viewer, each, ()) for each in behind]

    assert shared == alone
    assert len({len(each.messages) for each in shared}) == 3


MIXED = (1, None, 2, 0)


@pytest.mark.parametrize("order", [MIXED, MIXED[::-1], MIXED[1:] + MIXED[:1]])
def test_what_is_the_tables_own_is_shared_with_nobody_else(
    api: Api, order: tuple[int | None, ...]
) -> None:
    """Whoever reads first: absences, what was proposed, and whose seat a bot keeps."""
    table = Table(api, rounds=1)
    proofs = {s: None if s is None else proof(table, s) for s in order}
    with api.app.test_request_context():
        table_acts.depart(table.id, proof(table, 2, access.PLAY), 2)
        viewers = {seat: Viewer(table.id, proofs[seat], "en") for seat in order}
        rows = {seat: access.game_row_for(table.id, proofs[seat]) for seat in order}
        begun = {seat: game_stream.beginning(rows[seat], None) for seat in order}
        day = clock.now().date() + timedelta(days=3)
        wish = AbsenceWish(day, day, AbsenceChoice.WAIT)
        absences.announce(seated.person_on(table.id, 0), wish)
        table_acts.propose(table.id, proof(table, 0, access.PLAY))
        told = frozenset(each.token_hash for each in proofs.values() if each)
        news = (News(table.id, told),)

        sent = {s: game_stream.after(viewers[s], begun[s], news) for s in order}
        asked = table.asked
        turns = TurnsReader(proof(table, asked), views=True)
        turns.read()
        turns.read(news).body()

    for seat in order:
        own = table.view(seat)
        assert view_in(sent[seat]) == own.json
        assert bool(own.json["absences"]) is (seat in (0, 1))
    assert table.view(asked).json["proposal"] is not None


def proof(table: Table, seat: int, scope: str = access.READ) -> Bearer:
    return Bearer(entropy.digest(table.tokens[seat]), scope)


def view_in(batch: GameBatch) -> object:
    """What the last view in some messages says."""
    views = [each for each in batch.messages if each.startswith(b"event: view")]
    return json.loads(views[-1].split(b"data: ", 1)[1])


@pytest.mark.usefixtures("steady")
def test_a_revoked_token_gets_nothing_of_the_news_that_others_get(api: Api) -> None:
    table = Table(api)
    seat, asked = (table.asked + 1) % 3, table.asked
    mine, other, nobody = (Heard(api, table, each) for each in (seat, asked, None))
    turns = turns_of(api, table.tokens[seat])
    waiting = Waiting(mine, other, nobody, turns)

    with api.app.app_context():
        run(
            "UPDATE token SET revoked_at = kingup_now() WHERE person_id = :p",
            {"p": seated.person_on(table.id, seat)},
        )
    table.play_a_turn()

    assert [waiting.found(each) for each in (mine, turns)] == [[], []]
    assert waiting.found(other)[-1].json == table.view(asked).json
    assert waiting.found(nobody)[-1].json == table.view().json


@pytest.mark.usefixtures("steady")
def test_spectators_get_nothing_of_a_game_that_is_its_players_alone_by_now(
    api: Api,
) -> None:
    table = Table(api)
    mine, nobody = Heard(api, table, 1), Heard(api, table)
    waiting = Waiting(mine, nobody)

    with api.app.app_context():
        run("UPDATE game SET visibility = 'players' WHERE id = :g", {"g": table.id})
    table.play_a_turn()

    assert waiting.found(nobody) == []
    assert waiting.found(mine)[-1].json == table.view(1).json


@pytest.mark.usefixtures("steady")
def test_ones_own_ballot_is_in_ones_own_view_of_the_news_alone(api: Api) -> None:
    table = laid(api)
    mine, other, nobody = (Heard(api, table, seat) for seat in (1, 2, None))
    waiting = Waiting(mine, other, nobody)

    with api.app.app_context():
        time_up.remind(table.id, table.table.decision)

    views = [waiting.found(each)[-1].json for each in (mine, other, nobody)]
    assert [view["laid"] for view in views] == [[1]] * 3
    assert views[0]["own"]["ballot"] is not None
    assert views[0]["legal"] == []
    assert (views[1]["own"]["ballot"], views[2]["own"]) == (None, None)
    assert views[1]["legal"] != []
