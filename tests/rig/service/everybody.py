"""One of everybody who may ask, each with what proves it."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from werkzeug.test import TestResponse

from service.auth import bearer
from service.store import clock
from service.values import entropy
from tests.rig.service import programs, seated
from tests.rig.service.programs import Api, Table
from tests.rig.service.promised import Operation
from tests.rig.service.seated import run

# No stream ends by itself; its HEAD is refused as it is.
ENDLESS = ("streamGame", "streamTurns")

# Of any other seat it is refused, whoever asks.
THEIR_OWN = ("leaveGame", "comeBack")


class Crowd:
    """A running game, and everybody who could ask about it, by their tokens."""

    def __init__(self, api: Api, **wish: object) -> None:
        self.api = api
        self.table = Table(api, 3, rounds=1, **wish)
        elsewhere = Table(api, 3, rounds=1)
        soon = self.now() + timedelta(hours=1)
        self.tokens: Mapping[str, str | None] = {
            "nobody": None,
            "no header of ours": "kup_",
            "unknown": f"kup_{'a' * 26}",
            "revoked": self.token(),
            "expired": self.token(expires_at=self.now() - timedelta(hours=1)),
            "host": self.token(expires_at=soon),
            "host with a token for this game": self.token(game_id=self.table.id),
            "other seat": self.table.tokens[1],
            "seat of another game": elsewhere.tokens[0],
            "seat nowhere": programs.stranger(api),
            "token for another game": self.token(game_id=elsewhere.id),
            **{
                f"host without {scope}": self.token(
                    scopes=tuple(each for each in bearer.SCOPES if each != scope)
                )
                for scope in bearer.SCOPES
            },
        }
        self.inside(
            "UPDATE token SET revoked_at = kingup_now() WHERE token_hash = :hash",
            hash=entropy.digest(str(self.tokens["revoked"])),
        )

    def now(self) -> datetime:
        with self.api.app.app_context():
            return clock.now()

    def token(self, seat: int = 0, **options: object) -> str:
        with self.api.app.app_context():
            return self.table.token(seat, **options)

    def inside(self, statement: str, **values: object) -> list[tuple]:
        with self.api.app.app_context():
            return run(statement, values)

    def ask(self, each: Operation, who: str) -> TestResponse:
        """Ask for an operation with the contract's own example."""
        options = {} if each.body is None else {"json": each.body}
        own = {"seat": 0} if each.name in THEIR_OWN else {}
        if "{decision}" in each.path:
            own["decision"] = self.table.decision
        return self.api.call(
            "HEAD" if each.name in ENDLESS else each.method,
            each.at(game=self.table.id, **own),
            self.tokens[who],
            **options,
        )

    def rows(self) -> Mapping[str, list[tuple]]:
        """All that there is, but when tokens were last used."""
        return seated.everything(self.api.app)
