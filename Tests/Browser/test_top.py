"""Toasts stay on top, reachable and announced: dialogs, popovers, full screen, and their removal."""

import pytest
from playwright.sync_api import expect

from conftest import SPOKEN, settled, spoken

SHADOW_DIALOG = """() => {
  const host = document.body.appendChild(document.createElement("div"));
  host.id = "widget";
  const root = host.attachShadow({ mode: "open" });
  const dialog = root.appendChild(document.createElement("dialog"));
  dialog.append("In a shadow root", Object.assign(document.createElement("button"), { textContent: "Widget button" }));
  window.viewer = document.querySelector("toast-viewer");
  dialog.showModal();
  window.shadowDialog = dialog;
}"""

DIALOG = """() => {
  const dialog = document.body.appendChild(document.createElement("dialog"));
  dialog.id = "modal";
  dialog.append(Object.assign(document.createElement("button"), { textContent: "Inside" }));
  window.viewer = document.querySelector("toast-viewer");
  dialog.showModal();
}"""

POPOVER = """() => {
  const popover = document.body.appendChild(document.createElement("div"));
  popover.id = "menu";
  popover.popover = "auto";
  window.viewer = document.querySelector("toast-viewer");
  popover.showPopover();
}"""


def show_in_dialog(viewer, channel, text):
    """Shows a toast, and opens a dialog, into which the viewer moves."""
    channel.post(text, duration="indefinite")
    expect(viewer.toast(text)).to_be_visible()
    viewer.page.evaluate(DIALOG)
    viewer.page.wait_for_function("() => viewer.parentNode === modal")


def close(viewer, text):
    """Closes a toast with a real click, which an inert toast would not receive."""
    settled(viewer.toast(text)).get_by_role("button", name="Dismiss").click()
    expect(viewer.toast(text)).to_have_count(0)


def test_b9_a_modal_dialog_in_a_shadow_root(viewer, channel):
    page = viewer.page
    channel.post("Was there", duration="indefinite")
    expect(viewer.toast("Was there")).to_be_visible()
    page.evaluate(SHADOW_DIALOG)
    page.wait_for_function("() => viewer.parentNode === shadowDialog")
    close(viewer, "Was there")
    channel.post("Came later", duration="indefinite")
    close(viewer, "Came later")
    assert page.evaluate("shadowDialog.open")
    page.evaluate("shadowDialog.close()")
    page.wait_for_function("() => viewer.parentNode === document.body")
    channel.post("At home", duration="indefinite")
    close(viewer, "At home")


def test_b9_full_screen_and_a_popover_that_comes_later(viewer, channel):
    page = viewer.page
    channel.post("Before", duration="indefinite")
    expect(viewer.toast("Before")).to_be_visible()
    page.evaluate("""() => {
      const it = document.body.appendChild(document.createElement("div"));
      it.id = "cover";
      it.popover = "manual";
      it.style.cssText = "inset: 0; width: 100%; height: 100%";
      it.showPopover();
    }""")
    close(viewer, "Before")
    page.evaluate("cover.hidePopover()")
    channel.post("In the dark", duration="indefinite")
    expect(viewer.toast("In the dark")).to_be_visible()
    page.evaluate("""() => {
      const film = document.querySelector("main");
      return film.requestFullscreen();
    }""")
    page.wait_for_function("() => document.fullscreenElement !== null")
    close(viewer, "In the dark")
    assert page.evaluate("document.fullscreenElement !== null")
    page.evaluate("document.exitFullscreen()")


def test_b9_a_dialog_that_is_taken_out_of_the_page_does_not_take_the_toasts_with_it(viewer, channel):
    page = viewer.page
    show_in_dialog(viewer, channel, "Survivor")
    page.evaluate("modal.remove()")
    page.wait_for_function("() => viewer.parentNode === document.body")
    close(viewer, "Survivor")


REPLACED = {
    "at once": "() => modal.replaceChildren('Step 2')",
    # As htmx does.
    "one by one": "() => { modal.prepend('Step 2'); while (modal.childNodes.length > 1) { modal.childNodes[1].remove(); } }",
    "and closed": "() => { modal.replaceChildren('Step 2'); modal.close(); }",
}


@pytest.mark.parametrize("way", REPLACED)
@pytest.mark.parametrize("move_before", [True, False])
def test_b9_a_dialog_whose_content_is_replaced_does_not_take_the_toasts_with_it(viewer, channel, way, move_before):
    page = viewer.page
    if not move_before:
        page.evaluate("delete Element.prototype.moveBefore")
    show_in_dialog(viewer, channel, "Step 1")
    page.evaluate(REPLACED[way])
    page.wait_for_function("() => viewer.parentNode === (modal.open ? modal : document.body)")
    close(viewer, "Step 1")
    # The stream is still there.
    channel.post("Later", duration="indefinite")
    expect(viewer.toast("Later")).to_be_visible()
    page.evaluate("modal.close()")
    page.wait_for_function("() => viewer.parentNode === document.body")
    assert page.evaluate("modal.childNodes.length") == 1
    close(viewer, "Later")


def test_b9_a_viewer_that_the_page_removes_from_a_dialog_stays_away(viewer, channel):
    page = viewer.page
    show_in_dialog(viewer, channel, "Shown")
    page.evaluate("viewer.remove()")
    page.evaluate("() => { modal.replaceChildren('Step 2'); modal.close(); }")
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    assert not page.evaluate("viewer.isConnected")
    assert page.evaluate("viewer.connection") != "open"


def test_b9_full_screen_whose_content_is_replaced_keeps_the_toasts(viewer, channel):
    page = viewer.page
    channel.post("Still here", duration="indefinite")
    expect(viewer.toast("Still here")).to_be_visible()
    page.evaluate("""() => {
      window.viewer = document.querySelector("toast-viewer");
      window.film = document.body.appendChild(document.createElement("div"));
      film.append("Part 1");
      return film.requestFullscreen();
    }""")
    page.wait_for_function("() => viewer.parentNode === film")
    page.evaluate("film.replaceChildren('Part 2')")
    page.wait_for_function("() => viewer.parentNode === film")
    close(viewer, "Still here")
    page.evaluate("document.exitFullscreen()")
    page.wait_for_function("() => viewer.parentNode === document.body")


def test_b9_a_viewer_whose_place_is_removed_while_it_is_in_a_dialog_goes_too(viewer, channel):
    page = viewer.page
    page.evaluate("() => { window.place = document.body.appendChild(document.createElement('div')); place.id = 'place'; place.append(document.querySelector('toast-viewer')); }")
    show_in_dialog(viewer, channel, "Shown")
    page.evaluate("place.remove()")
    channel.post("Another", duration="indefinite")
    page.wait_for_function("() => !viewer.isConnected")
    page.evaluate("() => { modal.close(); document.body.append(place); }")
    # The viewer is where the page has put it, and shows the present toasts.
    expect(viewer.toast("Shown")).to_be_visible()
    assert page.evaluate("viewer.parentNode.id") == "place"


@pytest.mark.parametrize("way", ["menu.remove()", "menu.replaceChildren('Later')"])
def test_b9_a_popover_that_is_taken_out_of_the_page_does_not_take_the_toasts_with_it(viewer, channel, way):
    page = viewer.page
    page.evaluate("""() => {
      window.viewer = document.querySelector("toast-viewer");
      window.menu = document.body.appendChild(document.createElement("div"));
      menu.popover = "auto";
      menu.showPopover();
    }""")
    channel.post("Survivor", duration="indefinite")
    page.wait_for_function("() => viewer.shadowRoot.querySelector('[part=region][data-placement]')")
    settled(viewer.toast("Survivor")).hover()
    page.wait_for_function("() => viewer.parentNode === menu")
    page.evaluate(way)
    page.wait_for_function("() => viewer.parentNode === document.body")
    close(viewer, "Survivor")


def test_b9_a_browser_without_move_before_loses_no_toast(viewer, channel):
    page = viewer.page
    page.evaluate("delete Element.prototype.moveBefore")
    channel.post("Old browser", duration="indefinite")
    expect(viewer.toast("Old browser")).to_be_visible()
    viewer.toasts.evaluate("(it) => { it.mark = true; }")
    page.evaluate(DIALOG)
    page.wait_for_function("() => viewer.parentNode === modal")
    assert viewer.toast("Old browser").evaluate("(it) => it.mark")
    page.evaluate("modal.close()")
    page.wait_for_function("() => viewer.parentNode === document.body")
    assert viewer.toast("Old browser").evaluate("(it) => it.mark")
    close(viewer, "Old browser")


def test_b9_a_dialog_that_was_open_before_the_viewer_could_move_costs_nothing(viewer, channel):
    """Without `moveBefore` the viewer must recognise its own moves: a removal would end the stream and draw anew."""
    page, late = viewer.page, []
    page.evaluate("delete Element.prototype.moveBefore")
    page.route("**/lazy/interaction.js", lambda route: late.append(route))
    with page.expect_request("**/lazy/interaction.js"):
        channel.post("Early", duration="indefinite")
    expect(viewer.toast("Early")).to_be_visible()
    viewer.toasts.evaluate("(it) => { it.mark = true; }")
    page.evaluate(DIALOG)
    late.pop().continue_()
    page.wait_for_function("() => viewer.parentNode === modal")
    assert viewer.toast("Early").evaluate("(it) => it.mark")


def test_b11_nothing_is_said_again_when_the_viewer_moves(viewer, channel):
    page = viewer.page
    page.evaluate(SPOKEN)
    channel.post("Once only", duration="indefinite")
    spoken(viewer, 1)
    # Within a second the announcement is still in its live region, and moves with it.
    page.evaluate(DIALOG)
    page.wait_for_function("() => viewer.parentNode === modal")
    assert page.evaluate("[...viewer.shadowRoot.querySelectorAll('[role=status], [role=alert]')].every((it) => !it.firstChild)")
    page.evaluate("modal.close()")
    channel.post("And another")
    channel.configure(mode="stack", maxVisible=3)
    assert [text for _, text in spoken(viewer, 2)] == ["information, Once only", "information, And another"]


def test_b28_a_click_on_a_toast_leaves_a_dialog_that_closes_by_clicks_outside_open(viewer, channel):
    page = viewer.page
    page.evaluate(DIALOG)
    page.evaluate("modal.closedBy = 'any'")
    channel.post("Click me", duration="indefinite")
    close(viewer, "Click me")
    assert page.evaluate("modal.open")


def test_b28_a_click_on_a_toast_leaves_a_light_popover_open(viewer, channel):
    # A click outside closes the dialog: during the press the toasts are inside.
    page = viewer.page
    page.evaluate(POPOVER)
    channel.post("Click me", duration="indefinite")
    assert page.evaluate("menu.matches(':popover-open')")
    # The code that moves the viewer into popovers is loaded with the first toast.
    page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[part=region][data-placement]')")
    close(viewer, "Click me")
    assert page.evaluate("menu.matches(':popover-open')")


def test_the_viewer_leaves_a_popover_also_when_the_toast_under_the_pointer_goes(viewer, channel):
    page = viewer.page
    posted = channel.post("Gone when pointed at", duration="indefinite")
    page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[part=region][data-placement]')")
    page.evaluate(POPOVER)
    # The browser has not seen the pointer over the moved viewer, so it sends no `pointerleave`.
    page.evaluate("""(id) => viewer.addEventListener("pointerover", () => {
      window.place = viewer.parentNode;
      viewer.dismiss(id);
    }, { once: true })""", posted["id"])
    box = settled(viewer.toast("Gone when pointed at")).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("toast-viewer [part~=toast]")).to_have_count(0)
    assert page.evaluate("place === menu")
    page.mouse.move(5, 700)
    page.wait_for_function("() => viewer.parentNode === document.body")
    assert page.evaluate("menu.matches(':popover-open')")


def test_b34_the_page_can_be_used_while_toasts_come_and_go(viewer, channel):
    page = viewer.page
    page.evaluate("() => { document.startViewTransition = () => { throw new Error('A transition of the whole page'); }; }")
    button = page.locator("[data-connection]")
    page.evaluate("() => { window.clicks = 0; document.querySelector('[data-connection]').addEventListener('click', () => { clicks += 1; }); }")
    channel.configure(mode="replaceAll", minimumVisible=0)
    for index in range(8):
        channel.post(f"Toast {index}", duration="indefinite", placement="bottom")
        button.click()
        expect(viewer.toast(f"Toast {index}")).to_be_visible()
        button.click()
    assert page.evaluate("clicks") == 16


@pytest.mark.parametrize("is_open", [False, True])
def test_b9_a_viewer_whose_top_layer_is_turned_on_moves_into_dialogs(viewer, channel, is_open):
    page = viewer.page
    page.evaluate("() => document.querySelector('toast-viewer').setAttribute('top-layer', 'off')")
    channel.post("Below", duration="indefinite")
    page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[part=region][data-placement]')")
    if is_open:
        page.evaluate(DIALOG)
        assert page.evaluate("viewer.parentNode !== modal")
    page.evaluate("() => document.querySelector('toast-viewer').removeAttribute('top-layer')")
    if not is_open:
        page.evaluate("() => new Promise(requestAnimationFrame)")
        page.evaluate(DIALOG)
    page.wait_for_function("() => viewer.parentNode === modal")
    close(viewer, "Below")


def test_b9_a_viewer_whose_top_layer_is_turned_off_stays_in_its_dialog(viewer, channel):
    page = viewer.page
    channel.configure(mode="stack", maxVisible=3)
    show_in_dialog(viewer, channel, "Shown")
    page.evaluate("() => viewer.setAttribute('top-layer', 'off')")
    channel.post("In the dialog that is still open", duration="indefinite")
    expect(viewer.toast("In the dialog")).to_be_visible()
    assert page.evaluate("viewer.parentNode === modal")
    page.evaluate("modal.close()")
    page.wait_for_function("() => viewer.parentNode === document.body")
    page.evaluate("async () => { modal.showModal(); await new Promise((done) => setTimeout(() => requestAnimationFrame(done))); }")
    assert page.evaluate("viewer.parentNode === document.body")
