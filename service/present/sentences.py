"""What all sentences of ours share: isolated names, lists, a capital at the start.

Names of people stand between bidi isolates in every sentence, so that no name can turn
the words around it. `plain` and `markup` fit a sentence to text and to HTML.
"""

import unicodedata
from collections.abc import Sequence
from typing import Final

from babel.lists import format_list
from flask_babel import get_locale
from markupsafe import Markup, escape

FSI: Final = "\u2068"
PDI: Final = "\u2069"
_RIGHT_TO_LEFT: Final = frozenset(("R", "AL", "AN"))


def opening(sentence: str) -> str:
    """A sentence that may begin with a name of ours, with a capital there."""
    return sentence[:1].upper() + sentence[1:]


def isolated(name: str) -> str:
    """A name that can't turn the words around it."""
    return f"{FSI}{name}{PDI}"


def plain(sentence: str) -> str:
    """A sentence for text: isolates only where a name runs from right to left."""
    if FSI not in sentence:
        return sentence
    bare = sentence.replace(FSI, "").replace(PDI, "")
    # Elsewhere they change nothing, and old programs show them as boxes.
    if not bare.isascii() and any(
        unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in bare
    ):
        return sentence
    return bare


def header(sentence: str) -> str:
    """A sentence for a mail's header, where no reader decodes a part of it."""
    # Some programs decode what looks like an encoded word wherever it stands.
    return plain(sentence).replace("=?", "= ?")


def markup(sentence: str) -> Markup:
    """A sentence for HTML: escaped, each name in an element of its own."""
    whole = str(escape(sentence))
    return Markup(  # noqa: S704 - escaped in the line above
        whole.replace(FSI, "<bdi>").replace(PDI, "</bdi>")
    )


def listed(words: Sequence[str]) -> str:
    """Words as a list in the reader's language: A, B and C."""
    return format_list(list(words), locale=get_locale())
