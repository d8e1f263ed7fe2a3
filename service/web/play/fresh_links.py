"""Fresh links, mailed to whoever holds one whose question is over."""

from engine.state import Decision
from service.game import consequences, task_hints
from service.store import clock, event_log
from service.store.event_log import NoticeRow
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.store.outbox import FRESH
from service.store.transactions import transaction
from service.web.http import opened_links


def asked(seen: GameReadModel, link: LinkRow) -> Decision | None:
    """The decision that the link's seat is asked now, as everybody may know."""
    decision = seen.game.decision
    if decision is None or decision.seat not in (None, link.seat):
        return None
    return decision


def mail(seen: GameReadModel, link: LinkRow) -> bool:
    """Mail whoever holds a link the decision their seat is asked now, once an hour.

    To their own address alone. Returns whether there is anything to mail.
    """
    decision = asked(seen, link)
    if decision is None or not opened_links.is_seated(link):
        return False
    with transaction():
        hour = clock.now().strftime("%Y-%m-%dT%H")
        key = f"{seen.id}/{FRESH}/{decision.number}/{link.seat}/{hour}"
        notice = NoticeRow(
            key,
            link.person_id,
            link.seat,
            consequences.question_of(decision.kind),
            decision.number,
            seen.record,
        )
        event_log.notify(seen.id, (notice,))
    task_hints.send(task_hints.FOLLOW_UP, str(seen.id))
    return True
