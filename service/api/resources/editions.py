"""Editions: what each is made of, for clients that draw and play any of them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from engine.board import Card, Character, Place
from engine.commands import PlacementOption
from engine.deck import CARDS, favourites
from engine.editions import EDITIONS
from engine.editions.base import Choices, Edition
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.replies.game_view import PlaceReply
from service.present import languages, nouns
from service.values.errors import NotFound

blueprint = Blueprint("editions", "What there is to play.")


_InReadersLanguage: TypeAlias = Annotated[
    str, Meta(description="In the reader's language.")
]


class NamesReply(msgspec.Struct, frozen=True):
    """A name in each language of the API."""

    en: str
    it: str
    fr: str
    de: str


class CharacterReply(msgspec.Struct, frozen=True):
    """A character; the letter is its id everywhere."""

    letter: Character
    name: str
    names: NamesReply
    title: str


class EditionPlaceReply(PlaceReply, frozen=True):
    """A place of an edition."""

    names: NamesReply


class CardReply(msgspec.Struct, frozen=True):
    """A vote card."""

    key: Card
    name: _InReadersLanguage
    names: NamesReply


class SeatsReply(msgspec.Struct, frozen=True):
    """What depends on the number of seats."""

    seats: int
    hand: Annotated[Sequence[Card], Meta(description="At the start of every round.")]
    quota: Annotated[
        Mapping[PlacementOption, Sequence[int]],
        Meta(
            description="How many characters each seat places, in turn order, by the"
            " option `placement`; the options missing can't be chosen."
        ),
    ]
    bonus: Annotated[
        Mapping[PlacementOption, Sequence[int]],
        Meta(
            description="What each seat gets every round on top, in turn order, by the"
            " option `placement`."
        ),
    ]


class EditionReply(msgspec.Struct, frozen=True):
    """An edition of the game."""

    id: str
    name: _InReadersLanguage
    names: NamesReply
    summary: Annotated[str, Meta(description="What it is, in a sentence.")]
    rules: Annotated[int, Meta(description="The version of its rules.")]
    start_score: int
    characters: Sequence[CharacterReply]
    places: Sequence[EditionPlaceReply]
    cards: Sequence[CardReply]
    tables: Sequence[SeatsReply]
    options: Choices
    favourites: Annotated[
        Sequence[Sequence[Character]],
        Meta(description="The characters on each favourites card, by number."),
    ]


class EditionsReply(msgspec.Struct, frozen=True):
    """All editions."""

    editions: Sequence[EditionReply]


def _names(name: Callable[[], str]) -> NamesReply:
    return msgspec.convert(languages.in_every_language(name), NamesReply)


def _told(law: Edition) -> EditionReply:
    return EditionReply(
        id=law.id,
        name=nouns.edition_name(law.id),
        names=_names(lambda: nouns.edition_name(law.id)),
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


def _character(letter: Character) -> CharacterReply:
    return CharacterReply(
        letter=letter,
        name=nouns.name_of(letter),
        names=_names(lambda: nouns.name_of(letter)),
        title=nouns.title_of(letter),
    )


def _card(card: Card) -> CardReply:
    return CardReply(
        key=card,
        name=nouns.card_name(card),
        names=_names(lambda: nouns.card_name(card)),
    )


def _place(place: Place, law: Edition) -> EditionPlaceReply:
    return EditionPlaceReply(
        key=place.key,
        name=nouns.place_name(place, law.places),
        names=_names(lambda: nouns.place_name(place, law.places)),
        kind=place.kind,
        value=place.value,
        capacity=place.capacity,
        beside=place.beside,
    )


def _table(law: Edition, seats: int) -> SeatsReply:
    turns, options = range(seats), law.placements_at(seats)
    return SeatsReply(
        seats=seats,
        hand=law.hand(seats),
        quota={o: [law.quota(seats, turn, o) for turn in turns] for o in options},
        bonus={o: [law.bonus(seats, turn, o) for turn in turns] for o in options},
    )


@blueprint.place("/editions")
class Editions(Resource):
    """All editions."""

    @blueprint.access(Who.PUBLIC)
    @blueprint.response(200, EditionsReply)
    def get(self) -> EditionsReply:
        """List the editions."""
        return EditionsReply([_told(law) for law in EDITIONS.values()])


@blueprint.place("/editions/<edition>")
class OneEdition(Resource):
    """An edition."""

    @blueprint.named("getEdition")
    @blueprint.access(Who.PUBLIC)
    @blueprint.fails(NotFound)
    @blueprint.response(200, EditionReply)
    def get(self, edition: str) -> EditionReply:
        """Describe an edition: its characters, places, cards, tables and options."""
        if edition not in EDITIONS:
            raise NotFound(what="edition")
        return _told(EDITIONS[edition])
