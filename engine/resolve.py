"""The turning points: an election turned over, a round scored, a round begun."""

from engine import fairness, scoring
from engine.board import PLACEMENT_FLOORS, SERVANTS, Card, Seat, Verdict
from engine.commands import History, PlacementOption, Sealed
from engine.errors import ElectionNotComplete
from engine.events import (
    ElectionOpened,
    ElectionResolved,
    GameOver,
    LogEvent,
    RoundScored,
    RoundStarted,
)
from engine.evolve import evolve
from engine.state import Game


def round_start(game: Game, number: int, first: Seat, sealed: Sealed) -> RoundStarted:
    """A round's beginning, with what is placed by lot if the host chose that."""
    if game.table.placement is not PlacementOption.RANDOM:
        return RoundStarted(round=number, first=first, placed=())
    law = game.law
    stream = fairness.DrawStream(sealed.key, f"place/{number}")
    board = law.opening_board()
    letters = stream.shuffled([c for c in law.characters if c not in board.at])
    quota = sum(game.quotas)
    placed = []
    for character in letters[:quota]:
        full = law.full(board)
        free = [floor for floor in PLACEMENT_FLOORS if floor not in full]
        # Drawn where a single floor is left, too: each draw takes a number, and whoever
        # verifies has to come to the same ones.
        floor = free[stream.below(len(free))]
        board = board.put(character, floor)
        placed.append((character, floor))
    placed += [(character, SERVANTS) for character in letters[quota:]]
    placed += list(law.opening_board().at.items())
    return RoundStarted(round=number, first=first, placed=tuple(placed))


# It stands below `decide`, in a file of its own: two commands lead here, and what
# ends an election may end its round and the game at once.
def resolve(game: Game, sealed: Sealed) -> tuple[LogEvent, ...]:
    """The end of the open election, and of the round or game when it is a coronation.

    Raises ElectionNotComplete while a card is missing.
    """
    decision = game.decision
    if decision is None or decision.nominee is None or decision.mover is None:
        raise ElectionNotComplete(game.last_decision)
    # Not even where a No is in for sure: what each seat spends matters, and an early
    # end would tell that one has been laid (RULES §3.1).
    if not game.election_complete:
        raise ElectionNotComplete(decision.number)
    cards = tuple(card for card in game.ballots if card is not None)
    verdict = game.law.verdict(cards)
    opened = _opened(game, sealed, decision.number, cards)
    openly = game.table.ballot_history is History.OPEN
    crowned = verdict is Verdict.CROWNED
    resolved = ElectionResolved(
        decision=decision.number,
        nominee=decision.nominee,
        mover=decision.mover,
        ballots=tuple(
            fairness.ballot(
                game.id, sealed.key, decision.number, Seat(seat), card
            ).hex()
            for seat, card in enumerate(cards)
        ),
        verdict=verdict,
        to=game.law.aftermath(game.board, decision.nominee, verdict),
        next=None if crowned else game.left_of(decision.mover),
        # The record is for ever, and at a table cards lie open until the next reveal
        # alone: by name they stand in it from the end of the round on.
        cards=opened.cards if openly else None,
        salts=opened.salts if openly else None,
    )
    if not crowned:
        return (resolved,)
    return (resolved, *_end_round(evolve(game, resolved), sealed))


def _opened(
    game: Game, sealed: Sealed, number: int, cards: tuple[Card, ...]
) -> ElectionOpened:
    salts = tuple(
        fairness.ballot_salt(sealed.key, number, Seat(seat)).hex()
        for seat in range(len(game.seats))
    )
    return ElectionOpened(decision=number, cards=cards, salts=salts)


def _end_round(game: Game, sealed: Sealed) -> tuple[LogEvent, ...]:
    """Score the round, then begin the next one or end the game."""
    seats = len(game.seats)
    points, bonus = scoring.points(game), scoring.bonus(game)
    gains = zip(game.totals, points, bonus, strict=True)
    totals = tuple(total + won + extra for total, won, extra in gains)
    salts = tuple(
        fairness.card_salt(sealed.key, (game.round - 1) * seats + seat).hex()
        for seat in range(seats)
    )
    scored = RoundScored(
        round=game.round,
        favourites=tuple(game.card_of(Seat(s), game.round) for s in range(seats)),
        salts=salts,
        points=points,
        bonus=bonus,
        totals=totals,
        elections=tuple(
            _opened(game, sealed, e.decision, e.cards) for e in game.elections
        ),
    )
    if game.in_last_round:
        won_by = scoring.winners(game, totals)
        seed = sealed.seed.hex()
        return (scored, GameOver(reason="finished", winners=won_by, seed_opened=seed))
    first = game.left_of(game.elections[-1].mover)
    return (scored, round_start(game, game.round + 1, first, sealed))
