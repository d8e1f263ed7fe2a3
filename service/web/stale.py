"""A link whose decision is over: what it asked, what has happened, what can be done."""

from flask import render_template

from service import i18n
from service.store.games import Seen
from service.store.links import LinkRow
from service.web import doings, links, past, play
from service.web.shown import is_asked, record, shown, told

_LATEST = 12


def page(seen: Seen, link: LinkRow, token: str, *, problem: str = "") -> str:
    """The page of a link that can't be answered any more.

    It offers a fresh link while the seat is asked again; on a remembered device, the
    game itself.
    """
    game = shown(seen, seen.seat)
    events = record(seen)
    question = past.asked(events, link.decision or 0)
    nominee = i18n.called(question.nominee) if question.nominee else ""
    since = told(seen, past.since(events, link.decision or 0))
    seated = links.is_seated(link)
    return render_template(
        "stale.html",
        game=game,
        asked=play.ask(question.kind, nominee) if question.kind else "",
        since=since[-_LATEST:],
        earlier=max(0, len(since) - _LATEST),
        seated=seated,
        answered=seated
        and doings.answered(seen, events, link.seat, link.decision or 0),
        again=seated and is_asked(game.view, link.seat) and not seen.practice,
        remembered=seen.seat == link.seat,
        nonce=links.nonce(token, "renew", link.decision),
        problem=problem,
    )
