"""Databases of their own, on the tests' server, and the app on them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import flask_migrate
import psycopg
from flask import Flask

import service
from service import app as application
from service import config
from service.models.base import db
from tests.rig import apps

MIGRATIONS = str(Path(service.__file__).with_name("migrations"))


def plain(environ: dict[str, str], database: str | None = None) -> str:
    """The server's address as libpq spells it, with another database if named."""
    rest = environ["DATABASE_URL"].split("://", 1)[1]
    parts = urlsplit(f"postgresql://{rest}")
    return urlunsplit(parts if database is None else parts._replace(path=database))


@contextmanager
def no_tables(
    environ: dict[str, str], ending: str, like: str = "template1"
) -> Iterator[dict[str, str]]:
    """Settings whose database has no table, or what another has that nobody uses."""
    name = named(environ) + ending
    with psycopg.connect(plain(environ), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {like}".encode())
        yield environ | {"DATABASE_URL": plain(environ, f"/{name}")}
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@contextmanager
def every_table(environ: dict[str, str]) -> Iterator[str]:
    """The name of a database with every table, to be copied."""
    with no_tables(environ, "_model") as settings:
        with on(settings):
            flask_migrate.upgrade(MIGRATIONS)
        yield named(settings)


def named(environ: dict[str, str]) -> str:
    return urlsplit(plain(environ)).path.removeprefix("/")


@contextmanager
def on(settings: dict[str, str]) -> Iterator[Flask]:
    """The app on a database, in a context of its own."""
    app = application.create_app(config.load(settings))
    flask_migrate.Migrate(app, db)
    with app.app_context():
        yield app
        apps.put_away(app)
