"""Who plays a seat, in SQL and in Python, and seats as everybody may see them."""

from datetime import datetime
from typing import Final, Protocol, Self, TypeAlias
from uuid import UUID

import msgspec

from engine.board import Seat
from engine.state import Game
from service.store import sql
from service.values.enums import SeatKind, SeatState

PERSON_PLAYS: Final = "s.bot IS NULL"
"""Whether a person plays a seat `s`: with a bot on it the bot does, whoever has it."""

PERSON_HAS_JOINED: Final = f"{PERSON_PLAYS} AND s.state = 'joined'"
"""Whether a person plays a seat `s`, and has said that they will."""

PERSON_HAS: Final = f"{PERSON_PLAYS} AND s.state <> 'declined'"
"""Whether a person plays a seat `s`, or is asked to.

Whoever declined a seat has none, though their name stands there.
"""

PERSON_BELONGS: Final = "s.state <> 'declined'"
"""Whether the person of a seat `s` plays it, is asked to, or may come back to it."""

AWAITED: Final = "(s.away_returns OR s.comes_in)"
"""Whether the person of a seat `s` that a bot keeps comes to it by themselves."""

WILL_PLAY: Final = f"({PERSON_PLAYS} OR {AWAITED})"
"""Whether a person plays a seat `s`, or will without doing anything for it."""

SEAT_AND_BESIDE: Final = f"""CASE WHEN {PERSON_PLAYS} THEN s.number END AS seat,
    CASE WHEN NOT ({PERSON_PLAYS}) THEN s.number END AS beside"""
"""The seat that somebody has, or the one that a bot keeps for them."""

ROWS = """(SELECT json_agg(json_build_array(p.number, p.name, p.bot, p.state,
    p.state = 'joined' AND coalesce(w.program, false),
    p.bot IS NOT NULL AND p.person_id IS NOT NULL, p.spare_used, p.pauses,
    p.paused_until,
    p.state = 'joined' AND p.bot IS NULL AND u.person_id IS NOT NULL) ORDER BY p.number)
    FROM seat p LEFT JOIN person w ON w.id = p.person_id
    LEFT JOIN unsubscribed u ON u.game_id = g.id AND u.person_id = p.person_id
    WHERE p.game_id = g.id)"""
"""The seats of a game `g`, as SeatRow takes them."""


class SeatRow(msgspec.Struct, frozen=True):
    """A seat as everybody may see it: who sits there, and whether they have joined.

    `program` tells that a program plays for the person there, by their own account;
    of somebody who hasn't joined it tells nothing. `kept` tells that the bot keeps the
    seat for a person, who may come back. `spare_used` is how often they have gone on
    for as long again, `pauses` how often they have paused the game, `paused_until` the
    end of the pause that runs. `without_mail` tells that whoever plays it wants no
    mails of the game.
    """

    number: int
    name: str
    bot: str | None
    state: SeatState
    program: bool = False
    kept: bool = False
    spare_used: int = 0
    pauses: int = 0
    paused_until: datetime | None = None
    without_mail: bool = False

    @classmethod
    def of(
        cls,
        number: int,
        name: str,
        bot: str | None,
        state: str,
        program: bool,
        kept: bool,
        spare_used: int,
        pauses: int,
        paused_until: str | None,
        without_mail: bool,
    ) -> Self:
        """A seat as ROWS tells it."""
        until = None if paused_until is None else datetime.fromisoformat(paused_until)
        return cls(
            number,
            name,
            bot,
            SeatState(state),
            program,
            kept,
            spare_used,
            pauses,
            until,
            without_mail,
        )

    @property
    def kind(self) -> SeatKind:
        """What sits there; an open seat is for whoever comes first."""
        if self.bot:
            return SeatKind.BOT
        return SeatKind.OPEN if self.state == SeatState.OPEN else SeatKind.PERSON


class _Played(Protocol):
    """What is known of a seat where it is asked who plays it."""

    @property
    def person_id(self) -> UUID | None:
        """Whose seat it is."""

    @property
    def bot(self) -> str | None:
        """The bot on it."""


def person_of(seat: _Played) -> UUID | None:
    """The person who plays a seat, or is asked to; None where a bot does, or nobody."""
    return None if seat.bot else seat.person_id


_Told: TypeAlias = tuple[
    int, str, str | None, str, bool, bool, int, int, str | None, bool
]

_decode = msgspec.json.Decoder(list[_Told]).decode


def read(text: str) -> tuple[SeatRow, ...]:
    """The seats of a game, in order, from the text of ROWS."""
    return tuple(SeatRow.of(*seat) for seat in _decode(text))


# A turn that the bot was asked to take is the person's now.
_CHANGE_HANDS = """WITH turn AS (DELETE FROM due
        WHERE game_id = %(game)s AND decision = CAST(%(decision)s AS int)
            AND kind = 'bot' AND seat = %(number)s AND CAST(%(bot)s AS text) IS NULL)
    UPDATE seat SET bot = %(bot)s, comes_in = false,
        away_returns = away_returns AND CAST(%(bot)s AS text) IS NOT NULL,
        departed = departed AND CAST(%(bot)s AS text) IS NOT NULL
    WHERE game_id = %(game)s AND number = %(number)s"""


def change_hands(
    game_id: UUID, number: int, bot: str | None, decision: int | None
) -> None:
    """Let a bot play a person's seat from now on, or with None the person again.

    `decision` is the open one. The seat is in the person's name all the time.
    """
    sql.execute(_CHANGE_HANDS, game=game_id, number=number, bot=bot, decision=decision)


_CLOSE = "UPDATE seat SET ended = true WHERE game_id = %(game)s"

# Nobody comes in who was erased meanwhile.
_COMING = """SELECT s.number FROM seat s JOIN person p ON p.id = s.person_id
    WHERE s.game_id = %(game)s AND s.comes_in AND p.address IS NOT NULL
    ORDER BY s.number"""
_STAY_AWAY = """UPDATE seat SET comes_in = false, away_returns = false, departed = true
    WHERE game_id = %(game)s AND number = %(number)s"""
_AWAITED = f"""SELECT s.number FROM seat s JOIN person p ON p.id = s.person_id
    WHERE s.game_id = %(game)s AND {AWAITED} AND p.address IS NOT NULL"""
_NOT_DEPARTED = """SELECT s.number FROM seat s JOIN person p ON p.id = s.person_id
    WHERE s.game_id = %(game)s AND NOT s.departed AND p.address IS NOT NULL"""


def close(game_id: UUID) -> None:
    """Keep with its seats that a game is over: who looks for what runs passes by."""
    sql.execute(_CLOSE, game=game_id)


def coming(game_id: UUID) -> list[int]:
    """The seats whose people take them from the bot at the next deal."""
    return sql.values(_COMING, game=game_id)


def stay_away(game_id: UUID, number: int) -> None:
    """Keep that a seat's person has left it, and doesn't come back by themselves."""
    sql.execute(_STAY_AWAY, game=game_id, number=number)


def awaited(game: Game) -> frozenset[int]:
    """The seats that bots keep, and to which their people come by themselves.

    That is after days off, or at the next deal where they were named for one: not in
    the round that is the last, where no deal opens the cards that the bot has.
    """
    found = sql.values(_AWAITED, game=UUID(game.id))
    return frozenset(seat for seat in found if game.leads_to_a_deal(Seat(seat)))


def not_departed(game_id: UUID) -> frozenset[int]:
    """The seats whose people haven't left them by their own wish, whoever plays."""
    return frozenset(sql.values(_NOT_DEPARTED, game=game_id))
