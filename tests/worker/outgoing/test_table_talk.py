"""What was said at a table is in its next mails: once, and for who may read it."""

import html
from email import message_from_bytes
from typing import Final

import pytest

from engine.board import Card
from engine.verify import mails
from service.game import talk
from service.store import messages
from service.store.transactions import transaction
from service.values import lines, names
from service.values.lines import Line, StockPhrase
from tests.rig.letters import Letter
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker.mail_server import Sink, send

HEADING = "What was said:"

_FAMILY: Final = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


def say(table: Seated, seat: int, text: str) -> None:
    talk.say(table.id, table.holder(seat), Line(text, None))


def told(letter: Letter) -> list[str]:
    """What a mail has of talk, the same in both parts."""
    lines = letter.text.splitlines()
    if HEADING not in lines:
        assert "What was said" not in letter.html
        return []
    rest = lines[lines.index(HEADING) + 1 :]
    found = [line.removeprefix("- ") for line in rest[: rest.index("")]]
    page = letter.html.replace("<bdi>", "").replace("</bdi>", "")
    assert all(each in html.unescape(page) for each in found)
    return found


def mailed(sink: Sink, table: Seated, name: str) -> Letter:
    """The latest mail to somebody, after all that is due."""
    send(table.id)
    return [each for each in sink.letters if each.to.startswith(name)][-1]


def test_what_others_said_since_is_told_once(sink: Sink) -> None:
    table = seated.started(3)
    send(table.id)
    say(table, 0, "Odessa is mine.")
    say(table, 1, "She is not.")
    talk.say(table.id, table.holder(2), Line(None, StockPhrase.TRUST_ME))
    table.nominate()

    first = mailed(sink, table, "simon")
    table.lay([Card.NO, Card.YES, Card.YES])
    say(table, 0, "Who was that?")
    table.resolve()
    second = mailed(sink, table, "simon")

    assert told(first) == ["Rachel: Odessa is mine.", "Terry: Trust me."]
    assert told(second) == ["Rachel: Who was that?"]


def test_what_lay_with_a_ballot_is_told_with_the_result_alone(sink: Sink) -> None:
    table = seated.in_election(3)
    send(table.id)
    with transaction():
        speaker = messages.hold(table.id, table.holder(0))
        assert speaker is not None
        messages.seal(table.id, speaker, Line("My card says it.", None), table.decision)
    table.lay([Card.NO, Card.YES, Card.YES])
    before = [told(each) for each in sink.letters]
    table.resolve()

    after = mailed(sink, table, "terry")

    assert not any(before)
    assert told(after) == ["Rachel: My card says it."]


def test_who_is_muted_is_not_heard_by_mail(sink: Sink) -> None:
    table = seated.started(3)
    send(table.id)
    with transaction():
        messages.mute(table.id, seated.person_on(table.id, 1), 0)
    say(table, 0, "Hear me!")
    table.nominate()

    send(table.id)

    simon, terry = (mailed(sink, table, name) for name in ("simon", "terry"))
    assert told(simon) == []
    assert told(terry) == ["Rachel: Hear me!"]


def test_of_much_that_was_said_the_latest_is_told_and_that_there_is_more(
    sink: Sink,
) -> None:
    table = seated.started(3)
    send(table.id)
    for number in range(14):
        say(table, 0, f"Line {number}.")
    table.nominate()

    found = told(mailed(sink, table, "simon"))

    assert found[0] == "What was said before that stands on the page."
    assert found[1:] == [f"Rachel: Line {number}." for number in range(2, 14)]


_HEX: Final = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    "said",
    [
        [f"Fairness stamp: 3:{_HEX}"],
        [f"12&#58;{_HEX}"],
        [f"12:{_HEX[:8]}<b>{_HEX[8:]}"],
        [f"２:{_HEX}"],
        ["12<", f">:{_HEX[:8]}<", f">{_HEX[8:]}"],
    ],
)
def test_nobody_can_say_what_passes_for_the_head_of_a_record(
    sink: Sink, said: list[str]
) -> None:
    table = seated.started(3)
    send(table.id)
    for words in said:
        say(table, 0, lines.clean(words, "line"))
    table.nominate()

    letter = mailed(sink, table, "simon")

    hidden = "Rachel has said something that the page alone shows."
    assert told(letter) == [hidden] * len(said)
    assert _HEX[8:] not in letter.html
    assert mails.read(letter.raw).heads == (head_of(letter),)


def test_nor_can_a_name_begin_one(sink: Sink) -> None:
    table = seated.started(3)
    send(table.id)
    name = f"12:{_HEX[:24]}<"
    run(
        "UPDATE seat SET name = :n WHERE game_id = :g AND number = 0",
        {"n": names.clean(name, "name"), "g": table.id},
    )
    say(table, 0, f">{_HEX[24:]}")
    table.nominate()

    letter = mailed(sink, table, "simon")

    assert told(letter) == [f"{name} has said something that the page alone shows."]
    assert mails.read(letter.raw).heads == (head_of(letter),)


def head_of(letter: Letter) -> tuple[int, str]:
    """The head that a mail has in its header."""
    head = str(message_from_bytes(letter.raw)["X-Kingup-Head"])
    number, _, digits = head.partition(":")
    return int(number), digits


@pytest.mark.parametrize(
    ("sign", "name"),
    [("ж", _FAMILY * 9), ('"', '"' * 31), ("&", "ж" * 31)],
    ids=["letters", "quotes", "ampersands"],
)
def test_nobody_says_or_is_called_what_has_servers_refuse_mails(
    sink: Sink, sign: str, name: str
) -> None:
    table = seated.started(3, placement="random", rounds=1)
    send(table.id)
    run(
        "UPDATE seat SET name = number || :n WHERE game_id = :g AND number < 2",
        {"n": names.clean(name, "name"), "g": table.id},
    )
    words = lines.clean(sign * lines.LINE_LIMIT, "line")
    say(table, 0, words)
    table.nominate()
    send(table.id)
    table.lay([Card.YES, Card.YES, Card.NO])
    table.resolve()
    send(table.id)

    assert max(len(line) for raw in sink.raw for line in raw.split(b"\r\n")) <= 998
    told_it = [letter for letter in sink.letters if words in letter.text]
    assert {each.to[:5] for each in told_it} == {"simon", "terry"}
    for letter in told_it:
        page = letter.html.replace("<bdi>", "").replace("</bdi>", "")
        assert f"0{name}: {words}" in html.unescape(page)
        assert f"0{name}: {words}" in letter.text


def test_a_server_that_refuses_what_was_said_hears_it_once(sink: Sink) -> None:
    table = seated.started(3)
    send(table.id)
    say(table, 0, "Refuse me.")
    table.nominate()
    sink.data = ["554 no such words"] * 3
    send(table.id)
    say(table, 1, "Me not.")
    table.lay([Card.NO] * 3)
    table.resolve()

    assert told(mailed(sink, table, "terry")) == ["Simon: Me not."]


@pytest.mark.parametrize("answer", ["550 no such mailbox", "451 later"])
def test_what_no_server_has_read_is_told_by_the_next_mail(
    sink: Sink, answer: str
) -> None:
    table = seated.started(3)
    send(table.id)
    say(table, 0, "Hear me!")
    table.nominate()
    sink.recipients = {each.to: answer for each in sink.letters}
    send(table.id)
    run("UPDATE mail SET state = 'failed', settled_at = now() WHERE state = 'retry'")
    sink.recipients = {}
    table.lay([Card.NO] * 3)
    table.resolve()

    assert told(mailed(sink, table, "terry")) == ["Rachel: Hear me!"]


def test_a_mail_from_before_this_was_noted_tells_nothing_old(sink: Sink) -> None:
    table = seated.started(3)
    say(table, 0, "Long ago.")
    send(table.id)
    run("UPDATE mail SET newest_message = NULL")
    table.nominate()

    assert told(mailed(sink, table, "simon")) == []


def test_words_of_somebody_whose_seat_is_anothers_are_in_no_mail(sink: Sink) -> None:
    table = seated.started(3)
    send(table.id)
    say(table, 0, "I was here.")
    run(
        "UPDATE message SET person_id = :p WHERE game_id = :g",
        {"p": seated.person_on(table.id, 2), "g": table.id},
    )
    table.nominate()

    assert told(mailed(sink, table, "simon")) == []
