"""What mails tell: the castle, the scores, what happened since, the time left."""

import html
import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import msgspec
import pytest
from flask import Flask

from engine.board import THRONE, Board, Card, Seat
from engine.commands import Ballot, PlacementOption
from engine.editions import edition
from engine.views import PlaceView, RoundView
from service.game import pace
from service.present import scores
from service.store import clock
from tests.rig.letters import Letter
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker.cells import Cells
from tests.rig.worker.mail_server import Sink, send
from worker.clock import sweeper


def test_the_castle_has_one_line_a_floor_in_both_parts(sink: Sink) -> None:
    table = seated.in_election(3)
    send(table.id)
    board = table.game.board
    election = [each for each in sink.letters if each.notice == "election"][0]

    assert_shows(election, "The castle:", board)


def assert_shows(letter: Letter, title: str, board: Board) -> None:
    lines = letter.text.splitlines()
    floors = lines[lines.index(title) + 1 :][:7]
    names = [
        "10 King's throne",
        "5 Nobles",
        "4 Dignitaries",
        "3 Officers",
        "2 Traders",
        "1 Craftsmen",
        "0 Servants",
    ]
    keys = ["throne", "5", "4", "3", "2", "1", "0"]
    rows = []
    for line, name, key in zip(floors, names, keys, strict=True):
        label, _, people_there = line.partition("   ")
        assert label.strip() == name
        there = people_there.strip().split(", ") if people_there.strip() != "-" else []
        assert [each[0] for each in there] == list(board.on(key))
        rows.append([name.split(" ", 1)[1], ", ".join(there) or "–"])
    cells = Cells()
    cells.feed(letter.html.partition(f">{title[:-1]}</h2>")[2])
    assert [row[1:] for row in cells.rows[:7]] == rows


def test_what_happened_since_starts_behind_ones_own_answer(sink: Sink) -> None:
    table = seated.started(3)
    send(table.id)
    sink.raw.clear()
    for _ in range(3):
        (seat,) = table.game.asked()
        table.answer(seat, seated.own(table.game, seat).legal[0].answer)
        send(table.id)

    (again,) = [e for e in sink.letters if e.notice == "your_turn"][-1:]

    since = [line for line in again.text.splitlines() if line.startswith("- ")]
    assert len(since) == 2
    me = again.text.split(", ")[1].split(":")[0]
    assert not any(line.startswith(f"- {me}") for line in since)


def coronation(sink: Sink) -> tuple[Seated, Board]:
    """A table right after its first round, its mails sent; the castle as it ended."""
    table = seated.started(3, rounds=2)
    table.nominate()
    send(table.id)
    sink.raw.clear()
    board = table.game.board
    table.lay([Card.YES] * 3)
    table.resolve()
    send(table.id)
    return table, board


def test_the_end_of_a_round_shows_the_castle_of_its_coronation(sink: Sink) -> None:
    table, board = coronation(sink)

    over = [each for each in sink.letters if each.notice == "round_over"]

    first = seated.NAMES[table.game.first]
    assert len(over) == 2
    for each in over:
        assert_shows(each, "The castle at the end of round 1:", board)
        lines = each.text.splitlines()
        assert "The castle:" not in lines
        assert lines.index(f"- Round 2: {first} begins.") > lines.index(
            "The castle at the end of round 1:"
        )
        assert each.text.count(f"Round 2: {first} begins.") == 1


def test_who_begins_the_next_round_sees_both_castles(sink: Sink) -> None:
    table, board = coronation(sink)

    (asked,) = [each for each in sink.letters if each.notice == "your_turn"]

    assert_shows(asked, "The castle at the end of round 1:", board)
    assert_shows(asked, "The castle:", table.game.board)


def test_the_end_of_the_game_shows_the_last_castle(sink: Sink) -> None:
    table = seated.in_election(3)
    send(table.id)
    sink.raw.clear()
    board = table.game.board
    table.lay([Card.YES] * 3)
    table.resolve()

    send(table.id)

    assert len(sink.letters) == 3
    for each in sink.letters:
        assert_shows(each, "The castle:", board)
        assert "at the end of round" not in each.text


def test_a_coronation_leads_with_the_story_of_the_round(sink: Sink) -> None:
    table, _board = coronation(sink)

    for each in sink.letters:
        assert each.notice in ("round_over", "your_turn")
        lines = each.text.splitlines()
        start = lines.index("The story of round 1:")
        story = lines[start + 1 : start + 1 + lines[start + 1 :].index("")]
        assert 5 <= len(story) <= 8
        assert "began round 1" in story[0]
        assert any("Then all cards said Yes: " in line for line in story)
        assert "is crowned" not in each.text
        assert start < lines.index("The scores of round 1:")
        for line in story:
            assert line in plain(each.html)


def test_the_end_of_a_round_leads_to_the_page_that_keeps_it(
    app: Flask, sink: Sink
) -> None:
    table, _board = coronation(sink)

    page = f"{app.config['PUBLIC_URL']}/g/{table.id}/rounds/1"
    assert {each.notice for each in sink.letters} == {"round_over", "your_turn"}
    for each in sink.letters:
        lines = each.text.splitlines()
        told = lines.index("All of round 1, on a page that you may pass on:")
        assert lines[told + 1] == page
        assert f'href="{page}"' in each.html
    assert app.test_client().get(urlsplit(page).path).status_code == 200


def test_the_end_of_the_game_leads_to_its_last_round(app: Flask, sink: Sink) -> None:
    table = seated.in_election(3)
    table.lay([Card.YES] * 3)
    table.resolve()

    send(table.id)

    page = f"{app.config['PUBLIC_URL']}/g/{table.id}/rounds/1"
    over = [each for each in sink.letters if each.notice == "game_over"]
    assert len(over) == 3
    assert all(page in each.text.splitlines() for each in over)
    assert all(f'href="{page}"' in each.html for each in over)


def test_no_mail_leads_to_what_is_hidden_from_whoever_proves_no_seat(
    sink: Sink,
) -> None:
    table = seated.started(
        3, placement=PlacementOption.RANDOM, rounds=1, visibility="players"
    )
    table.nominate()
    table.lay([Card.YES] * 3)
    table.resolve()

    send(table.id)

    over = [each for each in sink.letters if each.notice == "game_over"]
    assert len(over) == 3
    assert not any("/rounds/" in each.text + each.html for each in over)


def plain(page: str) -> str:
    """An HTML part without what isolates its names."""
    return html.unescape(page.replace("<bdi>", "").replace("</bdi>", ""))


def test_the_end_of_the_game_tells_the_standing_from_the_top_and_the_margin(
    sink: Sink,
) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=1)
    table.nominate()
    table.lay([Card.YES] * 3)
    table.resolve()

    send(table.id)

    totals = table.game.totals
    best = sorted(totals, reverse=True)
    over = [each for each in sink.letters if each.notice == "game_over"]
    assert len(over) == 3
    for each in over:
        lines = each.text.splitlines()
        start = lines.index("The final standing:")
        assert "The crown is with" not in each.text + each.html
        rows = [line.split(": ") for line in lines[start + 1 : start + 4]]
        assert [int(total) for _, total in rows] == best
        assert {name.partition(". ")[2] for name, _ in rows} == set(seated.NAMES[:3])
        winners = [seated.NAMES[seat] for seat in table.game.winners]
        margin = lines[start + 4]
        assert all(name in margin for name in winners)
        if best[0] - best[1] > 1:
            assert margin == f"{winners[0]} wins by {best[0] - best[1]} points."
        assert [row[1:] for row in Cells.of(each.html)[:3]] == [
            [name.partition(". ")[2], total] for name, total in rows
        ]


def test_points_and_bonus_are_told_by_themselves() -> None:
    over = RoundView(1, "O", (("A",), ("B",)), (12, 7), (3, 0), (15, 7))
    law = edition("classic")
    places = [PlaceView(law.place(THRONE), ("A", "B"))]

    scored = scores.round_result(law, places, over, ("Rachel", "Simon"))

    results = [(each.points, each.bonus, each.total) for each in scored.results]
    assert results == [(12, 3, 15), (7, 0, 7)]
    assert scored.bonus


def test_whom_the_clock_answered_for_is_told_so(sink: Sink) -> None:
    table = seated.started(3)
    send(table.id)
    (late,) = table.game.asked()
    clock.shift(timedelta(seconds=seated.PACE))
    sweeper.sweep()
    sink.raw.clear()
    while table.game.asked() != (late,):
        (seat,) = table.game.asked()
        table.answer(seat, seated.own(table.game, seat).legal[0].answer)

    send(table.id)

    asked = [each for each in sink.letters if each.notice == "your_turn"]
    (mine,) = [e for e in asked if e.text.startswith(f"It is your turn, {named(late)}")]
    since = [line for line in mine.text.splitlines() if line.startswith("- ")]
    assert re.fullmatch(
        "- Time was up: the clock placed .* with the .* for you.", since[0]
    )
    assert sum("Time was up" in line for line in since) == 1


def named(seat: Seat) -> str:
    return seated.NAMES[seat]


@pytest.mark.parametrize(
    ("moment", "written"),
    [
        (
            datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
            "Sunday 25 October, 02:30 Central European Summer Time",
        ),
        (
            datetime(2026, 10, 25, 1, 30, tzinfo=UTC),
            "Sunday 25 October, 02:30 Central European Standard Time",
        ),
    ],
)
def test_a_deadline_is_told_on_the_readers_clock(
    moment: datetime, written: str, sink: Sink
) -> None:
    table = seated.started(3)
    run("UPDATE person SET zone = 'Europe/Zurich'")
    run("UPDATE game SET deadline = :d", {"d": moment})

    send(table.id)

    asked = [each for each in sink.letters if each.notice == "your_turn"]
    assert f"There is time until {written}." in asked[0].text


def test_a_zone_nobody_knows_is_utc(sink: Sink) -> None:
    table = seated.started(3)
    run("UPDATE person SET zone = 'Moon/Sea'")

    send(table.id)

    asked = [each for each in sink.letters if each.notice == "your_turn"]
    assert re.search(
        r"There is time until .*, [0-9]{2}:[0-9]{2} UTC( \(\w+\))?\.", asked[0].text
    )


def test_an_invitation_holds_the_seal_of_the_seed(sink: Sink) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    ((public,),) = run("SELECT public FROM event WHERE record = 1")
    seal = msgspec.json.decode(public)["seed"]

    send(game_id)

    assert len(seal) == 64
    for each in sink.letters:
        assert seal in each.text.splitlines()
        assert seal in each.html


def test_mails_before_the_start_say_what_is_played(sink: Sink) -> None:
    usual = {"decision_time": pace.USUAL, "spare": pace.USUAL_SPARE}
    game_id = seated.draft(3, edition="jester", rounds=2, **usual)
    send(game_id)
    seated.confirm(game_id)

    send(game_id)

    assert sink.kinds() == ["confirm", "invitation", "invitation"]
    for each in sink.letters:
        text = " ".join(each.text.split())
        assert "With the Jester. The Jester joins in" in text
        assert "2 rounds; everybody fills the castle in turn." in text
        assert "There is a day for each answer." in text
        assert "as long again, 6 times in the game." in text
    assert all("leads to the rules" in each.text for each in sink.letters[1:])


def test_a_showing_stands_only_in_mails_that_die_with_it(sink: Sink) -> None:
    table = seated.started(3, rounds=2)
    send(table.id)
    table.nominate()
    send(table.id)
    table.lay([Card.NO, Card.YES, Card.YES])
    table.resolve()
    sink.raw.clear()

    send(table.id)

    assert len(sink.raw) == 3
    for each in sink.letters:
        cards = each.cards[:4]
        assert cards[:3] == ["- Rachel: No", "- Simon: Yes", "- Terry: Yes"]
        assert cards[3].endswith("was refused and is out of the round.")
        assert each.text.count("was refused") == 1
        assert Cells.of(each.html)[:3] == [
            ["Rachel", "No"],
            ["Simon", "Yes"],
            ["Terry", "Yes"],
        ]


def test_the_next_election_mail_shows_who_was_laid_for_only_after_a_reminder(
    sink: Sink,
) -> None:
    table = seated.in_election(3)
    table.answer(0, Ballot(Card.YES))

    send(table.id)

    assert all("a card was laid" not in each.text for each in sink.letters)
