"""A mail server that keeps what it takes, a file a mail: `python -m tests.bench.sink`.

A process of its own, so that it costs whoever sends nothing of their interpreter. What
it has said yes to is on the disk, as mail servers promise (RFC 5321, 6.1).
"""

import asyncio
import os
import signal
import sys
from itertools import count
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


class _Keeper:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count()

    async def handle_DATA(self, smtp: SMTP, session: Session, mail: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        await asyncio.to_thread(self._keep, mail.content)
        return "250 OK"

    def _keep(self, content: Any) -> None:
        with (self._folder / f"{next(self._numbers):06}").open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())


def main(port: str, folder: str) -> None:
    """Serve on a port until ended."""
    controller = Controller(_Keeper(Path(folder)), hostname="127.0.0.1", port=int(port))
    controller.start()
    signal.pause()


if __name__ == "__main__":
    main(*sys.argv[1:])
