"""Events before, during and after lazy parts ("the rest") load: none is lost, and none waits without end."""

import re

import pytest
from playwright.sync_api import expect

from conftest import SPOKEN, look_away, settled, spoken, swipeable
from feed import Feed, Slow, dismissed, presented, updated

VIEWER = "document.querySelector('toast-viewer')"
ON_SCREEN = "toast-viewer [part~=toast]:not([data-state=leaving])"


@pytest.fixture
def feed(page, channel, watching):
    watching.append(Feed(page, channel))
    return watching[-1]


@pytest.fixture
def slow(page, channel, watching):
    watching.append(Slow(page, channel))
    return watching[-1].begin()


def hold(page, pattern):
    """Blocks a file: neither it nor an error arrives until it is released."""
    held = []
    page.route(pattern, lambda route: held.append(route))

    def let_go():
        page.unroute(pattern)
        while held:
            held.pop().continue_()

    return let_go


def test_all_are_dismissed_before_the_rest_but_not_those_that_come_then(slow):
    slow.show("a")
    slow.page.evaluate(f"{VIEWER}.dismissAll()")
    slow.send(dismissed("a", reason="close"), presented("b"))
    slow.give()
    expect(slow.toast("Toast b")).to_be_visible()
    expect(slow.toasts).to_have_count(1)
    slow.wait_until(lambda: slow.sent)
    assert slow.sent == [("a/dismiss", {"dismissReason": "close"})]


def test_an_action_is_taken_without_the_rest(slow):
    toast = slow.show(actions=[{"id": "undo", "title": "Undo"}])
    slow.fail()
    toast.get_by_role("button", name="Undo").click()
    expect(slow.toasts).to_have_count(0)
    slow.wait_until(lambda: slow.sent)
    assert slow.sent == [("a/actions/undo", None)]


def test_a_page_that_pauses_before_the_rest_is_shown_nothing(slow):
    slow.page.evaluate(f"() => {{ {VIEWER}.isPaused = true; }}")
    slow.send(presented("a"))
    slow.page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    expect(slow.toasts).to_have_count(0)
    slow.give()
    slow.send(presented("b"))
    expect(slow.page.get_by_role("button", name="Resume")).to_be_visible()
    expect(slow.toasts).to_have_count(0)
    slow.page.evaluate(f"() => {{ {VIEWER}.isPaused = false; }}")
    expect(slow.toasts).to_have_count(2)


def test_a_pause_is_not_forgotten_when_the_rest_comes_at_the_second_try(slow):
    slow.page.evaluate(f"() => {{ {VIEWER}.isPaused = true; }}")
    slow.wait_until(lambda: slow.asked)
    slow.fail()
    slow.page.unroute("**/lazy/interaction.js")
    # The first attempt may still be failing.
    slow.page.evaluate(f"async () => {{ for (;;) {{ try {{ return await {VIEWER}.showHistory(); }} catch {{}} }} }}")
    assert slow.page.evaluate(f"{VIEWER}.isPaused") is True
    assert '"isPaused":true' in slow.page.evaluate("localStorage.getItem('toast-viewer')")


def test_toasts_come_and_go_although_the_rest_never_answers(slow):
    slow.show("a")
    # More toasts than are drawn at once without the lazy parts.
    slow.send(dismissed("a"), *[presented(name) for name in "bcdef"])
    expect(slow.toasts).to_have_count(5)
    expect(slow.toast("Toast a")).to_have_count(0)
    slow.send(dismissed("b"))
    expect(slow.toasts).to_have_count(4)
    slow.give()
    slow.page.keyboard.press("F8")
    slow.page.wait_for_function(f"() => {VIEWER}.shadowRoot.activeElement?.role === 'group'")
    expect(slow.toasts).to_have_count(4)


def test_a_crowd_without_the_rest_does_not_cover_the_page(slow):
    slow.send(*[presented(f"{index}") for index in range(60)])
    expect(slow.toasts).to_have_count(10)
    # Of toasts of one role the newest are shown, as with the lazy parts.
    slow.send(dismissed("55"))
    expect(slow.toast("Toast 55")).to_have_count(0)
    expect(slow.toast("Toast 49")).to_be_visible()
    slow.give()
    expect(slow.page.get_by_role("button", name="Show 49 more")).to_be_visible()
    expect(slow.toasts).to_have_count(10)


def test_the_rest_does_not_take_the_focus_from_where_it_has_gone_meanwhile(slow):
    close = slow.show("a").get_by_role("button", name="Dismiss")
    page = slow.page
    page.evaluate("() => { document.querySelector('main').append(Object.assign(document.createElement('input'), { ariaLabel: 'A field' })); }")
    field = page.get_by_role("textbox", name="A field")
    page.get_by_role("button", name="Press me").focus()
    close.focus()
    page.keyboard.press("Enter")
    expect(slow.toasts).to_have_count(0)
    field.focus()
    slow.give()
    page.wait_for_function(f"() => {VIEWER}.history.length === 1")
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve))")
    expect(field).to_be_focused()


def test_there_is_one_toolbar_if_the_language_changes_before_its_sheet_has_come(feed):
    let_go = hold(feed.page, "**/styles/controls.css")
    feed.begin(maxVisible=3)
    feed.page.evaluate(f"() => {{ {VIEWER}.setAttribute('max', '3'); }}")
    feed.send(presented("a"), presented("b"))
    expect(feed.toasts).to_have_count(2)
    feed.page.wait_for_function("() => performance.getEntriesByName(location.origin + '/v1/catalogs/en').length > 0")
    feed.page.evaluate(f"() => {{ {VIEWER}.lang = 'de'; }}")
    expect(feed.toast("Toast a").get_by_role("button", name="Schließen")).to_be_visible()
    let_go()
    feed.toast("Toast a").hover()
    expect(feed.page.get_by_role("button", name="Verlauf")).to_be_visible()
    expect(feed.page.locator("toast-viewer [part=toolbar]")).to_have_count(1)


def test_a_hold_is_never_sent_after_its_release(feed):
    sent, late = [], []
    page = feed.page

    def answer(route):
        sent.append(route.request.method)
        if route.request.method == "PUT" and not late:
            late.append(route)
        else:
            route.fulfill(json={})

    page.route("**/holds/**", answer)
    feed.begin()
    page.evaluate(f"() => {{ {VIEWER}.holds = 'shared'; }}")
    feed.send(presented("a"))
    swipeable(settled(feed.toast("Toast a"))).hover()
    feed.wait_until(lambda: late)
    page.mouse.move(5, 700)
    # Longer than moving from one toast to another may take.
    page.wait_for_timeout(300)
    assert sent == ["PUT"]
    feed.toast("Toast a").hover()
    late[0].fulfill(json={})
    feed.wait_until(lambda: len(sent) == 3)
    assert sent == ["PUT", "DELETE", "PUT"]


def test_many_events_before_the_rest_are_shown_before_it(slow):
    slow.show("a")
    for start in range(0, 3000, 500):
        slow.send(*[updated("a", message=f"Step {start + step}") for step in range(500)])
    expect(slow.toast("Step 2999")).to_be_visible()
    assert slow.page.evaluate("sources.length") == 1
    slow.give()
    expect(slow.toast("Step 2999")).to_be_visible()
    expect(slow.toasts).to_have_count(1)


def test_missed_toasts_are_announced_although_the_rest_loads_after_the_return(slow):
    slow.page.evaluate(SPOKEN)
    look_away(slow.page, True)
    slow.send(*[presented(name) for name in "abcde"])
    slow.wait_until(lambda: slow.asked)
    look_away(slow.page, False)
    slow.give()
    expect(slow.toasts).to_have_count(5)
    spoken(slow, 1)
    # Each of the five would be said before the next one.
    slow.send(presented("f"))
    assert [text for _, text in spoken(slow, 2)] == ["5 notifications while you were away: press F8.", "Info: Toast f"]


@pytest.mark.parametrize("is_hidden", [True, False])
def test_a_toast_whose_time_was_over_before_the_rest_is_shown_all_the_same(slow, is_hidden):
    if is_hidden:
        look_away(slow.page, True)
    else:
        # While a person works on the page, a toast waits for the code that avoids covering the focus.
        slow.page.get_by_role("button", name="Press me").focus()
    slow.send(presented("a", duration=10, remaining=10))
    slow.wait_until(lambda: slow.asked)
    slow.send(dismissed("a", reason="timeout"), presented("b"), dismissed("b"))
    look_away(slow.page, False)
    slow.give()
    expect(slow.toast("Toast a")).to_be_visible()
    expect(slow.toasts).to_have_count(1)
    expect(slow.toasts).to_have_count(0)


@pytest.mark.parametrize(("pattern", "members", "settings"), [
    ("**/lazy/parts.js", {"actions": [{"id": "undo", "title": "Undo"}]}, {}),
    ("**/styles/parts.css", {"actions": [{"id": "undo", "title": "Undo"}]}, {}),
    ("**/styles/retro.css", {"style": "retro"}, {}),
    ("**/lazy/role-icons.js", {"style": "retro"}, {}),
    ("**/lazy/theme-properties.js", {}, {"theme": {"background": "#EBEFF1"}}),
    ("**/lazy/motion.js", {}, {}),
])
def test_a_toast_does_not_wait_for_ever_for_what_it_is_drawn_with(feed, pattern, members, settings):
    let_go = hold(feed.page, pattern)
    feed.begin(**settings)
    feed.send(presented("a", **members), presented("b"))
    expect(feed.toast("Toast a")).to_be_visible()
    expect(feed.toast("Toast b")).to_be_visible()
    let_go()
    if "actions" in members:
        # A part that arrives late is drawn when it arrives.
        expect(feed.toast("Toast a").get_by_role("button", name="Undo")).to_be_visible()


def test_a_toast_does_not_wait_for_ever_for_words(feed):
    let_go = hold(feed.page, "**/lazy/messages.js")
    hold(feed.page, "**/lazy/interaction.js")
    feed.begin('lang="de"')
    feed.send(presented("a"))
    expect(feed.toast("Toast a")).to_be_visible()
    let_go()
    expect(feed.toast("Toast a").get_by_role("button", name="Schließen")).to_be_visible()


def test_a_toast_does_not_come_if_the_channel_changes_before_its_sheet_is_loaded(feed):
    let_go = hold(feed.page, "**/styles/retro.css")
    feed.begin()
    with feed.page.expect_request("**/styles/retro.css"):
        feed.send(presented("a", style="retro"))
    feed.page.evaluate(f"() => {{ {VIEWER}.channel = 'another'; }}")
    feed.page.wait_for_function("() => sources.length > 1")
    let_go()
    feed.send({"type": "snapshot", "effective": {}, "presented": [], "queuedCount": 0, "reset": False}, presented("b", style="retro"))
    expect(feed.toast("Toast b")).to_be_visible()
    expect(feed.toasts).to_have_count(1)


def test_a_toast_of_another_channel_does_not_wait_for_those_of_the_one_before(feed):
    # With this clock the second never ends after which a toast is drawn without its sheet.
    feed.page.add_init_script("{ const set = setTimeout; window.setTimeout = (work, time, ...rest) => time === 1000 ? 0 : set(work, time, ...rest); }")
    let_go = hold(feed.page, "**/styles/retro.css")
    feed.begin(mode="stack")
    with feed.page.expect_request("**/styles/retro.css"):
        feed.send(presented("a", style="retro"))
    feed.page.evaluate(f"() => {{ {VIEWER}.channel = 'another'; }}")
    feed.page.wait_for_function("() => window.sources.length > 1")
    another = {"channel": "another"}
    feed.send({"type": "snapshot", "effective": {"mode": "stack"}, "presented": [], "queuedCount": 0, "reset": False, **another})
    feed.send({**presented("b"), **another})
    expect(feed.toast("Toast b")).to_be_visible()
    let_go()


def test_a_viewer_that_moves_at_once_has_one_stream(page, channel, watching):
    slow = Slow(page, channel)
    watching.append(slow)
    page.add_init_script("localStorage.setItem('toast-viewer', '{\"scale\":2}')")
    slow.open('share="off"')
    page.wait_for_function("() => sources.length > 0")
    page.evaluate(f"() => {{ const viewer = {VIEWER}; viewer.remove(); document.body.append(viewer); viewer.remove(); document.body.append(viewer); }}")
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 300))")
    addresses = page.evaluate("sources.filter((it) => it.readyState === 1).map((it) => it.address)")
    assert [re.search("scale=2", it) is not None for it in addresses] == [True]


def test_preferences_do_not_keep_toasts_away_when_the_rest_never_loads(page, channel, watching):
    slow = Slow(page, channel)
    watching.append(slow)
    page.add_init_script("localStorage.setItem('toast-viewer', '{\"scale\":2}')")
    slow.open('share="off"')
    page.wait_for_function("() => sources.length > 0")
    slow.send({"type": "snapshot", "effective": {}, "presented": [], "queuedCount": 0, "reset": False}, presented("a"))
    expect(slow.toast("Toast a")).to_be_visible()
    slow.give()
    assert page.evaluate("sources.map((it) => it.address.includes('scale=2'))") == [True]


def test_without_permission_for_locks_the_viewer_has_a_stream_and_speaks(page, channel, feed):
    # As in a frame without an origin, and where a browser blocks the storage of a frame of another site.
    page.add_init_script("""
      window.refused = 0;
      LockManager.prototype.request = async () => { refused += 1; throw new DOMException("Denied", "SecurityError"); };
    """)
    feed.begin()
    page.evaluate(f"""() => {{
      window.spoken = [];
      const region = {VIEWER}.shadowRoot.querySelector("[role=status]");
      new MutationObserver(() => spoken.push(region.textContent)).observe(region, {{ childList: true }});
    }}""")
    feed.send(presented("a", announcement="information, Toast a."))
    expect(feed.toast("Toast a")).to_be_visible()
    page.wait_for_function("() => spoken.includes('information, Toast a.')")
    assert page.evaluate("refused") <= 3


def test_an_error_is_announced_although_the_voice_s_lock_is_late(page, channel, feed):
    page.add_init_script("""
      const request = LockManager.prototype.request;
      LockManager.prototype.request = async function (name, ...more) {
        if (name.includes("voice")) { await new Promise((resolve) => setTimeout(resolve, 1000)); }
        return request.call(this, name, ...more);
      };
      window.spoken = [];
      const append = Element.prototype.append;
      Element.prototype.append = function (...nodes) {
        if (this.role === "alert") { spoken.push(nodes[0].textContent); }
        return append.apply(this, nodes);
      };
    """)
    feed.begin()
    feed.send(presented("a", role="error", announcement="error, Alas."))
    page.wait_for_function("() => spoken.includes('error, Alas.')")


def test_a_panel_that_failed_to_load_opens_at_the_next_press(feed):
    feed.page.route("**/lazy/panel.js", lambda route: route.abort())
    feed.begin()
    assert feed.page.evaluate(f"() => {VIEWER}.showPreferences().then(() => 'there', () => 'away')") == "away"
    feed.page.unroute("**/lazy/panel.js")
    feed.page.evaluate(f"() => {VIEWER}.showPreferences()")
    expect(feed.page.get_by_role("dialog")).to_be_visible()


def test_a_viewer_whose_own_language_changes_learns_the_server_s_words(feed):
    feed.page.route("**/v1/catalogs/de", lambda route: route.fulfill(json={"close": "Zumachen"}))
    feed.begin('lang="en"')
    feed.send(presented("a"))
    feed.page.wait_for_function("() => performance.getEntriesByName(location.origin + '/v1/catalogs/en').length > 0")
    feed.page.evaluate(f"() => {{ {VIEWER}.lang = 'de'; }}")
    expect(feed.toast("Toast a").get_by_role("button", name="Zumachen")).to_be_visible()


def test_the_panel_stays_when_the_server_s_words_come(feed):
    asked = []
    feed.page.route("**/v1/catalogs/en", lambda route: asked.append(route))
    feed.begin('lang="en"')
    feed.send(presented("a"))
    feed.wait_until(lambda: asked)
    feed.page.evaluate(f"() => {VIEWER}.showHistory()")
    panel = feed.page.get_by_role("dialog", name="History")
    expect(panel).to_be_visible()
    asked[0].fulfill(json={"close": "Shut"})
    expect(panel.get_by_role("button", name="Shut", exact=True)).to_be_visible()
    expect(panel.get_by_text("Toast a")).to_be_visible()
    feed.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_words_that_failed_to_load_are_requested_again(feed):
    feed.page.route("**/v1/catalogs/en", lambda route: route.abort())
    feed.begin('lang="en"')
    feed.send(presented("a"))
    feed.page.wait_for_function("() => performance.getEntriesByName(location.origin + '/v1/catalogs/en').length > 0")
    feed.page.unroute("**/v1/catalogs/en")
    feed.page.route("**/v1/catalogs/en", lambda route: route.fulfill(json={"close": "Shut"}))
    # The stream was lost, and is open again.
    feed.page.evaluate("() => { sources.at(-1).readyState = 2; sources.at(-1).onerror(); }")
    feed.page.wait_for_function("() => sources.length > 1")
    feed.send({"type": "snapshot", "effective": {}, "presented": [{"toast": presented("a")["toast"]}], "queuedCount": 0, "reset": False})
    expect(feed.toast("Toast a").get_by_role("button", name="Shut")).to_be_visible()
