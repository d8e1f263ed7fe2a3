"""What a viewer may ask of a game: every operation of the contract, and every misuse.

Read from the contract, so that an operation that comes is asked too.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec
import yaml

from engine.commands import GiveAnswer
from tests.rig.house import ROOT
from tests.rig.twin_house import Request

CONTRACT = ROOT / "openapi.yaml"
LANGUAGES = ("en", "it", "fr", "de", "fr-CH, de;q=0.5", "xx")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND")

ELSEWHERE = 0.04
"""How often an operation is asked that is about no game."""

SPOKEN = 0.5
"""How often something is said with an answer."""

DEAR = ("image/png",)
"""Drawn less often than the rest, because drawing them takes long."""

UNSTEADY = frozenset({"/readyz"})
"""Tells of processes, which are no part of a world."""


class Operation(NamedTuple):
    """One operation of the contract."""

    method: str
    path: str
    parameters: tuple[str, ...]
    media: tuple[str, ...]
    takes_body: bool

    @property
    def of_game(self) -> bool:
        return "{game}" in self.path

    @property
    def streams(self) -> bool:
        return "text/event-stream" in self.media


@cache
def operations(contract: Path = CONTRACT) -> tuple[Operation, ...]:
    """Every operation that is promised."""
    found = []
    promised = yaml.load(contract.read_text(), yaml.CSafeLoader)
    for path, ways in promised["paths"].items():
        shared = ways.get("parameters", [])
        for method, operation in ways.items():
            if method == "parameters":
                continue
            named = [each for each in (*shared, *operation.get("parameters", []))]
            media = [
                kind
                for status, answer in operation["responses"].items()
                if status.startswith("2")
                for kind in answer.get("content", {})
            ]
            found.append(
                Operation(
                    method.upper(),
                    path,
                    tuple(each["name"] for each in named if each["in"] == "query"),
                    tuple(media),
                    "requestBody" in operation,
                )
            )
    return tuple(found)


class Moment(NamedTuple):
    """A game at a position, as far as its requests hang on it.

    `complete` tells that all cards are in: whatever is done to the game then turns them
    over first, and that tells rightfully.
    """

    game_id: str
    record: int
    decision: int
    seen: int
    complete: bool


class Asker:
    """One viewer at one position, and the chance by which requests are chosen."""

    def __init__(self, moment: Moment, token: str | None, rng: random.Random) -> None:
        self.moment = moment
        self.rng = rng
        self._proof = {} if token is None else {"Authorization": f"Bearer {token}"}

    def reads(self) -> Iterator[Request]:
        """Every GET about a game, as it is and with chosen parameters."""
        for operation in self._chosen("GET"):
            yield self._request("GET", self.path(operation))
            if set(operation.parameters) - {"wait"}:
                query = urlencode(self._query(operation))
                yield self._request("GET", f"{self.path(operation)}?{query}")

    def streams(self) -> Iterator[Request]:
        """The stream from its beginning, and resumed from somewhere."""
        for operation in operations():
            if operation.streams:
                yield self._request("GET", self.path(operation))
                last = self.rng.choice(
                    ["0", *map(str, self._numbers()), "zzz", "-1", str(10**9)]
                )
                yield self._request("GET", self.path(operation), Last_Event_ID=last)

    def misuses(self) -> Iterator[Request]:
        """Wrong methods, wrong bodies, wrong parameters, all but good answers."""
        for operation in operations():
            if not operation.of_game:
                continue
            path = self.path(operation)
            if operation.method != "GET" and not self._may_act(operation):
                body = b'{"x":1}' if operation.takes_body else None
                yield self._request(operation.method, path, body)
        # A stream that is given no reason to end would be read for ever.
        games = [o for o in operations() if o.of_game and not o.streams]
        path = self.path(self.rng.choice(games))
        if not self.moment.complete:
            yield self._request(self.rng.choice(METHODS[1:]), path, b"{}")
        yield self._request("HEAD", path)
        yield self._request("OPTIONS", path, Origin="https://bot.example")
        yield self._request("GET", f"{path}?at=0&x=1&after=-1")

    def tries(self, tries: Sequence[GiveAnswer]) -> Iterator[Request]:
        """Answers, good and bad; a good one is the last, for it changes the world."""
        for given in tries:
            body = msgspec.json.encode(given.answer)
            if self.rng.random() < SPOKEN:
                body = body[:-1] + b',"line":"As you wish."}'
            path = f"/v1/games/{self.moment.game_id}/decisions/{given.decision}/answer"
            yield self._request("PUT", path, body)
            yield self._request("PUT", path, body[:-1])

    def path(self, operation: Operation) -> str:
        return re.sub(
            r"\{(\w+)\}", lambda name: self._filled(name.group(1)), operation.path
        )

    def _may_act(self, operation: Operation) -> bool:
        """Whether a request without a body could do something."""
        if operation.takes_body:
            return False
        return operation.method != "DELETE" or self.moment.complete

    def _filled(self, name: str) -> str:
        known = {
            "game": self.moment.game_id,
            "decision": str(self.moment.decision),
            "edition": "classic",
            "seat": "1",
            "number": "1",
            "message": "1",
            "proposal": "1",
        }
        return known.get(name, "00000000-0000-4000-8000-000000000099")

    def _chosen(self, method: str) -> Iterator[Operation]:
        for operation in operations():
            if operation.method != method or operation.streams:
                continue
            if operation.path in UNSTEADY:
                continue
            dear = set(DEAR) & set(operation.media)
            about = operation.of_game or operation.path.startswith("/v1/me")
            often = (0.08 if dear else 1.0) if about else ELSEWHERE
            if operation.path == "/v1/games" or self.rng.random() < often:
                yield operation

    def _numbers(self) -> list[int]:
        moment = self.moment
        return [
            self.rng.randint(1, moment.record),
            min(moment.seen + 1, moment.record),
            moment.record,
            moment.record + 1,
        ]

    def _query(self, operation: Operation) -> Mapping[str, object]:
        values = {
            "at": self.rng.choice(self._numbers()),
            "after": self.rng.choice([0, *self._numbers(), 10**6]),
            "limit": self.rng.choice([1, 2, 50, 100]),
            "wait": 0,
            "view": self.rng.choice(["true", "true", "false"]),
            "cursor": "Zm9v",
        }
        chosen = [name for name in operation.parameters if name in values]
        if len(chosen) > 1 and "cursor" in chosen:
            chosen.remove("cursor")
        return {name: values[name] for name in chosen}

    def _request(
        self, method: str, path: str, body: bytes | None = None, **more: str
    ) -> Request:
        headers = {name.replace("_", "-"): value for name, value in more.items()}
        headers |= self._proof | {"Accept-Language": self.rng.choice(LANGUAGES)}
        if body is not None:
            headers["Content-Type"] = "application/json"
        return Request(method, path, headers, body)
