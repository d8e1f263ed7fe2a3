"""The migrations make exactly the tables of the models, from nothing and back."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import flask_migrate
import pytest
from alembic import autogenerate
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask
from sqlalchemy import Connection, Engine, create_engine

from service import config
from service.game import game_files
from service.models.tables import Base, db
from service.monitoring import health
from service.processes import command_lines
from service.store import opt_outs, quotas
from service.store import tables as tables_store
from service.values import addresses
from tests.rig.service.databases import MIGRATIONS, no_tables, on
from tests.rig.service.game_files import data_of


@pytest.fixture
def empty(environ: dict[str, str]) -> Iterator[dict[str, str]]:
    with no_tables(environ, "_empty") as empty:
        yield empty


@pytest.fixture
def fresh(empty: dict[str, str]) -> Iterator[Flask]:
    """The app on the empty database."""
    with on(empty) as app:
        yield app


@pytest.fixture
def full(environ: dict[str, str], model: str) -> Iterator[Flask]:
    """The app on a database of its own, with every table."""
    with no_tables(environ, "_full", model) as settings, on(settings) as app:
        yield app


@pytest.fixture(scope="module")
def current(environ: dict[str, str], model: str) -> Iterator[Engine]:
    """A database with every table, which nobody may change for good."""
    with no_tables(environ, "_current", model) as settings:
        engine = create_engine(config.load(settings).database_url)
        yield engine
        engine.dispose()


def differences() -> list[object]:
    """What alembic would change to make the database equal to the models."""
    with db.engine.connect() as connection:
        return differences_on(connection)


def differences_on(connection: Connection) -> list[object]:
    options = {"compare_type": True, "compare_server_default": True}
    context = MigrationContext.configure(connection, opts=options)
    return list(autogenerate.compare_metadata(context, Base.metadata))


def run(statement: str) -> list[tuple[object, ...]]:
    with db.engine.begin() as connection:
        result = connection.exec_driver_sql(statement)
        return [tuple(row) for row in result] if result.returns_rows else []


def tables() -> set[object]:
    found = run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return {table for (table,) in found} - {"alembic_version"}


def test_the_migrations_make_the_tables_of_the_models(fresh: Flask) -> None:
    flask_migrate.upgrade(MIGRATIONS)

    assert differences() == []
    assert tables() == set(Base.metadata.tables)


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE event ALTER position TYPE bigint",
        "ALTER TABLE game DROP COLUMN laid",
        "ALTER TABLE answer ALTER source DROP NOT NULL",
        "ALTER TABLE event DROP CONSTRAINT uq_event_game_id",
        "DROP INDEX ix_notice_unmailed",
        "ALTER TABLE mail ALTER attempts DROP DEFAULT",
        "ALTER TABLE link DROP CONSTRAINT fk_link_person_id",
    ],
)
def test_a_table_that_differs_from_its_model_is_noticed(
    current: Engine, change: str
) -> None:
    with current.connect() as connection:
        constraint = connection.exec_driver_sql(
            "SELECT conname FROM pg_constraint WHERE conrelid = 'event'::regclass"
            " AND contype = 'u' ORDER BY conname"
        ).scalar()
        assert differences_on(connection) == []

        connection.exec_driver_sql(change.replace("uq_event_game_id", str(constraint)))

        assert differences_on(connection) != []
        connection.rollback()


def test_the_files_are_numbered_as_alembic_goes_through_them() -> None:
    files = sorted(Path(MIGRATIONS, "versions").glob("*.py"))
    walked = [each.revision for each in ScriptDirectory(MIGRATIONS).walk_revisions()]

    assert [file.name.partition("_")[0] for file in files] == walked[::-1]
    assert [health.migrations(each) for each in walked] == ["ok"] + ["behind"] * (
        len(walked) - 1
    )


def test_every_migration_can_be_taken_back(full: Flask) -> None:
    flask_migrate.downgrade(MIGRATIONS, revision="base")

    assert tables() == set()
    assert run("SELECT proname FROM pg_proc WHERE proname LIKE 'kingup%%'") == []
    flask_migrate.upgrade(MIGRATIONS)
    assert differences() == []


def test_a_game_hosted_elsewhere_outlives_the_step_back(full: Flask) -> None:
    game_id = game_files.take_in(data_of(3))

    flask_migrate.downgrade(MIGRATIONS, revision="0002")

    hosts = "SELECT g.id, p.address FROM game g JOIN person p ON p.id = g.host_id"
    assert run(hosts) == [(game_id, None)]


def test_who_wants_no_invitations_is_kept_on_the_way_there_and_back(
    fresh: Flask,
) -> None:
    flask_migrate.upgrade(MIGRATIONS, revision="0008")
    run(
        "INSERT INTO opt_out (address_key)"
        " VALUES ('terry@example.org'), ('gone@example.org')"
    )
    run(
        "INSERT INTO person (id, address, address_key, name)"
        " VALUES (gen_random_uuid(), 'Terry@example.org', 'terry@example.org', '')"
    )
    flask_migrate.upgrade(MIGRATIONS)
    kept = [opt_outs.has(f"{name}@example.org") for name in ("terry", "gone", "x")]
    (texts,) = run("SELECT string_agg(o::text, ' ') FROM opt_out o")

    flask_migrate.downgrade(MIGRATIONS, revision="0008")

    assert kept == [True, True, False]
    assert "example" not in str(texts)
    assert run("SELECT address_key FROM opt_out") == [("terry@example.org",)]


def add_person(address: str, key: str) -> None:
    run(
        "INSERT INTO person (id, address, address_key, name)"
        f" VALUES (gen_random_uuid(), '{address}', '{key}', '')"
    )


def keys() -> list[tuple[object, ...]]:
    return run('SELECT address, address_key FROM person ORDER BY address COLLATE "C"')


def test_people_and_codes_are_known_by_their_address_as_typed(
    fresh: Flask,
) -> None:
    flask_migrate.upgrade(MIGRATIONS, revision="0011")
    many, domains = 2100, ("könig.example", "xn--knig-5qa.example")
    run(
        "INSERT INTO person (id, address, address_key, name) SELECT gen_random_uuid(),"
        f" 'İ' || n || '@{domains[0]}', 'i\u0307' || n || '@{domains[1]}', ''"
        f" FROM generate_series(1, {many}) n"
    )
    add_person("WEIß@example.org", "weiss@example.org")
    add_person("Rita@example.org", "rita@example.org")
    run("INSERT INTO person (id, name) VALUES (gen_random_uuid(), 'practises')")
    run("INSERT INTO mail (id, message_id, state) VALUES (gen_random_uuid(), '', '')")
    for address in ("WEIß@example.org", "Rita@example.org"):
        run(
            "INSERT INTO mailed_code (id, kind, address, address_key, counted, mail_id,"
            f" expires_at) SELECT gen_random_uuid(), '', '{address}',"
            f" '{address.casefold()}', true, id, now() FROM mail"
        )

    flask_migrate.upgrade(MIGRATIONS)

    known = dict[object, object](keys())
    assert len(known) == many + 3
    assert known["Rita@example.org"] == "rita@example.org"
    assert known["WEIß@example.org"] == "weiß@example.org"
    assert known[f"İ{many}@{domains[0]}"] == f"İ{many}@{domains[1]}"
    codes = run("SELECT address_key FROM mailed_code ORDER BY 1")
    assert codes == [("rita@example.org",), ("weiß@example.org",)]
    for typed, key in known.items():
        assert typed is None or addresses.parse(str(typed), "").key == key


def test_of_two_who_were_one_both_are_there_after_the_step_back(full: Flask) -> None:
    for name in ("weiß", "weiss", "WEIẞ"):
        key = addresses.parse(f"{name}@example.org", "").key
        add_person(f"{name}@example.org", key)
    opt_outs.add("weiẞ@example.org")
    flask_migrate.downgrade(MIGRATIONS, revision="0011")
    back = [key for _, key in keys()]
    flask_migrate.upgrade(MIGRATIONS)

    there = [key for _, key in keys()]

    assert opt_outs.has("weiß@example.org")
    assert sorted(map(str, back)).count("weiss@example.org") == 1
    assert len(set(back)) == 3
    assert there == [f"{name}@example.org" for name in ("weiẞ", "weiss", "weiß")]


def test_devices_that_never_ended_end_and_are_told_of_once(fresh: Flask) -> None:
    flask_migrate.upgrade(MIGRATIONS, revision="0017")
    for seat, (practice, ended) in enumerate(
        [("false", "NULL"), ("false", "kingup_now() - interval '10 days'")]
        + [("true", "NULL")]
    ):
        run(
            "WITH p AS (INSERT INTO person (id, address, address_key, name)"
            f" VALUES (gen_random_uuid(), '{seat}@x.org', '{seat}@x.org', '')"
            " RETURNING id), g AS (INSERT INTO game (id, status, edition, options,"
            " visibility, practice, position, record, head, snapshot, snapshot_format,"
            " ended_at) VALUES (gen_random_uuid(), 'over', 'classic', '{}', 'link',"
            f" {practice}, 0, 0, '', '', 1, {ended}) RETURNING id)"
            " INSERT INTO device (token_hash, game_id, person_id, seat, created_at)"
            f" SELECT decode('0{seat}', 'hex'), g.id, p.id, {seat},"
            " kingup_now() - interval '1 year' FROM g, p"
        )

    flask_migrate.upgrade(MIGRATIONS)

    found = run(
        "SELECT seat, kingup_now() - last_used_at < '1 hour', told_at IS NULL,"
        " closes_at - kingup_now() BETWEEN '19 days' AND '20 days', count(id)"
        " FROM device GROUP BY 1, 2, 3, 4 ORDER BY 1"
    )
    assert found == [
        (0, True, True, None, 1),
        (1, True, False, True, 1),
        (2, True, False, None, 1),
    ]
    flask_migrate.downgrade(MIGRATIONS, revision="0017")
    assert run("SELECT count(*) FROM device") == [(3,)]


_MAILED = (
    "SELECT message_id, state, body, accepted_maybe, attempts, claim_at, error,"
    " settled_at FROM {} ORDER BY message_id"
)


def test_the_mail_of_a_code_is_the_same_on_the_way_there_and_back(
    fresh: Flask,
) -> None:
    flask_migrate.upgrade(MIGRATIONS, revision="0029")
    for mail in (
        "'sent', NULL, true, 2, '451', kingup_now()",
        "'retry', 'text', true, 3, '452', NULL",
        "'queued', NULL, false, 0, NULL, NULL",
    ):
        run(
            "WITH m AS (INSERT INTO mail (id, message_id, state, body, accepted_maybe,"
            " attempts, error, settled_at, claim_at) SELECT gen_random_uuid(),"
            f" gen_random_uuid(), {mail}, kingup_now() + interval '1 minute'"
            " RETURNING id) INSERT INTO mailed_code (id, kind, address, address_key,"
            " counted, mail_id, expires_at) SELECT gen_random_uuid(), 'sign_in',"
            " 'r@x.org', 'r@x.org', true, id, kingup_now() FROM m"
        )
    before = run(_MAILED.format("mail"))

    flask_migrate.upgrade(MIGRATIONS)

    assert run(_MAILED.format("mailed_code")) == before
    assert run("SELECT count(*) FROM mail") == [(0,)]
    flask_migrate.downgrade(MIGRATIONS, revision="0029")
    assert run(_MAILED.format("mail")) == before


def test_what_was_used_of_a_budget_counts_after_the_upgrade(fresh: Flask) -> None:
    flask_migrate.upgrade(MIGRATIONS, revision="0031")
    for budget, bucket, amount in (
        ("hosts", "01", 3),
        ("hosts", "11", 4),
        ("hosts", "02", 5),
        ("codes", "01", 6),
        ("confirmations", "01", 7),
    ):
        run(
            f"INSERT INTO quota VALUES ('{budget}', decode('{bucket}', 'hex'),"
            f" date_trunc('hour', kingup_now()), {amount})"
        )

    flask_migrate.upgrade(MIGRATIONS)

    found = [quotas.used(budget, b"\x01") for budget in ("hosts", "codes")]
    assert [(used.all, used.here) for used in found] == [(12, 3), (6, 6)]
    assert quotas.used("confirmations", b"\x01").all == 0
    assert quotas.used_by("confirmations", b"\x01") == 7


def test_a_game_knows_its_rematch_on_the_way_there_and_back(fresh: Flask) -> None:
    flask_migrate.upgrade(MIGRATIONS, revision="0025")
    over, laid = UUID(int=2), UUID(int=1)
    for game, earlier in ((over, "NULL"), (laid, f"'{over}'")):
        run(
            "INSERT INTO game (id, status, edition, options, visibility, practice,"
            " position, record, head, snapshot, snapshot_format, rematch_of) VALUES"
            f" ('{game}', 'running', 'classic', '{{}}', 'link', false, 0, 0, '', '',"
            f" 1, {earlier})"
        )
    before = run("SELECT id, rematch_of FROM game ORDER BY id")

    flask_migrate.upgrade(MIGRATIONS)

    assert [tables_store.rematch_of(game) for game in (over, laid)] == [laid, None]
    flask_migrate.downgrade(MIGRATIONS, revision="0025")
    assert run("SELECT id, rematch_of FROM game ORDER BY id") == before


def test_a_second_upgrade_changes_nothing(full: Flask) -> None:
    run("UPDATE clock SET shift = interval '1 hour'")

    flask_migrate.upgrade(MIGRATIONS)

    assert run("SELECT count(*), max(shift)::text FROM clock") == [(1, "01:00:00")]


def test_of_two_migrators_at_once_both_end_well(
    empty: dict[str, str], fresh: Flask
) -> None:
    migrators = [
        subprocess.Popen(
            command_lines.migrate(), env=empty, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    ends = [(m.communicate(timeout=60)[1], m.returncode) for m in migrators]

    assert [code for _, code in ends] == [0, 0], ends
    assert run("SELECT count(*) FROM alembic_version") == [(1,)]
    assert differences() == []


def test_the_clock_goes_on_within_a_transaction(full: Flask) -> None:
    with db.engine.begin() as connection:
        first, started = connection.exec_driver_sql(
            "SELECT kingup_now(), now() FROM pg_sleep(0.01)"
        ).one()
        connection.exec_driver_sql("SELECT pg_sleep(0.01)")
        [(second,)] = connection.exec_driver_sql("SELECT kingup_now()")

    assert started < first < second


def test_indexes_know_what_is_due_by_the_clock(current: Engine) -> None:
    with current.connect() as connection:
        connection.exec_driver_sql("SET enable_seqscan = off")
        plan = connection.exec_driver_sql(
            "EXPLAIN SELECT FROM due WHERE claim_at <= kingup_now() AND kind = 'bot'"
        )
        printed = "\n".join(line for (line,) in plan)

    assert "Index Cond: (claim_at <= kingup_now())" in printed


def test_whatever_refers_to_a_row_is_found_by_an_index(current: Engine) -> None:
    with current.connect() as connection:
        found = connection.exec_driver_sql(
            "SELECT conname FROM pg_constraint c WHERE contype = 'f' AND NOT EXISTS"
            " (SELECT FROM pg_index i WHERE i.indrelid = c.conrelid"
            " AND i.indpred IS NULL AND i.indkey[0] = c.conkey[1])"
        )

        assert found.all() == []
