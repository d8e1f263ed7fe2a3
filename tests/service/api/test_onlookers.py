"""In mid election, and after a round: no answer tells anybody what isn't theirs.

Every GET of the contract and every page is looked through, as everybody, for what
others hold.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest
from flask import Flask

from engine import fairness
from engine.board import Card
from engine.deck import favourites
from tests.rig.service import programs
from tests.rig.service.programs import Api, Table, contract
from tests.rig.service.seated import run
from tests.rig.service.visitor import Visitor

SEATS = 4
CATALOGUE = ("/v1/editions", "/v1/openapi", "/rules")
"""Tells every goal card there is, and every table's cards."""

ENDLESS = "text/event-stream"
NEVER = re.compile(r"hand_?size|cards_?left|no_?count|hands\b", re.IGNORECASE)


class Viewer(NamedTuple):
    """Who looks: the seat that is theirs at this table, and their token, if any."""

    name: str
    seat: int | None
    token: str | None


@pytest.fixture
def table(api: Api) -> Table:
    """An election after others, so that hands differ, with half of the cards in."""
    made = Table(api, SEATS, rounds=2, placement="random")
    made.inside("nominate")
    made.inside("lay", [Card.NO, Card.YES, Card.YES, Card.YES])
    made.inside("resolve")
    made.inside("nominate")
    for seat, card in ((0, "no"), (1, "yes")):
        assert made.put(seat, {"kind": "election", "card": card}).status_code == 200
    return made


def viewers(table: Table) -> list[Viewer]:
    elsewhere = seated_elsewhere(table)
    return [
        Viewer("anonymous", None, None),
        Viewer("spectator", None, programs.stranger(table.api)),
        Viewer("seat of another game", None, elsewhere),
        *(
            Viewer("host" if seat == 0 else f"seat {seat}", seat, table.tokens[seat])
            for seat in range(SEATS)
        ),
    ]


def seated_elsewhere(table: Table) -> str:
    """The token of a seat of another game, with favourites that nobody has here."""
    game = table.game
    here = {favourites(game.card_of(seat, game.round)) for seat in range(SEATS)}
    while True:
        other = Table(table.api)
        if favourites(other.game.card_of(1, other.game.round)) not in here:
            return other.tokens[1]


def gets(app: Flask, table: Table) -> Iterator[str]:
    """Every address that can be read without end, by API and browser."""
    paths = contract(app)["paths"]
    for path, ways in paths.items():
        media = [
            kind
            for answer in ways.get("get", {}).get("responses", {}).values()
            for kind in answer.get("content", {})
        ]
        if media and ENDLESS not in media:
            yield _filled(path, r"\{(\w+)\}", table)
    for query in ("at=2", f"at={record(table)}"):
        yield f"{table.path}/view?{query}"
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.rule.startswith("/v1"):
            yield _filled(rule.rule, r"<(?:[^<>]+:)?(\w+)>", table)


def _filled(path: str, part: str, table: Table) -> str:
    game = dict.fromkeys(("game", "game_id"), str(table.id))
    known = {**game, "decision": str(table.decision)}
    return re.sub(part, lambda name: known.get(name.group(1), "classic"), path)


def record(table: Table) -> int:
    found: int = table.view().json["revision"]
    return found


def seen_by(viewer: Viewer, app: Flask, table: Table) -> dict[str, str]:
    """Everything that a viewer gets, whole answers with their headers."""
    browser = Visitor(app)
    if viewer.seat is not None:
        with app.app_context():
            browser.remember(table.table, viewer.seat)
    headers = {"Authorization": f"Bearer {viewer.token}"} if viewer.token else {}
    found = {}
    for path in gets(app, table):
        sent = headers if path.startswith("/v1") else {}
        answer = browser.client.get(path, headers=sent)
        body = answer.data.decode(errors="replace")
        found[path] = f"{answer.status}\n{answer.headers}\n{unquote(body)}"
    return found


def first_view(table: Table, viewer: Viewer) -> str:
    """The beginning of the viewer's stream."""
    headers = {"Authorization": f"Bearer {viewer.token}"} if viewer.token else {}
    answer = table.api.client.get(f"{table.path}/stream", headers=headers)
    text = ""
    for part in answer.iter_encoded():
        text += part.decode()
        if "event: view" in text and text.endswith("\n\n"):
            break
    answer.close()
    return text


def secrets(table: Table) -> Iterator[tuple[str, int | None, str]]:
    """What must be found nowhere: what it is, whose it may be, how it would read."""
    game = table.game
    for seat in range(SEATS):
        letters = favourites(game.card_of(seat, game.round))
        for listed in _lists(letters):
            yield "favourites", seat, listed
        if game.hands[seat] != game.law.hand(SEATS):
            for listed in _lists(game.hands[seat]):
                yield "hand", seat, f'"hand":{listed}'
    for seat, card in ((0, "no"), (1, "yes")):
        yield "card laid", seat, f'"ballot":"{card}"'
        yield "card laid", seat, f'"ballot": "{card}"'
    with table.api.app.app_context():
        yield from _kept(table)


def _kept(table: Table) -> Iterator[tuple[str, int | None, str]]:
    (seed, head), *_ = run(
        "SELECT d.seed, g.table_head FROM game_seed d JOIN game g ON g.id = d.game_id"
        " WHERE g.id = :g",
        {"g": table.id},
    )
    words = [bytes.fromhex(word) for word in table.table.game.words]
    key = fairness.draw_key(bytes(seed), bytes(head), words)
    yield "seed", None, bytes(seed).hex()
    yield "key of the draws", None, key.hex()
    for address, person, number in run(
        "SELECT p.address, p.id, s.number FROM seat s JOIN person p"
        " ON p.id = s.person_id WHERE s.game_id = :g",
        {"g": table.id},
    ):
        yield "address", number, address
        yield "person", number, str(person)
    for token in table.tokens:
        yield "token", None, token.removeprefix("kup_")
    for (hashed,) in run("SELECT token_hash FROM token"):
        yield "hash of a token", None, bytes(hashed).hex()


def _lists(parts: Any) -> list[str]:
    plain = [str(part) for part in parts]
    return [json.dumps(plain), json.dumps(plain, separators=(",", ":"))]


def test_nobody_finds_what_is_not_theirs(app: Flask, table: Table) -> None:
    wanted = list(secrets(table))
    assert {what for what, _, _ in wanted} >= {"favourites", "hand", "seed", "address"}

    for viewer in viewers(table):
        found = seen_by(viewer, app, table)
        found["stream"] = first_view(table, viewer)
        for path, answered in found.items():
            for what, owner, text in wanted:
                if what in ("favourites", "hand") and path.startswith(CATALOGUE):
                    continue
                if owner is None or owner != viewer.seat:
                    assert text not in answered, (viewer.name, path, what)


def test_a_seat_finds_its_own_so_that_looking_proves_something(
    app: Flask, table: Table
) -> None:
    seen = seen_by(Viewer("seat 1", 1, table.tokens[1]), app, table)

    mine = [(what, text) for what, owner, text in secrets(table) if owner == 1]

    view = seen[f"{table.path}/view"]
    for what in ("favourites", "card laid"):
        assert any(text in view for each, text in mine if each == what), what


def leaves(found: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with its place, but what is a seat's own."""
    match found:
        case dict():
            for key, inner in found.items():
                if key not in ("own", "legal"):
                    yield from leaves(inner, f"{path}.{key}")
        case list():
            yield f"{path}#", len(found)
            for number, inner in enumerate(found):
                yield from leaves(inner, f"{path}.{number}")
        case _:
            yield path, found


def test_a_spectator_sees_what_every_seat_sees_and_the_host_no_more(
    api: Api, table: Table
) -> None:
    spectator = table.view().json
    seats = [table.view(seat).json for seat in range(SEATS)]

    for seen in seats:
        own = {".seat"}
        assert {k: v for k, v in leaves(seen) if k not in own} == {
            k: v for k, v in leaves(spectator) if k not in own
        }
        assert set(seen["own"]) == set(seats[0]["own"])
    assert spectator["own"] is None
    assert spectator["legal"] == []
    for path in ("/events", "/export", "/view.txt", "/view.svg", "/view?at=3"):
        answers = [
            api.get(f"{table.path}{path}", token).data
            for token in (None, *table.tokens)
        ]
        assert len(set(answers)) == 1, path


def keys(found: Any) -> Iterator[str]:
    match found:
        case dict():
            for key, inner in found.items():
                yield key
                yield from keys(inner)
        case list():
            for inner in found:
                yield from keys(inner)
        case _:
            pass


def test_a_round_that_is_over_shows_goals_and_never_how_many_cards(
    api: Api, table: Table
) -> None:
    cards = table.game.deck[:SEATS]
    for seat in (2, 3):
        table.put(seat, {"kind": "election", "card": "yes"})
    while table.game.round == 1:
        play_on(table)

    for viewer in viewers(table):
        view = api.get(f"{table.path}/view", viewer.token).json
        events = api.get(f"{table.path}/events?limit=100", viewer.token).json
        shown = [set(each) for each in view["scored_rounds"][0]["favourites"]]
        assert shown == [set(favourites(card)) for card in cards]
        for each in (view, events):
            assert not [key for key in keys(each) if NEVER.search(key)]


def play_on(table: Table) -> None:
    """End the round: resolve what is complete, and crown whoever is nominated."""
    game = table.game
    if game.election_complete:
        table.inside("resolve")
    elif game.decision is not None and game.decision.seat is None:
        table.inside("lay", [Card.YES] * SEATS)
    else:
        table.inside("nominate")
