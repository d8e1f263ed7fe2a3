"""How often mails are promised and sent, and a table that causes them."""

import re
from pathlib import Path
from uuid import UUID

from service.store.people import PersonRow
from service.tables import creation, joining
from service.tables.creation import BotSeat, OpenSeat, TableWish
from tests.rig.service.seated import run
from tests.rig.worker.mail_server import deliver_due
from tests.rig.worker.people import somebody
from worker.outgoing import delivery

PAGE = Path(__file__).parents[3] / "docs" / "mails.md"
A_DECISION = " a decision"
A_NAMING = "one a naming"


def open_table(host: PersonRow | None = None) -> UUID:
    """A table with an open seat, at which nobody but the host sits."""
    host = host or somebody("Rachel")
    wish = TableWish((OpenSeat(), OpenSeat(), BotSeat()))
    return creation.open_table(host.id, "", wish)


def post(game_id: UUID) -> None:
    """What the worker does when it is woken, and what its sweep does later."""
    delivery.post(game_id)
    deliver_due()


def come_and_go(game_id: UUID, guest: PersonRow) -> None:
    seat = joining.take(game_id, guest, None, "Simon", "")
    joining.leave(game_id, guest.id, seat)


def promised() -> dict[str, str]:
    """What the page promises of each kind."""
    lines = re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", PAGE.read_text(), re.M)
    return dict(lines)


def sent(kind: str) -> list[int]:
    """How many mails went to each person and table, or question or seat, for a kind.

    What went along with a mail about something else makes none more.
    """
    often = promised()[kind]
    about = "n.decision" if A_DECISION in often else "NULL::int"
    if often.startswith(A_NAMING):
        about = "n.seat"
    alone = (
        "NOT EXISTS (SELECT FROM notice o WHERE o.mail_id = m.id AND o.kind <> :k"
        " AND o.superseded_at IS NULL)"
    )
    rows = run(
        "SELECT count(DISTINCT m.id) FROM mail m JOIN notice n ON n.mail_id = m.id"
        " WHERE m.state = 'sent' AND n.superseded_at IS NULL AND n.kind = :k"
        " AND (n.kind NOT IN ('result', 'round_over', 'declined', 'replacement',"
        f" 'proposal') OR {alone})"
        f" GROUP BY m.person_id, m.game_id, {about}"
        " UNION ALL SELECT count(*) FROM mailed_code"
        " WHERE state = 'sent' AND kind = :k HAVING count(*) > 0",
        {"k": kind},
    )
    return [count for (count,) in rows]
