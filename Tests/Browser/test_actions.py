"""The actions of toasts: their contrast on hover, which of them a finger presses, and room for long names."""

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from conftest import OUT, ROLES, SCHEMES, STYLES
from feed import Feed, presented
from gallery import gallery
from test_look import BACKGROUNDS, COLOURS, HIDE, worst

ACTIONS = [{"id": "undo", "title": "Undo"}, {"id": "delete", "title": "Delete", "role": "destructive"}]
LONG = [
    {"id": "a", "title": "Restore everything now"}, {"id": "b", "title": "Remind me tomorrow"},
    {"id": "c", "title": "Delete permanently", "role": "destructive"},
]

# Applies the rules for `:hover` to all buttons at once, because a real pointer hovers only one.
HOVER = """() => {
  const swap = (rules) => [...rules].forEach((rule) => {
    if (rule.selectorText?.includes("action") || rule.selectorText?.includes(":hover")) {
      // The replacement has the specificity of `:hover`.
      rule.selectorText = rule.selectorText.replace(/:hover/g, ":is(*, .hover)");
    }
    if (rule.cssRules) swap(rule.cssRules);
  });
  const seen = new Set(), layer = (text) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(text); return sheet; };
  for (const host of document.querySelectorAll("main > div")) {
    for (const sheet of host.shadowRoot.adoptedStyleSheets) if (!seen.has(sheet)) { seen.add(sheet); swap(sheet.cssRules); }
    host.shadowRoot.adoptedStyleSheets.push(layer("* { transition: none !important; }"));
  }
}"""


@pytest.fixture
def feed(page, channel):
    feed = Feed(page, channel)
    yield feed
    feed.check()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("style", STYLES)
def test_a_hovered_action_has_contrast_on_any_page(new_context, server, style, scheme):
    page = new_context(color_scheme=scheme, viewport={"width": 960, "height": 600}).new_page()
    gallery(page, server.base, [{"style": style, "role": role, "message": "Deployed.", "actions": ACTIONS} for role in ROLES])
    page.evaluate(HOVER)
    texts = page.evaluate(COLOURS, "[part~=action] span")
    assert len(texts) == 8
    # A filter would also change the text, whose colour is computed and not measured on the pixels.
    filters = "() => [...document.querySelectorAll('main > div')].flatMap((it) => [...it.shadowRoot.querySelectorAll('[part~=action]')]).map((it) => getComputedStyle(it).filter)"
    assert set(page.evaluate(filters)) == {"none"}
    page.evaluate(HIDE)
    poor = []
    for background in BACKGROUNDS:
        page.evaluate("(background) => { document.body.style.background = background; }", background)
        picture = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
        for item in texts:
            ratio = worst(picture, item["box"], item["colour"])
            if ratio < 4.5:
                poor.append(f"{item['name']} on {background}: {ratio:.2f}")
    assert not poor, "\n".join(poor)


AT = """(points) => points.map(([x, y]) => {
  const it = document.querySelector("toast-viewer").shadowRoot.elementFromPoint(x, y);
  return it?.closest("button, a")?.getAttribute("part") ?? null;
})"""


@pytest.mark.parametrize("style", STYLES)
def test_a_finger_between_two_buttons_gets_the_nearer_one(new_context, channel, style):
    feed = Feed(new_context(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}).new_page(), channel)
    feed.begin()
    feed.send(presented("a", style=style, actions=ACTIONS, message="Three files."))
    toast = feed.toast("Three files.")
    expect(toast.get_by_role("button", name="Undo")).to_be_visible()
    feed.settle()
    undo = toast.get_by_role("button", name="Undo").bounding_box()
    delete = toast.get_by_role("button", name="Delete").bounding_box()
    y = undo["y"] + undo["height"] / 2
    end, start = undo["x"] + undo["width"], delete["x"]
    assert start - end >= 4
    assert feed.page.evaluate(AT, [[end - 1, y], [end + 1, y], [start - 1, y], [start + 1, y]]) == [
        "action", "action", "action destructive", "action destructive",
    ]
    # The target of the close button does not overlap those of the actions.
    x, y = delete["x"] + delete["width"] - 1, delete["y"] + delete["height"] / 2
    assert feed.page.evaluate(AT, [[x, y]]) == ["action destructive"]
    feed.check()


CUT = """(toast) => {
  const card = toast.querySelector("[role=group]").getBoundingClientRect();
  const within = (it) => it.left >= card.left - 0.5 && it.right <= card.right + 0.5 && it.top >= card.top - 0.5 && it.bottom <= card.bottom + 0.5;
  return [...toast.querySelectorAll("[part~=action], [part=close]")].filter((it) => !within(it.getBoundingClientRect())
    || it.scrollWidth > it.clientWidth + 1).map((it) => it.textContent || "close");
}"""


@pytest.mark.parametrize(("width", "scale"), [(1024, 1), (600, 1), (470, 1), (375, 1), (320, 1), (320, 2)])
@pytest.mark.parametrize("style", STYLES)
def test_long_actions_leave_room_for_the_message_and_stay_in_the_card(new_context, channel, style, width, scale):
    OUT.mkdir(exist_ok=True)
    feed = Feed(new_context(viewport={"width": width, "height": 700}).new_page(), channel)
    feed.begin()
    feed.page.evaluate("(scale) => { document.documentElement.style.fontSize = `${scale * 100}%`; }", scale)
    feed.send(presented("a", style=style, actions=LONG, message="The backup of last night failed, and nobody has noticed."))
    toast = feed.toast("The backup")
    expect(toast.get_by_role("button", name="Delete")).to_be_visible()
    feed.settle()
    feed.page.screenshot(path=OUT / f"long-actions-{style}-{width}-{scale}.png")
    assert toast.evaluate(CUT) == []
    card = toast.locator("[role=group]").bounding_box()
    assert card["x"] >= 0 and card["x"] + card["width"] <= width
    message = toast.locator("[part=message]").bounding_box()
    # Twelve letters a line at least, as in the narrowest of the other styles.
    assert message["width"] >= 96
    feed.check()
