"""Rounds that shrewd plays in mind, counted."""

import pytest

from engine.bots.playout import Round


def counted(monkeypatch: pytest.MonkeyPatch, kind: type[Round]) -> list[Round]:
    """The rounds of this kind that are played from now on."""
    played: list[Round] = []
    play = Round.play

    def noted(going: Round) -> None:
        played.append(going)
        play(going)

    monkeypatch.setattr(kind, "play", noted)
    return played
