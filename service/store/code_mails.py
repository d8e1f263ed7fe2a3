"""Mails that bring codes, as the worker claims them."""

from uuid import UUID

from service.store import grants, sql
from service.store.codes import TRIES, CodeKind
from service.store.grants import Grant
from service.store.outbox import Claim, MailKey, keeping, taking
from service.values.addresses import Address

_CLAIM = f"""WITH mine AS ({taking("mailed_code")} RETURNING *)
    SELECT mine.message_id, body, accepted_maybe, attempts, kingup_now() AS now,
        kind, mine.share, mine.address, mine.address_key, scopes, game_id, expires_in,
        p.language,
        used_at IS NULL AND tries < {TRIES} AND expires_at > kingup_now() AS live
    FROM mine LEFT JOIN person p ON p.id = mine.person_id"""
_KEEP = keeping("mailed_code")


class CodeMail(Claim, frozen=True):
    """A claimed mail with a code; not `live` when there is nothing to tell any more.

    `is_owners` where whoever reads the mailbox has asked for it, as far as we know.
    """

    kind: CodeKind
    address: Address
    grant: Grant
    language: str
    live: bool
    is_owners: bool


def claim(code_id: UUID, lease: float) -> CodeMail | None:
    """Take a code's mail for `lease` seconds; None if it isn't due."""
    key = MailKey(code_id)
    row = sql.row(_CLAIM, **key.values, lease=lease)
    if row is None:
        return None
    return CodeMail(
        key=key,
        message_id=row.message_id,
        body=row.body,
        accepted_maybe=row.accepted_maybe,
        attempts=row.attempts,
        now=row.now,
        kind=CodeKind(row.kind),
        address=Address(row.address, row.address_key),
        grant=grants.of_row(row),
        language=row.language or "",
        live=row.live,
        is_owners=row.share != "anyone",
    )


def keep(mail: CodeMail, body: bytes | None, lease: float) -> None:
    """Keep the mail that is about to be sent for `lease` seconds, with any new bytes.

    Without a `body` it has the bytes that were kept before.
    """
    sql.execute(
        _KEEP, **mail.key.values, attempts=mail.attempts, body=body, lease=lease
    )
