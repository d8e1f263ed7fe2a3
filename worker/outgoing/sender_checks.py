"""What the domain that mails come from lacks for others to believe them.

Each finding is a sentence for whoever runs the instance, with the lines that their
domain's DNS should have, ready to paste.
"""

import re
from collections.abc import Callable, Iterator
from email.headerregistry import Address
from ipaddress import ip_address
from typing import Final

import msgspec

from service.config import Config
from service.values.dkim_keys import DkimKey
from worker.outgoing.name_servers import NameServers, Unanswered

_STRING: Final = 255
"""The most letters of one string in a record; a longer text is several."""

_SPF: Final = re.compile(r"v=spf1(\s|$)", re.IGNORECASE)
_DMARC: Final = re.compile(r"v=DMARC1\s*(;|$)", re.IGNORECASE)
_TAG: Final = re.compile(r"\s*([a-z]+)\s*=\s*([^;]*)", re.IGNORECASE)


class Finding(msgspec.Struct, frozen=True):
    """What was looked at, whether it is well, and what to do; None: nobody knows."""

    about: str
    good: bool | None
    said: str
    paste: tuple[str, ...] = ()


def check(settings: Config, names: NameServers) -> tuple[Finding, ...]:
    """What is missing of SPF, DKIM, DMARC, alignment and reverse name."""
    checks: tuple[tuple[str, Callable[[], Finding]], ...] = (
        ("SPF", lambda: _spf(settings, names)),
        ("DKIM", lambda: _dkim(settings, names)),
        ("DMARC", lambda: _dmarc(settings, names)),
        ("alignment", lambda: _alignment(settings)),
        ("reverse name", lambda: _reverse(settings, names)),
    )
    return tuple(_asked(about, look) for about, look in checks)


def _asked(about: str, look: Callable[[], Finding]) -> Finding:
    try:
        return look()
    except Unanswered as error:
        return Finding(about, None, f"The name servers say nothing of {error}.")


def return_path(settings: Config) -> Address:
    """Where mails come back to; SPF is about its domain."""
    return settings.inbound_address or settings.mail_from


def _spf(settings: Config, names: NameServers) -> Finding:
    domain = return_path(settings).domain
    found = [text for text in names.texts(domain) if _SPF.match(text)]
    if not found:
        line = _record(domain, f"v=spf1 a:{_outlet(settings)} ~all")
        said = (
            f"{domain} doesn't say which servers may send for it. A provider that"
            " passes mails on has an include: of its own, to put in the place of a:."
        )
        return Finding("SPF", False, said, (line,))
    if len(found) > 1:
        said = f"{domain} has {len(found)} SPF records, so none counts: keep one."
        return Finding("SPF", False, said)
    words = found[0].lower().split()
    if not any(word in ("~all", "-all") for word in words) and not any(
        word.startswith("redirect=") for word in words
    ):
        said = f"{domain} lets everybody send for it: its record must end in ~all."
        return Finding("SPF", False, said, (_record(domain, _closed(found[0])),))
    return Finding("SPF", True, f"{domain}: {found[0]}")


def _closed(record: str) -> str:
    """An SPF record that lets nobody else send."""
    kept = [word for word in record.split() if word.lower().lstrip("+?") != "all"]
    return " ".join((*kept, "~all"))


def _outlet(settings: Config) -> str:
    """The host that mails leave by, as far as we know."""
    server = settings.mail_server
    if server is None or _is_here(server.host):
        return settings.mail_domain.strip("[]")
    return server.host


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return not ip_address(host).is_global
    except ValueError:
        return "." not in host


def _dkim(settings: Config, names: NameServers) -> Finding:
    key, domain = settings.dkim_key, settings.mail_from.domain
    if key is None:
        said = (
            "DKIM_KEY isn't set. That is well if your mail server signs: the mail then"
            f" has a DKIM-Signature with d={domain}."
        )
        return Finding("DKIM", None, said)
    name = f"{settings.dkim_selector}._domainkey.{domain}"
    line = _record(name, f"v=DKIM1; k=rsa; p={key.public}")
    found = names.texts(name)
    if not found:
        return Finding("DKIM", False, f"Nobody finds the key at {name}.", (line,))
    if len(found) > 1:
        said = f"{name} has {len(found)} records, and verifiers take any: keep one."
        return Finding("DKIM", False, said, (line,))
    return _published(name, found[0], key, line)


def _published(name: str, record: str, key: DkimKey, line: str) -> Finding:
    tags = {tag.lower(): value.strip() for tag, value in _TAG.findall(record)}
    if "".join(tags.get("p", "").split()) != key.public:
        return Finding("DKIM", False, f"{name} has another key than DKIM_KEY.", (line,))
    if "y" in tags.get("t", "").lower().split(":"):
        said = f"{name} says that it is on trial (t=y): verifiers may pass it over."
        return Finding("DKIM", False, said, (line,))
    return Finding("DKIM", True, f"{name} has the key that signs.")


def _dmarc(settings: Config, names: NameServers) -> Finding:
    domain = settings.mail_from.domain
    for owner in _upwards(domain):
        name = f"_dmarc.{owner}"
        found = [text for text in names.texts(name) if _DMARC.match(text)]
        if len(found) > 1:
            said = f"{name} has {len(found)} records, so none counts: keep one."
            return Finding("DMARC", False, said)
        if found:
            return Finding("DMARC", True, f"{name}: {found[0]}")
    said = f"{domain} doesn't say what is to become of mails that nothing proves."
    line = _record(f"_dmarc.{domain}", "v=DMARC1; p=none")
    return Finding("DMARC", False, said, (line,))


def _upwards(domain: str) -> Iterator[str]:
    """A domain, and those above it that somebody may own."""
    labels = domain.split(".")
    for start in range(max(1, len(labels) - 1)):
        yield ".".join(labels[start:])


def _alignment(settings: Config) -> Finding:
    sender, returns = settings.mail_from.domain, return_path(settings).domain
    if is_aligned(sender, returns):
        said = f"Mails from {sender} come back to {returns}, which SPF proves for it."
        return Finding("alignment", True, said)
    said = (
        f"Mails from {sender} come back to {returns}: what SPF proves of that says"
        f" nothing of {sender}."
    )
    if settings.dkim_key is not None:
        return Finding("alignment", True, f"{said} The signature does.")
    more = " Have them signed (DKIM_KEY), or use one domain for both."
    return Finding("alignment", False, said + more)


def is_aligned(one: str, other: str) -> bool:
    """Whether two domains are one owner's, as DMARC wants it where it isn't strict.

    Nobody lists here who gives names away below which ending: two letters behind a
    short word, as in co.uk, count as one.
    """
    ends = zip(reversed(one.split(".")), reversed(other.split(".")), strict=False)
    common = []
    for left, right in ends:
        if left != right:
            break
        common.append(left)
    if one == other:
        return True
    shared = len(common)
    shares_ending = shared > 1 and len(common[0]) == 2 and len(common[1]) <= 3
    return shared >= (3 if shares_ending else 2)


def _reverse(settings: Config, names: NameServers) -> Finding:
    host = _outlet(settings)
    addresses = (host,) if _is_address(host) else names.addresses(host)
    if not addresses:
        said = f"{host}, by which mails leave, has no address."
        return Finding("reverse name", False, said)
    nameless = [each for each in addresses if not _confirmed(each, names)]
    if not nameless:
        said = f"{host} is called by a name that leads back to it."
        return Finding("reverse name", True, said)
    said = (
        f"{', '.join(nameless)}: no name that leads back. Whoever has given you the"
        f" address sets it; it should be {host}."
    )
    return Finding("reverse name", False, said)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _confirmed(address: str, names: NameServers) -> bool:
    """Whether one of the names that an address bears leads back to it."""
    here = ip_address(address)
    return any(
        here in map(ip_address, names.addresses(name)) for name in names.names(address)
    )


def _record(name: str, text: str) -> str:
    """A line for the file of a domain, in strings that are short enough."""
    pieces = (text[at : at + _STRING] for at in range(0, len(text), _STRING))
    quoted = " ".join(f'"{piece}"' for piece in pieces)
    return f"{name}. IN TXT {quoted}"
