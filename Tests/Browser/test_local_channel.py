"""Toasts that the page itself shows, in a viewer whose channel changes: they stay, and those of the channel go."""

import pytest
from playwright.sync_api import expect

from conftest import settled
from feed import SETTINGS, Feed, dismissed, presented, run

VIEWER = "document.querySelector('toast-viewer')"
UNDO = "actions: [{ title: 'Undo', onPress: () => { window.pressed = true; } }]"
ANOTHER = {"channel": "another", "type": "snapshot", "effective": SETTINGS, "presented": [], "queuedCount": 0, "reset": False}
SHOWN = "() => { window.shown = []; addEventListener('toast-show', ({ detail }) => shown.push(detail.toast.message)); }"


@pytest.fixture
def feed(page, channel, watching):
    watching.append(Feed(page, channel))
    return watching[-1]


def move(feed, *events):
    """Sets another channel, as a page does that has gone to another part of its application."""
    count = feed.page.evaluate("sources.length")
    feed.page.evaluate(f"() => {{ {VIEWER}.channel = 'another'; }}")
    feed.page.wait_for_function(f"() => sources.length > {count}")
    feed.send(*events)


def test_local_toasts_stay_when_the_channel_changes(feed):
    feed.begin(layout={**SETTINGS["layout"], "maximumWidth": 300})
    page = feed.page
    page.evaluate(SHOWN)
    run(feed, f"toast('Sent', {{ duration: 'indefinite', {UNDO} }})")
    feed.send(presented("a"))
    expect(feed.toast("Toast a")).to_be_visible()
    undo = feed.toast("Sent").get_by_role("button", name="Undo")
    undo.focus()
    feed.settle()
    move(feed)
    expect(feed.toasts).to_have_count(1)
    expect(undo).to_be_focused()
    # Until the other channel has sent its settings, nothing changes.
    feed.settle()
    assert settled(feed.toast("Sent")).bounding_box()["width"] <= 300
    feed.send(ANOTHER)
    page.wait_for_function(f"() => {VIEWER}.connection === 'open'")
    assert [it["toast"]["message"] for it in page.evaluate(f"{VIEWER}.history")] == ["Sent"]
    assert page.evaluate(f"{VIEWER}.toasts.length") == 1
    page.keyboard.press("Enter")
    page.wait_for_function("window.pressed")
    expect(feed.toasts).to_have_count(0)
    # `toast-show` was not dispatched a second time.
    assert sorted(page.evaluate("shown")) == ["Sent", "Toast a"]


def test_a_duplicate_has_the_same_id_and_its_buttons_call_the_last_functions(feed):
    feed.begin(deduplication="identity")
    repeat = "return toast('Row %d', { reuseIdentifier: 'del', duration: 'indefinite', actions: [{ title: 'Undo', onPress: () => { window.undone = %d; } }] })"
    first = run(feed, repeat % (1, 1))
    expect(feed.toast("Row 1")).to_be_visible()
    assert run(feed, repeat % (2, 2)) == first
    expect(feed.toasts).to_have_count(1)
    feed.toast("Row 2").get_by_role("button", name="Undo").click()
    expect(feed.toasts).to_have_count(0)
    assert feed.page.evaluate("window.undone") == 2


def test_the_countdown_of_a_local_toast_goes_on_when_the_channel_changes(feed):
    feed.begin()
    feed.page.evaluate(f"() => {{ window.gone = []; {VIEWER}.addEventListener('toast-dismiss', ({{ detail }}) => gone.push(detail.toast.message)); }}")
    run(feed, "toast('Sent', { duration: 3 })")
    expect(feed.toast("Sent")).to_be_visible()
    feed.page.wait_for_timeout(1500)
    move(feed, ANOTHER)
    # If the countdown of the first one had restarted, this one would end before it.
    run(feed, "toast('Sent again', { duration: 2.2 })")
    feed.page.wait_for_function("() => gone.length === 2")
    assert feed.page.evaluate("gone") == ["Sent", "Sent again"]


@pytest.mark.parametrize("hand", ["focus", "hover"])
def test_a_local_toast_stays_held_when_the_channel_changes(feed, hand):
    feed.begin()
    page = feed.page
    page.clock.install()
    run(feed, f"toast('Sent', {{ duration: 8, {UNDO} }})")
    undo = feed.toast("Sent").get_by_role("button", name="Undo")
    if hand == "focus":
        expect(undo).to_be_visible()
        page.keyboard.press("F8")
        page.keyboard.press("Tab")
        expect(undo).to_be_focused()
    else:
        undo.hover()
        page.mouse.move(*[round(it) + 2 for it in page.evaluate("() => { const it = document.querySelector('toast-viewer').shadowRoot.querySelector('[part~=action]').getBoundingClientRect(); return [it.x + 4, it.y + 4]; }")])
    move(feed, ANOTHER)
    # A pointer that does not move holds for ten seconds.
    page.clock.run_for(9000)
    expect(feed.toast("Sent")).to_be_visible()
    undo.click()
    page.wait_for_function("window.pressed")


FOCUSED = "() => document.querySelector('toast-viewer').shadowRoot.activeElement?.localName ?? document.activeElement.tagName"


@pytest.mark.parametrize("place", ["div", "button", "BUTTON"])
def test_a_panel_that_closes_leaves_the_focus_where_it_is(feed, place):
    feed.begin()
    page = feed.page
    run(feed, f"toast('Sent', {{ duration: 'indefinite', {UNDO} }})")
    undo = feed.toast("Sent").get_by_role("button", name="Undo")
    # The panel would give the focus back to the button.
    undo.focus()
    page.evaluate(f"{VIEWER}.showHistory()")
    panel = page.get_by_role("dialog", name="History")
    expect(panel).to_be_visible()
    if place == "BUTTON":
        page.get_by_role("button", name="Press me").focus()
    else:
        page.keyboard.press("F8")
        if place == "button":
            page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == place
    move(feed, ANOTHER)
    expect(panel).to_be_hidden()
    feed.settle()
    assert page.evaluate(FOCUSED) == place


def test_a_toast_that_comes_while_the_channel_changes_is_not_left_on_screen(feed):
    feed.begin()
    feed.page.evaluate(f"() => {{ {VIEWER}.addEventListener('toast-show', () => {{ {VIEWER}.channel = 'another'; }}, {{ once: true }}); }}")
    feed.send(presented("a"))
    feed.page.wait_for_function("() => sources.length > 1")
    feed.send(ANOTHER, {**presented("b"), "channel": "another"})
    expect(feed.toast("Toast b")).to_be_visible()
    expect(feed.page.locator("toast-viewer [part~=toast]")).to_have_count(1)


def test_the_id_of_a_prevented_local_toast_can_be_used_again(feed):
    feed.begin()
    feed.page.evaluate(f"() => {{ {VIEWER}.addEventListener('toast-show', (event) => event.preventDefault(), {{ once: true }}); }}")
    run(feed, "toast('Offline', { id: 'offline', duration: 'indefinite' })")
    feed.page.wait_for_function(f"() => {VIEWER}.history[0]?.reason === 'api'")
    run(feed, "toast('Offline again', { id: 'offline', duration: 'indefinite' })")
    expect(feed.toast("Offline again")).to_be_visible()


def test_a_replaced_toast_goes_when_the_channel_changes_before_its_replacement_has_come(feed):
    feed.page.route("**/styles/retro.css", lambda route: None)
    feed.begin(mode="replace")
    feed.send(presented("a"))
    expect(feed.toast("Toast a")).to_be_visible()
    feed.page.wait_for_function("() => performance.getEntriesByName(location.origin + '/styles/stage.css').length > 0")
    with feed.page.expect_request("**/styles/retro.css"):
        feed.send(dismissed("a", reason="replaced", exit=0), presented("b", style="retro"))
    move(feed, ANOTHER)
    expect(feed.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_a_closed_local_toast_does_not_come_back_with_another_channel(feed):
    feed.page.route("**/lazy/answers.js", lambda route: route.abort())
    feed.begin()
    run(feed, "toast('Sent', { duration: 'indefinite' })")
    feed.toast("Sent").get_by_role("button", name="Dismiss").click()
    expect(feed.toasts).to_have_count(0)
    move(feed, ANOTHER)
    feed.page.wait_for_function(f"() => {VIEWER}.connection === 'open'")
    feed.settle()
    expect(feed.toasts).to_have_count(0)
    assert [it["reason"] for it in feed.page.evaluate(f"{VIEWER}.history")] == ["close"]


def test_a_local_toast_has_no_channel_whatever_its_options_say(feed):
    feed.begin()
    feed.page.evaluate(SHOWN)
    run(feed, "toast('Sent', { channel: 'ops', duration: 'indefinite', id: 'x' }); await toast.update('x', { channel: 'ops' })")
    expect(feed.toast("Sent")).to_be_visible()
    move(feed, ANOTHER)
    feed.page.wait_for_function(f"() => {VIEWER}.connection === 'open'")
    feed.settle()
    expect(feed.toast("Sent")).to_be_visible()
    assert feed.page.evaluate("shown") == ["Sent"]


def test_a_local_toast_that_waits_for_the_channel_s_comes_when_the_channel_changes(feed):
    feed.begin(mode="fifo", pause=0)
    feed.page.evaluate(f"() => {VIEWER}.addEventListener('toast-event', ({{ detail }}) => {{ if (detail.type === 'enqueued') {{ window.isQueued = true; }} }})")
    feed.send(presented("a"))
    expect(feed.toast("Toast a")).to_be_visible()
    run(feed, "toast('Sent', { duration: 'indefinite' })")
    feed.page.wait_for_function("window.isQueued")
    feed.settle()
    expect(feed.toast("Sent")).to_have_count(0)
    move(feed, ANOTHER)
    expect(feed.toast("Sent")).to_be_visible()
    expect(feed.toasts).to_have_count(1)


def test_a_local_toast_that_is_being_drawn_comes_although_the_channel_changes(feed):
    held = []
    feed.page.route("**/styles/retro.css", lambda route: held.append(route))
    feed.begin()
    with feed.page.expect_request("**/styles/retro.css"):
        run(feed, "toast('Sent', { duration: 'indefinite', style: 'retro' })")
    move(feed, ANOTHER)
    for route in held:
        route.continue_()
    expect(feed.toast("Sent")).to_be_visible()


def test_local_toasts_go_when_the_viewer_is_removed(feed):
    feed.begin()
    run(feed, "toast('Sent', { duration: 'indefinite' })")
    expect(feed.toast("Sent")).to_be_visible()
    feed.page.evaluate(f"() => {{ const it = {VIEWER}; it.remove(); document.body.append(it); }}")
    feed.page.wait_for_function("() => sources.length > 1")
    feed.send({**ANOTHER, "channel": feed.channel.name}, presented("a"))
    expect(feed.toast("Toast a")).to_be_visible()
    expect(feed.toasts).to_have_count(1)
