"""Standing answers over the API: laid, read and dropped by their seat alone."""

from datetime import timedelta
from typing import Any

import pytest

from service import config
from service.store import clock
from tests.rig.service.programs import Api, Table, stranger
from worker.clock import sweeper

NOTHING: dict[str, Any] = {"placements": [], "move": None, "election": None}
ALL: dict[str, Any] = {
    "placements": [
        {"character": "A", "place": "4"},
        {"character": "B", "place": "3"},
    ],
    "move": {"character": "A", "to": "throne"},
    "election": {
        "nominees": [{"nominee": "C", "card": "yes"}],
        "else": "no",
    },
}


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api, first=0)


def path(table: Table) -> str:
    return f"{table.path}/standing-answers"


def lay(table: Table, seat: int, body: object) -> Any:
    return table.api.call("PUT", path(table), table.tokens[seat], json=body)


def read(table: Table, seat: int) -> Any:
    answer = table.api.get(path(table), table.tokens[seat])
    assert answer.status_code == 200
    return answer.json


def stand(table: Table) -> None:
    with table.api.app.app_context():
        clock.shift(timedelta(seconds=config.USUAL_BOT_DELAY))
        sweeper.sweep()


def test_what_is_laid_its_seat_reads_and_nobody_else(table: Table) -> None:
    laid = lay(table, 1, ALL)

    assert (laid.status_code, laid.json) == (200, ALL)
    assert read(table, 1) == ALL
    assert read(table, 0) == read(table, 2) == NOTHING


def test_what_is_laid_anew_takes_the_place_of_all_that_lay_there(table: Table) -> None:
    lay(table, 1, ALL)

    lay(table, 1, {"election": {"else": "yes"}})

    assert read(table, 1) == {
        **NOTHING,
        "election": {"nominees": [], "else": "yes"},
    }


def test_what_is_dropped_is_gone_and_dropping_again_does_the_same(
    table: Table,
) -> None:
    lay(table, 1, ALL)

    for _ in range(2):
        dropped = table.api.call("DELETE", path(table), table.tokens[1])
        assert dropped.status_code == 204
        assert read(table, 1) == NOTHING


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"placements": [{"character": "J", "place": "1"}]}, "placements.0.character"),
        ({"placements": [{"character": "A", "place": "5"}]}, "placements.0.place"),
        ({"move": {"character": "Q", "to": "5"}}, "move.character"),
        ({"move": {"character": "A", "to": "out"}}, "move.to"),
        ({"move": {"character": "A"}}, "move.to"),
        ({"election": {"nominees": []}}, "election.else"),
        ({"election": {"else": "stomachache"}}, "election.else"),
        (
            {
                "election": {
                    "nominees": [{"nominee": "A", "card": "stomachache"}],
                    "else": "no",
                }
            },
            "election.nominees.0.card",
        ),
        ({"placements": [{"character": "A", "place": "1"}] * 61}, "placements"),
        ({"moves": []}, "moves"),
    ],
)
def test_what_the_edition_does_not_know_is_not_understood(
    table: Table, body: object, field: str
) -> None:
    refused = lay(table, 1, body)

    assert (refused.status_code, refused.json["field"]) == (422, field)
    assert read(table, 1) == NOTHING


def test_the_jester_edition_takes_a_stomachache_that_nobody_needs_to_hold(
    api: Api,
) -> None:
    table = Table(api, edition="jester")
    named = [{"nominee": "J", "card": "stomachache"}]

    for _ in range(2):
        laid = lay(table, 0, {"election": {"nominees": named, "else": "yes"}})
        assert laid.status_code == 200
        table.inside("play_round")


def test_neither_strangers_nor_whoever_left_have_standing_answers(
    table: Table,
) -> None:
    other = stranger(table.api)
    for method in ("GET", "PUT", "DELETE"):
        options = {"json": ALL} if method == "PUT" else {}
        stopped = table.api.call(method, path(table), other, **options)
        assert stopped.status_code == 403

    lay(table, 1, ALL)
    table.api.call("PUT", f"{table.path}/seats/1/departure", table.tokens[1])

    for method in ("GET", "PUT", "DELETE"):
        options = {"json": ALL} if method == "PUT" else {}
        refused: Any = table.api.call(method, path(table), table.tokens[1], **options)
        assert (refused.status_code, refused.json["code"]) == (409, "seat-kept")


def test_nothing_is_laid_ahead_of_a_game_that_is_over(api: Api) -> None:
    table = Table(api, rounds=1, placement="random")
    table.inside("finish")

    refused = lay(table, 1, ALL)

    assert refused.json["code"] == "game-not-running"
    assert read(table, 1) == NOTHING


def test_what_was_given_is_read_back_and_is_no_answer_of_ones_own_any_more(
    table: Table,
) -> None:
    lay(table, 1, ALL)
    table.play_a_turn()
    number = table.decision
    given = {"kind": "placement", "character": "B", "place": "3"}

    stand(table)

    found = own(table, 1, number)
    assert (found["source"], found["wished"]) == ("standing", None)
    late: Any = table.put(1, given, number)
    assert late.json["code"] == "decision-closed"


def test_a_card_not_held_is_told_to_its_owner_alone_and_after_the_reveal(
    api: Api,
) -> None:
    table = Table(api, edition="jester", rounds=1, placement="random")
    named = [{"nominee": c, "card": "stomachache"} for c in table.game.law.characters]
    lay(table, 1, {"election": {"nominees": named, "else": "no"}})
    for _ in range(2):
        table.inside("nominate")
        number = table.decision
        stand(table)
        before = own(table, 1, number)
        for seat in (0, 2):
            table.put(seat, {"kind": "election", "card": "no"})
        table.inside("resolve")

    assert (before["answer"]["card"], before["wished"]) == ("yes", None)
    assert own(table, 1, number)["wished"] == "stomachache"
    assert own(table, 0, number)["wished"] is None


def own(table: Table, seat: int, number: int) -> Any:
    answer = table.api.get(
        f"{table.path}/decisions/{number}/answer", table.tokens[seat]
    )
    return answer.json


def test_an_export_has_them_for_whoever_may_read_the_game(table: Table) -> None:
    lay(table, 1, ALL)
    with table.api.app.app_context():
        blind = table.token(1, scopes=("profile",))

    exported: Any = table.api.get("/v1/me/export", table.tokens[1])
    less: Any = table.api.get("/v1/me/export", blind)

    (found,) = exported.json["standing_answers"]
    assert found == {"game": str(table.id), "seat": 1, "round": 1, **ALL}
    assert less.json["standing_answers"] == []


def seen_by_others(table: Table) -> list[tuple[object, ...]]:
    """All that others can fetch, with marks: two games look alike but for their ids."""
    seen: list[tuple[object, ...]] = []
    for token in (table.tokens[0], table.tokens[2], None):
        for part in ("", "/view", "/events?after=0", "/messages"):
            if token is None and part == "/messages":
                continue
            answer = table.api.get(f"{table.path}{part}", token)
            seen.append((answer.status_code, answer.data, answer.headers.get("ETag")))
        if token is not None:
            turns = table.api.get("/v1/me/turns?view=true", token)
            seen.append((turns.status_code, turns.data))
    return seen


def test_nothing_that_others_see_tells_that_something_is_laid_ahead(
    api: Api,
) -> None:
    table = Table(api, rounds=1, placement="random")
    table.inside("nominate")
    before = seen_by_others(table)

    for body in (ALL, {"election": {"else": "no"}}, {}):
        assert lay(table, 1, body).status_code == 200
        assert seen_by_others(table) == before


def test_a_standing_ballot_changes_nothing_that_others_see(api: Api) -> None:
    table = Table(api, rounds=1, placement="random")
    lay(table, 1, {"election": {"else": "no"}})
    table.inside("nominate")
    before = seen_by_others(table)

    stand(table)

    assert seen_by_others(table) == before
    assert table.game.ballots[1] == "no"
