"""The bots in examples/ play whole games, each in a process that may be killed."""

import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.auth import bearer
from tests.rig import account
from tests.rig.browser import Browser
from tests.rig.engine.referee import Referee
from tests.rig.house import ROOT, House
from tests.rig.parts import Part, wait_until
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run

EXAMPLES = ROOT / "examples"
LONGEST = 240.0
BETWEEN_KILLS = 2
KINDS = {"move", "election"}
_TURN = re.compile(r"/decisions/(\d+)/answer (\{.*\})$")
_RECORD = re.compile(r"^[\d-]+ [\d:,]+ (\d+) [a-z_]+$")


@pytest.fixture(scope="module")
def standing_house(build: Callable[..., House]) -> House:
    """One web process and one worker, for all games of this file."""
    return build(webs=1, workers=1)


@pytest.fixture
def solid_house(standing_house: House, app: Flask) -> Iterator[House]:
    """The house on clean databases, beside the app itself."""
    with app.app_context():
        yield standing_house


_BARE = """
import runpy, sys
folder, *sys.argv = sys.argv[1:]
sys.path.insert(0, folder)
runpy.run_path(f"{folder}/{sys.argv[0]}", run_name="__main__")
"""


def bot_on(built: House, seat: int, token: str, *script: str) -> Part:
    """One of the examples, still to be started."""
    environ = {"KINGUP_URL": built.urls[0], "KINGUP_TOKEN": token}
    # As a bare Python, so that nothing installed here can help.
    command = (sys.executable, "-I", "-S", "-c", _BARE, str(EXAMPLES), *script)
    folder = Path(tempfile.mkdtemp(dir=built.folder))
    return Part(f"bot{seat}", command, environ, folder / f"bot{seat}.log")


@contextmanager
def playing(built: House, table: Seated) -> Iterator[list[Part]]:
    """A bot on each seat, in turn one that asks and one that follows the stream."""
    addresses = run(
        "SELECT p.address FROM seat s JOIN person p ON p.id = s.person_id"
        " WHERE s.game_id = :g ORDER BY s.number",
        {"g": table.id},
    )
    bots = []
    for seat, (address,) in enumerate(addresses):
        script = ("stream_bot.py", str(table.id)) if seat % 2 else ("bot.py",)
        bots.append(bot_on(built, seat, bearer.issue_token(address), *script))
    for bot in bots:
        bot.start()
    try:
        yield bots
    finally:
        for bot in bots:
            bot.kill()
            sys.stdout.write(f"--- {bot.name}\n{bot.printed()}\n")


def is_over(table: Seated) -> bool:
    return seated.status(table.id) == "over"


def answers(table: Seated) -> dict[int, list[int]]:
    """The decisions that each seat has answered itself."""
    rows = run(
        "SELECT seat, decision, source FROM answer WHERE game_id = :g"
        " ORDER BY decision",
        {"g": table.id},
    )
    assert {source for _, _, source in rows} == {"person"}
    seats = range(len(table.principals))
    return {seat: [d for s, d, _ in rows if s == seat] for seat in seats}


def settled(built: House, table: Seated) -> Referee:
    """The game as the naive referee judges it: every rule and every hash is checked."""
    record = account.fetch(Browser(), built.urls[0], str(table.id))
    return account.settle(str(table.id), record)


def logged(bot: Part) -> list[int]:
    """The decisions that a bot says it has answered."""
    found = map(_TURN.search, bot.log.read_text().splitlines())
    return [int(line[1]) for line in found if line]


def kinds(bot: Part) -> set[str]:
    """What kinds of answers a bot says it has given."""
    found = map(_TURN.search, bot.log.read_text().splitlines())
    return {json.loads(line[2])["kind"] for line in found if line}


def busy(bot: Part, table: Seated) -> bool:
    """Whether a bot has something to lose, unless the game is over."""
    return bool(logged(bot)) or is_over(table)


@pytest.mark.parametrize("edition", ["classic", "jester"])
def test_four_bots_play_a_game_to_its_end_and_log_a_line_an_answer(
    solid_house: House, edition: str
) -> None:
    table = seated.started(4, edition=edition, rounds=1)
    began = time.monotonic()

    with playing(solid_house, table) as bots:
        wait_until(lambda: is_over(table), "the end of the game", LONGEST)
        took = time.monotonic() - began
        wait_until(lambda: not bots[1].alive and not bots[3].alive, "the bots' end")
        assert bots[0].alive
        assert bots[2].alive

    referee = settled(solid_house, table)
    assert (referee.book.name, referee.n, referee.round) == (edition, 4, 1)
    given = answers(table)
    assert {seat: logged(bot) for seat, bot in enumerate(bots)} == given
    for bot in bots:
        said = bot.log.read_text()
        assert "refused" not in said
        assert "Traceback" not in said
    heard = [int(m[1]) for m in map(_RECORD.match, said.splitlines()) if m]
    # From the first view on nothing is missed and nothing heard twice.
    assert heard == list(range(heard[0], heard[-1] + 1))
    assert heard[-1] == record_of(table)
    sys.stdout.write(f"{edition}: {referee.answers} answers in {took:.0f} s\n")


def record_of(table: Seated) -> int:
    return int(run("SELECT record FROM game WHERE id = :g", {"g": table.id})[0][0])


def has_come_to(record: int, table: Seated) -> bool:
    return record_of(table) >= record or is_over(table)


def test_bots_that_are_killed_at_random_and_started_again_finish_the_game(
    solid_house: House,
) -> None:
    table = seated.started(4, rounds=2)
    mind, kills = random.Random(7), 0

    with playing(solid_house, table) as bots:
        began = time.monotonic()
        while not is_over(table):
            assert time.monotonic() - began < LONGEST
            bot = mind.choice(bots)
            wait_until(partial(busy, bot, table), "a word of the bot's")
            # However slowly they start, the game goes on between the kills.
            enough = record_of(table) + BETWEEN_KILLS
            wait_until(partial(has_come_to, enough, table), "further answers")
            time.sleep(mind.random() * 0.2)
            if bot.alive and not is_over(table):
                bot.kill()
                kills += 1
                bot.start()
        wait_until(lambda: not bots[1].alive and not bots[3].alive, "the bots' end")

    referee = settled(solid_house, table)
    given = answers(table)
    assert (referee.n, referee.round) == (4, 2)
    assert sum(map(len, given.values())) == referee.answers
    # Whatever a bot says it has answered, it has; a killed one may have said less.
    assert all(set(logged(bot)) <= set(given[seat]) for seat, bot in enumerate(bots))
    assert kills > 10
    sys.stdout.write(f"{referee.answers} answers, {kills} kills\n")


def test_bots_go_on_by_themselves_after_the_service_was_gone(
    solid_house: House,
) -> None:
    [web] = solid_house.webs
    table = seated.started(4, rounds=2)
    mind = random.Random(8)

    with playing(solid_house, table) as bots:
        for _ in range(3):
            so_far = sum(len(logged(bot)) for bot in bots)
            wait_until(partial(more_than, so_far + 8, bots), "further answers")
            time.sleep(mind.random() * 0.1)
            assert not is_over(table)
            web.kill()
            time.sleep(mind.random())
            web.start()
        wait_until(lambda: is_over(table), "the end of the game", LONGEST)
        wait_until(lambda: not bots[1].alive and not bots[3].alive, "the bots' end")

    settled(solid_house, table)
    # Each of them was there all the time, and knows of every answer it has given.
    assert {seat: logged(bot) for seat, bot in enumerate(bots)} == answers(table)
    said = bots[3].log.read_text()
    heard = [int(m[1]) for m in map(_RECORD.match, said.splitlines()) if m]
    assert heard == list(range(heard[0], record_of(table) + 1))


def more_than(count: int, bots: list[Part]) -> bool:
    return sum(len(logged(bot)) for bot in bots) > count


def test_the_token_of_a_practice_game_is_enough_for_a_bot(
    solid_house: House, client: FlaskClient
) -> None:
    begun = client.post("/v1/practice-games", json={"edition": "jester"}).json
    bot = bot_on(solid_house, 0, begun["token"], "bot.py")

    bot.start()

    # The other seats' bots take their time: the end of the game is waited for above.
    try:
        wait_until(lambda: kinds(bot) == KINDS, "an answer of each kind", LONGEST)
    finally:
        bot.kill()
        sys.stdout.write(bot.printed())
