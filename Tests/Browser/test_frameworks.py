"""Runs the code of docs/embed.md: in a plain page, in React and in Vue."""

import functools

import pytest
from playwright.sync_api import expect

from conftest import SPOKEN, Channel, spoken
from feed import Bare
from frameworks import React, Vue, snippet

APPS = {"react-19": React("19.2.4", 0), "both-18": React("18.3.1", 1), "both-19": React("19.2.4", 1), "vue-3": Vue()}
VIEWER = "document.querySelector('toast-viewer')"
ELEMENT = '<script type="module" src="/toast-viewer.js"></script>'
PAGE = """<!doctype html><html lang="en"><title>App</title>EARLY<script src="/app/classic.js"></script>
<script type="module" src="/app/main.js"></script><body><main></main></body></html>"""


@pytest.fixture(scope="module", params=APPS)
def files(request, tmp_path_factory):
    """The application's files, made once."""
    return APPS[request.param].make(tmp_path_factory.mktemp(request.param))


@pytest.fixture
def app(page, channel, watching, files):
    """A page with the application on it."""
    app = Bare(page, channel)
    watching.append(app)

    def begin(early=ELEMENT):
        for name, text in files.items():
            page.route(f"**/app/{name}.js", functools.partial(give, "text/javascript", text))
        page.route("**/app", functools.partial(give, "text/html", PAGE.replace("EARLY", early)))
        page.goto(f"{app.base}/app")
        page.wait_for_function("() => window.render")
        return app

    app.begin = begin
    return app


def give(kind, body, route):
    route.fulfill(content_type=kind, body=body)


def streams(channel):
    return channel.call("GET", "")["audience"]["sse"]


def test_the_component_has_one_stream_and_gets_each_event_once(app, channel):
    app.begin().page.evaluate("(channel) => render(channel)", channel.name)
    app.opened()
    channel.post("Hello", duration="indefinite")
    expect(app.toast("Hello")).to_be_visible()
    app.page.wait_for_function("() => shown.length > 0")
    channel.configure(mode="stack", maxVisible=3)
    channel.post("And again", duration="indefinite")
    app.page.wait_for_function("() => shown.length > 1")
    assert app.page.evaluate("shown") == ["Hello", "And again"]
    assert app.page.evaluate(f"[{VIEWER}.holds, document.querySelectorAll('toast-viewer').length]") == ["shared", 1]
    channel.wait(lambda: streams(channel) == 1)


def test_a_property_that_changes_moves_the_stream_and_keeps_the_element(app, channel):
    other = Channel(channel.base, f"{channel.name}-other")
    app.begin().page.evaluate("(channel) => render(channel)", channel.name)
    app.opened()
    app.page.evaluate(f"() => {{ window.before = {VIEWER}; }}")
    app.page.evaluate("(channel) => render(channel)", other.name)
    other.wait(lambda: streams(other) == 1)
    channel.wait(lambda: streams(channel) == 0)
    other.post("Elsewhere", duration="indefinite")
    expect(app.toast("Elsewhere")).to_be_visible()
    app.page.wait_for_function("() => shown.length > 0")
    assert app.page.evaluate(f"[shown, {VIEWER} === before]") == [["Elsewhere"], True]


def test_a_component_without_a_channel_opens_no_stream_until_it_has_one(app, channel):
    app.begin().page.evaluate("() => render(undefined)")
    app.page.wait_for_function(f"() => {VIEWER} && customElements.get('toast-viewer')")
    assert app.page.evaluate(f"[{VIEWER}.channel, {VIEWER}.connection]") == ["", "closed"]
    app.page.evaluate("(channel) => render(channel)", channel.name)
    app.opened()
    app.page.evaluate("() => render(undefined)")
    app.page.wait_for_function(f"() => {VIEWER}.connection === 'closed'")
    assert app.page.evaluate(f"{VIEWER}.channel") == ""
    channel.wait(lambda: streams(channel) == 0)


def test_an_unmounted_component_closes_the_stream(app, channel):
    app.begin().page.evaluate("(channel) => render(channel)", channel.name)
    app.opened()
    channel.wait(lambda: streams(channel) == 1)
    app.page.evaluate("unmount()")
    expect(app.page.locator("toast-viewer")).to_have_count(0)
    channel.wait(lambda: streams(channel) == 0)


def test_properties_set_before_the_element_is_defined_take_effect(app, channel):
    app.begin(early="").page.evaluate("(channel) => render(channel)", channel.name)
    app.page.wait_for_function(f"() => {VIEWER}")
    app.page.evaluate("() => import('/toast-viewer.js')")
    app.opened()
    channel.post("Late", duration="indefinite")
    expect(app.toast("Late")).to_be_visible()
    app.page.wait_for_function("() => shown.length > 0")
    assert app.page.evaluate(f"[shown, {VIEWER}.holds]") == [["Late"], "shared"]
    app.page.evaluate("() => render(undefined)")
    app.page.wait_for_function(f"() => {VIEWER}.connection === 'closed'")


def test_a_component_that_changes_its_place_shows_each_toast_once(app, channel):
    app.begin().page.evaluate("(channel) => render(channel)", channel.name)
    app.opened()
    app.page.evaluate(SPOKEN)
    channel.post("There", duration="indefinite")
    expect(app.toast("There")).to_be_visible()
    app.page.wait_for_function("() => shown.length > 0 && spoken.length > 0")
    app.page.evaluate(f"() => {{ window.told = []; {VIEWER}.addEventListener('toast-connection', (event) => told.push(event.detail.state)); }}")
    # One of the two orders moves the element, the other its neighbour.
    for is_first in (True, False):
        app.page.evaluate("([channel, isFirst]) => render(channel, isFirst)", [channel.name, is_first])
        app.page.wait_for_function(f"(isFirst) => isFirst === Boolean({VIEWER}.parentElement.nextElementSibling?.matches('p'))", arg=is_first)
        app.opened()
        expect(app.toast("There")).to_have_count(1)
    channel.wait(lambda: streams(channel) == 1)
    # The toast is still on screen, so it is not announced again: the next announcement is that of another one.
    channel.configure(mode="stack", maxVisible=3)
    channel.post("And another", duration="indefinite")
    assert spoken(app, 2) == [["status", "information, There"], ["status", "information, And another"]]
    assert app.page.evaluate("told") == ["closed", "connecting", "open"]


def test_plain_html_shows_a_channel_under_the_documented_policy(page, channel, watching):
    plain = Bare(page, Channel(channel.base, "ops"))
    watching.append(plain)
    # The server's channel `ops` may belong to another test: only the name is changed.
    body = "<!doctype html><title>Plain</title><body>" + snippet("Embedding", "html").replace('"ops"', f'"{channel.name}"')
    policy = snippet("Embedding", "").removeprefix("Content-Security-Policy:").strip()
    assert "'self'" in policy
    headers = {"content-security-policy": f"default-src 'none'; {policy}; require-trusted-types-for 'script'; trusted-types 'none'"}
    page.route("**/plain", lambda route: route.fulfill(content_type="text/html", headers=headers, body=body))
    page.goto(f"{channel.base}/plain")
    plain.opened()
    channel.post("Plain", duration="indefinite", actions=[{"id": "undo", "title": "Undo"}])
    expect(plain.toast("Plain")).to_be_visible()


def test_the_documented_methods_and_events_of_a_page_work(page, channel, watching):
    bare = Bare(page, channel)
    watching.append(bare)
    bare.open().opened()
    said = []
    page.on("console", lambda message: said.append(message.text))
    lobby = Channel(channel.base, f"lobby-{channel.name}")
    page.evaluate(snippet("Attributes, methods and events", "js").replace('"lobby"', f'"{lobby.name}"'))
    lobby.wait(lambda: streams(lobby) == 1)
    posted = lobby.post("Moved", duration="indefinite", actions=[{"id": "undo", "title": "Undo"}, {"id": "go", "title": "Go"}])
    undo = bare.toast("Moved").get_by_role("button", name="Undo")
    undo.click()
    expect(bare.toast("Moved")).to_be_visible()
    assert lobby.toast(posted["id"])["state"] == "presented"
    assert said == ["Moved"] and page.evaluate(f"{VIEWER}.holds") == "shared"
    bare.toast("Moved").get_by_role("button", name="Go").click()
    lobby.wait(lambda: lobby.toast(posted["id"])["state"] == "dismissed")
