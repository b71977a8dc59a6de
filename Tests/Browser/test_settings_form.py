"""The settings of a channel as a form: names, hints, units and colours, in both languages."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import SCHEMES
from test_look import complaints


@pytest.fixture
def form(viewer):
    """The form with all of its groups open."""
    viewer.page.locator("[data-path=pause]").wait_for()
    viewer.page.evaluate("for (const it of document.querySelectorAll('[data-groups] details')) it.open = true")
    return viewer.page.locator("[data-form=settings]")


def cell(form, path):
    return form.locator("[data-cell]", has=form.page.locator(f"[data-path='{path}']"))


@pytest.mark.parametrize("locale", ["en-GB", "de-AT"])
def test_every_setting_has_a_name_that_is_not_its_key(new_context, watch, locale):
    page = watch(new_context(locale=locale).new_page()).open().page
    page.locator("[data-path=pause]").wait_for()
    page.locator("[data-path=preset]").wait_for()
    cells = page.evaluate("""() => [...document.querySelectorAll("[data-cell]")].map((cell) => ({
      path: cell.querySelector("[data-path]").dataset.path,
      name: cell.querySelector("[data-name]").textContent,
      options: [...cell.querySelectorAll("option")].map((it) => [it.value, it.textContent]),
    }))""")
    # Each setting of the server has exactly one control.
    assert len(cells) > 55 and len({it["path"] for it in cells}) == len(cells)
    for each in cells:
        assert each["name"] and not re.search(r"[a-z][A-Z]|[./·]", each["name"]), each
        for _value, text in each["options"]:
            assert text and not re.search(r"[a-z][A-Z]|^\w+\.\w", text.replace("ToastUI", "")), each


@pytest.mark.parametrize("locale", ["en-GB", "de-AT"])
@pytest.mark.parametrize("width", [1440, 768, 375])
def test_controls_have_their_whole_border_and_room_for_every_choice(new_context, watch, locale, width):
    page = watch(new_context(locale=locale, viewport={"width": width, "height": 900}).new_page()).open().page
    page.locator("[data-path=pause]").wait_for()
    page.evaluate("for (const it of document.querySelectorAll('[data-groups] details')) it.open = true")
    controls = page.locator("[data-form=settings] :is([data-path], [data-words])")
    assert controls.count() > 55
    odd = controls.evaluate_all("""(all) => all.filter((it) => {
      const style = getComputedStyle(it);
      return new Set(["top", "right", "bottom", "left"].map((side) => style.getPropertyValue(`border-${side}`))).size > 1;
    }).map((it) => it.dataset.path ?? it.ariaLabel)""")
    assert odd == []
    selects = page.locator("[data-form=settings] select")
    assert selects.count() > 15
    cut = selects.evaluate_all("""(all) => all.flatMap((it) => [...it.options].filter(({ text }) => {
      const alone = it.cloneNode();
      alone.append(new Option(text));
      alone.style.cssText = "position: absolute; inline-size: max-content; max-inline-size: none; flex: none";
      it.after(alone);
      const isCut = it.offsetWidth < alone.offsetWidth - 1;
      alone.remove();
      return isCut;
    }).map(({ text }) => `${it.dataset.path ?? it.ariaLabel}: ${text}`))""")
    assert cut == []


def leaves(settings, path=""):
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{name}/")
        else:
            yield path + name


def test_every_setting_of_the_server_is_there_and_says_what_is_in_force(form, channel):
    form.locator("[data-path=preset]").wait_for()
    paths = form.evaluate("(form) => [...form.querySelectorAll('[data-path]')].map((it) => it.dataset.path)")
    missing = [leaf for leaf in leaves(channel.call("GET", "/settings")["effective"]) if not any(leaf == path or leaf.startswith(f"{path}/") for path in paths)]
    assert missing == []
    # Every list has a chosen option.
    assert form.evaluate("(form) => [...form.querySelectorAll('select')].filter((it) => !it.selectedOptions.length).map((it) => it.parentElement.textContent)") == []


def test_the_alignment_and_the_stack_s_look_are_set(form, channel):
    form.get_by_label("Alignment", exact=True).select_option(label="End")
    form.get_by_label("Look of a stack", exact=True).select_option(label="Collapsed")
    channel.wait(lambda: channel.call("GET", "/settings")["own"] == {"align": "end", "stack": "collapsed"})


def test_hints_and_units_are_part_of_the_description(form):
    expect(form.get_by_label("Pause between toasts", exact=True)).to_have_accessible_description(re.compile("^s How long the screen"))
    expect(form.get_by_label("Space between toasts", exact=True)).to_have_accessible_description("pt")


def test_a_colour_is_picked_or_typed(form, channel):
    swatch = form.get_by_label("Pick a colour: In light colours · Background")
    swatch.fill("#336699")
    expect(form.locator("[data-path='theme/background']")).to_have_value("#336699")
    expect(cell(form, "theme/background").locator("[data-source]")).to_have_text("channel")
    assert channel.call("GET", "/settings")["own"] == {"theme": {"background": "#336699"}}
    field = form.locator("[data-path='theme/background']")
    field.fill("#33669980")
    field.press("Tab")
    expect(swatch).to_have_value("#336699")
    swatch.fill("#112233")
    # The opacity of the old colour is kept.
    expect(field).to_have_value("#11223380")
    channel.wait(lambda: channel.call("GET", "/settings")["own"] == {"theme": {"background": "#11223380"}})


def test_a_setting_can_be_a_number_or_a_word(form, channel):
    duration = form.locator("[data-path=duration]")
    words = cell(form, "duration").locator("[data-words]")
    unit = cell(form, "duration").locator("[data-unit]")
    expect(duration).to_have_value("6")
    number, seconds = duration.bounding_box(), unit.bounding_box()
    assert number["y"] < seconds["y"] + seconds["height"] / 2 < number["y"] + number["height"]
    words.select_option("indefinite")
    expect(duration).to_be_hidden()
    expect(unit).to_be_hidden()
    channel.wait(lambda: channel.call("GET", "/settings")["own"] == {"duration": "indefinite"})
    words.select_option(label="A number")
    expect(duration).to_be_focused()
    duration.fill("12.5")
    duration.press("Tab")
    channel.wait(lambda: channel.call("GET", "/settings")["own"] == {"duration": 12.5})


def test_the_field_for_a_number_stays_when_an_answer_arrives_before_its_first_digit(form, channel):
    words = cell(form, "duration").locator("[data-words]")
    words.select_option("indefinite")
    channel.wait(lambda: channel.call("GET", "/settings")["own"] == {"duration": "indefinite"})
    words.select_option(label="A number")
    expect(form.locator("[data-path=duration]")).to_be_focused()
    channel.configure(pause=1)
    expect(form.locator("[data-path=pause]")).to_have_value("1")
    expect(form.locator("[data-path=duration]")).to_be_visible()


def test_directions_and_edges_can_be_set(form, channel):
    top = form.get_by_role("group", name="Swipe at the top · Directions that dismiss")
    with form.page.expect_response(lambda it: it.url.endswith("/settings") and it.request.method == "PATCH"):
        top.get_by_label("Left").check()
    assert "left" in channel.call("GET", "/settings")["own"]["gestures"]["swipe"]["top"]["directions"]
    expect(top.get_by_label("Left")).to_be_checked()
    inset = form.get_by_role("group", name="Distance to the edges")
    inset.get_by_label("Top").fill("40")
    inset.get_by_label("Top").press("Tab")

    def own():
        return channel.call("GET", "/settings")["own"].get("layout", {}).get("inset")

    channel.wait(lambda: isinstance(own(), dict) and own()["top"] == 40)
    edges = own()
    assert edges["bottom"] == edges["leading"] == edges["trailing"] != 40
    # Equal insets at all edges are sent as one number.
    inset.get_by_label("Top").fill(str(edges["bottom"]))
    inset.get_by_label("Top").press("Tab")
    channel.wait(lambda: own() == edges["bottom"])
    form.get_by_role("button", name="Unset Distance to the edges").click()
    channel.wait(lambda: own() is None)


def test_an_error_is_added_to_the_hint_and_removed_again(form):
    pause = form.get_by_label("Pause between toasts", exact=True)
    pause.fill("99")
    pause.press("Tab")
    expect(pause).to_have_accessible_description(re.compile("from 0 to 10.*How long"))
    pause.fill("1")
    pause.press("Tab")
    expect(pause).to_have_accessible_description(re.compile("^s How long"))


def test_a_refused_value_can_be_given_up(form):
    pause = form.locator("[data-path=pause]")
    before = pause.input_value()
    pause.fill("99")
    pause.press("Tab")
    expect(pause).to_have_attribute("aria-invalid", "true")
    cell(form, "pause").locator("[data-unset]").click()
    expect(form.locator("[aria-invalid]")).to_have_count(0)
    expect(pause).to_have_value(before)


def test_axe_finds_nothing_and_it_fits(new_context, watch, channel):
    for locale, width in (("en-GB", 375), ("de-AT", 320), ("de-AT", 1440)):
        page = watch(new_context(locale=locale, reduced_motion="reduce", viewport={"width": width, "height": 900}).new_page()).open().page
        page.locator("[data-path=preset]").wait_for()
        page.evaluate("for (const it of document.querySelectorAll('details')) it.open = true")
        page.locator("[data-path=pause]").fill("99")
        page.locator("[data-path=pause]").press("Tab")
        expect(page.locator("[data-path=pause]")).to_have_attribute("aria-invalid", "true")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            results = Axe().run(page, "[data-area=channel]")
            assert results.violations_count == 0, f"{locale}, {width}, {scheme}: {complaints(results)}"


def test_by_keyboard_alone(form, channel):
    page = form.page
    # The list of presets, which stands before the mode, comes later.
    form.locator("[data-path=preset]").wait_for()
    page.locator("[data-group='settings.queue'] summary").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(form.get_by_label("Queue mode", exact=True)).to_be_focused()
    page.keyboard.press("ArrowDown")
    channel.wait(lambda: channel.call("GET", "/settings")["own"] == {"mode": "priority"})
    expect(form.get_by_label("Queue mode", exact=True)).to_be_focused()
    expect(form.get_by_role("button", name="Unset Queue mode")).to_be_visible()
    page.keyboard.press("Tab")
    expect(form.get_by_role("button", name="Unset Queue mode")).to_be_focused()
    page.keyboard.press("Enter")
    channel.wait(lambda: channel.call("GET", "/settings")["own"] == {})
    expect(form.get_by_label("Queue mode", exact=True)).to_be_focused()


def test_a_number_that_cannot_be_read_sets_nothing(form, channel):
    page = form.page
    pause = form.get_by_label("Pause between toasts", exact=True)
    pause.fill("1.5")
    pause.press("Tab")
    channel.wait(lambda: channel.call("GET", "/settings")["own"] == {"pause": 1.5})
    patches = []
    page.on("request", lambda it: patches.append(it.post_data_json) if it.method == "PATCH" else None)
    pause.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("-")
    page.keyboard.press("Tab")
    expect(pause).to_be_focused()
    pause.fill("2")
    pause.press("Tab")
    channel.wait(lambda: channel.call("GET", "/settings")["own"] == {"pause": 2})
    assert patches == [{"pause": 2}]


def test_clearing_an_edge_or_removing_a_member_unsets_it(form, channel):
    channel.configure(layout={"inset": {"top": 40, "bottom": 30}}, appearance={"layout": {"cornerRadius": 20, "iconSize": 32}})
    top = form.get_by_role("group", name="Distance to the edges").get_by_label("Top")
    expect(top).to_have_value("40")
    top.fill("")
    top.press("Tab")
    channel.wait(lambda: "top" not in channel.call("GET", "/settings")["own"]["layout"]["inset"])
    assert channel.call("GET", "/settings")["own"]["layout"]["inset"]["bottom"] == 30
    appearance = form.locator("[data-path=appearance]")
    appearance.fill('{"layout": {"iconSize": 32}}')
    appearance.press("Tab")
    channel.wait(lambda: channel.call("GET", "/settings")["own"]["appearance"] == {"layout": {"iconSize": 32}})


def test_a_warning_describes_its_control_until_it_no_longer_applies(form):
    colour = form.locator("[data-path='theme/textColor']")
    problem = form.locator("[data-problem]")
    colour.fill("#EEEEEE")
    colour.press("Tab")
    expect(problem).to_contain_text("contrast")
    expect(colour).to_have_accessible_description(re.compile("contrast"))
    expect(form.locator("[aria-invalid]")).to_have_count(0)
    colour.fill("#111111")
    colour.press("Tab")
    expect(problem).to_be_empty()
    expect(colour).to_have_accessible_description("")
