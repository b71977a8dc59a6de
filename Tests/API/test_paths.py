"""The length of paths is limited; files are looked up in memory; requests of unknown paths are counted."""

import httpx
import pytest

from limits import counted, counted_as, problem
from raw import RawConnection
from toastd import PUBLIC
from waiting import until

HOST = b"Host: toastd\r\n"


def ask(server, line: bytes) -> tuple[int, dict[str, str], bytes]:
    with RawConnection(server.address) as connection:
        connection.send(line + b" HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
        return connection.answer()


@pytest.mark.parametrize("method", [b"GET", b"POST", b"OPTIONS", b"BREW"])
@pytest.mark.parametrize(
    "path", [b"/a" * 9900, b"/a" * 17, b"/" + b"a" * 1024, b"/" + b"%61" * 400], ids=["9900", "17", "long", "escaped"]
)
def test_a_path_that_is_too_long_is_refused(server, method, path):
    before = counted(server, "path-too-long")
    status, headers, body = ask(server, method + b" " + path)
    assert (status, headers["connection"]) == (414, "close")
    assert b"urn:toastd:problem:path-too-long" in body
    assert counted(server, "path-too-long") == before + 1


@pytest.mark.parametrize("path", [b"/a" * 16, b"/" + b"a" * 1023, b"/a?" + b"/" * 5000], ids=["16", "long", "query"])
def test_a_path_may_be_as_long_as_the_limit(server, path):
    assert ask(server, b"GET " + path)[0] == 404


def test_a_path_that_does_not_exist_counts_as_a_read(launch):
    server = launch("--limit-read", "1/h:6", store="memory")
    with httpx.Client(base_url=server.url) as http:
        assert http.get("/nothing.css").status_code == 404
        assert http.get("/v1/nothing").status_code == 404
        assert http.head("/nothing").status_code == 404
        assert http.post("/nothing", json={}).status_code == 404
        assert http.delete("/v1/nothing").status_code == 404
        assert http.put("/v1/channels/a/toasts", json={}).status_code == 405
        for refused in (http.get("/nothing.css"), http.post("/nothing"), http.put("/v1/channels/a/toasts")):
            assert (refused.status_code, problem(refused)) == (429, "rate-limited")
            assert int(refused.headers["retry-after"]) > 0
        # Existing files are not counted, and neither are preflight requests.
        assert http.get("/page.js").status_code == 200
        assert http.options("/page.js").status_code == 204
    assert counted_as(server, 'toastd_problems_total{type="rate-limited"}') == 3


def test_a_requested_file_is_not_looked_up_on_the_disk(launch, tmp_path):
    """Until the next check of the directory the server uses its table of files, even while the directory is gone."""
    pages = tmp_path / "pages"
    (pages / "deep").mkdir(parents=True)
    (pages / "index.html").write_text("index")
    (pages / "deep" / "index.html").write_text("deep")
    (pages / "deep" / "er.js").symlink_to(pages / "deep" / "real.js")
    (pages / "deep" / "real.js").write_text("real")
    (pages / "deep" / "loop").symlink_to(pages / "deep")
    (pages / "out.js").symlink_to(PUBLIC / "page.js")
    server = launch("--public", str(pages), store="memory")
    with httpx.Client(base_url=server.url) as http:
        found = {path: http.get(path) for path in ("/", "/deep/", "/deep/er.js", "/out.js", "/deep", "/deep//er.js")}
        assert {path: answer.status_code for path, answer in found.items()} == {
            "/": 200,
            "/deep/": 200,
            "/deep/er.js": 200,
            "/out.js": 404,
            "/deep": 404,
            "/deep//er.js": 404,
        }
        assert found["/deep/"].text == "deep" and found["/deep/er.js"].text == "real"
        pages.rename(tmp_path / "gone")
        until(lambda: http.get("/").status_code == 404)
        (tmp_path / "gone").rename(pages)
        until(lambda: http.get("/deep/er.js").text == "real")
