"""Games: found, opened, described, called off."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any
from uuid import UUID

import msgspec
from flask import Response, request
from msgspec import Meta

from engine.commands import Options
from engine.errors import AlreadyStarted, BadTable
from service.api.http import (
    access,
    cursors,
    etags,
    preconditions,
    replies,
    response_headers,
)
from service.api.http.annotations import Who
from service.api.http.replies import Head, Moment, Revision, Url
from service.api.http.resource import Blueprint, Resource
from service.api.openapi import examples
from service.api.replies.view_reply import SeatReply, seat_reply
from service.api.schemas.game import (
    GameCreationSchema,
    GamesPage,
    GameUpdateSchema,
    HostedTable,
    PracticeGameCreation,
    PracticeGameCreationSchema,
    WantedSchema,
)
from service.present import duration
from service.present.duration import ExpectedDays
from service.rate_limits.limits import PRACTICE, TABLES
from service.store import lists, tables
from service.store.games import GameReadModel, head_of
from service.store.lists import Listed
from service.store.transactions import transaction
from service.tables import (
    cancellation,
    creation,
    joining,
    options,
    practice,
    seat_changes,
    seating,
)
from service.tables.options import TermsChange
from service.values import addresses, public_urls
from service.values.conflicts import AddressTwice, NameTaken, TermsAgreed
from service.values.enums import GameStatus, Visibility
from service.values.errors import (
    Forbidden,
    HostNotListed,
    TooManyInvitations,
    Unauthorized,
)

blueprint = Blueprint("games", "Tables and games.")


def path(game_id: UUID, *more: str) -> str:
    """The absolute address of a game, or of something below it."""
    return public_urls.api_url("games", game_id, *more)


def hosted(game_id: UUID, scope: str) -> GameReadModel:
    """A game whose host asks. Raises what `access.read_model` raises, or Forbidden."""
    access.token(scope)
    found = access.read_model(game_id, scope)
    if found.seat != 0:
        raise Forbidden(reason="not-host")
    return found


class GameReply(msgspec.Struct, frozen=True):
    """A game as a thing; how it stands is in its view."""

    game: UUID
    status: GameStatus
    edition: Annotated[str, replies.one_of("EditionKey")]
    options: Options
    visibility: Visibility
    practice: bool
    seats: Sequence[SeatReply]
    seat: Annotated[int | None, Meta(description="Your own, or null.")]
    revision: Revision
    head: Head
    created_at: Moment
    started_at: Moment | None
    ended_at: Moment | None
    expected_days: Annotated[
        ExpectedDays | None,
        Meta(description="About how long it takes; null in practice."),
    ]


class GameDetailsReply(GameReply, frozen=True):
    """A game as a thing, and where its players meet again."""

    rematch_url: Annotated[Url | None, Meta(description="The game's rematch, or null.")]
    join_url: Annotated[
        Url | None,
        Meta(
            description="A page to pass on: whoever opens it may take an open seat."
            " Null without one."
        ),
    ]


class GamesReply(msgspec.Struct, frozen=True):
    """A page of games, the newest first; `Link` leads to the next one."""

    games: Sequence[GameReply]


class PracticeGameReply(msgspec.Struct, frozen=True):
    """A practice game that has begun; the token is shown only now."""

    game: UUID
    seat: int
    token: Annotated[
        str,
        Meta(description="Good for this game alone: Authorization: Bearer."),
    ]
    view_url: Url


def game_reply(found: GameReadModel | Listed) -> GameReply:
    """A game as whoever reads it is told of it."""
    return GameReply(**_told(found))


def _told(found: GameReadModel | Listed) -> dict[str, Any]:
    return {
        "game": found.id,
        "status": found.status,
        "edition": found.edition,
        "options": msgspec.convert(found.options, Options),
        "visibility": found.visibility,
        "practice": found.practice,
        "seats": [seat_reply(seat) for seat in found.seats],
        "seat": found.seat,
        "revision": found.record,
        "head": head_of(found.record, found.head),
        "created_at": Moment.of(found.created_at),
        "started_at": replies.moment(found.started_at),
        "ended_at": replies.moment(found.ended_at),
        "expected_days": duration.expected_days(found),
    }


def marked(found: GameReadModel) -> dict[str, str]:
    """The header with the mark of a game as its reader sees it, and of its seats.

    It is one for all of them: whoever is about to sit down counts on the terms, too.
    """
    return _with_mark(_described(found))


def _with_mark(described: GameDetailsReply) -> dict[str, str]:
    return {response_headers.ETAG: f'"{etags.of(described)}"'}


@contextmanager
def writing(game_id: UUID, scope: str, guest: str | None = None) -> Iterator[None]:
    """Hold a game for what is written inside, if it is as the client has read it.

    What is read inside is what was written. `guest` is the address of who is invited,
    if somebody is. Raises Invalid for that, and what `preconditions.check` and
    `access.read_model` raise.
    """
    with transaction():
        if preconditions.asked():
            if guest is not None:
                mailbox = addresses.parse(guest, "address")
                # Caps come before games in the order of locks: inside, where they are
                # held again, it would be too late.
                seat_changes.hold_caps(game_id, mailbox, request.remote_addr)
            seating.hold(game_id)
            preconditions.check(
                lambda: etags.of(_described(access.read_model(game_id, scope)))
            )
        yield


def _described(found: GameReadModel) -> GameDetailsReply:
    rematch = _rematch(found)
    address = None if rematch is None else path(rematch)
    return GameDetailsReply(
        **_told(found), rematch_url=address, join_url=joining.url(found)
    )


def _rematch(found: GameReadModel) -> UUID | None:
    """The table at which the players of a game meet again: told to them alone.

    None as well for a player who doesn't get to see it.
    """
    if found.status != GameStatus.OVER or found.seat is None:
        return None
    laid = tables.rematch_of(found.id)
    return laid if laid and access.may_see(laid) else None


@blueprint.place("/games")
class Games(Resource):
    """All games that one may know of."""

    @blueprint.access(Who.VISITOR, access.READ)
    @blueprint.arguments(WantedSchema, location="query")
    @blueprint.response(200, GamesReply)
    def get(self, page: GamesPage) -> tuple[GamesReply, dict[str, str]]:
        """List your games and the listed ones, the newest first."""
        after = cursors.read(page.cursor)
        owner = access.maybe_person(access.READ)
        if page.mine and owner is None:
            raise Unauthorized(reason="no-token")
        found = lists.page(owner, page, after, page.limit + 1)
        ends = [each.cursor for each in found]
        return (
            GamesReply([game_reply(each) for each in found[: page.limit]]),
            cursors.next_page(
                f"{public_urls.API}/games", page.limit, ends, **page.filters
            ),
        )

    @blueprint.once()
    @blueprint.access(Who.PERSON, access.CREATE)
    @blueprint.limited(TABLES)
    @blueprint.fails(
        AddressTwice,
        BadTable,
        HostNotListed,
        NameTaken,
        TooManyInvitations,
    )
    @blueprint.marked()
    @blueprint.arguments(GameCreationSchema)
    @blueprint.response(201, GameReply, example=examples.opened())
    def post(self, wish: HostedTable) -> tuple[GameReply, dict[str, str]]:
        """Open a table and invite everybody to it.

        Its host is whoever the token belongs to. The last one in starts the game.
        """
        host_id = access.account(access.CREATE)
        preconditions.check_unmarked(shown=True)
        game_id = creation.open_table(host_id, wish.word, wish, request.remote_addr)
        found = access.read_model(game_id, access.CREATE)
        return game_reply(found), {"Location": path(game_id), **marked(found)}


@blueprint.place("/games/<uuid:game_id>")
class Game(Resource):
    """A game."""

    @blueprint.access(Who.READER, access.READ)
    @blueprint.response(200, GameDetailsReply)
    def get(self, game_id: UUID) -> tuple[GameDetailsReply, dict[str, str]]:
        """Describe a game: its seats and options, and when it began and ended.

        Once its players meet again, `rematch_url` tells them where.
        """
        described = _described(access.read_model(game_id))
        return described, _with_mark(described)

    @blueprint.conditional()
    @blueprint.marked()
    @blueprint.access(Who.HOST, access.CREATE)
    @blueprint.fails(AlreadyStarted, BadTable, TermsAgreed)
    @blueprint.arguments(GameUpdateSchema)
    @blueprint.response(200, GameReply)
    def patch(
        self, wish: TermsChange, game_id: UUID
    ) -> tuple[GameReply, dict[str, str]]:
        """Change, as the host, what is played, while nobody else is asked to it.

        Whoever is invited or in has read the terms: they stay. Free their seats first,
        or call the table off. Open seats, bots and who declined don't count.
        """
        hosted(game_id, access.CREATE)
        with writing(game_id, access.CREATE):
            options.change(game_id, wish)
            found = access.read_model(game_id, access.CREATE)
        return game_reply(found), marked(found)

    @blueprint.named("cancelGame")
    @blueprint.conditional()
    @blueprint.marked()
    @blueprint.access(Who.HOST, access.CREATE)
    @blueprint.fails(AlreadyStarted)
    @blueprint.response(204)
    def delete(self, game_id: UUID) -> Response:
        """Call a table off, as its host, before the start.

        After the start a host has no more power than anybody else.
        """
        found = hosted(game_id, access.CREATE)
        with writing(game_id, access.CREATE):
            if found.status != GameStatus.OVER or found.started_at is not None:
                cancellation.give_up(game_id)
            found = access.read_model(game_id, access.CREATE)
        return Response(status=204, headers=marked(found))


@blueprint.place("/practice-games")
class PracticeGames(Resource):
    """Games against bots, for trying things out."""

    @blueprint.once(shown_once="token", anew=practice.token_anew)
    @blueprint.access(Who.PUBLIC)
    @blueprint.limited(PRACTICE)
    @blueprint.fails(BadTable)
    @blueprint.arguments(PracticeGameCreationSchema)
    @blueprint.response(201, PracticeGameReply)
    def post(
        self, wish: PracticeGameCreation
    ) -> tuple[PracticeGameReply, dict[str, str]]:
        """Begin a short game against bots at once; no account is needed.

        The token in the answer is good for this game alone, and is shown only now.
        Whoever sends a token of their own is counted as themself, not by their network.
        """
        preconditions.check_unmarked()
        game = practice.practise(wish.name, against=wish)
        view = path(game.game_id, "view")
        begun = PracticeGameReply(
            game=game.game_id, seat=0, token=game.token, view_url=view
        )
        headers = {"Location": path(game.game_id), "Cache-Control": "no-store"}
        return begun, headers
