"""People by address, and the addresses that want no invitations."""

from collections.abc import Collection, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy.exc import IntegrityError

from service.store import devices, publisher, sql
from service.store.good_tokens import IS_GOOD
from service.values import entropy
from service.values.addresses import Address
from service.values.enums import MailChoice
from service.values.errors import Busy
from service.values.free_time import CHANGE_DAYS, MOST_CHANGES, FreeTime, QuietHours

_GOES: Final = 3
"""How often it is tried to find or add somebody who is just being erased."""

_MOST_CALLED: Final = 100
"""The most tables that hear at once that a program plays for somebody there."""

_COLUMNS = (
    "id, address, address_key, name, language, zone, program, quiet_from, quiet_to,"
    " weekends, mails, verified_at IS NOT NULL AS verified"
)

# Held against erasure and a change of address alone: two hosts who invite the same
# person at once don't wait for each other.
_KNOWN = f"SELECT {_COLUMNS} FROM person WHERE address_key = %(key)s FOR KEY SHARE"
_BY_ID = f"SELECT {_COLUMNS} FROM person WHERE id = %(id)s"
_PROVED_EARLIER = """SELECT FROM person
    WHERE id = %(id)s AND verified_at < kingup_now() - interval '1 day'"""
# FOR UPDATE would wait for every notice and mail that is just being written: those rows
# refer to the person's.
_HOLD = """SELECT id FROM person WHERE id = ANY(CAST(%(ids)s AS uuid[]))
        AND address IS NOT NULL ORDER BY id FOR NO KEY UPDATE"""

_ADD = """INSERT INTO person (id, address, address_key, name, language, zone)
    VALUES (%(id)s, %(address)s, %(key)s, %(name)s, %(language)s, %(zone)s)
    ON CONFLICT (address_key) DO NOTHING"""

# A host typed it first. Whoever has proved theirs changes it by `move` alone.
_SPELL = """UPDATE person SET address = %(address)s
    WHERE id = %(id)s AND verified_at IS NULL"""

# Whoever has proved their address has said how they are spoken to.
_INTRODUCE = """UPDATE person guest SET language = host.language, zone = host.zone
    FROM person host WHERE guest.id = %(id)s AND host.id = %(host)s
        AND guest.verified_at IS NULL AND guest.address IS NOT NULL
        AND (guest.language, guest.zone) <> (host.language, host.zone)"""

_CHANGES = f"""ARRAY(SELECT moment FROM unnest(free_changes) moment
    WHERE moment > kingup_now() - interval '{CHANGE_DAYS} days')"""
"""The moments at which somebody changed their free time in the last days."""

_FREE_CHANGES = f"""SELECT count(moment)::int,
        coalesce(ceil(extract(epoch FROM min(moment)
            + interval '{CHANGE_DAYS} days' - kingup_now())), 0)::int
    FROM person, unnest({_CHANGES}) moment WHERE id = %(id)s"""

# Whoever keeps time free by the clock of a zone changes that with it.
_MOVES = "zone <> %(zone)s AND (weekends OR quiet_from IS NOT NULL)"
_VERIFY = f"""UPDATE person SET name = %(name)s, language = %(language)s,
        zone = CASE WHEN {_MOVES} AND cardinality({_CHANGES}) >= {MOST_CHANGES}
            THEN zone ELSE %(zone)s END,
        free_changes = CASE WHEN {_MOVES} AND cardinality({_CHANGES}) < {MOST_CHANGES}
            THEN {_CHANGES} || kingup_now() ELSE free_changes END,
        verified_at = coalesce(verified_at, kingup_now()) WHERE id = %(id)s"""

# The seats of whoever a program plays for say so. Whoever sits at more tables than
# that changes one row for many: the older ones are found at a heartbeat.
_CHANGE = f"""WITH before AS (SELECT program FROM person WHERE id = %(id)s),
    changed AS (UPDATE person
        SET name = %(name)s, language = %(language)s, zone = %(zone)s,
            program = %(program)s, quiet_from = %(quiet_from)s,
            quiet_to = %(quiet_to)s, weekends = %(weekends)s, mails = %(mails)s,
            free_changes = CASE WHEN %(counts)s
                THEN {_CHANGES} || kingup_now() ELSE free_changes END
            WHERE id = %(id)s)
    SELECT g.id FROM seat s JOIN game g ON g.id = s.game_id, before
    WHERE before.program <> %(program)s AND s.person_id = %(id)s
        AND NOT s.ended AND s.state = 'joined' AND g.status <> 'over'
    ORDER BY g.created_at DESC LIMIT {_MOST_CALLED}"""
_MOVE = """UPDATE person SET address = %(address)s, address_key = %(key)s
    WHERE id = %(id)s AND NOT EXISTS (
        SELECT FROM person p WHERE p.address_key = %(key)s AND p.id <> %(id)s)"""


# Read first, or people would be looked through in the order of their ids.
_PROVED_BY = f"""WITH proved AS MATERIALIZED (
        SELECT t.person_id FROM token t
        WHERE t.token_hash = ANY(%(hashes)s) AND {IS_GOOD}
        UNION ALL
        SELECT t.person_id FROM device t WHERE t.token_hash = ANY(%(hashes)s)
            AND {devices.LIVE})
    SELECT p.id FROM proved JOIN person p ON p.id = proved.person_id
    WHERE p.address IS NOT NULL AND p.verified_at IS NOT NULL
    ORDER BY proved.person_id LIMIT 1"""


class Profile(msgspec.Struct, frozen=True):
    """How somebody is called, spoken to, and what their clock shows."""

    name: str
    language: str = "en"
    zone: str = "UTC"


class PersonRow(msgspec.Struct, frozen=True):
    """A person; `address` is None for somebody who practises.

    `program` tells that a program plays for them, `free` when nothing of theirs shall
    end, `mails` which of a game's course they want.
    """

    id: UUID
    address: str | None
    address_key: str | None
    profile: Profile
    verified: bool
    program: bool = False
    free: FreeTime = FreeTime()
    mails: MailChoice = MailChoice.INSTANT


def _one(statement: str, **values: object) -> PersonRow | None:
    row = sql.row(statement, **values)
    return None if row is None else of_row(row, row.id)


def of_row(row: Any, person_id: UUID) -> PersonRow:
    """The person of an id, from a row with all that is kept of them."""
    profile = Profile(row.name, row.language, row.zone)
    return PersonRow(
        id=person_id,
        address=row.address,
        address_key=row.address_key,
        profile=profile,
        verified=row.verified,
        program=row.program,
        free=free_time(row),
        mails=MailChoice(row.mails),
    )


def free_time(row: Any) -> FreeTime:
    """When nothing of somebody's shall end, from a row with its three columns."""
    quiet = row.quiet_from and QuietHours(row.quiet_from, row.quiet_to)
    return FreeTime(quiet, row.weekends)


def by_id(person_id: UUID) -> PersonRow | None:
    """The person of an id."""
    return _one(_BY_ID, id=person_id)


def proved_by(hashes: Collection[bytes]) -> UUID | None:
    """Whoever has proved a mailbox, by the hashes of tokens or devices; one person."""
    found: UUID | None = sql.value(_PROVED_BY, hashes=list(hashes))
    return found


def proved_earlier(person_id: UUID) -> bool:
    """Whether somebody proved their mailbox more than 24 hours ago."""
    return bool(sql.execute(_PROVED_EARLIER, id=person_id))


def hold(person_id: UUID) -> bool:
    """Let nobody else hold a person until the commit; False for one who was erased.

    Where it stands in the order of locks: `quotas.hold`.
    """
    return bool(hold_all((person_id,)))


def hold_all(person_ids: Collection[UUID]) -> frozenset[UUID]:
    """Hold several people, always in one order; those of them who weren't erased."""
    return frozenset(sql.values(_HOLD, ids=list(person_ids)))


def known_or_new(address: Address, profile: Profile) -> PersonRow:
    """The person of an address; a new one, unverified, gets the profile.

    Until the commit they keep the address and aren't erased. Raises Busy where somebody
    comes and goes all the time.
    """
    values = {
        "id": entropy.identifier(),
        "address": address.typed,
        "key": address.key,
        **msgspec.structs.asdict(profile),
    }
    for _ in range(_GOES):
        sql.execute(_ADD, **values)
        person = _one(_KNOWN, key=address.key)
        if person is not None:
            return person
    raise Busy


def nobody() -> PersonRow:
    """Somebody new whom no mail ever reaches, for whoever isn't to be asked.

    Made by as many statements as `known_or_new` takes.
    """
    person = by_id(practiser(Profile("")))
    if person is None:
        raise Busy
    return person


def all_known_or_new(
    wanted: Mapping[Address, Profile], unwilling: Collection[str] = ()
) -> dict[str, PersonRow]:
    """The people of some addresses, by their keys; nobody for those of the unwilling.

    New ones get the profiles. In the order of the keys, so that two who name the same
    people, new ones among them, never wait for each other. Raises Busy.
    """
    found = {}
    for mailbox, profile in sorted(wanted.items(), key=lambda each: each[0].key):
        is_asked = mailbox.key not in unwilling
        found[mailbox.key] = known_or_new(mailbox, profile) if is_asked else nobody()
    return found


def practiser(profile: Profile) -> UUID:
    """A new person without an address."""
    person_id = entropy.identifier()
    named = msgspec.structs.asdict(profile)
    sql.execute(_ADD, id=person_id, address=None, key=None, **named)
    return person_id


def spell(person_id: UUID, address: Address) -> bool:
    """Write somebody's address as its owner does; False if they have proved another.

    The key is the same: it is the case of letters that a host has typed otherwise.
    """
    return bool(sql.execute(_SPELL, id=person_id, address=address.typed))


def verify(person_id: UUID, profile: Profile) -> None:
    """Keep that a person acted on a mailed link, and how to address them.

    A zone in which they keep time free stays, where that was changed too often.
    """
    sql.execute(_VERIFY, id=person_id, **msgspec.structs.asdict(profile))


def introduce(person_id: UUID, host_id: UUID) -> None:
    """Speak to somebody as to the host who asks them, until they say otherwise."""
    sql.execute(_INTRODUCE, id=person_id, host=host_id)


class FreeChanges(msgspec.Struct, frozen=True):
    """How often somebody changed their free time lately.

    The first of these times counts no more in so many `seconds`.
    """

    amount: int
    seconds: int


def free_changes(person_id: UUID) -> FreeChanges:
    """How often a person who is held changed their free time in the last days."""
    (found,) = sql.structs(FreeChanges, _FREE_CHANGES, id=person_id)
    return found


def change(
    person_id: UUID,
    profile: Profile,
    program: bool,
    free: FreeTime,
    mails: MailChoice,
    *,
    counts: bool,
) -> None:
    """Keep how somebody wants to be addressed, and how they play: as `PersonRow`.

    `counts` tells that free time changes by it, other than by taking it away.
    """
    quiet = free.quiet_hours
    called = sql.values(
        _CHANGE,
        id=person_id,
        program=program,
        quiet_from=None if quiet is None else quiet.begin,
        quiet_to=None if quiet is None else quiet.end,
        weekends=free.weekends,
        mails=mails,
        counts=counts,
        **msgspec.structs.asdict(profile),
    )
    for game_id in called:
        publisher.publish(game_id)


def move(person_id: UUID, address: Address) -> bool:
    """Give somebody another address; False when it is somebody else's already."""
    try:
        return bool(
            sql.execute(_MOVE, id=person_id, address=address.typed, key=address.key)
        )
    except IntegrityError:
        # Somebody else took it in the same moment; the transaction is lost.
        return False
