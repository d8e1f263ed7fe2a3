"""Whether a mail is from whom it says it is from, as far as anybody can tell.

Our own mail server has looked when the mail arrived, and says so in its header, if its
name is set. Else a signature of the sender's domain (DKIM) proves it, checked here.
"""

import re
from collections.abc import Callable
from typing import Final

import authres

from service.config import Config
from service.values import addresses
from service.values.errors import Invalid
from service.values.mail_settings import InboundAuth
from worker.incoming import alignment, dns_texts, signatures
from worker.incoming.headers import Headers, are_plain

_LONGEST: Final = 4_000
"""A longer header of findings is nobody's who has anything to find."""

_FINDINGS: Final = authres.all_features()

_BROKEN: Final = (
    authres.AuthResError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What the library stumbles with over a header that is none."""

_SPACES: Final = re.compile(r"\s+")


def is_proved(
    raw: bytes,
    headers: Headers,
    sender: str,
    settings: Config,
    look_up: Callable[[bytes], bytes | None] = dns_texts.look_up,
) -> bool:
    """Whether a mail with these headers is from `sender`, the one address in its From.

    Where INBOUND_AUTH is `accept` that is so, unless our mail server found it is not.
    Never is it where two programs may read two different mails in it. `look_up` returns
    a TXT record of the domain name system, or None.
    """
    domain = _domain(sender)
    if not domain or not are_plain(raw, headers):
        return False
    found = _found(headers, domain, settings.inbound_authserv_id)
    if found is not None:
        return found
    if settings.inbound_auth is InboundAuth.ACCEPT:
        return True
    return signatures.is_signed(raw, domain, look_up)


def _domain(sender: str) -> str:
    """The domain of an address as the domain name system knows it."""
    try:
        return addresses.parse(sender, "from").key.rpartition("@")[2]
    except Invalid:
        return ""


def _found(headers: Headers, domain: str, server: str | None) -> bool | None:
    """What our own mail server has found about a domain; None if it found nothing.

    It writes at the top: what stands below came with the mail, whatever name it bears.
    What of its findings can't be read is taken for the worst: a sender can have words
    of their own put among them.
    """
    findings = headers.get("authentication-results", ("",))[0]
    if server is None or not findings:
        return None
    unread = False if findings.lower().startswith(server) else None
    if len(findings) > _LONGEST:
        return unread
    try:
        header = _FINDINGS.parse_value(_SPACES.sub(" ", findings))
    except _BROKEN:
        return unread
    if header.authserv_id.lower() != server:
        return None
    by_policy = _by_policy(header.results, domain)
    if by_policy is not None:
        return by_policy
    return True if any(_proves(each, domain) for each in header.results) else None


def _by_policy(
    findings: list[authres.AuthenticationResult], domain: str
) -> bool | None:
    """What it says by the domain's own policy (DMARC); None where it has none."""
    policies = [each for each in findings if each.method.lower() == "dmarc"]
    results = {each.result.lower() for each in policies}
    if results == {"pass"}:
        about = {_value(each, "header", "from").lower() for each in policies}
        return about == {domain}
    return False if "fail" in results else None


def _proves(finding: authres.AuthenticationResult, domain: str) -> bool:
    """Whether a signature, or the server it came from, speaks for the domain."""
    if finding.result.lower() != "pass":
        return False
    match finding.method.lower():
        case "dkim":
            signer = _value(finding, "header", "d") or _value(finding, "header", "i")
        case "spf":
            signer = _value(finding, "smtp", "mailfrom")
        case _:
            return False
    return alignment.is_aligned(signer.rpartition("@")[2], domain)


def _value(finding: authres.AuthenticationResult, kind: str, name: str) -> str:
    """One property of a finding; "" where it has none, or two."""
    values = [
        str(each.value)
        for each in finding.properties
        if (each.type.lower(), each.name.lower()) == (kind, name)
    ]
    return values[0] if len(values) == 1 else ""
