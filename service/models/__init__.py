"""The tables: one family a file, no behaviour."""

from service.models.base import Base, db
from service.models.code import MailedCode
from service.models.game import Clock, Game, GameSeed, Seat
from service.models.invitation import Invitation, OptOut
from service.models.kept import KeptAnswer
from service.models.link import Device, Link
from service.models.log import Answer, Event
from service.models.mail import Mail, Notice
from service.models.origin import KnownNetwork, Quota
from service.models.person import Person, Token
from service.models.sign import SignOfLife
from service.models.work import Due

__all__ = [
    "Answer",
    "Base",
    "Clock",
    "Device",
    "Due",
    "Event",
    "Game",
    "GameSeed",
    "Invitation",
    "KeptAnswer",
    "KnownNetwork",
    "Link",
    "Mail",
    "MailedCode",
    "Notice",
    "OptOut",
    "Person",
    "Quota",
    "Seat",
    "SignOfLife",
    "Token",
    "db",
]
