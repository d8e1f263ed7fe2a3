"""Seats before the start, asked for."""

import msgspec

from service.api.schemas.base import Request
from service.api.schemas.terms import seat_field
from service.api.schemas.typed import address_field, name_field, word_field


class Taking(msgspec.Struct, frozen=True):
    """Who wants a seat: which one, called how, and their word for the shuffle."""

    seat: int | None
    name: str
    word: str


class AddressCorrection(msgspec.Struct, frozen=True):
    """The address at which whoever is invited shall be asked instead."""

    address: str


class AddressCorrectionSchema(Request):
    """Another address for whoever is invited to a seat; it keeps its name."""

    makes = AddressCorrection
    address = address_field(required=True)


class SeatTakingSchema(Request):
    """A seat you want: the one kept for you, or an open one."""

    makes = Taking
    seat = seat_field(
        "Null: the one kept for you, or the first open one.", load_default=None
    )
    name = name_field(
        blank=True,
        load_default="",
        metadata={"description": "How you are called here; your own name without it."},
    )
    word = word_field()
