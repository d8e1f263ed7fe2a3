"""What an invitation is answered with, and the answer that refuses all others, too."""

from enum import StrEnum

from service.store import opt_outs, people, tables
from service.store.links import LinkRow
from service.values.enums import SeatState


class InvitationAnswer(StrEnum):
    """What somebody answers to an invitation."""

    IN = "in"
    NO = "no"
    NEVER = "never"


def refuse_all(link: LinkRow, choice: InvitationAnswer, *, taken: bool) -> bool:
    """Keep that somebody wants no invitation ever again, if they say so; whether.

    Heard from everybody who was mailed one, whatever has become of it since, but from
    nobody who has `taken` its seat: that isn't given up by it.
    """
    if choice is not InvitationAnswer.NEVER or taken:
        return False
    person = people.by_id(link.person_id)
    if person is not None and person.address_key:
        opt_outs.add(person.address_key)
    return True


def has_taken(link: LinkRow, chair: tables.SeatRecord) -> bool:
    """Whether the person of a link is in on its seat, whoever plays it now."""
    return chair.person_id == link.person_id and chair.state == SeatState.JOINED
