"""The guide: its command lines work as they are, and it is legible in both languages, on every screen."""

import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import SCHEMES
from test_look import complaints


@pytest.mark.parametrize("locale", ["en-GB", "de-AT"])
@pytest.mark.parametrize("width", [320, 1440])
def test_axe_finds_nothing_and_it_fits(new_context, channel, locale, width):
    page = new_context(locale=locale, reduced_motion="reduce", viewport={"width": width, "height": 900}).new_page()
    page.goto(f"{channel.base}/guide.html?channel={channel.name}")
    expect(page.locator("[data-line=key]")).not_to_be_empty()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        results = Axe().run(page)
        assert results.violations_count == 0, f"{scheme}: {complaints(results)}"


def test_a_line_that_is_copied_by_keyboard_posts_a_toast(new_context, channel):
    page = new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
    page.goto(f"{channel.base}/guide.html?channel={channel.name}")
    line = page.get_by_role("group", name="Set role, title and time")
    line.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Copied")).to_be_focused()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == line.text_content()
    subprocess.run(copied, shell=True, check=True, capture_output=True, timeout=20)
    (toast,) = channel.call("GET", "/toasts")["toasts"]
    assert (toast["role"], toast["style"], toast["placement"], toast["duration"]) == ("success", "pale", "bottom", 8)
