"""`kingup mail-check`: what a sender's domain lacks, without a name server asked."""

from collections.abc import Mapping, Sequence
from email.headerregistry import Address

import dkim
import msgspec
import pytest
from click.testing import CliRunner
from flask import Flask

from service import config
from service.config import Config
from service.values import addresses, dkim_keys, urls
from tests.rig import signing_keys
from tests.rig.service.environs import COMPLETE
from tests.rig.worker.mail_server import Sink
from worker.outgoing import mail_check, sender_checks
from worker.outgoing.name_servers import Unanswered
from worker.outgoing.sender_checks import Finding
from worker.outgoing.smtp import Fate

KEY = dkim_keys.read(signing_keys.GOOD)
OUR_KEY = f"v=DKIM1; k=rsa; p={KEY.public}"

GOOD: Mapping[str, Sequence[str]] = {
    "king.example": ("site=1", "v=spf1 include:mail.example ~all"),
    "kingup._domainkey.king.example": (OUR_KEY,),
    "_dmarc.king.example": ("v=DMARC1; p=none",),
}


class Names:
    """A world of name servers: texts by name, hosts and their addresses."""

    def __init__(
        self,
        texts: Mapping[str, Sequence[str]] = GOOD,
        hosts: Mapping[str, str] | None = None,
        reverse: Mapping[str, str] | None = None,
    ) -> None:
        self._texts = texts
        self._hosts = hosts or {"mail.example": "192.0.2.1"}
        self._reverse = {"192.0.2.1": "mail.example"} if reverse is None else reverse

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(self._texts.get(name, ()))

    def addresses(self, host: str) -> tuple[str, ...]:
        return (self._hosts[host],) if host in self._hosts else ()

    def names(self, address: str) -> tuple[str, ...]:
        return (self._reverse[address],) if address in self._reverse else ()


class Silent(Names):
    """Name servers that are away."""

    def texts(self, name: str) -> tuple[str, ...]:
        raise Unanswered(name)


def settings(**more: object) -> Config:
    plain = config.load(COMPLETE | {"MAIL_FROM": "King Up! <kingup@king.example>"})
    usual = {"mail_server": urls.smtp("smtp://mail.example"), "dkim_key": KEY}
    return msgspec.structs.replace(plain, **{**usual, **more})


def found(about: str, names: Names, **more: object) -> Finding:
    all_found = sender_checks.check(settings(**more), names)
    return next(each for each in all_found if each.about == about)


def without(name: str, *texts: str) -> Names:
    return Names({**GOOD, name: texts})


def test_where_nothing_is_missing_everything_is_good() -> None:
    findings = sender_checks.check(settings(), Names())

    assert [(each.about, each.good) for each in findings] == [
        ("SPF", True),
        ("DKIM", True),
        ("DMARC", True),
        ("alignment", True),
        ("reverse name", True),
    ]
    assert not [each for each in findings if each.paste]


@pytest.mark.parametrize(
    ("texts", "paste"),
    [
        ((), 'king.example. IN TXT "v=spf1 a:mail.example ~all"'),
        (("v=spf10 a ~all",), 'king.example. IN TXT "v=spf1 a:mail.example ~all"'),
        (("v=spf1 a +all",), 'king.example. IN TXT "v=spf1 a ~all"'),
        (("v=spf1 mx ?all",), 'king.example. IN TXT "v=spf1 mx ~all"'),
        (("v=spf1 a",), 'king.example. IN TXT "v=spf1 a ~all"'),
        (("v=spf1 a ~all", "v=spf1 mx -all"), None),
    ],
)
def test_a_domain_that_does_not_say_who_sends_for_it(
    texts: tuple[str, ...], paste: str | None
) -> None:
    finding = found("SPF", without("king.example", *texts))

    assert finding.good is False
    assert finding.paste == (() if paste is None else (paste,))


@pytest.mark.parametrize("ending", ["~all", "-all", "redirect=mail.example"])
def test_a_record_that_closes_is_good(ending: str) -> None:
    assert found("SPF", without("king.example", f"v=spf1 mx {ending}")).good


@pytest.mark.parametrize(
    "texts",
    [
        (),
        ("v=DKIM1; k=rsa; p=",),
        (OUR_KEY.replace("A", "B", 1),),
        (f"v=DKIM1; t=y; p={KEY.public}",),
        (OUR_KEY, OUR_KEY),
    ],
)
def test_a_key_that_nobody_finds_is_pasted_in_strings_short_enough(
    texts: tuple[str, ...],
) -> None:
    finding = found("DKIM", without("kingup._domainkey.king.example", *texts))

    assert finding.good is False
    (line,) = finding.paste
    name, _, quoted = line.partition(" IN TXT ")
    assert name == "kingup._domainkey.king.example."
    strings = quoted.strip('"').split('" "')
    assert "".join(strings) == OUR_KEY
    assert max(map(len, strings)) <= 255


def test_without_a_key_nobody_knows_who_signs() -> None:
    assert found("DKIM", Names(), dkim_key=None).good is None


@pytest.mark.parametrize(
    ("owner", "good"), [("king.example", True), ("example", False), ("other", False)]
)
def test_a_policy_is_the_domains_or_that_of_one_above(owner: str, good: bool) -> None:
    names = Names({f"_dmarc.{owner}": ("v=DMARC1; p=reject",)})
    sender = Address("", "kingup", "games.king.example")

    assert found("DMARC", names, mail_from=sender).good is good


def test_no_policy_is_pasted_and_two_are_none() -> None:
    none = found("DMARC", without("_dmarc.king.example"))
    two = found("DMARC", without("_dmarc.king.example", *["v=DMARC1; p=none"] * 2))

    assert none.paste == ('_dmarc.king.example. IN TXT "v=DMARC1; p=none"',)
    assert (none.good, two.good) == (False, False)


@pytest.mark.parametrize(
    ("returns", "key", "good"),
    [
        ("king.example", None, True),
        ("play.king.example", None, True),
        ("play.other.example", None, False),
        ("play.other.example", KEY, True),
    ],
)
def test_what_is_proved_of_the_return_path_must_be_about_the_sender(
    returns: str, key: dkim_keys.DkimKey | None, good: bool
) -> None:
    inbound = Address("", "game", returns)

    finding = found("alignment", Names(), inbound_address=inbound, dkim_key=key)

    assert finding.good is good


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a.example.org", "b.example.org", True),
        ("example.org", "a.example.org", True),
        ("one.co.uk", "two.co.uk", False),
        ("a.one.co.uk", "b.one.co.uk", True),
        ("example.org", "example.com", False),
        ("localhost", "localhost", True),
    ],
)
def test_two_domains_are_one_owners_below_what_anybody_may_own(
    one: str, other: str, same: bool
) -> None:
    assert sender_checks.is_aligned(one, other) is same


@pytest.mark.parametrize(
    ("names", "good"),
    [
        (Names(), True),
        (Names(reverse={}), False),
        (Names(reverse={"192.0.2.1": "pool-1.provider.example"}), False),
        (Names(hosts={"other.example": "192.0.2.1"}), False),
    ],
)
def test_the_address_that_mails_leave_by_has_a_name_that_leads_back(
    names: Names, good: bool
) -> None:
    assert found("reverse name", names).good is good


@pytest.mark.parametrize("server", ["smtp://localhost", "smtp://mailer:25", None])
def test_behind_a_server_of_this_machine_it_is_our_own_host(server: str | None) -> None:
    ours = None if server is None else urls.smtp(server)
    names = Names(hosts={"kingup.example": "192.0.2.1"}, reverse={})

    finding = found("reverse name", names, mail_server=ours)

    assert "should be kingup.example" in finding.said


def test_what_nobody_answers_is_not_missing() -> None:
    findings = sender_checks.check(settings(), Silent())

    unknown = {each.about for each in findings if each.good is None}
    assert unknown == {"SPF", "DKIM", "DMARC"}


def test_the_mail_is_sent_as_those_of_games_are(inside: Flask, sink: Sink) -> None:
    """Signed, and with a return path of the domain that theirs have."""
    inbound = Address("", "game", "play.king.example")
    server = config.of(inside).mail_server
    mine = settings(mail_server=server, inbound_address=inbound)

    outcome = mail_check.send(mine, addresses.parse("Rita@Example.org", "address"))

    assert outcome.fate is Fate.SENT
    (raw,) = sink.raw
    assert b"\r\nTo: Rita@example.org\r\n" in raw
    assert sink.return_paths == ["game@play.king.example"]
    assert dkim.verify(raw, dnsfunc=lambda name, timeout: OUR_KEY.encode())


@pytest.mark.parametrize("texts", [GOOD, {}])
def test_the_command_tells_all_and_fails_where_something_is_missing(
    inside: Flask,
    sink: Sink,
    monkeypatch: pytest.MonkeyPatch,
    texts: Mapping[str, Sequence[str]],
) -> None:
    server = config.of(inside).mail_server
    ours, here = "kingup.example", "192.0.2.1"
    names = Names(texts, {ours: here}, {here: ours})
    monkeypatch.setattr(config, "load_running", lambda: settings(mail_server=server))
    monkeypatch.setattr(mail_check, "Dns", lambda: names)

    ended = CliRunner().invoke(mail_check.mail_check, ["rita@example.org"])

    assert ended.exit_code == (0 if texts else 1)
    assert "127.0.0.1 took the mail." in ended.output
    assert ended.output.count("good") == (5 if texts else 2)
    assert ('_dmarc.king.example. IN TXT "v=DMARC1; p=none"' in ended.output) is (
        not texts
    )
    assert len(sink.raw) == 1


def test_what_is_no_address_is_sent_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "load_running", settings)

    ended = CliRunner().invoke(mail_check.mail_check, ["nobody"])

    assert (ended.exit_code, ended.output) == (
        1,
        "Error: That is no address: nobody.\n",
    )
