"""Editions: what each is made of, for clients that draw and play any of them."""

from collections.abc import Mapping, Sequence

import msgspec
from flask.views import MethodView

from engine.board import Card, Character, Place, PlaceKind
from engine.deck import CARDS, favourites
from engine.editions import EDITIONS
from engine.editions.base import Choices, Edition
from service.api.http.annotations import Who
from service.api.openapi.blueprint import Blueprint
from service.api.schemas.edition import EditionSchema, EditionsSchema
from service.present import languages, nouns
from service.values.errors import NotFound

blueprint = Blueprint("editions", "What there is to play.")


class _Character(msgspec.Struct, frozen=True):
    letter: str
    name: str
    names: Mapping[str, str]
    title: str


class _Place(msgspec.Struct, frozen=True):
    key: str
    name: str
    names: Mapping[str, str]
    kind: PlaceKind
    value: int
    capacity: int | None
    beside: str | None


class _Card(msgspec.Struct, frozen=True):
    key: str
    name: str
    names: Mapping[str, str]


class _Table(msgspec.Struct, frozen=True):
    seats: int
    hand: Sequence[str]
    quota: dict[str, list[int]]
    bonus: dict[str, list[int]]


class _EditionBody(msgspec.Struct, frozen=True):
    """An edition in the reader's language, and its names in every language."""

    id: str
    name: str
    names: Mapping[str, str]
    summary: str
    rules: int
    start_score: int
    characters: Sequence[_Character]
    places: Sequence[_Place]
    cards: Sequence[_Card]
    tables: Sequence[_Table]
    options: Choices
    favourites: Sequence[Sequence[str]]


def _told(law: Edition) -> _EditionBody:
    return _EditionBody(
        id=law.id,
        name=nouns.edition_name(law.id),
        names=languages.in_every_language(lambda: nouns.edition_name(law.id)),
        summary=nouns.edition_line(law.id),
        rules=law.rules,
        start_score=law.start_score,
        characters=[_character(letter) for letter in law.characters],
        places=[_place(place, law) for place in law.places],
        cards=[_card(card) for card in law.cards],
        tables=[_table(law, seats) for seats in law.seats],
        options=law.choices,
        favourites=[favourites(number) for number in range(len(CARDS))],
    )


def _character(letter: Character) -> _Character:
    return _Character(
        letter=letter,
        name=nouns.name_of(letter),
        names=languages.in_every_language(lambda: nouns.name_of(letter)),
        title=nouns.title_of(letter),
    )


def _card(card: Card) -> _Card:
    return _Card(
        key=card.value,
        name=nouns.card_name(card),
        names=languages.in_every_language(lambda: nouns.card_name(card)),
    )


def _place(place: Place, law: Edition) -> _Place:
    return _Place(
        key=place.key,
        name=nouns.place_name(place, law.places),
        names=languages.in_every_language(lambda: nouns.place_name(place, law.places)),
        kind=place.kind,
        value=place.value,
        capacity=place.capacity,
        beside=place.beside,
    )


def _table(law: Edition, seats: int) -> _Table:
    turns, options = range(seats), law.placements_at(seats)
    return _Table(
        seats=seats,
        hand=[card.value for card in law.hand(seats)],
        quota={o.value: [law.quota(seats, turn, o) for turn in turns] for o in options},
        bonus={o.value: [law.bonus(seats, turn, o) for turn in turns] for o in options},
    )


@blueprint.route("/editions")
class Editions(MethodView):
    """All editions."""

    @blueprint.access(Who.PUBLIC)
    @blueprint.response(200, EditionsSchema)
    def get(self) -> dict[str, list[_EditionBody]]:
        """List the editions."""
        return {"editions": [_told(law) for law in EDITIONS.values()]}


@blueprint.route("/editions/<edition>")
class OneEdition(MethodView):
    """An edition."""

    @blueprint.named("getEdition")
    @blueprint.access(Who.PUBLIC)
    @blueprint.fails(NotFound)
    @blueprint.response(200, EditionSchema)
    def get(self, edition: str) -> _EditionBody:
        """Describe an edition: its characters, places, cards, tables and options."""
        if edition not in EDITIONS:
            raise NotFound(what="edition")
        return _told(EDITIONS[edition])
