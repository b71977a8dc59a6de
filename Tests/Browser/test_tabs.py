"""Several tabs of a person share one stream, and one tab speaks."""

import json

from playwright.sync_api import expect

from conftest import SPOKEN, look_away
from feed import Bare, Feed, Slow, updated

VIEWER = "document.querySelector('toast-viewer')"


def streams(channel):
    return channel.call("GET", "")["audience"]["sse"]


def test_tabs_share_one_stream_and_the_next_one_takes_over(page, watch, channel):
    first = watch(page).open()
    second = watch(page.context.new_page()).open()
    third = watch(page.context.new_page()).open()
    channel.post("For all of them", duration="indefinite")
    for tab in (first, second, third):
        expect(tab.toast("For all of them")).to_be_visible()
    channel.wait(lambda: streams(channel) == 1)
    # The leading tab sends its state once the code for sharing is loaded.
    first.page.wait_for_function(f"() => {VIEWER}.history.length === 1")
    first.page.evaluate(f"{VIEWER}.remove()")
    channel.configure(mode="stack", maxVisible=3)
    channel.post("After the first was closed", duration="indefinite")
    for tab in (second, third):
        expect(tab.toast("After the first was closed")).to_be_visible()
        expect(tab.toasts).to_have_count(2)
    # The server may see the new stream before the end of the old one.
    channel.wait(lambda: streams(channel) == 1)


def test_a_tab_that_comes_later_knows_what_is_on_the_screen(page, watch, channel):
    first = watch(page).open()
    channel.post("Already there", duration=600)
    expect(first.toast("Already there")).to_be_visible()
    late = watch(page.context.new_page()).open()
    expect(late.toast("Already there")).to_be_visible()
    # Two tabs that load the code for sharing at the same time may each begin with a stream of their own.
    channel.wait(lambda: streams(channel) == 1)
    late.toast("Already there").get_by_role("button", name="Dismiss").click()
    expect(first.toasts).to_have_count(0)


def test_a_tab_that_comes_while_the_leading_one_still_loads_gets_the_state(page, channel, watching):
    slow, late = Slow(page, channel), Feed(page.context.new_page(), channel)
    watching.extend([slow, late])
    slow.begin()
    slow.show("a")
    slow.send(updated("a", message="Newer"))
    # The leading tab has to load the code for sharing before it answers.
    late.page.add_init_script("""{
      const set = setTimeout;
      window.setTimeout = (work, time, ...rest) => time === 2000 ? 0 : set(work, time, ...rest);
    }""")
    late.open()
    expect(late.toast("Newer")).to_be_visible()
    assert late.page.evaluate("sources.length") == 0


def test_a_tab_that_cannot_load_the_code_for_sharing_has_its_own_stream(page, channel, watching):
    first, second = Bare(page, channel), Bare(page.context.new_page(), channel)
    watching.extend([first, second])
    first.open().opened()
    second.page.route("**/lazy/shared.js", lambda route: None)
    second.open().opened()
    channel.post("For both", duration="indefinite")
    for tab in (first, second):
        expect(tab.toast("For both")).to_be_visible()


def test_a_leading_tab_that_is_frozen_is_replaced(page, watch, channel):
    first = watch(page).open()
    # This tab holds the lock and receives nothing, like a tab that the browser has frozen.
    first.page.evaluate("() => { BroadcastChannel.prototype.postMessage = () => {}; }")
    second = watch(page.context.new_page()).open()
    channel.post("Awake", duration="indefinite")
    expect(second.toast("Awake")).to_be_visible()


def test_without_locks_each_tab_has_a_stream(new_context, watch, channel):
    context = new_context()
    context.add_init_script("Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined })")
    tabs = [watch(context.new_page()).open() for _ in range(2)]
    channel.post("Anyway", duration="indefinite")
    for tab in tabs:
        expect(tab.toast("Anyway")).to_be_visible()
    assert streams(channel) == 2


def test_b33_of_two_tabs_one_speaks(page, watch, channel):
    tabs = [watch(page).open(), watch(page.context.new_page()).open()]
    for tab in tabs:
        tab.page.evaluate(SPOKEN)
    channel.post("To one of you", duration="indefinite")
    for tab in tabs:
        expect(tab.toast("To one of you")).to_be_visible()
    while not any(tab.page.evaluate("spoken.length") for tab in tabs):
        tabs[0].page.wait_for_timeout(20)
    tabs[0].page.wait_for_timeout(500)
    said = [tab.page.evaluate("spoken") for tab in tabs]
    assert sorted(map(len, said)) == [0, 1]
    # When the speaking tab is hidden, the other one speaks.
    speaker = 0 if said[0] else 1
    look_away(tabs[speaker].page, True)
    channel.configure(mode="stack", maxVisible=3)
    channel.post("And to the other", duration="indefinite")
    other = tabs[1 - speaker].page
    other.wait_for_function("() => spoken.length === 1")
    look_away(tabs[speaker].page, False)


def test_b33_of_two_viewers_on_a_page_one_speaks_and_a_warning_is_logged(viewer, channel):
    page = viewer.page
    warnings = []
    page.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    page.evaluate(SPOKEN)
    page.evaluate(f"""() => {{
      const second = document.createElement("toast-viewer");
      second.channel = {VIEWER}.channel;
      document.body.append(second);
      window.secondSpoke = 0;
      for (const region of second.shadowRoot.querySelectorAll("[role=status], [role=alert]")) {{
        new MutationObserver(() => {{ secondSpoke += 1; }}).observe(region, {{ childList: true }});
      }}
    }}""")
    # The code that warns is loaded with the first toast.
    with page.expect_console_message(lambda message: message.type == "warning"):
        channel.post("Twice seen, once heard", duration="indefinite")
    expect(viewer.toast("Twice seen, once heard")).to_have_count(2)
    page.wait_for_function("() => spoken.length === 1")
    page.wait_for_timeout(300)
    assert page.evaluate("secondSpoke") == 0
    assert len(warnings) == 1 and "only the first one speaks" in warnings[0]


def test_an_outage_is_announced_once_and_its_toasts_end_as_a_summary(page, watch, channel, proxy):
    viewer = watch(page, proxy.base)
    page.clock.install()
    viewer.open()
    page.evaluate(SPOKEN)
    channel.configure(mode="stack", maxVisible=100, capacity=500)
    # Only the code that is loaded after a first toast counts toasts; the network does not follow this clock.
    first = channel.post("Before", duration="indefinite")
    page.wait_for_function(f"() => {VIEWER}.history.length === 1 && spoken.length === 1")
    channel.dismiss(first["id"])
    expect(viewer.toasts).to_have_count(0)
    page.evaluate("() => { spoken.length = 0; }")
    proxy.is_refusing = True
    proxy.cut()
    expect(page.locator("[data-connection=offline]")).to_be_visible()
    posted = channel.batch([{"message": f"Missed {index}", "duration": "indefinite"} for index in range(60)])
    page.clock.run_for(11_000)
    proxy.is_refusing = False
    page.clock.run_for(31_000)
    expect(page.locator("[data-connection=open]")).to_be_visible()
    expect(page.locator("toast-viewer [part~=more]")).to_have_text("Show 50 more")
    page.clock.run_for(1000)
    texts = [text for _, text in page.evaluate("spoken")]
    assert texts[0] == "Notifications disconnected"
    assert len(texts) <= 4 and sum("notifications: press F8" in text for text in texts) == 1, json.dumps(texts)
    assert len(posted["toasts"]) == 60
