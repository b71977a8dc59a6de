"""The page of a channel: its view, its settings, and its first visit."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import OUT, SCHEMES, settled
from test_look import complaints


def test_a_first_visitor_gets_a_channel_and_a_toast(page, watch, channel):
    viewer = watch(page)
    page.goto(f"{viewer.base}/")
    expect(viewer.toast("Your toast is ready")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?channel=demo-[0-9a-f]{4}$"))
    expect(page.locator("[data-queue] [data-state=presented]")).to_contain_text("every screen")
    expect(page.locator("[data-queue] [data-state=queued]")).to_contain_text("comes next")
    # A returning visitor has the same channel; a visitor with a channel in the address gets no greeting.
    name = page.locator("[data-form=channel] input").input_value()
    page.goto(f"{viewer.base}/")
    expect(page.locator("[data-form=channel] input")).to_have_value(name)
    viewer.open()
    # A greeting would be sent when the page opens, so before this one.
    channel.post("Mine", duration="indefinite")
    expect(viewer.toast("Mine")).to_be_visible()
    expect(viewer.toasts).to_have_count(1)
    expect(page.locator("[data-log] [data-type=enqueued]")).to_have_count(1)


@pytest.mark.parametrize("locale", ["en-GB", "de-AT"])
@pytest.mark.parametrize(("width", "height"), [(375, 812), (768, 1024), (1200, 800), (1440, 900)])
def test_the_greeting_leaves_the_headline_free(new_context, watch, locale, width, height):
    viewer = watch(new_context(locale=locale, viewport={"width": width, "height": height}).new_page())
    page = viewer.page
    page.goto(f"{viewer.base}/")
    toast = settled(viewer.toasts.first).get_by_role("group").bounding_box()
    headline = page.evaluate("""() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector("h1"));
      return range.getBoundingClientRect().toJSON();
    }""")
    is_beside = toast["x"] >= headline["right"] or toast["y"] >= headline["bottom"] or toast["y"] + toast["height"] <= headline["top"]
    assert is_beside, (toast, headline)


def refuse(page, pattern):
    """Lets the server refuse what is sent to an address, until the returned function is called."""
    problem = {"title": "Too many requests", "detail": "Wait a moment."}
    page.route(pattern, lambda route: route.fulfill(status=429, json=problem, content_type="application/problem+json"))
    return lambda: page.unroute(pattern)


def test_an_error_stands_beside_its_button_until_the_next_success(viewer, channel):
    page = viewer.page
    allow = refuse(page, "**/toasts")
    said = page.locator("[data-area=hero] [data-problem]:not(:empty)")
    for demo in ("Say hello", "Undo"):
        page.get_by_role("button", name=demo).click()
    expect(said).to_have_text(["Too many requests Wait a moment."] * 2)
    expect(page.locator("[data-form=compose] [data-problem]")).to_be_empty()
    allow()
    page.get_by_role("button", name="Say hello").click()
    expect(viewer.toasts).to_have_count(1)
    # The error of another demo is still shown below its button.
    expect(said).to_have_count(1)
    line, button = said.bounding_box(), page.get_by_role("button", name="Undo").bounding_box()
    assert line["x"] == button["x"] and 0 < line["y"] - (button["y"] + button["height"]) < 12


def test_an_upload_that_is_dismissed_ends_without_a_complaint(viewer, channel):
    page = viewer.page
    with page.expect_response(lambda it: it.request.method == "PATCH" and it.status == 409) as refused:
        page.get_by_role("button", name="Upload", exact=True).click()
        expect(viewer.toast("Uploading")).to_be_visible()
        channel.call("DELETE", "/toasts")
    refused.value.finished()
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    expect(page.locator("[data-area=hero] [data-problem]:not(:empty)")).to_have_count(0)


def test_settings_show_the_source_of_their_values(viewer, channel):
    page = viewer.page
    pause = page.locator("[data-path=pause]")
    expect(page.locator("[data-cell]", has=pause).locator("[data-source]")).to_have_text("server")
    pause.fill("1.5")
    pause.press("Tab")
    expect(page.locator("[data-cell]", has=pause).locator("[data-source]")).to_have_text("channel")
    assert channel.call("GET", "/settings")["own"] == {"pause": 1.5}
    expect(page.locator("[data-form=settings] code")).to_contain_text('{"pause":1.5}')
    pause.fill("99")
    pause.press("Tab")
    expect(pause).to_have_accessible_description(re.compile("from 0 to 10"))
    page.get_by_role("button", name="Unset pause").click()
    expect(pause).to_have_value("0.2")
    expect(page.locator("[aria-invalid]")).to_have_count(0)
    assert channel.call("GET", "/settings")["own"] == {}
    page.get_by_text("Animations", exact=True).click()
    page.locator("[data-path='animations/exit/duration']").fill("1")
    page.keyboard.press("Tab")
    expect(page.locator("[data-form=settings] code")).to_contain_text("animations")
    page.get_by_role("button", name="Unset exit · duration").wait_for()
    assert channel.call("GET", "/settings")["own"] == {"animations": {"exit": {"duration": 1}}}
    page.get_by_role("button", name="Back to the defaults").click()
    expect(page.locator("[data-path='animations/exit/duration']")).to_have_value("0.35")


def test_typed_text_stays_when_presets_and_other_settings_arrive(page, watch, channel):
    late = []
    page.route("**/v1/presets", lambda route: late.append(route))
    watch(page).open()
    pause = page.locator("[data-path=pause]")
    expect(pause).to_have_value("0.2")
    pause.focus()
    pause.fill("1.5")
    channel.configure(capacity=7)
    expect(page.locator("[data-path=capacity]")).to_have_value("7")
    expect(pause).to_have_value("1.5")
    late[0].continue_()
    expect(page.locator("[data-path=preset]")).to_be_visible()
    expect(pause).to_be_focused()
    pause.press("Tab")
    expect(page.locator("[data-cell]", has=pause).locator("[data-source]")).to_have_text("channel")
    assert channel.call("GET", "/settings")["own"] == {"capacity": 7, "pause": 1.5}


def test_an_answer_to_an_earlier_request_for_settings_does_not_replace_a_later_one(page, watch, channel):
    late = []

    def answer(route):
        if late or route.request.method != "GET":
            route.continue_()
        else:
            late.append(route)

    page.route("**/settings", answer)
    viewer = watch(page).open()
    viewer.wait_until(lambda: late)
    expect(page.locator("[data-path=pause]")).to_have_count(0)
    route = late[0]
    answered = route.fetch()
    channel.configure(pause=1)
    pause = page.locator("[data-path=pause]")
    expect(pause).to_have_value("1")
    with page.expect_event("requestfinished", lambda it: it == route.request):
        route.fulfill(response=answered)
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    expect(pause).to_have_value("1")


def test_a_preset_decides_what_the_channel_leaves_open(viewer, channel):
    page = viewer.page
    page.locator("[data-path=preset]").select_option("ysnackbar")
    mode = page.locator("[data-path=mode]")
    expect(mode).to_have_value("stack")
    expect(page.locator("[data-cell]", has=mode).locator("[data-source]")).to_have_text("preset")
    expect(page.locator("input[value=stack]")).to_be_checked()
    page.get_by_text("Theme and appearance").click()
    colour = page.locator("[data-path='theme/textColor']")
    colour.fill("#EEEEEE")
    colour.press("Tab")
    expect(page.locator("[data-cell]", has=colour).locator("[data-warning]")).to_contain_text("contrast")
    assert channel.call("GET", "/settings")["own"] == {"preset": "ysnackbar", "theme": {"textColor": "#EEEEEE"}}


def test_the_viewer_s_history_and_preferences_are_in_reach(viewer, channel):
    page = viewer.page
    channel.post("Remember me", duration="indefinite")
    expect(viewer.toast("Remember me")).to_be_visible()
    page.get_by_role("button", name="History of notifications").click()
    expect(page.locator("toast-viewer").get_by_role("dialog")).to_contain_text("Remember me")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings of notifications").click()
    expect(page.locator("toast-viewer").get_by_role("dialog")).to_contain_text("Do not disturb")


def test_the_mode_switch_configures_the_channel(viewer, channel):
    expect(viewer.page.locator("input[value=fifo]")).to_be_checked()
    viewer.page.locator("[data-mode]").get_by_text("Priority", exact=True).click()
    expect(viewer.page.locator("[data-log] [data-type=configured]")).to_have_count(1)
    assert channel.call("GET", "/settings")["effective"]["mode"] == "priority"
    channel.configure(mode="replaceAll")
    expect(viewer.page.locator("input[value=replaceAll]")).to_be_checked()


def test_in_german_everything_is(new_context, watch, channel):
    page = new_context(locale="de-AT").new_page()
    viewer = watch(page).open()
    expect(page.get_by_role("heading", level=1)).to_contain_text("pünktlich")
    page.goto(f"{viewer.base}/?channel={channel.name}&lang=en")
    expect(page.get_by_role("heading", level=1)).to_contain_text("on time")
    page.get_by_role("link", name="Deutsch").click()
    page.locator("[data-connection=open]").wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("heading", level=1)).to_contain_text("pünktlich")
    expect(page.get_by_role("button", name="Toasten")).to_be_visible()
    page.get_by_role("textbox", name="Kanal").fill(f"{channel.name}-b")
    page.get_by_role("button", name="Los").click()
    expect(page).to_have_url(re.compile("lang=de"))
    words = page.evaluate("""async () => {
      const en = (await import("/page/messages/en.js")).default;
      const same = ["nav.timeline", "hero.title", "timeline", "playground", "settings", "log", "embed", "send", "message"];
      return same.filter((key) => document.body.innerText.includes(en[key]));
    }""")
    assert words == []


def test_the_chosen_colour_scheme_is_kept(viewer):
    page = viewer.page
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.locator("form[data-scheme]").get_by_text("Dark", exact=True).click()
    assert page.evaluate(paper) != light
    dark = page.evaluate(paper)
    page.reload()
    page.locator("[data-connection=open]").wait_for()
    assert page.evaluate(paper) == dark


def test_by_keyboard_alone(viewer, channel):
    page = viewer.page
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Say hello")).to_be_focused()
    page.keyboard.press("Enter")
    expect(viewer.toast("Your toast is ready")).to_be_visible()
    page.locator("[data-fields] [name=style]").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-fields] [value=vibrant]")).to_be_checked()
    page.locator("[data-form=compose]").get_by_label("Message").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("Typed")
    page.get_by_role("button", name="Toast it").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-queue] li", has_text="Typed")).to_have_count(1)


def open_all(page):
    """Opens all details of the channel's page, once the settings are there; the hooks come when they are opened."""
    page.locator("[data-path=preset]").wait_for()
    page.evaluate("for (const it of document.querySelectorAll('details')) it.open = true")
    expect(page.locator("[data-form=hook]")).to_be_visible()


def test_axe_finds_nothing_on_the_page(new_context, watch, channel):
    viewer = watch(new_context(reduced_motion="reduce").new_page()).open()
    page = viewer.page
    open_all(page)
    channel.post("On the screen", duration="indefinite", role="error", actions=[{"id": "a", "title": "Retry"}])
    channel.post("In the queue", duration="indefinite")
    gone = channel.post("Gone", duration="indefinite")
    channel.dismiss(gone["id"])
    page.get_by_label("Appearance, JSON").fill("round")
    page.get_by_role("button", name="Toast it").click()
    expect(page.locator("[aria-invalid]")).to_have_count(1)
    settled(viewer.toast("On the screen"))
    expect(page.locator("[data-queue] li")).to_have_count(3)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        results = Axe().run(page)
        assert results.violations_count == 0, f"{scheme}: {complaints(results)}"


def test_the_page_fits(viewer, channel):
    OUT.mkdir(exist_ok=True)
    page = viewer.page
    open_all(page)
    channel.post("https://example.org/" + "a-very-long-word" * 20, title="Long", duration="indefinite")
    settled(viewer.toast("Long"))
    expect(page.locator("[data-queue] li")).to_have_count(1)
    for width in (1280, 800, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        box = viewer.toast("Long").bounding_box()
        assert box["x"] >= 16 and box["x"] + box["width"] <= width - 16
        page.screenshot(path=OUT / f"page-{width}.png", full_page=True)


@pytest.mark.parametrize("locale", ["en-GB", "de-AT"])
def test_every_page_fits_with_letters_of_twice_the_size(new_context, channel, locale):
    page = new_context(locale=locale, viewport={"width": 320, "height": 800}).new_page()
    channel.post("The payment provider does not answer", duration="indefinite")
    for path in ("", "gallery.html", "guide.html", "examples/eventsource.html", "examples/websocket.html"):
        page.goto(f"{channel.base}/{path}?channel={channel.name}")
        expect(page.locator("[data-queue] li, [data-style] figure, [data-toasts] li, [data-line=post]").first).to_be_visible()
        if path:
            page.evaluate("for (const it of document.querySelectorAll('details')) it.open = true")
        else:
            open_all(page)
        page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path


def test_the_page_sends_no_request_to_other_hosts(page, watch, channel):
    strangers = []
    page.on("request", lambda request: strangers.append(request.url))
    viewer = watch(page).open()
    channel.post("Hello", style="retro", icon="rocket-takeoff-fill")
    expect(viewer.toast("Hello")).to_be_visible()
    assert [url for url in strangers if not url.startswith(viewer.base)] == []


@pytest.mark.parametrize("name", ["eventsource", "websocket"])
def test_axe_finds_nothing_in_an_example(page, channel, name):
    channel.post("Deployed", duration="indefinite")
    page.goto(f"{channel.base}/examples/{name}.html?channel={channel.name}")
    expect(page.get_by_text("Deployed").first).to_be_visible()
    results = Axe().run(page)
    assert results.violations_count == 0, complaints(results)


@pytest.mark.parametrize("answer", [{"status": 404}, {"body": "<!doctype html>Please sign in"}, {"json": {}}, {"json": None}])
def test_the_page_works_when_a_proxy_answers_the_request_for_styles(page, watch, answer):
    page.route("**/v1/styles", lambda route: route.fulfill(**answer))
    viewer = watch(page).open()
    # The styles of the viewer can be chosen all the same.
    expect(page.locator("[data-form=compose] [name=style]")).not_to_have_count(0)
    viewer.check()


def test_the_page_requests_styles_relative_to_its_address(page, watch, server):
    below = f"{server.base}/below/"
    page.route(f"{below}**", lambda route: route.fulfill(response=route.fetch(url=route.request.url.replace("/below/", "/"))))
    viewer = watch(page)
    with page.expect_request("**/v1/styles") as asked:
        page.goto(f"{below}?channel={viewer.channel.name}")
    assert asked.value.url == f"{below}v1/styles"
    # What is still being fetched is not a failure of the test that closes the page.
    page.unroute_all(behavior="ignoreErrors")
