"""A browser that follows its own game, with the lines that the documentation prints."""

import json
import re
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.rig.parts import wait_until

pytestmark = pytest.mark.browser

DOCS = Path(__file__).parents[2] / "docs" / "api.md"
WATCH = """([game, token]) => {
    window.messages = [];
    window.opened = [];
    const Source = window.EventSource;
    window.EventSource = function (url) {
        const source = new Source(url);
        window.opened.push(source);
        return source;
    };
    follow(game, token, (kind, data) => window.messages.push([kind, data]));
}"""


def called(method: str, url: str, token: str | None = None, body: object = None) -> Any:
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def test_a_browser_follows_its_own_game_by_the_printed_lines(
    open_page: Callable[..., Page], origin: str
) -> None:
    game = called("POST", f"{origin}/v1/practice-games", body={})
    url = f"{origin}/v1/games/{game['game']}"
    page = open_page("phone")
    page.goto("/healthz")
    statuses: list[int] = []
    page.on("response", lambda answer: statuses.append(answer.status))
    page.add_script_tag(content=printed())
    page.evaluate(WATCH, [url, game["token"]])
    wait_until(lambda: kinds(page)[:1] == ["view"], "the first view")

    answer_once(url, game["token"])
    wait_until(lambda: "entry" in kinds(page), "an event")
    page.evaluate("window.opened.at(-1).onerror()")
    wait_until(lambda: page.evaluate("window.opened.length") == 2, "another ticket")
    answer_once(url, game["token"])

    seen = page.evaluate("window.messages[0][1].own.seat")
    assert seen == game["seat"]
    last = called("GET", f"{url}/view", game["token"])["revision"]
    wait_until(lambda: numbers(page)[-1] >= last, "the latest event")
    found = numbers(page)
    assert found == list(range(found[0], found[-1] + 1))
    assert "reset" not in kinds(page)
    # Two tickets and two streams, and nothing in between.
    assert sorted(statuses) == [200, 200, 201, 201]


def printed() -> str:
    [lines] = re.findall(r"^```js\n(.*?)^```$", DOCS.read_text(), flags=re.M | re.S)
    return str(lines)


def kinds(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.messages.map(([kind]) => kind)")
    return found


def numbers(page: Page) -> list[int]:
    """The numbers of all events that were told."""
    found: list[int] = page.evaluate(
        "window.messages.filter(([kind]) => kind === 'entry')"
        ".map(([, it]) => it.revision)"
    )
    return found


def answer_once(url: str, token: str) -> None:
    """Answer as soon as one is asked."""
    wait_until(lambda: called("GET", f"{url}/view", token)["legal"], "a question")
    view = called("GET", f"{url}/view", token)
    number = view["decision"]["number"]
    answer = view["legal"][0]["answer"]
    called("PUT", f"{url}/decisions/{number}/answer", token, answer)
