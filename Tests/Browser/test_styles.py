"""Styles that a channel, a toast or a page changes or adds."""

import re

import pytest
from playwright.sync_api import expect

from conftest import settled
from feed import Feed, dismissed, presented, updated

THEME = {
    "background": "#EBEFF1", "backgroundDark": "#1E1E1C", "textColor": "#393E54", "textColorDark": "#EBEFF1",
    "subtextColor": "#60656C", "subtextColorDark": "#BDC2C5", "errorColor": "#F75045", "infoColor": "#4169E1FF",
}


@pytest.fixture
def feed(page, channel):
    feed = Feed(page, channel)
    yield feed
    feed.check()


def css(toast, name, part=None):
    target = toast.locator(f"[part={part}]" if part else "[role=group]")
    return target.evaluate("(it, name) => getComputedStyle(it)[name]", name)


def test_a_theme_colours_the_toaster_in_light_and_dark(feed):
    feed.begin(theme=THEME)
    feed.send(presented("a", style="toaster", role="error", title="Title"))
    toast = feed.toast("Toast a")
    expect(toast).to_be_visible()
    expect(toast.locator("[role=group]")).to_have_css("background-color", "rgb(235, 239, 241)")
    assert css(toast, "color", "title") == "rgb(57, 62, 84)"
    assert css(toast, "color", "message") == "rgb(96, 101, 108)"
    assert css(toast, "color", "icon") == "rgb(247, 80, 69)"
    feed.page.emulate_media(color_scheme="dark")
    assert css(toast, "backgroundColor") == "rgb(30, 30, 28)"
    assert css(toast, "color", "title") == "rgb(235, 239, 241)"
    # Roles have the same colour in both schemes, as in Toaster.
    assert css(toast, "color", "icon") == "rgb(247, 80, 69)"


def test_a_theme_that_changes_recolours_what_is_on_the_screen(feed):
    feed.begin()
    feed.send(presented("a", style="toaster"))
    toast = feed.toast("Toast a")
    expect(toast.locator("[role=group]")).to_have_css("background-color", "rgb(255, 255, 255)")
    feed.send({"type": "configured", "effective": {"theme": {"background": "#112233"}}})
    expect(toast.locator("[role=group]")).to_have_css("background-color", "rgb(17, 34, 51)")
    feed.send({"type": "configured", "effective": {"theme": {}}})
    expect(toast.locator("[role=group]")).to_have_css("background-color", "rgb(255, 255, 255)")


@pytest.mark.parametrize("evil", ["url(https://evil.example/x)", "red; background: url(/x)", "#12345", "#GGGGGG", 7, None, {"light": "#fff"}])
def test_an_invalid_colour_has_no_effect(feed, evil):
    feed.begin(theme={"background": evil}, appearance={"backgroundColor": evil, "title": {"font": {"family": "x; y"}}, "layout": {"cornerRadius": 20}})
    feed.page.on("request", lambda it: feed.errors.append(it.url) if "evil" in it.url else None)
    feed.send(presented("a", style="toaster"), presented("b", style="snackbar", title="T"))
    expect(feed.toasts).to_have_count(2)
    for name in "ab":
        # The valid member has its effect: the appearance is in use.
        expect(feed.toast(f"Toast {name}").locator("[role=group]")).to_have_css("border-top-left-radius", "20px")
        assert css(feed.toast(f"Toast {name}"), "backgroundColor") == "rgb(255, 255, 255)"


def test_a_toast_s_appearance_is_merged_into_the_channel_s(feed):
    feed.begin(appearance={
        "title": {"color": "#112233", "font": {"size": 20, "weight": 500}}, "message": {"color": "#445566"},
        "backgroundColor": "#ABCDEF", "backgroundColorDark": "#123456", "borderColor": "#FF0000", "borderWidth": 2,
        "elevation": {"x": 1, "y": 2, "blur": 3, "spread": 4, "color": "#00FF00", "opacity": 0.5},
        "layout": {"inset": 24, "labelSpacing": 4, "iconSpacing": 10, "cornerRadius": 12, "iconSize": 40},
    })
    feed.send(presented("a", style="snackbar", title="A", icon="star.fill", appearance={"borderWidth": 3, "layout": {"cornerRadius": 20}}))
    toast = feed.toast("Toast a")
    expect(toast).to_be_visible()
    feed.settle()
    assert css(toast, "color", "title") == "rgb(17, 34, 51)"
    assert (css(toast, "fontSize", "title"), css(toast, "fontWeight", "title")) == ("20px", "500")
    assert css(toast, "color", "message") == "rgb(68, 85, 102)"
    assert css(toast, "backgroundColor") == "rgb(171, 205, 239)"
    assert css(toast, "borderTopColor") == "rgb(255, 0, 0)"
    assert (css(toast, "borderTopWidth"), css(toast, "borderTopLeftRadius")) == ("3px", "20px")
    assert css(toast, "boxShadow").startswith("color(srgb 0 1 0 / 0.5) 1px 2px 3px 4px")
    assert css(toast, "paddingTop") == "24px"
    assert css(toast, "rowGap", "body") == "4px"
    assert css(toast, "marginInlineEnd", "icon") == "10px"
    assert round(toast.locator("[part=icon] svg").bounding_box()["width"]) == 40
    feed.page.emulate_media(color_scheme="dark")
    assert css(toast, "backgroundColor") == "rgb(18, 52, 86)"
    # An update may change all of it, and remove it again.
    feed.send(updated("a", style="snackbar", title="A", icon="star.fill", appearance={"backgroundColorDark": "#000000", "layout": {"iconSize": 20}}))
    expect(toast.locator("[role=group]")).to_have_css("background-color", "rgb(0, 0, 0)")
    expect(toast.locator("[part=icon] svg")).to_have_css("width", "20px")
    assert css(toast, "borderTopWidth") == "2px"


def test_a_snack_as_its_system_draws_it(feed):
    feed.begin()
    feed.send(presented("a", style="snackbar", title="Title"))
    toast = feed.toast("Toast a")
    expect(toast).to_be_visible()
    feed.settle()
    assert css(toast, "borderTopLeftRadius") == "4px" and css(toast, "paddingTop") == "16px"
    assert (css(toast, "fontSize", "title"), css(toast, "fontWeight", "title"), css(toast, "fontSize", "message")) == ("17px", "700", "17px")
    assert toast.locator("[part=icon]").count() == 0
    assert toast.bounding_box()["width"] == 428
    feed.page.emulate_media(color_scheme="dark")
    assert css(toast, "backgroundColor") == "rgb(44, 44, 46)"


@pytest.mark.parametrize(("members", "visible"), [
    ({"progress": {"indeterminate": True}}, "progress"), ({"progress": {"value": 0.4, "total": 1}}, "progress"),
    ({"icon": "star.fill"}, "icon"), ({"role": "error"}, "icon"), ({"icon": "none"}, None),
])
def test_a_toastui_box_shows_one_sign_above_its_label(feed, members, visible):
    feed.begin()
    feed.send(presented("a", style="toastui", placement="center", **members))
    toast = feed.toast("Toast a")
    expect(toast).to_be_visible()
    # The sheets, and the code that draws progress, may come after the toast.
    expect(toast.locator("[role=group]")).to_have_css("border-top-left-radius", "9px")
    if visible:
        expect(toast.locator(f"[part={visible}]")).to_have_css("grid-row-start", "icon")
    signs = [it for it in ("icon", "progress") if toast.locator(f"[part={it}]").count() and css(toast, "visibility", it) == "visible"]
    assert signs == ([visible] if visible else [])
    if visible:
        box, label = toast.locator(f"[part={visible}]").bounding_box(), toast.locator("[part=body]").bounding_box()
        # Not the bounding box: that of a turning ring is larger than the ring.
        assert toast.locator(f"[part={visible}]").evaluate("(it) => it.clientWidth") == 36
        assert box["y"] + box["height"] <= label["y"]
        assert abs(box["x"] + box["width"] / 2 - label["x"] - label["width"] / 2) < 1


@pytest.mark.parametrize("style", ["glass", "capsule", "notification", "retro", "toaster", "toastui", "snackbar", "material"])
def test_indeterminate_progress_stands_still_with_reduced_motion(feed, style):
    feed.begin()
    feed.send(presented("a", style=style, progress={"indeterminate": True}))
    expect(feed.toast("Toast a")).to_be_visible()
    turning = """(it) => it.getAnimations({ subtree: true }).filter((each) => each.effect.getTiming().iterations === Infinity).length"""
    progress = feed.toast("Toast a").locator("[part=progress]")
    feed.wait_until(lambda: progress.evaluate(turning) == 1)
    feed.page.emulate_media(reduced_motion="reduce")
    assert progress.evaluate(turning) == 0


REGISTER = """() => {
  const { ToastViewer } = window;
  window.rendered = 0;
  customElements.get("toast-viewer").registerStyle("bubble", {
    stylesheet: `@layer look { [data-style="bubble"] { border-radius: 30px; background: rgb(1 2 3); color: #fff; } }`,
    render({ title, message, role, actions, progress, icon, placement, duration, data }) {
      rendered += 1;
      const root = document.createElement("div");
      root.setAttribute("part", "bubble");
      const line = root.appendChild(document.createElement("p"));
      const bar = root.appendChild(document.createElement("output"));
      if (icon) root.prepend(icon());
      for (const action of actions) {
        const button = root.appendChild(document.createElement("button"));
        button.textContent = action.title;
        button.addEventListener("click", action.press);
      }
      const update = (now) => {
        line.textContent = [now.role, now.title, now.message, now.placement, now.duration, now.data?.build].join(" | ");
        bar.textContent = now.progress?.fraction ?? "";
      };
      update({ title, message, role, progress, placement, duration, data });
      return { node: root, update };
    },
  });
}"""


def test_a_style_of_the_page_wins_over_a_base_that_arrives_later(feed):
    held = []
    feed.page.route("**/styles/base.css", lambda route: held.append(route))
    feed.begin()
    feed.page.evaluate(REGISTER)
    feed.send(presented("a", style="bubble"))
    feed.wait_until(lambda: held)
    has_look = """() => document.querySelector("toast-viewer").shadowRoot.adoptedStyleSheets
      .some((sheet) => [...sheet.cssRules].some((rule) => rule.cssText.includes("bubble")))"""
    feed.page.wait_for_function(has_look)
    held.pop().continue_()
    expect(feed.toasts.locator("[part=bubble] p")).to_be_visible()
    assert css(feed.toasts, "backgroundColor") == "rgb(1, 2, 3)"


def test_a_page_draws_a_style_of_its_own(feed):
    feed.begin()
    feed.page.evaluate(REGISTER)
    hostile = "<img src=x onerror='isHacked = true'>"
    feed.send(presented("a", style="bubble", title="T", message=hostile, data={"build": 42}, actions=[{"id": "go", "title": "Go"}]))
    toast = feed.toasts
    expect(toast.locator("[part=bubble] p")).to_have_text(f"info | T | {hostile} | top | indefinite | 42")
    assert css(toast, "backgroundColor") == "rgb(1, 2, 3)" and css(toast, "borderTopLeftRadius") == "30px"
    expect(toast.locator("[part=bubble] svg path")).to_have_count(1)
    # The card still has a name, a close button, keys and gestures.
    expect(feed.page.get_by_role("group", name=f"Info: T: {hostile}")).to_be_visible()
    expect(toast.get_by_role("button", name="Dismiss: T")).to_be_visible()
    # A change calls `update`, and does not draw the content anew.
    feed.send(updated("a", style="bubble", title="New", message="Half", progress={"value": 1, "total": 4}))
    expect(toast.locator("output")).to_have_text("0.25")
    expect(toast.get_by_role("button", name="Dismiss: New")).to_be_visible()
    assert feed.page.evaluate("rendered") == 1
    feed.send(updated("a", style="bubble", title="T", message="Go?", actions=[{"id": "go", "title": "Go"}]))
    with feed.page.expect_request(lambda it: it.url.endswith("/actions/go")):
        toast.get_by_role("button", name="Go", exact=True).click()
    expect(toast).to_have_count(0)


def test_a_style_without_an_update_is_drawn_anew(feed):
    feed.begin()
    feed.page.evaluate("""() => customElements.get("toast-viewer").registerStyle("plain-text", {
      render: ({ message }) => Object.assign(document.createElement("p"), { textContent: message.toUpperCase() }),
    })""")
    feed.send(presented("a", style="plain-text"))
    expect(feed.toasts.locator("p")).to_have_text("TOAST A")
    feed.send(updated("a", style="plain-text", message="changed"))
    expect(feed.toasts.locator("p")).to_have_text("CHANGED")
    feed.send(updated("a", style="glass", message="Glass again"))
    expect(feed.toast("Glass again").locator("[data-style=glass] [part=icon]")).to_be_visible()


@pytest.mark.parametrize("render", ["() => '<b>HTML</b>'", "() => { throw new Error('broken'); }", "() => null"])
def test_a_style_whose_render_throws_leaves_a_plain_toast(feed, render):
    feed.begin()
    feed.page.evaluate(f"() => customElements.get('toast-viewer').registerStyle('broken', {{ render: {render} }})")
    feed.send(presented("a", style="broken", title="Still here"))
    expect(feed.toast("Toast a").locator("[part=title]")).to_contain_text("Still here")
    assert feed.page.locator("toast-viewer b").count() == 0
    assert len(feed.errors) >= 1
    feed.errors.clear()


@pytest.mark.parametrize("name", ["Upper", "a b", "../x", "", "a" * 33, "base"])
def test_a_style_needs_a_name_that_a_toast_can_have(feed, name):
    feed.begin()
    said = feed.page.evaluate("(name) => { try { customElements.get('toast-viewer').registerStyle(name, {}); } catch (error) { return error.name; } }", name)
    assert said == "TypeError"


def test_a_style_of_the_server_is_a_file_of_its_name(feed):
    css_text = '@layer look { [data-style="house"] { background: rgb(9 8 7); } }'
    feed.page.route("**/styles/house.css", lambda route: route.fulfill(content_type="text/css", body=css_text))
    feed.begin()
    feed.send(presented("a", style="house"))
    expect(feed.toast("Toast a").locator("[data-style=house]")).to_have_css("background-color", "rgb(9, 8, 7)")


def test_an_unknown_style_is_drawn_as_glass(feed):
    feed.begin()
    feed.send(presented("a", style="nobody-knows"))
    expect(feed.toast("Toast a").locator("[data-style=glass]")).to_have_css("border-top-left-radius", "16px")


def test_a_page_s_own_icons_and_words_go_into_slots(feed):
    feed.begin()
    feed.page.evaluate("""() => {
      const viewer = document.querySelector("toast-viewer");
      const icon = viewer.appendChild(document.createElement("b"));
      icon.slot = "icon-error";
      icon.textContent = "E";
      const words = viewer.appendChild(document.createElement("span"));
      words.slot = "connection";
      words.textContent = "Verbinde neu";
    }""")
    feed.send(presented("a", role="error"), presented("b"), presented("c", role="error", icon="star.fill"))
    expect(feed.toast("Toast a").locator("[part=icon] b")).to_have_text("E")
    assert feed.toast("Toast b").locator("[part=icon] svg").count() == 1
    assert feed.toast("Toast c").locator("[part=icon] b").count() == 0
    feed.page.evaluate("sources.at(-1).onerror()")
    expect(feed.page.get_by_text("Verbinde neu")).to_be_visible()


def test_parts_and_properties_change_a_toast_from_outside(feed):
    feed.begin()
    feed.page.evaluate("""() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`toast-viewer { --toast-width: 200px; --toast-offset: 40px; --toast-gap: 50px; }
        toast-viewer::part(error) { outline: 3px solid red; }`);
      document.adoptedStyleSheets.push(sheet);
    }""")
    feed.send(presented("a", role="error"), presented("b"))
    expect(feed.toasts).to_have_count(2)
    feed.settle()
    first, second = feed.toast("Toast a").bounding_box(), feed.toast("Toast b").bounding_box()
    assert (first["width"], first["y"]) == (200, 40)
    assert round(second["y"] - first["y"] - first["height"]) == 50
    expect(feed.toast("Toast a")).to_have_css("outline-width", "3px")
    feed.send(dismissed("a"), dismissed("b"))
    expect(feed.page.locator("toast-viewer [part~=toast]")).to_have_count(0)


@pytest.mark.parametrize("style", ["glass", "toaster", "snackbar"])
def test_an_icon_that_does_not_load_is_the_sign_of_the_role(feed, style):
    feed.begin(maxVisible=2)
    feed.send(presented("a", style=style, role="error", icon="/gone.png"), presented("b", style=style, role="error"))
    expect(feed.toasts).to_have_count(2)
    # An outline that is not among the first ones comes after its toast.
    expect(feed.toast("Toast b").locator("[part=icon] path")).to_have_attribute("d", re.compile("."))
    outline = "(it) => it.querySelector('[part=icon] path')?.getAttribute('d')"
    expect(feed.toast("Toast a").locator("[part=icon] path")).to_have_attribute("d", feed.toast("Toast b").evaluate(outline))
    expect(feed.toast("Toast a").locator("img")).to_have_count(0)
    # It stays when the toast's text changes.
    feed.send(updated("a", style=style, role="error", icon="/gone.png", message="Toast a, again"))
    expect(feed.toast("again").locator("[part=icon] path")).to_have_count(1)


def test_an_icon_that_does_not_load_is_the_page_s_own_sign(feed):
    feed.begin()
    feed.page.evaluate("""() => {
      const own = Object.assign(document.createElement("b"), { slot: "icon-error", textContent: "!!" });
      document.querySelector("toast-viewer").append(own);
    }""")
    feed.send(presented("a", role="error", icon="/gone.png"))
    expect(feed.toast("Toast a").locator("[part=icon] b")).to_have_text("!!")


def test_a_style_that_is_registered_again_has_only_its_new_rules(feed):
    feed.begin(maxVisible=3)
    feed.page.evaluate("""() => {
      const { constructor } = document.querySelector("toast-viewer");
      window.own = new CSSStyleSheet();
      own.replaceSync("@layer look { [data-style=own] { color: rgb(7 8 9); } }");
      window.register = (stylesheet) => constructor.registerStyle("own", { stylesheet });
      register("@layer look { [data-style=own] { color: rgb(1 2 3); border: 5px solid; } }");
    }""")
    feed.send(presented("a", style="own"))
    group = feed.toast("Toast a").locator("[role=group]")
    expect(group).to_have_css("border-top-width", "5px")
    feed.page.evaluate("register('@layer look { [data-style=own] { color: rgb(4 5 6); } }')")
    feed.send(presented("b", style="own"))
    for colour in ("rgb(4, 5, 6)", "rgb(7, 8, 9)"):
        expect(group).to_have_css("color", colour)
        expect(group).to_have_css("border-top-width", "0px")
        # A sheet that the page registers a second time stays in use.
        feed.page.evaluate("() => { register(own); register(own); }")
        feed.send(updated("b", style="own", message="Toast b, again"))
        expect(feed.toast("again")).to_be_visible()


def test_a_second_copy_of_the_script_has_the_same_element(feed):
    feed.page.route("**/copy/**", lambda route: route.fulfill(response=route.fetch(url=route.request.url.replace("/copy/", "/"))))
    feed.begin()
    made = feed.page.evaluate("""async () => {
      const { ToastViewer } = await import("/copy/toast-viewer.js");
      const render = ({ message }) => Object.assign(document.createElement("p"), { textContent: `Own: ${message}` });
      ToastViewer.registerStyle("own", { render });
      return new ToastViewer() instanceof document.querySelector("toast-viewer").constructor;
    }""")
    assert made
    feed.send(presented("a", style="own"))
    expect(feed.toast("Own: Toast a")).to_be_visible()


def test_toasts_are_not_printed(feed):
    feed.begin()
    feed.send(presented("a"))
    settled(feed.toast("Toast a"))
    feed.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.querySelector('li').style.touchAction")
    feed.page.emulate_media(media="print")
    expect(feed.toast("Toast a")).to_be_hidden()
    feed.page.emulate_media(media="screen")
    expect(feed.toast("Toast a")).to_be_visible()
