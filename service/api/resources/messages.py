"""Talk at a table: its seats alone read it."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from flask import Response
from msgspec import Meta

from service.api.http import access, preconditions
from service.api.http.annotations import Who
from service.api.http.replies import Moment
from service.api.http.resource import Blueprint, Resource
from service.api.resources import games
from service.api.schemas.message import (
    MessageCreationSchema,
    MessagesPart,
    MessagesSchema,
)
from service.api.schemas.terms import MOST_SEATS
from service.api.schemas.view import MOST
from service.game import talk
from service.present import phrases
from service.store import messages as messagestore
from service.store.messages import Message
from service.store.transactions import transaction
from service.values.conflicts import TalkClosed
from service.values.errors import NotFound
from service.values.lines import Line, StockPhrase

blueprint = Blueprint("messages", "What people say at a table, for its seats alone.")


class MessageReply(msgspec.Struct, frozen=True):
    """Something that was said."""

    id: Annotated[int, Meta(description="Its number at the table; some are missing.")]
    seat: int
    said_at: Moment
    line: Annotated[
        str,
        Meta(description="What was said; a stock phrase is in your language."),
    ]
    phrase: Annotated[
        StockPhrase | None, Meta(description="The code of a stock phrase, or null.")
    ]
    decision: Annotated[
        int | None,
        Meta(description="The decision with whose answer it came; null between acts."),
    ]
    taken_back: Annotated[bool, Meta(description="Whether that answer was taken back.")]
    former: Annotated[
        bool,
        Meta(description="Who said it has the seat no more; somebody else has."),
    ]


class MessagesReply(msgspec.Struct, frozen=True):
    """A part of what was said, in order; `Link` leads on when there is more."""

    messages: Sequence[MessageReply]
    newest: Annotated[
        int, Meta(description="The `id` of what was said last, by anybody.")
    ]
    muted: Annotated[
        Sequence[int],
        Meta(description="The seats of whose talk you read nothing, by your wish."),
    ]


def _reply(found: Message) -> MessageReply:
    return MessageReply(
        id=found.number,
        seat=found.seat,
        said_at=Moment.of(found.said_at),
        line=phrases.words(found.line, found.phrase),
        phrase=None if found.phrase is None else StockPhrase(found.phrase),
        decision=found.decision,
        taken_back=found.taken_back,
        former=found.former,
    )


@blueprint.place("/games/<uuid:game_id>/messages")
class Messages(Resource):
    """What was said at a table."""

    @blueprint.access(Who.SEAT, access.MESSAGES)
    @blueprint.arguments(MessagesSchema, location="query")
    @blueprint.response(200, MessagesReply)
    def get(
        self, part: MessagesPart, game_id: UUID
    ) -> tuple[MessagesReply, dict[str, str]]:
        """Read what was said at the table, on from a message: for its seats alone.

        A stream of the game tells you when there is more. What somebody said who has
        had themself erased is gone.
        """
        game, seat = access.own_seat(game_id, access.MESSAGES)
        found = messagestore.behind(game_id, seat, part.after, part.limit + 1)
        shown = found[: part.limit]
        listed = MessagesReply(
            messages=[_reply(each) for each in shown],
            newest=game.newest_message,
            muted=messagestore.muted(game_id, seat),
        )
        if len(found) == len(shown):
            return listed, {}
        query = f"after={shown[-1].number}&limit={part.limit}"
        url = games.path(game_id, f"messages?{query}")
        return listed, {"Link": f'<{url}>; rel="next"'}

    @blueprint.once()
    @blueprint.named("sendMessage")
    @blueprint.access(Who.SEAT, access.MESSAGES)
    @blueprint.fails(TalkClosed)
    @blueprint.arguments(MessageCreationSchema)
    @blueprint.response(201, MessageReply)
    def post(self, said: Line, game_id: UUID) -> tuple[MessageReply, dict[str, str]]:
        """Say something to the table, from its start until a week after its end.

        At most 30 messages an hour and seat. What you say with an answer counts for
        none of these.
        """
        proof = access.token(access.MESSAGES)
        with transaction():
            message = talk.say(game_id, proof, said)
            preconditions.check_unmarked(shown=True)
        query = f"after={message.number - 1}&limit=1"
        place = games.path(game_id, f"messages?{query}")
        return _reply(message), {"Location": place}


@blueprint.place(f"/games/<uuid:game_id>/messages/<int(max={MOST}):message>/report")
class MessageReport(Resource):
    """Your report of a message."""

    @blueprint.named("reportMessage")
    @blueprint.access(Who.SEAT, access.MESSAGES)
    @blueprint.fails(NotFound)
    @blueprint.response(204)
    def post(self, game_id: UUID, message: int) -> Response:
        """Report a message to whoever runs this instance.

        Again it changes nothing. Nobody at the table learns of it.
        """
        access.own_seat(game_id, access.MESSAGES)
        proof = access.token(access.MESSAGES)
        with transaction():
            if not talk.report(game_id, proof, message):
                raise NotFound(what="message")
            preconditions.check_unmarked()
        return Response(status=204)


@blueprint.place(f"/games/<uuid:game_id>/seats/<seat(max={MOST_SEATS - 1}):seat>/mute")
class SeatMute(Resource):
    """Your wish to read nothing of what a seat says."""

    @blueprint.named("muteSeat")
    @blueprint.access(Who.SEAT, access.MESSAGES)
    @blueprint.fails(NotFound)
    @blueprint.response(204)
    def put(self, game_id: UUID, seat: int) -> Response:
        """Leave out what a seat says and has said, for you alone.

        Nobody else sees that. Your own seat's you go on reading.
        """
        return _changed(game_id, seat, muted=True)

    @blueprint.named("unmuteSeat")
    @blueprint.access(Who.SEAT, access.MESSAGES)
    @blueprint.fails(NotFound)
    @blueprint.response(204)
    def delete(self, game_id: UUID, seat: int) -> Response:
        """Read again what a seat says, and what it has said meanwhile."""
        return _changed(game_id, seat, muted=False)


def _changed(game_id: UUID, seat: int, *, muted: bool) -> Response:
    """A change of whom somebody reads at a table.

    Raises what `access.check_seat` raises.
    """
    access.check_seat(game_id, seat, access.MESSAGES)
    proof = access.token(access.MESSAGES)
    with transaction():
        talk.mute(game_id, proof, seat, muted=muted)
        preconditions.check_unmarked()
    return Response(status=204)
