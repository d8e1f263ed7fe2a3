"""Somebody else for a seat that a bot keeps."""

from typing import Annotated
from uuid import UUID

import msgspec
from flask import Response, request
from msgspec import Meta

from engine.errors import GameNotRunning, SeatNotKept
from service.api.http import access, preconditions
from service.api.http.annotations import Who
from service.api.http.replies import Moment
from service.api.http.resource import Blueprint, Resource
from service.api.schemas.replacement import Naming, NamingSchema
from service.api.schemas.terms import MOST_SEATS
from service.store import replacements as replacementstore
from service.store.replacements import Replacement
from service.tables import replacements
from service.tables.replacements import Namer
from service.values.conflicts import (
    AddressTwice,
    LastRound,
    NameTaken,
    ObjectionLate,
    PersonReturns,
    ReplacementOpen,
    TooManyReplacements,
)
from service.values.enums import ReplacementState
from service.values.errors import NotFound, TooManyInvitations

blueprint = Blueprint("replacement", "Somebody else for a seat that a bot keeps.")


class ReplacementReply(msgspec.Struct, frozen=True):
    """Whoever was named last for a seat that a bot keeps, for its table alone."""

    seat: int
    state: Annotated[
        ReplacementState,
        Meta(
            description="`named` while others may object, `asked` while they may accept"
            " themself; all others are how it ended."
        ),
    ]
    named_by: Annotated[int, Meta(description="The seat of who named them.")]
    name: Annotated[
        str | None,
        Meta(description="What they were called; null without a name, and at the end."),
    ]
    named_at: Moment
    until: Annotated[
        Moment | None,
        Meta(description="When `named` becomes `asked`, or that lapses; null then."),
    ]


def _reply(found: Replacement) -> ReplacementReply:
    return ReplacementReply(
        seat=found.seat,
        state=found.state,
        named_by=found.by_seat,
        name=found.name,
        named_at=Moment.of(found.created_at),
        until=Moment.of(found.due_at) if found.is_open else None,
    )


def _latest(game_id: UUID, seat: int) -> ReplacementReply:
    found = replacementstore.of_seat(game_id, seat)
    if not found:
        raise NotFound(what="replacement")
    return _reply(found[-1])


@blueprint.place(
    f"/games/<uuid:game_id>/seats/<seat(max={MOST_SEATS - 1}):seat>/replacement"
)
class SeatReplacement(Resource):
    """Somebody else for a kept seat."""

    @blueprint.access(Who.SEAT, access.READ)
    @blueprint.fails(NotFound)
    @blueprint.response(200, ReplacementReply)
    def get(self, game_id: UUID, seat: int) -> ReplacementReply:
        """Show who was named last for a seat, and what has become of it.

        For whoever plays at the table. Addresses are told to nobody.
        """
        access.check_seat(game_id, seat, access.READ)
        return _latest(game_id, seat)

    @blueprint.named("nameReplacement")
    @blueprint.access(Who.SEAT, access.INVITE)
    @blueprint.fails(
        AddressTwice,
        GameNotRunning,
        LastRound,
        NameTaken,
        NotFound,
        PersonReturns,
        ReplacementOpen,
        SeatNotKept,
        TooManyInvitations,
        TooManyReplacements,
    )
    @blueprint.arguments(NamingSchema)
    @blueprint.response(200, ReplacementReply)
    def put(self, wish: Naming, game_id: UUID, seat: int) -> ReplacementReply:
        """Name somebody else for a seat that a bot keeps, while you play another.

        For a day every other who plays may object; then a mail asks them, and for seven
        days they may accept. From that moment on they see what the seat holds, and
        nothing of the former person's is good for it. Who left it may return until
        then. Each may name three for a seat, one at a time. Nobody is told the address,
        and nothing tells what is known of it. The same again changes nothing.
        """
        access.check_seat(game_id, seat, access.INVITE)
        preconditions.check_unmarked()
        namer = Namer(access.person(access.INVITE).person_id, request.remote_addr)
        replacements.name(game_id, seat, namer, wish.address, wish.name)
        return _latest(game_id, seat)

    @blueprint.named("endReplacement")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(NotFound, ObjectionLate)
    @blueprint.response(204)
    def delete(self, game_id: UUID, seat: int) -> Response:
        """Object to who is named for a seat, within a day; or withdraw your own.

        Your own you may withdraw until they have accepted.
        """
        access.check_seat(game_id, seat, access.PLAY)
        preconditions.check_unmarked()
        person_id = access.person(access.PLAY).person_id
        replacements.end(game_id, seat, person_id)
        return Response(status=204)
