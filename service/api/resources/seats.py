"""Seats of a table: read, taken, given away, left."""

from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

import msgspec
from flask import Response, request

from engine.errors import AlreadyStarted, BadTable
from service.api.http import access
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.replies.view_reply import SeatReply, seat_reply
from service.api.resources import games
from service.api.schemas.game import SeatWishSchema
from service.api.schemas.seat import (
    AddressCorrection,
    AddressCorrectionSchema,
    SeatTakingSchema,
    Taking,
)
from service.api.schemas.terms import MOST_SEATS
from service.people import accounts
from service.store.games import GameReadModel
from service.tables import joining, seat_changes
from service.tables.creation import BotSeat, Guest, OpenSeat, SeatWish
from service.values.conflicts import (
    AddressTwice,
    HostStays,
    NameTaken,
    NotInvited,
    SeatTaken,
    TableNotOpen,
    TooManyCorrections,
)
from service.values.errors import Forbidden, NotFound, TooManyInvitations

blueprint = Blueprint("seats", "Who sits where, and who shall, before the start.")

_ONE = f"/games/<uuid:game_id>/seats/<seat(max={MOST_SEATS - 1}):seat>"


class SeatsReply(msgspec.Struct, frozen=True):
    """All seats of a table, clockwise."""

    seats: Sequence[SeatReply]


def _seat(
    game_id: UUID, number: int, scope: str, **headers: str
) -> tuple[SeatReply, dict[str, str]]:
    """A seat, and the headers of an answer with it: its mark is that of the game."""
    found = access.read_model(game_id, scope)
    _check(number, found)
    return seat_reply(found.seats[number]), {**games.marked(found), **headers}


def _check(number: int, found: GameReadModel) -> None:
    """Raise NotFound for a seat that a game hasn't got."""
    if number >= len(found.seats):
        raise NotFound(what="seat")


@blueprint.place("/games/<uuid:game_id>/seats")
class Seats(Resource):
    """The seats of a table."""

    @blueprint.access(Who.READER, access.READ)
    @blueprint.response(200, SeatsReply)
    def get(self, game_id: UUID) -> tuple[SeatsReply, dict[str, str]]:
        """List the seats of a game, clockwise."""
        found = access.read_model(game_id)
        return SeatsReply([seat_reply(seat) for seat in found.seats]), games.marked(
            found
        )

    @blueprint.once()
    @blueprint.conditional()
    @blueprint.marked()
    @blueprint.named("takeSeat")
    @blueprint.access(Who.PERSON, access.PLAY)
    @blueprint.fails(
        AddressTwice, AlreadyStarted, NameTaken, NotFound, SeatTaken, TableNotOpen
    )
    @blueprint.arguments(SeatTakingSchema)
    @blueprint.response(201, SeatReply)
    def post(self, wanted: Taking, game_id: UUID) -> tuple[SeatReply, dict[str, str]]:
        """Sit down at a table that fills up.

        On an open seat, or on the one you are invited to. Whoever is first has it:
        others get `seat-taken`. The last one in starts the game. With the game's
        `ETag` as `If-Match` you sit down on the terms that you have read, or not at
        all.
        """
        owner = access.person(access.PLAY)
        access.read_model(game_id, access.PLAY)
        person = accounts.known(owner.person_id)
        with games.writing(game_id, access.PLAY):
            number = joining.take(
                game_id, person, wanted.seat, wanted.name, wanted.word
            )
            place = games.path(game_id, "seats", str(number))
            return _seat(game_id, number, access.PLAY, Location=place)


@blueprint.place(_ONE)
class Seat(Resource):
    """A seat."""

    @blueprint.access(Who.READER, access.READ)
    @blueprint.response(200, SeatReply)
    def get(self, game_id: UUID, seat: int) -> tuple[SeatReply, dict[str, str]]:
        """Show a seat: who sits there, or is asked to."""
        return _seat(game_id, seat, access.READ)

    @blueprint.named("assignSeat")
    @blueprint.conditional()
    @blueprint.marked()
    @blueprint.access(Who.HOST, access.CREATE)
    @blueprint.fails(
        AddressTwice,
        AlreadyStarted,
        BadTable,
        NameTaken,
        SeatTaken,
        TableNotOpen,
        TooManyInvitations,
    )
    @blueprint.arguments(SeatWishSchema)
    @blueprint.response(200, SeatReply)
    def put(
        self, wish: SeatWish, game_id: UUID, seat: int
    ) -> tuple[SeatReply, dict[str, str]]:
        """Say, as the host, who shall have a seat that nobody has taken.

        A person is invited by mail, a bot is in at once, an open seat is for whoever
        comes first. With the last seat taken the game starts.
        """
        _check(seat, games.hosted(game_id, access.CREATE))
        guest = wish.address if isinstance(wish, Guest) else None
        with games.writing(game_id, access.CREATE, guest):
            match wish:
                case Guest(address=address, name=name):
                    seat_changes.guest(
                        game_id, seat, address, name, request.remote_addr
                    )
                case BotSeat(bot=bot):
                    seat_changes.bot(game_id, seat, bot)
                case OpenSeat():
                    seat_changes.leave_open(game_id, seat)
            return _seat(game_id, seat, access.CREATE)

    @blueprint.named("correctAddress")
    @blueprint.conditional()
    @blueprint.marked()
    @blueprint.access(Who.HOST, access.CREATE)
    @blueprint.fails(
        AddressTwice,
        AlreadyStarted,
        NotInvited,
        TableNotOpen,
        TooManyCorrections,
        TooManyInvitations,
    )
    @blueprint.arguments(AddressCorrectionSchema)
    @blueprint.response(200, SeatReply)
    def patch(
        self, wish: AddressCorrection, game_id: UUID, seat: int
    ) -> tuple[SeatReply, dict[str, str]]:
        """Correct, as the host, the address of whoever is invited to a seat.

        Before they have answered, three times a seat, and it counts like any other
        invitation. Their name stays; the first mail leads nowhere any more.
        """
        _check(seat, games.hosted(game_id, access.CREATE))
        with games.writing(game_id, access.CREATE, wish.address):
            seat_changes.correct(game_id, seat, wish.address, request.remote_addr)
            return _seat(game_id, seat, access.CREATE)

    @blueprint.named("leaveSeat")
    @blueprint.conditional()
    @blueprint.marked()
    @blueprint.access(Who.SEAT, access.PLAY, others=access.CREATE)
    @blueprint.fails(AlreadyStarted, HostStays, TableNotOpen)
    @blueprint.response(204)
    def delete(self, game_id: UUID, seat: int) -> Response:
        """Leave your seat before the start, or free another's as the host.

        A seat you were invited to is declined, the host hears of it and chooses who
        gets it; one you came to by yourself is open again. Either way you have a seat
        no more. To free another's takes the scope `games:create`, and no other.
        """
        scope = access.either(access.PLAY, access.CREATE)
        owner = access.person(scope)
        found = access.read_model(game_id, scope)
        if found.seat is None:
            raise Forbidden(reason="no-seat")
        freeing = found.seat == 0 and seat != 0
        access.person(access.CREATE if freeing else access.PLAY)
        _check(seat, found)
        with games.writing(game_id, scope):
            joining.leave(game_id, owner.person_id, seat)
            headers = {}
            # Whoever has left a table of players alone doesn't see it any more.
            with suppress(NotFound):
                headers = games.marked(access.read_model(game_id, scope))
        return Response(status=204, headers=headers)
