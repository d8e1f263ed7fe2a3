"""A table on its way to the start: joining, declining, reseating, giving up."""

import threading
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import msgspec
import pytest
from flask import Flask

from engine import fairness
from engine.board import Seat
from engine.errors import AlreadyStarted
from engine.state import Phase
from service.store import opt_outs
from service.store.links import LinkRow
from service.store.people import Profile
from service.tables import cancellation, seating
from service.tables.refusals import InvitationAnswer
from service.values.conflicts import NameTaken
from service.values.errors import Invalid, NotFound
from tests.rig.service import seated
from tests.rig.service.seated import accept, decline, kinds, run, seats, status

pytestmark = pytest.mark.usefixtures("inside")


@pytest.fixture
def table() -> UUID:
    """Rachel's table for four: Simon, Terry and Paul are invited."""
    game_id = seated.draft(4)
    seated.confirm(game_id)
    return game_id


def test_the_last_in_starts_the_game(table: UUID) -> None:
    accept(table, 3)
    accept(table, 1)
    assert status(table) == "inviting"

    accept(table, 2)

    assert status(table) == "running"
    assert kinds(table).count("started") == 3
    assert kinds(table).count("your_turn") == 1
    assert run("SELECT count(*) FROM invitation WHERE state = 'open'") == [(0,)]


def test_the_last_two_in_at_once_start_it_once(inside: Flask) -> None:
    for _ in range(8):
        game_id = seated.draft(3, tag=f"+{_}")
        seated.confirm(game_id)
        links = [seated.link(game_id, seat) for seat in (1, 2, 1, 2)]
        barrier = threading.Barrier(4)

        def join(link: LinkRow, barrier: threading.Barrier = barrier) -> None:
            with inside.app_context():
                run("SELECT 1")
                barrier.wait(10)
                profile = Profile(seated.NAMES[link.seat])
                seating.respond(link, InvitationAnswer.IN, profile, "")

        with ThreadPoolExecutor(4) as threads:
            list(threads.map(join, links))

        assert status(game_id) == "running"
        started = run(
            "SELECT type, count(*) FROM event WHERE game_id = :g GROUP BY type",
            {"g": game_id},
        )
        assert all(count == 1 for _, count in started)
        assert len(started) == 4


def test_joining_verifies_and_keeps_how_to_address_the_person(table: UUID) -> None:
    seating.respond(
        seated.link(table, 1),
        InvitationAnswer.IN,
        Profile("Simón", "fr", "Europe/Zurich"),
        "",
    )

    assert run(
        "SELECT name, language, zone, verified_at IS NOT NULL FROM person"
        " WHERE address = 'simon@example.org'"
    ) == [("Simón", "fr", "Europe/Zurich", True)]
    assert seats(table)[1] == (1, "Simón", "joined")


def test_the_words_for_the_shuffle_are_bound_and_shuffle(table: UUID) -> None:
    accept(table, 1, word=" luck ")
    accept(table, 2)
    accept(table, 3, word="Würfel")

    [(public, head)] = run(
        "SELECT public, link FROM event WHERE type = 'table_closed' AND game_id = :g",
        {"g": table},
    )
    [(seed,)] = run("SELECT seed FROM game_seed WHERE game_id = :g", {"g": table})
    [(leaves,)] = run(
        "SELECT public FROM event WHERE type = 'started' AND game_id = :g", {"g": table}
    )
    words = [
        b"",
        fairness.word(str(table), Seat(1), "luck"),
        b"",
        fairness.word(str(table), Seat(3), "Würfel"),
    ]
    key = fairness.draw_key(bytes(seed), bytes(head), words)
    deck = fairness.DrawStream(key, "deck").shuffled(range(26))

    assert msgspec.json.decode(bytes(public))["words"] == [w.hex() for w in words]
    assert msgspec.json.decode(bytes(leaves))["leaves"] == [
        fairness.leaf(str(table), key, place, card).hex()
        for place, card in enumerate(deck)
    ]


@pytest.mark.parametrize("word", ["x" * 65, "\ud800"])
def test_a_word_that_cannot_be_kept_is_refused_and_nobody_joins(
    table: UUID, word: str
) -> None:
    with pytest.raises(Invalid) as refused:
        accept(table, 1, word=word)

    assert refused.value.facts["field"] == "word"
    assert seats(table)[1] == (1, "Simon", "invited")


def test_a_name_like_another_at_the_table_is_refused(table: UUID) -> None:
    for name in ("Rachel", "RACHEL", "Rаchel", "terry", "Pаul"):
        with pytest.raises(NameTaken):
            accept(table, 1, name)

    accept(table, 1, "Simon")
    assert seats(table)[1] == (1, "Simon", "joined")


def test_joining_twice_is_joining_once(table: UUID, inside: Flask) -> None:
    accept(table, 1)
    before = seated.everything(inside)

    accept(table, 1, "Somebody else", "another word")

    assert seated.everything(inside) == before


def test_whoever_is_in_cannot_decline_any_more(table: UUID) -> None:
    accept(table, 1)

    with pytest.raises(NotFound):
        decline(table, 1)

    assert seats(table)[1][2] == "joined"


def test_a_no_is_told_to_the_host_alone(table: UUID) -> None:
    decline(table, 2)

    notified = run(
        "SELECT p.address FROM notice n JOIN person p ON p.id = n.person_id"
        " WHERE n.kind = 'declined'"
    )
    assert notified == [("rachel@example.org",)]
    assert status(table) == "inviting"
    with pytest.raises(NotFound):
        accept(table, 2)


def test_never_again_looks_to_the_host_like_a_no(table: UUID) -> None:
    decline(table, 1, InvitationAnswer.NO)
    decline(table, 2, InvitationAnswer.NEVER)

    rows = run(
        "SELECT n.kind, n.seat, n.decision, n.cause, n.person_id FROM notice n"
        " WHERE n.kind = 'declined'"
    )
    assert rows[0] == rows[1]
    assert seats(table)[1][2] == seats(table)[2][2] == "declined"
    assert opt_outs.has("terry@example.org")
    assert run("SELECT count(*) FROM opt_out") == [(1,)]


def test_a_table_given_up_tells_whoever_was_asked(table: UUID) -> None:
    accept(table, 1)

    cancellation.give_up(table)

    assert status(table) == "over"
    assert kinds(table).count("called_off") == 3
    assert run("SELECT DISTINCT state FROM invitation WHERE state = 'open'") == []
    with pytest.raises(NotFound):
        accept(table, 2)
    [(public,)] = run("SELECT public FROM event WHERE type = 'game_over'")
    [(seed,)] = run("SELECT seed FROM game_seed")
    assert msgspec.json.decode(bytes(public)) == {
        "type": "game_over",
        "reason": "cancelled",
        "winners": [],
        "seed_opened": bytes(seed).hex(),
    }


def test_a_draft_given_up_tells_nobody() -> None:
    game_id = seated.draft(3)

    cancellation.give_up(game_id)

    assert kinds(game_id) == ["confirm"]


def test_a_running_game_is_given_up_by_nobody(table: UUID) -> None:
    for seat in (1, 2, 3):
        accept(table, seat)

    with pytest.raises(AlreadyStarted):
        cancellation.give_up(table)

    assert seated.Seated(table).game.phase is Phase.PLACEMENT
