"""Mails of the jester edition: its places, its cards, its verdicts and its scores."""

from collections.abc import Mapping

import msgspec
import pytest

from engine.board import Board, Card
from engine.commands import Move, PlacementOption
from engine.state import freeze
from service.game import time_up
from tests.rig.letters import Letter
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker.cells import Cells
from tests.rig.worker.mail_server import Sink, send


def moving(seats: int = 3, **wish: object) -> Seated:
    chosen = {"placement": PlacementOption.RANDOM, "rounds": 2, **wish}
    return seated.started(seats, edition="jester", **chosen)


def arrange(table: Seated, places: Mapping[str, str]) -> None:
    """Set the castle out anew, by place."""
    at = {letter: place for place, letters in places.items() for letter in letters}
    game = msgspec.structs.replace(table.game, board=Board(at))
    run(
        "UPDATE game SET snapshot = :s WHERE id = :g",
        {"s": freeze(game), "g": table.id},
    )


def fresh(sink: Sink, table: Seated, kind: str) -> list[Letter]:
    """What is mailed now of a kind, or of any; what was mailed before is forgotten."""
    sink.raw.clear()
    send(table.id)
    return [each for each in sink.letters if kind in ("", each.notice)]


def elected(sink: Sink, table: Seated, nominee: str, cards: list[Card]) -> None:
    """An election of `nominee` who stands with the Nobles, its mails sent before."""
    table.answer(table.game.asked()[0], Move(nominee))
    send(table.id)
    table.lay(cards)
    table.resolve()


def both(letter: Letter, sentence: str) -> None:
    """The sentence stands in the text and in the HTML."""
    assert sentence in letter.text.replace("\n", " ")
    cells = "".join(letter.html.split("\n"))
    assert sentence.replace("'", "&#39;") in (
        cells.replace("<bdi>", "").replace("</bdi>", "").replace("&#8722;", "−")
    )


def test_the_castle_has_a_line_for_every_wc_and_dungeon(sink: Sink) -> None:
    table = moving()
    arrange(table, {"wc4": "O", "4": "ABCD", "3": "JE", "dungeon3": "P", "0": "FGILMN"})

    (mail,) = fresh(sink, table, "your_turn")

    lines = mail.text.splitlines()
    rows = lines[lines.index("The castle:") + 1 :][:12]
    parts = [
        [part.strip() for part in row.split("   ") if part.strip()] for row in rows
    ]
    assert [row[0] for row in parts] == [
        "10 King's throne",
        "5 Nobles",
        "4 Dignitaries",
        "0 WC beside the Dignitaries",
        "3 Officers",
        "0 WC beside the Officers",
        "2 Traders",
        "1 Craftsmen",
        "0 Servants",
        "−3 Dungeon −3",
        "−2 Dungeon −2",
        "−1 Dungeon −1",
    ]
    assert (parts[3][1], parts[9][1], parts[10][1]) == ("Odessa", "Piero", "-")
    cells = Cells()
    cells.feed(mail.html)
    assert ["0", "WC beside the Dignitaries", "Odessa"] in cells.rows
    assert ["−3", "Dungeon −3", "Piero"] in cells.rows


def test_a_wc_that_can_be_left_is_in_the_question(sink: Sink) -> None:
    table = moving()
    arrange(table, {"wc3": "O", "4": "ABCD", "3": "JE", "2": "P", "0": "FGILMN"})

    (mail,) = fresh(sink, table, "your_turn")

    both(mail, "move a character up one floor, or out of the WC.")
    both(mail, "Odessa (out of the WC)")


@pytest.mark.parametrize("kind", ["election", "reminder"])
def test_an_election_offers_every_card_to_everybody(sink: Sink, kind: str) -> None:
    table = moving()
    table.nominate()
    if kind == "reminder":
        send(table.id)
        time_up.remind(table.id, table.decision)

    mails = fresh(sink, table, kind)

    assert len(mails) == 3
    for mail in mails:
        both(mail, "The cards there are: Yes, No, Stomachache.")


def test_a_cancelled_election_is_told_as_one(sink: Sink) -> None:
    table = moving()
    arrange(table, {"5": "A", "4": "BCD", "3": "JE", "0": "FGILMNOP"})
    elected(sink, table, "A", [Card.YES, Card.STOMACHACHE, Card.NO])

    mails = fresh(sink, table, "result")

    assert len(mails) == 2
    for mail in mails:
        both(mail, "shall Alighiero be king?")
        both(mail, "Alighiero goes back to the Nobles")
        cards = mail.cards[:4]
        assert cards[:3] == ["- Rachel: Yes", "- Simon: Stomachache", "- Terry: No"]
        assert cards[3].startswith("The election was cancelled")
        assert ["Simon", "Stomachache"] in Cells.of(mail.html)
        assert "isn't king" not in mail.text


@pytest.mark.parametrize(
    ("board", "nominee", "sentence"),
    [
        (
            {"5": "A", "3": "JE", "0": "BCDFGILMNOP"},
            "A",
            "Alighiero was refused and thrown into Dungeon −3.",
        ),
        (
            {"5": "A", "3": "JE", "dungeon3": "B", "0": "CDFGILMNOP"},
            "A",
            "Alighiero was refused and thrown into Dungeon −2.",
        ),
        (
            {
                "5": "A",
                "3": "JE",
                "dungeon3": "B",
                "dungeon2": "C",
                "dungeon1": "D",
                "0": "FGILMNOP",
            },
            "A",
            "Alighiero was refused and is out of the round.",
        ),
        (
            {"5": "J", "3": "ABCD", "0": "EFGILMNOP"},
            "J",
            "Jester was refused and goes back to the Officers.",
        ),
    ],
)
def test_a_refusal_says_where_it_leads(
    sink: Sink, board: Mapping[str, str], nominee: str, sentence: str
) -> None:
    table = moving()
    arrange(table, board)
    elected(sink, table, nominee, [Card.YES, Card.NO, Card.YES])

    mails = fresh(sink, table, "result")

    assert len(mails) == 2
    for mail in mails:
        both(mail, sentence)


def test_a_crowned_jester_is_explained_with_the_scores(sink: Sink) -> None:
    table = moving()
    arrange(table, {"5": "J", "4": "BCDE", "3": "AFGI", "2": "LMNO", "1": "P"})
    elected(sink, table, "J", [Card.YES] * 3)

    mails = fresh(sink, table, "")

    scored = table.game.scored[0]
    assert len(mails) == 3
    for mail in mails:
        both(mail, "When the Jester is king, all scores of the round turn round")
        both(mail, "Everybody began with 20 points.")
        for seat, points in enumerate(scored.points):
            total = str(scored.totals[seat]).replace("-", "−")
            line = f"- {seated.NAMES[seat]}: −{-points}, in all {total} ("
            assert line in mail.text


def test_a_bonus_stands_beside_the_points(sink: Sink) -> None:
    table = moving(7, placement=PlacementOption.COMPENSATED)
    table.nominate()
    send(table.id)
    table.lay([Card.YES] * 7)
    table.resolve()

    mails = fresh(sink, table, "")

    scored = table.game.scored[0]
    assert sorted(scored.bonus) == [0] * 6 + [3]
    for mail in mails:
        assert mail.text.count(" and a bonus of 3, in all ") == 1
        assert mail.text.count(" and a bonus of 0, in all ") == 6
        assert ">Bonus</th>" in mail.html


def test_an_invitation_says_which_edition_it_is(sink: Sink) -> None:
    for edition, sentence in (
        ("classic", "a single No throws one out of the round."),
        ("jester", "all scores turn round if he is crowned."),
    ):
        game_id = seated.draft(3, tag=f"+{edition}", edition=edition)
        seated.confirm(game_id)
        sink.raw.clear()
        send(game_id)
        invitations = [each for each in sink.letters if "invites you" in each.subject]
        assert len(invitations) == 2
        for mail in invitations:
            both(mail, sentence)
