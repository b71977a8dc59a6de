"""The presets of five toast systems, from the settings to the screen."""

import json
import re
import urllib.error

import pytest
from playwright.sync_api import expect

from conftest import settled, swipeable
from feed import Bare

SPOKEN = """() => {
  window.spoken = [];
  for (const region of document.querySelector("toast-viewer").shadowRoot.querySelectorAll("[role=status], [role=alert]")) {
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((it) => spoken.push(it.textContent)))).observe(region, { childList: true });
  }
}"""


@pytest.fixture
def bare(new_context, channel):
    pages = []

    def bare(preset, attributes="", **options):
        channel.call("PUT", "/settings", {"preset": preset})
        page = new_context(**{"viewport": {"width": 700, "height": 600}, **options}).new_page()
        pages.append(Bare(page, channel).open(attributes).opened())
        return pages[-1]

    yield bare
    for page in pages:
        page.check()


def dismissal(response):
    return response.request.method == "POST" and response.url.endswith("/dismiss")


@pytest.mark.parametrize(("preset", "style", "placement", "width"), [
    ("toastd", "glass", "top", 500), ("noticeui", "glass", "top", 500), ("toaster", "toaster", "bottom", 668),
    ("toastui", "toastui", "center", None), ("ysnackbar", "snackbar", "top", 428), ("inapp", "material", "top", 668),
])
def test_a_preset_looks_like_its_system(bare, channel, preset, style, placement, width):
    viewer = bare(preset)
    channel.post("Hello", title="A title", duration="indefinite")
    toast = settled(viewer.toast("Hello"))
    surface = toast.locator(f"[role=group][data-style={style}]")
    expect(surface).to_be_visible()
    box = surface.bounding_box()
    if width:
        assert box["width"] == width
    middle = box["y"] + box["height"] / 2
    assert {"top": middle < 150, "center": abs(middle - 300) < 5, "bottom": middle > 450}[placement]
    if preset == "toaster":
        assert round(600 - box["y"] - box["height"]) == 30
    layer = viewer.page.locator("toast-viewer [part=layer]")
    expect(layer).to_have_css("background-color", "rgba(0, 0, 0, 0.2)" if preset == "toastui" else "rgba(0, 0, 0, 0)")
    expect(toast.get_by_role("button", name="Dismiss")).to_have_css("opacity", "1" if preset in ("toastd", "toaster") else "0")


def test_snacks_stack_from_both_edges_and_a_double_becomes_the_newest(bare, channel):
    viewer = bare("ysnackbar")
    for message in ("one", "two", "three"):
        channel.post(message, duration="indefinite")
    for message in ("four", "five"):
        channel.post(message, duration="indefinite", placement="bottom")
    expect(viewer.toasts).to_have_count(5)
    viewer.settle()
    assert viewer.order() == ["one", "two", "three", "five", "four"]
    viewer.toast("one").evaluate("(it) => { it.mark = true; }")
    channel.post("one", duration="indefinite", icon="star.fill")
    expect(viewer.toast("one").locator("[part=icon] svg")).to_be_visible()
    viewer.settle()
    assert viewer.order() == ["two", "three", "one", "five", "four"]
    assert viewer.toast("one").evaluate("(it) => it.mark")


def test_a_banner_is_tapped_away(bare, channel):
    viewer = bare("inapp")
    posted = channel.post("Tap me", title="Hello", duration="indefinite")
    with viewer.page.expect_response(dismissal) as answer:
        swipeable(settled(viewer.toast("Tap me"))).click(position={"x": 300, "y": 8})
    assert answer.value.status == 200
    expect(viewer.toasts).to_have_count(0)
    assert channel.toast(posted["id"])["dismissReason"] == "tap"


def test_a_banner_s_threshold_is_its_system_s(bare, channel):
    viewer = bare("inapp", has_touch=True)
    posted = channel.post("Swipe me", duration="indefinite")
    toast = swipeable(settled(viewer.toast("Swipe me")))
    viewer.page.evaluate("() => { document.querySelector('toast-viewer').addEventListener('toast-dismiss', () => { window.isGone = true; }); }")
    box = toast.bounding_box()
    client = viewer.page.context.new_cdp_session(viewer.page)

    def touch(kind, *points):
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    # Slowly, so that it would not glide on: 60 points, and the finger rests before it is lifted.
    x, y = box["x"] + 12, box["y"] + 30
    touch("touchStart", (x, y))
    for step in range(1, 11):
        touch("touchMove", (x, y - 6 * step))
    viewer.page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 150))")
    touch("touchEnd")
    expect(toast).to_have_css("opacity", "1")
    assert channel.toast(posted["id"])["state"] == "presented"
    # The exit is in a sheet that comes after the toast.
    viewer.settle()
    viewer.page.evaluate("""() => {
      const viewer = document.querySelector("toast-viewer");
      const toast = viewer.shadowRoot.querySelector("li");
      new MutationObserver(() => { window.exit = getComputedStyle(toast).transitionTimingFunction; })
        .observe(toast, { attributeFilter: ["data-state"] });
    }""")
    with viewer.page.expect_response(dismissal):
        viewer.swipe(toast, 0, -90)
    # The spring of a swipe, with response 0.3 and damping 0.8, not that of a timeout, with 0.4 and 0.75.
    assert "0.082" in viewer.page.evaluate("exit")
    assert channel.toast(posted["id"])["dismissReason"] == "swipe"


@pytest.mark.parametrize("preset", ["toaster", "inapp"])
def test_one_banner_takes_the_place_of_another(bare, channel, preset):
    viewer = bare(preset)
    channel.post("First", title="One", duration="indefinite")
    place = settled(viewer.toast("First")).bounding_box()
    channel.post("Second", title="Two", duration="indefinite")
    expect(viewer.toasts).to_have_count(1)
    second = viewer.toast("Second")
    expect(second).to_have_attribute("data-entry", "swap")
    assert settled(second).bounding_box() == place
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(1)


def test_a_box_in_the_middle_refuses_another_and_shows_its_work(bare, channel):
    viewer = bare("toastui")
    posted = channel.post("Loading", progress={"indeterminate": True})
    expect(viewer.toast("Loading").get_by_role("progressbar")).to_be_visible()
    with pytest.raises(urllib.error.HTTPError) as refused:
        channel.post("Another")
    assert refused.value.code == 409 and json.load(refused.value)["type"].endswith("toast-already-presented")
    channel.patch(posted["id"], message="Loaded", progress=None, role="success")
    expect(viewer.toast("Loaded").locator("[part=icon] svg")).to_be_visible()
    # It has neither a swipe nor a close button, but a key dismisses it.
    viewer.page.keyboard.press("F8")
    with viewer.page.expect_response(dismissal):
        viewer.page.keyboard.press("Escape")
    expect(viewer.toasts).to_have_count(0)
    expect(viewer.page.locator("toast-viewer [part=layer]")).to_have_css("background-color", "rgba(0, 0, 0, 0)")


def test_the_announcement_is_the_server_s_text(bare, channel):
    viewer = bare("toaster")
    viewer.page.evaluate(SPOKEN)
    channel.post("Full", title="Disk", role="error", duration="indefinite")
    viewer.page.wait_for_function("() => spoken.length === 1")
    assert re.fullmatch("error, Disk. Full.?", viewer.page.evaluate("spoken[0]"), re.IGNORECASE)


def test_settings_that_change_are_taken_up_at_once(bare, channel):
    viewer = bare("toaster")
    channel.post("Hello", title="Title", duration="indefinite")
    surface = viewer.toast("Hello").locator("[role=group]")
    expect(surface).to_have_css("background-color", "rgb(255, 255, 255)")
    channel.configure(theme={"background": "#EBEFF1"}, layout={"maximumWidth": 300}, closeButton=False)
    expect(surface).to_have_css("background-color", "rgb(235, 239, 241)")
    expect(surface).to_have_css("width", "300px")
    expect(viewer.toast("Hello").get_by_role("button", name="Dismiss")).to_have_css("opacity", "0")
