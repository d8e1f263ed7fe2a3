"""Invitations: sent by hosts, opened and answered by whoever was mailed one."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from flask import request
from msgspec import Meta

from engine.commands import Options
from engine.errors import AlreadyStarted
from service.api.http import access, preconditions, replies
from service.api.http.annotations import Who
from service.api.http.replies import Moment
from service.api.http.resource import Blueprint, Resource
from service.api.replies.view_reply import SeatReply, seat_reply
from service.api.resources import games
from service.api.schemas.invitation import (
    AnsweredInvitation,
    InvitationAnswerSchema,
    InvitationCreation,
    InvitationCreationSchema,
)
from service.present import duration
from service.present.duration import ExpectedDays
from service.rate_limits import charging
from service.store import event_log, invitations, people, tables
from service.store import games as gamestore
from service.store import links as linkstore
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.store.people import Profile
from service.tables import seat_changes, seating, succession
from service.tables.refusals import InvitationAnswer
from service.values import signed_tokens
from service.values.conflicts import AddressTwice, NameTaken, SeatTaken, TableNotOpen
from service.values.enums import (
    GameStatus,
    InvitationState,
    LinkPurpose,
    SeatState,
    Visibility,
)
from service.values.errors import InvitationOver, TooManyInvitations
from service.values.principals import System

blueprint = Blueprint("invitations", "Who is asked to a table, and what they answer.")


class SentInvitationReply(msgspec.Struct, frozen=True):
    """An invitation that was mailed; addresses are told to nobody."""

    id: UUID
    seat: int
    name: Annotated[
        str | None,
        Meta(description="The seat's; null once it is somebody else's."),
    ]
    state: InvitationState
    created_at: Moment
    bounced: Annotated[
        bool,
        Meta(
            description="Its mail was refused for good, given up after days, or came"
            " back, and it is still open: correct the address."
        ),
    ]


class SentInvitationsReply(msgspec.Struct, frozen=True):
    """All invitations to a table, the oldest first."""

    invitations: Sequence[SentInvitationReply]


class InvitationReply(msgspec.Struct, frozen=True):
    """What one is invited to."""

    game: UUID
    seat: Annotated[int, Meta(description="Yours, if you are in.")]
    state: Annotated[SeatState, Meta(description="Yours: invited until you answer.")]
    host_name: Annotated[str, Meta(description="Who invites you.")]
    edition: Annotated[str, replies.one_of("EditionKey")]
    options: Options
    visibility: Visibility
    seats: Sequence[SeatReply]
    expected_days: Annotated[
        ExpectedDays | None, Meta(description="About how long it takes.")
    ]
    seed: Annotated[
        str,
        Meta(
            description="What binds the service to the seed of the shuffle, fixed"
            " before anybody was invited. The deal hangs on the words, too.",
            pattern="^[0-9a-f]{64}$",
            examples=[
                "9a3ddb5cd315e7af7dcf0c9da2b5a851736742bec76cb12d27812aee6cec3938"
            ],
        ),
    ]


class InvitationOutcomeReply(msgspec.Struct, frozen=True):
    """How the seat stands after an answer."""

    game: UUID
    seat: int
    state: SeatState
    status: Annotated[GameStatus, Meta(description="The game's.")]


@blueprint.place("/games/<uuid:game_id>/invitations")
class Invitations(Resource):
    """The invitations to a table."""

    @blueprint.access(Who.HOST, access.READ)
    @blueprint.response(200, SentInvitationsReply)
    def get(self, game_id: UUID) -> SentInvitationsReply:
        """List, as the host, who was invited and what became of it.

        Addresses are told to nobody, not even to whoever typed them.
        """
        games.hosted(game_id, access.READ)
        found = invitations.of_table(game_id)
        return SentInvitationsReply(
            [replies.of(SentInvitationReply, each) for each in found]
        )

    @blueprint.once()
    @blueprint.named("createInvitation")
    @blueprint.conditional()
    @blueprint.marked()
    @blueprint.access(Who.HOST, access.INVITE)
    @blueprint.fails(
        AddressTwice,
        AlreadyStarted,
        NameTaken,
        SeatTaken,
        TableNotOpen,
        TooManyInvitations,
    )
    @blueprint.arguments(InvitationCreationSchema)
    @blueprint.response(201, SentInvitationReply)
    def post(
        self, asked: InvitationCreation, game_id: UUID
    ) -> tuple[SentInvitationReply, dict[str, str]]:
        """Invite somebody, as the host, to a seat that nobody has taken.

        `Location` is the seat. Whoever was asked to it before isn't any more. Nothing
        tells whether the address wants to be asked, or sits there already.
        """
        games.hosted(game_id, access.INVITE)
        with games.writing(game_id, access.INVITE, asked.address):
            seat = seat_changes.guest(
                game_id, asked.seat, asked.address, asked.name, request.remote_addr
            )
            (*_, sent) = (i for i in invitations.of_table(game_id) if i.seat == seat)
            headers = games.marked(access.read_model(game_id, access.INVITE))
        place = games.path(game_id, "seats", str(seat))
        return replies.of(SentInvitationReply, sent), {"Location": place, **headers}


@blueprint.place("/invitations/<secret>")
class Invitation(Resource):
    """An invitation, by the secret of its link."""

    @blueprint.access(Who.HOLDER)
    @blueprint.fails(InvitationOver)
    @blueprint.response(200, InvitationReply)
    def get(self, secret: str) -> InvitationReply:
        """Show who invites you, and to what. Reading changes nothing.

        In a game that runs it is to a seat that a bot keeps.
        """
        link, table = _opened(secret)
        named = succession.asked(link)
        state = table.seats[link.seat].state if named is None else SeatState.INVITED
        open_now = named is not None or table.status is GameStatus.INVITING
        if _is_gone(table, state) or not open_now:
            raise InvitationOver
        return InvitationReply(
            game=table.id,
            seat=link.seat,
            state=state,
            host_name=table.seats[0 if named is None else named.by_seat].name,
            edition=table.edition,
            options=msgspec.convert(table.options, Options),
            visibility=table.visibility,
            seats=[seat_reply(seat) for seat in table.seats],
            seed=event_log.seed_commitment(table.id),
            expected_days=duration.expected_days(table),
        )


@blueprint.place("/invitations/<secret>/acceptance")
class InvitationAcceptance(Resource):
    """The answer to an invitation."""

    @blueprint.named("answerInvitation")
    @blueprint.access(Who.HOLDER)
    @blueprint.fails(AddressTwice, InvitationOver, NameTaken)
    @blueprint.arguments(InvitationAnswerSchema)
    @blueprint.response(200, InvitationOutcomeReply)
    def post(self, given: AnsweredInvitation, secret: str) -> InvitationOutcomeReply:
        """Say whether you play. The last one in starts the game.

        In a game that runs you take over a seat that a bot keeps, and play from the
        next deal on at the latest. The same answer again changes nothing; another one
        is told that the invitation is over. Only `never` is heard then, too, unless
        you have taken the seat.
        """
        link, table = _opened(secret, given.choice)
        preconditions.check_unmarked()
        profile = _profile(link, table, given)
        plain = signed_tokens.normalise(secret)
        if succession.is_about(link):
            succession.respond(link, given.choice, profile, plain)
            return _succeeded(link, given.choice)
        seating.respond(link, given.choice, profile, given.word, plain)
        _, table = _opened(secret, given.choice)
        is_in = given.choice is InvitationAnswer.IN
        state = SeatState.JOINED if is_in else SeatState.DECLINED
        return InvitationOutcomeReply(
            game=table.id,
            seat=link.seat,
            state=state,
            # As it was when they said no: how it went on they don't hear.
            status=GameStatus.INVITING if _is_gone(table, state) else table.status,
        )


def _succeeded(link: LinkRow, choice: InvitationAnswer) -> InvitationOutcomeReply:
    """How it stands for somebody who was asked to a kept seat."""
    is_in = choice is InvitationAnswer.IN
    table = gamestore.read(link.game_id, System())
    if table is None:
        raise InvitationOver
    return InvitationOutcomeReply(
        game=link.game_id,
        seat=link.seat,
        state=SeatState.JOINED if is_in else SeatState.DECLINED,
        # How it went on they don't hear who have said no.
        status=table.status if is_in else GameStatus.RUNNING,
    )


def _is_gone(table: GameReadModel, state: SeatState) -> bool:
    """Whether somebody has declined at a table that is its players' alone."""
    return state is SeatState.DECLINED and table.visibility is Visibility.PLAYERS


def _opened(
    secret: str, choice: InvitationAnswer | None = None
) -> tuple[LinkRow, GameReadModel]:
    """What an invitation is to.

    Raises InvitationOver for a seat that isn't theirs, unless they want no other one.
    """
    link = linkstore.find(signed_tokens.normalise(secret))
    if link is None or link.purpose != LinkPurpose.INVITATION:
        charging.refuse()
        raise InvitationOver
    chairs = tables.chairs(link.game_id)
    table = gamestore.read(link.game_id, System())
    seated = link.seat < len(chairs) and chairs[link.seat].person_id == link.person_id
    seated = seated or succession.is_about(link) or choice is InvitationAnswer.NEVER
    if table is None or not seated:
        raise InvitationOver
    return link, table


def _profile(link: LinkRow, table: GameReadModel, given: AnsweredInvitation) -> Profile:
    """How somebody is addressed from now on: as they say, or as before."""
    person = people.by_id(link.person_id)
    if person is None:
        raise InvitationOver
    known = person.profile
    if not person.verified:
        # What another host called them is no name of theirs.
        named = succession.asked(link)
        called = table.seats[link.seat].name if named is None else named.name or ""
        known = msgspec.structs.replace(known, name=called)
    return Profile(
        known.name if given.name is None else given.name,
        given.language or known.language,
        given.zone or known.zone,
    )
