"""Behaviour that the five systems document: `requiresInteraction`, toasts in quick succession, actions, removal."""

import pytest

from test_problems import pointers, problem


def test_a_toast_gets_its_normal_time_when_the_last_assistive_viewer_leaves(channel, stream, attach):
    reader = attach("stream", assistive=1)
    reader.wait("snapshot")
    toast = channel.publish(requiresInteraction=True, duration=2.4)
    assert "remaining" not in stream.wait("presented", id=toast["id"])
    reader.close()
    updated = stream.wait("updated")
    assert (updated["changed"], updated["remaining"], updated["toast"]["revision"]) == ([], 0.4, 1)
    assert stream.wait("dismissed", id=toast["id"])["dismissReason"] == "timeout"


def test_a_countdown_stops_again_for_a_returning_assistive_viewer(channel, stream, attach):
    first = attach("stream", assistive=1)
    first.wait("snapshot")
    toast = channel.publish(requiresInteraction=True, duration=60)
    stream.wait("presented", id=toast["id"])
    first.close()
    assert stream.wait("updated")["remaining"] == 58
    attach("stream", assistive=1).wait("snapshot")
    assert "remaining" not in stream.count("updated", 2)[1]
    assert channel.get(toast).json()["state"] == "presented"


def test_a_long_poll_that_comes_back_with_each_answer_has_not_left(channel, attach):
    """Otherwise each answer would change the audience, and the event of that change would be the next answer."""
    poller = attach("poll", assistive=1)
    poller.wait("snapshot")
    toast = channel.publish(requiresInteraction=True, duration=1)
    poller.wait("presented", id=toast["id"])
    for number in range(10):
        channel.publish(str(number))
        poller.wait("enqueued", message=str(number))
    channel.let_pass(2.5)
    assert channel.get(toast).json()["state"] == "presented"
    assert [event["type"] for event in poller.facts if event["type"] == "updated"] == []


def test_each_toast_of_a_fast_publisher_stays_for_minimum_visible(channel, stream):
    channel.configure(mode="replaceAll", minimumVisible=0.3, duration=60)
    assert channel.http.get(f"{channel.path}/settings").json()["effective"]["minimumVisible"] == 0.3
    for number in range(30):
        channel.publish(str(number))
        channel.let_pass(0.03)
    stream.wait("presented", message="29")
    shown: dict[str, str] = {}
    spans = []
    for event in stream.facts:
        if event["type"] == "presented":
            shown[event["toast"]["id"]] = event["at"]
        elif event["type"] == "dismissed" and event["exit"] > 0:
            spans.append(seconds(event["at"]) - seconds(shown[event["id"]]))
    assert len(spans) >= 2
    assert min(spans) >= 0.2999


def seconds(at: str) -> float:
    """A time of day, in seconds."""
    hours, minutes, rest = at.split("T")[1].removesuffix("Z").split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)


def test_the_five_systems_replace_at_once(channel):
    presets = channel.http.get("/v1/presets").json()["presets"]
    least = {preset["name"]: preset["own"]["minimumVisible"] for preset in presets}
    assert least == {"toastd": 0.5, "noticeui": 0, "toaster": 0, "toastui": 0, "ysnackbar": 0, "inapp": 0}


def test_an_inset_may_be_another_one_at_each_edge(channel):
    answer = channel.configure(preset="inapp")
    assert answer["effective"]["layout"]["inset"] == {"top": 8, "bottom": 16, "leading": 16, "trailing": 16}
    assert answer["sources"]["layout/inset/top"] == "preset"
    answer = channel.configure(layout={"inset": {"bottom": 40}})
    assert answer["effective"]["layout"]["inset"] == {"top": 16, "bottom": 40, "leading": 16, "trailing": 16}
    assert channel.configure(preset="inapp", layout={"inset": 12})["effective"]["layout"]["inset"] == 12
    wrong = channel.http.put(f"{channel.path}/settings", json={"layout": {"inset": {"left": 1, "top": "8"}}})
    assert pointers(problem(wrong, 422, "invalid-settings")) == ["/layout/inset/left", "/layout/inset/top"]


def test_dimming_has_a_colour_and_an_opacity(channel):
    dimming = {"color": "#102030", "colorDark": "#000000", "opacity": 0.5}
    assert channel.configure(appearance={"dimming": dimming})["effective"]["appearance"] == {"dimming": dimming}
    toast = channel.publish(dimsBackground=True, appearance={"dimming": {"color": "#ff0000"}})
    assert toast["appearance"] == {"dimming": {"color": "#FF0000"}}
    response = channel.post({"message": "m", "appearance": {"dimming": {"opacity": 2}}})
    assert pointers(problem(response, 422, "invalid-toast")) == ["/appearance/dimming/opacity"]


def test_an_action_that_does_not_dismiss(channel, stream):
    toast = channel.publish(duration="indefinite", actions=[{"id": "more", "title": "More", "dismisses": False}])
    assert toast["actions"] == [{"id": "more", "title": "More", "dismisses": False}]
    stream.wait("presented", id=toast["id"])
    for _ in range(2):
        answer = channel.act(toast, "more")
        assert (answer.status_code, answer.json()["state"]) == (200, "presented")
    assert "action" not in answer.json()
    assert [event["action"] for event in stream.count("acted", 2)] == ["more", "more"]
    assert channel.get(toast).json()["state"] == "presented"


def test_an_action_that_dismisses_when_the_backend_says_so(channel, stream):
    actions = [{"id": "deploy", "title": "Deploy", "dismisses": "whenDone"}, {"id": "no", "title": "No"}]
    toast = channel.publish(duration=4, actions=actions)
    stream.wait("presented", id=toast["id"])
    answer = channel.act(toast, "deploy").json()
    pending = {**actions[0], "pending": True}
    assert (answer["state"], answer["actions"]) == ("presented", [pending, actions[1]])
    assert stream.wait("acted")["action"] == "deploy"
    updated = stream.wait("updated")
    assert (updated["changed"], updated["toast"]["actions"][0]) == (["actions"], pending)
    assert "remaining" not in updated
    assert channel.act(toast, "deploy").json()["revision"] == answer["revision"]
    channel.let_pass(4.2)
    assert channel.patch(toast, {"progress": {"value": 0.5}}).json()["actions"] == [pending, actions[1]]
    failed = channel.patch(toast, {"message": "It failed", "duration": 60}).json()
    assert failed["actions"] == actions
    assert channel.act(toast, "deploy").json()["actions"] == [pending, actions[1]]
    done = channel.delete(toast).json()
    assert (done["state"], done["dismissReason"]) == ("dismissed", "api")


@pytest.mark.parametrize(
    ("action", "pointer"),
    [({"dismisses": "later"}, "dismisses"), ({"dismisses": 0}, "dismisses"), ({"pending": True}, "pending")],
)
def test_invalid_members_of_an_action_are_refused(channel, action, pointer):
    response = channel.post({"message": "m", "actions": [{"id": "a", "title": "A", **action}]})
    assert pointers(problem(response, 422, "invalid-toast")) == [f"/actions/0/{pointer}"]


def test_toasts_are_removed_by_title_message_and_placement(channel):
    toasts = [("T", "a", "top"), ("T", "b", "bottom"), (None, "b", "bottom"), ("U", "a", "top")]
    for title, message, placement in toasts:
        channel.publish(message, title=title, placement=placement)

    def remove(status: int = 200, **query: str) -> dict:
        response = channel.http.delete(f"{channel.path}/toasts", params=query)
        assert response.status_code == status, response.text
        return response.json()

    def left() -> list[str]:
        return [f"{toast['title']} {toast['message']}" for toast in channel.toasts()]

    remove(title="T", message="c")
    assert left() == ["T a", "T b", "None b", "U a"]
    remove(title="T", message="b")
    assert left() == ["T a", "None b", "U a"]
    remove(placement="bottom")
    assert left() == ["T a", "U a"]
    remove(message="a", placement="top", title="U")
    assert left() == ["T a"]
    assert remove(400, title="")["type"].endswith("invalid-parameter")
    assert remove(400, placement="left")["type"].endswith("invalid-parameter")
    assert left() == ["T a"]


def test_an_icon_takes_a_path_of_the_same_origin(channel):
    assert channel.publish(icon="/icons/fox.svg?v=2")["icon"] == "/icons/fox.svg?v=2"
    for wrong in ("//evil.example/x.png", "/\\evil", "http://x.example/a.png", "icons/fox.svg"):
        assert pointers(problem(channel.post({"message": "m", "icon": wrong}), 422, "invalid-toast")) == ["/icon"]


def test_a_patch_takes_a_title_back_to_automatic(channel):
    channel.configure(title="none")
    for title in ("Mine", None, {"key": "mine", "default": "Mine"}):
        toast = channel.publish(title=title)
        assert "title" in toast
        assert "title" not in channel.patch(toast, {"title": {"automatic": True}}).json()
    assert channel.publish()["title"] is None
    assert "title" not in channel.publish(title={"automatic": True})


def test_an_unseen_toast_of_toastui_does_not_refuse_all_others_for_ever(channel):
    channel.configure(preset="toastui")
    assert channel.publish()["expiresAfter"] == 60
    channel.configure(preset="toastui", expiresAfter=4)
    assert channel.delete(channel.toasts()[0]).status_code == 200
    channel.publish("unseen")
    assert channel.post({"message": "too early"}).status_code == 409
    channel.let_pass(4.2)
    assert channel.publish("at last")["state"] == "queued"
