"""The channels by which a viewer learns of a game, as bytes to be compared."""

import random
from collections.abc import Callable, Mapping

import msgspec

from engine import decide as deciding
from engine import events, export, legal, notation, views
from engine.board import Card, Seat
from engine.bots import BOTS, blind
from engine.commands import (
    Answer,
    Ballot,
    GiveAnswer,
    Move,
    Placement,
    Source,
    TakeBack,
)
from engine.errors import Refusal
from engine.state import Game
from tests.rig.engine.twins import World

_encoder = msgspec.json.Encoder(order="deterministic")
_view = msgspec.json.Decoder(views.View)

ANSWERS: tuple[Answer, ...] = (
    *(Ballot(card) for card in Card),
    *(Move(c) for c in "ABCDEFGILMNOPJX"),
    *(Placement(c, p) for c in "ADGJX" for p in ("0", "1", "4", "throne")),
)

ONE_IN = {"shrewd": 200}
"""How seldom a bot that thinks long is asked, by its name; others always are."""


class Eyes(msgspec.Struct, frozen=True):
    """Who looks at a world, and what for.

    `since` record events were compared before; `laid` is what the last reminder told;
    `aside` leaves the showing out, while it rightfully tells the difference; `whole`
    compares also what grows with the game; `tries` are commands to be judged; `dice`
    is the chance of bots.
    """

    world: World
    viewer: Seat | None
    since: int
    laid: tuple[Seat, ...] | None
    aside: bool
    whole: bool
    tries: tuple[GiveAnswer | TakeBack, ...]
    dice: int


def _seen(eyes: Eyes) -> views.View:
    seen = views.view(eyes.world.game, eyes.viewer, eyes.laid)
    return msgspec.structs.replace(seen, showings=()) if eyes.aside else seen


def record(eyes: Eyes) -> bytes:
    """The stored bytes of the record, its length, and the head of its chain."""
    facts, heads = eyes.world.facts, eyes.world.heads
    assert len(heads) == len(facts) + 1
    return b"%d:%b\n%b" % (len(facts), heads[-1], b"\n".join(facts[eyes.since :]))


def past(eyes: Eyes) -> bytes:
    """The views of the past, right after each record event."""
    return b"\n".join(eyes.world.pasts[eyes.since :])


def offers(eyes: Eyes) -> bytes:
    """What the open question allows anybody."""
    return _encoder.encode(legal.offers(eyes.world.game))


def file(eyes: Eyes) -> bytes:
    """The record so far, as a file."""
    return export.write(_export(eyes)) if eyes.whole else b""


def text(eyes: Eyes) -> bytes:
    """The record so far, as people read it."""
    return notation.write(_export(eyes)).encode() if eyes.whole else b""


def _export(eyes: Eyes) -> export.Export:
    game, facts = eyes.world.game, tuple(eyes.world.facts)
    names, versions = ("",) * len(game.seats), (events.VERSION,) * len(facts)
    return export.Export(game.id, names, versions, facts)


def view(eyes: Eyes) -> bytes:
    """The current view, showings and all."""
    return _encoder.encode(_seen(eyes))


def answers(eyes: Eyes) -> bytes:
    """What the viewer's own hand allows now."""
    if eyes.viewer is None:
        return b""
    return _encoder.encode(legal.answers(eyes.world.game, eyes.viewer))


def refusals(eyes: Eyes) -> bytes:
    """How each try is judged: refused with which facts, or taken with what effect."""
    return b"\n".join(_judged(eyes.world.game, command) for command in eyes.tries)


def _judged(game: Game, command: GiveAnswer | TakeBack) -> bytes:
    """How one try is judged."""
    try:
        happened = deciding.decide(game, command)
    except Refusal as refusal:
        return _encoder.encode([refusal.code, refusal.facts, str(refusal)])
    return _encoder.encode([events.store(event).public for event in happened])


def bots(eyes: Eyes) -> bytes:
    """What every bot answers in the viewer's place, given the view's bytes alone."""
    game, viewer = eyes.world.game, eyes.viewer
    if eyes.aside or viewer is None or not legal.answers(game, viewer):
        return b""
    seen = msgspec.structs.replace(_seen(eyes), laid=None)
    given = _encoder.encode(seen)
    return _encoder.encode(
        {
            name: bot(_view.decode(given), random.Random(eyes.dice))
            for name, bot in BOTS.items()
            if eyes.dice % ONE_IN.get(name, 1) == 0
        }
    )


def keeper(eyes: Eyes) -> bytes:
    """What a bot that has just taken a seat that is asked would answer there."""
    game, dice = eyes.world.game, random.Random(eyes.dice)
    if game.decision is None:
        return b""
    # In an election all seats are, whoever has laid a card.
    one = game.decision.seat
    asked = range(len(game.seats)) if one is None else (one,)
    seen = [views.view(game, Seat(seat), eyes.laid) for seat in asked]
    return _encoder.encode([blind.answer(view, dice) for view in seen])


Channel = Callable[[Eyes], bytes]

PUBLIC: Mapping[str, Channel] = {
    "record": record,
    "past": past,
    "offers": offers,
    "file": file,
    "notation": text,
    "keeper": keeper,
}
"""The same for every viewer."""

PERSONAL: Mapping[str, Channel] = {
    "view": view,
    "answers": answers,
    "refusals": refusals,
    "bots": bots,
}
"""Made for each viewer."""


def tries(
    game: Game, viewer: Seat | None, rng: random.Random
) -> tuple[GiveAnswer | TakeBack, ...]:
    """What is to be judged: the viewer's, good and bad, and some for other seats.

    How a seat's answers in an open election are judged is that seat's own; strangers
    are stopped before. Theirs are tried on other questions only.
    """
    number = game.last_decision
    seats = len(game.seats)
    open_election = game.decision is not None and game.decision.seat is None
    back = (number - rng.randrange(4), Seat(rng.randrange(seats)))
    found: list[GiveAnswer | TakeBack] = [TakeBack(*back)]
    if viewer is not None:
        own = [rng.choice(ANSWERS), rng.choice(ANSWERS)]
        own += ANSWERS[: len(Card)] if open_election else ()
        found += [GiveAnswer(number, viewer, a, Source.PERSON) for a in own]
        other = rng.choice([0, 1, number - 1, number + 1])
        found.append(GiveAnswer(other, viewer, rng.choice(ANSWERS), Source.PERSON))
    asked = number - 1 if open_election else number
    stranger = Seat(rng.randrange(seats + 1))
    found.append(GiveAnswer(asked, stranger, rng.choice(ANSWERS), Source.PERSON))
    return tuple(found)


def check_spectator(game: Game, seat: Seat, laid: tuple[Seat, ...] | None) -> None:
    """A spectator sees exactly what a seat sees, without what is the seat's own."""
    seen = views.view(game, seat, laid)
    assert msgspec.structs.replace(seen, own=None) == views.view(game, None, laid)
