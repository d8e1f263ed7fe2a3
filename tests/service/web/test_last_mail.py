"""What became of the latest mail to somebody: told to them, by page and API."""

from pathlib import Path

import pytest
from flask import Flask

from tests.rig.service import seated
from tests.rig.service.postbox import Postbox
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run
from tests.rig.service.visitor import Visitor, table_link

pytestmark = pytest.mark.usefixtures("inside")

BECAME = {
    "delivered": ("", "Last mail to you: delivered "),
    "returned": ("bounced_at = kingup_now()", "Last mail to you: it came back "),
    "refused": ("state = 'failed'", "Last mail to you: no server took it, "),
}


@pytest.mark.parametrize("state", BECAME)
def test_its_reader_is_told_by_page_and_api_and_nobody_else(
    app: Flask,
    visitor: Visitor,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    state: str,
) -> None:
    api = Api(app)
    post = Postbox(app, tmp_path, monkeypatch)
    table = Table(api, rounds=1)
    post.tell(table.id)
    post.letters()
    change, said = BECAME[state]
    if change:
        run(f"UPDATE mail SET {change}")
    mine = Visitor(app)
    mine.remember(table.table, 1)

    told = api.get("/v1/me/mails?limit=1", table.tokens[1]).json["mails"][0]

    assert told["state"] == ("failed" if state == "refused" else "sent")
    assert (told["returned_at"] is not None) is (state == "returned")
    page = mine.get(f"/g/{table.id}")
    assert said in page.text
    assert "Lost the mail?" in page.text
    assert "Last mail to you" not in visitor.get(f"/g/{table.id}").text


def test_before_the_first_mail_there_is_none(app: Flask) -> None:
    api = Api(app)
    table = Table(api, rounds=1)

    assert api.get("/v1/me/mails", table.tokens[1]).json == {"mails": []}


def test_who_is_invited_reads_from_whom_mails_come(app: Flask) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)

    page = Visitor(app).get(table_link(game_id, 1, "invitation"))

    assert "Our mails come from kingup@localhost" in page.text
