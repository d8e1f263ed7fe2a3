"""What somebody wrote themselves, told from what their program quotes and adds."""

import pytest

from worker.incoming import fresh_text

QUOTED = "Vote, Ann: shall Odessa be king?\n\nyes\nno\n"

ATTRIBUTIONS = (
    "On Wed, Dec 2, 2026 at 7:12 AM King Up <game+x@play.example.org> wrote:",
    "On Wed, Dec 2, 2026 at 7:12 AM King Up\n<game+x@play.example.org> wrote:",
    "On 2 Dec 2026, at 07:12, King Up <game+x@play.example.org> wrote:",
    "On 12/2/26 07:12, King Up wrote:",
    "On Wednesday, December 2, 2026 at 07:12:00 AM GMT+1, King Up <g@p.org> wrote:",
    "Am Mi., 2. Dez. 2026 um 07:12 Uhr schrieb King Up <game+x@play.example.org>:",
    "Am 02.12.26 um 07:12 schrieb King Up:",
    "Am Mittwoch, 2. Dezember 2026 um 07:12 MEZ hat King Up <g@p.org> Folgendes\n"
    "geschrieben:",
    "Le mer. 2 déc. 2026 à 07:12, King Up <game+x@p.example.org> a\u00a0écrit\u00a0:",
    "Le 02/12/2026 à 07:12, King Up a écrit :",
    "Il giorno mer 2 dic 2026 alle ore 07:12 King Up <g@p.org> ha\nscritto:",
    "Il 02/12/26 07:12, King Up ha scritto:",
    "King Up <game+x@play.example.org> schrieb am Mi., 2. Dez. 2026, 07:12:",
    "Op wo 2 dec 2026 om 07:12 schreef King Up <game+x@play.example.org>:",
    "在 2026年12月2日，07:12，King Up! <game+x@play.example.org> 写道：",
    "El mié, 2 dic 2026 a las 7:12, King Up (<game+x@play.example.org>) escribió:",
)

HEADS = (
    "From: King Up <g@p.org>\nSent: Wednesday, December 2, 2026 7:12 AM\n"
    "To: Ann <ann@example.org>\nSubject: Your vote\n",
    "*From:* King Up\n*Date:* Wednesday\n*To:* Ann\n*Subject:* Your vote\n",
    "Von: King Up <g@p.org>\nGesendet: Mittwoch, 2. Dezember 2026 07:12\nAn: Ann\n"
    "Betreff: Deine Stimme\n",
    "Gesendet: Mittwoch, 02. Dezember 2026 um 07:12 Uhr\nVon: King Up <g@p.org>\n"
    "An: ann@example.org\nBetreff: Deine Stimme\n",
    "De : King Up <g@p.org>\nEnvoyé : mercredi 2 décembre 2026 07:12\nÀ : Ann\n"
    "Objet : Votre vote\n",
    "Da: King Up <g@p.org>\nInviato: mercoledì 2 dicembre 2026 07:12\nA: Ann\n"
    "Oggetto: Il tuo voto\n",
    "-----Original Message-----\n",
    "---- On Wed, 02 Dec 2026 07:12:00 +0100 King Up! <g@p.org> wrote ---\n",
    "От: King Up! <g@p.org>\nОтправлено: среда, 2 декабря 2026 г. 7:12\nКому: Ann\n",
    "Van: King Up!\nVerzonden: 2 dec 2026\nAan: Ann <ann@example.org>\n",
    "-------- Ursprüngliche Nachricht --------\nVon: King Up\n",
    "‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐\n",
    "________________________________\nDa: King Up\n",
    "Begin forwarded message:\n",
    "Original message:\n",
)

ADDED = (
    "Sent from my iPhone",
    "Sent from Yahoo Mail for iPhone",
    "Sent with Proton Mail secure email.",
    "Get Outlook for iOS",
    "Von meinem iPhone gesendet",
    "Von Outlook für Android gesendet",
    "Gesendet mit der GMX Mail App",
    "Diese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.",
    "Holen Sie sich Outlook für iOS",
    "Envoyé de mon iPhone",
    "Envoyé à partir de Outlook pour Android",
    "Télécharger Outlook pour iOS",
    "Inviato da iPhone",
    "Inviato dal mio Galaxy",
    "Scarica Outlook per iOS",
)


@pytest.fixture(autouse=True)
def inside() -> None:
    """No database: a text is a text."""


def marked(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
@pytest.mark.parametrize("quote", [QUOTED, marked(QUOTED)], ids=["bare", "marked"])
def test_what_stands_below_an_attribution_is_quoted(
    attribution: str, quote: str
) -> None:
    assert fresh_text.of(f"no\n\n{attribution}\n\n{quote}") == ("no",)
    assert fresh_text.of(f"no\n{attribution}\n{quote}") == ("no",)
    assert fresh_text.of(f"{attribution}\n{quote}") == ()


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
def test_an_answer_may_stand_below_a_marked_quote(attribution: str) -> None:
    text = f"{attribution}\n{marked(QUOTED)}\nno\n\n-- \nAnn\nyes\n"

    assert fresh_text.of(text) == ("no",)


@pytest.mark.parametrize("head", HEADS)
def test_what_stands_below_a_head_is_quoted(head: str) -> None:
    assert fresh_text.of(f"no\n\n{head}\n{QUOTED}") == ("no",)
    assert fresh_text.of(f"{head}{QUOTED}") == ()


@pytest.mark.parametrize("added", ADDED)
def test_what_a_telephone_adds_is_nobodys_text(added: str) -> None:
    assert fresh_text.of(f"no\n\n{added}\n") == ("no",)


@pytest.mark.parametrize(
    "greeting",
    ["Hi,", "Hello King Up!", "Hallo zusammen,", "Guten Morgen", "Ciao a tutti!"]
    + ["Bonjour\u00a0!", "Salut tout le monde,", "Liebe alle", "DEAR ALL"],
)
def test_a_greeting_says_nothing(greeting: str) -> None:
    assert fresh_text.of(f"{greeting}\n\nno\n") == ("no",)


@pytest.mark.parametrize("line", ["Hi no", "Hallo Odessa", "Ciao? No", "hi yes!"])
def test_what_greets_and_says_more_is_a_line(line: str) -> None:
    assert fresh_text.of(f"{line}\nyes\n") == (line, "yes")


def test_a_signature_ends_with_the_quote_below_it() -> None:
    text = f"-- \nAnn\nyes\n{marked(QUOTED)}\nno\n"

    assert fresh_text.of(text) == ("no",)


def test_a_line_between_quoted_ones_may_answer_to_any_of_them() -> None:
    text = "> Shall Odessa be king?\n> - Bob: come on Sunday?\n\nyes\n\n> Ann\n\nno\n"

    assert fresh_text.of(text) == ("yes (between quoted lines)", "no")


def test_what_stands_right_below_a_quoted_line_is_its_rest() -> None:
    assert fresh_text.of("> Bob:\nyes\n\nno\n") == ("no",)
    assert fresh_text.of("> Bob:\nyes\nyes\n\nno\n") == ("no",)
    assert fresh_text.of("> Bob:\n-- \nAnn\n\nyes\n") == ()
    assert fresh_text.of("> Bob:\n-----Original-----\n\nyes\n") == ()


@pytest.mark.parametrize(
    "end", ["\u2028", "\u2029", "\x0b", "\x0c", "\x85", "\r", "\x1e"]
)
def test_a_quoted_line_goes_on_where_mail_programs_let_it(end: str) -> None:
    assert fresh_text.of(f"> Bob: look{end}yes\n\nno\n") == ("no",)


def test_what_nobody_sees_is_no_part_of_a_line() -> None:
    text = "\ufeffy\u200be\u00ads\u00a0 \u2060 now\x00\n"

    assert fresh_text.of(text) == ("yes now",)


def test_letters_that_turn_a_line_round_are_seen() -> None:
    assert fresh_text.of("\u202eon\n") == ("\u202eon",)


def test_a_line_that_goes_on_is_not_taken_for_its_beginning() -> None:
    [line] = fresh_text.of("yes" + " " * 600 + "but no")

    assert line == "yes (cut)"


def test_a_long_line_without_blanks_is_cut_visibly() -> None:
    [line] = fresh_text.of("yes" * 400)

    assert line.endswith("(cut)")


def test_lines_of_ones_own_are_no_head() -> None:
    text = "say: good night\nsay: and thanks\nyes\nto: everybody\nfrom: me\n"

    assert fresh_text.of(text) == tuple(text.splitlines())


def test_a_line_above_an_attribution_is_no_part_of_it() -> None:
    text = "yes\nsee you\nOn 12/2/26 07:12, King Up wrote:\n> no\n"

    assert fresh_text.of(text) == ("yes", "see you")
