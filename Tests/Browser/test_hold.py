"""Toasts stay while the pointer or the focus is on them."""

import re

import pytest
from playwright.sync_api import expect

from conftest import OUT, SPOKEN, settled, swipeable
from feed import Feed, dismissed, presented, updated


def local(viewer, value="local"):
    viewer.page.evaluate("(value) => { document.querySelector('toast-viewer').holds = value; }", value)
    return viewer


def ended(viewer):
    return viewer.page.locator("toast-viewer [part~=toast][data-state=ended]")


def test_a_hovered_toast_outlives_its_time_in_this_viewer_only(viewer, channel):
    local(viewer)
    posted = channel.post("Let me read", duration="indefinite", actions=[{"id": "undo", "title": "Undo"}])
    swipeable(settled(viewer.toast("Let me read"))).hover()
    channel.patch(posted["id"], duration=1)
    expect(ended(viewer)).to_have_count(1)
    assert channel.toast(posted["id"])["dismissReason"] == "timeout"
    # The server accepts no answers for this toast any more, so its action is disabled.
    expect(ended(viewer).get_by_role("button", name="Undo")).to_be_disabled()
    viewer.page.mouse.move(5, 700)
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_b6_a_toast_with_the_focus_outlives_its_time(viewer, channel):
    local(viewer)
    posted = channel.post("Let me read", duration="indefinite")
    expect(viewer.toast("Let me read")).to_be_visible()
    viewer.page.keyboard.press("F8")
    channel.patch(posted["id"], duration=1)
    expect(ended(viewer)).to_have_count(1)
    viewer.page.keyboard.press("Escape")
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_a_shared_hold_stops_the_countdown_for_all(viewer, channel):
    local(viewer, "shared")
    posted = channel.post("Let us read", duration="indefinite")
    with viewer.page.expect_response(lambda it: "/holds/" in it.url and it.request.method == "PUT") as answer:
        swipeable(settled(viewer.toast("Let us read"))).hover()
    assert answer.value.status == 200
    expect(viewer.page.locator("[data-log] [data-type=held]")).to_have_count(1)
    channel.patch(posted["id"], duration=1)
    # Far longer than the toast's duration.
    channel.call("GET", "/poll?wait=3&since=" + channel.call("GET", "")["cursor"])
    assert channel.toast(posted["id"])["state"] == "presented"
    with viewer.page.expect_response(lambda it: "/holds/" in it.url and it.request.method == "DELETE"):
        viewer.page.mouse.move(5, 700)
    expect(viewer.toasts).to_have_count(0)
    assert channel.toast(posted["id"])["dismissReason"] == "timeout"


def test_holds_can_be_off(viewer, channel):
    local(viewer, "off")
    posted = channel.post("Gone anyway", duration="indefinite")
    settled(viewer.toast("Gone anyway")).hover()
    channel.patch(posted["id"], duration=1)
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_b19_a_tap_is_not_a_hover(phone, channel):
    local(phone)
    posted = channel.post("Tapped", duration="indefinite")
    phone.toast("Tapped").tap(position={"x": 20, "y": 20})
    channel.patch(posted["id"], duration=1)
    expect(phone.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


@pytest.mark.parametrize("value", ["local", "shared", "off"])
def test_a_persons_own_dismissal_does_not_wait_for_the_pointer(viewer, channel, value):
    local(viewer, value)
    channel.post("Away with it", duration="indefinite")
    viewer.toast("Away with it").get_by_role("button", name=re.compile("Dismiss")).click()
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_a_toast_that_comes_under_a_pointer_is_not_held_until_the_pointer_moves(page, channel, watching):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin(mode="stack")
    # The pointer waits where the toast will stand.
    page.mouse.move(640, 40)
    feed.send(presented("a", duration=1, remaining=1))
    expect(feed.toast("Toast a")).to_be_visible()
    feed.send(dismissed("a", reason="timeout"))
    expect(feed.toasts).to_have_count(0)
    feed.send(presented("b", duration=1, remaining=1))
    expect(feed.toast("Toast b")).to_be_visible()
    # While it enters, it is not yet under the pointer.
    settled(feed.toast("Toast b"))
    page.mouse.move(645, 44)
    feed.send(dismissed("b", reason="timeout"))
    page.wait_for_timeout(2000)
    expect(page.locator("toast-viewer [part~=toast][data-state=ended]")).to_be_visible()


def test_a_pointer_that_stops_moving_holds_for_ten_seconds(page, channel, watching):
    page.clock.install()
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin(mode="stack")
    feed.send(presented("a", duration=1, remaining=1))
    toast = swipeable(settled(feed.toast("Toast a")))
    # From now on only the test lets time pass.
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    toast.hover()
    feed.send(dismissed("a", reason="timeout"))
    page.clock.run_for(9000)
    expect(feed.toasts).to_have_count(1)
    page.clock.run_for(3000)
    expect(feed.toasts).to_have_count(0)


def test_an_error_is_shown_and_announced_beyond_the_limit(page, channel, watching):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin("max=1", mode="stack")
    page.evaluate(SPOKEN)
    feed.send(presented("a"))
    swipeable(settled(feed.toast("Toast a"))).hover()
    feed.send(presented("b", announcement="info, Toast b"), presented("c", role="error", announcement="error, Toast c"))
    expect(feed.toast("Toast c")).to_be_visible()
    expect(feed.toasts).to_have_count(2)
    page.wait_for_function("() => ['error, Toast c', 'info, Toast b'].every((it) => spoken.some(([, text]) => text === it))")


def test_hovering_during_an_exit_sends_no_hold(page, watch, channel):
    viewer = watch(page).open()
    page.evaluate("document.querySelector('toast-viewer').holds = 'shared'")
    answers = []
    page.on("response", lambda response: answers.append(response.status) if "/holds/" in response.url else None)
    channel.post("Closed under the pointer", duration="indefinite")
    toast = settled(viewer.toast("Closed under the pointer"))
    with page.expect_response(lambda response: "/holds/" in response.url):
        swipeable(toast).hover()
    toast.get_by_role("button", name="Dismiss").click()
    expect(viewer.toasts).to_have_count(0)
    page.mouse.move(5, 5)
    page.wait_for_timeout(600)
    assert [it for it in answers if it >= 400] == []


def test_no_release_is_sent_for_a_toast_that_ends_under_the_pointer(page, watch, channel):
    viewer = watch(page).open()
    page.evaluate("document.querySelector('toast-viewer').holds = 'shared'")
    answers = []
    page.on("response", lambda response: answers.append(response.status) if "/holds/" in response.url else None)
    posted = channel.post("Ended under the pointer", duration="indefinite")
    toast = swipeable(settled(viewer.toast("Ended under the pointer")))
    with page.expect_response(lambda response: "/holds/" in response.url):
        toast.hover()
    channel.dismiss(posted["id"])
    expect(page.locator("toast-viewer [part~=toast][data-state=ended]")).to_have_count(1)
    page.mouse.move(5, 700)
    expect(viewer.toasts).to_have_count(0)
    page.wait_for_timeout(300)
    assert 200 in answers and [it for it in answers if it >= 400] == []


@pytest.fixture
def leased(page, channel, watching):
    """A viewer with shared holds. The test answers its requests, records them, and sends no events for them."""
    feed = Feed(page, channel)
    watching.append(feed)
    feed.asked = []

    def note(route):
        feed.asked.append((route.request.method, route.request.url.split("/toasts/")[1].split("/holds/")[0]))
        route.fulfill(json={})

    page.route("**/v1/channels/**", note)
    page.clock.install()
    feed.begin('holds="shared"', mode="stack", maxVisible=3)
    feed.send(presented("a"), presented("b"))
    page.clock.run_for(1000)
    expect(feed.toasts).to_have_count(2)
    swipeable(feed.toast("Toast a")).hover()
    page.clock.run_for(100)
    feed.wait_until(lambda: set(feed.asked) == {("PUT", "a"), ("PUT", "b")})
    feed.asked.clear()
    return feed


def test_a_toast_that_is_being_dismissed_is_neither_held_nor_released(leased):
    leased.toast("Toast a").get_by_role("button", name="Dismiss").click()
    leased.page.clock.run_for(100)
    leased.wait_until(lambda: ("POST", "a/dismiss") in leased.asked)
    leased.page.mouse.move(10, 700)
    leased.page.clock.run_for(6000)
    # Only the hold of the other toast is released: that of the dismissed one has ended with it.
    leased.wait_until(lambda: ("DELETE", "b") in leased.asked)
    assert [method for method, name in leased.asked if name == "a"] == []


def test_the_hold_of_a_toast_that_is_over_is_not_renewed(leased):
    leased.send(dismissed("a", reason="timeout"))
    leased.page.clock.run_for(100)
    expect(leased.page.locator("toast-viewer [part~=toast][data-state=ended]")).to_have_count(1)
    for step in range(4):
        # A pointer that moves holds on.
        leased.page.mouse.move(640, 40 + step)
        leased.page.clock.run_for(2000)
    leased.wait_until(lambda: ("PUT", "b") in leased.asked)
    assert [method for method, name in leased.asked if name == "a"] == []


ACTIONS = [{"id": "undo", "title": "Undo"}, {"id": "more", "title": "More"}]


@pytest.fixture
def answerable(page, channel, watching):
    """A toast with two buttons, whose second one has the focus."""
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin(mode="stack")
    feed.send(presented("a", duration=1, remaining=1, actions=ACTIONS))
    settled(feed.toast("Toast a")).get_by_role("button", name="More").focus()
    assert feed.focused == "action"
    return feed


def test_a_disabled_action_keeps_the_focus(answerable):
    asked = []
    answerable.page.on("request", lambda request: asked.append(request.url) if "/actions/" in request.url else None)
    answerable.send(dismissed("a", reason="timeout"))
    more = ended(answerable).get_by_role("button", name="More")
    expect(more).to_be_disabled()
    expect(more).to_be_focused()
    expect(ended(answerable).get_by_role("button", name="Undo")).to_have_css("opacity", "0.5")
    # The focus ring stays visible.
    expect(more).to_have_css("opacity", "0.75")
    OUT.mkdir(exist_ok=True)
    answerable.page.screenshot(path=OUT / "ended-focused.png")
    answerable.page.keyboard.press("Enter")
    # The focus still holds the toast, and Escape still dismisses it.
    expect(ended(answerable)).to_be_visible()
    answerable.page.keyboard.press("Escape")
    expect(answerable.toasts).to_have_count(0)
    assert asked == []


def test_the_focus_stays_on_a_button_whose_action_is_pending(answerable):
    answerable.send(updated("a", duration="indefinite", actions=[ACTIONS[0], {**ACTIONS[1], "pending": True}]))
    expect(answerable.toast("Toast a").locator("[part~=pending]")).to_be_focused()


def test_the_focus_of_a_removed_button_moves_to_its_toast(answerable):
    answerable.send(updated("a", duration="indefinite", actions=ACTIONS[:1]))
    expect(answerable.toast("Toast a").get_by_role("button", name="More")).to_have_count(0)
    expect(answerable.toast("Toast a").get_by_role("group")).to_be_focused()


def test_the_close_button_keeps_the_focus_when_buttons_come_and_go(answerable):
    close = answerable.toast("Toast a").get_by_role("button", name="Dismiss")
    close.focus()
    for actions in (ACTIONS[:1], [*ACTIONS, {"id": "third", "title": "Third"}], []):
        answerable.send(updated("a", duration="indefinite", actions=actions))
        expect(answerable.toast("Toast a").locator("[part~=action]")).to_have_count(len(actions))
        expect(close).to_be_focused()


def test_a_style_that_gives_the_same_element_again_keeps_its_focus(answerable):
    answerable.page.evaluate("""() => {
      const own = document.createElement("button");
      own.part = "answer";
      customElements.get("toast-viewer").registerStyle("same", {
        render: ({ message }) => { own.textContent = message; return own; },
      });
    }""")
    button = answerable.page.locator("toast-viewer [part=answer]")
    answerable.send(presented("b", style="same", message="One"))
    settled(answerable.toast("One"))
    button.focus()
    answerable.send(updated("b", style="same", message="Two"))
    expect(button).to_have_text("Two")
    expect(button).to_be_focused()


def test_setting_holds_to_off_releases_toasts_and_setting_it_back_holds_them(page, channel, watching):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin(mode="stack")
    page.clock.install()
    feed.send(presented("a", duration=6, remaining=6), presented("b", duration="indefinite"))
    feed.settle()
    for x in (40, 44):
        feed.toast("Toast a").hover(position={"x": x, "y": 20})
    local(feed, "off")
    feed.send(dismissed("a", reason="timeout"))
    expect(feed.toast("Toast a")).to_have_count(0)
    feed.send(updated("b", duration=6, remaining=6))
    local(feed, None)
    assert page.evaluate("document.querySelector('toast-viewer').hasAttribute('holds')") is False
    for x in (40, 44):
        feed.toast("Toast b").hover(position={"x": x, "y": 20})
    feed.send(dismissed("b", reason="timeout"))
    expect(ended(feed)).to_have_count(1)


def test_a_toast_that_goes_while_a_finger_drags_it_holds_the_others_no_longer(feed_of):
    feed = feed_of(390, 844, has_touch=True)
    feed.begin(mode="stack")
    feed.send(presented("a"), presented("b", duration=2, remaining=2))
    toast = swipeable(settled(feed.toast("Toast a")))
    box = toast.bounding_box()
    client = feed.page.context.new_cdp_session(feed.page)

    def touch(kind, *ys):
        points = [{"x": box["x"] + 12, "y": box["y"] + 20 + y} for y in ys]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 0)
    for y in (-10, -20):
        touch("touchMove", y)
    expect(toast).to_have_attribute("data-dragging", "")
    feed.page.evaluate("document.querySelector('toast-viewer').dismiss('a')")
    expect(feed.page.locator("toast-viewer [data-state=leaving]")).to_have_count(1)
    feed.send(dismissed("a", reason="close"))
    expect(feed.page.locator("toast-viewer [part~=toast]")).to_have_count(1)
    touch("touchEnd")
    feed.send(dismissed("b", reason="timeout"))
    expect(feed.toasts).to_have_count(0)
