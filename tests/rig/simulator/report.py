"""The figures of simulated games: days, and mails for each person, by their tables."""

import statistics
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Final

from tests.rig.simulator.invariants import EXPIRED, Outcome
from tests.rig.simulator.plans import Means

_KINDS: Final = ("asks", "reminders", "results", "other")
_USUAL: Final = ("day", "daily")


def lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """What the games came to, a line for each kind of table."""
    yield f"{len(outcomes)} games, {sum(each.decisions for each in outcomes)} decisions"
    expired = sum(each.reason == EXPIRED for each in outcomes)
    yield f"{expired} tables never filled up, since somebody was too late"
    outcomes = [each for each in outcomes if each.reason != EXPIRED]
    called_off = sum(each.reason == "cancelled" for each in outcomes)
    yield f"{called_off} of them called off after 60 days without an answer"
    ahead = [each for each in outcomes if each.plan.ahead]
    yield from _ahead(outcomes, ahead)
    outcomes = [each for each in outcomes if not each.plan.ahead]
    waited = sorted(hours for each in outcomes for hours in each.waited)
    if waited:
        slow = sum(hours > 24 for hours in waited) / len(waited)
        yield (
            f"people answered after {statistics.median(waited):.1f} hours (median),"
            f" {slow:.0%} after more than a day"
        )
    usual = [each for each in outcomes if each.plan.pace in _USUAL]
    yield "at the pace of a day, by edition, seats, rounds:"
    yield from _table(usual, lambda o: (o.plan.edition, o.plan.seats, o.plan.rounds))
    yield "by pace:"
    yield from _table(outcomes, lambda o: (o.plan.pace, f"{o.plan.rounds} rounds"))
    yield "by how many seats a bot came to keep, at the pace of a day:"
    yield from _table(usual, lambda o: (f"{o.plan.rounds} rounds", o.kept))


def _ahead(outcomes: Sequence[Outcome], ahead: Sequence[Outcome]) -> Iterator[str]:
    """The same tables, before and after everybody answers ahead."""
    numbers = {each.plan.number for each in ahead}
    before = [
        each
        for each in outcomes
        if each.plan.number in numbers
        and each.plan.means is Means.HANDLERS
        and not each.plan.ahead
    ]
    if before:
        yield "the same tables before and after everybody answers ahead:"
        yield f"  {'before':24} {_figures(before)}"
        yield f"  {'after':24} {_figures(ahead)}"


def _table(
    outcomes: Iterable[Outcome], key: Callable[[Outcome], tuple[Hashable, ...]]
) -> Iterator[str]:
    groups: dict[tuple[Hashable, ...], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    for name, group in sorted(groups.items(), key=lambda each: repr(each[0])):
        yield f"  {' '.join(map(str, name)):24} {_figures(group)}"


def _figures(group: Sequence[Outcome]) -> str:
    days = [each.days for each in group]
    low, middle, high = quartiles(days)
    mails = ", ".join(
        f"{statistics.median(_each(group, kind)):.1f} {kind}" for kind in _KINDS
    )
    waits = statistics.median(each.waits for each in group)
    return (
        f"{len(group):4} games, {middle:5.1f} days ({low:.1f} to {high:.1f}, at most"
        f" {max(days):.1f}), {waits:.0f} waits; mails a person: {mails};"
        f" {statistics.median(_folded(group)):.1f} folded into asks"
    )


def _folded(group: Sequence[Outcome]) -> list[float]:
    return [each.folded / each.plan.people for each in group]


def mails_a_person(outcomes: Iterable[Outcome]) -> float:
    """How many mails each has of a median game of four at the pace of a day, classic.

    As people answer who don't answer ahead.
    """
    return statistics.median(
        sum(each.mails.values()) / each.plan.people
        for each in outcomes
        if (each.plan.edition, each.plan.seats) == ("classic", 4)
        and each.plan.pace in _USUAL
        and each.reason != EXPIRED
        and not each.plan.ahead
    )


def _each(group: Sequence[Outcome], kind: str) -> list[float]:
    return [each.mails.get(kind, 0) / each.plan.people for each in group]


def quartiles(found: Sequence[float]) -> tuple[float, float, float]:
    """The lower quartile, the median and the upper quartile."""
    if len(found) == 1:
        return found[0], found[0], found[0]
    low, middle, high = statistics.quantiles(found, n=4, method="inclusive")
    return low, middle, high
