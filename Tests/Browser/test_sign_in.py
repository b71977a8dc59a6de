"""The page of a secured server: signing in and out, and parts that need a permission."""

import signal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import SCHEMES, settled
from test_look import complaints


def sign_in(page, key):
    page.get_by_label("Key or token").fill(key)
    page.locator("[data-form=sign-in] [data-primary]").click()


def post(page, name, **members):
    """Posts with the cookie of the page."""
    return page.evaluate(
        """async ([name, toast]) => (await fetch(`/v1/channels/${name}/toasts`, {
          method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(toast),
        })).status""",
        [name, {"message": "Deployed", "duration": "indefinite", **members}],
    )


def test_a_secured_server_asks_for_a_key_and_shows_the_channel(secured, visit):
    secured.start()
    viewer = visit()
    page = viewer.page
    requests = []
    page.on("request", lambda request: requests.append(request))
    form = page.locator("[data-form=sign-in]")
    expect(form).to_be_visible()
    expect(form).to_contain_text(f"#{viewer.channel.name}")
    for part in ("#timeline", "#playground", "#settings", "[data-demos]"):
        expect(page.locator(part)).to_be_hidden()
    sign_in(page, secured.full)
    page.locator("[data-connection=open]").wait_for()
    expect(form).to_be_hidden()
    for part in ("#timeline", "#playground", "#settings", "[data-demos]"):
        expect(page.locator(part)).to_be_visible()
    assert post(page, viewer.channel.name) == 201
    expect(viewer.toast("Deployed")).to_be_visible()
    # The credential was sent once, in a header field, and is stored nowhere.
    assert [it.url for it in requests if "authorization" in it.headers] == [f"{viewer.base}/v1/session"]
    assert not any(secured.full in it.url for it in requests)
    assert secured.full not in page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])")
    assert page.locator("[name=credential]").input_value() == ""
    # Another visit needs no key.
    page.reload()
    page.locator("[data-connection=open]").wait_for()
    expect(viewer.toast("Deployed")).to_be_visible()


def header_lines(page):
    """How many lines the visible parts of the page's header take."""
    parts = page.locator("body > header > *").all()
    middles = sorted(box["y"] + box["height"] / 2 for box in (it.bounding_box() for it in parts) if box)
    return sum(not index or y - middles[index - 1] > 10 for index, y in enumerate(middles))


@pytest.mark.parametrize(("width", "count"), [(375, 3), (768, 2)])
@pytest.mark.parametrize("locale", ["en-GB", "de-AT"])
def test_the_header_fits_on_the_expected_number_of_lines(secured, visit, locale, width, count):
    secured.start()
    page = visit(locale=locale, viewport={"width": width, "height": 812}).page
    page.locator("[data-connection=closed]").wait_for()
    assert header_lines(page) == count
    page.locator("#credential").fill(secured.full)
    page.locator("[data-form=sign-in] [data-primary]").click()
    page.locator("[data-connection=open]").wait_for()
    assert header_lines(page) == count
    tops = {round(it.bounding_box()["y"]) for it in page.locator("nav a:visible").all()}
    assert len(tops) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto(f"{secured.server.base}/gallery.html")
    page.locator("[data-connection=open]").wait_for()
    assert header_lines(page) == 1


def test_a_refused_credential_is_explained_beside_the_field(secured, visit):
    secured.start()
    page = visit().page
    field = page.get_by_label("Key or token")
    page.locator("[data-form=sign-in] [data-primary]").click()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#credential-problem")).to_have_text("Enter a key or a token.")
    # It cannot be sent in a header field, and the error must not say that the server is away.
    sign_in(page, "toastd_3f9a01c2_śchlüssel")
    expect(page.locator("#credential-problem")).to_contain_text("does not accept")
    page.locator("[data-form=sign-in] [data-primary]").click()
    expect(field).to_be_focused()
    sign_in(page, "toastd_3f9a01c2_wrong")
    expect(page.locator("#credential-problem")).to_contain_text("does not accept")
    expect(field).to_be_focused()
    assert field.get_attribute("type") == "password"
    page.get_by_text("Show what I enter").click()
    assert field.get_attribute("type") == "text"
    sign_in(page, secured.full)
    page.locator("[data-connection=open]").wait_for()


def test_the_page_says_what_is_permitted_and_lets_sign_out(secured, visit):
    secured.start()
    viewer = visit()
    page = viewer.page
    sign_in(page, secured.screen)
    page.locator("[data-connection=open]").wait_for()
    account = page.locator("[data-tool=account]")
    # The name that the access file gives the key.
    expect(account).to_have_text("test")
    expect(account).to_be_focused()
    account.click()
    rights = page.locator("[data-rights]")
    expect(rights.locator("[data-scope=subscribe]")).to_contain_text("shown-*")
    expect(rights.locator("[data-scope=publish]")).to_contain_text("not permitted")
    expect(page.locator("[data-until]")).to_contain_text("ends on")
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("[data-form=sign-in]")).to_be_visible()
    expect(page.get_by_label("Key or token")).to_be_focused()
    expect(page.locator("#timeline")).to_be_hidden()
    page.locator("[data-connection=closed]").wait_for()
    assert page.evaluate("fetch('/v1/session').then((it) => it.json())")["session"] is False


def test_parts_without_permission_say_so_in_place(secured, visit):
    secured.start()
    viewer = visit()
    page = viewer.page
    sign_in(page, secured.screen)
    page.locator("[data-connection=open]").wait_for()
    expect(page.get_by_role("button", name="Toast it")).to_be_disabled()
    expect(page.get_by_role("button", name="Say hello")).to_be_disabled()
    expect(page.locator("[data-clear]")).to_be_disabled()
    expect(page.locator("[data-path=pause]")).to_be_disabled()
    for scope in ("publish", "manage", "respond"):
        note = page.locator(f"#playground [data-lacks={scope}], #settings [data-lacks={scope}], #timeline [data-lacks={scope}]")
        expect(note).to_contain_text(viewer.channel.name)
    # The note leads to the form.
    page.locator("#settings [data-ask]").click()
    expect(page.get_by_label("Key or token")).to_be_focused()
    sign_in(page, secured.full)
    expect(page.get_by_role("button", name="Toast it")).to_be_enabled()
    expect(page.locator("[data-path=pause]")).to_be_enabled()
    expect(page.locator("[data-lacks]:visible")).to_have_count(0)


def test_a_channel_that_a_key_does_not_cover(secured, visit):
    secured.start()
    page = visit("hidden").page
    sign_in(page, secured.screen)
    form = page.locator("[data-form=sign-in]")
    expect(form).to_contain_text("has no permission on #hidden")
    page.get_by_role("textbox", name="Channel").fill("shown-1")
    page.get_by_role("button", name="Go").click()
    page.locator("[data-connection=open]").wait_for()
    expect(form).to_be_hidden()


def test_a_key_that_only_posts_has_the_playground(secured, visit):
    secured.start()
    page = visit().page
    sign_in(page, secured.sender)
    expect(page.locator("#playground")).to_be_visible()
    expect(page.locator("#timeline")).to_be_hidden()
    with page.expect_response(lambda it: it.url.endswith("/toasts")) as answer:
        page.get_by_role("button", name="Toast it").click()
    assert answer.value.status == 201


def test_an_open_server_shows_no_sign_in(viewer):
    expect(viewer.page.locator("[data-area=session]")).to_be_hidden()
    expect(viewer.page.locator("[data-tool=account]")).to_be_hidden()
    expect(viewer.page.locator("[data-lacks]:visible")).to_have_count(0)
    expect(viewer.page.locator("[data-form=compose] code")).not_to_contain_text("Authorization")


def test_anonymous_callers_may_watch_and_a_key_permits_more(secured, visit):
    secured.start("--allow-anonymous", "subscribe")
    page = visit().page
    page.locator("[data-connection=open]").wait_for()
    expect(page.locator("[data-area=session]")).to_be_hidden()
    expect(page.get_by_role("button", name="Toast it")).to_be_disabled()
    expect(page.locator("[data-form=compose] code")).to_contain_text("Authorization: Bearer $TOASTD_TOKEN")
    page.locator("[data-tool=account]").click()
    sign_in(page, secured.full)
    expect(page.get_by_role("button", name="Toast it")).to_be_enabled()


def test_all_tabs_sign_in_and_out_together(secured, visit):
    secured.start()
    first = visit("shown-tabs")
    second = visit("shown-tabs", context=first.page.context)
    sign_in(first.page, secured.full)
    second.page.locator("[data-connection=open]").wait_for()
    second.page.locator("[data-tool=account]").click()
    second.page.get_by_role("button", name="Sign out").click()
    expect(first.page.locator("[data-form=sign-in]")).to_be_visible()
    expect(first.page.locator("#timeline")).to_be_hidden()


def test_a_key_that_is_revoked_ends_what_it_opened(secured, visit):
    secured.start()
    page = visit().page
    sign_in(page, secured.full)
    page.locator("[data-connection=open]").wait_for()
    secured.run("key", "revoke", secured.full.split("_")[1])
    secured.server.process.send_signal(signal.SIGHUP)
    expect(page.locator("[data-form=sign-in]")).to_be_visible()
    expect(page.locator("#timeline")).to_be_hidden()


@pytest.mark.parametrize("locale", ["en-GB", "de-AT"])
def test_axe_finds_nothing_signed_out_and_in_and_it_fits(secured, visit, locale):
    secured.start()
    viewer = visit(locale=locale, reduced_motion="reduce", viewport={"width": 375, "height": 812})
    page = viewer.page

    def check(state):
        assert page.evaluate("document.documentElement.scrollWidth") <= 375, state
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            results = Axe().run(page)
            assert results.violations_count == 0, f"{state}, {scheme}: {complaints(results)}"

    page.evaluate("for (const it of document.querySelectorAll('details')) it.open = true")
    page.locator("[name=credential]").fill("wrong")
    page.locator("[data-form=sign-in] [data-primary]").click()
    expect(page.locator("#credential-problem")).not_to_be_empty()
    check("signed out")
    page.locator("[name=credential]").fill(secured.screen)
    page.locator("[data-form=sign-in] [data-primary]").click()
    page.locator("[data-connection=open]").wait_for()
    page.locator("[data-tool=account]").click()
    expect(page.locator("[data-rights]")).to_be_visible()
    check("signed in")


def test_by_keyboard_alone(secured, visit):
    secured.start()
    viewer = visit()
    page = viewer.page
    # The form comes with the server's answer; before that, Tab has another place to go.
    expect(page.get_by_label("Key or token")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Key or token")).to_be_focused()
    page.keyboard.type(secured.full)
    page.keyboard.press("Enter")
    page.locator("[data-connection=open]").wait_for()
    expect(page.locator("[data-tool=account]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-account] h2")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Sign out")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Key or token")).to_be_focused()


def test_the_gallery_shows_and_does_not_send_without_permission(secured, visit):
    secured.start()
    page = visit(path="/gallery.html", query="&style=glass&show=light&placement=top").page
    expect(page.locator("figure [role=group]").first).to_be_visible()
    expect(page.locator("figure button").first).to_be_disabled()
    expect(page.locator("[data-lacks=publish]")).to_be_visible()
    expect(page.locator("[data-connection=closed]")).to_have_text("Not signed in")
    results = Axe().run(page)
    assert results.violations_count == 0, complaints(results)


def test_an_embedded_element_asks_its_host_for_another_token(secured, visit):
    """A page that handles `toast-unauthorized` gets its viewer back without a reload."""
    secured.start()
    viewer = visit()
    page = viewer.page
    page.evaluate(
        """([key, name]) => {
          window.asked = [];
          const viewer = document.createElement("toast-viewer");
          viewer.setAttribute("share", "off");
          viewer.addEventListener("toast-unauthorized", (event) => {
            asked.push([event.detail.status, event.detail.channel]);
            if (asked.length === 1) { event.detail.retry(key); }
          });
          viewer.channel = name;
          document.body.append(viewer);
          window.embedded = viewer;
        }""",
        [secured.full, viewer.channel.name],
    )
    page.wait_for_function("() => embedded.connection === 'open'")
    assert page.evaluate("asked") == [[401, viewer.channel.name]]


def test_a_refused_answer_dispatches_toast_unauthorized(secured, visit):
    secured.start("--allow-anonymous", "subscribe,publish")
    viewer = visit()
    page = viewer.page
    page.locator("[data-connection=open]").wait_for()
    # With shared holds a pointer over a toast sends a request, too.
    page.evaluate("document.querySelector('toast-viewer').holds = 'local'")
    page.evaluate("addEventListener('toast-unauthorized', (event) => { (window.asked ??= []).push(event.detail.status); })")
    assert post(page, viewer.channel.name) == 201
    page.evaluate("addEventListener('toast-dismiss', () => { window.told = (window.told ?? 0) + 1; })")
    settled(viewer.toast("Deployed")).get_by_role("button", name="Dismiss").click()
    page.wait_for_function("() => window.asked?.length === 1")
    assert page.evaluate("asked") == [401]
    # The toast comes back, and another dismissal dispatches the event again.
    back = viewer.toast("Deployed")
    expect(back).to_have_attribute("data-state", "back")
    back.get_by_role("button", name="Dismiss").click()
    page.wait_for_function("() => window.told === 2")
