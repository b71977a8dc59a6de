"""asyncapi.yaml is valid, agrees with openapi.yaml, and describes the messages of streams and sockets."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator, ValidationError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from toastd import ROOT

STREAMS = yaml.load((ROOT / "asyncapi.yaml").read_text(), Loader=yaml.CSafeLoader)
REST = yaml.load((ROOT / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)
MESSAGES = STREAMS["components"]["messages"]
SCHEMAS = Registry().with_resource("openapi.yaml", Resource(contents=REST, specification=DRAFT202012)).crawl()


def resolved(reference: str) -> Any:
    document, pointer = reference.split("#/", 1)
    value = {"": STREAMS, "openapi.yaml": REST}[document]
    for name in pointer.split("/"):
        value = value[name]
    return value


def references(value: Any) -> list[str]:
    if isinstance(value, list):
        return [found for item in value for found in references(item)]
    if isinstance(value, dict):
        own = [value["$ref"]] if "$ref" in value else []
        return own + [found for item in value.values() for found in references(item)]
    return []


def check(message: str, payload: Any) -> None:
    """Fails if a payload is not as the message describes it."""
    Draft202012Validator(MESSAGES[message]["payload"], registry=SCHEMAS).validate(payload)


def test_the_document_is_valid():
    with warnings.catch_warnings():
        # The package warns about fields that shadow those of its base class.
        warnings.simplefilter("ignore", UserWarning)
        from asyncapi3 import AsyncAPI3
    assert AsyncAPI3.model_validate(STREAMS).asyncapi == "3.0.0"
    with pytest.raises(ValueError, match="operations"):
        AsyncAPI3.model_validate({**STREAMS, "operations": {"x": {"action": "shout"}}})


def test_every_reference_leads_somewhere():
    found = references(STREAMS)
    assert len(found) > 100
    for reference in found:
        assert resolved(reference), reference


def test_it_has_the_streams_and_sockets_of_openapi():
    ids = {"streamChannel", "streamChannels", "openChannelSocket", "openSocket"}
    gets = {path: item["get"] for path, item in REST["paths"].items() if "get" in item}
    described = {path: get for path, get in gets.items() if get["operationId"] in ids}
    assert {channel["address"] for channel in STREAMS["channels"].values()} == set(described)
    for name in ids:
        operation = STREAMS["operations"][name]
        channel = resolved(operation["channel"]["$ref"])
        query = operation["bindings"]["http"] if "bindings" in operation else channel["bindings"]["ws"]
        parameters = [
            REST["components"]["parameters"][parameter["$ref"].rsplit("/", 1)[1]] if "$ref" in parameter else parameter
            for parameter in described[channel["address"]]["parameters"]
        ]
        expected = {parameter["name"] for parameter in parameters if parameter["in"] == "query"}
        assert set(resolved(query["query"]["$ref"])["properties"]) == expected, name


def test_every_channel_has_every_event():
    events = set(REST["components"]["schemas"]["Event"]["discriminator"]["mapping"])
    for name, channel in STREAMS["channels"].items():
        expected = events | ({"command", "reply"} if "ocket" in name else set())
        assert set(channel["messages"]) == expected, name
    for name in events:
        assert resolved(MESSAGES[name]["payload"]["$ref"])["properties"]["type"]["enum"] == [name]


def test_a_stream_carries_what_is_described(attach, channel):
    stream = attach("stream")
    stream.wait("snapshot")
    toast = channel.publish("m", duration="indefinite", actions=[{"id": "undo", "title": "Undo"}])
    stream.wait("presented", id=toast["id"])
    channel.patch(toast, {"message": "n"})
    channel.configure(placement="bottom")
    channel.hold(toast, lease=10)
    channel.release(toast)
    channel.act(toast, "undo")
    stream.wait("dismissed", id=toast["id"])
    seen = {event["type"] for event in stream.events}
    assert seen >= {"snapshot", "enqueued", "presented", "updated", "configured", "held", "released", "acted"}
    later = attach("stream", since=stream.events[0]["cursor"])
    later.wait("dismissed", id=toast["id"])
    assert later.events[0]["type"] == "resumed"
    for event in stream.events + later.events:
        check(event["type"], event)


def test_a_socket_carries_what_is_described(attach, channel):
    socket = attach("socket")
    socket.wait("snapshot")
    publish = {"command": "publish", "toast": {"message": "m", "duration": "indefinite"}}
    check("command", publish)
    socket.send(**publish)
    toast = socket.wait("presented")["toast"]
    dismiss = {"command": "dismiss", "id": toast["id"], "dismissReason": "swipe"}
    check("command", dismiss)
    socket.send(**dismiss)
    socket.wait("dismissed")
    socket.send(command="dance")
    with pytest.raises(ValidationError, match="dance"):
        check("command", {"command": "dance"})
    assert [reply["type"] for reply in socket.replies] == ["ack", "ack", "error"]
    for reply in socket.replies:
        check("reply", reply)
    for event in socket.events:
        check(event["type"], event)
