"""`kingup mail-check`: sends one mail, and says what its sender's domain lacks."""

from datetime import UTC, datetime
from email.headerregistry import Address as Mailbox
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime, make_msgid

import click

from service import config
from service.config import Config
from service.values import addresses
from service.values.addresses import Address
from service.values.errors import Invalid
from worker.outgoing import sender_checks, signing, transport
from worker.outgoing.name_servers import Dns
from worker.outgoing.sender_checks import Finding
from worker.outgoing.smtp import DeliveryOutcome, Fate
from worker.outgoing.transport import Parcel

_WORDS = (
    "This mail is from the King Up! at {url}.\r\n\r\n"
    "Look at its source: a line Authentication-Results should say spf=pass, dkim=pass"
    " and dmarc=pass. If it was among junk mail, so are those of your games.\r\n"
)
_SIGNS = {True: "good   ", False: "MISSING", None: "unknown"}


@click.command()
@click.argument("address")
def mail_check(address: str) -> None:
    """Send one mail to ADDRESS, and say what the sender's domain lacks.

    With the lines for its DNS. Ends with 1 where something is missing.
    """
    settings = config.load_running()
    try:
        mailbox = addresses.parse(address, "address")
    except Invalid as error:
        raise click.ClickException(f"That is no address: {address}.") from error
    outcome = send(settings, mailbox)
    click.echo(_told(settings, outcome))
    findings = sender_checks.check(settings, Dns())
    for finding in findings:
        _tell(finding)
    lacks = any(finding.good is False for finding in findings)
    if lacks or outcome.fate is not Fate.SENT:
        raise click.exceptions.Exit(1)


def send(settings: Config, to: Address) -> DeliveryOutcome:
    """Send one mail as those of games are sent: signed, with their return path."""
    now = datetime.now(UTC)
    # Spelled as its owner does before the @.
    local, domain = to.typed.rpartition("@")[0], to.key.rpartition("@")[2]
    recipient = Mailbox("", local, domain)
    mail = EmailMessage(SMTP if local.isascii() else SMTPUTF8)
    mail["Message-ID"] = make_msgid(domain=settings.mail_domain)
    mail["Date"] = format_datetime(now)
    mail["From"] = str(settings.mail_from)
    mail["To"] = str(recipient)
    mail["Subject"] = "Does this arrive?"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(_WORDS.format(url=settings.public_url), cte="7bit")
    body = signing.signed(mail.as_bytes(), now, settings)
    number = str(mail["Message-ID"])
    path = sender_checks.return_path(settings).addr_spec
    return transport.send(Parcel(number, recipient.addr_spec, body, path), settings)


def _told(settings: Config, outcome: DeliveryOutcome) -> str:
    server = settings.mail_server
    if server is None:
        return f"SMTP_URL isn't set: the mail lies in {settings.mailbox}."
    if outcome.fate is Fate.SENT:
        return f"{server.host} took the mail."
    return f"{server.host} didn't take the mail: {outcome.reason}."


def _tell(finding: Finding) -> None:
    click.echo(f"{_SIGNS[finding.good]}  {finding.about}: {finding.said}")
    for line in finding.paste:
        click.echo(f"           {line}")
