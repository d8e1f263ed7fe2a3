"""Notices on their way: composed into mails, checked against the truth, sent."""

from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

import structlog
from flask import current_app
from flask_babel import force_locale

from service import wake
from service.config import Config
from service.store import mails
from service.store.mails import ClaimedMail, Notice
from service.store.transactions import transaction
from worker import faults, letter, mail, transport, truth
from worker.smtp import Fate, Outcome
from worker.truth import Truth

DELIVER: Final = "kingup.deliver_mail"

CLAIM_SECONDS: Final = 10.0
"""The lease for checking and rendering a mail."""

SENDING_SECONDS: Final = 45.0
"""The lease for an attempt: longer than the transport's patience."""

_FIRST_WAIT: Final = 30.0
_LONGEST_WAIT: Final = 60 * 60.0
_GIVE_UP: Final = 4 * 24 * 60 * 60.0

_MISSED_AFTER: Final = 3.0
"""Seconds after which a wake-up for a notice or mail must have been lost."""

_BATCH: Final = 50

_log = structlog.get_logger()


def _settings() -> Config:
    settings: Config = current_app.config["KINGUP"]
    return settings


def post(game_id: UUID) -> None:
    """Compose a game's unmailed notices into mails and have them delivered.

    All but the first are left to others, so that a slow mail server delays few.
    """
    host = urlsplit(_settings().public_url).hostname or "localhost"
    with transaction():
        composed = mails.compose(game_id, host)
    for mail_id in composed[1:]:
        wake.send(DELIVER, str(mail_id))
    for mail_id in composed[:1]:
        deliver(mail_id)


def sweep() -> None:
    """Post and deliver what no wake-up came for; each mail fails by itself."""
    with transaction():
        games = mails.unposted(_MISSED_AFTER, _BATCH)
    for game_id in games:
        with faults.contained("posting_failed", game=str(game_id)):
            post(game_id)
    with transaction():
        overdue = mails.overdue(_MISSED_AFTER, _BATCH)
    for mail_id in overdue:
        with faults.contained("mail_failed", mail=str(mail_id)):
            deliver(mail_id)


def deliver(mail_id: UUID) -> None:
    """Send one mail, if it is due and still has something true to tell."""
    with transaction():
        claimed = mails.claim(mail_id, CLAIM_SECONDS)
    if claimed is None:
        return
    with transaction():
        body = _prepare(claimed)
    if body is None:
        # Whatever was still true in it goes into a fresh mail.
        post(claimed.game_id)
        return
    outcome = transport.send(body, _settings())
    with transaction():
        _conclude(claimed, outcome)


def _prepare(claimed: ClaimedMail) -> bytes | None:
    """The bytes to send now, kept for a repeat; None when it isn't sent."""
    told = mails.notices(claimed.id)
    now = truth.read(claimed.game_id, claimed.person_id)
    live = () if now is None else tuple(n for n in told if truth.holds(n, now))
    dead = [notice for notice in told if notice not in live]
    mails.supersede(dead)
    if now is None or not live or (claimed.body is not None and dead):
        mails.release(live)
        mails.settle(claimed, "superseded")
        return None
    body = claimed.body or _render(claimed, live, now)
    return body if mails.keep(claimed, body, SENDING_SECONDS) else None


def _render(claimed: ClaimedMail, live: tuple[Notice, ...], now: Truth) -> bytes:
    with force_locale(now.language):
        return mail.render(letter.write(claimed, live, now), _settings().mail_from)


def _conclude(claimed: ClaimedMail, outcome: Outcome) -> None:
    match outcome.fate:
        case Fate.SENT:
            mails.settle(claimed, "sent")
        case Fate.REFUSED:
            mails.settle(claimed, "failed", outcome.reason)
            _log.warning("mail_refused", mail=str(claimed.id), reason=outcome.reason)
        case Fate.LATER:
            doublings = min(claimed.attempts - 1, 10)
            wait = min(_FIRST_WAIT * 2**doublings, _LONGEST_WAIT)
            reason = outcome.reason or ""
            later = mails.put_off(claimed, reason, wait, outcome.maybe, _GIVE_UP)
            if not later:
                mails.settle(claimed, "failed", reason)
            _log.warning("mail_put_off", mail=str(claimed.id), reason=reason)
