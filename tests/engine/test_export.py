"""A record as a file: the same bytes out and in, and the whole log out of it again."""

import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engine import export
from engine.commands import CancelGame
from engine.evolve import replay
from engine.export import Export, UnreadableExport
from tests.rig.engine import random_games
from tests.rig.engine.exported import cancelled, exported, finished
from tests.rig.engine.tables import Table, closed, settled, started

FILE = export.write(exported(finished()))


@pytest.mark.parametrize("number", range(110))
def test_a_file_reads_as_what_was_written_and_rebuilds_the_game(number: int) -> None:
    table = random_games.game(number)
    whole = exported(table)

    data = export.write(whole)
    again = export.read(data)

    assert again == whole
    assert export.write(again) == data
    assert replay(table.game.id, export.opened(again).events) == table.game


def test_a_file_has_a_line_for_each_event_and_its_keys_in_order() -> None:
    table = finished()
    lines = FILE.decode("ascii").splitlines()

    assert lines[0] == (
        '{"format":"kingup/1","game":"00000000-0000-4000-8000-000000000001",'
        '"names":["Rachel","Ren\\u00e9e","Si\\"mon\\\\",""],'
        f'"versions":{json.dumps([1] * len(table.record), separators=(",", ":"))},'
        '"record":['
    )
    assert lines[-1] == "]}"
    assert [line.removesuffix(",").encode() for line in lines[1:-1]] == table.record


@pytest.mark.parametrize("history", ["table", "open"])
def test_the_stored_log_comes_back_to_the_byte_but_for_who_laid(history: str) -> None:
    table = finished(history)

    rows = [row for _, row in export.opened(exported(table)).log]

    assert rows == table.rows


@pytest.mark.parametrize("history", ["table", "open"])
def test_a_cancelled_game_keeps_its_turned_cards_and_loses_the_open_ones(
    history: str,
) -> None:
    table = cancelled(history)
    open_ballot = table.rows[-2]
    assert open_ballot.type == "ballot_cast"

    rows = [row for _, row in export.opened(exported(table)).log]

    assert rows == [row for row in table.rows if row is not open_ballot]
    assert replay(table.game.id, export.opened(exported(table)).events) == table.game


def test_a_running_game_is_written_and_read_but_gives_no_log() -> None:
    whole = exported(settled())

    assert export.read(export.write(whole)) == whole
    with pytest.raises(UnreadableExport) as unread:
        export.opened(whole)
    assert unread.value.code == "not-finished"


@pytest.mark.parametrize("table", [Table(), closed()])
def test_a_game_that_never_started_gives_no_log(table: Table) -> None:
    if table.record:
        table.do(CancelGame(table.seed))
        whole = replace(exported(table), record=(table.record[0], table.record[-1]))
    else:
        whole = exported(table)

    with pytest.raises(UnreadableExport) as unread:
        export.opened(replace(whole, versions=(1,) * len(whole.record)))

    assert unread.value.code == "not-finished"


def first_event(change: Callable[[bytes], bytes]) -> bytes:
    lines = FILE.splitlines(keepends=True)
    return b"".join([lines[0], change(lines[1]), *lines[2:]])


MALFORMED: list[tuple[bytes, str]] = [
    (b"", "not-json"),
    (b"{", "not-json"),
    (FILE[:-4], "not-json"),
    (FILE + b"{}", "not-json"),
    (b"\xef\xbb\xbf" + FILE, "not-ascii"),
    (FILE.replace(b"\\u00e9", "é".encode()), "not-ascii"),
    (b"[]\n", "not-an-object"),
    (b'"kingup/1"\n', "not-an-object"),
    (FILE.replace(b"kingup/1", b"kingup/2", 1), "unknown-format"),
    (FILE.replace(b'"kingup/1"', b"1", 1), "unknown-format"),
    (b"{}\n", "missing-key"),
    (FILE.replace(b'"format":"kingup/1",', b"", 1), "missing-key"),
    (FILE.replace(b'"names":', b'"nammes":', 1), "missing-key"),
    (FILE.replace(b'"names":', b'"more":1,"names":', 1), "unknown-key"),
    (FILE.replace(b'"names":', b'"names":[],"names":', 1), "duplicate-key"),
    (first_event(lambda e: e.replace(b"{", b'{"word":"",', 1)), "duplicate-key"),
    (FILE.replace(b'["Rachel"', b"[null", 1), "wrong-type"),
    (FILE.replace(b"Rachel", b"\\ud800", 1), "wrong-type"),
    (FILE.replace(b"Rachel", b"\\u0000", 1), "wrong-type"),
    (FILE.replace(b'"00000000-', b'"0000000-', 1), "wrong-type"),
    (FILE.replace(b"-4000-8000-", b"-4000-8A00-", 1), "wrong-type"),
    (FILE.replace(b"[1,1", b"[true,1", 1), "wrong-type"),
    (FILE.replace(b"[1,1", b'["1",1', 1), "wrong-type"),
    (first_event(lambda _: b"7,\n"), "wrong-type"),
    (FILE.replace(b"[1,1", b"[1", 1), "wrong-length"),
    (first_event(lambda _: b""), "wrong-length"),
    (FILE.replace(b"[1,1", b"[1.0,1", 1), "not-whole"),
    (first_event(lambda e: e.replace(b'""', b"1e3", 1)), "not-whole"),
    (first_event(lambda e: e.replace(b'""', b"NaN", 1)), "not-whole"),
    (FILE.rstrip(b"\n"), "not-canonical"),
    (FILE + b"\n", "not-canonical"),
    (FILE.replace(b"\n", b"\r\n"), "not-canonical"),
    (FILE.replace(b"\n", b"", 1), "not-canonical"),
    (FILE.replace(b'"names":', b'"names": ', 1), "not-canonical"),
    (FILE.replace(b"Rachel", b"R\\u0061chel", 1), "not-canonical"),
    (FILE.replace(b"\\u00e9", b"\\u00E9", 1), "not-canonical"),
    (FILE.replace(b"[1,1", b"[1,-0", 1), "not-canonical"),
    (
        first_event(lambda e: e.replace(b'{"seed"', b'{"type":0,"seed"')),
        "duplicate-key",
    ),
    (first_event(lambda _: b'{"b":1,"a":2},\n'), "not-canonical"),
    (first_event(lambda e: e.replace(b":", b" :", 1)), "not-canonical"),
    (b'{"format":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", "too-deep"),
    (first_event(lambda e: e.replace(b'""', b"[" * 99_999)), "too-deep"),
    (b'{"a":' * 100_000, "too-deep"),
    (b" " * (export.LIMIT + 1), "too-large"),
    (FILE.decode().encode("utf-16-le"), "not-canonical"),
    (b"\0" * 9, "not-json"),
    (first_event(lambda e: e.replace(b'""', b"9" * 5000)), "not-json"),
]


@pytest.mark.parametrize(("data", "code"), MALFORMED)
def test_what_cannot_have_been_written_is_not_read(data: bytes, code: str) -> None:
    with pytest.raises(UnreadableExport) as unread:
        export.read(data)

    assert unread.value.code == code
    assert str(unread.value).isascii()
    assert len(str(unread.value)) < 300


def changed(old: bytes, new: bytes) -> Export:
    whole = exported(finished())
    assert any(old in stored for stored in whole.record)
    return replace(whole, record=tuple(e.replace(old, new) for e in whole.record))


def first_ballot() -> bytes:
    resolved = next(e for e in finished().record if b'"election_resolved"' in e)
    return bytes(json.loads(resolved)["ballots"][0].encode())


CHANGED: list[tuple[Callable[[], Export], str]] = [
    (lambda: changed(b'"game_over"', b'"game_done"'), "unknown-event"),
    (lambda: changed(b'"seat":', b'"chair":'), "unknown-event"),
    (lambda: changed(bytes(range(32)).hex().encode(), b"00" * 32), "broken-seed"),
    (lambda: changed(bytes(range(32)).hex().encode(), b"zz"), "broken-seed"),
    (lambda: changed(b'"rules":1', b'"rules":2'), "broken-deck"),
    (lambda: changed(first_ballot(), b"00" * 32), "broken-ballot"),
]


@pytest.mark.parametrize(("altered", "code"), CHANGED)
def test_a_record_that_does_not_fit_its_seed_gives_no_log(
    altered: Callable[[], Export], code: str
) -> None:
    with pytest.raises(UnreadableExport) as unread:
        export.opened(altered())

    assert unread.value.code == code


def test_an_event_of_a_version_nobody_knows_is_not_read() -> None:
    whole = exported(started())

    with pytest.raises(UnreadableExport) as unread:
        export.record_of(replace(whole, versions=(1, 1, 99, 1)))

    assert unread.value.code == "unknown-event"
