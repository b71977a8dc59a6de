"""After a toast has had the focus, the focus and the scroll position of the page are as before."""

import pytest
from playwright.sync_api import expect

from conftest import settled
from feed import Bare, run

FOCUSED = "() => document.activeElement.id || document.activeElement.tagName"
LONG_PAGE = """() => {
  const [field, other] = ["field", "other"].map((id) => Object.assign(document.createElement("input"), { id }));
  const below = document.createElement("div");
  below.style.height = "3000px";
  document.querySelector("main").append(field, other, below);
}"""


@pytest.fixture
def local(page, channel, watching):
    bare = Bare(page, channel)
    watching.append(bare)
    bare.open("local")
    page.evaluate(LONG_PAGE)
    return bare


def show(local, message, options=""):
    run(local, f"toast('{message}', {{ duration: 'indefinite', {options} }})")
    # The code that passes the focus on is loaded with the first toast.
    local.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('[part=region][data-placement]')")
    return settled(local.toast(message))


def scrolled(page):
    """How far the page has scrolled, once the wheel has had its effect."""
    page.mouse.wheel(0, 1500)
    page.wait_for_function("() => scrollY === 1500")
    return page.evaluate("scrollY")


def test_closing_a_focused_toast_does_not_scroll_the_page(local):
    page = local.page
    toast = show(local, "Saved")
    page.locator("#field").click()
    before = scrolled(page)
    toast.get_by_role("button", name="Dismiss").click()
    expect(local.toasts).to_have_count(0)
    expect(page.locator("#field")).to_be_focused()
    assert page.evaluate("scrollY") == before
    # The next key press scrolls to the text field.
    page.keyboard.type("on")
    expect(page.locator("#field")).to_be_in_viewport()


@pytest.mark.parametrize("visit", ["closed", "left"])
@pytest.mark.parametrize("way", ["click", "key"])
def test_without_a_focus_before_no_element_gets_it_afterwards(local, visit, way):
    page = local.page
    show(local, "First")
    page.locator("#field").focus()
    page.keyboard.press("F8")
    if visit == "closed":
        page.keyboard.press("Escape")
        expect(page.locator("#field")).to_be_focused()
        toast = show(local, "Second")
    else:
        toast = local.toast("First")
    page.get_by_text("Some words.").click()
    assert page.evaluate(FOCUSED) == "BODY"
    before = scrolled(page)
    if way == "click":
        toast.get_by_role("button", name="Dismiss").click()
    else:
        page.keyboard.press("F8")
        page.keyboard.press("Delete")
    expect(local.toasts).to_have_count(0)
    assert page.evaluate(FOCUSED) == "BODY"
    assert page.evaluate("scrollY") == before


DETAILS = "actions: [{ title: 'Details', onPress: () => dialog.showModal() }]"


@pytest.mark.parametrize("is_alone", [True, False])
@pytest.mark.parametrize("way", ["click", "key"])
def test_a_dialog_that_a_toast_opens_gives_the_focus_back(local, way, is_alone):
    page = local.page
    page.evaluate("() => { document.body.append(Object.assign(document.createElement('dialog'), { id: 'dialog', textContent: 'All of it' })); }")
    if not is_alone:
        show(local, "Another")
    toast = show(local, "Failed", DETAILS)
    page.locator("#field").focus()
    if way == "click":
        toast.get_by_role("button", name="Details").click()
    else:
        page.keyboard.press("F8")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    expect(page.locator("#dialog > toast-viewer")).to_have_count(1)
    page.locator("#dialog").evaluate("(it) => it.close()")
    expect(page.locator("#field") if is_alone else local.toast("Another").get_by_role("group")).to_be_focused()


def frames(page):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("name", ["History", "Settings"])
def test_attributes_that_change_beside_an_open_panel_leave_the_focus_where_it_is(local, name):
    page = local.page
    show(local, "Saved")
    method = {"History": "showHistory", "Settings": "showPreferences"}[name]
    page.evaluate(f"() => {{ window.viewer = document.querySelector('toast-viewer'); return viewer.{method}(); }}")
    heading = page.locator("toast-viewer [part=panel-title]")
    expect(heading).to_be_focused()
    page.locator("#field").focus()
    page.evaluate("() => { viewer.max = 3; viewer.setAttribute('top-layer', 'off'); }")
    frames(page)
    expect(page.locator("#field")).to_be_focused()
    page.evaluate("() => { viewer.language = 'de'; }")
    expect(heading).to_have_text({"History": "Verlauf", "Settings": "Einstellungen"}[name])
    expect(page.locator("#field")).to_be_focused()
    # A focus in the panel stays in the new panel.
    heading.focus()
    page.evaluate("() => { viewer.language = 'en'; }")
    expect(heading).to_have_text(name)
    expect(heading).to_be_focused()


@pytest.mark.parametrize(("change", "name"), [("viewer.align = 'end'", "Settings"), ("viewer.language = 'de'", "Einstellungen")])
def test_an_attribute_that_changes_leaves_the_focus_in_the_toolbar(local, change, name):
    page = local.page
    page.evaluate("() => { window.viewer = document.querySelector('toast-viewer'); }")
    show(local, "Saved")
    page.keyboard.press("F8")
    page.get_by_role("button", name="Settings").focus()
    page.evaluate(f"() => {{ {change}; }}")
    expect(page.get_by_role("button", name=name)).to_be_focused()
    frames(page)
    expect(page.get_by_role("button", name=name)).to_be_focused()
    expect(page.locator("toast-viewer [part=toolbar]")).to_have_count(1)
