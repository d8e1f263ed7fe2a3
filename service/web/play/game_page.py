"""A game's own page: for everybody, and with its cards for a remembered device."""

from typing import Final
from uuid import UUID

from flask import (
    Blueprint,
    Response,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from engine import notation
from engine.commands import Answer
from engine.errors import Refusal, SeatKept
from service.game import game_files, handlers
from service.game.visibility import is_shown
from service.present import duration, error_texts, phrases
from service.present.languages import gettext as _
from service.rate_limits import charging
from service.store import devices as devicestore
from service.store import tables
from service.store.games import GameReadModel
from service.store.transactions import transaction
from service.values.conflicts import TalkClosed
from service.values.enums import GameStatus
from service.values.errors import (
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    Problem,
    TooManyRequests,
)
from service.values.lines import Line
from service.values.principals import DeviceHolder
from service.web.http import form_tokens, forms, readers, seat_cookies
from service.web.play import (
    board_model,
    card_order,
    choice_form,
    departures,
    kept_seats,
    mail_note,
    next_step,
    overdue,
    page_model,
    past_decisions,
    proposal_forms,
    round_endings,
    standing_form,
    take_back_form,
    talk_forms,
    time_forms,
)
from service.web.play.page_model import PageModel
from service.web.play.past_decisions import AnswerGiven

bp = Blueprint("games", __name__)

_AT_THE_TABLE: Final = (
    *time_forms.ACTS,
    *proposal_forms.ACTS,
    *card_order.ACTS,
    overdue.END_WAIT,
)
_ANCHORS: Final = dict.fromkeys(card_order.ACTS, "cards-by-mail")
"""Where on the page it stands what an act has changed; for others at the top."""


@bp.get("/g/<uuid:game_id>")
def show(game_id: UUID) -> str:
    """The game as this browser may see it, with what its seat has just done."""
    return page(find(game_id), done=forms.number(request.args.get("done", "")))


@bp.get("/g/<uuid:game_id>/record.txt")
def notation_of(game_id: UUID) -> Response:
    """The notation of a game that is over, to be read."""
    text = notation.write(game_files.of(_over(game_id)))
    return Response(text, content_type="text/plain; charset=utf-8")


@bp.get("/g/<uuid:game_id>/record.json")
def record_of(game_id: UUID) -> Response:
    """The record of a game that is over, to be kept and checked."""
    return game_files.download(_over(game_id))


def _over(game_id: UUID) -> GameReadModel:
    """The game, once it is over. Raises NotFound before, and for an unseen one."""
    seen = find(game_id)
    if seen.status != GameStatus.OVER or seen.started_at is None:
        raise NotFound(what="record")
    return seen


def _done(seen: GameReadModel, game: PageModel, decision: int) -> AnswerGiven | None:
    """What the browser's seat has just answered; None once it may act anew."""
    if seen.seat is None or seen.game.last_decision > decision + 1:
        return None
    return past_decisions.answer_of(game, seen.seat, decision)


@bp.post("/g/<uuid:game_id>")
def act(game_id: UUID) -> Response:
    """Answer the open decision for the seat this browser is remembered for.

    Or change the game's time, have it called off, leave the seat, come back to it, or
    have the browser remembered no more.
    """
    seat_cookies.check_origin()
    holder, seen = seat_cookies.holder(game_id), find(game_id)
    wanted = request.form.get("do")
    if holder is not None and wanted in (departures.LEAVE, departures.COME_BACK):
        return _change_hands(seen, holder, wanted)
    if holder is not None and seen.beside is not None:
        return _vote_beside(seen, seen.beside, holder, wanted)
    if holder is None or seen.seat is None:
        raise Forbidden(reason="no-seat")
    match wanted:
        case "forget":
            return _forget(seen, seen.seat, holder)
        case str() as do if do in _AT_THE_TABLE:
            return _at_the_table(seen, seen.seat, holder, do)
        case kept_seats.NAME | kept_seats.END as do:
            return _replace(seen, seen.seat, do)
        case standing_form.LAY | standing_form.DROP:
            return _lay_ahead(seen, seen.seat, holder)
        case str() as do if do in talk_forms.ACTS:
            return _talk(seen, seen.seat, holder, do)
        case take_back_form.TAKE_BACK:
            return _take_back(seen, seen.seat, holder)
        case _:
            return _act(seen, seen.seat, holder)


def _vote_beside(
    seen: GameReadModel, seat: int, holder: DeviceHolder, wanted: str | None
) -> Response:
    """Vote on a proposal while a bot keeps the seat: all else is the bot's to do."""
    if wanted in proposal_forms.VOTES:
        return _at_the_table(seen, seat, holder, wanted)
    why = error_texts.detail(SeatKept(seat))
    return make_response(page(seen, why), 409)


def _act(seen: GameReadModel, seat: int, holder: DeviceHolder) -> Response:
    """Answer the open decision with what was chosen."""
    decision = forms.number(request.form.get("decision", ""))
    sent = request.form.get(form_tokens.FIELD, "")
    if not form_tokens.is_good(sent, "seat", str(seen.id), seat, decision):
        raise Forbidden(reason="no-form-token")
    answer = choice_form.answer_of(request.form)
    if answer is None:
        problem = _("Nothing was chosen, so nothing has happened. Choose first.")
        return make_response(page(seen, problem), 422)
    try:
        line = phrases.typed(request.form.get("line", ""))
    except Invalid as error:
        return make_response(page(seen, choice_form.unsaid(error)), 422)
    return _answer(seen, holder, decision, answer, line)


def _replace(seen: GameReadModel, seat: int, do: str) -> Response:
    """Name somebody else for a kept seat, object to whom another has, or withdraw."""
    try:
        kept_seats.change(seen, seat, do)
    except Forbidden:
        raise
    except (Problem, Refusal) as error:
        why = error_texts.detail(error)
        return make_response(page(seen, why), error_texts.status(error))
    return make_response(redirect(url_for("web.games.show", game_id=seen.id), 303))


def _lay_ahead(seen: GameReadModel, seat: int, holder: DeviceHolder) -> Response:
    """Lay standing answers for the browser's seat, or drop them."""
    try:
        standing_form.change(seen, seat, holder)
    except standing_form.HalfChosen as error:
        return make_response(page(seen, str(error)), 422)
    except (Invalid, Refusal) as error:
        return make_response(
            page(seen, error_texts.detail(error)), error_texts.status(error)
        )
    except handlers.NotAtTable as error:
        raise Forbidden(reason="no-seat") from error
    here = url_for("web.games.show", game_id=seen.id, _anchor="ahead")
    return make_response(redirect(here, 303))


def _at_the_table(
    seen: GameReadModel, seat: int, holder: DeviceHolder, do: str
) -> Response:
    """Change the time, have the game called off, or have cards mailed or no more."""
    try:
        if do == overdue.END_WAIT:
            overdue.end_wait(seen, holder)
        elif do in time_forms.ACTS:
            time_forms.act(seen, seat, holder, do)
        elif do in card_order.ACTS:
            card_order.act(seen, seat, holder, do)
        else:
            proposal_forms.act(seen, seat, holder, do)
    except (Refusal, Conflict) as error:
        why = error_texts.detail(error)
        return make_response(page(find(seen.id), why), error_texts.status(error))
    except handlers.NotAtTable as error:
        raise Forbidden(reason="no-seat") from error
    here = url_for("web.games.show", game_id=seen.id, _anchor=_ANCHORS.get(do))
    return make_response(redirect(here, 303))


def _talk(seen: GameReadModel, seat: int, holder: DeviceHolder, do: str) -> Response:
    """Say something between acts, mute somebody, or report what they said."""
    try:
        talk_forms.act(seen, seat, holder, do)
    except (Invalid, TalkClosed, TooManyRequests) as error:
        why = choice_form.unsaid(error)
        return make_response(page(seen, why), error_texts.status(error))
    except handlers.NotAtTable as error:
        raise Forbidden(reason="no-seat") from error
    here = url_for("web.games.show", game_id=seen.id, _anchor="talk")
    return make_response(redirect(here, 303))


def _forget(seen: GameReadModel, seat: int, holder: DeviceHolder) -> Response:
    """End this browser's cookie, here and in the database; others stay."""
    sent = request.form.get(form_tokens.FIELD, "")
    if not form_tokens.is_good(sent, "forget", str(seen.id), seat):
        raise Forbidden(reason="no-form-token")
    with transaction():
        devicestore.forget_one(holder.token_hash)
    page = render_template("forgotten.html", game_id=seen.id)
    return seat_cookies.drop(make_response(page), seen.id)


def _change_hands(seen: GameReadModel, holder: DeviceHolder, wanted: str) -> Response:
    """Leave the browser's seat to a bot, or come back to it."""
    try:
        if wanted == departures.COME_BACK:
            departures.come_back(seen, holder)
        elif not departures.leave(seen, holder):
            problem = _("You are still in the game: tick the box if you want to leave.")
            return make_response(page(seen, problem), 422)
    except (Refusal, handlers.NotAtTable) as refusal:
        why = error_texts.detail(refusal) if isinstance(refusal, Refusal) else ""
        return make_response(page(find(seen.id), why), 409)
    return make_response(redirect(url_for("web.games.show", game_id=seen.id), 303))


def _take_back(seen: GameReadModel, seat: int, holder: DeviceHolder) -> Response:
    """Take back what the browser's seat has just done; the page asks it anew."""
    try:
        take_back_form.take_back_by_device(seen, seat, holder)
    except (Refusal, handlers.NotAtTable) as refusal:
        why = error_texts.detail(refusal) if isinstance(refusal, Refusal) else ""
        return make_response(page(find(seen.id), why), 409)
    here = url_for("web.games.show", game_id=seen.id, _anchor=next_step.ANCHOR)
    return make_response(redirect(here, 303))


def _answer(
    seen: GameReadModel,
    holder: DeviceHolder,
    decision: int,
    answer: Answer,
    line: Line | None,
) -> Response:
    try:
        handlers.answer(seen.id, holder, decision, answer, line)
    except (Refusal, handlers.NotAtTable) as refusal:
        why = error_texts.detail(refusal) if isinstance(refusal, Refusal) else ""
        return make_response(_refused(find(seen.id), decision, answer, why), 409)
    done = url_for(
        "web.games.show", game_id=seen.id, done=decision, _anchor=next_step.ANCHOR
    )
    return make_response(redirect(done, 303))


def _refused(seen: GameReadModel, decision: int, answer: Answer, why: str) -> str:
    """Why it can't be; what was wanted, what has happened since, what can be done."""
    open_decision = seen.game.decision
    if open_decision is not None and open_decision.number == decision:
        return page(seen, why)
    problem = f"{choice_form.wanted(answer, seen.game.law)} {why}"
    return page(seen, problem, over=decision)


def find(game_id: UUID) -> GameReadModel:
    """The game. Raises NotFound when there is none, or none for this browser.

    From here on the request goes by the clock of whoever the browser is remembered for.
    """
    seen = seat_cookies.read(game_id)
    if seen is None or not seen.proved:
        charging.refuse()
    if seen is None or not is_shown(seen):
        raise NotFound(what="game")
    _address_reader(seen)
    return seen


def _address_reader(seen: GameReadModel) -> None:
    seat = seen.beside if seen.seat is None else seen.seat
    # Whoever practises has said nothing about their clock.
    if seat is None or seen.practice:
        return
    person_id = tables.chairs(seen.id)[seat].person_id
    if person_id is not None:
        readers.address(person_id)


def page(
    seen: GameReadModel,
    problem: str = "",
    over: int | None = None,
    done: int = 0,
) -> str:
    """The page of a game, whatever it has come to.

    It tells first what has happened since the decision `over`, and what the browser's
    seat answered to the decision `done`.
    """
    if not seen.game.seats:
        return render_template("waiting.html", table=seen)
    game = page_model.build(seen, seen.seat, since=over)
    form = next_step.device_form(game)
    return render_template(
        "game.html",
        game=game,
        form=form,
        board=board_model.build(form, game),
        problem=problem,
        done=_done(seen, game, done) if done else None,
        waiting=next_step.awaited(game),
        ending=round_endings.just_now(game),
        # By a link of a mail people see a game whose other pages are hidden from them.
        keeps=is_shown(seen),
        ends=duration.ends_about(seen),
        **_acts(seen),
        # Without an anchor: to the same page with one, browsers only scroll.
        again=url_for("web.games.show", game_id=seen.id, done=request.args.get("done")),
        refresh=_looks_again(seen) and form is None,
    )


def _acts(seen: GameReadModel) -> dict[str, object]:
    """What this browser may do beside answering, by its name in the template."""
    running = seen.status == GameStatus.RUNNING
    return {
        "forget": _forget_token(seen),
        "say": talk_forms.token(seen),
        "ahead": standing_form.of_device(seen),
        "card_order": card_order.offered(seen),
        "leave": departures.leave_token(seen),
        "kept": departures.kept_seat(seen),
        "overdue": overdue.read(seen),
        "away": running and departures.belongs(seen) and not seen.practice,
        "time": time_forms.offered(seen),
        "kept_seats": kept_seats.others(seen, seen.seat),
        "replace": kept_seats.token(seen, seen.seat),
        "back": take_back_form.by_device(seen),
        "proposal": proposal_forms.offered(seen),
        "last_mail": mail_note.line(seen),
    }


def _forget_token(seen: GameReadModel) -> str:
    """The token of the form by which this browser is remembered no more.

    Empty where it isn't, and in practice, which there is no other way back into.
    """
    if seen.seat is None or seen.practice:
        return ""
    return form_tokens.make("forget", str(seen.id), seen.seat)


def _looks_again(seen: GameReadModel) -> bool:
    """Whether the page of a practice game shows by itself what the bots have done."""
    return seen.practice and seen.game.running and "still" not in request.args
