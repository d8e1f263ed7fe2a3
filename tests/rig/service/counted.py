"""Counting as tests look at it: what is used up, and by whom something was counted."""

from flask import Flask
from werkzeug.test import TestResponse

from service.rate_limits import limits
from service.rate_limits.charging import Credential
from service.rate_limits.counters import Memory
from service.rate_limits.limits import Limits, Party, Rule, Whose
from service.store import devices
from service.store.transactions import transaction
from tests.rig.service import seated
from tests.rig.service.programs import Table

AWAY = "redis://127.0.0.1:1"
HERE = Party(Whose.NETWORK, "127.0.0.1")
ORIGIN = {"Origin": "http://localhost"}
MADE_UP = "a" * 26
FIGURES = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")


def noon() -> float:
    """A clock that stands still, so that no minute ends within a test."""
    return 43_200.0


def use_up(app: Flask, rule: Rule, party: Party = HERE) -> None:
    """Leave nothing of a limit."""
    with app.app_context():
        while not limits.current().take(rule, party).over:
            pass


def use_up_token(app: Flask, rule: Rule, token: str) -> None:
    use_up(app, rule, Credential(Whose.TOKEN, token).party)


def figures(answer: TestResponse) -> list[int]:
    """The figures in an answer's headers."""
    return [int(answer.headers[name]) for name in FIGURES]


class Ledger(Limits):
    """Limits that know afterwards what they have counted; all of it in memory."""

    def __init__(self, secret: str) -> None:
        super().__init__(1, AWAY, secret, noon)

    def forget(self) -> None:
        """Have counted nothing."""
        for each in self._stores:
            each._counts.clear()

    @property
    def _stores(self) -> tuple[Memory, Memory]:
        return self._here, self._shared._here

    def counted(self) -> set[tuple[str, str]]:
        """The names of limits, and whose it was of which each has counted some."""
        each = (item for store in self._stores for item in store._counts.items())
        found = (key.split(":") for key, (count, _) in each if count)
        return {(name, whose[0] if whose else "all") for name, _, *whose in found}


def whose_of(counted: set[tuple[str, str]]) -> set[str]:
    return {whose for _, whose in counted}


def remembered(table: Table) -> str:
    row = seated.link(table.table.id, 0)
    with transaction():
        secret = devices.remember(row.game_id, row.person_id, 0)
    return f"seat_{table.table.id.hex}={secret}"
