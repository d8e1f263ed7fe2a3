"""The ETag of a view: another one if a byte of it changes, for its viewer alone."""

import json
import random
from uuid import UUID

import pytest
from flask import Flask

from engine import views
from engine.board import Card
from engine.bots import BOTS
from engine.commands import Ballot
from engine.evolve import replay
from engine.rehearsal import Rehearsal
from engine.state import Game
from service.api.http import etags, replies
from service.api.replies import game_view
from service.api.replies.conditional import Texts
from service.api.replies.view_reply import ViewReply
from service.commands.sparring import shown_to
from service.present import languages
from service.store import answers, games
from service.store.games import GameRow
from service.store.transactions import transaction
from service.values.principals import Bot, System
from tests.rig.engine import random_games
from tests.rig.service import programs, seated
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import Seated

LANGUAGES = languages.API_LANGUAGES


class Eyes:
    """All that ever was shown to all viewers of one game, by its mark."""

    def __init__(self) -> None:
        self.texts: dict[str, bytes] = {}
        self.marks: dict[tuple[object, bytes], str] = {}

    def look(self, table: Seated, language: str) -> None:
        with languages.speaking(language):
            for seat in (None, *table.principals):
                row = _glance(table, seat)
                mark = etags.now(row, language)
                self._agree((language, seat), mark, game_view.now(row.read_model()))
                for at in {1, 2, row.record // 2 + 1, row.record}:
                    past = etags.past(row, at, language)
                    then = game_view.past(row.read_model(), at)
                    self._agree((language, "past"), past, then)

    def _agree(self, eyes: object, mark: str, shown: ViewReply) -> None:
        """Equal marks stand for equal bytes, and equal bytes have one mark."""
        text = replies.encode(shown)
        assert self.texts.setdefault(mark, text) == text
        assert self.marks.setdefault((eyes, text), mark) == mark


def _glance(table: Seated, seat: int | None) -> GameRow:
    reader = System() if seat is None else table.principals[seat]
    if isinstance(reader, Bot):
        reader = System()
    with transaction():
        found = games.find(table.id, reader)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("edition", "seats", "number"),
    [("classic", 4, 1), ("jester", 4, 3)],
)
def test_equal_marks_are_equal_bytes_for_everybody_through_whole_games(
    inside: Flask, edition: str, seats: int, number: int
) -> None:
    chance = random.Random(number)
    table = seated.started(seats, edition=edition, rounds=1)
    eyes = Eyes()

    while (game := table.game).running:
        if chance.random() < 0.25 or game.ballots:
            eyes.look(table, chance.choice(LANGUAGES))
        _step(table, game, chance)
    eyes.look(table, "en")

    assert len(eyes.texts) > 20


def _step(table: Seated, game: Game, chance: random.Random) -> None:
    if game.election_complete:
        return table.resolve()
    if game.ballots and chance.random() < 0.3:
        with transaction():
            laid = [s for s, card in enumerate(game.ballots) if card is not None]
            answers.show_laid(table.id, laid)
    seat = chance.choice(game.asked())
    table.answer(seat, BOTS["random"](views.view(game, seat), chance))
    return None


def test_before_the_start_every_seat_is_told_alike_and_has_a_part_in_the_mark(
    api: Api,
) -> None:
    host = programs.operator_token(api)
    guests = [
        {"kind": "person", "address": f"{name}@example.org", "name": name.title()}
        for name in ("simon", "terry")
    ]
    beside = [*guests, {"kind": "open"}, {"kind": "bot"}]
    opened = api.call("POST", "/v1/games", host, json={"seats": beside}).json
    path = f"/v1/games/{opened['game']}"
    inviting = api.get(f"{path}/view", host)

    with api.app.app_context():
        seated.run("UPDATE seat SET state = 'declined' WHERE number = 2")
    declined = api.get(f"{path}/view", host)

    seats = api.get(f"{path}/seats", host).json["seats"]
    assert inviting.json["status"] == "inviting"
    assert declined.json["seats"] == seats
    assert [(each["kind"], each["state"]) for each in seats] == [
        ("person", "joined"),
        ("person", "invited"),
        ("person", "declined"),
        ("open", "open"),
        ("bot", "joined"),
    ]
    assert declined.headers["ETag"] != inviting.headers["ETag"]
    with api.app.app_context():
        seen = games.read(UUID(opened["game"]), System())
        assert seen is not None
        for shown in (game_view.now(seen), game_view.past(seen, 1)):
            programs.schema_of(api.app, "View").validate(
                json.loads(replies.encode(shown))
            )


def test_a_card_that_somebody_lays_changes_nobody_elses_mark(api: Api) -> None:
    table = programs.in_election(api)
    before = {seat: table.view(seat).headers["ETag"] for seat in (None, 0, 1, 2)}

    with api.app.app_context():
        table.table.answer(1, Ballot(Card.NO))

    after = {seat: table.view(seat).headers["ETag"] for seat in (None, 0, 1, 2)}
    assert {seat for seat in before if before[seat] != after[seat]} == {1}


def test_a_304_says_what_a_200_would_of_itself(api: Api) -> None:
    table = Table(api)
    for query in ("", "?at=2"):
        whole = table.view(0, query)

        again = api.get(
            f"{table.path}/view{query}",
            table.tokens[0],
            If_None_Match=whole.headers["ETag"],
        )

        assert (whole.status_code, again.status_code) == (200, 304)
        for name in ("ETag", "Cache-Control", "Vary"):
            assert again.headers[name] == whole.headers[name]


def test_a_304_reads_neither_state_nor_log(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(api)
    known = {query: table.view(0, query).headers["ETag"] for query in ("", "?at=3")}

    def never(_: GameRow) -> None:
        raise AssertionError

    monkeypatch.setattr(GameRow, "read_model", never)

    for query, mark in known.items():
        path = f"{table.path}/view{query}"
        answer = api.get(path, table.tokens[0], If_None_Match=mark)
        assert answer.status_code == 304


def test_each_language_has_a_mark_of_its_own(api: Api) -> None:
    table = Table(api)

    found = {
        api.get(
            f"{table.path}/view", table.tokens[0], Accept_Language=language
        ).headers["ETag"]
        for language in LANGUAGES
    }

    assert len(found) == len(LANGUAGES)


def test_the_past_of_a_game_may_be_kept_a_while(api: Api) -> None:
    table = Table(api)

    assert table.view(0, "?at=2").headers["Cache-Control"] == "private, max-age=300"
    assert table.view(0, "?at=1").headers["Cache-Control"] == "private, no-cache"


def test_the_past_has_one_mark_for_everybody(api: Api) -> None:
    table = Table(api)

    found = {table.view(seat, "?at=2").headers["ETag"] for seat in (None, 0, 1, 2)}

    assert len(found) == 1


@pytest.mark.parametrize("number", range(len(random_games.TABLES)))
def test_a_view_is_what_the_contract_says(inside: Flask, number: int) -> None:
    """At positions of a game of every edition and number of seats."""
    chance = random.Random(number)
    table = random_games.game(number)

    for at in sorted(chance.sample(range(4, len(table.log)), 6)):
        game = replay(table.game.id, table.log[:at])
        seat = chance.randrange(len(game.seats))
        with languages.speaking(chance.choice(LANGUAGES)):
            shown = shown_to(Rehearsal(game, table.sealed, at, bytes(32)), seat)

        programs.schema_of(inside, "View").validate(json.loads(replies.encode(shown)))


def test_texts_make_room_for_others() -> None:
    texts, made = Texts(most_bytes=100), []

    def make() -> bytes:
        made.append(1)
        return bytes(40)

    for mark in ("a", "b", "a", "c", "a", "b"):
        texts.get(mark, make)

    assert len(made) == 4
