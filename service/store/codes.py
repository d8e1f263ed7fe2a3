"""Mailed codes: asked for within caps, kept as hashes, tried, used once."""

from enum import StrEnum
from hmac import compare_digest
from typing import Any
from uuid import UUID

import msgspec

from service.store import grants, opt_outs, sql
from service.store.good_tokens import IS_GOOD
from service.store.grants import AGAIN_SECONDS, THE_MOST, Grant, Tried
from service.store.outbox import MailState
from service.values import entropy
from service.values.addresses import Address

MINUTES = 15
"""How long a code is good for."""

TRIES = 5
"""How often it may be tried."""

AN_HOUR, A_DAY = 4, 10
"""The most codes that one address is mailed at the wish of one network."""

IN_ALL = {"anyone": (12, 30), "owner": (8, 20), "member": (8, 20)}
"""The most in an hour and a day that it is mailed whoever wishes, by share.

An owner asks from a network or with a token by which they proved the address before, a
member is somebody else who wants to change to it. So nobody fills a mailbox, and nobody
uses up what its owner may ask for.
"""


class CodeKind(StrEnum):
    """What a code is good for."""

    SIGN_IN = "sign_in"
    OLD_ADDRESS = "old_address"
    NEW_ADDRESS = "new_address"


_NO_HASH = bytes(32)
"""What a try is compared with where no code was mailed."""

_CURRENT = "used_at IS NULL AND expires_at > kingup_now()"
_USED_JUST_NOW = f"""token_id IS NOT NULL
    AND used_at > kingup_now() - interval '{AGAIN_SECONDS} seconds'"""
_STILL_OPEN = f"""({_CURRENT} OR {_USED_JUST_NOW})
    AND code_hash IS NOT NULL AND tries <= {TRIES}"""
_COUNTED = """count(*) AS day, count(*) FILTER (WHERE fresh) AS hour,
    count(*) FILTER (WHERE here) AS day_here,
    count(*) FILTER (WHERE fresh AND here) AS hour_here"""
_CAPS = ", ".join(
    f"('{share}', {hour}, {day})" for share, (hour, day) in IN_ALL.items()
)
# When three quarters are used, what is left goes one each to networks that had none.
_ROOM = f"""day_here < {A_DAY} AND hour_here < {AN_HOUR}
    AND day < most_day AND (4 * day < 3 * most_day OR day_here = 0)
    AND hour < most_hour AND (4 * hour < 3 * most_hour OR hour_here = 0)
    AND own < {A_DAY}"""

# Whatever is known of the address, the same rows are written, and count alike: the caps
# count what is asked for within those of the address, whether it is mailed or not. A
# code for signing in goes to the address as its owner has proved it: what compares as
# equal may be another mailbox. Before that it goes where its asker says: a host who
# typed it first may have spelt it as no mailbox is.
_ASK = f"""WITH known AS (
        SELECT id FROM person WHERE address_key = %(key)s AND verified_at IS NOT NULL
    ), spelt AS (
        SELECT address FROM person
        WHERE address_key = %(key)s AND verified_at IS NOT NULL
            AND %(kind)s = '{CodeKind.SIGN_IN}'
    ), proof AS (
        SELECT EXISTS (SELECT FROM known_network WHERE digest = %(home)s) AS network,
            EXISTS (SELECT FROM known WHERE id = CAST(%(person)s AS uuid))
            OR EXISTS (SELECT FROM token t JOIN known ON known.id = t.person_id
                WHERE t.token_hash = %(token)s AND {IS_GOOD}) AS device
    ), place AS (
        SELECT CASE WHEN device OR network THEN 'owner'
                WHEN CAST(%(person)s AS uuid) IS NULL THEN 'anyone' ELSE 'member'
            END AS share,
            CASE WHEN device THEN CAST(%(device)s AS bytea)
                ELSE %(network)s END AS network
        FROM proof
    ), caps (share, most_hour, most_day) AS (VALUES {_CAPS}
    ), recent AS (
        SELECT c.network = place.network AS here,
            c.created_at > kingup_now() - interval '1 hour' AS fresh
        FROM mailed_code c JOIN place ON place.share = c.share
        WHERE c.address_key = %(key)s AND c.counted
            AND c.created_at > kingup_now() - interval '1 day'
    ), counted AS (
        SELECT {_COUNTED} FROM recent
    ), asked AS (
        SELECT count(*) AS own FROM mailed_code
        WHERE person_id = CAST(%(person)s AS uuid) AND kind = %(kind)s AND counted
            AND created_at > kingup_now() - interval '1 day'
    ), found AS (
        SELECT known.id AS person_id, place.share, place.network, {_ROOM} AS counted,
            {_ROOM} AND (known.id IS NOT NULL OR (%(room)s AND NOT EXISTS
                (SELECT FROM opt_out WHERE digest = ANY(%(unwanted)s)))) AS sent
        FROM place JOIN caps ON caps.share = place.share
            CROSS JOIN counted CROSS JOIN asked LEFT JOIN known ON true
    )
    INSERT INTO mailed_code (id, kind, address, address_key, person_id, network, share,
        counted, mail_id, message_id, state, settled_at, expires_at, scopes, game_id,
        expires_in)
    SELECT %(id)s, %(kind)s,
        coalesce((SELECT address FROM spelt), %(address)s), %(key)s,
        coalesce(CAST(%(person)s AS uuid), person_id), network, share, counted,
        %(mail)s, %(message)s,
        CASE WHEN sent THEN '{MailState.QUEUED}' ELSE '{MailState.SUPERSEDED}' END,
        CASE WHEN sent THEN NULL ELSE kingup_now() END,
        kingup_now() + interval '{MINUTES} minutes',
        CAST(%(scopes)s AS text[]), CAST(%(game)s AS uuid), CAST(%(expires_in)s AS int)
    FROM found RETURNING counted"""
# Every try writes the row, so that its time doesn't tell whether there was a mail.
# It counts to one above the most and no further: the column is small, and would refuse
# the try that is too much for it.
_TRY = f"""UPDATE mailed_code SET tries = least(tries + 1, {TRIES + 1})
    WHERE id = %(id)s AND kind = %(kind)s
    RETURNING id, address, address_key, code_hash, scopes, game_id, expires_in,
        token_id"""
# A statement of its own: what was over by the end of a wait is over.
_IS_OPEN = f"SELECT {_STILL_OPEN} FROM mailed_code WHERE id = %(id)s"
_LATEST = f"""SELECT id, address FROM mailed_code
    WHERE person_id = %(person)s AND kind = %(kind)s AND {_CURRENT}
    ORDER BY created_at DESC, id LIMIT 1"""
_USE = """UPDATE mailed_code SET token_id = %(token)s,
        used_at = coalesce(used_at, kingup_now()) WHERE id = %(id)s"""
_OF_CHANGE = f"""person_id = %(person)s AND expires_at > kingup_now()
        AND kind IN ('{CodeKind.OLD_ADDRESS}', '{CodeKind.NEW_ADDRESS}')"""
_HOLD_CHANGE = f"""SELECT FROM mailed_code WHERE {_OF_CHANGE}
    ORDER BY id FOR NO KEY UPDATE"""
_END = f"UPDATE mailed_code SET expires_at = kingup_now() WHERE {_OF_CHANGE}"
_WRITE = "UPDATE mailed_code SET code_hash = %(hash)s WHERE id = %(id)s"
_FORGET = "DELETE FROM mailed_code WHERE created_at < kingup_now() - interval '1 day'"


class AskedCode(msgspec.Struct, frozen=True):
    """A code that was asked for, whether or not a mail brings it.

    `counted` tells that it was within the caps of its address.
    """

    id: UUID
    counted: bool


class Whence(msgspec.Struct, frozen=True):
    """Where a code is asked for, as digests made for its address alone.

    `network` counts its codes, `home` is how it would be known if the owner had proved
    the address there, and `device` counts those asked for with a token of theirs.
    `token` is the hash of one that was brought along.
    """

    network: bytes
    home: bytes
    device: bytes
    token: bytes = b""


class CodeRequest(msgspec.Struct, frozen=True):
    """Somebody who asks for a code, to be mailed to an address.

    `person_id` is who changes their address, None for whoever signs in.
    """

    kind: CodeKind
    address: Address
    person_id: UUID | None
    whence: Whence
    grant: Grant = THE_MOST


def ask(asking: CodeRequest, host: str, room: bool) -> AskedCode:
    """Have a code mailed to an address, or only seem to where a cap forbids it.

    A stranger is mailed none without `room`. An address that wants no invitations is a
    stranger's, unless it is verified, and is not mailed. The Message-ID of the mail is
    its id at `host`.
    """
    number, mail_id = entropy.identifier(), entropy.identifier()
    values = {
        "id": number,
        "kind": asking.kind,
        "address": asking.address.typed,
        "key": asking.address.key,
        "unwanted": opt_outs.digests(asking.address.key),
        "person": asking.person_id,
        **msgspec.structs.asdict(asking.whence),
        "mail": mail_id,
        "message": f"<{mail_id}@{host}>",
        "room": room,
        "scopes": None if asking.grant.scopes is None else list(asking.grant.scopes),
        "game": asking.grant.game,
        "expires_in": asking.grant.expires_in,
    }
    counted: bool = sql.value(_ASK, **values)
    return AskedCode(number, counted)


def tried(code_id: UUID, kind: CodeKind, typed: str) -> Tried | None:
    """Count a try of a code; what it is good for when it was the right one.

    The count has to be committed, whatever comes of it.
    """
    # The number was told to its asker alone, so that nobody uses up another's tries.
    row = sql.row(_TRY, id=code_id, kind=kind)
    if row is None:
        return None
    is_open: bool = sql.value(_IS_OPEN, id=code_id)
    right = compare_digest(row.code_hash or _NO_HASH, _digest(row.id, typed))
    if not right or not is_open:
        return None
    return Tried(
        Address(row.address, row.address_key), grants.of_row(row), row.token_id
    )


def use(code_id: UUID, token_id: UUID) -> None:
    """Keep by which token a code was used: soon it can't be again."""
    sql.execute(_USE, id=code_id, token=token_id)


def latest(person_id: UUID, kind: CodeKind) -> UUID | None:
    """The code of a kind that somebody may use now."""
    row = _latest(person_id, kind)
    return None if row is None else row.id


def wanted(person_id: UUID) -> str | None:
    """The address somebody is changing to, as typed."""
    row = _latest(person_id, CodeKind.NEW_ADDRESS)
    return None if row is None else row.address


def _latest(person_id: UUID, kind: CodeKind) -> Any | None:
    return sql.row(_LATEST, person=person_id, kind=kind)


def hold_change(person_id: UUID) -> None:
    """Hold the codes of an earlier change of somebody's address: they come before it.

    Where they stand in the order of locks: `quotas.hold`.
    """
    sql.execute(_HOLD_CHANGE, person=person_id)


def end_change(person_id: UUID) -> None:
    """Let no earlier change of somebody's address go on."""
    sql.execute(_END, person=person_id)


def write(code_id: UUID, code: str) -> None:
    """Keep the hash of a code that is about to be mailed."""
    sql.execute(_WRITE, id=code_id, hash=_digest(code_id, code))


def forget_old() -> None:
    """Erase what no cap counts any more."""
    sql.execute(_FORGET)


def _digest(code_id: UUID, typed: str) -> bytes:
    # Without other alphabets first: some of their capitals are letters of a code.
    plain = typed.encode("ascii", "ignore").decode().upper()
    letters = "".join(c for c in plain if c in entropy.CODE_LETTERS)
    return entropy.digest(f"{code_id}/{letters}")
