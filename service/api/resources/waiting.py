"""Who it is that waits for news, as far as sharing the room goes, and for which."""

from flask import request

from service.api.schemas.waiting import Known
from service.auth import bearer
from service.live.quota import Client
from service.rate_limits import limits
from service.store import people
from service.values.principals import Bearer


def client(proof: Bearer | None) -> Client:
    """The person a token belongs to, or else the network a request comes from.

    Whoever practises counts by network, too: anybody may be as many as they like.
    """
    network = Client(f"network {limits.network(request.remote_addr or '')}", False)
    if proof is None:
        return network
    owner = bearer.require(proof)
    if owner.game_id is not None:
        person = people.by_id(owner.person_id)
        if person is None or person.address is None:
            return network
    return Client(f"person {owner.person_id}", True)


class ChangedAnswer:
    """What ends the waiting: another answer than those that whoever asks has.

    Who has none is told at once what there is, or else of the first change.
    """

    def __init__(self, known: Known) -> None:
        self._known = known
        self._first: str | None = None

    def has_come(self, mark: str, has_news: bool) -> bool:
        """Whether the answer of a mark is to be told; a first one if it `has_news`."""
        if self._known:
            return not self._known.has(mark)
        if self._first is None:
            self._first = mark
        return has_news or mark != self._first
