"""By whom a request is counted, and what is given back of it once it is answered.

Whoever shows a proof that we signed is counted by it alone, before anything is read.
Another is counted by its network until it was found good; networks that have shown too
many bad ones are asked to wait, also before anything is read. See "Limits" in
docs/architecture.md.
"""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final

import msgspec
from flask import g, has_request_context

from service.rate_limits import limits
from service.rate_limits.limits import REFUSED, By, Limits, Party, Rule, Taken, Whose
from service.store import people
from service.values import entropy
from service.values.signed_tokens import Origin

_KEY: Final = "kingup_charge"
_BY: Final = Whose.NETWORK


class Credential(msgspec.Struct, frozen=True):
    """A secret that a request shows, whatever it is good for."""

    whose: Whose
    secret: str

    @property
    def party(self) -> Party:
        """Who is counted for it: its digest tells nobody what it is."""
        digest = hashlib.blake2b(self.secret.encode(), digest_size=16)
        return Party(self.whose, digest.hexdigest())


class RequestCharge:
    """What one request has counted for so far."""

    def __init__(self, counts: Limits, address: str | None) -> None:
        self._counts = counts
        self._address = address or ""
        self._shown: Credential | None = None
        self._unproved: Taken | None = None
        self._taken: list[Taken] = []
        self._quotas: list[Taken] = []
        self.refused = False

    @property
    def by_proof(self) -> bool:
        """Whether the request is counted by what it shows."""
        return self._shown is not None and self._unproved is None

    @property
    def _network(self) -> Party:
        return Party(Whose.NETWORK, limits.network(self._address))

    @property
    def _asker(self) -> Party:
        return self._network if self._shown is None else self._shown.party

    def show(self, shown: Credential) -> None:
        """Count by a proof from now on.

        Raises TooManyRequests for a network that has shown too many bad ones, unless
        we signed this one and haven't refused it since.
        """
        self._shown = shown
        signed = self._counts.signer.origin(shown.secret) is not None
        known = self._counts.refused if signed else self._counts.unsigned
        # What we signed is believed until it was refused here, anything else only once
        # it was found good. Counted before it is read: a crowd of made-up secrets costs
        # no statement.
        if (shown.party.key in known) is signed:
            self._unproved = self._take(REFUSED, self._network)

    def count(self, rule: Rule) -> None:
        """Count for a rule of what is asked. Raises TooManyRequests."""
        by_network = rule.by is By.NETWORK
        self._take(rule, self._network if by_network else self._asker)

    def reserve(self, rule: Rule, secrets: Iterable[str] = ()) -> Taken:
        """Count for a quota, until it is known whether something was made.

        `secrets` are the proofs by which a person may be known. Raises TooManyRequests.
        """
        party = self._asker if rule.by is By.ASKER else self._network
        if rule.by is By.PERSON:
            party = self._person(secrets) or party
        taken = self._take(rule, party)
        self._quotas.append(taken)
        return taken

    def _person(self, secrets: Iterable[str]) -> Party | None:
        """Whoever has proved a mailbox; None for anybody else."""
        origin = self._counts.signer.origin
        # What is signed for anybody is no person's with a mailbox: it needs no
        # statement.
        worth = [each for each in secrets if origin(each) is not Origin.ANYBODY]
        if not worth:
            return None
        person_id = people.proved_by([entropy.digest(each) for each in worth])
        if person_id is None:
            self.refused = True
            return None
        return Party(Whose.PERSON, str(person_id))

    def _take(self, rule: Rule, party: Party) -> Taken:
        taken = self._counts.take(rule, party)
        self._taken.append(taken)
        taken.check()
        return taken

    def settle(self, *, proved: bool, made: bool) -> None:
        """Give back what was reserved for nothing, and count a proof that was no good.

        `proved` tells that the request got where a bad proof doesn't get.
        """
        # Typing errors cost nothing. It is given back and not taken late, so that
        # simultaneous requests can't pass each other.
        if not made:
            self._give_back(self._quotas)
        if self._shown is None:
            return
        key, counts = self._shown.party.key, self._counts
        if self.refused:
            counts.unsigned.drop(key)
            if self._shown.whose is Whose.TOKEN:
                counts.refused.add(key)
            # It is no proof: it is told so, however often it was shown before.
            self._give_back([each for each in self._taken if each.whose is not _BY])
            if self._unproved is None:
                self._taken.append(counts.take(REFUSED, self._network))
        elif proved and self._unproved is not None:
            counts.refused.drop(key)
            counts.unsigned.add(key)
            self._give_back([self._unproved])

    def _give_back(self, several: list[Taken]) -> None:
        for taken in several:
            if not taken.over:
                taken.give_back()
                self._taken.remove(taken)

    def tightest(self) -> Taken | None:
        """Of all limits that the request counted for that with the least left."""
        return min(
            self._taken, key=lambda each: (not each.over, each.left), default=None
        )


def begin(address: str | None) -> RequestCharge | None:
    """Begin to count the request that is being answered; None where nothing limits."""
    counts = limits.current()
    if not counts.limiting:
        return None
    charge = RequestCharge(counts, address)
    setattr(g, _KEY, charge)
    return charge


def current() -> RequestCharge | None:
    """What the request that is being answered counts for; None where nothing limits."""
    found: RequestCharge | None = g.get(_KEY)
    return found


def refuse() -> None:
    """Note that what the request shows is no proof, or not any more."""
    charge = current() if has_request_context() else None
    if charge is not None:
        charge.refused = True


@contextmanager
def making(rule: Rule, secrets: Iterable[str] = ()) -> Iterator[None]:
    """Count for a quota what is made inside; nothing, if anything is raised.

    Raises TooManyRequests.
    """
    charge = current()
    taken = None if charge is None else charge.reserve(rule, secrets)
    try:
        yield
    except BaseException:
        if taken is not None:
            taken.give_back()
        raise


def is_believed(status: int) -> bool:
    """Whether an answer of such a status went to whoever was believed."""
    return status < HTTPStatus.BAD_REQUEST or status == HTTPStatus.CONFLICT
