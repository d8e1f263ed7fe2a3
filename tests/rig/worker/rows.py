"""Mails, notices, events and what is due as their rows tell."""

from uuid import UUID

from tests.rig.service.seated import run


def states(game_id: UUID) -> dict[str, int]:
    """How many mails of a game are in which state."""
    found = run(
        "SELECT state, count(*) FROM mail WHERE game_id = :g GROUP BY state",
        {"g": game_id},
    )
    return {str(state): int(count) for state, count in found}


def superseded(game_id: UUID) -> list[str]:
    """The kinds of a game's notices that are not to be told any more."""
    found = run(
        "SELECT kind FROM notice WHERE game_id = :g AND superseded_at IS NOT NULL"
        " ORDER BY kind, seat",
        {"g": game_id},
    )
    return [str(kind) for (kind,) in found]


def bodies(game_id: UUID) -> list[tuple[str, bytes]]:
    """Message-ID and bytes of the mails whose bytes are kept."""
    found = run(
        "SELECT message_id, body FROM mail WHERE game_id = :g AND body IS NOT NULL"
        " ORDER BY created_at, id",
        {"g": game_id},
    )
    return [(str(message_id), bytes(body)) for message_id, body in found]


def events(game_id: UUID, kind: str) -> int:
    """How many events of a type a game's log has."""
    found = run(
        "SELECT count(*) FROM event WHERE game_id = :g AND type = :t",
        {"g": game_id, "t": kind},
    )
    return int(found[0][0])


def due(game_id: UUID) -> list[tuple[object, ...]]:
    """Decision, kind and seat of what falls due in a game."""
    return run(
        "SELECT decision, kind, seat FROM due WHERE game_id = :g ORDER BY kind, seat",
        {"g": game_id},
    )


def reminders(game_id: UUID, decision: int) -> int:
    """How many reminders of a decision there are."""
    found = run(
        "SELECT count(*) FROM notice WHERE game_id = :g AND decision = :d"
        " AND kind = 'reminder'",
        {"g": game_id, "d": decision},
    )
    return int(found[0][0])


def asked(game_id: UUID, decision: int) -> bool:
    """Whether a mail server has taken the question of a placement or move."""
    found = run(
        "SELECT 1 FROM notice n JOIN mail m ON m.id = n.mail_id WHERE m.state = 'sent'"
        " AND n.game_id = :g AND n.decision = :d AND n.kind = 'your_turn'",
        {"g": game_id, "d": decision},
    )
    return bool(found)
