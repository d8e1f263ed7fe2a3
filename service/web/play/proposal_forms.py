"""What a table is asked, on the page of its game: to call it off together."""

from datetime import datetime
from typing import Final

import msgspec
from flask import request

from service.game import agreements, table_acts
from service.store import proposals
from service.store.games import GameReadModel
from service.store.proposals import Proposal
from service.values.enums import ProposalState
from service.values.errors import Forbidden
from service.values.principals import DeviceHolder
from service.web.http import form_tokens, forms

PROPOSE: Final = "propose"
AGREE: Final = "agree"
REFUSE: Final = "refuse"

VOTES: Final = (AGREE, REFUSE)
ACTS: Final = (PROPOSE, *VOTES)

_USE: Final = "proposal"


class OpenProposal(msgspec.Struct, frozen=True):
    """What the table is asked now; names as they are.

    `answered` tells that the reader has agreed already.
    """

    number: int
    by: str
    agreed: tuple[str, ...]
    until: datetime
    answered: bool


class ProposalForms(msgspec.Struct, frozen=True):
    """What the seat of a browser may propose, or is asked.

    `failed` tells that the latest proposal came to nothing.
    """

    token: str
    asked: OpenProposal | None
    left: int
    failed: bool


def offered(seen: GameReadModel) -> ProposalForms | None:
    """The forms of a browser's seat; None where there is nothing to propose."""
    seat = _seat(seen)
    if seat is None or seen.practice or not seen.game.running:
        return None
    latest, plays = seen.proposal, seen.seat is not None
    return ProposalForms(
        token=form_tokens.make(_USE, str(seen.id), seat),
        asked=asked(seen, seat, latest),
        left=agreements.MOST - proposals.made_by(seen.id, seat) if plays else 0,
        failed=latest is not None
        and latest.state in (ProposalState.REFUSED, ProposalState.LAPSED),
    )


def _seat(seen: GameReadModel) -> int | None:
    """The reader's seat, if a proposal is put to it; a bot may keep it meanwhile."""
    if seen.beside is None or seen.beside not in agreements.asked(seen.game):
        return seen.seat
    return seen.beside


def asked(
    seen: GameReadModel, seat: int, found: Proposal | None
) -> OpenProposal | None:
    """What a seat is asked by its table's latest proposal; None if that isn't open."""
    if found is None or found.is_closed or not seen.game.running:
        return None
    return OpenProposal(
        number=found.number,
        by=seen.seats[found.seat].name,
        agreed=tuple(seen.seats[each].name for each in sorted(found.agreed)),
        until=found.lapses_at,
        answered=seat in found.agreed,
    )


def act(seen: GameReadModel, seat: int, holder: DeviceHolder, do: str) -> None:
    """Do what one of the forms asks for.

    Raises Forbidden for a form that isn't ours, and what `table_acts.propose` and
    `vote` raise.
    """
    sent = request.form.get(form_tokens.FIELD, "")
    if not form_tokens.is_good(sent, _USE, str(seen.id), seat):
        raise Forbidden(reason="no-form-token")
    if do == PROPOSE:
        table_acts.propose(seen.id, holder)
        return
    number = forms.number(request.form.get("proposal", ""))
    table_acts.vote(seen.id, holder, number, agrees=do == AGREE)
