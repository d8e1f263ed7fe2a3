import msgspec
import pytest
from msgspec.structs import replace

from engine import views
from engine.board import Card, PlaceKind, Seat
from engine.commands import Placement
from engine.deck import favourites
from engine.state import Phase
from tests.rig.engine.tables import (
    PAUL,
    RACHEL,
    SIMON,
    TERRY,
    Table,
    options,
    settled,
    started,
)


def encoded(table: Table, viewer: Seat | None) -> bytes:
    return msgspec.json.encode(table.view(viewer))


def election(history: str = "table") -> Table:
    table = settled(4, options(history=history))
    table.nominate("A")
    return table


@pytest.mark.parametrize("card", ["yes", "no"])
@pytest.mark.parametrize("laying", [RACHEL, SIMON, PAUL])
def test_a_ballot_laid_changes_no_byte_of_anybody_elses_view(
    card: str, laying: Seat
) -> None:
    table = election()
    others = [None, *(s for s in (RACHEL, SIMON, TERRY, PAUL) if s != laying)]
    before = {viewer: encoded(table, viewer) for viewer in others}
    own = encoded(table, laying)

    table.lay(laying, card)

    assert {viewer: encoded(table, viewer) for viewer in others} == before
    assert encoded(table, laying) != own


def test_whoever_laid_a_card_sees_it_and_owes_nothing_more() -> None:
    table = election()

    table.lay(SIMON, "no")

    own = table.view(SIMON).own
    assert own is not None
    assert (own.laid, own.legal) == (Card.NO, ())
    assert own.hand == (Card.YES, Card.NO, Card.NO, Card.NO)


def test_the_last_card_changes_nothing_before_it_is_turned_over() -> None:
    table = election()
    for seat in (RACHEL, SIMON, TERRY):
        table.lay(seat, "no")
    before = encoded(table, None), encoded(table, RACHEL)

    table.lay(PAUL, "no")

    assert (encoded(table, None), encoded(table, RACHEL)) == before


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("make", [started, settled, election])
def test_a_spectator_sees_what_a_seat_sees_but_its_own(make: object, seat: int) -> None:
    assert callable(make)
    table: Table = make()

    view = table.view(Seat(seat))

    assert view.own is not None
    assert replace(view, own=None) == table.view(None)


def test_a_seats_own_are_its_favourites_its_hand_and_its_answers() -> None:
    table = started()

    own = table.view(RACHEL).own

    assert own is not None
    assert own.seat == RACHEL
    assert own.favourites == favourites(table.game.deck[0])
    assert own.hand == (Card.YES, Card.NO, Card.NO, Card.NO)
    assert own.legal[0].answer == Placement("A", "1")
    assert own.laid is None


def test_whoever_is_not_asked_has_no_answers() -> None:
    table = started()

    own = table.view(SIMON).own

    assert own is not None
    assert own.legal == ()
    assert own.favourites == favourites(table.game.deck[1])


def twin(table: Table, viewer: Seat) -> Table:
    """The same game in another world: all that the viewer may not know differs."""
    game = table.game
    deck = list(game.deck)
    shown = (game.round - 1) * len(game.seats)
    free = [at for at in range(shown, 26) if at != shown + viewer]
    cards = [deck[at] for at in free]
    for at, card in zip(free, [*cards[1:], cards[0]], strict=True):
        deck[at] = card
    hands = tuple(
        hand if seat == viewer else hand[:1] for seat, hand in enumerate(game.hands)
    )
    ballots = tuple(
        card if seat == viewer or card is None else Card.YES
        for seat, card in enumerate(game.ballots)
    )
    other = Table()
    other.game = replace(game, deck=tuple(deck), hands=hands, ballots=ballots)
    assert other.game != game
    return other


@pytest.mark.parametrize("viewer", [RACHEL, SIMON, TERRY, PAUL])
def test_nothing_secret_of_others_is_in_a_seats_view(viewer: Seat) -> None:
    table = election()
    table.vote("yes", "no", "yes", "no")
    table.nominate("B")
    for seat in range(3):
        table.lay(Seat(seat), "no")

    other = twin(table, viewer)

    assert encoded(other, viewer) == encoded(table, viewer)


def test_nothing_secret_is_in_a_spectators_view_of_any_phase() -> None:
    for make in (started, settled, election):
        table = make()

        assert encoded(twin(table, RACHEL), None) == encoded(table, None)


def test_the_view_shows_the_question_to_everybody() -> None:
    table = settled()

    decision = table.view(None).decision

    assert decision is not None
    assert (decision.number, decision.kind, decision.seat) == (13, "move", RACHEL)
    assert decision.offers == table.legal(RACHEL)


def test_places_stand_top_to_bottom_with_who_is_on_them() -> None:
    view = settled().view(None)

    rows = [(row.place.key, "".join(row.characters)) for row in view.places]

    assert rows == [
        ("throne", ""),
        ("5", ""),
        ("4", "ABCD"),
        ("3", "EFGI"),
        ("2", "LMNO"),
        ("1", ""),
        ("0", "P"),
        ("out", ""),
    ]
    assert view.places[-1].place.kind is PlaceKind.OUT
    assert view.unplaced == ()


def test_characters_beside_the_castle_are_shown_while_it_fills() -> None:
    table = started()
    table.place("C", "2")

    assert "".join(table.view(None).unplaced) == "ABDEFGILMNOP"


def test_who_has_laid_a_card_is_only_what_the_last_reminder_told() -> None:
    table = election()
    table.lay(PAUL, "no")

    assert table.view(None).laid is None
    seen = views.view(table.game, None, laid=(RACHEL,))

    assert seen.laid == (RACHEL,)
    assert replace(seen, laid=None) == table.view(None)


def test_no_view_tells_how_many_cards_somebody_else_holds() -> None:
    table = election()
    table.vote("no", "no", "yes", "no")

    assert table.view(None).hand == (Card.YES, Card.NO, Card.NO, Card.NO)
    own = table.view(TERRY).own
    assert own is not None
    assert own.hand == (Card.YES, Card.NO, Card.NO, Card.NO)
    assert table.view(RACHEL).own != own


def test_a_round_that_is_over_shows_favourites_points_and_totals() -> None:
    table = settled()
    cards = [favourites(table.game.deck[seat]) for seat in range(4)]
    table.crown("A")

    (shown,) = table.view(None).rounds

    assert shown.favourites == tuple(cards)
    assert shown.totals == shown.points == table.view(None).totals
    assert (shown.round, table.view(None).round) == (1, 2)


def test_a_game_that_is_over_has_nobodys_own_and_names_its_winners() -> None:
    table = settled(4, options(rounds=1))
    table.crown("A")

    view = table.view(RACHEL)

    assert (view.phase, view.reason) == (Phase.OVER, "finished")
    assert view.winners == table.game.winners != ()
    assert view.own is None
    assert view.decision is None
    assert view == table.view(None)
