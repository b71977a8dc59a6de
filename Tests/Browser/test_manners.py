"""Focus, pointer and screen edges: ways in which toasts often annoy people."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import ROLES, SCHEMES, SPOKEN, settled, spoken, swipeable
from gallery import gallery, specimens

VIEWER = "document.querySelector('toast-viewer')"
STYLES = ["glass", "vibrant", "pale", "capsule", "notification", "retro", "toaster", "toastui", "snackbar", "material"]


SOLID = """() => {
  for (const host of document.querySelectorAll("main > div")) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*::before, *::after { content: none !important; } *, [role=group] { background-image: none !important; backdrop-filter: none !important; }");
    host.shadowRoot.adoptedStyleSheets.push(sheet);
  }
}"""


@pytest.fixture
def stack(viewer, channel):
    channel.configure(mode="stack", maxVisible=20)
    return viewer


@pytest.mark.parametrize("way", ["enter", "escape", "delete", "server", "timeout"])
def test_b7_the_focus_of_a_toast_that_goes_moves_to_the_next_or_back_to_the_page(stack, channel, way):
    page = stack.page
    start = page.locator("input[name=channel]")
    start.focus()
    posted = [channel.post(f"Toast {index}", duration="indefinite") for index in range(2)]
    expect(stack.toasts).to_have_count(2)
    if way in ("server", "timeout"):
        page.evaluate(f"{VIEWER}.holds = 'off'")
    page.keyboard.press("F8")
    for toast in reversed(posted):
        inside = page.evaluate(f"() => {VIEWER}.shadowRoot.activeElement !== null")
        assert inside
        if way == "enter":
            stack.toast(toast["message"]).get_by_role("button", name="Dismiss").focus()
            page.keyboard.press("Enter")
        elif way in ("escape", "delete"):
            page.keyboard.press(way.title())
        elif way == "server":
            channel.dismiss(toast["id"])
        else:
            channel.patch(toast["id"], duration=0.5)
        expect(stack.toast(toast["message"])).to_have_count(0)
    expect(stack.toasts).to_have_count(0)
    expect(start).to_be_focused()


def test_b13_messages_in_quick_succession_are_all_announced(stack, channel):
    stack.page.evaluate(SPOKEN)
    texts = ["One", "Two", "Two", "Three", "Four", "Two", "Five"]
    for index, text in enumerate(texts):
        channel.post(text, duration="indefinite")
        spoken(stack, index + 1)
    assert [text for _, text in spoken(stack, 7)] == [f"information, {text}" for text in texts]
    assert stack.page.evaluate("lateRegions") == 0


def test_b13_errors_interrupt_at_most_once_in_two_seconds(stack, channel):
    stack.page.evaluate(SPOKEN)
    channel.batch([{"message": f"Error {index}", "role": "error", "duration": "indefinite"} for index in range(3)])
    assert [role for role, _ in spoken(stack, 3)] == ["alert", "status", "status"]


def test_b18_closing_toasts_under_the_pointer_keeps_the_hold(stack, channel):
    page = stack.page
    posted = channel.batch([{"message": f"Toast {index}", "duration": "indefinite"} for index in range(5)])
    expect(stack.toasts).to_have_count(5)
    third = settled(stack.toasts.nth(2))
    third.hover()
    for each in posted["toasts"]:
        channel.patch(each["id"], duration=4)
    for count in (4, 3, 2):
        box = settled(stack.toasts.nth(min(2, count))).get_by_role("button", name="Dismiss").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.up()
        expect(stack.toasts).to_have_count(count)
    # Far longer than their duration, while the pointer is on one of the remaining toasts.
    settled(stack.toasts.nth(1)).hover()
    page.wait_for_timeout(4500)
    expect(stack.toasts).to_have_count(2)
    page.mouse.move(5, 700)
    expect(stack.toasts).to_have_count(0)


def test_b21_toasts_keep_clear_of_safe_area_insets(new_context, watch, channel):
    viewer = watch(new_context(viewport={"width": 390, "height": 800}).new_page())
    client = viewer.page.context.new_cdp_session(viewer.page)
    client.send("Emulation.setSafeAreaInsetsOverride", {"insets": {"top": 50, "bottom": 40, "left": 30, "right": 30}})
    viewer.open()
    channel.configure(mode="stack", maxVisible=3)
    channel.post("At the top", duration="indefinite", placement="top")
    channel.post("At the bottom", duration="indefinite", placement="bottom")
    top = settled(viewer.toast("At the top")).bounding_box()
    bottom = settled(viewer.toast("At the bottom")).bounding_box()
    assert top["y"] >= 50 and top["x"] >= 30 and top["x"] + top["width"] <= 360
    assert bottom["y"] + bottom["height"] <= 760


@pytest.mark.parametrize("inset", [16, {"top": 16}])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_b21_the_side_with_the_notch_is_the_same_in_each_direction(new_context, watch, channel, direction, inset):
    viewer = watch(new_context(viewport={"width": 390, "height": 800}).new_page())
    client = viewer.page.context.new_cdp_session(viewer.page)
    client.send("Emulation.setSafeAreaInsetsOverride", {"insets": {"top": 0, "bottom": 0, "left": 50, "right": 0}})
    viewer.open()
    viewer.page.evaluate("(direction) => { document.documentElement.dir = direction; }", direction)
    channel.configure(mode="stack", layout={"inset": inset, "maximumWidth": "unlimited"})
    channel.post("Beside the notch", duration="indefinite")
    box = settled(viewer.toast("Beside the notch")).bounding_box()
    assert box["x"] >= 50
    if inset == 16:
        assert round(390 - box["x"] - box["width"]) == 16
    viewer.page.evaluate(f"{VIEWER}.showHistory()")
    panel = settled(viewer.page.locator("toast-viewer [part=panel]")).bounding_box()
    assert panel["x"] >= 50 or direction == "ltr"


@pytest.mark.parametrize("placement", ["top", "bottom", "center"])
def test_b22_more_toasts_than_fit_on_the_screen_can_be_reached(new_context, watch, channel, placement):
    viewer = watch(new_context(viewport={"width": 320, "height": 480}).new_page()).open()
    page = viewer.page
    page.evaluate(f"{VIEWER}.setAttribute('max', '30')")
    channel.configure(mode="stack", maxVisible=30)
    channel.batch([
        {"message": "A line of words. " * (index % 7 + 1), "title": f"Toast {index}", "placement": placement, "duration": "indefinite"}
        for index in range(30)
    ])
    expect(viewer.toasts).to_have_count(30)
    # The code for arrow keys is loaded with the first toast.
    swipeable(viewer.toast("Toast 29"))
    page.keyboard.press("F8")
    # The order is reversed at the bottom.
    names = [f"Toast {index}" for index in (range(29, -1, -1) if placement == "bottom" else range(30))]
    for key, name in (("Home", names[0]), ("End", names[-1])):
        page.keyboard.press(key)
        page.wait_for_function(f"""(name) => {{
          const it = {VIEWER}.shadowRoot.activeElement;
          const {{ top, bottom }} = it.getBoundingClientRect();
          return it.querySelector("[part=title]").lastChild.data === name && top >= -1 && bottom <= 481;
        }}""", arg=name)


def test_b29_a_reused_id_is_another_toast(stack, channel):
    first = channel.post("First", duration="indefinite", reuseIdentifier="x", actions=[{"id": "a", "title": "Answer"}])
    expect(stack.toast("First").get_by_role("button", name="Answer")).to_be_visible()
    channel.dismiss(first["id"])
    second = channel.post("Second", duration="indefinite", reuseIdentifier="x")
    expect(stack.toast("Second")).to_be_visible()
    expect(stack.toast("Second").get_by_role("button")).to_have_count(1)
    channel.patch(second["id"], duration=1)
    expect(stack.toasts).to_have_count(0)


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_b30_axe_finds_no_violation_and_no_incomplete_result(new_context, server, scheme, direction):
    """Every style and role on one page, on a plain background, so that axe can compute the contrast."""
    page = new_context(color_scheme=scheme, viewport={"width": 1600, "height": 900}).new_page()
    toasts = [toast for style in STYLES for toast in specimens(style, ROLES)]
    gallery(page, server.base, toasts, background=None)
    page.evaluate("(dir) => { document.documentElement.dir = dir; }", direction)
    # Axe cannot compute contrast through translucency or a pseudo element, so their background is removed and no result
    # is incomplete. Their effect on the contrast is measured on the pixels, in test_look.py.
    page.evaluate(SOLID)
    results = Axe().run(page, options={"resultTypes": ["violations", "incomplete"]})
    found = [
        f"{kind} {item['id']}: {node['target']} {node.get('failureSummary', '')}"
        for kind in ("violations", "incomplete") for item in results.response[kind] for node in item["nodes"]
    ]
    assert not found, f"{len(found)} of axe:\n" + "\n".join(found[:12])


@pytest.mark.parametrize("what", ["History", "Settings"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_in_the_panel(new_context, watch, channel, scheme, what):
    viewer = watch(new_context(color_scheme=scheme).new_page()).open()
    channel.configure(mode="stack", maxVisible=3)
    for role in ROLES:
        channel.post("In the list", role=role, duration="indefinite")
    expect(viewer.toasts).to_have_count(3)
    viewer.page.evaluate(f"{VIEWER}.{'showHistory' if what == 'History' else 'showPreferences'}()")
    expect(viewer.page.get_by_role("dialog", name=what)).to_be_visible()
    # Half transparent, texts would have less contrast.
    viewer.page.wait_for_function(
        f"() => {VIEWER}.shadowRoot.getAnimations().every((it) => it.playState !== 'running')"
    )
    results = Axe().run(viewer.page, context="toast-viewer")
    found = [f"{item['id']}: {node['target']}" for item in results.response["violations"] for node in item["nodes"]]
    assert not found, "\n".join(found)


def test_the_panel_fits_a_small_screen_with_large_text(new_context, watch):
    viewer = watch(new_context(viewport={"width": 320, "height": 640}).new_page()).open()
    page = viewer.page
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    page.evaluate(f"{VIEWER}.showPreferences()")
    panel = page.get_by_role("dialog", name="Settings")
    expect(panel).to_be_visible()
    box = panel.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 320 and box["y"] >= 0 and box["y"] + box["height"] <= 640
    assert panel.evaluate("(it) => it.scrollWidth <= it.clientWidth")
    last = panel.get_by_label("Style")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()


@pytest.mark.parametrize(("how", "name"), [("showHistory", "Verlauf"), ("showPreferences", "Einstellungen")])
def test_what_is_in_the_panel_fits_in_long_words_and_large_text(new_context, watch, channel, how, name):
    page = new_context(locale="de-AT", viewport={"width": 320, "height": 640}).new_page()
    viewer = watch(page).open()
    channel.post("Die Platte ist voll.", role="warning", duration="indefinite")
    expect(viewer.toasts).to_have_count(1)
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    page.evaluate(f"{VIEWER}.{how}()")
    panel = page.get_by_role("dialog", name=name)
    expect(panel).to_be_visible()
    assert panel.evaluate("""(it) => {
      const { right } = it.getBoundingClientRect();
      return [...it.querySelectorAll("*")].filter((inner) => inner.getBoundingClientRect().right > right).map((inner) => inner.outerHTML);
    }""") == []
    for title in panel.locator("[part=memory-title]").all():
        # Not one letter per line.
        assert title.bounding_box()["height"] < 100


def test_text_spacing_cuts_nothing(stack, channel):
    channel.post("A message of several words that may need two lines then.", title="A title", duration="indefinite",
                 actions=[{"id": "a", "title": "Answer"}])
    toast = settled(stack.toasts)
    stack.page.evaluate(f"""() => {{
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* {{ line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }}");
      {VIEWER}.shadowRoot.adoptedStyleSheets.push(sheet);
    }}""")
    cut = toast.evaluate("""(it) => [...it.querySelectorAll("[part=title], [part=message], [part~=action], [part~=action] span")]
      .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth || part.scrollHeight > part.clientHeight + 2 && part.clientHeight)
      .map((part) => part.getAttribute("part"))""")
    assert cut == []


def test_another_hotkey_and_none(stack, channel):
    page = stack.page
    channel.post("Reach me", duration="indefinite")
    expect(stack.toast("Reach me")).to_be_visible()
    page.evaluate(f"{VIEWER}.hotkey = ''")
    page.keyboard.press("F8")
    assert page.evaluate(f"() => {VIEWER}.shadowRoot.activeElement") is None
    page.evaluate(f"{VIEWER}.hotkey = 'Alt+KeyT'")
    page.keyboard.press("Alt+t")
    expect(page.get_by_role("region", name=re.compile("Notifications"))).to_have_count(1)
    # Keys are handled by the rest of the viewer, which may still be loading.
    page.wait_for_function(f"() => {VIEWER}.shadowRoot.activeElement !== null")


def test_the_controls_are_large_enough_for_a_finger(stack, channel):
    for index in range(3):
        channel.post(f"Toast {index}", duration="indefinite")
    expect(stack.toasts).to_have_count(3)
    # On hover they are visible.
    settled(stack.toasts.first).hover()
    controls = stack.page.locator("toast-viewer [part~=control]:visible")
    expect(controls).to_have_count(4)
    for box in [control.bounding_box() for control in controls.all()]:
        assert box["width"] >= 24 and box["height"] >= 24


COVERED = """(edge) => {
  // Toasts at the top stand below the header.
  const start = edge === "top" ? document.querySelector("body > header").getBoundingClientRect().bottom : 0;
  const button = document.body.appendChild(document.createElement("button"));
  button.id = "covered";
  button.textContent = "Under it";
  button.style.cssText = `position: fixed; ${edge}: ${start + 28}px; left: 50%; width: 60px; height: 20px;`
    + "padding: 0; margin-left: -30px";
}"""


def hides(page):
    """Whether no part of the button can be reached by a pointer."""
    return page.evaluate("""() => {
      const { left, right, top, bottom } = covered.getBoundingClientRect();
      return [[left + 1, top + 1], [right - 1, bottom - 1]].every((at) => document.elementFromPoint(...at)?.matches("toast-viewer"));
    }""")


@pytest.mark.parametrize(("edge", "other"), [("top", "bottom"), ("bottom", "top")])
def test_2_4_11_toasts_make_way_for_the_focused_element(stack, channel, edge, other):
    page = stack.page
    page.evaluate(COVERED, edge)
    channel.post("In the way", placement=edge, duration="indefinite")
    toast = settled(stack.toast("In the way"))
    assert hides(page)
    middle = page.viewport_size["height"] / 2
    page.evaluate("covered.focus({ preventScroll: true })")
    page.wait_for_function(
        f"([edge, middle]) => {{ const it = {VIEWER}.shadowRoot.querySelector('[part~=toast]').getBoundingClientRect();"
        " return edge === 'top' ? it.top > middle : it.bottom < middle; }", arg=[edge, middle],
    )
    settled(toast)
    assert not hides(page)
    # Another toast does not move the lists back, and arrow keys work at the new edge.
    channel.post("Another", placement=edge, duration="indefinite")
    settled(stack.toast("Another"))
    assert not hides(page)
    page.keyboard.press("F8")
    assert page.evaluate(f"() => {VIEWER}.shadowRoot.activeElement !== null")
    assert not hides(page)
    page.evaluate("document.querySelector('input[name=channel]').focus()")
    expect(page.locator(f"toast-viewer ol[data-placement={edge}] > li")).to_have_count(2)


def test_a_stack_that_has_made_way_is_swiped_towards_its_new_edge(stack, channel):
    page = stack.page
    page.evaluate(COVERED, "top")
    channel.post("In the way", placement="top", duration="indefinite")
    toast = settled(stack.toast("In the way"))
    page.evaluate("covered.focus({ preventScroll: true })")
    expect(page.locator("toast-viewer ol[data-placement=bottom] > li")).to_have_count(1)
    settled(toast)

    box = toast.bounding_box()
    page.mouse.move(box["x"] + 12, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 12, box["y"] + 68, steps=6)
    page.mouse.up()
    expect(stack.toasts).to_have_count(0)


def test_2_4_11_a_toast_that_comes_does_not_cover_the_focused_element(stack, channel):
    page = stack.page
    page.evaluate(COVERED, "top")
    page.evaluate("covered.focus({ preventScroll: true })")
    channel.post("Comes", placement="top", duration="indefinite")
    expect(page.locator("toast-viewer ol[data-placement=bottom] > li")).to_have_count(1)
    settled(stack.toast("Comes"))
    assert not hides(page)
