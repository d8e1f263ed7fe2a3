"""Having a browser remembered for a seat: only by a link that is mailed for it.

Whoever holds another link may have been forwarded it. It causes no more than a mail to
the seat's own person, seldom; only the link in that mail, fresh and once, has the
browser remembered that sends its form.
"""

from typing import Final
from uuid import UUID

from service.game import task_hints
from service.store import clock, devices, event_log, links, people, seats, tables
from service.store.devices import Agent
from service.store.event_log import NoticeRow
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.tables import seating
from service.values.enums import NoticeKind, SeatState

A_DAY: Final = 5
"""The most mails of a kind that a seat can ask for in 24 hours, and one in an hour."""

_BATCH: Final = 8


def ask(game_id: UUID, person_id: UUID, seat: int) -> None:
    """Mail the seat's person a link that has a browser remembered, within the caps.

    Nothing tells whoever asks whether there is a mail, or to which address.
    """
    # An invitation's link causes no more either: it has proved the mailbox, not who
    # reads it now, hours or days later.
    _mail(NoticeKind.REMEMBER, game_id, person_id, seat)


def ask_for_own(game_id: UUID, person_id: UUID, seat: int) -> None:
    """Mail the seat's person the link to their browsers and days off, within the caps.

    For a browser that is remembered for the seat: that lets it act in one game, and
    days off are of all. It learns no more than whoever asks to be remembered.
    """
    _mail(NoticeKind.DEVICES, game_id, person_id, seat)


def _mail(kind: NoticeKind, game_id: UUID, person_id: UUID, seat: int) -> None:
    with transaction():
        person = people.by_id(person_id)
        if person is None or person.address is None:
            return
        day, hour = devices.asked(game_id, person_id, kind)
        if day >= A_DAY or hour:
            return
        # Of two who ask at once, one does.
        key = f"{game_id}/{kind}/{seat}/{clock.now():%Y-%m-%dT%H}"
        row = NoticeRow(key, person_id, seat, kind, None, None)
        event_log.notify(game_id, (row,))
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))


def plant(link: LinkRow, token: str, agent: Agent) -> str | None:
    """A token for the browser that uses a mailed link; None for a link that is over.

    The person of the seat is mailed what is remembered by now.
    """
    with transaction():
        # Held, the game neither ends nor changes hands meanwhile.
        seating.hold(link.game_id)
        chair = tables.chairs(link.game_id)[link.seat]
        theirs = seats.person_of(chair) == link.person_id
        if not theirs or chair.state != SeatState.JOINED or not links.use(token):
            return None
        secret = devices.remember(link.game_id, link.person_id, link.seat, agent)
        devices.make_room(link.game_id, link.person_id)
        devices.tell(link.game_id, _BATCH)
    task_hints.send(task_hints.FOLLOW_UP, str(link.game_id))
    return secret
