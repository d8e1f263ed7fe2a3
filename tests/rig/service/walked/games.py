"""A whole game with all that may happen in it: talk, pauses, absences, a new person."""

from typing import Any

from engine.commands import PlacementOption
from service.game import pace, table_acts, time_up
from service.people import absences, deletion, game_mails
from service.people.absences import AbsenceWish
from service.store import (
    answers,
    availability,
    clock,
    links,
    messages,
    standing_answers,
)
from service.store.availability import Availability
from service.store.transactions import transaction
from service.tables import rematch
from service.values import entropy
from service.values.enums import AbsenceChoice
from service.values.principals import ProposalHolder
from tests.rig.service import programs, replaced, seated
from tests.rig.service.postbox import Postbox
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run
from tests.rig.service.visitor import Visitor
from worker.clock import absences as away
from worker.clock import named_people, sweeper
from worker.outgoing import delivery


def plays(post: Postbox) -> None:
    """A whole game, told by mail and over the API, a turn of a bot, and a rematch."""
    table = Table(post.api, 3, rounds=1)
    with post.api.app.app_context():
        seated.started(3, bots=2, first=1)
        run("UPDATE due SET claim_at = kingup_now() WHERE kind = 'bot'")
        late = "UPDATE due SET claim_at = kingup_now() WHERE kind = 'deadline'"
        run(f"{late} AND game_id = :g", {"g": table.id})
        sweeper.sweep()
        _goes_on_for_as_long_again()
        _is_away()
        _takes_over(post.api)
        voting = seated.in_election(3)
        time_up.remind(voting.id, voting.decision)
        time_up.remind(table.id, table.decision)
        _runs_out(table)
        delivery.sweep()
    _is_looked_at(table)
    _talks(table)
    number, seat, _ = table.play_a_turn()
    given = f"{table.path}/decisions/{number}/answer"
    assert post.api.get(given, table.tokens[seat]).status_code == 200
    _stops_the_clock(table)
    undone = f"{table.path}/decisions/{number}/taken-back"
    back = post.api.call("PUT", undone, table.tokens[seat])
    assert back.status_code == 200
    _answers_ahead(table)
    _orders_cards(table)
    _proposes(table)
    _wants_no_mails(table)
    for way in ("PUT", "DELETE"):
        post.api.call(way, f"{table.path}/seats/0/departure", table.tokens[0])
    table.inside("finish")
    post.tell(table.id)
    post.letters()
    post.api.get(table.path, table.tokens[0])
    with post.api.app.app_context():
        rematch.again(table.id, seated.person_on(table.id, 0))


def _is_looked_at(table: Table) -> None:
    for path in ("view", "view.svg", "view?at=3", "events?after=0", "export"):
        table.api.get(f"{table.path}/{path}", table.tokens[0])
    for query in ("", "?view=true"):
        turns = table.api.get(f"/v1/me/turns{query}", table.tokens[0])
        assert turns.status_code == 200


def _takes_over(api: Api) -> None:
    """Somebody else is named, objected to, asked, and sits down; one is erased."""
    table = replaced.kept(4)
    replaced.name(table, replaced.fresh())
    replaced.end(table, by=2)
    secret = replaced.mailed(table)
    assert Visitor(api.app).get(f"/i/{secret}").status == 200
    replaced.name(table, replaced.fresh())
    run("UPDATE replacement SET due_at = kingup_now() WHERE state = 'named'")
    named_people.sweep()
    link = replaced.link_of(table)
    delivery.post(table.id)
    former = seated.person_on(table.id, replaced.KEPT)
    browser = Visitor(api.app)
    browser.remember(table, 2)
    assert browser.get(f"/g/{table.id}").status == 200
    replaced.answer(link)
    holder = replaced.device_of(table)
    table_acts.depart(table.id, holder, replaced.KEPT)
    deletion.erase(former)
    table.play_round()


def _goes_on_for_as_long_again() -> None:
    """Time is up in an election of a day, and everybody has spare time."""
    lot = PlacementOption.RANDOM
    table = seated.started(3, decision_time=pace.USUAL, spare=1, placement=lot)
    table.nominate()
    with transaction():
        run("UPDATE game SET deadline = kingup_now() WHERE id = :g", {"g": table.id})
    time_up.run_out(table.id, table.decision)


def _is_away() -> None:
    """Somebody is away for whom the table waits, and somebody for whom a bot plays."""
    table = seated.started(3)
    with transaction():
        today = clock.now().date()
    for seat, choice in enumerate(AbsenceChoice):
        person = seated.person_on(table.id, seat)
        wish = AbsenceWish(today, today, choice)
        found = absences.announce(person, wish)
        if choice is AbsenceChoice.BOT:
            away.sweep()
            run("UPDATE absence SET ends_at = kingup_now()")
            away.sweep()
        absences.call_off(person, found.id)
    waited = Availability(0, "UTC", days=1, until=today)
    with transaction():
        availability.use(table.id, (waited,))


def _stops_the_clock(table: Table) -> None:
    """Pauses the game, adds a day to a question, and lets the clock go on."""
    token = table.tokens[0]
    table.api.call("PUT", f"{table.path}/pause", token, json={"days": 1})
    longer = {"decision": table.decision}
    table.api.call("POST", f"{table.path}/extensions", token, json=longer)
    assert table.api.call("DELETE", f"{table.path}/pause", token).status_code == 200
    table.inside("end_pauses")


def _answers_ahead(table: Table) -> None:
    """Lays standing answers, has one given, looks at what became of it, drops them."""
    voting = Table(table.api, 3, rounds=1, placement=PlacementOption.RANDOM)
    path, token = f"{voting.path}/standing-answers", voting.tokens[1]
    wishes: tuple[dict[str, Any], ...] = (
        {"placements": [{"character": "A", "place": "1"}]},
        {"election": {"else": "no"}},
    )
    for body in wishes:
        laid = table.api.call("PUT", path, token, json=body)
        assert laid.status_code == 200, laid.text
    voting.inside("nominate")
    with table.api.app.app_context():
        assert standing_answers.given_at(voting.id, voting.decision, 1) is not None
        run("UPDATE due SET claim_at = kingup_now() WHERE kind = 'standing'")
        sweeper.sweep()
        answers.wished(voting.id, voting.decision, 1)
    assert table.api.get(path, token).json["election"]["else"] == "no"
    assert table.api.call("DELETE", path, token).status_code == 204


def _orders_cards(table: Table) -> None:
    """Has a seat's cards mailed, and no more."""
    path, token = f"{table.path}/cards-by-mail", table.tokens[1]
    assert table.api.call("PUT", path, token).status_code == 200
    assert table.api.get(path, token).json == {"ordered": True}
    assert table.api.call("DELETE", path, token).status_code == 204


def _proposes(table: Table) -> None:
    """Proposes to call the game off, which one agrees to and another doesn't."""
    path, (first, second, third) = f"{table.path}/proposals", table.tokens
    table.api.call("POST", path, first, json={"kind": "cancel"})
    for token, agrees in ((second, True), (third, False)):
        vote = {"agrees": agrees}
        found = table.api.call("PUT", f"{path}/1/vote", token, json=vote)
        assert found.status_code == 200
    with table.api.app.app_context():
        with transaction():
            mailed = links.add(seated.link(table.id, 1, "proposal"))
        holder = ProposalHolder(entropy.digest(mailed))
        table_acts.vote(table.id, holder, 1, agrees=False)


def _wants_no_mails(table: Table) -> None:
    """Ends the mails of all games, has them again, and leaves by the same link."""
    with table.api.app.app_context():
        mailed = seated.link(table.id, 2, "unsubscribe")
        game_mails.end(mailed, everywhere=True)
        game_mails.resume(mailed, everywhere=True)
        with transaction():
            token = links.add(mailed)
    browser = Visitor(table.api.app)
    page = browser.get(f"/u/{token}")
    leaving = page.the_form("Leave this game")
    assert browser.press(page, leaving, {"sure": "yes"}).status == 200


def _talks(table: Table) -> None:
    """Says something, with an act, a ballot and by itself; reads, mutes, reports."""
    voting = programs.in_election(table.api)
    for path, body in (("", {"phrase": "hello"}), ("?after=0&limit=1", None)):
        method = "GET" if body is None else "POST"
        options = {} if body is None else {"json": body}
        table.api.call(
            method, f"{table.path}/messages{path}", table.tokens[0], **options
        )
    for method in ("PUT", "DELETE"):
        table.api.call(method, f"{table.path}/seats/1/mute", table.tokens[0])
    table.api.call("POST", f"{table.path}/messages/1/report", table.tokens[1])
    for seat in range(3):
        voting.put(seat, {**voting.first_legal(seat), "line": "As you wish."})
    voting.inside("resolve")
    with table.api.app.app_context():
        assert messages.reported(5)
        browser = Visitor(table.api.app)
        browser.remember(table.table, 0)
        page = browser.get(f"/g/{table.id}")
        browser.press(page, page.the_form("Say it"), {"line": "On we go."})


def _runs_out(table: Table) -> None:
    """Lets the clock answer."""
    run(
        "UPDATE game SET deadline = kingup_now() WHERE id = :g",
        {"g": table.id},
    )
    time_up.run_out(table.id, table.decision)
