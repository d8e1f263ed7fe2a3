"""Turns as they come and go: everything that one's games ask of one now."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import Meta

from engine.errors import UnreadableLog
from engine.state import Game, Kind
from service import live
from service.api.feeds import waiting
from service.api.feeds.waiting import GameSeen
from service.api.http import etags, replies
from service.api.http.replies import Moment, StoredView, Url
from service.api.replies import conditional
from service.auth import bearer
from service.live import sse
from service.live.sse import Batch
from service.live.subscriptions import News, Subscription
from service.present import languages
from service.store import turns as turnstore
from service.store.games import GameRow
from service.store.lists import Cursor
from service.store.tokens import BearerRow
from service.store.turns import Brief
from service.values import public_urls
from service.values.enums import GameStatus
from service.values.principals import Bearer

_NEVER: Final = datetime.max.replace(tzinfo=UTC)


class TurnReply(msgspec.Struct, frozen=True):
    """A decision that waits for your answer, and the game as you see it."""

    game: UUID
    decision: int
    kind: Kind
    deadline: Moment | None
    answer_url: Annotated[Url, Meta(description="Where to PUT your answer.")]
    view: Annotated[
        StoredView | None,
        Meta(description="The game as you see it; null without `view=true`."),
    ]


class TurnsReply(msgspec.Struct, frozen=True):
    """Your open decisions, the most urgent first; `Link` leads on to more."""

    turns: Sequence[TurnReply]
    running: Annotated[
        int,
        Meta(description="How many of your games run, asking you or not."),
    ]


class _OpenTurn(msgspec.Struct, frozen=True):
    """A turn, and where in the list it stands: without a deadline behind the others.

    `seen` is the game, where views are wanted.
    """

    turn: TurnReply
    cursor: Cursor
    seen: GameSeen | None


class TurnsPage(msgspec.Struct, frozen=True):
    """How many games run, the part that is wanted, and where the next begins.

    `views` are the games of that part, with the marks of their views, where these are
    wanted. `mark` is that of all turns, of the running games, and of these views.
    """

    running: int
    is_asked: bool
    part: Sequence[TurnReply]
    views: Sequence[tuple[str, GameSeen]]
    more: Cursor | None
    mark: str

    def body(self) -> bytes:
        """The list as JSON. Raises UnreadableLog."""
        turns = self.part
        if self.views:
            turns = [
                msgspec.structs.replace(turn, view=msgspec.Raw(text))
                for turn, text in zip(turns, self._texts(), strict=True)
            ]
        return replies.encode(TurnsReply(turns, self.running))

    def _texts(self) -> list[bytes]:
        return [conditional.text(mark, seen.model) for mark, seen in self.views]


class TurnsReader:
    """Reads what one's games ask: at first of all of them, then where there is news."""

    def __init__(self, proof: Bearer, *, views: bool) -> None:
        self._proof = proof
        self._views = views
        self._running: dict[UUID, _OpenTurn | None] = {}

    def read(
        self,
        news: Sequence[News] = (),
        after: Cursor | None = None,
        limit: int | None = None,
    ) -> TurnsPage:
        """The list, or the part of it that is wanted.

        Raises Unauthorized for a token that is good no more.
        """
        for each in news:
            self._read_game(each)
        if not news:
            self._read_all()
        if not self._running:
            # Nothing is to be seen with a token that was revoked meanwhile, either.
            bearer.require(self._proof)
        asked = [each for each in self._running.values() if each is not None]
        asked.sort(key=_place)
        rest = [each for each in asked if after is None or _place(each) > _key(after)]
        part = rest[:limit]
        views = _views(part)
        running = sorted(self._running)
        marks = [mark for mark, _ in views]
        return TurnsPage(
            running=len(running),
            is_asked=bool(asked),
            part=[each.turn for each in part],
            views=views,
            more=part[-1].cursor if len(rest) > len(part) else None,
            mark=etags.turns(running, [each.turn for each in asked], marks),
        )

    def _read_all(self) -> None:
        # Without views neither seats, names nor terms are read.
        if self._views:
            seen = [GameSeen(row) for row in turnstore.whole(self._proof)]
            self._running = {each.row.id: self._open(each) for each in seen}
        else:
            rows = turnstore.brief(self._proof)
            self._running = {row.id: _asked(row, row.game) for row in rows}

    def _read_game(self, news: News) -> None:
        """Look again at a game of which there is news."""
        self._running.pop(news.game_id, None)
        shared = waiting.shared(news)
        row = None if shared is None else shared.row(self._proof.token_hash)
        if row is None:
            # It is none of theirs, or the token is good no more.
            bearer.require(self._proof)
        elif row.status == GameStatus.RUNNING and row.seat is not None:
            self._running[row.id] = self._open(GameSeen(row, news))

    def _open(self, seen: GameSeen) -> _OpenTurn | None:
        return _asked(seen.row, seen.game, seen if self._views else None)


def watching(owner: BearerRow, proof: Bearer) -> AbstractContextManager[Subscription]:
    """Wait for news of all games of a token's owner; of its own with one for a game."""
    if owner.game_id is not None:
        return waiting.watching(owner.game_id, proof)
    subscriptions = live.current().subscriptions
    return subscriptions.watch_person(owner.person_id, proof.token_hash)


class TurnsFeed:
    """The turns of an account as a stream: the whole list whenever it has changed.

    The ids of its messages are the marks of the lists, the same in every process.
    """

    def __init__(self, proof: Bearer, language: str, *, views: bool) -> None:
        self._reader = TurnsReader(proof, views=views)
        self._language = language

    def beginning(self, last: str | None) -> Batch:
        """The list, but for whoever had it in the message of the id `last`."""
        return self._batch(last, ())

    def after(self, before: Batch, news: Sequence[News]) -> Batch:
        """What is new since a batch. Raises what TurnsReader raises."""
        return self._batch(before.mark, news)

    def _batch(self, known: str | None, news: Sequence[News]) -> Batch:
        with languages.speaking(self._language):
            page = self._reader.read(news)
            if page.mark == known:
                return Batch(mark=page.mark, messages=())
            message = sse.message("turns", page.body(), page.mark)
            return Batch(mark=page.mark, messages=(message,))


def _asked(
    row: GameRow | Brief, game: Callable[[], Game], seen: GameSeen | None = None
) -> _OpenTurn | None:
    """What a running game asks its reader; None for nothing.

    Nothing of one whose log this process can't read: a newer one serves it.
    """
    with suppress(UnreadableLog):
        state = game()
        if state.decision is not None and row.seat in state.asked():
            number = state.decision.number
            turn = TurnReply(
                game=row.id,
                decision=number,
                kind=state.decision.kind,
                deadline=replies.moment(row.deadline),
                answer_url=public_urls.api_url(
                    "games", row.id, "decisions", number, "answer"
                ),
                view=None,
            )
            return _OpenTurn(turn, Cursor(row.deadline or _NEVER, row.id), seen)
    return None


def _views(part: Sequence[_OpenTurn]) -> list[tuple[str, GameSeen]]:
    """The games of a part with the marks of their views; none where none are wanted."""
    language = languages.language()
    found = (each.seen for each in part if each.seen is not None)
    return [(etags.now(seen.row, language), seen) for seen in found]


def _place(asked: _OpenTurn) -> tuple[datetime, UUID]:
    return _key(asked.cursor)


def _key(cursor: Cursor) -> tuple[datetime, UUID]:
    return cursor.created_at, cursor.id
