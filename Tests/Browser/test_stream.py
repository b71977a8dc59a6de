"""Streams that are lost, and what a person sees of that."""

import pytest
from playwright.sync_api import expect

from conftest import settled, swipeable


def test_a_dropped_stream_resumes_without_doubles(page, watch, channel, proxy):
    viewer = watch(page, proxy.base).open()
    channel.post("Before the drop", duration="indefinite")
    expect(viewer.toast("Before the drop")).to_have_count(1)
    viewer.toasts.evaluate("(it) => { it.mark = true; }")
    page.evaluate("""() => {
      window.shown = [];
      document.querySelector("toast-viewer").addEventListener("toast-show", (event) => shown.push(event.detail.toast.message));
    }""")
    proxy.is_refusing = True
    proxy.cut()
    expect(page.locator("[data-connection=offline]")).to_be_visible()
    missed = channel.post("While it was away", duration="indefinite")
    channel.dismiss(missed["id"])
    channel.post("Also while it was away", duration="indefinite")
    proxy.is_refusing = False
    expect(page.locator("[data-connection=open]")).to_be_visible()
    expect(page.locator("[data-log] [data-type=resumed]")).to_have_count(1)
    expect(page.locator("[data-log] [data-type=enqueued]")).to_have_count(3)
    # The card is the same one: it was neither drawn nor announced again.
    expect(viewer.toast("Before the drop")).to_have_count(1)
    assert viewer.toast("Before the drop").evaluate("(it) => it.mark")
    assert page.evaluate("shown") == []
    viewer.toast("Before the drop").get_by_role("button", name="Dismiss").click()
    expect(viewer.toast("Also while it was away")).to_be_visible()
    assert page.evaluate("shown") == ["Also while it was away"]


def test_a_new_page_shows_what_is_on_the_screen(page, watch, channel, new_context):
    watch(page).open()
    channel.post("Already here", duration="indefinite")
    expect(page.locator("toast-viewer [part~=toast]")).to_have_count(1)
    late = watch(new_context().new_page()).open()
    expect(late.toast("Already here")).to_be_visible()


def test_all_viewers_show_the_same(page, watch, channel, new_context):
    here = watch(page).open()
    there = watch(new_context().new_page()).open()
    channel.post("For both", duration="indefinite")
    expect(here.toast("For both")).to_be_visible()
    there.toast("For both").get_by_role("button", name="Dismiss").click()
    expect(here.toasts).to_have_count(0)


def answerable(toast):
    """A toast for which the code that sends answers is loaded: it could not be loaded without the server."""
    toast.evaluate("""async () => {
      const isThere = () => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/lazy/answers.js"));
      while (!isThere()) { await new Promise(requestAnimationFrame); }
    }""")
    return swipeable(toast)


def test_a_toast_that_is_closed_while_the_server_is_away_stays_closed(page, watch, channel, proxy):
    viewer = watch(page, proxy.base).open()
    toast = channel.post("Enough", duration="indefinite")
    answerable(viewer.toast("Enough"))
    proxy.is_refusing = True
    proxy.cut()
    expect(page.locator("[data-connection=offline]")).to_be_visible()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/dismiss")):
        viewer.toast("Enough").get_by_role("button", name="Dismiss").click()
    expect(viewer.toasts).to_have_count(0)
    proxy.is_refusing = False
    expect(page.locator("[data-connection=open]")).to_be_visible()
    # Now the server gets the dismissal, with the person's reason.
    channel.wait(lambda: channel.toast(toast["id"])["state"] == "dismissed")
    assert channel.toast(toast["id"])["dismissReason"] == "close"
    expect(viewer.toasts).to_have_count(0)


def test_a_toast_whose_action_did_not_reach_the_server_comes_back(page, watch, channel, proxy):
    viewer = watch(page, proxy.base).open()
    channel.post("Not so fast", duration="indefinite", actions=[{"id": "undo", "title": "Undo"}])
    answerable(viewer.toast("Not so fast"))
    proxy.is_refusing = True
    proxy.cut()
    expect(page.locator("[data-connection=offline]")).to_be_visible()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/undo")):
        viewer.toast("Not so fast").get_by_role("button", name="Undo").click()
    expect(viewer.toast("Not so fast")).to_be_visible()


@pytest.mark.parametrize("has_rest", [True, False])
def test_a_server_that_is_away_does_not_leave_toasts_behind(page, watch, channel, proxy, has_rest):
    if not has_rest:
        # It ended while the rest of the viewer was loading.
        page.route("**/lazy/interaction.js", lambda route: route.abort())
    viewer = watch(page, proxy.base).open()
    channel.post("Short", duration=4)
    expect(viewer.toast("Short")).to_be_visible()
    proxy.is_refusing = True
    proxy.cut()
    expect(page.locator("toast-viewer [part=connection]")).to_be_visible()
    expect(viewer.toasts).to_have_count(0)


def test_another_channel_is_another_screen(viewer, channel):
    channel.post("Of the first", duration="indefinite")
    expect(viewer.toast("Of the first")).to_be_visible()
    viewer.page.evaluate("document.querySelector('toast-viewer').channel = 'another'")
    expect(viewer.toasts).to_have_count(0)


@pytest.mark.parametrize("placement", ["top", "bottom"])
@pytest.mark.parametrize("style", ["glass", "toaster"])
def test_the_notice_that_the_server_is_away_is_beside_the_toasts(page, watch, channel, proxy, placement, style):
    viewer = watch(page, proxy.base).open()
    channel.post("In the way", placement=placement, style=style, duration="indefinite")
    toast = swipeable(settled(viewer.toast("In the way")))
    proxy.is_refusing = True
    proxy.cut()
    sign = page.locator("toast-viewer [part=connection]")
    expect(sign).to_be_visible()
    page.wait_for_function("""() => {
      const [toast, sign] = ["toast", "connection"]
        .map((part) => document.querySelector("toast-viewer").shadowRoot.querySelector(`[part~=${part}]`).getBoundingClientRect());
      return toast.bottom < sign.top || sign.bottom < toast.top;
    }""")
    expect(toast).to_be_visible()
