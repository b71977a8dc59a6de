"""What a channel decides for itself."""

import pytest

from test_problems import pointers, problem

DEFAULTS = {
    "mode": "fifo",
    "style": "glass",
    "placement": "top",
    "duration": 6,
    "haptic": "automatic",
    "whenUnattended": "hold",
    "capacity": 1000,
    "expiresAfter": None,
}


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
    assert (response.status_code, response.json()) == (200, {"settings": {}, "effective": DEFAULTS})


def test_put_sets_what_it_names_and_unsets_the_rest(settings):
    first = {"mode": "priority", "style": "retro", "placement": "bottom", "duration": 4, "haptic": "none"}
    assert settings("PUT", first).json() == {"settings": first, "effective": {**DEFAULTS, **first}}
    second = {"whenUnattended": "present", "capacity": 20, "expiresAfter": 60}
    assert settings("PUT", second).json() == {"settings": second, "effective": {**DEFAULTS, **second}}
    assert settings("GET").json()["settings"] == second


def test_patch_changes_what_it_names(settings):
    settings("PUT", {"mode": "priority", "capacity": 20})
    headers = {"Content-Type": "application/merge-patch+json"}
    response = settings("PATCH", {"capacity": None, "duration": "long"}, headers=headers)
    assert response.json()["settings"] == {"mode": "priority", "duration": 4}


def test_delete_brings_the_defaults_back(settings):
    settings("PUT", {"mode": "priority"})
    assert settings("DELETE").json() == {"settings": {}, "effective": DEFAULTS}


@pytest.mark.parametrize("duration", ["indefinite", 0])
def test_a_channels_toasts_may_stay_for_ever(channel, duration):
    assert channel.configure(duration=duration)["effective"]["duration"] == "indefinite"
    assert channel.publish()["duration"] == "indefinite"


def test_a_toast_says_more_than_its_channel(channel):
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
        ({"duration": -1}, "/duration"),
        ({"whenUnattended": "panic"}, "/whenUnattended"),
        ({"capacity": 0}, "/capacity"),
        ({"capacity": 10_001}, "/capacity"),
        ({"capacity": 1.5}, "/capacity"),
        ({"expiresAfter": "never"}, "/expiresAfter"),
        ([], ""),
    ],
)
def test_settings_that_cannot_be_accepted(settings, method, body, expected):
    settings("PUT", {"mode": "priority"})
    assert pointers(problem(settings(method, body), 422, "invalid-settings")) == [expected]
    assert settings("GET").json()["settings"] == {"mode": "priority"}


def test_a_whole_number_may_have_a_point(settings):
    response = settings("PUT", content=b'{"capacity": 20.0}', headers={"Content-Type": "application/json"})
    assert response.json()["settings"] == {"capacity": 20}


def test_settings_that_did_not_change_are_not_sent_again(settings):
    tag = settings("PUT", {"mode": "priority"}).headers["etag"]
    assert settings("GET").headers["etag"] == tag
    assert settings("GET", headers={"If-None-Match": tag}).status_code == 304
    settings("PUT", {"mode": "fifo"})
    assert settings("GET", headers={"If-None-Match": tag}).status_code == 200


def test_viewers_see_the_change(channel, stream):
    channel.configure(style="retro")
    assert stream.wait("configured")["settings"] == {**DEFAULTS, "style": "retro"}
    with pytest.raises(AssertionError, match="waited in vain"):
        channel.configure(style="retro")
        stream.until(lambda events: sum(e["type"] == "configured" for e in events) > 1, timeout=0.3)
