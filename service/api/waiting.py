"""Who it is that waits for news, as far as sharing the room goes."""

from flask import request

from service import limits
from service.people import auth
from service.principals import Bearer
from service.store import people
from service.streaming.room import Client


def client(proof: Bearer | None) -> Client:
    """The person a token belongs to, or else the network a request comes from.

    Whoever practises counts by network, too: anybody may be as many as they like.
    """
    network = Client(f"network {limits.network(request.remote_addr or '')}", False)
    if proof is None:
        return network
    owner = auth.require(proof)
    if owner.game_id is not None:
        person = people.by_id(owner.person_id)
        if person is None or person.address is None:
            return network
    return Client(f"person {owner.person_id}", True)
