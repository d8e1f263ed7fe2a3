"""The lines of a page as its reader sees them, without what is marked as quoted.

Read in one pass that never looks back, so that no page costs more than its length; what
is left open at its end is taken as part of what was opened.
"""

import html
import re
from collections.abc import Iterator, Mapping
from typing import Final

from worker.incoming import html_looks
from worker.incoming.wordlists import words

_TAG: Final = re.compile(
    r"<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)"
    r"(?P<rest>(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|(?![\s\"'])))*+)>"
)
_ATTRIBUTE: Final = re.compile(
    r"([^\s=/>\"']++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++)))?"
)
_ENTITY: Final = re.compile(
    r"&(?:#[0-9]{1,7}(?!\d)|#[xX][0-9a-fA-F]{1,6}(?!\w)|[a-zA-Z0-9]{2,31});?"
)
_SPACES: Final = re.compile(r"[ \t\r\n\f]++")

_BLOCKS: Final = words(
    "address article aside blockquote body br center dd div dl dt fieldset figure"
    " footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section"
    " table tbody tfoot thead tr ul"
)
_UNREAD: Final = words(
    "head iframe noembed noframes noscript object script style template textarea title"
    " xmp select svg math"
)
"""What holds no text that its writer wrote."""

_RAW: Final = words("script style textarea title xmp iframe")
"""Where a tag is none, but for the one that ends it."""

_VOID: Final = words(
    "area base br col embed hr img input link meta param source track wbr"
)
"""What has no end, and holds nothing."""

_STRUCK: Final = frozenset(("s", "strike", "del", "bdo"))
"""What somebody has taken back, or turned round; it reads as no word of theirs."""

_QUOTED: Final = "\n>\n\n"
"""What stands for a quote, so that it is known where in a mail it was."""

_ACROSS: Final = "---"


def of(page: str) -> str:
    """A page as lines of text; nothing of what is hidden, or quoted by its marks."""
    return "".join(_pieces(page))


def _pieces(page: str) -> Iterator[str]:
    position = 0
    skipped, depth, kept = "", 0, 0
    while position < len(page):
        begin = page.find("<", position)
        text = page[position:] if begin < 0 else page[position:begin]
        if not skipped:
            yield _text(text, kept=bool(kept))
        if begin < 0:
            return
        tag = _TAG.match(page, begin)
        if tag is None:
            position = _behind_no_tag(page, begin)
            if position == begin + 1 and not skipped:
                yield "<"
            continue
        position = tag.end()
        name, ends = tag["name"].lower(), bool(tag["end"])
        if not ends and name in _RAW:
            position = _behind_raw(page, position, name)
        if skipped:
            depth += (name == skipped) * (-1 if ends else 1)
            closed = depth == 0 or (skipped, name) == ("head", "body")
            skipped = "" if closed else skipped
            continue
        attributes = {} if ends else _attributes(tag["rest"])
        if attributes and html_looks.begins_quote(attributes):
            return
        if not ends and name not in _VOID and _is_left_out(name, attributes):
            skipped, depth = name, 1
            quoted = name == "blockquote" or html_looks.is_quote(attributes)
            yield _QUOTED if quoted else ""
        kept = max(0, kept + (name == "pre") * (-1 if ends else 1))
        yield _between(name)


def _behind_no_tag(page: str, begin: int) -> int:
    """Where to read on at a "<" that begins no tag: a comment, or text."""
    if page.startswith("<!--", begin):
        end = page.find("-->", begin + 4)
        return len(page) if end < 0 else end + 3
    # A tag that never ends takes all that follows with it.
    if page[begin + 1 : begin + 3].removeprefix("/")[:1].isalpha():
        return len(page)
    if page[begin + 1 : begin + 2] in ("!", "?", "/"):
        end = page.find(">", begin)
        return len(page) if end < 0 else end + 1
    return begin + 1


def _behind_raw(page: str, position: int, name: str) -> int:
    """Where the end of something stands in which tags are none."""
    found = re.compile(f"</{name}", re.IGNORECASE | re.ASCII).search(page, position)
    return found.start() if found else len(page)


def _attributes(rest: str) -> Mapping[str, str]:
    """A tag's attributes by their small names; of two alike the first counts."""
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(rest):
        found.setdefault(name.lower(), _unescaped(double or single or bare))
    return found


def _is_left_out(name: str, attributes: Mapping[str, str]) -> bool:
    if name in _UNREAD or name == "blockquote":
        return True
    if not attributes:
        return False
    return (
        html_looks.is_quote(attributes)
        or html_looks.is_signature(attributes)
        or html_looks.is_unseen(attributes)
    )


def _between(name: str) -> str:
    """What a tag itself puts between the words around it."""
    if name == "hr":
        return f"\n{_ACROSS}\n"
    if name in _BLOCKS:
        return "\n"
    if name in _STRUCK:
        return "~"
    return " " if name in ("td", "th", "img") else ""


def _text(text: str, *, kept: bool) -> str:
    """Text as it is seen: its spaces are one, but where they are `kept`."""
    seen = _unescaped(text)
    return seen if kept else _SPACES.sub(" ", seen)


def _unescaped(text: str) -> str:
    return _ENTITY.sub(lambda found: html.unescape(found[0]), text)
