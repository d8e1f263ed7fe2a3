"""Commands as people type them: every name, in every language, and nothing guessed."""

from collections.abc import Iterator

import pytest

from engine.commands import Answer, Ballot, Move, Placement
from tests.rig.service.manual import names, page, rows, section
from tests.rig.worker import reading
from tests.rig.worker.reading import (
    CARDS,
    MOVES,
    NO,
    PLACEMENTS,
    PLACES,
    STOMACHACHE,
    YES,
    understood,
)
from worker.incoming import commands
from worker.incoming.commands import Unread

NAMES = {
    "A": "Alighiero | lo Scudiero",
    "B": "Beatrice | Bertrice",
    "C": "Clemente | il Sergente",
    "D": "Dario",
    "E": "Ernesto | Duca Onesto | il Duca Onesto | Erisco | Ernesco | Erisceo",
    "F": "Fiorello | Farello | Fiorillo | Florello | Florella",
    "G": "Gavino | Gavro | Gasino | Giuseppe | Gianni",
    "I": "Irina | Iris",
    "L": "Leonora",
    "M": "Merlino | l'Indovino | l’Indovino | Indovino | Mertino | Martino",
    "N": "Natale | Nacale | Niccolò | Niccolo",
    "O": "Odessa | la Contessa | Contessa | Odessa la Contessa | ODESSA",
    "P": "Piero | Pire | Pete",
    "J": "Jester | Narr | Giullare | Bouffon | the Jester | den Narren | il Giullare",
}
"""What the rules call the characters, and how else people may spell them."""

FLOORS = {
    "1": "Craftsmen | Handwerker | Artigiani | Artisans",
    "2": "Traders | Kaufleute | Mercanti | Marchands",
    "3": "Officers | Offiziere | Ufficiali | Officiers",
    "4": "Dignitaries | Würdenträger | Wuerdentraeger | Dignitari | Dignitaires",
}


@pytest.fixture(autouse=True)
def inside() -> Iterator[None]:
    """No database: what is read here are words."""
    with reading.speaking():
        yield


def parted(text: str) -> list[str]:
    return [each.strip() for each in text.split("|")]


@pytest.mark.parametrize("verb", ["", "move ", "ziehe ", "Sposta ", "monter ", "ZIEH "])
def test_a_character_is_moved_by_every_name(verb: str) -> None:
    found = {
        f"{verb}{name}": understood(f"{verb}{name}", offers=MOVES)
        for names in NAMES.values()
        for name in parted(names)
    }

    assert found == {
        f"{verb}{name}": Move(letter)
        for letter, names in NAMES.items()
        for name in parted(names)
    }


@pytest.mark.parametrize("on", ["", "on ", "auf ", "to the ", "bei den ", "chez les "])
def test_a_character_is_placed_on_a_floor_by_every_name_of_it(on: str) -> None:
    everywhere = tuple(Placement("O", floor) for floor in FLOORS)
    found = {
        f"{on}{name}": understood(f"Odessa {on}{name}", offers=everywhere)
        for names in FLOORS.values()
        for name in parted(names)
    }

    assert found == {
        f"{on}{name}": Placement("O", floor)
        for floor, names in FLOORS.items()
        for name in parted(names)
    }


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        *((each, YES) for each in ("yes", "Ja", "sì", "SI", "oui", "YES!", "*Ja*")),
        *((each, NO) for each in ("no", "Nein.", "NON", "“No”", "non…", "vote no")),
        ("Stomachache", STOMACHACHE),
        ("stomach-ache", STOMACHACHE),
        ("Bauchweh!", STOMACHACHE),
        ("Mal di pancia", STOMACHACHE),
        ("mal\u00a0de ventre", STOMACHACHE),
        ("My vote is yes", YES),
        ("Ich stimme mit Nein", NO),
        ("voto sì", YES),
        ("Je vote : non", NO),
        ("Nein-Karte", NO),
        ("my card is no", NO),
        ("yes please", YES),
        ("ｙｅｓ", YES),
        ("si\u0300", YES),
    ],
)
def test_a_card_is_laid_by_its_name_alone(typed: str, card: Ballot) -> None:
    assert understood(typed, offers=CARDS) == card


@pytest.mark.parametrize(
    "typed",
    [
        "No, if you ask me",
        "Nein, leider bin ich nicht da.",
        "Oui, votre message est bien arrivé",
        "yes or no?",
        "yes/no",
        "Yes?",
        "not no",
        "no no",
        "y",
        "\N{CYRILLIC SMALL LETTER U}es",
        "on\u202e",
        "\u202eoN",
        "👍",
        "- yes",
        "Ann: yes",
        "~yes~",
        "yes (cut)",
        "card",
        "no card",
        "vote",
        "...",
    ],
)
def test_what_only_holds_a_cards_name_is_no_vote(typed: str) -> None:
    assert understood(typed, offers=CARDS) is Unread.NOTHING


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("move o", Move("O")),
        ("move O up", Move("O")),
        ("zieh Odessa hoch", Move("O")),
        ("Odessa ziehen", Move("O")),
        ("I move Odessa.", Move("O")),
        ("bitte ziehe Odessa", Move("O")),
        ("move Odessa up one floor", Move("O")),
        ("sposta Odessa di un piano", Move("O")),
        ("monte Odessa d'un étage", Move("O")),
        ("Odessa to the Nobles", Move("O")),
        ("ziehe Odessa hinauf zu den Edelleuten", Move("O")),
        ("Odessa auf 5", Move("O")),
        ("O → 5", Move("O")),
        ("sposta Odessa dai Nobili", Move("O")),
        ("A to throne", Move("A")),
        ("move Alighiero to the King's throne", Move("A")),
        ("Alighiero auf den Königsthron", Move("A")),
        ("Alighiero sur le trône", Move("A")),
        ("move the Jester into the WC", Move("J")),
        ("den Narren ins WC", Move("J")),
        ("Merlino aus dem WC", Move("M")),
        ("move Merlino out of the WC", Move("M")),
        ("Odessa auf die 4", Unread.NOT_OFFERED),
        ("move Odessa to floor one", Unread.NOT_OFFERED),
        ("move Odessa to the throne", Unread.NOT_OFFERED),
        ("Fiorello to the Nobles", Unread.NOT_OFFERED),
        ("O", Unread.NOTHING),
        ("Odessa?", Unread.NOTHING),
        ("move Odessa or Dario", Unread.NOTHING),
        ("don't move Odessa", Unread.NOTHING),
        ("move", Unread.NOTHING),
        ("Moved to a new flat? So did I.", Unread.NOTHING),
        ("Odessa to the moon", Unread.NOTHING),
    ],
)
def test_a_move_may_say_where_it_leads(typed: str, answer: Answer | Unread) -> None:
    assert understood(typed, offers=MOVES) == answer


@pytest.mark.parametrize(
    "typed",
    [
        "place Odessa with the Officers",
        "O3",
        "o 3",
        "O-3",
        "Odessa 3",
        "Odessa: 3",
        "Odessa -> 3",
        "Odessa, floor 3",
        "put Odessa on floor three",
        "Odessa on the 3rd floor",
        "setze Odessa auf die 3",
        "Odessa auf Stockwerk 3",
        "Odessa 3. Stock",
        "Odessa in den dritten Stock",
        "die Contessa zu den Offizieren",
        "metti Odessa al piano 3",
        "Odessa al terzo piano",
        "Odessa 3°",
        "Odessa tra gli Ufficiali",
        "mets Odessa chez les Officiers",
        "Odessa à l'étage 3",
        "Odessa au 3e étage",
        "place la Contessa parmi les Officiers, s'il te plaît",
        "Odessa auf 3 setzen",
    ],
)
def test_a_placement_names_a_character_and_a_floor(typed: str) -> None:
    assert understood(typed, offers=PLACEMENTS) == Placement("O", "3")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("Odessa 4", Unread.NOT_OFFERED),
        ("Odessa with the Nobles", Unread.NOT_OFFERED),
        ("Dario 3", Unread.NOT_OFFERED),
        ("Odessa", Unread.NOTHING),
        ("3", Unread.NOTHING),
        ("Odessa 3 or 2", Unread.NOTHING),
        ("Odessa 33", Unread.NOTHING),
        ("Odessa and Beatrice on 3", Unread.NOTHING),
    ],
)
def test_a_placement_is_offered_or_asked_about(typed: str, answer: Unread) -> None:
    assert understood(typed, offers=PLACEMENTS) is answer


@pytest.mark.parametrize(
    ("offers", "lines", "answer"),
    [
        (CARDS, ("yes", "see you on Monday"), YES),
        (CARDS, ("yes", "well, no"), Unread.AMBIGUOUS),
        (CARDS, ("Ja", "oder doch Nein?"), Unread.AMBIGUOUS),
        (CARDS, ("yes", "I have a stomachache"), Unread.AMBIGUOUS),
        (CARDS, ("sì", "o forse mal di pancia"), Unread.AMBIGUOUS),
        (CARDS, ("yes", "nobody knows"), YES),
        (CARDS, ("yes", "Yes!"), YES),
        (MOVES[:2], ("Alighiero", "and Odessa is tired"), Move("A")),
        (MOVES, ("Alighiero", "and Odessa is tired"), Unread.AMBIGUOUS),
        (MOVES, ("Alighiero", "a nice day"), Move("A")),
        (PLACEMENTS, ("Odessa 3", "Odessa 2"), Unread.AMBIGUOUS),
        (PLACEMENTS, ("Odessa 3", "O: 4"), Unread.AMBIGUOUS),
        (PLACEMENTS, ("Odessa 3", "Odessa on floor 3"), Placement("O", "3")),
        (PLACEMENTS, ("Odessa 3", "a good move, I think"), Placement("O", "3")),
    ],
)
def test_a_later_line_that_names_another_makes_it_doubtful(
    offers: tuple[Answer, ...], lines: tuple[str, ...], answer: Answer | Unread
) -> None:
    assert understood(*lines, offers=offers) == answer


@pytest.mark.parametrize("begin", ["say:", "SAG: ", "Sage : ", "di:", "Dì: ", "dis : "])
def test_what_is_said_goes_with_the_answer_and_is_none_itself(begin: str) -> None:
    lines = (f"{begin}no, never", "yes", "say: good night")

    found = commands.read(lines, CARDS, PLACES)

    assert found == commands.Command(YES, "no, never good night")


def test_what_is_said_alone_asks_for_nothing() -> None:
    assert understood("say: yes", offers=CARDS) is Unread.NOTHING
    assert commands.said_alone(("say: yes", "sag: und")) == "yes und"
    assert commands.said_alone(("say: yes", "and more")) == ""
    assert commands.said_alone(()) == ""


def test_a_place_is_not_believed_where_nobody_says_where_a_move_leads() -> None:
    found = commands.read(("Odessa to the Nobles",), MOVES, PLACES)

    assert found is Unread.NOT_OFFERED


def test_what_the_docs_promise_is_understood() -> None:
    done: dict[str, tuple[tuple[Answer, ...], Answer | Unread]] = {
        "Odessa moves": (MOVES, Move("O")),
        "Odessa moves, if that is where her way leads": (MOVES, Move("O")),
        "Odessa is placed on floor 3": (PLACEMENTS, Placement("O", "3")),
        "Yes is laid": (CARDS, YES),
        "No is laid": (CARDS, NO),
        "a Stomachache is laid": (CARDS, STOMACHACHE),
    }
    promised = section(page("mails.md"), "What an answer may say")
    table = {cells[0]: cells[1] for cells in rows(promised)}
    nothing = {cell for cell, what in table.items() if what not in done}

    for cell, what in table.items():
        for line in names(cell):
            if what in done:
                offers, answer = done[what]
                assert understood(line, offers=offers) == answer
    assert set(table.values()) - set(done) == {"nothing: its writer is asked"}
    for line in names(nothing.pop()):
        for offers in (CARDS, MOVES, PLACEMENTS):
            assert understood(line, offers=offers) is Unread.NOTHING


def test_nothing_is_read_where_nothing_is_offered() -> None:
    assert understood("yes", offers=()) is Unread.NOTHING
    assert understood(offers=CARDS) is Unread.NOTHING
