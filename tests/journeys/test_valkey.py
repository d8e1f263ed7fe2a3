"""Valkey killed and wiped in the middle of a game: it carried no facts."""

import re
import shutil
from collections import Counter
from pathlib import Path

from service.processes import embedded
from service.values import entropy
from tests.rig import account, house
from tests.rig.house import House
from tests.rig.letters import Letter
from tests.rig.parts import PATIENCE
from tests.rig.people import Table

_URL = re.compile(r"https?://\S+")


class Wiping:
    """Kills Valkey after some mails, starts it empty after more; and once again."""

    def __init__(self, servers: embedded.Servers, folder: Path) -> None:
        self._servers = servers
        self._folder = folder
        self._seen = 0
        self.wiped = 0

    def __call__(self, letter: Letter) -> None:
        self._seen += 1
        if self._seen in (4, 13):
            self._servers.valkey.kill()
        if self._seen in (9, 13):
            shutil.rmtree(self._folder / "valkey")
            self._servers.valkey.start()
            self.wiped += 1


def test_a_game_goes_on_without_valkey_and_tells_nothing_twice(
    own_servers: embedded.Servers, tmp_path: Path
) -> None:
    environ = house.environ_of(own_servers)
    wiping = Wiping(own_servers, tmp_path / "servers")
    built = House(tmp_path / "house", environ, webs=1, workers=1)
    with house.running(built), house.supervised(built):
        # Each start of Valkey and of what ended without it takes its time.
        table = Table(built, 3, patience=PATIENCE)
        table.open(built.urls[0], rounds="1", placement="random")
        table.gather()

        table.play(wiping)

        record = account.fetch(table.host.browser, built.urls[0], table.game_id)
        assert account.settle(table.game_id, record).round == 1
        assert wiping.wiped == 2
        letters = built.letters()
        assert asked_twice(built, letters) == []
        assert told_twice(letters) == []


def asked_twice(built: House, letters: list[Letter]) -> list[object]:
    """Questions that somebody got in two mails of different Message-IDs."""
    asked: Counter[object] = Counter()
    for letter in {each.message_id: each for each in letters}.values():
        token = letter.url.rsplit("/", 1)[1]
        rows = built.rows(
            "SELECT purpose, person_id, seat, decision FROM link WHERE token_hash = %s",
            entropy.digest(token),
        )
        assert len(rows) == 1
        if rows[0][0] != "game":
            asked[rows[0]] += 1
    assert asked
    return [question for question, times in asked.items() if times > 1]


def told_twice(letters: list[Letter]) -> list[object]:
    """Mails of different Message-IDs that say the same to the same person."""
    once = {each.message_id: each for each in letters}.values()
    sent = Counter((each.to, each.subject, _URL.sub("", each.text)) for each in once)
    return [what for what, times in sent.items() if times > 1]
