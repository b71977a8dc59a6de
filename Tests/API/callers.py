"""Callers with their own permissions: tokens that the test signs, for a server that knows the secret."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from pathlib import Path

SECRET = bytes(range(32))


def _encoded(value: bytes | dict) -> str:
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def access_file(directory: Path) -> Path:
    """The access file of a server that accepts these tokens."""
    key = {"kid": "a", "algorithm": "HS256", "secret": base64.b64encode(SECRET).decode()}
    path = directory / "access.json"
    path.write_text(json.dumps({"keys": [], "tokens": {"audience": "toastd", "keys": [key]}}))
    return path


def caller(subject: str, *grants: tuple[str, str]) -> dict[str, str]:
    """The header field of a caller with grants: scopes and channels, each separated by commas."""
    rights = [{"scopes": scopes.split(","), "channels": channels.split(",")} for scopes, channels in grants]
    claims = {"sub": subject, "aud": "toastd", "exp": int(time.time()) + 3600, "toastd": rights}
    signed = f"{_encoded({'alg': 'HS256', 'typ': 'JWT', 'kid': 'a'})}.{_encoded(claims)}"
    signature = hmac.new(SECRET, signed.encode(), hashlib.sha256).digest()
    return {"Authorization": f"Bearer {signed}.{_encoded(signature)}"}
