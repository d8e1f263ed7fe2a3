"""The time of a running game: pauses, and decisions that wait for longer."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from engine.errors import (
    AlreadyExtended,
    DecisionClosed,
    GameNotRunning,
    NoExtensionLeft,
    NoSuchDecision,
    SeatKept,
)
from service.api.http import access, preconditions, replies
from service.api.http.annotations import Who
from service.api.http.replies import Moment
from service.api.http.resource import Blueprint, Resource
from service.api.replies.view_reply import SeatReply, seat_reply
from service.api.resources import games
from service.api.schemas.pause import (
    Extending,
    ExtensionCreationSchema,
    PauseSchema,
    Pausing,
)
from service.game import table_acts
from service.store.games import GameReadModel
from service.values.conflicts import BeyondTheRecord, NoDeadline, NoPauseLeft
from service.values.errors import Forbidden
from service.values.principals import Bearer

blueprint = Blueprint("pauses", "The time of a game: pauses and extensions.")


class ExtensionReply(msgspec.Struct, frozen=True):
    """A decision that waits for longer."""

    decision: int
    deadline: Annotated[
        Moment | None,
        Meta(description="Its new one; null while the game is paused, or it is over."),
    ]
    extensions_left: Annotated[
        int, Meta(description="How many decisions may still be extended.")
    ]


def _proof(game_id: UUID) -> tuple[Bearer, int]:
    """The token of this request, and the seat of its owner, whoever plays it.

    Raises what `access.read_model` raises, Forbidden without a seat, or
    PreconditionFailed: time has no mark.
    """
    proof = access.token(access.PLAY)
    found = access.read_model(game_id, access.PLAY)
    seat = found.beside if found.seat is None else found.seat
    if seat is None:
        raise Forbidden(reason="no-seat")
    preconditions.check_unmarked()
    return proof, seat


def _seat(game_id: UUID, seat: int) -> SeatReply:
    return seat_reply(access.read_model(game_id, access.PLAY).seats[seat])


@blueprint.place("/games/<uuid:game_id>/pause")
class Pause(Resource):
    """Your own pause of a game."""

    @blueprint.named("pauseGame")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(GameNotRunning, NoDeadline, NoPauseLeft, SeatKept)
    @blueprint.arguments(PauseSchema)
    @blueprint.response(200, SeatReply)
    def put(self, wanted: Pausing, game_id: UUID) -> SeatReply:
        """Pause the game for some days: its clock stops, and nobody's time runs.

        Everything can be answered all the same. Each seat has two pauses in a game;
        while yours runs you may change its end, and again changes nothing. When the
        last pause ends the open decision has as much time as it had.
        """
        proof, seat = _proof(game_id)
        table_acts.pause(game_id, proof, wanted.days)
        return _seat(game_id, seat)

    @blueprint.named("resumeGame")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(GameNotRunning, NoDeadline, SeatKept)
    @blueprint.response(200, SeatReply)
    def delete(self, game_id: UUID) -> SeatReply:
        """End your pause: the clock goes on, unless somebody else's runs.

        Again it changes nothing.
        """
        proof, seat = _proof(game_id)
        table_acts.resume(game_id, proof)
        return _seat(game_id, seat)


@blueprint.place("/games/<uuid:game_id>/extensions")
class Extensions(Resource):
    """The decisions of a game that wait for longer."""

    @blueprint.once()
    @blueprint.named("extendDecision")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(
        AlreadyExtended,
        BeyondTheRecord,
        DecisionClosed,
        GameNotRunning,
        NoDeadline,
        NoExtensionLeft,
        NoSuchDecision,
        SeatKept,
    )
    @blueprint.arguments(ExtensionCreationSchema)
    @blueprint.response(201, ExtensionReply)
    def post(
        self, wanted: Extending, game_id: UUID
    ) -> tuple[ExtensionReply, dict[str, str]]:
        """Have the open decision wait for a day longer, whoever is asked.

        Three decisions of a game can, each once, and whoever plays a seat may ask for
        it.
        """
        proof, _ = _proof(game_id)
        table_acts.extend(game_id, proof, wanted.decision)
        found = access.read_model(game_id, access.PLAY)
        return _reply(found, wanted.decision), {"Location": games.path(game_id, "view")}


def _reply(found: GameReadModel, decision: int) -> ExtensionReply:
    asked = found.game.decision
    is_open = asked is not None and asked.number == decision
    return ExtensionReply(
        decision=decision,
        deadline=replies.moment(found.deadline) if is_open else None,
        extensions_left=found.game.extensions_left,
    )
