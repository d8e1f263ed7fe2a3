"""How tags of a page look: what is quoted by its marks, and what is hidden."""

import re
from collections.abc import Mapping
from typing import Final

from worker.incoming.wordlists import words

_ENDS: Final = words(
    "appendonsend divrplyfwdmsg mail-editor-reference-message-container"
    " olk_src_body_section stopspelling outlookmessageheader"
)
"""Ids and classes from which on all is quoted."""

_QUOTES: Final = words(
    "gmail_quote gmail_quote_container gmail_attr gmail_extra moz-cite-prefix"
    " moz-forward-container yahoo_quoted protonmail_quote tutanota_quote zmail_extra"
    " freebirdquote quote ms-outlook-mobile-reference-message gmx_quote mail_quote"
    " mail_android_quote messagereplysection"
)
"""Ids, names and classes of what a program quotes."""

_SIGNATURES: Final = words(
    "gmail_signature gmail_signature_prefix moz-signature ymail_android_signature"
    " yahoo-signature protonmail_signature_block ms-outlook-mobile-signature"
    " applemailsignature apple-mail-signature signature signature_marker"
)
"""The same of what it adds below."""

# What can't match is given up at once, and not tried again from within what was passed:
# a stranger's style would cost its square.
_BORDER: Final = re.compile(r"border-left:[^;]*+")
_DRAWN: Final = re.compile(r"solid|\dp[xt]")

_UNSEEN: Final = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all"
    r"|(?:opacity|font-size|max-height|max-width):(?:0++(?:\.0*+)?|\.0++)[a-z%]*+(?:;|!|$)"
    r"|font:0++[a-z%/ ]|text-indent:-\d{3,}|(?:left|top|right):-\d{3,}|clip:rect\(0"
    r"|transform:scale\(0|color:transparent|unicode-bidi:[a-z-]*override)"
)
_COLOUR: Final = re.compile(r"(?:^|;)color:([^;!]+)")
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_BLANKS: Final = re.compile(r"\s++")
_LOOSE: Final = re.compile(r" ?([:;,(!]) ?")

_PALE: Final = 240
"""From this on, of 255, each of a colour's parts is too pale to be read on white."""

_LONGEST_STYLE: Final = 2_000


def begins_quote(attributes: Mapping[str, str]) -> bool:
    """Whether everything from here on is quoted."""
    return not _ENDS.isdisjoint(_names(attributes))


def is_quote(attributes: Mapping[str, str]) -> bool:
    """Whether what is inside is quoted."""
    if not _QUOTES.isdisjoint(_names(attributes)):
        return True
    borders = _BORDER.findall(_style(attributes))
    return attributes.get("type") == "cite" or any(map(_DRAWN.search, borders))


def is_signature(attributes: Mapping[str, str]) -> bool:
    """Whether what is inside is what a program adds below each mail."""
    return not _SIGNATURES.isdisjoint(_names(attributes))


def is_unseen(attributes: Mapping[str, str]) -> bool:
    """Whether what is inside can't be read on a white page."""
    style = _style(attributes)
    if "hidden" in attributes or "\\" in style or _UNSEEN.search(style):
        return True
    colours = [*_COLOUR.findall(style), attributes.get("color", "")]
    return "background" not in style and any(map(_is_pale, colours))


def _names(attributes: Mapping[str, str]) -> set[str]:
    """What a tag is called by; Outlook puts x_ before what others have named."""
    named = (attributes.get(key, "") for key in ("class", "id", "name"))
    words = " ".join(named).lower().split()
    return {
        word.lstrip("x").lstrip("_") if word[:2] == "x_" else word for word in words
    }


def _style(attributes: Mapping[str, str]) -> str:
    """A tag's style in small letters without spare spaces and comments."""
    plain = _COMMENT.sub("", attributes.get("style", "")[:_LONGEST_STYLE])
    return _LOOSE.sub(r"\1", _BLANKS.sub(" ", plain.strip().lower()))


def _is_pale(colour: str) -> bool:
    parts = _parts(colour.strip().lower())
    return len(parts) == 3 and min(parts) >= _PALE


def _parts(colour: str) -> list[int]:
    """Red, green and blue, to 255 each; nothing of a colour that has a name."""
    if colour in ("white", "snow", "ivory", "ghostwhite", "whitesmoke"):
        return [255, 255, 255]
    if re.fullmatch(r"#[0-9a-f]{3}", colour):
        return [int(digit * 2, 16) for digit in colour[1:]]
    if re.fullmatch(r"#[0-9a-f]{6}", colour):
        return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    numbers = re.findall(r"\d{1,4}", colour) if colour.startswith("rgb") else []
    return [int(number) for number in numbers[:3]]
