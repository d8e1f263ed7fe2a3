"""Twin worlds: what a page shows doesn't depend on what its viewer may not know."""

import msgspec
import pytest
from flask import Flask

from engine.board import Card
from engine.state import FORMAT, freeze
from tests.rig.service import seated
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import Visitor, link

pytestmark = pytest.mark.usefixtures("inside")


class Onlookers:
    """Everybody who looks at an election: a spectator, devices, links of others."""

    def __init__(self, app: Flask, table: Seated, others: tuple[int, ...]) -> None:
        self.table = table
        self.spectator = Visitor(app)
        self.devices = {seat: Visitor(app) for seat in others}
        for seat, device in self.devices.items():
            device.remember(table, seat)
        self.links = {seat: link(table, seat) for seat in range(len(table.principals))}

    def see(self) -> dict[str, bytes]:
        game = f"/g/{self.table.id}"
        seen = {"spectator": self.spectator.get(game).body}
        for seat, device in self.devices.items():
            seen[f"device {seat}"] = device.get(game).body
            seen[f"own link {seat}"] = device.get(self.links[seat]).body
        for seat, path in self.links.items():
            page = self.spectator.get(path)
            seen[f"link {seat}"] = page.body
            if seat in self.devices:
                seen[f"opened {seat}"] = self.spectator.press(
                    page, page.the_form("Open my cards")
                ).body
        return seen


@pytest.mark.parametrize("seats", [3, 6])
def test_a_ballot_laid_changes_no_page_of_anybody_else(app: Flask, seats: int) -> None:
    table = seated.in_election(seats)
    others = tuple(range(2, seats))
    onlookers = Onlookers(app, table, others)
    before = onlookers.see()

    table.lay([Card.NO])
    one = onlookers.see()
    table.answer(1, seated.own(table.game, 1).legal[0].answer)

    assert one == before
    assert onlookers.see() == before


def test_pages_dont_depend_on_the_cards_of_others(app: Flask) -> None:
    table = seated.in_election(4)
    onlookers = Onlookers(app, table, (2,))
    before = onlookers.see()

    swap_secrets(table, 0, 1)

    assert onlookers.see() == before


def swap_secrets(table: Seated, one: int, two: int) -> None:
    """The twin: two seats hold other favourites, one has laid a card and holds less."""
    game = table.game
    deck = list(game.deck)
    deck[one], deck[two] = deck[two], deck[one]
    hands, ballots = list(game.hands), list(game.ballots)
    hands[one], ballots[one] = (Card.YES,), Card.YES
    twin = msgspec.structs.replace(
        game, deck=tuple(deck), hands=tuple(hands), ballots=tuple(ballots)
    )
    seated.run(
        "UPDATE game SET snapshot = :s, snapshot_format = :f WHERE id = :g",
        {"s": freeze(twin), "f": FORMAT, "g": table.id},
    )


def test_the_mark_of_a_form_tells_nothing_of_its_link(app: Flask) -> None:
    table = seated.in_election(3)
    path = link(table, 1)
    visitor = Visitor(app)
    page = visitor.get(path)
    opened = visitor.press(page, page.the_form("Open my cards"))

    token = path.removeprefix("/d/")

    assert token not in page.body.decode()
    assert token not in opened.forms[0].fields["form_token"]
