"""The application factory: one Flask app for pages, API and the worker's database."""

from collections.abc import Callable
from typing import Any

import psycopg
from flask import Flask, Request, Response
from flask.sessions import NullSession, SessionInterface, SessionMixin
from sqlalchemy import Dialect, event
from sqlalchemy.pool import ConnectionPoolEntry
from werkzeug.middleware.proxy_fix import ProxyFix

from service import api, config, live, web
from service.api.http import compression
from service.auth import last_use
from service.config import Config
from service.game import task_hints
from service.live import concurrency
from service.models.base import db
from service.monitoring import health, logs
from service.present import languages
from service.present.languages import Languages
from service.rate_limits import limits
from service.store import connections, publisher

POOL_SECONDS = 5
"""How long a request waits for a connection, as for a row."""

_MORE_THREADS = concurrency.READERS
_DIALECT = "postgresql+psycopg://"

babel = Languages()


class _NoSessions(SessionInterface):
    """Devices and tokens prove who asks: there is no session to sign or to read."""

    def open_session(self, app: Flask, request: Request) -> SessionMixin:
        """One that refuses to keep anything."""
        return NullSession()

    def save_session(
        self, app: Flask, session: SessionMixin, response: Response
    ) -> None:
        """Nothing is kept."""


class Service(Flask):
    """Flask, without what each request would pay for and none of ours uses."""

    session_interface = _NoSessions()

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself: none of ours is a coroutine."""
        return func


def create_app(settings: Config | None = None) -> Flask:
    """An app for these settings, or the environment's. Raises ConfigError."""
    settings = settings or config.load()
    logs.configure(settings.log_level)
    app = Service("service")
    app.config.update(
        SECRET_KEY=settings.secret_key,
        PUBLIC_URL=settings.public_url,
        SQLALCHEMY_DATABASE_URI=_DIALECT,
        SQLALCHEMY_ENGINE_OPTIONS=_engine_options(settings),
        MAX_CONTENT_LENGTH=config.BODY_LIMIT,
        MAX_FORM_MEMORY_SIZE=config.BODY_LIMIT,
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
    health.guard(app)
    babel.init_app(app, locale_selector=languages.locale)
    task_hints.init_app(app, settings.broker_url)
    publisher.init_app(app, settings.database_url)
    live.init_app(app, settings)
    last_use.init_app(app)
    limits.init_app(app, settings)
    compression.init_app(app)
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
        return connections.connect(url, **options)

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
