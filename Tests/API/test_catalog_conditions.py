"""Conditional changes of catalogs: they succeed only if the catalog is still what the client has read."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from test_problems import problem

XCSTRINGS_TYPE = {"Content-Type": "application/vnd.apple.xcstrings+json"}


@pytest.fixture
def catalogs(launch) -> Iterator[httpx.Client]:
    """A separate server, because catalogs apply to all channels."""
    with httpx.Client(base_url=launch(store="memory").url, timeout=60) as client:
        yield client


def test_a_catalog_is_changed_on_a_condition(catalogs):
    def put(text, **condition):
        headers = {name.replace("_", "-"): value for name, value in condition.items()}
        return catalogs.put("/v1/catalogs/fr", json={"a": text}, headers=headers)

    problem(put("0", If_Match="*"), 412, "precondition-failed")
    assert put("1", If_None_Match="*").status_code == 201
    problem(put("2", If_None_Match="*"), 412, "precondition-failed")
    old = catalogs.get("/v1/catalogs/fr").headers["etag"]
    assert put("3", If_Match=old).status_code == 200
    for stale in (old, "", 'W/"x"'):
        problem(put("4", If_Match=stale), 412, "precondition-failed")
        problem(catalogs.delete("/v1/catalogs/fr", headers={"If-Match": stale}), 412, "precondition-failed")
    current = catalogs.get("/v1/catalogs/fr")
    assert current.json() == {"a": "3"}
    assert catalogs.delete("/v1/catalogs/fr", headers={"If-Match": current.headers["etag"]}).status_code == 204


def test_all_catalogs_are_replaced_on_a_condition(catalogs):
    def put(text, **condition):
        strings = {"a": {"localizations": {"pl": {"stringUnit": {"state": "translated", "value": text}}}}}
        body = json.dumps({"sourceLanguage": "en", "version": "1.0", "strings": strings})
        headers = {name.replace("_", "-"): value for name, value in condition.items()}
        return catalogs.put("/v1/catalogs", content=body, headers={**XCSTRINGS_TYPE, **headers})

    old = catalogs.get("/v1/catalogs").headers["etag"]
    assert put("1", If_Match=old).status_code == 200
    read = catalogs.get("/v1/catalogs").headers["etag"]
    # The same number of texts, but other ones.
    assert put("2", If_Match=read).status_code == 200
    for stale in (old, read):
        problem(put("3", If_Match=stale), 412, "precondition-failed")
    assert catalogs.get("/v1/catalogs/pl").json()["a"] == "2"
