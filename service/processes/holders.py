"""Holders: whose tokens are, as far as this process has found out."""

from collections.abc import Collection
from typing import Final

import structlog
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from service.store import tokens
from service.store.background_batcher import BackgroundBatcher
from service.values import entropy
from service.values.errors import Busy

_MOST: Final = 10_000
"""How many tokens are remembered, about; with more of them all are found out anew."""

_log = structlog.get_logger()


class Holders:
    """Tells without asking anybody; what it doesn't know is found out behind it."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._people: dict[bytes, str | None] = {}
        self._unknown: BackgroundBatcher[bytes, None] = BackgroundBatcher(
            self._find, most=_MOST
        )

    def of(self, proof: str) -> str | None:
        """Who holds a proof; None while that isn't known, or if it is no token."""
        token_hash = entropy.digest(f"kup_{proof}")
        if token_hash not in self._people:
            self._unknown.put(token_hash, None)
        return self._people.get(token_hash)

    def _find(self, token_hashes: Collection[bytes]) -> None:
        if len(self._people) >= _MOST:
            # A new one, since the main thread reads the old one meanwhile, without a
            # lock.
            self._people = {}
        try:
            with self._app.app_context():
                found = tokens.holders(token_hashes)
        except (Busy, SQLAlchemyError) as error:
            _log.warning("holders_unknown", error=type(error).__name__)
            return
        for token_hash in token_hashes:
            person_id = found.get(token_hash)
            self._people[token_hash] = None if person_id is None else str(person_id)
