"""Changes generated requests so that they have properties that a schema cannot express."""

import itertools
import json
import plistlib
import re
import secrets
from pathlib import Path

import schemathesis
import yaml

KEY = "Idempotency-Key"
DESCRIPTION = Path(__file__).parents[2] / "openapi.yaml"
SCHEMAS = yaml.load(DESCRIPTION.read_text(), Loader=yaml.CSafeLoader)["components"]["schemas"]
PATTERN = re.compile(SCHEMAS["Defaults"]["properties"]["channels"]["propertyNames"]["pattern"])
WEBHOOK = re.compile(SCHEMAS["Webhook"]["properties"]["url"]["pattern"])
WEBHOOK_ID = re.compile(SCHEMAS["Webhook"]["properties"]["id"]["pattern"])


@schemathesis.hook
def before_call(context, case, kwargs):
    headers = case.headers or {}
    # A key belongs to one request, but generated requests share keys.
    if 0 < len(key := headers.get(KEY) or "") <= 255:
        unique = secrets.token_hex(8)
        headers[KEY] = key[:-1] + unique + key[-1] if len(key) < 200 else key[:100] + unique + key[-100:]
    # The request decides whether the response has a body, which OpenAPI cannot express.
    if "return=minimal" in (headers.get("Prefer") or ""):
        del headers["Prefer"]
    # A generated entity tag matches no settings and no catalog, so the rest of such a request would not be tested.
    if case.operation.path.endswith(("/settings", "/catalogs/{language}")):
        headers.pop("If-Match", None)
    # The media type or the query gives the format of the body; if they differ, the query takes precedence.
    if (case.query or {}).get("format") in ("json", "strings", "xcstrings"):
        del case.query["format"]
    distinguish_actions(case.body)
    tame_webhooks(case.body)
    if case.operation.path == "/v1/settings":
        reuse_patterns(case.body)
    if case.method == "PATCH":
        keep_text(case.body)


def tame_webhooks(value):
    """Gives webhooks different URLs, as a channel requires, all on this machine, so that no other host gets posts."""
    webhooks = value.get("webhooks") if isinstance(value, dict) else None
    for number, webhook in enumerate(webhooks if isinstance(webhooks, list) else []):
        if isinstance(webhook, dict) and WEBHOOK.fullmatch(str(webhook.get("url"))) and len(webhook["url"]) <= 2048:
            webhook["url"] = f"http://127.0.0.1:9/{number}"
            # An id belongs to its URL, which JSON Schema cannot express.
            if WEBHOOK_ID.fullmatch(str(webhook.get("id"))):
                del webhook["id"]


def reuse_patterns(defaults):
    """Renames patterns to a few names: their number is limited, and all requests add to the same document."""
    channels = defaults.get("channels") if isinstance(defaults, dict) else None
    if isinstance(channels, dict):
        names = [f"c{number}" if PATTERN.fullmatch(name) else name for number, name in enumerate(channels)]
        defaults["channels"] = dict(zip(names, channels.values(), strict=True))


def distinguish_actions(value):
    """Gives the actions of a toast different ids, which JSON Schema cannot demand."""
    if isinstance(value, list):
        for item in value:
            distinguish_actions(item)
    elif isinstance(value, dict):
        seen = set()
        actions = value.get("actions")
        for action in actions if isinstance(actions, list) else []:
            if isinstance(action, dict) and isinstance(action.get("id"), str):
                identifier = action["id"]
                for number in itertools.count():
                    if action["id"] not in seen:
                        break
                    action["id"] = f"{identifier[:60]}-{number}"
                seen.add(action["id"])
        distinguish_actions(value.get("toast"))


def keep_text(patch):
    """Leaves out members that would remove a text: a toast must keep one, and the patch does not tell which it has."""
    if isinstance(patch, dict):
        for name, other in [("message", "title"), ("title", "message")]:
            if name in patch and is_no_text(patch[name]) and is_no_text(patch.get(other)):
                del patch[name]


def is_no_text(value):
    """Whether a value sets no text; an automatic title, which is that of the role, does not count."""
    return value is None or (isinstance(value, dict) and value.get("automatic") is True)


@schemathesis.serializer("application/x-ndjson")
def serialize_lines(context, value):
    """Makes one line of a string, with the string as its message: the description has only a string for the lines."""
    if isinstance(value, str):
        message = value[:1000]
        value = {"message": message if re.search(r"[^\s\x85\uFEFF]", message) else "m"}
    return json.dumps(value).encode()


@schemathesis.serializer("text/x-strings")
def serialize_strings(context, value):
    """Makes a file with one key of a string: the description has only a string for the whole file."""
    return (
        f"key = {json.dumps(value, ensure_ascii=False)};".encode(errors="replace") if isinstance(value, str) else b"{"
    )


@schemathesis.serializer("application/x-plist")
def serialize_property_list(context, value):
    """Replaces a value that a property list cannot contain by an invalid property list."""
    try:
        return plistlib.dumps(value)
    except (TypeError, ValueError, OverflowError, AttributeError):
        return b"<plist>"
