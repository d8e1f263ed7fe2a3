"""Mails carry public facts only: twins that differ in secrets get the same bytes."""

import itertools
import random
import re
from email.headerregistry import Address

import msgspec
import pytest

from engine.board import Card
from engine.deck import favourites
from engine.state import Game, freeze
from service.game import time_up
from service.present import nouns
from service.store import composition, outbox
from service.store.outbox import ClaimedMail
from service.store.transactions import transaction
from service.values import entropy
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker.mail_server import Sink, send
from worker.outgoing import content as writing
from worker.outgoing import kind_rules, openings, relevance, render


def twin_of(game: Game) -> Game:
    """The same game with every secret changed that is not open yet."""
    other = {Card.YES: Card.NO, Card.NO: Card.YES, None: None}
    earlier, latest = game.elections[:-1], game.elections[-1:]
    open_cards = len(game.seats) * len(game.scored)
    deck = game.deck[:open_cards] + game.deck[open_cards:][::-1]
    assert sorted(deck) == sorted(game.deck)
    return msgspec.structs.replace(
        game,
        deck=deck,
        hands=tuple((Card.YES,) for _ in game.hands),
        ballots=tuple(other[card] for card in game.ballots),
        elections=(
            *(
                msgspec.structs.replace(e, cards=tuple(other[c] for c in e.cards))
                for e in earlier
            ),
            *latest,
        ),
    )


def swap(table: Seated, game: Game) -> None:
    run(
        "UPDATE game SET snapshot = :s WHERE id = :g",
        {"s": freeze(game), "g": table.id},
    )


def rendered(claimed: ClaimedMail, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The bytes of a mail with the next repeatable tokens; nothing is kept."""
    numbers = itertools.count()
    with monkeypatch.context() as patch:
        patch.setattr(
            entropy, "source", lambda size: next(numbers).to_bytes(size, "big")
        )
        now = relevance.read(claimed)
        assert now is not None
        live = [notice for notice in claimed.notices if kind_rules.holds(notice, now)]
        written = writing.write(live, now, openings.make(live, claimed))
    fixed = msgspec.structs.replace(written, date=now.seen.created_at)
    return render.render(fixed, Address("King Up!", "kingup", "king.example"))


def test_twin_games_send_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    table = seated.started(3, rounds=2)
    chance = random.Random(3)
    compared = 0
    while table.game.running:
        real = table.game
        if real.decision is not None and real.decision.seat is None:
            time_up.remind(table.id, real.decision.number)
        with transaction():
            composed = composition.compose(table.id, "king.example")
        for mail_id in composed:
            with transaction():
                claimed = outbox.claim(mail_id, 10)
            assert claimed is not None
            now = relevance.read(claimed)
            assert now is not None
            if not all(kind_rules.holds(notice, now) for notice in claimed.notices):
                continue
            first = rendered(claimed, monkeypatch)
            swap(table, twin_of(real))
            second = rendered(claimed, monkeypatch)
            swap(table, real)
            assert first == second
            compared += 1
        table.step(chance)

    assert compared > 20


def test_no_mail_of_a_running_round_lists_somebodys_favourites(sink: Sink) -> None:
    table = seated.started(3, rounds=1)
    chance = random.Random(3)
    while table.game.running:
        send(table.id)
        game = table.game
        for each in sink.letters:
            for seat in range(3):
                names = nouns.characters(favourites(game.card_of(seat, 1)))
                # A longer list may end with the very same names, and tells nothing.
                listed = re.compile(rf"(?<!, ){re.escape(names)}")
                assert not listed.search(each.text)
                assert not listed.search(each.html)
        sink.raw.clear()
        table.step(chance)
    send(table.id)

    over = [each for each in sink.letters if each.notice == "game_over"]
    assert over
    assert all("Favourites" in each.html for each in over)


def test_no_log_line_holds_a_token_or_an_address(
    sink: Sink, capfd: pytest.CaptureFixture[str]
) -> None:
    sink.data = ["451 busy"]
    sink.recipients["terry@example.org"] = "550 <terry@example.org> who?"
    game_id = seated.draft(3)
    send(game_id)
    seated.confirm(game_id)
    send(game_id)

    logged = "".join(capfd.readouterr())

    assert "mail_refused" in logged
    assert "example.org" not in logged
    for each in sink.letters:
        assert each.url.rsplit("/", 1)[1] not in logged


def test_a_settled_mail_keeps_no_bytes(sink: Sink) -> None:
    table = seated.started(3, rounds=1)
    table.finish()
    send(table.id)

    assert run("SELECT 1 FROM mail WHERE settled_at IS NOT NULL AND body <> ''") == []
