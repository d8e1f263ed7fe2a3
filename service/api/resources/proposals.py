"""Proposals to a table: what needs that all agree."""

from uuid import UUID

from engine.errors import GameNotRunning, SeatKept
from service.api.http import access, preconditions
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.replies.view_reply import ProposalReply, proposal_reply
from service.api.resources import games
from service.api.schemas.proposal import (
    ProposalCreationSchema,
    Proposing,
    Vote,
    VoteSchema,
)
from service.game import table_acts
from service.store import proposals
from service.values.conflicts import NoProposalLeft, ProposalClosed, ProposalOpen
from service.values.errors import Forbidden, NotFound
from service.values.principals import Bearer

blueprint = Blueprint("proposals", "What a table agrees to: that its game is over.")

_MOST = 2**15 - 1


def _proof(game_id: UUID) -> Bearer:
    """The token of this request, whose owner has a seat, whoever plays it.

    Raises what `access.read_model` raises, Forbidden without a seat, or
    PreconditionFailed: proposals have no mark.
    """
    proof = access.token(access.PLAY)
    found = access.read_model(game_id, access.PLAY)
    if found.seat is None and found.beside is None:
        raise Forbidden(reason="no-seat")
    preconditions.check_unmarked()
    return proof


@blueprint.place("/games/<uuid:game_id>/proposals")
class Proposals(Resource):
    """What a table was asked."""

    @blueprint.once()
    @blueprint.named("propose")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(GameNotRunning, NoProposalLeft, ProposalOpen, SeatKept)
    @blueprint.arguments(ProposalCreationSchema)
    @blueprint.response(201, ProposalReply)
    def post(
        self, wanted: Proposing, game_id: UUID
    ) -> tuple[ProposalReply, dict[str, str]]:
        """Propose to call a running game off, which you agree to by that.

        It is called off once all agree who play a seat, or will be back by themselves:
        bots and who has left aren't asked. The others are mailed. A single No ends the
        proposal; without the consent of all it lapses after three days. One is open at
        a time, and each seat makes two in a game.
        """
        proof = _proof(game_id)
        made = table_acts.propose(game_id, proof)
        place = games.path(game_id, "view")
        return _reply(game_id, made.number), {"Location": place}


@blueprint.place(f"/games/<uuid:game_id>/proposals/<int(max={_MOST}):proposal>/vote")
class ProposalVote(Resource):
    """Your vote on a proposal."""

    @blueprint.named("voteOnProposal")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(GameNotRunning, NotFound, ProposalClosed, SeatKept)
    @blueprint.arguments(VoteSchema)
    @blueprint.response(200, ProposalReply)
    def put(self, vote: Vote, game_id: UUID, proposal: int) -> ProposalReply:
        """Agree to an open proposal, or end it by a No.

        The table sees who has agreed so far, and not whose No it was. Who agrees may
        say No later, as long as it is open. Again it changes nothing. While a bot keeps
        your seat you vote if you will be back by yourself.
        """
        proof = _proof(game_id)
        table_acts.vote(game_id, proof, proposal, agrees=vote.agrees)
        return _reply(game_id, proposal)


def _reply(game_id: UUID, number: int) -> ProposalReply:
    found = proposals.numbered(game_id, number)
    if found is None:
        raise NotFound(what="proposal")
    return proposal_reply(found)
