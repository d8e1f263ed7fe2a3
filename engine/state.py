"""A game at one moment: frozen values, secrets included, never shown as it is."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Final

import msgspec

from engine import editions
from engine.board import Board, Card, Character, PlaceKey, Seat, Verdict
from engine.commands import EXTENSIONS, Chair, Options
from engine.deck import CardNumber
from engine.editions.base import Edition, quotas
from engine.errors import UnreadableLog
from engine.events import Hex, Moved, Placed

# Nothing in a snapshot is queried and nothing is migrated. Raise the number when `Game`
# changes: older snapshots are then ignored, and replayed from the log.
FORMAT: Final = 4
"""The format of a stored snapshot; another one means replay."""


class Phase(StrEnum):
    """Where a game stands."""

    TABLE = "table"
    PLACEMENT = "placement"
    ASCENT = "ascent"
    OVER = "over"


class Kind(StrEnum):
    """What a decision asks."""

    PLACEMENT = "placement"
    MOVE = "move"
    ELECTION = "election"


# `gc=False` here and below: nothing in them leads back to them, so the garbage
# collector needn't follow.
class Decision(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The numbered question a game waits on.

    `seat` is the seat asked, None when all are; `nominee` and `mover` belong to an
    election.
    """

    number: int
    kind: Kind
    seat: Seat | None
    nominee: Character | None = None
    mover: Seat | None = None


class Election(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An election that is over, with its cards in seat order (secret at a table)."""

    decision: int
    nominee: Character
    mover: Seat
    verdict: Verdict
    cards: tuple[Card, ...]


class ScoredRound(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A round that is over; cards and points in seat order, `board` at its end."""

    round: int
    favourites: tuple[CardNumber, ...]
    points: tuple[int, ...]
    bonus: tuple[int, ...]
    totals: tuple[int, ...]
    # It is for the mail that shows it: by then the next round has emptied the castle.
    board: Board


# `dict` is for what is found once and kept (`destinations`); it is no part of the
# bytes.
class Game(msgspec.Struct, frozen=True, array_like=True, dict=True):
    """The state of a game.

    Tuples by seat are in seat order. `ballots` are the cards of the open election as
    far as they are laid. `placed` counts this round's placements by seat.

    `kept` has the round in which a bot took each seat over from its person, 0 for who
    plays their own. `missed` counts the placements and moves in a row that the clock
    made for a seat, as everybody may know; `unanswered` counts ballots too, and is as
    secret as they are. `extended` are the decisions that wait or waited for longer than
    their time.

    `latest` is the placement or move behind which nobody has acted, and no election or
    round has ended; `reopened` the latest decision that was put because one was taken
    back.
    """

    id: str
    phase: Phase = Phase.TABLE
    edition: str = ""
    rules: int = 0
    options: Options | None = None
    seats: tuple[Chair, ...] = ()
    words: tuple[Hex, ...] = ()
    deck: tuple[CardNumber, ...] = ()
    round: int = 0
    first: Seat = Seat(0)
    crown: Seat | None = None
    board: Board = Board()
    placed: tuple[int, ...] = ()
    hands: tuple[tuple[Card, ...], ...] = ()
    decision: Decision | None = None
    last_decision: int = 0
    ballots: tuple[Card | None, ...] = ()
    elections: tuple[Election, ...] = ()
    totals: tuple[int, ...] = ()
    scored: tuple[ScoredRound, ...] = ()
    reason: str | None = None
    winners: tuple[Seat, ...] = ()
    kept: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()
    unanswered: tuple[int, ...] = ()
    paused: bool = False
    extended: tuple[int, ...] = ()
    latest: Placed | Moved | None = None
    reopened: int = 0

    @property
    def law(self) -> Edition:
        """The edition the game is played by, with the rules it was begun with."""
        return editions.law(self.edition, self.rules)

    @property
    def table(self) -> Options:
        """The options; only once the table is closed."""
        if self.options is None:
            raise LookupError(self.id)
        return self.options

    @property
    def running(self) -> bool:
        """Whether the game waits for answers."""
        return self.phase in (Phase.PLACEMENT, Phase.ASCENT)

    def has_bot(self, seat: Seat) -> bool:
        """Whether a bot plays a seat now."""
        return self.seats[seat].kind == "bot"

    def may_return(self, seat: Seat) -> bool:
        """Whether a bot keeps a seat for somebody, and its cards are open by now."""
        return 0 < self.kept[seat] < self.round

    @property
    def in_last_round(self) -> bool:
        """Whether no other round follows; only once the table is closed."""
        return self.round == self.table.rounds

    def leads_to_a_deal(self, seat: Seat) -> bool:
        """Whether the cards of a kept seat are open, or will be before the end."""
        return self.kept[seat] < self.round or not self.in_last_round

    @property
    def extensions_left(self) -> int:
        """How many decisions may still wait for longer."""
        return EXTENSIONS - len(self.extended)

    @property
    def abandoned(self) -> bool:
        """Whether bots alone play."""
        return all(chair.kind == "bot" for chair in self.seats)

    def left_of(self, seat: Seat) -> Seat:
        """The next seat clockwise."""
        return Seat((seat + 1) % len(self.seats))

    def turn_of(self, seat: Seat) -> int:
        """How many places after the round's first seat this one comes."""
        return (seat - self.first) % len(self.seats)

    # It is kept with the state: a memory of the module would keep a game's secrets
    # alive, and serve whoever asked last.
    @cached_property
    def destinations(self) -> Mapping[Character, PlaceKey]:
        """Where each character that can move would go now, sorted by letter."""
        return self.law.destinations(self.board)

    @property
    def quotas(self) -> tuple[int, ...]:
        """How many characters each seat places in a round, from its first seat on."""
        return quotas(self.law, len(self.seats), self.table.placement)

    def next_to_place(self, placed: Sequence[int], seat: Seat) -> Seat | None:
        """The seat that places next after this one; None when all have placed enough.

        `placed` counts this round's placements by seat.
        """
        seats, quota = len(placed), self.quotas
        for step in range(1, seats + 1):
            other = (seat + step) % seats
            if placed[other] < quota[(other - self.first) % seats]:
                return Seat(other)
        return None

    def card_of(self, seat: Seat, round_number: int) -> CardNumber:
        """The favourites card dealt to a seat in a round (1, 2, 3)."""
        return self.deck[(round_number - 1) * len(self.seats) + seat]

    def asked(self) -> tuple[Seat, ...]:
        """The seats that still owe an answer to the open decision."""
        if self.decision is None:
            return ()
        if self.decision.seat is not None:
            return (self.decision.seat,)
        return tuple(Seat(s) for s, card in enumerate(self.ballots) if card is None)

    def asks(self, seat: Seat) -> bool:
        """Whether a seat still owes an answer to the open decision."""
        if self.decision is None:
            return False
        if self.decision.seat is not None:
            return self.decision.seat == seat
        return 0 <= seat < len(self.ballots) and self.ballots[seat] is None

    @property
    def election_complete(self) -> bool:
        """Whether an election is open in which every card is in."""
        open_election = self.decision is not None and self.decision.seat is None
        return open_election and None not in self.ballots


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Game)


def freeze(game: Game) -> bytes:
    """The bytes of a state, to be kept with FORMAT."""
    return _encoder.encode(game)


def thaw(game_id: str, stored: bytes) -> Game:
    """The state of bytes kept with FORMAT. Raises UnreadableLog when they are not."""
    try:
        return of_known_rules(_decoder.decode(stored))
    except msgspec.DecodeError as error:
        raise UnreadableLog(game_id, "snapshot") from error


def of_known_rules(game: Game) -> Game:
    """The same game. Raises UnreadableLog when its edition or rules aren't known."""
    if game.options is None:
        return game
    if editions.pinned(game.edition, game.rules) is None:
        raise UnreadableLog(game.id, f"rules {game.edition} {game.rules}")
    return game
