"""The connection quota of those who wait, and the subscriptions that wake them."""

import threading
import time
from contextlib import ExitStack
from uuid import UUID

import msgspec
import pytest
from flask import Flask

from service import app as application
from service import config, live
from service.live.client_socket import ClientSocket
from service.live.quota import MOST_EACH, Client, ConnectionQuota
from service.live.subscriptions import Subscriptions
from service.values.errors import TooManyStreams, TooManyWaiting
from service.values.signed_tokens import Origin, Signer
from tests.rig import apps

SOCKET = ClientSocket(None)


def stranger(number: int) -> Client:
    return Client(f"network {number}", known=False)


def person(number: int) -> Client:
    return Client(f"person {number}", known=True)


@pytest.fixture
def kept() -> ExitStack:
    return ExitStack()


def enter(kept: ExitStack, quota: ConnectionQuota, *clients: Client) -> None:
    for client in clients:
        kept.enter_context(quota.slot(client, SOCKET))


def test_strangers_leave_half_of_the_quota_to_who_is_known(kept: ExitStack) -> None:
    quota = ConnectionQuota(16)
    enter(kept, quota, *(stranger(number) for number in range(8)))

    with pytest.raises(TooManyStreams):
        enter(kept, quota, stranger(9))
    enter(kept, quota, *(person(number) for number in range(8)))

    with pytest.raises(TooManyStreams):
        enter(kept, quota, person(9))


def test_the_last_quarter_of_the_strangers_is_for_networks_that_have_none(
    kept: ExitStack,
) -> None:
    quota = ConnectionQuota(16)
    enter(kept, quota, *[stranger(1)] * 6)

    with pytest.raises(TooManyStreams):
        enter(kept, quota, stranger(1))
    enter(kept, quota, stranger(2), stranger(3))

    with pytest.raises(TooManyStreams):
        enter(kept, quota, stranger(4))


def test_whoever_leaves_gives_their_slot_to_another(kept: ExitStack) -> None:
    quota = ConnectionQuota(4)
    with quota.slot(stranger(1), SOCKET), quota.slot(stranger(2), SOCKET):
        pass

    enter(kept, quota, stranger(3), stranger(4))

    with pytest.raises(TooManyStreams):
        enter(kept, quota, stranger(5))


@pytest.mark.parametrize(
    ("client", "whose"), [(stranger(1), "network"), (person(1), "person")]
)
def test_whoever_waits_too_often_is_told_how_often_one_may(
    kept: ExitStack, client: Client, whose: str
) -> None:
    quota = ConnectionQuota(1000)
    enter(kept, quota, *[client] * MOST_EACH)

    with pytest.raises(TooManyWaiting) as refused:
        enter(kept, quota, client)

    assert refused.value.facts == {
        "limit": "waiting",
        "whose": whose,
        "most": MOST_EACH,
        "retry_after": 5,
    }


def test_a_quota_of_one_is_a_strangers_too(kept: ExitStack) -> None:
    enter(kept, ConnectionQuota(1), stranger(1))


class Busy:
    """An app with a page that takes as long as it is told to."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.inside = threading.Semaphore(0)
        self.go_on = threading.Event()
        app.add_url_rule("/slow", view_func=self._slow)
        app.add_url_rule("/swift", view_func=lambda: "")

    def _slow(self) -> str:
        self.inside.release()
        self.go_on.wait(20)
        return ""

    def ask(self, path: str, **headers: str) -> threading.Thread:
        asking = threading.Thread(
            target=self.app.test_client(use_cookies=False).get,
            args=(path,),
            kwargs={"headers": headers},
        )
        asking.start()
        return asking


@pytest.mark.parametrize("origin", [Origin.MAILBOX, Origin.ANYBODY, None])
@pytest.mark.parametrize("wide", [False, True])
def test_strangers_at_the_limit_hold_up_nobody_who_is_known(
    settings: config.Config, origin: Origin | None, wide: bool
) -> None:
    threads = 8 if wide else 32
    busy = Busy(
        application.create_app(msgspec.structs.replace(settings, web_threads=threads))
    )
    if wide:
        live.of(busy.app).concurrency.widen()
    signer = Signer(settings.secret_key)
    secret = signer.make(origin) if origin else "a" * 26
    strangers = [busy.ask("/slow") for _ in range(10)]
    for _ in range(2):
        assert busy.inside.acquire(timeout=5)
    assert not busy.inside.acquire(timeout=0.2)

    asking = [
        busy.ask("/swift", Authorization=f"Bearer kup_{secret}"),
        busy.ask("/swift", Cookie=f"a=b; seat_{'0' * 32}={secret}"),
        busy.ask(f"/d/{secret}"),
        busy.ask(f"/D/{secret.upper()}"),
    ]
    end = time.monotonic() + (5 if origin is Origin.MAILBOX else 0.5)
    for each in asking:
        each.join(max(0.0, end - time.monotonic()))
    waiting = [each.is_alive() for each in asking]
    busy.go_on.set()
    for each in (*strangers, *asking):
        each.join()
    apps.put_away(busy.app)

    assert waiting == [origin is not Origin.MAILBOX] * 4


GAME, OTHER, RACHEL = (UUID(int=number) for number in range(3))


@pytest.fixture
def subscriptions() -> Subscriptions:
    return Subscriptions(lambda _: None)


def test_what_all_want_of_the_same_news_is_made_once(
    subscriptions: Subscriptions,
) -> None:
    made = iter(range(9))
    with subscriptions.watch_game(GAME) as one, subscriptions.watch_game(GAME) as two:
        subscriptions.notify({GAME: ()})
        news = [each for waiting in (one, two) for each in waiting.wait(5)]
        before = [each.once(key, lambda: next(made)) for key in "ab" for each in news]
        subscriptions.notify({GAME: ()})
        (later,) = one.wait(5)

    assert before == [0, 0, 1, 1]
    assert later.once("a", lambda: next(made)) == 2


def test_whoever_is_told_of_the_same_news_is_among_its_readers(
    subscriptions: Subscriptions,
) -> None:
    with (
        subscriptions.watch_game(GAME),
        subscriptions.watch_game(GAME, b"one") as one,
        subscriptions.watch_person(RACHEL, b"rachel") as rachel,
        subscriptions.watch_game(OTHER, b"other") as other,
    ):
        subscriptions.notify({GAME: (RACHEL,)})
        (news,) = one.wait(5)
        same, nothing = rachel.wait(5), other.wait(0)

    assert (same, nothing) == ((news,), ())
    assert (news.game_id, news.proofs) == (GAME, frozenset({b"one", b"rachel"}))


def test_what_fails_fails_for_all_who_were_told(subscriptions: Subscriptions) -> None:
    tries = []

    def fail() -> None:
        tries.append(1)
        raise ZeroDivisionError

    with subscriptions.watch_game(GAME) as waiting:
        subscriptions.notify({GAME: ()})
        (news,) = waiting.wait(5)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                news.once("reading", fail)

    assert (len(tries), news.once("other", lambda: 7)) == (1, 7)


def test_what_others_read_while_one_was_busy_is_read_anew(
    subscriptions: Subscriptions,
) -> None:
    with subscriptions.watch_game(GAME) as one, subscriptions.watch_game(GAME) as two:
        subscriptions.notify({GAME: ()})
        (news,) = one.wait(5)
        news.once("reading", lambda: "as it was then")

        later = two.wait(5)

    assert later == ()


def test_nobody_knows_of_what_there_is_news_after_something_was_missed(
    subscriptions: Subscriptions,
) -> None:
    with subscriptions.watch_game(GAME) as waiting:
        subscriptions.notify({GAME: ()})
        subscriptions.wake_all()
        missed = waiting.wait(5)
        subscriptions.notify({GAME: ()})
        heard = waiting.wait(5)

    assert (missed, len(heard)) == ((), 1)
