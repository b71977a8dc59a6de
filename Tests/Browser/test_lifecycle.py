"""Pages that create the element before it is defined, remove it, move it, or have two of it."""

import pytest
from playwright.sync_api import expect

from conftest import SPOKEN
from feed import Bare, Feed, Slow, presented

VIEWER = "document.querySelector('toast-viewer')"

OPEN = """() => {
  window.viewer = document.querySelector("toast-viewer");
  window.modal = document.body.appendChild(document.createElement("dialog"));
  modal.append(Object.assign(document.createElement("button"), { textContent: "Inside" }));
  modal.showModal();
}"""


@pytest.fixture
def bare(page, channel, watching):
    watching.append(Bare(page, channel))
    return watching[-1]


def streams(channel):
    return channel.call("GET", "")["audience"]["sse"]


def test_properties_set_before_the_definition_are_applied(bare, channel):
    page = bare.page
    page.route("**/early", lambda route: route.fulfill(content_type="text/html", body="<!doctype html><title>Early</title><main></main>"))
    page.goto(f"{bare.base}/early")
    page.evaluate("""async (channel) => {
      const viewer = document.createElement("toast-viewer");
      Object.assign(viewer, { channel, holds: "off", hotkey: "F9", toasts: "not ours to set" });
      document.body.append(viewer);
      await import("/toast-viewer.js");
    }""", channel.name)
    bare.opened()
    channel.post("Here", duration="indefinite")
    expect(bare.toast("Here")).to_be_visible()
    assert page.evaluate(f"[{VIEWER}.getAttribute('channel'), {VIEWER}.holds, {VIEWER}.hotkey, {VIEWER}.toasts.length]") == [channel.name, "off", "F9", 1]
    page.evaluate(f"() => {{ {VIEWER}.channel = 'another'; }}")
    expect(bare.toasts).to_have_count(0)


def test_a_viewer_removed_from_a_dialog_does_not_return_when_the_dialog_closes(viewer, channel):
    page = viewer.page
    channel.post("In the dialog", duration="indefinite")
    expect(viewer.toast("In the dialog")).to_be_visible()
    page.evaluate(OPEN)
    page.wait_for_function("() => viewer.parentNode === modal")
    page.evaluate("viewer.remove()")
    page.evaluate("() => new Promise((done) => { modal.addEventListener('close', () => setTimeout(done)); modal.close(); })")
    assert page.evaluate("viewer.isConnected") is False


def test_a_viewer_that_is_gone_leaves_no_listener_in_the_page(bare, channel):
    page = bare.open().opened().page
    client = page.context.new_cdp_session(page)

    def listeners():
        document = client.send("Runtime.evaluate", {"expression": "document"})["result"]["objectId"]
        found = client.send("DOMDebugger.getEventListeners", {"objectId": document})["listeners"]
        # One listener is the test's own, for violations of the policy.
        return sorted(it["type"] for it in found if it["type"] != "securitypolicyviolation")

    channel.post("Here", duration="indefinite")
    expect(bare.toast("Here")).to_be_visible()
    bare.wait_until(lambda: "beforetoggle" in listeners())
    shown = listeners()
    page.evaluate(f"() => {{ window.viewer = {VIEWER}; viewer.remove(); }}")
    assert listeners() == []
    page.evaluate("document.body.append(viewer)")
    expect(bare.toast("Here")).to_be_visible()
    assert listeners() == shown


def test_a_viewer_that_the_page_moves_from_a_dialog_stays_there_afterwards(viewer, channel):
    page = viewer.page
    channel.post("First", duration="indefinite")
    expect(viewer.toast("First")).to_be_visible()
    page.evaluate(OPEN)
    page.wait_for_function("() => viewer.parentNode === modal")
    # Like a framework that renders again: removed, then inserted elsewhere, then in the dialog again.
    page.evaluate("() => { viewer.remove(); document.querySelector('main').append(viewer); }")
    page.wait_for_function("() => viewer.parentNode === modal")
    page.evaluate("modal.close()")
    page.wait_for_function("() => viewer.parentNode === document.querySelector('main')")
    expect(viewer.toast("First")).to_have_count(1)


def test_a_viewer_that_is_moved_about_shows_each_toast_once_over_one_stream(bare, channel):
    bare.open().opened()
    page = bare.page
    channel.post("There", duration="indefinite")
    expect(bare.toast("There")).to_be_visible()
    page.evaluate(f"() => {{ const it = {VIEWER}; for (const place of ['main', 'body', 'main']) {{ document.querySelector(place).append(it); }} }}")
    bare.opened()
    expect(bare.toast("There")).to_have_count(1)
    channel.wait(lambda: streams(channel) == 1)


def test_a_removed_viewer_receives_no_events_and_sends_no_requests(page, channel, watching):
    feed = Feed(page, channel)
    watching.append(feed)
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    feed.begin()
    feed.send(presented("a"))
    expect(feed.toast("Toast a")).to_be_visible()
    # The last request that the viewer sends by itself.
    page.wait_for_function("() => performance.getEntriesByName(location.origin + '/v1/catalogs/en').length > 0")
    requests.clear()
    page.evaluate(f"""() => {{
      window.gone = {VIEWER};
      gone.remove();
      window.asked = [];
      const real = fetch;
      window.fetch = (...all) => {{ asked.push(String(all[0])); return real(...all); }};
    }}""")
    page.keyboard.press("F8")
    page.evaluate("""() => {
      for (const type of ["visibilitychange", "focusin", "fullscreenchange"]) { document.dispatchEvent(new Event(type)); }
      for (const type of ["online", "storage", "focus"]) { dispatchEvent(new Event(type)); }
    }""")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    # One of the test's own, which comes after any other.
    page.evaluate("fetch('/favicon.svg').then(() => {})")
    assert requests == [f"{feed.base}/favicon.svg"]
    assert page.evaluate("asked") == ["/favicon.svg"] and page.evaluate("sources.map((it) => it.readyState)") == [2]
    assert page.evaluate("[gone.toasts.length, gone.connection]") == [0, "closed"]
    # The element can be inserted again.
    page.evaluate("document.body.append(gone)")
    page.wait_for_function("() => sources.length === 2")
    feed.send({"type": "snapshot", "effective": {}, "presented": [{"toast": presented("b")["toast"]}], "queuedCount": 0, "reset": False})
    expect(feed.toast("Toast b")).to_be_visible()


def test_a_viewer_removed_in_the_frame_of_an_event_opens_no_other_stream(page, channel, watching):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin()
    # Removed from the page, it uses the browser's language, not the one that it has requested.
    assert page.evaluate("[document.documentElement.lang, navigator.language]") == ["en", "en-US"]
    state = page.evaluate(f"""async () => {{
      const gone = {VIEWER};
      const [channel, cursor] = [gone.channel, "e-9"];
      feed({{ type: "enqueued", channel, cursor, at: "2026-01-01T00:00:00.000Z", toast: {{ id: "a" }} }});
      gone.remove();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return [gone.connection, sources.length];
    }}""")
    assert state == ["closed", 1]


def test_a_viewer_that_the_page_hides_is_hidden(bare, channel):
    bare.open().opened()
    channel.post("There", duration="indefinite")
    expect(bare.toast("There")).to_be_visible()
    bare.page.evaluate(f"() => {{ {VIEWER}.hidden = true; }}")
    expect(bare.toast("There")).to_be_hidden()
    bare.page.evaluate(f"() => {{ {VIEWER}.hidden = false; }}")
    expect(bare.toast("There")).to_be_visible()


def test_setting_an_attribute_to_its_value_changes_nothing(page, channel, watching):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin()
    feed.send(presented("a"))
    expect(feed.toast("Toast a")).to_be_visible()
    page.evaluate(f"() => {{ const it = {VIEWER}; it.channel = it.channel; it.setAttribute('lang', 'en'); it.setAttribute('lang', 'en'); }}")
    expect(feed.toast("Toast a")).to_be_visible()
    assert page.evaluate("sources.length") == 1


def test_of_two_viewers_the_second_one_speaks_when_the_first_one_is_away(bare, channel):
    bare.open().opened()
    page = bare.page
    page.evaluate(f"() => {{ const first = {VIEWER}; first.after(first.cloneNode()); first.id = 'first'; }}")
    channel.wait(lambda: streams(channel) == 1)
    channel.post("For both", duration="indefinite")
    expect(bare.toast("For both")).to_have_count(2)
    page.evaluate("first.remove()")
    page.evaluate(SPOKEN)
    page.wait_for_function(f"() => {VIEWER}.connection === 'open'")
    channel.configure(mode="stack", maxVisible=3)
    channel.post("For the second", duration="indefinite")
    page.wait_for_function("() => spoken.some(([, text]) => text.includes('For the second'))")


def test_elements_noted_before_the_rest_is_loaded_are_freed(page, channel, watching):
    slow = Slow(page, channel)
    watching.append(slow)
    slow.begin().show("a")
    page.mouse.move(5, 5)
    page.evaluate("""() => {
      // References the first toast's element weakly, to find out whether it is freed.
      const element = document.querySelector("toast-viewer").shadowRoot.querySelector("li");
      element.dispatchEvent(new PointerEvent("pointermove", { bubbles: true }));
      window.kept = new WeakRef(element);
    }""")
    slow.give()
    page.wait_for_function(f"() => {VIEWER}.history.length === 1")
    slow.send({"type": "dismissed", "id": "a", "dismissReason": "api", "exit": 0})
    expect(slow.page.locator("toast-viewer li")).to_have_count(0)
    client = page.context.new_cdp_session(page)
    client.send("HeapProfiler.enable")
    # Timers reference the element until they have fired.
    for _ in range(20):
        client.send("HeapProfiler.collectGarbage")
        if page.evaluate("kept.deref() === undefined"):
            return
        page.wait_for_timeout(250)
    raise AssertionError("Somebody still has the toast that is gone")
