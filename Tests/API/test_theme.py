"""Colours: a channel's theme, its import from Toaster's own file, and low contrast."""

import plistlib

import pytest

from test_problems import pointers, problem

# The configuration of Toaster's demo.
DEMO = {
    "error_color": "#F75045",
    "warning_color": "#FFB323",
    "info_color": "#4169E1",
    "success_color": "#79C422",
    "background": "#EBEFF1",
    "background_dark": "#1E1E1C",
    "text_color": "#393E54",
    "text_color_dark": "#EBEFF1",
    "subtext_color": "#7B8087",
    "subtext_color_dark": "#BDC2C5",
}
KEYS = {
    "error_color": "errorColor",
    "warning_color": "warningColor",
    "info_color": "infoColor",
    "success_color": "successColor",
    "background": "background",
    "background_dark": "backgroundDark",
    "text_color": "textColor",
    "text_color_dark": "textColorDark",
    "subtext_color": "subtextColor",
    "subtext_color_dark": "subtextColorDark",
}
DOCTYPE = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" '
    b'"http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
)


@pytest.fixture
def send(channel):
    """Puts a property list."""

    def send(body, kind="application/x-plist", method="PUT", **headers):
        if isinstance(body, dict):
            body = plistlib.dumps(body)
        headers = {"Content-Type": kind, **{k.replace("_", "-"): v for k, v in headers.items()}}
        return channel.http.request(method, f"{channel.path}/settings", content=body, headers=headers)

    return send


@pytest.mark.parametrize("kind", ["application/x-plist", "text/xml; charset=utf-8", "application/xml"])
def test_toasters_own_file_is_a_theme(channel, send, kind):
    response = send(plistlib.dumps(DEMO), kind)
    assert response.status_code == 200, response.text
    answer = response.json()
    assert answer["own"]["theme"] == {KEYS[name]: color for name, color in DEMO.items()}
    assert answer["effective"]["theme"] == answer["own"]["theme"]


def test_the_file_replaces_the_theme_and_nothing_else(channel, send):
    channel.configure(mode="priority", theme={"background": "#FFFFFF", "textColor": "#000000"})
    answer = send({"text_color": "112233"}).json()
    assert answer["own"] == {"mode": "priority", "theme": {"textColor": "#112233"}}
    assert answer["effective"]["theme"] == {"textColor": "#112233"}
    assert send({}).json()["own"] == {"mode": "priority"}


def test_a_key_that_is_missing_has_its_own_default(channel, send):
    channel.configure(preset="toaster")
    standard = channel.http.get(f"{channel.path}/settings").json()["effective"]["theme"]
    answer = send({"background": "#101010"}).json()
    assert answer["effective"]["theme"] == {**standard, "background": "#101010"}
    assert answer["sources"]["theme/background"] == "channel"
    assert answer["sources"]["theme/backgroundDark"] == "preset"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"text_color": "12ZZZZ"}, ["/text_color"]),
        ({"text_color": "0x1234"}, ["/text_color"]),
        ({"text_color": ""}, ["/text_color"]),
        ({"text_color": 0x393E54}, ["/text_color"]),
        ({"text_color": ["#393E54"], "background": True}, ["/background", "/text_color"]),
        ({"textColor": "#393E54"}, ["/textColor"]),
        ({"accent/~": "#393E54"}, ["/accent~1~0"]),
    ],
)
def test_every_key_that_is_wrong_is_named(channel, send, changes, expected):
    channel.configure(mode="priority")
    assert pointers(problem(send({**DEMO, **changes}), 422, "invalid-settings")) == expected
    assert channel.http.get(f"{channel.path}/settings").json()["own"] == {"mode": "priority"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b'{"background": "#FFFFFF"}',
        b"<plist><dict>",
        b"bplist00",
        b"bplist00" + b"\xff" * 64,
        plistlib.dumps(["#FFFFFF"]),
        DOCTYPE + b'<plist version="1.0"><dict><key>background</key><string>&x;</string></dict></plist>',
        b'<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        b'<plist version="1.0"><dict><key>background</key><string>&x;</string></dict></plist>',
        b'<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY x "#FFFFFF">]>'
        b'<plist version="1.0"><dict><key>background</key><string>&x;</string></dict></plist>',
        DOCTYPE + b'<plist version="1.0">' + b"<array>" * 2000,
        DOCTYPE + b'<plist version="1.0">' + b"<array>" * 1000 + b"</array>" * 1000 + b"</plist>",
        DOCTYPE + b'<plist version="1.0">' + b"<dict><key>a</key>" * 850,
        b"(" * 16_000,
        b"{a=" * 5000,
    ],
    ids=range(15),
)
def test_an_invalid_property_list_is_refused(send, body):
    assert pointers(problem(send(body), 422, "invalid-settings")) == [""]


def test_a_binary_property_list_is_refused_with_a_way_to_convert_it(send):
    answer = problem(send(plistlib.dumps(DEMO, fmt=plistlib.FMT_BINARY)), 422, "invalid-settings")
    assert pointers(answer) == [""]
    assert "plutil -convert xml1" in answer["errors"][0]["detail"]


def test_a_property_list_is_bounded(send):
    problem(send(plistlib.dumps({"background": "#" * 16_384})), 413, "payload-too-large")


def test_a_property_list_is_put_on_a_condition(channel, send):
    tag = channel.http.get(f"{channel.path}/settings").headers["etag"]
    assert send(DEMO, If_Match=tag).status_code == 200
    problem(send(DEMO, If_Match=tag), 412, "precondition-failed")


def test_a_property_list_is_no_patch(send):
    problem(send(DEMO, method="PATCH"), 415, "unsupported-media-type")


# Low contrast


def test_colours_of_low_contrast_cause_a_warning(channel):
    answer = channel.configure(theme={"subtextColor": "#AAAAAA", "textColor": "#111111"})
    assert [(w["pointer"], w["ratio"]) for w in answer["warnings"]] == [("/theme/subtextColor", 2.32)]
    assert "4.5:1" in answer["warnings"][0]["detail"]
    assert answer["effective"]["theme"]["subtextColor"] == "#AAAAAA"
    # The warning stays until the colour is corrected.
    again = channel.http.get(f"{channel.path}/settings").json()
    assert again["warnings"] == answer["warnings"]
    assert "warnings" not in channel.configure(theme={"subtextColor": "#666666"})


def test_the_colours_of_toasters_demo_have_low_contrast(send):
    warned = {w["pointer"]: w["ratio"] for w in send(DEMO).json()["warnings"]}
    assert warned == {
        "/theme/subtextColor": 3.44,
        "/theme/successColor": 1.86,
        "/theme/warningColor": 1.55,
        "/theme/errorColor": 2.93,
    }


def test_a_toasts_own_colors(channel):
    response = channel.post({"message": "m", "appearance": {"message": {"color": "eeeeee"}}})
    assert response.status_code == 201
    toast = response.json()
    assert [w["pointer"] for w in toast.pop("warnings")] == ["/appearance/message/color"]
    assert toast["appearance"] == {"message": {"color": "#EEEEEE"}}
    assert channel.get(toast).json() == {**channel.get(toast).json(), "appearance": toast["appearance"]}
    assert "warnings" not in channel.get(toast).json()

    patched = channel.patch(toast, {"appearance": {"title": {"color": "#DDDDDD"}}}).json()
    assert [w["pointer"] for w in patched["warnings"]] == ["/appearance/title/color", "/appearance/message/color"]
    assert "warnings" not in channel.patch(toast, {"message": "n"}).json()
    assert "warnings" not in channel.patch(toast, {"appearance": None}).json()


def test_a_toasts_colors_in_a_batch_and_in_its_channel(channel):
    channel.configure(appearance={"backgroundColor": "#202020", "title": {"color": "#FFFFFF"}})
    light, dark = {"message": {"color": "#EEEEEE"}}, {"message": {"color": "#303030"}}
    response = channel.post([{"message": "m", "appearance": light}, {"message": "n", "appearance": dark}])
    # In light and dark: a colour applies to both.
    assert [w["pointer"] for w in response.json()["warnings"]] == ["/1/appearance/message/color"] * 2


def test_a_repetition_warns_again(channel):
    body = {"message": "m", "appearance": {"title": {"color": "#EEEEEE"}}}
    first, second = (channel.post(body, headers={"Idempotency-Key": "k"}).json() for _ in range(2))
    assert first["warnings"] and first == second


def test_colours_are_checked_when_one_publishes_to_many(channel):
    dim = {"title": "T", "message": "m", "appearance": {"title": {"color": "#777777"}, "backgroundColor": "#888888"}}
    response = channel.http.post("/v1/toasts", json={"channels": [channel.name], "toast": dim})
    assert response.status_code == 201
    warnings = response.json()["results"][0]["warnings"]
    assert warnings[0]["pointer"].startswith("/toast/appearance/")
