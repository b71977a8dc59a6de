"""Hosts in network namespaces, on one bridge. Links between them are cut by nftables, each direction by itself.

The process that uses this module runs in a namespace of its own (`unshare --net`). So the network of the machine is not
changed, and all of this is gone when the process ends.
"""

from __future__ import annotations

import ctypes
import os
import socket
import subprocess
from collections.abc import Iterable

CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)
RULES = """
table inet cuts {
    set senders { type ipv4_addr; }
    set receivers { type ipv4_addr; }
    chain input { type filter hook input priority 0; ip saddr @senders drop; }
    chain output { type filter hook output priority 0; ip daddr @receivers drop; }
}
"""


def isolated(command: list[str], *namespaces: str) -> list[str]:
    """A command in namespaces of its own, where it may do what `Network` needs; they are options of unshare."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", *user, *(namespaces or ["--net"]), "--", *command]


class Host:
    """A namespace with an address on the bridge and a loopback of its own."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.address = f"10.77.0.{number}"
        home = os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        if LIBC.unshare(CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "unshare")
        self.descriptor = os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        enter(home)
        self.home = home
        link = f"h{number}"
        run("ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", self.path)
        run("ip", "link", "set", link, "master", "bridge", "up")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "address", "add", f"{self.address}/24", "dev", "eth0")
        self.run("ip", "link", "set", "eth0", "up")
        self.run("nft", "-f", "-", text=RULES)

    @property
    def path(self) -> str:
        return f"/proc/{os.getpid()}/fd/{self.descriptor}"

    @property
    def prefix(self) -> tuple[str, ...]:
        """The beginning of a command that runs in this host."""
        return ("nsenter", f"--net={self.path}", "--")

    def run(self, *command: str, text: str = "") -> None:
        run(*self.prefix, *command, text=text)

    def socket(self) -> socket.socket:
        """A new socket of this host; a socket belongs to its namespace for life."""
        enter(self.descriptor)
        try:
            return socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        finally:
            enter(self.home)

    def cut(self, others: Iterable[Host], *, sending: bool = True, receiving: bool = True) -> None:
        """Drops everything that this host sends to others, or receives from them, until `heal`."""
        addresses = ", ".join(host.address for host in others)
        if receiving:
            self.run("nft", "add", "element", "inet", "cuts", "senders", f"{{ {addresses} }}")
        if sending:
            self.run("nft", "add", "element", "inet", "cuts", "receivers", f"{{ {addresses} }}")

    def heal(self) -> None:
        for name in ("senders", "receivers"):
            self.run("nft", "flush", "set", "inet", "cuts", name)


class Network:
    """A bridge that this process and all hosts are on."""

    def __init__(self) -> None:
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "bridge", "type", "bridge")
        run("ip", "address", "add", "10.77.0.1/24", "dev", "bridge")
        run("ip", "link", "set", "bridge", "up")
        self.hosts: list[Host] = []

    def add(self, name: str) -> Host:
        self.hosts.append(Host(name, len(self.hosts) + 2))
        return self.hosts[-1]


def run(*command: str, text: str = "") -> None:
    subprocess.run(command, check=True, input=text, text=True)


def enter(descriptor: int) -> None:
    """Moves this thread to a namespace."""
    if LIBC.setns(descriptor, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")
