"""`kingup verify`: a line a check, its exit codes, and nothing but files."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from engine import export
from engine.export import Export
from engine.verify import CODES
from service.commands.cli import main
from tests.rig.engine.changes import edited, numbers
from tests.rig.engine.verified import WORDS, cut, sample, stamp
from tests.rig.service.manual import names, page, rows, section

LATER = "Whether the rest was rewritten since, only a later mail or a receipt can show."
ROOT = Path(__file__).parents[3]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return kept(tmp_path, sample())


def kept(folder: Path, whole: Export) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "game.json"
    path.write_bytes(export.write(whole))
    return path


def run(*words: object, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, words)], input=stdin)


def test_a_true_game_ends_with_0_and_a_line_for_each_check(file: Path) -> None:
    result = run(file)

    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert {line[16:].split()[0] for line in lines[:-2]} == {"ok"}
    assert lines[-2] == "names           prove nothing: they are no part of the record"
    assert lines[-1].startswith("Everything that the record can prove is true. Whether")


def test_a_running_game_ends_with_0_and_says_what_is_sealed(tmp_path: Path) -> None:
    result = run(kept(tmp_path, cut(sample(), 25)))

    assert result.exit_code == 0
    assert "\nseed            sealed until the game is over\n" in result.stdout
    assert "The rest is sealed" in result.stdout.splitlines()[-1]


def test_a_changed_game_ends_with_1_and_the_first_thing_wrong(tmp_path: Path) -> None:
    forged = edited(sample(), 17, lambda e: e.update(to="throne"))

    result = run(kept(tmp_path, forged))

    last = result.stdout.splitlines()[-1]
    assert result.exit_code == 1
    assert last.startswith("WRONG: wrong-to at event 17, decision 13, seat ")
    assert last.endswith("expected 5, found throne")
    assert "\nrules           WRONG  wrong-to at event 17" in result.stdout
    assert "\nfirst seat      ok     up to event 16: 1 seat began" in result.stdout
    assert "\nscores          not reached\n" in result.stdout


def test_a_record_without_names_has_no_word_on_them(tmp_path: Path) -> None:
    nameless = replace(sample(), names=("",) * len(sample().names))

    assert "names" not in run(kept(tmp_path, nameless)).stdout


def test_a_file_written_anew_is_told_from_its_original(tmp_path: Path) -> None:
    path = tmp_path / "pretty.json"
    path.write_text(json.dumps(json.loads(export.write(sample())), indent=2))

    result = run(path)

    assert result.exit_code == 2
    assert "not-canonical: reformatted from byte 1 on; take the orig" in result.stderr


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b'{"format":"kingup/2"}'])
def test_a_file_that_is_no_record_ends_with_2(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "other.json"
    path.write_bytes(data)

    result = run(path)

    assert result.exit_code == 2
    assert "is no record" in result.stderr
    assert result.stdout == ""


def test_a_file_that_isnt_there_ends_with_2(tmp_path: Path) -> None:
    assert run(tmp_path / "none.json").exit_code == 2


def test_mails_words_and_receipts_are_compared(file: Path, tmp_path: Path) -> None:
    true, forged = tmp_path / "true.eml", tmp_path / "forged.eml"
    true.write_bytes(stamp(sample(), 30))
    forged.write_bytes(stamp(sample(), 30).replace(b"30:", b"31:"))
    words = [f"--word={seat}={text}" for seat, text in WORDS.items()]

    all_true = run(file, true, *words)
    later = tmp_path / "later.eml"
    later.write_bytes(stamp(sample(), 40))
    one_forged = run(file, true, forged, later)
    other_word = run(file, "--word=1=Luck")
    no_word = run(file, "--word=1=")
    other_ballot = run(file, f"--receipt=18:1:{'0' * 64}")

    assert all_true.exit_code == 0
    assert f"mail            ok     {true}: " in all_true.stdout
    assert "own word        ok     seat 1: " in all_true.stdout
    assert "WRONG: mail-differs at event 31" in one_forged.stdout
    assert one_forged.stdout.endswith(f" ({forged})\n")
    assert "WRONG: own-word-differs at event 2, seat 1" in other_word.stdout
    assert no_word.stdout.endswith(", found no word\n")
    assert "WRONG: own-ballot-differs at event 22" in other_ballot.stdout
    assert f"found a ballot whose hash is {'0' * 64}" in other_ballot.stdout
    assert one_forged.exit_code == other_word.exit_code == other_ballot.exit_code == 1


def test_the_last_line_tells_how_much_of_the_record_is_fixed(
    file: Path, tmp_path: Path
) -> None:
    early, last = tmp_path / "early.eml", tmp_path / "last.eml"
    early.write_bytes(stamp(sample(), 30))
    last.write_bytes(stamp(sample()))
    running = kept(tmp_path / "running", cut(sample(), 40))

    said = {
        "nothing": run(file),
        "a receipt": run(file, true_receipt()),
        "an early mail": run(file, early, true_receipt()),
        "the last mail": run(file, early, last),
        "running, nothing": run(running),
        "running, early": run(running, early),
    }

    assert {result.exit_code for result in said.values()} == {0}
    true = "Everything that the record can prove is true. "
    so_far = "Nothing is wrong so far. The rest is sealed while the game runs. "
    nothing = "Whether it was rewritten since, only a mail or receipt that somebody"
    up_to = "A kept mail fixes it up to event 30 of "
    assert {name: result.stdout.splitlines()[-1] for name, result in said.items()} == {
        "nothing": f"{true}{nothing} kept can show.",
        "a receipt": f"{true}The receipts fix their own ballots alone. Whether the rest"
        " was rewritten since, only a mail that somebody kept can show.",
        "an early mail": f"{true}{up_to}73. {LATER}",
        "the last mail": f"{true}It was not rewritten since a mail that was kept: that"
        " fixes all of it.",
        "running, nothing": f"{so_far}{nothing} kept can show.",
        "running, early": f"{so_far}{up_to}40. {LATER}",
    }


def true_receipt() -> str:
    (number, *_) = numbers(sample(), "election_resolved")
    event = json.loads(sample().record[number - 1])
    return f"--receipt={event['decision']}:1:{event['ballots'][1]}"


@pytest.mark.parametrize(
    "options",
    [
        ("--word=1=luck", "--word=1=Luck"),
        (f"--receipt=18:1:{'0' * 64}", f"--receipt=18:01:{'1' * 64}"),
    ],
)
def test_two_words_of_a_seat_or_receipts_of_a_ballot_cant_both_be(
    file: Path, options: tuple[str, str]
) -> None:
    result = run(file, *options)

    assert result.exit_code == 2
    assert "two for seat 1" in result.stderr


@pytest.mark.parametrize(
    "option", ["--word=luck", "--word=x=luck", "--receipt=18:1", "--receipt=a:b:c"]
)
def test_what_cant_be_understood_ends_with_2(file: Path, option: str) -> None:
    assert run(file, option).exit_code == 2


def test_the_record_is_read_from_the_standard_input_too() -> None:
    assert run("-", stdin=export.write(sample())).exit_code == 0


def test_nothing_in_a_file_steers_the_terminal(tmp_path: Path) -> None:
    forged = edited(sample(), 17, lambda e: e.update(character="\x1b[2J\n"))

    result = run(kept(tmp_path, forged))

    assert result.exit_code == 1
    assert "\x1b" not in result.stdout


def test_it_runs_without_settings_database_or_network(file: Path) -> None:
    program = (
        "import socket, sys; sys.argv = sys.argv[1:];"
        "socket.socket.connect = socket.create_connection = None;"
        "from service.commands.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, "kingup", "verify", str(file)],
        env={"PYTHONPATH": str(ROOT)},
        cwd=file.parent,
        capture_output=True,
        timeout=60,
    )

    assert (done.returncode, done.stderr) == (0, b"")


def test_the_proofs_page_names_every_code_with_its_check_and_no_other() -> None:
    table = rows(section(page("fairness.md"), "Check a game"))

    assert {names(row[0])[0]: row[1] for row in table} == CODES
