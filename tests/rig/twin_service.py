"""Two worlds behind two web processes: whatever a viewer asks, the bytes are the same.

The worlds are those of the engine's rig; some of their moments are put into two
databases, and everything that the contract knows is asked of both.
"""

import http
import itertools
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import pytest

from engine.board import Seat
from engine.commands import GiveAnswer
from service.values import entropy
from tests.rig import twin_house
from tests.rig.engine import twins, twins_channels
from tests.rig.engine.tables import chance
from tests.rig.engine.twins import World
from tests.rig.engine.twins_play import Twins
from tests.rig.twin_house import Reply, Request, TwinHouse
from tests.rig.twin_requests import Asker, Moment
from tests.rig.twin_web import repeatable

ELSEWHERE = UUID(int=1 << 64, version=4)

OFTEN = {"ballots": 0.04, "hands": 0.08, "other": 0.02}
"""How often a position is chosen, by what differs that nobody may see."""

_sources = itertools.count()


class Differs(AssertionError):
    """The two worlds gave different answers to the same request."""

    def __init__(self, asked: Request, left: object, right: object) -> None:
        ours, theirs = repr(left), repr(right)
        at = len(os.path.commonprefix([ours, theirs]))
        parts = (each[max(at - 80, 0) : at + 80] for each in (ours, theirs))
        super().__init__(asked, *parts)
        self.asked = asked


class Pair:
    """Both worlds, asked at the same time."""

    def __init__(self, left: TwinHouse, right: TwinHouse) -> None:
        self.both = (left, right)
        self.tally = Counter[str]()

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.both[0].tokens

    def ask(self, asked: Request) -> Reply:
        """The answer that both give. Raises Differs."""
        for house in self.both:
            house.send(asked)
        left, right = (house.receive() for house in self.both)
        if left != right:
            raise Differs(asked, left, right)
        self.tally["requests"] += 1
        self.tally["bytes"] += len(left.body) + len(repr(left.headers))
        self.tally[f"status {left.status[1]}"] += 1
        return left

    def listen(self, asked: Request) -> None:
        """Hear the beginning of a stream in both. Raises Differs."""
        number = next(_sources) % 60000
        source = f"127.0.{2 + number // 250}.{1 + number % 250}"
        first, second = (house.listening(asked, source) for house in self.both)
        with first as one, second as two:
            left, right = twin_house.heard(one), twin_house.heard(two)
        if left != right:
            raise Differs(asked, left, right)
        self.tally["streams"] += 1
        self.tally["bytes"] += len(left)


class HttpTwins(Twins):
    """A twin game, some of whose moments are asked for over HTTP."""

    def __init__(self, number: int, pair: Pair) -> None:
        self.pair = pair
        self.dice = chance(number + 1_000_000)
        self.asked_at = 0
        self.visibility = self.dice.choice(["link", "link", "listed", "players"])
        super().__init__(number)

    def look(
        self, left: World, right: World, laid: tuple[Seat, ...] | None, whole: bool
    ) -> None:
        """Everything a viewer can ask at one position, if it is chosen."""
        if not self.aside and self._chosen(left, right, whole):
            for house, world in zip(self.pair.both, (left, right), strict=True):
                house.show(world, laid, self.visibility, self.viewer)
            # Whoever answers then turns the cards over, and that tells rightfully.
            complete = left.game.election_complete or right.game.election_complete
            self._ask_all(left, answers=not complete)
            self.asked_at += 1

    def _chosen(self, left: World, right: World, whole: bool) -> bool:
        differs = "other"
        if left.game.hands != right.game.hands:
            differs = "hands"
        elif left.game.ballots != right.game.ballots:
            differs = "ballots"
        last = whole and not self.asked_at
        if last or self.dice.random() < OFTEN[differs]:
            self.pair.tally[f"positions of {differs}"] += 1
            return True
        return False

    def _ask_all(self, left: World, answers: bool) -> None:
        game = left.game
        moment = Moment(
            game.id, len(left.facts), game.last_decision, self.since, not answers
        )
        pair, rng = self.pair, self.dice
        tokens = pair.tokens
        own = None if self.viewer is None else tokens[self.viewer]
        for token in dict.fromkeys((None, own)):
            asker = Asker(moment, token, rng)
            self._read(asker)
        for token in (tokens[-2], tokens[-1], "kup_wrong"):
            asker = Asker(moment, token, rng)
            some = [*asker.reads(), *asker.misuses()]
            for asked in rng.sample(some, min(3, len(some))):
                pair.ask(asked)
        tries = twins_channels.tries(game, self.viewer, rng)
        self._answer(Asker(moment, tokens[-2], rng), tries[-1:])
        if own is not None and answers:
            mine = [each for each in tries if each.seat == self.viewer]
            self._answer(Asker(moment, own, rng), mine)

    def _answer(self, asker: Asker, tries: Sequence[GiveAnswer]) -> None:
        """Try answers, until one is taken: it may rightfully tell the difference."""
        for asked in asker.tries(tries):
            if self.pair.ask(asked).status[1] == http.HTTPStatus.OK:
                self.pair.tally["taken"] += 1
                break

    def _read(self, asker: Asker) -> None:
        for asked in asker.reads():
            answer = self.pair.ask(asked)
            tag = dict(answer.headers).get("ETag")
            if tag is not None and self.dice.random() < 0.3:
                again = {**asked.headers, "If-None-Match": tag}
                self.pair.ask(asked._replace(headers=again))
        for asked in asker.streams():
            self.pair.listen(asked)
        for asked in asker.misuses():
            self.pair.ask(asked)


@contextmanager
def pair(folder: Path, environ: Mapping[str, str], leak: str = "") -> Iterator[Pair]:
    """Two houses, alike in all that both worlds share, perhaps with a leak."""
    folder.mkdir(exist_ok=True)
    made = tuple(
        TwinHouse(f"twin_{side}", folder, environ, leak) for side in ("left", "right")
    )
    with pytest.MonkeyPatch.context() as patch:
        twins.handles(patch)
        try:
            made[0].make()
            made[1].make(like=made[0].name)
            for house in made:
                house.start()
            for house in made:
                house.wait_for_web()
                patch.setattr(entropy, "source", repeatable())
                house.settle(ELSEWHERE)
            yield Pair(*made)
        finally:
            for house in made:
                house.stop()


def play(number: int, both: Pair) -> None:
    """Play twin game `number` in both. Raises Differs for a leak."""
    with pytest.MonkeyPatch.context() as patch:
        # Texts are kept by their game: what was, no other game has been.
        patch.setattr(twins, "GAME", str(UUID(int=number + 1, version=4)))
        HttpTwins(number, both).play()
    both.tally["twins"] += 1


def found_at(both: Pair, most: int) -> int | None:
    """The number of the first twin game of some that shows a leak."""
    for number in range(0, most * 13, 13):
        try:
            play(number, both)
        except Differs:
            return number
    return None
