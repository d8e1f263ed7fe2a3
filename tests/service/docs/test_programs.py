"""What docs/api.md and /docs print for whoever begins does what they say."""

import html
import io
import json
import random
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec
import pytest
from flask import Flask
from werkzeug.serving import make_server

from engine import views
from engine.bots import BOTS
from engine.errors import Refusal
from service import app as application
from service import config
from service.game import handlers, time_up
from service.store import games
from service.values.principals import Bot, System
from tests.rig import apps
from tests.rig.service.manual import ROOT, page, section
from tests.rig.service.seated import run

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

PRINTED = "http://127.0.0.1:8000"
LONGEST = 120
_ANSWER = re.compile(r"/v1/games/([0-9a-f-]+)/decisions/(\d+)/answer")
_CURL = ROOT / "tests" / "rig" / "service" / "curl.py"


class Served:
    """The app behind a port, where the bots of a practice game answer at once.

    The clock is quicker than the first `late` answers that anybody sends.
    """

    def __init__(self, settings: config.Config) -> None:
        self.late = 0
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.app = application.create_app(
            msgspec.structs.replace(settings, public_url=self.url)
        )
        self._over = threading.Event()

    def _answer(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        sent = _ANSWER.fullmatch(environ["PATH_INFO"])
        if sent and self.late:
            self.late -= 1
            with self.app.app_context():
                # Practice has no deadline by itself.
                late = "UPDATE game SET deadline = kingup_now() WHERE id = :g"
                run(late, {"g": UUID(sent[1])})
                time_up.run_out(UUID(sent[1]), int(sent[2]))
        # The app reads until nothing more comes, and this server would wait for more.
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = io.BytesIO(body)
        return self.app(environ, start_response)

    @contextmanager
    def running(self) -> Iterator[None]:
        serving = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        playing = threading.Thread(target=self._play)
        for each in (serving, playing):
            each.start()
        try:
            yield
        finally:
            self._over.set()
            playing.join()
            self._server.shutdown()
            serving.join()
            self._server.server_close()
            apps.put_away(self.app)

    def _play(self) -> None:
        """Let the bots of the games that run answer whatever they are asked."""
        chance = random.Random(7)
        with self.app.app_context():
            while not self._over.wait(0.05):
                for (game_id,) in run("SELECT id FROM game WHERE status = 'running'"):
                    _step(game_id, chance)


def _step(game_id: UUID, chance: random.Random) -> None:
    seen = games.read(game_id, System())
    if seen is None or seen.game.decision is None:
        return
    game, number = seen.game, seen.game.decision.number
    if game.election_complete:
        handlers.resolve(game_id, number)
        return
    for seat in game.asked():
        bot = game.seats[seat].bot
        if bot is not None:
            answer = BOTS[bot](views.view(game, seat), chance)
            # The clock may be quicker here, too.
            with suppress(Refusal):
                handlers.answer(game_id, Bot(seat), number, answer)


@pytest.fixture
def served(app: Flask, settings: config.Config) -> Iterator[Served]:
    found = Served(settings)
    with found.running():
        yield found


def blocks(text: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", text, re.S)


def test_the_whole_games_program_plays_one_though_the_clock_is_quicker_at_times(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    (program,) = blocks(section(page("api.md"), "A whole game"), "python")
    served.late = 2

    exec(program.replace(PRINTED, served.url), {})

    printed = capsys.readouterr().out
    assert printed.count("too late:") == 2
    assert "won by seat [" in printed
    with served.app.app_context():
        assert run("SELECT status FROM game") == [("over",)]


def test_the_same_program_plays_one_by_following_its_turns(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    api = page("api.md")
    (program,) = blocks(section(api, "A whole game"), "python")
    (following,) = blocks(section(api, "Follow your turns"), "python")
    beginning = program.partition("known, running")[0]

    exec(f"{beginning}{following}".replace(PRINTED, served.url), {})

    assert "once more:" not in capsys.readouterr().out
    with served.app.app_context():
        assert run("SELECT status FROM game") == [("over",)]


@pytest.fixture
def shell(tmp_path: Path) -> "Shell":
    return Shell(tmp_path)


class Shell:
    """A shell in a folder of its own, with nothing but python3 and a curl."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        programs = folder / "bin"
        programs.mkdir()
        (programs / "python3").symlink_to(sys.executable)
        curl = programs / "curl"
        curl.write_text(f"#!{sys.executable}\n{_CURL.read_text(encoding='utf-8')}")
        curl.chmod(0o755)
        self._path = f"{programs}:/usr/bin:/bin"

    def run(self, *lines: str) -> str:
        """What they print; each of them has to succeed."""
        done = subprocess.run(
            ("sh", "-eu", "-c", "\n".join(lines)),
            cwd=self._folder,
            env={"PATH": self._path, "LANG": "C.UTF-8"},
            capture_output=True,
            text=True,
            timeout=LONGEST,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def begun(given: str, printed: str) -> str:
    """Lines that name a game and a token, with those of the game that was begun."""
    game = json.loads(printed)
    found = re.sub(r"(?m)^G=.*$", f"G={game['game']}", given)
    return re.sub(r"(?m)^A=.*$", f"A='Authorization: Bearer {game['token']}'", found)


def check_receipt(printed: str, served: Served) -> None:
    receipt = json.loads(printed)
    with served.app.app_context():
        given = run("SELECT decision, source, receipt FROM answer WHERE seat = 0")
    assert [row[:2] for row in given] == [(receipt["decision"], "person")]
    assert json.loads(given[0][2]) == receipt


def test_the_first_steps_of_the_api_page_are_answered_as_they_are_printed(
    served: Served, shell: Shell
) -> None:
    text = page("api.md")
    head = blocks(text.split("## A practice game")[0], "sh")[0]
    head = head.replace(PRINTED, served.url)
    first, _, named = blocks(section(text, "A practice game"), "sh")
    (act,) = blocks(section(text, "Act"), "sh")

    known = begun(named, shell.run(head, first))
    shell.run(head, known, *blocks(section(text, "See"), "sh"))
    receipt = shell.run(head, known, act)

    check_receipt(receipt, served)
    printed = json.loads(blocks(section(text, "Act"), "json")[0])
    assert printed.keys() == json.loads(receipt).keys()
    # Until somebody is put up for king every decision is one event.
    with served.app.app_context():
        [(first_move,)] = run("SELECT min(record) FROM event WHERE type = 'moved'")
    assert printed["revision"] - printed["decision"] == first_move - 1


def test_the_first_steps_of_the_reference_are_answered_as_they_are_printed(
    served: Served, shell: Shell
) -> None:
    text = served.app.test_client().get("/docs").text
    begin = text[text.index('id="begin"') : text.index('class="panel contents"')]
    printed = re.findall(r"<pre.*?>(.*?)</pre>", begin, re.S)
    first, look, wait, act = map(html.unescape, printed)
    head, ask, named = re.split("(curl.*?)(?=G=)", first, flags=re.S)

    known = begun(named, shell.run(head, ask))
    shell.run(head, known, look)
    receipt = shell.run(head, known, wait, act)

    check_receipt(receipt, served)
