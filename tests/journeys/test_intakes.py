"""What strangers ask is worked on in a process of its own, on whichever connection."""

import http.client
import json
import os
import select
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from flask import Flask

from service.auth import bearer
from service.processes.intake import ALIVE_SECONDS
from service.processes.server import FORSAKEN_SECONDS
from service.processes.strangers import LATER_SECONDS, MOST_AT_ONCE, MOST_GUESTS
from service.values import public_urls
from service.values.signed_tokens import Origin, Signer
from tests.rig.house import House, running
from tests.rig.parts import wait_until
from tests.rig.service import seated

MEANWHILE = 15.0


def both_at_work(house: House) -> None:
    """Wait until both kinds of processes have what is theirs."""
    wait_until(lambda: len(processes(house)) == 2, "both kinds of processes")
    # One may be so new that the other doesn't rely on it yet.
    wait_until(lambda: stranger_waits(house), "a stranger's wait", MEANWHILE)


@pytest.fixture(scope="module")
def standing(build: Callable[..., House], environ: dict[str, str]) -> House:
    """A web for all tests that let its processes live."""
    house = build(webs=1, workers=0, SECRET_KEY=environ["SECRET_KEY"])
    both_at_work(house)
    return house


@pytest.fixture
def web(standing: House, app: Flask) -> House:
    """The web on clean databases."""
    return standing


@pytest.fixture
def own_web(tmp_path: Path, environ: dict[str, str], app: Flask) -> Iterator[House]:
    """A web whose processes may be stopped and killed."""
    secret = environ["SECRET_KEY"]
    house = House(tmp_path, environ, webs=1, workers=0, SECRET_KEY=secret)
    with running(house):
        both_at_work(house)
        yield house


@pytest.fixture
def known(app: Flask) -> dict[str, str]:
    """The header of somebody who has proved a mailbox."""
    with app.app_context():
        return {"Authorization": f"Bearer {bearer.issue_token('simon@example.org')}"}


def processes(web: House) -> dict[str, int]:
    """The process that serves strangers, which is the least urgent, and the other."""
    found, us = {}, os.nice(0)
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            stat = each.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(stat[1]) == web.webs[0].pid:
            nice = int(stat[16])
            found["strangers" if nice > us else "others"] = int(each.parent.name)
    return found


def line(web: House, seconds: float = MEANWHILE) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", web.ports[0], timeout=seconds)


def ask(at: http.client.HTTPConnection, path: str, headers: dict[str, str]) -> int:
    at.request("GET", path, headers=headers)
    answer = at.getresponse()
    answer.read()
    return answer.status


def ask_anew(web: House, path: str, headers: dict[str, str]) -> int:
    with closing(line(web)) as at:
        return ask(at, path, headers)


def stranger_waits(web: House, known: dict[str, str] | None = None) -> bool:
    """Whether strangers wait for their process, and nobody else does."""
    strangers = processes(web)["strangers"]
    os.kill(strangers, signal.SIGSTOP)
    with closing(line(web)) as one, closing(line(web)) as other:
        other.request("GET", "/v1/games")
        if known is not None:
            assert [ask(one, "/v1/me", known) for _ in range(5)] == [200] * 5
        readable, _, _ = select.select([other.sock], (), (), 0.5)
        os.kill(strangers, signal.SIGCONT)
        assert other.getresponse().status == 200
    return not readable


def test_one_connection_goes_to_and_fro_with_what_is_asked_on_it(
    web: House, known: dict[str, str]
) -> None:
    form = {"Content-Type": "application/json"}

    with closing(line(web)) as at:
        found = []
        for number in range(20):
            found.append(ask(at, "/v1/me", known))
            found.append(ask(at, f"/v1/games?limit={number + 1}", {}))
            at.request("POST", "/v1/practice-games", b"{}" + b" " * 10_000, form)
            answer = at.getresponse()
            answer.read()
            found.append(answer.status)
            kept = at.sock is not None
            assert kept

    assert found == [200, 200, 201] * 20


def test_what_is_sent_at_once_is_answered_in_its_order(
    web: House, known: dict[str, str]
) -> None:
    head = "GET {} HTTP/1.1\r\nHost: x\r\n{}\r\n"
    proof = f"Authorization: {known['Authorization']}\r\n"
    asked = [("/v1/me", proof), ("/v1/none", ""), ("/v1/me", proof), ("/v1/none", "")]

    with closing(line(web)) as at:
        at.connect()
        at.sock.sendall("".join(head.format(*each) for each in asked).encode())
        heard = b""
        while heard.count(b"HTTP/1.1 ") < len(asked):
            part = at.sock.recv(65536)
            assert part, heard
            heard += part

    statuses = [each[:3] for each in heard.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [b"200", b"404", b"200", b"404"]


def test_signals_that_change_a_server_change_nothing(
    web: House, known: dict[str, str]
) -> None:
    before = processes(web)

    for number in (signal.SIGHUP, signal.SIGTTOU, signal.SIGTTIN, signal.SIGUSR2):
        os.kill(web.webs[0].pid, number)

    assert stranger_waits(web, known)
    assert processes(web) == before


def test_what_an_app_leaves_of_a_body_is_not_the_next_request(
    web: House, known: dict[str, str]
) -> None:
    head = "{} HTTP/1.1\r\nHost: x\r\n{}\r\n"
    proof = f"Authorization: {known['Authorization']}\r\n"
    chunk = "4e20\r\n" + 20_000 * "a" + "\r\n0\r\n\r\n"
    kind = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"

    with closing(line(web)) as at:
        at.connect()
        asked = [
            head.format("POST /v1/practice-games", kind) + chunk,
            head.format("GET /v1/none", ""),
            head.format("GET /v1/me", proof),
        ]
        at.sock.sendall("".join(asked).encode())
        heard = b""
        while heard.count(b"HTTP/1.1 ") < 3:
            part = at.sock.recv(65536)
            assert part, heard
            heard += part

    statuses = [each[:3] for each in heard.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [b"413", b"404", b"200"]


def test_one_proof_is_not_served_more_often_at_once_than_its_share(
    web: House, app: Flask, known: dict[str, str]
) -> None:
    with app.app_context():
        another = {"Authorization": f"Bearer {bearer.issue_token('terry@example.org')}"}
    half = (
        "POST /v1/sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"
        f"Authorization: {known['Authorization']}\r\n\r\n{{"
    )
    # Whoever has been served before has no more of a share for it.
    served = [ask_anew(web, "/v1/me", known) for _ in range(3)]

    with ExitStack() as stack:
        for _ in range(MOST_AT_ONCE):
            at = stack.enter_context(closing(line(web)))
            at.connect()
            at.sock.sendall(half.encode())
        wait_until(lambda: ask_anew(web, "/v1/me", known) == 503, "no room", MEANWHILE)
        one_more = [ask_anew(web, "/v1/me", each) for each in (known, another, {})]

    assert served == [200] * 3
    assert one_more == [503, 200, 401]
    wait_until(lambda: ask_anew(web, "/v1/me", known) == 200, "room", MEANWHILE)


def test_tokens_of_one_person_are_counted_together(web: House, app: Flask) -> None:
    with app.app_context():
        mine, another = (bearer.issue_token("rita@example.org") for _ in range(2))
        other = bearer.issue_token("terry@example.org")
    headers = [{"Authorization": f"Bearer {each}"} for each in (mine, another, other)]
    asked = [ask_anew(web, "/v1/me", each) for each in headers]
    half = "POST /v1/sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"

    with ExitStack() as stack:
        for number in range(MOST_AT_ONCE):
            at = stack.enter_context(closing(line(web)))
            at.connect()
            proof = f"Authorization: {headers[number % 2]['Authorization']}\r\n\r\n{{"
            at.sock.sendall(f"{half}{proof}".encode())
        again = partial(ask_anew, web, "/v1/me", headers[0])
        wait_until(lambda: again() == 503, "no room", MEANWHILE)
        one_more = [ask_anew(web, "/v1/me", each) for each in headers]

    assert asked == [200] * 3
    assert one_more == [503, 503, 200]
    wait_until(lambda: again() == 200, "room", MEANWHILE)


def test_whoever_floods_strangers_leaves_threads_to_whoever_is_known(
    web: House, known: dict[str, str]
) -> None:
    strangers = processes(web)["strangers"]
    os.kill(strangers, signal.SIGSTOP)

    with ExitStack() as stack:
        flood = [stack.enter_context(closing(line(web))) for _ in range(600)]
        for at in flood:
            at.request("GET", "/docs")
        answered = [ask_anew(web, "/v1/me", known) for _ in range(3)]
        healthy = [
            ask_anew(web, path, {}) for path in (public_urls.ALIVE, public_urls.READY)
        ]
        readable, _, _ = select.select([at.sock for at in flood], (), (), 1)
        os.kill(strangers, signal.SIGCONT)
        refused = {at.getresponse().status for at in flood if at.sock in readable}

    assert answered == [200] * 3
    assert healthy[0] == 200
    assert refused == {503}


def test_whoever_asks_if_it_is_alive_waits_for_no_thread(
    build: Callable[..., House], environ: dict[str, str], app: Flask
) -> None:
    secret = environ["SECRET_KEY"]
    few = {"KINGUP_WEB_THREADS": "2", "KINGUP_STREAMS": "4", "SECRET_KEY": secret}
    web = build(webs=1, workers=0, **few)
    both_at_work(web)
    proof = Signer(secret).make(Origin.MAILBOX)
    view = f"/v1/games/{uuid4()}/view"

    with ExitStack() as stack:
        url = environ["DATABASE_URL"].replace("+psycopg", "", 1)
        outside = stack.enter_context(psycopg.connect(url))
        outside.execute("LOCK TABLE game IN ACCESS EXCLUSIVE MODE")
        busy = [stack.enter_context(closing(line(web))) for _ in range(12)]
        for at in busy:
            at.request("GET", view, headers={"Authorization": f"Bearer kup_{proof}"})
        alive = [ask_anew(web, public_urls.ALIVE, {}) for _ in range(20)]
        answered, _, _ = select.select([at.sock for at in busy], (), (), 0)

    assert alive == [200] * 20
    assert answered == []


@pytest.mark.parametrize("who", ["strangers", "others"])
def test_a_process_that_dies_leaves_nobody_without_answers(
    own_web: House, known: dict[str, str], who: str
) -> None:
    before = processes(own_web)
    os.kill(before[who], signal.SIGKILL)

    def answered() -> bool:
        try:
            with closing(line(own_web)) as at:
                return [ask(at, "/v1/me", known), ask(at, "/v1/games", {})] == [200] * 2
        except (OSError, http.client.HTTPException):
            return False

    wait_until(answered, "answers", MEANWHILE)
    gone = (None, before[who])
    wait_until(lambda: processes(own_web).get(who) not in gone, "another", MEANWHILE)
    wait_until(lambda: stranger_waits(own_web, known), "a stranger's wait", MEANWHILE)


def test_strangers_are_served_by_others_while_their_process_is_stopped_for_long(
    own_web: House,
) -> None:
    os.kill(processes(own_web)["strangers"], signal.SIGSTOP)

    def answered() -> bool:
        try:
            with closing(line(own_web, 1)) as at:
                return ask(at, "/v1/games", {}) == 200
        except TimeoutError:
            return False

    wait_until(answered, "an answer for a stranger", MEANWHILE)


def test_of_what_is_taken_back_a_few_are_served_at_a_time(own_web: House) -> None:
    os.kill(processes(own_web)["strangers"], signal.SIGSTOP)

    with ExitStack() as stack:
        half = "POST /v1/sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"
        lines = [
            stack.enter_context(closing(said(own_web, half)))
            for _ in range(3 * MOST_GUESTS)
        ]
        for each in lines:
            each.settimeout(ALIVE_SECONDS + LATER_SECONDS + MEANWHILE)
        statuses = Counter(each.recv(4096)[9:12] for each in lines)

    # Of all who were taken back some wait for a place in vain.
    assert statuses[b"408"] >= MOST_GUESTS
    assert statuses[b"503"] > 0
    assert statuses.total() == statuses[b"408"] + statuses[b"503"]


@pytest.fixture
def two_threads(build: Callable[..., House], environ: dict[str, str]) -> House:
    """A web with two threads for whoever is known, streams included."""
    secret = environ["SECRET_KEY"]
    threads = {"KINGUP_WEB_THREADS": "1", "KINGUP_STREAMS": "1"}
    return build(webs=1, workers=0, SECRET_KEY=secret, **threads)


def test_nobody_reads_for_who_has_hung_up_but_what_they_wrote_is_written(
    inside: Flask, two_threads: House
) -> None:
    table = seated.started(3)
    (asked, *_) = table.game.asked()
    person = seated.person_on(table.id, asked)
    found = seated.run("SELECT address FROM person WHERE id = :p", {"p": person})
    proof = f"Host: x\r\nAuthorization: Bearer {bearer.issue_token(found[0][0])}\r\n"
    answer = f"/v1/games/{table.id}/decisions/{table.decision}/answer"
    busy = f"PUT {answer} HTTP/1.1\r\n{proof}" + body(
        {"kind": "placement", "character": "A", "place": "1"}
    )
    read = f"GET /v1/me HTTP/1.1\r\n{proof}\r\n"
    written = f"PATCH /v1/me HTTP/1.1\r\n{proof}" + body({"name": "Sim"})

    with ExitStack() as stack:
        with psycopg.connect(two_threads.database) as held:
            held.execute("SELECT FROM game WHERE id = %s FOR UPDATE", (table.id,))
            for _ in range(2):
                stack.enter_context(closing(said(two_threads, busy)))
            time.sleep(0.5)
            gone = [
                stack.enter_context(closing(said(two_threads, each)))
                for each in (read, written)
            ]
            for each in gone:
                each.shutdown(socket.SHUT_WR)
            time.sleep(FORSAKEN_SECONDS + 0.5)
        heard = [b"".join(iter(partial(each.recv, 4096), b"")) for each in gone]

    assert heard[0] == b""
    assert heard[1].startswith(b"HTTP/1.1 200 ")
    assert seated.run("SELECT name FROM person WHERE name = 'Sim'") == [("Sim",)]


def body(content: object) -> str:
    """The end of a head, and a body."""
    text = json.dumps(content)
    kind = "Content-Type: application/json"
    return f"{kind}\r\nContent-Length: {len(text)}\r\n\r\n{text}"


def said(web: House, what: str) -> socket.socket:
    """A connection on which somebody has said so much."""
    at = socket.create_connection(("127.0.0.1", web.ports[0]), timeout=MEANWHILE)
    at.sendall(what.encode())
    return at
