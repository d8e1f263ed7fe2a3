"""A link whose decision is over: what it asked, what has happened, a fresh one."""

from flask import render_template

from engine import views
from service.game import consequences, task_hints
from service.present import nouns, presentation
from service.store import clock, event_log
from service.store.event_log import NoticeRow
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.web.http import opened_links
from service.web.play import choice_form, page_model, past_decisions

_LATEST = 12


def page(seen: GameReadModel, link: LinkRow, token: str, *, problem: str = "") -> str:
    """The page of a link that can't be answered any more.

    It offers a fresh link while the seat is asked again; on a remembered device, the
    game itself.
    """
    decision = link.decision or 0
    game, record = page_model.build(seen, seen.seat), page_model.record(seen)
    question = past_decisions.asked(record, decision)
    nominee = nouns.subject(question.nominee) if question.nominee else ""
    since = page_model.story(game, past_decisions.since(record, decision))
    seated = opened_links.is_seated(link)
    asked_again = seated and presentation.is_asked(game.view, link.seat)
    return render_template(
        "stale.html",
        game=game,
        asked=choice_form.ask(question.kind, nominee) if question.kind else "",
        since=since[-_LATEST:],
        earlier=max(0, len(since) - _LATEST),
        seated=seated,
        answered=seated and past_decisions.by_record(seen, record, link.seat, decision),
        again=asked_again and not seen.practice,
        remembered=seen.seat == link.seat,
        nonce=opened_links.nonce(token, "renew", link.decision),
        problem=problem,
    )


def renew(seen: GameReadModel, link: LinkRow) -> bool:
    """Mail whoever holds a link the decision their seat is asked now, once an hour.

    To their own address alone. Returns whether there is anything to mail.
    """
    view = views.view(seen.game, None)
    decision = view.decision
    if (
        decision is None
        or not presentation.is_asked(view, link.seat)
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
