"""Toasts enter, make room, replace each other and exit as the channel's settings say."""

import pytest
from playwright.sync_api import expect

from feed import Feed, dismissed, presented, updated

RUNNING = """(it) => it.getAnimations().map((each) => {
  const { duration, delay, easing } = each.effect.getTiming();
  const frames = each.effect.getKeyframes();
  return { name: each.animationName ?? each.transitionProperty ?? "glide", duration, delay, easing: frames[0].easing === "linear" ? easing : frames[0].easing };
})"""


# An entrance may be over before the test looks, so it is stopped at its first frame.
CATCH = """() => {
  window.entrances = [];
  const stop = (toast) => {
    const enter = toast.getAnimations().find((it) => it.animationName === "enter");
    enter.pause();
    enter.currentTime = 0;
    const { opacity, translate } = getComputedStyle(toast);
    const { duration } = enter.effect.getTiming();
    entrances.push({ duration, opacity, translate, bottom: toast.getBoundingClientRect().bottom });
  };
  new MutationObserver((changes) => changes.flatMap((it) => [...it.addedNodes]).filter((it) => it.matches?.("[part~=toast]"))
    .forEach((it) => requestAnimationFrame(() => stop(it))))
    .observe(document.querySelector("toast-viewer").shadowRoot, { childList: true, subtree: true });
}"""


def caught(feed, count=1):
    feed.page.wait_for_function("(count) => entrances.length >= count", arg=count)
    return feed.page.evaluate("entrances")


@pytest.fixture
def feed(page, channel):
    feed = Feed(page, channel)
    yield feed
    feed.check()


def running(feed, text):
    return {it["name"]: it for it in feed.toast(text).evaluate(RUNNING)}


def test_a_toast_enters_with_the_channel_s_spring(feed):
    feed.begin(animations={"enter": {"duration": 5, "delay": 0.1, "curve": "spring", "damping": 0.6, "velocity": 0.4}})
    feed.send(presented("a"))
    expect(feed.toasts).to_have_count(1)
    enter = running(feed, "Toast a")["enter"]
    assert (enter["duration"], enter["delay"]) == (5000, 100)
    assert enter["easing"].startswith("linear(0")


@pytest.mark.parametrize(("placement", "order"), [("top", "abc"), ("bottom", "cba"), ("center", "abc")])
def test_the_oldest_of_a_stack_is_nearest_to_its_edge(feed, placement, order):
    feed.begin()
    for name in "abc":
        feed.send(presented(name, placement=placement))
    expect(feed.toasts).to_have_count(3)
    feed.settle()
    assert feed.order() == [f"Toast {name}" for name in order]
    boxes = sorted((it["top"], it["bottom"]) for it in feed.toasts.evaluate_all("(all) => all.map((it) => it.getBoundingClientRect().toJSON())"))
    assert [round(boxes[i + 1][0] - boxes[i][1]) for i in range(2)] == [16, 16]
    if placement != "center":
        edge = boxes[0][0] if placement == "top" else feed.page.viewport_size["height"] - boxes[2][1]
        assert round(edge) == 16


@pytest.mark.parametrize(("placement", "order"), [("top", "bca"), ("bottom", "acb")])
def test_a_moved_toast_becomes_the_newest_and_the_others_make_room(feed, placement, order):
    feed.begin(animations={"move": {"duration": 60, "curve": "easeInOut"}})
    for name in "abc":
        feed.send(presented(name, placement=placement))
    expect(feed.toasts).to_have_count(3)
    feed.settle()
    before, start = feed.toast("Toast b").bounding_box()["y"], feed.toast("Toast a").bounding_box()["y"]
    feed.send(updated("a", placement=placement, moved=True))
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').toasts.at(-1).id === 'a'")
    feed.page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    glide = running(feed, "Toast b")["glide"]
    assert (glide["duration"], glide["easing"]) == (60000, "ease-in-out")
    assert abs(feed.toast("Toast b").bounding_box()["y"] - before) < 20
    # It glides from its old place, not from outside the screen, and over the others.
    assert list(running(feed, "Toast a")) == ["glide"]
    assert abs(feed.toast("Toast a").bounding_box()["y"] - start) < 40
    feed.finish()
    assert feed.order() == [f"Toast {name}" for name in order]
    feed.page.keyboard.press("F8")
    assert "Toast a" in feed.page.evaluate("document.querySelector('toast-viewer').shadowRoot.activeElement.ariaLabel")


def test_the_gap_of_a_toast_that_leaves_closes_while_it_goes(feed):
    feed.begin(animations={"exit": {"duration": 60, "curve": "linear"}, "move": {"duration": 0.1, "curve": "linear"}})
    for name in "abc":
        feed.send(presented(name))
    expect(feed.toasts).to_have_count(3)
    feed.settle()
    first = feed.toast("Toast a").bounding_box()["y"]
    feed.send(dismissed("a", exit=60))
    expect(feed.toasts).to_have_count(2)
    feed.page.wait_for_function(
        "(y) => Math.abs([...document.querySelector('toast-viewer').shadowRoot.querySelectorAll('li')].at(1).getBoundingClientRect().top - y) < 1", arg=first
    )
    leaving = feed.page.locator("toast-viewer [data-state=leaving]")
    expect(leaving).to_have_count(1)
    assert leaving.evaluate("(it) => it.getAnimations().length") > 0


def test_a_replaced_toast_fades_where_the_next_one_comes(feed):
    feed.begin(mode="replace", animations={"move": {"duration": 8, "curve": "easeInOut"}})
    feed.send(presented("a"))
    expect(feed.toasts).to_have_count(1)
    feed.settle()
    place = feed.toast("Toast a").bounding_box()
    feed.send(dismissed("a", "replaced", 0), presented("b"))
    expect(feed.toast("Toast b")).to_be_visible()
    assert feed.toast("Toast b").bounding_box() == place
    enter = running(feed, "Toast b")["enter"]
    assert enter["duration"] == 8000
    old = feed.page.locator("toast-viewer [data-entry=swapped]")
    expect(old).to_have_count(1)
    assert old.bounding_box() == place
    expect(old).to_have_css("visibility", "visible")
    assert {it["name"] for it in old.evaluate(RUNNING)} >= {"opacity"}
    feed.finish()
    expect(old).to_have_count(0)
    feed.send(dismissed("b", exit=0.3))
    expect(feed.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_the_focus_goes_from_a_replaced_toast_to_the_one_in_its_place(feed):
    feed.begin(mode="replace")
    feed.page.evaluate("document.querySelector('toast-viewer').holds = 'off'")
    feed.send(presented("a"))
    expect(feed.toasts).to_have_count(1)
    feed.page.keyboard.press("F8")
    feed.send(dismissed("a", "replaced", 0), presented("b"))
    expect(feed.toast("Toast b").locator("[role=group]")).to_be_focused()


def test_a_snack_slides_in_from_beyond_the_edge_and_stays_solid(feed):
    feed.begin()
    feed.send(presented("first"))
    expect(feed.toasts).to_have_count(1)
    # The lazy layout, which measures the way out, is loaded: it requests its sheet at once.
    feed.page.wait_for_function("() => performance.getEntriesByName(location.origin + '/styles/stage.css').length > 0")
    feed.page.evaluate(CATCH)
    feed.send(presented("a", style="snackbar"), presented("b", style="snackbar"))
    for frame in caught(feed, 2):
        assert frame["bottom"] <= -8 and frame["opacity"] == "1"


@pytest.mark.parametrize(("style", "duration"), [("glass", 200), ("snackbar", 400)])
def test_with_reduced_motion_toasts_only_fade(feed, style, duration):
    feed.begin()
    feed.page.emulate_media(reduced_motion="reduce")
    feed.page.evaluate(CATCH)
    feed.send(presented("a", style=style))
    [frame] = caught(feed)
    assert frame["duration"] == duration
    assert frame["translate"] in ("none", "0px") and frame["opacity"] == "0"


def test_reduced_motion_takes_effect_when_it_changes(feed):
    feed.begin(animations={"move": {"duration": 60, "curve": "easeInOut"}})
    feed.page.emulate_media(reduced_motion="reduce")
    for name in "ab":
        feed.send(presented(name))
    expect(feed.toasts).to_have_count(2)
    feed.settle()
    feed.page.emulate_media(reduced_motion="no-preference")
    feed.send(updated("a", moved=True))
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').toasts.at(-1).id === 'a'")
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.getAnimations().some((it) => it.effect.getKeyframes().some((frame) => frame.translate))")


def test_a_stack_that_is_too_high_can_be_scrolled_to_its_newest(feed):
    feed.page.set_viewport_size({"width": 320, "height": 480})
    feed.begin('max="30"', maxVisible=30)
    feed.send(*[presented(str(index), message=f"Toast {index} " + "word " * (index % 5 * 6)) for index in range(30)])
    expect(feed.toasts).to_have_count(30)
    feed.settle()
    expect(feed.toast("Toast 29")).to_be_in_viewport()
    feed.toast("Toast 0 ").get_by_role("button").focus()
    expect(feed.toast("Toast 0 ")).to_be_in_viewport()
    assert feed.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_focused_toast_is_scrolled_into_view_when_it_has_come(feed):
    feed.page.set_viewport_size({"width": 320, "height": 480})
    feed.begin('max="30"', maxVisible=30, animations={"move": {"duration": 60, "curve": "linear"}})
    feed.send(*[presented(str(index), message=f"Toast {index} " + "word " * (index % 5 * 6)) for index in range(29)])
    expect(feed.toasts).to_have_count(29)
    feed.finish()
    # All the others glide, because the list scrolls to its newest.
    feed.send(presented("29", message="Toast 29 " + "word " * 40))
    first = f"({RUNNING})(document.querySelector('toast-viewer').shadowRoot.querySelector('li'))"
    feed.page.wait_for_function(f"() => {first}.some(({{ name }}) => name === 'glide')")
    feed.page.keyboard.press("F8")
    for key, name in (("Home", "Toast 0 "), ("End", "Toast 29 ")):
        feed.page.keyboard.press(key)
        expect(feed.toast(name).get_by_role("group")).to_be_focused()
        at = feed.toast(name).evaluate("""(it) => {
          const toast = it.closest("li");
          const start = toast.offsetTop - toast.parentElement.scrollTop;
          return { start, end: start + toast.offsetHeight, height: toast.parentElement.clientHeight };
        }""")
        assert at["start"] >= 0 and at["end"] <= at["height"], (name, at)


@pytest.mark.parametrize("placement", ["top", "bottom"])
def test_a_focused_toast_is_scrolled_into_view_when_its_list_gets_too_high(feed, placement):
    feed.page.set_viewport_size({"width": 320, "height": 480})
    feed.begin(maxVisible=9, placement=placement)
    feed.send(*[presented(str(index), message=f"Toast {index}", placement=placement) for index in range(3)])
    expect(feed.toasts).to_have_count(3)
    feed.settle()
    button = feed.toast("Toast 0").get_by_role("button")
    button.focus()
    feed.send(presented("tall", message="Tall " + "word " * 60, placement=placement))
    expect(feed.toasts).to_have_count(4)
    feed.settle()
    expect(feed.page.locator("toast-viewer ol[data-crowded]")).to_have_count(1)
    expect(button).to_be_focused()
    expect(button).to_be_in_viewport(ratio=1)


def test_a_burst_forces_few_layouts(feed):
    feed.begin()
    feed.send(presented("first"))
    expect(feed.toasts).to_have_count(1)
    # Loading code, which happens once, is no cost of a burst.
    feed.settle()
    client = feed.page.context.new_cdp_session(feed.page)
    client.send("Performance.enable")

    def count():
        return {it["name"]: it["value"] for it in client.send("Performance.getMetrics")["metrics"]}

    before = count()
    feed.send(*[presented(str(index)) for index in range(100)])
    expect(feed.toast("Toast 99")).to_be_visible()
    feed.page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    after = count()
    print({name: after[name] - before[name] for name in ("LayoutCount", "RecalcStyleDuration", "TaskDuration")})
    assert after["LayoutCount"] - before["LayoutCount"] <= 12


def test_a_toast_is_tapped_away_where_the_channel_wants_it(feed):
    feed.begin(gestures={"tap": "dismiss"})
    feed.send(presented("a", actions=[{"id": "x", "title": "Answer"}]))
    expect(feed.toasts).to_have_count(1)
    feed.settle()
    with feed.page.expect_request(lambda it: it.url.endswith("/dismiss")) as request:
        feed.toast("Toast a").click(position={"x": 8, "y": 8})
    assert request.value.post_data_json == {"dismissReason": "tap"}
    expect(feed.toasts).to_have_count(0)


def test_a_tap_does_nothing_unless_the_channel_wants_it(feed):
    feed.begin()
    feed.send(presented("a"))
    expect(feed.toasts).to_have_count(1)
    feed.settle()
    feed.toast("Toast a").click(position={"x": 8, "y": 8})
    feed.page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    expect(feed.toasts).to_have_count(1)


def test_a_close_button_that_the_channel_hides_shows_on_hover_and_focus(feed):
    feed.begin(closeButton=False)
    feed.send(presented("a"))
    close = feed.toast("Toast a").get_by_role("button", name="Dismiss")
    expect(close).to_have_css("opacity", "0")
    feed.toast("Toast a").hover()
    expect(close).to_have_css("opacity", "1")
    feed.page.mouse.move(5, 700)
    expect(close).to_have_css("opacity", "0")
    feed.page.keyboard.press("F8")
    feed.page.keyboard.press("Tab")
    expect(close).to_be_focused()
    expect(close).to_have_css("opacity", "1")


def test_the_screen_behind_a_toast_is_dimmed_and_stays_in_reach(feed):
    feed.begin()
    feed.page.evaluate("document.querySelector('main button').addEventListener('click', () => console.log('pressed'))")
    layer = feed.page.locator("toast-viewer [part=layer]")
    expect(layer).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    feed.send(presented("a", style="toastui", placement="center", dimsBackground=True))
    expect(layer).to_have_css("background-color", "rgba(0, 0, 0, 0.2)")
    feed.page.emulate_media(color_scheme="dark")
    expect(layer).to_have_css("background-color", "rgba(0, 0, 0, 0.48)")
    with feed.page.expect_console_message(lambda it: it.text == "pressed"):
        feed.page.get_by_role("button", name="Press me").click()
    feed.send(dismissed("a"))
    expect(layer).to_have_css("background-color", "rgba(0, 0, 0, 0)")


def test_the_server_s_announcements_are_spoken_and_mere_progress_is_not(feed):
    feed.page.clock.install()
    feed.begin()
    feed.page.evaluate("""() => {
      window.spoken = [];
      for (const region of document.querySelector("toast-viewer").shadowRoot.querySelectorAll("[role=status], [role=alert]")) {
        new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((it) => spoken.push(it.textContent)))).observe(region, { childList: true });
      }
    }""")
    feed.send(presented("a", announcement="information, Upload. holiday.mov."))
    feed.page.wait_for_function("() => spoken.length === 1")
    feed.send(updated("a", title="Another", message="Toast a"))
    expect(feed.toast("Toast a").locator("[part=title]")).to_contain_text("Another")
    # What is said of a change waits for half a second, and another change would take its place.
    feed.page.clock.run_for(1000)
    feed.send(updated("a", announcement="success, Uploaded.", actions=[{"id": "o", "title": "Open"}]))
    feed.page.wait_for_function("() => spoken.length > 1")
    feed.page.clock.run_for(1000)
    assert feed.page.evaluate("spoken") == ["information, Upload. holiday.mov.", "success, Uploaded. Open: press F8."]
