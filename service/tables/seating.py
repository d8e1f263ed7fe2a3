"""A table on its way to the start: confirmed, joined, declined, begun."""

from uuid import UUID

import msgspec

from engine import fairness
from engine.board import Seat
from engine.commands import Chair, CloseTable, Options, StartGame
from engine.errors import AlreadyStarted
from service.game import task_hints
from service.game.unit_of_work import UnitOfWork
from service.rate_limits import network_digests
from service.store import (
    event_log,
    games,
    links,
    people,
    proved_networks,
    tables,
)
from service.store import invitations as invitationstore
from service.store import seats as seatstore
from service.store.links import LinkRow
from service.store.people import Profile
from service.store.transactions import transaction
from service.tables import empty_seats, invitations, refusals
from service.tables.refusals import InvitationAnswer
from service.values import entropy, names
from service.values.conflicts import NameTaken, TableNotOpen
from service.values.enums import (
    GameStatus,
    InvitationState,
    NoticeKind,
    SeatKind,
    SeatState,
)
from service.values.errors import Invalid, InvitationOver, NotFound
from service.values.principals import System

_LEADS_TO = {
    InvitationAnswer.IN: SeatState.JOINED,
    InvitationAnswer.NO: SeatState.DECLINED,
    InvitationAnswer.NEVER: SeatState.DECLINED,
}
"""How a seat stands after each answer."""


def hash_word(game_id: UUID, seat: int, word: str) -> bytes:
    """A word for the shuffle as it is kept. Raises Invalid for one too long."""
    try:
        return fairness.word(str(game_id), Seat(seat), word)
    except (fairness.UnfitWord, UnicodeEncodeError) as error:
        raise Invalid(
            field="word", reason="too-long", max=fairness.WORD_LIMIT
        ) from error


def confirm(link: LinkRow, origin: str | None = None) -> None:
    """Verify the host by a link mailed to them, and send the invitations.

    `origin` is where they ask from, as an IP address: a network where they are known
    from now on. Confirmed before: does nothing. Raises TooManyInvitations, or NotFound
    for a table that was given up.
    """
    with transaction():
        guests = tables.guests(link.game_id, link.person_id)
        invitations.hold_caps(link.person_id, origin, guests)
        hold(link.game_id)
        status = tables.choices(link.game_id).status
        if status == GameStatus.OVER:
            raise NotFound(what="table")
        if status == GameStatus.DRAFT:
            send_invitations(link.game_id, origin)
            _know_there(link.person_id, origin)
    task_hints.send(task_hints.FOLLOW_UP, str(link.game_id))


def _know_there(person_id: UUID, origin: str | None) -> None:
    person = people.by_id(person_id)
    if person is not None and person.address_key:
        proved_networks.add(
            person_id, network_digests.known_network(origin, person.address_key)
        )


def send_invitations(game_id: UUID, origin: str | None) -> None:
    """Seat the verified host and invite the others, within the budget of all hosts.

    Inside the caller's transaction, which holds the caps and then the game. Raises
    TooManyInvitations.
    """
    host, *others = tables.chairs(game_id)
    if host.person_id is None:
        raise LookupError(game_id)
    guests = sum(chair.person_id is not None for chair in others)
    invitations.take_budget(host.person_id, origin, guests)
    send_counted(game_id)


def send_counted(game_id: UUID) -> None:
    """Send invitations that are counted already; starts when none is invited.

    A host who wasn't verified before is called as on their seat from now on.
    """
    seats = tables.chairs(game_id)
    host = seats[0]
    if host.person_id is None:
        raise LookupError(game_id)
    person = people.by_id(host.person_id)
    if person is None:
        raise LookupError(game_id)
    profile = person.profile
    # Who is verified has a name in their account: the one on a rematch's seat may be
    # what another host once called them.
    if not person.verified:
        profile = msgspec.structs.replace(profile, name=host.name)
    people.verify(host.person_id, profile)
    tables.put_seat(game_id, msgspec.structs.replace(host, state=SeatState.JOINED))
    tables.set_status(game_id, GameStatus.INVITING)
    for chair in seats[1:]:
        if chair.person_id is None:
            continue
        invitations.invite_or_free(game_id, chair, host.person_id)
    start_if_full(game_id)


def respond(
    link: LinkRow,
    choice: InvitationAnswer,
    profile: Profile,
    word: str,
    token: str | None = None,
) -> None:
    """Answer an invitation; the last one in starts the game.

    With the `token` of its link, only as long as that leads there: whoever was asked
    anew meanwhile, perhaps on other terms, has another link. Answered the same way
    before: does nothing. Who wants no invitations at all is heard also when this one is
    over. Raises Invalid, NameTaken, or InvitationOver.
    """
    if choice is InvitationAnswer.IN:
        profile = msgspec.structs.replace(
            profile, name=names.clean(profile.name, "name")
        )
    with transaction():
        hold(link.game_id)
        # Looked for under the lock: nobody is in on terms that they were not sent.
        if token is not None and links.find(token) is None:
            raise InvitationOver
        chair = tables.chairs(link.game_id)[link.seat]
        taken = refusals.has_taken(link, chair)
        wants_none = refusals.refuse_all(link, choice, taken=taken)
        if _is_answered(link, chair, choice):
            return
        if not _is_asked(link, chair):
            if wants_none:
                return
            raise InvitationOver
        if choice is InvitationAnswer.IN:
            _take_seat(link, profile, word)
        else:
            turn_down(link.game_id, chair, link.person_id)
    task_hints.send(task_hints.FOLLOW_UP, str(link.game_id))


def _is_answered(
    link: LinkRow, chair: tables.SeatRecord, choice: InvitationAnswer
) -> bool:
    """Whether that was answered before."""
    mine = seatstore.person_of(chair) == link.person_id
    return mine and chair.state == _LEADS_TO[choice]


def _is_asked(link: LinkRow, chair: tables.SeatRecord) -> bool:
    """Whether an invitation waits for its answer."""
    mine = seatstore.person_of(chair) == link.person_id
    waits = mine and chair.state == SeatState.INVITED
    return waits and tables.choices(link.game_id).status is GameStatus.INVITING


def _take_seat(link: LinkRow, profile: Profile, word: str) -> None:
    if not people.hold(link.person_id):
        # Erased since the seat was read: nobody of that name may sit down.
        raise InvitationOver
    people.verify(link.person_id, profile)
    sit(link.game_id, link.seat, link.person_id, profile.name, word)


def sit(game_id: UUID, seat: int, person_id: UUID, name: str, word: str) -> None:
    """Seat somebody who is in; the last one starts the game.

    Inside the caller's transaction. Raises NameTaken, or Invalid for the word.
    """
    check_name(game_id, seat, name, person_id)
    kept = hash_word(game_id, seat, word)
    asked = tables.chairs(game_id)[seat].asked
    chair = tables.SeatRecord(
        seat, person_id, None, name, SeatState.JOINED, kept, asked
    )
    tables.put_seat(game_id, chair)
    invitationstore.settle(game_id, seat, InvitationState.ACCEPTED)
    start_if_full(game_id)


def turn_down(game_id: UUID, chair: tables.SeatRecord, person_id: UUID) -> None:
    """Leave a seat before the start, and let the host hear of it.

    A seat somebody was asked to is declined; one they came to by themself is for
    whoever comes next. Inside the caller's transaction.
    """
    invitation = invitationstore.turn_down(game_id, chair.number, person_id)
    left = msgspec.structs.replace(chair, state=SeatState.DECLINED, word=b"")
    if invitation is None:
        left = empty_seats.free(chair.number)
    tables.put_seat(game_id, left)
    about = invitation or entropy.identifier()
    host_id = tables.choices(game_id).host_id
    row = invitations.notice(game_id, NoticeKind.DECLINED, host_id, 0, about)
    event_log.notify(game_id, (row,))


def hold_inviting(game_id: UUID) -> games.Locked:
    """The row of a table that fills up, held until the transaction ends.

    Raises TableNotOpen for a draft, AlreadyStarted after the start, and NotFound for a
    table that was given up.
    """
    locked = hold(game_id)
    check_inviting(locked)
    return locked


def check_inviting(locked: games.Locked) -> None:
    """Raise what `hold_inviting` raises for a table that doesn't fill up."""
    match locked.status:
        case GameStatus.INVITING:
            return
        case GameStatus.DRAFT:
            raise TableNotOpen
        case GameStatus.OVER if locked.table_head is None:
            raise NotFound(what="table")
        case _:
            raise AlreadyStarted


def check_name(
    game_id: UUID, seat: int, name: str, person_id: UUID | None = None
) -> None:
    """Raise NameTaken for a name that reads like another one at the table.

    That of a seat which the same person has declined is theirs.
    """
    looks = names.skeleton(name)
    for other in tables.chairs(game_id):
        left = other.state == SeatState.DECLINED and other.person_id == person_id
        own = left and person_id is not None
        named = other.number != seat and other.state != SeatState.OPEN and not own
        if named and names.skeleton(other.name) == looks:
            raise NameTaken(field="name")


def start_if_full(game_id: UUID) -> None:
    """Close the table, shuffle and deal, once every seat is taken.

    Inside the caller's transaction.
    """
    seats = tables.chairs(game_id)
    if any(chair.state != SeatState.JOINED for chair in seats):
        return
    chosen = tables.choices(game_id)
    tables.forget_typed(game_id)
    # Read anew, though this transaction holds it: it may have written the game's first
    # event since it took the row.
    work = UnitOfWork(hold(game_id))
    work.run(
        CloseTable(
            edition=chosen.edition,
            options=msgspec.convert(chosen.options, Options),
            seats=tuple(
                Chair(SeatKind.BOT if chair.bot else SeatKind.PERSON, chair.bot)
                for chair in seats
            ),
            words=tuple(chair.word for chair in seats),
        )
    )
    work.run(StartGame(work.sealed()))
    work.write()


def hold(game_id: UUID) -> games.Locked:
    """A game's row, held until the transaction ends. Raises NotFound."""
    locked = games.lock(game_id, System(), None)
    if locked is None:
        raise NotFound(what="game")
    return locked
