"""Fresh links, mailed to whoever holds one whose question is over."""

from service.game import fresh_questions
from service.game.fresh_questions import Reader
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.web.http import opened_links


def mail(seen: GameReadModel, link: LinkRow) -> bool:
    """Mail whoever holds a link the decision their seat is asked now, once an hour.

    To their own address alone. Returns whether there is anything to mail.
    """
    decision = fresh_questions.asked(seen.game, link.seat)
    if decision is None or not opened_links.is_seated(link):
        return False
    fresh_questions.mail(seen, decision, Reader(link.person_id, link.seat))
    return True
