"""Notices on their way: composed into mails, checked against the truth, sent.

A mail server that is slow holds up the thread that talks to it, for WHOLE_SECONDS of
worker/outgoing/conversation.py at most, and nobody else: the other mails of a game wait
for its first one until a sweep finds them, after _MISSED_AFTER seconds. Should every
thread hang, all mails wait that long at most, for each failure puts its mail off twice
as long as the one before. Deadlines, bots and elections don't wait: a thread of
worker/clock/loops.py does nothing else.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final
from uuid import UUID

import msgspec
import structlog
from flask import current_app

from service import config
from service.game import task_hints
from service.present import languages
from service.store import code_mails as codemailstore
from service.store import codes as codestore
from service.store import composition, devices, outbox
from service.store.code_mails import CodeMail
from service.store.outbox import Claim, ClaimedMail, MailKey, MailState, Notice
from service.store.transactions import transaction
from service.values import entropy
from service.values.enums import NoticeKind
from worker import error_isolation
from worker.outgoing import (
    code_mails,
    content,
    daily_cap,
    kind_rules,
    late_questions,
    my_cards,
    openings,
    quiet_hours,
    reachability,
    relevance,
    return_paths,
    signing,
    table_talk,
    transport,
)
from worker.outgoing import render as rendering
from worker.outgoing.openings import Opening, ReplyAddress
from worker.outgoing.relevance import Relevance
from worker.outgoing.render import AnyContent
from worker.outgoing.smtp import DeliveryOutcome, Fate
from worker.outgoing.transport import Parcel

CLAIM_SECONDS: Final = 10.0
"""The lease for checking and rendering a mail."""

SENDING_SECONDS: Final = 45.0
"""The lease for an attempt: longer than the transport's patience."""

_FIRST_WAIT: Final = 30.0
_LONGEST_WAIT: Final = 60 * 60.0
# RFC 5321, 4.5.4.1: four to five days at least.
_GIVE_UP: Final = 4 * 24 * 60 * 60.0

_CAPPED_WAIT: Final = 60.0
"""After so many seconds a code's mail is looked at again that had to wait."""

_MISSED_AFTER: Final = 3.0
"""Seconds after which a task hint for a notice or mail must have been lost."""

_BATCH: Final = 50

PATIENCE_SECONDS: Final = 20.0
"""After this a sweep begins nothing more, however much is left."""

_log = structlog.get_logger()


def _nothing() -> None:
    """What most posts have to do first."""


def post(game_id: UUID, deed: Callable[[], None] = _nothing) -> None:
    """Compose a game's unmailed notices into mails and have them delivered.

    `deed` is done first, in the same transaction: what it causes, and is due by then,
    is told with it. The first mail leaves from here: rendered beside it the others
    would only slow it down. They queue up behind whatever is more urgent. Raises what
    keeps the first from being written; none is lost for that, and the deed is done all
    the same.
    """
    try:
        with transaction():
            # The first mail is written with it, for another commit would cost it one
            # more millisecond; `make bench` measures the whole way. With
            # MAIL_SETTLE_SECONDS above 0 only what waits for nothing is: the end of a
            # game, or an answer to a mail.
            deed()
            composed = _compose(game_id)
            attempt = _prepare(composed[0]) if composed else None
    except Exception:
        with transaction():
            deed()
        queue(game_id)
        raise
    try:
        if attempt is not None and attempt.parcel is not None:
            _send(attempt.mail, attempt.parcel)
    finally:
        _hint_at(composed[1:])


def post_all(
    game_ids: Sequence[UUID],
    deeds: Mapping[UUID, Callable[[], None]] = MappingProxyType({}),
) -> None:
    """Post what several games have to tell, after their deeds; each fails by itself.

    Only the first mail of the first game leaves from here: no game waits for the mail
    server of another one's mail.
    """
    for game_id in game_ids[1:]:
        with error_isolation.contained("posting_failed", game=str(game_id)):
            queue(game_id, deeds.get(game_id, _nothing))
    for game_id in game_ids[:1]:
        with error_isolation.contained("posting_failed", game=str(game_id)):
            post(game_id, deeds.get(game_id, _nothing))


def queue(game_id: UUID, deed: Callable[[], None] = _nothing) -> tuple[MailKey, ...]:
    """Compose a game's unmailed notices into mails, each delivered in its turn.

    Returns which. Unlike `post` it never waits for a mail server.
    """
    with transaction():
        deed()
        composed = _compose(game_id)
    _hint_at(composed)
    return composed


def _compose(game_id: UUID) -> tuple[MailKey, ...]:
    """Put a game's unmailed notices into mails, in the caller's transaction."""
    return composition.compose(game_id, config.of(current_app).mail_domain)


def _hint_at(composed: Sequence[MailKey]) -> None:
    for key in composed:
        task_hints.send(task_hints.DELIVER, str(key.id), str(key.person_id))


def sweep() -> None:
    """Post and deliver what no task hint came for; each mail fails by itself.

    Begins no mail after PATIENCE_SECONDS: the rest is left to the next sweep.
    """
    end = time.monotonic() + PATIENCE_SECONDS
    with transaction():
        missed = outbox.missed(_MISSED_AFTER, _BATCH)
    _deliver_until(end, missed.mails)
    for game_id in missed.games:
        if time.monotonic() > end:
            return
        # One game after the other: mails that were composed and wait are found by other
        # sweeps, too. Nobody is hinted at them.
        composed: tuple[MailKey, ...] = ()
        contained = error_isolation.contained("posting_failed", game=str(game_id))
        with contained, transaction():
            composed = _compose(game_id)
        _deliver_until(end, composed)


def _deliver_until(end: float, keys: Sequence[MailKey]) -> None:
    for key in keys:
        if time.monotonic() > end:
            return
        # The number of a code is told to its asker alone: it is no part of a log.
        mail = "of a code" if key.person_id is None else str(key.id)
        with error_isolation.contained("mail_failed", mail=mail):
            deliver(key)


def deliver(key: MailKey) -> None:
    """Send one mail, if it is due and still has something true to tell.

    One that can't be written comes back later, and later at each attempt.
    """
    try:
        with transaction():
            attempt = _prepare_code(key) if key.person_id is None else _prepare(key)
    except Exception:
        with transaction():
            # The claim was rolled back with the rest: without another one the mail
            # would be due at once again, and fail again, without end.
            _claim_again(key)
        raise
    if attempt is None:
        return
    if attempt.parcel is not None:
        _send(attempt.mail, attempt.parcel)
    elif attempt.game_id is not None:
        # Whatever was still true in it goes into a fresh mail.
        post(attempt.game_id)


def _claim_again(key: MailKey) -> None:
    """Have a mail wait for its next attempt, longer than for this one."""
    if key.person_id is None:
        codemailstore.claim(key.id, CLAIM_SECONDS)
    else:
        outbox.claim(key, CLAIM_SECONDS)


class _Attempt(msgspec.Struct, frozen=True):
    """A mail that was claimed, and what to send of it: None when it is false by now.

    `game_id` is None for a mail that brings a code.
    """

    mail: Claim
    parcel: Parcel | None
    game_id: UUID | None


def _prepare(key: MailKey) -> _Attempt | None:
    """Claim a mail, check it, render it; its bytes are kept for a repeat.

    Inside the caller's transaction. None for a mail that isn't due, or has to wait.
    """
    mail = outbox.claim(key, CLAIM_SECONDS)
    if mail is None:
        return None
    now = relevance.read(mail)
    later = None if now is None else _waits_until(now)
    if later is not None:
        outbox.hold(mail, later, late=False)
        return None
    live = (
        ()
        if now is None
        else tuple(n for n in mail.notices if kind_rules.holds(n, now))
    )
    # What waits for its moment goes along with what is due, and never by itself.
    due = any(notice.due for notice in live)
    if not daily_cap.take(mail, live, now):
        outbox.hold(mail, daily_cap.again_at(mail.now), late=True)
        return None
    dead = [notice for notice in mail.notices if notice not in live]
    outbox.supersede(mail.game_id, dead)
    # Bytes that were rendered may have reached a mail server, so they never change
    # under the same Message-ID: what still holds goes into a fresh mail.
    if now is None or not due or (mail.body is not None and dead):
        outbox.release(mail.game_id, live)
        outbox.settle(mail, MailState.SUPERSEDED)
        return _Attempt(mail, None, mail.game_id)
    return _Attempt(mail, _parcel(mail, live, now), mail.game_id)


def _waits_until(now: Relevance) -> datetime | None:
    """Until when a mail waits; None for one that leaves at once."""
    morning = quiet_hours.wait(now.mail.notices, now)
    return morning or return_paths.wait(now.mail)


def _parcel(mail: ClaimedMail, live: tuple[Notice, ...], now: Relevance) -> Parcel:
    """What is sent of a mail: its bytes of an earlier attempt, or new ones, kept."""
    returns_to = return_paths.fresh()
    if mail.body is not None:
        body = mail.body
        outbox.keep(mail, None, SENDING_SECONDS, returns_to=returns_to)
    else:
        # First: a device that is remembered meanwhile may be listed twice, never not.
        if any(notice.kind is NoticeKind.DEVICES for notice in live):
            devices.mark_notified(mail.game_id, mail.reader.id)
        opened = openings.make(live, mail)
        leaving, reply = openings.unsubscribing(live, mail), openings.reply(live, mail)
        body = _render(live, now, opened, leaving, reply)
        secrets = (*opened.values(), leaving, *((reply,) if reply is not None else ()))
        links = {each.token: each.link for each in secrets}
        told = content.named(live, now), table_talk.through(live, now)
        outbox.keep(mail, body, SENDING_SECONDS, links, *told, returns_to)
    address = content.recipient(mail, live[0]).addr_spec
    sender = None if returns_to is None else return_paths.address(returns_to)
    return Parcel(mail.message_id, address, body, sender)


def _prepare_code(key: MailKey) -> _Attempt | None:
    """The same for a mail that brings a code: superseded once the code is over."""
    mail = codemailstore.claim(key.id, CLAIM_SECONDS)
    if mail is None:
        return None
    if not mail.live:
        outbox.settle(mail, MailState.SUPERSEDED)
        return _Attempt(mail, None, None)
    if not daily_cap.take_for_code(mail):
        outbox.put_off(mail, "daily cap", _CAPPED_WAIT, False, _GIVE_UP)
        return None
    body, fresh = mail.body, None
    if body is None:
        body = fresh = _render_code(mail)
    codemailstore.keep(mail, fresh, SENDING_SECONDS)
    address = code_mails.recipient(mail).addr_spec
    return _Attempt(mail, Parcel(mail.message_id, address, body), None)


def _render_code(mail: CodeMail) -> bytes:
    """Make the code and the mail that brings it; beside the mail its hash is kept."""
    code = entropy.code()
    codestore.write(mail.key.id, code)
    with languages.speaking(languages.of_mails(mail.language)):
        return _signed(mail, code_mails.write(mail, code))


def _render(
    live: tuple[Notice, ...],
    now: Relevance,
    opened: Mapping[NoticeKind, Opening],
    leaving: Opening,
    reply: ReplyAddress | None,
) -> bytes:
    lead = openings.lead(live)
    with languages.speaking(languages.of_mails(now.mail.reader.profile.language)):
        if lead.kind is NoticeKind.MY_CARDS:
            words = my_cards.write(lead, now, opened[lead.kind], leaving)
            return _signed(now.mail, words)
        return _signed(now.mail, content.write(live, now, opened, reply, leaving))


def _signed(mail: Claim, words: AnyContent) -> bytes:
    """The bytes of a mail, with our signature if we have a key."""
    settings = config.of(current_app)
    rendered = rendering.render(words, settings.mail_from)
    return signing.signed(rendered, mail.now, settings)


def _send(mail: Claim, parcel: Parcel) -> None:
    # Outside of any transaction: a mail server that takes its time would hold rows and
    # a connection with it.
    outcome = transport.send(parcel, config.of(current_app))
    with transaction():
        _conclude(mail, outcome)
        reachability.record(outcome)
    if outcome.fate is Fate.SENT and isinstance(mail, ClaimedMail):
        late_questions.make_up(mail)


def _conclude(mail: Claim, outcome: DeliveryOutcome) -> None:
    match outcome.fate:
        case Fate.SENT:
            outbox.settle(mail, MailState.SENT)
        case Fate.REFUSED:
            outbox.settle(mail, MailState.FAILED, outcome.reason)
            _log.warning("mail_refused", mail=mail.message_id, reason=outcome.reason)
        case Fate.LATER:
            doublings = min(mail.attempts - 1, 10)
            wait = min(_FIRST_WAIT * 2**doublings, _LONGEST_WAIT)
            reason = outcome.reason or ""
            later = outbox.put_off(mail, reason, wait, outcome.maybe, _GIVE_UP)
            if not later:
                outbox.settle(mail, MailState.FAILED, reason)
            _log.warning("mail_put_off", mail=mail.message_id, reason=reason)
