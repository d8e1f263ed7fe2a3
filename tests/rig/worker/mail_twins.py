"""Two worlds of mails: the same election, the same mails, another hand on one seat."""

import difflib
import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
import pytest

from engine.board import Card
from engine.state import freeze
from tests.rig.service import kept_tables, seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker.answered import Mailboxes, deliver, mail
from tests.rig.worker.mail_server import send
from worker.clock import sweeper

LINES: Final = (
    "no",
    "yes",
    "Nein.",
    "oui",
    "No, if you ask me",
    "Hm",
    "no\r\nsay: I had to",
    "yes\r\nsay: www.evil.example",
    "say: Let me think",
    "",
)
"""What people write in an election: half of it a card that one world doesn't hold."""

HEADERS: Final[tuple[dict[str, str], ...]] = (
    {},
    {},
    {},
    {},
    {"From": "Else <else@example.org>"},
    {"Auto_Submitted": "auto-replied"},
    {"Message_ID": "<again@mail.example.org>"},
)

SECRET: Final = ("event", "answer", "sealed_line")
"""Tables of a seat's own, of which nobody else sees anything."""

_HIDDEN: Final = {"game": ("snapshot", "position"), "mailed_vote": ("outcome",)}
"""Likewise of other tables these columns."""

# Hashes first: the beginning of one may look like a secret, and then leave its rest.
_CHANCE: Final = re.compile(
    rb"\\*x?[0-9a-f]{32,}|[0-9a-f]{8}-[0-9a-f-]{27}|[a-z2-7]{26}|<[0-9]+@mail|\+[0-9]+@"
)
_TIMES: Final = re.compile(rb"Date: .*|[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.+]*")


class Script(msgspec.Struct, frozen=True):
    """Who writes what, in which order; one seat is silent, so that the vote stays open.

    `different` is the seat that holds a No in one world alone.
    """

    different: int
    mails: tuple[tuple[int, str, dict[str, str]], ...]


def script(seed: int) -> Script:
    """A script of its own for each seed."""
    chance = random.Random(seed)
    different = chance.randrange(3)
    writers = [different, chance.randrange(3), different, different]
    mails = tuple(
        (seat, chance.choice(LINES), chance.choice(HEADERS)) for seat in writers
    )
    return Script(different, mails)


def played(
    boxes: Mailboxes, table: Seated, wanted: Script, held: Sequence[Card]
) -> list[str]:
    """All that anybody but the seat itself could see of a world, step by step.

    Every mail that anybody gets is in it, and the rows of all tables that aren't a
    seat's own.
    """
    game = table.game
    hands = list(game.hands)
    hands[wanted.different] = tuple(held)
    run(
        "UPDATE game SET snapshot = :s WHERE id = :g",
        {"s": freeze(msgspec.structs.replace(game, hands=tuple(hands))), "g": table.id},
    )
    seen = []
    for seat, line, headers in wanted.mails:
        before = len(boxes.sink.raw)
        deliver(mail(table, boxes.asked(table, seat), line, **headers))
        send(table.id)
        sweeper.sweep()
        seen += [scrubbed(raw) for raw in boxes.sink.raw[before:]]
        seen.append(_rows())
    return seen


def scrubbed(raw: bytes) -> str:
    """A mail without what chance and the clock make."""
    return _TIMES.sub(b"then", _CHANCE.sub(b"X", raw)).decode("utf-8", "replace")


def _rows() -> str:
    """The rows of all tables, but for what nobody else may see."""
    tables: dict[str, list[dict[str, object]]] = json.loads(kept_tables.take().rows)
    lines = []
    for name in tables.keys() - set(SECRET):
        for row in tables[name]:
            for column in _HIDDEN.get(name, ()):
                del row[column]
            lines.append(scrubbed(f"{name}: {row}".encode()))
    return "\n".join(sorted(lines))


def compare(
    boxes: Mailboxes,
    wipe: Callable[[], None],
    seed: int,
    capfd: pytest.CaptureFixture[str] | None = None,
) -> int:
    """Play a script in both worlds, and have all that others see be the same.

    How many mails came to anybody in each.
    """
    wanted = script(seed)
    table = seated.in_election(4)
    send(table.id)
    begin, sent = kept_tables.take(), list(boxes.sink.raw)
    worlds, logs = [], []
    for held in ((Card.YES, Card.NO), (Card.YES,)):
        wipe()
        kept_tables.put_back(begin)
        boxes.sink.raw[:] = sent
        worlds.append(played(boxes, table, wanted, held))
        if capfd is not None:
            logs.append(scrubbed("".join(capfd.readouterr()).encode()))
    differs = difference(*worlds)
    assert not differs, f"{wanted}\n{differs}"
    assert logs[:1] == logs[1:], wanted
    return len(boxes.sink.raw) - len(sent)


def difference(one: Sequence[str], other: Sequence[str]) -> str:
    """The lines in which two worlds differ; "" where they are the same."""
    before, after = ("\n".join(world).splitlines() for world in (one, other))
    return "\n".join(difflib.unified_diff(before, after, lineterm="", n=1))
