"""The record in sentences: every event that people want to hear of has one."""

import pytest

from engine.board import Card, Seat, Verdict
from engine.commands import History, Options, PlacementOption
from engine.editions import edition
from engine.events import (
    ElectionResolved,
    GameCreated,
    GameOver,
    Moved,
    Placed,
    Record,
    RoundScored,
    RoundStarted,
    StartedRecord,
    TableClosed,
)
from service.present import narration, sentences
from service.present.narration import Cast

RACHEL, SIMON, TERRY = Seat(0), Seat(1), Seat(2)
CAST = Cast(("Rachel", "Simon", "Terry"), edition("classic"))
OPTIONS = Options(3, PlacementOption.CHOOSE, History.TABLE, None, None)


pytestmark = pytest.mark.usefixtures("inside")


def narrated(*events: Record, cast: Cast = CAST) -> list[str]:
    return [sentences.plain(sentence) for sentence in narration.tell(events, cast)]


def refused(cards: tuple[Card, ...] | None = None) -> ElectionResolved:
    return ElectionResolved(
        decision=9,
        nominee="O",
        mover=SIMON,
        ballots=("", "", ""),
        verdict=Verdict.REFUSED,
        to="out",
        next=TERRY,
        cards=cards,
        salts=None,
    )


def moved(to: str, by: str = "seat") -> Moved:
    return Moved(4, SIMON, "O", "3", to, by, 5 if to == "throne" else None)


@pytest.mark.parametrize(
    ("event", "sentences"),
    [
        (GameCreated("", ""), []),
        (TableClosed("classic", 1, OPTIONS, (), ()), []),
        (StartedRecord(RACHEL, ()), ["The cards are dealt; Rachel begins."]),
        (RoundStarted(1, RACHEL, ()), []),
        (RoundStarted(2, TERRY, ()), ["Round 2: Terry begins."]),
        (
            RoundStarted(2, TERRY, (("A", "1"),)),
            ["Round 2: Terry begins.", "The castle was filled by lot."],
        ),
        (
            Placed(1, SIMON, "O", "2", "seat", ()),
            ["Simon placed Odessa with the Traders."],
        ),
        (
            Placed(1, SIMON, "O", "2", "clock", ("P",)),
            [
                "Simon's time ran out: Odessa was placed by lot with the Traders.",
                "Piero was left over and went to the Servants.",
            ],
        ),
        (
            Placed(1, SIMON, "O", "2", "bot", ("N", "P")),
            [
                "Simon placed Odessa with the Traders.",
                "Natale and Piero were left over and went to the Servants.",
            ],
        ),
        (moved("4"), ["Simon moved Odessa up to the Dignitaries."]),
        (
            moved("4", "clock"),
            ["Simon's time ran out: by lot, Odessa moved up to the Dignitaries."],
        ),
        (moved("throne"), ["Simon put Odessa up for king and took the crown."]),
        (
            moved("throne", "clock"),
            ["Simon's time ran out: by lot, Odessa was put up for king."],
        ),
        (refused(), ["Odessa was refused and is out of the round."]),
        (
            RoundScored(2, (), (), (12, 7, 30), (0, 0, 3), (20, 9, 40), ()),
            ["Round 2 is over: Rachel 12, Simon 7, Terry 33."],
        ),
        (
            GameOver("finished", (TERRY,), ""),
            ["The game is over: Terry wins."],
        ),
        (
            GameOver("finished", (RACHEL, TERRY), ""),
            ["The game is over: Rachel and Terry share the victory."],
        ),
        (GameOver("cancelled", (), ""), ["The game was called off."]),
    ],
)
def test_each_event_has_its_sentences(event: Record, sentences: list[str]) -> None:
    assert narrated(event) == sentences


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            Placed(1, SIMON, "O", "2", "clock", ()),
            "Time was up: the clock placed Odessa with the Traders for you.",
        ),
        (
            moved("4", "clock"),
            "Time was up: the clock moved Odessa up to the Dignitaries for you.",
        ),
        (
            moved("throne", "clock"),
            "Time was up: the clock put Odessa up for king for you, and the crown is"
            " yours.",
        ),
    ],
)
def test_what_the_clock_did_is_told_otherwise_to_whom_it_did_it_for(
    event: Record, sentence: str
) -> None:
    mine = Cast(CAST.names, CAST.law, reader=SIMON)
    others = Cast(CAST.names, CAST.law, reader=TERRY)

    assert narrated(event, cast=mine) == [sentence]
    assert narrated(event, cast=others) == narrated(event)


def test_everybody_who_said_yes_made_a_king() -> None:
    crowned = ElectionResolved(
        9, "O", SIMON, ("", "", ""), Verdict.CROWNED, "throne", None, None, None
    )

    assert narrated(crowned) == [
        "Everybody said Yes: Odessa is crowned. Long live the king!"
    ]


def test_cards_are_told_by_name_only_where_they_may_be_shown() -> None:
    cards = (Card.YES, Card.NO, Card.YES)
    open_now = Cast(CAST.names, CAST.law, {9: cards})
    earlier = Cast(CAST.names, CAST.law, {8: cards})
    by_name = "The cards: Rachel Yes, Simon No, Terry Yes."

    assert by_name not in narrated(refused())
    assert by_name not in narrated(refused(), cast=earlier)
    assert by_name in narrated(refused(), cast=open_now)
    assert by_name in narrated(refused(cards))


def test_a_name_from_right_to_left_is_isolated_in_text() -> None:
    cast = Cast(("عمر", "Simon", "Terry"), CAST.law)

    (sentence,) = narrated(StartedRecord(RACHEL, ()), cast=cast)

    assert sentence == "The cards are dealt; \u2068عمر\u2069 begins."


def test_names_are_elements_of_their_own_in_html_and_never_markup() -> None:
    cast = Cast(("<b>&", "Simon", "Terry"), CAST.law)
    (sentence,) = narration.tell([StartedRecord(RACHEL, ())], cast)

    html = sentences.markup(sentence)

    assert html == "The cards are dealt; <bdi>&lt;b&gt;&amp;</bdi> begins."
