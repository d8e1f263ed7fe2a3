"""The form of a new game, sent by a browser."""

from tests.rig.browser import Page
from tests.rig.service.visitor import Visitor

FILLED = {
    "name": "Rachel",
    "address": "rachel@example.org",
    "seat1_kind": "friend",
    "seat1_name": "Simon",
    "seat1_address": "simon@example.org",
    "seat2_kind": "empty",
    "seat3_kind": "bot",
    "word": "Würfel",
    "rounds": "1",
    "placement": "random",
    "visibility": "players",
}


def new(visitor: Visitor, **changed: str) -> Page:
    page = visitor.get("/new")
    return visitor.press(page, page.the_form("Mail me"), {**FILLED, **changed})
