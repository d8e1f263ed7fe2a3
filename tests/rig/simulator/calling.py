"""People who act through the API, by a token of theirs, once their mails call them."""

import random
from typing import Any
from uuid import UUID

from flask import Flask

from service.auth import bearer
from service.store import tokens
from service.store.transactions import transaction
from service.values import entropy
from tests.rig.service import seated
from tests.rig.service.programs import Api
from tests.rig.simulator.browsing import ByPages
from tests.rig.simulator.mail_server import Delivery


class ByApi:
    """Joins by the page of the mail, and then asks the API what is to be answered."""

    def __init__(
        self,
        app: Flask,
        game_id: UUID,
        seat: int,
        pages: ByPages,
        chance: random.Random,
    ) -> None:
        self._api = Api(app)
        self._game_id = game_id
        self._seat = seat
        self._pages = pages
        self._chance = chance
        self._kept: str | None = None
        self._answered = ""

    @property
    def _token(self) -> str:
        if self._kept is None:
            with self._api.app.app_context(), transaction():
                person = seated.person_on(self._game_id, self._seat)
                issued = tokens.issue(person, "by api", scopes=bearer.SCOPES)
            self._kept = issued.token
        return self._kept

    def answer(self, letter: Delivery | None) -> bool:
        """Answer the first of one's turns."""
        if letter is not None and letter.is_before:
            return self._pages.answer(letter)
        turns = self._api.get("/v1/me/turns?view=true", self._token)
        assert turns.status_code == 200, turns.text
        for turn in turns.json["turns"]:
            path = turn["answer_url"].removeprefix("http://localhost")
            answer = self._choice(turn["view"]["legal"])
            self._answered = path
            done = self._api.call("PUT", path, self._token, json=answer)
            assert done.status_code in (200, 409), done.text
            return done.status_code == 200
        return False

    def _choice(self, legal: list[dict[str, Any]]) -> object:
        """A Yes mostly; else whatever the first of some whims is."""
        yes = [each for each in legal if each["answer"].get("card") == "yes"]
        if yes and self._chance.random() < 0.7:
            return yes[0]["answer"]
        return self._chance.choice(legal)["answer"]

    def hold_up(self, days: int) -> None:
        """Pause the game, and extend its question, where that may be."""
        game = f"/v1/games/{self._game_id}"
        paused = self._api.call(
            "PUT", f"{game}/pause", self._token, json={"days": days}
        )
        assert paused.status_code in (200, 409), paused.text
        view = self._api.get(f"{game}/view", self._token)
        if view.json["decision"] is not None:
            body = {"decision": view.json["decision"]["number"]}
            longer = self._api.call(
                "POST",
                f"{game}/extensions",
                self._token,
                json=body,
                headers={"Idempotency-Key": str(entropy.identifier())},
            )
            assert longer.status_code in (200, 201, 409), longer.text

    def take_back(self) -> None:
        """Take the latest answer back, where that may be."""
        if self._answered:
            path = self._answered.removesuffix("/answer") + "/taken-back"
            back = self._api.call("PUT", path, self._token)
            assert back.status_code in (200, 409), back.text

    def answer_ahead(self) -> None:
        """Only what is asked is answered."""

    def leave(self) -> None:
        """Leave the seat to a bot."""
        self._change("PUT")

    def come_back(self, letter: Delivery | None) -> bool:
        """Take the seat again; False in the round in which a bot took it."""
        return self._change("DELETE") < 300

    def _change(self, method: str) -> int:
        path = f"/v1/games/{self._game_id}/seats/{self._seat}/departure"
        answer = self._api.call(method, path, self._token)
        assert answer.status_code in (200, 204, 409), answer.text
        return answer.status_code
