"""The settings of a channel."""

import pytest

from test_problems import pointers, problem

SPRING = {"duration": 0.35, "curve": "spring", "response": 0.35, "damping": 0.8}
DEFAULTS = {
    "preset": "toastd",
    "mode": "fifo",
    "lanes": "shared",
    "deduplication": "none",
    "maxVisible": 3,
    "pause": 0.2,
    "minimumVisible": 0.5,
    "style": "glass",
    "placement": "top",
    "align": "center",
    "stack": "expanded",
    "duration": 6,
    "haptic": "automatic",
    "whenUnattended": "hold",
    "capacity": 1000,
    "expiresAfter": None,
    "title": "automatic",
    "dimsBackground": False,
    "closeButton": True,
    "spokenPrefix": True,
    "haptics": {"success": "success", "error": "error", "warning": "warning", "info": "light"},
    "layout": {"spacing": 16, "inset": 16, "maximumWidth": "style"},
    "animations": {"enter": SPRING, "move": {"duration": 0.3, "curve": "easeInOut"}, "exit": SPRING},
    "gestures": {
        "swipe": {
            "top": {"directions": ["up"], "threshold": 40},
            "center": {"directions": ["left", "right"], "threshold": 40},
            "bottom": {"directions": ["down"], "threshold": 40},
        },
        "tap": "none",
    },
    "theme": {},
    "appearance": {},
}
MERGE = {"Content-Type": "application/merge-patch+json"}


@pytest.fixture
def settings(channel):
    """Sends a request to the channel's settings."""

    def send(method, body=None, **options):
        if body is not None:
            options["json"] = body
        return channel.http.request(method, f"{channel.path}/settings", **options)

    return send


def test_a_new_channel_has_the_servers_settings(settings):
    response = settings("GET")
    answer = response.json()
    assert (response.status_code, answer["own"], answer["effective"]) == (200, {}, DEFAULTS)
    assert "warnings" not in answer


def test_put_sets_what_it_names_and_unsets_the_rest(settings):
    first = {"mode": "priority", "style": "retro", "placement": "bottom", "duration": 4, "haptic": "none"}
    answer = settings("PUT", first).json()
    assert (answer["own"], answer["effective"]) == (first, {**DEFAULTS, **first})
    second = {"whenUnattended": "present", "capacity": 20, "expiresAfter": 60}
    answer = settings("PUT", second).json()
    assert (answer["own"], answer["effective"]) == (second, {**DEFAULTS, **second})
    assert settings("GET").json()["own"] == second


def test_patch_changes_what_it_names(settings):
    settings("PUT", {"mode": "priority", "capacity": 20})
    answer = settings("PATCH", {"capacity": None, "duration": "long"}, headers=MERGE).json()
    assert answer["own"] == {"mode": "priority", "duration": "long"}
    assert (answer["effective"]["duration"], answer["effective"]["capacity"]) == (4, 1000)


def test_patch_changes_members_of_objects(settings):
    settings("PUT", {"preset": "ysnackbar", "layout": {"spacing": 24, "inset": 8}})
    answer = settings("PATCH", {"layout": {"inset": None, "maximumWidth": "unlimited"}}, headers=MERGE).json()
    assert answer["own"] == {"preset": "ysnackbar", "layout": {"spacing": 24, "maximumWidth": "unlimited"}}
    assert answer["effective"]["layout"] == {"spacing": 24, "inset": 16, "maximumWidth": "unlimited"}
    sources = answer["sources"]
    assert [sources[f"layout/{name}"] for name in ("spacing", "inset", "maximumWidth")] == [
        "channel",
        "preset",
        "channel",
    ]


def test_every_effective_setting_has_a_source(settings):
    def leaves(value, path=""):
        if not isinstance(value, dict) or not value:
            return {path}
        return set().union(*(leaves(v, f"{path}/{k}".strip("/")) for k, v in value.items()))

    for preset in ("toastd", "inapp"):
        answer = settings("PUT", {"preset": preset, "gestures": {"tap": "none"}}).json()
        assert set(answer["sources"]) == leaves(answer["effective"])
        assert answer["sources"]["gestures/tap"] == "channel"
        assert answer["sources"]["placement"] == "preset"
        assert answer["sources"]["expiresAfter"] == "server"


def test_delete_brings_the_defaults_back(settings):
    settings("PUT", {"mode": "priority"})
    answer = settings("DELETE").json()
    assert (answer["own"], answer["effective"]) == ({}, DEFAULTS)


@pytest.mark.parametrize("duration", ["indefinite", 0])
def test_a_channels_toasts_may_stay_for_ever(channel, duration):
    assert channel.configure(duration=duration)["effective"]["duration"] == "indefinite"
    assert channel.publish()["duration"] == "indefinite"


def test_a_toasts_members_take_precedence_over_its_channel(channel):
    channel.configure(style="pale", placement="center", duration=3, haptic="light", expiresAfter=30)
    plain = channel.publish()
    assert (plain["style"], plain["placement"], plain["duration"], plain["haptic"]) == ("pale", "center", 3, "light")
    own = channel.publish(style="retro", placement="top", duration=9, haptic="none")
    assert (own["style"], own["placement"], own["duration"], own["haptic"]) == ("retro", "top", 9, "none")


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"mod": "fifo"}, "/mod"),
        ({"mode": "random"}, "/mode"),
        ({"style": "Glass"}, "/style"),
        ({"placement": "left"}, "/placement"),
        ({"align": "left"}, "/align"),
        ({"stack": "piled"}, "/stack"),
        ({"duration": -1}, "/duration"),
        ({"whenUnattended": "panic"}, "/whenUnattended"),
        ({"capacity": 0}, "/capacity"),
        ({"capacity": 10_001}, "/capacity"),
        ({"capacity": 1.5}, "/capacity"),
        ({"expiresAfter": "never"}, "/expiresAfter"),
        ({"preset": "sonner"}, "/preset"),
        ({"maxVisible": 0}, "/maxVisible"),
        ({"title": None, "closeButton": 1}, "/closeButton"),
        ({"haptics": {"info": "automatic"}}, "/haptics/info"),
        ({"layout": {"maximumWidth": -1}}, "/layout/maximumWidth"),
        ({"layout": {"maximumWidth": "wide"}}, "/layout/maximumWidth"),
        ({"gestures": {"swipe": {"top": {"directions": ["in"]}}}}, "/gestures/swipe/top/directions/0"),
        ({"animations": {"exit": {"damping": 0}}}, "/animations/exit/damping"),
        ({"theme": {"text_color": "#000000"}}, "/theme/text_color"),
        ({"theme": {"textColor": "#00000"}}, "/theme/textColor"),
        ({"appearance": {"title": {"font": {"weight": "bold"}}}}, "/appearance/title/font/weight"),
        ([], ""),
    ],
)
def test_settings_that_cannot_be_accepted(settings, method, body, expected):
    settings("PUT", {"mode": "priority"})
    assert pointers(problem(settings(method, body), 422, "invalid-settings")) == [expected]
    assert settings("GET").json()["own"] == {"mode": "priority"}


def test_a_whole_number_may_have_a_point(settings):
    response = settings("PUT", content=b'{"capacity": 20.0}', headers={"Content-Type": "application/json"})
    assert response.json()["own"] == {"capacity": 20}


def test_settings_that_did_not_change_are_not_sent_again(settings):
    tag = settings("PUT", {"mode": "priority"}).headers["etag"]
    assert settings("GET").headers["etag"] == tag
    assert settings("GET", headers={"If-None-Match": tag}).status_code == 304
    settings("PUT", {"mode": "fifo"})
    assert settings("GET", headers={"If-None-Match": tag}).status_code == 200


def test_settings_are_changed_on_a_condition(settings):
    old = settings("GET").headers["etag"]
    new = settings("PUT", {"mode": "priority"}, headers={"If-Match": old}).headers["etag"]
    assert new != old
    for method in ("PUT", "PATCH", "DELETE"):
        body = None if method == "DELETE" else {"mode": "fifo"}
        for stale in (
            {"If-Match": old},
            {"If-Match": f"W/{new}"},
            {"If-Match": ""},
            {"If-Match": ","},
            {"If-None-Match": "*"},
            {"If-None-Match": new},
        ):
            problem(settings(method, body, headers=stale), 412, "precondition-failed")
    assert settings("GET").json()["own"] == {"mode": "priority"}
    assert settings("PATCH", {"capacity": 9}, headers={"If-Match": f'"x", {new}'}).status_code == 200
    assert settings("DELETE", headers={"If-Match": "*"}).headers["etag"] == old


def test_a_failed_precondition_takes_precedence_over_invalid_settings(settings):
    # A failed precondition is reported before faults of the document.
    problem(settings("PUT", {"mode": "random"}, headers={"If-Match": '"gone"'}), 412, "precondition-failed")
    problem(settings("PUT", {"mode": "random"}), 422, "invalid-settings")


def test_a_toast_without_a_title_has_the_channels(channel):
    channel.configure(title="none")
    assert channel.publish()["title"] is None
    assert channel.publish(title="T")["title"] == "T"
    channel.configure(title="automatic")
    assert "title" not in channel.publish()


def test_a_toast_dims_as_its_channel_does(channel):
    channel.configure(dimsBackground=True)
    assert channel.publish()["dimsBackground"] is True
    assert "dimsBackground" not in channel.publish(dimsBackground=False)


def test_viewers_see_the_change(channel, stream):
    channel.configure(style="retro")
    assert stream.wait("configured")["effective"] == {**DEFAULTS, "style": "retro"}
    with pytest.raises(AssertionError, match="waited in vain"):
        channel.configure(style="retro")
        stream.until(lambda events: sum(e["type"] == "configured" for e in events) > 1, timeout=0.3)
