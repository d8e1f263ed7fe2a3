"""A link whose decision is over: what it asked, what has happened, what can be done."""

from flask import render_template

from service.present import nouns
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.web.http import opened_links
from service.web.play import choice_form, past, past_acts
from service.web.play.page_model import is_asked, record, shown, told

_LATEST = 12


def page(seen: GameReadModel, link: LinkRow, token: str, *, problem: str = "") -> str:
    """The page of a link that can't be answered any more.

    It offers a fresh link while the seat is asked again; on a remembered device, the
    game itself.
    """
    game = shown(seen, seen.seat)
    events = record(seen)
    question = past.asked(events, link.decision or 0)
    nominee = nouns.subject(question.nominee) if question.nominee else ""
    since = told(seen, past.since(events, link.decision or 0))
    seated = opened_links.is_seated(link)
    return render_template(
        "stale.html",
        game=game,
        asked=choice_form.ask(question.kind, nominee) if question.kind else "",
        since=since[-_LATEST:],
        earlier=max(0, len(since) - _LATEST),
        seated=seated,
        answered=seated
        and past_acts.answered(seen, events, link.seat, link.decision or 0),
        again=seated and is_asked(game.view, link.seat) and not seen.practice,
        remembered=seen.seat == link.seat,
        nonce=opened_links.nonce(token, "renew", link.decision),
        problem=problem,
    )
