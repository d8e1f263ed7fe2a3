"""How a mail says that it can be answered, and what the lines in it do."""

from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from selectolax.lexbor import LexborHTMLParser

from engine import legal
from engine.board import Card
from engine.commands import Ballot
from engine.state import Kind
from service.present import languages
from tests.rig.service import mailing_in, seated
from tests.rig.worker.answered import parsed, text_of
from tests.rig.worker.mail_server import Sink, send
from worker.incoming import commands
from worker.outgoing import reply_lines

EDITIONS = ("classic", "jester")


@pytest.fixture
def inbound(inside: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    mailing_in.open_to(inside, monkeypatch)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("language", languages.API_LANGUAGES)
def test_each_line_is_read_as_the_answer_it_stands_for(
    inside: Flask, edition: str, language: str
) -> None:
    table, kinds = seated.started(3, edition=edition), set[Kind]()
    while len(kinds) < len(Kind):
        game = table.game
        assert game.decision is not None
        if game.decision.kind not in kinds:
            kinds.add(game.decision.kind)
            offers = legal.offers(game)
            with inside.test_request_context(), languages.speaking(language):
                lines = [reply_lines.line(offer) for offer in offers]
            leads = game.law.destinations(game.board)
            for line, offer in zip(lines, offers, strict=True):
                found = commands.read([line], offers, game.law.places, leads)
                assert isinstance(found, commands.Command), (line, found)
                assert found.answer == offer
        if game.decision.kind is not Kind.ELECTION:
            seat = game.asked()[0]
            table.answer(seat, seated.own(game, seat).legal[-1].answer)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.usefixtures("inbound")
def test_an_election_has_a_button_for_every_card_of_the_edition(
    sink: Sink, edition: str
) -> None:
    table = seated.started(3, edition=edition, placement="random", rounds=1)
    table.nominate()
    send(table.id)
    cards = [each.card for each in legal.offers(table.game) if isinstance(each, Ballot)]

    for raw in sink.raw:
        message = parsed(raw)
        page = message.get_body(("html",))
        assert page is not None
        links = [
            urlsplit(str(node.attributes["href"]))
            for node in LexborHTMLParser(str(page.get_content())).css("a[href^=mailto]")
        ]
        bodies = [parse_qs(each.query)["body"][0] for each in links]
        assert [Card(body.lower()) for body in bodies] == cards
        to = str(message["Reply-To"].addresses[0].addr_spec)
        assert {each.path.replace("%2B", "+") for each in links} == {to}


@pytest.mark.usefixtures("inbound")
def test_the_text_says_how_to_answer(sink: Sink) -> None:
    send(seated.in_election(3).id)

    for raw in sink.raw:
        assert "answer this mail with one line, for example: Yes." in text_of(
            parsed(raw)
        ).replace("\n", " ")


def test_without_an_address_for_them_no_mail_speaks_of_answers(sink: Sink) -> None:
    send(seated.in_election(3).id)

    assert sink.raw
    for raw in sink.raw:
        assert b"mailto:" not in raw
        assert "answer this mail" not in text_of(parsed(raw))
