"""What was bound and opened: seed, words, deck, deals and ballots."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine import fairness
from engine.board import THRONE, Card, Seat
from engine.commands import Sealed
from engine.deck import CARDS, CardNumber
from engine.events import (
    ElectionOpened,
    ElectionResolved,
    GameCreated,
    Moved,
    Placed,
    RoundScored,
    StartedRecord,
    TableClosed,
    TakenBack,
)
from engine.verify.evidence import Case
from engine.verify.report import Wrong

_HOST: Final = 0


def check_decisions(case: Case) -> tuple[int, int | None]:
    """Their number; they count without a gap. Raises Wrong.

    Beside it the event that contradicts itself, with which the count stops.
    """
    last, open_election = 0, None
    for number, event in enumerate(case.events, start=1):
        match event:
            case Placed(decision=found) | Moved(decision=found):
                last = _counted(number, last + 1, found)
                if isinstance(event, Moved):
                    if (event.to == THRONE) != (event.election is not None):
                        # Which of the two is wrong, the rules will say.
                        return last, number
                    if event.election is not None:
                        last = open_election = _counted(
                            number, last + 1, event.election
                        )
            case TakenBack(decision=found, reopened=reopened):
                if last == open_election == found + 1:
                    # That a nomination stays, the rules will say, too.
                    return last, number
                _counted(number, last, found)
                # Between the two stands the question that nobody answered.
                last = _counted(number, last + 2, reopened) - 1
            case ElectionResolved(decision=found):
                expected = last if open_election is None else open_election
                _counted(number, expected, found)
            case _:
                pass
    return last, None


def _counted(number: int, expected: int, found: int) -> int:
    if found != expected:
        raise Wrong(
            "wrong-decision",
            number,
            expected=expected,
            found=found,
            decision=expected,
        )
    return found


def check_seed(case: Case) -> None:
    """The opened seed is the one that event 1 binds. Raises Wrong."""
    created = case.only(GameCreated)
    if case.sealed is None or created is None:
        return
    found = fairness.seed_commitment(case.game, case.sealed.seed).hex()
    if found != created.seed:
        raise Wrong("wrong-seed", len(case.events), expected=created.seed, found=found)


def check_words(case: Case) -> int:
    """How many there are; the host's stayed, and bots have none. Raises Wrong."""
    created, closed = case.only(GameCreated), case.only(TableClosed)
    if created is None or closed is None:
        return int(created is not None and bool(created.word))
    for seat, (chair, word) in enumerate(zip(closed.seats, closed.words, strict=True)):
        if seat == _HOST and word != created.word:
            expected, found = created.word or None, word or None
            raise Wrong("wrong-word", 2, expected=expected, found=found, seat=seat)
        if chair.kind == "bot" and word:
            raise Wrong("bot-word", 2, expected=None, found=word, seat=seat)
    return sum(map(bool, closed.words))


def check_deck(case: Case) -> tuple[CardNumber, ...]:
    """The deck: as the key shuffles it, if that is open, and as it was bound.

    While it is sealed: the cards that were turned over, the others behind them in no
    order that means anything. Empty when there was no start. Raises Wrong.
    """
    started = case.only(StartedRecord)
    if started is None:
        return ()
    if case.sealed is None:
        return _known_deck(case)
    key = case.sealed.key
    deck = fairness.shuffled_deck(key)
    leaves = fairness.leaves(case.game, key, deck)
    pairs = list(zip(leaves, started.leaves, strict=True))
    wrong = [k for k, (expected, found) in enumerate(pairs) if expected != found]
    if wrong:
        # One leaf may be forged; when none fits, it is the key that is another one.
        code = "wrong-key" if len(wrong) == len(leaves) else "wrong-leaf"
        expected, found = pairs[wrong[0]]
        raise Wrong(code, 3, expected=f"{expected} ({wrong[0]})", found=found)
    return deck


def _known_deck(case: Case) -> tuple[CardNumber, ...]:
    """The cards dealt so far, as `check_deals` has seen them; then all others."""
    dealt = [
        card for _, event in case.numbered(RoundScored) for card in event.favourites
    ]
    return (*dealt, *(card for card in range(len(CARDS)) if card not in dealt))


def check_deals(case: Case) -> int:
    """How many favourites were turned over, each the one bound. Raises Wrong."""
    started, dealt = case.only(StartedRecord), set[CardNumber]()
    if started is None:
        return 0
    for number, event in case.numbered(RoundScored):
        for seat, (card, salt) in enumerate(
            zip(event.favourites, event.salts, strict=True)
        ):
            index = len(dealt)
            raw = bytes.fromhex(salt)
            found = fairness.leaf_of(case.game, index, card, raw).hex()
            if found != started.leaves[index]:
                expected = started.leaves[index]
                raise Wrong(
                    "wrong-favourites",
                    number,
                    expected=expected,
                    found=found,
                    seat=seat,
                )
            if card in dealt or card not in range(len(CARDS)):
                expected = "a card not dealt before"
                raise Wrong(
                    "dealt-twice", number, expected=expected, found=card, seat=seat
                )
            dealt.add(card)
    return len(dealt)


def check_ballots(case: Case) -> Mapping[int, tuple[Card, ...]]:
    """By decision the cards of every election that is open to us. Raises Wrong.

    Each opened card is the one its ballot binds. With the key open, every ballot binds
    one of the three cards, also where no card was turned over.
    """
    cards: dict[int, tuple[Card, ...]] = {}
    resolved: dict[int, ElectionResolved] = {}
    for number, event in enumerate(case.events, start=1):
        match event:
            case ElectionResolved(decision=decision):
                resolved[decision] = event
                if case.sealed is not None:
                    cards[decision] = tuple(_bound(case, case.sealed, number, event))
                if event.cards is not None and event.salts is not None:
                    opened = ElectionOpened(decision, event.cards, event.salts)
                    cards[decision] = _opened(case.game, number, event, opened)
            case RoundScored():
                _same(number, list(resolved), [o.decision for o in event.elections])
                for opened in event.elections:
                    bound = resolved[opened.decision]
                    cards[opened.decision] = _opened(case.game, number, bound, opened)
                resolved.clear()
            case _:
                pass
    return cards


def _bound(
    case: Case, sealed: Sealed, number: int, event: ElectionResolved
) -> Iterator[Card]:
    """The card that each ballot binds by the key."""
    for seat, ballot in enumerate(event.ballots):
        about = event.decision, Seat(seat), ballot
        card = fairness.card_bound(case.game, sealed.key, *about)
        if card is None:
            raise Wrong(
                "wrong-ballot",
                number,
                expected="a card bound by the key",
                found=ballot,
                decision=event.decision,
                seat=seat,
            )
        yield card


def _opened(
    game: str, number: int, event: ElectionResolved, opened: ElectionOpened
) -> tuple[Card, ...]:
    """The opened cards, when they are those that the ballots bind."""
    for seat, ballot in enumerate(event.ballots):
        card, salt = opened.cards[seat], bytes.fromhex(opened.salts[seat])
        parts = opened.decision, Seat(seat), card, salt
        found = fairness.ballot_of(game, *parts).hex()
        if found != ballot:
            raise Wrong(
                "wrong-ballot",
                number,
                expected=ballot,
                found=f"{found} ({card.value})",
                decision=opened.decision,
                seat=seat,
            )
    return opened.cards


def _same(number: int, expected: Sequence[int], found: Sequence[int]) -> None:
    if expected != found:
        elections = [
            "elections " + " ".join(map(str, each)) for each in (expected, found)
        ]
        raise Wrong("wrong-openings", number, expected=elections[0], found=elections[1])
