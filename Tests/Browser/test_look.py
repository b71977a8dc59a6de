"""The look of toasts: pictures, contrast, axe, and the preferences of the person."""

import functools
import io

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import expect

from conftest import OUT, ROLES, SCHEMES, STYLES, guarded, settled
from gallery import gallery, specimens

# Text and the colours behind it, in the worst case: a toast is translucent, a page may have any colour.
BACKGROUNDS = ["#ffffff", "#000000", "#d02070"]

TEXT = "[part=title], [part=message], [part~=action] span"
SIGNS = "[part=icon] svg, [part=close] svg"

COLOURS = """(selector) => [...document.querySelectorAll("main > div")].flatMap((host) => [...host.shadowRoot.querySelectorAll(selector)]
  .filter((it) => it.getClientRects().length && it.getBoundingClientRect().width > 2 && getComputedStyle(it).visibility === "visible")
  .map((it) => {
    const { x, y, width, height } = it.getBoundingClientRect();
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = getComputedStyle(it).color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    const part = it.closest("[part]").getAttribute("part");
    const role = it.closest("[data-role]").dataset.role;
    return { name: `${part} of ${role}`, box: [x + scrollX, y + scrollY, width, height], colour: [red, green, blue, alpha / 255] };
  }))"""

HIDE = """() => { for (const host of document.querySelectorAll("main > div")) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("p, span, button, a { color: transparent !important; } path { fill: transparent !important; stroke: transparent !important; }"
    + " [part=progress], [part=icon]::before { visibility: hidden !important; } [part~=action]::before, [part~=action] span::after { color: transparent !important; }");
  host.shadowRoot.adoptedStyleSheets.push(sheet);
} }"""


@functools.cache
def luminance(colour):
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in (v / 255 for v in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def worst(picture, box, colour):
    """The minimum contrast of a colour in a box: it is at the lightest or at the darkest pixel."""
    x, y, width, height = (max(1, round(value)) for value in box)
    *ink, alpha = colour
    pixels = {pixel for _, pixel in picture.crop((x, y, x + width, y + height)).getcolors(width * height)}
    ratios = []
    for pixel in (min(pixels, key=luminance), max(pixels, key=luminance)):
        mixed = tuple(i * alpha + p * (1 - alpha) for i, p in zip(ink, pixel))
        ratios.append((luminance(mixed) + 0.05) / (luminance(pixel) + 0.05))
    # Lighter than one and darker than the other: on some colour between the two it is invisible.
    if min(ratios) < 1 < max(ratios):
        return 1
    return min(max(ratio, 1 / ratio) for ratio in ratios)


def complaints(results):
    """The findings of axe, a line for each element."""
    return "\n".join(
        f"{violation['id']}: {node['target']}: {node['failureSummary']}"
        for violation in results.response["violations"] for node in violation["nodes"]
    )


@pytest.fixture(scope="module")
def sheet(browser):
    """The page of a colour scheme. The tests of this file share it, because opening takes longer than drawing."""
    violations = []

    @functools.cache
    def sheet(scheme):
        context = browser.new_context(color_scheme=scheme, viewport={"width": 960, "height": 600})
        return guarded(context, violations).new_page()

    yield sheet, violations
    for scheme in SCHEMES:
        sheet(scheme).context.close()


@pytest.fixture
def drawn(sheet, server):
    """Draws specimens on the page of a colour scheme."""
    page_of, violations = sheet

    def drawn(scheme, toasts, forced_colors="none"):
        page = page_of(scheme)
        page.emulate_media(forced_colors=forced_colors)
        gallery(page, server.base, list(toasts))
        return page

    yield drawn
    assert violations == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("style", STYLES)
def test_a_picture_of_every_role(drawn, style, scheme):
    OUT.mkdir(exist_ok=True)
    page = drawn(scheme, specimens(style))
    picture = page.screenshot(path=OUT / f"{style}-{scheme}.png", full_page=True)
    assert len(set(Image.open(io.BytesIO(picture)).convert("RGB").tobytes())) > 50


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("style", STYLES)
def test_a_posted_toast_in_every_style(new_context, watch, channel, style, scheme):
    OUT.mkdir(exist_ok=True)
    viewer = watch(new_context(color_scheme=scheme, viewport={"width": 900, "height": 400}).new_page()).open()
    channel.post("Deployed to production.", style=style, duration="indefinite", actions=[{"id": "undo", "title": "Undo"}])
    toast = settled(viewer.toast("Deployed to production."))
    expect(toast.locator(f"[data-style={style}]")).to_be_visible()
    assert viewer.page.evaluate("document.querySelector('toast-viewer').shadowRoot.adoptedStyleSheets.length") >= 2
    viewer.page.screenshot(path=OUT / f"posted-{style}-{scheme}.png")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("style", STYLES)
def test_b25_text_and_signs_have_contrast_on_any_page(drawn, style, scheme):
    """NoticeUI's bug 10 too: white on light colours."""
    poor = []
    page = drawn(scheme, specimens(style))
    texts, signs = page.evaluate(COLOURS, TEXT), page.evaluate(COLOURS, SIGNS)
    assert texts and signs
    page.evaluate(HIDE)
    for background in BACKGROUNDS:
        page.evaluate("(background) => { document.body.style.background = background; }", background)
        picture = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
        for least, items in ((4.5, texts), (3, signs)):
            for item in items:
                ratio = worst(picture, item["box"], item["colour"])
                if ratio < least:
                    poor.append(f"{item['name']} on {background}: {ratio:.2f} < {least}")
    assert not poor, "\n".join(poor)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("style", STYLES)
def test_axe_finds_nothing_in_a_style(drawn, style, scheme):
    page = drawn(scheme, specimens(style))
    page.evaluate("document.querySelector('toast-viewer')?.remove()")
    results = Axe().run(page)
    assert results.violations_count == 0, complaints(results)


def test_text_of_twice_the_size_still_fits(new_context, watch, channel):
    viewer = watch(new_context(viewport={"width": 320, "height": 640}).new_page()).open()
    viewer.page.evaluate("document.documentElement.style.fontSize = '200%'")
    channel.post("A message of some words " * 30, actions=[{"id": "a", "title": "Undo everything"}], duration="indefinite")
    settled(viewer.toasts)
    # The sheet that lets lists scroll comes after the toast.
    expect(viewer.page.locator("toast-viewer ol[data-crowded]")).to_have_css("overflow-y", "auto")
    box = viewer.toasts.bounding_box()
    room = viewer.toasts.evaluate("(it) => it.closest('ol').getBoundingClientRect().toJSON()")
    assert box["x"] >= 0 and box["x"] + box["width"] <= 320
    # The beginning of the toast is visible, and the list scrolls to its end.
    assert 0 <= room["top"] <= box["y"] < room["bottom"] <= 640


def test_b23_a_long_message_scrolls_by_key_and_does_not_swipe(viewer, channel):
    channel.post("A line of a long story.\n" * 100, duration="indefinite")
    message = settled(viewer.toasts).locator("[part=message]")
    expect(message).to_have_attribute("tabindex", "0")
    assert viewer.toasts.bounding_box()["height"] < 0.6 * viewer.page.viewport_size["height"]
    message.focus()
    viewer.page.keyboard.press("End")
    viewer.page.wait_for_function("(it) => it.scrollTop > 0", arg=message.element_handle())
    results = Axe().run(viewer.page)
    assert results.violations_count == 0, complaints(results)


def test_reduced_motion_moves_nothing(new_context, watch, channel):
    viewer = watch(new_context(reduced_motion="reduce").new_page()).open()
    # Records the toast at the moment when it is inserted.
    viewer.page.evaluate("""() => {
      const root = document.querySelector("toast-viewer").shadowRoot;
      new MutationObserver((_, observer) => {
        const toast = root.querySelector("[part~=toast]");
        if (!toast) { return; }
        observer.disconnect();
        window.frames_ = toast.getAnimations().flatMap((it) => it.effect.getKeyframes().map((frame) => frame.translate));
      }).observe(root, { childList: true, subtree: true });
    }""")
    posted = channel.post("Quietly", duration="indefinite")
    expect(viewer.toast("Quietly")).to_be_visible()
    channel.patch(posted["id"], duration=1)
    assert set(viewer.page.evaluate("frames_")) <= {"0px", "none", "0px 0px"}
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_b26_reduced_motion_that_is_set_while_the_page_is_open_takes_effect(viewer, channel):
    viewer.page.emulate_media(reduced_motion="reduce")
    channel.post("Quietly", duration="indefinite", progress={"indeterminate": True})
    assert viewer.toasts.locator("svg circle").first.evaluate("(it) => getComputedStyle(it.parentElement).animationName") == "none"


def test_b24_toasts_have_a_border_in_forced_colours(drawn):
    page = drawn("light", [toast for style in STYLES for toast in specimens(style, ["info"])], forced_colors="active")
    widths = page.evaluate("""() => [...document.querySelectorAll("main > div")]
      .map((host) => getComputedStyle(host.shadowRoot.querySelector("[role=group]")))
      .map((style) => [parseFloat(style.borderTopWidth), style.borderTopStyle])""")
    assert widths and all(width >= 1 and style == "solid" for width, style in widths)
    OUT.mkdir(exist_ok=True)
    page.screenshot(path=OUT / "forced-colours.png", full_page=True)


def test_b1_toasts_end_where_animations_are_off(viewer, channel):
    viewer.page.evaluate("""() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* { animation: none !important; transition: none !important; }");
      document.querySelector("toast-viewer").shadowRoot.adoptedStyleSheets.push(sheet);
    }""")
    posted = channel.post("Still goes", duration="indefinite")
    expect(viewer.toast("Still goes")).to_be_visible()
    channel.patch(posted["id"], duration=1)
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


@pytest.mark.parametrize("role", ROLES)
def test_toasts_use_the_page_s_colour_scheme(new_context, watch, channel, role):
    viewer = watch(new_context(color_scheme="dark").new_page()).open()
    channel.post("Dark", role=role, duration="indefinite")
    title = viewer.toasts.locator("[part=title]")
    expect(title).to_have_css("color", "rgb(255, 255, 255)")
    viewer.page.evaluate("document.querySelector('toast-viewer').setAttribute('theme', 'light')")
    expect(title).to_have_css("color", "rgb(0, 0, 0)")
