"""Nodes that use NATS by TLS, with certificates on both sides, as a user that has only the documented rights."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from channel import Channel
from cluster import Node
from commands import run
from nats import NATSServer
from nats_accounts import Accounts, Authority
from streams import EventStream
from toastd import PUBLIC

DOCUMENTED_RIGHTS = ["toastd.>", "$JS.API.>", "$SYS.REQ.USER.INFO", "_INBOX.>"]
"""The rights that docs/operations.md lists for the NATS user of toastd."""


class Secured:
    """A server that lets in only clients with a certificate of its authority and the credentials of a user."""

    def __init__(self, directory: Path) -> None:
        self.authority = Authority(directory)
        self.accounts = Accounts(directory)
        certificate, key = self.authority.issue("server")
        configuration = directory / "nats.conf"
        configuration.write_text(
            f"{self.accounts.configuration}tls {{ cert_file: {certificate}, key_file: {key}, "
            f"ca_file: {self.authority.certificate}, verify: true }}\n"
        )
        self.server = NATSServer("secured", directory, "-c", str(configuration))
        self.url = f"tls://127.0.0.1:{self.server.port}"
        self.key_file = directory / "cluster-key"
        self.key_file.write_text(secrets.token_hex(32))
        self.key_file.chmod(0o600)
        self.certificate = self.authority.issue("node")

    def options(self, rights: list[str], *, certificate: bool = True, authority: bool = True) -> list[str]:
        """The options of a node."""
        options = ["--nats-replicas", "1", "--nats-credentials", str(self.accounts.credentials(rights))]
        if authority:
            options += ["--nats-authorities", str(self.authority.certificate)]
        if certificate:
            options += ["--nats-certificate", str(self.certificate[0]), "--nats-key", str(self.certificate[1])]
        return options

    def refuse(self, options: list[str]) -> str:
        """Starts a node that cannot connect, and returns its standard error."""
        store = ("--store", self.url, "--cluster-key-file", str(self.key_file))
        ended = run("serve", "--listen", "127.0.0.1:0", "--public", str(PUBLIC), *store, *options)
        assert ended.returncode not in (0, -11), ended
        return ended.stderr


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    secured = Secured(tmp_path_factory.mktemp("secured"))
    try:
        secured.server.restart()
        yield secured
    finally:
        secured.server.kill()


def test_two_nodes_work_with_the_documented_rights(secured, name):
    options = secured.options(DOCUMENTED_RIGHTS)
    with (
        Node("one", secured.url, secured.key_file, *options) as one,
        Node("other", secured.url, secured.key_file, *options) as other,
    ):
        one.wait_until_ready()
        other.wait_until_ready()
        # Each node owns some of the ten channels, so some publishes are forwarded.
        for number in range(10):
            channel = f"{name}-{number}"
            with EventStream(f"{other.url}/v1/channels/{channel}/stream") as stream:
                stream.wait("snapshot")
                Channel(one.url, channel).publish()
                stream.wait("presented")


def test_a_client_without_a_certificate_is_refused(secured):
    assert "127.0.0.1" in secured.refuse(secured.options(DOCUMENTED_RIGHTS, certificate=False))


def test_a_server_of_an_unknown_authority_is_refused(secured):
    assert "127.0.0.1" in secured.refuse(secured.options(DOCUMENTED_RIGHTS, authority=False))


def test_an_address_with_tls_is_not_used_without_tls(secured, tmp_path):
    plain = NATSServer("plain", tmp_path)
    try:
        plain.restart()
        store = ("--store", f"tls://127.0.0.1:{plain.port}", "--cluster-key-file", str(secured.key_file))
        ended = run("serve", "--listen", "127.0.0.1:0", "--public", str(PUBLIC), *store)
        assert (ended.returncode, "Secure Connection not available" in ended.stderr) == (1, True), ended
    finally:
        plain.kill()


def test_a_user_without_rights_is_refused(secured):
    assert "127.0.0.1" in secured.refuse(secured.options(["other.>"]))
