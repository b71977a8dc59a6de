"""Caddy and nginx in front of a server, with the configurations in deploy/, which docs/operations.md shows."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import ssl
import subprocess
import time
from pathlib import Path

import httpx

from toastd import ROOT, Toastd

CADDYFILE = ROOT / "deploy/caddy/Caddyfile"
NGINX_CONF = ROOT / "deploy/nginx/toastd.conf"
PATIENCE = 60


def free_port() -> int:
    """A port of the loopback that no program listens on.

    It is below the range from which the system gives ports to other programs before this one is used.
    """
    end = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.randrange(10_000, end)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def certificate(directory: Path) -> tuple[Path, Path]:
    """A temporary certificate for localhost."""
    pem, key = directory / "localhost.pem", directory / "localhost.key"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
            *("-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-out", str(pem), "-keyout", str(key)),
        ],
        check=True,
        capture_output=True,
    )
    return pem, key


class Proxy:
    """A proxy in front of a server, at `url`; `authority` is the file of the certificate that its clients trust."""

    def __init__(self, kind: str, directory: Path, server: Toastd) -> None:
        self.kind = kind
        self.directory = directory / kind
        self.directory.mkdir()
        self.upstream = server.url.removeprefix("http://")
        self.port = free_port()
        self.url = f"https://localhost:{self.port}"
        self.log = self.directory / "log"
        self.authority, self.command = self.caddy() if kind == "caddy" else self.nginx()

    def caddy(self) -> tuple[Path, list[str]]:
        storage = self.directory / "storage"
        options = ["admin off", "skip_install_trust", "auto_https disable_redirects", "default_bind 127.0.0.1"]
        options.append(f"storage file_system {storage}")
        file = self.directory / "Caddyfile"
        file.write_text("{\n" + "\n".join(options) + f"\n}}\nimport {CADDYFILE}\n")
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]
        return storage / "pki/authorities/local/root.crt", command

    def nginx(self) -> tuple[Path, list[str]]:
        pem, key = certificate(self.directory)
        text = NGINX_CONF.read_text()
        for old, new in {
            "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port} ssl http2;",
            "server 127.0.0.1:8080;": f"server {self.upstream};",
            "/etc/ssl/toasts.example.org.pem": str(pem),
            "/etc/ssl/private/toasts.example.org.key": str(key),
        }.items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        (self.directory / "toastd.conf").write_text(text)
        places = "".join(
            f"{name}_temp_path {self.directory}/{name};\n"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        file = self.directory / "nginx.conf"
        file.write_text(
            f"daemon off;\nmaster_process off;\npid {self.directory}/pid;\nerror_log stderr;\n"
            f"events {{}}\nhttp {{\naccess_log off;\n{places}include {self.directory}/toastd.conf;\n}}\n"
        )
        return pem, ["nginx", "-c", str(file), "-p", str(self.directory)]

    def __enter__(self) -> Proxy:
        environment = {
            **os.environ,
            "TOASTD_SITE": f"localhost:{self.port}",
            "TOASTD_UPSTREAM": self.upstream,
            "HOME": str(self.directory),
            "XDG_CONFIG_HOME": str(self.directory),
        }
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment
            )
        deadline = time.monotonic() + PATIENCE
        while not self.is_serving():
            if time.monotonic() > deadline or self.process.poll() is not None:
                self.__exit__()
                raise AssertionError(f"{self.kind} does not serve:\n{self.log.read_text()}")
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.authority))

    def is_serving(self) -> bool:
        try:
            return httpx.get(f"{self.url}/livez", verify=self.trust).status_code == 200
        except (httpx.HTTPError, OSError):
            return False

    def client(self, source: str = "127.0.0.1") -> httpx.Client:
        """A client that connects from an address of this machine."""
        return httpx.Client(
            base_url=self.url,
            transport=httpx.HTTPTransport(verify=self.trust, local_address=source),
            timeout=30,
        )
