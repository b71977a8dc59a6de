"""Toasts that the page itself shows: `toast()`, the element's own methods, and one queue with the server's."""

import pytest
from playwright.sync_api import expect

from conftest import SPOKEN, spoken
from feed import SETTINGS, Bare, Feed, dismissed, presented, run

VIEWER = "document.querySelector('toast-viewer')"
UNDO = "actions: [{ title: 'Undo', onPress: () => { window.pressed = true; } }]"


@pytest.fixture
def local(page, channel, watching):
    bare = Bare(page, channel)
    watching.append(bare)
    bare.asked = []
    page.on("request", lambda request: bare.asked.append(request.url) if "/v1/" in request.url else None)
    return bare.open("local")


@pytest.fixture
def feed(page, channel, watching):
    watching.append(Feed(page, channel))
    return watching[-1]


def test_a_page_shows_changes_and_dismisses_toasts_without_a_server(local):
    identifier = run(local, "return toast('Saved', { duration: 'indefinite' })")
    expect(local.toast("Saved")).to_be_visible()
    run(local, "toast.error('Not saved', { duration: 'indefinite', title: 'Alas' })")
    expect(local.toast("Not saved").locator("[part=title]")).to_contain_text("Alas")
    run(local, f"toast.update('{identifier}', 'Saved twice', {{ role: 'success' }})")
    expect(local.toast("Saved twice")).to_be_visible()
    run(local, f"toast.dismiss('{identifier}')")
    expect(local.toasts).to_have_count(1)
    local.toasts.get_by_role("button", name="Dismiss: Alas").click()
    expect(local.toasts).to_have_count(0)
    assert [it["reason"] for it in local.page.evaluate(f"{VIEWER}.history")] == ["close", "api"]
    assert local.asked == []


def test_a_message_that_changes_is_announced(local):
    local.page.evaluate(SPOKEN)
    run(local, "toast('Draft saved', { id: 'draft', duration: 'indefinite' })")
    spoken(local, 1)
    assert run(local, "return toast.update('draft', 'Draft could not be saved')")
    assert spoken(local, 2) == [["status", "Info: Draft saved"], ["status", "Info: Draft could not be saved"]]


def test_without_a_viewer_the_page_gets_one(page, channel, watching):
    bare = Bare(page, channel)
    watching.append(bare)
    bare.open()
    page.evaluate(f"{VIEWER}.remove()")
    run(bare, "toast.success('Here I am')")
    expect(bare.toast("Here I am")).to_be_visible()
    assert page.evaluate(f"{VIEWER}.local")


def test_a_promise_is_shown_from_its_beginning_to_its_end(local):
    result = run(local, """
      window.work = Promise.withResolvers?.() ?? (() => { const it = {}; it.promise = new Promise((a, b) => Object.assign(it, { resolve: a, reject: b })); return it; })();
      window.told = toast.promise(work.promise, { loading: "Saving", success: (n) => `${n} saved`, error: (error) => error.message });
      return window.told instanceof Promise;
    """)
    assert result
    expect(local.toast("Saving").get_by_role("progressbar")).to_be_visible()
    local.page.evaluate("work.resolve(3)")
    expect(local.toast("3 saved")).to_be_visible()
    expect(local.toasts).to_have_count(1)
    expect(local.page.get_by_role("group", name="Success: 3 saved")).to_be_visible()
    expect(local.page.get_by_role("progressbar")).to_have_count(0)
    run(local, "toast.promise(Promise.reject(new Error('No space left')), { loading: 'Saving', success: 'Saved', error: (error) => error.message }).catch(() => {})")
    expect(local.page.get_by_role("group", name="Error: No space left")).to_be_visible()


def test_the_outcome_of_a_promise_is_shown_although_its_beginning_was_dismissed(local):
    run(local, "window.work = {}; toast.promise(new Promise((_, reject) => { work.reject = reject; }), { loading: 'Uploading', success: 'Sent', error: 'Not sent' }).catch(() => {})")
    local.toast("Uploading").get_by_role("button", name="Dismiss").click()
    expect(local.toasts).to_have_count(0)
    local.page.evaluate("work.reject(new Error())")
    expect(local.page.get_by_role("group", name="Error: Not sent")).to_be_visible()


def test_a_promise_whose_message_function_throws_leaves_no_toast(local):
    run(local, "window.work = {}; toast.promise(new Promise((resolve) => { work.resolve = resolve; }), { loading: 'Saving', success: (it) => it.none.at, error: 'Alas' })")
    expect(local.toast("Saving")).to_be_visible()
    local.page.evaluate("work.resolve({})")
    expect(local.toasts).to_have_count(0)
    # The error in the console names what was wrong.
    local.wait_until(lambda: local.errors)
    local.errors.clear()


def test_a_member_that_is_undefined_gets_its_default(local):
    run(local, "toast('Plain', { placement: undefined, role: undefined, style: undefined, progress: undefined, actions: undefined, duration: 'indefinite' })")
    expect(local.page.get_by_role("group", name="Info: Plain")).to_be_visible()
    run(local, "toast('Elsewhere', { placement: 'top-right', role: 'danger', duration: 'indefinite' })")
    expect(local.page.get_by_role("group", name="Info: Elsewhere")).to_be_visible()
    identifier = run(local, "return toast('Working', { duration: 'indefinite', progress: 0.5, actions: [{ title: 'Stop' }] })")
    expect(local.toast("Working").get_by_role("progressbar")).to_be_visible()
    assert run(local, f"return toast.update('{identifier}', {{ progress: undefined, actions: undefined }})")
    expect(local.page.get_by_role("progressbar")).to_have_count(0)
    expect(local.page.get_by_role("button", name="Stop")).to_have_count(0)
    assert not run(local, "return toast.update('unknown', 'x')")


def test_all_toasts_of_a_page_are_dismissed_also_those_that_wait(local):
    run(local, "for (let n = 0; n < 5; n += 1) { toast(`Toast ${n}`, { duration: 'indefinite' }); }")
    expect(local.toasts).to_have_count(3)
    run(local, "toast('Last'); toast.dismiss()")
    expect(local.toasts).to_have_count(0)
    local.settle()
    expect(local.toasts).to_have_count(0)


def test_a_page_says_how_many_of_its_toasts_are_shown(page, channel, watching):
    bare = Bare(page, channel)
    watching.append(bare)
    bare.open("local max=5")
    run(bare, "for (let n = 0; n < 6; n += 1) { toast(`Toast ${n}`, { duration: 'indefinite' }); }")
    expect(bare.toasts).to_have_count(5)
    page.evaluate(f"{VIEWER}.max = 2")
    run(bare, "toast('Another', { duration: 'indefinite' })")
    bare.settle()
    expect(bare.toast("Another")).to_have_count(0)


def test_a_toast_whose_toast_show_is_prevented_takes_no_place(local):
    local.page.evaluate(f"() => {VIEWER}.addEventListener('toast-show', (event) => {{ if (event.detail.toast.role === 'info') {{ event.preventDefault(); }} }})")
    run(local, "for (let n = 0; n < 3; n += 1) { toast('No', { duration: 'indefinite' }); }")
    run(local, "toast.error('Yes', { duration: 'indefinite' })")
    expect(local.toast("Yes")).to_be_visible()
    expect(local.toasts).to_have_count(1)


def test_an_action_calls_its_on_press(local):
    local.page.evaluate("window.undone = 0")
    run(local, "toast('Deleted', { duration: 'indefinite', actions: [{ title: 'Undo', onPress: () => { undone += 1; } }] })")
    local.toast("Deleted").get_by_role("button", name="Undo").click()
    expect(local.toasts).to_have_count(0)
    assert local.page.evaluate("undone") == 1


def test_toast_publish_publishes_for_all(page, channel, watching):
    bare = Bare(page, channel)
    watching.append(bare)
    bare.open().opened()
    toast = run(bare, f"return await toast.publish('{channel.name}', 'For everybody', {{ duration: 'indefinite' }})")
    expect(bare.toast("For everybody")).to_be_visible()
    assert channel.toast(toast["id"])["message"] == "For everybody"


def test_an_invalid_channel_name_is_logged_as_a_warning(page, channel, watching):
    bare = Bare(page, channel)
    watching.append(bare)
    bare.open().opened()
    warnings = []
    page.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    page.evaluate(f"{VIEWER}.channel = 'ops/{'x' * 300}'")
    bare.wait_until(lambda: warnings)
    # The viewer tries again, at growing intervals, as when the server is away.
    page.evaluate("window.states = []; document.addEventListener('toast-connection', ({ detail }) => states.push(detail.state))")
    page.wait_for_function("() => states.filter((it) => it === 'connecting').length > 1")
    page.wait_for_timeout(300)
    assert len(warnings) == 1
    assert "/v1/channels/ops%2Fxxx" in warnings[0] and "undefined" not in warnings[0]
    told = ".catch(({ message, status, type }) => [message, status, type])"
    refused = run(bare, "return await toast.publish('ops', 'Saved', { duration: -1 })" + told)
    assert refused[0].startswith("/duration: ") and refused[1:] == [422, "invalid-toast"]


def test_a_promise_and_toasts_of_the_server_are_one_queue(feed):
    """In a mode that shows one toast after the other, local and server toasts share one order, exits and pauses."""
    feed.begin(mode="fifo", pause=0.8, animations={**SETTINGS["animations"], "exit": {"duration": 0.8, "curve": "linear"}})
    page = feed.page
    page.evaluate(f"""() => {{
      window.times = [];
      for (const type of ["toast-show", "toast-dismiss"]) {{
        {VIEWER}.addEventListener(type, ({{ detail }}) => times.push([type, detail.toast.message, performance.now()]));
      }}
    }}""")
    feed.send(presented("a"))
    expect(feed.toast("Toast a")).to_be_visible()
    run(feed, """window.work = {};
      const words = { loading: 'Saving', success: { message: 'Saved', duration: 2.5 }, error: 'Alas' };
      toast.promise(new Promise((resolve) => { work.resolve = resolve; }), words);""")
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 500))")
    # The page's toast waits for the server's.
    expect(feed.toasts).to_have_count(1)
    feed.send(dismissed("a", exit=0.8))
    expect(feed.toast("Saving")).to_be_visible()
    # Now the server's waits for the page's.
    feed.send(presented("b"))
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 300))")
    expect(feed.toast("Toast b")).to_have_count(0)
    page.evaluate("work.resolve()")
    expect(feed.toast("Saved")).to_be_visible()
    expect(feed.toast("Toast b")).to_be_visible()
    times = page.evaluate("times")
    assert [(kind, name) for kind, name, _ in times] == [
        ("toast-show", "Toast a"), ("toast-dismiss", "Toast a"), ("toast-show", "Saving"),
        ("toast-dismiss", "Saved"), ("toast-show", "Toast b"),
    ]
    at = [time for _, _, time in times]
    # The exit and the pause take 1.6 seconds. A busy machine reports a dismissal late, and the gap is shorter by that.
    assert at[2] - at[1] > 1000
    assert at[4] - at[3] > 1000


def test_a_page_can_prevent_toasts_and_dismissals(local):
    page = local.page
    page.evaluate(f"""() => {{
      {VIEWER}.addEventListener("toast-show", (event) => {{ if (event.detail.toast.message === "No") {{ event.preventDefault(); }} }});
      {VIEWER}.addEventListener("toast-dismiss", (event) => {{ if (event.detail.toast.message === "Stay") {{ event.preventDefault(); }} }});
    }}""")
    run(local, "toast('No'); toast('Stay', { duration: 'indefinite' }); toast('Yes', { duration: 'indefinite' })")
    expect(local.toast("Yes")).to_be_visible()
    expect(local.toasts).to_have_count(2)
    local.toast("Stay").get_by_role("button", name="Dismiss").click()
    local.toast("Yes").get_by_role("button", name="Dismiss").click()
    expect(local.toast("Yes")).to_have_count(0)
    expect(local.toast("Stay")).to_be_visible()


def test_a_toast_of_a_page_can_be_answered_as_long_as_a_person_wants_to_see_it(local):
    local.page.evaluate("localStorage.setItem('toast-viewer', JSON.stringify({ scale: 'never' }))")
    local.page.reload()
    run(local, f"toast('Sent', {{ duration: 1, {UNDO} }})")
    expect(local.toast("Sent")).to_be_visible()
    local.page.wait_for_timeout(1500)
    local.toast("Sent").get_by_role("button", name="Undo").click()
    local.page.wait_for_function("window.pressed")


def test_a_person_who_wants_more_time_can_answer_for_longer(local):
    local.page.evaluate("localStorage.setItem('toast-viewer', JSON.stringify({ scale: 3 }))")
    local.page.reload()
    local.page.clock.install()
    run(local, f"toast('Sent', {{ duration: 100, {UNDO} }})")
    expect(local.toast("Sent")).to_be_visible()
    local.page.clock.run_for(200_000)
    local.toast("Sent").get_by_role("button", name="Undo").click()
    local.page.wait_for_function("window.pressed")


def test_the_time_of_a_toast_of_a_page_begins_when_the_pause_is_over(local):
    # With the first toast all code is loaded.
    run(local, "toast('First', { duration: 'indefinite' })")
    expect(local.toast("First")).to_be_visible()
    local.page.clock.install()
    local.page.evaluate(f"() => {{ {VIEWER}.isPaused = true; }}")
    run(local, f"toast('Sent', {{ duration: 100, {UNDO} }})")
    local.page.clock.run_for(150_000)
    local.page.evaluate(f"() => {{ {VIEWER}.isPaused = false; }}")
    local.toast("Sent").get_by_role("button", name="Undo").click()
    local.page.wait_for_function("window.pressed")


def test_a_toast_that_cannot_be_drawn_does_not_keep_others_away(local):
    run(local, "toast('First', { icon: document.createElement('img'), duration: 'indefinite' })")
    run(local, "toast('Second', { icon: true, duration: 'indefinite' })")
    run(local, "toast('Third', { duration: 'indefinite' })")
    expect(local.toast("Third")).to_be_visible()
    # The error in the console names what was wrong.
    assert local.errors and all("includes" in it for it in local.errors)
    local.errors.clear()


def test_a_toast_whose_viewer_was_removed_meanwhile_does_not_come(local):
    run(local, "toast('First', { duration: 'indefinite' })")
    expect(local.toast("First")).to_be_visible()
    local.page.evaluate(f"{VIEWER}.dismissAll()")
    expect(local.toasts).to_have_count(0)
    local.page.evaluate(f"() => {{ const it = {VIEWER}; it.show('Sent', {{ duration: 'indefinite' }}); it.remove(); document.body.append(it); }}")
    run(local, "toast('Last', { duration: 'indefinite' })")
    expect(local.toast("Last")).to_be_visible()
    assert local.page.evaluate(f"{VIEWER}.history.map(({{ toast }}) => toast.message)") == ["Last"]


HAPTICS = "() => { window.felt = {}; addEventListener('toast-show', ({ detail: { toast, haptic } }) => { felt[toast.message] = haptic ?? null; }); }"


def test_the_members_of_a_toast_mean_what_they_mean_on_the_server(feed):
    feed.begin(maxVisible=20, title="none", haptics={"success": "heavy", "error": "error", "info": "none"})
    page = feed.page
    page.evaluate(HAPTICS)
    run(feed, """
      for (const duration of ["short", "long", "indefinite", 0, 1.5, -1, Infinity, "soon", null]) { toast(`${duration}`, { duration }); }
      toast("Automatic", { title: { automatic: true }, role: "error" });
      toast("Titled", { title: "Mine", role: "success" });
      toast("Heavy", { haptic: "light", role: "success", progress: 7 });
      toast("None", { haptic: "none", role: "error", progress: { value: -1, total: 4 } });
    """)
    expect(feed.toasts).to_have_count(10)
    shown = {it["toast"]["message"]: it["toast"] for it in page.evaluate(f"{VIEWER}.history")}
    durations = {name: it["duration"] for name, it in shown.items() if name not in ("Automatic", "Titled", "Heavy", "None")}
    assert durations == {
        "short": 2, "long": 4, "indefinite": "indefinite", "0": "indefinite", "1.5": 1.5, "-1": 6, "Infinity": "indefinite", "soon": 6, "null": 6,
    }
    assert (shown["soon"]["title"], shown["Titled"]["title"], shown["Automatic"].get("title")) == (None, "Mine", None)
    expect(feed.toast("Automatic").locator("[part=title]")).to_have_text("Error")
    expect(feed.toast("soon").locator("[part=title]")).to_have_count(0)
    assert (shown["Heavy"]["progress"], shown["None"]["progress"]) == ({"value": 1, "total": 1}, {"value": 0, "total": 4})
    felt = page.evaluate("felt")
    assert [felt[name] for name in ("soon", "Automatic", "Titled", "Heavy", "None")] == [None, "error", "heavy", "light", None]


def test_named_durations_work_in_show_and_update(local):
    # Ten times as long, so that the time for loading and drawing does not matter.
    local.page.evaluate("localStorage.setItem('toast-viewer', JSON.stringify({ scale: 10 }))")
    local.page.reload()
    local.page.clock.install()
    run(local, "toast('Brief', { duration: 'short', id: 'x' }); toast('Lasting', { duration: 0 })")
    expect(local.toasts).to_have_count(2)
    run(local, "return toast.update('x', { duration: 'long', progress: 3 })")
    expect(local.toast("Brief").get_by_role("progressbar")).to_have_attribute("aria-valuenow", "1")
    local.page.clock.run_for(30_000)
    expect(local.toast("Brief")).to_be_visible()
    local.page.clock.run_for(30_000)
    expect(local.toast("Brief")).to_have_count(0)
    expect(local.toast("Lasting")).to_be_visible()


def test_a_local_toast_vibrates_according_to_its_role(local):
    local.page.evaluate(HAPTICS)
    run(local, "toast.error('Alas'); toast('So')")
    expect(local.toasts).to_have_count(2)
    assert local.page.evaluate("felt") == {"Alas": "error", "So": "light"}


def test_a_promise_that_is_rejected_already_causes_no_unhandled_rejection(local):
    local.page.evaluate("() => { window.unhandled = 0; addEventListener('unhandledrejection', () => { unhandled += 1; }); }")
    run(local, "toast.promise(Promise.reject(new Error('No space left')), { loading: 'Saving', success: 'Saved', error: (error) => error.message })")
    expect(local.page.get_by_role("group", name="Error: No space left")).to_be_visible()
    assert local.page.evaluate("unhandled") == 0


def test_a_page_without_a_body_yet_shows_a_toast(page, channel, watching):
    bare = Bare(page, channel)
    watching.append(bare)
    body = """<!doctype html><html lang="en"><head><title>Bare</title><script type="module" async src="/toast-viewer.js"></script></head></html>"""
    page.route("**/early", lambda route: route.fulfill(content_type="text/html", body=body))
    page.goto(f"{bare.base}/early")
    run(bare, "const { body } = document; body.remove(); toast('Early', { duration: 'indefinite' }); document.documentElement.append(body)")
    expect(bare.toast("Early")).to_be_visible()
