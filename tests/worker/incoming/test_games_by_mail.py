"""Games that are played by nothing but answers to mails, and machines that answer."""

import random
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from engine import legal
from engine.commands import PlacementOption
from engine.state import Game, Kind
from service.store import clock
from tests.rig.service import seated
from tests.rig.service.seated import run
from tests.rig.worker.answered import Asked, Mailboxes, deliver, journal, mail, parsed
from tests.rig.worker.mail_server import send
from worker.clock import sweeper
from worker.outgoing import reply_lines


def links(raw: bytes) -> list[str]:
    """The lines that the links in a mail would have one send."""
    page = parsed(raw).get_body(("html",))
    assert page is not None
    found = LexborHTMLParser(str(page.get_content())).css("a[href^=mailto]")
    hrefs = [urlsplit(str(node.attributes["href"])) for node in found]
    return [parse_qs(each.query)["body"][0] for each in hrefs]


def line_of(game: Game, to: Asked, raw: bytes, chance: random.Random) -> str:
    """What a seat's person writes: a line of their mail's, of a card that they hold."""
    assert game.decision is not None
    mine = [each.answer for each in seated.own(game, to.seat).legal]
    if game.decision.kind is Kind.PLACEMENT:
        return reply_lines.line(chance.choice(mine))
    offers, offered = legal.offers(game), links(raw)
    assert len(offered) == len(offers)
    held = [line for line, each in zip(offered, offers, strict=True) if each in mine]
    return chance.choice(held)


@pytest.mark.parametrize(
    ("edition", "placement", "seed"),
    [("classic", PlacementOption.CHOOSE, 5), ("jester", PlacementOption.RANDOM, 12)],
)
def test_four_people_play_a_game_by_answering_their_mails(
    boxes: Mailboxes, edition: str, placement: PlacementOption, seed: int
) -> None:
    table = seated.started(4, edition=edition, placement=placement, rounds=1)
    # Seeds of short games, with several elections.
    chance, answered = random.Random(seed), 0
    while (game := table.game).running:
        for seat in game.asked():
            to = boxes.asked(table, seat)
            line = line_of(game, to, boxes.raw_of(to), chance)
            deliver(mail(table, to, line))
            answered += 1
            # Of one seat twenty are read in an hour.
            clock.shift(timedelta(minutes=4))
        if game.decision is not None and game.decision.kind is Kind.ELECTION:
            sweeper.sweep()
    assert set(journal()) == {"read"}
    send(table.id)

    sources = run(
        "SELECT DISTINCT source FROM answer WHERE game_id = :g", {"g": table.id}
    )
    assert sources == [("person",)]
    kinds = run("SELECT kind, count(*) FROM mail_journal GROUP BY kind")
    assert kinds == [("read", answered)]


def test_two_machines_that_answer_everything_are_answered_once_or_twice(
    boxes: Mailboxes,
) -> None:
    table = seated.in_election(3)
    send(table.id)
    seen = 0
    for _ in range(50):
        fresh, seen = boxes.sink.raw[seen:], len(boxes.sink.raw)
        for raw in fresh:
            message = parsed(raw)
            seat = boxes.seat_of(table, message)
            if seat != 2:
                to = Asked(seat, str(message["Reply-To"]), "", "")
                deliver(mail(table, to, "I am away until Monday."))
        send(table.id)

    answers = [len(boxes.answers(table, seat)) for seat in range(3)]
    assert answers == [1, 1, 0]
    assert len(table.game.asked()) == 3


def test_bounces_that_somebody_made_up_do_nothing(boxes: Mailboxes) -> None:
    table = seated.in_election(3)
    to = boxes.asked(table, 0)
    before = len(boxes.sink.raw)

    for number in range(10):
        deliver(
            mail(
                table,
                to,
                "550 5.1.1 No such user\r\nyes",
                From="MAILER-DAEMON@example.org",
                Return_Path="<>",
                Message_ID=f"<bounce{number}@example.org>",
            )
        )
    send(table.id)

    assert len(boxes.sink.raw) == before
    assert len(table.game.asked()) == 3
    assert run("SELECT DISTINCT kind FROM mail_journal") == [("automatic",)]
