"""People by address, and the addresses that want no invitations."""

from collections.abc import Collection, Mapping
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import TextClause, text
from sqlalchemy.exc import IntegrityError

from service.models import db
from service.store import devices, publisher
from service.values import entropy
from service.values.addresses import Address
from service.values.errors import Busy

_GOES: Final = 3
"""How often it is tried to find or add somebody who is just being erased."""

_MOST_CALLED: Final = 100
"""The most tables that hear at once that a program plays for somebody there."""

_COLUMNS = (
    "id, address, address_key, name, language, zone, program,"
    " verified_at IS NOT NULL AS verified"
)

_KNOWN = text(f"SELECT {_COLUMNS} FROM person WHERE address_key = :key FOR KEY SHARE")
_BY_ID = text(f"SELECT {_COLUMNS} FROM person WHERE id = :id")
_PROVED_EARLIER = text(
    """SELECT FROM person
    WHERE id = :id AND verified_at < kingup_now() - interval '1 day'"""
)
_HOLD = text(
    """SELECT id FROM person WHERE id = ANY(CAST(:ids AS uuid[]))
        AND address IS NOT NULL ORDER BY id FOR NO KEY UPDATE"""
)

_ADD = text(
    """INSERT INTO person (id, address, address_key, name, language, zone)
    VALUES (:id, :address, :key, :name, :language, :zone)
    ON CONFLICT (address_key) DO NOTHING"""
)

_VERIFY = text(
    """UPDATE person SET name = :name, language = :language, zone = :zone,
        verified_at = coalesce(verified_at, kingup_now()) WHERE id = :id"""
)

# The seats of whoever a program plays for say so. Whoever sits at more tables than
# that changes one row for many: the older ones are found at a heartbeat.
_CHANGE = text(
    f"""WITH before AS (SELECT program FROM person WHERE id = :id),
    changed AS (UPDATE person SET name = :name, language = :language, zone = :zone,
        program = :program WHERE id = :id)
    SELECT g.id FROM seat s JOIN game g ON g.id = s.game_id, before
    WHERE before.program <> :program AND s.person_id = :id
        AND s.state = 'joined' AND g.status <> 'over'
    ORDER BY g.created_at DESC LIMIT {_MOST_CALLED}"""
)
_MOVE = text(
    """UPDATE person SET address = :address, address_key = :key WHERE id = :id
        AND NOT EXISTS (SELECT FROM person p WHERE p.address_key = :key AND p.id <> :id)
    RETURNING id"""
)


# Read first, or people would be looked through in the order of their ids.
_PROVED_BY = text(
    f"""WITH proved AS MATERIALIZED (
        SELECT t.person_id FROM token t WHERE t.token_hash = ANY(:hashes)
            AND t.revoked_at IS NULL
            AND (t.expires_at IS NULL OR t.expires_at > kingup_now())
        UNION ALL
        SELECT t.person_id FROM device t WHERE t.token_hash = ANY(:hashes)
            AND {devices.LIVE})
    SELECT p.id FROM proved JOIN person p ON p.id = proved.person_id
    WHERE p.address IS NOT NULL AND p.verified_at IS NOT NULL
    ORDER BY proved.person_id LIMIT 1"""
)


class Profile(msgspec.Struct, frozen=True):
    """How somebody is called, spoken to, and what their clock shows."""

    name: str
    language: str = "en"
    zone: str = "UTC"


class PersonRow(msgspec.Struct, frozen=True):
    """A person; `address` is None for somebody who practises.

    `program` tells that a program plays for them.
    """

    id: UUID
    address: str | None
    address_key: str | None
    profile: Profile
    verified: bool
    program: bool = False


def _one(statement: TextClause, values: Mapping[str, object]) -> PersonRow | None:
    row = db.session.execute(statement, values).one_or_none()
    if row is None:
        return None
    profile = Profile(row.name, row.language, row.zone)
    return PersonRow(
        row.id, row.address, row.address_key, profile, row.verified, row.program
    )


def by_id(person_id: UUID) -> PersonRow | None:
    """The person of an id."""
    return _one(_BY_ID, {"id": person_id})


def proved_by(hashes: Collection[bytes]) -> UUID | None:
    """Whoever has proved a mailbox, by the hashes of tokens or devices; one person."""
    values = {"hashes": list(hashes)}
    found: UUID | None = db.session.execute(_PROVED_BY, values).scalar_one_or_none()
    return found


def proved_earlier(person_id: UUID) -> bool:
    """Whether somebody proved their mailbox more than 24 hours ago."""
    found = db.session.execute(_PROVED_EARLIER, {"id": person_id})
    return found.one_or_none() is not None


def hold(person_id: UUID) -> bool:
    """Let nobody else hold a person until the commit; False for one who was erased.

    Where it stands in the order of locks: `tables.hold_caps`.
    """
    return bool(hold_all((person_id,)))


def hold_all(person_ids: Collection[UUID]) -> frozenset[UUID]:
    """Hold several people, always in one order; those of them who weren't erased."""
    held = db.session.execute(_HOLD, {"ids": list(person_ids)})
    return frozenset(held.scalars())


def known_or_new(address: Address, profile: Profile) -> PersonRow:
    """The person of an address; a new one, unverified, gets the profile.

    Until the commit they keep the address and aren't erased. Raises Busy where somebody
    comes and goes all the time.
    """
    values = {
        "id": entropy.identifier(),
        "address": address.typed,
        "key": address.key,
        "name": profile.name,
        "language": profile.language,
        "zone": profile.zone,
    }
    for _ in range(_GOES):
        db.session.execute(_ADD, values)
        person = _one(_KNOWN, {"key": address.key})
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
    values = {"id": person_id, "address": None, "key": None}
    db.session.execute(_ADD, values | msgspec.structs.asdict(profile))
    return person_id


def verify(person_id: UUID, profile: Profile) -> None:
    """Keep that a person acted on a mailed link, and how to address them."""
    db.session.execute(_VERIFY, {"id": person_id} | msgspec.structs.asdict(profile))


def change(person_id: UUID, profile: Profile, program: bool) -> None:
    """Keep how somebody wants to be addressed, and whether a program plays for them."""
    values = {"id": person_id, "program": program}
    values |= msgspec.structs.asdict(profile)
    for game_id in db.session.execute(_CHANGE, values).scalars():
        publisher.publish(game_id)


def move(person_id: UUID, address: Address) -> bool:
    """Give somebody another address; False when it is somebody else's already."""
    values = {"id": person_id, "address": address.typed, "key": address.key}
    try:
        return db.session.execute(_MOVE, values).one_or_none() is not None
    except IntegrityError:
        # Somebody else took it in the same moment; the transaction is lost.
        return False
