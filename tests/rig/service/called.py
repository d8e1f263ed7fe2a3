"""What any process hears of the database: which games have news."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from flask import Flask

from service.store import publisher

_LONGEST = 20.0


class Listening:
    """Hears all that an app calls, in the order in which it calls."""

    def __init__(self, app: Flask, line: psycopg.Connection) -> None:
        self._app = app
        self._line = line
        line.execute("LISTEN kingup")

    def called(self) -> set[str]:
        """The games that were called since the last time.

        A call of our own comes behind them all, so that nothing is waited for in vain.
        """
        last = uuid.uuid4()
        with self._app.app_context():
            publisher.publish(last)
        found: set[str] = set()
        for news in self._line.notifies(timeout=_LONGEST):
            if news.payload == str(last):
                return found
            found.add(news.payload)
        raise AssertionError("nothing is called any more")


@contextmanager
def listening(app: Flask, environ: dict[str, str]) -> Iterator[Listening]:
    url = environ["DATABASE_URL"].replace("+psycopg", "", 1)
    with psycopg.connect(url, autocommit=True) as line:
        yield Listening(app, line)
