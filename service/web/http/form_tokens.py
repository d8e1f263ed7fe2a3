"""Form tokens: what a form brings back to show that it is ours (against CSRF)."""

from typing import Final

from flask import current_app
from itsdangerous import BadSignature, URLSafeSerializer

FIELD: Final = "form_token"
"""The field of a form that brings its token back."""


def make(*bound_to: str | int) -> str:
    """A token for a form, good only for what it is bound to."""
    return _signer().dumps(list(bound_to))


def is_good(token: str, *bound_to: str | int) -> bool:
    """Whether a form's token is ours and bound to exactly this."""
    try:
        return bool(_signer().loads(token) == list(bound_to))
    except BadSignature:
        return False


def _signer() -> URLSafeSerializer:
    # Without a time: a page that lies open for a day is good as long as what it is
    # bound to.
    return URLSafeSerializer(current_app.secret_key or "", salt="kingup/form")
