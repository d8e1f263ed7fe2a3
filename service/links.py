"""Mailed links as people and mail programs hand them back, and their nonces."""

import re

from flask import current_app
from itsdangerous import BadSignature, URLSafeSerializer

from service import entropy
from service.config import Config

_FOREIGN = re.compile(r"[^A-Za-z2-7]")


def normalise(raw: str) -> str:
    """The token in what came back: case and whatever was glued to its end forgiven."""
    return _FOREIGN.sub("", raw).lower()[: entropy.TOKEN_LENGTH]


def url(path: str) -> str:
    """An absolute address of ours, made from PUBLIC_URL, never from a request."""
    settings: Config = current_app.config["KINGUP"]
    return settings.public_url + path


def nonce(*bound_to: str | int) -> str:
    """A mark for a form, good only for what it is bound to."""
    return _signer().dumps(list(bound_to))


def is_nonce(mark: str, *bound_to: str | int) -> bool:
    """Whether a form's mark is ours and bound to exactly this."""
    try:
        return bool(_signer().loads(mark) == list(bound_to))
    except BadSignature:
        return False


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.secret_key or "", salt="kingup/form")
