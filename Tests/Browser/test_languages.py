"""A toast in the language of each page: on screen, on its buttons, and announced."""

import json
import re
import secrets
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import OUT, SPOKEN, Channel, Server, Watching, spoken

CATALOGS = {
    "en": {"saved": {"one": "%d file saved", "other": "%d files saved"}, "open": "Open", "backup": "Backup failed"},
    "de": {"saved": {"one": "%d Datei gesichert", "other": "%d Dateien gesichert"}, "open": "Öffnen", "backup": "Sicherung misslungen"},
}
BACKUP = {
    "message": {"key": "saved", "arguments": [3]},
    "title": {"key": "backup"},
    "actions": [{"id": "open", "title": {"key": "open"}}],
    "role": "error",
    "duration": "indefinite",
}
SAID = {
    "en": "error, Backup failed. 3 files saved. Open: press F8.",
    "de": "Fehler, Sicherung misslungen. 3 Dateien gesichert. Öffnen: F8 drücken.",
}
ANOTHER = {"en": "error, 1 file saved", "de": "Fehler, 1 Datei gesichert"}


@pytest.fixture(scope="module")
def translator():
    """A separate server, because catalogs apply to all channels."""
    server = Server()
    for language, texts in CATALOGS.items():
        request = urllib.request.Request(
            f"{server.base}/v1/catalogs/{language}", json.dumps(texts).encode(), {"content-type": "application/json"}, method="PUT"
        )
        urllib.request.urlopen(request, timeout=10).close()
    yield server
    server.stop()


@pytest.fixture
def ops(translator):
    return Channel(translator.base, f"test-{secrets.token_hex(6)}")


@pytest.fixture
def open_in(ops, watching):
    """Opens the page in a language, and records its announcements."""

    def open_in(language, page):
        watching.append(Watching(page, ops))
        page.goto(f"{ops.base}/?channel={ops.name}&lang={language}")
        page.locator("[data-connection=open]").wait_for()
        page.evaluate(SPOKEN)
        return watching[-1]

    return open_in


def check(viewer, language):
    title, message, button, role = {
        "en": ("Backup failed", "3 files saved", "Open", "Error"),
        "de": ("Sicherung misslungen", "3 Dateien gesichert", "Öffnen", "Fehler"),
    }[language]
    toast = viewer.toast(message)
    expect(toast).to_be_visible()
    expect(toast.locator("[part=title]")).to_contain_text(title)
    expect(toast.get_by_role("button", name=button, exact=True)).to_be_visible()
    expect(viewer.page.get_by_role("group", name=re.compile(f"^{role}: {title}: {message}"))).to_be_visible()
    expect(viewer.toasts).to_have_count(1)


def say_another(ops):
    """Lets one more toast be shown, and announced."""
    ops.configure(mode="stack", maxVisible=3)
    ops.call("POST", "/toasts", {"message": {"key": "saved", "arguments": [1]}, "role": "error", "duration": "indefinite"})


def test_a_german_and_an_english_page_show_and_say_one_toast_each_in_its_own_words(new_context, open_in, ops):
    # The browsers prefer English; the page has its own `lang`.
    viewers = {language: open_in(language, new_context().new_page()) for language in ("de", "en")}
    ops.call("POST", "/toasts", BACKUP)
    OUT.mkdir(exist_ok=True)
    for language, viewer in viewers.items():
        check(viewer, language)
        assert spoken(viewer, 1) == [["alert", SAID[language]]]
        viewer.page.wait_for_function("() => document.querySelector('toast-viewer').shadowRoot.getAnimations().every((it) => it.playState !== 'running')")
        viewer.page.screenshot(path=OUT / f"language-{language}.png")
    # What is said of the next toast shows that nothing was said twice.
    say_another(ops)
    for language, viewer in viewers.items():
        assert [text for _, text in spoken(viewer, 2)] == [SAID[language], ANOTHER[language]]


def test_two_tabs_of_a_browser_have_a_stream_for_each_language(context, open_in, ops):
    german, english, other = (open_in(language, context.new_page()) for language in ("de", "en", "de"))
    ops.call("POST", "/toasts", BACKUP)
    for viewer, language in ((german, "de"), (english, "en"), (other, "de")):
        check(viewer, language)
    # Two tabs that load the code for sharing at the same time may each begin with a stream of their own.
    ops.wait(lambda: ops.call("GET", "")["audience"]["sse"] == 2)


def test_a_changed_page_language_changes_shown_toasts(new_context, open_in, ops):
    viewer = open_in("de", new_context().new_page())
    ops.call("POST", "/toasts", BACKUP)
    check(viewer, "de")
    assert spoken(viewer, 1) == [["alert", SAID["de"]]]
    for language in ("en", "de", "en"):
        viewer.page.evaluate("(language) => { document.documentElement.lang = language; }", language)
        check(viewer, language)
    ops.call("POST", "/toasts", {"message": {"key": "saved", "arguments": [1]}})
    ops.dismiss(viewer.page.evaluate("document.querySelector('toast-viewer').toasts[0].id"))
    expect(viewer.toast("1 file saved")).to_be_visible()
    # Toasts that are on screen are not announced again.
    assert [text for _, text in spoken(viewer, 2)] == [SAID["de"], "information, 1 file saved"]


def test_a_page_may_change_its_language_before_its_first_toast(new_context, ops, watching):
    viewer = Watching(new_context().new_page(), ops)
    watching.append(viewer)
    body = f'<!doctype html><html lang="en"><title>Bare</title><script type="module" src="/toast-viewer.js"></script><toast-viewer channel="{ops.name}">'
    viewer.page.route("**/bare", lambda route: route.fulfill(content_type="text/html", body=body))
    viewer.page.goto(f"{ops.base}/bare")
    viewer.page.wait_for_function("() => document.querySelector('toast-viewer').connection === 'open'")
    viewer.page.evaluate(SPOKEN)
    viewer.page.evaluate("document.documentElement.lang = 'de'")
    ops.call("POST", "/toasts", BACKUP)
    check(viewer, "de")
    assert spoken(viewer, 1) == [["alert", SAID["de"]]]
    say_another(ops)
    assert [text for _, text in spoken(viewer, 2)] == [SAID["de"], ANOTHER["de"]]


@pytest.mark.parametrize("attribute", ["", 'lang=""', 'lang="{{ page.lang }}"', 'lang="de_DE"', 'lang="de-AT"'])
def test_a_page_without_a_language_speaks_that_of_its_browser(new_context, ops, watching, attribute):
    viewer = Watching(new_context(locale="de-DE").new_page(), ops)
    watching.append(viewer)
    body = f'<!doctype html><html {attribute}><title>Bare</title><script type="module" src="/toast-viewer.js"></script><toast-viewer channel="{ops.name}">'
    viewer.page.route("**/bare", lambda route: route.fulfill(content_type="text/html", body=body))
    viewer.page.goto(f"{ops.base}/bare")
    viewer.page.wait_for_function("() => document.querySelector('toast-viewer').connection === 'open'")
    ops.call("POST", "/toasts", BACKUP)
    check(viewer, "de")


@pytest.mark.parametrize(("around", "own", "spoken"), [
    ("de", "de_AT", "de-AT"), ("de", "x-default", "de"), ("x-default", "", "en-US"), ("en-", "", "en-US"), ("a", "", "en-US"),
    ("zz-zzzzzzzzzz", "", "en-US"),
])
def test_an_invalid_language_tag_is_ignored(new_context, ops, watching, around, own, spoken):
    viewer = Watching(new_context(locale="en-US").new_page(), ops)
    watching.append(viewer)
    page = viewer.page
    body = (f'<!doctype html><html lang="{around}"><title>Bare</title><script type="module" src="/toast-viewer.js"></script>'
            f'<toast-viewer channel="{ops.name}" language="{own}">')
    page.route("**/bare", lambda route: route.fulfill(content_type="text/html", body=body))
    with page.expect_request(re.compile(r"/stream\?")) as stream:
        page.goto(f"{ops.base}/bare")
    assert f"language={spoken}&" in f"{stream.value.url}&"
    page.wait_for_function("() => document.querySelector('toast-viewer').connection === 'open'")
    ops.post("Shown", duration="indefinite")
    expect(viewer.toast("Shown")).to_be_visible()
    for name, what in (("History", "showHistory"), ("Settings", "showPreferences")):
        page.evaluate(f"document.querySelector('toast-viewer').{what}()")
        expect(page.get_by_role("dialog", name={"History": "Verlauf", "Settings": "Einstellungen"}[name] if spoken.startswith("de") else name)).to_be_visible()
