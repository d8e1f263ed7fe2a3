"""Mails that bring codes, as the worker claims them."""

from uuid import UUID

from service.store import grants
from service.store.codes import TRIES, CodeKind
from service.store.grants import Grant
from service.store.legacy import execute
from service.store.outbox import Claim, taking
from service.values.addresses import Address

_CLAIM = f"""WITH mine AS ({taking("game_id IS NULL")}
        RETURNING id, message_id, body, accepted_maybe, attempts
    )
    SELECT mine.*, kingup_now() AS now, c.id AS code_id, c.kind, c.address,
        c.address_key, c.scopes, c.game_id, c.expires_in, p.language,
        coalesce(c.used_at IS NULL AND c.tries < {TRIES}
            AND c.expires_at > kingup_now(), false) AS live
    FROM mine LEFT JOIN mailed_code c ON c.mail_id = mine.id
    LEFT JOIN person p ON p.id = c.person_id"""


class CodeMail(Claim, frozen=True):
    """A claimed mail with a code; not `live` when there is nothing to tell any more."""

    code_id: UUID | None
    kind: CodeKind | None
    address: Address | None
    grant: Grant
    language: str
    live: bool


def claim(mail_id: UUID, lease: float) -> CodeMail | None:
    """Take a code's mail for `lease` seconds; None for another, or if it isn't due."""
    row = execute(_CLAIM, {"mail": mail_id, "lease": lease}).fetchone()
    if row is None:
        return None
    there = row.code_id is not None
    return CodeMail(
        id=row.id,
        message_id=row.message_id,
        body=row.body,
        accepted_maybe=row.accepted_maybe,
        attempts=row.attempts,
        now=row.now,
        code_id=row.code_id,
        kind=CodeKind(row.kind) if there else None,
        address=Address(row.address, row.address_key) if there else None,
        grant=grants.of_row(row),
        language=row.language or "",
        live=row.live,
    )
