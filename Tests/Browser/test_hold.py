"""Toasts stay while the pointer or the focus is on them."""

import re

import pytest
from playwright.sync_api import expect

from conftest import settled


def local(viewer, value="local"):
    viewer.page.evaluate("(value) => { document.querySelector('toast-viewer').holds = value; }", value)
    return viewer


def ended(viewer):
    return viewer.page.locator("toast-viewer [part~=toast][data-state=ended]")


def test_a_toast_under_the_pointer_outlives_its_time_here_only(viewer, channel):
    local(viewer)
    posted = channel.post("Let me read", duration=2, actions=[{"id": "undo", "title": "Undo"}])
    settled(viewer.toast("Let me read")).hover()
    expect(ended(viewer)).to_have_count(1)
    assert channel.toast(posted["id"])["dismissReason"] == "timeout"
    # The server accepts no answer any more, and the button shows that.
    expect(ended(viewer).get_by_role("button", name="Undo")).to_be_disabled()
    viewer.page.mouse.move(5, 700)
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_b6_a_toast_with_the_focus_outlives_its_time(viewer, channel):
    local(viewer)
    channel.post("Let me read", duration=2)
    expect(viewer.toast("Let me read")).to_be_visible()
    viewer.page.keyboard.press("F8")
    expect(ended(viewer)).to_have_count(1)
    viewer.page.keyboard.press("Escape")
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_a_shared_hold_stops_the_clock_for_all(viewer, channel):
    local(viewer, "shared")
    posted = channel.post("Let us read", duration=2)
    with viewer.page.expect_response(lambda it: "/holds/" in it.url and it.request.method == "PUT") as answer:
        settled(viewer.toast("Let us read")).hover()
    assert answer.value.status == 200
    expect(viewer.page.locator("[data-log] [data-type=held]")).to_have_count(1)
    # Far longer than the toast's time.
    channel.call("GET", "/poll?wait=3&since=" + channel.call("GET", "")["cursor"])
    assert channel.toast(posted["id"])["state"] == "presented"
    with viewer.page.expect_response(lambda it: "/holds/" in it.url and it.request.method == "DELETE"):
        viewer.page.mouse.move(5, 700)
    expect(viewer.toasts).to_have_count(0)
    assert channel.toast(posted["id"])["dismissReason"] == "timeout"


def test_holds_can_be_off(viewer, channel):
    local(viewer, "off")
    channel.post("Gone anyway", duration=2)
    settled(viewer.toast("Gone anyway")).hover()
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_b19_a_tap_is_not_a_hover(phone, channel):
    local(phone)
    channel.post("Tapped", duration=2)
    phone.toast("Tapped").tap(position={"x": 20, "y": 20})
    expect(phone.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


@pytest.mark.parametrize("value", ["local", "shared", "off"])
def test_a_persons_own_dismissal_does_not_wait_for_the_pointer(viewer, channel, value):
    local(viewer, value)
    channel.post("Away with it", duration="indefinite")
    viewer.toast("Away with it").get_by_role("button", name=re.compile("Dismiss")).click()
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)
