"""Calendars: the secret address at which a program reads what somebody is asked."""

from collections.abc import Iterator
from contextlib import suppress
from uuid import UUID

from engine.errors import UnreadableLog
from service.game import fresh_questions
from service.people import accounts
from service.present import calendar_entries
from service.present.calendar_entries import OpenQuestion
from service.store import calendars
from service.store.calendars import RunningGame
from service.store.transactions import transaction
from service.values import public_urls

PATH = "/c/{}.ics"


def renew(person_id: UUID) -> str:
    """The new address of somebody's calendar, told once; the one before is no good."""
    with transaction():
        token = calendars.renew(person_id)
    return public_urls.url(PATH.format(token))


def end(person_id: UUID) -> None:
    """End somebody's calendar; without one it changes nothing."""
    with transaction():
        calendars.end(person_id)


def written(person_id: UUID) -> bytes:
    """Somebody's open questions as a calendar, in the language of the request."""
    zone = accounts.known(person_id).profile.zone
    return calendar_entries.written(_questions(calendars.running(person_id)), zone)


def _questions(running: tuple[RunningGame, ...]) -> Iterator[OpenQuestion]:
    """What is asked, whether or not a card is laid.

    Nothing of a game whose log this process can't read: a newer one serves it.
    """
    for row in running:
        with suppress(UnreadableLog):
            decision = fresh_questions.asked(row.game(), row.seat)
            if decision is None:
                continue
            yield OpenQuestion(
                game=row.id,
                decision=decision.number,
                kind=decision.kind,
                nominee=decision.nominee,
                host=row.host,
                opened_at=row.opened_at,
                deadline=row.deadline,
                page=public_urls.url(f"/g/{row.id}"),
            )
