"""A fresh link for somebody whose old one is over, to their own address alone."""

from engine import views
from service.game import consequences, task_hints
from service.store import clock, event_log
from service.store.event_log import NoticeRow
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.web.http import opened_links
from service.web.play.page_model import is_asked


def renew(seen: GameReadModel, link: LinkRow) -> bool:
    """Mail whoever holds a link the decision their seat is asked now, once an hour.

    Returns whether there is anything to mail.
    """
    view = views.view(seen.game, None)
    decision = view.decision
    if (
        decision is None
        or not is_asked(view, link.seat)
        or not opened_links.is_seated(link)
    ):
        return False
    with transaction():
        hour = clock.now().strftime("%Y-%m-%dT%H")
        key = f"{seen.id}/fresh/{decision.number}/{link.seat}/{hour}"
        notice = NoticeRow(
            key,
            link.person_id,
            link.seat,
            consequences.question_of(decision.kind),
            decision.number,
            seen.record,
        )
        event_log.notify(seen.id, (notice,))
    task_hints.send(task_hints.POST, str(seen.id))
    return True
