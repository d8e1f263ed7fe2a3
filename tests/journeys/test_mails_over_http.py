"""A mail may be longer than any other body, for whoever shows the secret alone."""

import http.client
from collections.abc import Callable
from contextlib import closing

import pytest

from service.config import MAIL_LIMIT
from tests.rig.house import House

SECRET = "a-secret-that-only-the-mail-service-knows"


@pytest.fixture(scope="module")
def house(build: Callable[..., House]) -> House:
    """A web process that takes mails in."""
    settings = {
        "INBOUND_ADDRESS": "game@play.example.org",
        "INBOUND_SECRET": SECRET,
    }
    return build(webs=1, workers=0, **settings)


def post(house: House, size: int, shown: str) -> int:
    """The status of a mail of a size; 0 for whoever is hung up on."""
    with closing(
        http.client.HTTPConnection("127.0.0.1", house.ports[0], timeout=30)
    ) as line:
        head = {"Authorization": f"Bearer {shown}", "Content-Type": "message/rfc822"}
        try:
            line.request("POST", "/inbound", b"x" * size, head)
            return line.getresponse().status
        except ConnectionError:
            return 0


@pytest.mark.parametrize("size", [100, 100_000, 1_500_000])
def test_a_mail_of_any_size_comes_in(house: House, size: int) -> None:
    before = house.rows("SELECT count(*) FROM incoming_mail")[0][0]

    assert post(house, size, SECRET) == 204
    assert house.rows("SELECT count(*) FROM incoming_mail")[0][0] == before + 1


def test_what_is_longer_and_whoever_shows_no_secret_is_refused(house: House) -> None:
    before = house.rows("SELECT count(*) FROM incoming_mail")

    assert post(house, MAIL_LIMIT + 1, SECRET) in (413, 0)
    assert post(house, 100, "another secret, just as long as the right one") == 401
    assert post(house, 1_500_000, "none") in (401, 413, 0)
    assert house.rows("SELECT count(*) FROM incoming_mail") == before
