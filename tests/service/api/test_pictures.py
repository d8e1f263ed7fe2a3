"""Pictures of a view: whole, harmless, the same for every reader, with real words."""

import struct
from xml.etree import ElementTree

import pytest

from engine.board import LETTERS
from service.api.resources.pictures import _ALONE
from service.present import castle, nouns, picture
from tests.rig.service import programs, seated
from tests.rig.service.programs import Api, Table

SVG = "{http://www.w3.org/2000/svg}"
KINDS = ("svg", "png", "txt")


def texts(document: str, kind: str) -> list[str]:
    root = ElementTree.fromstring(document)
    found = root.iter(f"{SVG}text")
    return [str(each.text) for each in found if each.get("class") == kind]


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_the_drawing_is_a_whole_document_that_asks_for_nothing(api: Api) -> None:
    table = Table(api, placement="random")

    answer = api.get(f"{table.path}/view.svg")

    assert answer.content_type == "image/svg+xml; charset=utf-8"
    assert (
        answer.headers["Content-Security-Policy"] == _ALONE["Content-Security-Policy"]
    )
    root = ElementTree.fromstring(answer.text)
    assert root.tag == f"{SVG}svg"
    box = [float(part) for part in str(root.get("viewBox")).split()]
    assert box[2:] == [float(str(root.get(side))) for side in ("width", "height")]
    assert {each.tag for each in root.iter()}.isdisjoint(
        {f"{SVG}{tag}" for tag in ("script", "image", "use", "style", "a")}
    )
    named = [name for each in root.iter() for name in each.attrib]
    assert not [name for name in named if name.startswith("on") or "href" in name]
    assert str(root.findtext(f"{SVG}title")) == "King Up! · Classic · Round 1 of 3"


def test_a_picture_shows_who_stands_where_and_who_is_asked(api: Api) -> None:
    table = Table(api, placement="random")
    asked = seated.NAMES[table.asked]

    drawn = api.get(f"{table.path}/view.svg").text
    in_words = api.get(f"{table.path}/view.txt")

    assert sorted(texts(drawn, "letter")) == list(LETTERS)
    assert texts(drawn, "state") == [f"{asked} is asked: Who moves?"]
    assert [n for n in texts(drawn, "name") if n in seated.NAMES] == [
        "Rachel",
        "Simon",
        "Terry",
    ]
    assert in_words.content_type == "text/plain; charset=utf-8"
    lines = in_words.text.splitlines()
    assert lines[:3] == [
        "Classic · Round 1 of 3",
        f"{asked} is asked: Who moves?",
        "",
    ]
    assert lines[3].split() == ["10", "King's", "throne", "-"]
    assert f"0   {asked} (is asked)" in lines
    for letter in LETTERS:
        assert in_words.text.count(nouns.name_of(letter)) == 1


def test_the_text_tells_the_castle_in_the_rows_of_mails(api: Api) -> None:
    table = Table(api, placement="random")

    text = api.get(f"{table.path}/view.txt").text

    with api.app.test_request_context("/"):
        places = api.get(f"{table.path}/view").json["places"]
        rows = [
            castle.FloorRow(
                each["label"],
                each["value"],
                tuple(each["characters"]),
                tuple(map(nouns.name_of, each["characters"])),
            )
            for each in places
            if each["kind"] != "out"
        ]
        assert "\n".join(castle.lines(rows)) in text


def test_the_pixels_are_as_wide_as_two_phones(api: Api) -> None:
    table = Table(api, placement="random")

    answer = api.get(f"{table.path}/view.png")

    assert answer.content_type == "image/png"
    width, height = size(answer.data)
    assert width == picture.PNG_WIDTH
    assert height > width


@pytest.mark.parametrize("name", ["Symon", "Šimon", "Σίμων", "Саймон", "Simon & <b>"])
def test_other_words_make_other_pixels(api: Api, name: str) -> None:
    table = Table(api)
    before = api.get(f"{table.path}/view.png").data
    rename(table, 1, name)

    after = api.get(f"{table.path}/view.png").data

    assert size(after) == size(before)
    assert after != before


def test_names_are_words_and_no_markup(api: Api) -> None:
    table = Table(api)
    rename(table, 1, "<script>alert(1)</script>")
    rename(table, 2, "\"'/>&amp;{{ 7 * 7 }}")

    answers = {kind: api.get(f"{table.path}/view.{kind}") for kind in KINDS}

    drawn = answers["svg"].text
    assert "<script" not in drawn
    assert {"<script>alert(1)</script>", "\"'/>&amp;{{ 7 * 7 }}"} <= set(
        texts(drawn, "name")
    )
    assert "<script>alert(1)</script>" in answers["txt"].text
    for answer in answers.values():
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_name_from_right_to_left_stays_by_itself(api: Api) -> None:
    table = Table(api)
    rename(table, table.asked, "שמעון")

    text = api.get(f"{table.path}/view.txt").text

    assert "\u2068שמעון\u2069 is asked: Whom do you place, and where?" in text


def test_a_long_name_gets_smaller_letters(api: Api) -> None:
    table = Table(api)
    rename(table, 1, "W" * 32)

    root = ElementTree.fromstring(api.get(f"{table.path}/view.svg").text)

    sizes = {
        each.text: float(str(each.get("font-size"))) for each in root.iter(f"{SVG}text")
    }
    assert sizes["W" * 32] < sizes["Rachel"] == 14.5


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_the_same_for_every_reader(api: Api, kind: str) -> None:
    table = programs.in_election(api)
    table.put(0, {"kind": "election", "card": "no"})

    answers = [
        api.get(f"{table.path}/view.{kind}", token) for token in (None, *table.tokens)
    ]

    assert len({answer.data for answer in answers}) == 1
    assert len({answer.headers["ETag"] for answer in answers}) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_ballot_changes_no_picture(api: Api, kind: str) -> None:
    table = programs.in_election(api)
    before = api.get(f"{table.path}/view.{kind}")

    for seat, card in enumerate(("yes", "no", "yes")):
        assert table.put(seat, {"kind": "election", "card": card}).status_code == 200

    after = api.get(f"{table.path}/view.{kind}")
    assert (after.data, after.headers["ETag"]) == (before.data, before.headers["ETag"])
    table.inside("resolve")
    assert api.get(f"{table.path}/view.{kind}").data != before.data


def test_a_nominee_is_asked_about_and_the_crown_has_its_holder(api: Api) -> None:
    table = programs.in_election(api)
    view = table.view().json

    text = api.get(f"{table.path}/view.txt").text

    assert view["decision"]["question"] in text.splitlines()
    holder = seated.NAMES[view["crown"]]
    assert f"0   {holder} (has the crown)" in text.splitlines()
    assert text.count("has the crown") == 1


def test_the_end_is_told_with_the_winners(api: Api) -> None:
    table = Table(api, rounds=1, placement="random")
    table.inside("finish")
    view = table.view().json
    winners = [seated.NAMES[seat] for seat in view["winners"]]

    text = api.get(f"{table.path}/view.txt").text

    assert text.splitlines()[1].startswith("The game is over: ")
    for seat, total in enumerate(view["totals"]):
        line = text.splitlines()[seat - len(view["totals"])]
        assert line.split()[:2] == [nouns.signed(total), seated.NAMES[seat]]
        assert ("winner" in line) is (seated.NAMES[seat] in winners)


@pytest.mark.parametrize("kind", KINDS)
def test_the_past_is_the_same_for_good_and_without_names(api: Api, kind: str) -> None:
    table = Table(api)
    table.play_a_turn()
    at = table.view().json["revision"]
    path = f"{table.path}/view.{kind}?at={at}"
    before = api.get(path)

    table.play_a_turn()
    rename(table, 1, "Agnes")

    again = api.get(path, table.tokens[0])
    assert (again.status_code, again.data) == (200, before.data)
    assert api.get(f"{table.path}/view.{kind}").data != before.data
    assert b"Simon" not in before.data
    if kind != "png":
        assert "Player 2" in before.text


def test_a_table_before_the_start_is_an_empty_castle(api: Api) -> None:
    with api.app.app_context():
        game_id = seated.draft(4)
        seated.confirm(game_id)

    text = api.get(f"/v1/games/{game_id}/view.txt").text

    assert text.splitlines()[:2] == ["Classic", "The game has not started yet."]
    assert "Not placed yet" in text
    assert "Rachel" in text


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_kept_by_its_etag_and_refused_as_the_view_is(
    api: Api, kind: str
) -> None:
    table = Table(api)
    path = f"{table.path}/view.{kind}"
    etag = api.get(path).headers["ETag"]

    again = api.get(path, If_None_Match=etag)

    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in again.headers["Vary"]
    for query, status in (("?at=0", 422), ("?at=999", 404), ("?seat=1", 422)):
        assert api.get(f"{path}{query}").status_code == status
        assert api.get(f"{table.path}/view{query}").status_code == status
    with api.app.app_context():
        game_id = seated.draft(3, tag="+draft")
    assert api.get(f"/v1/games/{game_id}/view.{kind}").status_code == 404
    assert api.get(path, "kup_bad").status_code == 401


def test_pixels_that_a_reader_has_are_not_painted_again(api: Api) -> None:
    table = Table(api)
    path = f"{table.path}/view.png"
    etag = api.get(path).headers["ETag"]
    picture.png.cache_clear()

    again = api.get(path, If_None_Match=etag)

    assert (again.status_code, again.data) == (304, b"")
    assert picture.png.cache_info().misses == 0
    assert size(api.get(path, If_None_Match='"another"').data)[0] == picture.PNG_WIDTH
    assert picture.png.cache_info().misses == 1


def rename(table: Table, seat: int, name: str) -> None:
    with table.api.app.app_context():
        seated.run(
            "UPDATE seat SET name = :name WHERE game_id = :g AND number = :s",
            {"name": name, "g": table.id, "s": seat},
        )
