"""Seats for whoever comes, as mails tell of them."""

from uuid import UUID

from service.store import people
from service.store.people import Profile
from service.tables import creation, joining
from service.tables.creation import Guest, HostWish, OpenSeat, TableWish
from service.values import addresses
from tests.rig.service import seated
from tests.rig.worker.mail_server import Sink, send


def laid() -> UUID:
    """Rachel's table: Simon is invited, and there is a free seat."""
    wish = TableWish((Guest("simon@example.org", "Simon"), OpenSeat()))
    game_id = creation.draft(HostWish("rachel@example.org", Profile("Rachel")), wish)
    seated.confirm(game_id)
    return game_id


def test_an_invitation_says_that_there_is_a_free_seat(sink: Sink) -> None:
    send(laid())

    [invitation] = [each for each in sink.letters if each.to == "simon@example.org"]
    assert "At the table: Rachel, Simon, and a free seat." in _plain(invitation.text)


def test_the_host_hears_that_somebody_left_but_not_who(sink: Sink) -> None:
    game_id = laid()
    terry = people.known_or_new(
        addresses.parse("terry@example.org", "address"), Profile("Terry")
    )
    send(game_id)
    before = len(sink.letters)
    joining.take(game_id, terry, 2, "", "")
    joining.leave(game_id, terry.id, 2)

    send(game_id)

    [mail] = sink.letters[before:]
    assert mail.to == "rachel@example.org"
    assert "Somebody has left: a seat is free for whoever comes." in mail.text
    assert "Terry" not in mail.text


def _plain(text: str) -> str:
    """Without the marks that set names apart, on one line."""
    return " ".join(text.translate({0x2068: None, 0x2069: None}).split())
