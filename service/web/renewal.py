"""A fresh link for somebody whose old one is over, to their own address alone."""

from engine import views
from service import clock, plan, wake
from service.store import log
from service.store.games import Seen
from service.store.links import LinkRow
from service.store.log import NoticeRow
from service.store.transactions import transaction
from service.web import links
from service.web.shown import is_asked


def renew(seen: Seen, link: LinkRow) -> bool:
    """Mail whoever holds a link the decision their seat is asked now, once an hour.

    Returns whether there is anything to mail.
    """
    view = views.view(seen.game, None)
    decision = view.decision
    if decision is None or not is_asked(view, link.seat) or not links.is_seated(link):
        return False
    with transaction():
        hour = clock.now().strftime("%Y-%m-%dT%H")
        key = f"{seen.id}/fresh/{decision.number}/{link.seat}/{hour}"
        notice = NoticeRow(
            key,
            link.person_id,
            link.seat,
            plan.question_of(decision.kind),
            decision.number,
            seen.record,
        )
        log.notify(seen.id, (notice,))
    wake.send(wake.POST, str(seen.id))
    return True
