"""The status of a response names the fault, and its text the remedy."""

import httpx
import pytest

from test_problems import JSON, pointers, problem

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"]
PLIST = {"Content-Type": "application/x-plist"}


# Pages, and missing paths


@pytest.mark.parametrize("path", ["/", "/index.html", "/toast-viewer.js", "/gallery.html"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "BREW"])
def test_11_a_page_can_only_be_read(server, path, method):
    response = httpx.request(method, server.url + path)
    problem(response, 405, "method-not-allowed")
    assert response.headers["allow"] == "GET, HEAD, OPTIONS"


def test_11_options_of_a_page_are_its_methods(server):
    response = httpx.options(f"{server.url}/index.html")
    assert (response.status_code, response.headers["allow"]) == (204, "GET, HEAD, OPTIONS")


@pytest.mark.parametrize("path", ["/nowhere.html", "/v1/nowhere", "/v1", "/v1/channels/ops/nowhere"])
@pytest.mark.parametrize("method", METHODS)
def test_11_an_unknown_path_is_not_found_by_any_method(server, path, method):
    problem(httpx.request(method, server.url + path), 404, "not-found")


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_11_a_post_to_a_name_gets_the_path_of_the_api(server, method):
    document = problem(httpx.request(method, f"{server.url}/ops", content="Deployed"), 404, "not-found")
    assert "/v1/channels/{channel}/toasts" in document["detail"]
    # The response never repeats the client's input.
    assert "ops" not in document["detail"]
    assert "detail" not in problem(httpx.delete(f"{server.url}/ops"), 404, "not-found")


# Toasts


def test_11_a_person_dismisses_only_presented_toasts(channel):
    toast = channel.publish(actions=[{"id": "undo", "title": "Undo"}])
    for answer in (channel.dismiss(toast, "swipe"), channel.act(toast, "undo"), channel.hold(toast)):
        assert problem(answer, 409, "toast-not-presented")["toast"]["id"] == toast["id"]
    assert channel.get(toast).json()["state"] == "queued"
    # A program may also dismiss a toast that is not on screen.
    assert channel.delete(toast).json()["dismissReason"] == "api"
    assert channel.dismiss(toast, "swipe").json()["dismissReason"] == "api"


def test_11_a_person_dismisses_only_presented_toasts_over_a_socket(channel, attach):
    ws = attach("socket")
    ws.wait("snapshot")
    channel.publish(duration="indefinite")
    toast = channel.publish("waits")
    answer = ws.send(command="dismiss", id=toast["id"], dismissReason="tap")
    assert (answer["type"], answer["problem"]["type"]) == ("error", "urn:toastd:problem:toast-not-presented")


BLANKS = [" ", "\ufeff", "\t", "\r\n \u00a0", "\u3000\u2003", "\u0085"]


@pytest.mark.parametrize("blank", BLANKS, ids=lambda text: ascii(text))
def test_11_white_space_is_no_message_in_json_either(channel, blank):
    assert pointers(problem(channel.post({"message": blank}), 422, "invalid-toast")) == ["/message"]
    assert pointers(problem(channel.post({"message": "m", "title": blank}), 422, "invalid-toast")) == ["/title"]
    action = {"message": "m", "actions": [{"id": "a", "title": blank}]}
    assert pointers(problem(channel.post(action), 422, "invalid-toast")) == ["/actions/0/title"]
    toast = channel.publish()
    assert pointers(problem(channel.patch(toast, {"message": blank}), 422, "invalid-patch")) == ["/message"]
    assert channel.post({"message": f"{blank}m{blank}"}).json()["message"] == f"{blank}m{blank}"


def test_11_a_full_queue_says_when_to_retry(channel):
    channel.configure(capacity=1)
    channel.publish()
    response = channel.post({"message": "m"})
    assert problem(response, 429, "queue-full")["retryAfter"] == int(response.headers["retry-after"]) == 5


# Bodies


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/x-www-form-urlencoded", "[urgent] the disk is full"),
        ("application/x-www-form-urlencoded", "{deploy} done"),
        (None, "[urgent] the disk is full"),
    ],
)
def test_11_a_text_that_looks_like_json_is_told_the_media_type(channel, kind, body):
    headers = {"Content-Type": kind} if kind else {}
    document = problem(channel.post(content=body, headers=headers), 400, "invalid-json")
    assert "text/plain" in document["detail"]
    assert channel.post(content=body, headers={"Content-Type": "text/plain"}).json()["message"] == body


def test_11_a_patch_of_another_type_is_told_which_to_take(channel):
    toast = channel.publish()
    for path in (channel.toast(toast), f"{channel.path}/settings"):
        document = problem(
            channel.http.patch(path, content="x", headers={"Content-Type": "text/plain"}), 415, "unsupported-media-type"
        )
        assert document["detail"] == "Send application/merge-patch+json or application/json."


def test_11_all_accepted_types_are_named(channel):
    put = channel.http.put(f"{channel.path}/settings", content="x", headers={"Content-Type": "text/plain"})
    names = "application/json, application/x-plist, application/xml or text/xml"
    assert problem(put, 415, "unsupported-media-type")["detail"] == f"Send {names}."
    post = channel.post(content="x", headers={"Content-Type": "image/png"})
    names = "application/json, application/x-ndjson, application/jsonl, text/plain or CloudEvents"
    assert problem(post, 415, "unsupported-media-type")["detail"] == f"Send {names}."


def plist(*keys):
    pairs = "".join(f"<key>{key}</key><string>#{number:06d}</string>" for number, key in enumerate(keys))
    return f'<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>{pairs}</dict></plist>'


def test_11_a_key_that_stands_twice_in_a_property_list_is_refused(channel):
    text = plist("text_color", "background", "text_color")
    response = channel.http.put(f"{channel.path}/settings", content=text.encode(), headers=PLIST)
    assert pointers(problem(response, 422, "invalid-settings")) == ["/text_color"]
    assert channel.http.get(f"{channel.path}/settings").json()["own"] == {}


def test_11_a_key_in_a_comment_is_no_key(channel):
    text = plist("text_color", "background").replace("<dict>", "<dict><!-- <key>text_color</key> -->")
    assert channel.http.put(f"{channel.path}/settings", content=text.encode(), headers=PLIST).status_code == 200


# Header fields


def test_11_the_field_that_failed_is_named(channel):
    path = f"{channel.path}/settings"
    tag = channel.http.get(path).headers["etag"]
    refused = problem(channel.http.put(path, json={}, headers={"If-Match": '"x"'}), 412, "precondition-failed")
    assert refused["detail"] == "The settings are not what If-Match names."
    refused = problem(channel.http.put(path, json={}, headers={"If-None-Match": tag}), 412, "precondition-failed")
    assert refused["detail"] == "The settings are what If-None-Match rules out."


def test_11_the_field_of_a_catalog_that_failed_is_named(launch):
    url = f"{launch().url}/v1/catalogs/fr"
    assert httpx.put(url, json={"k": "v"}, headers={"If-None-Match": "*"}).status_code == 201
    refused = problem(httpx.put(url, json={"k": "v"}, headers={"If-None-Match": "*"}), 412, "precondition-failed")
    assert refused["detail"] == "The catalog is what If-None-Match rules out."
    refused = problem(httpx.delete(url, headers={"If-Match": '"x"'}), 412, "precondition-failed")
    assert refused["detail"] == "The catalog is not what If-Match names."


def test_11_an_invalid_cursor_is_named_by_its_place(channel):
    path = f"{channel.path}/poll"
    bad = channel.http.get(path, headers={"Last-Event-ID": "nonsense"})
    assert problem(bad, 400, "invalid-parameter")["detail"] == "Last-Event-ID: a cursor is expected."
    bad = channel.http.get(path, params={"since": "nonsense"})
    assert problem(bad, 400, "invalid-parameter")["detail"] == "since: a cursor is expected."
    one = channel.cursor()
    bad = channel.http.get(f"/v1/poll?channel={channel.name}", headers={"Last-Event-ID": one})
    assert problem(bad, 400, "invalid-parameter")["detail"].startswith("Last-Event-ID: this is a cursor of one channel")


def test_11_the_list_of_events_names_those_that_can_be_asked_for(channel):
    document = problem(channel.http.get(f"{channel.path}/poll?events=nonsense"), 400, "invalid-parameter")
    assert not {"snapshot", "resumed", "shutdown"} & set(document["detail"].replace(",", "").split())


def test_11_the_body_of_a_command_that_is_json_stays_json(channel):
    toast = channel.publish()
    problem(channel.http.post(channel.toast(toast, "/dismiss"), content="[", headers=JSON), 400, "invalid-json")
