"""The hooks panel: making, testing, using and deleting hooks, URLs that are shown once, and missing permissions."""

import json
import subprocess
import urllib.error
import urllib.request

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import OUT, ROOT, SCHEMES, Channel, Server, Watching, settled
from test_look import complaints
from test_sign_in import sign_in

FORMATS = ["slack", "discord", "alertmanager", "grafana", "github", "gitlab", "apprise", "cloudevents", "json"]


def open_panel(viewer):
    viewer.page.locator("[data-hooks] > summary").click()
    form = viewer.page.locator("[data-form=hook]")
    expect(form).to_be_visible()
    return form


def make(form, name, format="slack", **fields):
    """Fills the form in and sends it; returns the box with the URL."""
    form.locator("[name=name]").fill(name)
    form.locator("[name=format]").select_option(format)
    for field, value in fields.items():
        control = form.locator(f"[name='{field.replace('__', '/')}']")
        control.select_option(value) if control.evaluate("(it) => it.localName") == "select" else control.fill(value)
    form.locator("[data-primary]").click()
    return form.page.locator("[data-made]")


def shown_url(box):
    expect(box).to_be_visible()
    return box.locator("code").inner_text()


def post(url, document):
    request = urllib.request.Request(url, json.dumps(document).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as response:
        return response.status


def test_a_post_to_the_shown_url_puts_a_toast_on_the_page(viewer, channel):
    page = viewer.page
    form = open_panel(viewer)
    expect(page.locator("[data-hook-list]")).to_have_text("This channel has no hooks yet.")
    box = make(form, "ci", defaults__role="warning", defaults__placement="bottom", defaults='{"duration": 60}')
    expect(box.get_by_role("heading")).to_have_text("The URL of ci")
    expect(box.get_by_role("heading")).to_be_focused()
    url = shown_url(box)
    assert url.startswith(f"{channel.base}/v1/hooks/ci/")
    assert post(url, {"text": "Build 7 passed"}) == 200
    toast = settled(viewer.toast("Build 7 passed"))
    expect(toast.locator("[data-role]")).to_have_attribute("data-role", "warning")
    assert [it["placement"] for it in channel.call("GET", "/toasts")["toasts"]] == ["bottom"]
    row = page.locator("[data-hook=ci]")
    expect(row).to_contain_text("Slack, Mattermost")
    assert channel.call("GET", "/hooks/ci")["defaults"] == {"duration": 60, "role": "warning", "placement": "bottom"}
    # The URL is shown once: it is removed when it is hidden, and a reload does not show it again.
    box.get_by_role("button", name="Hide the URL").click()
    expect(box).to_be_hidden()
    expect(form.locator("[name=name]")).to_be_focused()
    secret = url.split("/")[-1]
    assert secret not in page.content()
    page.reload()
    page.locator("[data-connection=open]").wait_for()
    open_panel(viewer)
    expect(row).to_be_visible()
    assert secret not in page.content()


@pytest.mark.parametrize("format", FORMATS)
def test_a_test_of_each_format_comes_as_a_toast(viewer, format):
    fields = {"pointers__message": "/msg", "pointers__title": "/monitor/name"} if format == "json" else {}
    if format in ("github", "gitlab", "grafana"):
        fields["signingSecret"] = "a long secret"
    box = make(open_panel(viewer), f"my-{format}", format, **fields)
    box.get_by_role("button", name="Send a test").click()
    expect(box.locator("[data-state]")).to_have_text("The server took the test.")
    expect(viewer.toast(f"The hook my-{format} works.")).to_be_visible()


def test_the_test_needs_no_cookie_and_says_what_is_refused(viewer, channel):
    page = viewer.page
    box = make(open_panel(viewer), "ci")
    expect(box).to_be_visible()
    channel.call("DELETE", "/hooks/ci")
    with page.expect_request("**/v1/hooks/**") as sent:
        box.get_by_role("button", name="Send a test").click()
    assert "cookie" not in sent.value.all_headers()
    expect(box.locator("[data-state]")).to_contain_text("The server refused the test")


def test_the_copy_button_copies_the_url(new_context, watch, channel):
    context = new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    viewer = watch(context.new_page()).open()
    box = make(open_panel(viewer), "ci")
    box.get_by_role("button", name="Copy").click()
    expect(box.locator("[data-copy]")).to_have_text("Copied")
    assert post(viewer.page.evaluate("navigator.clipboard.readText()"), {"text": "From the clipboard"}) == 200
    expect(viewer.toast("From the clipboard")).to_be_visible()


def test_deleting_asks_once_and_ends_the_url(viewer, channel):
    page = viewer.page
    form = open_panel(viewer)
    box = make(form, "ci")
    url = shown_url(box)
    row = page.locator("[data-hook=ci]")
    row.get_by_role("button", name="Delete ci").click()
    expect(row.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(row.get_by_role("button", name="Delete ci")).to_be_focused()
    assert len(channel.call("GET", "/hooks")["hooks"]) == 1
    row.get_by_role("button", name="Delete ci").click()
    row.get_by_role("button", name="Delete", exact=True).click()
    expect(row).to_have_count(0)
    expect(box).to_be_hidden()
    expect(page.locator("[data-said]")).to_have_text("The hook ci was deleted.")
    expect(form.locator("[name=name]")).to_be_focused()
    assert channel.call("GET", "/hooks")["hooks"] == []
    with pytest.raises(urllib.error.HTTPError, match="404"):
        post(url, {"text": "Too late"})


def test_an_error_is_shown_beside_its_control(viewer, channel):
    form = open_panel(viewer)

    def check(wrong, text, **fields):
        make(form, **fields)
        control = form.locator(f"[name='{wrong}']")
        expect(control).to_have_attribute("aria-invalid", "true")
        expect(control).to_be_focused()
        expect(form.locator("[data-issue]", has_text=text).first).to_be_visible()

    check("name", "letters, digits", name="a b")
    check("defaults", "JSON object", name="ci", defaults="[1]")
    check("defaults", "JSON object", name="ci", defaults="{")
    # The server's own words.
    check("defaults", "", name="ci", defaults='{"duration": -1}')
    check("defaults", "", name="ci", defaults='{"role": "catastrophe"}')
    form.locator("[name=defaults]").fill("")
    check("pointers/title", "A pointer to a title or a message", name="ci", format="json")
    check("pointers/message", "JSON Pointer", name="ci", format="json", pointers__message="msg")
    check("roles", "", name="ci", format="json", pointers__message="/msg", roles="0=catastrophe")
    assert channel.call("GET", "/hooks")["hooks"] == []
    expect(make(form, "ci")).to_be_visible()
    check("name", "already", name="ci")


def test_the_controls_are_those_of_the_format(viewer):
    form = open_panel(viewer)
    for format, names in {"slack": (), "json": ("pointers/title", "roles"), "github": ("signingSecret",)}.items():
        form.locator("[name=format]").select_option(format)
        for name in ("pointers/title", "roles", "signingSecret"):
            expect(form.locator(f"[name='{name}']")).to_be_visible(visible=name in names)


def test_switching_the_channel_lists_its_hooks_and_removes_the_shown_url(viewer, channel):
    page = viewer.page
    form = open_panel(viewer)
    box = make(form, "ci")
    expect(box).to_be_visible()
    page.get_by_role("textbox", name="Channel").fill(f"{channel.name}-2")
    page.get_by_role("button", name="Go").click()
    expect(box).to_be_hidden()
    expect(page.locator("[data-hook-list]")).to_have_text("This channel has no hooks yet.")
    make(form, "other")
    expect(page.locator("[data-hook=other]")).to_be_visible()
    page.go_back()
    expect(page.locator("[data-hook=ci]")).to_be_visible()
    expect(page.locator("[data-hook=other]")).to_have_count(0)


def test_nothing_is_loaded_before_the_panel_is_opened(page, watch):
    loaded = []
    page.on("request", lambda request: loaded.append(request.url) if "hook" in request.url else None)
    viewer = watch(page).open()
    assert loaded == []
    open_panel(viewer)
    assert any(url.endswith("/page/hooks.js") for url in loaded)


def test_without_permission_the_panel_says_so_in_place(secured, visit):
    secured.start()
    viewer = visit()
    page = viewer.page
    sign_in(page, secured.screen)
    page.locator("[data-connection=open]").wait_for()
    hooks = page.locator("#hooks")
    expect(hooks.locator("[data-lacks=manage]")).to_contain_text(f"hooks of #{viewer.channel.name}")
    expect(hooks.locator("[data-hooks]")).to_be_hidden()
    # The note leads to the form, and with another key the panel is there.
    hooks.locator("[data-ask]").click()
    expect(page.get_by_label("Key or token")).to_be_focused()
    sign_in(page, secured.full)
    box = make(open_panel(viewer), "ci")
    url = shown_url(box)
    box.get_by_role("button", name="Send a test").click()
    expect(viewer.toast("The hook ci works.")).to_be_visible()
    assert post(url, {"text": "From a sender without a key"}) == 200
    # Signing out removes the secret URL from the page.
    page.locator("[data-tool=account]").click()
    page.get_by_role("button", name="Sign out").click()
    expect(hooks).to_be_hidden()
    page.wait_for_function("(secret) => !document.body.textContent.includes(secret)", arg=url.split("/")[-1])


def test_by_keyboard_alone(viewer, channel):
    page = viewer.page
    page.locator("[data-hooks] > summary").focus()
    page.keyboard.press("Enter")
    name = page.locator("[data-form=hook] [name=name]")
    expect(name).to_be_visible()
    page.keyboard.press("Tab")
    expect(name).to_be_focused()
    page.keyboard.type("ci")
    page.keyboard.press("Enter")
    expect(page.locator("[data-made] h3")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Send a test")).to_be_focused()
    page.keyboard.press("Enter")
    expect(viewer.toast("The hook ci works.")).to_be_visible()


@pytest.mark.parametrize("locale", ["en-GB", "de-AT"])
@pytest.mark.parametrize("width", [375, 1440])
def test_axe_finds_nothing_and_it_fits(new_context, watch, locale, width):
    OUT.mkdir(exist_ok=True)
    context = new_context(locale=locale, reduced_motion="reduce", viewport={"width": width, "height": 900})
    viewer = watch(context.new_page()).open()
    page = viewer.page
    form = open_panel(viewer)
    make(form, "deploys", defaults__role="success", defaults='{"haptic": "none", "duration": 10}')
    expect(page.locator("[data-hook=deploys]")).to_be_visible()
    make(form, "uptime", "json", pointers__message="/msg", pointers__title="/monitor/name", roles="0=error, 1=success")
    expect(page.locator("[data-hook=uptime]")).to_be_visible()
    page.locator("[data-hook=deploys] [data-delete]").click()
    make(form, "a b", "json", pointers__message="msg")
    expect(form.locator("[data-issue]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        results = Axe().run(page)
        assert results.violations_count == 0, f"{scheme}: {complaints(results)}"
        page.locator("#hooks").screenshot(path=OUT / f"hooks-{locale}-{width}-{scheme}.png")


def test_a_page_made_for_production_has_the_panel(new_context, watching, tmp_path):
    subprocess.run([ROOT / "scripts/dist", ROOT / "public", tmp_path / "public"], check=True)
    server = Server(public=tmp_path / "public")
    try:
        viewer = Watching(new_context().new_page(), Channel(server.base, "dist"))
        watching.append(viewer)
        viewer.open()
        box = make(open_panel(viewer), "ci")
        box.get_by_role("button", name="Send a test").click()
        expect(viewer.toast("The hook ci works.")).to_be_visible()
        form = viewer.page.locator("[data-form=hook]")
        make(form, "a b")
        expect(form.locator("[data-issue]")).to_be_visible()
        viewer.check()
        watching.clear()
        viewer.page.close()
    finally:
        server.stop()


def test_a_url_that_is_told_after_another_channel_was_chosen_names_its_channel(viewer, channel):
    page = viewer.page
    form = open_panel(viewer)
    held = []
    page.route("**/hooks/ci", lambda route: held.append(route))
    box = make(form, "ci")
    viewer.wait_until(lambda: held)
    page.get_by_role("textbox", name="Channel").fill(f"{channel.name}-b")
    page.get_by_role("button", name="Go").click()
    page.wait_for_function("(name) => document.querySelector('toast-viewer').channel === name", arg=f"{channel.name}-b")
    held[0].continue_()
    expect(box.get_by_role("heading")).to_have_text(f"The URL of ci ({channel.name})")
    assert post(shown_url(box), {"text": "Build 7 passed"}) == 200
    assert [it["message"] for it in channel.call("GET", "/toasts")["toasts"]] == ["Build 7 passed"]
