"""A game as people see it, for pages and mails alike: every fact of it in words."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from engine import views
from engine.board import Card, Seat
from engine.commands import Ballot, Placement
from engine.editions.base import Edition
from engine.events import Record
from engine.state import Kind
from engine.views import DecisionView, View
from service.present import castle, labels, narration, nouns, scores, terms, times
from service.present.castle import FloorRow
from service.present.languages import gettext as _
from service.present.narration import Cast
from service.present.scores import RoundResult
from service.present.sentences import listed
from service.store.games import GameReadModel
from service.values.enums import EndReason


class SeatedPlayer(msgspec.Struct, frozen=True):
    """A seat at the table as everybody sees it; `bot` what plays it, or empty.

    `asked` is whoever the game waits for alone, `crown` who nominated last, `laid` who
    has laid a card by the latest reminder, `spare` the spare time left, in words.
    `away` are days on which they are away, for whoever sits at the table;
    `without_mail` tells that they want no mails of the game.
    """

    name: str
    bot: str
    total: int
    asked: bool
    crown: bool
    wins: bool
    me: bool
    laid: bool
    spare: str = ""
    away: tuple[str, ...] = ()
    without_mail: bool = False


class RankedSeat(msgspec.Struct, frozen=True):
    """A seat at the end; who is level shares a rank."""

    rank: int
    player: SeatedPlayer


class LaidCard(msgspec.Struct, frozen=True):
    """A card turned over, and whose it was."""

    name: str
    card: Card
    word: str


class OpenVote(msgspec.Struct, frozen=True):
    """An election whose cards still lie on the table."""

    nominee: str
    verdict: str
    cards: tuple[LaidCard, ...]


class Offers(msgspec.Struct, frozen=True):
    """What the open question allows anybody, whatever a hand holds.

    Lists in the reader's language, empty where nothing of the kind is asked; `stuck`
    says who can't move, and why.
    """

    characters: str
    floors: tuple[str, ...]
    movable: str
    stuck: str
    cards: tuple[str, ...]


class Question(msgspec.Struct, frozen=True):
    """The open question; `sentence` says to everybody what the game waits for.

    `laid` names who has laid a card by the latest reminder, empty before the first;
    `way_out` is where a move leads that goes to no higher floor; `note` says what the
    nominee would do to the scores, empty where there is nothing to say.
    """

    number: int
    kind: Kind
    sentence: str
    nominee: str
    laid: str
    way_out: str
    note: str
    offers: Offers


class StoppedClock(msgspec.Struct, frozen=True):
    """That the game is paused: by whom, as a list, and until when."""

    names: str
    until: datetime


class Presentation(msgspec.Struct, frozen=True, kw_only=True):
    """A started game as one viewer may see it.

    Names of people are isolated but in `players`, `votes` and `rounds`.
    """

    view: View
    cast: Cast
    players: tuple[SeatedPlayer, ...]
    in_last_round: bool
    question: Question | None
    opened_at: datetime | None
    deadline: datetime | None
    pause: StoppedClock | None
    votes: tuple[OpenVote, ...]
    rounds: tuple[RoundResult, ...]

    @property
    def law(self) -> Edition:
        """The rules that it is played by."""
        return self.cast.law

    @property
    def rows(self) -> tuple[FloorRow, ...]:
        """The castle from top to bottom."""
        return castle.rows(self.view)

    @property
    def finished(self) -> bool:
        """Whether it was played to its end."""
        return self.view.reason == EndReason.FINISHED

    @property
    def called_off(self) -> bool:
        """Whether it ended before its end."""
        return self.view.reason not in (None, EndReason.FINISHED)

    @property
    def standing(self) -> tuple[RankedSeat, ...]:
        """The winners first, then by points; the tie-break told the winners apart."""

        # The edition's tie-break has decided who wins, whatever their points.
        def score(player: SeatedPlayer) -> tuple[bool, int]:
            return player.wins, player.total

        ranked = sorted(self.players, key=score, reverse=True)
        return tuple(
            RankedSeat(1 + sum(score(other) > score(each) for other in ranked), each)
            for each in ranked
        )

    @property
    def outcome(self) -> str:
        """Who has won; empty before the end and after a game that was called off."""
        if not self.view.winners:
            return ""
        if len(self.view.winners) == 1:
            return _("%(names)s wins!", names=self.winners)
        return _("%(names)s share the victory!", names=self.winners)

    @property
    def winners(self) -> str:
        """The names of those who have won, as a list."""
        return self.cast.people(self.view.winners)

    @property
    def first(self) -> str:
        """Who began the round."""
        return self.cast.person(self.view.first)

    @property
    def crown(self) -> str:
        """Who nominated last; empty where nobody has, and when the game has ended."""
        if self.view.crown is None or self.view.reason is not None:
            return ""
        return self.cast.person(self.view.crown)

    @property
    def turn(self) -> str:
        """Who is asked alone; empty in an election and at the end."""
        asked = None if self.view.decision is None else self.view.decision.seat
        return "" if asked is None else self.cast.person(asked)

    def sentences(self, events: Iterable[Record]) -> tuple[str, ...]:
        """What happened, told to everybody, with the cards that lie open by name."""
        return narration.tell(events, self.cast)


def present(seen: GameReadModel, seat: int | None) -> Presentation:
    """A started game as a seat, or a spectator (None), may see it now."""
    view = view_of(seen, seat)
    names = [chair.name for chair in seen.seats]
    # A card stands by its name only while it lies open, whatever the record holds.
    cards = {each.election.decision: each.cards for each in view.showings}
    cast = Cast(names, view.law, cards)
    return Presentation(
        view=view,
        cast=cast,
        players=_with_absences(
            _with_spare_time(players(view, names, seat), seen), seen
        ),
        in_last_round=seen.game.in_last_round,
        question=_question(view, cast),
        opened_at=None if view.decision is None else seen.opened_at,
        deadline=None if view.decision is None else seen.deadline,
        pause=_pause(seen, cast),
        votes=_votes(view, names),
        rounds=scores.rounds(seen.game, view.rounds, names),
    )


def _pause(seen: GameReadModel, cast: Cast) -> StoppedClock | None:
    ends = {s.number: s.paused_until for s in seen.seats if s.paused_until is not None}
    if seen.paused_at is None or not ends:
        return None
    return StoppedClock(cast.people(map(Seat, ends)), max(ends.values()))


def view_of(seen: GameReadModel, seat: int | None) -> View:
    """What the engine shows of a started game to a seat, or a spectator (None), now."""
    laid = None if seen.laid is None else tuple(map(Seat, seen.laid))
    return views.view(seen.game, None if seat is None else Seat(seat), laid)


def players(
    view: View, names: Sequence[str], me: int | None = None
) -> tuple[SeatedPlayer, ...]:
    """Everybody at the table of a view, in seat order; before the start, too."""
    asked = None if view.decision is None else view.decision.seat
    totals = view.totals or (0,) * len(names)
    return tuple(
        SeatedPlayer(
            name=name,
            bot=view.seats[seat].bot or "",
            total=totals[seat],
            asked=seat == asked,
            crown=seat == view.crown,
            wins=seat in view.winners,
            me=seat == me,
            laid=view.laid is not None and seat in view.laid,
        )
        for seat, name in enumerate(names)
    )


def _with_spare_time(
    seated: Sequence[SeatedPlayer], seen: GameReadModel
) -> tuple[SeatedPlayer, ...]:
    """Players with the spare time that is left to each, where there is any at all."""
    options = seen.game.table
    if not (options.spare and seen.game.running):
        return tuple(seated)
    return tuple(
        player
        if player.bot
        else msgspec.structs.replace(
            player, spare=terms.spare_time(options, options.spare - row.spare_used)
        )
        for player, row in zip(seated, seen.seats, strict=True)
    )


def _with_absences(
    seated: Sequence[SeatedPlayer], seen: GameReadModel
) -> tuple[SeatedPlayer, ...]:
    """Players with the days on which each is away, and who of them gets no mails."""
    days: dict[int, list[str]] = {}
    for each in seen.absences:
        days.setdefault(each.seat, []).append(times.days(each.first, each.last))
    return tuple(
        msgspec.structs.replace(
            player,
            away=tuple(days.get(row.number, ())),
            without_mail=row.without_mail and seen.game.running,
        )
        for player, row in zip(seated, seen.seats, strict=True)
    )


def _question(view: View, cast: Cast) -> Question | None:
    asked = view.decision
    if asked is None:
        return None
    moves = asked.kind is Kind.MOVE
    return Question(
        number=asked.number,
        kind=asked.kind,
        sentence=_waiting(asked, cast),
        nominee=nouns.subject(asked.nominee) if asked.nominee else "",
        laid=cast.people(view.laid or ()),
        way_out=labels.way_out(cast.law, view.board) if moves else "",
        note=labels.turned_round(cast.law, asked.nominee or ""),
        offers=_offers(view, asked),
    )


def _waiting(asked: DecisionView, cast: Cast) -> str:
    name = "" if asked.seat is None else cast.person(asked.seat)
    match asked.kind:
        case Kind.PLACEMENT:
            return _("%(name)s places a character.", name=name)
        case Kind.MOVE:
            return _("%(name)s moves a character.", name=name)
        case Kind.ELECTION:
            return _(
                "Shall %(character)s be king? Everybody lays a card.",
                character=nouns.subject(asked.nominee or ""),
            )


def _offers(view: View, asked: DecisionView) -> Offers:
    placed = [each for each in asked.offers if isinstance(each, Placement)]
    cards = [each.card for each in asked.offers if isinstance(each, Ballot)]
    floors = dict.fromkeys(each.place for each in placed)
    moves = asked.kind is Kind.MOVE
    return Offers(
        characters=nouns.characters(dict.fromkeys(each.character for each in placed)),
        floors=tuple(
            nouns.place_name(view.law.place(floor), view.law.places) for floor in floors
        ),
        movable=listed(labels.movable(view)) if moves else "",
        stuck=labels.stuck(view) if moves else "",
        cards=tuple(map(nouns.card_name, cards)),
    )


def _votes(view: View, names: Sequence[str]) -> tuple[OpenVote, ...]:
    return tuple(
        OpenVote(
            nominee=nouns.subject(showing.election.nominee),
            verdict=showing.election.verdict.value,
            cards=laid_cards(names, showing.cards),
        )
        for showing in view.showings
    )


def laid_cards(names: Sequence[str], cards: Sequence[Card]) -> tuple[LaidCard, ...]:
    """The cards of an election in seat order, each with whose it was."""
    return tuple(
        LaidCard(name, card, nouns.card_name(card))
        for name, card in zip(names, cards, strict=True)
    )
