"""The mailed link to what is somebody's in all games: days off, and a calendar."""

from flask import Response, make_response, redirect, url_for

from service.store.links import LinkRow
from service.values.enums import LinkPurpose
from service.web.http import opened_links


def find(raw: str) -> tuple[str, LinkRow | None]:
    """The token and the link; None where that is no longer good. Raises NotFound."""
    return _if_own(*opened_links.find(raw, LinkPurpose.DEVICES))


def find_posted(raw: str, use: str) -> tuple[str, LinkRow | None]:
    """The same for a form of the link's page, for a use.

    Raises Forbidden for one that is of another page, or site.
    """
    return _if_own(*opened_links.find_posted(raw, use, LinkPurpose.DEVICES))


def _if_own(token: str, link: LinkRow) -> tuple[str, LinkRow | None]:
    return token, link if opened_links.is_own(token, link) else None


def redirect_to_expired(token: str) -> Response:
    """The way to the page that says of such a link that it is no longer good."""
    return make_response(redirect(url_for("web.browsers.show", raw=token), 303))
