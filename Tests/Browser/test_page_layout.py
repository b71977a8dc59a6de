"""The page at the widths of phones, tablets and desks: nothing covers the navigation, and toasts are there at once."""

import pytest
from playwright.sync_api import expect

from conftest import settled

SIZES = {"phone": (375, 812), "tablet": (768, 1024), "desktop": (1440, 900)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", ["/", "/gallery.html"])
def test_a_toast_does_not_cover_the_navigation(new_context, watch, channel, size, path):
    width, height = SIZES[size]
    viewer = watch(new_context(viewport={"width": width, "height": height}).new_page()).open(path)
    page = viewer.page
    channel.post("At the top", placement="top", duration="indefinite")
    toast = settled(viewer.toast("At the top"))
    header = page.locator("body > header").bounding_box()
    assert toast.bounding_box()["y"] >= header["y"] + header["height"]
    for link in page.locator("nav a:visible").all():
        link.click(trial=True)
    # Without a header toasts begin at the top.
    page.evaluate("scrollTo({ top: 2000, behavior: 'instant' })")
    page.wait_for_function("() => getComputedStyle(document.documentElement).getPropertyValue('--below-header') === '0px'")
    page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[part~=toast]').getBoundingClientRect().top < 40")


@pytest.mark.parametrize("locale", ["en-GB", "de-AT"])
def test_the_gallery_has_a_toast_on_the_first_screen_of_a_phone(new_context, watch, locale):
    page = watch(new_context(locale=locale, viewport={"width": 375, "height": 812}, has_touch=True).new_page()).open("/gallery.html").page
    toast = page.locator("figure").first.locator("[part~=toast]")
    expect(toast).to_be_visible()
    box = toast.bounding_box()
    assert box["y"] + box["height"] <= 812, box
    assert page.evaluate("document.documentElement.scrollHeight") < 9000
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    # The filter can be opened.
    expect(page.locator("[data-form=filter]")).to_be_hidden()
    page.locator("[data-filter] summary").click()
    expect(page.locator("[data-form=filter]")).to_be_visible()


def test_the_first_sentence_says_what_it_is(viewer):
    assert viewer.page.locator("main p").locator("visible=true").first.inner_text().startswith("toastd is a self-hosted server for toasts")


def test_a_stack_shows_what_comes_next(viewer, channel):
    channel.configure(mode="stack", maxVisible=1)
    channel.post("Now", duration=9)
    channel.post("Then", duration=3)
    row = viewer.page.locator("[data-queue] li", has_text="Then")
    expect(row.locator("[data-kind=later]")).to_be_visible()


def test_the_timeline_marks_toasts_that_only_this_viewer_still_shows(viewer, channel):
    page = viewer.page
    posted = channel.post("Paused here", duration="indefinite")
    expect(viewer.toast("Paused here")).to_be_visible()
    page.evaluate("document.querySelector('toast-viewer').isPaused = true")
    channel.patch(posted["id"], duration=1)
    channel.wait(lambda: channel.toast(posted["id"])["state"] == "dismissed")
    row = page.locator("[data-queue] li", has_text="Paused here")
    expect(row).to_contain_text("held on this screen")
    expect(row.locator("[data-kind=here]")).to_be_visible()
    page.evaluate("document.querySelector('toast-viewer').isPaused = false")
    expect(row).to_contain_text("gone")


def test_large_text_leaves_toasts_half_of_a_small_screen(new_context, watch, channel):
    viewer = watch(new_context(viewport={"width": 320, "height": 640}).new_page()).open()
    viewer.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    viewer.page.wait_for_function("() => document.querySelector('body > header').getBoundingClientRect().bottom > 320")
    channel.post("Still here", placement="top", duration="indefinite")
    toast = settled(viewer.toast("Still here"))
    expect(toast).to_be_in_viewport(ratio=1)
    assert toast.bounding_box()["y"] >= 320


def test_the_whole_panel_is_on_a_low_wide_screen(new_context, watch, channel):
    page = watch(new_context(viewport={"width": 1366, "height": 620}).new_page()).open().page
    channel.configure(mode="stack", maxVisible=50)
    channel.batch([{"message": f"Number {index}", "duration": "indefinite"} for index in range(20)])
    page.wait_for_function("() => document.querySelector('toast-viewer').history.length === 20")
    page.evaluate("document.querySelector('toast-viewer').showHistory()")
    panel = settled(page.locator("toast-viewer [part=panel]")).bounding_box()
    layer = page.locator("toast-viewer [part=layer]").bounding_box()
    assert panel["y"] + panel["height"] <= layer["y"] + layer["height"]
