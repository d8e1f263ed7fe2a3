"""Who wants mails only when they must act hears of all else by the next of them."""

import pytest

from engine.board import Card
from service.people import accounts
from service.people.accounts import AccountChange
from service.values.enums import MailChoice
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker.mail_server import Sink, send


def wants(table: Seated, seat: int, mails: MailChoice) -> None:
    wish = AccountChange(mails=mails)
    accounts.change(seated.person_on(table.id, seat), wish, None)


def to(sink: Sink, name: str) -> list[str]:
    return [each.text for each in sink.letters if each.to.startswith(name)]


@pytest.mark.parametrize("mails", MailChoice)
def test_a_result_is_told_by_the_next_question(sink: Sink, mails: MailChoice) -> None:
    table = seated.in_election(3)
    run("UPDATE notice SET superseded_at = now()")
    wants(table, 2, mails)
    table.lay([Card.YES, Card.YES, Card.NO])
    table.resolve()
    (mover,) = table.game.asked()
    assert mover != 2

    send(table.id)
    assert len(to(sink, "terry")) == (mails is MailChoice.INSTANT)
    assert len(to(sink, seated.NAMES[mover].lower())) == 1
    table.nominate()
    send(table.id)

    asked = to(sink, "terry")[-1]
    assert len(to(sink, "terry")) == 1 + (mails is MailChoice.INSTANT)
    assert ("out of the round" in asked) == (mails is MailChoice.ASKS), asked


def test_the_end_of_a_round_and_of_the_game_come_by_themselves(sink: Sink) -> None:
    table = seated.started(3, rounds=2)
    run("UPDATE notice SET superseded_at = now()")
    for seat in range(3):
        wants(table, seat, MailChoice.ASKS)

    table.play_round()
    table.finish()
    send(table.id)

    assert sink.kinds() == ["game_over"] * 3
