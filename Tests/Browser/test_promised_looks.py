"""Promises of the five systems about looks: insets by edge, colour of dimming, actions that stay, icons by path."""

import re
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import OUT, settled

LAYER = "document.querySelector('toast-viewer').shadowRoot.querySelector('[part=layer]')"


def background(viewer):
    """The backdrop of the toasts, as red, green, blue and opacity, once the sheet that dims the page is there."""
    expect(viewer.page.locator("toast-viewer [part=layer]")).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    viewer.page.wait_for_function(f"() => {LAYER}.getAnimations().length === 0")
    return viewer.page.evaluate(f"""() => {{
      const canvas = new OffscreenCanvas(1, 1).getContext("2d");
      canvas.fillStyle = getComputedStyle({LAYER}).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, Math.round(alpha / 2.55) / 100];
    }}""")


def actions(channel, cursor, count):
    """The actions pressed after a cursor, once they are as many as expected."""
    acted = []
    end = time.monotonic() + 60
    while len(acted) < count:
        assert time.monotonic() < end, acted
        answer = channel.call("GET", f"/poll?since={cursor}&wait=5")
        cursor = answer["cursor"]
        acted += [event for event in answer["events"] if event["type"] == "acted"]
    return acted


@pytest.mark.parametrize(
    ("settings", "placement", "edges"),
    [
        ({"preset": "inapp"}, "top", {"top": 8, "left": 16, "right": 16}),
        ({"layout": {"inset": {"bottom": 40, "leading": 24, "trailing": 4}}}, "bottom", {"bottom": 40, "left": 24, "right": 4}),
        ({"layout": {"inset": 32}}, "top", {"top": 32, "left": 32, "right": 32}),
    ],
)
def test_toasts_keep_from_each_edge_as_the_channel_says(new_context, watch, channel, settings, placement, edges):
    channel.configure(**{**settings, "layout": {**settings.get("layout", {}), "maximumWidth": "unlimited"}})
    viewer = watch(new_context(viewport={"width": 400, "height": 600}).new_page()).open()
    channel.post("Beside the edge", placement=placement, duration="indefinite")
    box = settled(viewer.toast("Beside the edge")).bounding_box()
    right, bottom = 400 - box["x"] - box["width"], 600 - box["y"] - box["height"]
    found = {"top": box["y"] - viewer.top, "left": box["x"], "right": right, "bottom": bottom}
    assert {edge: round(found[edge]) for edge in edges} == edges


def test_another_inset_moves_what_is_there(new_context, watch, channel):
    viewer = watch(new_context(viewport={"width": 400, "height": 600}).new_page()).open()
    channel.post("Moved", placement="top", duration="indefinite")
    toast = settled(viewer.toast("Moved"))
    for inset, top in (({"top": 60}, 60), (20, 20), ({"top": 5, "leading": 50}, 5)):
        channel.configure(layout={"inset": inset})
        viewer.page.wait_for_function(
            f"(it) => Math.round(it.getBoundingClientRect().top - {viewer.top}) === {top}", arg=toast.element_handle()
        )


def test_the_page_s_properties_override_the_channel_s(new_context, watch, channel):
    channel.configure(layout={"inset": {"top": 60}})
    viewer = watch(new_context(viewport={"width": 400, "height": 600}).new_page()).open()
    viewer.page.evaluate("document.querySelector('toast-viewer').style.setProperty('--toast-offset', '10px')")
    channel.post("As the page says", placement="top", duration="indefinite")
    assert round(settled(viewer.toast("As the page says")).bounding_box()["y"] - viewer.top) == 10


@pytest.mark.parametrize(
    ("scheme", "dimming", "colour"),
    [
        ("light", None, [0, 0, 0, 0.2]),
        ("dark", None, [0, 0, 0, 0.48]),
        ("light", {"color": "#102080", "opacity": 0.6}, [16, 32, 128, 0.6]),
        ("dark", {"color": "#102080", "colorDark": "#800000"}, [128, 0, 0, 0.48]),
        ("dark", {"opacity": 1}, [0, 0, 0, 1]),
    ],
)
def test_dimming_has_a_colour_and_an_opacity(new_context, watch, channel, scheme, dimming, colour):
    OUT.mkdir(exist_ok=True)
    channel.configure(preset="toastui", appearance={"dimming": dimming})
    viewer = watch(new_context(color_scheme=scheme, viewport={"width": 700, "height": 420}).new_page()).open()
    channel.post("Saving", progress={"indeterminate": True})
    settled(viewer.toast("Saving"))
    expect(viewer.page.locator("toast-viewer [part=layer]")).to_have_attribute("data-dimmed", "")
    found = background(viewer)
    viewer.page.screenshot(path=OUT / f"dimmed-{scheme}-{len(str(dimming))}.png")
    assert all(abs(one - other) <= 3 for one, other in zip(found[:3], colour[:3])) and abs(found[3] - colour[3]) <= 0.02, found


def test_a_toast_s_own_dimming_overrides_the_channel_s(viewer, channel):
    channel.configure(appearance={"dimming": {"color": "#00FF00"}})
    channel.post("Red", dimsBackground=True, duration="indefinite", appearance={"dimming": {"color": "#FF0000", "opacity": 0.5}})
    settled(viewer.toast("Red"))
    viewer.page.wait_for_function(f"() => {LAYER}.style.getPropertyValue('--set-dim').includes('FF0000')")
    red, green, blue, opacity = background(viewer)
    assert red > 250 and green < 5 and blue < 5 and abs(opacity - 0.5) < 0.02


def test_an_action_that_does_not_dismiss_can_be_pressed_again(viewer, channel):
    toast = channel.post("Counting", duration="indefinite", actions=[{"id": "more", "title": "One more", "dismisses": False}])
    button = viewer.toast("Counting").get_by_role("button", name="One more")
    cursor = channel.call("GET", "")["cursor"]
    for _ in range(3):
        button.click()
    assert [event["action"] for event in actions(channel, cursor, 3)] == ["more"] * 3
    expect(viewer.toast("Counting")).to_be_visible()
    assert channel.toast(toast["id"])["state"] == "presented"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("style", ["glass", "retro", "notification", "toaster", "toastui"])
def test_an_action_whose_work_goes_on_is_shown_so(new_context, watch, channel, style, scheme):
    OUT.mkdir(exist_ok=True)
    viewer = watch(new_context(color_scheme=scheme, viewport={"width": 700, "height": 320}).new_page()).open()
    actions = [{"id": "deploy", "title": "Deploy", "dismisses": "whenDone"}, {"id": "later", "title": "Later"}]
    toast = channel.post("Version 7 is ready.", title="Release", style=style, duration=60, placement="top", actions=actions)
    card = settled(viewer.toasts)
    button = card.get_by_role("button", name="Deploy")
    button.focus()
    button.press("Enter")
    expect(button).to_have_attribute("aria-busy", "true")
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("part", re.compile("pending"))
    spinner = button.locator("[part=spinner]")
    box, inner = button.bounding_box(), spinner.bounding_box()
    assert inner["width"] >= 6 and box["x"] <= inner["x"] and inner["x"] + inner["width"] <= box["x"] + box["width"]
    viewer.page.screenshot(path=OUT / f"pending-{style}-{scheme}.png")
    revision = channel.toast(toast["id"])["revision"]
    button.click(force=True)
    results = Axe().run(viewer.page)
    assert results.violations_count == 0, [(it["id"], it["nodes"][0]["target"]) for it in results.response["violations"]]
    assert channel.toast(toast["id"])["revision"] == revision
    channel.patch(toast["id"], message="It failed. Try again?")
    expect(card.get_by_role("button", name="Deploy")).not_to_have_attribute("aria-busy", "true")
    channel.dismiss(toast["id"])
    # A person who touches the toast may read it to the end.
    expect(card).to_have_attribute("data-state", "ended")


def test_a_press_before_the_rest_is_loaded_does_not_dismiss_the_toast(page, watch, channel):
    """The buttons are loaded before the code for actions that do not dismiss."""
    held = []
    page.route("**/viewer/lazy/interaction.js", lambda route: held.append(route))
    viewer = watch(page).open()
    toast = channel.post("Early", duration="indefinite", actions=[{"id": "more", "title": "More", "dismisses": False}])
    cursor = channel.call("GET", "")["cursor"]
    viewer.toast("Early").get_by_role("button", name="More").click()
    expect(viewer.toast("Early")).to_be_visible()
    viewer.wait_until(lambda: held)
    held[0].continue_()
    assert [event["action"] for event in actions(channel, cursor, 1)] == ["more"]
    expect(viewer.toast("Early")).to_be_visible()
    assert channel.toast(toast["id"])["state"] == "presented"


def test_an_icon_is_loaded_from_a_path_of_the_same_origin(viewer, channel):
    channel.post("A bird", icon="/favicon.svg", duration="indefinite")
    picture = viewer.toast("A bird").locator("[part=picture]")
    expect(picture).to_have_attribute("src", "/favicon.svg")
    viewer.page.wait_for_function("(it) => it.complete && it.naturalWidth > 0", arg=picture.element_handle())


def test_removing_a_title_restores_that_of_the_role(viewer, channel):
    toast = channel.post("Stored", role="success", title="Mine", duration="indefinite")
    expect(viewer.toast("Stored").locator("[part=title]")).to_contain_text("Mine")
    channel.patch(toast["id"], title={"automatic": True})
    expect(viewer.toast("Stored").locator("[part=title]")).to_have_text("Success")
