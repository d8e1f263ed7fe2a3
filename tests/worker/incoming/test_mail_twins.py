"""Whether a card is held shows in no mail, row or log line that others could see."""

import pytest

from tests.rig.wiping import Wiper
from tests.rig.worker import mail_twins
from tests.rig.worker.answered import Mailboxes

SEEDS = (0, 20, 36, 49)
"""Whoever differs lays a card there, and before or after others write as them."""


@pytest.mark.parametrize("seed", SEEDS)
def test_worlds_in_which_a_no_is_held_or_not_are_the_same_to_others(
    boxes: Mailboxes, wiper: Wiper, capfd: pytest.CaptureFixture[str], seed: int
) -> None:
    mail_twins.compare(boxes, wiper.wipe, seed, capfd)
