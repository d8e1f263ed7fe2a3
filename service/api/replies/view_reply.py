"""The JSON of a view: its structs, from which the contract describes it, too."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, TypeAlias
from uuid import UUID

import msgspec
from msgspec import Meta

from engine.board import Card, Character, PlaceKey, PlaceKind, Seat
from engine.commands import Answer, Options
from engine.state import Kind, Phase
from engine.views import ElectionView, RoundView, Showing
from service.api.http import replies
from service.api.http.replies import Head, Moment, Revision
from service.store.proposals import Proposal
from service.store.seats import SeatRow
from service.values.enums import (
    AbsenceChoice,
    EndReason,
    GameStatus,
    ProposalKind,
    ProposalState,
    SeatKind,
    SeatState,
)

Day: TypeAlias = Annotated[date, Meta(description="A day of the calendar.")]


class SeatAbsenceReply(msgspec.Struct, frozen=True):
    """Days on which the person on a seat is away, the first and the last included."""

    seat: Seat
    first: Day
    last: Day
    choice: AbsenceChoice


class SeatReply(msgspec.Struct, frozen=True):
    """A place at the table.

    A seat of kind `open` is for whoever comes first. In a view of the past `name` and
    `state` are null: they are no part of the record.
    """

    number: int
    name: str | None
    kind: SeatKind
    bot: Annotated[str | None, replies.one_of("BotKind")]
    state: SeatState | None
    program: Annotated[
        bool | None,
        Meta(description="A program plays for the person, as they say."),
    ]
    kept: Annotated[
        bool,
        Meta(
            description="The bot keeps the seat for a person who has left it, or let"
            " too much pass, and may come back."
        ),
    ]
    spare_used: Annotated[
        int | None,
        Meta(
            description="How much of the `spare` of the game's options is used, by"
            " whoever has the seat now."
        ),
    ]
    pauses_used: Annotated[
        int | None,
        Meta(
            description="How many of the two pauses of a game were begun by whoever"
            " has the seat now."
        ),
    ]
    paused_until: Annotated[
        Moment | None,
        Meta(description="When the pause ends that is running here; null: none is."),
    ]
    without_mail: Annotated[
        bool | None,
        Meta(
            description="Whoever plays here wants no mails of the game: they look by"
            " themselves whether it is their turn, or miss it."
        ),
    ]


class OfferReply(msgspec.Struct, frozen=True):
    """An answer one may give: send `answer` verbatim."""

    answer: Answer
    label: Annotated[str, Meta(description="In the reader's language.")]
    nominates: Annotated[
        bool, Meta(description="Whether it leads onto the throne: an election.")
    ]


class PlaceReply(msgspec.Struct, frozen=True):
    """A place where characters stand, top to bottom in lists."""

    key: PlaceKey
    label: Annotated[str, Meta(description="In the reader's language.")]
    kind: PlaceKind
    value: Annotated[int, Meta(description="Points at a coronation.")]
    capacity: Annotated[
        int | None, Meta(description="The most it holds; null: no limit.")
    ]
    beside: Annotated[
        PlaceKey | None, Meta(description="The floor a place aside belongs to.")
    ]


class StandingReply(PlaceReply, frozen=True):
    """A place and who stands there."""

    characters: Sequence[Character]


class DecisionReply(msgspec.Struct, frozen=True):
    """The question the game waits on; `offers` is what it allows anybody."""

    number: int
    kind: Kind
    question: Annotated[str, Meta(description="In the reader's language.")]
    seat: Annotated[int | None, Meta(description="Who is asked; null: everybody.")]
    nominee: Annotated[
        Character | None,
        Meta(description="Who would be king; null outside an election."),
    ]
    mover: Annotated[
        int | None,
        Meta(description="The seat that put them up; null where nobody did."),
    ]
    opened_at: Annotated[
        Moment | None,
        Meta(
            description="Since when it waits, the same for everybody who is asked; null"
            " in the past, and where that wasn't kept."
        ),
    ]
    deadline: Annotated[
        Moment | None,
        Meta(
            description="When it is answered for whoever hasn't; or null, also while"
            " the game is paused."
        ),
    ]
    extended: Annotated[
        bool, Meta(description="Whether it waits for a day more than it would.")
    ]
    offers: Annotated[
        Sequence[OfferReply],
        Meta(
            description="What the rules allow, the same for every reader; what you may"
            " answer yourself is `legal`."
        ),
    ]


class OwnReply(msgspec.Struct, frozen=True):
    """What is your seat's own; nobody else gets it."""

    seat: Seat
    favourites: Annotated[
        Sequence[Character],
        Meta(description="The characters on your card, which bring you points."),
    ]
    hand: Annotated[
        Sequence[Card],
        Meta(description="The cards you still hold; all began with `starting_hand`."),
    ]
    ballot: Annotated[
        Card | None,
        Meta(description="The card you have laid in the open election."),
    ]
    take_back: Annotated[
        int | None,
        Meta(description="The decision whose answer you may take back now, or null."),
    ]


class StoppedClockReply(msgspec.Struct, frozen=True):
    """That the clock stands still: nothing has a deadline, everything can be answered.

    It goes on when the last pause ends.
    """

    since: Moment
    until: Annotated[Moment, Meta(description="When the last of the pauses ends.")]
    seats: Annotated[Sequence[int], Meta(description="Who has paused the game.")]


class ProposalReply(msgspec.Struct, frozen=True):
    """What a seat has proposed to its table: to call the game off.

    It comes true once all agree who play a seat, or will be back by themselves.
    """

    number: int
    kind: ProposalKind
    seat: Annotated[int, Meta(description="Whose it is.")]
    proposed_at: Moment
    lapses_at: Annotated[
        Moment, Meta(description="When it is over without the consent of all.")
    ]
    agreed: Annotated[
        Sequence[int],
        Meta(
            description="The seats that agree so far, in the order in which they did."
            " `seat` is the first of them, as long as nobody leaves it."
        ),
    ]
    state: ProposalState


class ViewReply(msgspec.Struct, frozen=True):
    """A game as one viewer may see it now, or as everybody may know it was."""

    game: UUID
    status: GameStatus
    revision: Revision
    head: Head
    seats: Sequence[SeatReply]
    seat: Annotated[
        int | None,
        Meta(
            description="Your own, also when the game is over; null for whoever sits"
            " elsewhere, and in the past."
        ),
    ]
    kept_seat: Annotated[
        int | None,
        Meta(description="Yours that a bot keeps for you, while one does; else null."),
    ]
    expected_end: Annotated[
        Day | None,
        Meta(
            description="On about which day (UTC) the game is over, by how it went"
            " until its open question was put, and counted from the end of a pause, or"
            " from a deadline that waits for somebody who is away; null in practice, in"
            " the past, and where nothing is asked."
        ),
    ]
    absences: Annotated[
        Sequence[SeatAbsenceReply],
        Meta(
            description="Who is away, now or later, of those who play or will be back"
            " by themselves: for whoever plays alone, empty for others, in the past,"
            " and when the game is over."
        ),
    ]
    proposal: Annotated[
        ProposalReply | None,
        Meta(
            description="What the table was asked last, however that ended: for whoever"
            " sits there alone, null for others and in the past."
        ),
    ]
    edition: Annotated[str, replies.one_of("EditionKey")]
    rules: Annotated[int, Meta(description="The version of its rules.")]
    options: Options
    phase: Phase
    round: int
    starting_seat: Annotated[
        Seat | None,
        Meta(description="The seat that began the round; null before the start."),
    ]
    crown: Seat | None
    places: Sequence[StandingReply]
    unplaced: Annotated[
        Sequence[Character],
        Meta(description="Characters that have no place yet this round."),
    ]
    starting_hand: Annotated[
        Sequence[Card],
        Meta(
            description="The cards with which every seat begins a round; what you still"
            " hold is `own.hand`."
        ),
    ]
    decision: DecisionReply | None
    paused: Annotated[
        StoppedClockReply | None,
        Meta(description="While the clock stands still; null in the past."),
    ]
    extensions_left: Annotated[
        int | None,
        Meta(
            description="How many decisions may still be extended by a day; null where"
            " none has a deadline."
        ),
    ]
    elections: Annotated[
        Sequence[ElectionView],
        Meta(description="Those of this round that are over, in their order."),
    ]
    showings: Annotated[
        Sequence[Showing],
        Meta(description="Cards served by name now; none in the past."),
    ]
    laid: Annotated[
        Sequence[Seat] | None,
        Meta(
            description="Who had laid a card at an election's latest reminder; null"
            " before the first one."
        ),
    ]
    scored_rounds: Annotated[
        Sequence[RoundView], Meta(description="Those that are over, in their order.")
    ]
    totals: Sequence[int]
    end_reason: Annotated[
        EndReason | None, Meta(description="How it ended; null while it hasn't.")
    ]
    winners: Sequence[Seat]
    own: Annotated[
        OwnReply | None,
        Meta(
            description="What your seat alone knows; null for whoever has none, and"
            " before and after the game."
        ),
    ]
    legal: Annotated[
        Sequence[OfferReply],
        Meta(description="What you may answer now; empty when not asked."),
    ]


def proposal_reply(found: Proposal) -> ProposalReply:
    """A proposal as its table sees it."""
    return replies.of(ProposalReply, found)


def seat_reply(seat: SeatRow) -> SeatReply:
    """A seat as everybody may see it."""
    return SeatReply(
        number=seat.number,
        name=seat.name,
        kind=seat.kind,
        bot=seat.bot,
        state=seat.state,
        program=seat.program,
        kept=seat.kept,
        spare_used=seat.spare_used,
        pauses_used=seat.pauses,
        paused_until=replies.moment(seat.paused_until),
        without_mail=seat.without_mail,
    )
