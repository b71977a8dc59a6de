"""Hidden pages, pages that become visible again, and paused notifications."""

import pytest
from playwright.sync_api import expect

from conftest import SPOKEN, look_away, settled, spoken
from feed import Bare, dismissed, presented, run

VIEWER = "document.querySelector('toast-viewer')"


def wish(page, **wishes):
    page.evaluate(
        """async (changes) => {
          (await import('/viewer/preferences.js')).preferences.change(changes);
          // As from another tab: the viewer's own copy of the module may be another one.
          dispatchEvent(new StorageEvent("storage", { key: "toast-viewer" }));
        }""",
        wishes,
    )


def test_b2_a_toast_that_comes_while_the_page_is_hidden_has_its_full_time(viewer, channel):
    look_away(viewer.page, True)
    posted = channel.post("Where were you?", duration=3)
    # The server ends the toast long before the page is visible again.
    channel.wait(lambda: channel.toast(posted["id"])["state"] == "dismissed")
    expect(viewer.toasts).to_have_count(0)
    look_away(viewer.page, False)
    toast = viewer.toast("Where were you?")
    expect(toast).to_be_visible()
    began = viewer.page.evaluate("performance.now()")
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)
    assert viewer.page.evaluate("performance.now()") - began > 1000


def test_b2_a_toast_that_was_shown_when_the_page_was_hidden_stays(viewer, channel):
    posted = channel.post("Half read", duration="indefinite")
    expect(viewer.toast("Half read")).to_be_visible()
    look_away(viewer.page, True)
    channel.patch(posted["id"], duration=4)
    channel.wait(lambda: channel.toast(posted["id"])["state"] == "dismissed")
    # The viewer is told, too, before the page is visible again.
    viewer.page.wait_for_function(f"() => {VIEWER}.history[0].reason === 'timeout'")
    look_away(viewer.page, False)
    expect(viewer.toast("Half read")).to_be_visible()
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_b3_of_two_hundred_toasts_while_the_page_was_hidden_few_are_shown(viewer, channel):
    page = viewer.page
    page.evaluate(SPOKEN)
    page.evaluate(f"{VIEWER}.setAttribute('max', '3')")
    channel.configure(mode="stack", maxVisible=100, capacity=500)
    look_away(page, True)
    for _ in range(2):
        channel.batch([{"message": f"Missed {index}", "duration": 600} for index in range(100)])
        page.wait_for_function(f"() => {VIEWER}.toasts.length === 100")
        if _ == 0:
            channel.call("DELETE", "/toasts")
            page.wait_for_function(f"() => {VIEWER}.toasts.length === 0")
    look_away(page, False)
    expect(viewer.toasts).to_have_count(3)
    expect(viewer.page.get_by_role("button", name="Show 97 more")).to_be_visible()
    said = spoken(viewer, 1)
    assert [text for _, text in said] == ["200 notifications while you were away: press F8."]
    page.wait_for_timeout(2000)
    assert len(page.evaluate("spoken")) == 1
    assert page.evaluate(f"{VIEWER}.history.length") == 200


def test_missed_toasts_of_the_page_itself_are_announced_as_a_number(page, channel, watching):
    local = Bare(page, channel)
    watching.append(local)
    local.open("local")
    page.evaluate(SPOKEN)
    look_away(page, True)
    run(local, "for (const it of ['One', 'Two']) { toast(it, { duration: 'indefinite' }); }")
    page.wait_for_function(f"() => {VIEWER}.toasts.length === 2")
    look_away(page, False)
    assert [text for _, text in spoken(local, 1)] == ["2 notifications while you were away: press F8."]


def test_pausing_keeps_what_is_shown_and_lets_the_rest_wait(viewer, channel):
    channel.configure(mode="stack", maxVisible=5)
    before = channel.post("Shown before", duration="indefinite")
    expect(viewer.toast("Shown before")).to_be_visible()
    wish(viewer.page, isPaused=True)
    channel.patch(before["id"], duration=2)
    waiting = channel.post("Waits", duration=2)
    channel.wait(lambda: channel.toast(waiting["id"])["state"] == "dismissed")
    expect(viewer.toast("Shown before")).to_be_visible()
    expect(viewer.toasts).to_have_count(1)
    expect(viewer.page.get_by_role("button", name="1 waiting")).to_be_visible()
    viewer.page.get_by_role("button", name="Resume").click()
    expect(viewer.toast("Waits")).to_be_visible()
    viewer.page.mouse.move(5, 700)
    expect(viewer.toasts).to_have_count(0)


def test_do_not_disturb_lets_only_errors_through_and_keeps_the_rest(viewer, channel):
    wish(viewer.page, isQuiet=True)
    channel.configure(mode="stack", maxVisible=5)
    channel.post("Not now", duration="indefinite")
    channel.post("The house is on fire", role="error", duration="indefinite")
    expect(viewer.toast("The house is on fire")).to_be_visible()
    expect(viewer.toasts).to_have_count(1)
    viewer.page.get_by_role("button", name="History, 1 new").click()
    expect(viewer.page.get_by_role("dialog", name="History").get_by_text("Not now")).to_be_visible()


def test_a_preference_for_longer_times_is_sent_to_the_server_and_applied_here(viewer, channel):
    with viewer.page.expect_request(lambda request: "scale=3" in request.url):
        wish(viewer.page, scale=3)
    viewer.page.wait_for_function(f"() => {VIEWER}.connection === 'open'")
    channel.post("Slowly", duration=2)
    expect(viewer.toast("Slowly")).to_be_visible()
    began = viewer.page.evaluate("performance.now()")
    expect(viewer.toasts).to_have_count(0)
    assert viewer.page.evaluate("performance.now()") - began > 3000


def test_with_the_preference_never_a_toast_stays_until_a_person_dismisses_it(viewer, channel):
    with viewer.page.expect_request(lambda request: "scale=10" in request.url):
        wish(viewer.page, scale="never")
    viewer.page.wait_for_function(f"() => {VIEWER}.connection === 'open'")
    posted = channel.post("Stays", duration=1)
    expect(viewer.toast("Stays")).to_be_visible()
    channel.dismiss(posted["id"])
    # A person dismissed it, so the time does not matter.
    expect(viewer.toasts).to_have_count(0)
    channel.post("Stays, too", duration=0.5)
    expect(viewer.page.locator("toast-viewer [part~=toast][data-state=ended]")).to_have_count(1)
    viewer.toast("Stays, too").get_by_role("button", name="Dismiss").click()
    expect(viewer.toasts).to_have_count(0)


def test_the_page_dismisses_a_toast_that_is_over_but_kept_here(feed_of):
    feed = feed_of()
    feed.page.add_init_script("localStorage.setItem('toast-viewer', JSON.stringify({ scale: 'never' }))")
    feed.begin(mode="stack")
    feed.send(presented("a", duration=1, remaining=1))
    expect(feed.toast("Toast a")).to_be_visible()
    feed.send(dismissed("a", reason="timeout"))
    expect(feed.page.locator("toast-viewer [part~=toast][data-state=ended]")).to_have_count(1)
    feed.page.evaluate(f"{VIEWER}.dismiss('a')")
    expect(feed.toasts).to_have_count(0)


def test_position_and_style_are_as_a_person_wants_them(viewer, channel):
    wish(viewer.page, placement="bottom", style="retro")
    channel.post("My way", duration="indefinite", placement="top", style="pale")
    toast = settled(viewer.toast("My way"))
    expect(toast.locator("[data-style=retro]")).to_be_visible()
    assert toast.bounding_box()["y"] > viewer.page.viewport_size["height"] / 2
    wish(viewer.page, placement=None, style=None)
    expect(toast.locator("[data-style=pale]")).to_be_visible()


def test_turning_the_screen_restarts_the_countdown(viewer, channel):
    posted = channel.post("Turn me", duration=5)
    expect(viewer.toast("Turn me")).to_be_visible()
    viewer.page.wait_for_timeout(2500)
    viewer.page.set_viewport_size({"width": 500, "height": 900})
    channel.wait(lambda: channel.toast(posted["id"])["state"] == "dismissed")
    viewer.page.wait_for_timeout(500)
    expect(viewer.toast("Turn me")).to_be_visible()
    expect(viewer.toasts).to_have_count(0)


def test_a_waiting_toast_that_was_read_in_the_history_is_not_new(viewer, channel):
    channel.configure(mode="stack", maxVisible=10)
    viewer.page.evaluate(f"{VIEWER}.setAttribute('max', '2')")
    channel.batch([{"message": f"Number {index}", "duration": "indefinite"} for index in range(5)])
    expect(viewer.page.get_by_role("button", name="Show 3 more")).to_be_visible()
    history = viewer.page.locator("toast-viewer [part~=control][part~=history]")
    expect(history).to_have_text("History")
    settled(viewer.toasts.first).hover()
    history.click()
    expect(viewer.page.get_by_role("dialog", name="History").get_by_text("Number 4")).to_be_visible()
    channel.post("One more", duration="indefinite")
    expect(viewer.page.get_by_role("button", name="Show 4 more")).to_be_visible()
    expect(history).to_have_text("History")


@pytest.mark.parametrize("name", ["History", "Settings"])
def test_the_panel_is_reached_by_key_without_a_toast_and_gives_the_focus_back(viewer, name):
    page = viewer.page
    start = page.locator("input[name=channel]")
    start.focus()
    page.keyboard.press("F8")
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name=name)
    expect(panel).to_be_visible()
    expect(panel.get_by_role("heading", name=name)).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.get_by_role("button", name=name, exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(start).to_be_focused()


def test_the_panel_gives_the_focus_back_also_when_its_button_is_hidden_by_then(viewer, channel):
    page = viewer.page
    channel.post("Stays", duration="indefinite")
    expect(viewer.toast("Stays")).to_be_visible()
    start = page.locator("input[name=channel]")
    start.focus()
    page.keyboard.press("F8")
    button = page.locator("toast-viewer [part~=control][part~=history]")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="History").get_by_role("heading", name="History")).to_be_focused()
    expect(button).to_have_css("visibility", "hidden")
    page.keyboard.press("Escape")
    expect(start).to_be_focused()


def test_what_is_set_in_the_panel_is_stored_and_is_the_same_in_another_tab(viewer, watch, channel):
    page = viewer.page
    other = watch(page.context.new_page()).open()
    page.evaluate(f"{VIEWER}.showPreferences()")
    panel = page.get_by_role("dialog", name="Settings")
    panel.get_by_label("Position").select_option("bottom")
    panel.get_by_label("Time on screen").select_option("10")
    panel.get_by_role("switch", name="Do not disturb").check()
    stored = page.evaluate("JSON.parse(localStorage.getItem('toast-viewer'))")
    assert stored == {"scale": 10, "isPaused": False, "isQuiet": True, "placement": "bottom"}
    other.page.wait_for_function("() => import('/viewer/preferences.js').then(({ preferences }) => preferences.current.isQuiet)")


def receive_silenced(viewer, channel, count):
    """Lets toasts come that are not to disturb: they are in the history, and unread."""
    page = viewer.page
    page.evaluate(SPOKEN)
    channel.configure(mode="stack", maxVisible=5)
    wish(page, isQuiet=True)
    channel.batch([{"message": f"Not now {index}", "duration": "indefinite"} for index in range(count)])
    page.wait_for_function(f"() => {VIEWER}.history.length === {count}")


def check_said(viewer, channel, *texts):
    """Checks what was said until now: the announcement of one more toast is the next one."""
    assert [text for _, text in spoken(viewer, len(texts))] == list(texts)
    channel.configure(maxVisible=10)
    channel.post("And another", role="error", duration="indefinite")
    assert [text for _, text in spoken(viewer, len(texts) + 1)] == [*texts, "error, And another"]


def test_unread_toasts_from_before_are_not_counted_as_missed(viewer, channel):
    page = viewer.page
    receive_silenced(viewer, channel, 3)
    look_away(page, True)
    channel.post("The house is on fire", role="error", duration="indefinite")
    page.wait_for_function(f"() => {VIEWER}.history.length === 4")
    look_away(page, False)
    expect(viewer.toast("The house is on fire")).to_be_visible()
    assert spoken(viewer, 1) == [["alert", "error, The house is on fire"]]
    check_said(viewer, channel, "error, The house is on fire")


def test_silenced_toasts_are_not_counted_as_missed(viewer, channel):
    page = viewer.page
    receive_silenced(viewer, channel, 1)
    look_away(page, True)
    channel.batch([{"message": f"{role} {index}", "role": role, "duration": "indefinite"} for role in ("info", "error") for index in range(2)])
    page.wait_for_function(f"() => {VIEWER}.history.length === 5")
    look_away(page, False)
    expect(viewer.toasts).to_have_count(2)
    check_said(viewer, channel, "2 notifications while you were away: press F8.")


def test_toasts_read_in_the_history_while_paused_are_counted_as_missed(viewer, channel):
    page = viewer.page
    receive_silenced(viewer, channel, 3)
    wish(page, isPaused=True)
    error = {"role": "error", "duration": "indefinite"}
    channel.batch([{"message": f"Gone {index}", **error} for index in range(2)])
    channel.call("DELETE", "/toasts")
    page.wait_for_function(f"() => {VIEWER}.history.length === 5 && {VIEWER}.toasts.length === 0")
    page.evaluate(f"{VIEWER}.showHistory()")
    expect(page.get_by_role("dialog", name="History").get_by_text("Gone 1")).to_be_visible()
    channel.batch([{"message": f"Still there {index}", **error} for index in range(2)])
    page.wait_for_function(f"() => {VIEWER}.toasts.length === 2")
    wish(page, isPaused=False)
    expect(viewer.toasts).to_have_count(2)
    check_said(viewer, channel, "4 notifications while you were away: press F8.")


def test_an_open_settings_panel_follows_changes_in_another_tab(viewer):
    page = viewer.page
    page.evaluate(f"{VIEWER}.showPreferences()")
    panel = page.get_by_role("dialog", name="Settings")
    paused = panel.get_by_role("switch", name="Pause notifications")
    expect(paused).not_to_be_checked()
    page.evaluate(f"() => {{ {VIEWER}.isPaused = true; }}")
    expect(paused).to_be_checked()
    wish(page, isPaused=False, isQuiet=True, placement="bottom", scale=3)
    expect(paused).not_to_be_checked()
    expect(panel.get_by_role("switch", name="Do not disturb")).to_be_checked()
    expect(panel.get_by_label("Position")).to_have_value("bottom")
    expect(panel.get_by_label("Time on screen")).to_have_value("3")
