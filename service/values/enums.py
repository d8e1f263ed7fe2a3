"""What rows name by a word: how games and seats stand, and kinds of notices and work.

A newer process may have written a kind of notice or work that this one doesn't know: it
reads as UNKNOWN, and is left to whoever does.
"""

from enum import StrEnum
from typing import Self


class GameStatus(StrEnum):
    """How a game stands; one that was called off before its start is over, too."""

    DRAFT = "draft"
    INVITING = "inviting"
    RUNNING = "running"
    OVER = "over"


BEFORE_START = (GameStatus.DRAFT, GameStatus.INVITING)


class SeatState(StrEnum):
    """How a seat stands; one that is open is for whoever comes first."""

    INVITED = "invited"
    JOINED = "joined"
    DECLINED = "declined"
    OPEN = "open"


class SeatKind(StrEnum):
    """What sits there: a person, a bot, or nobody yet."""

    PERSON = "person"
    BOT = "bot"
    OPEN = "open"


class InvitationState(StrEnum):
    """What has become of an invitation."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class ReplacementState(StrEnum):
    """What has become of somebody who was named for a kept seat.

    Named: others may object. Asked: they may accept. The rest are ends: they accepted,
    declined, or let it lapse; somebody objected, the namer withdrew it, the former
    person returned, or the game was over.
    """

    NAMED = "named"
    ASKED = "asked"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    LAPSED = "lapsed"
    OBJECTED = "objected"
    WITHDRAWN = "withdrawn"
    RETURNED = "returned"
    OVER = "over"


class Visibility(StrEnum):
    """Who finds a game: whoever has its link, everybody, or its players alone."""

    LINK = "link"
    LISTED = "listed"
    PLAYERS = "players"


class EndReason(StrEnum):
    """How a game ended: played to its end, or called off."""

    FINISHED = "finished"
    CANCELLED = "cancelled"


class Language(StrEnum):
    """The languages of the API, the default first."""

    EN = "en"
    IT = "it"
    FR = "fr"
    DE = "de"


class LinkPurpose(StrEnum):
    """What a mailed link is good for."""

    DECISION = "decision"
    NEXT = "next"
    INVITATION = "invitation"
    TABLE = "table"
    GAME = "game"
    REPLACEMENT = "replacement"
    REMEMBER = "remember"
    DEVICES = "devices"
    PROPOSAL = "proposal"
    UNSUBSCRIBE = "unsubscribe"
    REPLY = "reply"
    REPLY_ASK = "reply-ask"


class NoticeKind(StrEnum):
    """What a person shall hear of."""

    CONFIRM = "confirm"
    INVITATION = "invitation"
    SEATED = "seated"
    DECLINED = "declined"
    CALLED_OFF = "called_off"
    EXPIRING = "expiring"
    EXPIRED = "expired"
    STARTED = "started"
    YOUR_TURN = "your_turn"
    ELECTION = "election"
    REMINDER = "reminder"
    RESULT = "result"
    ROUND_OVER = "round_over"
    GAME_OVER = "game_over"
    KEPT = "kept"
    REPLACEMENT = "replacement"
    OFFERED = "offered"
    PROPOSAL = "proposal"
    REMEMBER = "remember"
    DEVICES = "devices"
    UNSUBSCRIBED = "unsubscribed"
    NOT_COUNTED = "not_counted"
    TOO_LATE = "too_late"
    UNPROVED = "unproved"
    OTHER_SENDER = "other_sender"
    MAIL_READ = "mail_read"
    UNREAD = "unread"
    MY_CARDS = "my_cards"
    UNKNOWN = "unknown"

    @classmethod
    def _missing_(cls, value: object) -> Self:
        return cls("unknown")


QUESTIONS = (NoticeKind.YOUR_TURN, NoticeKind.ELECTION, NoticeKind.REMINDER)
"""What tells its reader that the game waits for their answer."""

CALLS_TO_ACT = (
    *QUESTIONS,
    NoticeKind.PROPOSAL,
    NoticeKind.REPLACEMENT,
    NoticeKind.KEPT,
    NoticeKind.REMEMBER,
    NoticeKind.DEVICES,
)
"""What brings its reader to an act in a game that runs."""

ANSWERS = (
    NoticeKind.NOT_COUNTED,
    NoticeKind.TOO_LATE,
    NoticeKind.UNPROVED,
    NoticeKind.OTHER_SENDER,
    NoticeKind.MAIL_READ,
    NoticeKind.UNREAD,
)
"""What answers a mail that came in; all are our last word on a seat's decision."""

ALONE = (
    NoticeKind.REMEMBER,
    NoticeKind.DEVICES,
    NoticeKind.OFFERED,
    NoticeKind.UNSUBSCRIBED,
    *ANSWERS,
    NoticeKind.MY_CARDS,
)
"""What travels in a mail of its own: the link of such a mail is good for that alone.

Whoever is asked to two seats of a game has a link for each. Cards stand in no mail that
says anything else.
"""


class MailChoice(StrEnum):
    """Which mails of a game's course somebody wants: all, or if they must act."""

    INSTANT = "instant"
    ASKS = "asks"


class DeliveryState(StrEnum):
    """What became of a mail of ours: a server has it, it came back, or none took it."""

    DELIVERED = "delivered"
    RETURNED = "returned"
    REFUSED = "refused"


class IncomingKind(StrEnum):
    """What a mail that came in was, as the journal tells.

    `read` covers every mail whose words were looked at, whatever became of them. `too
    many` was proved to be its seat's; of `passed over`, which another sender wrote, and
    `not looked up` nobody looked who wrote it.
    """

    DUPLICATE = "duplicate"
    AUTOMATIC = "automatic"
    NOT_OURS = "no token"
    OTHER_SENDER = "other sender"
    UNAUTHENTICATED = "unauthenticated"
    TOO_MANY = "too many"
    PASSED_OVER = "passed over"
    NOT_LOOKED_UP = "not looked up"
    OVER = "over"
    READ = "read"
    GIVEN_UP = "given up"
    BOUNCE = "bounce"


class VoteByMail(StrEnum):
    """What became of a mail in an election, for its voter alone."""

    COUNTED = "counted"
    NOT_HELD = "not-held"
    LAID_BEFORE = "laid-before"
    NOT_UNDERSTOOD = "not-understood"
    UNSAYABLE = "unsayable"
    SAID = "said"


class AbsenceChoice(StrEnum):
    """What becomes of somebody's seats while they are away."""

    WAIT = "wait"
    BOT = "bot"


class ProposalKind(StrEnum):
    """What may be proposed to a table: to call its game off."""

    CANCEL = "cancel"


class ProposalState(StrEnum):
    """How a proposal stands: not all have agreed yet, all have, or it came to nothing.

    A single No refuses it; it has lapsed where its time or the game was over first.
    """

    OPEN = "open"
    AGREED = "agreed"
    REFUSED = "refused"
    LAPSED = "lapsed"


class DueKind(StrEnum):
    """What falls due: with a decision, or with none the end of a pause or proposal."""

    DEADLINE = "deadline"
    REMINDER = "reminder"
    LAST_REMINDER = "last_reminder"
    BOT = "bot"
    STANDING = "standing"
    RESOLVE = "resolve"
    PAUSE_END = "pause_end"
    CALL_OFF = "call_off"
    LAPSE = "lapse"
    UNKNOWN = "unknown"

    @classmethod
    def _missing_(cls, value: object) -> Self:
        return cls("unknown")


OF_THE_CLOCK = (DueKind.DEADLINE, DueKind.REMINDER, DueKind.LAST_REMINDER)
"""What doesn't fall due while a game's clock stands still."""
