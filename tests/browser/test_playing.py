"""Games in a browser: against bots at once, and by the mails of a real host."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser import looks

pytestmark = pytest.mark.browser

PATIENCE = 60.0

OpenPage = Callable[..., Page]


def final(page: Page) -> bool:
    return (
        page.get_by_role("heading", name="wins!")
        .or_(page.get_by_role("heading", name="share the victory!"))
        .is_visible()
    )


def test_play_now_leads_to_the_final_scores_without_any_script(
    open_page: OpenPage, shots: Path
) -> None:
    page = open_page("phone", script=False)
    page.goto("/")
    check_sizes(page, shots, "home")
    page.get_by_role("button", name="Play now with the Jester").click()
    kinds: set[str] = set()

    patience = time.monotonic() + PATIENCE
    while not final(page):
        assert time.monotonic() < patience, page.inner_text("main")
        form = page.locator("form.decide")
        if form.count():
            check_sizes(page, shots, f"game-{len(kinds)}")
            kinds.add(looks.decide(form))
            # Games are as long as they are: the bots have as long for each answer.
            patience = time.monotonic() + PATIENCE
        else:
            page.wait_for_timeout(300)

    check_sizes(page, shots, "final")
    assert kinds == {"move", "election"}
    assert page.locator(".results tbody tr").count() == 4
    assert page.get_by_role("button", name="Play again").is_visible()


def check_sizes(page: Page, shots: Path, name: str) -> None:
    """It looks well on a telephone and on a desk."""
    for size, (width, height) in looks.SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        looks.check(page, shots, f"{name}-{size}")


def test_a_host_and_three_bots_play_by_mail_to_the_end(
    open_page: OpenPage, shots: Path
) -> None:
    page = open_page("phone", script=False)
    page.goto("/")
    page.get_by_role("link", name="New game with friends").click()
    fill_in(page)
    looks.check(page, shots, "new")
    page.get_by_role("button", name="Mail me the link").click()
    assert page.get_by_role("heading", name="We mailed you").is_visible()
    confirm(page, shots)
    kinds: list[str] = []

    patience = time.monotonic() + PATIENCE
    while not final(page):
        assert time.monotonic() < patience, page.inner_text("main")
        while page.locator("form.decide").count():
            looks.check(page, shots, f"opened-{len(set(kinds))}")
            kinds.append(looks.decide(page.locator("form.decide")))
            patience = time.monotonic() + PATIENCE
        if final(page) or not next_mail(page):
            continue
        button = page.get_by_role("button", name="Open my cards")
        if button.is_visible():
            looks.check(page, shots, f"decision-{len(set(kinds))}")
            button.click()

    looks.check(page, shots, "final")
    assert {"move", "election"} <= set(kinds)


def fill_in(page: Page) -> None:
    page.get_by_label("Your name").fill("Rachel")
    page.get_by_label("Your e-mail address").fill("rachel@example.org")
    page.get_by_label("Bots at the table").select_option("3")
    page.get_by_text("More: rounds").click()
    page.get_by_label("Rounds").select_option("1")
    page.get_by_label("Filling the castle").select_option("random")


def confirm(page: Page, shots: Path) -> None:
    wait_for_mail(page)
    looks.check(page, shots, "mailbox")
    page.locator(".unread a").first.click()
    looks.check(page, shots, "mail")
    follow(page)
    looks.check(page, shots, "table")
    page.get_by_label("Begin the game").check()
    page.get_by_role("button", name="Begin the game").click()


def wait_for_mail(page: Page) -> None:
    patience = time.monotonic() + PATIENCE
    while not next_unread(page):
        assert time.monotonic() < patience, "no mail comes"


def next_unread(page: Page) -> bool:
    page.goto("/mailbox")
    if page.locator(".unread a").count():
        return True
    page.wait_for_timeout(300)
    return False


def next_mail(page: Page) -> bool:
    """Open the oldest unread mail and its one link; False when there is none yet."""
    if not next_unread(page):
        return False
    page.locator(".unread a").last.click()
    follow(page)
    return True


def follow(page: Page) -> None:
    """Click the one link of the mail, in its frame, as a person does."""
    frame = page.frame_locator("iframe")
    link = frame.locator("a[href*='/d/'], a[href*='/t/'], a[href*='/i/']").first
    with page.expect_navigation():
        link.click()
