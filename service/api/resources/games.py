"""Games: found, opened, described, called off."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from flask import Response, request
from flask.views import MethodView

from engine.errors import AlreadyStarted, BadTable
from service.api.http import access, cursors, etags, preconditions, response_headers
from service.api.http.annotations import Who
from service.api.openapi import examples
from service.api.openapi.blueprint import Blueprint
from service.api.schemas.game import (
    GameAndRematchSchema,
    GameSchema,
    GamesSchema,
    Page,
    PracticeSchema,
    PractiserSchema,
    TableChangeSchema,
    TableWishSchema,
    WantedSchema,
)
from service.rate_limits.limits import PRACTICE, TABLES
from service.store import lists, tables
from service.store.games import GameReadModel
from service.store.lists import Listed
from service.store.transactions import transaction
from service.tables import cancellation, creation, options, practice, seating
from service.tables.creation import TableWish
from service.tables.options import TermsChange
from service.tables.practice import Against
from service.values import public_urls
from service.values.enums import GameStatus
from service.values.errors import (
    AddressTwice,
    Forbidden,
    HostNotListed,
    NameTaken,
    TermsAgreed,
    TooManyInvitations,
    Unauthorized,
)

blueprint = Blueprint("games", "Tables and games.")


def path(game_id: UUID, *more: str) -> str:
    """The absolute address of a game, or of something below it."""
    return public_urls.api_url("games", game_id, *more)


def hosted(game_id: UUID, scope: str) -> GameReadModel:
    """A game whose host asks. Raises what `access.seen` raises, or Forbidden."""
    access.token(scope)
    found = access.read_model(game_id, scope)
    if found.seat != 0:
        raise Forbidden(reason="not-host")
    return found


class _Described(GameReadModel, frozen=True):
    """A game, and where its players meet again."""

    rematch: str | None = None


def marked(found: GameReadModel) -> dict[str, str]:
    """The header with the mark of a game as its reader sees it, and of its seats.

    It is one for all of them: whoever is about to sit down counts on the terms, too.
    """
    return _with_mark(_described(found))


def _with_mark(described: _Described) -> dict[str, str]:
    return {response_headers.ETAG: f'"{_mark(described)}"'}


def _mark(described: _Described) -> str:
    return etags.of(GameAndRematchSchema().dump(described))


@contextmanager
def writing(game_id: UUID, scope: str, invites: bool = False) -> Iterator[None]:
    """Hold a game for what is written inside, if it is as the client has read it.

    What is read inside is what was written. `invites` tells that somebody may be
    invited. Raises what `preconditions.check` and `access.seen` raise.
    """
    with transaction():
        if preconditions.asked():
            if invites:
                tables.hold_caps()
            seating.hold(game_id)
            preconditions.check(
                lambda: _mark(_described(access.read_model(game_id, scope)))
            )
        yield


def _described(found: GameReadModel) -> _Described:
    rematch = _rematch(found)
    named = {name: getattr(found, name) for name in GameReadModel.__struct_fields__}
    return _Described(**named, rematch=None if rematch is None else path(rematch))


def _rematch(found: GameReadModel) -> UUID | None:
    """The table at which the players of a game meet again: told to them alone.

    None as well for a player who doesn't get to see it.
    """
    if found.status != GameStatus.OVER or found.seat is None:
        return None
    laid = tables.rematch_of(found.id)
    return laid if laid and access.may_see(laid) else None


@blueprint.route("/games")
class Games(MethodView):
    """All games that one may know of."""

    @blueprint.access(Who.VISITOR, access.READ)
    @blueprint.arguments(WantedSchema, location="query")
    @blueprint.response(200, GamesSchema)
    def get(self, page: Page) -> tuple[dict[str, tuple[Listed, ...]], dict[str, str]]:
        """List your games and the listed ones, the newest first."""
        after = cursors.read(page.cursor)
        owner = access.maybe_person(access.READ)
        if page.wanted.mine and owner is None:
            raise Unauthorized(reason="no-token")
        found = lists.page(owner, page.wanted, after, page.limit + 1)
        shown = found[: page.limit]
        if len(found) <= page.limit:
            return {"games": shown}, {}
        leads = cursors.leads_on(
            f"{public_urls.API}/games", page.limit, shown[-1].cursor, **page.filters
        )
        return {"games": shown}, leads

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
    @blueprint.arguments(TableWishSchema)
    @blueprint.response(201, GameSchema, example=examples.opened())
    def post(
        self, wanted: tuple[str, TableWish]
    ) -> tuple[GameReadModel, dict[str, str]]:
        """Open a table and invite everybody to it.

        Its host is whoever the token belongs to. The last one in starts the game.
        """
        word, wish = wanted
        owner = access.person(access.CREATE)
        if owner.game_id is not None:
            raise Forbidden(reason="one-game")
        preconditions.check_unmarked(shown=True)
        game_id = creation.open_table(owner.person_id, word, wish, request.remote_addr)
        found = access.read_model(game_id, access.CREATE)
        return found, {"Location": path(game_id), **marked(found)}


@blueprint.route("/games/<uuid:game_id>")
class Game(MethodView):
    """A game."""

    @blueprint.access(Who.READER, access.READ)
    @blueprint.response(200, GameAndRematchSchema)
    def get(self, game_id: UUID) -> tuple[_Described, dict[str, str]]:
        """Describe a game: its seats and options, and when it began and ended.

        Once its players meet again, `rematch` tells them where.
        """
        described = _described(access.read_model(game_id))
        return described, _with_mark(described)

    @blueprint.conditional()
    @blueprint.marked()
    @blueprint.access(Who.HOST, access.CREATE)
    @blueprint.fails(AlreadyStarted, BadTable, TermsAgreed)
    @blueprint.arguments(TableChangeSchema, required=False)
    @blueprint.response(200, GameSchema)
    def patch(
        self, wish: TermsChange, game_id: UUID
    ) -> tuple[GameReadModel, dict[str, str]]:
        """Change, as the host, what is played, while nobody else is asked to it.

        Whoever is invited or in has read the terms: they stay. Free their seats first,
        or call the table off. Open seats, bots and who declined don't count.
        """
        hosted(game_id, access.CREATE)
        with writing(game_id, access.CREATE):
            options.change(game_id, wish)
            found = access.read_model(game_id, access.CREATE)
        return found, marked(found)

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


@blueprint.route("/practice-games")
class PracticeGames(MethodView):
    """Games against bots, for trying things out."""

    @blueprint.once(shown_once="token", anew=practice.token_anew)
    @blueprint.access(Who.PUBLIC)
    @blueprint.limited(PRACTICE)
    @blueprint.fails(BadTable)
    @blueprint.arguments(PractiserSchema, required=False)
    @blueprint.response(201, PracticeSchema)
    def post(
        self, practiser: tuple[str, Against]
    ) -> tuple[dict[str, object], dict[str, str]]:
        """Begin a short game against bots at once; no account is needed.

        The token in the answer is good for this game alone, and is shown only now.
        Whoever sends a token of their own is counted as themself, not by their network.
        """
        preconditions.check_unmarked()
        name, against = practiser
        game = practice.practise(name, against=against)
        begun = {
            "game": game.game_id,
            "seat": 0,
            "token": game.token,
            "view": path(game.game_id, "view"),
        }
        headers = {"Location": path(game.game_id), "Cache-Control": "no-store"}
        return begun, headers
