"""Two mailboxes that read alike are two people: each gets what is theirs alone."""

import hmac
import importlib.util
import re
from pathlib import Path
from uuid import UUID

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from flask import Flask

import service
from service.models.base import db
from service.store import opt_outs
from service.store.transactions import transaction
from tests.rig.service import leaving
from tests.rig.service.leaving import guest
from tests.rig.service.postbox import Postbox
from tests.rig.service.programs import operator_token
from tests.rig.service.seated import run

SHARP, DOUBLE = "weiß@example.org", "weiss@example.org"
COARSE = re.compile(r"casefold|NFK[CD]|IGNORECASE|ilike|citext|(?<!\.)lower\(", re.I)
MEANT_SO = {
    "service/values/names.py",
    "service/store/opt_outs.py",
    "service/store/late_mails.py",
    "service/monitoring/logs.py",
    "service/processes/liveness.py",
    "service/values/inbound_addresses.py",
    "worker/incoming/commands.py",
    "worker/incoming/delivery_reports.py",
    "worker/incoming/fresh_text.py",
    "worker/incoming/html_text.py",
    "worker/incoming/letter.py",
    "worker/incoming/parts.py",
    "worker/incoming/spellings.py",
    "worker/outgoing/sender_checks.py",
}
"""What a name reads like, was kept once, how long spans are, logs, and headers; of
mails their secrets and words, and of domains their records."""


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def recipients(post: Postbox, name: str) -> set[str]:
    """Whom letters went to whose address begins so."""
    return {letter.to for letter in post.letters(name)}


def said_before(post: Postbox, key: str) -> None:
    """Keep a never again as it was when ß was compared like ss."""
    secret = post.api.app.config["KINGUP"].secret_key.encode()
    digest = hmac.digest(secret, f"opt-out {key}".encode(), "sha256").hex()
    with post.api.app.app_context():
        run(f"INSERT INTO opt_out (digest) VALUES ('\\x{digest}')")


def invite(post: Postbox, address: str) -> str:
    """The path of a table that somebody is invited to."""
    host = operator_token(post.api, leaving.HOST)
    path = leaving.table(post, host, guest(address, "Wanda"))
    post.tell(path.rpartition("/")[2])
    return path


def test_one_is_never_mailed_what_the_other_is_asked(post: Postbox) -> None:
    post.sign_in(SHARP)
    post.folder.rename(post.folder.with_name("before"))

    invite(post, DOUBLE)

    assert recipients(post, "wei") == {DOUBLE}


def test_each_has_an_account_of_their_own(post: Postbox) -> None:
    tokens = [post.sign_in(address) for address in (SHARP, DOUBLE)]

    accounts = [post.api.get("/v1/me", token).json for token in tokens]

    assert [account["address"] for account in accounts] == [SHARP, DOUBLE]
    assert accounts[0]["id"] != accounts[1]["id"]


def test_the_case_of_letters_beyond_ascii_makes_nobody_new(post: Postbox) -> None:
    first, large = "ünal@example.org", "ÜNAL@example.org"
    tokens = [post.sign_in(first), operator_token(post.api, large)]

    accounts = [post.api.get("/v1/me", token).json for token in tokens]

    assert accounts[0] == accounts[1]


def test_both_may_sit_at_one_table(post: Postbox) -> None:
    host = operator_token(post.api, leaving.HOST)

    path = leaving.table(post, host, guest(SHARP, "One"), guest(DOUBLE, "Two"))
    post.tell(path.rpartition("/")[2])

    assert recipients(post, "wei") == {SHARP, DOUBLE}


def test_never_again_is_said_for_one_mailbox(post: Postbox) -> None:
    with post.api.app.app_context(), transaction():
        opt_outs.add(DOUBLE)

    with post.api.app.app_context():
        assert [opt_outs.has(key) for key in (DOUBLE, SHARP)] == [True, False]
    post.ask(SHARP)
    post.ask(DOUBLE)
    assert recipients(post, "wei") == {SHARP}


def test_what_was_said_when_both_were_one_holds_for_both(post: Postbox) -> None:
    said_before(post, DOUBLE)

    with post.api.app.app_context():
        keys = (DOUBLE, SHARP, "weis@example.org")
        assert [opt_outs.has(key) for key in keys] == [True, True, False]
    for address in (SHARP, DOUBLE, "weis@example.org"):
        post.ask(address)
    assert recipients(post, "wei") == {"weis@example.org"}


def upgrade(post: Postbox) -> None:
    """Have the keys of now made of those of before, twice."""
    name = "0012_finer_address_keys"
    place = Path(service.__file__).with_name("migrations") / f"versions/{name}.py"
    found = importlib.util.spec_from_file_location(name, place)
    assert found is not None
    assert found.loader is not None
    migration = importlib.util.module_from_spec(found)
    found.loader.exec_module(migration)
    with post.api.app.app_context(), db.engine.begin() as connection:
        context = MigrationContext.configure(connection)
        with Operations.context(context):
            migration.upgrade()
            migration.upgrade()


def test_what_waits_for_two_who_were_one_goes_to_the_address_as_typed(
    post: Postbox,
) -> None:
    host = operator_token(post.api, leaving.HOST)
    path = leaving.table(post, host, guest(SHARP, "Wanda"))
    with post.api.app.app_context():
        coarse = "UPDATE person SET address_key = :double WHERE address = :sharp"
        run(coarse, {"double": DOUBLE, "sharp": SHARP})

    upgrade(post)
    post.tell(UUID(path.rpartition("/")[2]))
    post.sign_in(DOUBLE)

    (invitation,) = post.letters(SHARP)
    (secret,) = re.findall(r"/i/([a-z2-7]{26})", invitation.text)
    asked = post.api.get(f"/v1/invitations/{secret}").json
    assert (asked["state"], asked["seats"][1]["name"]) == ("invited", "Wanda")
    assert {letter.to for letter in post.letters(DOUBLE)} == {DOUBLE}


def test_only_names_are_compared_coarsely_and_what_was_kept_before() -> None:
    root = Path(service.__file__).parents[1]
    files = [
        file
        for package in ("engine", "service", "worker")
        for file in (root / package).rglob("*.py")
        if "migrations" not in file.parts
    ]

    found = {
        str(file.relative_to(root)) for file in files if COARSE.search(file.read_text())
    }

    assert found == MEANT_SO


def test_a_code_for_one_tells_nothing_to_the_other(post: Postbox) -> None:
    post.sign_in(SHARP)
    for _ in range(12):
        post.ask(DOUBLE)

    post.ask(SHARP)

    assert len(post.letters(SHARP[:4])) == 2
