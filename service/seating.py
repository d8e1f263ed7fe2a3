"""A table on its way to the start: confirmed, joined, declined, reseated, begun."""

from collections.abc import Iterable
from enum import StrEnum
from uuid import UUID

import msgspec

from engine import fairness
from engine.board import Seat
from engine.commands import CancelGame, Chair, CloseTable, Options, StartGame
from engine.errors import AlreadyStarted
from service import addresses, inviting, names, wake
from service.draft import Draft
from service.errors import (
    AddressTwice,
    Invalid,
    NameTaken,
    NotFound,
    WantsNoInvitations,
)
from service.kinds import NoticeKind
from service.principals import System
from service.store import games, log, people, tables
from service.store.links import LinkRow
from service.store.people import Profile
from service.store.transactions import transaction

_BOT_NAMES = ("Uno", "Due", "Tre", "Quattro", "Cinque", "Sei", "Sette")


class Choice(StrEnum):
    """What somebody answers to an invitation."""

    IN = "in"
    NO = "no"
    NEVER = "never"


def bot_chair(number: int, bot: str, others: Iterable[tables.Chair]) -> tables.Chair:
    """A bot on a seat, by the first name that reads like nobody's else at the table.

    Bots are always in.
    """
    taken = {names.skeleton(each.name) for each in others if each.number != number}
    called = (f"Robot {word}" for word in _BOT_NAMES)
    name = next(each for each in called if names.skeleton(each) not in taken)
    return tables.Chair(number, None, bot, name, "joined")


def hash_word(game_id: UUID, seat: int, word: str) -> bytes:
    """A word for the shuffle as it is kept. Raises Invalid for one too long."""
    try:
        return fairness.word(str(game_id), Seat(seat), word)
    except (fairness.UnfitWord, UnicodeEncodeError) as error:
        raise Invalid(field="word", reason="too-long") from error


def confirm(link: LinkRow) -> None:
    """Verify the host by a link mailed to them, and send the invitations.

    Confirmed before: does nothing. Raises TooManyInvitations, WantsNoInvitations, or
    NotFound for a table that was given up.
    """
    with transaction():
        _hold(link.game_id)
        status = tables.choices(link.game_id).status
        if status == "over":
            raise NotFound(what="table")
        if status == "draft":
            send_invitations(link.game_id)
    wake.send(wake.POST, str(link.game_id))


def send_invitations(game_id: UUID) -> None:
    """Seat the verified host and invite the others; starts when none is invited.

    Inside the caller's transaction.
    """
    seats = tables.chairs(game_id)
    host = seats[0]
    if host.person_id is None:
        raise LookupError(game_id)
    person = people.by_id(host.person_id)
    if person is None:
        raise LookupError(game_id)
    people.verify(
        host.person_id, msgspec.structs.replace(person.profile, name=host.name)
    )
    tables.put_seat(game_id, msgspec.structs.replace(host, state="joined"))
    tables.set_status(game_id, "inviting")
    for chair in seats[1:]:
        if chair.person_id is not None:
            inviting.invite_or_free(game_id, chair, host.person_id, chair.person_id)
    start_if_full(game_id)


def respond(link: LinkRow, choice: Choice, profile: Profile, word: str) -> None:
    """Answer an invitation; the last one in starts the game.

    Answered the same way before: does nothing. Raises Invalid, NameTaken, or NotFound
    for an invitation that is no longer open.
    """
    if choice is Choice.IN:
        profile = msgspec.structs.replace(
            profile, name=names.clean(profile.name, "name")
        )
    with transaction():
        _hold(link.game_id)
        chair = tables.chairs(link.game_id)[link.seat]
        mine = chair.person_id == link.person_id
        if mine and chair.state == "joined" and choice is Choice.IN:
            return
        if not mine or chair.state != "invited" or _status(link.game_id) != "inviting":
            raise NotFound(what="invitation")
        if choice is Choice.IN:
            _take_seat(link, profile, word)
        else:
            _decline(link, chair, choice)
    wake.send(wake.POST, str(link.game_id))


def _take_seat(link: LinkRow, profile: Profile, word: str) -> None:
    _check_name(link.game_id, link.seat, profile.name)
    people.verify(link.person_id, profile)
    kept = hash_word(link.game_id, link.seat, word)
    chair = tables.Chair(link.seat, link.person_id, None, profile.name, "joined", kept)
    tables.put_seat(link.game_id, chair)
    tables.settle_invitation(link.game_id, link.seat, "accepted")
    start_if_full(link.game_id)


def _decline(link: LinkRow, chair: tables.Chair, choice: Choice) -> None:
    tables.put_seat(link.game_id, msgspec.structs.replace(chair, state="declined"))
    invitation = tables.settle_invitation(link.game_id, link.seat, "declined")
    person = people.by_id(link.person_id)
    if choice is Choice.NEVER and person is not None and person.address_key:
        people.opt_out(person.address_key)
    host_id = tables.choices(link.game_id).host_id
    row = inviting.notice(link.game_id, NoticeKind.DECLINED, host_id, 0, invitation)
    log.notify(link.game_id, (row,))


def _check_name(game_id: UUID, seat: int, name: str) -> None:
    """Refuse a name that reads like another one at the table."""
    looks = names.skeleton(name)
    for other in tables.chairs(game_id):
        if other.number != seat and names.skeleton(other.name) == looks:
            raise NameTaken(field="name")


def reseat_guest(link: LinkRow, seat: int, address: str, name: str) -> None:
    """Ask somebody else to a seat nobody has taken; `link` is the host's.

    Raises Invalid, AddressTwice, NameTaken, WantsNoInvitations, TooManyInvitations or
    NotFound.
    """
    mailbox = addresses.parse(address, "address")
    name = names.clean(name or names.of_seat(seat), "name")
    with transaction():
        _hold(link.game_id)
        _vacate(link, seat)
        _check_name(link.game_id, seat, name)
        tables.hold_caps()
        if people.opted_out(mailbox.key):
            raise WantsNoInvitations(field="address")
        person = people.known_or_new(mailbox, Profile(name))
        others = (c for c in tables.chairs(link.game_id) if c.number != seat)
        if any(chair.person_id == person.id for chair in others):
            raise AddressTwice(field="address")
        chair = tables.Chair(seat, person.id, None, name, "invited")
        tables.put_seat(link.game_id, chair)
        inviting.invite(link.game_id, seat, link.person_id, person.id)
    wake.send(wake.POST, str(link.game_id))


def reseat_bot(link: LinkRow, seat: int, bot: str) -> None:
    """Give a seat nobody has taken to a bot; `link` is the host's. Raises NotFound."""
    with transaction():
        _hold(link.game_id)
        _vacate(link, seat)
        others = tables.chairs(link.game_id)
        tables.put_seat(link.game_id, bot_chair(seat, bot, others))
        start_if_full(link.game_id)
    wake.send(wake.POST, str(link.game_id))


def _vacate(link: LinkRow, seat: int) -> None:
    """Free a seat that is only promised. Raises NotFound for any other."""
    seats = tables.chairs(link.game_id)
    open_seats = {c.number for c in seats if c.state in ("invited", "declined")}
    if _status(link.game_id) != "inviting" or seat == 0 or seat not in open_seats:
        raise NotFound(what="seat")
    tables.settle_invitation(link.game_id, seat, "withdrawn")


def give_up(game_id: UUID) -> None:
    """Call a table off before the start. Raises AlreadyStarted after it."""
    with transaction():
        locked = _hold(game_id)
        if locked.status not in ("draft", "inviting"):
            raise AlreadyStarted
        draft = Draft(locked)
        draft.run(CancelGame(locked.seed))
        draft.write()
        for chair in tables.chairs(game_id):
            tables.settle_invitation(game_id, chair.number, "withdrawn")
            waits = chair.state in ("invited", "joined") and chair.number
            if chair.person_id and waits and locked.status == "inviting":
                row = inviting.notice(
                    game_id, NoticeKind.CALLED_OFF, chair.person_id, chair.number
                )
                log.notify(game_id, (row,))
    wake.send(wake.POST, str(game_id))


def start_if_full(game_id: UUID) -> None:
    """Close the table, shuffle and deal, once every seat is taken.

    Inside the caller's transaction.
    """
    seats = tables.chairs(game_id)
    if any(chair.state != "joined" for chair in seats):
        return
    chosen = tables.choices(game_id)
    draft = Draft(_hold(game_id))
    draft.run(
        CloseTable(
            edition=chosen.edition,
            options=msgspec.convert(chosen.options, Options),
            seats=tuple(
                Chair("bot" if chair.bot else "person", chair.bot) for chair in seats
            ),
            words=tuple(chair.word for chair in seats),
        )
    )
    draft.run(StartGame(draft.sealed()))
    draft.write()


def _hold(game_id: UUID) -> games.Locked:
    locked = games.lock(game_id, System(), None)
    if locked is None:
        raise NotFound(what="game")
    return locked


def _status(game_id: UUID) -> str:
    return tables.choices(game_id).status
