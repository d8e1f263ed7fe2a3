"""A mail with a secret of ours: whose seat's, for which question, and of which game."""

import hashlib
from typing import Final, Self

import msgspec

from service.game import fresh_questions
from service.store import games, links, tables
from service.store.games import GameReadModel
from service.store.incoming_mails import IncomingMail, JournalLine
from service.store.links import LinkRow
from service.values import entropy
from service.values.enums import IncomingKind, LinkPurpose
from worker.incoming import answering, letter
from worker.incoming.headers import Headers
from worker.incoming.letter import Letter

_REPLIES: Final = (LinkPurpose.REPLY, LinkPurpose.REPLY_ASK)


class SeatMail(msgspec.Struct, frozen=True):
    """Such a mail, and what its secret is good for.

    `letter` has no lines until it is opened. `digest` tells the mail from the seat's
    others; None where its lines alone would.
    """

    mail: IncomingMail
    headers: Headers
    letter: Letter
    link: LinkRow
    seen: GameReadModel
    digest: bytes | None

    @property
    def secret(self) -> bytes:
        """The hash of the secret that it came with."""
        return entropy.digest(self.letter.token)

    @property
    def is_open(self) -> bool:
        """Whether what its secret answers is asked still."""
        asked = fresh_questions.asked(self.seen.game, self.link.seat)
        return asked is not None and asked.number == self.link.decision

    def line(self, kind: IncomingKind) -> JournalLine:
        """What the journal says of it."""
        link = self.link
        return JournalLine(kind, self.digest, link.game_id, link.seat, self.secret)

    def opened(self) -> Self:
        """The same mail, with what is written in it."""
        mail = self.mail
        found = letter.read(mail.raw, self.headers, mail.envelope)
        return msgspec.structs.replace(self, letter=found, digest=digest(found))


def find(mail: IncomingMail, headers: Headers, outside: Letter) -> SeatMail | None:
    """The mail with what its secret is good for; None where it is good for nothing.

    `outside` is what its headers say. Raises UnreadableLog for a game that only a newer
    process can read.
    """
    link = links.find(outside.token) if outside.token else None
    if link is None or link.purpose not in _REPLIES:
        return None
    seen = games.read(link.game_id, answering.SYSTEM)
    chairs = tables.chairs(link.game_id)
    if seen is None or link.seat >= len(chairs):
        return None
    if chairs[link.seat].person_id != link.person_id:
        return None
    known = digest(outside) if outside.message_id else None
    return SeatMail(mail, headers, outside, link, seen, known)


def digest(found: Letter) -> bytes:
    """What tells a mail from others: its Message-ID, or else to what it says what."""
    said = found.message_id or "\n".join((found.token, *found.lines))
    return hashlib.sha256(said.encode("utf-8", "replace")).digest()
