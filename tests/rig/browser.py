"""A small browser: it fetches, keeps cookies, and sends the forms that a page shows."""

import http.client
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from http.cookies import SimpleCookie
from typing import NamedTuple
from urllib.parse import urlencode, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode


class Radio(NamedTuple):
    name: str
    value: str
    checked: bool


class Button(NamedTuple):
    name: str
    value: str
    label: str


class Form:
    """A form as a page shows it: what is filled in, and what can be chosen."""

    def __init__(self, action: str, method: str) -> None:
        self.action = action
        self.method = method.upper()
        self.fields: dict[str, str] = {}
        self.radios: list[Radio] = []
        self.buttons: list[Button] = []

    def choices(self) -> dict[str, list[str]]:
        """The values of the radio buttons and lists, by name, in the page's order."""
        found: dict[str, list[str]] = {}
        for radio in self.radios:
            found.setdefault(radio.name, []).append(radio.value)
        return found

    def sent(self, chosen: Mapping[str, str], button: Button | None) -> dict[str, str]:
        """What a browser would send of it."""
        checked = {r.name: r.value for r in self.radios if r.checked}
        pressed = {button.name: button.value} if button and button.name else {}
        return {**self.fields, **checked, **chosen, **pressed}


class _Reader:
    """What is written on a page, and the forms and links on it."""

    def __init__(self, text: str) -> None:
        page = LexborHTMLParser(text)
        self.words = "" if page.root is None else page.root.text(separator=" ")
        self.news = " ".join(part.text(separator=" ") for part in page.css("#news"))
        self.links = [_value(link, "href") for link in page.css("a[href]")]
        self.forms = [_form(form) for form in page.css("form")]


def _value(control: LexborNode, name: str) -> str:
    """An attribute of it, "" without one."""
    return control.attributes.get(name) or ""


def _form(node: LexborNode) -> Form:
    form = Form(_value(node, "action"), _value(node, "method") or "get")
    for control in node.css("input, select, textarea, button"):
        _CONTROLS[str(control.tag)](form, control)
    return form


def _take_input(form: Form, control: LexborNode) -> None:
    kind = _value(control, "type") or "text"
    name, filled_in = _value(control, "name"), _value(control, "value")
    checked = "checked" in control.attributes
    if kind == "radio":
        form.radios.append(Radio(name, filled_in, checked))
    elif kind == "submit":
        form.buttons.append(Button(name, filled_in, filled_in))
    elif kind != "checkbox" or checked:
        form.fields[name] = filled_in or ("on" if kind == "checkbox" else "")


def _take_list(form: Form, control: LexborNode) -> None:
    """The option that is chosen, else the first; without a value its words are it."""
    options = control.css("option")
    chosen = [option for option in options if "selected" in option.attributes]
    if not options:
        return
    taken = chosen[-1] if chosen else options[0]
    has_value = "value" in taken.attributes
    form.fields[_value(control, "name")] = (
        _value(taken, "value") if has_value else taken.text().strip()
    )


def _take_area(form: Form, control: LexborNode) -> None:
    form.fields[_value(control, "name")] = control.text()


def _take_button(form: Form, control: LexborNode) -> None:
    label = " ".join(control.text().split())
    form.buttons.append(
        Button(_value(control, "name"), _value(control, "value"), label)
    )


_CONTROLS: Mapping[str, Callable[[Form, LexborNode], None]] = {
    "input": _take_input,
    "select": _take_list,
    "textarea": _take_area,
    "button": _take_button,
}


class Page:
    """An answer, and the forms on it: read when they are asked for."""

    def __init__(self, url: str, status: int, headers: Mapping[str, str], body: bytes):
        self.url = url
        self.status = status
        self.headers = headers
        self.body = body

    @cached_property
    def _read(self) -> _Reader:
        is_html = "html" in self.headers.get("content-type", "")
        return _Reader(self.body.decode() if is_html else "")

    @property
    def forms(self) -> list[Form]:
        return self._read.forms

    @property
    def links(self) -> list[str]:
        return self._read.links

    @cached_property
    def text(self) -> str:
        return " ".join(self._read.words.split())

    @property
    def news(self) -> str:
        """What the page says is new; empty where it says nothing of the kind."""
        return " ".join(self._read.news.split())

    def form(self, label: str) -> Form | None:
        """The form with a button that says so."""
        for form in self.forms:
            if any(label in button.label for button in form.buttons):
                return form
        return None

    def the_form(self, label: str) -> Form:
        form = self.form(label)
        assert form is not None, (self.url, label, self.text)
        return form


class Browser:
    """Somebody's browser, with a jar of cookies of its own."""

    def __init__(self, agent: str = "Mozilla/5.0 (a person)") -> None:
        self.cookies: dict[str, str] = {}
        self._agent = agent

    def get(self, url: str) -> Page:
        return self.fetch("GET", url)

    def press(
        self,
        page: Page,
        form: Form,
        chosen: Mapping[str, str] | None = None,
        button: Button | None = None,
    ) -> Page:
        """Send a form of a page, by its first button if none is named."""
        pressed = button or (form.buttons[0] if form.buttons else None)
        fields = form.sent(chosen or {}, pressed)
        url = urljoin(page.url, form.action)
        if form.method == "GET":
            return self.fetch("GET", f"{url}?{urlencode(fields)}")
        parts = urlsplit(page.url)
        headers = {
            "Origin": f"{parts.scheme}://{parts.netloc}",
            "Referer": page.url,
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        return self.fetch("POST", url, headers, urlencode(fields).encode())

    def fetch(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Page:
        """One request, and whatever it redirects to."""
        for _ in range(5):
            page = self._once(method, url, headers or {}, body)
            if page.status not in (301, 302, 303, 307, 308):
                return page
            url = urljoin(url, page.headers["location"])
            if page.status < 304 and method != "HEAD":
                method, headers, body = "GET", {}, None
        raise AssertionError(f"{url} redirects for ever")

    def _once(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> Page:
        parts = urlsplit(url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection = http.client.HTTPConnection(parts.netloc, timeout=30)
        sent = {"User-Agent": self._agent, "Accept": "text/html,*/*", **headers}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        connection.request(method, target or "/", body, sent)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        for name, value in self._set(response):
            self.cookies[name] = value
        kept = {name.lower(): value for name, value in response.getheaders()}
        return Page(url, response.status, kept, content)

    def _set(self, response: http.client.HTTPResponse) -> Iterator[tuple[str, str]]:
        for header in response.headers.get_all("Set-Cookie", []):
            for name, morsel in SimpleCookie(header).items():
                yield name, morsel.value
