"""The playground: the form that makes toasts, what it posts, and what it says when the server objects."""

import re

from playwright.sync_api import expect


def test_the_form_posts_what_it_shows(viewer, channel):
    page = viewer.page
    page.locator("[data-form=compose]").get_by_label("Message").fill("It's from the form")
    page.locator("[data-form=compose]").get_by_text("Retro", exact=True).click()
    page.locator("[data-form=compose]").get_by_text("Error", exact=True).click()
    page.locator("[data-form=compose]").get_by_text("Bottom", exact=True).click()
    page.locator("[data-form=compose]").get_by_text("My own").click()
    page.locator("[data-form=compose]").get_by_label("Title", exact=True).last.fill("A title")
    expect(page.locator("[data-form=compose] code")).to_contain_text(r"It'\''s from the form")
    expect(page.locator("[data-preview]").locator("[part=title]")).to_contain_text("A title")
    with page.expect_response(lambda it: it.url.endswith("/toasts") and it.request.method == "POST") as answer:
        page.get_by_role("button", name="Toast it").click()
    assert answer.value.status == 201
    toast = viewer.toast("It's from the form")
    expect(toast).to_contain_text("A title")
    expect(toast.locator("[data-style=retro][data-role=error]")).to_be_visible()
    assert toast.bounding_box()["y"] > page.viewport_size["height"] / 2


def test_the_preview_is_of_the_last_choice_also_when_the_sheet_of_another_one_is_late(page, watch):
    late = []
    page.route("**/styles/retro.css", lambda route: late.append(route))
    viewer = watch(page).open()
    drawn = page.locator("[data-preview]").locator("[role=group]")
    expect(drawn).to_have_attribute("data-style", "glass")
    page.locator("[data-form=compose]").get_by_text("Retro", exact=True).click()
    viewer.wait_until(lambda: late)
    page.locator("[data-form=compose]").get_by_text("Glass", exact=True).click()
    with page.expect_event("requestfinished", lambda it: it.url.endswith("retro.css")):
        late[0].continue_()
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    expect(drawn).to_have_attribute("data-style", "glass")


def test_every_member_of_a_toast_has_its_control(viewer, channel):
    page = viewer.page
    page.locator("[data-more] > summary").click()
    page.locator("[data-form=compose]").get_by_text("By key").click()
    page.locator("[data-form=compose]").get_by_label("Key", exact=True).fill("greeting")
    page.locator("[data-form=compose]").get_by_label("Arguments").fill("Ann")
    page.locator("[data-form=compose]").get_by_label("If the key").fill("Hello, %@")
    page.locator("[data-form=compose]").get_by_text("Part", exact=True).click()
    page.locator("[data-form=compose]").get_by_label("Of", exact=True).fill("10")
    page.get_by_role("combobox", name="Icon").select_option("rocket-takeoff-fill")
    page.locator("[data-form=compose]").get_by_role("combobox", name="Vibration").select_option(label="Heavy")
    page.locator("[data-form=compose]").get_by_label("Action 1", exact=True).fill("Undo")
    page.locator("[data-form=compose]").get_by_label("Role of action 1").select_option("destructive")
    page.locator("[data-form=compose]").get_by_label("Address of action 1").fill("/gallery.html")
    page.locator("[data-form=compose]").get_by_label("Image").fill("/favicon.svg")
    page.locator("[data-form=compose]").get_by_label("What it shows").fill("A toast")
    page.locator("[data-form=compose]").get_by_label("Expires after").fill("60")
    page.locator("[data-form=compose]").get_by_label("Identifier").fill("r")
    page.locator("[data-form=compose]").get_by_label("Appearance, JSON").fill('{"layout": {"cornerRadius": 20}}')
    page.locator("[data-form=compose]").get_by_label("Data, JSON").fill('{"build": 42}')
    page.locator("[data-form=compose]").get_by_text("Requires interaction").click()
    page.locator("[data-form=compose]").get_by_text("Dims the page").click()
    with page.expect_response(lambda it: it.url.endswith("/toasts") and it.request.method == "POST") as answer:
        page.get_by_role("button", name="Toast it").click()
    toast = answer.value.json()
    assert answer.value.status == 201
    assert toast["message"] == {"key": "greeting", "arguments": ["Ann"], "default": "Hello, %@", "text": "Hello, Ann"}
    assert toast["progress"] == {"value": 4, "total": 10}
    assert toast["actions"] == [{"id": "undo", "title": "Undo", "role": "destructive", "url": "/gallery.html"}]
    assert (toast["icon"], toast["haptic"]) == ("rocket-takeoff-fill", "heavy")
    assert toast["image"] == {"url": "/favicon.svg", "alt": "A toast"}
    assert (toast["expiresAfter"], toast["reuseIdentifier"]) == (60, "r")
    assert toast["appearance"] == {"layout": {"cornerRadius": 20}}
    assert toast["data"] == {"build": 42}
    assert toast["requiresInteraction"] and toast["dimsBackground"]
    expect(viewer.toast("Hello, Ann")).to_be_visible()


def test_errors_stand_beside_their_controls(viewer):
    page = viewer.page
    page.locator("[data-more] > summary").click()
    page.locator("[data-form=compose]").get_by_text("Part", exact=True).click()
    page.locator("[data-form=compose]").get_by_label("Of", exact=True).fill("-1")
    page.locator("[data-form=compose]").get_by_label("Appearance, JSON").fill("round")
    page.locator("[data-more] > summary").click()
    page.get_by_role("button", name="Toast it").click()
    total = page.locator("[data-form=compose]").get_by_label("Of", exact=True)
    expect(total).to_be_focused()
    expect(total).to_have_attribute("aria-invalid", "true")
    expect(total).to_have_accessible_description(re.compile("greater than 0"))
    expect(page.locator("[data-form=compose]").get_by_label("Appearance, JSON")).to_have_accessible_description(re.compile("object"))
    problem = page.locator("[data-form=compose] [data-problem]")
    expect(problem).to_contain_text("marked")
    total.fill("1")
    page.locator("[data-form=compose]").get_by_label("Appearance, JSON").fill("")
    page.get_by_role("button", name="Toast it").click()
    expect(page.locator("[aria-invalid]")).to_have_count(0)
    expect(viewer.toasts).to_have_count(1)
    page.locator("[data-form=compose]").get_by_label("Message").fill("")
    page.get_by_role("button", name="Toast it").click()
    expect(problem).not_to_be_empty()


def test_warnings_of_the_server_are_shown_until_the_next_toast(viewer, channel):
    page = viewer.page
    page.locator("[data-more] > summary").click()
    identifier = page.locator("[data-form=compose]").get_by_label("Identifier")
    identifier.fill("deploy-42")
    page.get_by_role("button", name="Toast it").click()
    problem = page.locator("[data-form=compose] [data-problem]")
    expect(problem).to_contain_text("/reuseIdentifier: The channel does not look for a toast of this name")
    expect(identifier).to_have_accessible_description(re.compile("does not look"))
    expect(page.locator("[aria-invalid]")).to_have_count(0)
    expect(viewer.toasts).to_have_count(1)
    identifier.fill("")
    page.get_by_role("button", name="Toast it").click()
    expect(problem).to_be_empty()
    expect(identifier).to_have_accessible_description("")


def test_an_invalid_value_in_a_hidden_control_does_not_block_the_form(viewer, channel):
    page = viewer.page
    form = page.locator("[data-form=compose]")
    form.locator("[name=duration]").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("-")
    form.get_by_text("Stays", exact=True).click()
    page.get_by_role("button", name="Toast it").click()
    expect(viewer.toasts).to_have_count(1)
    assert channel.call("GET", "/toasts")["toasts"][0]["duration"] == "indefinite"


def test_an_error_in_closed_details_opens_them(viewer):
    page = viewer.page
    expires = page.locator("[data-form=compose] [name=expiresAfter]")
    page.locator("[data-more] > summary").click()
    expires.focus()
    page.keyboard.type("-")
    page.locator("[data-more] > summary").click()
    expect(expires).to_be_hidden()
    page.get_by_role("button", name="Toast it").click()
    expect(expires).to_be_visible()
    expect(expires).to_be_focused()
