"""What is kept of mails that came in for a seat."""

from uuid import UUID

from service.store import mailed_votes
from service.store.transactions import transaction
from service.values.enums import VoteByMail
from tests.rig.service.seated import run


def keep(game_id: UUID, seat: int) -> None:
    """A mail of a seat was read in an election, and laid a card."""
    run(
        "INSERT INTO mail_journal (game_id, seat, kind) VALUES (:g, :s, 'read')",
        {"g": game_id, "s": seat},
    )
    with transaction():
        mailed_votes.note(game_id, seat, 1, VoteByMail.COUNTED)


def kept() -> list[object]:
    """The seats of which something is kept."""
    found = run(
        "SELECT seat FROM mail_journal UNION ALL SELECT seat FROM mailed_vote"
        " ORDER BY seat"
    )
    return [seat for (seat,) in found]
