"""Rewritten games and true ones before the verifier, with what somebody kept."""

import itertools

from engine import fairness
from engine.board import Card
from engine.editions import EDITIONS
from engine.events import BallotCast
from engine.export import Export
from engine.verify import BallotReceipt, State, verify
from tests.rig.engine import forgeries, naive_verifier, random_games
from tests.rig.engine.exported import exported
from tests.rig.engine.forgeries import PLANS, End, Game
from tests.rig.engine.tables import Table, chance
from tests.rig.engine.verified import stamp

FIRST = 40_000


def whole_game(number: int) -> Table:
    """A game played to its end, with receipts."""
    tables = (random_games.game(at) for at in itertools.count(FIRST + 100 * number))
    return next(
        table
        for table in tables
        if table.game.reason == "finished" and forgeries.receipts(table)
    )


def stopped_game(number: int, end: End) -> Game:
    """A true game that runs or was called off, with receipts.

    Every other one has an election open in which somebody has laid a card.
    """
    for seed in itertools.count(FIRST + 100 * number):
        rng = chance(seed)
        law = rng.choice(list(EDITIONS.values()))
        table = random_games.begun(law, rng.choice(law.seats), rng)
        steps = rng.randrange(20, 120)
        while table.game.running and (
            steps > 0 or number % 2 and not _some_laid(table)
        ):
            random_games.step(table, rng)
            steps -= 1
        if table.game.running and forgeries.receipts(table):
            return forgeries.ended(table, end)
    raise LookupError(number)


def _some_laid(table: Table) -> bool:
    """Whether somebody's card lies in an election that waits for others."""
    return isinstance(table.log[-1], BallotCast) and not table.game.election_complete


def check_true(game: Game) -> None:
    """A true game isn't accused, whatever of it was kept."""
    export, kept = exported(game.table), [*forgeries.receipts(game.table)]

    report = verify(export, {"kept": stamp(export)}, receipts=kept)

    assert report.wrong is None
    assert all(_naive_has(export, receipt) in (True, False) for receipt in kept)
    if game.table.game.reason:
        plain = [_plain(receipt) for receipt in kept]
        assert naive_verifier.accepts(export.game, export.record, plain)


def check_forged(number: int) -> str:
    """A rewritten game is found by each receipt that is gone, and by a later head.

    The plan it was rewritten by, and the code of the first thing that receipts find.
    """
    true, plan = whole_game(number), PLANS[number % len(PLANS)]
    game = forgeries.forged(true, plan, chance(number))
    export, kept = exported(game.table), forgeries.receipts(true)
    gone = forgeries.gone(true, game)

    report = verify(export, receipts=[*kept])

    lines = report.lines[-len(kept) :]
    assert verify(export).wrong is None
    assert report.wrong is not None
    for (receipt, card), line in zip(kept.items(), lines, strict=True):
        assert line.state is _expected(game, export, receipt, card, receipt in gone)
        assert (_naive_has(export, receipt) is None) is (receipt in gone)
    if game.table.game.reason:
        plain = [_plain(receipt) for receipt in kept]
        assert naive_verifier.accepts(export.game, export.record)
        assert not naive_verifier.accepts(export.game, export.record, plain)
    _check_head(exported(true), export, number)
    return f"{plan.end}: {report.wrong.code}"


def _expected(
    game: Game, export: Export, receipt: BallotReceipt, card: Card, is_gone: bool
) -> State:
    """What has to be said of a receipt."""
    if is_gone:
        return State.WRONG
    if _naive_has(export, receipt):
        return State.OK
    if game.table.game.running:
        return State.SEALED
    return State.OK if card in game.table.game.hands[receipt.seat] else State.WRONG


def _plain(receipt: BallotReceipt) -> tuple[int, int, str]:
    return receipt.decision, receipt.seat, receipt.commitment


def _naive_has(export: Export, receipt: BallotReceipt) -> bool | None:
    """Whether the second verifier finds a ballot, or its open election; else None."""
    try:
        return naive_verifier.has_ballot(export.record, *_plain(receipt))
    except AssertionError:
        return None


def _check_head(true: Export, forged: Export, seed: int) -> None:
    """One head, of any event from the first that differs on, is enough."""
    pairs = itertools.zip_longest(true.record, forged.record)
    first = next(n for n, (one, other) in enumerate(pairs, start=1) if one != other)
    number = chance(seed).randrange(first, len(true.record) + 1)

    report = verify(forged, {"kept": stamp(true, number)})

    head = fairness.heads(true.game, true.record)[number].hex()[:32]
    assert report.wrong is not None
    assert report.wrong.code in ("mail-differs", "mail-ahead")
    assert report.wrong.event == number
    assert naive_verifier.has_head(true.game, true.record, number, head)
    assert not naive_verifier.has_head(true.game, forged.record, number, head)
