"""What a mail tells of what happened: since the last one, at a reveal, in a round."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec

from engine import views
from engine.board import Seat, Verdict
from engine.events import (
    ElectionResolved,
    Extended,
    GameOver,
    Paused,
    Record,
    RoundScored,
)
from engine.views import PlaceView
from service.game.visibility import is_shown
from service.present import (
    castle,
    chronicle,
    final_standing,
    narration,
    times,
    whats_new,
)
from service.present.castle import FloorRow
from service.present.narration import Cast, PauseInWords
from service.present.presentation import Presentation
from service.present.whats_new import Reveal
from service.store import past_rounds
from service.store.games import GameReadModel
from service.store.outbox import ClaimedMail
from service.values import public_urls
from service.values.enums import NoticeKind
from worker.outgoing import namings
from worker.outgoing.relevance import Relevance

_SHOWING: Final = frozenset(
    (NoticeKind.REMINDER, NoticeKind.ELECTION, NoticeKind.YOUR_TURN, NoticeKind.RESULT)
)
"""Notices that die with the next reveal: only beside one may cards stand by name."""


class RoundOver(msgspec.Struct, frozen=True):
    """A round that is over: its story, the castle as it ended, and its page.

    `places`, from top to bottom, and `castle`, which are their words, are empty where
    the game's own castle shows them still; `won` says how the game was won, empty
    before the end; `page` is empty where only seats of the game may open it.
    """

    story: tuple[str, ...]
    places: tuple[PlaceView, ...]
    castle: tuple[FloorRow, ...]
    won: tuple[str, ...]
    page: str


class MailNews(msgspec.Struct, frozen=True):
    """What happened since the reader last got a mail or acted in the open.

    `reveal` and `over` are told by themselves, and `since` has no word of them.
    """

    since: tuple[str, ...] = ()
    reveal: Reveal | None = None
    over: RoundOver | None = None


def tell(
    events: Sequence[Record],
    seat: int,
    now: Relevance,
    game: Presentation | None,
    kinds: Collection[NoticeKind],
) -> MailNews:
    """What a mail with notices of some kinds tells a seat of these events.

    What the clock did in the reader's place is news to them; cards stand by name only
    beside a notice that dies with the next reveal.
    """
    if game is None:
        return MailNews()
    fresh = whats_new.since_own_act(events, seat)
    longer = _longer(fresh, now.seen, now.mail)
    cast = msgspec.structs.replace(game.cast, reader=Seat(seat), longer=longer)
    if _SHOWING.isdisjoint(kinds):
        cast = msgspec.structs.replace(cast, cards={})
    over = _over(now.seen, game, kinds)
    shown = _shown(fresh, game) if cast.cards else None
    told = [e for e in fresh if e is not shown and not (over and _ends(e))]
    reveal = None
    if shown is not None:
        reveal = whats_new.reveal(shown, game.votes[-1].cards, game)
    since = (*_in_words(told, cast, game, now.mail), *namings.objections(now))
    return MailNews(since, reveal, over)


def _longer(
    events: Sequence[Record], seen: GameReadModel, mail: ClaimedMail
) -> Mapping[int, str]:
    """Until when the open decision waits, if it waits for longer than it did."""
    decision = seen.game.decision
    if decision is None or seen.deadline is None:
        return {}
    if not any(isinstance(event, Extended) for event in events):
        return {}
    zone = mail.reader.profile.zone
    return {decision.number: times.spoken(seen.deadline, zone, mail.now)}


def _in_words(
    events: Sequence[Record], cast: Cast, game: Presentation, mail: ClaimedMail
) -> tuple[str, ...]:
    """The events in sentences; of the pause that runs, whose it is and until when."""
    begun = [at for at, event in enumerate(events) if isinstance(event, Paused)]
    if game.pause is None or not begun:
        return narration.tell(events, cast)
    until = times.spoken(game.pause.until, mail.reader.profile.zone, mail.now)
    pause = PauseInWords(game.pause.names, until)
    now = msgspec.structs.replace(cast, pause=pause)
    before, after = events[: begun[-1]], events[begun[-1] :]
    return (*narration.tell(before, cast), *narration.tell(after, now))


def _shown(events: Sequence[Record], game: Presentation) -> ElectionResolved | None:
    """The election among the events whose cards lie open now."""
    lying = game.view.showings[-1:]
    decisions = {each.election.decision for each in lying}
    found = (e for e in events if isinstance(e, ElectionResolved))
    return next((e for e in found if e.decision in decisions), None)


def _ends(event: Record) -> bool:
    """Whether scores and story tell of an event already."""
    crowned = isinstance(event, ElectionResolved) and event.verdict is Verdict.CROWNED
    return crowned or isinstance(event, RoundScored | GameOver)


def _over(
    seen: GameReadModel, game: Presentation, kinds: Collection[NoticeKind]
) -> RoundOver | None:
    """The round that a mail tells the end of, perhaps with that of the game."""
    ended = NoticeKind.GAME_OVER in kinds and game.finished
    if not (ended or NoticeKind.ROUND_OVER in kinds):
        return None
    latest = seen.game.scored[-1].round
    # The next round has emptied the castle since.
    places = () if ended else views.places_after(seen.game, latest)
    return RoundOver(
        story=chronicle.tell(past_rounds.until_end_of(seen.id, latest), game.cast),
        places=places,
        castle=castle.rows_of(places),
        won=final_standing.how_won(game),
        page=_page(seen, latest),
    )


def _page(seen: GameReadModel, number: int) -> str:
    """The page that keeps a round: a plain address, which proves no seat."""
    if not is_shown(seen):
        return ""
    return public_urls.url(f"/g/{seen.id}/rounds/{number}")
