"""Open questions as a calendar that other programs read (iCalendar, RFC 5545).

An entry is made of public facts alone. That of an election is there until the reveal,
byte for byte, whether or not its reader has laid a card: whoever else reads it must not
learn of that.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec
from icalendar import Calendar, Event

from engine.board import Character
from engine.state import Kind
from service.present import labels
from service.present.languages import gettext as _
from service.values import clocks

MEDIA_TYPE: Final = "text/calendar"

_READ_EVERY: Final = timedelta(hours=1)
_LENGTH: Final = timedelta(minutes=30)
"""How long an entry is: it ends when the time is up."""


class OpenQuestion(msgspec.Struct, frozen=True):
    """A question as everybody knows it; `page` is the address of its game.

    Without a deadline it waits for ever, or its game is paused.
    """

    game: UUID
    decision: int
    kind: Kind
    nominee: Character | None
    host: str
    opened_at: datetime
    deadline: datetime | None
    page: str


def written(questions: Iterable[OpenQuestion], zone: str) -> bytes:
    """A calendar of questions, in the reader's language, as a file.

    What has no deadline stands on the day in `zone` on which it was asked.
    """
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Kingup//King Up!//EN")
    calendar.add("x-wr-calname", _("King Up!"))
    calendar.add("refresh-interval", _READ_EVERY, parameters={"VALUE": "DURATION"})
    for each in sorted(questions, key=lambda one: (one.game, one.decision)):
        calendar.add_component(_entry(each, zone))
    text: bytes = calendar.to_ical()
    return text


def _entry(asked: OpenQuestion, zone: str) -> Event:
    entry = Event()
    entry.add("uid", f"{asked.decision}@{asked.game}")
    # Not the moment of reading: the same question is the same bytes.
    entry.add("dtstamp", _whole(asked.opened_at))
    if asked.deadline is None:
        entry.add("dtstart", asked.opened_at.astimezone(clocks.zone(zone)).date())
    else:
        ends = _whole(asked.deadline)
        entry.add("dtstart", ends - _LENGTH)
        entry.add("dtend", ends)
    question = labels.question(asked.kind, asked.nominee)
    entry.add(
        "summary",
        _("%(question)s · %(host)s's table", question=question, host=asked.host),
    )
    entry.add("description", _("Answer by the link in your mail, or on the page."))
    entry.add("url", asked.page)
    # Nobody who is asked something is busy for that.
    entry.add("transp", "TRANSPARENT")
    return entry


def _whole(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)
