"""What every page tells a browser: keep nothing, run nothing, put me in no frame."""

from collections.abc import Mapping
from typing import Final

from flask import Response, g

_POLICY: Final[Mapping[str, str]] = {
    "default-src": "'none'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}

_HEADERS: Final[Mapping[str, str]] = {
    # Whoever uses the machine next must not see the cards with the back button.
    "Cache-Control": "no-store",
    # A mailed link is a secret that stands in the page's address.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
}


def allow_mail_styles() -> None:
    """Let this page show a mail, whose styles stand in its elements."""
    # A frame without an address of its own inherits the policy of its page.
    g.content_policy = {**_POLICY, "style-src": "'self' 'unsafe-inline'"}


def protect(response: Response) -> Response:
    """The response with the headers of a page."""
    policy: Mapping[str, str] = g.get("content_policy", _POLICY)
    response.headers["Content-Security-Policy"] = "; ".join(
        f"{name} {value}" for name, value in policy.items()
    )
    response.headers.update(_HEADERS)
    return response
