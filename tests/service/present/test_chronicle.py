"""A round as a story, told from what is public once it is over, of all editions."""

from pathlib import Path

import pytest

from engine.board import Card, Seat, Verdict
from engine.deck import favourites
from engine.editions import edition
from engine.events import (
    ActedBy,
    ElectionOpened,
    ElectionResolved,
    GameOver,
    Moved,
    Record,
    RoundScored,
    RoundStarted,
    TableClosed,
    TakenBack,
    read_record,
)
from service.present import chronicle, nouns, sentences
from service.present.narration import Cast
from tests.rig.engine import recordings

pytestmark = pytest.mark.usefixtures("inside")

NAMES = ("Rachel", "Simon", "Terry", "Paul", "Britta", "Ralf", "Uwe", "Renée")
RACHEL, SIMON, TERRY = Seat(0), Seat(1), Seat(2)
YES, NO, SICK = Card.YES, Card.NO, Card.STOMACHACHE
DEALT = (1, 2, 3)
HELD = [favourites(card) for card in DEALT]
RECORDED = sorted(recordings.FOLDER.glob("*/*.jsonl"))


def own_of(seat: Seat) -> str:
    """A favourite of nobody but a seat."""
    return next(each for each in HELD[seat] if sum(each in held for held in HELD) == 1)


def moved(seat: Seat, who: str, decision: int, by: str = ActedBy.SEAT) -> Moved:
    return Moved(decision, seat, who, "3", "4", by, None)


def nominated(seat: Seat, who: str, election: int) -> Moved:
    return Moved(election - 1, seat, who, "5", "throne", ActedBy.SEAT, election)


def resolved(who: str, decision: int, verdict: Verdict) -> ElectionResolved:
    return ElectionResolved(
        decision, who, RACHEL, ("", "", ""), verdict, "out", None, None, None
    )


def scored(*elections: tuple[int, tuple[Card, ...]]) -> RoundScored:
    opened = tuple(ElectionOpened(at, cards, ("",) * 3) for at, cards in elections)
    return RoundScored(1, DEALT, ("",) * 3, (12, 7, 7), (0, 0, 0), (12, 7, 7), opened)


def told(*events: Record, law: str = "classic") -> list[str]:
    cast = Cast(NAMES[:3], edition(law))
    return [sentences.plain(each) for each in chronicle.tell(events, cast)]


def test_a_story_tells_who_pushed_whom_and_who_felled_whom() -> None:
    mine, theirs = own_of(SIMON), own_of(TERRY)
    story = told(
        RoundStarted(1, SIMON, ()),
        moved(RACHEL, theirs, 20),
        moved(SIMON, mine, 21),
        moved(RACHEL, mine, 22, by=ActedBy.CLOCK),
        nominated(RACHEL, theirs, 25),
        resolved(theirs, 25, Verdict.REFUSED),
        nominated(SIMON, mine, 27),
        resolved(mine, 27, Verdict.CROWNED),
        scored((25, (NO, YES, YES)), (27, (YES, YES, YES))),
    )

    name = {each: nouns.name_of(each) for each in (mine, theirs)}
    assert story == [
        "Simon began round 1, and the table filled the castle in turn.",
        "It took 5 moves. The table voted 2 times.",
        f"{name[theirs]} rose thanks to Rachel, whose favourite that was not.",
        f"A No of Rachel felled {name[theirs]}, a favourite of Terry.",
        f"Rachel put {name[theirs]} up for king, and had no use for that.",
        f"Then all cards said Yes: {name[mine]} was crowned, a favourite of Simon.",
        "The round brought Rachel most: 12.",
        "Least it brought Simon and Terry: 7 each.",
    ]


def test_what_was_taken_back_is_no_part_of_a_story() -> None:
    theirs = own_of(TERRY)
    events = (
        RoundStarted(1, SIMON, (("A", "1"),)),
        moved(RACHEL, theirs, 20),
        TakenBack(20, 22),
        nominated(SIMON, own_of(SIMON), 27),
        resolved(own_of(SIMON), 27, Verdict.CROWNED),
        scored((27, (YES, YES, YES))),
    )

    story = told(*events)

    assert story[0] == "The castle was filled by lot, and Simon began round 1."
    assert "It took 1 move. The table voted once." in story
    assert "Nobody raised anyone but favourites of their own." in story


def test_a_stomachache_is_what_sent_somebody_back() -> None:
    mine = own_of(SIMON)
    story = told(
        RoundStarted(1, SIMON, ()),
        nominated(RACHEL, "J", 25),
        resolved("J", 25, Verdict.CANCELLED),
        nominated(SIMON, mine, 27),
        resolved(mine, 27, Verdict.CROWNED),
        scored((25, (NO, SICK, SICK)), (27, (YES, YES, YES))),
        law="jester",
    )

    assert story[3] == (
        "Simon and Terry had Stomachaches, so the Jester, nobody's favourite,"
        " went back."
    )


def test_a_round_that_is_not_over_has_no_story() -> None:
    assert told(RoundStarted(1, SIMON, ()), moved(RACHEL, "A", 20)) == []


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_each_round_of_a_recorded_game_has_five_to_eight_sentences(
    path: Path,
) -> None:
    rows = recordings.read(path).rows
    events = [read_record(row.public, row.version) for row in rows if row.public]
    table = next((e for e in events if isinstance(e, TableClosed)), None)
    if table is None:
        return
    cast = Cast(NAMES[: len(table.seats)], edition(table.edition))
    ends = [at for at, e in enumerate(events) if isinstance(e, RoundScored)]

    stories = [chronicle.tell(events[: end + 1], cast) for end in ends]

    assert all(5 <= len(story) <= chronicle.MOST for story in stories)
    assert all(
        each[0].isupper() or each[0] == sentences.FSI for s in stories for each in s
    )
    assert len({story[0] for story in stories}) == len(ends)
    if any(isinstance(event, GameOver) for event in events[:-1]):
        assert chronicle.tell(events, cast) == stories[-1]
