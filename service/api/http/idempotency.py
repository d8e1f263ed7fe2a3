"""Idempotency-Key: a creating request that is sent again gets the answer of the first.

Key and answer are written in the transaction of what was created, so that there is
never one without the other. Requests with the same key at the same time wait for the
first one. What was refused is not kept: it may be tried again with the same key.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from flask import Response, request

from service.api.http import annotations, response_headers, strictjson
from service.api.http.annotations import Secret
from service.auth import bearer
from service.rate_limits import network_digests
from service.store import idempotency
from service.store.idempotency import StoredAnswer
from service.store.tokens import BearerRow
from service.store.transactions import transaction
from service.values.errors import IdempotencyKeyReused, Invalid

HEADER = "Idempotency-Key"
MOST_CHARACTERS = 128
LEAST_WITHOUT_TOKEN = 16
"""Whoever knows the key of a game without an account gets its token anew."""

# A string of RFC 8941, 3.3.3.
_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
_ESCAPED = re.compile(r"\\(.)")
_SPECIAL = re.compile(r'["\\]')

_RENAMED: Mapping[str, str] = {"record": "revision", "view": "view_url"}
"""What fields of kept answers are called now, by what they were called before 0.1.0."""

PARAMETER: Mapping[str, object] = {
    "in": "header",
    "name": HEADER,
    "schema": {"type": "string", "minLength": 1, "maxLength": MOST_CHARACTERS},
    "description": "Your own name for this request: sent again with it, the request"
    " gets the same answer and makes nothing twice. Kept for 7 days. In quotes it is"
    " the same key as without."
    f" Where no token is asked for it has at least {LEAST_WITHOUT_TOKEN} characters:"
    " let nobody guess it.",
}


def answered(act: Callable[..., Any], make: Callable[[], Response]) -> Response:
    """What `make` answers, or has answered before to a request with the same key.

    Raises what `make` raises, and for a header that can't be taken Invalid and
    IdempotencyKeyReused.
    """
    secret = annotations.of(act).once
    sent = None if secret is None else request.headers.get(HEADER)
    if secret is None or sent is None:
        return make()
    scope = annotations.access_of(act).scope
    key = _named(sent, scope)
    with transaction():
        asker = _asker(scope)
        whose = _principal(asker, key)
        asked = _fingerprint()
        found = _earlier(asker, key) or idempotency.claim(whose, key, asked)
        if found is not None:
            return _replayed(found, secret, asked)
        answer = make()
        made = _made(answer, secret.field, asked)
        person_id = None if asker is None else asker.person_id
        idempotency.keep(whose, key, made, person_id)
    return answer


def _named(sent: str, scope: str | None) -> str:
    """The key that a header names: in quotes, as the draft of the IETF has it, or bare.

    Raises Invalid.
    """
    quoted = _QUOTED.fullmatch(sent)
    key = sent if quoted is None else _ESCAPED.sub(r"\1", quoted[1])
    fits = 0 < len(key) <= MOST_CHARACTERS
    if not fits or not key.isascii() or not key.isprintable():
        raise Invalid(header=HEADER, reason="idempotency-key")
    if scope is None and len(key) < LEAST_WITHOUT_TOKEN:
        raise Invalid(header=HEADER, reason="key-too-short")
    return key


def _earlier(asker: BearerRow | None, key: str) -> StoredAnswer | None:
    """An answer that is kept under the key with its quotes.

    As keys were before 0.1.0: good for a week after it.
    """
    escaped = _SPECIAL.sub(r"\\\g<0>", key)
    quoted = f'"{escaped}"'
    return idempotency.find(_principal(asker, quoted), quoted)


def _asker(scope: str | None) -> BearerRow | None:
    """Whose token asks; None where none is asked for.

    Raises Unauthorized, or Forbidden for a missing scope.
    """
    return None if scope is None else bearer.require(bearer.bearer(request, scope))


def _principal(asker: BearerRow | None, key: str) -> bytes:
    """Whose key it is: a person's, or a network's where no token is asked for.

    A token of one game has keys of its own: what its owner may do besides, it mayn't.
    """
    if asker is None:
        return b"from " + network_digests.digest(
            "kept answers", request.remote_addr, key
        )
    only = b"" if asker.game_id is None else asker.game_id.bytes
    return asker.person_id.bytes + only


def _fingerprint() -> bytes:
    """What was asked for, so that a key asks for one thing only.

    Order and white space don't matter: it is made of the JSON itself.
    """
    return _hashed(strictjson.canonical(request.get_data()))


def _hashed(body: bytes) -> bytes:
    asked = f"{request.method} {request.path}\n".encode()
    return hashlib.sha256(asked + body).digest()


def _made(answer: Response, shown_once: str | None, asked: bytes) -> StoredAnswer:
    body = answer.get_data()
    if shown_once is not None:
        body = msgspec.json.encode({**msgspec.json.decode(body), shown_once: None})
    return StoredAnswer(asked, answer.status_code, answer.headers.get("Location"), body)


def _replayed(found: StoredAnswer, secret: Secret, asked: bytes) -> Response:
    # What was kept before 0.1.0 has the body as it came: good for a week after it.
    if found.fingerprint not in (asked, _hashed(request.get_data())):
        raise IdempotencyKeyReused(header=HEADER, reason="reused")
    body = None if found.body is None else _named_as_now(found.body)
    if secret.anew is not None and body is not None:
        fields = msgspec.json.decode(body)
        body = msgspec.json.encode({**fields, secret.field: secret.anew(fields)})
    answer = Response(body, found.status, mimetype="application/json")
    if body is None:
        # It named somebody who has left for good: `Location` is what remains.
        del answer.headers["Content-Type"]
    answer.headers["Cache-Control"] = "no-store"
    answer.headers[response_headers.REPLAYED] = "true"
    if found.location is not None:
        answer.headers["Location"] = found.location
    return answer


def _named_as_now(body: bytes) -> bytes:
    """A body that is kept: before 0.1.0 some fields had other names.

    Good for a week after it.
    """
    fields: dict[str, object] = msgspec.json.decode(body)
    if fields.keys().isdisjoint(_RENAMED):
        return body
    # A game was called by its `id`; so are other things, by now as well.
    renamed = {**_RENAMED, "id": "game"} if "record" in fields else _RENAMED
    return msgspec.json.encode(
        {renamed.get(name, name): value for name, value in fields.items()}
    )
