"""Addresses of ours: absolute ones, and which of them are for programs."""

from collections.abc import Mapping
from typing import Final

from flask import current_app

from service.values.enums import LinkPurpose

API: Final = "/v1"
ALIVE: Final = "/healthz"
READY: Final = "/readyz"
LINK_PAGES: Final[Mapping[LinkPurpose, str]] = {
    LinkPurpose.DECISION: "d",
    LinkPurpose.GAME: "d",
    LinkPurpose.PROPOSAL: "p",
    LinkPurpose.TABLE: "t",
    LinkPurpose.INVITATION: "i",
    LinkPurpose.REPLACEMENT: "o",
    LinkPurpose.REMEMBER: "r",
    LinkPurpose.DEVICES: "b",
    LinkPurpose.UNSUBSCRIBE: "u",
}
"""By what a mailed link is good for: the page that stands in front of its secret."""

_BELOW: Final = f"{API}/"


def is_api(path: str) -> bool:
    """Whether a path is the API's."""
    return path.startswith(_BELOW) or path == API


def url(path: str) -> str:
    """An absolute address of ours, made from PUBLIC_URL, never from a request."""
    public_url: str = current_app.config["PUBLIC_URL"]
    return public_url + path


def api_url(*parts: object) -> str:
    """The absolute address of a thing of the API, by the parts of its path."""
    return url("/".join((API, *map(str, parts))))
