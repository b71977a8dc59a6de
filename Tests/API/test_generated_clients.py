"""Clients that generators make from openapi.yaml work: they publish, list and poll.

Each runs in its own process, because it is a package that this test has just written.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from toastd import ROOT

DESCRIPTION = ROOT / "openapi.yaml"

OPENAPI_PYTHON_CLIENT = """
from client import Client, models
from client.api.publish import publish_toast
from client.api.streams import poll_channel
from client.api.toasts import list_toasts
from client.models import PresentedEvent, Problem, Toast

# A schema that only refers to another one has no class of its own.
ToastDraft = getattr(models, "ToastDraft", None) or models.ToastMembers

client = Client(base_url=URL)
published = publish_toast.sync(client=client, channel=NAME, body=ToastDraft.from_dict(DRAFT))
assert isinstance(published, Toast) and published.actions[0].title == "Undo", published
listed = list_toasts.sync(client=client, channel=NAME)
assert [toast.id for toast in listed.toasts] == [published.id]
events = []
while not any(isinstance(event, PresentedEvent) for event in events):
    answer = poll_channel.sync(client=client, channel=NAME, wait=10, since=answer.cursor if events else listed.cursor)
    events += answer.events
    assert answer.events
assert events[-1].toast.message == "Deployed" and events[-1].toast.progress.total == 12
refused = publish_toast.sync(client=client, channel=NAME, body=ToastDraft())
assert isinstance(refused, Problem) and refused.status == 422, refused
"""

OPENAPI_GENERATOR = """
from client import ApiClient, ApiException, Configuration, PresentedEvent, PublishApi, PublishToastRequest, StreamsApi
from client import ToastDraft, ToastsApi

with ApiClient(Configuration(host=URL)) as client:
    body = PublishToastRequest(ToastDraft.from_dict(DRAFT))
    published = PublishApi(client).publish_toast(NAME, body).actual_instance
    assert published.actions[0].title.actual_instance == "Undo", published
    listed = ToastsApi(client).list_toasts(NAME)
    assert [toast.id for toast in listed.toasts] == [published.id]
    events = []
    while not any(isinstance(event, PresentedEvent) for event in events):
        since = answer.cursor if events else listed.cursor
        answer = StreamsApi(client).poll_channel(NAME, wait=10, since=since)
        events += [event.actual_instance for event in answer.events]
        assert answer.events
    toast = events[-1].toast
    assert toast.message.actual_instance == "Deployed" and toast.progress.actual_instance.total == 12
    try:
        PublishApi(client).publish_toast(NAME, PublishToastRequest(ToastDraft()))
        raise AssertionError("a toast without a text was accepted")
    except ApiException as refused:
        assert refused.status == 422, refused
"""

DRAFT = {
    "role": "warning",
    "title": {"automatic": True},
    "message": "Deployed",
    "duration": "indefinite",
    "progress": {"value": 7, "total": 12},
    "actions": [{"id": "undo", "title": "Undo", "role": "destructive", "dismisses": "whenDone"}],
    "data": {"run": 1},
}


def generate(directory: Path, *command: str, **variables: str) -> None:
    tools = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"} | variables
    made = subprocess.run(
        [tools / command[0], *command[1:]],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert made.returncode == 0, made.stdout[-5000:] + made.stderr[-5000:]


def use(directory: Path, program: str, url: str, name: str) -> None:
    # Every file of the client is compiled, also those that the program does not import.
    check = "import compileall, sys; sys.exit(not compileall.compile_dir('client', quiet=1))"
    for text in (check, f"URL, NAME, DRAFT = {url!r}, {name!r}, {DRAFT!r}\n{program}"):
        result = subprocess.run(
            [sys.executable, "-c", text], cwd=directory, capture_output=True, text=True, timeout=120
        )
        assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-5000:]


@pytest.mark.timeout(420)
def test_a_client_of_openapi_python_client_works(tmp_path, server, name):
    options = ["--path", str(DESCRIPTION), "--meta", "none", "--output-path", str(tmp_path / "client")]
    generate(tmp_path, "openapi-python-client", "generate", *options)
    use(tmp_path, OPENAPI_PYTHON_CLIENT, server.url, name)


@pytest.mark.timeout(420)
def test_a_client_of_openapi_generator_works(tmp_path, server, name):
    options = ["-i", str(DESCRIPTION), "-g", "python", "-o", str(tmp_path), "--package-name", "client"]
    # The generator ends too soon for the JVM's optimizing compiler to pay off.
    generate(tmp_path, "openapi-generator-cli", "generate", *options, JAVA_OPTS="-XX:TieredStopAtLevel=1")
    use(tmp_path, OPENAPI_GENERATOR, server.url, name)


def test_the_description_has_nothing_that_generators_refuse():
    text = DESCRIPTION.read_text()
    aliases = [
        event.anchor for event in yaml.parse(text, Loader=yaml.CSafeLoader) if isinstance(event, yaml.AliasEvent)
    ]
    assert aliases == []
    description = yaml.load(text, Loader=yaml.CSafeLoader)
    assert "webhooks" not in description
    faults = []

    def visit(schema: object, path: str) -> None:
        if isinstance(schema, list):
            for number, item in enumerate(schema):
                visit(item, f"{path}/{number}")
        elif isinstance(schema, dict):
            if "const" in schema:
                faults.append(f"{path}: const")
            if schema.get("$ref", "").count("/") > 3:
                faults.append(f"{path}: a reference to a part of a schema")
            if any("$ref" not in part for part in schema.get("allOf", [])):
                faults.append(f"{path}: allOf with a schema of its own")
            if any(set(part) == {"required"} for part in schema.get("anyOf", [])):
                faults.append(f"{path}: anyOf of required")
            for key, value in schema.items():
                if key not in ("examples", "example", "default", "enum"):
                    visit(value, f"{path}/{key}")

    visit(description, "")
    assert faults == []


def test_defaults_have_the_settings_of_channels():
    """Their schemas repeat each other, because generators do not understand references to parts of a schema."""
    schemas = yaml.load(DESCRIPTION.read_text(), Loader=yaml.CSafeLoader)["components"]["schemas"]
    settings = {key: value for key, value in schemas["Settings"]["properties"].items() if key != "webhooks"}
    defaults = {key: value for key, value in schemas["Defaults"]["properties"].items() if key != "channels"}
    assert schemas["DefaultMembers"]["properties"] == defaults == settings
