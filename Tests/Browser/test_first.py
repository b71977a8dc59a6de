"""The first toast, while the lazy parts ("the rest") are late or never load: shown, held, focused by key and closed."""


import pytest
from playwright.sync_api import expect

from conftest import SPOKEN, settled, spoken
from feed import Slow, dismissed, presented, updated


def slow(page, channel, watching, attributes="", **settings):
    feed = Slow(page, channel)
    watching.append(feed)
    return feed.begin(attributes, **settings)


@pytest.fixture
def first(page, channel, watching):
    return slow(page, channel, watching)


def slow_stack(page, channel, watching):
    """A small page with more toasts than it has room for."""
    page.set_viewport_size({"width": 320, "height": 480})
    feed = slow(page, channel, watching, 'max="30"', maxVisible=30)
    feed.send(*[presented(f"t{index:02}") for index in range(30)])
    expect(feed.toasts).to_have_count(30)
    feed.wait_until(lambda: feed.asked)
    return feed


@pytest.fixture
def finger(new_context, channel, watching):
    return slow(new_context(has_touch=True, viewport={"width": 390, "height": 844}).new_page(), channel, watching)


def test_a_pointer_on_the_toast_before_the_rest_is_loaded_holds_it(first):
    toast = first.show(duration=1, remaining=1)
    first.page.wait_for_function("""() => (
      performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/lazy/touches.js"))
    )""")
    toast.hover()
    first.give()
    first.send(dismissed("a", reason="timeout"))
    expect(first.page.locator("toast-viewer [part~=toast][data-state=ended]")).to_be_visible()
    first.page.mouse.move(10, 700)
    expect(first.toasts).to_have_count(0)


@pytest.mark.parametrize("focused", ["Toast t29", "Toast t15"])
def test_the_focus_is_scrolled_into_view_when_the_list_becomes_scrollable(page, channel, watching, focused):
    stack = slow_stack(page, channel, watching)
    stack.toast(focused).get_by_role("button").focus()
    stack.give()
    expect(stack.toast(focused).get_by_role("button")).to_be_in_viewport(ratio=1)


def test_a_swipe_before_the_rest_is_loaded_does_nothing_and_the_next_one_dismisses(finger):
    toast = finger.show()
    finger.swipe(toast, 0, -60, is_early=True)
    finger.give()
    expect(toast).to_have_css("touch-action", "pan-x pinch-zoom")
    assert finger.sent == []
    finger.swipe(toast, 0, -60)
    expect(finger.toasts).to_have_count(0)
    finger.wait_until(lambda: finger.sent)
    assert finger.sent == [("a/dismiss", {"dismissReason": "swipe"})]


def test_a_finger_that_is_down_while_the_rest_loads_drags_only_after_its_next_touch(finger):
    toast = finger.show()
    box = toast.bounding_box()
    client = finger.page.context.new_cdp_session(finger.page)

    def touch(kind, *y):
        points = [{"x": box["x"] + 12, "y": box["y"] + 20 + it} for it in y]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 0)
    for y in (-6, -12, -18):
        touch("touchMove", y)
    finger.give()
    expect(toast).to_have_css("touch-action", "pan-x pinch-zoom")
    for y in (-30, -45, -60):
        touch("touchMove", y)
    touch("touchEnd")
    expect(toast).not_to_have_attribute("data-dragging", "")
    finger.swipe(toast, 0, -60)
    expect(finger.toasts).to_have_count(0)
    finger.wait_until(lambda: finger.sent)
    assert finger.sent == [("a/dismiss", {"dismissReason": "swipe"})]


def test_a_mouse_button_released_beside_the_toast_before_the_rest_is_loaded_drags_nothing(first):
    toast = first.show()
    box = toast.bounding_box()
    mouse = first.page.mouse
    mouse.move(box["x"] + 12, box["y"] + 20)
    mouse.down()
    mouse.move(box["x"] + 12, box["y"] + 10, steps=4)
    mouse.move(box["x"] + 12, box["y"] + 400)
    mouse.up()
    first.give()
    mouse.move(box["x"] + 20, box["y"] + 30)
    mouse.move(box["x"] + 20, box["y"] + 4, steps=4)
    expect(toast).not_to_have_attribute("data-dragging", "")
    expect(toast).to_have_css("translate", "none")


def test_the_hotkey_works_before_the_rest_is_loaded_and_arrow_keys_afterwards(first):
    first.page.evaluate("document.querySelector('toast-viewer').setAttribute('max', '3')")
    first.show("a")
    first.send(presented("b"))
    close = first.toast("Toast b").get_by_role("button", name="Dismiss")
    expect(close).to_be_visible()
    first.page.get_by_role("button", name="Press me").focus()
    first.page.keyboard.press("F8")
    expect(first.toast("Toast b").get_by_role("group")).to_be_focused()
    first.page.keyboard.press("Tab")
    expect(close).to_be_focused()
    first.give()
    # The toast is held, and the previous focus is known.
    expect(first.page.get_by_role("group", name="Notification controls")).to_be_visible()
    expect(close).to_be_focused()
    for name in "ba":
        first.page.keyboard.press("Escape")
        expect(first.toast(f"Toast {name}")).to_have_count(0)
    expect(first.page.get_by_role("button", name="Press me")).to_be_focused()
    first.wait_until(lambda: len(first.sent) == 2)
    assert first.sent == [(f"{name}/dismiss", {"dismissReason": "escape"}) for name in "ba"]


def test_escape_before_the_rest_is_loaded_dismisses_the_toast(first):
    first.show()
    first.page.keyboard.press("F8")
    first.page.keyboard.press("Escape")
    first.give()
    expect(first.toasts).to_have_count(0)
    first.wait_until(lambda: first.sent)
    assert first.sent == [("a/dismiss", {"dismissReason": "escape"})]


def test_an_action_pressed_before_the_rest_is_loaded_is_sent_once(first):
    first.show(actions=[{"id": "undo", "title": "Undo"}]).get_by_role("button", name="Undo").click()
    first.give()
    expect(first.toasts).to_have_count(0)
    first.wait_until(lambda: first.sent)
    assert first.sent == [("a/actions/undo", None)]


def test_a_toast_that_is_closed_before_the_rest_is_loaded_gives_the_focus_back(first):
    close = first.show().get_by_role("button", name="Dismiss")
    first.page.get_by_role("button", name="Press me").focus()
    first.page.keyboard.press("Tab")
    expect(close).to_be_focused()
    first.page.keyboard.press("Enter")
    first.give()
    expect(first.toasts).to_have_count(0)
    expect(first.page.get_by_role("button", name="Press me")).to_be_focused()
    first.wait_until(lambda: first.sent)
    assert first.sent == [("a/dismiss", {"dismissReason": "close"})]


def test_a_change_of_the_channel_before_the_rest_is_loaded_gives_the_focus_back(first):
    button = first.page.get_by_role("button", name="Press me")
    button.focus()
    first.show()
    first.page.keyboard.press("F8")
    expect(button).not_to_be_focused()
    first.page.evaluate("() => { document.querySelector('toast-viewer').channel = 'another'; }")
    expect(first.toasts).to_have_count(0)
    expect(button).to_be_focused()


def test_without_the_rest_a_toast_is_closed_and_another_one_ends(first):
    toast = first.show()
    first.fail()
    toast.get_by_role("button", name="Dismiss").click()
    expect(first.page.locator("toast-viewer [part~=toast]:visible")).to_have_count(0)
    first.wait_until(lambda: first.sent)
    assert first.sent == [("a/dismiss", {"dismissReason": "close"})]
    # Away from where it has pressed, or it would hold the next toast, too.
    first.page.mouse.move(10, 700)
    first.send(dismissed("a", reason="close"), presented("b"))
    expect(first.toast("Toast b")).to_be_visible()
    first.page.wait_for_function("() => performance.getEntriesByType('resource').filter((it) => it.name.endsWith('interaction.js')).length > 1")
    first.send(dismissed("b", reason="timeout"))
    expect(first.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_without_the_rest_a_toast_whose_action_failed_comes_back(first):
    toast = first.show(actions=[{"id": "undo", "title": "Undo"}])
    first.fail()
    first.page.route("**/v1/channels/**/undo", lambda route: route.abort())
    with first.page.expect_event("requestfailed", lambda request: request.url.endswith("/undo")):
        toast.get_by_role("button", name="Undo").click()
    expect(first.toast("Toast a").get_by_role("button", name="Undo")).to_be_visible()


def test_a_dismissal_that_failed_is_sent_again(first):
    toast = first.show()
    first.page.route("**/v1/channels/**/dismiss", lambda route: route.abort())
    with first.page.expect_event("requestfailed", lambda request: request.url.endswith("/dismiss")):
        toast.get_by_role("button", name="Dismiss").click()
    first.page.unroute("**/v1/channels/**/dismiss")
    expect(first.toasts).to_have_count(0)
    first.wait_until(lambda: first.sent)
    assert first.sent == [("a/dismiss", {"dismissReason": "close"})]
    expect(first.toasts).to_have_count(0)


def test_without_the_rest_toasts_are_shown_in_layouts_that_need_it(first):
    # The page's focus, and more toasts than fit, would need the lazy layout.
    first.page.get_by_role("button", name="Press me").focus()
    first.send(*[presented(name) for name in "abcde"])
    first.wait_until(lambda: first.asked)
    first.fail()
    expect(first.toasts).to_have_count(5)
    expect(first.page.get_by_role("button", name="Press me")).to_be_focused()


def test_a_failed_load_of_the_rest_is_tried_again_by_itself(first):
    first.show()
    first.fail()
    first.page.unroute("**/lazy/interaction.js")
    first.give()
    first.page.keyboard.press("F8")
    first.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.activeElement?.role === 'group'")


LIFECYCLE = "**/lazy/toast-lifecycle.js"


@pytest.fixture
def bare(page, channel, watching):
    """All parts that are loaded with the first toast are late, also the lifecycle."""
    feed = Slow(page, channel)
    watching.append(feed)
    feed.late = []
    page.route(LIFECYCLE, lambda route: feed.late.append(route))
    feed.begin()
    page.evaluate(SPOKEN)
    feed.send(presented("a"))
    expect(feed.toast("Toast a")).to_be_visible()
    feed.wait_until(lambda: feed.late)
    settled(feed.toast("Toast a"))
    return feed


def deliver(feed):
    feed.page.unroute(LIFECYCLE)
    while feed.late:
        feed.late.pop().continue_()


def lose(feed):
    feed.page.unroute(LIFECYCLE)
    feed.page.route(LIFECYCLE, lambda route: route.abort())
    while feed.late:
        feed.late.pop().abort()


def test_without_lazy_parts_a_second_toast_is_shown_and_announced(bare):
    bare.send(presented("b", role="error"))
    expect(bare.toast("Toast b")).to_be_visible()
    assert [text.split(": ")[-1] for _, text in spoken(bare, 2)] == ["Toast a", "Toast b"]


def test_changes_and_exits_of_toasts_wait_for_the_lifecycle(bare):
    bare.send(updated("a", message="Changed"))
    deliver(bare)
    expect(bare.toast("Changed")).to_be_visible()
    bare.send(dismissed("a"))
    expect(bare.toasts).to_have_count(0)


def test_a_replacement_comes_when_the_lifecycle_is_loaded(bare):
    bare.send(dismissed("a", reason="replaced", exit=0), presented("b"))
    deliver(bare)
    expect(bare.toast("Toast b")).to_be_visible()
    expect(bare.toasts).to_have_count(1)
    assert [text.split(": ")[-1] for _, text in spoken(bare, 2)] == ["Toast a", "Toast b"]


def test_a_replacement_does_not_wait_for_ever_for_the_lifecycle(bare):
    bare.send(dismissed("a", reason="replaced", exit=0), presented("b"))
    expect(bare.toast("Toast b")).to_be_visible()
    expect(bare.toasts).to_have_count(1)


def test_a_dismissal_before_any_lazy_part_is_loaded_is_sent_when_it_is(bare):
    bare.toast("Toast a").get_by_role("button", name="Dismiss").click()
    deliver(bare)
    expect(bare.toasts).to_have_count(0)
    bare.wait_until(lambda: bare.sent)
    assert bare.sent == [("a/dismiss", {"dismissReason": "close"})]


def test_without_the_lifecycle_toasts_come_go_and_can_be_closed(bare):
    bare.toast("Toast a").get_by_role("button", name="Dismiss").click()
    lose(bare)
    expect(bare.toasts).to_have_count(0)
    bare.wait_until(lambda: bare.sent)
    assert bare.sent == [("a/dismiss", {"dismissReason": "close"})]
    bare.send(presented("b"))
    expect(bare.toast("Toast b")).to_be_visible()
    bare.send(dismissed("b", reason="timeout"), presented("c"))
    expect(bare.toast("Toast c")).to_be_visible()
    expect(bare.toasts).to_have_count(1)
    # A failed load is tried again without an event.
    deliver(bare)
    bare.send(updated("c", message="Changed"))
    expect(bare.toast("Changed")).to_be_visible()


def test_an_action_pressed_twice_before_any_lazy_part_is_loaded_is_sent_once(bare):
    asked = []
    # Answered after both clicks: an action that has been answered may be pressed again.
    bare.page.route("**/actions/undo", lambda route: asked.append(route))
    bare.send(presented("b", actions=[{"id": "undo", "title": "Undo"}]))
    bare.toast("Toast b").get_by_role("button", name="Undo").dblclick()
    bare.wait_until(lambda: asked)
    asked[0].fallback()
    bare.wait_until(lambda: bare.sent)
    deliver(bare)
    expect(bare.toasts).to_have_count(1)
    assert bare.sent == [("b/actions/undo", None)] and len(asked) == 1


def test_a_dismissal_is_sent_when_a_load_succeeds_after_failures(page, channel, watching):
    feed = Slow(page, channel)
    watching.append(feed)
    page.route("**/lazy/answers.js", lambda route: route.abort())
    feed.begin()
    page.evaluate("() => { window.shown = 0; addEventListener('toast-show', () => { shown += 1; }); }")
    toast = feed.show()
    # A pointer that holds it does not bring it back.
    toast.hover()
    page.wait_for_timeout(200)
    toast.get_by_role("button", name="Dismiss").click()
    expect(feed.toasts).to_have_count(0)
    page.wait_for_timeout(300)
    assert (page.evaluate("shown"), feed.sent) == (1, [])
    page.unroute("**/lazy/answers.js")
    feed.wait_until(lambda: feed.sent)
    assert feed.sent == [("a/dismiss", {"dismissReason": "close"})]
    expect(feed.toasts).to_have_count(0)
