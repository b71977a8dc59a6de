"""The start of a node, and the reasons for which it refuses; a server without a cluster calls nothing of NATS."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from cluster import Cluster, Node
from commands import PATIENCE, run
from nats import OLD_PROGRAM, NATSServer
from network import isolated
from streams import EventStream
from toastd import BINARY, PUBLIC, Toastd


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "cluster-key"
    path.write_text(secrets.token_hex(32) + "\n")
    path.chmod(0o600)
    return path


def refused(*options: str) -> str:
    """Starts a server that must fail, and returns its standard error."""
    ended = run("serve", "--listen", "127.0.0.1:0", "--public", str(PUBLIC), *options)
    assert ended.returncode not in (0, -11), ended
    assert "Fatal error" not in ended.stderr
    return ended.stderr


@pytest.fixture
def old(tmp_path: Path) -> Iterator[NATSServer]:
    """A NATS server too old for toastd: of two racing writers both could succeed, or it does not know batches."""
    server = NATSServer("old", tmp_path, program=OLD_PROGRAM)
    server.restart()
    yield server
    server.kill()


def test_an_old_server_is_refused_with_the_reason(old, key_file):
    said = refused("--store", old.url, "--cluster-key-file", str(key_file))
    assert "2.10.25" in said
    assert "2.12" in said


def test_a_cluster_without_a_key_is_refused(nats):
    assert "clusterKeyFile" in refused("--store", nats.url)


@pytest.mark.parametrize("key", ["", "hunter2\n"])
def test_a_short_key_is_refused(nats, key_file, key):
    key_file.write_text(key)
    said = refused("--store", nats.url, "--cluster-key-file", str(key_file))
    assert "32" in said
    assert key.strip() == "" or key.strip() not in said


def test_an_unreachable_server_is_reported(key_file):
    said = refused("--store", "nats://127.0.0.1:1", "--cluster-key-file", str(key_file))
    assert "127.0.0.1:1" in said


def test_the_first_process_of_a_container_can_be_stopped_while_its_store_opens(key_file):
    serve = [BINARY, "serve", "--listen", "127.0.0.1:0", "--public", str(PUBLIC), "--cluster-key-file", str(key_file)]
    with socket.create_server(("127.0.0.1", 0)) as silent:
        store = f"nats://127.0.0.1:{silent.getsockname()[1]}"
        with subprocess.Popen(
            isolated([*serve, "--store", store], "--pid", "--fork", "--kill-child"), stderr=subprocess.DEVNULL
        ) as parent:
            try:
                # It has connected, and waits for the first line of NATS.
                silent.settimeout(PATIENCE)
                connection, _ = silent.accept()
                with connection:
                    (first,) = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
                    os.kill(int(first), signal.SIGTERM)
                    assert parent.wait(PATIENCE) == 128 + signal.SIGTERM
            finally:
                parent.kill()


def test_an_invalid_prefix_is_refused(nats, key_file):
    assert "prefix" in refused("--store", f"{nats.url}?prefix=a.b", "--cluster-key-file", str(key_file))


def test_two_prefixes_are_two_services(tmp_path, nats, name):
    with Cluster(tmp_path / "a", nats, nodes=1) as one, Cluster(tmp_path / "b", nats, nodes=1) as other:
        one.channel(name).publish()
        assert len(one.channel(name).toasts()) == 1
        assert other.channel(name).toasts() == []


def test_a_node_with_another_key_is_refused(tmp_path, nats, key_file):
    """It could not read the secrets of webhooks, nor the sessions of the other nodes."""
    with Cluster(tmp_path / "nodes", nats, nodes=1) as cluster:
        said = refused("--store", cluster.store, "--cluster-key-file", str(key_file))
        assert "another key" in said
        assert "the same file on all nodes" in said


@pytest.fixture(scope="module")
def tripwire(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that replaces all functions of libnats that the program uses. Each of them ends the process with status
    99, which nothing else does.
    """
    symbols = subprocess.run(
        ["nm", "-D", "--undefined-only", BINARY], check=True, capture_output=True, text=True
    ).stdout
    names = re.findall(r" U ((?:nats|js|kvStore)\w*)", symbols)
    assert "natsConnection_Connect" in names
    directory = tmp_path_factory.mktemp("tripwire")
    source, path = directory / "tripwire.c", directory / "tripwire.so"
    source.write_text("void _exit(int);\n" + "".join(f"void {each}(void) {{ _exit(99); }}\n" for each in names))
    compiler = shutil.which("clang") or shutil.which("cc")
    subprocess.run([compiler, "-shared", "-fPIC", "-w", "-o", path, source], check=True)
    return path


def test_without_a_cluster_no_function_of_nats_is_called(tmp_path, tripwire):
    server = Toastd(tmp_path)
    server.environment = {"LD_PRELOAD": str(tripwire)}
    with server:
        url = f"{server.url}/v1/channels/ops"
        with EventStream(f"{url}/stream") as stream:
            stream.wait("snapshot")
            assert httpx.post(f"{url}/toasts", json={"message": "m", "duration": 0.1}).status_code == 201
            stream.wait("dismissed")
        assert httpx.get(f"{server.url}/metrics").status_code == 200
        threads = {(task / "comm").read_text().strip() for task in (server.proc / "task").iterdir()}
        assert not [thread for thread in threads if "nats" in thread.lower()], threads
        assert sockets(server) == {"127.0.0.1"}


def test_the_tripwire_ends_a_node(tmp_path, nats, key_file, tripwire):
    node = Node("n", nats.url, key_file)
    node.environment = {"LD_PRELOAD": str(tripwire)}
    with pytest.raises(AssertionError, match="does not serve"):
        node.start()
    assert node.process.returncode == 99


def sockets(server: Toastd) -> set[str]:
    """The local addresses of the server's TCP sockets, which must all have the port that it listens on: a connection
    to NATS would have another one.
    """
    inodes = {match[1] for fd in (server.proc / "fd").iterdir() if (match := re.match(r"socket:\[(\d+)\]", link(fd)))}
    _, port = server.address
    found: set[str] = set()
    for line in (server.proc / "net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        address, local = fields[1].split(":")
        if fields[9] in inodes:
            assert int(local, 16) == port, f"a socket that is not the server's: {line}"
            found.add(".".join(str(int(address[i : i + 2], 16)) for i in (6, 4, 2, 0)))
    return found


def link(path: Path) -> str:
    try:
        return str(path.readlink())
    except FileNotFoundError:
        return ""
