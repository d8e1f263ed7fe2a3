"""Leaks to be planted in the engine, so that a test sees that the rig finds them."""

import random
from collections.abc import Callable, Mapping
from typing import cast

import msgspec
import pytest

from engine import decide as deciding
from engine import events, fairness, legal, views
from engine.board import Card, Seat
from engine.bots import BOTS, Bot
from engine.commands import Answer, Ballot, Command, History
from engine.errors import DecisionClosed, NotAsked, Refusal
from engine.state import Game
from tests.rig.engine import loading
from tests.rig.engine.twins import Draws

Plant = Callable[[pytest.MonkeyPatch], None]
Laid = tuple[Seat, ...] | None


class Talkative(views.View, frozen=True, kw_only=True):
    """A view that tells one thing more."""

    more: tuple[int | Card | None, ...]


def _telling(
    patch: pytest.MonkeyPatch, more: Callable[[Game], tuple[int | Card | None, ...]]
) -> None:
    honest = views.view

    def view(game: Game, viewer: Seat | None, laid: Laid = None) -> views.View:
        seen = honest(game, viewer, laid)
        fields = {name: getattr(seen, name) for name in seen.__struct_fields__}
        return Talkative(**fields, more=more(game))

    patch.setattr(views, "view", view)


def hand_sizes(patch: pytest.MonkeyPatch) -> None:
    """The view counts everybody's cards."""
    _telling(patch, lambda game: tuple(len(hand) for hand in game.hands))


def sum_of_hands(patch: pytest.MonkeyPatch) -> None:
    """The view counts the seats that still hold a No."""
    _telling(patch, lambda game: (sum(Card.NO in hand for hand in game.hands),))


def unopened_ballots(patch: pytest.MonkeyPatch) -> None:
    """The view shows cards that lie face down."""
    _telling(patch, lambda game: game.ballots)


def a_seats_ballot(patch: pytest.MonkeyPatch) -> None:
    """The view shows the mover's card as soon as it lies."""

    def movers(game: Game) -> tuple[Card | None, ...]:
        asked = game.decision
        if asked is None or asked.mover is None or not game.ballots:
            return ()
        return (game.ballots[asked.mover],)

    _telling(patch, movers)


def next_card(patch: pytest.MonkeyPatch) -> None:
    """The view shows the card that would be dealt next."""
    _telling(patch, lambda game: game.deck[game.round * len(game.seats) :][:1])


def who_has_laid(patch: pytest.MonkeyPatch) -> None:
    """The view names who has laid a card at every ballot, not at reminders."""
    honest = views.view

    def view(game: Game, viewer: Seat | None, laid: Laid = None) -> views.View:
        owing = set(game.asked())
        now = tuple(s for s in map(Seat, range(len(game.seats))) if s not in owing)
        return honest(game, viewer, now)

    patch.setattr(views, "view", view)


def old_showing(patch: pytest.MonkeyPatch) -> None:
    """A view of the past shows the cards that lay on the table then."""

    def view_of_past(game: Game) -> views.View:
        return views.view(game, None)

    patch.setattr(views, "view_of_past", view_of_past)


def kept_showings(patch: pytest.MonkeyPatch) -> None:
    """The view keeps every showing of the round, whatever the table's history is."""
    honest = views.view

    def view(game: Game, viewer: Seat | None, laid: Laid = None) -> views.View:
        openly = msgspec.structs.replace(game.table, ballot_history=History.OPEN)
        kept = honest(msgspec.structs.replace(game, options=openly), viewer, laid)
        seen = honest(game, viewer, laid)
        return msgspec.structs.replace(seen, showings=kept.showings)

    patch.setattr(views, "view", view)


def _ballot_record(
    patch: pytest.MonkeyPatch, public: Callable[[events.BallotCast], bytes]
) -> None:
    store, load = events.store, loading.load

    def stored(event: events.LogEvent) -> events.Stored:
        row = store(event)
        if not isinstance(event, events.BallotCast):
            return row
        return msgspec.structs.replace(row, public=public(event))

    def loaded(game: str, row: events.Stored) -> events.LogEvent:
        if row.type == "ballot_cast":
            row = msgspec.structs.replace(row, public=None)
        return load(game, row)

    patch.setattr(events, "store", stored)
    patch.setattr(loading, "load", loaded)


def event_per_ballot(patch: pytest.MonkeyPatch) -> None:
    """A ballot is a record event, though it says nothing but that."""
    _ballot_record(patch, lambda event: b'{"type":"ballot_cast"}')


def choice_in_ballot_event(patch: pytest.MonkeyPatch) -> None:
    """A ballot is a record event that says which card it is."""
    _ballot_record(patch, msgspec.json.encode)


def order_of_offers(patch: pytest.MonkeyPatch) -> None:
    """An election offers first what lies on the table face down."""
    honest = legal.offers

    def offers(game: Game) -> tuple[Answer, ...]:
        lying = [Ballot(card) for card in game.ballots if card is not None]
        return tuple(sorted(honest(game), key=lambda answer: answer not in lying))

    patch.setattr(legal, "offers", offers)


def draws_by_deck(patch: pytest.MonkeyPatch) -> None:
    """The clock's draw hangs on the deck."""

    class Loaded(Draws):
        def __init__(self, key: bytes, label: str) -> None:
            clock = label.startswith("clock/")
            super().__init__(fairness.digest(key) if clock else key, label)

    patch.setattr(fairness, "DrawStream", Loaded)


def talkative_refusal(patch: pytest.MonkeyPatch) -> None:
    """A refusal tells how many cards are laid."""
    honest = deciding.decide

    def decide(game: Game, command: Command) -> tuple[events.LogEvent, ...]:
        try:
            return honest(game, command)
        except Refusal as refusal:
            laid = sum(card is not None for card in game.ballots)
            raise NotAsked(game.last_decision, laid, ()) from refusal

    patch.setattr(deciding, "decide", decide)


def early_refusal(patch: pytest.MonkeyPatch) -> None:
    """An election is closed as soon as a No lies there."""
    honest = deciding.decide

    def decide(game: Game, command: Command) -> tuple[events.LogEvent, ...]:
        if Card.NO in game.ballots:
            raise DecisionClosed(game.last_decision)
        return honest(game, command)

    patch.setattr(deciding, "decide", decide)


def restless_bot(patch: pytest.MonkeyPatch) -> None:
    """A bot answers by more than its view and its chance."""
    fate = random.Random(0)

    def answer(view: views.View, chance: random.Random) -> Answer:
        assert view.own is not None
        return fate.choice(view.own.legal).answer

    patch.setitem(cast(dict[str, Bot], BOTS), "restless", answer)


LEAKS: Mapping[Plant, str] = {
    hand_sizes: "view",
    sum_of_hands: "view",
    unopened_ballots: "view",
    a_seats_ballot: "view",
    next_card: "view",
    who_has_laid: "view",
    kept_showings: "view",
    old_showing: "past",
    event_per_ballot: "record",
    choice_in_ballot_event: "record",
    order_of_offers: "offers",
    draws_by_deck: "record",
    talkative_refusal: "refusals",
    early_refusal: "refusals",
    restless_bot: "bots",
}
"""Each leak, and the channel where it shows first."""
