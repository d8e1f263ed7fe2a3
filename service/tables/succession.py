"""What somebody answers who is asked to a seat that a bot keeps; in, it is theirs.

From that moment on nothing that the former person has is good for the seat.
"""

from uuid import UUID

import msgspec

from service.game import table_acts, task_hints
from service.store import links, people, replacements, successions
from service.store.games import Locked
from service.store.links import LinkRow
from service.store.people import PersonRow, Profile
from service.store.replacements import Replacement
from service.store.successions import Heir
from service.store.transactions import transaction
from service.tables import refusals, seating
from service.tables.refusals import InvitationAnswer
from service.values import names
from service.values.conflicts import AddressTwice
from service.values.enums import ReplacementState
from service.values.errors import InvitationOver


def asked(link: LinkRow) -> Replacement | None:
    """What the link of an invitation asks its person to: a kept seat; None if not."""
    named = replacements.open_at(link.game_id, link.seat)
    if named is None or named.state is not ReplacementState.ASKED:
        return None
    return named if named.person_id == link.person_id else None


def is_about(link: LinkRow) -> bool:
    """Whether the person of a link was ever named for its seat while a bot kept it."""
    named = replacements.of_seat(link.game_id, link.seat)
    return any(each.person_id == link.person_id for each in named)


def respond(
    link: LinkRow, choice: InvitationAnswer, profile: Profile, token: str | None = None
) -> None:
    """Answer whether one takes a kept seat; answered the same way before does nothing.

    Who is in plays from the moment on at which the former person might have come back:
    at once, or from the next deal on. With the `token` of the link, only as long as
    that leads there. Who wants no invitations at all is heard also when the offer is
    over. Raises Invalid, NameTaken, InvitationOver, and AddressTwice for somebody who
    has or had a seat of the game.
    """
    if choice is InvitationAnswer.IN:
        called = names.clean(profile.name, "name")
        profile = msgspec.structs.replace(profile, name=called)
    with transaction():
        locked = seating.hold(link.game_id)
        if token is not None and links.find(token) is None:
            raise InvitationOver
        taken = locked.people[link.seat] == link.person_id
        wants_none = refusals.refuse_all(link, choice, taken=taken)
        if _is_answered(locked, link, choice):
            return
        # In a statement behind the lock: who waited for it may be late by now.
        named = asked(link)
        if named is None or replacements.is_due(link.game_id, link.seat):
            if wants_none:
                return
            raise InvitationOver
        if choice is InvitationAnswer.IN:
            _take(locked, link, named, profile)
        else:
            replacements.end(link.game_id, link.seat, ReplacementState.DECLINED)
    task_hints.send(task_hints.FOLLOW_UP, str(link.game_id))


def _is_answered(locked: Locked, link: LinkRow, choice: InvitationAnswer) -> bool:
    """Whether that was answered before."""
    if choice is InvitationAnswer.IN:
        return locked.people[link.seat] == link.person_id
    named = replacements.of_seat(link.game_id, link.seat)
    mine = [each for each in named if each.person_id == link.person_id]
    return bool(mine) and mine[-1].state is ReplacementState.DECLINED


def _take(locked: Locked, link: LinkRow, named: Replacement, profile: Profile) -> None:
    """Let the seat be theirs. Inside the caller's transaction, which holds the game."""
    game_id, seat, former_id = link.game_id, link.seat, locked.people[link.seat]
    replacements.end(game_id, seat, ReplacementState.ACCEPTED)
    if former_id is not None:
        successions.end_notices(game_id, former_id)
    person = _held(link.person_id)
    _check_new(game_id, seat, person)
    seating.check_name(game_id, seat, profile.name, person.id)
    people.verify(person.id, profile)
    heir = Heir(person.id, profile.name, named.asked)
    successions.give(game_id, seat, former_id, heir)
    table_acts.welcome_inside(game_id, seat)


def _held(person_id: UUID) -> PersonRow:
    """The person, held until the commit. Raises InvitationOver for an erased one."""
    person = people.by_id(person_id) if people.hold(person_id) else None
    if person is None:
        raise InvitationOver
    return person


def _check_new(game_id: UUID, seat: int, person: PersonRow) -> None:
    """Raise AddressTwice for somebody who has a seat there, or had another one."""
    if successions.has_held(game_id, seat, person.address_key, person.id):
        raise AddressTwice(field="seat", reason="own-table")
