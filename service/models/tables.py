"""Every table there is: who compares them with a database reads them here."""

from service.models.absence import AbsenceTable
from service.models.base import Base, db
from service.models.calendar import CalendarTable
from service.models.code import MailedCode
from service.models.due import DueTable
from service.models.event_log import AnswerTable, EventTable
from service.models.game import Clock, GameSeed, GameTable, SeatTable
from service.models.heartbeat import HeartbeatTable
from service.models.idempotency import StoredAnswerTable
from service.models.incoming import (
    IncomingMailTable,
    MailedVoteTable,
    MailJournalTable,
)
from service.models.invitation import InvitationTable, OptOut
from service.models.link import DeviceTable, LinkTable
from service.models.mail import LostMailTable, MailTable, NoticeTable
from service.models.message import MessageTable, Mute, ReportTable, SealedLine
from service.models.network import BudgetTotal, KnownNetwork, Quota
from service.models.outage import CreditTable, ExcusedTable, OutageTable
from service.models.person import PersonTable, TokenTable
from service.models.proposal import ProposalTable
from service.models.replacement import FormerHolder, ReplacementTable
from service.models.standing_answer import StandingAnswerTable
from service.models.unsubscribed import Unsubscribed

__all__ = [
    "AbsenceTable",
    "AnswerTable",
    "Base",
    "BudgetTotal",
    "CalendarTable",
    "Clock",
    "CreditTable",
    "DeviceTable",
    "DueTable",
    "EventTable",
    "ExcusedTable",
    "FormerHolder",
    "GameTable",
    "GameSeed",
    "IncomingMailTable",
    "InvitationTable",
    "StoredAnswerTable",
    "KnownNetwork",
    "LinkTable",
    "LostMailTable",
    "MailJournalTable",
    "MailTable",
    "MailedCode",
    "MailedVoteTable",
    "MessageTable",
    "Mute",
    "NoticeTable",
    "OptOut",
    "OutageTable",
    "PersonTable",
    "ProposalTable",
    "Quota",
    "ReplacementTable",
    "ReportTable",
    "SealedLine",
    "SeatTable",
    "StandingAnswerTable",
    "HeartbeatTable",
    "TokenTable",
    "Unsubscribed",
    "db",
]
