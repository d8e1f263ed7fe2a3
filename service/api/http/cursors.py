"""Where a page of a list ends, as a mark for the next request."""

import base64
from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

from service.store.lists import Cursor
from service.values import public_urls
from service.values.errors import Invalid


def read(mark: str | None) -> Cursor | None:
    """What a `Link` of ours leads on from; None for the first page.

    Raises Invalid for anything else.
    """
    if mark is None:
        return None
    try:
        padded = mark + "=" * (-len(mark) % 4)
        moment, _, row_id = base64.urlsafe_b64decode(padded).decode().partition("/")
        cursor = Cursor(datetime.fromisoformat(moment), UUID(row_id))
    except ValueError as error:
        raise Invalid(parameter="cursor", reason="cursor") from error
    if cursor.created_at.tzinfo is None:
        raise Invalid(parameter="cursor", reason="cursor")
    return cursor


def leads_on(path: str, limit: int, cursor: Cursor, **filters: str) -> dict[str, str]:
    """The header that leads from a page to the next one, of what `filters` want."""
    text = f"{cursor.created_at.isoformat()}/{cursor.id}"
    mark = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    query = urlencode({**filters, "limit": limit, "cursor": mark})
    url = public_urls.url(f"{path}?{query}")
    return {"Link": f'<{url}>; rel="next"'}


def next_page(
    path: str, limit: int, found: Sequence[Cursor], **filters: str
) -> dict[str, str]:
    """The same where more was `found` than the page shows; else no header."""
    if len(found) <= limit:
        return {}
    return leads_on(path, limit, found[limit - 1], **filters)
