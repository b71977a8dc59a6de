"""Measures of the styles, as in the systems after which they are modelled."""

import pytest
from playwright.sync_api import expect

from feed import Feed, presented

LINES = "A line of a message that is long enough to need more than the two lines that a pill has room for, and then one more of them."


@pytest.fixture
def feed(page, channel):
    feed = Feed(page, channel)
    yield feed
    feed.check()


def show(feed, style, **members):
    feed.begin()
    feed.send(presented("a", **{"style": style, "message": "Toast a", **members}))
    toast = feed.toasts
    expect(toast).to_be_visible()
    if members.get("actions"):
        expect(toast.get_by_role("button", name="Undo")).to_be_visible()
    # Its shape depends on the number of its lines, which lazy code counts.
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[part=region]').dataset.placement")
    feed.settle()
    return toast


def css(toast, name, part=None):
    target = toast.locator(f"[part~={part}]" if part else "[role=group]").first
    return target.evaluate("(it, name) => getComputedStyle(it)[name]", name)


def box(toast, part):
    return toast.locator(f"[part~={part}]").first.bounding_box()


def test_glass_has_the_same_sheen_in_the_dark(feed):
    toast = show(feed, "glass")
    light = css(toast, "backgroundImage")
    assert "rgba(255, 255, 255, 0.25)" in light and "rgba(255, 255, 255, 0.05)" in light
    feed.page.emulate_media(color_scheme="dark")
    assert css(toast, "backgroundImage") == light


def test_pale_strokes_its_buttons_with_thirty_percent_of_the_role(feed):
    toast = show(feed, "pale", actions=[{"id": "undo", "title": "Undo"}])
    assert css(toast, "borderTopColor", "action").endswith("/ 0.3)")


def test_a_capsule_s_buttons_begin_four_points_after_its_words(feed):
    toast = show(feed, "capsule", actions=[{"id": "undo", "title": "Undo"}])
    words, button = box(toast, "body"), box(toast, "action")
    assert round(button["x"] - words["x"] - words["width"]) == 4


@pytest.mark.parametrize(("message", "radius"), [("Short", "28px"), (LINES[:75], "28px"), (LINES, "16px"), (LINES * 3, "16px")])
def test_a_capsule_is_a_pill_up_to_two_lines(feed, message, radius):
    assert css(show(feed, "capsule", message=message), "borderTopLeftRadius") == radius


def test_a_toaster_has_its_system_s_padding_and_gap(feed):
    toast = show(feed, "toaster", title="Title")
    card = toast.locator("[role=group]").bounding_box()
    icon, words = box(toast, "icon"), box(toast, "body")
    assert round(icon["x"] - card["x"]) == 16
    assert round(words["x"] - icon["x"] - icon["width"]) == 4


@pytest.mark.parametrize("style", ["snackbar", "material", "capsule"])
def test_an_icon_stands_in_the_middle_of_few_lines_and_at_the_start_of_many(feed, style):
    def offset(toast):
        icon, words = box(toast, "icon"), box(toast, "body")
        return icon["y"] - words["y"], words["y"] + words["height"] - icon["y"] - icon["height"]

    above, below = offset(show(feed, style, role="error"))
    assert abs(above - below) <= 1.5
    feed.send({**presented("a", style=style, role="error", message=LINES * 3), "type": "updated", "changed": ["message"]})
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').toasts[0].message.length > 100")
    feed.settle()
    above, below = offset(feed.toasts)
    assert abs(above) <= 4 and below > 30


@pytest.mark.parametrize("style", ["glass", "vibrant", "pale", "notification"])
def test_corners_are_continuous_where_the_browser_can(feed, style):
    toast = show(feed, style)
    if feed.page.evaluate("CSS.supports('corner-shape: superellipse(1.4)')"):
        assert css(toast, "cornerTopLeftShape").startswith("superellipse(1.")


@pytest.mark.parametrize("style", ["toastui", "capsule", "material"])
@pytest.mark.parametrize("role", ["error", "warning", "success"])
def test_a_toast_with_progress_still_shows_its_role(feed, style, role):
    toast = show(feed, style, role=role, progress={"value": 0.6, "total": 1})
    icon, ring = toast.locator("[part=icon]"), toast.locator("[part=progress]")
    assert icon.evaluate("(it) => getComputedStyle(it).visibility") == "visible"
    sign, around = icon.locator("svg").bounding_box(), ring.bounding_box()
    # The icon is in the ring.
    for axis, length in (("x", "width"), ("y", "height")):
        assert around[axis] + 2 <= sign[axis] and sign[axis] + sign[length] <= around[axis] + around[length] - 2
    assert sign["width"] >= 10
