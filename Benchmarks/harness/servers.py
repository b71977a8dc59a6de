"""The server under test and the yardsticks, each listening on a free port of 127.0.0.1."""

import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Self

from .processes import OUT, ROOT, Cores, Process, children, cpu_seconds, memory_kib

TUNABLES = "glibc.malloc.tcache_count=200"
"""The environment that the unit in `deploy/` and the image give to toastd."""
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
NCHAN_MODULE = Path("/usr/lib/nginx/modules/ngx_nchan_module.so")


class Server:
    """A running server: its port, its cost so far, and one keep-alive connection to it."""

    def __init__(self, process: Process, port: int, pid: int | None = None) -> None:
        self.process, self.port, self.pid = process, port, pid or process.pid
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        self._connection.close()
        self.process.stop()

    def another(self) -> "Connection":
        """A further connection to the same process."""
        return Connection(self.process, self.port, self.pid)

    def cpu(self) -> float:
        return cpu_seconds(self.pid)

    def rss_kib(self) -> int:
        return memory_kib(self.pid)["Rss"]

    def own_kib(self) -> int:
        return memory_kib(self.pid)["Anonymous"]

    def metric(self, name: str) -> float:
        """The value of a family without labels in `/metrics`."""
        return float(re.search(rf"^{name} (\S+)", self.demand("GET", "/metrics").decode(), re.MULTILINE)[1])

    def request(self, method: str, path: str, body: object = None, **fields: str):
        """The status and the body of a response, decoded if it is JSON. `bytes` are sent as they are."""
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in fields.items()}
        try:
            self._connection.request(method, path, data, headers)
            answer = self._connection.getresponse()
        except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
            # The server has closed the idle connection.
            self._connection.close()
            self._connection.request(method, path, data, headers)
            answer = self._connection.getresponse()
        text = answer.read()
        is_json = "json" in (answer.getheader("Content-Type") or "")
        return answer.status, json.loads(text) if is_json and text else text

    def demand(self, method: str, path: str, body: object = None, **fields: str):
        """The body of a 2xx response; anything else is an error."""
        status, answer = self.request(method, path, body, **fields)
        if status // 100 != 2:
            raise RuntimeError(f"{method} {path}: {status} {answer!r:.300}")
        return answer


class Connection(Server):
    """A further connection to a server; its end does not stop the process."""

    def __exit__(self, *_) -> None:
        self._connection.close()


class Servers:
    """Starts servers on the server's core. Their files are in a directory of this run."""

    def __init__(self, cores: Cores) -> None:
        self.cores = cores
        OUT.mkdir(parents=True, exist_ok=True)
        self._directory = tempfile.TemporaryDirectory(prefix="run-", dir=OUT)
        self.directory = Path(self._directory.name)
        self._count = 0

    def _start(self, name: str, command: list[str]) -> Process:
        return Process(name, self.cores.server_prefix() + command)

    def fresh_store(self) -> str:
        self._count += 1
        return f"sqlite:{self.directory}/store-{self._count}.db"

    def toastd(self, store: str = "memory", *flags: str, loops: int = 1, pinned: bool = True) -> Server:
        """One loop on one core unless requested otherwise, because the yardsticks have one thread."""
        command = [str(toastd_binary()), "serve", "--listen", "127.0.0.1:0", "--store", store]
        command += ["--loops", str(loops), "--public", str(ROOT / "public"), *flags]
        prefix = self.cores.server_prefix() if pinned else self.cores.free_prefix()
        process = Process("toastd", prefix + command, env={"GLIBC_TUNABLES": TUNABLES} | os.environ)
        return Server(process, int(process.await_log(ADDRESS)[1]))

    def yardstick(self, name: str, *arguments: str) -> Server:
        """A program of `yardstick/`, built by the Makefile."""
        process = self._start(name, [str(OUT / name), *arguments])
        return Server(process, int(process.await_log(ADDRESS)[1]))

    def nchan(self) -> Server:
        """nginx with one worker and Nchan's memory buffer; `POST /pub/ID`, `GET /sub/ID`."""
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        home = self.directory / f"nchan-{port}"
        home.mkdir()
        template = (ROOT / "Benchmarks" / "yardstick" / "nchan.conf").read_text()
        (home / "nginx.conf").write_text(template.replace("@PORT@", str(port)).replace("@HOME@", str(home)))
        process = self._start("nchan", ["nginx", "-p", str(home), "-c", str(home / "nginx.conf")])
        process.await_log(re.compile("start worker process [0-9]+"))
        return Server(process, port, pid=children(process.pid)[0])


def nchan_missing() -> str | None:
    """Why Nchan cannot be measured, or None."""
    if shutil.which("nginx") and NCHAN_MODULE.exists():
        return None
    return "Nchan is not installed: make -C Benchmarks deps"


def toastd_binary() -> Path:
    return Path(os.environ.get("TOASTD_BIN", ROOT / ".build" / "release" / "toastd"))


def build_all() -> None:
    """Clients and yardsticks from the Makefile, toastd when its binary is missing."""
    subprocess.run(["make", "--silent", "-C", str(ROOT / "Benchmarks")], check=True)
    if not toastd_binary().exists():
        print("building toastd (swift build -c release) …", flush=True)
        subprocess.run(["swift", "build", "-c", "release", "--product", "toastd"], cwd=ROOT, check=True)
