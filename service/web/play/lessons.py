"""What practice explains: each new thing at its player's first decision of the kind.

From the record alone, so that a page tells the same however often it is read. Practice
fills its castle by lot and has one round: nothing else is new in it.
"""

from collections.abc import Iterator, Sequence

import msgspec

from engine.events import ElectionResolved, Moved, Record
from engine.state import Kind
from engine.views import Own
from service.present.languages import gettext as _
from service.present.presentation import Question
from service.web.play import choice_form
from service.web.play.page_model import PageModel


class Lesson(msgspec.Struct, frozen=True):
    """Something explained: what it is, and in a few sentences."""

    title: str
    words: str


def read(game: PageModel) -> tuple[Lesson, ...]:
    """What is new to whoever is asked now; nothing where a game isn't practice."""
    found = choice_form.asked(game)
    if found is None or not game.practice:
        return ()
    return tuple(_lessons(game, *found))


def _lessons(game: PageModel, own: Own, question: Question) -> Iterator[Lesson]:
    moved = _has_moved(own, game.record)
    votes = [e for e in game.record if isinstance(e, ElectionResolved)]
    if not (moved or votes):
        yield _aim()
    if question.kind is Kind.MOVE and not moved:
        yield _moving()
    if question.kind is Kind.ELECTION and not votes:
        yield _voting()
    if len(votes) == 1 and not _has_moved_since(votes[0], own, game):
        yield _crown()


def _has_moved(own: Own, events: Sequence[Record]) -> bool:
    return any(isinstance(each, Moved) and each.seat == own.seat for each in events)


def _has_moved_since(event: Record, own: Own, game: PageModel) -> bool:
    return _has_moved(own, game.record[game.record.index(event) :])


def _aim() -> Lesson:
    return Lesson(
        _("What you want"),
        _(
            "Six characters with a ♥ are your favourites, and nobody else knows them."
            " When a king is crowned, the round is over, and each of them brings you"
            " the points of the floor it stands on. Most points after the last round"
            " win."
        ),
    )


def _moving() -> Lesson:
    return Lesson(
        _("A move"),
        _(
            "In turn everybody moves one character one floor up, whoever it is: nobody"
            " belongs to anybody. Move others than your favourites now and then, or"
            " the others guess them. A move from floor 5 onto the throne opens a vote."
        ),
    )


def _voting() -> Lesson:
    return Lesson(
        _("A vote"),
        _(
            "All lay one card, and they are turned over together. Only if all say Yes"
            " there is a king. A Yes comes back to your hand; every other card is gone"
            " for this round, so spend it where the castle would bring you little."
        ),
    )


def _crown() -> Lesson:
    return Lesson(
        _("The crown"),
        _(
            "Whoever puts somebody up for king takes the crown. The player to the left"
            " goes on, and later begins the next round."
        ),
    )
