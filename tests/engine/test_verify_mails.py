"""Heads in mails are found whatever a mail program did to them, and compared."""

from collections.abc import Callable, Mapping
from email.message import EmailMessage

import pytest
from msgspec.structs import replace

from engine import fairness
from engine.verify import Report, State, verify
from tests.rig.engine.exported import cancelled, exported
from tests.rig.engine.tables import GAME
from tests.rig.engine.verified import cut, sample, stamp

OTHER = "11111111-2222-4333-8444-555555555555"
WHOLE = sample()


def line(number: int) -> str:
    return stamp(WHOLE, number).decode().strip()


def mail(
    text: str, page: str = "", game: str = GAME, cte: str = "7bit"
) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = f"Your turn ({game[:4]})"
    message["References"] = f"<{game}.1@kingup.example>"
    message.set_content(text, cte=cte)
    if page:
        message.add_alternative(page, subtype="html", cte="quoted-printable")
    return message


def checked(kept: Mapping[str, bytes]) -> Report:
    return verify(WHOLE, kept)


def code(raw: bytes) -> str | None:
    found = checked({"kept": raw}).wrong
    return None if found is None else found.code


@pytest.mark.parametrize("cte", ["7bit", "quoted-printable", "base64"])
def test_a_saved_mail_with_the_records_head_is_true(cte: str) -> None:
    raw = mail(f"It is your turn.\n\n{line(12)}\n", cte=cte).as_bytes()

    report = checked({"kept": raw})

    assert report.wrong is None
    assert (report.lines[-1].state, report.lines[-1].about) == (State.OK, "kept")
    assert "12" in report.lines[-1].detail


def test_a_head_that_is_only_in_the_page_of_a_mail_is_found() -> None:
    long = "x" * 60
    page = f"<html><body><p class='{long}'>Stempel: <b>{line(9)[16:]}</b></p></html>"

    assert code(mail("Nothing here.", page).as_bytes()) is None
    assert code(mail("Nothing here.", page.replace("9:", "8:")).as_bytes()) is not None


def test_a_quoted_printable_head_is_found_in_text_copied_from_the_source() -> None:
    folded = line(12)[:40] + "=\n" + line(12)[40:]

    assert code(folded.encode()) is None


def test_a_head_in_forwarded_and_quoted_text_is_found() -> None:
    text = f"Look:\n\n> > Your turn\n> > {line(12)}\n> {line(20)}\n"

    report = checked({"kept": mail(text, game=OTHER).as_bytes()})

    assert report.wrong is None
    assert "12, 20" in report.lines[-1].detail


def test_a_head_in_an_attached_mail_is_found() -> None:
    outer = EmailMessage()
    outer.set_content("As an attachment.")
    outer.add_attachment(mail(line(12)))

    assert code(outer.as_bytes()) is None


def test_a_head_in_a_mail_attached_as_a_file_is_found() -> None:
    outer = EmailMessage()
    outer.set_content("As a file.")
    outer.add_attachment(
        mail(line(12), cte="base64").as_bytes(),
        maintype="application",
        subtype="octet-stream",
        filename="turn.EML",
    )

    assert code(outer.as_bytes()) is None


def test_a_text_in_wide_letters_is_read() -> None:
    assert code(line(12).encode("utf-16")) is None


def test_whole_heads_from_the_api_are_compared_in_whole() -> None:
    detail = [
        entry.detail for entry in checked({}).lines if entry.check.value == "chain"
    ]
    head = detail[0].rpartition(" ")[2]
    forged = head[:-1] + ("0" if head[-1] != "0" else "1")

    assert code(f'{{"head": "{head}"}}'.encode()) is None
    assert code(f'{{"head": "{forged}"}}'.encode()) == "mail-differs"


def test_a_head_of_another_history_is_named_with_its_event() -> None:
    forged = line(12)[:-1] + ("0" if line(12)[-1] != "0" else "1")

    report = checked({"kept": mail(forged).as_bytes()})

    assert report.wrong is not None
    assert (report.wrong.code, report.wrong.event) == ("mail-differs", 12)
    assert report.wrong.found == forged[-32:]


def test_of_many_mails_the_earliest_that_differs_is_named() -> None:
    kept = {
        "late": line(30).replace("30:", "29:").encode(),
        "true": line(12).encode(),
        "early": line(15).replace("15:", "14:").encode(),
    }

    report = checked(kept)

    assert report.wrong is not None
    assert report.wrong.event == 14
    assert [entry.about for entry in report.lines[-3:]] == ["true", "early", "late"]


def test_a_mail_that_knows_more_than_the_record_is_named() -> None:
    report = verify(cut(WHOLE, 20), {"kept": line(30).encode()})

    assert report.wrong is not None
    assert (report.wrong.code, report.wrong.event) == ("mail-ahead", 30)


@pytest.mark.parametrize("size", [4, 25, 70])
def test_a_tail_cut_off_is_found_by_every_head_behind_the_cut(size: int) -> None:
    passed_off = cut(WHOLE, size)
    off = exported(cancelled("table"))
    last = len(off.record)

    for number in range(size + 1, len(WHOLE.record) + 1):
        found = verify(passed_off, {"kept": line(number).encode()}).wrong
        assert found is not None
        assert (found.code, found.event) == ("mail-ahead", number)
    beyond = verify(off, {"kept": f"{last + 1}:{'0' * 32}".encode()}).wrong
    assert beyond is not None
    assert beyond.code == "mail-ahead"


def test_a_report_knows_up_to_where_mails_fix_the_record() -> None:
    quoted = f"{line(12)}\n> {line(9)}\n".encode()

    assert checked({}).fixed == 0
    assert checked({"kept": quoted, "early": line(3).encode()}).fixed == 12
    assert checked({"kept": line(12).encode(), "late": b"40:" + b"0" * 32}).fixed == 12


@pytest.mark.parametrize("number", ["0", "012"])
def test_what_stands_before_event_1_or_is_no_number_is_no_head(number: str) -> None:
    digits = line(12).rpartition(":")[2]
    start = fairness.chain_start(GAME).hex()

    assert code(f"{number}:{start}".encode()) == "mail-without-head"
    assert code(f"{number}:{digits}".encode()) == "mail-without-head"


@pytest.mark.parametrize("length", [0, 4, 31, 33, 63, 65])
def test_a_head_of_another_length_is_no_head(length: int) -> None:
    whole = fairness.heads(GAME, WHOLE.record)[12].hex() + "0"

    assert code(f"12:{whole[:length]}".encode()) == "mail-without-head"


def test_a_head_that_is_only_in_the_header_of_a_mail_is_found() -> None:
    saved = mail("Nothing here.")
    saved["X-Kingup-Head"] = line(12).rpartition(" ")[2]
    attached = EmailMessage()
    attached.set_content("As an attachment.")
    attached.add_attachment(saved)

    assert code(saved.as_bytes()) is None
    assert code(attached.as_bytes()) is None
    assert code(saved.as_bytes().replace(b"12:", b"13:")) == "mail-differs"


def test_a_stamp_that_was_passed_on_tells_its_game() -> None:
    own, foreign = f"{line(12)}/{GAME[:4]}", f"{line(12)}/{OTHER[:4]}"

    assert code(own.encode()) is None
    assert code(foreign.encode()) is None
    assert code(own.replace("12:", "13:").encode()) == "mail-differs"
    assert code(foreign.replace("12:", "13:").encode()) == "mail-of-another-game"


def test_a_mail_of_another_game_is_told_as_such() -> None:
    elsewhere = replace(WHOLE, game=OTHER)
    text = stamp(elsewhere, 12).decode()
    forwarded = f"Subject: Your turn ({OTHER[:4]})\n\n{text}".encode()

    assert code(mail(text, game=OTHER).as_bytes()) == "mail-of-another-game"
    assert code(forwarded) == "mail-of-another-game"


def _multiparts(depth: int) -> bytes:
    heads = (
        f"Content-Type: multipart/mixed; boundary=b{at}\n\n--b{at}\n".encode()
        for at in range(depth)
    )
    return b"".join(heads) + b"\n" + line(12).encode()


def _forwarded(depth: int) -> bytes:
    return b"Content-Type: message/rfc822\n\n" * depth + line(12).encode()


def _attached(depth: int) -> bytes:
    head = b'Content-Disposition: attachment; filename="a.eml"\n\n'
    return head * depth + line(12).encode()


PACKED = (_multiparts, _forwarded, _attached)
BROKEN = {
    "a number without end": b"&#" + b"9" * 5000 + b";",
    "a parameter without end": (
        b"Content-Disposition: attachment; filename*" + b"9" * 5000 + b"=x\n\nx"
    ),
    "a parameter that is numbered once": (
        b"Content-Disposition: attachment; filename*0=a; filename*=b.eml\n\nx"
    ),
    "a file's name in no alphabet": (
        b"Content-Disposition: attachment; filename*=a\0b''c.eml\n\nx"
    ),
}


@pytest.mark.parametrize("packed", PACKED)
def test_a_mail_in_mails_is_read_as_deep_as_people_pack_them(
    packed: Callable[[int], bytes],
) -> None:
    assert code(packed(40)) is None


@pytest.mark.parametrize("depth", [41, 1000, 2000])
@pytest.mark.parametrize("packed", PACKED)
def test_a_mail_in_mails_without_end_is_told_as_unreadable(
    packed: Callable[[int], bytes], depth: int
) -> None:
    assert code(packed(depth)) == "mail-unreadable"


def test_a_mail_that_names_its_alphabet_strangely_is_read() -> None:
    raw = b"Content-Type: text/plain; charset*=utf-8''x\n\n\xff " + line(12).encode()

    assert code(raw) is None


@pytest.mark.parametrize("name", BROKEN)
def test_a_mail_that_the_parser_gives_up_is_told_as_unreadable(name: str) -> None:
    report = checked({"broken": BROKEN[name], "kept": line(12).encode()})

    assert report.wrong is not None
    assert report.wrong.code == "mail-unreadable"
    assert [entry.state for entry in report.lines[-2:]] == [State.WRONG, State.OK]


@pytest.mark.parametrize("raw", [b"", b"Hello.\n", b"\xff\xfe\x00", b"\x00" * 99])
def test_a_mail_without_a_head_is_told_as_such(raw: bytes) -> None:
    assert code(raw) == "mail-without-head"


def test_mails_are_compared_even_when_the_record_is_wrong_already() -> None:
    broken = replace(WHOLE, record=(*WHOLE.record[:40], b"{}", *WHOLE.record[41:]))

    report = verify(broken, {"early": line(12).encode(), "late": line(50).encode()})

    assert report.wrong is not None
    assert report.wrong.code == "unknown-event"
    assert [entry.state for entry in report.lines[-2:]] == [State.OK, State.WRONG]
