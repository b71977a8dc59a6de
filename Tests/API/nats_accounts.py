"""Credentials for a NATS server in operator mode: nkeys, JWTs signed with openssl, and a certificate authority.

The formats are those of https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt.
"""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import time
from pathlib import Path
from typing import Any

LIMITS = dict.fromkeys(("subs", "data", "payload", "imports", "exports", "conn", "leaf"), -1) | {"wildcards": True}
STORAGE = dict.fromkeys(("mem_storage", "disk_storage", "streams", "consumer"), -1)
"""What makes an account one with JetStream."""
SEED = 18 << 3
"""The letter S, with which every seed begins."""


def openssl(*arguments: str, input: bytes | None = None) -> bytes:
    return subprocess.run(["openssl", *arguments], input=input, check=True, capture_output=True, timeout=60).stdout


def checksum(data: bytes) -> bytes:
    """CRC-16/XMODEM, the lower byte first."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc.to_bytes(2, "little")


def base32(data: bytes) -> str:
    return base64.b32encode(data + checksum(data)).decode().rstrip("=")


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class NKey:
    """An Ed25519 key of an operator (O), account (A) or user (U)."""

    def __init__(self, letter: str, directory: Path, name: str = "key") -> None:
        self.path = directory / f"{name}-{letter}.pem"
        openssl("genpkey", "-algorithm", "ed25519", "-out", str(self.path))
        kind = (ord(letter) - ord("A")) << 3
        public = openssl("pkey", "-in", str(self.path), "-pubout", "-outform", "DER")[-32:]
        secret = openssl("pkey", "-in", str(self.path), "-outform", "DER")[-32:]
        self.public = base32(bytes([kind]) + public)
        self.seed = base32(bytes([SEED | kind >> 5, (kind & 31) << 3]) + secret)

    def sign(self, subject: NKey, name: str, claims: dict[str, Any]) -> str:
        """A JWT about `subject`."""
        body: dict[str, Any] = {"iat": int(time.time()), "iss": self.public, "name": name, "sub": subject.public}
        body["nats"] = {"version": 2, **claims}
        digest = hashlib.new("sha512_256", json.dumps(body).encode()).digest()
        body["jti"] = base64.b32encode(digest).decode().rstrip("=")
        parts = [{"typ": "JWT", "alg": "ed25519-nkey"}, body]
        text = ".".join(base64url(json.dumps(part).encode()) for part in parts)
        unsigned = self.path.with_suffix(".unsigned")
        unsigned.write_text(text)
        signature = openssl("pkeyutl", "-sign", "-rawin", "-inkey", str(self.path), "-in", str(unsigned))
        return f"{text}.{base64url(signature)}"


class Accounts:
    """An operator with an account for toastd, and the server's configuration for them."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.operator, self.account = NKey("O", directory), NKey("A", directory)
        system = NKey("A", directory, "system")
        operator = self.operator.sign(self.operator, "tests", {"type": "operator"})
        accounts = [
            (key.public, self.operator.sign(key, name, {"type": "account", "limits": limits}))
            for key, name, limits in ((self.account, "toasts", LIMITS | STORAGE), (system, "system", LIMITS))
        ]
        preload = "".join(f"    {public}: {token}\n" for public, token in accounts)
        self.configuration = (
            f"operator: {operator}\nsystem_account: {system.public}\n"
            f"resolver: MEMORY\nresolver_preload: {{\n{preload}}}\n"
        )

    def credentials(self, allowed: list[str]) -> Path:
        """The file of a new user that may publish and subscribe to these subjects."""
        user = NKey("U", self.directory)
        rights = {"allow": allowed}
        claims = {"type": "user", "pub": rights, "sub": rights, "subs": -1, "data": -1, "payload": -1}
        token = self.account.sign(user, "node", claims)
        path = self.directory / "node.creds"
        path.write_text(
            f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n"
        )
        return path


class Authority:
    """A certificate authority of the test's own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.certificate, self.key = directory / "ca.pem", directory / "ca.key"
        self._request(self.certificate, self.key, "-subj", "/CN=tests", "-addext", "basicConstraints=critical,CA:TRUE")

    def issue(self, name: str) -> tuple[Path, Path]:
        """A certificate for 127.0.0.1, and its key."""
        certificate, key = self.directory / f"{name}.pem", self.directory / f"{name}.key"
        self._request(
            *(certificate, key, "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-addext", "basicConstraints=critical,CA:FALSE", "-CA", str(self.certificate), "-CAkey", str(self.key)),
        )
        return certificate, key

    def _request(self, certificate: Path, key: Path, *options: str) -> None:
        kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1")
        openssl("req", "-x509", *kind, "-keyout", str(key), "-out", str(certificate), *options)
