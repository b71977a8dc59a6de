"""Every style is mirrored in right-to-left pages."""

import pytest
from playwright.sync_api import expect

from conftest import STYLES
from gallery import gallery, specimens

BOXES = """() => [...document.querySelectorAll("main > div")].map((host) => {
  const surface = host.shadowRoot.querySelector("[role=group]");
  const { left, width } = surface.getBoundingClientRect();
  const parts = [...surface.querySelectorAll(":scope > [part]")].filter((part) => getComputedStyle(part).display !== "contents");
  return Object.fromEntries(parts.map((part) => {
    const box = part.getBoundingClientRect();
    return [part.getAttribute("part"), [box.left - left, left + width - box.right]];
  }));
})"""

EDGES = """() => [...document.querySelectorAll("main > div")].map((host) => {
  const edges = (part) => {
    const range = document.createRange();
    range.selectNodeContents(part.lastChild);
    const box = range.getBoundingClientRect();
    const { left, right } = part.getBoundingClientRect();
    return [box.left - left, right - box.right];
  };
  return ["title", "message"].flatMap((name) => [...host.shadowRoot.querySelectorAll(`[part=${name}]`)].map(edges));
})"""


SLIDES = """() => {
  const bar = document.querySelector("main > div").shadowRoot.querySelector("[part=progress]");
  const [animation] = bar.querySelector("span").getAnimations();
  const { left, right } = bar.getBoundingClientRect();
  animation.pause();
  return [0, 0.25, 0.5, 0.75, 0.99].map((part) => {
    animation.currentTime = part * animation.effect.getTiming().duration;
    const box = bar.querySelector("span").getBoundingClientRect();
    return [box.left - left, right - box.right];
  });
}"""


@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_mirrored_part_by_part(page, server, style):
    gallery(page, server.base, list(specimens(style, ["info"])))
    there = page.evaluate(BOXES)
    page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    here = page.evaluate(BOXES)
    for one, other in zip(there, here, strict=True):
        for part, (start, end) in one.items():
            assert other[part] == pytest.approx([end, start], abs=0.6), (style, part)


@pytest.mark.parametrize("style", ["notification", "retro", "snackbar", "toaster"])
def test_an_indeterminate_bar_slides_the_other_way(page, server, style):
    gallery(page, server.base, [{"style": style, "role": "info", "message": "Working", "progress": {"indeterminate": True}}])
    there = page.evaluate(SLIDES)
    page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    for (start, end), ways in zip(there, page.evaluate(SLIDES), strict=True):
        assert ways == pytest.approx([end, start], abs=0.6)


@pytest.mark.parametrize("style", STYLES)
def test_text_of_another_direction_stays_beside_its_icon(page, server, style):
    words = {"title": "Three files", "message": "In the bin."}
    gallery(page, server.base, [{"style": style, "role": "info", **words}])
    page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    for edges in page.evaluate(EDGES):
        for left, right in edges:
            assert right <= left + 1, (style, left, right)


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_the_notice_that_the_server_is_away_is_centred(new_context, watch, proxy, direction):
    page = new_context(viewport={"width": 390, "height": 600}).new_page()
    watch(page, proxy.base).open()
    page.evaluate("(direction) => { document.documentElement.dir = direction; }", direction)
    proxy.is_refusing = True
    proxy.cut()
    part = page.locator("toast-viewer [part=connection]")
    expect(part).to_be_visible()
    box = part.bounding_box()
    assert box["x"] + box["width"] / 2 == pytest.approx(195, abs=0.6)
    assert 12 <= box["x"] < 195
