"""The castle as a board: its characters and free places are what one chooses by."""

from collections.abc import Mapping

import msgspec

from engine.board import Character, PlaceKey, PlaceKind
from engine.views import PlaceView
from service.present import layout, nouns
from service.web.play.choice_form import Choice, ChoiceForm
from service.web.play.page_model import PageModel


class Piece(msgspec.Struct, frozen=True):
    """A character on the board; `choice` is the radio it is the label of, if any.

    `arrived` tells that it stood elsewhere before what is new.
    """

    letter: Character
    name: str
    figure: str
    colour: str
    mine: bool
    arrived: bool
    choice: Choice | None


class Spot(msgspec.Struct, frozen=True):
    """A place beside a floor, with whoever stands there."""

    label: str
    pieces: tuple[Piece, ...]


class BoardRow(msgspec.Struct, frozen=True):
    """A floor, or the throne: who stands there, and how many more may.

    `place` is the radio that its first free place is the label of, if any.
    """

    kind: PlaceKind
    label: str
    value: int
    pieces: tuple[Piece, ...]
    free: int
    aside: tuple[Spot, ...]
    place: Choice | None


class ChoiceBoard(msgspec.Struct, frozen=True):
    """The castle from top to bottom, what lies under it, and who is outside.

    `unplaced` are those who can be placed now, or still will be.
    """

    rows: tuple[BoardRow, ...]
    under: tuple[Spot, ...]
    outside: tuple[Spot, ...]
    unplaced: tuple[Piece, ...]

    @property
    def has_asides(self) -> bool:
        """Whether there are places beside its floors."""
        return any(row.aside for row in self.rows)


def build(form: ChoiceForm | None, game: PageModel) -> ChoiceBoard | None:
    """The board on which a form is filled in, or looked at; None without a form."""
    if form is None:
        return None
    choices = {field.name: field.choices for field in form.fields}
    return _Builder(
        game,
        {each.value: each for each in choices.get("character", ())},
        {each.value: each for each in choices.get("place", ())},
    ).board()


class _Builder:
    """Sets one board up from what a form offers by character, and by place."""

    def __init__(
        self,
        game: PageModel,
        characters: Mapping[Character, Choice],
        places: Mapping[PlaceKey, Choice],
    ) -> None:
        self.view = game.view
        self.came_from = game.news.came_from
        self.characters = characters
        self.places = places

    def board(self) -> ChoiceBoard:
        seen = self.view.places
        kinds = (PlaceKind.DUNGEON, PlaceKind.OUT)
        return ChoiceBoard(
            rows=tuple(
                self._row(each)
                for each in seen
                if each.place.beside is None and each.place.kind not in kinds
            ),
            under=tuple(
                self._spot(each) for each in seen if each.place.kind is kinds[0]
            ),
            outside=tuple(
                self._spot(each)
                for each in seen
                if each.place.kind is kinds[1] and each.characters
            ),
            unplaced=tuple(map(self._piece, self.view.unplaced)),
        )

    def _row(self, seen: PlaceView) -> BoardRow:
        place = seen.place
        beside = [each for each in self.view.places if each.place.beside == place.key]
        return BoardRow(
            kind=place.kind,
            label=nouns.label_of(place),
            value=place.value,
            pieces=tuple(map(self._piece, seen.characters)),
            free=self._free(seen),
            aside=tuple(map(self._spot, beside)),
            place=self.places.get(place.key),
        )

    def _free(self, seen: PlaceView) -> int:
        standing = len(seen.characters)
        if seen.place.kind is PlaceKind.THRONE:
            return 1 - min(standing, 1)
        return 1 if seen.place.capacity is None else seen.place.capacity - standing

    def _spot(self, seen: PlaceView) -> Spot:
        everywhere = [each.place for each in self.view.places]
        label = (
            nouns.label_of(seen.place)
            if seen.place.beside
            else nouns.place_name(seen.place, everywhere)
        )
        return Spot(label, tuple(map(self._piece, seen.characters)))

    def _piece(self, letter: Character) -> Piece:
        own = self.view.own
        return Piece(
            letter=letter,
            name=nouns.name_of(letter),
            figure=layout.figure(letter),
            colour=layout.colour(letter),
            mine=own is not None and letter in own.favourites,
            arrived=letter in self.came_from,
            choice=self.characters.get(letter),
        )
