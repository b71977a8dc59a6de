"""Toasts that the page itself shows with an id that it has used before: each is a toast of its own."""

import pytest
from playwright.sync_api import expect

from conftest import SPOKEN, settled, spoken, swipeable
from feed import Bare, run

VIEWER = "document.querySelector('toast-viewer')"
# Shows a toast of a fixed id, whose button counts how often it is pressed.
OFFLINE = """
  window.pressed = 0;
  window.offline = (message, onPress = () => {}) => toast(message, {
    id: "net", duration: "indefinite", actions: [{ title: "Retry", onPress: () => { pressed += 1; onPress(); } }],
  });
"""


@pytest.fixture
def local(page, channel, watching):
    watching.append(Bare(page, channel))
    local = watching[-1].open("local")
    run(local, OFFLINE)
    return local


def retry(local, message):
    """The button of a toast."""
    return local.toast(message).get_by_role("button", name="Retry")


def test_each_toast_of_a_reused_id_is_announced_and_in_the_history(local):
    page = local.page
    page.evaluate(SPOKEN)
    for n in (1, 2):
        run(local, f"toast.error('Upload {n} failed', {{ id: 'up', duration: 'indefinite' }})")
        expect(local.toast(f"Upload {n} failed")).to_be_visible()
        assert spoken(local, n)[-1][1] == f"Error: Upload {n} failed"
        run(local, "toast.dismiss('up')")
        expect(local.toasts).to_have_count(0)
    run(local, "toast('Uploaded', { id: 'up', duration: 'indefinite' })")
    assert spoken(local, 3)[-1] == ["status", "Info: Uploaded"]
    memories = page.evaluate(f"{VIEWER}.history.map(({{ toast, reason }}) => [toast.message, reason ?? null])")
    assert memories == [["Uploaded", None], ["Upload 2 failed", "api"], ["Upload 1 failed", "api"]]


def test_an_action_may_show_a_toast_of_the_same_id(local):
    run(local, "offline('Offline', () => offline('Still offline'))")
    retry(local, "Offline").click()
    retry(local, "Still offline").click()
    expect(local.toasts).to_have_count(0)
    assert local.page.evaluate("pressed") == 2


def test_a_toast_may_reuse_the_id_of_one_that_leaves(local):
    page = local.page
    page.evaluate(f"""() => {{
      window.gone = [];
      {VIEWER}.addEventListener("toast-dismiss", ({{ detail: {{ toast, reason }} }}) => {{
        gone.push([toast.message, reason]);
        if (gone.length === 1) {{ offline("Still offline"); }}
      }});
    }}""")
    run(local, "offline('Offline')")
    local.toast("Offline").get_by_role("button", name="Dismiss").click()
    retry(local, "Still offline").click()
    # The card leaves at once; `toast-dismiss` is dispatched in the next frame.
    page.wait_for_function("() => gone.length === 2")
    expect(local.toasts).to_have_count(0)
    assert page.evaluate("pressed") == 1
    assert page.evaluate("gone") == [["Offline", "close"], ["Still offline", "action"]]


@pytest.mark.parametrize("touch", ["hover", "focus"])
def test_a_held_toast_that_has_ended_is_replaced_by_one_of_its_id(local, touch):
    page = local.page
    run(local, "offline('Offline')")
    swipeable(settled(local.toast("Offline")))
    if touch == "hover":
        box = local.toast("Offline").bounding_box()
        page.mouse.move(box["x"] + 5, box["y"] + 5)
        page.mouse.move(box["x"] + 9, box["y"] + 9)
    else:
        page.keyboard.press("F8")
    run(local, "toast.dismiss('net')")
    expect(page.locator("toast-viewer [part~=toast][data-state=ended]")).to_have_count(1)
    run(local, "offline('Offline again')")
    expect(local.toast("Offline again")).to_be_visible()
    expect(local.toasts).to_have_count(1)
    if touch == "focus":
        # It takes over the focus of the toast that it replaces.
        page.wait_for_function(f"() => {VIEWER}.shadowRoot.activeElement?.textContent.includes('again')")
    retry(local, "Offline again").click()
    expect(local.toasts).to_have_count(0)
    assert page.evaluate("pressed") == 1


@pytest.mark.parametrize("first", ["toast.error('You are offline', { duration: 'indefinite' })",
                                   "toast.promise(Promise.reject(new Error('You are offline')), { loading: 'Saving', error: (it) => it.message }).catch(() => {})"])
def test_loading_the_code_of_local_toasts_is_tried_until_it_succeeds(page, channel, watching, first):
    watching.append(Bare(page, channel))
    local = watching[-1].open("local")
    failed = []
    page.route("**/lazy/local-channel.js*", lambda route: (failed.append(route.request.url), route.abort()), times=1)
    run(local, first)
    expect(local.toast("You are offline")).to_be_visible()
    assert len(failed) == 1
