"""What a line may hold: one line of plain words, or a phrase that all can read."""

import pytest

from service.present import phrases
from service.values.lines import StockPhrase
from tests.rig.service.programs import Api, Table
from tests.rig.service.talk import lines, read, refused, say


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api, rounds=1)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"line": ""}, "empty"),
        ({"line": "  "}, "empty"),
        ({"line": "two\nlines"}, "hidden"),
        ({"line": "abc\u202edef"}, "hidden"),
        ({"line": "x" * 281}, "too-long"),
        ({"line": "see www.example"}, "link"),
        ({"line": "look at kingup.example"}, "link"),
        ({"phrase": "no-such-phrase"}, "one-of"),
        ({"line": "Hello", "phrase": "hello"}, "two-lines"),
        ({}, "missing"),
    ],
)
def test_what_cannot_be_said_is_refused(
    table: Table, said: dict[str, str], reason: str
) -> None:
    path = f"{table.path}/messages"

    answer = table.api.call("POST", path, table.tokens[0], json=said)

    assert refused(answer) == (422, "invalid")
    assert answer.json["reason"] == reason
    assert lines(table, 0) == []


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (
            "  Am 12.12.2026 um 20.15, z.B. bei mir ",
            "Am 12.12.2026 um 20.15, z.B. bei mir",
        ),
        ("Ja\u0308", "J\u00e4"),
        ("<b>&amp;", "<b>&amp;"),
        ("x" * 280, "x" * 280),
    ],
)
def test_what_can_be_said_is_kept_as_one_line(
    table: Table, typed: str, kept: str
) -> None:
    say(table, 0, line=typed)

    assert lines(table, 1) == [(1, 0, kept)]


def test_a_bad_line_is_refused_with_its_answer(table: Table) -> None:
    seat = table.asked

    answer = table.put(seat, {**table.first_legal(seat), "line": "see www.example"})

    assert refused(answer) == (422, "invalid")
    assert table.asked == seat


def test_a_stock_phrase_is_read_in_each_language(table: Table) -> None:
    say(table, 0, phrase="good-luck")

    told = [
        read(table, 1, Accept_Language=language)["messages"][0]
        for language in ("en", "de", "fr", "it")
    ]

    assert {message["phrase"] for message in told} == {"good-luck"}
    assert [message["line"] for message in told] == [
        "Good luck!",
        "Viel Glück!",
        "Bonne chance !",
        "Buona fortuna!",
    ]


def test_there_are_twenty_stock_phrases_and_words_for_each() -> None:
    assert len(StockPhrase) == 20
    assert set(phrases.PHRASES) == set(StockPhrase)
