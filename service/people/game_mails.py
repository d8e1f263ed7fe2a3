"""Ending the mails of a game for one person, and having them come again."""

from uuid import UUID

from service.game import fresh_questions, task_hints
from service.game.fresh_questions import Reader
from service.store import clock, event_log, people, seats, tables, unsubscribed
from service.store.event_log import NoticeRow
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values.enums import NoticeKind


def end(link: LinkRow, *, everywhere: bool = False) -> None:
    """End the mails of a link's game for its person; again it does nothing.

    With `everywhere` those of all their games. One last mail tells it: one a day,
    however often somebody who holds a link changes their mind.
    """
    with transaction():
        new = unsubscribed.add(_games(link, everywhere), link.person_id)
        person = people.by_id(link.person_id)
        reads = person is not None and person.address is not None
        if link.game_id in new and reads:
            _tell(link)
    if link.game_id in new:
        task_hints.send(task_hints.FOLLOW_UP, str(link.game_id))


def resume(link: LinkRow, *, everywhere: bool = False) -> None:
    """Let the mails of a link's game come again; `everywhere` those of all games.

    What these ask was told to nobody meanwhile: it is mailed now.
    """
    with transaction():
        resumed = unsubscribed.remove(_games(link, everywhere), link.person_id)
    for game_id in resumed:
        for chair in tables.chairs(game_id):
            if seats.person_of(chair) == link.person_id:
                reader = Reader(link.person_id, chair.number)
                fresh_questions.mail_open(game_id, reader)


def _games(link: LinkRow, everywhere: bool) -> list[UUID]:
    if not everywhere:
        return [link.game_id]
    others = unsubscribed.games_of(link.person_id)
    return [link.game_id, *(game for game in others if game != link.game_id)]


def _tell(link: LinkRow) -> None:
    # A link tells the seat that its mail was for. Whoever has none, since they were
    # only named for it, is told so all the same.
    key = f"{link.game_id}/{NoticeKind.UNSUBSCRIBED}/{link.person_id}/{clock.now():%F}"
    kind = NoticeKind.UNSUBSCRIBED
    row = NoticeRow(key, link.person_id, link.seat, kind, None, None)
    event_log.notify(link.game_id, (row,))
