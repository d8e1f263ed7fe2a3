"""What strangers ask is worked on in a process of its own, on whichever connection."""

import http.client
import os
import select
import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from flask import Flask

from service.people import auth
from service.running.sharing import HEALTH, MOST_AT_ONCE
from tests.rig.house import House, running
from tests.rig.parts import wait_until

MEANWHILE = 15.0


@pytest.fixture
def web(tmp_path: Path, environ: dict[str, str], app: Flask) -> Iterator[House]:
    house = House(
        tmp_path, environ, webs=1, workers=0, SECRET_KEY=environ["SECRET_KEY"]
    )
    with running(house):
        wait_until(lambda: len(inside(house)) == 2, "both kinds of processes")
        yield house


@pytest.fixture
def known(app: Flask) -> dict[str, str]:
    """The header of somebody who has proved a mailbox."""
    with app.app_context():
        return {"Authorization": f"Bearer {auth.issue_token('simon@example.org')}"}


def inside(web: House) -> dict[str, int]:
    """The process that serves strangers, which is the least urgent, and the other."""
    found = {}
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            told = each.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(told[1]) == web.webs[0].pid:
            nice = int(told[16])
            found["strangers" if nice else "others"] = int(each.parent.name)
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


def stranger_waits(web: House, known: dict[str, str]) -> bool:
    """Whether strangers wait for their process, and nobody else does."""
    strangers = inside(web)["strangers"]
    os.kill(strangers, signal.SIGSTOP)
    with closing(line(web)) as one, closing(line(web)) as other:
        other.request("GET", "/v1/games")
        assert [ask(one, "/v1/me", known) for _ in range(5)] == [200] * 5
        waiting, _, _ = select.select([other.sock], (), (), 0.5)
        os.kill(strangers, signal.SIGCONT)
        assert other.getresponse().status == 200
    return not waiting


def test_strangers_wait_for_their_process_and_nobody_else_does(
    web: House, known: dict[str, str]
) -> None:
    for number in (signal.SIGHUP, signal.SIGTTOU, signal.SIGTTIN, signal.SIGUSR2):
        os.kill(web.webs[0].pid, number)

    # It may be so new that nobody relies on it yet.
    wait_until(lambda: stranger_waits(web, known), "a stranger's wait", MEANWHILE)

    assert len(inside(web)) == 2


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
        another = {"Authorization": f"Bearer {auth.issue_token('terry@example.org')}"}
    half = (
        "POST /v1/sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"
        f"Authorization: {known['Authorization']}\r\n\r\n{{"
    )

    with ExitStack() as stack:
        for _ in range(MOST_AT_ONCE):
            at = stack.enter_context(closing(line(web)))
            at.connect()
            at.sock.sendall(half.encode())
        one_more = [ask_anew(web, "/v1/me", each) for each in (known, another, {})]

    assert one_more == [503, 200, 401]
    wait_until(lambda: ask_anew(web, "/v1/me", known) == 200, "room", MEANWHILE)


def test_whoever_floods_strangers_leaves_threads_to_whoever_is_known(
    web: House, known: dict[str, str]
) -> None:
    strangers = inside(web)["strangers"]
    wait_until(lambda: stranger_waits(web, known), "a stranger's wait", MEANWHILE)
    os.kill(strangers, signal.SIGSTOP)

    with ExitStack() as stack:
        flood = [stack.enter_context(closing(line(web))) for _ in range(600)]
        for at in flood:
            at.request("GET", "/docs")
        answered = [ask_anew(web, "/v1/me", known) for _ in range(3)]
        healthy = [ask_anew(web, path, {}) for path in HEALTH]
        told, _, _ = select.select([at.sock for at in flood], (), (), 1)
        os.kill(strangers, signal.SIGCONT)
        refused = {at.getresponse().status for at in flood if at.sock in told}

    assert answered == [200] * 3
    assert healthy[0] == 200
    assert refused == {503}


@pytest.mark.parametrize("who", ["strangers", "others"])
def test_a_process_that_dies_leaves_nobody_without_answers(
    web: House, known: dict[str, str], who: str
) -> None:
    before = inside(web)
    os.kill(before[who], signal.SIGKILL)

    def answered() -> bool:
        try:
            with closing(line(web)) as at:
                return [ask(at, "/v1/me", known), ask(at, "/v1/games", {})] == [200] * 2
        except (OSError, http.client.HTTPException):
            return False

    wait_until(answered, "answers", MEANWHILE)
    gone = (None, before[who])
    wait_until(lambda: inside(web).get(who) not in gone, "another", MEANWHILE)
    wait_until(lambda: stranger_waits(web, known), "a stranger's wait", MEANWHILE)


def test_strangers_are_served_by_others_while_their_process_is_stopped_for_long(
    web: House,
) -> None:
    os.kill(inside(web)["strangers"], signal.SIGSTOP)

    def answered() -> bool:
        try:
            with closing(line(web, 1)) as at:
                return ask(at, "/v1/games", {}) == 200
        except TimeoutError:
            return False

    wait_until(answered, "an answer for a stranger", MEANWHILE)
