"""Several channels in one viewer, several viewers on one page, and several tabs."""

import re

import pytest
from playwright.sync_api import expect

from conftest import SPOKEN, Channel
from feed import Bare, Feed, presented

VIEWER = "document.querySelector('toast-viewer')"


def boxes(page):
    return page.evaluate("""() => [...document.querySelectorAll("toast-viewer")].flatMap((viewer) => (
      [...viewer.shadowRoot.querySelectorAll("li:not([data-state=leaving])")].map((it) => {
        const { top, bottom, left, right } = it.firstElementChild.getBoundingClientRect();
        return { top, bottom, left, right, text: it.textContent };
      })
    ))""")


def overlapping(all_boxes):
    def cross(one, other):
        return one["top"] < other["bottom"] - 1 and other["top"] < one["bottom"] - 1 and one["left"] < other["right"] and other["left"] < one["right"]
    return [(a["text"], b["text"]) for i, a in enumerate(all_boxes) for b in all_boxes[i + 1:] if cross(a, b)]


def test_two_channels_are_one_stack_and_one_stream(page, channel, watching):
    bare = Bare(page, channel)
    watching.append(bare)
    other = f"{channel.name}-2"
    bare.open().opened()
    streams = []
    page.on("request", lambda it: streams.append(it.url) if "/stream?" in it.url else None)
    page.evaluate(f"{VIEWER}.channel = '{channel.name} {other}'")
    bare.opened()
    page.evaluate(SPOKEN)
    channel.post("From the first", duration="indefinite")
    page.evaluate("""([name]) => fetch(`/v1/channels/${name}/toasts`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ message: "From the second", duration: "indefinite" }),
    })""", [other])
    expect(bare.toast("From the first")).to_be_visible()
    expect(bare.toast("From the second")).to_be_visible()
    bare.settle()
    assert overlapping(boxes(page)) == []
    page.wait_for_function("() => spoken.filter(([, text]) => text.includes('From the')).length === 2")
    bare.toast("From the second").get_by_role("button", name="Dismiss").click()
    expect(bare.toasts).to_have_count(1)
    channel.wait(lambda: not page.evaluate(f"fetch('/v1/channels/{other}').then((it) => it.json()).then((it) => it.presentedCount)"))
    # A stream has both channels, and each channel is watched by one.
    assert streams and all(f"/v1/stream?channel={channel.name}&channel={other}&" in it for it in streams)
    for each in (channel, Channel(channel.base, other)):
        each.wait(lambda each=each: each.call("GET", "")["audience"]["sse"] == 1)


def test_two_viewers_of_a_page_share_the_screen_and_each_toast_is_said_once(page, channel, watching):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin("max=\"4\" share=\"off\"", mode="stack", maxVisible=4)
    page.evaluate(f"() => {{ const second = {VIEWER}.cloneNode(); second.id = 'second'; second.setAttribute('channel', 'another'); {VIEWER}.after(second); }}")
    page.wait_for_function("() => sources.length > 1")
    page.evaluate(ALL_SPOKEN)
    snapshot = {"type": "snapshot", "channel": "another", "at": "2026-01-01T00:00:00.000Z", "cursor": "e-1", "effective": {"mode": "stack", "style": "glass", "closeButton": True, "maxVisible": 4}, "presented": [], "queuedCount": 0, "reset": False}
    toasts = [presented(f"x{n}", channel="another") for n in range(3)]
    page.evaluate("(events) => feed(...events)", [snapshot, *[{"channel": "another", "at": snapshot["at"], "cursor": "e-2", **it} for it in toasts]])
    to_first = """(events) => {
      for (const event of events) { sources[0].dispatchEvent(new MessageEvent(event.type, { data: JSON.stringify(event) })); }
    }"""
    page.evaluate(to_first, [{"channel": channel.name, "at": snapshot["at"], "cursor": "e-9", **presented(f"y{n}")} for n in range(3)])
    for name in ("x0", "x2", "y0", "y2"):
        expect(feed.toast(f"Toast {name}")).to_be_visible()
    # What lets them share the screen is loaded with the first toast, and may come after it.
    feed.wait_until(lambda: overlapping(boxes(page)) == [])
    page.wait_for_function("() => said.length >= 6")
    # A second announcement of one of them would come before that of another toast.
    page.evaluate("(event) => feed(event)", {"channel": "another", "at": snapshot["at"], "cursor": "e-10", **presented("x3", channel="another")})
    page.evaluate(to_first, [{"channel": channel.name, "at": snapshot["at"], "cursor": "e-10", **presented("y3")}])
    page.wait_for_function("() => ['x3', 'y3'].every((name) => said.some((it) => it.endsWith(name)))")
    assert sorted(page.evaluate("said")) == [f"Info: Toast {viewer}{n}" for viewer in "xy" for n in range(4)]


# The visible part of each toast: of a list that scrolls, within the box of the list.
SEEN = """() => [...document.querySelectorAll("toast-viewer")].flatMap((viewer) => (
  [...viewer.shadowRoot.querySelectorAll("li:not([data-state=leaving])")].map((it) => {
    const { top, bottom, left, right } = it.firstElementChild.getBoundingClientRect();
    const list = it.parentElement.getBoundingClientRect();
    const isScrolled = "crowded" in it.parentElement.dataset;
    const box = isScrolled ? { top: Math.max(top, list.top), bottom: Math.min(bottom, list.bottom), left, right } : { top, bottom, left, right };
    return { ...box, text: it.querySelector("[part=message]").textContent };
  })
)).filter(({ top, bottom }) => bottom > top)"""

# Whether the lists are laid out, and nothing moves any more.
STILL = """() => {
  const roots = [...document.querySelectorAll("toast-viewer")].map((it) => it.shadowRoot);
  return roots.some((it) => it.querySelector("[data-crowded]")) && roots.every((it) => !it.getAnimations().length);
}"""

# The announcements of all viewers of a page.
ALL_SPOKEN = """() => {
  window.said = [];
  for (const viewer of document.querySelectorAll("toast-viewer")) {
    for (const region of viewer.shadowRoot.querySelectorAll("[role=status], [role=alert]")) {
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) said.push(node.textContent);
      }).observe(region, { childList: true });
    }
  }
}"""


def crowd(channel, count, word, placement):
    channel.batch([{"message": f"{word} {n}", "duration": "indefinite", "placement": placement} for n in range(count)])


def tell_of(tabs, word):
    """The number of toasts that the tabs have announced, one by one or as a summary."""
    texts = [text for tab in tabs for text in tab.page.evaluate("said")]
    single = [text for text in texts if word in text]
    return single, sum(int(found[1]) for text in texts if (found := re.match(r"(\d+) notifications", text)))


@pytest.mark.parametrize("placement", ["top", "bottom"])
def test_two_viewers_three_tabs_two_channels_one_of_them_crowded(page, channel, watching, placement):
    other = Channel(channel.base, f"{channel.name}-2")
    for each in (channel, other):
        each.configure(mode="stack", maxVisible="unlimited")
    tabs = [Bare(it, channel) for it in (page, page.context.new_page(), page.context.new_page())]
    watching.extend(tabs)
    for tab in tabs:
        tab.open('max="30"')
        tab.page.evaluate(f"(name) => {{ const second = {VIEWER}.cloneNode(); second.channel = name; {VIEWER}.after(second); }}", other.name)
        tab.page.wait_for_function("() => [...document.querySelectorAll('toast-viewer')].every((it) => it.connection === 'open')")
        tab.page.evaluate(ALL_SPOKEN)
    crowd(channel, 20, "Crowd", "top")
    crowd(other, 3, "Other", placement)
    for tab in tabs:
        expect(tab.toasts).to_have_count(23)
    def is_told():
        single, counted = tell_of(tabs, "Crowd")
        return len(single) + counted >= 20 and len(tell_of(tabs, "Other")[0]) >= 3

    tabs[2].wait_until(is_told)
    # A second announcement would come by now.
    page.wait_for_timeout(500)
    single, counted = tell_of(tabs, "Crowd")
    assert len(set(single)) == len(single) and len(single) + counted == 20
    single, _ = tell_of(tabs, "Other")
    assert sorted(re.search(r"Other \d", text)[0] for text in single) == ["Other 0", "Other 1", "Other 2"]
    for tab in tabs:
        # A tab in the background draws nothing.
        tab.page.bring_to_front()
        tab.page.wait_for_function(STILL)
        seen = tab.page.evaluate(SEEN)
        assert overlapping(seen) == []
        # The newest of the crowd and all of the others are whole, and on the screen.
        whole = {it["text"].removeprefix("Info: ") for it in seen if it["bottom"] - it["top"] > 60 and it["top"] >= 0 and it["bottom"] <= tab.page.viewport_size["height"]}
        assert {"Crowd 19", "Other 0", "Other 1", "Other 2"} <= whole
    # Each toast can be reached: one of the crowded list that was scrolled away, and one of the others.
    for text in ("Crowd 0", "Other 1"):
        tabs[2].toasts.filter(has_text=re.compile(f"{text}$")).get_by_role("button", name="Dismiss").click()
        for tab in tabs:
            expect(tab.toasts.filter(has_text=re.compile(f"{text}$"))).to_have_count(0)
    # Without the crowded list the others have the full height.
    channel.call("DELETE", "/toasts")
    for tab in tabs:
        expect(tab.toasts).to_have_count(2)
        tab.page.wait_for_function("() => [...document.querySelectorAll('toast-viewer')].every((it) => !it.shadowRoot.querySelector('[data-crowded]:not([hidden])'))")


def test_a_crowded_list_at_the_top_leaves_room_for_the_list_at_the_bottom(page, channel, watching):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin('max="40"', maxVisible="unlimited")
    feed.send(*[presented(f"t{n}", placement="top") for n in range(12)], *[presented(f"b{n}", placement="bottom") for n in range(12)])
    expect(feed.toasts).to_have_count(24)
    page.wait_for_function(f"() => {VIEWER}.shadowRoot.querySelectorAll('[data-crowded]').length === 2")
    feed.settle()
    assert overlapping(page.evaluate(SEEN)) == []
    heights = page.evaluate(f"() => [...{VIEWER}.shadowRoot.querySelectorAll('[data-crowded]')].map((it) => it.offsetHeight)")
    assert heights[0] == pytest.approx(heights[1], abs=2)
    feed.send(*[{"type": "dismissed", "id": f"b{n}", "dismissReason": "api", "exit": 0} for n in range(12)])
    expect(feed.toasts).to_have_count(12)
    page.wait_for_function(f"() => {VIEWER}.shadowRoot.querySelector('[data-crowded]')?.offsetHeight === innerHeight")


def boxes_of_lists(page):
    return page.evaluate("""() => [...document.querySelectorAll("toast-viewer")].flatMap((viewer) => (
      [...viewer.shadowRoot.querySelectorAll("ol:not([hidden])")].map((it) => it.getBoundingClientRect().toJSON())
    ))""")


def test_in_the_middle_of_the_screen_two_viewers_stand_around_it(page, channel, watching):
    bare = Bare(page, channel)
    watching.append(bare)
    bare.open("local")
    page.wait_for_function("() => customElements.get('toast-viewer')")
    page.evaluate(f"() => {VIEWER}.after({VIEWER}.cloneNode())")
    page.evaluate("""() => {
      for (const [index, viewer] of document.querySelectorAll("toast-viewer").entries()) {
        for (const n of [1, 2]) { viewer.show(`Word ${index}${n}`, { placement: "center", duration: "indefinite" }); }
      }
    }""")
    expect(page.locator("toast-viewer [part~=toast]")).to_have_count(4)
    # What lets them share the screen is loaded with the first toast, and may come after it.
    page.wait_for_function("""() => [...document.querySelectorAll("toast-viewer")].every(({ shadowRoot }) => (
      shadowRoot.querySelector("ol[style*='--beside']") && !shadowRoot.getAnimations().length
    ))""")
    seen = page.evaluate(SEEN)
    assert overlapping(seen) == [] and len(seen) == 4
    height = page.viewport_size["height"]
    assert all(it["top"] >= 0 and it["bottom"] <= height for it in seen)
    assert min(it["top"] for it in seen) + max(it["bottom"] for it in seen) == pytest.approx(height, abs=2)


def test_a_crowd_in_the_middle_shares_the_height_with_those_at_the_edges(page, channel, watching):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin('max="50"', maxVisible="unlimited")
    placed = [presented(f"{placement[0]}{n}", placement=placement) for placement in ("top", "center", "bottom") for n in range(12)]
    feed.send(*placed)
    expect(feed.toasts).to_have_count(36)
    page.wait_for_function(f"() => {VIEWER}.shadowRoot.querySelectorAll('[data-crowded]').length === 3")
    feed.settle()
    assert overlapping(page.evaluate(SEEN)) == []
    top, center, bottom = boxes_of_lists(page)
    assert top["bottom"] < center["top"] and center["bottom"] < bottom["top"]
    for it in (top, center, bottom):
        assert it["height"] > 0.25 * page.viewport_size["height"]
    # The newest toast of each list is visible, and one that was scrolled away can be reached.
    for name in ("t11", "c11", "b11"):
        expect(feed.toast(re.compile(f"Toast {name}$"))).to_be_in_viewport(ratio=0.9)
    feed.toast(re.compile("Toast c0$")).scroll_into_view_if_needed()
    assert overlapping(page.evaluate(SEEN)) == []
    # The few toasts in the middle stand between the crowded lists, without overlapping these.
    feed.send(*[{"type": "dismissed", "id": f"c{n}", "dismissReason": "api", "exit": 0} for n in range(1, 12)])
    expect(feed.toasts).to_have_count(25)
    feed.settle()
    seen = page.evaluate(SEEN)
    assert overlapping(seen) == []
    (only,) = [it for it in seen if it["text"].endswith("Toast c0")]
    assert only["bottom"] - only["top"] > 40


def test_a_centred_toast_makes_way_for_many_at_the_top(page, channel, watching):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin('max="50"', maxVisible="unlimited")
    feed.send(*[presented(f"t{n}", placement="top") for n in range(5)], presented("c", placement="center"))
    expect(feed.toasts).to_have_count(6)
    feed.settle()
    page.wait_for_function(f"() => {VIEWER}.shadowRoot.querySelector('[part=region] ol[data-placement=center]').style.length")
    feed.settle()
    seen = page.evaluate(SEEN)
    assert overlapping(seen) == [] and all(it["bottom"] <= page.viewport_size["height"] for it in seen)


def test_attributes_that_are_set_later_take_effect(page, channel, watching):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin(mode="stack")
    page.evaluate(f"() => {{ Object.assign({VIEWER}, {{ label: 'News', hotkey: 'F9', max: 1 }}); }}")
    assert page.evaluate(f"['label', 'hotkey', 'max'].map((name) => {VIEWER}.getAttribute(name))") == ["News", "F9", "1"]
    feed.send(presented("a"), presented("b"))
    expect(feed.toasts).to_have_count(1)
    expect(page.get_by_role("region", name="News")).to_have_count(1)
    page.keyboard.press("F9")
    expect(feed.toasts.get_by_role("group")).to_be_focused()
    page.evaluate(f"{VIEWER}.label = 'Posts'")
    expect(page.get_by_role("region", name="Posts")).to_have_count(1)
    page.evaluate(f"{VIEWER}.max = 5")
    expect(feed.toasts).to_have_count(2)
    page.evaluate(f"() => {{ {VIEWER}.language = 'de'; {VIEWER}.label = null; }}")
    expect(page.get_by_role("region", name="Mitteilungen (F9)")).to_have_count(1)


def test_a_second_tab_of_an_idle_channel_knows_the_channel(page, channel, watching):
    first, second = Bare(page, channel), Bare(page.context.new_page(), channel)
    watching.extend([first, second])
    first.open().opened()
    second.page.add_init_script("""
      window.heard = [];
      addEventListener("toast-event", ({ detail }) => heard.push(detail));
    """)
    second.open().opened()
    second.page.wait_for_function("() => heard.length > 0")
    (event, *_) = second.page.evaluate("heard")
    assert (event["type"], event["channel"]) == ("snapshot", channel.name)
    assert event["effective"]["mode"]


@pytest.mark.parametrize("placement", ["top", "bottom"])
def test_the_hotkey_focuses_the_newest_toast_of_any_viewer_of_the_page(page, channel, watching, placement):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin("share=\"off\"", mode="stack")
    page.evaluate(f"() => {{ const second = document.createElement('toast-viewer'); second.local = true; second.id = 'second'; {VIEWER}.after(second); }}")
    for message in ("Before", "Only here"):
        page.evaluate("(members) => second.show(members)", {"message": message, "duration": "indefinite", "placement": placement})
    expect(page.locator("#second li")).to_have_count(2)
    page.evaluate(f"async () => {{ await {VIEWER}.showHistory(); }}")
    page.keyboard.press("Escape")
    page.locator("main button").focus()
    page.keyboard.press("F8")
    page.wait_for_function("() => document.activeElement === second && second.shadowRoot.activeElement?.role === 'group'")
    assert "Only here" in page.evaluate("second.shadowRoot.activeElement.textContent")


def test_a_press_on_a_toast_leaves_the_page_s_popover_open(page, channel, watching):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin(mode="stack")
    page.evaluate("""() => {
      const popover = Object.assign(document.createElement("div"), { id: "menu", popover: "auto", textContent: "A menu" });
      document.querySelector("main").append(popover);
      popover.showPopover();
    }""")
    feed.send(presented("a", placement="top"), presented("b", placement="top"))
    toast = feed.toast("Toast a")
    expect(toast).to_be_visible()
    expect(page.get_by_role("group", name="Notification controls")).to_have_count(1)
    feed.settle()
    toast.get_by_role("button", name="Dismiss").click()
    expect(toast).to_have_count(0)
    expect(page.locator("#menu")).to_be_visible()
    page.mouse.move(5, 600)
    page.wait_for_function(f"() => {VIEWER}.parentElement === document.body")
    expect(page.locator("#menu")).to_be_visible()
    page.mouse.click(5, 600)
    expect(page.locator("#menu")).to_be_hidden()


@pytest.mark.parametrize("placement", ["top", "bottom", "center"])
def test_a_toast_that_is_taller_than_the_screen_is_seen_from_its_beginning(page, channel, watching, placement):
    page.set_viewport_size({"width": 320, "height": 256})
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin()
    actions = [{"id": identifier, "title": "An answer of many words. " * 6} for identifier in ("yes", "no", "later")]
    for name in ("a", "b"):
        feed.send(presented(name, title=f"Title of {name}", message="Many words. " * 60, placement=placement, actions=actions))
        expect(feed.toast(f"Title of {name}")).to_be_visible()
    expect(page.locator("toast-viewer ol[data-crowded]")).to_have_count(1)
    feed.settle()
    for part in ("title", "close"):
        expect(feed.toast("Title of b").locator(f"[part={part}]")).to_be_in_viewport(ratio=1)
