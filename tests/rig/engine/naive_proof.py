"""The fairness protocol once more, from its text alone, to check the engine against."""

import hashlib
import hmac
import struct


def lp(*parts: bytes | str | int) -> bytes:
    out = b""
    for part in parts:
        if isinstance(part, int):
            part = b"%d" % part
        elif isinstance(part, str):
            part = part.encode("utf-8")
        out += struct.pack(">I", len(part)) + part
    return out


def h(*parts: bytes | str | int) -> bytes:
    return hashlib.sha256(lp(*parts)).digest()


def m(key: bytes, *parts: bytes | str | int) -> bytes:
    return hmac.new(key, lp(*parts), hashlib.sha256).digest()


class Draws:
    """One stream of numbers for one label."""

    def __init__(self, key: bytes, label: str) -> None:
        self.key, self.label, self.used = key, label, 0

    def number(self) -> int:
        block, at = divmod(self.used, 8)
        self.used += 1
        raw = m(self.key, "kingup/1/draw", self.label, block)
        numbers: tuple[int, ...] = struct.unpack(">8I", raw)
        return numbers[at]

    def below(self, limit: int) -> int:
        while True:
            number = self.number()
            if number < 2**32 - (2**32 % limit):
                return number % limit

    def shuffle(self, size: int) -> list[int]:
        order = list(range(size))
        for i in range(size - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def heads(game: str, record: list[bytes]) -> list[bytes]:
    found = [h("kingup/1/chain", game)]
    for number, stored in enumerate(record, start=1):
        found.append(h("kingup/1/event", found[-1], number, stored))
    return found


def key(seed: bytes, closed: bytes, words: list[str]) -> bytes:
    return m(seed, "kingup/1/key", closed, *map(bytes.fromhex, words))


def card_salt(k: bytes, index: int) -> bytes:
    return m(k, "kingup/1/salt", "card", index)


def leaf(game: str, k: bytes, index: int, card: int) -> str:
    return h("kingup/1/card", game, index, card, card_salt(k, index)).hex()


def ballot_salt(k: bytes, decision: int, seat: int) -> bytes:
    return m(k, "kingup/1/salt", "ballot", decision, seat)


def ballot_salts(k: bytes, decision: int, seats: int) -> list[str]:
    return [ballot_salt(k, decision, seat).hex() for seat in range(seats)]


def ballot(game: str, k: bytes, decision: int, seat: int, card: str) -> str:
    salt = ballot_salt(k, decision, seat)
    return h("kingup/1/ballot", game, decision, seat, card, salt).hex()


def lot(k: bytes, number: int, quota: int, at: dict[str, str]) -> list[list[str]]:
    """A round's random placement: so many by lot onto floors with room, the rest to 0.

    `at` holds who stands in the castle already, and is told last.
    """
    draws = Draws(k, f"place/{number}")
    letters = ["ABCDEFGILMNOP"[i] for i in draws.shuffle(13)]
    standing = list(at.values())
    placed = []
    for letter in letters[:quota]:
        free = [floor for floor in "1234" if standing.count(floor) < 4]
        floor = free[draws.below(len(free))]
        standing.append(floor)
        placed.append([letter, floor])
    placed += [[letter, "0"] for letter in letters[quota:]]
    return placed + [[letter, place] for letter, place in at.items()]
