"""Addresses: compared without case, sent as typed, one validated address a field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.values import addresses
from service.values.errors import Invalid

# Pairs, letters that are somebody's only half, and what has no case.
_LETTERS = "aAkKsSiIeEéÉßẞıİſσςΣμµθϑϴǆǅǄῳῼﬁꭰᎠაᲐ7+-ж"
_LOCALS = st.text(st.sampled_from(_LETTERS), min_size=1, max_size=6)
_BEYOND_CASE = 0x20000
_DOMAINS = st.sampled_from(["example.org", "EXAMPLE.org", "bücher.de", "BÜCHER.DE"])


def _differ_in_case_only(one: str, other: str) -> bool:
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(a == b or _paired(a, b) for a, b in pairs)


def _paired(one: str, other: str) -> bool:
    return (one.lower(), other.upper()) == (other, one) or (
        (other.lower(), one.upper()) == (one, other)
    )


@given(_LOCALS, _LOCALS, st.lists(st.booleans(), min_size=6, max_size=6), _DOMAINS)
def test_two_addresses_are_one_where_the_case_of_letters_differs_and_nowhere_else(
    local: str, other: str, swaps: list[bool], domain: str
) -> None:
    swapped = "".join(
        letter.swapcase() if swap and len(letter.swapcase()) == 1 else letter
        for letter, swap in zip(local, swaps, strict=False)
    )
    (mine, *others) = (
        addresses.parse(f"{each}@{domain}", "address").key
        for each in (local, swapped, other)
    )

    assert [key == mine for key in others] == [
        _differ_in_case_only(local, each) for each in (swapped, other)
    ]
    assert addresses.parse(mine, "address").key == mine


def test_no_more_than_two_letters_are_ever_one() -> None:
    alike: dict[str, set[str]] = {}
    for letter in map(chr, range(_BEYOND_CASE)):
        alike.setdefault(addresses.key(letter, "x.org"), set()).add(letter)

    assert max(map(len, alike.values())) == 2
    assert len(alike) < _BEYOND_CASE
    for key, letters in alike.items():
        small = key.removesuffix("@x.org")
        assert small in letters
        assert addresses.key(small, "x.org") == key


def test_an_address_is_compared_without_case_and_sent_as_typed() -> None:
    one = addresses.parse("Rita@Example.ORG", "address")
    other = addresses.parse(" rita@example.org ", "address")

    assert one.key == other.key == "rita@example.org"
    assert one.typed == "Rita@example.org"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("weiß", "weiss"),
        ("weiẞ", "weiß"),
        ("ılse", "ilse"),
        ("İlse", "ilse"),
        ("nikoς", "nikoσ"),
        ("ſam", "sam"),
        ("ﬁona", "fiona"),
        ("µ", "μ"),
        ("ａnn", "ann"),
        ("anné", "anne"),
        ("a.b", "ab"),
    ],
)
def test_what_reads_or_folds_alike_is_somebody_else(one: str, other: str) -> None:
    keys = {addresses.parse(f"{name}@x.org", "address").key for name in (one, other)}

    assert len(keys) == 2


@pytest.mark.parametrize("name", ["\u212aarl", "\u212bke", "\u2126", "\u1f71"])
def test_a_letter_that_would_be_mailed_as_another_is_refused(name: str) -> None:
    with pytest.raises(Invalid):
        addresses.parse(f"{name}@x.org", "address")


def test_an_accent_is_one_however_it_is_typed() -> None:
    after = addresses.parse("rene\u0301@x.org", "address")
    within = addresses.parse("ren\u00e9@x.org", "address")

    assert after == within


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
