"""Tokens with the keys of an identity provider: JWKS from a file and from the URL of a test provider."""

from __future__ import annotations

import base64
import hmac
import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest

from commands import run
from streams import EventStream
from toastd import PUBLIC, Toastd
from waiting import hang_up, until, wait_for_log

PATIENCE = 60


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Signer:
    """A key pair of a provider, made with OpenSSL."""

    ARGUMENTS: ClassVar = {
        "RS256": ("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"),
        "ES256": ("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"),
        "EdDSA": ("genpkey", "-algorithm", "ED25519"),
    }

    def __init__(self, directory: Path, kid: str, algorithm: str) -> None:
        self.kid, self.algorithm = kid, algorithm
        self.path = directory / f"{kid}.pem"
        openssl(*self.ARGUMENTS[algorithm], "-out", str(self.path))
        der = openssl("pkey", "-in", str(self.path), "-pubout", "-outform", "DER")
        if algorithm == "RS256":
            text = openssl("rsa", "-pubin", "-inform", "DER", "-modulus", "-noout", input=der).decode()
            modulus = bytes.fromhex(text.strip().removeprefix("Modulus="))
            self.jwk = {"kty": "RSA", "n": base64url(modulus), "e": "AQAB"}
        elif algorithm == "ES256":
            self.jwk = {"kty": "EC", "crv": "P-256", "x": base64url(der[-64:-32]), "y": base64url(der[-32:])}
        else:
            self.jwk = {"kty": "OKP", "crv": "Ed25519", "x": base64url(der[-32:])}
        self.jwk |= {"kid": kid, "use": "sig"}

    def access(self, directory: Path) -> Path:
        """Writes an access file with the provider's private key, with which `toastd token` signs like the provider."""
        public = openssl("pkey", "-in", str(self.path), "-pubout").decode()
        key = {"kid": self.kid, "algorithm": self.algorithm, "publicKey": public, "privateKey": self.path.read_text()}
        path = directory / f"{self.kid}-signer.json"
        path.write_text(json.dumps({"tokens": {"audience": "toastd", "issuer": "https://id.example", "keys": [key]}}))
        return path

    def token(self, scopes: str = "publish,subscribe") -> dict[str, str]:
        path = self.access(self.path.parent)
        signed = run("token", "--access", str(path), "--subject", "alice", "--scopes", scopes)
        assert signed.returncode == 0, signed.stderr
        return {"Authorization": f"Bearer {signed.stdout.strip()}"}


def openssl(*arguments: str, input: bytes | None = None) -> bytes:
    return subprocess.run(["openssl", *arguments], input=input, check=True, capture_output=True, timeout=60).stdout


class Provider:
    """Publishes a key set on a port that the system picks."""

    def __init__(self) -> None:
        self.answer: Callable[[], tuple[int, bytes]] = lambda: (200, b'{"keys": []}')
        self.requests = 0
        self._changed = threading.Condition()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, body = provider.answer()
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                provider.count()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/jwks.json"

    def publish(self, *keys: Signer | dict[str, Any]) -> None:
        document = {"keys": [key.jwk if isinstance(key, Signer) else key for key in keys]}
        self.answer = lambda: (200, json.dumps(document).encode())

    def count(self) -> None:
        with self._changed:
            self.requests += 1
            self._changed.notify_all()

    def wait(self, more: int = 2) -> None:
        """Waits for further requests of the set, so that the responses before them have taken effect."""
        with self._changed:
            count = self.requests + more
            assert self._changed.wait_for(lambda: self.requests >= count, PATIENCE), "nobody asked for the key set"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def provider() -> Iterator[Provider]:
    provider = Provider()
    yield provider
    provider.close()


@pytest.fixture(scope="module")
def signers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Signer]:
    directory = tmp_path_factory.mktemp("signers")
    return {algorithm: Signer(directory, f"key-{algorithm}", algorithm) for algorithm in Signer.ARGUMENTS}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Callable[..., Toastd]]:
    """Starts a server that verifies tokens with a key set."""
    servers: list[Toastd] = []

    def start(jwks: dict[str, Any], *options: str) -> Toastd:
        access = tmp_path / "access.json"
        write(access, jwks)
        servers.append(Toastd(tmp_path, "--access", str(access), *options).start())
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def write(access: Path, jwks: dict[str, Any]) -> None:
    tokens = {"audience": "toastd", "issuer": "https://id.example", "jwks": jwks}
    access.write_text(json.dumps({"tokens": tokens}))


def status(server: Toastd, headers: dict[str, str]) -> int:
    return httpx.get(f"{server.url}/v1/channels/ops/toasts", headers=headers).status_code


@pytest.mark.parametrize("algorithm", Signer.ARGUMENTS)
def test_a_key_of_a_file_verifies_tokens(house, signers, tmp_path, algorithm):
    (tmp_path / "jwks.json").write_text(json.dumps({"keys": [signer.jwk for signer in signers.values()]}))
    server = house({"file": "jwks.json"})
    assert status(server, signers[algorithm].token()) == 200


@pytest.mark.parametrize("algorithm", Signer.ARGUMENTS)
def test_a_key_of_a_url_verifies_tokens(house, provider, signers, algorithm):
    provider.publish(*signers.values())
    assert status(house({"url": provider.url}), signers[algorithm].token()) == 200


def test_a_token_does_not_choose_its_algorithm(house, provider, signers):
    """Forged tokens are refused: HS256 with the public key of RS256 as its secret, and the algorithm `none`."""
    provider.publish(signers["RS256"])
    server = house({"url": provider.url})
    public = openssl("pkey", "-in", str(signers["RS256"].path), "-pubout")
    good = signers["RS256"].token()["Authorization"].removeprefix("Bearer ")
    _, claims, signature = good.split(".")
    for algorithm in ("none", "HS256", "RS512", "PS256", "ES256"):
        forged = base64url(json.dumps({"alg": algorithm, "kid": "key-RS256"}).encode())
        for end in (signature, "", base64url(hmac.digest(public, f"{forged}.{claims}".encode(), "sha256"))):
            assert status(server, {"Authorization": f"Bearer {forged}.{claims}.{end}"}) == 401
    assert status(server, {"Authorization": f"Bearer {good}"}) == 200


def test_keys_are_matched_by_kid(house, provider, signers, tmp_path):
    provider.publish(signers["ES256"], signers["EdDSA"])
    server = house({"url": provider.url})
    assert status(server, signers["ES256"].token()) == 200
    assert status(server, Signer(tmp_path, "unknown", "ES256").token()) == 401
    # Another key with the same `kid`.
    assert status(server, Signer(tmp_path, "key-ES256", "ES256").token()) == 401


def test_keys_that_cannot_be_used_are_named_in_the_log(house, provider, signers):
    rsa, ed = signers["RS256"], signers["EdDSA"]
    provider.publish(
        rsa,
        {**rsa.jwk, "kid": "encrypts", "use": "enc"},
        {**rsa.jwk, "kid": "longer", "alg": "RS512"},
        {name: value for name, value in rsa.jwk.items() if name != "kid"},
        {"kty": "oct", "kid": "shared", "k": base64url(32 * b"x")},
        {**ed.jwk, "kid": "published", "d": base64url(32 * b"x")},
        {**ed.jwk, "kid": "broken", "x": "AAAA"},
        {"kty": "EC", "crv": "P-521", "kid": "curve", "x": "AA", "y": "AA"},
        {**rsa.jwk, "n": ed.jwk["x"], "kid": "short"},
        {**rsa.jwk},
        "nonsense",
    )
    server = house({"url": provider.url})
    wait_for_log(server, "the key set was read")
    unused = [line for line in server.log if "a key of the key set is not used" in line]
    named = ["encrypts", "longer", "the key at 3", "shared", "published", "broken", "curve", "short", "key-RS256"]
    for name, line in zip([*named, "the key at 10"], unused, strict=True):
        assert name in line
    assert status(server, rsa.token()) == 200


def test_a_set_is_fetched_again_and_kept_when_that_fails(house, provider, signers):
    provider.publish(signers["ES256"])
    server = house({"url": provider.url, "refreshSeconds": 1})
    old, new = signers["ES256"].token(), signers["EdDSA"].token()
    assert (status(server, old), status(server, new)) == (200, 401)
    for answer in [(500, b""), (200, b"<html>"), (200, b'{"keys": 1}'), (302, b""), (200, b" " * 300_000)]:
        provider.answer = lambda answer=answer: answer
        provider.wait()
        assert status(server, old) == 200
    wait_for_log(server, "status 302")
    provider.publish(signers["ES256"], signers["EdDSA"])
    until(lambda: status(server, new) == 200)
    assert status(server, old) == 200


def test_a_removed_key_ends_the_streams_of_its_tokens_and_an_added_one_ends_none(house, provider, signers):
    provider.publish(signers["ES256"])
    server = house({"url": provider.url, "refreshSeconds": 1})
    token = signers["ES256"].token()
    with EventStream(f"{server.url}/v1/channels/ops/stream", headers=token) as stream:
        stream.wait("snapshot")
        provider.publish(signers["ES256"], signers["EdDSA"])
        until(lambda: status(server, signers["EdDSA"].token()) == 200)
        body = {"message": "still there"}
        assert httpx.post(f"{server.url}/v1/channels/ops/toasts", json=body, headers=token).status_code == 201
        stream.wait("presented")
        provider.publish(signers["EdDSA"])
        stream.over()
    assert status(server, token) == 401


def test_a_server_starts_without_its_provider(house, provider, signers):
    provider.answer = lambda: (503, b"")
    server = house({"url": provider.url, "refreshSeconds": 1})
    wait_for_log(server, "the key set cannot be read")
    assert status(server, signers["ES256"].token()) == 401
    provider.publish(signers["ES256"])
    until(lambda: status(server, signers["ES256"].token()) == 200)


def test_sighup_reads_the_set_again(house, provider, signers, tmp_path):
    provider.publish(signers["ES256"])
    server = house({"url": provider.url})
    provider.publish(signers["EdDSA"])
    hang_up(server, "read again")
    until(lambda: status(server, signers["EdDSA"].token()) == 200)
    (tmp_path / "jwks.json").write_text(json.dumps({"keys": [signers["RS256"].jwk]}))
    write(tmp_path / "access.json", {"file": "jwks.json"})
    hang_up(server, "read again")
    until(lambda: status(server, signers["RS256"].token()) == 200)
    assert status(server, signers["EdDSA"].token()) == 401


def test_a_slow_provider_delays_no_revocation(house, provider, signers, tmp_path):
    """SIGHUP revokes all tokens while the fetch of the set is blocked by the test."""
    provider.publish(signers["ES256"])
    server = house({"url": provider.url, "refreshSeconds": 1})
    token = signers["ES256"].token()
    assert status(server, token) == 200
    asked, may_answer = threading.Event(), threading.Event()

    def stall() -> tuple[int, bytes]:
        asked.set()
        may_answer.wait(PATIENCE)
        return 503, b""

    provider.answer = stall
    assert asked.wait(PATIENCE)
    (tmp_path / "access.json").write_text('{"keys": []}')
    start = time.monotonic()
    hang_up(server, "read again")
    assert status(server, token) == 401
    assert time.monotonic() - start < PATIENCE / 2
    may_answer.set()


@pytest.mark.parametrize(
    ("jwks", "place"),
    [
        ({"url": "http://id.example/jwks.json"}, "/tokens/jwks/url: an https URL is expected"),
        ({"url": "http://127.0.0.1.evil.example/"}, "/tokens/jwks/url: an https URL is expected"),
        ({"url": "http://127.0.0.1@evil.example/"}, "/tokens/jwks/url: an https URL is expected"),
        ({"url": "file:///etc/jwks.json"}, "/tokens/jwks/url: an https URL is expected"),
        ({"url": "https://"}, "/tokens/jwks/url: an https URL is expected"),
        ({}, "/tokens/jwks: either url or file"),
        ({"url": "https://id.example/", "file": "a"}, "/tokens/jwks: either url or file"),
        ({"url": "https://id.example/", "refreshSeconds": 0}, "/tokens/jwks/refreshSeconds: a number from 1 to 86400"),
        ({"uri": "https://id.example/"}, "/tokens/jwks/uri: there is no such member"),
        ({"file": "none.json"}, "none.json: this key set cannot be read"),
    ],
)
def test_an_invalid_place_of_a_key_set_is_named(tmp_path, jwks, place):
    write(tmp_path / "access.json", jwks)
    checked = run(
        "check-config", "--public", str(PUBLIC), "--store", "memory", "--access", str(tmp_path / "access.json")
    )
    assert checked.returncode == 1
    assert place in checked.stderr


@pytest.mark.parametrize("url", ["https://id.example/jwks", "http://[::1]:8081/jwks", "HTTP://localhost/jwks"])
def test_a_configuration_with_a_url_is_checked_without_a_request(tmp_path, url):
    write(tmp_path / "access.json", {"url": url})
    checked = run(
        "check-config", "--public", str(PUBLIC), "--store", "memory", "--access", str(tmp_path / "access.json")
    )
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"tokens": {"audience": "toastd", "isuer": "https://id.example", "keys": []}}', "/tokens/isuer: there is no"),
        ('{"tokens": {"audience": "toastd"}}', "/tokens: keys or jwks is missing"),
        ('{"keys": [{"id": "1", "name": "a", "digest": "", "grants": [], "expire": "2026-01-01"}]}', "/keys/0/expire"),
        ('{"keys": [],\n oh}', "line 2: "),
    ],
)
def test_an_access_file_that_is_wrong_says_where(tmp_path, text, place):
    access = tmp_path / "access.json"
    access.write_text(text)
    checked = run("check-config", "--public", str(PUBLIC), "--store", "memory", "--access", str(access))
    assert checked.returncode == 1
    assert place in checked.stderr


def test_a_key_set_signs_nothing(tmp_path):
    write(tmp_path / "access.json", {"url": "https://id.example/jwks"})
    signed = run("token", "--access", str(tmp_path / "access.json"), "--subject", "a", "--scopes", "publish")
    assert signed.returncode == 64
    assert "no key of its own to sign with" in signed.stderr
