"""Worker processes on a test's database, with a broker of their own."""

from pathlib import Path

import redis

from service import config
from service.processes import embedded
from tests.rig.house import BOT_DELAY
from tests.rig.parts import Part
from tests.rig.service.seated import run


class Workers:
    """Worker processes on the test's database, with a broker of their own."""

    def __init__(self, folder: Path, environ: dict[str, str]) -> None:
        (folder / "home").mkdir()
        self._broker = embedded.Servers(folder / "home")
        self._broker.start(postgres=False, valkey=True)
        self._folder = folder
        self.redis_url = self._broker.redis_url
        self._environ = config.child_environ(
            {
                "REDIS_URL": self.redis_url,
                "KINGUP_HOME": str(folder),
                "KINGUP_BOT_DELAY": str(BOT_DELAY),
            },
            environ,
        )
        self.parts: list[Part] = []

    @property
    def broker_url(self) -> str:
        """Where tasks are handed in."""
        return config.load(self._environ).broker_url

    def start(self, *commands: tuple[str, ...]) -> None:
        for number, command in enumerate(commands, start=len(self.parts)):
            name = f"part{number}"
            log = self._folder / f"{name}.log"
            part = Part(name, command, self._environ, log, loaded=True)
            self.parts.append(part)
            part.start()

    def stop_broker(self) -> None:
        self._broker.stop()

    def stop(self) -> None:
        for part in self.parts:
            part.kill()
        self._broker.stop()

    def beats(self) -> bool:
        return bool(run("SELECT 1 FROM sign_of_life WHERE name = 'worker'"))

    def listening(self) -> int:
        """How many of them wait for the broker's next task."""
        with redis.Redis.from_url(self.redis_url) as broker:
            return sum(each["cmd"] == "brpop" for each in broker.client_list())

    def in_hand(self) -> int:
        """How many tasks are handed out, and not done."""
        with redis.Redis.from_url(self.redis_url) as broker:
            return int(broker.hlen("unacked"))

    def mails(self) -> int:
        return len(list((self._folder / "mailbox" / "new").glob("*")))
