"""Styles that a page sets for its own text are inherited into shadow trees; toasts must not take them over."""

import pytest
from playwright.sync_api import expect

from feed import Feed, presented

# Inherited properties that the page sets on its body.
INHERITED = {
    "text-transform": "uppercase", "letter-spacing": "9px", "word-spacing": "19px", "text-align": "right", "text-indent": "40px",
    "text-shadow": "rgb(255, 0, 0) 5px 5px 0px", "cursor": "crosshair", "user-select": "none", "hyphens": "auto",
    "word-break": "break-all", "visibility": "hidden", "white-space": "nowrap",
}

PARTS = ["[part=title]", "[part=message]", "[part~=action] span", "[part=close]"]

STYLES = """(names) => {
  const root = document.querySelector("toast-viewer").shadowRoot;
  return Object.fromEntries(names.parts.map((part) => {
    const style = getComputedStyle(root.querySelector(part));
    return [part, Object.fromEntries(names.properties.map((name) => [name, style.getPropertyValue(name)]))];
  }));
}"""


@pytest.fixture
def feed(page, channel):
    feed = Feed(page, channel)
    yield feed
    feed.check()


@pytest.mark.parametrize("style", ["glass", "toastui", "retro"])
def test_a_page_s_text_styles_stay_with_the_page(feed, style):
    feed.begin()
    feed.send(presented("a", style=style, title="A title", actions=[{"id": "undo", "title": "Undo"}]))
    expect(feed.toast("Toast a")).to_be_visible()
    feed.settle()
    # The styles of buttons are loaded after the first toast.
    for part in PARTS[2:]:
        expect(feed.page.locator(f"toast-viewer {part}").first).to_have_css("cursor", "pointer")
    names = {"parts": PARTS, "properties": list(INHERITED)}
    before = feed.page.evaluate(STYLES, names)
    feed.page.evaluate("(style) => { for (const [name, value] of Object.entries(style)) document.body.style.setProperty(name, value); }", INHERITED)
    assert feed.page.evaluate("getComputedStyle(document.querySelector('toast-viewer')).textTransform") == "uppercase"
    assert feed.page.evaluate(STYLES, names) == before
    expect(feed.toast("Toast a")).to_be_visible()
