"""Fixtures: a server for the whole run, separate servers, and a channel that no other test uses."""

from __future__ import annotations

import functools
import os
import re
import secrets
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx._config
import httpx._transports.default
import pytest

from channel import Channel
from cluster import Cluster
from nats import NATSCluster
from streams import EventStream, Poller, Socket
from toastd import Toastd

# The files that take longest, longest first.
LONG = [
    "test_contract.py",
    "test_cluster_chaos.py",
    "test_power_cut.py",
    "test_history.py",
    "test_audience_promises.py",
    "test_stored_channels.py",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the long versions: 200 kills, 10,000 streams")


def keep_certificates() -> None:
    """Lets all clients of httpx that have no certificates of their own share the system's. Each would read them anew,
    also for `http:`: a third of the processor time of test_settings.py.
    """
    transports = httpx._transports.default
    read = transports.create_ssl_context
    # Cached by the two variables, because a test may name other certificates in them.
    shared = functools.cache(lambda *_: read())

    def context(verify=True, cert=None, trust_env=True):
        if verify is not True or cert or not trust_env:
            return read(verify, cert, trust_env)
        return shared(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))

    transports.create_ssl_context = context


def wait_patiently() -> None:
    """Makes the default timeout of httpx a minute instead of five seconds: it only has to end tests that hang."""
    timeout = httpx._config.DEFAULT_TIMEOUT_CONFIG
    for phase in ("connect", "read", "write", "pool"):
        assert getattr(timeout, phase) == 5
        setattr(timeout, phase, 60.0)


def pytest_configure() -> None:
    """Configures httpx, and catches SIGINT and SIGHUP where `nohup` or `&` ignore them, because child processes would
    inherit that.
    """
    keep_certificates()
    wait_patiently()
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests that have only a long version, unless `--soak` is given. Long files come first, so that no
    worker begins with one when the others have finished.
    """
    if not config.getoption("--soak"):
        long = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
    counts = Counter(item.path.name for item in items)
    ranks = {name: rank for rank, name in enumerate(LONG)}
    items.sort(key=lambda item: (ranks.get(item.path.name, len(LONG)), -counts[item.path.name], item.path.name))


@pytest.fixture(scope="session")
def soak(pytestconfig: pytest.Config) -> bool:
    return pytestconfig.getoption("--soak")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toastd]:
    """A server that all tests share; each test has its own channel."""
    with Toastd(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[Callable[..., Toastd]]:
    """Starts servers of the test's own, all on one store unless `store` names another."""
    servers: list[Toastd] = []

    def launch(*options: str, store: str | None = None) -> Toastd:
        servers.append(Toastd(tmp_path, *options, store=store).start())
        return servers[-1]

    yield launch
    for server in servers:
        if server.process.poll() is None:
            server.stop()


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """The name of a channel that no other test uses."""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", request.node.name.removeprefix("test_"))[:40]
    return f"{stem}-{secrets.token_hex(4)}"


@pytest.fixture
def channel(server: Toastd, name: str) -> Iterator[Channel]:
    channel = Channel(server.url, name)
    yield channel
    channel.close()


@pytest.fixture
def stream(channel: Channel) -> Iterator[EventStream]:
    """A viewer that is attached to the channel."""
    with EventStream(channel.url + channel.path + "/stream") as stream:
        stream.wait("snapshot")
        yield stream


@pytest.fixture
def attach(channel: Channel) -> Iterator[Callable[..., EventStream | Socket | Poller]]:
    """Attaches a client to the channel, by "stream", "socket" or "poll"."""
    kinds = {"stream": EventStream, "socket": Socket, "poll": Poller}
    consumers: list[EventStream | Socket | Poller] = []

    def attach(kind: str = "stream", **parameters: object) -> EventStream | Socket | Poller:
        consumers.append(kinds[kind](f"{channel.url}{channel.path}/{kind}", **parameters))
        return consumers[-1]

    yield attach
    for consumer in consumers:
        consumer.close()


@pytest.fixture(scope="session")
def nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NATSCluster]:
    """Three servers of NATS that tests share; each cluster of toastd has its own prefix there."""
    with NATSCluster(tmp_path_factory.mktemp("nats")) as nats:
        yield nats


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory, nats: NATSCluster) -> Iterator[Cluster]:
    """Three nodes that tests share; each test has its own channel."""
    with Cluster(tmp_path_factory.mktemp("cluster"), nats, "--webhook-allow", "127.0.0.0/8") as cluster:
        yield cluster


@pytest.fixture
def at(cluster: Cluster, name: str) -> Iterator[list[Channel]]:
    """A client of the test's channel for each node."""
    channels = [cluster.channel(name, number) for number in range(len(cluster.nodes))]
    yield channels
    for channel in channels:
        channel.close()
