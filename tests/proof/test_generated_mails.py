"""Five hundred mails of many programs: read as a person would, or asked about."""

import sys

import pytest

from tests.rig.worker import generated_mails, reading
from worker.incoming.commands import Unread

MAILS = 500


@pytest.mark.proof
def test_five_hundred_generated_mails_act_as_a_person_reads_them_or_ask() -> None:
    with reading.speaking():
        made = [
            (each, each.read()) for each in map(generated_mails.generate, range(MAILS))
        ]

    wrong = {each.made_of: read for each, read in made if not each.is_right(read)}
    acting = sum(not isinstance(read, Unread) for _, read in made)
    asking = sum(
        isinstance(read, Unread) and each.meant is not None for each, read in made
    )
    sys.stdout.write(
        f"\n{MAILS} mails: {acting} act, all as they were meant; {MAILS - acting} ask,"
        f" {asking} of them though a person could tell; 0 act on what they quote\n"
    )
    assert wrong == {}
    assert acting > MAILS / 3
