"""Pages as their readers see them: lines, and nothing that is quoted or hidden."""

import pytest

from tests.rig.worker import reading
from worker.incoming import html_text


@pytest.fixture(autouse=True)
def inside() -> None:
    """No database: a page is a text."""


def lines(page: str) -> tuple[str, ...]:
    return reading.lines(reading.page(page))


@pytest.mark.parametrize(
    ("page", "seen"),
    [
        ("<p>move<br>Odessa</p>", ("move", "Odessa")),
        ("<p>move\r\n   <b>Odessa</b></p>", ("move Odessa",)),
        ("<div>yes</div><div>see you</div>", ("yes", "see you")),
        ("<pre>yes\nsee you</pre>", ("yes", "see you")),
        ("<p>S&igrave;&nbsp;!</p>", ("Sì !",)),
        ("<P CLASS=MsoNormal>Zieh Dario.<o:p></o:p></P>", ("Zieh Dario.",)),
        ("<p title='a > b'>yes</p>", ("yes",)),
        ("<p title=it's>yes</p>", ("yes",)),
        ("1 < 2 <3", ("1 < 2 <3",)),
        ("<p>yes<!-- no --></p>", ("yes",)),
        ("<head><title>no</title><style>p{a:b}</style></head><p>yes", ("yes",)),
        ("<head><body><p>yes", ("yes",)),
        ("<script>if (a</b) no</script>yes", ("yes",)),
        ("<table><tr><td>yes<td>no</table>", ("yes no",)),
        ("<p>ye&#115;&#10;no</p>", ("yes no",)),
        ("<p>ye&#99999999999999999999;s</p>", ("ye&#99999999999999999999;s",)),
        ("yes<hr>Ann", ("yes",)),
        ("<s>yes</s>", ("~yes~",)),
        ("yes<p", ("yes",)),
        ("yes<!-- no", ("yes",)),
        ("yes<style>no", ("yes",)),
        ('yes<a href="no>no', ("yes",)),
    ],
)
def test_a_page_reads_as_it_is_seen(page: str, seen: tuple[str, ...]) -> None:
    assert lines(page) == seen


@pytest.mark.parametrize(
    "quote",
    [
        "<blockquote>yes</blockquote>",
        "<blockquote><div>yes<blockquote>a</blockquote>yes</div></blockquote>",
        '<div type="cite">yes</div>',
        '<div class="gmail_quote"><div>a</div>yes<div>a</div></div>',
        '<div class="x_gmail_quote">yes</div>',
        '<div class="moz-cite-prefix">yes</div>',
        '<div class="yahoo_quoted">yes</div>',
        '<div class="protonmail_quote">yes</div>',
        '<div name="quote" style="margin:10px">yes</div>',
        '<div style="border-left: 2px solid #C3D9E5; margin: 0">yes</div>',
        '<pre class="moz-signature">yes</pre>',
        '<div class="gmail_signature">yes</div>',
    ],
)
def test_a_marked_quote_is_left_out(quote: str) -> None:
    assert lines(f"<div>no</div>{quote}") == ("no",)
    assert lines(f"{quote}<div>no</div>") == ("no",)


@pytest.mark.parametrize(
    "begin",
    [
        '<div id="appendonsend"></div>',
        '<div id="divRplyFwdMsg">',
        '<div id="x_divRplyFwdMsg">',
        '<div id="mail-editor-reference-message-container">',
    ],
)
def test_what_stands_below_outlooks_mark_is_left_out(begin: str) -> None:
    assert lines(f"<div>no</div>{begin}<p>a</p></div><div>yes</div>") == ("no",)


@pytest.mark.parametrize(
    "hidden",
    [
        'style="display:none"',
        'style="DISPLAY : none !important"',
        'style="color:red;display:/* a */none"',
        "style=display:none",
        'style="visibility:hidden"',
        'style="mso-hide:all"',
        'style="font-size:0"',
        'style="font-size: 0.0px; color: red"',
        'style="opacity:0"',
        'style="max-height:0px"',
        'style="text-indent:-9999px"',
        'style="position:absolute;left:-9999px"',
        'style="color:#fff"',
        'style="color:white"',
        'style="color: rgb(254, 253, 255)"',
        'style="color:transparent"',
        'style="d\\isplay:none"',
        'style="dis&#112;lay:none"',
        'color="#FFFFFF"',
        "hidden",
    ],
)
def test_what_nobody_sees_is_left_out(hidden: str) -> None:
    assert lines(f"<div><span {hidden}>yes <b>a</b></span></div><p>no") == ("no",)


@pytest.mark.parametrize(
    "style",
    [
        "color:#fff;background-color:#000",
        "color:#000",
        "font-size:medium",
        "font-size:10px",
        "max-width:100%",
        "opacity:0.9",
        "display:block",
        "color:#eee;color:black",
    ],
)
def test_what_can_be_seen_is_read(style: str) -> None:
    assert lines(f'<div style="{style}">yes</div>') == ("yes",)


def test_what_is_left_open_takes_all_that_follows() -> None:
    assert html_text.of("no<blockquote>yes</div>yes").split() == ["no", ">"]
    assert html_text.of("no<div hidden><div>yes</div>yes").strip() == "no"
