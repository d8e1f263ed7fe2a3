"""What is understood and not allowed now: problems with status 409, one class each."""

from typing import ClassVar

from msgspec import UnsetType

from service.values.errors import Conflict


class AddressTwice(Conflict):
    """One person, one seat a game."""

    code = "address-twice"
    tells: ClassVar = {"field": str, "reason": str | UnsetType}


class NameTaken(Conflict):
    """Another name at this table reads the same."""

    code = "name-taken"
    tells: ClassVar = {"field": str}


class SeatTaken(Conflict):
    """Somebody sits there, or is asked to."""

    code = "seat-taken"
    tells: ClassVar = {"seat": int | UnsetType}


class NotInvited(Conflict):
    """Nobody is asked to that seat whose address could be corrected."""

    code = "not-invited"
    tells: ClassVar = {"seat": int}


class TooManyCorrections(Conflict):
    """So many invitations to one seat were taken back that it gets no other address."""

    code = "too-many-corrections"
    tells: ClassVar = {"seat": int, "most": int}


class ReplacementOpen(Conflict):
    """Somebody is named for this seat already."""

    code = "replacement-open"
    tells: ClassVar = {"seat": int}


class TooManyReplacements(Conflict):
    """One person has named as many for a seat as they may."""

    code = "too-many-replacements"
    tells: ClassVar = {"seat": int, "most": int}


class LastRound(Conflict):
    """A bot took the seat in the last round: it plays that to the end."""

    code = "last-round"
    tells: ClassVar = {"seat": int}


class PersonReturns(Conflict):
    """The person of a kept seat comes to it by themselves, after days off or a deal."""

    code = "person-returns"
    tells: ClassVar = {"seat": int}


class ObjectionLate(Conflict):
    """The day is over in which anybody could object to who is named for a seat."""

    code = "objection-late"
    tells: ClassVar = {"seat": int}


class TableNotOpen(Conflict):
    """A table whose host hasn't confirmed it yet."""

    code = "table-not-open"


class HostStays(Conflict):
    """A host calls a table off; there is none without its host."""

    code = "host-stays"


class BeyondTheRecord(Conflict):
    """What somebody has of a game is more than there is.

    The database was restored, or answers were lost with it, and the decision that came
    after them. `revision` and `head` are what there is.
    """

    code = "beyond-the-record"
    tells: ClassVar = {"revision": int, "head": str}


class TermsAgreed(Conflict):
    """Somebody is invited on these terms, or has joined: they stay."""

    code = "terms-agreed"


class NotPractice(Conflict):
    """Time is let pass in practice games alone."""

    code = "not-practice"


class NoMailbox(Conflict):
    """A practice game mails nothing."""

    code = "no-mailbox"


class NoDeadline(Conflict):
    """The game waits for ever: there is no time to let pass, to stop or to add."""

    code = "no-deadline"


class HasClock(Conflict):
    """In this game the clock answers for whoever is silent; nobody else has to."""

    code = "has-clock"


class NotSilent(Conflict):
    """The open question of a game without a clock hasn't waited long enough."""

    code = "not-silent"


class NoPauseLeft(Conflict):
    """This seat has paused the game as often as it may."""

    code = "no-pause-left"
    tells: ClassVar = {"most": int}


class ProposalOpen(Conflict):
    """The table is asked something already: one thing at a time."""

    code = "proposal-open"
    tells: ClassVar = {"proposal": int}


class NoProposalLeft(Conflict):
    """This seat has proposed something as often as it may."""

    code = "no-proposal-left"
    tells: ClassVar = {"most": int}


class ProposalClosed(Conflict):
    """The table isn't asked this any more; `state` is how it ended."""

    code = "proposal-closed"
    tells: ClassVar = {"state": str}


class NoRematch(Conflict):
    """A rematch needs a game that was begun and is over."""

    code = "no-rematch"


class TalkClosed(Conflict):
    """People talk from the start of a game until a week after its end."""

    code = "talk-closed"


class AbsencesOverlap(Conflict):
    """Somebody is away on these days already."""

    code = "absences-overlap"


class TooManyAbsences(Conflict):
    """One person has announced as many absences as they may."""

    code = "too-many-absences"
    tells: ClassVar = {"most": int}


class AddressInUse(Conflict):
    """The new address belongs to somebody who is known here."""

    code = "address-in-use"


class CodeRefused(Conflict):
    """A mailed code that is wrong, used, expired or was never asked for."""

    code = "code-refused"


class MoreThanMailed(Conflict):
    """A token shall do more, or for longer, than the mail with its code said."""

    code = "more-than-mailed"
    tells: ClassVar = {"field": str}


class TooManyTokens(Conflict):
    """One person has as many tokens as they may."""

    code = "too-many-tokens"
