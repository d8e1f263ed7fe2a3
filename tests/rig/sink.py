"""A mail server that keeps every mail as it came: `python -m tests.rig.sink`.

It is told by a file beside the mails how to answer: a code and words, or `cut`.
"""

import asyncio
import sys
from itertools import count
from pathlib import Path

from aiosmtpd.smtp import SMTP, Envelope, Session

MOOD = "mood"
ACCEPTED = "250 kept"


class Keeper:
    """Writes each mail to a file of its own, in the order they came."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1 + len(list(folder.glob("*.eml"))))

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        file = self._folder / MOOD
        mood = file.read_text() if file.exists() else ACCEPTED
        if mood.startswith(("4", "5")):
            return mood
        content = envelope.original_content or b""
        draft = self._folder / "draft"
        draft.write_bytes(content)
        draft.rename(self._folder / f"{next(self._numbers):06d}.eml")
        if mood == "cut" and server.transport is not None:
            # Kept, but whoever sent it never hears so.
            server.transport.close()
        return ACCEPTED


async def _serve(folder: Path, port: int) -> None:
    keeper = Keeper(folder)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(keeper, enable_SMTPUTF8=True, loop=loop), "127.0.0.1", port
    )
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1]), int(sys.argv[2])))
