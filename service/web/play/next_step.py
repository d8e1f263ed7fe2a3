"""What comes next for somebody who has just acted: their next decision, or the wait."""

from typing import Final

from flask import url_for

from service.present.languages import gettext as _
from service.present.presentation import Presentation
from service.store import links as linkstore
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values.enums import LinkPurpose
from service.web.http import form_tokens, opened_links
from service.web.play import choice_form
from service.web.play.choice_form import ChoiceForm
from service.web.play.page_model import PageModel

ANCHOR: Final = "choose"
"""Where on a page something is to be chosen, or was: a browser stands there next."""


def device_form(game: PageModel) -> ChoiceForm | None:
    """The decision form of a remembered browser; None when its seat isn't asked."""
    asked = choice_form.asked(game)
    if asked is None:
        return None
    own, question = asked
    # Good for one decision.
    bound_to = ("seat", str(game.id), own.seat, question.number)
    action = url_for("web.games.show", game_id=game.id, _anchor=ANCHOR)
    return choice_form.form(game, action, form_tokens.make(*bound_to))


def link_form(token: str, decision: int, game: Presentation) -> ChoiceForm | None:
    """The decision form behind a mailed link; None when nothing is to be answered."""
    form_token = opened_links.form_token(token, "answer", decision)
    action = url_for("web.decisions.show", raw=token, _anchor=ANCHOR)
    return choice_form.form(game, action, form_token)


def fresh_form(game: PageModel, link: LinkRow) -> ChoiceForm | None:
    """The form of the next decision at once, on a link made for it; or None.

    For whoever has just acted on that seat by a mailed link: they needn't wait for the
    mail. What they act on next leads no further.
    """
    asked = choice_form.asked(game)
    if asked is None:
        return None
    _own, question = asked
    # Another purpose than a mailed link's, so that no chain of links grows from it.
    row = LinkRow(
        LinkPurpose.NEXT, link.game_id, link.person_id, link.seat, question.number
    )
    with transaction():
        token = linkstore.add(row)
    return link_form(token, question.number, game)


def waiting(game: Presentation) -> str:
    """Whom the game waits for, told to somebody who isn't asked now."""
    if game.question is None:
        return _("The game is over.")
    if not game.turn:
        return _("When every card is in, they are turned over together.")
    return _("Now it is %(name)s's turn.", name=game.turn)


def awaited(game: Presentation) -> str:
    """What a page that looks again by itself waits for.

    In an election it names nobody: that would tell who has laid a card.
    """
    if game.question is None:
        return ""
    asked = [player for player in game.players if player.asked or not game.turn]
    if all(player.bot or player.me for player in asked):
        return _("The bots are thinking.")
    if not game.turn:
        return _("Waiting until every card is in.")
    return _("Waiting for %(name)s.", name=game.turn)
