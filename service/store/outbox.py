"""Notices and the mails that carry them, as rows.

A mail goes queued → claimed → sending → sent | retry | failed | superseded. Whoever
claims one has it for a lease; `attempts` tells one claim from the next.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final
from uuid import UUID

import msgspec

from service.store import leased_queue, people, sql, unsubscribed
from service.store.leased_queue import IS_HELD, LEASE_ANEW
from service.store.links import LinkRow
from service.store.people import PersonRow
from service.store.tables import SeatRecord
from service.values import entropy
from service.values.enums import NoticeKind, SeatState


class MailState(StrEnum):
    """How far a mail is; the last three settle it."""

    QUEUED = "queued"
    CLAIMED = "claimed"
    SENDING = "sending"
    RETRY = "retry"
    SENT = "sent"
    FAILED = "failed"
    SUPERSEDED = "superseded"


FRESH: Final = "fresh"
"""Stands in the keys of questions that somebody has mailed to themself on a page."""

MISSED: Final = "missed"
"""Stands in the keys of questions that are mailed by the wish of whoever typed their
reader's address."""

_MOST_NEWS = 500
"""More than a reader misses of any game; the rest would be left untold."""

_MISSED = """SELECT ARRAY(SELECT game_id FROM notice
        WHERE mail_id IS NULL AND superseded_at IS NULL
            AND due_at < kingup_now() - make_interval(secs => %(age)s)
        GROUP BY game_id ORDER BY min(due_at) LIMIT %(limit)s) AS games,
    (SELECT json_agg(json_build_array(id, person_id) ORDER BY claim_at) FROM (
        SELECT id, person_id, claim_at FROM mail WHERE settled_at IS NULL
            AND claim_at < kingup_now() - make_interval(secs => %(age)s)
        UNION ALL SELECT id, NULL, claim_at FROM mailed_code WHERE settled_at IS NULL
            AND claim_at < kingup_now() - make_interval(secs => %(age)s)
        ORDER BY claim_at LIMIT %(limit)s) waiting) AS mails"""

_KEYS: Final = {
    "mail": "person_id = %(person)s AND id = %(mail)s",
    "mailed_code": "id = %(mail)s",
}
"""By what a row is found that is mailed: codes have a table of their own."""


def taking(table: str) -> str:
    """The SQL that takes what is mailed for a lease, if it is due, and free."""
    also = f"""state = '{MailState.CLAIMED}',
        accepted_maybe = accepted_maybe OR state = '{MailState.SENDING}',"""
    which = f"{_KEYS[table]} AND settled_at IS NULL"
    return leased_queue.claim(table, "id", which, also=also)


def keeping(table: str, more: str = "") -> str:
    """The SQL that keeps what is about to be sent for another lease, with new bytes."""
    return f"""UPDATE {table} SET state = '{MailState.SENDING}',
        body = coalesce(%(body)s, body), {more} {LEASE_ANEW}
    WHERE {_KEYS[table]} AND {IS_HELD}"""


# A server that refuses what people have said refuses each mail that says it again; the
# page has it. What happened is told again all the same: those words are ours.
_FOR_ITS_WORDS: Final = "5__ at data"

_UNSUBSCRIBED = unsubscribed.IS_IT.format(game="mine.game_id", person="%(person)s")
# Each mail is looked up by its key, and OFFSET keeps that apart: else all mails of the
# reader might be read anew for each notice, those of other games too.
_CLAIM = f"""WITH mine AS ({taking("mail")}
        RETURNING id, game_id, person_id, message_id, body, accepted_maybe, attempts
    ), passed AS MATERIALIZED (
        SELECT n.cause, n.superseded_at, t.* FROM notice n CROSS JOIN LATERAL (
            SELECT state, record, newest_message, written_at, created_at, settled_at
            FROM mail WHERE person_id = %(person)s AND id = n.mail_id
                AND (state = '{MailState.SENT}' OR state = '{MailState.FAILED}'
                    AND error LIKE '{_FOR_ITS_WORDS}') OFFSET 0) t
        WHERE n.game_id = (SELECT game_id FROM mine) AND n.person_id = %(person)s
    ), heard AS (
        SELECT * FROM passed WHERE state = '{MailState.SENT}'
            AND cause IS NOT NULL AND superseded_at IS NULL
        ORDER BY coalesce(record, cause) DESC, newest_message DESC NULLS LAST,
            settled_at DESC LIMIT 1
    )
    SELECT mine.*, kingup_now() AS now, {_UNSUBSCRIBED} AS unsubscribed,
        EXISTS (SELECT FROM mail b WHERE b.person_id = %(person)s
            AND b.bounced_at IS NOT NULL) AS bounces,
        p.address, p.address_key, p.name, p.language, p.zone, p.program,
        p.quiet_from, p.quiet_to, p.weekends, p.mails,
        p.verified_at IS NOT NULL AS verified,
        (SELECT json_agg(json_build_array(convert_from(e.public, 'UTF8'), e.version)
            ORDER BY e.record) FROM (SELECT public, version, record FROM event
            WHERE game_id = mine.game_id
                AND record > coalesce(heard.record, heard.cause, 0)
            ORDER BY record LIMIT {_MOST_NEWS}) e) AS news,
        (SELECT json_agg(json_build_array(n.key, n.seat, n.kind, n.decision, n.cause,
            extract(epoch FROM kingup_now() - n.created_at), n.due_at <= kingup_now())
            ORDER BY n.created_at, n.key) FROM notice n
            WHERE n.game_id = mine.game_id AND n.person_id = %(person)s
                AND n.mail_id = mine.id AND n.superseded_at IS NULL) AS notices,
        coalesce(heard.written_at, heard.created_at) AS heard_at,
        greatest(CASE WHEN heard.cause IS NULL THEN 0 ELSE heard.newest_message END,
            (SELECT max(newest_message) FROM passed
                WHERE state = '{MailState.FAILED}')) AS told,
        g.newest_message AS said, g.record,
        (SELECT json_agg(json_build_array(s.number, s.person_id, s.bot, s.name, s.state)
            ORDER BY s.number) FROM seat s WHERE s.game_id = mine.game_id) AS chairs
    FROM mine JOIN person p ON p.id = %(person)s
    LEFT JOIN game g ON g.id = mine.game_id LEFT JOIN heard ON true"""
_SUPERSEDE = """UPDATE notice SET superseded_at = kingup_now()
    WHERE game_id = %(game)s AND key = ANY(%(notices)s)"""
_RELEASE = """UPDATE notice SET mail_id = NULL
    WHERE game_id = %(game)s AND key = ANY(%(notices)s)"""
_TOLD: Final = """people = coalesce(CAST(%(people)s AS uuid[]), people),
        newest_message = coalesce(CAST(%(newest)s AS int), newest_message),
        record = coalesce(CAST(%(record)s AS int), record),
        written_at = coalesce(CAST(%(written_at)s AS timestamptz), written_at),"""
_KEEP = f"""WITH opened AS (
        INSERT INTO link (token_hash, purpose, game_id, person_id, seat, decision)
        SELECT decode(hash, 'hex'), purpose, game_id, person_id, seat, decision
        FROM json_to_recordset(CAST(%(links)s AS json)) AS l (hash text, purpose text,
            game_id uuid, person_id uuid, seat smallint, decision int)
    )
    {keeping("mail", f"return_hash = %(returns)s, {_TOLD}")}"""
_SETTLE = {
    table: f"""UPDATE {table} SET state = %(state)s, error = %(error)s, body = NULL,
        {"people = NULL," if table == "mail" else ""} settled_at = kingup_now()
    WHERE {key} AND {IS_HELD}"""
    for table, key in _KEYS.items()
}
# Untried it takes up what is new; one that a server may have keeps what it tells.
_HOLD = f"""WITH waiting AS (
        UPDATE notice SET due_at = greatest(due_at, %(until)s)
        WHERE game_id = %(game)s AND person_id = %(person)s AND mail_id = %(mail)s
            AND superseded_at IS NULL AND NOT %(late)s
    )
    UPDATE mail SET claim_at = %(until)s, attempts = attempts - 1,
        state = CASE WHEN body IS NULL THEN '{MailState.QUEUED}'
            ELSE '{MailState.RETRY}' END
    WHERE {_KEYS["mail"]} AND {IS_HELD}"""
_PUT_OFF = {
    table: f"""UPDATE {table} SET state = '{MailState.RETRY}', error = %(error)s,
        accepted_maybe = accepted_maybe OR %(maybe)s,
        claim_at = kingup_now() + make_interval(secs => %(wait)s)
    WHERE {key} AND {IS_HELD}
        AND created_at > kingup_now() - make_interval(secs => %(patience)s)"""
    for table, key in _KEYS.items()
}


class MailKey(msgspec.Struct, frozen=True, array_like=True):
    """Which mail it is: one of a person's, or without one that of a code."""

    id: UUID
    person_id: UUID | None = None

    @property
    def table(self) -> str:
        """Where its row is."""
        return "mailed_code" if self.person_id is None else "mail"

    @property
    def values(self) -> dict[str, UUID | None]:
        """What finds it in a statement."""
        return {"mail": self.id, "person": self.person_id}


_WAITED_FOR: Final = (
    NoticeKind.CONFIRM,
    NoticeKind.REMEMBER,
    NoticeKind.DEVICES,
    NoticeKind.NOT_COUNTED,
    NoticeKind.TOO_LATE,
    NoticeKind.MAIL_READ,
    NoticeKind.UNREAD,
)


class Notice(msgspec.Struct, frozen=True, array_like=True):
    """Something its mail shall tell; `cause` is the record number it tells of.

    `age` is in seconds; what isn't `due` yet only goes along with what is.
    """

    key: str
    seat: int
    kind: NoticeKind
    decision: int | None
    cause: int | None
    age: float = 0.0
    due: bool = True

    @property
    def is_waited_for(self) -> bool:
        """Whether somebody has just asked, on a page or by a mail, and waits for it."""
        return self.kind in _WAITED_FOR or self.is_repeated

    @property
    def is_repeated(self) -> bool:
        """Whether it was told before, and its reader has it mailed once more."""
        return f"/{FRESH}/" in self.key

    @property
    def is_strangers_wish(self) -> bool:
        """Whether it may be that nobody has proved anything who has it mailed."""
        return self.kind is NoticeKind.CONFIRM or f"/{MISSED}/" in self.key


class Claim(msgspec.Struct, frozen=True):
    """A mail that is ours for the length of its lease, whatever it tells.

    `body` is what an earlier attempt has rendered; `accepted_maybe` tells that one may
    have been accepted by a mail server; `now` is the time of the claim.
    """

    key: MailKey
    message_id: str
    body: bytes | None
    accepted_maybe: bool
    attempts: int
    now: datetime


class ClaimedMail(Claim, frozen=True):
    """A claimed mail about a game, with all it is checked against.

    `news` is the record behind what a sent mail has told the reader of, as stored, with
    its versions, and `record` the number it ends with; `told` the message up to which
    one has told what was said, or was refused for its words, None where nobody noted
    that, and `said` the newest there is; `heard_at` is when the latest was written;
    `unsubscribed` tells that the reader wants no mails of the game, and `bounces` that
    some of theirs have come back.
    """

    game_id: UUID
    reader: PersonRow
    unsubscribed: bool
    bounces: bool
    news: tuple[tuple[bytes, int], ...]
    record: int
    told: int | None
    said: int
    heard_at: datetime | None
    notices: tuple[Notice, ...]
    chairs: tuple[SeatRecord, ...]


class Missed(msgspec.Struct, frozen=True):
    """Games with notices that no mail has taken up, and mails that wait to be claimed.

    The longest waiting first.
    """

    games: tuple[UUID, ...]
    mails: tuple[MailKey, ...]


def missed(age: float, limit: int) -> Missed:
    """What has waited for `age` seconds, at most `limit` of each."""
    (missed,) = sql.rows(_MISSED, age=age, limit=limit)
    mails = msgspec.convert(missed.mails or (), tuple[MailKey, ...], strict=False)
    return Missed(tuple(missed.games), mails)


def claim(key: MailKey, lease: float) -> ClaimedMail | None:
    """Take a game's mail for `lease` seconds, longer at each attempt.

    None for one that isn't due.
    """
    row = sql.row(_CLAIM, **key.values, lease=lease)
    if row is None:
        return None
    return ClaimedMail(
        key=key,
        game_id=row.game_id,
        message_id=row.message_id,
        body=row.body,
        accepted_maybe=row.accepted_maybe,
        attempts=row.attempts,
        now=row.now,
        reader=people.of_row(row, row.person_id),
        unsubscribed=row.unsubscribed,
        bounces=row.bounces,
        news=tuple((event.encode(), version) for event, version in row.news or ()),
        record=row.record or 0,
        told=row.told,
        heard_at=row.heard_at,
        said=row.said or 0,
        notices=msgspec.convert(row.notices or (), tuple[Notice, ...], strict=False),
        chairs=tuple(_chair(*seat) for seat in row.chairs or ()),
    )


def _chair(
    number: int, person_id: str | None, bot: str | None, name: str, state: str
) -> SeatRecord:
    return SeatRecord(
        number, UUID(person_id) if person_id else None, bot, name, SeatState(state)
    )


def supersede(game_id: UUID, dead: Sequence[Notice]) -> None:
    """Keep that notices are no longer true; none of them will be told."""
    _of_each(_SUPERSEDE, game_id, dead)


def release(game_id: UUID, live: Sequence[Notice]) -> None:
    """Take notices out of their mail, so that a fresh one is composed for them."""
    _of_each(_RELEASE, game_id, live)


def _of_each(statement: str, game_id: UUID, notices: Sequence[Notice]) -> None:
    if notices:
        keys = [notice.key for notice in notices]
        sql.execute(statement, game=game_id, notices=keys)


def keep(
    mail: ClaimedMail,
    body: bytes | None,
    lease: float,
    links: Mapping[str, LinkRow] = MappingProxyType({}),
    people: Collection[UUID] | None = None,
    newest: int | None = None,
    returns_to: str | None = None,
) -> None:
    """Keep the mail that is about to be sent for `lease` seconds, with any new bytes.

    Without a `body` it has the bytes that were kept before. `links` are what new tokens
    in them are good for, by token; `people` are those that new bytes may name, and
    `newest` the message up to which they tell what was said; what happened they tell as
    of the claim. `returns_to` is the secret of the return path that they are sent with.
    """
    opened = [
        {"hash": entropy.digest(token).hex(), **msgspec.structs.asdict(link)}
        for token, link in links.items()
    ]
    # The bytes stay until the mail is settled, so that a repeat after a crash is the
    # same mail. When somebody whom it may name is deleted, it is rendered anew, and no
    # other mail is held up by that.
    sql.execute(
        _KEEP,
        **mail.key.values,
        attempts=mail.attempts,
        body=body,
        lease=lease,
        people=None if people is None else list(people),
        newest=newest,
        record=None if body is None else mail.record,
        written_at=None if body is None else mail.now,
        returns=None if returns_to is None else entropy.digest(returns_to),
        links=msgspec.json.encode(opened).decode(),
    )


def hold(mail: ClaimedMail, until: datetime, *, late: bool) -> None:
    """Let a claimed mail wait until a moment, as if nobody had claimed it.

    `late` tells that its questions come late by that.
    """
    values = {"game": mail.game_id, "until": until, "attempts": mail.attempts}
    sql.execute(_HOLD, **mail.key.values, **values, late=late)


def settle(mail: Claim, state: MailState, error: str | None = None) -> None:
    """Close a mail as sent, failed or superseded; its bytes are forgotten."""
    values = {"attempts": mail.attempts, "state": state, "error": error}
    sql.execute(_SETTLE[mail.key.table], **mail.key.values, **values)


def put_off(mail: Claim, error: str, wait: float, maybe: bool, patience: float) -> bool:
    """Try a mail again in `wait` seconds; False if it is older than `patience`.

    `maybe` tells that a mail server may have accepted it.
    """
    values = {"attempts": mail.attempts, "error": error}
    values |= {"wait": wait, "maybe": maybe, "patience": patience}
    return bool(sql.execute(_PUT_OFF[mail.key.table], **mail.key.values, **values))
