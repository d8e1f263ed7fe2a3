"""Before a mail leaves, what it says is checked: nothing false is sent."""

from engine.board import Card
from engine.commands import Ballot
from service.game import acts_taken_back, time_up
from service.store import opt_outs
from service.store.people import Profile
from service.store.transactions import transaction
from service.tables import cancellation, seat_changes, seating
from service.tables.refusals import InvitationAnswer
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from tests.rig.worker.mail_server import Sink, deliver_due, send
from worker.outgoing import delivery


def quiet(table: Seated) -> None:
    """Let everything so far be told already."""
    run("UPDATE notice SET superseded_at = now() WHERE superseded_at IS NULL")
    run("UPDATE mail SET state = 'sent', settled_at = now() WHERE settled_at IS NULL")


def test_your_turn_is_not_sent_once_the_seat_has_answered(sink: Sink) -> None:
    table = seated.started(3)
    quiet(table)
    (seat,) = table.game.asked()
    table.answer(seat, seated.own(table.game, seat).legal[0].answer)
    (following,) = table.game.asked()
    table.answer(following, seated.own(table.game, following).legal[0].answer)

    send(table.id)

    assert [letter.to for letter in sink.letters] == [
        seated_address(table, table.game.asked()[0])
    ]
    assert rows.superseded(table.id).count("your_turn") == 2


def test_a_question_that_went_with_what_was_taken_back_is_not_mailed(
    sink: Sink,
) -> None:
    table = seated.started(3)
    quiet(table)
    (seat,) = table.game.asked()
    table.answer(seat, seated.own(table.game, seat).legal[0].answer)

    acts_taken_back.take_back(table.id, table.holder(seat), 1)
    send(table.id)

    assert [letter.to for letter in sink.letters] == [seated_address(table, seat)]
    assert sink.kinds() == ["your_turn"]
    assert rows.superseded(table.id).count("your_turn") == 2


def test_an_election_is_not_mailed_to_who_has_laid_a_card(sink: Sink) -> None:
    table = seated.in_election(3)
    quiet(table)
    run("UPDATE notice SET superseded_at = NULL WHERE kind = 'election'")
    run("UPDATE notice SET mail_id = NULL")
    table.answer(1, Ballot(Card.YES))

    send(table.id)

    mailed = {letter.to for letter in sink.letters}
    assert mailed == {seated_address(table, 0), seated_address(table, 2)}


def test_a_result_is_not_sent_after_the_next_reveal(sink: Sink) -> None:
    table = seated.in_election(3)
    quiet(table)
    table.lay([Card.NO, Card.YES, Card.YES])
    table.resolve()
    table.nominate()
    table.lay([Card.YES, Card.NO, Card.YES])
    table.resolve()

    send(table.id)

    assert sorted(sink.kinds()) == ["result", "result", "your_turn"]
    assert rows.superseded(table.id).count("result") >= 2
    for letter in sink.letters:
        cards = letter.cards[:3]
        assert cards == ["- Rachel: Yes", "- Simon: No", "- Terry: Yes"]


def test_a_round_is_not_told_to_be_over_after_the_game(sink: Sink) -> None:
    table = seated.started(3, rounds=2)
    table.finish()

    send(table.id)

    assert "game_over" in sink.kinds()
    assert "round_over" not in sink.kinds()
    assert "round_over" in rows.superseded(table.id)


def test_everybody_hears_the_end_of_the_game(sink: Sink) -> None:
    table = seated.started(3, rounds=1)
    table.finish()

    send(table.id)

    over = [letter for letter in sink.letters if letter.notice == "game_over"]
    assert {letter.to for letter in over} == {
        seated_address(table, seat) for seat in range(3)
    }


def test_an_invitation_that_was_answered_is_not_sent(sink: Sink) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seated.accept(game_id, 1)

    send(game_id)

    assert sink.kinds("simon") == []
    assert sink.kinds("terry") == ["invitation"]


def test_no_invitation_is_sent_to_an_address_that_wants_none(sink: Sink) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    with transaction():
        opt_outs.add("terry@example.org")

    send(game_id)

    assert sink.kinds("simon") == ["invitation"]
    assert sink.kinds("terry") == []


def test_a_table_that_is_confirmed_asks_for_no_word(sink: Sink) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)

    send(game_id)

    assert sink.kinds("rachel") == []


def test_the_host_hears_of_a_free_seat_while_it_is_free(sink: Sink) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seating.respond(
        seated.link(game_id, 1), InvitationAnswer.NO, Profile("Simon"), word=""
    )
    send(game_id)
    (declined,) = [each for each in sink.letters if each.to.startswith("rachel")]
    seating.respond(
        seated.link(game_id, 2), InvitationAnswer.NO, Profile("Terry"), word=""
    )
    for seat in (1, 2):
        seat_changes.bot(game_id, seat, "steady")

    send(game_id)

    assert declined.text.startswith("Simon can't play: choose who takes the seat.")
    assert sink.kinds("rachel").count("declined") == 1


def test_a_table_called_off_is_told_to_the_invited(sink: Sink) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    send(game_id)
    sink.raw.clear()

    cancellation.give_up(game_id)
    send(game_id)

    assert sorted(sink.kinds()) == ["called_off"] * 2


def test_who_has_joined_hears_of_the_end_also_if_they_want_no_invitations(
    sink: Sink,
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seated.accept(game_id, 1)
    run("UPDATE notice SET superseded_at = now()")
    with transaction():
        for name in ("simon", "terry"):
            opt_outs.add(f"{name}@example.org")
    cancellation.give_up(game_id)

    send(game_id)

    assert [letter.to for letter in sink.letters] == ["simon@example.org"]
    assert sink.kinds() == ["called_off"]


def test_nothing_is_asked_of_who_has_a_bot_on_their_seat(sink: Sink) -> None:
    table = seated.started(3)
    (seat,) = table.game.asked()
    run("UPDATE seat SET bot = 'random' WHERE number = :s", {"s": seat})

    send(table.id)

    assert seated_address(table, seat) not in {each.to for each in sink.letters}
    assert "your_turn" in rows.superseded(table.id)


def test_a_mail_that_became_false_before_a_repeat_is_not_sent(sink: Sink) -> None:
    table = seated.started(3)
    quiet(table)
    (seat,) = table.game.asked()
    table.answer(seat, seated.own(table.game, seat).legal[0].answer)
    sink.data = ["451 later"]
    send(table.id)
    (asked,) = table.game.asked()
    table.answer(asked, seated.own(table.game, asked).legal[0].answer)

    run("UPDATE mail SET claim_at = kingup_now() WHERE settled_at IS NULL")
    deliver_due()
    delivery.post(table.id)

    assert seated_address(table, asked) not in {each.to for each in sink.letters}
    assert rows.states(table.id)["superseded"] >= 1
    assert rows.bodies(table.id) == []


def test_a_mail_to_an_erased_person_is_not_sent(sink: Sink) -> None:
    game_id = seated.draft(3)
    run("UPDATE person SET address = NULL, address_key = NULL")

    send(game_id)

    assert sink.raw == []
    assert rows.states(game_id) == {"superseded": 1}


def test_a_reminder_is_sent_while_an_answer_is_owed(sink: Sink) -> None:
    table = seated.in_election(3)
    quiet(table)
    table.answer(0, Ballot(Card.YES))
    time_up.remind(table.id, table.decision)
    table.answer(1, Ballot(Card.YES))

    send(table.id)

    (letter,) = sink.letters
    assert letter.to == seated_address(table, 2)
    assert letter.text.startswith("The table waits for you, Terry: shall ")
    assert "So far a card was laid by Rachel." in letter.text


def seated_address(table: Seated, seat: int) -> str:
    found = run(
        "SELECT p.address FROM seat s JOIN person p ON p.id = s.person_id"
        " WHERE s.game_id = :g AND s.number = :s",
        {"g": table.id, "s": seat},
    )
    return str(found[0][0])


def test_a_program_hears_of_the_end_and_not_of_the_game_as_it_goes(
    sink: Sink,
) -> None:
    table = seated.started(3, rounds=1)
    # Whoever begins is asked to, and not told of the start.
    begins = next(iter(table.game.asked()))
    program, person = sorted({0, 1, 2} - {begins})
    address = seated_address(table, program)
    run("UPDATE person SET program = true WHERE address = :a", {"a": address})

    send(table.id)
    going = {letter.to for letter in sink.letters}
    table.finish()
    send(table.id)

    assert going == {seated_address(table, begins), seated_address(table, person)}
    assert "started" in rows.superseded(table.id)
    assert sink.kinds(address) == ["game_over"]


def test_a_program_is_invited_like_anybody(sink: Sink) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    run("UPDATE person SET program = true WHERE address LIKE 'terry%'")

    send(game_id)

    assert sink.kinds("terry") == ["invitation"]
