"""A practice game begun on the page, and its bots."""

import random

from engine import views
from engine.bots import BOTS
from service.game import handlers
from service.values.principals import Bot
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import Visitor


def practise(visitor: Visitor) -> tuple[Page, Seated]:
    home = visitor.get("/")
    page = visitor.press(home, home.the_form("Play now"))
    rows = seated.run("SELECT id FROM game")
    return page, Seated(rows[-1][0])


def bots_step(table: Seated) -> None:
    game = table.game
    if game.election_complete:
        return table.resolve()
    seat = next(seat for seat in game.asked() if game.seats[seat].kind == "bot")
    answer = BOTS["steady"](views.view(game, seat), random.Random(1))
    handlers.answer(table.id, Bot(seat), table.decision, answer)
    return None
