"""Mailed links: a look changes nothing, one button opens the cards, the next acts.

Once its decision is over a link tells what it asked and what has happened since, and
has a fresh one mailed while its seat is asked again.
"""

import time

from flask import (
    Blueprint,
    Response,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from engine.commands import Answer
from engine.errors import Refusal
from service.game import fresh_questions, handlers, table_acts
from service.people import remembered_browsers
from service.present import error_texts, nouns, phrases
from service.present.languages import gettext as _
from service.store.games import GameReadModel
from service.store.links import REMEMBER_MINUTES, LinkRow
from service.values import entropy
from service.values.enums import LinkPurpose
from service.values.errors import Forbidden, Invalid
from service.values.principals import LinkHolder
from service.web.http import opened_links, seat_cookies
from service.web.play import (
    board_model,
    card_order,
    choice_form,
    departures,
    fresh_links,
    game_page,
    next_step,
    page_model,
    past_decisions,
    standing_form,
    take_back_form,
)

bp = Blueprint("decisions", __name__)


@bp.get("/d/<path:raw>")
# Some people type links, and some of them in capitals.
@bp.get("/D/<path:raw>")
def show(raw: str) -> str:
    """What is asked, for everybody to see; with the cards on a remembered device."""
    token, link = opened_links.find(
        raw, LinkPurpose.DECISION, LinkPurpose.NEXT, LinkPurpose.GAME
    )
    seen = opened_links.game(link)
    if link.purpose == LinkPurpose.GAME:
        return game_page.page(seen)
    if not _is_open(seen, link):
        return _stale(seen, link, token)
    if seen.seat == link.seat:
        return _opened(seen, link, token)
    return render_template(
        "decision.html",
        game=page_model.build(seen, None, reader=link.seat),
        asked=seen.seats[link.seat].name,
    )


@bp.post("/d/<path:raw>")
@bp.post("/D/<path:raw>")
def act(raw: str) -> Response:
    """Open the cards, answer, or ask for a fresh link, for a device or the question."""
    seat_cookies.check_origin()
    token, link = opened_links.find(raw, LinkPurpose.DECISION, LinkPurpose.NEXT)
    match request.form.get("do"):
        case "open":
            return _open(link, token)
        case "answer":
            return _answer(link, token)
        case "remember":
            return _remember(link, token)
        case "renew":
            return _renew(link, token)
        case departures.COME_BACK:
            return _come_back(link, token)
        case take_back_form.TAKE_BACK:
            return _take_back(link, token)
        case card_order.ORDER | card_order.STOP as do:
            return _order_cards(link, token, do)
        case _:
            raise Invalid(field="do", reason="missing")


def _is_open(seen: GameReadModel, link: LinkRow) -> bool:
    """Whether the link's decision is the open one, and its person still sits there."""
    asked = fresh_questions.asked(seen.game, link.seat)
    is_its_own = asked is not None and asked.number == link.decision
    return is_its_own and opened_links.is_seated(link)


def _open(link: LinkRow, token: str) -> Response:
    seen = opened_links.game(link)
    if not _is_open(seen, link):
        return make_response(_stale(seen, link, token), 409)
    return make_response(_opened(seen, link, token))


def _opened(seen: GameReadModel, link: LinkRow, token: str, problem: str = "") -> str:
    """The cards of the seat, and its choices."""
    game = page_model.build(seen, link.seat)
    form = next_step.link_form(token, link.decision or 0, game)
    ahead = standing_form.of_link(seen, link.seat)
    return render_template(
        "opened.html",
        game=game,
        form=form,
        board=board_model.build(form, game),
        problem=problem,
        ahead=ahead,
        card_order=card_order.by_link(seen, link, token),
        remembered=seen.seat == link.seat,
    )


def _order_cards(link: LinkRow, token: str, do: str) -> Response:
    """Have the cards mailed to their owner, or no more; they stay open."""
    seen = opened_links.game(link)
    if not _is_open(seen, link):
        return make_response(_stale(seen, link, token), 409)
    try:
        card_order.act_by_link(link, token, do)
    except card_order.NotMeant:
        problem = _("Nothing was ticked, so nothing has happened. Tick the box first.")
        return make_response(_opened(seen, link, token, problem), 422)
    except (Refusal, handlers.NotAtTable):
        return make_response(_stale(opened_links.game(link), link, token), 409)
    return _open(link, token)


def _answer(link: LinkRow, token: str) -> Response:
    answer = choice_form.answer_of(request.form)
    if answer is None or not opened_links.has_form_token(
        token, "answer", link.decision
    ):
        seen = opened_links.game(link)
        if not _is_open(seen, link):
            return make_response(_stale(seen, link, token), 409)
        problem = _("Nothing was chosen, so nothing has happened. Choose first.")
        return make_response(_opened(seen, link, token, problem), 422)
    holder = LinkHolder(entropy.digest(token))
    try:
        line = phrases.typed(request.form.get("line", ""))
        receipt = handlers.answer(
            link.game_id, holder, link.decision or 0, answer, line
        )
    except Invalid as error:
        return _unsaid(link, token, error)
    except (Refusal, handlers.NotAtTable) as refusal:
        return _refused(link, token, refusal, answer)
    seen = opened_links.game(link)
    if not _is_latest(seen, link):
        return make_response(_stale(seen, link, token))
    return make_response(_answered(seen, link, token, answer, receipt))


def _unsaid(link: LinkRow, token: str, error: Invalid) -> Response:
    """What is wrong with the line of an answer, which wasn't given, then."""
    seen = opened_links.game(link)
    if not _is_open(seen, link):
        return make_response(_stale(seen, link, token), 409)
    problem = choice_form.unsaid(error)
    return make_response(_opened(seen, link, token, problem), 422)


def _is_latest(seen: GameReadModel, link: LinkRow) -> bool:
    """Whether nothing but the link's own decision and the next one were put since.

    An answer sent again is welcome for ever, but a link dies with its decision: what
    comes later, and the cards held then, are no longer its matter.
    """
    return seen.game.last_decision <= (link.decision or 0) + 1


def _refused(link: LinkRow, token: str, refusal: Exception, answer: Answer) -> Response:
    """Why it can't be; what was wanted, what has happened since, what can be done."""
    seen = opened_links.game(link)
    why = error_texts.detail(refusal) if isinstance(refusal, Refusal) else ""
    if _is_open(seen, link):
        return make_response(_opened(seen, link, token, why), 409)
    problem = f"{choice_form.wanted(answer, seen.game.law)} {why}"
    return make_response(_stale(seen, link, token, problem=problem), 409)


def _answered(
    seen: GameReadModel, link: LinkRow, token: str, answer: Answer, receipt: bytes
) -> str:
    """What was done, and the next thing to do."""
    game = page_model.build(seen, link.seat)
    # A mailed link reaches one question further, and no chain of them grows from it.
    form = (
        None if link.purpose == LinkPurpose.NEXT else next_step.fresh_form(game, link)
    )
    remembered = seen.seat == link.seat
    return render_template(
        "answered.html",
        game=game,
        done=past_decisions.in_words(game, answer, link.decision or 0),
        receipt=past_decisions.receipt(receipt, link.seat),
        form=form,
        board=board_model.build(form, game),
        waiting=next_step.waiting(game),
        back=take_back_form.by_link(seen, link, token),
        remember=None
        if remembered
        else opened_links.form_token(token, "remember", _hour()),
    )


def _remember(link: LinkRow, token: str) -> Response:
    """Mail the seat's person a link that has a device remembered.

    This one has not: it may have been forwarded. The form is good for this hour and
    the next: bots may have played on, but an old page causes no mail.
    """
    hour = _hour()
    if not any(
        opened_links.has_form_token(token, "remember", h) for h in (hour, hour - 1)
    ):
        raise Forbidden(reason="no-form-token")
    if not opened_links.is_seated(link):
        raise Forbidden(reason="no-seat")
    remembered_browsers.ask(link.game_id, link.person_id, link.seat)
    page = render_template("remember_mailed.html", minutes=REMEMBER_MINUTES)
    return make_response(page)


def _hour() -> int:
    return int(time.time()) // 3600


def _renew(link: LinkRow, token: str) -> Response:
    """Mail a fresh link, if there is something to answer."""
    seen = opened_links.game(link)
    marked = opened_links.has_form_token(token, "renew", link.decision)
    if not marked or _is_open(seen, link) or not fresh_links.mail(seen, link):
        return make_response(_stale(seen, link, token), 409)
    return make_response(render_template("renewed.html"))


# The link of a question that is over does this one thing: whoever lets three days pass
# has no other, and what it gives back is the seat of the person it was mailed to.
def _come_back(link: LinkRow, token: str) -> Response:
    """Give a seat that a bot keeps back to the person of the link."""
    opened_links.check_form_token(token, departures.COME_BACK, link.decision)
    holder = LinkHolder(entropy.digest(token))
    try:
        table_acts.come_back(link.game_id, holder, link.seat, link.decision)
    except (Refusal, handlers.NotAtTable) as refusal:
        why = error_texts.detail(refusal) if isinstance(refusal, Refusal) else ""
        seen = opened_links.game(link)
        return make_response(_stale(seen, link, token, problem=why), 409)
    return make_response(redirect(url_for("web.decisions.show", raw=token), 303))


def _take_back(link: LinkRow, token: str) -> Response:
    """Take the answer of the link back, and ask anew at once."""
    try:
        reopened = take_back_form.take_back_by_link(link, token)
    except (Refusal, handlers.NotAtTable) as refusal:
        why = error_texts.detail(refusal) if isinstance(refusal, Refusal) else ""
        seen = opened_links.game(link)
        return make_response(_stale(seen, link, token, problem=why), 409)
    seen = opened_links.game(link)
    asked = fresh_questions.asked(seen.game, link.seat)
    # What was made for one question leads no further: for the others there is a mail.
    is_open = asked is not None and asked.number == reopened
    if link.purpose == LinkPurpose.NEXT or not is_open:
        return make_response(_stale(seen, link, token))
    game = page_model.build(seen, link.seat)
    form = next_step.fresh_form(game, link)
    page = render_template(
        "answered.html",
        game=game,
        done=_("You took that back."),
        receipt="",
        form=form,
        board=board_model.build(form, game),
        waiting="",
        back=None,
        remember=None,
    )
    return make_response(page)


def _stale(seen: GameReadModel, link: LinkRow, token: str, *, problem: str = "") -> str:
    """The page of a link that can't be answered any more.

    It offers a fresh link while the seat is asked again; on a remembered device, the
    game itself.
    """
    decision = link.decision or 0
    seated = opened_links.is_seated(link)
    # What the clock did "for you" it did for whoever sits there now.
    reader = link.seat if seated else None
    game = page_model.build(seen, seen.seat, reader=reader, since=decision)
    question = past_decisions.asked(game.record, decision)
    nominee = nouns.subject(question.nominee) if question.nominee else ""
    left = seen.game.running and opened_links.has_left(link)
    return render_template(
        "stale.html",
        game=game,
        asked=choice_form.ask(question.kind, nominee) if question.kind else "",
        seated=seated,
        left=left,
        come_back=opened_links.form_token(token, departures.COME_BACK, link.decision)
        if left and departures.may_come_back(seen, link.seat)
        else "",
        named=left and departures.is_named(seen, link.seat),
        answered=seated and past_decisions.by_record(game, link.seat, decision),
        again=seated
        and fresh_questions.asked(seen.game, link.seat) is not None
        and not seen.practice,
        remembered=seen.seat == link.seat,
        back=take_back_form.by_link(seen, link, token),
        form_token=opened_links.form_token(token, "renew", link.decision),
        problem=problem,
    )
