"""The form of settings while answers are on their way, come late, or refuse."""

import re

import pytest
from playwright.sync_api import expect

from test_settings_form import cell, form

__all__ = ["form"]  # a fixture


def test_directions_that_are_set_while_an_answer_is_on_its_way_stay_set(viewer, form, channel):
    page = form.page
    held = []
    page.route("**/settings", lambda route: held.append(route) if route.request.method == "PATCH" else route.continue_())

    def release(index):
        with page.expect_response(lambda it: it.request.method == "PATCH"):
            held[index].continue_()

    top = form.get_by_role("group", name="Swipe at the top · Directions that dismiss")
    for name in ("Left", "Right"):
        top.get_by_label(name).check()
    viewer.wait_until(lambda: len(held) == 2)
    release(0)
    expect(cell(form, "gestures/swipe/top/directions")).to_have_attribute("data-by", "channel")
    top.get_by_label("Down").check()
    viewer.wait_until(lambda: len(held) == 3)
    release(1)
    release(2)
    directions = channel.call("GET", "/settings")["own"]["gestures"]["swipe"]["top"]["directions"]
    assert set(directions) == {"up", "left", "right", "down"}


def test_what_was_refused_stays_until_its_own_setting_changes(form, channel):
    pause, capacity = (form.locator(f"[data-path={path}]") for path in ("pause", "capacity"))
    colour = form.locator("[data-path='theme/textColor']")
    for field, value in ((pause, "99"), (colour, "#EEEEEE"), (capacity, "7")):
        field.fill(value)
        field.press("Tab")
    channel.wait(lambda: channel.call("GET", "/settings")["own"] == {"theme": {"textColor": "#EEEEEE"}, "capacity": 7})
    expect(cell(form, "capacity").locator("[data-source]")).to_have_text("channel")
    # A change from elsewhere does not replace it, either.
    channel.configure(capacity=8)
    expect(capacity).to_have_value("8")
    expect(pause).to_have_value("99")
    expect(pause).to_have_attribute("aria-invalid", "true")
    expect(pause).to_have_accessible_description(re.compile("from 0 to 10.*How long"))
    # The server repeats its warnings: each is shown once.
    expect(cell(form, "theme/textColor").locator("[data-warning]")).to_have_count(1)
    expect(colour).to_have_accessible_description(re.compile("contrast"))
    pause.fill("1")
    pause.press("Tab")
    expect(form.locator("[aria-invalid]")).to_have_count(0)
    expect(pause).to_have_accessible_description(re.compile("^s How long"))
    expect(cell(form, "pause").locator("[data-source]")).to_have_text("channel")
    capacity.fill("-1")
    capacity.press("Tab")
    expect(capacity).to_have_attribute("aria-invalid", "true")
    form.get_by_role("button", name="Back to the defaults").click()
    expect(form.locator("[data-issue]")).to_have_count(0)
    expect(capacity).not_to_have_value("-1")


def test_a_refusal_does_not_take_the_focus_from_another_field(viewer, form):
    page = form.page
    held = []
    page.route("**/settings", lambda route: held.append(route) if route.request.method == "PATCH" else route.continue_())
    pause, capacity = (form.locator(f"[data-path={path}]") for path in ("pause", "capacity"))
    pause.fill("99")
    pause.press("Tab")
    viewer.wait_until(lambda: held)
    capacity.focus()
    held[0].continue_()
    expect(pause).to_have_attribute("aria-invalid", "true")
    expect(capacity).to_be_focused()


@pytest.fixture
def out_of_order(form):
    """Sends two values of `pause`, and answers the first one after the second."""
    page = form.page
    pause = form.locator("[data-path=pause]")

    def send(first, second):
        held = []

        def is_first(route):
            return f'"pause":{first}}}' in (route.request.post_data or "")

        page.route("**/settings", lambda route: held.append(route) if is_first(route) else route.continue_())
        pause.fill(first)
        pause.press("Tab")
        with page.expect_response(lambda response: f'"pause":{second}}}' in (response.request.post_data or "")):
            pause.fill(second)
            pause.press("Tab")
        with page.expect_response(lambda response: f'"pause":{first}}}' in (response.request.post_data or "")) as late:
            held[0].continue_()
        late.value.finished()
        # After a whole further exchange, the page has read it.
        page.evaluate("async () => { await (await fetch('/livez')).text(); }")
        return pause

    return send


def test_a_late_refusal_of_a_former_change_marks_nothing(form, out_of_order, channel):
    expect(out_of_order("99", "5")).to_have_value("5")
    expect(form.locator("[data-issue]")).to_have_count(0)
    assert channel.call("GET", "/settings")["own"] == {"pause": 5}


def test_a_late_success_of_a_former_change_does_not_hide_a_refusal(out_of_order, channel):
    pause = out_of_order("5", "99")
    expect(pause).to_have_attribute("aria-invalid", "true")
    expect(pause).to_have_value("99")
    assert channel.call("GET", "/settings")["own"] == {"pause": 5}


# No answer about the settings of a channel arrives before `release()` is called.
HOLD = """(name) => {
  const send = fetch;
  const held = new Promise((resolve) => { window.release = resolve; });
  window.fetch = async (address, options) => {
    const answer = await send(address, options);
    if (`${address}`.endsWith(`/${name}/settings`)) { await held; }
    return answer;
  };
}"""


def test_a_member_that_is_added_and_removed_before_the_server_answers_is_gone(form, channel):
    page = form.page
    channel.configure(appearance={"layout": {"iconSize": 32}})
    appearance = form.locator("[data-path=appearance]")
    expect(appearance).to_have_value('{"layout":{"iconSize":32}}')
    page.evaluate(HOLD, channel.name)
    for text in ('{"layout": {"iconSize": 32, "cornerRadius": 20}}', '{"layout": {"iconSize": 40}}'):
        appearance.fill(text)
        appearance.press("Tab")
    channel.wait(lambda: channel.call("GET", "/settings")["own"]["appearance"] == {"layout": {"iconSize": 40}})
    page.evaluate("release()")
    expect(appearance).to_have_value('{"layout":{"iconSize":40}}')


def test_a_change_goes_to_the_channel_in_which_it_was_made(form, channel):
    page = form.page
    page.evaluate(HOLD, channel.name)
    for path, value in (("pause", "1.5"), ("capacity", "7")):
        form.locator(f"[data-path={path}]").fill(value)
        page.keyboard.press("Tab")
    page.get_by_role("textbox", name="Channel").fill(f"{channel.name}-b")
    page.get_by_role("button", name="Go").click()
    expect(form.locator("[data-path=pause]")).to_have_value("0.2")
    page.evaluate("release()")
    channel.wait(lambda: channel.call("GET", "/settings")["own"] == {"pause": 1.5, "capacity": 7})
    expect(form.locator("[data-path=pause]")).to_have_value("0.2")
    expect(form.locator("[data-curl]")).to_be_hidden()
