"""What translators get, and gave: whole sentences, with names for what is filled in."""

import re
import tomllib

import pytest
from babel.messages import pofile
from babel.messages.catalog import Catalog

from service.present import languages
from tests.rig.service.extracted import ROOT, extracted, found

TRANSLATED = languages.API_LANGUAGES[1:]


@pytest.fixture(scope="module")
def messages() -> set[str]:
    return set(extracted())


def said_by_the_api() -> set[str | tuple[str, ...]]:
    """All that may get into an answer below /v1: what isn't for pages and mails."""
    return {
        message
        for file, message in found()
        if file.startswith("service/")
        and not file.startswith("service/web/")
        and not file.endswith(".html")
    }


def catalog(language: str) -> Catalog:
    path = languages.FOLDER / language / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        return pofile.read_po(file, abort_invalid=True)


def forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def blanks(text: str) -> list[str]:
    return sorted(re.findall(r"%\(\w+\)s", text))


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


def test_no_sentence_puts_a_place_or_a_character_behind_a_little_word(
    messages: set[str],
) -> None:
    # Other languages bend both: what leads to a name belongs into the name's phrase.
    little = "a|an|the|at|beside|by|for|from|in|into|of|on|onto|to|up|with"
    behind = re.compile(rf"\b({little}) %\((character|place)s?\)s", re.IGNORECASE)

    assert [message for message in messages if behind.search(message)] == []


def test_what_is_filled_in_has_a_name(messages: set[str]) -> None:
    unnamed = re.compile(r"%(?!\(\w+\)s)|\{\w*\}")

    assert [message for message in messages if unnamed.search(message)] == []


def test_the_languages_are_those_of_the_rules() -> None:
    folders = {path.name for path in languages.FOLDER.iterdir() if path.is_dir()}

    assert languages.API_LANGUAGES == ("en", "it", "fr", "de")
    assert folders == set(TRANSLATED)


@pytest.mark.parametrize("language", TRANSLATED)
def test_whatever_the_api_says_is_translated(language: str) -> None:
    translated = {
        forms(message.id): forms(message.string)
        for message in catalog(language)
        if message.id and not message.fuzzy
    }

    untranslated = [
        message
        for message in said_by_the_api()
        if not all(translated.get(forms(message), ("",)))
    ]
    assert untranslated == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_fills_in_what_the_original_does(language: str) -> None:
    read = [message for message in catalog(language) if message.id]

    amiss = [
        (message.id, text)
        for message in read
        for text in forms(message.string)
        if blanks(text) not in [blanks(form) for form in forms(message.id)]
    ]
    assert amiss == []
    assert not [m.id for m in read if re.search(r"<\w|&\w+;", str(m.string))]


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_translated_that_nobody_says(language: str) -> None:
    known = {forms(message) for message in said_by_the_api()}

    left = [m.id for m in catalog(language) if m.id and forms(m.id) not in known]

    assert left == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalog_speaks_and_counts(language: str) -> None:
    spoken = languages.catalog(language)

    assert spoken.gettext("Servants") != "Servants"
    one, two = (
        spoken.ngettext("One round;", "%(num)s rounds;", count) for count in (1, 2)
    )
    assert "%(num)s" not in one
    assert "%(num)s" in two


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_two_sentences_become_one(language: str) -> None:
    ids_by_text: dict[tuple[str, ...], set[object]] = {}
    for message in catalog(language):
        if message.id:
            ids_by_text.setdefault(tuple(forms(message.string)), set()).add(message.id)

    assert [ids for ids in ids_by_text.values() if len(ids) > 1] == []


def test_a_language_without_a_catalog_is_english() -> None:
    assert languages.catalog("en").gettext("Servants") == "Servants"
    assert languages.catalog("..").gettext("Servants") == "Servants"


def test_the_catalogs_are_packaged() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = settings["tool"]["setuptools"]["package-data"]["service"]

    packaged = {
        path for pattern in patterns for path in (ROOT / "service").glob(pattern)
    }

    for language in TRANSLATED:
        assert languages.FOLDER / language / "LC_MESSAGES" / "messages.po" in packaged
