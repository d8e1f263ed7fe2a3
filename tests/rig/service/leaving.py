"""Somebody like nobody else, what they do at tables, and where that leaves a trace."""

from uuid import UUID

from service.values import entropy
from tests.rig.service.postbox import Postbox
from tests.rig.service.programs import Table, in_election, operator_token
from tests.rig.service.seated import run

ADDRESS = "zerlina@example.org"
NAME = "Zerlina"
HOST = "simon@example.org"


def known(post: Postbox) -> str:
    """A token of theirs, once they are called by their name."""
    token = operator_token(post.api, ADDRESS)
    post.api.call("PATCH", "/v1/me", token, json={"name": NAME})
    return token


def leave(post: Postbox, token: str) -> None:
    assert post.api.call("DELETE", "/v1/me", token).status_code == 204


def guest(address: str, name: str = "") -> dict[str, str]:
    return {"kind": "person", "address": address, "name": name}


def key() -> dict[str, str]:
    return {"Idempotency-Key": str(entropy.identifier())}


def table(post: Postbox, token: str, *guests: dict[str, str]) -> str:
    """A table that waits for its guests; its path."""
    body = {"seats": [*guests, {"kind": "bot"}], "rounds": 1, "placement": "random"}
    answer = post.api.call("POST", "/v1/games", token, json=body, headers=key())
    assert answer.status_code == 201, answer.text
    path: str = answer.headers["Location"].removeprefix("http://localhost")
    return path


def do(post: Postbox, method: str, path: str, token: str, **body: object) -> None:
    options = {"json": body} if method != "DELETE" else {}
    answer = post.api.call(method, path, token, **options, headers=key())
    assert answer.status_code < 300, answer.text


def hosts(post: Postbox, token: str) -> None:
    table(post, token, guest("terry@example.org", "Terry"))


def is_invited(post: Postbox, _token: str) -> None:
    table(post, operator_token(post.api, HOST), guest(ADDRESS, NAME))


def declined(post: Postbox, token: str) -> None:
    """Say no; the seat is a bot's then."""
    host = operator_token(post.api, HOST)
    path = table(post, host, guest(ADDRESS, NAME), guest("terry@example.org"))
    do(post, "DELETE", f"{path}/seats/1", token)
    do(post, "PUT", f"{path}/seats/1", host, kind="bot")


def was_removed(post: Postbox, token: str) -> None:
    """Take a seat and be sent away from it."""
    host = operator_token(post.api, HOST)
    path = table(post, host, guest(ADDRESS, NAME), guest("terry@example.org"))
    do(post, "POST", f"{path}/seats", token, name=NAME)
    do(post, "DELETE", f"{path}/seats/1", host)
    do(post, "PUT", f"{path}/seats/1", host, kind="bot")


def came_and_left(post: Postbox, token: str) -> None:
    """Sit down unasked, and go."""
    host = operator_token(post.api, HOST)
    path = table(post, host, {"kind": "open"}, guest("terry@example.org"))
    do(post, "POST", f"{path}/seats", token, name=NAME)
    do(post, "DELETE", f"{path}/seats/1", token)


def plays(post: Postbox, _token: str) -> None:
    """Sit in a game that has begun."""
    sit(post, Table(post.api))


def sit(post: Postbox, running: Table) -> None:
    with post.api.app.app_context():
        run(
            "UPDATE seat SET name = :n, person_id = (SELECT id FROM person"
            " WHERE address = :a) WHERE game_id = :g AND number = 1 RETURNING number",
            {"a": ADDRESS, "n": NAME, "g": running.id},
        )


def talks(post: Postbox, token: str) -> None:
    """Say something to a table, and something else with a card."""
    voting = in_election(post.api)
    sit(post, voting)
    do(post, "POST", f"{voting.path}/messages", token, line=f"{NAME} greets")
    ballot = {"kind": "election", "card": "yes", "line": f"{NAME} lays this"}
    answer = f"{voting.path}/decisions/{voting.decision}/answer"
    do(post, "PUT", answer, token, **ballot)


def was_rematched(post: Postbox, token: str) -> None:
    """Be asked to another game with the same people; the seat is open then."""
    over = Table(post.api, rounds=1, placement="random")
    over.inside("finish")
    sit(post, over)
    host = over.tokens[0]
    answer = post.api.call("POST", f"{over.path}/rematch", host, headers=key())
    assert NAME in answer.text
    (number,) = (s["number"] for s in answer.json["seats"] if s["name"] == NAME)
    path = f"/v1/games/{answer.json['game']}/seats/{number}"
    do(post, "DELETE", path, token)
    do(post, "PUT", path, host, kind="open")


def asks_for_codes(post: Postbox, token: str) -> None:
    post.ask(ADDRESS)
    post.api.call("PATCH", "/v1/me", token, json={"address": f"new+{ADDRESS}"})


def move(post: Postbox, token: str, old: str, new: str) -> None:
    """Change to another address."""
    do(post, "PATCH", "/v1/me", token, address=new)
    both = {"old_code": post.code(old), "new_code": post.code(new)}
    do(post, "POST", "/v1/me/address/confirmation", token, **both)


WAYS = (
    hosts,
    is_invited,
    declined,
    was_removed,
    came_and_left,
    plays,
    was_rematched,
    talks,
    asks_for_codes,
)


def write(post: Postbox) -> None:
    """Have a mail that names them on its way to everybody else who sits somewhere."""
    with post.api.app.app_context():
        run(
            "INSERT INTO mail (id, person_id, game_id, message_id, state, body)"
            " SELECT gen_random_uuid(), s.person_id, s.game_id, gen_random_uuid(),"
            " 'retry', :b FROM seat s JOIN person p ON p.id = s.person_id"
            " WHERE p.address <> :a RETURNING id",
            {"b": f"{NAME} plays".encode(), "a": ADDRESS},
        )


def traces(post: Postbox, *words: str) -> set[str]:
    """The columns in which a word stands, as text, as bytes or within JSON."""
    with post.api.app.app_context():
        columns = run(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = 'public'"
        )
        return {
            f"{table}.{column}"
            for table, column in columns
            for (value,) in run(f'SELECT "{column}"::text FROM "{table}"')
            for word in words
            if word.lower() in (value or "").lower()
            or word.encode().hex() in (value or "")
        }


def person_id(post: Postbox) -> UUID:
    with post.api.app.app_context():
        found = run("SELECT id FROM person WHERE address = :a", {"a": ADDRESS})
    person: UUID = found[0][0]
    return person
