"""The types of the client have the members that openapi.yaml describes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import pytest
import yaml

from conftest import ROOT
from toastd import (
    Action,
    Channel,
    Draft,
    Event,
    Hold,
    Page,
    Problem,
    PublicationResults,
    Toast,
    ToastBatch,
    Toastd,
    UpdatedToasts,
    Warning,
)
from toastd._models import PublicationResult

CONTRACT = yaml.load((ROOT / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)
SCHEMAS = CONTRACT["components"]["schemas"]


def members(schema: dict[str, Any]) -> set[str]:
    """The members of an object, also those of the schemas that it consists of or chooses from."""
    if "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rsplit("/", 1)[1]]
    parts = schema.get("allOf", []) + schema.get("oneOf", [])
    return set(schema.get("properties", {})).union(*map(members, parts))


@pytest.mark.parametrize(
    ("model", "schema"),
    [
        (Action, "Action"),
        (Draft, "ToastDraft"),
        (Event, "Event"),
        (Hold, "Hold"),
        (Page, "ToastList"),
        (Problem, "Problem"),
        (PublicationResults, "PublicationResults"),
        (Toast, "Toast"),
        (ToastBatch, "ToastBatch"),
        (UpdatedToasts, "UpdatedToasts"),
        (Warning, "Warning"),
    ],
)
def test_a_type_has_the_members_of_its_schema(model: Any, schema: str) -> None:
    assert set(model.__annotations__) == members(SCHEMAS[schema])


def test_the_result_of_a_channel_has_the_members_of_its_schema() -> None:
    items = SCHEMAS["PublicationResults"]["properties"]["results"]["items"]
    assert set(PublicationResult.__annotations__) == members(items)


def test_required_members_are_required() -> None:
    assert Toast.__required_keys__ <= set(SCHEMAS["Toast"]["required"])
    assert Hold.__required_keys__ == set(SCHEMAS["Hold"]["required"])
    assert Warning.__required_keys__ == set(SCHEMAS["Warning"]["required"])
    assert Page.__required_keys__ == set(SCHEMAS["ToastList"]["required"])
    assert ToastBatch.__required_keys__ == set(SCHEMAS["ToastBatch"]["required"])
    assert UpdatedToasts.__required_keys__ == set(SCHEMAS["UpdatedToasts"]["required"])


def is_nullable(schema: dict[str, Any]) -> bool:
    """Whether null is one of the types of a member."""
    return "null" in schema.get("type", []) or any(map(is_nullable, schema.get("oneOf", [])))


def test_a_member_of_an_action_that_may_be_null_may_be_none() -> None:
    nullable = {name for name, member in SCHEMAS["ActionInput"]["properties"].items() if is_nullable(member)}
    assert nullable == {name for name, hint in get_type_hints(Action).items() if type(None) in get_args(hint)}


@pytest.mark.parametrize(
    ("stream", "path"), [(Channel.stream, "/v1/channels/{channel}/stream"), (Toastd.stream, "/v1/stream")]
)
def test_a_stream_has_the_options_of_the_contract(stream: Callable[..., Any], path: str) -> None:
    names = [each["$ref"].rsplit("/", 1)[1] for each in CONTRACT["paths"][path]["get"]["parameters"]]
    parameters = [CONTRACT["components"]["parameters"][name] for name in names]
    options = {each["name"] for each in parameters if each["in"] == "query"} - {"channel"}
    assert set(inspect.signature(stream).parameters) - {"self", "channels"} == options
