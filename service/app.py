"""The application factory: one Flask app for pages, API and the worker's database."""

from typing import Any

import psycopg
from flask import Flask
from sqlalchemy import Dialect, event
from sqlalchemy.pool import ConnectionPoolEntry
from werkzeug.middleware.proxy_fix import ProxyFix

from service import (
    api,
    compressing,
    config,
    health,
    i18n,
    limits,
    logs,
    streaming,
    wake,
    web,
)
from service.catalogs import Languages
from service.config import Config
from service.models import db
from service.people import usage
from service.serving import BODY_LIMIT, Service
from service.store import calling, connecting
from service.store.transactions import end_session
from service.streaming import gate

POOL_SECONDS = 5
"""How long a request waits for a connection, as for a row."""

_MORE_THREADS = gate.READERS
_DIALECT = "postgresql+psycopg://"

babel = Languages()


def create_app(settings: Config | None = None) -> Flask:
    """An app for these settings, or the environment's. Raises ConfigError."""
    settings = settings or config.load()
    logs.configure(settings.log_level)
    app = Service("service")
    app.config.update(
        SECRET_KEY=settings.secret_key,
        SQLALCHEMY_DATABASE_URI=_DIALECT,
        SQLALCHEMY_ENGINE_OPTIONS=_engine_options(settings),
        MAX_CONTENT_LENGTH=BODY_LIMIT,
        MAX_FORM_MEMORY_SIZE=BODY_LIMIT,
        SESSION_COOKIE_HTTPONLY=True,
        BABEL_DEFAULT_LOCALE="en",
        KINGUP=settings,
    )
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]  # Flask's documented way
            app.wsgi_app, x_for=hops, x_proto=hops
        )
    db.init_app(app)
    _connect_by_libpq(app, settings.database_url)
    # Flask calls the last one first: before the extension closes the session.
    app.teardown_appcontext(end_session)
    health.guard(app)
    babel.init_app(app, locale_selector=i18n.locale)
    wake.init_app(app, settings.broker_url)
    calling.init_app(app, settings.database_url)
    streaming.init_app(app, settings)
    usage.init_app(app)
    limits.init_app(app, settings)
    compressing.init_app(app)
    api.init_app(app)
    web.init_app(app)
    return app


def _connect_by_libpq(app: Flask, url: str) -> None:
    """Connect as everything does: SQLAlchemy would read some addresses its way."""

    def connect(
        _dialect: Dialect,
        _record: ConnectionPoolEntry,
        _args: list[object],
        options: dict[str, Any],
    ) -> psycopg.Connection:
        return connecting.connect(url, **options)

    with app.app_context():
        event.listen(db.engine, "do_connect", connect)


def _engine_options(settings: Config) -> dict[str, object]:
    """One connection a thread, and a wait for one that has an end."""
    return {
        "isolation_level": "READ COMMITTED",
        # As many as work at a time, streams that read and the worker's watchers among
        # them: a connection beyond the pool would be opened anew each time, and know no
        # statement yet. Whoever waits for news has none.
        "pool_size": settings.web_threads + _MORE_THREADS,
        "max_overflow": 0,
        "pool_timeout": POOL_SECONDS,
        # The connection used last has its statements prepared.
        "pool_use_lifo": True,
        # What is bound to a statement may be a secret: no error message shows it.
        "hide_parameters": True,
        # What runs once runs again: planned at its second time, not at its sixth.
        "connect_args": {"prepare_threshold": 1},
    }
