"""All that a viewer of a table and a spectator can ask for, at a moment."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from service.auth import bearer
from service.store import devices, tokens
from service.store.transactions import transaction
from tests.rig.service.seated import run
from tests.rig.twin_tables.world import World

DROPPED: Final = ("Date",)
"""Headers of the machine's own clock, which nothing stops."""

SELDOM: Final = 0.75
"""How often a look is left out where there are many."""

_UNIQUE: Final = re.compile(
    r'(?:W/)?"[^"\s]{16,}"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{24,}',
    re.ASCII,
)


class Seen(NamedTuple):
    """What a viewer got, and where."""

    step: int
    where: str
    what: str


class Looks:
    """What was seen of a world so far, by its viewer and by a spectator."""

    def __init__(self, world: World) -> None:
        self.seen: list[Seen] = []
        self._world = world
        self._names: dict[str, str] = {}
        with transaction():
            issued = tokens.issue(world.viewer, "twin", bearer.SCOPES, None)
            self._token = issued.token
            self._cookie = devices.remember(
                world.table.id, world.viewer, world.case.viewer
            )

    def look(self, *, seldom: bool = False) -> None:
        """Ask for all that is there to see, until the end tells it rightfully."""
        world = self._world
        if (seldom and world.script.random() < SELDOM) or not world.is_apart:
            return
        world.tally["looks"] += 1
        for where, ask in self._channels():
            self.seen.append(Seen(world.step, where, self._canonical(ask())))

    def _channels(self) -> Iterator[tuple[str, Callable[[], str]]]:
        game = f"/v1/games/{self._world.table.id}"
        since = max(0, self._record - 5)
        for part in ("", "/view", "/seats", f"/events?after={since}"):
            for token in (None, self._token):
                asked = partial(self._got, game + part, token)
                yield f"{part} {token is None}", asked
        for part in ("/messages", "/absences", "/pause"):
            yield part, partial(self._got, game + part, self._token)
        yield "/turns", partial(self._got, "/v1/me/turns?view=true", self._token)
        yield "notices", self._notices
        if self._world.script.random() < 0.2:
            yield "page", partial(self._got, f"/g/{self._world.table.id}", None)
            yield "own page", self._own_page

    @property
    def _record(self) -> int:
        [(record,)] = run(
            "SELECT record FROM game WHERE id = :g", {"g": self._world.table.id}
        )
        return int(record)

    def _got(self, path: str, token: str | None) -> str:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = self._world.app.test_client().get(path, headers=headers)
        told = sorted(each for each in answer.headers if each[0] not in DROPPED)
        return f"{answer.status} {answer.text} {told}"

    def _own_page(self) -> str:
        client = self._world.app.test_client()
        client.set_cookie(f"seat_{self._world.table.id.hex}", self._cookie)
        return client.get(f"/g/{self._world.table.id}").text

    def _notices(self) -> str:
        """What the viewer is told by mail, and when."""
        found = run(
            """SELECT n.kind, n.decision, n.cause, n.created_at, n.due_at, m.state,
                m.settled_at FROM notice n LEFT JOIN mail m
                ON m.person_id = n.person_id AND m.id = n.mail_id
            WHERE n.person_id = :p ORDER BY n.created_at, n.key""",
            {"p": self._world.viewer},
        )
        return repr(found)

    def _canonical(self, text: str) -> str:
        """Text in which what is unique to a world stands by when it was first seen."""
        return _UNIQUE.sub(lambda found: self._name(found.group()), text)

    def _name(self, unique: str) -> str:
        return self._names.setdefault(unique, f"<{len(self._names)}>")
