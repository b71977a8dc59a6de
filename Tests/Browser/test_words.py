"""The viewer's own words on the toasts: in the language around it, and from the server's catalogs."""

import json
import re
import urllib.request

from playwright.sync_api import expect

VIEWER = "document.querySelector('toast-viewer')"


def test_the_words_of_a_card_are_in_the_language_around_it(viewer, channel):
    channel.post("Voll", role="error", style="notification", duration="indefinite", progress={"value": 1, "total": 2})
    toast = viewer.toast("Voll")
    expect(toast.get_by_role("button", name="Dismiss: Error: Voll", exact=True)).to_be_visible()
    viewer.page.evaluate(f"{VIEWER}.lang = 'de-AT'")
    expect(toast.get_by_role("button", name="Schließen: Fehler: Voll", exact=True)).to_be_visible()
    expect(toast.get_by_role("progressbar", name="Fortschritt")).to_have_attribute("aria-valuenow", "1")
    expect(toast.locator("[part=title]")).to_have_text("Fehler")
    expect(viewer.page.get_by_role("group", name=re.compile("^Fehler: Voll"))).to_be_visible()
    assert toast.locator("[role=group]").evaluate("(it) => getComputedStyle(it, '::before').content") == '"jetzt" / ""'


def test_a_language_further_out_that_changes_is_noticed(viewer, channel):
    page = viewer.page
    page.evaluate(f"""() => {{
      const host = document.body.appendChild(document.createElement("div"));
      host.attachShadow({{ mode: "open" }}).append({VIEWER});
    }}""")
    channel.post("Full", duration="indefinite")
    expect(page.get_by_role("button", name="Dismiss: Info")).to_be_visible()
    page.evaluate("document.documentElement.lang = 'de'")
    expect(page.get_by_role("button", name="Schließen: Info")).to_be_visible()
    page.evaluate("document.body.lastElementChild.lang = 'en'")
    expect(page.get_by_role("button", name="Dismiss: Info")).to_be_visible()


def test_the_viewer_ships_the_words_that_the_server_brings_along(viewer, server):
    for language in ("en", "de"):
        with urllib.request.urlopen(f"{server.base}/v1/catalogs/{language}", timeout=10) as response:
            catalog = json.load(response)
        differing = viewer.page.evaluate(
            "async ([language, catalog]) => (await import('/viewer/lazy/catalog.js')).differing(language, catalog)", [language, catalog]
        )
        assert differing == {}


def test_what_a_catalog_of_the_server_calls_a_role_is_read_on_the_toast(page, watch, channel):
    asked = []
    page.route("**/v1/catalogs/*", lambda route: (
        asked.append(route.request.url), route.fulfill(json={"role.error.title": "Oh no", "now": '1" ago'}),
    ))
    viewer = watch(page).open()
    channel.post("Full", role="error", style="notification", duration="indefinite")
    expect(viewer.toast("Full").locator("[part=title]")).to_have_text("Oh no")
    assert viewer.toast("Full").locator("[role=group]").evaluate("(it) => getComputedStyle(it, '::before').content") == '"1\\" ago" / ""'
    assert len(asked) == 1


def test_a_server_without_words_changes_nothing(page, watch, channel):
    page.route("**/v1/catalogs/*", lambda route: route.abort())
    viewer = watch(page).open()
    channel.post("Full", role="error", duration="indefinite")
    expect(viewer.toast("Full").locator("[part=title]")).to_have_text("Error")
