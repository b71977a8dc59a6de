"""Alignment and width of toasts, and swiping them towards the side of the screen at which they stand."""

import itertools

import pytest
from playwright.sync_api import expect

from conftest import STYLES, settled, swipeable
from feed import presented

# The layout settings of a channel that sets no width.
OWN_WIDTH = {"layout": {"spacing": 16, "inset": 16, "maximumWidth": "style"}}


# A finger's drag to the side, over a number of pixels in a number of milliseconds.
# The events have fixed timestamps, so that a slow machine does not make the drag slower.
DRAG = """([dx, milliseconds]) => {
  const toast = document.querySelector("toast-viewer").shadowRoot.querySelector("li");
  const start = performance.now();
  const send = (type, x, part) => {
    const event = new PointerEvent(type, {
      pointerId: 7, pointerType: "touch", isPrimary: true, clientX: 150 + x, clientY: 800, buttons: type === "pointerup" ? 0 : 1,
      bubbles: true, composed: true, cancelable: true,
    });
    Object.defineProperty(event, "timeStamp", { value: start + milliseconds * part });
    toast.firstElementChild.dispatchEvent(event);
  };
  send("pointerdown", 0, 0);
  for (let step = 1; step <= 6; step += 1) { send("pointermove", dx * step / 6, (step - 1) / 6); }
  send("pointerup", dx, 1);
}"""


def surface(feed, text="Toast a"):
    toast = feed.toast(text)
    expect(toast).to_be_visible()
    feed.settle()
    return toast.locator("[role=group]").bounding_box()


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("placement", ["top", "center", "bottom"])
@pytest.mark.parametrize("align", ["start", "center", "end"])
@pytest.mark.parametrize("style", ["glass", "capsule"])
def test_a_toast_stands_where_its_alignment_says(feed_of, style, align, placement, direction):
    feed = feed_of()
    feed.begin()
    feed.page.evaluate("(dir) => { document.documentElement.dir = dir; }", direction)
    feed.send(presented("a", style=style, placement=placement, align=align))
    box = surface(feed)
    left, right = box["x"], 1440 - box["x"] - box["width"]
    side = align if align == "center" else "left" if (align == "start") == (direction == "ltr") else "right"
    assert {"left": left == 16, "right": right == 16, "center": abs(left - right) <= 1}[side]


@pytest.mark.parametrize(("toast", "page", "channel_s", "result"), [
    ("start", "end", "center", "start"), (None, "end", "start", "end"), (None, None, "end", "end"), (None, None, None, "center"),
    (None, "nonsense", "end", "end"),
])
def test_a_toast_s_alignment_overrides_the_page_s_which_overrides_the_channel_s(feed_of, toast, page, channel_s, result):
    feed = feed_of()
    feed.begin(f'align="{page}"' if page else "", **({"align": channel_s} if channel_s else {}))
    feed.send(presented("a", **({"align": toast} if toast else {})))
    box = surface(feed)
    place = "start" if box["x"] == 16 else "end" if box["x"] + box["width"] == 1424 else "center"
    assert place == result


def test_a_changed_channel_alignment_moves_shown_toasts(feed_of):
    feed = feed_of()
    feed.begin(align="end")
    feed.send(presented("a"), presented("b", align="start"))
    assert surface(feed)["x"] > 700
    feed.send({"type": "configured", "effective": {"align": "start"}})
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelectorAll('li[data-align=start]').length === 2")
    assert surface(feed)["x"] == 16


def test_a_changed_page_alignment_moves_shown_toasts(feed_of):
    feed = feed_of()
    feed.begin()
    feed.send(presented("a"))
    assert 16 < surface(feed)["x"] < 700
    feed.page.evaluate("document.querySelector('toast-viewer').align = 'end'")
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('li[data-align=end]')")
    box = surface(feed)
    assert box["x"] + box["width"] == 1424


def test_toasts_of_one_edge_never_cover_each_other_whatever_their_alignment(feed_of):
    feed = feed_of(375, 700)
    feed.begin()
    feed.send(*[presented(name, align=align, placement="bottom") for name, align in zip("abc", ["start", "center", "end"])])
    boxes = sorted((surface(feed, f"Toast {name}") for name in "abc"), key=lambda box: box["y"])
    assert all(one["y"] + one["height"] <= other["y"] for one, other in itertools.pairwise(boxes))


WIDTHS = {"snackbar": 428, "material": 1408, "toaster": 1408, "capsule": None, "toastui": None}


@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_as_wide_as_in_its_system_unless_the_channel_says_otherwise(feed_of, style):
    feed = feed_of()
    feed.begin(**OWN_WIDTH)
    text = "A message that is long enough to be as wide as a toast may be, and then some more words of it, and more."
    feed.send(presented("a", style=style, message=text))
    assert surface(feed, text)["width"] == pytest.approx(WIDTHS.get(style, 500) or 500, abs=35 if style in ("capsule", "toastui") else 0)
    feed.send({"type": "configured", "effective": {"layout": {"maximumWidth": 300}}})
    expect(feed.toasts).to_have_css("width", "300px")
    feed.send({"type": "configured", "effective": {"layout": {"maximumWidth": "unlimited"}}})
    expect(feed.toasts).to_have_css("width", "1408px")


@pytest.mark.parametrize("style", STYLES)
def test_on_a_small_screen_every_style_fits(feed_of, style):
    feed = feed_of(375, 700)
    feed.begin(**OWN_WIDTH)
    feed.send(presented("a", style=style, align="end", message="A message that is long enough to be as wide as a toast may be."))
    box = surface(feed, "A message")
    assert box["x"] >= 16 and box["x"] + box["width"] == pytest.approx(359, abs=0.5)


@pytest.mark.parametrize("style", ["capsule", "toastui"])
def test_clicks_beside_a_narrow_toast_reach_the_page(feed_of, style):
    feed = feed_of()
    feed.begin()
    feed.send(presented("a", style=style, message="OK"))
    box = surface(feed, "OK")
    at = "([x, y]) => document.elementFromPoint(x, y)?.localName === 'toast-viewer'"
    y = box["y"] + box["height"] / 2
    assert feed.page.evaluate(at, [box["x"] + box["width"] / 2, y])
    assert not feed.page.evaluate(at, [box["x"] - 10, y]) and not feed.page.evaluate(at, [box["x"] + box["width"] + 10, y])


@pytest.mark.parametrize(("direction", "align", "dx", "is_away"), [
    ("ltr", "end", 60, True), ("ltr", "end", -60, False), ("ltr", "start", -60, True), ("rtl", "end", -60, True), ("ltr", "center", 60, False),
])
def test_a_toast_is_swiped_towards_its_side_of_the_screen(feed_of, direction, align, dx, is_away):
    feed = feed_of(390, 844, has_touch=True)
    feed.begin()
    feed.page.evaluate("(dir) => { document.documentElement.dir = dir; }", direction)
    feed.send(presented("a", placement="bottom", align=align))
    surface(feed)
    toast = swipeable(settled(feed.toast("Toast a")))
    if direction == "ltr":
        feed.swipe(toast, dx, 0)
    else:
        feed.page.evaluate(DRAG, [dx, 12])
    if is_away:
        expect(feed.toasts).to_have_count(0)
    else:
        expect(toast).to_have_css("opacity", "1")
        expect(feed.toasts).to_have_count(1)


def test_a_quick_flick_to_the_side_is_enough(feed_of):
    feed = feed_of(390, 844, has_touch=True)
    feed.begin()
    feed.send(presented("a", placement="bottom", align="end"))
    surface(feed)
    swipeable(feed.toast("Toast a"))
    feed.page.evaluate(DRAG, [30, 12])
    expect(feed.toasts).to_have_count(0)


def test_a_slow_short_drag_to_the_side_is_not_enough(feed_of):
    feed = feed_of(390, 844, has_touch=True)
    feed.begin()
    feed.send(presented("a", placement="bottom", align="end"))
    surface(feed)
    swipeable(feed.toast("Toast a"))
    feed.page.evaluate(DRAG, [30, 300])
    expect(feed.toast("Toast a")).to_have_css("opacity", "1")
    expect(feed.toasts).to_have_count(1)
