"""Who it is that waits for news, as far as sharing the places goes."""

from flask import request

from service import auth
from service.principals import Bearer


def client(proof: Bearer | None) -> str:
    """The person a token belongs to, or else the address a request comes from."""
    if proof is None:
        return f"address {request.remote_addr}"
    return f"person {auth.require(proof).person_id}"
