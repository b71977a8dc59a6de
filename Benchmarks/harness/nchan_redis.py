"""Nchan with Redis as a peer: several nginx, each with one worker, that share their channels through one Redis."""

import re
import shutil
from contextlib import ExitStack
from typing import Self

from .nats import free_ports
from .processes import ROOT, Process, children, cpu_seconds
from .servers import Server, Servers, nchan_missing


def missing() -> str | None:
    if reason := nchan_missing():
        return reason
    return None if shutil.which("redis-server") else "Redis is not installed: make -C Benchmarks deps"


class NchanWithRedis:
    """Several nginx on the server's core, and Redis on the clients' core, like the servers of NATS."""

    def __init__(self, servers: Servers, count: int) -> None:
        port, *ports = free_ports(count + 1)
        home = servers.directory / f"redis-{port}"
        home.mkdir()
        self._stack = ExitStack()
        options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(home), "--save", "", "--appendonly", "no"]
        self._redis = Process("redis", ["sh", "-c", 'exec "$@" >&2', "sh", "redis-server", *options])
        self._stack.callback(self._redis.stop)
        self._redis.await_log(re.compile("Ready to accept connections"))
        template = (ROOT / "Benchmarks" / "yardstick" / "nchan_redis.conf").read_text()
        self.servers: list[Server] = []
        for number in ports:
            place = home / f"nginx-{number}"
            place.mkdir()
            text = template.replace("@PORT@", str(number)).replace("@HOME@", str(place)).replace("@REDIS@", str(port))
            (place / "nginx.conf").write_text(text)
            command = ["nginx", "-p", str(place), "-c", str(place / "nginx.conf")]
            process = Process(f"nchan-{number}", servers.cores.server_prefix() + command)
            process.await_log(re.compile("start worker process [0-9]+"))
            process.await_log(re.compile("connected|ready", re.IGNORECASE))
            self.servers.append(self._stack.enter_context(Server(process, number, pid=children(process.pid)[0])))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        self._stack.close()

    def cpu(self) -> float:
        return sum(server.cpu() for server in self.servers) + cpu_seconds(self._redis.pid)
