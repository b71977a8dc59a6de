"""Symfony's Mercure component, as Debian packages it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import subprocess
from pathlib import Path
from typing import Any

KEY = "a secret of publishers that has 32 bytes or more"

# Debian packages no autoloader that finds all of these classes.
PHP = r"""<?php
spl_autoload_register(function ($name) {
    $file = '/usr/share/php/' . str_replace('\\', '/', $name) . '.php';
    if (is_file($file)) { require $file; }
});
"""

SCRIPT = (
    PHP
    + r"""
[, $url, $token, $topic, $data] = $argv;
$provider = new Symfony\Component\Mercure\Jwt\StaticTokenProvider($token);
$hub = new Symfony\Component\Mercure\Hub($url, $provider);
try {
    echo $hub->publish(new Symfony\Component\Mercure\Update($topic, $data, true));
} catch (Symfony\Component\Mercure\Exception\RuntimeException $error) {
    echo 'refused: ', $error->getPrevious()->getMessage();
}
"""
)


def encode(part: bytes) -> str:
    return base64.urlsafe_b64encode(part).decode().rstrip("=")


def token(topics: list[str], *, key: str = KEY, alg: str = "HS256", head: Any = None, **claims: Any) -> str:
    head = encode(json.dumps({"alg": alg, "typ": "JWT", **(head or {})}).encode())
    body = encode(json.dumps({"mercure": {"publish": topics}, **claims}).encode())
    code = hmac.new(key.encode(), f"{head}.{body}".encode(), hashlib.sha256).digest()
    return f"{head}.{body}.{encode(code)}"


def publish(directory: Path, url: str, token: str, topic: str, data: str) -> str:
    """Publishes through Symfony, and returns the program's output."""
    script = directory / "publish.php"
    script.write_text(SCRIPT)
    command = ["php", str(script), f"{url}/.well-known/mercure", token, topic, data]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout
