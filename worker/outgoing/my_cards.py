"""The one mail that says what is in somebody's hand: ordered by them, for them alone.

Subject and headers name nothing, not even a game: servers show those to others, and
send them back to us when a mail bounces.
"""

from datetime import datetime
from email.headerregistry import Address

import msgspec

from engine import views
from engine.board import Seat
from service.present import nouns, sentences
from service.store.outbox import Notice
from service.values import addresses
from service.values.enums import NoticeKind
from worker.outgoing.openings import Opening
from worker.outgoing.relevance import Relevance


class MyCardsContent(msgspec.Struct, frozen=True):
    """A mail of somebody's own cards before it has a form.

    `favourites` and `hand` are names of characters and of cards; `link` leads to the
    game, where the cards aren't shown by it, and `unsubscribe` ends the game's mails.
    """

    kind: NoticeKind
    message_id: str
    date: datetime
    recipient: Address
    host: str
    round: int
    favourites: tuple[str, ...]
    hand: tuple[str, ...]
    link: str
    unsubscribe: str
    thread_id: str = ""
    reply: Address | None = None


def write(
    notice: Notice, now: Relevance, opening: Opening, leaving: Opening
) -> MyCardsContent:
    """What it says, in the reader's locale, of the hand as it is now.

    Raises LookupError for whoever has no cards on that seat.
    """
    own = views.view(now.seen.game, Seat(notice.seat)).own
    if own is None or not now.sits(notice.seat):
        raise LookupError(notice.key)
    mail = now.mail
    return MyCardsContent(
        kind=notice.kind,
        message_id=mail.message_id,
        date=mail.now,
        # With no name: which table it is stands inside alone.
        recipient=addresses.recipient(mail.reader.address, mail.reader.address_key),
        host=sentences.isolated(mail.chairs[0].name),
        round=now.seen.game.round,
        favourites=tuple(map(nouns.name_of, own.favourites)),
        hand=tuple(map(nouns.card_name, own.hand)),
        link=opening.url,
        unsubscribe=leaving.url,
    )
