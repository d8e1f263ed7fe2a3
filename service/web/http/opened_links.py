"""What a mailed link that somebody opens is good for."""

from hashlib import sha256

from flask import request

from service.rate_limits import charging
from service.store import links as linkstore
from service.store import seats, tables
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.store.tables import SeatRecord
from service.store.transactions import transaction
from service.values import signed_tokens
from service.values.enums import LinkPurpose
from service.values.errors import Forbidden, NotFound
from service.web.http import form_tokens, readers, seat_cookies


def find(raw: str, *purposes: LinkPurpose) -> tuple[str, LinkRow]:
    """The token and the link of what came back from a mail. Raises NotFound.

    From here on the request speaks the language of the person it was mailed to.
    """
    token = signed_tokens.normalise(raw)
    with transaction():
        link = linkstore.find(token)
    if link is None or link.purpose not in purposes:
        # So whoever tries links out soon has to wait, before any of them is looked up.
        charging.refuse()
        raise NotFound(what="link")
    readers.address(link.person_id)
    return token, link


def find_posted(raw: str, use: str, purpose: LinkPurpose) -> tuple[str, LinkRow]:
    """The same for a form of the link's page, for a use; it tells of no decision.

    Raises Forbidden for one that is of another page, or site.
    """
    seat_cookies.check_origin()
    token, link = find(raw, purpose)
    check_form_token(token, use, None)
    return token, link


def game(link: LinkRow) -> GameReadModel:
    """The game of a link, read as what this browser is remembered for, if anything."""
    seen = seat_cookies.read(link.game_id)
    if seen is None:
        raise NotFound(what="game")
    return seen


def is_seated(link: LinkRow) -> bool:
    """Whether the person still sits where the link says."""
    chair = _chair(link)
    return chair is not None and seats.person_of(chair) == link.person_id


def has_left(link: LinkRow) -> bool:
    """Whether a bot keeps the link's seat for the person."""
    chair = _chair(link)
    return (
        chair is not None
        and chair.bot is not None
        and chair.person_id == link.person_id
    )


def is_theirs(link: LinkRow) -> bool:
    """Whether the seat is the person's, whether they play it or a bot keeps it."""
    return is_seated(link) or has_left(link)


def is_own(token: str, link: LinkRow) -> bool:
    """Whether a link to what is somebody's is good still, and its seat theirs."""
    with transaction():
        return linkstore.is_open(token) and is_theirs(link)


def _chair(link: LinkRow) -> SeatRecord | None:
    chairs = tables.chairs(link.game_id)
    return chairs[link.seat] if link.seat < len(chairs) else None


def form_token(token: str, use: str, decision: int | None) -> str:
    """The token of a form on a link's page; it doesn't tell the link."""
    return form_tokens.make(use, _digest(token), decision or 0)


def has_form_token(token: str, use: str, decision: int | None) -> bool:
    """Whether the form that was sent came from that link's page, for that use."""
    sent = request.form.get(form_tokens.FIELD, "")
    return form_tokens.is_good(sent, use, _digest(token), decision or 0)


def check_form_token(token: str, use: str, decision: int | None) -> None:
    """Refuse a form of another page, or for another use. Raises Forbidden."""
    if not has_form_token(token, use, decision):
        raise Forbidden(reason="no-form-token")


# It stands in the page: whoever is sent that must not learn the link.
def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()[:16]
