"""Whether a card is held shows in no mail, row or log line that others could see."""

import pytest

from tests.rig.worker import mail_twins
from tests.rig.worker.answered import Mailboxes


@pytest.mark.parametrize("seed", range(6))
def test_worlds_in_which_a_no_is_held_or_not_are_the_same_to_others(
    boxes: Mailboxes, capfd: pytest.CaptureFixture[str], seed: int
) -> None:
    mail_twins.compare(boxes, seed, capfd)
