"""Somebody else for a kept seat: named."""

import msgspec

from service.api.schemas.base import Request
from service.api.schemas.typed import address_field, name_field


class Naming(msgspec.Struct, frozen=True):
    """Whom somebody names, and what the table is to call them until they answer."""

    address: str
    name: str


class NamingSchema(Request):
    """Somebody else for a seat that a bot keeps."""

    makes = Naming
    address = address_field(required=True)
    name = name_field(blank=True, load_default="")
