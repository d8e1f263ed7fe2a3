"""Acts that change what somebody sees of a game: prepared, and still to be done."""

from collections.abc import Callable, Mapping
from functools import partial
from uuid import UUID

from service.auth import bearer
from service.game import table_acts, time_up
from service.store import clock, retention
from service.store import links as linkstore
from service.store import tokens as tokenstore
from service.store.transactions import transaction
from service.tables import expiry
from service.values.principals import System
from tests.rig.service import replaced, seated
from tests.rig.service.programs import Api, Table, in_election, let_pass, operator_token

OPEN, BOT = {"kind": "open"}, {"kind": "bot"}
ASKED = {"kind": "person", "address": "terry@example.org", "name": "Terry"}
SIMON = {"name": "Simon"}

SHOWN = ("", "/view", "/messages")

Act = Callable[[], object]


class Stage:
    """A game, and all who look at it: some with a token, and a stranger without."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.tokens: list[str] = []
        self.path = ""

    @property
    def id(self) -> UUID:
        return UUID(self.path.rpartition("/")[2])

    def open(self, *seats: object, **terms: object) -> None:
        """A table that fills up: Rachel hosts, Simon and Rita look on."""
        names = ("rachel", "simon", "rita")
        self.tokens = [operator_token(self.api, f"{n}@example.org") for n in names]
        wish = {"seats": seats, "visibility": "listed", **terms}
        opened = self.api.call("POST", "/v1/games", self.tokens[0], json=wish)
        assert opened.status_code == 201, opened.text
        self.path = f"/v1/games/{opened.json['game']}"

    def show(self, table: Table) -> None:
        """A game that runs."""
        self.path, self.tokens = table.path, table.tokens

    def ask(self, who: int, method: str, path: str = "", json: object = None) -> Act:
        """A request still to be sent, which then succeeds."""
        where = path if path.startswith("/v1") else self.path + path

        def act() -> None:
            options = {} if json is None else {"json": json}
            answer = self.api.call(method, where, self.tokens[who], **options)
            assert answer.status_code < 300, answer.text

        return act

    def inside(self, act: Callable[..., object], *args: object) -> Act:
        """Something still to be done behind the API's back."""

        def done() -> None:
            with self.api.app.app_context(), transaction():
                act(*args)

        return done

    def seen(self, *blind: int) -> list[str]:
        """The marks of all that everybody sees, but those who are `blind`."""
        lookers = [t for n, t in enumerate(self.tokens) if n not in blind]
        asked = [(f"{self.path}{each}", t) for t in (None, *lookers) for each in SHOWN]
        asked += [("/v1/me/turns?view=true", token) for token in lookers]
        answers = [self.api.get(path, token) for path, token in asked]
        return [a.headers.get("ETag", str(a.status_code)) for a in answers]


Prepare = Callable[[Stage], Act]


def asking(
    who: int,
    method: str,
    path: str = "",
    json: object = None,
    *,
    seats: tuple[object, ...] = (OPEN, OPEN),
    joined: bool = False,
) -> Prepare:
    """A request at a table that fills up, at which Simon has `joined` before."""

    def prepare(stage: Stage) -> Act:
        stage.open(*seats)
        if joined:
            stage.ask(1, "POST", "/seats", {**SIMON, "seat": 1})()
        return stage.ask(who, method, path, json)

    return prepare


def answered(stage: Stage, choice: str) -> Act:
    stage.open(ASKED, OPEN)
    with stage.api.app.app_context(), transaction():
        token = linkstore.add(seated.link(stage.id, 1))
    path = f"/v1/invitations/{token}/acceptance"
    return stage.ask(1, "POST", path, {"choice": choice, "name": "Terry T."})


def confirming(stage: Stage) -> Act:
    with stage.api.app.app_context():
        game_id = seated.draft(3)
    stage.path = f"/v1/games/{game_id}"
    stage.tokens = [operator_token(stage.api, seated.address("Rachel"))]
    return stage.inside(seated.confirm, game_id)


def expiring_at_last(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    let_pass(stage.api, 24 * 23)
    stage.inside(expiry.step, stage.id)()
    let_pass(stage.api, 24 * 7)
    return stage.inside(expiry.step, stage.id)


def erasing_a_player(stage: Stage) -> Act:
    stage.show(Table(stage.api))
    return stage.ask(1, "DELETE", "/v1/me")


def leaving_a_game(stage: Stage) -> Act:
    stage.show(Table(stage.api))
    return stage.ask(1, "PUT", "/seats/1/departure")


def coming_back(stage: Stage) -> Act:
    table = Table(stage.api, placement="random")
    stage.show(table)
    stage.ask(1, "PUT", "/seats/1/departure")()
    table.inside("play_round")
    return stage.ask(1, "DELETE", "/seats/1/departure")


def _absence(stage: Stage) -> dict[str, str]:
    with stage.api.app.app_context():
        today = str(clock.now().date())
    return {"first": today, "last": today, "choice": "wait"}


def announcing_an_absence(stage: Stage) -> Act:
    stage.show(Table(stage.api))
    return stage.ask(1, "POST", "/v1/me/absences", _absence(stage))


def calling_an_absence_off(stage: Stage) -> Act:
    stage.show(Table(stage.api))
    token = stage.tokens[1]
    wish = _absence(stage)
    found = stage.api.call("POST", "/v1/me/absences", token, json=wish).json
    return stage.ask(1, "DELETE", f"/v1/me/absences/{found['id']}")


def pausing(stage: Stage) -> Act:
    stage.show(Table(stage.api))
    return stage.ask(1, "PUT", "/pause", {"days": 2})


def pausing_as_well(stage: Stage) -> Act:
    pausing(stage)()
    return stage.ask(2, "PUT", "/pause", {"days": 1})


def resuming(stage: Stage) -> Act:
    pausing(stage)()
    return stage.ask(1, "DELETE", "/pause")


def ending_a_pause(stage: Stage) -> Act:
    pausing_as_well(stage)()
    let_pass(stage.api, 24)
    return stage.inside(table_acts.end_pauses, stage.id)


def extending(stage: Stage) -> Act:
    table = Table(stage.api)
    stage.show(table)
    return stage.ask(1, "POST", "/extensions", {"decision": table.decision})


def taking_over(stage: Stage) -> Act:
    with stage.api.app.app_context():
        left = replaced.kept(3)
        link = replaced.asked(left)
        tokens = [seated.person_on(left.id, seat) for seat in (0, 2)]
        with transaction():
            stage.tokens = [
                tokenstore.issue(each, "test", bearer.SCOPES).token for each in tokens
            ]
            secret = linkstore.add(link)
    stage.path = f"/v1/games/{left.id}"
    path = f"/v1/invitations/{secret}/acceptance"
    return stage.ask(0, "POST", path, {"choice": "in", "name": "Nora"})


def ending_a_wait(stage: Stage) -> Act:
    table = Table(stage.api, decision_time=None)
    stage.show(table)
    let_pass(stage.api, 24 * 14)
    other = (table.asked + 1) % 3
    return stage.ask(other, "PUT", f"/decisions/{table.decision}/waited-out")


def proposing(stage: Stage) -> Act:
    stage.show(Table(stage.api))
    return stage.ask(1, "POST", "/proposals", {"kind": "cancel"})


def agreeing(stage: Stage) -> Act:
    proposing(stage)()
    return stage.ask(2, "PUT", "/proposals/1/vote", {"agrees": True})


def refusing(stage: Stage) -> Act:
    proposing(stage)()
    return stage.ask(2, "PUT", "/proposals/1/vote", {"agrees": False})


def lapsing(stage: Stage) -> Act:
    proposing(stage)()
    let_pass(stage.api, 72)
    return stage.inside(table_acts.let_lapse, stage.id)


def placing(stage: Stage) -> Act:
    table = Table(stage.api)
    stage.show(table)
    return table.play_a_turn


def taking_back(stage: Stage) -> Act:
    table = Table(stage.api)
    stage.show(table)
    number, seat, _ = table.play_a_turn()
    return stage.ask(seat, "PUT", f"/decisions/{number}/taken-back")


def speaking(stage: Stage) -> Act:
    stage.show(Table(stage.api))
    return stage.ask(1, "POST", "/messages", {"phrase": "hello"})


def resolving(stage: Stage) -> Act:
    table = in_election(stage.api)
    stage.show(table)
    for seat in range(3):
        table.put(seat, table.first_legal(seat))
    return lambda: table.inside("resolve")


def reminding(stage: Stage) -> Act:
    table = in_election(stage.api)
    stage.show(table)
    return stage.inside(time_up.remind, table.id, table.decision)


def the_clock(stage: Stage) -> Act:
    table = Table(stage.api)
    stage.show(table)
    let_pass(stage.api, 25)
    return stage.inside(time_up.run_out, table.id, table.decision)


def letting_pass(stage: Stage) -> Act:
    paced = {"decision_time": 60}
    begun = stage.api.call("POST", "/v1/practice-games", json=paced).json
    stage.path, stage.tokens = f"/v1/games/{begun['game']}", [begun["token"]]
    wish = {"decision": 1, "to": "deadline"}
    return stage.ask(0, "POST", "/clock", wish)


def cancelling(stage: Stage) -> Act:
    table = Table(stage.api)
    stage.show(table)
    return stage.inside(seated.cancel, table.id, System())


def forgetting_practice(stage: Stage) -> Act:
    begun = stage.api.call("POST", "/v1/practice-games", json={}).json
    stage.path = f"/v1/games/{begun['game']}"
    let_pass(stage.api, 25)
    return stage.inside(retention.practice, 9)


LOUD: Mapping[str, Prepare] = {
    "terms": asking(0, "PATCH", json={"rounds": 1}),
    "visibility": asking(0, "PATCH", json={"visibility": "link"}),
    "joining": asking(1, "POST", "/seats", SIMON),
    "the last one in": asking(1, "POST", "/seats", SIMON, seats=(OPEN, BOT)),
    "leaving": asking(1, "DELETE", "/seats/1", joined=True),
    "being sent away": asking(0, "DELETE", "/seats/1", joined=True),
    "a seat for a bot": asking(0, "PUT", "/seats/1", BOT),
    "a seat for somebody": asking(0, "PUT", "/seats/1", ASKED),
    "a seat for anybody": asking(0, "PUT", "/seats/1", OPEN, seats=(BOT, OPEN)),
    "inviting": asking(
        0, "POST", "/invitations", {"address": ASKED["address"], "name": "Terry"}
    ),
    "accepting": partial(answered, choice="in"),
    "declining": partial(answered, choice="no"),
    "never again": partial(answered, choice="never"),
    "calling off": asking(0, "DELETE"),
    "confirming": confirming,
    "expiring at last": expiring_at_last,
    "marking a program": asking(1, "PATCH", "/v1/me", {"program": True}, joined=True),
    "erasing a guest": asking(1, "DELETE", "/v1/me", joined=True),
    "erasing somebody asked": asking(
        1,
        "DELETE",
        "/v1/me",
        seats=({**ASKED, "address": "simon@example.org"}, OPEN),
    ),
    "erasing a player": erasing_a_player,
    "erasing the host": asking(0, "DELETE", "/v1/me"),
    "leaving a game": leaving_a_game,
    "coming back": coming_back,
    "announcing an absence": announcing_an_absence,
    "calling an absence off": calling_an_absence_off,
    "pausing": pausing,
    "pausing as well": pausing_as_well,
    "resuming": resuming,
    "ending a pause": ending_a_pause,
    "extending": extending,
    "taking a seat over": taking_over,
    "ending a wait": ending_a_wait,
    "proposing": proposing,
    "agreeing": agreeing,
    "refusing": refusing,
    "lapsing": lapsing,
    "placing": placing,
    "taking back": taking_back,
    "speaking": speaking,
    "resolving": resolving,
    "reminding": reminding,
    "the clock": the_clock,
    "letting time pass": letting_pass,
    "cancelling": cancelling,
    "forgetting practice": forgetting_practice,
}
"""By the names under which a test finds them."""
