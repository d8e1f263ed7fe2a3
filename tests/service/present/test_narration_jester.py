"""What happens in the jester edition, in sentences; its answers in words."""

import pytest

from engine.board import Card, Seat, Verdict
from engine.commands import Answer, Ballot, Move, Placement
from engine.editions import edition
from engine.events import ElectionResolved, Moved, Record, RoundScored
from engine.views import View
from service.present import error_texts, labels, languages, narration, sentences
from service.present.narration import Cast
from tests.rig.engine import tables

RACHEL, SIMON, TERRY = Seat(0), Seat(1), Seat(2)
LAW = edition("jester")

pytestmark = pytest.mark.usefixtures("inside")


def narrated(event: Record, reader: Seat | None = None) -> list[str]:
    cast = Cast(("Rachel", "Simon", "Terry"), LAW, reader=reader)
    return [sentences.plain(sentence) for sentence in narration.tell([event], cast)]


def moved(origin: str, to: str, by: str = "seat") -> Moved:
    return Moved(4, SIMON, "O", origin, to, by, None)


def resolved(verdict: Verdict, to: str, nominee: str = "O") -> ElectionResolved:
    nobody = ("", "", "")
    return ElectionResolved(9, nominee, SIMON, nobody, verdict, to, TERRY, None, None)


def label(view: View, answer: Answer) -> str:
    law, board = view.law, view.board
    if not isinstance(answer, Move):
        return labels.button(law, answer)
    to = law.destinations(board).get(answer.character)
    return labels.button(law, answer, board.at[answer.character], to)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (moved("2", "wc3"), "Simon moved Odessa into the WC beside the Officers."),
        (moved("wc3", "3"), "Simon moved Odessa out of the WC to the Officers."),
        (moved("2", "3"), "Simon moved Odessa up to the Officers."),
        (
            moved("wc4", "4", "clock"),
            "Simon's time ran out: by lot, Odessa moved out of the WC to the"
            " Dignitaries.",
        ),
        (
            resolved(Verdict.CANCELLED, "5"),
            "The election was cancelled: Odessa goes back to the Nobles.",
        ),
        (
            resolved(Verdict.REFUSED, "dungeon2"),
            "Odessa was refused and thrown into Dungeon −2.",
        ),
        (
            resolved(Verdict.REFUSED, "box"),
            "Odessa was refused and is out of the round.",
        ),
        (
            resolved(Verdict.REFUSED, "3", "J"),
            "The Jester was refused and goes back to the Officers.",
        ),
        (
            RoundScored(2, (), (), (-12, 7, -27), (0, 0, 3), (20, 9, 40), ()),
            "Round 2 is over: Rachel −12, Simon 7, Terry −24.",
        ),
    ],
)
def test_each_event_has_its_sentence(event: Record, sentence: str) -> None:
    assert narrated(event) == [sentence]


def test_what_the_clock_did_in_a_wc_is_told_to_its_seat() -> None:
    assert narrated(moved("wc3", "3", "clock"), SIMON) == [
        "Time was up: the clock moved Odessa out of the WC to the Officers for you."
    ]


def test_a_crowned_jester_is_said_to_turn_the_scores_round() -> None:
    turned = "When the Jester is king, all scores of the round turn round"

    jester = narrated(resolved(Verdict.CROWNED, "throne", "J"))
    odessa = narrated(resolved(Verdict.CROWNED, "throne"))

    assert [sentence.partition(":")[0] for sentence in jester] == [
        "Everybody said Yes",
        turned,
    ]
    assert len(odessa) == 1


@pytest.mark.parametrize(
    ("language", "put_up", "refused"),
    [
        ("it", "Simon ha proposto il Giullare", "il Giullare torna dagli Ufficiali."),
        ("fr", "Simon a proposé le Bouffon", "le Bouffon retourne chez les Officiers."),
        ("de", "Simon hat den Narren", "Der Narr wurde abgelehnt und kehrt zu den"),
    ],
)
def test_a_name_that_is_a_word_is_bent_as_each_language_bends_it(
    language: str, put_up: str, refused: str
) -> None:
    nominated = Moved(4, SIMON, "J", "5", "throne", "seat", 5)

    with languages.speaking(language):
        (sentence,) = narrated(nominated)
        (verdict,) = narrated(resolved(Verdict.REFUSED, "3", "J"))

    assert put_up in sentence
    assert refused in verdict


def test_answers_are_labelled_by_their_way() -> None:
    table = tables.settled(4, edition="jester")
    table.arrange(
        {"5": "A", "4": "BCDE", "3": "FGIJ", "2": "L", "wc4": "M", "0": "NOP"}
    )
    full = table.view()
    table.arrange({"5": "A", "4": "BCD", "3": "FGIJ", "2": "L", "wc4": "M", "0": "NOP"})
    room = table.view()

    assert label(full, Move("A")) == "Alighiero onto the throne"
    assert label(full, Move("L")) == "Leonora into the WC beside the Officers"
    assert label(room, Move("M")) == "Merlino out of the WC to the Dignitaries"
    assert label(full, Move("J")) == "The Jester"
    assert label(room, Move("F")) == "Fiorello up to the Dignitaries"
    assert label(room, Ballot(Card.STOMACHACHE)) == "Stomachache"
    assert label(room, Placement("O", "1")) == "Odessa to the Craftsmen"
    assert "Leonora (into the WC)" in labels.movable(full)
    assert "Merlino (out of the WC)" in labels.movable(room)
    assert "Merlino" not in " ".join(labels.movable(full))
    assert labels.stuck(full) == (
        "Can't move now: Merlino, Fiorello, Gavino, Irina, and the Jester. There is no"
        " room where the way leads."
    )
    assert "Merlino" not in labels.stuck(room)
    assert labels.way_out(LAW, full.board) == ""
    assert labels.way_out(LAW, room.board) == "out of the WC"


def test_places_in_refusals_are_told_apart() -> None:
    places = [error_texts._place(place.key) for place in LAW.places]

    assert len(set(places)) == len(LAW.places)
    assert "WC beside the Officers" in places
    assert error_texts._place("nowhere") == "nowhere"
