"""The viewer's own words: in the language around it, and from the server's catalogs."""

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


def test_a_language_change_outside_of_the_shadow_root_takes_effect(viewer, channel):
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


def test_the_catalog_s_name_of_a_role_is_shown_on_the_toast(page, watch, channel):
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


def test_the_publisher_s_text_has_its_own_direction_beside_the_viewer_s(viewer, channel):
    page = viewer.page
    channel.configure(mode="stack", maxVisible=3)
    channel.post("تم النشر (v2)!", title=None, role="success", duration="indefinite")
    channel.post("Deployed (v2)!", title="تم النشر", role="success", duration="indefinite")
    page.evaluate(f"{VIEWER}.showHistory()")
    panel = page.get_by_role("dialog", name="History")
    expect(panel.locator("li")).to_have_count(2)
    expect(viewer.toasts).to_have_count(2)
    directions = "(all) => all.map((it) => getComputedStyle(it).direction)"
    assert viewer.toasts.locator("[part=title], [part=message]").evaluate_all(directions) == ["rtl", "rtl", "ltr"]
    # The first of the history has the role's own title.
    assert panel.locator("[part=memory-title], [part=memory-message]").evaluate_all(directions) == ["rtl", "ltr", "ltr", "rtl"]
    # Screen readers still get the role before the words.
    expect(viewer.toast("Deployed").locator("[part=title]")).to_have_text("Success: تم النشر", use_inner_text=False)


def languages(viewer, selector):
    return viewer.page.locator(f"toast-viewer {selector}").evaluate_all("""(all) => all.map((it) => {
      for (let node = it; node; node = node.parentElement ?? node.getRootNode().host) { if (node.lang) { return node.lang; } }
    })""")


def test_the_viewer_s_and_the_publisher_s_words_are_marked_with_their_languages(viewer, channel):
    page = viewer.page
    page.evaluate("document.documentElement.lang = 'fr'")
    channel.post("Le disque est plein", title="Disque", role="error", duration="indefinite", progress={"value": 1, "total": 2})
    expect(viewer.toast("Le disque")).to_be_visible()
    page.keyboard.press("F8")
    page.evaluate(f"{VIEWER}.showHistory()")
    expect(page.get_by_role("dialog", name="History")).to_be_visible()
    ours = "[part=prefix], [part=close], [part=progress], [part=toolbar], [part=panel-title], [part=connection]"
    theirs = "[part=title], [part=message], [part=memory-title], [part=memory-message]"
    page.wait_for_function(f"() => {VIEWER}.shadowRoot.querySelector('[part=prefix]').lang === 'en'")
    for language, spoken in (("fr", "en"), ("de-AT", "de")):
        page.evaluate("(language) => { document.documentElement.lang = language; }", language)
        expect(page.get_by_role("dialog", name="History" if spoken == "en" else "Verlauf")).to_be_visible()
        # The words of another language are in a lazy part.
        expect(page.locator(f"toast-viewer :is({ours}):not(:lang({spoken}))")).to_have_count(0)
        assert set(languages(viewer, f":is({ours})")) == {spoken}
        assert set(languages(viewer, f":is({theirs})")) == {language}


def test_the_server_s_words_are_marked_with_their_language(page, watch, channel):
    page.route("**/v1/catalogs/fr", lambda route: route.fulfill(json={"role.error.title": "Erreur", "close": "Fermer"}))
    viewer = watch(page).open()
    page.evaluate("document.documentElement.lang = 'fr'")
    channel.post("Plein", role="error", duration="indefinite")
    expect(viewer.toast("Plein").locator("[part=title]")).to_have_text("Erreur")
    page.keyboard.press("F8")
    expect(page.locator("toast-viewer [part=toolbar]")).to_have_attribute("lang", "en")
    assert languages(viewer, ":is([part=title], [part=close])") == ["fr", "fr"]


def test_another_viewer_s_words_do_not_keep_the_server_s_from_being_loaded_first(page, watch, channel):
    page.route("**/v1/catalogs/fr", lambda route: route.fulfill(json={"close": "Fermer"}))
    viewer = watch(page).open()
    page.evaluate("document.documentElement.lang = 'de'")
    channel.post("Voll", role="error", duration="indefinite")
    expect(viewer.toast("Voll").locator("[part=title]")).to_have_text("Fehler")
    with page.expect_request("**/v1/catalogs/fr"):
        page.evaluate("""(channel) => {
          const other = document.createElement("toast-viewer");
          Object.assign(other, { language: "fr", channel });
          document.body.append(other);
        }""", f"{channel.name}-fr")


def test_the_announcement_is_marked_with_the_language_of_the_toast(viewer, channel):
    page = viewer.page
    page.evaluate(f"() => {{ {VIEWER}.language = 'fr'; }}")
    channel.post("Plein", title="Disque", duration="indefinite")
    expect(viewer.toast("Plein")).to_be_visible()
    page.wait_for_function(f"() => {VIEWER}.shadowRoot.querySelector('[part=prefix]').lang === 'en'")
    assert languages(viewer, ":is([role=status], [role=alert])") == ["fr", "fr"]
    # The name of the region is the viewer's own word.
    assert languages(viewer, "[part=region]") == ["en"]
