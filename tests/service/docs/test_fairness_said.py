"""Nothing that we say of fairness anywhere is more than the proof's page says."""

import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.rig.service.extracted import extracted
from tests.rig.service.manual import page, section

ROOT = Path(__file__).parents[3]

READ = (
    "*.md",
    "openapi.yaml",
    "docs/*.md",
    "engine/**/*.py",
    "service/**/*.py",
    "service/**/*.html",
    "service/**/*.po",
    "worker/**/*.py",
    "worker/**/*.html",
    "worker/**/*.txt",
    "examples/**/*",
)
"""Wherever somebody could read a word of ours."""

TOO_MUCH = (
    r"\b(nobody|no one|none) (can|could|may|will)( ever)? (choose|stack|rig|fix|know"
    r"|see|change|forge|rewrite|fake|influence|manipulate|look|read|cheat)\b",
    r"\b(can|could|will)('t|not| never)( ever)? be (rigged|stacked|forged|faked"
    r"|manipulated|tampered|rewritten)",
    r"\b(provabl[ye]|proven|perfectly|guaranteed|absolutely|completely|truly)[ -]"
    r"(fair|random|secure|honest|secret)",
    r"\b(tamper|cheat|fool|forgery)[- ]?proof\b",
    r"\bproves? that (nobody|no one|the (game|deal|shuffle|deck) (is|was))\b",
    r"\b(guarantees?|ensures?|makes? sure) (that )?(nobody|a fair|fairness|the deal)",
    r"\b(impossible|no way) to (cheat|rig|stack|choose|know|rewrite)",
    r"\bonly you (can )?(see|know)\b",
    r"\bniemand (kann|könnte)\b[^.]{0,60}(karten|misch|fälsch|manipul|seh|wähl)",
    r"(fälschungs|manipulations|betrugs)sicher|garantiert (fair|ehrlich|zufällig)",
    r"\bpersonne ne (peut|pourrait)\b[^.]{0,60}(donne|carte|mélang|trich|fals|chois)",
    r"infalsifiable|garantie? (équitable|honnête)|impossible de tricher",
    r"\bnessuno (può|potrebbe)\b[^.]{0,60}(mazzo|carte|mescol|barare|falsif|sceg)",
    r"infalsificabil|garantit[oa] (equ|onest)|impossibile barare",
)
"""What no proof of ours bears out, in the four languages."""

ABOUT = re.compile(
    r"shuffl|\bdeck\b|\bseed\b|\bseal|stamp|fair|receipt|\bdeal(t|s)?\b|stack|rewrit"
    r"|cheat|kingup verify",
    re.IGNORECASE,
)
"""Words by which a sentence for players is about fairness."""

WHO = "Who could choose the deal"
STEPS = "Step by step"
RECEIPT = "What only a receipt shows"
SAID: Mapping[str, str] = {
    "A word for the shuffle": STEPS,
    "Fairness stamp: %(head)s": STEPS,
    "Receipt": RECEIPT,
    "Keep this line: it binds us to the card you laid. When the game is over, kingup"
    " verify --receipt compares it with the record.": RECEIPT,
    "The cards are dealt; %(name)s begins.": STEPS,
    "The seed of the shuffle is fixed already; the words that people may type when"
    " they join go into the shuffle too. Keep this mail: with it you can check later"
    " that the seed has stayed the same. Its seal:": STEPS,
    "Whatever you like, or nothing. It goes into the shuffle: until you have sent it,"
    " only somebody who guesses it can know the deal. Take no secret: its hash is"
    " published, and common words can be found from that.": WHO,
    "Your six favourites are dealt. Your page shows them to you, and to nobody else at"
    " the table.": "What it proves, and what it doesn't",
}
"""All that pages and mails say of fairness, with the section that bears it out."""


def test_each_sentence_for_players_is_borne_out_by_a_section() -> None:
    about = {message for message in extracted() if ABOUT.search(message)}

    assert about == set(SAID)
    assert all(section(page("fairness.md"), title) for title in SAID.values())


@functools.cache
def texts() -> tuple[tuple[str, str], ...]:
    """Every file that is read, as one line, its broken strings put together."""
    return tuple(_texts())


def _texts() -> Iterator[tuple[str, str]]:
    for path in sorted({path for each in READ for path in ROOT.glob(each)}):
        if path.is_file() and "__pycache__" not in path.parts:
            whole = re.sub(r"\s+", " ", path.read_text(encoding="utf-8"))
            yield str(path.relative_to(ROOT)), re.sub(r'" f?"', "", whole)


@pytest.mark.parametrize("claim", TOO_MUCH)
def test_nothing_is_claimed_that_no_proof_bears_out(claim: str) -> None:
    claims = re.compile(claim, re.IGNORECASE)

    assert len(texts()) > 200
    assert [
        (name, found[0]) for name, text in texts() for found in claims.finditer(text)
    ] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "The deck is bound already, so that nobody can choose the deal.",
        "Every word stirs the cards, so nobody can stack them.",
        "Kingup is provably fair.",
        "The record can't be rewritten.",
        "This proves that the deal was fair.",
        "Only you can see them, on your page.",
        "Niemand kann die Karten stapeln, das Mischen ist manipulationssicher.",
        "Personne ne peut choisir la donne.",
        "Nessuno può scegliere le carte.",
    ],
)
def test_a_sentence_that_says_too_much_is_known_for_one(sentence: str) -> None:
    assert any(re.search(claim, sentence, re.IGNORECASE) for claim in TOO_MUCH)


def test_the_proofs_page_names_what_a_deal_could_be_chosen_by() -> None:
    said = section(page("fairness.md"), WHO)

    for named in ("seeds", "pace", "bots", "Who sits where", "small set", "words"):
        assert named in said
