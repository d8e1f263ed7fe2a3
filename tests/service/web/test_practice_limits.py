"""Practice at one tap: a budget of their own for whoever has proved a mailbox."""

from flask import Flask

from service.rate_limits.limits import PRACTICE
from tests.rig.service import seated
from tests.rig.service.counted import use_up
from tests.rig.service.visitor import Visitor


def practise(visitor: Visitor, edition: str = "classic") -> int:
    return visitor.fetch(
        "POST", "/practice", {"Origin": "http://localhost"}, {"edition": edition}
    ).status


def test_a_browser_of_somebody_with_a_mailbox_practises_whatever_strangers_do(
    inside: Flask, limited: Flask
) -> None:
    table = seated.started(3)
    known, stranger = Visitor(limited), Visitor(limited)
    known.remember(table, 1)

    use_up(limited, PRACTICE)

    assert (practise(known), practise(stranger)) == (200, 429)


def test_a_browser_that_only_practised_is_a_strangers(limited: Flask) -> None:
    visitor = Visitor(limited)
    assert practise(visitor) == 200

    use_up(limited, PRACTICE)

    assert practise(visitor) == 429


def test_what_could_not_be_begun_uses_up_nothing(limited: Flask) -> None:
    visitor = Visitor(limited)

    wrong = {practise(visitor, "nonsense") for _ in range(PRACTICE.amount + 5)}

    assert all(400 <= status < 429 for status in wrong)
    assert practise(visitor) == 200
