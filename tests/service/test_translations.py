"""What translators will get: whole sentences, with names for what is filled in."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def messages() -> set[str]:
    return set(extracted())


def extracted() -> Iterator[str]:
    with (ROOT / "service/translations/babel.cfg").open() as mapping:
        methods, options = parse_mapping_cfg(mapping)
    found = extract_from_dir(
        ROOT, methods, options, keywords={**DEFAULT_KEYWORDS, "_l": None}
    )
    for _, _, message, _, _ in found:
        yield from (message,) if isinstance(message, str) else message


def test_pages_mails_and_code_are_all_read(messages: set[str]) -> None:
    page, mail, lazy, picture, code = (
        "Open my cards",
        "Confirm on this page",
        "King's throne",
        "The castle",
        "Nothing was chosen, so nothing has happened. Choose first.",
    )

    assert {page, mail, lazy, picture, code} <= messages


def test_no_sentence_holds_markup(messages: set[str]) -> None:
    assert [message for message in messages if re.search(r"<\w|&\w+;", message)] == []


def test_what_is_filled_in_has_a_name(messages: set[str]) -> None:
    unnamed = re.compile(r"%(?!\(\w+\)s)|\{\w*\}")

    assert [message for message in messages if unnamed.search(message)] == []
