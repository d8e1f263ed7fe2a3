"""Whatever is changed in a record is found, and named for what it is."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from engine import fairness
from engine.board import Seat
from engine.commands import PauseGame, SeatBot
from engine.verify import CODES, Check, CheckLine, State, verify
from tests.rig.engine import naive_verifier, random_games
from tests.rig.engine.changes import change, edited, numbers
from tests.rig.engine.exported import exported
from tests.rig.engine.tables import GAME, chance, options, settled
from tests.rig.engine.verified import cut, sample, stages, stamp, wrong

Edit = Callable[[Any], None]
PLANTED: dict[str, tuple[str, int, Edit]] = {
    "unknown-event": ("moved", 0, lambda e: e.update(type="retired")),
    "not-as-written": ("moved", 0, lambda e: e.update(note=1)),
    "wrong-count": ("table_closed", 0, lambda e: e["words"].append("")),
    "bad-hex": ("started", 0, lambda e: e["leaves"].__setitem__(3, "F" * 64)),
    "wrong-decision": ("moved", 3, lambda e: e.update(decision=e["decision"] + 1)),
    "wrong-seed": ("game_over", 0, lambda e: e.update(seed_opened="00" * 32)),
    "wrong-word": ("table_closed", 0, lambda e: e["words"].__setitem__(0, "")),
    "bot-word": ("table_closed", 0, lambda e: e["words"].__setitem__(3, "00" * 32)),
    "unknown-rules": ("table_closed", 0, lambda e: e.update(rules=99)),
    "bad-table": ("table_closed", 0, lambda e: e["options"].update(first=4)),
    "wrong-leaf": ("started", 0, lambda e: e["leaves"].__setitem__(9, "00" * 32)),
    "wrong-favourites": ("round_scored", 1, lambda e: e["favourites"].reverse()),
    "wrong-ballot": ("round_scored", 0, lambda e: _turn(e["elections"][1]["cards"])),
    "wrong-openings": ("round_scored", 0, lambda e: e["elections"].pop()),
    "wrong-first": ("started", 0, lambda e: e.update(first=(e["first"] + 1) % 4)),
    "wrong-seat": ("moved", 2, lambda e: e.update(seat=(e["seat"] + 2) % 4)),
    "wrong-by": ("placed", 3, lambda e: e.update(by="seat")),
    "not-allowed": ("placed", 0, lambda e: e.update(place="5")),
    "wrong-from": ("moved", 0, lambda e: e.update({"from": "0"})),
    "wrong-to": ("moved", 0, lambda e: e.update(to="3")),
    "wrong-dropped": ("placed", 11, lambda e: e["dropped"].clear()),
    "wrong-nominee": ("election_resolved", 0, lambda e: e.update(nominee="P")),
    "wrong-mover": ("election_resolved", 0, lambda e: e.update(mover=3)),
    "wrong-verdict": ("election_resolved", 0, lambda e: e.update(verdict="cancelled")),
    "wrong-next": ("election_resolved", 0, lambda e: e.update(next=None)),
    "wrong-round": ("round_started", 1, lambda e: e.update(round=3)),
    "wrong-beginner": ("round_started", 1, lambda e: e.update(first=0)),
    "wrong-points": ("round_scored", 0, lambda e: e.update(points=[9, 9, 9, 9])),
    "wrong-bonus": ("round_scored", 0, lambda e: e.update(bonus=[0, 3, 0, 0])),
    "wrong-totals": ("round_scored", 1, lambda e: e["totals"].reverse()),
    "wrong-reason": ("game_over", 0, lambda e: e.update(reason="cancelled")),
    "wrong-winners": ("game_over", 0, lambda e: e.update(winners=[0, 1, 2, 3])),
}
"""By its code a change to the sample: an event of a type, and what is done to it."""


def _turn(cards: list[str]) -> None:
    cards[2] = "yes" if cards[2] == "no" else "no"


@pytest.mark.parametrize("code", PLANTED)
def test_a_planted_change_is_named_where_it_stands(code: str) -> None:
    kind, which, edit = PLANTED[code]
    whole = sample()
    number = numbers(whole, kind)[which]

    found = wrong(edited(whole, number, edit))

    assert found is not None
    assert found[:2] == (code, number)


def planted(code: str) -> tuple[str, int | None, int | None, int | None] | None:
    kind, which, edit = PLANTED[code]
    return wrong(edited(sample(), numbers(sample(), kind)[which], edit))


def event(number: int) -> Any:
    return json.loads(sample().record[number - 1])


def test_a_host_who_changes_the_word_of_the_first_event_is_named_too() -> None:
    forged = edited(sample(), 1, lambda e: e.update(word="00" * 32))

    assert wrong(forged) == ("wrong-word", 2, None, 0)


def test_a_turned_card_is_named_with_its_decision_and_seat() -> None:
    scored = numbers(sample(), "round_scored")[0]
    second = event(scored)["elections"][1]["decision"]

    assert planted("wrong-ballot") == ("wrong-ballot", scored, second, 2)


def test_a_wrong_total_is_named_with_its_seat() -> None:
    scored = numbers(sample(), "round_scored")[1]

    assert planted("wrong-totals") == ("wrong-totals", scored, None, 0)


def test_an_answer_against_the_rules_is_named_with_its_decision_and_seat() -> None:
    assert planted("not-allowed") == ("not-allowed", 5, 1, event(5)["seat"])


def test_what_was_expected_and_what_was_found_is_told() -> None:
    scored = numbers(sample(), "round_scored")[0]
    report = verify(edited(sample(), scored, PLANTED["wrong-points"][2]))

    points = " ".join(map(str, event(scored)["points"]))
    assert report.wrong is not None
    assert (report.wrong.expected, report.wrong.found) == (points, "9 9 9 9")


def test_what_was_right_before_the_first_thing_wrong_is_told() -> None:
    second = numbers(sample(), "round_scored")[1]
    report = verify(edited(sample(), second, PLANTED["wrong-points"][2]))
    lines = {line.check: line for line in report.lines}

    before = f"up to event {second - 1}: "
    detail = f"{before}{second - 3} events as the rules have them"
    assert lines[Check.RULES] == CheckLine(Check.RULES, State.OK, detail)
    assert lines[Check.HANDS].detail == f"{before}16 cards laid by who held them"
    assert lines[Check.SCORES].state is State.WRONG
    assert lines[Check.LOTS].state is lines[Check.END].state is State.SKIPPED


def test_an_election_that_doesnt_open_is_named() -> None:
    whole = sample()
    onto = next(n for n in numbers(whole, "moved") if event(n)["election"])

    found = wrong(edited(whole, onto, lambda e: e.update(election=None)))

    assert found == (
        "wrong-election",
        onto,
        event(onto)["decision"],
        event(onto)["seat"],
    )


def test_a_word_changed_after_the_start_is_not_what_the_key_came_from() -> None:
    late = edited(sample(), 2, lambda e: e["words"].__setitem__(1, "00" * 32))

    assert wrong(late) == ("wrong-key", 3, None, None)


def test_characters_placed_otherwise_than_by_lot_are_named() -> None:
    whole = sample(placement="random")
    (_, second) = numbers(whole, "round_started")

    assert wrong(edited(whole, second, _swap_places)) == (
        "wrong-lot",
        second,
        None,
        None,
    )


def _swap_places(started: Any) -> None:
    one, two = (
        next(pair for pair in started["placed"] if pair[1] == floor) for floor in "23"
    )
    one[1], two[1] = two[1], one[1]


@pytest.mark.parametrize(
    "edit",
    [
        lambda e: e["placed"].pop(),
        lambda e: e["placed"][0].__setitem__(0, e["placed"][1][0]),
        lambda e: e["placed"][0].__setitem__(1, "0"),
        lambda e: e["placed"][-1].__setitem__(1, "1"),
        lambda e: [pair.__setitem__(1, "2") for pair in e["placed"][:12]],
    ],
)
def test_a_lot_that_cant_be_is_named_while_the_key_is_sealed(edit: Edit) -> None:
    running = cut(sample(placement="random"), 6)

    assert wrong(edited(running, 4, edit)) == ("wrong-lot", 4, None, None)


def test_an_answer_that_the_clock_didnt_draw_is_named() -> None:
    whole = sample()

    found = wrong(edited(whole, 6, lambda e: e.update(by="clock")))

    assert found == ("wrong-clock", 6, 2, event(6)["seat"])


def test_a_card_that_was_not_held_is_named() -> None:
    table = settled(chosen=options(rounds=1))
    table.nominate("A")
    number = table.number
    # A service that cheats gives itself what it likes.
    table.game = replace(table.game, hands=(("yes", "stomachache"),) * 4)
    table.vote("yes", "yes", "stomachache", "yes")
    whole = exported(table)
    resolved = numbers(whole, "election_resolved")[0]

    assert wrong(whole) == ("card-not-held", resolved, number, 2)


def test_a_card_dealt_twice_is_named_before_the_deck_is_open() -> None:
    whole = sample()
    scored = numbers(whole, "round_scored")[0]
    card, salt = event(scored)["favourites"][0], "11" * 32
    leaf = fairness.digest("kingup/1/card", GAME, 1, card, bytes.fromhex(salt)).hex()
    forged = edited(whole, 3, lambda e: e["leaves"].__setitem__(1, leaf))
    forged = edited(forged, scored, lambda e: e["favourites"].__setitem__(1, card))
    forged = edited(forged, scored, lambda e: e["salts"].__setitem__(1, salt))

    assert wrong(cut(forged, scored + 1)) == ("dealt-twice", scored, None, 1)


def test_a_missing_doubled_or_swapped_event_is_named() -> None:
    whole = sample()
    record = whole.record
    versions = whole.versions[1:]
    missing = replace(whole, record=(*record[:2], *record[3:]), versions=versions)
    doubled = replace(
        whole, record=(*record[:1], *record), versions=(1, *whole.versions)
    )
    swapped = (*record[:16], record[17], record[16], *record[18:])

    assert wrong(missing) == ("out-of-order", 3, None, None)
    assert wrong(doubled) == ("out-of-order", 2, None, None)
    assert wrong(replace(whole, record=swapped)) == ("wrong-decision", 17, 13, None)


def test_a_seat_that_a_bot_takes_twice_is_named() -> None:
    table = settled()
    table.do(SeatBot(Seat(2), "steady"))
    whole = exported(table)
    number = len(whole.record)
    twice = (*whole.record, whole.record[-1])
    versions = (*whole.versions, 1)

    assert wrong(whole) is None
    found = wrong(replace(whole, record=twice, versions=versions))
    assert found == ("wrong-seating", number + 1, None, 2)


def test_a_clock_that_stops_twice_is_named() -> None:
    table = settled()
    table.do(PauseGame())
    whole = exported(table)
    number = len(whole.record)
    twice = (*whole.record, whole.record[-1])
    versions = (*whole.versions, 1)

    assert wrong(whole) is None
    found = wrong(replace(whole, record=twice, versions=versions))
    assert found == ("wrong-timing", number + 1, None, None)


def test_a_record_that_breaks_off_within_a_step_is_named() -> None:
    whole = sample()
    ended = len(whole.record)

    assert wrong(cut(whole, ended - 1)) == ("breaks-off", ended, None, None)
    assert wrong(cut(whole, ended - 2)) == ("breaks-off", ended - 1, None, None)


def test_every_code_but_those_of_mails_and_receipts_is_planted_here() -> None:
    elsewhere = (Check.MAIL, Check.WORD, Check.BALLOT)
    by_hand = {
        *("wrong-key", "wrong-lot", "wrong-clock", "wrong-election"),
        *("card-not-held", "dealt-twice", "out-of-order", "breaks-off"),
        *("wrong-seating", "wrong-timing", "wrong-taking-back"),
    }

    codes = {code for code, check in CODES.items() if check not in elsewhere}
    assert codes == set(PLANTED) | by_hand


@pytest.mark.parametrize("number", range(11))
def test_a_single_change_is_named_or_two_verifiers_take_it_for_true(
    number: int,
) -> None:
    whole, rng = exported(random_games.game(number)), chance(number)

    for _ in range(16):
        changed = change(whole, rng)
        report = verify(changed.export, {"kept": stamp(whole)})
        found = verify(changed.export)
        accepted = naive_verifier.accepts(whole.game, changed.export.record)

        assert report.wrong is not None, changed.what
        assert (found.wrong is None) is accepted, changed.what


def test_no_change_to_a_running_game_makes_the_verifier_stumble() -> None:
    rng = chance(3)
    for whole in [*stages(sample("jester", "random", "open"))][3::3]:
        for _ in range(10):
            verify(change(whole, rng).export)
