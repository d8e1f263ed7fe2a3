"""A small browser: it fetches, keeps cookies, and sends the forms that a page shows."""

import http.client
from collections.abc import Iterator, Mapping
from functools import cached_property
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from typing import NamedTuple
from urllib.parse import urlencode, urljoin, urlsplit

Pairs = list[tuple[str, str | None]]


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


class _Reader(HTMLParser):
    """What is written on a page, and the forms and links on it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self._button: tuple[str, str] | None = None
        self._label: list[str] = []
        self._select: str | None = None
        self._area: str | None = None
        self._option: str | None = ""
        self._chosen = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Pairs) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(
                Form(values.get("action", ""), values.get("method", "get"))
            )
        elif tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif self.forms:
            self._control(tag, values)

    def _control(self, tag: str, values: Mapping[str, str]) -> None:
        form, name = self.forms[-1], values.get("name", "")
        value = values.get("value", "")
        if tag == "button":
            self._button, self._label = (name, value), []
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            self._option = values.get("value")
            self._chosen = "selected" in values or self._select not in form.fields
            self._take_option(self._option)
        elif tag == "textarea":
            self._area, form.fields[name] = name, ""
        elif tag == "input":
            self._input(form, name, value, values)

    def _take_option(self, value: str | None) -> None:
        """An option of a list; without a value its words are the value."""
        if self._select and self._chosen and value is not None:
            self.forms[-1].fields[self._select] = value

    def _input(
        self, form: Form, name: str, value: str, values: Mapping[str, str]
    ) -> None:
        kind = values.get("type", "text")
        if kind == "radio":
            form.radios.append(Radio(name, value, "checked" in values))
        elif kind == "submit":
            form.buttons.append(Button(name, value, value))
        elif kind != "checkbox" or "checked" in values:
            form.fields[name] = value or ("on" if kind == "checkbox" else "")

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self._button is not None:
            self._label.append(data)
        if self._select and self._option is None:
            self._take_option(data.strip())
            self._option = data.strip()
        if self._area is not None:
            self.forms[-1].fields[self._area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "button" and self._button is not None:
            label = " ".join("".join(self._label).split())
            self.forms[-1].buttons.append(Button(*self._button, label))
            self._button = None
        elif tag == "select":
            self._select = None
        elif tag == "textarea":
            self._area = None


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
        return " ".join(" ".join(self._read.words).split())

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
