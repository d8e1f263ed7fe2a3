"""Words that pass for a head are known by what the verifier reads of their mails."""

from typing import Final

import pytest
from markupsafe import escape

from engine.verify import mails
from worker.outgoing import forged_heads, mime

HEX: Final = "0123456789abcdef" * 2


def is_read(words: str) -> bool:
    """Whether the verifier finds a head in any mail that has just these words."""
    return any(
        mails.read(sent(f"{before}{words}{behind}")).heads
        for before in ("", *("é" + "." * dots + " " for dots in range(76)))
        for behind in ("", " " + "." * 999)
    )


def sent(text: str) -> bytes:
    page = escape(text).encode("ascii", "xmlcharrefreplace").decode()
    return mime.assemble([], f"{text}\n", f"{page}\n", None, "b", utf8=False)


@pytest.mark.parametrize(
    "words",
    [
        f"3:{HEX}",
        f"3:{HEX * 2}",
        f"12&#58;{HEX}",
        f"12&colon;{HEX}",
        f"12=3A{HEX}",
        f"12=26#58;{HEX}",
        f"12:{HEX[:8]}<b>{HEX[8:]}",
        f"12:{HEX[:8]}=3Cb=3E{HEX[8:]}",
        f"２:{HEX}",
        f"a1:{HEX}",
        f"1:{HEX}0",
        f"12:{HEX[:8]}<\n>{HEX[8:]}",
        f"12<\n>:{HEX[:8]}<\n>{HEX[8:]}",
    ],
)
def test_what_the_verifier_takes_for_a_head_is_found(words: str) -> None:
    assert is_read(words)
    assert forged_heads.is_in(words)
    assert forged_heads.is_in(f"Rachel: {words}")


@pytest.mark.parametrize(
    "words", ["I <3 you, 2<3 & 12:30 :<", f"My number: {HEX}", "５:0 é=12:", "12=3A ok"]
)
def test_what_it_passes_by_may_be_said(words: str) -> None:
    assert not is_read(words)
    assert not forged_heads.is_in(words)
