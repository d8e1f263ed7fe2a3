"""How a bot plays the cards of somebody who has just left: without looking at them."""

import random

from engine.board import Card
from engine.commands import Answer, Ballot
from engine.views import View


def answer(view: View, chance: random.Random) -> Answer:
    """Any placement or move, evenly, and Yes in an election.

    From what everybody sees alone, never from `own`: a known program that played from
    a seat's secrets would tell them. Raises LookupError when nothing is asked.
    """
    if view.decision is None:
        raise LookupError("not asked")
    offers = view.decision.offers
    if any(isinstance(offer, Ballot) for offer in offers):
        # Everybody holds it at any time: it goes back to the hand.
        return Ballot(Card.YES)
    return chance.choice(offers)
