"""A bot that plays wherever its token sits: change `choose`, and it is yours.

    KINGUP_URL=http://127.0.0.1:8000 KINGUP_TOKEN=kup_... python bot.py

It needs Python 3.11 and nothing else. It keeps nothing, so kill it and start it again
whenever you like: what wasn't answered will be asked again, and an answer that was
given twice counts once.
"""

import http.client
import json
import logging
import os
import random
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

URL = os.environ.get("KINGUP_URL", "http://127.0.0.1:8000").rstrip("/")
TOKEN = os.environ.get("KINGUP_TOKEN", "")

PATIENCE = 90
"""Seconds without a word after which a connection counts as dead."""

LONGEST_PAUSE = 120
"""Twice the seconds between two tries at most, unless the service asks for more."""

ENOUGH = 3
"""The lead with which we let a round end."""

BROKEN = (OSError, http.client.HTTPException, ValueError)
"""What comes of an answer that doesn't, or breaks off."""

NOTHING: Mapping[str, str] = {}

Json = dict[str, Any]


def choose(view: Json) -> Json:
    """The answer we like best, of those that are legal now."""
    best = max(view["legal"], key=lambda offer: liking(view, offer))
    answer: Json = best["answer"]
    return answer


def liking(view: Json, offer: Json) -> float:
    """How much we like an offer: among several only more or less matters."""
    answer, mine = offer["answer"], view["own"]["favourites"]
    if answer["kind"] == "election":
        # Against every king who leaves us too little; to a favourite rather kindly.
        king = view["decision"]["nominee"]
        gain = lead(view, king) - ENOUGH
        kindly = answer["card"] == "stomachache" and king in mine
        return gain if answer["card"] == "yes" else kindly - gain
    who, value = answer["character"], {p["key"]: p["value"] for p in view["places"]}
    if answer["kind"] == "placement":
        # Our favourites high, the others low.
        height: int = value[answer["place"]]
        return height if who in mine else 3.5 - height
    if offer["nominates"]:
        return 100 * (lead(view, who) - ENOUGH)
    # Favourites first, but none so high that the next move would put it up for king.
    height = heights(view)[who]
    return 10 - height if who in mine and height < 4 else -height


def lead(view: Json, king: str) -> float:
    """The points before an average player if the round ended with this king."""
    height = {**heights(view), king: 10}
    ours = sum(height[who] for who in view["own"]["favourites"])
    # Everybody has six favourites, and the Jester is nobody's.
    average = 6 * sum(height[who] for who in height if who != "J") / 13
    # Crowned he turns all scores round.
    return average - ours if king == "J" else ours - average


def heights(view: Json) -> dict[str, int]:
    """What everybody in the castle is worth where they stand."""
    return {who: p["value"] for p in view["places"] for who in p["characters"]}


def play() -> None:
    """Answer every question that is put to us, for ever."""
    mark = ""
    while True:
        found = call("GET", f"{URL}/v1/me/turns?wait=60&view=true", mark=mark)
        mark = found.mark
        for turn in found.body.get("turns", ()):
            give(turn["answer_url"], choose(turn["view"]))


def give(url: str, answer: Json) -> None:
    """Answer one question, and log it; one that was closed meanwhile is let go."""
    try:
        call("PUT", url, answer)
        logging.info("%s %s", url, json.dumps(answer))
    except Refused as refusal:
        logging.warning("%s %s refused: %s", url, json.dumps(answer), refusal)
        time.sleep(1)


class Refused(Exception):
    """The service says no to this answer, and would say so again."""


class Reply(NamedTuple):
    """What the service answers, with its mark; an empty body if we have it already."""

    body: Json
    mark: str


def call(method: str, url: str, body: Json | None = None, mark: str = "") -> Reply:
    """What the service answers: asked again, more and more slowly, until it does.

    With the `mark` of an answer that we have, only another one is told. Raises Refused
    for an answer against the rules (409), and ends the program for what no repetition
    helps against: a bad token, or a mistake of ours.
    """
    tries = 0
    while True:
        try:
            with opened(method, url, body, {"If-None-Match": mark}) as reply:
                return Reply(json.load(reply), reply.headers.get("ETag", ""))
        except urllib.error.HTTPError as error:
            if error.code == http.HTTPStatus.NOT_MODIFIED:
                return Reply({}, mark)
            pause = judged(error, tries)
        except BROKEN as error:
            # Nobody answered, or not to the end: whether it counted, only asking tells.
            logging.warning("%s: %s", url, error)
            pause = backoff(tries)
        time.sleep(pause)
        tries += 1


def opened(
    method: str, url: str, body: Json | None = None, said: Mapping[str, str] = NOTHING
) -> http.client.HTTPResponse:
    """The response to a request, still to be read; empty headers aren't sent."""
    headers = {name: value for name, value in said.items() if value}
    headers["Authorization"] = f"Bearer {TOKEN}"
    data = None
    if body is not None:
        data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    request = urllib.request.Request(url, data, headers, method=method)
    response: http.client.HTTPResponse = urllib.request.urlopen(request, None, PATIENCE)
    return response


def judged(error: urllib.error.HTTPError, tries: int) -> float:
    """Seconds to wait before the same again, where that may help."""
    told = error.reason
    # Whatever stands between us and the service answers in its own way.
    with error, suppress(*BROKEN, LookupError, TypeError):
        problem = json.load(error)
        told = f"{problem['code']}: {problem['detail']}"
    if error.code == http.HTTPStatus.CONFLICT:
        raise Refused(told)
    if error.code < 500 and error.code != http.HTTPStatus.TOO_MANY_REQUESTS:
        sys.exit(f"{error.url}: {error.code} {told}")
    logging.warning("%s: %s %s", error.url, error.code, told)
    asked_for = error.headers.get("Retry-After", "")
    return float(asked_for) if asked_for.isdecimal() else backoff(tries)


def backoff(tries: int) -> float:
    """Seconds to wait: twice as long each time, and never in step with other bots."""
    longest: int = min(LONGEST_PAUSE, 2 ** min(tries, 10))
    return longest * random.uniform(0.25, 0.5)


def begin() -> None:
    """Say what happens, in one line each; without a token there is no beginning."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    if not TOKEN:
        sys.exit("Put your token into KINGUP_TOKEN.")


if __name__ == "__main__":
    begin()
    with suppress(KeyboardInterrupt):
        play()
