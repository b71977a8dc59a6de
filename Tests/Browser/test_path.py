"""The whole path: from a post over HTTP to the screen, and from a person's click back to the server."""

import re

import pytest
from playwright.sync_api import expect

from conftest import settled


def dismissal(response):
    return response.request.method == "POST" and response.url.endswith("/dismiss")


def test_a_posted_toast_appears_and_goes_by_itself(viewer, channel):
    posted = channel.post("Hello from a backend", duration="indefinite")
    expect(viewer.toast("Hello from a backend")).to_be_visible()
    channel.patch(posted["id"], duration=1)
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)
    assert channel.toast(posted["id"])["dismissReason"] == "timeout"


def test_plain_text_is_a_toast(viewer, channel):
    channel.call("POST", "/toasts", "Toast ☕ with butter".encode(), "text/plain; charset=utf-8")
    expect(viewer.toast("Toast ☕ with butter")).to_be_visible()


def test_closing_a_toast_dismisses_it_on_the_server(viewer, channel):
    posted = channel.post("Close me", duration="indefinite")
    with viewer.page.expect_response(dismissal) as answer:
        viewer.toast("Close me").get_by_role("button", name="Dismiss").click()
    assert answer.value.status == 200
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)
    assert channel.toast(posted["id"])["dismissReason"] == "close"


def test_escape_in_a_toast_dismisses_it_on_the_server_and_gives_the_focus_back(viewer, channel):
    field = viewer.page.locator("[data-form=compose]").get_by_label("Message")
    field.focus()
    posted = channel.post("Escape me", duration="indefinite")
    expect(viewer.toast("Escape me")).to_be_visible()
    viewer.page.keyboard.press("F8")
    expect(viewer.toast("Escape me").get_by_role("group")).to_be_focused()
    with viewer.page.expect_response(dismissal):
        viewer.page.keyboard.press("Escape")
    expect(field).to_be_focused()
    assert channel.toast(posted["id"])["dismissReason"] == "escape"


def test_delete_on_a_toast_dismisses_it_on_the_server(viewer, channel):
    posted = channel.post("Delete me", duration="indefinite")
    expect(viewer.toast("Delete me")).to_be_visible()
    viewer.page.keyboard.press("F8")
    expect(viewer.toast("Delete me").get_by_role("group")).to_be_focused()
    with viewer.page.expect_response(dismissal):
        viewer.page.keyboard.press("Delete")
    assert channel.toast(posted["id"])["dismissReason"] == "key"


def test_an_action_is_sent_to_the_server_once(viewer, channel):
    posted = channel.post("Answer me", duration="indefinite", actions=[{"id": "undo", "title": "Undo"}])
    with viewer.page.expect_response(re.compile("/actions/undo$")) as answer:
        viewer.toast("Answer me").get_by_role("button", name="Undo").dblclick()
    assert answer.value.status == 200
    expect(viewer.toasts).to_have_count(0)
    toast = channel.toast(posted["id"])
    assert (toast["dismissReason"], toast["action"]) == ("action", "undo")
    # The dismissal comes last, so a second `acted` event would be here by now.
    expect(viewer.page.locator("[data-log] [data-type=dismissed]")).to_have_count(1)
    assert viewer.page.locator("[data-log] [data-type=acted]").count() == 1


@pytest.mark.parametrize(
    ("placement", "dx", "dy"), [("top", 0, -60), ("bottom", 0, 60), ("center", 60, 0), ("center", -60, 0)]
)
def test_b20_a_swipe_dismisses_the_toast_on_the_server(phone, channel, placement, dx, dy):
    posted = channel.post("Swipe me", placement=placement, duration="indefinite")
    expect(phone.toast("Swipe me")).to_be_visible()
    with phone.page.expect_response(dismissal):
        phone.swipe(settled(phone.toast("Swipe me")), dx, dy)
    expect(phone.toasts).to_have_count(0)
    assert channel.toast(posted["id"])["dismissReason"] == "swipe"


@pytest.mark.parametrize(
    ("placement", "dx", "dy"), [("top", 0, -36), ("top", 0, 60), ("bottom", 0, -60), ("center", 30, 0)]
)
def test_b20_too_short_or_the_wrong_way_is_no_swipe(phone, channel, placement, dx, dy):
    posted = channel.post("Keep me", placement=placement, duration="indefinite")
    toast = settled(phone.toast("Keep me"))
    phone.swipe(toast, dx, dy)
    expect(toast).to_have_css("opacity", "1")
    expect(toast).to_be_visible()
    assert channel.toast(posted["id"])["state"] == "presented"


def test_an_update_changes_the_toast_in_place(viewer, channel):
    posted = channel.post("Half way", duration="indefinite", progress={"value": 1, "total": 4})
    bar = viewer.toasts.get_by_role("progressbar")
    expect(bar).to_have_attribute("aria-valuenow", "1")
    expect(bar).to_have_attribute("aria-valuemax", "4")
    viewer.toasts.evaluate("(it) => { it.mark = true; }")
    channel.patch(posted["id"], progress={"value": 3, "total": 4}, message="Nearly there")
    expect(bar).to_have_attribute("aria-valuenow", "3")
    expect(viewer.toast("Nearly there")).to_be_visible()
    assert viewer.toasts.evaluate("(it) => it.mark")
    channel.patch(posted["id"], progress={"indeterminate": True})
    expect(bar).not_to_have_attribute("aria-valuenow", re.compile("."))
    channel.patch(posted["id"], progress=None, title="Done", role="success")
    expect(bar).to_have_count(0)
    expect(viewer.toast("Done").locator("[data-role=success]")).to_be_visible()


@pytest.mark.parametrize("placement", ["top", "center", "bottom"])
@pytest.mark.parametrize("width", [320, 1280])
def test_a_toast_stands_where_it_was_placed(page, watch, channel, placement, width):
    page.set_viewport_size({"width": width, "height": 720})
    viewer = watch(page).open()
    channel.post("Where am I?", placement=placement, duration="indefinite")
    box = settled(viewer.toast("Where am I?")).bounding_box()
    middle = box["y"] + box["height"] / 2
    top, center = viewer.top + 120, (viewer.top + 720) / 2
    assert {"top": viewer.top < middle < top, "center": abs(middle - center) < 40, "bottom": middle > 600}[placement]
    assert box["x"] >= 16 and box["x"] + box["width"] <= width - 16
    assert abs(box["x"] + box["width"] / 2 - width / 2) < 1
