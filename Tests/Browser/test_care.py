"""Focus, announcements and hostile input."""

import re

import pytest
from playwright.sync_api import expect

from conftest import SPOKEN, settled, spoken, swipeable

PAYLOADS = [
    "<script>isHacked = true</script>",
    "<img src=x onerror='isHacked = true'>",
    "<svg onload='isHacked = true'>",
    "\"><iframe srcdoc='<script>parent.isHacked = true</script>'>",
    "{{constructor.constructor('isHacked = true')()}}",
    "javascript:isHacked=true",
    "</p></li></ol><style>* { display: none }</style>",
    "&lt;b&gt; &amp; <b>bold</b> **bold** `code` %@ $(id)",
    "\u202e\u0000\ufeff right to left".replace("\u0000", ""),
]

FOCUSINS = """() => {
  window.focusins = 0;
  document.querySelector("toast-viewer").shadowRoot.addEventListener("focusin", () => { focusins += 1; });
}"""


@pytest.mark.parametrize("payload", PAYLOADS)
def test_b15_hostile_text_is_only_text(viewer, channel, payload):
    channel.post(
        payload, title=payload, duration="indefinite", icon=None if "\u202e" in payload else "star.fill",
        actions=[{"id": "a", "title": payload}], data={"x": payload},
    )
    toast = settled(viewer.toasts)
    expect(toast.locator("[part=message]")).to_have_text(payload, use_inner_text=False)
    expect(toast.locator("[part~=action]")).to_have_text(payload)
    assert toast.locator("[part=message]").evaluate("(it) => it.childElementCount") == 0
    expect(viewer.page.locator("[data-log] li").first).to_be_visible()


def test_b32_the_policy_is_strict(page, server):
    response = page.goto(server.base)
    policy = response.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "require-trusted-types-for 'script'" in policy


def test_b8_toasts_do_not_take_the_focus(viewer, channel):
    page = viewer.page
    page.evaluate(FOCUSINS)
    field = page.locator("[data-form=compose]").get_by_label("Message")
    field.fill("")
    channel.configure(mode="replaceAll")
    written = "Nothing that arrives may disturb a person who writes."
    for index, letter in enumerate(written):
        if index % 10 == 0:
            channel.post(f"Toast {index}", role="error", duration="indefinite", actions=[{"id": "a", "title": "Press me"}])
        field.press_sequentially(letter)
    expect(viewer.toast("Toast 50")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_value(written)
    assert page.evaluate("focusins") == 0


def test_the_focus_goes_back_when_a_focused_toast_ends(viewer, channel):
    field = viewer.page.locator("[data-form=compose]").get_by_label("Message")
    field.focus()
    posted = channel.post("Soon gone", duration="indefinite", actions=[{"id": "a", "title": "Answer"}])
    expect(viewer.toast("Soon gone")).to_be_visible()
    viewer.page.evaluate("document.querySelector('toast-viewer').holds = 'off'")
    viewer.page.keyboard.press("F8")
    viewer.page.keyboard.press("Tab")
    assert viewer.focused == "action"
    channel.dismiss(posted["id"])
    expect(viewer.toasts).to_have_count(0)
    expect(field).to_be_focused()


def test_tab_goes_through_a_toast_in_the_order_it_is_read(viewer, channel):
    channel.post("In order", duration="indefinite", actions=[{"id": "a", "title": "One"}, {"id": "b", "title": "Two"}])
    expect(viewer.toast("In order")).to_be_visible()
    viewer.page.keyboard.press("F8")
    expect(viewer.toast("In order").locator("[role=group]")).to_be_focused()
    order = []
    for _ in range(3):
        viewer.page.keyboard.press("Tab")
        order.append(viewer.focused)
    assert order == ["action", "action", "close"]


def test_b31_every_button_has_a_name_that_starts_with_what_is_seen(viewer, channel):
    channel.post("Named", title="A title", duration="indefinite", actions=[{"id": "a", "title": "Undo"}])
    toast = viewer.toast("Named")
    expect(toast.get_by_role("button", name="Undo", exact=True)).to_be_visible()
    expect(toast.get_by_role("button", name="Dismiss: A title", exact=True)).to_be_visible()
    expect(viewer.page.get_by_role("region", name="Notifications (F8)")).to_have_count(1)
    expect(viewer.page.get_by_role("group", name=re.compile("^Info: A title: Named"))).to_be_visible()


def test_targets_are_large_enough(viewer, channel):
    for style in ("glass", "notification", "capsule", "retro"):
        posted = channel.post("Targets", style=style, duration="indefinite", actions=[{"id": "a", "title": "Undo"}])
        for button in settled(viewer.toast("Targets")).get_by_role("button").all():
            box = button.bounding_box()
            assert box["width"] >= 24 and box["height"] >= 24, (style, box)
        channel.dismiss(posted["id"])
        expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


def test_b14_each_toast_is_announced_once_and_errors_at_once(viewer, channel):
    viewer.page.evaluate(SPOKEN)
    channel.post("All is well", role="success", duration=3)
    channel.post("All is lost", role="error", title="Alas", duration="indefinite")
    said = [["status", "success, All is well"], ["alert", "error, Alas. All is lost"]]
    assert spoken(viewer, 2) == said
    # What is said of the next toast shows that nothing was said twice.
    channel.configure(mode="stack", maxVisible=3)
    channel.post("And another", duration="indefinite")
    assert spoken(viewer, 3) == [*said, ["status", "information, And another"]]
    assert viewer.page.evaluate("lateRegions") == 0


def test_progress_is_not_announced_but_its_end_is(viewer, channel):
    viewer.page.evaluate(SPOKEN)
    posted = channel.post("holiday.mov", title="Uploading", duration="indefinite", progress={"value": 0, "total": 1})
    expect(viewer.toasts).to_be_visible()
    for value in (0.3, 0.6, 1):
        channel.patch(posted["id"], progress={"value": value, "total": 1})
    expect(viewer.toasts.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "1")
    channel.patch(posted["id"], progress=None, title="Uploaded", role="success")
    assert spoken(viewer, 2) == [["status", "information, Uploading. holiday.mov"], ["status", "success, Uploaded. holiday.mov"]]


def test_b12_visible_toasts_are_not_live(viewer, channel):
    channel.post("Seen, not heard twice", duration="indefinite")
    expect(viewer.toasts).to_be_visible()
    live = viewer.toasts.locator("[part=message]").evaluate("""(it) => {
      const found = [];
      for (let node = it; node; node = node.parentElement ?? node.getRootNode().host) {
        if (node.matches("[role=status],[role=alert],[role=log],[aria-live]:not([aria-live=off])")) found.push(node.tagName);
      }
      return found;
    }""")
    assert live == []


def test_toasts_are_above_a_later_popover_and_fullscreen_layer(viewer, channel):
    page = viewer.page
    page.evaluate("""() => {
      const it = document.body.appendChild(document.createElement("div"));
      it.popover = "manual";
      it.style.cssText = "inset: 0; width: 100%; height: 100%";
      it.showPopover();
    }""")
    channel.post("On top", duration="indefinite")
    viewer.toast("On top").get_by_role("button", name="Dismiss").click()
    expect(viewer.toasts).to_have_count(0)


def test_clicks_beside_a_toast_reach_the_page(viewer, channel):
    channel.post("Out of the way", duration="indefinite")
    expect(viewer.toast("Out of the way")).to_be_visible()
    form = viewer.page.locator("[data-form=compose]")
    form.get_by_text("Vibrant", exact=True).click()
    expect(form.locator("[value=vibrant]")).to_be_checked()


DIALOGS = """() => {
  for (const name of ["first", "second"]) {
    const dialog = document.body.appendChild(document.createElement("dialog"));
    dialog.id = name;
    dialog.append(name, Object.assign(document.createElement("button"), { textContent: `Button of the ${name}` }));
  }
  first.showModal();
}"""


def test_b9_a_toast_can_be_used_and_heard_above_a_modal_dialog(viewer, channel):
    page = viewer.page
    page.evaluate(SPOKEN)
    channel.post("Before the dialog", duration="indefinite")
    expect(viewer.toast("Before the dialog")).to_be_visible()
    page.evaluate(DIALOGS)
    expect(page.locator("#first toast-viewer")).to_have_count(1)
    viewer.toast("Before the dialog").get_by_role("button", name="Dismiss").click()
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)
    channel.post("Above the dialog", duration="indefinite", actions=[{"id": "a", "title": "Answer"}])
    # If it were inert or hidden, it would not be found by its role.
    viewer.toast("Above the dialog").get_by_role("button", name="Answer").click()
    expect(viewer.page.locator("toast-viewer [part~=toast]")).to_have_count(0)
    assert page.locator("#first").evaluate("(it) => it.open")
    assert [text for _, text in spoken(viewer, 2)] == [
        "information, Before the dialog", "information, Above the dialog. Answer: press F8.",
    ]


def test_b27_escape_in_a_toast_leaves_the_dialog_below_open(viewer, channel):
    page = viewer.page
    page.evaluate(DIALOGS)
    channel.post("Above the dialog", duration="indefinite")
    expect(viewer.toast("Above the dialog")).to_be_visible()
    # The code that moves the viewer into dialogs is loaded with the first toast.
    expect(page.locator("#first > toast-viewer")).to_have_count(1)
    page.keyboard.press("F8")
    page.keyboard.press("Escape")
    expect(page.locator("toast-viewer [part~=toast]")).to_have_count(0)
    assert page.locator("#first").evaluate("(it) => it.open")
    page.keyboard.press("Escape")
    assert not page.locator("#first").evaluate("(it) => it.open")


def test_b9_the_viewer_goes_home_through_nested_dialogs(viewer, channel):
    page = viewer.page
    channel.post("On its way", duration="indefinite")
    expect(viewer.toast("On its way")).to_be_visible()
    viewer.toasts.evaluate("(it) => { it.mark = true; }")
    page.evaluate(DIALOGS)
    expect(page.locator("#first > toast-viewer")).to_have_count(1)
    page.evaluate("second.showModal()")
    expect(page.locator("#second > toast-viewer")).to_have_count(1)
    page.evaluate("second.close()")
    expect(page.locator("#first > toast-viewer")).to_have_count(1)
    page.evaluate("first.close()")
    expect(page.locator("body > toast-viewer")).to_have_count(1)
    # It is still the same element: nothing was drawn or loaded anew.
    assert viewer.toasts.evaluate("(it) => it.mark")
    viewer.toast("On its way").get_by_role("button", name="Dismiss").click()
    expect(page.locator("toast-viewer [part~=toast]")).to_have_count(0)


ELSEWHERE = """() => {
  customElements.define("a-form", class extends HTMLElement {
    constructor() {
      super();
      this.attachShadow({ mode: "open" }).append(document.createElement("input"), document.createElement("textarea"));
    }
  });
  document.body.prepend(document.createElement("a-form"));
  const link = document.createElementNS("http://www.w3.org/2000/svg", "a");
  link.setAttribute("href", "#");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.append(link);
  document.body.prepend(svg);
}"""


@pytest.mark.parametrize("origin", ["svg a", "a-form textarea"])
@pytest.mark.parametrize("way", ["key", "click", "panel"])
def test_the_focus_goes_back_to_wherever_it_was(viewer, channel, origin, way):
    page = viewer.page
    page.evaluate(ELSEWHERE)
    channel.post("Soon gone", duration="indefinite")
    swipeable(settled(viewer.toast("Soon gone")))
    field = page.locator(origin)
    field.focus()
    if way == "panel":
        page.evaluate("document.querySelector('toast-viewer').showHistory()")
        expect(page.get_by_role("dialog", name="History")).to_be_visible()
        page.keyboard.press("Escape")
    elif way == "key":
        page.keyboard.press("F8")
        page.keyboard.press("Escape")
    else:
        viewer.toast("Soon gone").get_by_role("button", name="Dismiss").click()
    expect(field).to_be_focused()


def test_stacked_combining_marks_stay_in_their_toast(viewer, channel):
    """A title and a label with as many combining marks as the server accepts are cut at the edge of the toast."""
    page = viewer.page
    tower = "a" + "\u0300" * 64
    page.set_viewport_size({"width": 800, "height": 600})
    page.evaluate("() => { for (const it of document.body.children) { if (it.localName !== 'toast-viewer') { it.style.visibility = 'hidden'; } } }")
    channel.post("Marked", title=tower, placement="center", duration="indefinite", actions=[{"id": "a", "title": tower}])
    toast = swipeable(settled(viewer.toast("Marked")))
    page.wait_for_function("() => performance.getEntriesByName(location.origin + '/styles/stage.css').length > 0")
    box = toast.bounding_box()
    strip = {"x": box["x"], "y": box["y"] - 60, "width": box["width"], "height": 40}
    expect(toast.locator("[part=title]")).not_to_have_css("clip-path", "none")
    before = page.screenshot(clip=strip)
    toast.evaluate("(it) => { it.style.visibility = 'hidden'; }")
    assert page.screenshot(clip=strip) == before
    # An accent above a capital is not cut.
    room = "(it) => parseFloat(getComputedStyle(it).clipPath.slice('inset('.length)) / parseFloat(getComputedStyle(it).fontSize)"
    assert toast.locator("[part=title]").evaluate(room) <= -0.4
