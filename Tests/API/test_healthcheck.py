"""`toastd healthcheck`: whether a server is alive, and why not."""

import http.server
import socket
import threading
from collections.abc import Iterator

import pytest

from commands import run


def test_a_running_server_is_healthy(server):
    checked = run("healthcheck", "--listen", server.url.removeprefix("http://"))
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_an_unreachable_server_is_unhealthy():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
    checked = run("healthcheck", environment={"TOASTD_LISTEN": address})
    assert checked.returncode == 1
    assert f"No server can be reached at {address}" in checked.stderr
    assert "refused" in checked.stderr or "connect" in checked.stderr


@pytest.fixture
def stranger() -> Iterator[str]:
    """Another server, which has no /livez."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_another_server_is_unhealthy(stranger):
    checked = run("healthcheck", "--listen", stranger)
    assert checked.returncode == 1
    assert f"http://{stranger}/livez answered with status 501" in checked.stderr


def test_a_silent_server_is_unhealthy():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        checked = run("healthcheck", "--listen", f"127.0.0.1:{silent.getsockname()[1]}")
    assert checked.returncode == 1
    assert "gave no answer" in checked.stderr


def test_an_invalid_address_is_refused():
    checked = run("healthcheck", "--listen", "everywhere")
    assert (checked.returncode, checked.stderr) == (64, "Error: --listen: expected HOST:PORT.\n")
