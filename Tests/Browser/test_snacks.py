"""Assertions of Y-Snackbar's own tests about its containers: where the page gets a press, and the order of snacks."""

import pytest
from playwright.sync_api import expect

from feed import Feed, Slow, presented, updated

STAND = [("top", "abc"), ("bottom", "cba")]

# The target of a press at the middle of a line of the screen: the viewer, or the page behind it.
HIT = "([x, y]) => document.elementFromPoint(x, y)?.localName === 'toast-viewer'"


@pytest.fixture
def feed(page, channel):
    feed = Feed(page, channel)
    yield feed
    feed.check()


@pytest.fixture
def slow(page, channel):
    slow = Slow(page, channel)
    yield slow
    slow.check()


# Where toasts are at the beginning of their entrance, in the order in which they came.
STARTS = """() => {
  const all = [...document.querySelector("toast-viewer").shadowRoot.querySelectorAll("li")];
  for (const each of all) for (const it of each.getAnimations()) { it.pause(); it.currentTime = 0; }
  return all.map((it) => { const { top, bottom } = it.getBoundingClientRect(); return { top, bottom }; });
}"""


def three(feed, placement):
    feed.begin()
    for name in "abc":
        feed.send(presented(name, placement=placement))
    expect(feed.toasts).to_have_count(3)
    feed.settle()


@pytest.mark.parametrize(("placement", "order"), STAND)
def test_a_press_between_snacks_or_beyond_the_last_reaches_the_page(feed, placement, order):
    three(feed, placement)
    boxes = [feed.toast(f"Toast {name}").bounding_box() for name in order]
    x = boxes[0]["x"] + boxes[0]["width"] / 2
    inside = [box["y"] + box["height"] / 2 for box in boxes]
    between = [box["y"] + box["height"] + 8 for box in boxes[:2]]
    # Only a little after the last one, because the toolbar is further down.
    beyond = [boxes[0]["y"] - 4, boxes[2]["y"] + boxes[2]["height"] + 4]
    beside = boxes[1]["x"] - 8
    assert [feed.page.evaluate(HIT, [x, y]) for y in inside] == [True] * 3
    assert [feed.page.evaluate(HIT, [x, y]) for y in between + beyond] == [False] * 4
    assert not feed.page.evaluate(HIT, [beside, inside[1]])


def test_without_a_snack_every_press_reaches_the_page(feed):
    feed.begin()
    size = feed.page.viewport_size
    for x, y in [(0.5, 0.02), (0.5, 0.5), (0.5, 0.98)]:
        assert not feed.page.evaluate(HIT, [size["width"] * x, size["height"] * y])


def test_before_the_sheet_is_loaded_every_press_reaches_the_page(feed):
    sheets = []
    feed.page.route("**/base.css*", lambda route: sheets.append(route))
    feed.begin()
    # Without the sheet a browser centres a popover.
    assert not feed.page.evaluate(HIT, [640, 360])
    assert feed.page.evaluate("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[part=layer]').offsetHeight") == 0
    assert sheets
    for sheet in sheets:
        sheet.continue_()
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[part=layer]').matches(':popover-open')")


@pytest.mark.parametrize("placement", ["top", "bottom"])
@pytest.mark.parametrize(("moved", "model"), [("a", "bca"), ("b", "acb"), ("c", "abc")])
def test_a_snack_that_comes_again_is_the_newest(feed, placement, moved, model):
    three(feed, placement)
    feed.send(updated(moved, placement=placement, moved=True))
    feed.page.wait_for_function(f"() => document.querySelector('toast-viewer').toasts.at(-1).id === '{moved}'")
    feed.page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    feed.finish()
    assert feed.order() == [f"Toast {name}" for name in (model if placement == "top" else reversed(model))]


@pytest.mark.parametrize("placement", ["top", "bottom"])
@pytest.mark.parametrize("header", [0, 80])
def test_all_snacks_of_a_first_burst_slide_in_from_beyond_their_edge(slow, placement, header):
    slow.begin()
    # Like our own page, which keeps its header free of toasts.
    slow.page.evaluate("(top) => { document.querySelector('toast-viewer').shadowRoot.querySelector('[part=layer]').style.insetBlockStart = `${top}px`; }", header)
    slow.send(*[presented(name, style="snackbar", placement=placement, message="Words " * 12 * index) for index, name in enumerate("abc", 1)])
    slow.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelectorAll('li').length === 3")
    height = slow.page.viewport_size["height"]
    first = slow.page.evaluate(STARTS)
    # Just beyond it, with their shadows.
    assert [header - it["bottom"] if placement == "top" else it["top"] - height for it in first] == [pytest.approx(9, abs=1)] * 3
    slow.wait_until(lambda: slow.asked)
    slow.give()
    slow.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.adoptedStyleSheets.length > 3")
    # The lazy layout computes the same distances.
    assert [it["top"] for it in slow.page.evaluate(STARTS)] == [pytest.approx(it["top"], abs=1) for it in first]
