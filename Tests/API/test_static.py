"""The server serves the viewer's files, and no other files."""

import os
import socket

import httpx
import pytest
import yaml

from toastd import PUBLIC, ROOT
from waiting import until

TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
FILES = sorted(path for path in PUBLIC.rglob("*") if path.suffix in TYPES)


@pytest.mark.parametrize("path", [str(path.relative_to(PUBLIC)) for path in FILES])
def test_every_file_is_served(server, path):
    response = httpx.get(f"{server.url}/{path}")
    assert response.status_code == 200
    assert response.content == (PUBLIC / path).read_bytes()
    assert response.headers["content-type"].split(";")[0] == TYPES["." + path.rsplit(".", 1)[1]]
    assert response.headers["x-content-type-options"] == "nosniff"


def test_the_page_has_security_headers(server):
    response = httpx.get(f"{server.url}/?channel=ops")
    assert response.status_code == 200
    assert response.content == (PUBLIC / "index.html").read_bytes()
    headers = response.headers
    policy = dict(
        part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";") if part.strip()
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'" and policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] and policy["base-uri"] == "'none'" and policy["form-action"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["permissions-policy"]


def test_an_unchanged_file_is_not_sent_again(server):
    first = httpx.get(server.url + "/")
    tag = first.headers["etag"]
    assert tag.startswith('"')
    second = httpx.get(server.url + "/", headers={"If-None-Match": tag})
    assert (second.status_code, second.content, second.headers["etag"]) == (304, b"", tag)
    assert second.headers["content-security-policy"] == first.headers["content-security-policy"]


def test_a_head_is_the_answer_without_its_body(server):
    get, head = httpx.get(server.url + "/"), httpx.head(server.url + "/")
    assert (head.status_code, head.content) == (200, b"")
    ignored = {"date", "x-request-id"}
    assert {k: v for k, v in head.headers.items() if k not in ignored} == {
        k: v for k, v in get.headers.items() if k not in ignored
    }


@pytest.mark.parametrize(
    "target",
    [
        "/../Package.swift",
        "/..//../Package.swift",
        "/%2e%2e/Package.swift",
        "/%2e%2e%2fPackage.swift",
        "/..%2fPackage.swift",
        "/viewer/../../Package.swift",
        "/..\\Package.swift",
        "/%5c..%5cPackage.swift",
        "//etc/passwd",
        "/%00index.html",
        "/index.html%00.js",
        "/.git/config",
        "/index.html/",
        "/%c0%ae%c0%ae/Package.swift",
        "/%zz",
        "/biome.json%00",
    ],
)
def test_nothing_else_is_served(server, target):
    with socket.create_connection(server.address, timeout=60) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode("latin1"))
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.split(b" ", 2)[1] in (b"400", b"404"), answer[:200]
    assert (ROOT / "Package.swift").read_bytes()[:40] not in answer
    assert b"root:" not in answer


def test_the_description_is_served(server):
    response = httpx.get(f"{server.url}/openapi.yaml")
    assert response.status_code == 200
    assert response.content == (ROOT / "openapi.yaml").read_bytes()
    assert (
        httpx.get(f"{server.url}/openapi.yaml", headers={"If-None-Match": response.headers["etag"]}).status_code == 304
    )


def test_the_description_is_served_as_json(server):
    response = httpx.get(f"{server.url}/openapi.json")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    described = yaml.load((ROOT / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)
    assert response.json() == described, "run make openapi"


def test_responses_of_the_api_are_not_cached(channel):
    for response in (channel.http.get(channel.path), channel.post({"message": "m"}), channel.post({"message": 1})):
        assert "no-store" in response.headers["cache-control"]


def test_an_edit_shows(launch, tmp_path):
    """Files are in memory, and are checked once a second."""
    directory = tmp_path / "pages"
    directory.mkdir()
    page = directory / "index.html"
    page.write_text("one")
    server = launch("--public", str(directory), store="memory")
    tags = set()

    def shows(text: str) -> bool:
        response = httpx.get(server.url + "/")
        tags.add(response.headers["etag"])
        return response.text == text

    for text in ("one", "two", "three", "eerht"):
        page.write_text(text)
        until(lambda text=text: shows(text))
    assert len(tags) == 4
    # The same size and an old modification time: only the change of that time shows the new content.
    os.utime(page, (1e9, 1e9))
    page.write_text("three")
    os.utime(page, (1e9 + 1, 1e9 + 1))
    until(lambda: shows("three"))
    assert len(tags) == 4
    (directory / "new.css").write_text("new")
    until(lambda: httpx.get(server.url + "/new.css").status_code == 200)
    page.unlink()
    until(lambda: httpx.get(server.url + "/").status_code == 404)


def test_an_edit_shows_as_late_as_the_server_is_told(launch, tmp_path):
    page = tmp_path / "pages" / "index.html"
    page.parent.mkdir()
    page.write_text("one")
    often, seldom = (
        launch("--public", str(page.parent), *interval, store="memory")
        for interval in ((), ("--public-interval", "3600"))
    )
    for text in ("two", "three"):
        page.write_text(text)
        until(lambda text=text: httpx.get(often.url + "/").text == text)
    assert httpx.get(seldom.url + "/").text == "one"


def test_text_comes_compressed_to_those_who_can_read_it(server):
    with httpx.Client(base_url=server.url, headers={"Accept-Encoding": "identity"}) as http:
        plain = http.get("/toast-viewer.js")
        packed = http.get("/toast-viewer.js", headers={"Accept-Encoding": "br;q=1, gzip;q=0.5"})
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.content == plain.content
        assert int(packed.headers["content-length"]) < len(plain.content)
        assert "Accept-Encoding" in plain.headers["vary"] and "Accept-Encoding" in packed.headers["vary"]
        # Two representations have two strong validators: neither is valid for the other (RFC 9110 §8.8.3.3).
        assert plain.headers["etag"] != packed.headers["etag"]
        known = {"If-None-Match": packed.headers["etag"]}
        assert http.get("/toast-viewer.js", headers=known).status_code == 200
        assert http.get("/toast-viewer.js", headers={**known, "Accept-Encoding": "gzip"}).status_code == 304


@pytest.mark.parametrize(
    "accepted", ["", "identity", "br", "gzip;q=0", "gzip;q=0, *", "*, gzip; q=0.0", "*;q=0", "x-gzip-ish"]
)
def test_a_client_without_gzip_gets_plain_text(server, accepted):
    answer = httpx.get(f"{server.url}/toast-viewer.js", headers={"Accept-Encoding": accepted})
    assert "content-encoding" not in answer.headers


def test_the_viewer_is_small_on_the_wire(server):
    files = ["viewer/element.js", "viewer/card.js", "styles/base.css", "openapi.yaml"]
    for name in files:
        answer = httpx.get(f"{server.url}/{name}", headers={"Accept-Encoding": "gzip"})
        assert int(answer.headers["content-length"]) < len(answer.content) * 0.6, name
