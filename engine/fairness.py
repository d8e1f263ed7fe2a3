"""The proof's arithmetic, to the byte: hashes, draws, leaves, ballots, the chain.

Source: the protocol in docs/fairness.md. Text enters a hash as UTF-8, whole numbers in
decimal ASCII, results of hashes as their 32 raw bytes.
"""

import hashlib
import hmac
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TypeAlias, TypeVar

from engine.board import Card, Seat
from engine.deck import CARDS, CardNumber

T = TypeVar("T")

Part: TypeAlias = bytes | str | int

WORD_LIMIT = 64
"""The most code points in a word for the shuffle."""


class UnfitWord(ValueError):
    """A word for the shuffle that is longer than WORD_LIMIT code points."""


# Without lengths "ab" and "c" would hash like "a" and "bc".
def packed(*parts: Part) -> bytes:
    """Each part behind its length as four bytes, big-endian."""
    out = bytearray()
    for part in parts:
        raw = part if isinstance(part, bytes) else str(part).encode()
        out += len(raw).to_bytes(4, "big") + raw
    return bytes(out)


def digest(*parts: Part) -> bytes:
    """H: SHA-256 over the packed parts, 32 bytes."""
    return hashlib.sha256(packed(*parts)).digest()


def keyed(key: bytes, *parts: Part) -> bytes:
    """M: HMAC-SHA-256 over the packed parts, 32 bytes."""
    return hmac.digest(key, packed(*parts), "sha256")


def chain_start(game: str) -> bytes:
    """The head of an empty record."""
    return digest("kingup/1/chain", game)


def chain(head: bytes, number: int, record: bytes) -> bytes:
    """The head after record event `number`, whose stored bytes are `record`."""
    return digest("kingup/1/event", head, number, record)


def heads(game: str, record: Iterable[bytes]) -> tuple[bytes, ...]:
    """The heads of a record's chain, the one before event 1 first."""
    found = [chain_start(game)]
    for number, stored in enumerate(record, start=1):
        found.append(chain(found[-1], number, stored))
    return tuple(found)


def seed_commitment(game: str, seed: bytes) -> bytes:
    """What binds the service to a seed before anybody joins."""
    return digest("kingup/1/seed", game, seed)


def word(game: str, seat: Seat, text: str) -> bytes:
    """A seat's word for the shuffle as it is kept: 32 bytes, or none for no word.

    White space around it is trimmed and it is brought to NFC first. Raises UnfitWord.
    """
    plain = unicodedata.normalize("NFC", text.strip())
    if len(plain) > WORD_LIMIT:
        raise UnfitWord(len(plain))
    return digest("kingup/1/word", game, seat, plain) if plain else b""


def draw_key(seed: bytes, table_head: bytes, words: Sequence[bytes]) -> bytes:
    """K: what every draw of a game comes from, once the table is closed."""
    return keyed(seed, "kingup/1/key", table_head, *words)


class DrawStream:
    """Even draws from one label of a key."""

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label
        self._block = 0
        self._numbers: list[int] = []

    def _next(self) -> int:
        if not self._numbers:
            raw = keyed(self._key, "kingup/1/draw", self._label, self._block)
            self._block += 1
            self._numbers = [
                int.from_bytes(raw[at : at + 4], "big") for at in range(28, -1, -4)
            ]
        return self._numbers.pop()

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit - 1, each as likely as the other."""
        # What lies above it is skipped: by that rest small numbers would come oftener.
        edge = 2**32 - 2**32 % limit
        while (number := self._next()) >= edge:
            pass
        return number % limit

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in drawn order."""
        cards = list(items)
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return tuple(cards)


# There are 26 cards, and three of a ballot: without salt anybody would find what a hash
# binds by trying them all.
def card_salt(key: bytes, index: int) -> bytes:
    """The salt of the deck's place `index`."""
    return keyed(key, "kingup/1/salt", "card", index)


def leaf_of(game: str, index: int, card: CardNumber, salt: bytes) -> bytes:
    """What binds the deck's place `index` to a favourites card with that salt."""
    return digest("kingup/1/card", game, index, card, salt)


def leaf(game: str, key: bytes, index: int, card: CardNumber) -> bytes:
    """What binds the deck's place `index` to a favourites card before the deal."""
    return leaf_of(game, index, card, card_salt(key, index))


def shuffled_deck(key: bytes) -> tuple[CardNumber, ...]:
    """The deck of a game, in the order in which it is dealt."""
    return DrawStream(key, "deck").shuffled(range(len(CARDS)))


def leaves(game: str, key: bytes, deck: Sequence[CardNumber]) -> tuple[str, ...]:
    """What binds a whole deck, card by card, in hex."""
    return tuple(leaf(game, key, index, card).hex() for index, card in enumerate(deck))


def ballot_salt(key: bytes, decision: int, seat: Seat) -> bytes:
    """The salt of a seat's ballot in an election."""
    return keyed(key, "kingup/1/salt", "ballot", decision, seat)


def ballot_of(game: str, decision: int, seat: Seat, card: Card, salt: bytes) -> bytes:
    """What binds a ballot with that salt."""
    return digest("kingup/1/ballot", game, decision, seat, card.value, salt)


def ballot(game: str, key: bytes, decision: int, seat: Seat, card: Card) -> bytes:
    """What binds a laid ballot: the receipt of whoever laid it."""
    return ballot_of(game, decision, seat, card, ballot_salt(key, decision, seat))


def card_bound(
    game: str, key: bytes, decision: int, seat: Seat, commitment: str
) -> Card | None:
    """The one card that a ballot, in hex, binds; None when it binds none."""
    for card in Card:
        if ballot(game, key, decision, seat, card).hex() == commitment:
            return card
    return None
