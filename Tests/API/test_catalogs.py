"""Catalogs of texts, and toasts in the reader's language."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from channel import Channel
from streams import EventStream
from test_problems import pointers, problem

STRINGS = """
/* Deployments */
"deploy.done" = "%@ ist live";
"quote" = "\\"%1$@\\" \\U2014 %2$d\\n";
"""

XCSTRINGS = {
    "sourceLanguage": "en",
    "version": "1.0",
    "strings": {
        "": {},
        "files": {
            "localizations": {
                language: {"variations": {"plural": {form: {"stringUnit": {"state": "translated", "value": value}}
                                                     for form, value in forms.items()}}}
                for language, forms in {
                    "en": {"one": "%lld file", "other": "%lld files"},
                    "pl": {"one": "%lld plik", "few": "%lld pliki", "many": "%lld plików", "other": "%lld pliku"},
                }.items()
            }
        },
    },
}  # fmt: skip

XCSTRINGS_TYPE = {"Content-Type": "application/vnd.apple.xcstrings+json"}
STRINGS_TYPE = {"Content-Type": "text/x-strings"}


@pytest.fixture
def catalogs(launch) -> Iterator[httpx.Client]:
    """A separate server, because catalogs apply to all channels."""
    with httpx.Client(base_url=launch(store="memory").url, timeout=60) as client:
        yield client


@pytest.fixture
def ops(catalogs: httpx.Client) -> Iterator[Channel]:
    channel = Channel(str(catalogs.base_url).rstrip("/"), "ops")
    yield channel
    channel.close()


def localized(key: str, *arguments: object, default: str | None = None) -> dict:
    text = {"key": key, "arguments": list(arguments), "default": default}
    return {name: value for name, value in text.items() if value}


def read(ops: Channel, toast: dict, language: str | None = None) -> httpx.Response:
    headers = {"Accept-Language": language} if language else {}
    return ops.http.get(f"{ops.path}/toasts/{toast['id']}", headers=headers)


# Built-in texts


def test_english_and_german_are_built_in(catalogs):
    body = catalogs.get("/v1/catalogs").json()
    assert body["default"] == "en"
    assert [catalog["language"] for catalog in body["catalogs"]] == ["de", "en"]
    for catalog in body["catalogs"]:
        assert catalog["keyCounts"] == {"builtIn": catalog["keyCount"], "files": 0}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", {"title": ["Success", "Error", "Warning", "Info"],
                "prefix": ["success,", "error,", "warning,", "information,"]}),
        ("de", {"title": ["Erfolg", "Fehler", "Warnung", "Info"],
                "prefix": ["Erfolg,", "Fehler,", "Warnung,", "Information,"]}),
    ],
)  # fmt: skip
def test_roles_have_names_in_both_languages(catalogs, language, words):
    catalog = catalogs.get(f"/v1/catalogs/{language}").json()
    for kind, texts in words.items():
        assert [catalog[f"role.{role}.{kind}"] for role in ("success", "error", "warning", "info")] == texts
    assert catalog["close"]


# Sending and reading


@pytest.mark.parametrize(
    ("body", "headers", "query"),
    [
        (STRINGS.encode(), STRINGS_TYPE, ""),
        (STRINGS.encode(), {"Content-Type": "text/plain; charset=utf-8"}, ""),
        (STRINGS.encode("utf-16"), STRINGS_TYPE, ""),
        (STRINGS.encode("utf-16-be"), {"Content-Type": 'text/plain; charset="UTF-16"'}, ""),
        (STRINGS.encode(), {}, "?format=strings"),
    ],
)
def test_strings_of_apple_are_read(catalogs, body, headers, query):
    response = catalogs.put(f"/v1/catalogs/de-ch{query}", content=body, headers=headers)
    assert response.status_code == 201
    assert response.headers["location"] == "/v1/catalogs/de-CH"
    assert response.json() == {"language": "de-CH", "keyCount": 2, "keyCounts": {"builtIn": 0, "files": 0, "api": 2}}
    catalog = catalogs.get("/v1/catalogs/DE-CH")
    assert catalog.headers["content-language"] == "de-CH"
    assert catalog.json() == {"deploy.done": "%@ ist live", "quote": '"%1$@" — %2$d\n'}


def test_the_flat_form_comes_back_as_it_was_sent(catalogs):
    sent = {
        "a": "x",
        "files": {"one": "%d fichier", "many": "%d de fichiers", "other": "%d fichiers"},
        "moved": {"argument": 2, "other": "%@: %d"},
        "both": {"format": "%#@f@", "parts": {"f": {"argument": 1, "one": "a", "other": "b"}}},
    }
    assert catalogs.put("/v1/catalogs/fr", json=sent).status_code == 201
    assert catalogs.get("/v1/catalogs/fr").json() == sent
    assert catalogs.put("/v1/catalogs/fr", json={"a": "y"}).status_code == 200
    assert catalogs.get("/v1/catalogs/fr").json() == {"a": "y"}


def test_a_string_catalog_holds_many_languages(catalogs):
    body = json.dumps(XCSTRINGS)
    one = catalogs.put("/v1/catalogs/pl", content=body, headers=XCSTRINGS_TYPE)
    assert one.status_code == 201
    assert "files" not in catalogs.get("/v1/catalogs/en").json()
    answer = catalogs.put("/v1/catalogs", content=body, headers=XCSTRINGS_TYPE)
    assert answer.status_code == 200
    assert [catalog["language"] for catalog in answer.json()["catalogs"]] == ["en", "pl"]
    assert catalogs.get("/v1/catalogs/en").json()["files"] == {"one": "%lld file", "other": "%lld files"}
    error = problem(catalogs.put("/v1/catalogs/ja", content=body, headers=XCSTRINGS_TYPE), 422, "invalid-catalog")
    assert pointers(error) == ["/strings"]
    problem(catalogs.put("/v1/catalogs", json={}), 415, "unsupported-media-type")


def test_a_sent_text_overrides_the_built_in_one_until_it_is_removed(catalogs):
    catalogs.put("/v1/catalogs/de", json={"close": "Zumachen"})
    german = catalogs.get("/v1/catalogs/de").json()
    assert (german["close"], german["role.error.title"]) == ("Zumachen", "Fehler")
    assert catalogs.delete("/v1/catalogs/de").status_code == 204
    assert catalogs.get("/v1/catalogs/de").json()["close"] == "Schließen"
    problem(catalogs.delete("/v1/catalogs/de"), 404, "catalog-not-found")


def test_an_unchanged_catalog_is_not_sent_again(catalogs):
    for path in ("/v1/catalogs", "/v1/catalogs/de"):
        tag = catalogs.get(path).headers["etag"]
        unchanged = catalogs.get(path, headers={"If-None-Match": tag})
        assert (unchanged.status_code, unchanged.headers["etag"], unchanged.content) == (304, tag, b"")
    catalogs.put("/v1/catalogs/de", json={"a": "b"})
    assert catalogs.get("/v1/catalogs/de", headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize(
    ("content", "headers", "status", "kind", "places"),
    [
        ('{"a": 1, "b/c": {"one": "x"}}', {}, 422, "invalid-catalog", ["/a", "/b~1c"]),
        ('{"a": {"other": "x", "lots": "y"}}', {}, 422, "invalid-catalog", ["/a/lots"]),
        ('{"a": "x",}', {}, 400, "invalid-json", [""]),
        ('{"a": "x", "a": "y"}', {}, 400, "invalid-json", ["/a"]),
        ("[]", {}, 422, "invalid-catalog", [""]),
        ('"a" = "b"', STRINGS_TYPE, 422, "invalid-catalog", [""]),
        (b"bplist00", STRINGS_TYPE, 422, "invalid-catalog", [""]),
        (b"\xff\xff", STRINGS_TYPE, 422, "invalid-catalog", [""]),
        ('{"sourceLanguage": "en", "strings": {"a": {"localizations": {"de": {}}}}}', XCSTRINGS_TYPE, 422,
         "invalid-catalog", ["/strings/a/localizations/de"]),
        ("<x/>", {"Content-Type": "application/xml"}, 415, "unsupported-media-type", []),
        ("a = b;", {"Content-Type": "text/plain; charset=latin1"}, 415, "unsupported-media-type", []),
        ("x" * (1024 * 1024 + 1), STRINGS_TYPE, 413, "payload-too-large", []),
    ],
)  # fmt: skip
def test_an_invalid_catalog_is_refused(catalogs, content, headers, status, kind, places):
    headers = {"Content-Type": "application/json", **headers}
    error = problem(catalogs.put("/v1/catalogs/fr", content=content, headers=headers), status, kind)
    assert [place["pointer"] for place in error.get("errors", [])] == places
    problem(catalogs.get("/v1/catalogs/fr"), 404, "catalog-not-found")


def test_a_fault_in_strings_has_its_line(catalogs):
    response = catalogs.put("/v1/catalogs/fr", content='"a" = "b";\n\n"c" "d";\n', headers=STRINGS_TYPE)
    assert problem(response, 422, "invalid-catalog")["detail"].startswith("line 3: ")


@pytest.mark.parametrize("language", ["e", "english", "en_US", "en-", "12", "..%2f", "%F0%9F%98%80"])
def test_an_invalid_language_is_refused(catalogs, language):
    for method in ("GET", "PUT", "DELETE"):
        response = catalogs.request(method, f"/v1/catalogs/{language}", **({"json": {}} if method == "PUT" else {}))
        problem(response, 400, "malformed-request" if "%2f" in language else "invalid-language")


def test_a_large_catalog_is_welcome_and_a_huge_one_is_not(catalogs):
    large = {f"key.{number}": "x" * 80 for number in range(9_000)}
    assert catalogs.put("/v1/catalogs/fr", json=large).status_code == 201
    huge = {f"k{number}": "x" for number in range(10_001)}
    problem(catalogs.put("/v1/catalogs/fr", json=huge), 422, "catalog-too-large")
    problem(catalogs.put("/v1/catalogs/fr", json={"a": "x" * 4097}), 422, "text-too-long")
    assert len(catalogs.get("/v1/catalogs/fr").json()) == 9_000


def test_the_number_of_languages_is_limited(catalogs):
    letters = "abcdefghijklmnopqrstuvwxyz"
    tags = [f"q{first}{second}" for first in letters for second in letters][:100]
    for tag in tags:
        assert catalogs.put(f"/v1/catalogs/{tag}", json={"a": "b"}).status_code == 201
    problem(catalogs.put("/v1/catalogs/zz", json={"a": "b"}), 422, "catalog-too-large")
    assert catalogs.put(f"/v1/catalogs/{tags[0]}", json={"a": "c"}).status_code == 200


def test_a_toast_is_still_bounded_by_the_smaller_limit(ops):
    response = ops.http.post(f"{ops.path}/toasts", content=b"x" * 70_000, headers={"Content-Type": "text/plain"})
    problem(response, 413, "payload-too-large")


# Toasts in the reader's language


@pytest.fixture
def files(catalogs, ops) -> dict:
    """A toast with a localized message, in English, German and Polish."""
    catalogs.put("/v1/catalogs", content=json.dumps(XCSTRINGS), headers=XCSTRINGS_TYPE)
    catalogs.put("/v1/catalogs/de", json={"files": {"one": "%d Datei", "other": "%d Dateien"}})
    return ops.post({"message": localized("files", 3), "title": "files", "actions": [
        {"id": "x", "title": localized("no.such.key", "Ann", default="Call %@")}]}).json()  # fmt: skip


@pytest.mark.parametrize(
    ("accept", "language", "text"),
    [
        (None, "en", "3 files"), ("de", "de", "3 Dateien"), ("de-AT, en;q=0.5", "de", "3 Dateien"),
        ("pl;q=0.9, de;q=0.1", "pl", "3 pliki"), ("ja", "en", "3 files"), ("ja, *", "en", "3 files"),
        ("en;q=0.1, DE", "de", "3 Dateien"), ("garbage;;;q=", "en", "3 files"),
    ],
)  # fmt: skip
def test_a_reader_gets_the_text_in_the_best_language(ops, files, accept, language, text):
    one = read(ops, files, accept)
    assert one.json()["message"] == {"key": "files", "arguments": [3], "text": text}
    assert one.json()["title"] == "files", "A raw text is never looked up."
    assert one.json()["actions"][0]["title"]["text"] == "Call Ann"
    listing = ops.http.get(f"{ops.path}/toasts", headers={"Accept-Language": accept} if accept else {})
    assert listing.json()["toasts"] == [one.json()]
    for response in (one, listing):
        assert response.headers["content-language"] == language
        assert response.headers["vary"] == "Accept-Language"


def test_each_language_has_an_entity_tag_of_its_own(catalogs, ops, files):
    english, german = read(ops, files), read(ops, files, "de")
    assert english.headers["etag"] != german.headers["etag"]
    german_again = {"Accept-Language": "de", "If-None-Match": german.headers["etag"]}
    path = f"{ops.path}/toasts/{files['id']}"
    unchanged = ops.http.get(path, headers=german_again)
    assert (unchanged.status_code, unchanged.headers["vary"]) == (304, "Accept-Language")
    assert ops.http.get(path, headers={"If-None-Match": german.headers["etag"]}).status_code == 200
    catalogs.put("/v1/catalogs/de", json={"files": "Dateien: %d"})
    changed = ops.http.get(path, headers=german_again)
    assert (changed.status_code, changed.json()["message"]["text"]) == (200, "Dateien: 3")


def test_the_tag_of_any_language_guards_an_update(ops, files):
    tag = read(ops, files, "de").headers["etag"]
    path = f"{ops.path}/toasts/{files['id']}"
    headers = {"If-Match": tag, "Accept-Language": "de"}
    updated = ops.http.patch(path, json={"message": {"arguments": [1]}}, headers=headers)
    assert updated.json()["message"]["text"] == "1 Datei"
    assert updated.headers["content-language"] == "de"
    problem(ops.http.patch(path, json={"title": None}, headers=headers), 412, "precondition-failed")


def test_the_answer_to_a_publisher_is_in_their_language(ops, files):
    headers = {"Accept-Language": "de"}
    one = ops.http.post(f"{ops.path}/toasts", json={"message": localized("files", 1)}, headers=headers)
    assert one.json()["message"]["text"] == "1 Datei"
    assert (one.headers["content-language"], one.headers["vary"]) == ("de", "Accept-Language")
    assert (
        ops.http.get(one.headers["location"], headers={**headers, "If-None-Match": one.headers["etag"]}).status_code
        == 304
    )
    batch = ops.http.post(
        f"{ops.path}/toasts", json=[{"message": localized("files", 2)}, {"message": "x"}], headers=headers
    )
    assert batch.json()["toasts"][0]["message"]["text"] == "2 Dateien"
    many = ops.http.post(
        "/v1/toasts", json={"channels": ["a"], "toast": {"message": localized("files", 2)}}, headers=headers
    )
    assert many.json()["results"][0]["toast"]["message"]["text"] == "2 Dateien"
    assert (many.headers["content-language"], many.headers["vary"]) == ("de", "Accept-Language")


def test_a_toast_without_localized_text_has_no_language(ops):
    toast = ops.post({"message": "%@ 100 %d"}).json()
    english, german = read(ops, toast), read(ops, toast, "de")
    assert english.json()["message"] == "%@ 100 %d"
    assert english.headers["etag"] == german.headers["etag"]
    assert german.headers["vary"] == "Accept-Language"
    assert "content-language" not in german.headers


def test_a_publishers_own_text_is_ignored(ops):
    toast = ops.post({"message": {"key": "no.such.key", "text": "<forged>"}}).json()
    assert read(ops, toast).json()["message"] == {"key": "no.such.key", "text": "no.such.key"}


# Events and announcements


def test_events_are_in_the_default_language_and_stay_as_they_were(catalogs, ops):
    catalogs.put("/v1/catalogs/en", json={"files": {"one": "%d file", "other": "%d files"}})
    catalogs.put("/v1/catalogs/de", json={"files": "%d Dateien"})
    with EventStream(f"{ops.url}{ops.path}/stream") as stream:
        stream.wait("snapshot")
        toast = ops.post({"role": "error", "message": localized("files", 3)}).json()
        for kind in ("enqueued", "presented"):
            event = stream.wait(kind)
            assert event["toast"]["message"]["text"] == "3 files"
        assert event["announcement"] == "error, 3 files"
    catalogs.put("/v1/catalogs/en", json={"files": "Files: %d", "role.error.prefix": "oops,"})
    assert read(ops, toast).json()["message"]["text"] == "3 files"
    with EventStream(f"{ops.url}{ops.path}/stream") as stream:
        stream.wait("snapshot")
        patched = ops.http.patch(f"{ops.path}/toasts/{toast['id']}", json={"message": {"arguments": [4]}}).json()
        assert patched["message"]["text"] == "Files: 4"
        assert stream.wait("updated")["announcement"] == "oops, Files: 4"
