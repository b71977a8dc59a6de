"""A style of the server's operator: one file, and every viewer draws it."""

import pytest
from playwright.sync_api import expect

from conftest import STYLES, Server

SHEET = """@layer base, look, wish;
@layer look {
  [data-style="postit"] { background: rgb(255 248 176); color: rgb(34 34 34); border-radius: 2px; }
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    styles = tmp_path_factory.mktemp("styles")
    (styles / "postit.css").write_text(SHEET)
    server = Server("--styles", str(styles))
    yield server
    server.stop()


def test_a_toast_is_drawn_in_the_operator_s_style(viewer, channel):
    channel.post("Buy milk", style="postit", duration="indefinite")
    toast = viewer.toast("Buy milk").locator("[data-style=postit]")
    expect(toast).to_be_visible()
    expect(toast).to_have_css("background-color", "rgb(255, 248, 176)")
    expect(toast).to_have_css("border-top-left-radius", "2px")


def test_a_toast_of_an_unknown_style_is_drawn_in_the_default_one(viewer, channel):
    channel.post("Plain", style="nowhere")
    expect(viewer.toast("Plain").locator("[data-style]")).to_have_attribute("data-style", "glass")


def test_the_playground_offers_the_operator_s_style(viewer, channel):
    page = viewer.page
    assert page.locator("[data-form=compose] input[name=style]").evaluate_all("(all) => all.map((it) => it.value)") == [*STYLES, "postit"]
    page.locator("[data-form=compose] input[name=style][value=postit]").check(force=True)
    expect(page.locator("[data-form=compose] [data-curl] code")).to_contain_text('"style": "postit"')


def test_a_person_can_prefer_the_operator_s_style(viewer, channel):
    page = viewer.page
    page.evaluate("document.querySelector('toast-viewer').showPreferences()")
    select = page.get_by_role("dialog").get_by_label("Style")
    expect(select.locator("option")).to_have_count(1 + len(STYLES) + 1)
    select.select_option("Postit")
    channel.post("Buy milk", style="retro", duration="indefinite")
    expect(viewer.toast("Buy milk").locator("[data-style=postit]")).to_be_visible()
    page.reload()
    page.evaluate("document.querySelector('toast-viewer').showPreferences()")
    expect(page.get_by_role("dialog").get_by_label("Style")).to_have_value("postit")


def test_a_person_can_prefer_a_style_that_the_page_has_registered(viewer, channel):
    page = viewer.page
    page.evaluate("""() => {
      const viewer = document.querySelector("toast-viewer");
      viewer.constructor.registerStyle("meter", { stylesheet: "@layer look { [data-style=meter] { color: rgb(1 2 3); } }" });
      // A style of the page replaces the server's style of the same name.
      viewer.constructor.registerStyle("postit", { stylesheet: "@layer look { [data-style=postit] { color: rgb(4 5 6); } }" });
      viewer.showPreferences();
    }""")
    select = page.get_by_role("dialog").get_by_label("Style")
    expect(select.locator("option", has_text="Meter")).to_have_count(1)
    expect(select.locator("option", has_text="Postit")).to_have_count(1)
    select.select_option("Meter")
    channel.post("Buy milk", style="retro", duration="indefinite")
    expect(viewer.toast("Buy milk").locator("[data-style=meter]")).to_have_css("color", "rgb(1, 2, 3)")
    # A page without the style still shows the preference, and draws the default style.
    page.reload()
    page.evaluate("document.querySelector('toast-viewer').showPreferences()")
    expect(page.get_by_role("dialog").get_by_label("Style")).to_have_value("meter")
    expect(viewer.toast("Buy milk").locator("[data-style=glass]")).to_be_visible()


def test_the_gallery_shows_the_operator_s_style(page, server):
    page.goto(f"{server.base}/gallery.html?lang=en&style=postit&role=info&placement=top&show=light")
    expect(page.locator("[data-styles] > section")).to_have_count(1)
    expect(page.locator("[data-styles] h2")).to_have_text("Postit")
    expect(page.locator("[data-styles] [data-lead]")).to_have_text("A style of this server's own.")
    expect(page.locator("[data-styles] figure [data-style=postit]")).to_have_css("background-color", "rgb(255, 248, 176)")
