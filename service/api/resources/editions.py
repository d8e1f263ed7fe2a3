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
from service.api.http import replies
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.replies.view_reply import PlaceReply
from service.present import languages, nouns
from service.values.errors import NotFound

blueprint = Blueprint("editions", "What there is to play.")


_InReadersLanguage: TypeAlias = Annotated[
    str, Meta(description="In the reader's language.")
]


class LabelsReply(msgspec.Struct, frozen=True):
    """What something is called in each language of the API."""

    en: str
    it: str
    fr: str
    de: str


class CharacterReply(msgspec.Struct, frozen=True):
    """A character; the letter is its id everywhere."""

    letter: Character
    name: str
    names: LabelsReply
    title: str


class EditionPlaceReply(PlaceReply, frozen=True):
    """A place of an edition."""

    labels: LabelsReply


class CardReply(msgspec.Struct, frozen=True):
    """A vote card."""

    key: Card
    label: _InReadersLanguage
    labels: LabelsReply


class TableSizeReply(msgspec.Struct, frozen=True):
    """What depends on how many play."""

    players: int
    starting_hand: Annotated[
        Sequence[Card], Meta(description="At the start of every round.")
    ]
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

    id: Annotated[str, replies.one_of("EditionKey")]
    label: _InReadersLanguage
    labels: LabelsReply
    summary: Annotated[str, Meta(description="What it is, in a sentence.")]
    rules: Annotated[int, Meta(description="The version of its rules.")]
    start_score: int
    characters: Sequence[CharacterReply]
    places: Sequence[EditionPlaceReply]
    cards: Sequence[CardReply]
    tables: Sequence[TableSizeReply]
    choices: Choices
    favourites: Annotated[
        Sequence[Sequence[Character]],
        Meta(description="The characters on each favourites card, by number."),
    ]


class EditionsReply(msgspec.Struct, frozen=True):
    """All editions."""

    editions: Sequence[EditionReply]


def _labels(name: Callable[[], str]) -> LabelsReply:
    return msgspec.convert(languages.in_every_language(name), LabelsReply)


def _told(law: Edition) -> EditionReply:
    return EditionReply(
        id=law.id,
        label=nouns.edition_name(law.id),
        labels=_labels(lambda: nouns.edition_name(law.id)),
        summary=nouns.edition_line(law.id),
        rules=law.rules,
        start_score=law.start_score,
        characters=[_character(letter) for letter in law.characters],
        places=[_place(place, law) for place in law.places],
        cards=[_card(card) for card in law.cards],
        tables=[_table(law, seats) for seats in law.seats],
        choices=law.choices,
        favourites=[favourites(number) for number in range(len(CARDS))],
    )


def _character(letter: Character) -> CharacterReply:
    return CharacterReply(
        letter=letter,
        name=nouns.name_of(letter),
        names=_labels(lambda: nouns.name_of(letter)),
        title=nouns.title_of(letter),
    )


def _card(card: Card) -> CardReply:
    return CardReply(
        key=card,
        label=nouns.card_name(card),
        labels=_labels(lambda: nouns.card_name(card)),
    )


def _place(place: Place, law: Edition) -> EditionPlaceReply:
    return EditionPlaceReply(
        key=place.key,
        label=nouns.place_name(place, law.places),
        labels=_labels(lambda: nouns.place_name(place, law.places)),
        kind=place.kind,
        value=place.value,
        capacity=place.capacity,
        beside=place.beside,
    )


def _table(law: Edition, seats: int) -> TableSizeReply:
    turns, options = range(seats), law.placements_at(seats)
    return TableSizeReply(
        players=seats,
        starting_hand=law.hand(seats),
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
