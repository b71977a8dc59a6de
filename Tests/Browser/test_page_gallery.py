"""The gallery, and the examples for clients."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import OUT, SCHEMES, STYLES
from test_look import complaints
from test_page import refuse


@pytest.fixture
def gallery(new_context, watch, channel):
    """Opens the gallery with parameters in its address."""

    def open_gallery(query="", **options):
        viewer = watch(new_context(**options).new_page())
        viewer.page.goto(f"{viewer.base}/gallery.html?channel={channel.name}{query}")
        viewer.page.locator("[data-connection=open]").wait_for()
        return viewer

    return open_gallery


def test_every_style_in_every_role_at_every_place_in_both_schemes(gallery):
    page = gallery().page
    expect(page.locator("[data-styles] > section")).to_have_count(len(STYLES))
    expect(page.locator("figure")).to_have_count(len(STYLES) * 4 * 3 * 2)
    last = page.locator(f"#{STYLES[-1]} figure").last
    last.scroll_into_view_if_needed()
    expect(last.locator("[role=group]")).to_be_visible()


def test_a_style_is_drawn_by_the_viewer_s_own_card(gallery):
    page = gallery("&placement=bottom&role=success,error&show=dark", viewport={"width": 1280, "height": 4000}).page
    for style in STYLES:
        expect(page.locator(f"#{style} figure [part~=toast] [data-style={style}]")).to_have_count(2)
    # The sheets: the order of the layers, base.css, the style and stage.css.
    assert page.evaluate("""() => [...document.querySelectorAll("[data-host]")]
      .every((it) => it.shadowRoot.adoptedStyleSheets.length === 4)""")


def test_a_press_sends_it_through_the_server(gallery, channel):
    viewer = gallery("&style=retro&show=dark")
    viewer.page.get_by_role("button", name="Retro, Warning, Bottom: show it").click()
    toast = viewer.toasts.filter(has_text="The disk is")
    expect(toast.locator("[data-style=retro][data-role=warning]")).to_be_visible()
    assert channel.call("GET", "/toasts")["toasts"][0]["placement"] == "bottom"


def test_the_address_says_what_is_shown(gallery):
    page = gallery("&style=pale&show=dark&dir=rtl&content=actions&lang=de").page
    expect(page.locator("[data-board]")).to_have_count(1)
    expect(page.locator("[data-board=dark] figure")).to_have_count(12)
    expect(page.locator("[data-screen]").first).to_have_attribute("dir", "rtl")
    expect(page.locator("figure [part~=action]").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Jeder Stil")
    page.get_by_text("Fortschritt", exact=True).click()
    expect(page.locator("figure [part=progress]").first).to_be_visible()
    assert "content=progress" in page.url and "style=pale" in page.url
    # The links keep the parameters, too: to another style, and to the page in another language.
    other = page.locator("[data-index] a", has_text="Glass").get_attribute("href")
    language = page.locator("[data-language=en]").get_attribute("href")
    for part in ("content=progress", "show=dark", "dir=rtl"):
        assert part in other and part in language
    assert "style=glass" in other and "lang=de" in other
    assert "style=pale" in language and "lang=en" in language


def test_axe_finds_nothing_in_the_gallery_and_it_fits(gallery):
    OUT.mkdir(exist_ok=True)
    page = gallery("&style=glass,toastui,retro&placement=top&role=info,warning", viewport={"width": 320, "height": 4000}, reduced_motion="reduce").page
    expect(page.locator("figure [role=group]")).to_have_count(12)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.screenshot(path=OUT / "gallery-320.png", full_page=True)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        results = Axe().run(page)
        assert results.violations_count == 0, f"{scheme}: {complaints(results)}"


def test_the_gallery_by_keyboard(gallery):
    viewer = gallery("&style=capsule&show=light&placement=top")
    page = viewer.page
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("figure button").first.focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Capsule, Error, Top")).to_be_focused()
    page.keyboard.press("Enter")
    expect(viewer.toasts).to_have_count(1)


def example(watch, page, channel, name):
    viewer = watch(page)
    page.goto(f"{viewer.base}/examples/{name}.html?channel={channel.name}")
    expect(page.locator("[data-state]")).to_have_text("open")
    return page


def test_the_eventsource_example_runs(page, watch, channel):
    example(watch, page, channel, "eventsource")
    posted = channel.post("Over an EventSource", role="warning", duration="indefinite")
    items = page.locator("[data-toasts] li")
    expect(items).to_have_text("warning: Over an EventSource")
    results = Axe().run(page)
    assert results.violations_count == 0, complaints(results)
    channel.patch(posted["id"], message="Changed")
    expect(items).to_have_text("warning: Changed")
    channel.dismiss(posted["id"])
    expect(items).to_have_count(0)


def test_the_websocket_example_runs(page, watch, channel):
    example(watch, page, channel, "websocket")
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("[data-reply]")).to_have_text("Published")
    items = page.locator("[data-toasts] li")
    expect(items).to_contain_text("Hello over a WebSocket")
    results = Axe().run(page)
    assert results.violations_count == 0, complaints(results)
    identifier = channel.call("GET", "/toasts")["toasts"][0]["id"]
    page.get_by_role("button", name="Dismiss").click()
    expect(items).to_have_count(0)
    assert channel.toast(identifier)["dismissReason"] == "close"


def test_the_websocket_example_comes_back(page, watch, channel, proxy):
    viewer = watch(page, proxy.base)
    example(lambda page: viewer, page, channel, "websocket")
    proxy.cut()
    channel.post("After the break", duration="indefinite")
    expect(page.locator("[data-toasts] li")).to_contain_text("After the break")


def test_a_press_that_the_server_refuses_is_explained_below_it(gallery):
    page = gallery("&style=retro&show=dark&placement=top").page
    allow = refuse(page, "**/toasts")
    figures = page.locator("figure")
    figures.nth(1).locator("figcaption button").click()
    problem = page.get_by_role("alert").filter(has_text="Too many requests")
    expect(figures.nth(1).get_by_role("alert")).to_contain_text("Too many requests")
    expect(problem).to_have_count(1)
    allow()
    figures.nth(0).locator("figcaption button").click()
    expect(problem).to_have_count(0)
