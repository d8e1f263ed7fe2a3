"""Readings: a game read once for all who wait for it, with the rights of each."""

from collections.abc import Collection, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec

from service.store import games, good_tokens, sql
from service.store.games import GameRow
from service.store.seats import PERSON_BELONGS, PERSON_PLAYS

# What one reader's own statement says (`games.find`), of several tokens at once.
_READ: Final = f"""SELECT {games.SHOWN}, true AS proved, NULL::int AS seat,
    NULL::int AS answered, NULL::int AS beside,
    (SELECT json_agg(json_build_array(encode(t.token_hash, 'hex'),
            CASE WHEN {PERSON_PLAYS} THEN s.number END,
            (SELECT max(a.decision) FROM answer a
             WHERE a.game_id = g.id AND a.seat = s.number AND {PERSON_PLAYS}),
            CASE WHEN NOT ({PERSON_PLAYS}) THEN s.number END))
        FROM token t LEFT JOIN seat s ON s.game_id = g.id
            AND s.person_id = t.person_id AND {PERSON_BELONGS}
        WHERE t.token_hash = ANY(%(proofs)s) AND {good_tokens.IS_GOOD_FOR})::text
        AS readers
    FROM game g WHERE g.id = %(game)s"""


class _Right(msgspec.Struct, frozen=True, array_like=True):
    """A token that is good for a game, its owner's seat, and what that answered last.

    `answered` is as private as a ballot: it is handed to whoever brought the token.
    """

    token_hash: str
    seat: int | None
    answered: int | None
    beside: int | None


_rights = msgspec.json.Decoder(list[_Right]).decode


class GameReading:
    """A game as it was read for several; nobody gets more than by a reading of theirs.

    Each takes their own row out of it.
    """

    def __init__(self, row: GameRow, rights: Mapping[str, _Right]) -> None:
        self._row = row
        self._rights = rights

    def row(self, proof: bytes | None) -> GameRow | None:
        """The game's row for a token's hash, or a spectator; None for no good token."""
        if proof is None:
            return self._row
        right = self._rights.get(proof.hex())
        if right is None:
            return None
        return msgspec.structs.replace(
            self._row, seat=right.seat, answered=right.answered, beside=right.beside
        )


def read(game_id: UUID, proofs: Collection[bytes], scope: str) -> GameReading | None:
    """A game for spectators and those who bring tokens; None when there is none."""
    return sql.struct(_reading, _READ, game=game_id, proofs=list(proofs), scope=scope)


def _reading(*columns: Any) -> GameReading:
    *row, readers = columns
    rights = {each.token_hash: each for each in _rights(readers or "[]")}
    return GameReading(GameRow(*row), rights)
