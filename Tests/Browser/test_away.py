"""The installed app, its page for when the server is away, and notifications while the page is hidden."""

import json
import secrets
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import SCHEMES, Channel, Server, Watching, look_away
from test_look import complaints

# Within the lock that the page uses: Chromium loses a notification that is shown while others are read.
SHOWN = """() => navigator.locks.request("toastd notifications", async () => (
  await (await navigator.serviceWorker.ready).getNotifications()
).map((it) => ({
  title: it.title, body: it.body, tag: it.tag, data: it.data, requireInteraction: it.requireInteraction,
  actions: (it.actions ?? []).map(({ action, title }) => [action, title]),
})))"""


@pytest.fixture(scope="module")
def browser(launch_browser):
    """The whole browser: its headless shell shows no notifications of a device."""
    browser = launch_browser(executable_path="/usr/bin/chromium")
    yield browser
    browser.close()


@pytest.fixture
def allowed(new_context, watch, channel):
    """A page that may show notifications."""
    context = new_context()
    context.grant_permissions(["notifications"], origin=channel.base)
    return watch(context.new_page()).open()


def turn_on(page):
    page.get_by_role("switch", name="Notifications while the page is hidden").check()
    expect(page.locator("[data-form=away] [data-state]")).to_contain_text("On.")


def shown(page, count):
    """The device's notifications, once there are as many as expected."""
    return shown_when(page, lambda all: len(all) == count)


def shown_when(page, condition):
    deadline = time.monotonic() + 20
    while not condition(all := page.evaluate(SHOWN)):
        assert time.monotonic() < deadline, all
        page.wait_for_timeout(50)
    return all


def test_the_page_can_be_installed(page, channel):
    client = page.context.new_cdp_session(page)
    page.goto(f"{channel.base}/?channel={channel.name}")
    found = client.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert manifest["display"] == "standalone"
    sizes = page.evaluate(
        """async (icons) => Promise.all(icons.filter(({ type }) => type === "image/png").map(async ({ src, sizes }) => {
          const image = await createImageBitmap(await (await fetch(src)).blob());
          return [sizes, `${image.width}x${image.height}`];
        }))""",
        manifest["icons"],
    )
    assert len(sizes) == 3 and all(wanted == real for wanted, real in sizes)
    # The only obstacle is that contexts of tests are private windows, which cannot install apps.
    reasons = [it["errorId"] for it in client.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert reasons in ([], ["in-incognito"])


def test_a_visitor_has_no_service_worker(viewer):
    assert viewer.page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0


def test_only_the_page_s_own_service_worker_can_be_registered(browser, channel):
    # Not in a context that fails on violations of the policy: this test causes them.
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{channel.base}/?channel={channel.name}")
    refused = page.evaluate("""async () => {
      await (await import("/page/worker.js")).register();
      const errors = [];
      const attempt = async (act) => { try { await act(); errors.push("none"); } catch (error) { errors.push(error.name); } };
      await attempt(() => trustedTypes.createPolicy("other", {}));
      await attempt(() => trustedTypes.createPolicy("toastd-worker", {}));
      await attempt(() => navigator.serviceWorker.register("service-worker.js"));
      await attempt(() => navigator.serviceWorker.register("page/worker.js"));
      await attempt(() => { document.body.innerHTML = "<b>"; });
      return errors;
    }""")
    context.close()
    assert refused == ["TypeError"] * 5


@pytest.mark.parametrize("locale", ["en-GB", "de-AT"])
def test_the_app_says_that_the_server_is_away_and_comes_back(new_context, watching, locale):
    server = Server()
    port = server.base.rsplit(":", 1)[1]
    name = f"away-{secrets.token_hex(4)}"
    page = new_context(locale=locale, reduced_motion="reduce", viewport={"width": 375, "height": 812}).new_page()
    viewer = Watching(page, Channel(server.base, name))
    watching.append(viewer)
    viewer.open()
    page.evaluate("import('/page/worker.js').then(({ register }) => register())")
    page.evaluate("""async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active.state !== "activated") { await new Promise((resolve) => { active.onstatechange = resolve; }); }
    }""")
    server.stop()
    page.goto(f"{server.base}/?channel={name}")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("The server is away." if locale == "en-GB" else "Der Server ist nicht erreichbar.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        results = Axe().run(page)
        assert results.violations_count == 0, f"{scheme}: {complaints(results)}"
    again = Server("--listen", f"127.0.0.1:{port}")
    try:
        page.get_by_role("button").click()
        page.locator("[data-connection=open]").wait_for()
        assert page.url.endswith(f"channel={name}")
    finally:
        again.stop()


def test_no_notification_is_shown_before_a_person_turns_them_on(allowed, channel):
    page = allowed.page
    look_away(page, True)
    channel.post("Not wanted", role="error", duration="indefinite")
    page.wait_for_function("() => document.querySelector('toast-viewer').toasts.length === 1")
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0


def test_a_hidden_page_shows_toasts_of_the_chosen_roles(allowed, channel):
    page = allowed.page
    turn_on(page)
    channel.configure(mode="stack", maxVisible=5)
    channel.post("While it is seen", role="error", duration="indefinite")
    expect(allowed.toast("While it is seen")).to_be_visible()
    look_away(page, True)
    channel.post("Just so you know", role="info", duration="indefinite")
    actions = [{"id": "retry", "title": "Retry"}, {"id": "open", "title": "Open", "url": "/gallery.html"}]
    posted = channel.post("It broke", title="Build 42", role="error", duration="indefinite", actions=actions)
    (only,) = shown(page, 1)
    assert (only["title"], only["body"], only["requireInteraction"]) == ("Build 42", "It broke", True)
    assert only["actions"] == [["retry", "Retry"], ["open", "Open"]]
    assert only["data"] == {"channel": channel.name, "id": posted["id"], "links": {"open": "/gallery.html"}}
    channel.patch(posted["id"], message="It broke again")
    shown_when(page, lambda all: [it["body"] for it in all] == ["It broke again"])
    # The notification of a dismissed toast is closed.
    channel.dismiss(posted["id"])
    shown(page, 0)
    page.locator("[name=notifyRole][value=info]").check()
    channel.post("Now you want to know", role="info", title=None, duration="indefinite")
    (only,) = shown(page, 1)
    assert (only["title"], only["body"]) == ("Now you want to know", "")


def test_several_notifications_are_shown_and_closed_one_by_one(allowed, channel):
    page = allowed.page
    turn_on(page)
    look_away(page, True)
    channel.configure(mode="stack", maxVisible=5)
    for group in range(4):
        posted = [channel.post(f"{group} {it}", role="error", duration="indefinite") for it in range(10)]
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda toast: channel.dismiss(toast["id"]), posted[:5]))
        following = [f"{group} {it}" for it in range(5, 10)]
        page.wait_for_function(
            "(all) => { const shown = document.querySelector('toast-viewer').toasts.map((it) => it.message);"
            " return shown.length === all.length && all.every((it) => shown.includes(it)); }",
            arg=following,
        )
        assert sorted(it["body"] for it in page.evaluate(SHOWN)) == following
        for toast in posted[5:]:
            channel.dismiss(toast["id"])


def test_an_action_of_a_notification_is_sent_as_the_toast_s_action(allowed, channel):
    page = allowed.page
    turn_on(page)
    look_away(page, True)
    posted = channel.post("It broke", role="error", duration="indefinite", actions=[{"id": "retry", "title": "Retry"}])
    shown(page, 1)
    (worker,) = page.context.service_workers
    worker.evaluate("""async () => {
      const [notification] = await registration.getNotifications();
      dispatchEvent(new NotificationEvent("notificationclick", { notification, action: "retry" }));
    }""")
    channel.wait(lambda: channel.toast(posted["id"])["state"] == "dismissed")
    assert channel.toast(posted["id"])["action"] == "retry"
    shown(page, 0)


def test_a_click_leads_back_to_the_page_of_the_channel(allowed, channel):
    page = allowed.page
    turn_on(page)
    look_away(page, True)
    channel.post("It broke", role="error", duration="indefinite")
    shown(page, 1)
    # Its address names the channel, too, but it does not show it.
    page.context.new_page().goto(f"{channel.base}/guide.html?channel={channel.name}")
    (worker,) = page.context.service_workers
    # The browser allows no focus without a real click, so the calls are recorded.
    asked = worker.evaluate("""async () => {
      const asked = [];
      WindowClient.prototype.focus = async function () { asked.push(["focus", this.url]); };
      clients.openWindow = async (url) => { asked.push(["open", url]); };
      const [notification] = await registration.getNotifications();
      const event = new NotificationEvent("notificationclick", { notification });
      let work;
      event.waitUntil = (promise) => { work = promise; };
      dispatchEvent(event);
      await work;
      return asked;
    }""")
    assert asked == [["focus", page.url]]
    shown(page, 0)


def test_no_notification_is_shown_while_another_tab_of_the_channel_is_visible(allowed, watch, channel):
    page = allowed.page
    turn_on(page)
    look_away(page, True)
    other = watch(page.context.new_page()).open()
    channel.post("Seen there", role="error", duration="indefinite")
    expect(other.toast("Seen there")).to_be_visible()
    page.wait_for_function("() => document.querySelector('toast-viewer').toasts.length === 1")
    assert page.evaluate(SHOWN) == []
    look_away(other.page, True)
    channel.configure(mode="stack", maxVisible=5)
    channel.post("Seen nowhere", role="error", duration="indefinite")
    # Two tabs, one notification.
    shown_when(page, lambda all: [it["body"] for it in all] == ["Seen nowhere"])


def test_notifications_stay_on_after_a_reload_and_can_be_turned_off(allowed, channel):
    page = allowed.page
    turn_on(page)
    page.reload()
    page.locator("[data-connection=open]").wait_for()
    toggle = page.get_by_role("switch", name="Notifications while the page is hidden")
    expect(toggle).to_be_checked()
    toggle.uncheck()
    look_away(page, True)
    channel.post("Not any more", role="error", duration="indefinite")
    page.wait_for_function("() => document.querySelector('toast-viewer').toasts.length === 1")
    assert page.evaluate(SHOWN) == []


def test_a_refusal_is_explained(new_context, watch):
    page = watch(new_context(permissions=[]).new_page()).open().page
    toggle = page.get_by_role("switch", name="Notifications while the page is hidden")
    state = page.locator("[data-form=away] [data-state]")
    # A browser without a person to ask refuses the permission.
    if toggle.is_enabled():
        toggle.click()
    expect(toggle).not_to_be_checked()
    expect(toggle).to_be_disabled()
    expect(state).to_contain_text("blocks notifications")


def test_notifications_stay_off_if_the_worker_fails_to_register_which_is_tried_again(allowed):
    page = allowed.page
    page.evaluate("""() => {
      const { register } = ServiceWorkerContainer.prototype;
      ServiceWorkerContainer.prototype.register = () => {
        ServiceWorkerContainer.prototype.register = register;
        return Promise.reject(new TypeError("Failed to register a ServiceWorker"));
      };
    }""")
    toggle = page.get_by_role("switch", name="Notifications while the page is hidden")
    state = page.locator("[data-form=away]").get_by_role("status")
    # A live region has to exist before it has text.
    expect(state).to_be_empty()
    toggle.click()
    expect(state).to_contain_text("could not set up")
    expect(toggle).not_to_be_checked()
    turn_on(page)
    expect(toggle).to_be_checked()
