"""Over a whole game nobody is told anything twice, or of a round that isn't there."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pytest

from engine.board import Seat
from engine.commands import PlacementOption
from engine.events import Moved, Placed, Record, read_record
from engine.state import Game
from service.present import narration, sentences
from service.present.narration import Cast
from tests.rig.letters import Letter
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker.mail_server import Sink, send

ROUNDS = 2
SEATS = 3


class Story(NamedTuple):
    """What happened in a game, and what was told of it by mail."""

    game: Game
    events: list[Record]
    letters: list[Letter]
    kinds: Counter[str]


_told: list[Story] = []


@pytest.fixture
def played(sink: Sink) -> Story:
    """A game of two rounds with the Jester, mailed after each single answer.

    Played once: what it has told doesn't change.
    """
    if not _told:
        table = play()
        kinds = Counter(seated.kinds(table.id))
        _told.append(Story(table.game, record(table), sink.letters, kinds))
    return _told[0]


def play() -> Seated:
    table = seated.started(
        SEATS, rounds=ROUNDS, edition="jester", placement=PlacementOption.RANDOM
    )
    chance = random.Random(7)
    send(table.id)
    while table.game.running:
        table.step(chance)
        send(table.id)
    return table


def record(table: Seated) -> list[Record]:
    rows = run(
        "SELECT public, version FROM event WHERE game_id = :g AND record IS NOT NULL"
        " ORDER BY record",
        {"g": table.id},
    )
    return [read_record(bytes(public), version) for public, version in rows]


def lines(text: str) -> list[str]:
    """What a mail says has happened, but for the cards, which go away again."""
    whole = "\n".join(text.splitlines())
    _, _, since = whole.partition("Since you last heard or acted:\n")
    found = [line[2:] for line in since.partition("\n\n")[0].splitlines()]
    return [line for line in found if not line.startswith("The cards")]


def said(letters: Iterable[Letter]) -> Mapping[str, Counter[str]]:
    """What each person was told in all their mails together."""
    found: dict[str, Counter[str]] = {}
    for letter in letters:
        whose = letter.to.partition("+")[0]
        found.setdefault(whose, Counter()).update(lines(letter.text))
    return found


def test_no_event_is_told_twice_to_anybody(played: Story) -> None:
    game, events = played.game, played.events

    heard = said(played.letters)

    assert len(heard) == SEATS
    for seat in range(SEATS):
        names = seated.NAMES[:SEATS]
        cast = Cast(names, game.law, {}, Seat(seat))
        happened = Counter(map(sentences.plain, narration.tell(events, cast)))
        mine = heard[seated.NAMES[seat].lower()]
        assert mine.total() > len(events) / SEATS
        assert mine - happened == Counter()
        own = [e for e in events if isinstance(e, Placed | Moved) and e.seat == seat]
        assert own
        assert (
            mine & Counter(map(sentences.plain, narration.tell(own, cast))) == Counter()
        )


def test_news_begin_behind_ones_latest_answer_however_many_went_by(sink: Sink) -> None:
    table = seated.started(SEATS)
    send(table.id)
    sink.raw.clear()
    chance = random.Random(7)
    for _ in range(3 * SEATS):
        table.step(chance)

    send(table.id)

    (asked,) = [each for each in sink.letters if each.notice == "your_turn"]
    assert len(lines(asked.text)) == SEATS - 1


def test_what_all_began_with_is_told_with_the_first_scores_alone(
    played: Story,
) -> None:
    began = "Everybody began with 20 points."

    after = {
        number: [
            each for each in played.letters if f"scores of round {number}:" in each.text
        ]
        for number in range(1, ROUNDS + 1)
    }

    assert all(began in each.text for each in after[1])
    assert not any(began in each.text for each in after[2])
    assert len(after[1]) == SEATS
    assert len(after[2]) == SEATS


def test_the_end_of_a_round_is_told_when_another_follows(played: Story) -> None:
    assert played.kinds["round_over"] == SEATS * (ROUNDS - 1)
    assert played.kinds["game_over"] == SEATS
