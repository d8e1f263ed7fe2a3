"""What the links in a mail open: its lead's, and those of what that doesn't tell."""

from collections.abc import Sequence
from email.headerregistry import Address
from typing import Final

import msgspec
from flask import current_app

from service import config
from service.store.links import LinkRow
from service.store.outbox import ClaimedMail, Notice
from service.values import inbound_addresses, public_urls, signed_tokens
from service.values.enums import ANSWERS, QUESTIONS, LinkPurpose, NoticeKind

_LEADS_TO: Final = {
    NoticeKind.REMINDER: LinkPurpose.DECISION,
    NoticeKind.ELECTION: LinkPurpose.DECISION,
    NoticeKind.YOUR_TURN: LinkPurpose.DECISION,
    NoticeKind.KEPT: LinkPurpose.DECISION,
    NoticeKind.NOT_COUNTED: LinkPurpose.DECISION,
    NoticeKind.UNPROVED: LinkPurpose.DECISION,
    NoticeKind.OTHER_SENDER: LinkPurpose.DECISION,
    NoticeKind.MAIL_READ: LinkPurpose.DECISION,
    NoticeKind.UNREAD: LinkPurpose.DECISION,
    NoticeKind.TOO_LATE: LinkPurpose.DECISION,
    NoticeKind.PROPOSAL: LinkPurpose.PROPOSAL,
    NoticeKind.CONFIRM: LinkPurpose.TABLE,
    NoticeKind.INVITATION: LinkPurpose.INVITATION,
    NoticeKind.OFFERED: LinkPurpose.INVITATION,
    NoticeKind.REPLACEMENT: LinkPurpose.REPLACEMENT,
    NoticeKind.EXPIRING: LinkPurpose.TABLE,
    NoticeKind.DECLINED: LinkPurpose.TABLE,
    NoticeKind.SEATED: LinkPurpose.GAME,
    NoticeKind.GAME_OVER: LinkPurpose.GAME,
    NoticeKind.ROUND_OVER: LinkPurpose.GAME,
    NoticeKind.STARTED: LinkPurpose.GAME,
    NoticeKind.RESULT: LinkPurpose.GAME,
    NoticeKind.CALLED_OFF: LinkPurpose.GAME,
    NoticeKind.EXPIRED: LinkPurpose.GAME,
    NoticeKind.REMEMBER: LinkPurpose.REMEMBER,
    NoticeKind.DEVICES: LinkPurpose.DEVICES,
    NoticeKind.UNSUBSCRIBED: LinkPurpose.UNSUBSCRIBE,
    NoticeKind.MY_CARDS: LinkPurpose.GAME,
}
"""By the kind of notice: what its link is good for."""

_ORDER: Final = tuple(_LEADS_TO)
"""What matters most comes first, and leads the mail."""

_TOLD_BY_THE_GAME: Final = frozenset(
    (
        NoticeKind.REMINDER,
        NoticeKind.ELECTION,
        NoticeKind.YOUR_TURN,
        NoticeKind.GAME_OVER,
        NoticeKind.ROUND_OVER,
        NoticeKind.STARTED,
        NoticeKind.RESULT,
    )
)
"""What any mail of a game tells beside its lead, as what happened since."""

_ANSWERABLE: Final = (*QUESTIONS, *ANSWERS)
"""What is answered by answering its mail, if it is about a question."""


class Opening(msgspec.Struct, frozen=True):
    """A link in a mail: what it is good for, and its new token."""

    link: LinkRow
    token: str

    @property
    def url(self) -> str:
        """The address of its page."""
        page = public_urls.LINK_PAGES[self.link.purpose]
        return public_urls.url(f"/{page}/{self.token}")


class ReplyAddress(msgspec.Struct, frozen=True):
    """Where a mail is answered to: what an answer is good for, and its new token."""

    link: LinkRow
    token: str
    inbound: Address

    @property
    def address(self) -> Address:
        """The address with its secret, as a mail program shows it."""
        return inbound_addresses.for_answers(self.inbound, self.token)


def lead(notices: Sequence[Notice]) -> Notice:
    """The notice that chooses templates, subject and first link of a mail."""
    return min(notices, key=lambda notice: _ORDER.index(notice.kind))


def announced(notices: Sequence[Notice]) -> tuple[Notice, ...]:
    """The lead, and one of each other kind that has to be told by itself, by weight."""
    first = lead(notices)
    kinds = {notice.kind: notice for notice in notices}
    others = (
        kinds[kind]
        for kind in _ORDER
        if kind in kinds and kind is not first.kind and kind not in _TOLD_BY_THE_GAME
    )
    return (first, *others)


def make(notices: Sequence[Notice], mail: ClaimedMail) -> dict[NoticeKind, Opening]:
    """The links of a mail for these notices, by what they are for, its lead's first."""
    return {
        notice.kind: Opening(_link(notice, mail), signed_tokens.make())
        for notice in announced(notices)
    }


def unsubscribing(notices: Sequence[Notice], mail: ClaimedMail) -> Opening:
    """The link of any mail by which the mails of its game end."""
    seat = lead(notices).seat
    link = LinkRow(
        LinkPurpose.UNSUBSCRIBE, mail.game_id, mail.reader.id, seat, decision=None
    )
    return Opening(link, signed_tokens.make())


def reply(notices: Sequence[Notice], mail: ClaimedMail) -> ReplyAddress | None:
    """Where a mail is answered to; None where no mail comes in.

    Another secret than those of its links, so that whoever is shown one of them can't
    use the other. To what asks nothing an answer brings the open question back.
    """
    inbound = config.of(current_app).inbound_address
    notice = lead(notices)
    # Headers of a mail of cards name nothing, and its quotes must not come to us.
    if inbound is None or notice.kind is NoticeKind.MY_CARDS:
        return None
    asks = notice.kind in _ANSWERABLE and notice.decision is not None
    purpose = LinkPurpose.REPLY if asks else LinkPurpose.REPLY_ASK
    decision = notice.decision if asks else None
    link = LinkRow(purpose, mail.game_id, mail.reader.id, notice.seat, decision)
    return ReplyAddress(link, signed_tokens.make(), inbound)


def _link(notice: Notice, mail: ClaimedMail) -> LinkRow:
    purpose = _LEADS_TO[notice.kind]
    # Whoever had the seat that somebody is named for comes back by the link of the
    # decision that was open then: they can't object.
    if notice.kind is NoticeKind.REPLACEMENT and notice.decision is not None:
        purpose = LinkPurpose.DECISION
    # Of an answer to a mail that came too late: nothing may be asked by now.
    if notice.kind is NoticeKind.TOO_LATE and notice.decision is None:
        purpose = LinkPurpose.GAME
    decision = notice.decision if purpose is LinkPurpose.DECISION else None
    return LinkRow(purpose, mail.game_id, mail.reader.id, notice.seat, decision)
