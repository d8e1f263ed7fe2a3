"""A bot that follows one game as it happens, and plays its token's seat there.

    KINGUP_URL=http://127.0.0.1:8000 KINGUP_TOKEN=kup_... python stream_bot.py GAME

It chooses as `bot.py` does, which has to lie beside it; else it needs Python 3.11 and
nothing more. It ends with the game. Kill it and start it again whenever you like.
"""

import http
import json
import logging
import sys
import time
import urllib.error
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

import bot
from bot import Json


class Message(NamedTuple):
    """A message of a stream: its event, its id (empty where it has none), its data."""

    event: str
    id: str
    data: Json


def follow(game: str) -> None:
    """Play a game to its end, however often the stream breaks."""
    url = f"{bot.URL}/v1/games/{game}"
    last, tries = "", 0
    while True:
        try:
            with bot.opened(
                "GET", f"{url}/stream", said={"Last-Event-ID": last}
            ) as stream:
                if stream.status == http.HTTPStatus.NO_CONTENT:
                    # It was over when we came back, and we have heard all of it.
                    return
                for message in messages(stream):
                    # After a reset nothing counts that we heard before.
                    last = "" if message.event == "reset" else message.id or last
                    tries = 0
                    if heard(message, url):
                        return
            pause = bot.backoff(tries)
        except urllib.error.HTTPError as error:
            pause = bot.judged(error, tries)
        except bot.BROKEN as error:
            logging.warning("%s: %s", url, error)
            pause = bot.backoff(tries)
        tries += 1
        time.sleep(pause)


def heard(message: Message, url: str) -> bool:
    """Do what a message asks for; whether the game is over."""
    data = message.data
    if message.event == "entry":
        logging.info("%s %s", data["revision"], data["event"]["type"])
    if message.event == "reset":
        logging.warning("from the beginning: %s", data["reason"])
    # Messages of a kind that we don't know are for other clients.
    if message.event != "view":
        return False
    if data["legal"]:
        number = data["decision"]["number"]
        bot.give(f"{url}/decisions/{number}/answer", bot.choose(data))
    if data["status"] != "over":
        return False
    logging.info("over: %s, points %s", outcome(data), data["totals"])
    return True


def outcome(view: Json) -> str:
    """Who has won a game that is over, in words, and whether it was us."""
    names = [view["seats"][seat]["name"] for seat in view["winners"]]
    if not names:
        return "nobody won"
    if view["seat"] is None:
        ours = ""
    elif view["seat"] in view["winners"]:
        ours = ", that's us"
    else:
        ours = ", not us"
    return f"won by {' and '.join(names)}{ours}"


def messages(lines: Iterable[bytes]) -> Iterator[Message]:
    """The messages of a stream; one that is cut off before its blank line is none."""
    fields: dict[str, str] = {}
    for line in lines:
        text = line.decode().rstrip("\r\n")
        name, _, value = text.partition(":")
        if text:
            # What begins with a colon is but a heartbeat: it has no name.
            fields[name] = value.removeprefix(" ")
            continue
        if "data" in fields:
            event, number = fields.get("event", ""), fields.get("id", "")
            yield Message(event, number, json.loads(fields["data"]))
        fields = {}


if __name__ == "__main__":
    bot.begin()
    if len(sys.argv) != 2:
        sys.exit("Which game? python stream_bot.py GAME")
    with suppress(KeyboardInterrupt):
        follow(sys.argv[1])
