"""Our address with a secret in it, made and read in both its forms."""

from email.headerregistry import Address

import pytest

from service.values import inbound_addresses as ours

INBOUND = Address("", "game", "play.example.org")
ONE, OTHER = "abcdefghijklmnopqrstuvwxyz", "234567" + "a" * 20


def test_what_is_made_is_read_and_each_form_by_its_own_reader_alone() -> None:
    answers = ours.for_answers(INBOUND, ONE).addr_spec
    bounces = ours.for_bounces(INBOUND, OTHER).addr_spec

    both = f"{bounces.upper()}, {answers}, {answers.upper()}"

    assert ours.answer_secrets(both) == (ONE,)
    assert ours.bounce_secrets(both) == (OTHER,)
    assert len(bounces) == len(INBOUND.addr_spec) + ours.MOST_ADDED


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_where_nobody_says_it_a_mail_went_to_what_its_headers_name(end: str) -> None:
    to = ours.for_answers(INBOUND, ONE).addr_spec
    body = ours.for_answers(INBOUND, OTHER).addr_spec
    raw = f"To: {to}{end}{end}{body}".encode()

    assert ours.answer_secrets(ours.delivered_to(raw, "")) == (ONE,)
    assert ours.delivered_to(raw, body) == body
