"""Addresses: compared without case, sent as typed, one validated address a field."""

import pytest

from service import addresses
from service.errors import Invalid


def test_an_address_is_compared_without_case_and_sent_as_typed() -> None:
    one = addresses.parse("Rita@Example.ORG", "address")
    other = addresses.parse(" rita@example.org ", "address")

    assert one.key == other.key == "rita@example.org"
    assert one.typed == "Rita@example.org"


def test_plus_tags_are_distinct() -> None:
    keys = {
        addresses.parse(raw, "address").key
        for raw in ("rita@example.org", "rita+a@example.org", "rita+b@example.org")
    }

    assert len(keys) == 3


def test_a_domain_is_one_however_it_is_spelled() -> None:
    typed = addresses.parse("rita@BÜCHER.example", "address")
    coded = addresses.parse("rita@xn--bcher-kva.example", "address")

    assert typed.key == coded.key == "rita@xn--bcher-kva.example"


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "rita",
        "rita@",
        "@example.org",
        "rita@example",
        "a@example.org, b@example.org",
        "a@example.org b@example.org",
        "Rita <rita@example.org>",
        "rita@example.org\r\nBcc: y@example.org",
        "rita@exam ple.org",
        "rita@[127.0.0.1]",
        "rita@example..org",
        "rita@" + "x" * 250 + ".org",
        "\ud800@example.org",
        "ri\x00ta@example.org",
        "=?l1?q?=0D=0AX=3Ay?=@example.org",
    ],
)
def test_what_is_not_one_address_is_refused(raw: str) -> None:
    with pytest.raises(Invalid) as refused:
        addresses.parse(raw, "seats.1.address")

    assert refused.value.facts == {
        "field": "seats.1.address",
        "reason": "bad-address",
    }
