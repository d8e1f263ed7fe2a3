"""Talk: said at the table, read by its seats alone, and nobody's when they are gone."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.store import messages
from tests.rig.service import programs
from tests.rig.service.heard import Heard, kinds_and_ids
from tests.rig.service.programs import Api, Table, in_election, let_pass
from tests.rig.service.seated import run
from tests.rig.service.talk import LINE, lines, mute, read, refused, say


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api, rounds=1)


def test_what_is_said_between_acts_is_read_by_every_seat(table: Table) -> None:
    said = say(table, 1)

    assert said.status_code == 201
    assert (said.json["id"], said.json["seat"], said.json["decision"]) == (1, 1, None)
    for seat in range(3):
        assert read(table, seat) == {
            "messages": [said.json],
            "newest": 1,
            "muted": [],
        }
    found = table.api.get(said.headers["Location"], table.tokens[0])
    assert found.json["messages"] == [said.json]


def test_nobody_but_seats_reads_or_speaks(table: Table) -> None:
    say(table, 1)
    path, stranger = f"{table.path}/messages", programs.stranger(table.api)

    for token, expected in ((None, 401), (stranger, 403)):
        assert table.api.get(path, token).status_code == expected
        assert table.api.call("POST", path, token, json=LINE).status_code == expected


def test_a_line_goes_with_a_placement_and_is_there_at_once(table: Table) -> None:
    seat, decision = table.asked, table.decision

    table.put(seat, {**table.first_legal(seat), **LINE})

    (message,) = read(table, (seat + 1) % 3)["messages"]
    assert (message["seat"], message["line"]) == (seat, LINE["line"])
    assert message["decision"] == decision


def test_a_repeated_answer_has_its_receipt_and_says_nothing_more(table: Table) -> None:
    seat, decision = table.asked, table.decision
    answer = table.first_legal(seat)
    first = table.put(seat, answer)

    again = table.put(seat, {**answer, **LINE}, decision)
    other = table.put(seat, {**answer, "phrase": "sorry"}, decision)

    assert first.data == again.data == other.data
    assert read(table, seat) == {"messages": [], "newest": 0, "muted": []}


def test_a_refused_answer_says_nothing(table: Table) -> None:
    seat = (table.asked + 1) % 3

    answer = table.put(seat, {"kind": "move", "character": "A", **LINE})

    assert answer.status_code == 409
    assert lines(table, seat) == []


def test_pages_lead_on_from_the_newest_that_is_known(table: Table) -> None:
    for number in range(5):
        say(table, number % 3, line=f"number {number}")

    first = table.api.get(f"{table.path}/messages?limit=2", table.tokens[0])
    link = first.headers["Link"].partition(">")[0].removeprefix("<")
    second = table.api.get(link, table.tokens[0])
    last = table.api.get(f"{table.path}/messages?after=4", table.tokens[0])

    assert [each["id"] for each in first.json["messages"]] == [1, 2]
    assert [each["id"] for each in second.json["messages"]] == [3, 4]
    assert [each["id"] for each in last.json["messages"]] == [5]
    assert "Link" not in last.headers
    assert last.json["newest"] == 5


def test_thirty_an_hour_and_seat_and_no_more(table: Table) -> None:
    for _ in range(messages.AN_HOUR):
        assert say(table, 0).status_code == 201

    over = say(table, 0)

    assert refused(over) == (429, "too-many-requests")
    facts = {name: over.json[name] for name in ("limit", "whose", "most")}
    assert facts == {"limit": "messages", "whose": "seat", "most": 30}
    assert 0 < over.json["retry_after"] <= 3600
    assert say(table, 1).status_code == 201
    let_pass(table.api, 1)
    assert say(table, 0).status_code == 201


def test_what_goes_with_acts_uses_up_no_quota(table: Table) -> None:
    seat = table.asked
    for _ in range(messages.AN_HOUR - 1):
        say(table, seat)
    table.put(seat, {**table.first_legal(seat), **LINE})

    assert say(table, seat).status_code == 201
    assert say(table, seat).status_code == 429


def test_people_talk_until_a_week_after_the_end(api: Api) -> None:
    table = Table(api, rounds=1, placement="random")
    table.inside("finish")

    let_pass(api, 24 * 7 - 1)
    in_time = say(table, 0)
    let_pass(api, 2)
    late = say(table, 0)

    assert in_time.status_code == 201
    assert refused(late) == (409, "talk-closed")
    assert len(lines(table, 1)) == 1


def test_before_the_start_nobody_talks(api: Api) -> None:
    token = programs.operator_token(api)
    wish = {"seats": [{"kind": "open"}, {"kind": "open"}]}
    path = f"/v1/games/{api.call('POST', '/v1/games', token, json=wish).json['game']}"

    answer = api.call("POST", f"{path}/messages", token, json=LINE)

    assert refused(answer) == (409, "talk-closed")


def test_the_same_key_says_it_once(table: Table) -> None:
    path, key = f"{table.path}/messages", {"Idempotency-Key": "said once"}

    first, again = (
        table.api.call("POST", path, table.tokens[0], json=LINE, headers=key)
        for _ in range(2)
    )

    assert first.json == again.json
    assert len(lines(table, 1)) == 1


def test_the_stream_tells_seats_that_something_was_said(table: Table) -> None:
    mine = Heard(table.api, table, 0)
    mine.next()

    say(table, 1)
    told = mine.next()

    assert (told.event, told.id, told.json) == ("message", None, {"newest": 1})
    table.play_a_turn()
    assert mine.next().event == "entry"


def test_a_spectator_s_stream_says_nothing_of_talk(table: Table, hasty: None) -> None:
    onlooker = Heard(table.api, table, None)
    onlooker.next()

    say(table, 1)

    assert onlooker.beats(2) == [b": still here\n\n"] * 2


def test_talk_changes_nothing_that_anybody_else_sees(table: Table) -> None:
    def seen() -> list[tuple[str | None, bytes]]:
        paths = ("", "/view", "/events", "/export", "/view.txt", "/seats")
        answers = [
            table.api.get(table.path + path, token)
            for path in paths
            for token in (None, table.tokens[2])
        ]
        return [(answer.headers.get("ETag"), answer.data) for answer in answers]

    before = seen()
    say(table, 1)

    assert seen() == before


def test_whoever_is_erased_takes_their_words_along(api: Api) -> None:
    table = in_election(api)
    say(table, 1, line="zerlina was here")
    table.put(1, {"kind": "election", "card": "yes", "line": "zerlina votes"})
    mute(table, 1, 0)
    for seat in (0, 1):
        api.call("POST", f"{table.path}/messages/1/report", table.tokens[seat])

    assert api.call("DELETE", "/v1/me", table.tokens[1]).status_code == 204

    assert read(table, 0) == {"messages": [], "newest": 1, "muted": []}
    assert say(table, 0).json["id"] == 2
    with api.app.app_context():
        for name in ("sealed_line", "mute", "report"):
            assert run(f"SELECT count(*) FROM {name}") == [(0,)]


def test_words_go_with_their_game(api: Api) -> None:
    table = in_election(api)
    say(table, 0)
    table.put(1, {"kind": "election", "card": "yes", **LINE})

    with api.app.app_context():
        run("DELETE FROM game WHERE id = :g", {"g": table.id})

        for name in ("message", "sealed_line"):
            assert run(f"SELECT count(*) FROM {name}") == [(0,)]


def test_one_s_own_words_are_taken_along_and_nobody_else_s(api: Api) -> None:
    table = in_election(api)
    say(table, 0, line="mine")
    say(table, 1, line="another's")
    table.put(0, {"kind": "election", "card": "yes", "line": "with my card"})
    mute(table, 0, 1)
    api.call("POST", f"{table.path}/messages/2/report", table.tokens[0])

    whole = api.get("/v1/me/export", table.tokens[0]).json
    with api.app.app_context():
        token = table.token(0, scopes=("profile",))
    account_alone = api.get("/v1/me/export", token).json

    said = [(each["id"], each["line"]) for each in whole["messages"]]
    assert said == [(1, "mine"), (None, "with my card")]
    assert [each["line"] for each in account_alone["messages"]] == ["mine"]
    assert [each["seat"] for each in whole["mutes"]] == [1]
    assert [each["message"] for each in whole["reports"]] == [2]


def test_whoever_is_asked_to_a_table_has_no_say_there_yet(api: Api) -> None:
    host = programs.operator_token(api)
    simon = programs.operator_token(api, "simon@example.org")
    asked = {"kind": "person", "address": "simon@example.org", "name": "Simon"}
    wish = {"seats": [asked, {"kind": "open"}]}
    path = f"/v1/games/{api.call('POST', '/v1/games', host, json=wish).json['game']}"

    answers = [
        api.call("POST", f"{path}/messages", simon, json=LINE),
        api.call("PUT", f"{path}/seats/0/mute", simon),
        api.call("POST", f"{path}/messages/1/report", simon),
    ]

    assert [refused(answer) for answer in answers] == [(403, "forbidden")] * 3


def test_a_stream_that_is_resumed_goes_on_by_the_record_as_before(table: Table) -> None:
    first = Heard(table.api, table, 0)
    last = first.next().id
    first.close()
    say(table, 1)
    table.play_a_turn()

    again = Heard(table.api, table, 0, last)
    told = again.until_view()

    assert kinds_and_ids(told) == [("entry", str(int(last or 0) + 1)), ("view", None)]
    say(table, 1)
    assert again.next().json == {"newest": 2}


def test_many_who_speak_at_once_have_a_number_each(table: Table) -> None:
    with ThreadPoolExecutor(6) as pool:
        said = list(pool.map(lambda turn: say(table, turn % 3), range(12)))

    assert sorted(each.json["id"] for each in said) == list(range(1, 13))
    assert read(table, 0)["newest"] == 12
