"""Requests of every route, with paths, queries, fields and bodies up to their limits: the corpus of
`test_loop_time.py`. Each is the most expensive input for an operation that compares all parts, copies each part, or
looks at the disk.
"""

from __future__ import annotations

import json
import plistlib
import random
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import yaml

ROOT = Path(__file__).resolve().parents[2]
DESCRIPTION = yaml.load((ROOT / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)
# Every route, and the files; also methods that a path does not allow.
ROUTES = [
    (method.upper(), path)
    for path, item in DESCRIPTION["paths"].items()
    for method in item
    if method in ("get", "put", "post", "patch", "delete")
] + [("GET", "/{file}"), ("POST", "/{file}"), ("OPTIONS", "/v1/channels/{channel}/toasts")]

# Bytes: of the largest part of a head, which has 20 KiB; of a body; of a property list; of a catalog.
HEAD, BODY, LIST, CATALOG = 17_000, 65_536, 16_384, 1_048_576
PARAMETERS = ["channel", "since", "events", "wait", "limit", "after", "state", "language", "ticket", "scale"]
FIELDS = [
    *("Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Content-Encoding", "Content-Type", "Cookie"),
    *("Forwarded", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID", "Origin", "Prefer", "traceparent"),
    *("X-Forwarded-For", "X-Request-Id", "Connection", "Upgrade", "Sec-WebSocket-Protocol"),
]
# Elements of lists and values, repeated as often as there is room.
PIECES = ["a,", '"a",', "de-DE-x-a;q=0.5,", "a=b;", "wait=1;", "=", ";", " ", "\t,", "*", 'W/"x", ', "127.0.0.1, "]


def fill(piece: str, size: int) -> str:
    return (piece * (size // max(1, len(piece)) + 1))[:size]


def names(chance: random.Random, size: int, pattern: str) -> str:
    """Different names after a pattern, in `size` characters."""
    parts: list[str] = []
    length = 0
    start = chance.randrange(100)
    while length < size:
        parts.append(pattern.format(start + len(parts)))
        length += len(parts[-1])
    return "".join(parts)[:size].rstrip("&,~")


class Corpus:
    """Makes requests from a seed."""

    def __init__(self, seed: int, toast: str) -> None:
        self.chance = random.Random(seed)
        self.toast = toast
        self.bodies: dict[str, list[tuple[str, bytes]]] = {}

    def request(self) -> tuple[str, bytes]:
        """A request, and its short description."""
        method, route = self.chance.choice(ROUTES)
        # Usually one part is far too large, sometimes several.
        what = set(self.chance.choices(["path", "query", "field", "fields", "body"], weights=[1, 3, 3, 1, 6], k=1))
        if self.chance.random() < 0.2:
            what |= {"query", "body"}
        path = self.path(route, "path" in what)
        query = self.query(route) if "query" in what else ""
        lines = self.fields() if "fields" in what else [self.field()] if "field" in what else []
        media, body = self.body(route) if method in ("POST", "PUT", "PATCH") else ("", b"")
        head = f"{method} {path}{'?' + query if query else ''} HTTP/1.1\r\nHost: toastd\r\nConnection: close\r\n"
        if media and not any(line.startswith("Content-Type") for line in lines):
            head += f"Content-Type: {media}\r\n"
        head += "".join(line + "\r\n" for line in lines)
        head = head[:20_000].rstrip("\r\n") + "\r\n" if len(head) > 20_400 else head
        title = f"{method} {route} {'+'.join(sorted(what))} {media} {len(head)}+{len(body)} bytes"
        if body and self.chance.random() < 0.05:
            head += "Transfer-Encoding: chunked\r\n\r\n"
            return title + " in chunks", head.encode("latin1") + self.chunks(body)
        return title, head.encode("latin1") + b"Content-Length: %d\r\n\r\n" % len(body) + body

    def chunks(self, body: bytes) -> bytes:
        size = self.chance.choice([1, 7, 4096])
        body = body[: 120_000 if size == 1 else len(body)]
        pieces = (body[start : start + size] for start in range(0, len(body), size))
        return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"

    def path(self, route: str, is_long: bool) -> str:
        choices = {
            "channel": ["full", "full", "settings", "a" * 64, f"x-{self.chance.randrange(40)}"],
            "id": [self.toast, "0" * 36, "a" * 200],
            "action": ["yes", "a" * 64],
            "holder": ["me", "h" * 64],
            "language": ["de", "fr", "en", "zh-Hant-TW", "sl-rozaj-biske-1994"],
            "preset": ["toastd", "none"],
            "file": ["page.js", "styles/glass.css", "index.html", "nothing", "viewer/element.js", "a/b/c/d.css"],
        }
        for name, values in choices.items():
            route = route.replace(f"{{{name}}}", self.chance.choice(values))
        if not is_long:
            return route
        make: list[Callable[[], str]] = [
            lambda: "/a" * 9900,
            lambda: "/a" * 16,
            lambda: "/styles" * 15 + "/x.css",
            lambda: "/" + "a" * 1023,
            lambda: "/" + "%61" * 341,
            lambda: route + "/" + "b" * 900,
            lambda: "/" + quote("ä" * 150),
            lambda: "//" * 8,
        ]
        return self.chance.choice(make)()

    def query(self, route: str) -> str:
        toasts = "/v1/channels/" in route
        make: list[Callable[[], str]] = [
            lambda: names(self.chance, HEAD, "channel=c{}&"),
            lambda: "&".join(f"channel=x-{number}" for number in range(128)),
            lambda: fill("channel=full&", HEAD),
            lambda: fill("a&", HEAD),
            lambda: fill("&", HEAD),
            lambda: fill("a=%41&", HEAD),
            lambda: fill("%41", HEAD),
            lambda: f"events={fill('presented,', HEAD)}",
            lambda: f"since=0123456789-{names(self.chance, 12_000, 'c{}.1~')}",
            lambda: f"since={fill('1.2~', HEAD)}",
            lambda: f"{self.chance.choice(PARAMETERS)}={fill(self.chance.choice(PIECES).strip() or 'a', HEAD)}".replace(
                " ", "+"
            ).replace("\t", "+"),
            lambda: "wait=0&limit=100" if toasts else "limit=100",
        ]
        return self.chance.choice(make)().replace('"', "%22")

    def field(self) -> str:
        return f"{self.chance.choice(FIELDS)}: {fill(self.chance.choice(PIECES), HEAD).strip()}"

    def fields(self) -> list[str]:
        name = self.chance.choice([*FIELDS, "X-{}"])
        return [f"{name.replace('{}', str(number))}: {fill('a,', 150)}" for number in range(95)]

    # Bodies

    def body(self, route: str) -> tuple[str, bytes]:
        """One of a fixed number of bodies for each route: making them takes longer than answering them."""
        bodies = self.bodies.setdefault(route, [])
        if len(bodies) < 30:
            bodies.append(self.new_body(route))
            return bodies[-1]
        return self.chance.choice(bodies)

    def new_body(self, route: str) -> tuple[str, bytes]:
        if "/catalogs" in route:
            return self.catalog(route)
        if "/settings" in route and self.chance.random() < 0.4:
            return self.property_list()
        if self.chance.random() < 0.25:
            return self.chance.choice(["application/json", "text/plain", "application/x-ndjson"]), self.document(BODY)
        if route.endswith("/toasts") and "channels/" in route:
            return self.toasts()
        if route == "/v1/toasts":
            channels = [f"x-{number}" for number in range(100)]
            size = self.chance.choice([100, 60_000])
            return self.json({"channels": channels, "toast": {"message": "m", "data": fill("d", size)}})
        if "/settings" in route:
            return self.settings()
        return self.json({"dismissReason": "swipe", "data": json.loads(self.wide(BODY - 200))})

    def toasts(self) -> tuple[str, bytes]:
        make: list[Callable[[], tuple[str, bytes]]] = [
            lambda: self.json([{"message": fill("é", 200), "reuseIdentifier": f"r{n}"} for n in range(100)]),
            lambda: self.json([{"message": {"key": fill("k", 200), "arguments": [fill("%@", 90)] * 2}}] * 100),
            lambda: self.json({"message": {"key": "k", "default": fill("%1$@", 4000), "arguments": ["a" * 3000] * 16}}),
            lambda: self.json({"message": {"key": "k", "default": fill("%", 4096), "arguments": []}}),
            lambda: self.json({"message": "m", "data": json.loads(self.wide(BODY - 100))}),
            lambda: self.json({"message": "m", "data": fill('\\"\n', 20_000)}),
            lambda: self.json({"message": "m", "appearance": json.loads(self.wide(BODY - 100))}),
            lambda: self.json({"message": "m", "actions": [{"id": f"a{n}", "title": "t"} for n in range(1500)]}),
            lambda: ("application/x-ndjson", b'{"message":"m"}\n' * 100),
            lambda: ("application/x-ndjson", b"\n" * BODY),
            lambda: ("application/x-ndjson", b" \r\n" * (BODY // 3)),
            lambda: ("text/plain", ("a\u0301" * 1300).encode()),
        ]
        return self.chance.choice(make)()

    def settings(self) -> tuple[str, bytes]:
        make: list[Callable[[], bytes]] = [
            lambda: self.wide(BODY - 10),
            lambda: json.dumps({"theme": json.loads(self.wide(BODY - 30))}).encode(),
            lambda: json.dumps({"webhooks": [{"url": f"https://example.com/{fill('a', 1900)}"}] * 30}).encode(),
            lambda: json.dumps({"defaults": json.loads(self.wide(BODY - 30))}).encode(),
            lambda: json.dumps({"mode": "stack", "maxVisible": 256}).encode(),
        ]
        return self.chance.choice(["application/json", "application/merge-patch+json"]), self.chance.choice(make)()

    def property_list(self) -> tuple[str, bytes]:
        make: list[Callable[[], bytes]] = [
            lambda: plistlib.dumps({f"k{n}": "#ffffff" for n in range(1200)})[:BODY],
            lambda: plistlib.dumps({f"k{n}": "#ffffff" for n in range(300)})[:LIST],
            lambda: plistlib.dumps({f"k{n}": "v" for n in range(1000)}, fmt=plistlib.FMT_BINARY),
            lambda: b'<?xml version="1.0"?><plist><dict>' + b"<key>a</key><dict>" * 900,
            lambda: b'<?xml version="1.0"?><plist>' + b"<array>" * 2300,
            lambda: b"<plist><dict><key>a</key><string>" + b"&amp;" * 3200 + b"</string></dict></plist>",
            lambda: b"<plist><dict><key>a</key><string>" + b"<![CDATA[a]]>" * 1200 + b"</string></dict></plist>",
            lambda: b"<!DOCTYPE plist [" + b"<!ENTITY a 'b'>" * 1000 + b"]><plist><dict/></plist>",
            lambda: b"<!--" + b"-" * 16_000,
        ]
        return self.chance.choice(["application/x-plist", "application/xml", "text/xml"]), self.chance.choice(make)()

    def catalog(self, route: str) -> tuple[str, bytes]:
        size = self.chance.choice([BODY, CATALOG])
        keys = size // 110
        make: list[Callable[[], tuple[str, bytes]]] = [
            lambda: self.json({f"key-{n}": fill("%@ ", 90) for n in range(min(keys, 9900))}),
            lambda: self.json({f"key-{n}": {"one": "%d file", "other": "%d files"} for n in range(min(keys, 9900))}),
            lambda: self.json(
                {"k": {"format": "%#@p@", "parts": {f"p{n}": {"other": "x"} for n in range(size // 30)}}}
            ),
            lambda: ("text/x-strings", b'"a" = "b";\n' * (size // 11)),
            lambda: ("text/x-strings", names(self.chance, size - 10, '"k{}" = "v";\n').encode()),
            lambda: ("text/x-strings", b"/*" * (size // 2)),
            lambda: ("text/x-strings", ('"a" = "' + "\\U00e9" * (size // 7)).encode()),
            lambda: ("application/vnd.apple.xcstrings+json", self.string_catalog(size)),
            lambda: ("application/json", self.document(size)),
        ]
        return self.chance.choice(make)()

    def string_catalog(self, size: int) -> bytes:
        unit = {"stringUnit": {"state": "translated", "value": "v"}}
        languages = [f"{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(90)]
        strings = {
            f"k{n}": {"localizations": {language: unit for language in languages}} for n in range(size // 90 // 70)
        }
        return json.dumps({"sourceLanguage": "en", "version": "1.0", "strings": strings}).encode()[:size]

    def json(self, value: object) -> tuple[str, bytes]:
        return "application/json", json.dumps(value).encode()

    def document(self, size: int) -> bytes:
        """A document of a random kind, with about `size` bytes."""
        make: list[Callable[[], bytes]] = [
            lambda: self.wide(size),
            lambda: b"[" * size,
            lambda: b"[" + b"1," * (size // 2 - 2) + b"1]",
            lambda: b'"' + b"\\u00e9" * (size // 6 - 1) + b'"',
            lambda: b'"' + b"\\n" * (size // 2 - 2),
            lambda: b"1" * size,
            lambda: b"0." + b"1" * (size - 2),
            lambda: b"1e" + b"9" * (size - 2),
            lambda: b"[" + b"{}," * (size // 3 - 2) + b"{}]",
            lambda: b"[" + b"0.1e1," * (size // 6 - 2) + b"1]",
            lambda: b" " * size,
            lambda: self.chance.randbytes(size),
            lambda: fill("\u00e9\U0001f600", size // 6).encode(),
        ]
        return self.chance.choice(make)()

    def wide(self, size: int) -> bytes:
        """An object with many members, whose names are short, or differ only in their last characters."""
        stem = self.chance.choice(["", "n" * 40])
        count = size // (len(stem) + 11)
        return json.dumps({f"{stem}{number:05}": number % 9 for number in range(count)}, separators=(",", ":")).encode()
