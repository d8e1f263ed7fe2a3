"""Two hundred networks that have used up all they may, and still go on.

Whoever has proved a mailbox hosts, signs in and plays as if they weren't there.
"""

import http.client
import json
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import pytest
from flask import Flask

from service import links
from service.people import auth
from tests.rig import house
from tests.rig.api import Json, Program
from tests.rig.flood import Outcome, Plan, Shot
from tests.rig.house import ROOT, House
from tests.rig.parts import wait_until
from tests.service import seated
from tests.service.seated import run

NETWORKS = [f"203.0.{number // 250}.{number % 250 + 1}" for number in range(200)]
LINES = 24
KNOWN = "simon@example.org"
HOST = "rachel@example.org"
FORM = "application/x-www-form-urlencoded"
QUIET = 20.0
USING_UP = 20.0
MEASURED = 15.0
HALF = 60.0
ABOVE = 15.0
TABLES = 3


class Crowd:
    """The attackers: what they send, from everywhere."""

    def __init__(self, port: int, game_id: str) -> None:
        self._port = port
        self._sent = 0
        self.shots = [
            Shot("page", "GET", f"/g/{game_id}"),
            Shot("made-up link", "GET", f"/d/{'a' * 26}"),
            Shot("home", "GET", "/"),
            Shot("practice", "POST", "/v1/practice-games", "application/json", "{}"),
            Shot(
                "code",
                "POST",
                "/v1/sign-in",
                "application/json",
                json.dumps({"address": KNOWN}),
            ),
            Shot(
                "code for others",
                "POST",
                "/v1/sign-in",
                "application/json",
                json.dumps({"address": "nobody{n}@example.net"}),
            ),
            Shot("view", "GET", f"/v1/games/{game_id}/view"),
            Shot("list", "GET", "/v1/games"),
            Shot(
                "made-up token",
                "PUT",
                f"/v1/games/{game_id}/decisions/1/answer",
                "application/json",
                '{"character": "A"}',
                token=f"kup_{'b' * 26}",
            ),
            *(self._draft() for _ in range(len(NETWORKS))),
        ]

    @staticmethod
    def _draft() -> Shot:
        """A table that names the known person as its host, and a stranger as guest."""
        table = str(uuid4())
        fields = {
            "table": table,
            "nonce": links.nonce("new", table),
            "name": "Mallory",
            "address": KNOWN,
            "seat1_kind": "friend",
            "seat1_name": "Guest",
            "seat1_address": HOST,
            "seat2_kind": "bot",
        }
        return Shot("draft", "POST", "/new", FORM, urlencode(fields))

    def send(
        self, rate: float, seconds: float, shots: list[Shot], most: int = 0
    ) -> Outcome:
        plan = Plan(self._port, rate, seconds, LINES, NETWORKS, shots, self._sent, most)
        done = subprocess.run(
            (sys.executable, "-m", "tests.rig.flood"),
            input=json.dumps(plan._asdict()),
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
        outcome = Outcome(**json.loads(done.stdout))
        self._sent += outcome.sent + LINES
        return outcome

    def mixed(self) -> list[Shot]:
        """What is sent on, each kind as often as any other."""
        return [shot for shot in self.shots if shot.name != "draft"] + self.shots[-1:]

    def use_up(self) -> dict[str, int]:
        """Let each network ask for each kind of thing until all is used up."""
        found: Counter[str] = Counter()
        for shot in self.mixed():
            each = 40 if shot.name in ("draft", "code for others", "practice") else 12
            outcome = self.send(0, USING_UP, [shot], each * len(NETWORKS))
            found.update(outcome.statuses)
        return dict(found)


class Player:
    """Tables whose people answer one after the other, and time each answer."""

    def __init__(self, where: House) -> None:
        self.times: list[float] = []
        self.refused: list[int] = []
        self._where = where
        self._mind = random.Random(3)
        self._programs: list[Program] = []
        self._sit_down()

    def _sit_down(self) -> None:
        """Go on at a new table: the last one's game is over."""
        self.leave()
        self.id = str(seated.started(3).id)
        addresses = run(
            "SELECT p.address FROM seat s JOIN person p ON p.id = s.person_id"
            " WHERE s.game_id = :g ORDER BY s.number",
            {"g": self.id},
        )
        self._programs = [
            Program(self._where.urls, auth.issue_token(address))
            for (address,) in addresses
        ]

    def leave(self) -> None:
        for program in self._programs:
            program.hang_up()

    def play(self, seconds: float) -> float:
        """Answer for so long, with rests; the 95th percentile in milliseconds."""
        self.times.clear()
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            for program in self._programs:
                view = program.view(self.id)
                if view["legal"]:
                    self._answer(program, view)
                time.sleep(0.01)
            if view["phase"] == "over":
                self._sit_down()
        return statistics.quantiles(self.times, n=20)[-1]

    def _answer(self, program: Program, view: Json) -> None:
        given = self._mind.choice(view["legal"])["answer"]
        began = time.perf_counter()
        status, _ = program.answer(self.id, view["decision"]["number"], given)
        self.times.append((time.perf_counter() - began) * 1000)
        if status != 200:
            self.refused.append(status)


class Known(NamedTuple):
    """What people with a mailbox did meanwhile."""

    opened: list[int]
    codes: list[int]


@pytest.fixture
def where(tmp_path: Path, environ: dict[str, str], app: Flask) -> Iterator[House]:
    built = House(
        tmp_path,
        environ,
        webs=1,
        workers=1,
        TRUSTED_PROXIES="1",
        KINGUP_RATE_LIMITS="1",
        KINGUP_INVITATIONS_A_DAY="1000",
        SECRET_KEY=environ["SECRET_KEY"],
    )
    with house.running(built), app.app_context():
        yield built


def live(where: House, host: str) -> Known:
    """A host invites, and somebody known signs in, again and again."""
    found = Known([], [])
    for number in range(TABLES):
        seats = [
            {
                "kind": "person",
                "name": f"Guest {n}",
                "address": f"g{number}{n}@a.example",
            }
            for n in (1, 2)
        ]
        program = Program(where.urls, host)
        status, _ = program.call("POST", "/v1/games", {"seats": seats})
        program.hang_up()
        found.opened.append(status)
        found.codes.append(sign_in(where))
        time.sleep(HALF / TABLES / 2)
    return found


def sign_in(where: House) -> int:
    """Have a code mailed to somebody known, from where they always are; the status."""
    before = len(where.letters())
    status, body = from_home(where, "/v1/sign-in", {"address": KNOWN})
    assert status == 202, body
    asked = json.loads(body)["sign_in"]

    def codes() -> list[str]:
        mine = [each for each in where.letters()[before:] if each.to == KNOWN]
        found = (re.search(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b", each.text) for each in mine)
        return [each[0] for each in found if each]

    wait_until(lambda: bool(codes()), "the code", 40)
    wish = {"sign_in": asked, "code": codes()[-1]}
    return from_home(where, "/v1/sign-in/confirmation", wish)[0]


def from_home(where: House, path: str, body: Json) -> tuple[int, bytes]:
    line = http.client.HTTPConnection(urlsplit(where.urls[0]).netloc, timeout=30)
    headers = {"Content-Type": "application/json", "X-Forwarded-For": "192.0.2.7"}
    line.request("POST", path, json.dumps(body), headers)
    answer = line.getresponse()
    status, content = answer.status, answer.read()
    line.close()
    return status, content


def kinds(where: House) -> dict[str, Counter[str]]:
    """How many mails of which subject everybody got."""
    found: dict[str, Counter[str]] = {}
    for letter in where.letters():
        subject = letter.subject.split(":")[0].split(" (")[0].lower()
        found.setdefault(letter.to, Counter())[subject] += 1
    return found


def by_status(*several: Mapping[str, int]) -> Counter[str]:
    """How often each status came back, whatever was asked for."""
    found: Counter[str] = Counter()
    for counted in several:
        for key, times in counted.items():
            found[key.rpartition(" ")[2]] += times
    return found


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_two_hundred_networks_at_their_limits_silence_and_flood_nobody(
    where: House,
) -> None:
    host = auth.issue_token(HOST)
    assert sign_in(where) == 201
    player = Player(where)
    crowd = Crowd(where.ports[0], player.id)
    player.play(2)
    quiet = player.play(QUIET)

    used = crowd.use_up()
    full = crowd.send(0, MEASURED, crowd.mixed())
    rate = full.sent / full.seconds
    known: list[Known] = []
    living = threading.Thread(target=lambda: known.append(live(where, host)))
    flooding = threading.Thread(
        target=lambda: halves.append(crowd.send(rate / 2, HALF, crowd.mixed()))
    )
    halves: list[Outcome] = []
    flooding.start()
    living.start()
    time.sleep(1)
    loaded = player.play(HALF - 5)
    flooding.join()
    living.join()
    above = crowd.send(0, ABOVE, crowd.mixed())
    player.leave()

    statuses = by_status(used, full.statuses, halves[0].statuses, above.statuses)
    mailed = kinds(where)
    sys.stdout.write(
        f"\nused up by {sum(used.values())} requests; measured {rate:.0f}/s,"
        f" then {halves[0].sent / halves[0].seconds:.0f}/s: answers p95"
        f" {quiet:.1f} ms quiet, {loaded:.1f} ms ({loaded / quiet:.2f});"
        f" statuses {dict(statuses)}; {known}; most mails to the known:"
        f" {dict(mailed[KNOWN])}, to the host: {dict(mailed.get(HOST, {}))}\n"
    )
    assert player.refused == []
    assert known[0].opened == [201] * TABLES
    assert known[0].codes == [201] * TABLES
    assert not {s for s in statuses if s.startswith("5")} - {"503"}
    assert loaded <= 2 * quiet
