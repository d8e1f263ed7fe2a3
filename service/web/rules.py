"""The rules, for players: short, in our own words, with the edition's own figures."""

import msgspec
from flask import Blueprint, render_template

from engine.board import Card, PlaceKind
from engine.commands import PlacementOption
from engine.editions import edition
from engine.editions.base import Edition
from service import i18n, plan
from service.hosting import TableWish

bp = Blueprint("rules", __name__)

_HOUR = 3600
_MINUTE = 60


class Column(msgspec.Struct, frozen=True):
    """What depends on the number of players: No cards, placements, who is left."""

    players: int
    noes: int
    placed: int
    left: int


class Floor(msgspec.Struct, frozen=True):
    """A place in the castle, its points, and how many it holds; None is any number."""

    name: str
    value: int
    capacity: int | None


@bp.get("/rules")
def show() -> str:
    """The classic edition, complete."""
    law = edition(TableWish(()).edition)
    return render_template(
        "rules.html",
        columns=tuple(_column(law, seats) for seats in law.seats),
        floors=tuple(_floors(law)),
        names=[i18n.full_name_of(letter) for letter in law.characters],
        hours=plan.PACE // _HOUR,
        minutes=plan.PRACTICE_TIME // _MINUTE,
    )


def _column(law: Edition, seats: int) -> Column:
    quotas = [law.quota(seats, turn, PlacementOption.CHOOSE) for turn in range(seats)]
    return Column(
        players=seats,
        noes=law.hand(seats).count(Card.NO),
        placed=quotas[0],
        left=len(law.characters) - sum(quotas),
    )


def _floors(law: Edition) -> list[Floor]:
    return [
        Floor(
            i18n.place_name(place, law.places),
            place.value,
            1 if place.kind is PlaceKind.THRONE else place.capacity,
        )
        for place in law.places
        if place.kind is not PlaceKind.OUT
    ]
