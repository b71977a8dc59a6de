"""The types of the client have the members that openapi.yaml describes."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from conftest import ROOT
from toastd import Action, Draft, Event, Hold, Page, Problem, PublicationResults, Toast, Warning
from toastd._models import PublicationResult

SCHEMAS = yaml.load((ROOT / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)["components"]["schemas"]


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
