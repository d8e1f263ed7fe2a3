"""Words that `kingup verify` would take for a record's head, and so for a forgery."""

import binascii
import quopri
import re
from typing import Final

from markupsafe import escape

from engine.verify import mails
from service.present import sentences

# Without what must stand around a head: a line that is folded on its way may be cut
# there, and what is read is the rest.
_ALIKE: Final = re.compile(r"[0-9]:[0-9a-f]{32}")


def is_in(words: str) -> bool:
    """Whether a head could be read where a mail has these words, in text or page."""
    words = words.replace(sentences.FSI, "").replace(sentences.PDI, "")
    page = escape(words).encode("ascii", "xmlcharrefreplace")
    return any(
        _ALIKE.search(read)
        for part in (words.encode(), page)
        for sent in (part, _quoted(part))
        for data in (sent, quopri.decodestring(sent))
        for read in mails.readings(data)
    )


def _quoted(part: bytes) -> bytes:
    """A part in quoted-printable, wherever its lines may be folded."""
    return binascii.b2a_qp(part, istext=True).replace(b"=\n", b"")
