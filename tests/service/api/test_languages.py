"""The API answers in the reader's language: which one, where, and what it leaves."""

import pytest
from flask import Flask

from service.present import languages
from tests.rig.service import programs
from tests.rig.service.programs import Api, Table


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [
        ("it", "it"),
        ("fr-CH, de;q=0.5", "fr"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("DE-at", "de"),
        ("en-GB", "en"),
        ("pt, fr;q=0.3, en;q=0.2", "fr"),
        ("de;q=0, it;q=0.1", "it"),
        ("pt-BR", "en"),
        ("*", "en"),
        ("de;q=0", "en"),
        ("", "en"),
        ("x" * 300, "en"),
        (";;,q=,", "en"),
    ],
)
def test_the_best_language_we_speak_is_chosen(
    api: Api, wanted: str, spoken: str
) -> None:
    answer = api.get("/v1/editions", Accept_Language=wanted)

    assert answer.headers["Content-Language"] == spoken
    assert "Accept-Language" in answer.headers["Vary"]
    names = [each["labels"][spoken] for each in answer.json["editions"]]
    assert [each["label"] for each in answer.json["editions"]] == names


@pytest.mark.parametrize(
    ("language", "question", "label"),
    [
        ("en", "Whom do you place, and where?", "Alighiero to the Craftsmen"),
        ("it", "Chi piazzi, e dove?", "Alighiero dagli Artigiani"),
        (
            "fr",
            "Qui places-tu, et où\u202f?",
            "Alighiero chez les Artisans",
        ),
        ("de", "Wen setzt du ein, und wo?", "Alighiero zu den Handwerkern"),
    ],
)
def test_a_view_asks_in_the_readers_language(
    api: Api, language: str, question: str, label: str
) -> None:
    table = Table(api)

    view = api.get(
        f"{table.path}/view", table.tokens[table.asked], Accept_Language=language
    )

    assert view.headers["Content-Language"] == language
    assert view.json["decision"]["question"] == question
    assert view.json["legal"][0]["label"] == label


def test_each_language_has_a_copy_of_its_own(api: Api) -> None:
    table = Table(api)

    views = {
        language: api.get(f"{table.path}/view", Accept_Language=language)
        for language in languages.API_LANGUAGES
    }

    assert len({view.headers["ETag"] for view in views.values()}) == len(views)
    etag = views["it"].headers["ETag"]
    again = api.get(f"{table.path}/view", Accept_Language="it", If_None_Match=etag)
    assert again.status_code == 304


def test_an_answer_fits_the_question_in_whichever_language_it_was_read(
    api: Api,
) -> None:
    table = Table(api)
    seat = table.asked
    views = [
        api.get(f"{table.path}/view", table.tokens[seat], Accept_Language=language).json
        for language in languages.API_LANGUAGES
    ]

    answers = [[offer["answer"] for offer in view["legal"]] for view in views]

    assert all(each == answers[0] for each in answers)
    assert table.put(seat, answers[1][0]).status_code == 200


@pytest.mark.parametrize(
    ("language", "detail"),
    [
        ("en", "There is no such game."),
        ("it", "Questa partita non esiste."),
        ("fr", "Cette partie n’existe pas."),
        ("de", "Diese Partie gibt es nicht."),
    ],
)
def test_a_problem_is_told_in_the_readers_language(
    api: Api, language: str, detail: str
) -> None:
    path = f"/v1/games/{programs.unknown_game()}"

    problem = api.get(path, Accept_Language=language)

    assert (problem.status_code, problem.json["code"]) == (404, "not-found")
    assert problem.json["detail"] == detail
    assert problem.headers["Content-Language"] == language
    assert "Accept-Language" in problem.headers["Vary"]


def test_an_address_that_is_none_is_a_problem_in_the_readers_language(
    api: Api,
) -> None:
    problem = api.get("/v1/nothing/here", Accept_Language="de")

    assert problem.json["detail"] == "So etwas gibt es nicht."
    assert problem.headers["Content-Language"] == "de"


@pytest.mark.parametrize("language", languages.API_LANGUAGES)
def test_the_record_is_the_same_in_every_language(api: Api, language: str) -> None:
    table = Table(api)
    table.play_a_turn()

    record = api.get(f"{table.path}/events", Accept_Language=language)

    assert record.data == api.get(f"{table.path}/events").data


def test_the_contract_says_that_it_is_in_english(api: Api) -> None:
    contract = api.get("/v1/openapi.yaml", Accept_Language="fr")

    assert contract.headers["Content-Language"] == "en"


def test_pages_stay_english(app: Flask) -> None:
    page = app.test_client().get("/", headers={"Accept-Language": "de"})

    assert page.status_code == 200
    assert '<html lang="en"' in page.text
    assert "Content-Language" not in page.headers
    assert "Play with three bots now" in page.text
