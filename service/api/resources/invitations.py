"""Invitations: sent by hosts, opened and answered by whoever was mailed one."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec
from flask import request
from flask.views import MethodView

from engine.errors import AlreadyStarted
from service.api.http import access, preconditions
from service.api.http.annotations import Who
from service.api.openapi.blueprint import Blueprint
from service.api.resources import games
from service.api.schemas.invitation import (
    AcceptanceRequest,
    AcceptanceSchema,
    AcceptedSchema,
    InvitationRequest,
    InvitationSchema,
    InvitationWishSchema,
    SentInvitationSchema,
    SentInvitationsSchema,
)
from service.rate_limits import charging
from service.store import event_log, invitations, people, tables
from service.store import games as gamestore
from service.store import links as linkstore
from service.store.games import GameReadModel
from service.store.invitations import Invited
from service.store.links import LinkRow
from service.store.people import Profile
from service.store.seats import SeatRow
from service.tables import seat_changes, seating
from service.values import signed_tokens
from service.values.enums import GameStatus, SeatState, Visibility
from service.values.errors import (
    AddressTwice,
    InvitationOver,
    NameTaken,
    SeatTaken,
    TableNotOpen,
    TooManyInvitations,
)
from service.values.principals import System

blueprint = Blueprint("invitations", "Who is asked to a table, and what they answer.")


class _Opened(msgspec.Struct, frozen=True):
    """An invitation as whoever holds it sees it."""

    game: UUID
    seat: int
    state: str
    host: str
    edition: str
    options: Mapping[str, object]
    visibility: Visibility
    seats: Sequence[SeatRow]
    seed: str


class _Answered(msgspec.Struct, frozen=True):
    """How a seat and its game stand after an answer."""

    game: UUID
    seat: int
    state: str
    status: GameStatus


@blueprint.route("/games/<uuid:game_id>/invitations")
class Invitations(MethodView):
    """The invitations to a table."""

    @blueprint.access(Who.HOST, access.READ)
    @blueprint.response(200, SentInvitationsSchema)
    def get(self, game_id: UUID) -> dict[str, Sequence[Invited]]:
        """List, as the host, who was invited and what became of it.

        Addresses are told to nobody, not even to whoever typed them.
        """
        games.hosted(game_id, access.READ)
        return {"invitations": invitations.of_table(game_id)}

    @blueprint.once()
    @blueprint.named("invitePerson")
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
    @blueprint.arguments(InvitationWishSchema)
    @blueprint.response(201, SentInvitationSchema)
    def post(
        self, asked: InvitationRequest, game_id: UUID
    ) -> tuple[Invited, dict[str, str]]:
        """Invite somebody, as the host, to a seat that nobody has taken.

        `Location` is the seat. Whoever was asked to it before isn't any more. Nothing
        tells whether the address wants to be asked, or sits there already.
        """
        games.hosted(game_id, access.INVITE)
        with games.writing(game_id, access.INVITE, invites=True):
            seat = seat_changes.guest(
                game_id, asked.seat, asked.address, asked.name, request.remote_addr
            )
            (*_, sent) = (i for i in invitations.of_table(game_id) if i.seat == seat)
            headers = games.marked(access.read_model(game_id, access.INVITE))
        return sent, {"Location": games.path(game_id, "seats", str(seat)), **headers}


@blueprint.route("/invitations/<token>")
class Invitation(MethodView):
    """An invitation, by the secret of its link."""

    @blueprint.access(Who.HOLDER)
    @blueprint.fails(InvitationOver)
    @blueprint.response(200, InvitationSchema)
    def get(self, token: str) -> _Opened:
        """Show who invites you, and to what. Reading changes nothing."""
        link, table = _opened(token)
        state = table.seats[link.seat].state
        if _is_gone(table, state) or table.status is not GameStatus.INVITING:
            raise InvitationOver
        return _Opened(
            game=table.id,
            seat=link.seat,
            state=state,
            host=table.seats[0].name,
            edition=table.edition,
            options=table.options,
            visibility=table.visibility,
            seats=table.seats,
            seed=event_log.seed_commitment(table.id),
        )


@blueprint.route("/invitations/<token>/acceptance")
class InvitationAcceptance(MethodView):
    """The answer to an invitation."""

    @blueprint.named("answerInvitation")
    @blueprint.access(Who.HOLDER)
    @blueprint.fails(InvitationOver, NameTaken)
    @blueprint.arguments(AcceptanceSchema)
    @blueprint.response(200, AcceptedSchema)
    def post(self, given: AcceptanceRequest, token: str) -> _Answered:
        """Say whether you play. The last one in starts the game.

        The same answer again changes nothing; another one is told that the invitation
        is over.
        """
        link, table = _opened(token)
        preconditions.check_unmarked()
        profile = _profile(link, table, given)
        secret = signed_tokens.normalise(token)
        seating.respond(link, given.choice, profile, given.word, secret)
        _, table = _opened(token)
        state = table.seats[link.seat].state
        return _Answered(
            game=table.id,
            seat=link.seat,
            state=state,
            # As it was when they said no: how it went on they don't hear.
            status=GameStatus.INVITING if _is_gone(table, state) else table.status,
        )


def _is_gone(table: GameReadModel, state: SeatState) -> bool:
    """Whether somebody has declined at a table that is its players' alone."""
    return state is SeatState.DECLINED and table.visibility is Visibility.PLAYERS


def _opened(token: str) -> tuple[LinkRow, GameReadModel]:
    """What an invitation is to. Raises InvitationOver for a seat that isn't theirs."""
    link = linkstore.find(signed_tokens.normalise(token))
    if link is None or link.purpose != "invitation":
        charging.refuse()
        raise InvitationOver
    chairs = tables.chairs(link.game_id)
    table = gamestore.read(link.game_id, System())
    seated = link.seat < len(chairs) and chairs[link.seat].person_id == link.person_id
    if table is None or not seated:
        raise InvitationOver
    return link, table


def _profile(link: LinkRow, table: GameReadModel, given: AcceptanceRequest) -> Profile:
    """How somebody is addressed from now on: as they say, or as before."""
    person = people.by_id(link.person_id)
    if person is None:
        raise InvitationOver
    known = person.profile
    if not person.verified:
        # What another host called them is no name of theirs.
        known = msgspec.structs.replace(known, name=table.seats[link.seat].name)
    return Profile(
        known.name if given.name is None else given.name,
        given.language or known.language,
        given.zone or known.zone,
    )
