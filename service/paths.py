"""Where the API is: what lies below it answers programs, everything else people."""

from typing import Final

from service import links

API: Final = "/v1"
ALIVE: Final = "/healthz"
READY: Final = "/readyz"
_BELOW: Final = f"{API}/"


def is_api(path: str) -> bool:
    """Whether a path is the API's."""
    return path.startswith(_BELOW) or path == API


def api_url(*parts: object) -> str:
    """The absolute address of a thing of the API, by the parts of its path."""
    return links.url("/".join((API, *map(str, parts))))
