"""A stack that is collapsed to its newest toast until pointer or focus are on it."""

import itertools

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import OUT, SCHEMES
from feed import dismissed, presented
from test_look import complaints


def five(feed, placement="top", attributes='stack="collapsed" max="10"', **settings):
    feed.begin(attributes, **settings)
    for name in "abcde":
        feed.send(presented(name, placement=placement, message=f"Toast {name}" + " of more lines" * (12 if name == "c" else 0)))
    expect(feed.toasts).to_have_count(5)
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[data-collapsed]')")
    feed.settle()


def boxes(feed):
    return {name: feed.toast(f"Toast {name}").locator("[role=group]").bounding_box() for name in "abcde"}


def is_spread(feed):
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[data-spread]:not([data-collapsed])')")
    feed.settle()
    all_boxes = sorted(boxes(feed).values(), key=lambda box: box["y"])
    return all(one["y"] + one["height"] <= other["y"] for one, other in itertools.pairwise(all_boxes))


def expect_collapsed(feed):
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[data-collapsed]')")
    feed.settle()


@pytest.mark.parametrize("placement", ["top", "center", "bottom"])
def test_the_newest_is_in_front_of_two_edges(feed_of, placement):
    OUT.mkdir(exist_ok=True)
    feed = feed_of()
    five(feed, placement)
    feed.page.screenshot(path=OUT / f"stack-collapsed-{placement}.png")
    at = boxes(feed)
    front, first, second = at["e"], at["d"], at["c"]
    # The edges of the others are seen towards the middle, each narrower; a high toast is cut to the newest's height.
    for depth, peek in ((1, first), (2, second)):
        edge = peek["y"] - front["y"] if placement == "bottom" else peek["y"] + peek["height"] - front["y"] - front["height"]
        assert edge == pytest.approx(-10 * depth if placement == "bottom" else 10 * depth, abs=1)
        assert peek["width"] < front["width"] and peek["height"] <= front["height"]
    expect(feed.toast("Toast a")).to_be_hidden()
    expect(feed.toast("Toast b")).to_be_hidden()
    if placement != "center":
        edge = front["y"] if placement == "top" else 900 - front["y"] - front["height"]
        assert edge == 16


def test_the_channel_can_collapse_the_stack_and_the_page_overrides_it(feed_of):
    feed = feed_of()
    five(feed, attributes='max="10"', stack="collapsed")
    feed = feed_of()
    feed.begin('stack="expanded" max="10"', stack="collapsed")
    feed.send(presented("a"), presented("b"))
    expect(feed.toasts).to_have_count(2)
    feed.settle()
    assert feed.order() == ["Toast a", "Toast b"]
    expect(feed.toast("Toast a")).to_be_visible()


def test_the_page_can_collapse_and_expand_the_stack_later(feed_of):
    feed = feed_of()
    feed.begin('max="10"')
    feed.send(presented("a"), presented("b"))
    expect(feed.toasts).to_have_count(2)
    feed.settle()
    feed.page.evaluate("document.querySelector('toast-viewer').stack = 'collapsed'")
    expect_collapsed(feed)
    feed.page.evaluate("document.querySelector('toast-viewer').removeAttribute('stack')")
    feed.page.wait_for_function("() => !document.querySelector('toast-viewer').shadowRoot.querySelector('[data-collapsed]')")
    feed.settle()
    assert feed.order() == ["Toast a", "Toast b"]


@pytest.mark.parametrize("placement", ["top", "bottom"])
def test_hovering_opens_the_stack_and_leaving_closes_it(feed_of, placement):
    OUT.mkdir(exist_ok=True)
    feed = feed_of()
    five(feed, placement)
    feed.toast("Toast e").hover()
    assert is_spread(feed)
    feed.page.screenshot(path=OUT / f"stack-spread-{placement}.png")
    # Between two toasts it stays open.
    at = boxes(feed)
    upper, lower = (at["a"], at["b"]) if placement == "top" else (at["b"], at["a"])
    feed.page.mouse.move(upper["x"] + 50, (upper["y"] + upper["height"] + lower["y"]) / 2)
    feed.page.wait_for_timeout(600)
    assert is_spread(feed)
    feed.page.mouse.move(5, 450)
    expect_collapsed(feed)


def test_focus_opens_the_stack_and_every_toast_can_be_reached(feed_of):
    feed = feed_of()
    five(feed)
    feed.page.keyboard.press("F8")
    assert is_spread(feed)
    for name in "dcba":
        feed.page.keyboard.press("ArrowUp")
        assert feed.page.evaluate("document.querySelector('toast-viewer').shadowRoot.activeElement.querySelector('[part=message]').textContent").startswith(f"Toast {name}")
    feed.page.keyboard.press("Escape")
    expect(feed.toasts).to_have_count(4)
    feed.page.evaluate("document.querySelector('toast-viewer').shadowRoot.activeElement.blur()")
    expect_collapsed(feed)


def test_a_tap_opens_the_stack_and_a_tap_elsewhere_closes_it(feed_of):
    feed = feed_of(390, 844, has_touch=True)
    five(feed, "bottom")
    feed.toast("Toast e").tap()
    assert is_spread(feed)
    feed.page.touchscreen.tap(100, 40)
    expect_collapsed(feed)


def test_a_toast_that_goes_lets_the_next_one_come_to_the_front(feed_of):
    feed = feed_of()
    five(feed)
    feed.send(dismissed("e"))
    expect(feed.toasts).to_have_count(4)
    feed.settle()
    expect(feed.toast("Toast d").locator("[part=message]")).to_have_css("opacity", "1")
    assert feed.toast("Toast d").evaluate("(it) => it.dataset.depth") == "0"
    feed.send(dismissed("d"), dismissed("c"), dismissed("b"))
    expect(feed.toasts).to_have_count(1)
    expect(feed.toast("Toast a")).to_be_visible()
    assert feed.toast("Toast a").evaluate("(it) => it.dataset.depth") is None


@pytest.mark.parametrize("placement", ["top", "bottom"])
def test_axe_finds_nothing_in_a_stack_collapsed_or_spread(feed_of, placement):
    feed = feed_of(reduced_motion="reduce")
    five(feed, placement)

    def check(state):
        for scheme in SCHEMES:
            feed.page.emulate_media(color_scheme=scheme)
            results = Axe().run(feed.page)
            assert results.violations_count == 0, f"{state}, {scheme}: {complaints(results)}"

    check("collapsed")
    feed.page.keyboard.press("F8")
    assert is_spread(feed)
    check("spread")


def test_the_stack_can_be_expanded_to_all_toasts_and_back(feed_of):
    feed = feed_of()
    feed.begin('max="3"', maxVisible=10)
    feed.send(*[presented(name) for name in "abcdef"])
    expect(feed.toasts).to_have_count(3)
    dismissals = "() => { window.gone = []; document.querySelector('toast-viewer').addEventListener('toast-dismiss', (event) => gone.push(event.detail)); }"
    feed.page.evaluate(dismissals)
    feed.page.get_by_role("button", name="Show 3 more").click()
    expect(feed.toasts).to_have_count(6)
    feed.page.get_by_role("button", name="Show less").click()
    expect(feed.toasts).to_have_count(3)
    feed.settle()
    assert feed.order() == ["Toast d", "Toast e", "Toast f"]
    # The toasts wait, they have not ended.
    assert feed.page.evaluate("gone") == []
    feed.page.get_by_role("button", name="Show 3 more").click()
    expect(feed.toasts).to_have_count(6)


PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><path fill="teal" d="M0 0h300v300H0z"/></svg>'


def test_a_picture_that_loads_late_lets_a_list_scroll_that_is_too_high_with_it(feed_of):
    feed = feed_of(320, 180)
    held = []
    feed.page.route("**/late.svg", lambda route: held.append(route))
    feed.begin(mode="stack")
    feed.send(presented("a", image={"url": f"{feed.base}/late.svg", "alt": "A picture"}))
    expect(feed.toast("Toast a")).to_be_visible()
    feed.wait_until(lambda: held)
    feed.settle()
    crowded = feed.page.locator("toast-viewer ol[data-crowded]")
    expect(crowded).to_have_count(0)
    held[0].fulfill(content_type="image/svg+xml", body=PICTURE)
    expect(crowded).to_have_count(1)
