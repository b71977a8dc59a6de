"""The toolbar for all toasts: visible on hover and focus only, covering no toast, and not moving under the pointer."""

import pytest
from playwright.sync_api import expect

from conftest import OUT, settled, swipeable
from feed import dismissed, presented

NAMES = ["Pause", "Dismiss all", "History", "Settings"]


def some(feed, count, placement="top", **members):
    feed.begin(f'max="{max(count, 3)}"', maxVisible=50, layout={"maximumWidth": 500, "spacing": 12})
    feed.send(*[presented(str(index), message=f"Toast {index}.", placement=placement, **members) for index in range(count)])
    expect(feed.toasts).to_have_count(count)
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[part=toolbar]')")
    feed.settle()


def bar(feed):
    return feed.page.locator("toast-viewer [part=toolbar]")


def controls(feed):
    return feed.page.locator("toast-viewer [part~=control]:visible")


def seen(feed):
    """The boxes of the toasts, as far as they are on the screen and not cut by their list."""
    return feed.page.evaluate("""() => [...document.querySelector("toast-viewer").shadowRoot.querySelectorAll("li > [role=group]")].map((it) => {
      const box = it.getBoundingClientRect(), list = it.closest("ol").getBoundingClientRect();
      return [box.left, Math.max(box.top, list.top), box.right, Math.min(box.bottom, list.bottom)];
    }).filter(([left, top, right, bottom]) => bottom > top)""")


def touch(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_the_toolbar_is_visible_on_hover_or_focus_only(feed_of):
    feed = feed_of()
    some(feed, 3)
    expect(controls(feed)).to_have_count(0)
    feed.toast("Toast 1.").hover()
    expect(controls(feed)).to_have_count(4)
    for name in NAMES:
        expect(feed.page.get_by_role("button", name=name, exact=True)).to_be_visible()
        expect(feed.page.get_by_role("button", name=name, exact=True)).to_have_attribute("title", name)
    feed.page.mouse.move(5, 850)
    expect(controls(feed)).to_have_count(0)
    feed.page.keyboard.press("F8")
    expect(controls(feed)).to_have_count(4)


@pytest.mark.parametrize("placement", ["top", "center", "bottom"])
@pytest.mark.parametrize("align", ["start", "center", "end"])
@pytest.mark.parametrize(("width", "count"), [(1440, 2), (1440, 30), (640, 3), (640, 30), (375, 3), (375, 30)])
def test_the_toolbar_covers_and_displaces_no_toast(feed_of, placement, align, width, count):
    OUT.mkdir(exist_ok=True)
    feed = feed_of(width, 720)
    some(feed, count, placement, align=align)
    before = seen(feed)
    last = feed.toast(f"Toast {count - 1}.")
    last.hover()
    expect(controls(feed)).to_have_count(4)
    feed.settle()
    feed.page.screenshot(path=OUT / f"toolbar-{placement}-{align}-{width}-{count}.png")
    box = bar(feed).bounding_box()
    own = [box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]]
    # The HTML helps more than a wrong box when this fails.
    assert own[0] >= 0 and own[1] >= 0 and own[2] <= width and own[3] <= 720, bar(feed).evaluate("(it) => it.outerHTML")
    assert seen(feed) == before
    assert [it for it in before if touch(own, it)] == []


@pytest.mark.parametrize("placement", ["top", "bottom"])
@pytest.mark.parametrize("width", [1440, 375])
def test_the_toolbar_does_not_move_away_from_a_pointer(feed_of, placement, width):
    feed = feed_of(width, 720)
    some(feed, 2, placement)
    feed.toast("Toast 1.").hover()
    button = feed.page.get_by_role("button", name="Dismiss all")
    expect(button).to_be_visible()
    # It is visible at once, and has its place in the next frame.
    feed.settle()
    before = button.bounding_box()
    if width < 1000:
        # Where it has to stand beyond the newest toast it stays while the pointer is on it.
        button.hover()
    feed.send(presented("late", message="Late.", placement=placement))
    expect(feed.toast("Late.")).to_be_visible()
    feed.settle()
    assert button.bounding_box() == before
    button.hover()
    with feed.page.expect_request(lambda it: it.url.endswith("/dismiss")):
        feed.page.mouse.down()
        feed.page.mouse.up()


@pytest.mark.parametrize(("placement", "closed"), [("top", "Toast 1."), ("bottom", "Toast 1.")])
def test_a_toolbar_that_came_under_the_pointer_moves_for_the_next_toast(feed_of, placement, closed):
    feed = feed_of(375, 720)
    feed.begin('max="3"', maxVisible=50, gestures={"tap": "dismiss"})
    feed.send(*[presented(str(index), message=f"Toast {index}.", placement=placement) for index in range(2)])
    feed.page.route("**/dismiss", lambda route: route.fulfill(json={}))
    feed.toast(closed).hover()
    expect(controls(feed)).to_have_count(4)
    feed.settle()
    feed.page.mouse.down()
    feed.page.mouse.up()
    feed.send(dismissed("1", reason="tap"))
    expect(feed.toasts).to_have_count(1)
    feed.settle()
    # The toolbar has come under a pointer that does not move.
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[part=toolbar]:hover')")
    feed.send(presented("late", message="Late.", placement=placement))
    expect(feed.toast("Late.")).to_be_visible()
    feed.settle()
    box = bar(feed).bounding_box()
    own = [box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]]
    assert [it for it in seen(feed) if touch(own, it)] == []


def test_a_tap_on_a_toast_does_not_hit_the_toolbar_that_appears(phone, channel):
    channel.post("Tapped", duration="indefinite")
    toast = settled(swipeable(phone.toast("Tapped")))
    # A busy page draws its next frame late.
    phone.page.evaluate("() => { window.requestAnimationFrame = () => 0; }")
    for name in ["pointerover", "pointerdown"]:
        toast.dispatch_event(name, {"pointerType": "touch", "bubbles": True, "composed": True})
    expect(bar(phone)).to_be_attached()
    assert bar(phone).bounding_box()["y"] >= toast.bounding_box()["y"] + toast.bounding_box()["height"]


def test_the_history_button_shows_new_toasts_for_a_while(feed_of):
    feed = feed_of()
    feed.page.add_init_script("localStorage.setItem('toast-viewer', JSON.stringify({ isQuiet: true }))")
    feed.page.clock.install()
    feed.begin()
    feed.send(presented("a"))
    history = feed.page.get_by_role("button", name="History, 1 new")
    expect(history).to_be_visible()
    feed.page.clock.run_for(10_500)
    expect(history).to_be_hidden()
    expect(feed.page.locator("toast-viewer [part=region]")).to_be_hidden()
    # The toolbar can still be reached.
    feed.page.keyboard.press("F8")
    expect(history).to_be_visible()


def test_in_a_crowded_list_no_shadow_is_cut_at_the_sides(feed_of):
    feed = feed_of(375, 720)
    some(feed, 30)
    toast, listed = feed.toasts.last.bounding_box(), feed.page.locator("toast-viewer ol[data-crowded]").bounding_box()
    assert toast["x"] - listed["x"] >= 16 and listed["x"] + listed["width"] - toast["x"] - toast["width"] >= 16


def test_an_open_history_is_drawn_anew_only_when_it_changes(feed_of):
    """A person may be reading it or selecting text in it, while other toasts change and the pointer moves."""
    feed = feed_of()
    feed.begin(mode="stack")
    feed.send(presented("a"))
    expect(feed.toast("Toast a")).to_be_visible()
    feed.page.evaluate("document.querySelector('toast-viewer').showHistory()")
    item = feed.page.locator("toast-viewer [part~=memory]")
    expect(item).to_have_count(1)
    item.evaluate("(it) => { it.mark = true; }")
    feed.toast("Toast a").hover()
    feed.send({"type": "held", "id": "a", "holder": "somebody"})
    feed.page.wait_for_timeout(300)
    assert item.evaluate("(it) => it.mark")
    feed.send(presented("b"))
    expect(item).to_have_count(2)
