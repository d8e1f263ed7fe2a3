"""Bodies that no route may take: each is wrong wherever it is sent, and says why."""

import itertools
import json
from collections.abc import Iterator
from typing import NamedTuple

JSON = "application/json"


class Hostile(NamedTuple):
    """A body, and the field that must be named where it is read, if it has one."""

    name: str
    raw: bytes
    field: str | None = None
    media: str = JSON


FIELDS = (
    *("kind", "character", "place", "card"),
    *("name", "address", "language", "zone", "code", "scopes", "expires_at"),
    *("seats", "bots", "edition", "rounds", "placement", "visibility", "word"),
)
"""Fields of bodies, of whichever routes; elsewhere they are unknown."""

POISONS = {
    "not a number": b"NaN",
    "infinite": b"Infinity",
    "infinite below": b"-Infinity",
    "too large a fraction": b"1e400",
    "huge": b"9" * 4000,
    "one too long to be exact": b"-9007199254740993",
    "zero byte": b'"a\\u0000b"',
    "high surrogate": b'"\\ud800"',
    "low surrogate": b'"\\udfff\\ud800"',
    "surrogate in a list": b'["\\ud800"]',
    "surrogate in an object": b'{"a":"\\udc00"}',
    "number in a list": b"[[1e999]]",
    "object in itself": b'{"a":{"a":NaN}}',
    "surrogate in a key": b'{"\\ud800":1}',
}
"""Values that no field may have; the field is named, or what is below it."""

BROKEN = {
    "nothing": b"",
    "blank": b" \r\n\t ",
    "zero byte": b"\x00",
    "half an object": b'{"name"',
    "no end": b'{"name":"Rita"',
    "two objects": b'{"name":"Rita"}{"name":"Rita"}',
    "comma at the end": b'{"name":"Rita",}',
    "single quotes": b"{'name':'Rita'}",
    "comment": b'{"name":"Rita"/* so */}',
    "bare key": b'{name:"Rita"}',
    "raw zero byte": b'{"name":"a\x00b"}',
    "raw line feed": b'{"name":"a\nb"}',
    "raw surrogate": b'{"name":"\xed\xa0\x80"}',
    "bad UTF-8": b'{"name":"\xff\xfe"}',
    "cut UTF-8": b'{"name":"\xc3',
    "overlong UTF-8": b'{"name":"\xc0\xaf"}',
    "UTF-16": '{"name":"Rita"}'.encode("utf-16"),
    "UTF-32": '{"name":"Rita"}'.encode("utf-32"),
    "Latin-1": '{"name":"José"}'.encode("latin-1"),
    "a mark in front": b'\xef\xbb\xbf{"name":"Rita"}',
    "bad escape": b'{"name":"\\x41"}',
    "half an escape": b'{"name":"\\u12"}',
    "hexadecimal": b'{"rounds":0x1}',
    "octal": b'{"rounds":01}',
    "plus": b'{"rounds":+1}',
    "a form": b"name=Rita&rounds=1",
    "XML": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "/etc/passwd">]>',
    "YAML": b"name: Rita",
    "pickle": b"\x80\x04\x95\x00\x00\x00\x00.",
    "zip": b"PK\x03\x04",
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
    "deep list": b"[" * 17 + b"]" * 17,
    "deep object": b'{"a":' * 17 + b"1" + b"}" * 17,
    "deep and open": b"[" * 9000,
    "deep and mixed": b'[{"a":' * 9 + b"1" + b"}]" * 9,
    "many brackets": b'{"a":' * 3000,
    "null": b"null",
    "true": b"true",
    "number": b"1",
    "text": b'"name"',
    "list": b"[]",
    "list of objects": b'[{"name":"Rita"}]',
}
"""Bodies that are no object of ours at all."""

WRONG_MEDIA = (
    "text/plain",
    "text/html",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/json; charset=latin-1",
    "application/json; charset=utf-16",
    "application/merge-patch+json",
    "application/jsonp",
    "application/octet-stream",
    "application",
    "*/*",
    "",
)


def corpus() -> tuple[Hostile, ...]:
    """All of them, alike at each call."""
    return tuple(itertools.chain(_broken(), _poisoned(), _duplicates(), _strangers()))


def _broken() -> Iterator[Hostile]:
    for name, raw in BROKEN.items():
        yield Hostile(name, raw, "body")
    for media in WRONG_MEDIA:
        yield Hostile(f"as {media or 'nothing'}", b'{"x":1}', None, media)
    yield Hostile("a byte too large", b" " * 16385)
    yield Hostile("far too large", b'{"name":"' + b"A" * 200_000 + b'"}')


def _poisoned() -> Iterator[Hostile]:
    for field, (name, poison) in itertools.product(FIELDS, POISONS.items()):
        raw = b'{"%s":%s}' % (field.encode(), poison)
        yield Hostile(f"{name} as {field}", raw, field)


def _duplicates() -> Iterator[Hostile]:
    for field in FIELDS:
        twice = b'{"%s":"a","%s":"b"}' % (field.encode(), field.encode())
        yield Hostile(f"{field} twice", twice, field)


def _strangers() -> Iterator[Hostile]:
    """Fields that nothing has, alone and with what else there is."""
    for name in ("x", "__proto__", "constructor", "seat", "id", "role", "a.b", "", "é"):
        yield Hostile(f"unknown {name}", json.dumps({name: 1}).encode())
