"""Addresses of ours: absolute ones, and which of them are for programs."""

from typing import Final

from flask import current_app

API: Final = "/v1"
ALIVE: Final = "/healthz"
READY: Final = "/readyz"
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
