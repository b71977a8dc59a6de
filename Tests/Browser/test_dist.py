"""`scripts/dist` makes the same page with fewer and smaller files."""

import pathlib
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import ROOT, Channel, Server, settled


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist") / "public"
    subprocess.run([ROOT / "scripts/dist", ROOT / "public", folder], check=True)
    server = Server(public=folder)
    yield server
    server.stop()


@pytest.fixture
def channel(small, request):
    return Channel(small.base, f"dist-{abs(hash(request.node.name))}")


BARE = """<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1></main>
<toast-viewer channel="{name}"></toast-viewer><script type="module" src="/toast-viewer.js"></script></html>"""


@pytest.fixture
def shop(new_context, small, channel):
    """A page that has nothing but the viewer, and its requests to the server."""
    page = new_context().new_page()
    page.set_default_timeout(10_000)
    page.route("**/shop", lambda route: route.fulfill(content_type="text/html", body=BARE.format(name=channel.name)))
    page.goto(f"{small.base}/shop")
    page.wait_for_function("document.querySelector('toast-viewer')?.connection === 'open'")
    return page


LOADED = "performance.getEntriesByType('resource').filter((it) => !it.name.includes('/v1/')).map((it) => [new URL(it.name).pathname, it.encodedBodySize])"
TOAST = "toast-viewer [part~=toast]:not([data-state=leaving])"


def test_a_first_toast_costs_one_file(shop, channel):
    shop.evaluate(f"document.querySelector('toast-viewer').addEventListener('toast-show', () => {{ window.first = {LOADED}; }}, {{ once: true }})")
    channel.post("Paid", duration="indefinite")
    expect(shop.locator(TOAST)).to_contain_text("Paid")
    shop.wait_for_function("window.first")
    # By then the lazy files have been requested.
    after = ("/viewer/lazy/", "/styles/stage.css", "/favicon.ico")
    sizes = {path: size for path, size in shop.evaluate("first") if not path.startswith(after)}
    assert list(sizes) == ["/toast-viewer.js"]
    # A channel without settings moves as the sheet defines.
    assert "/viewer/lazy/motion.js" not in [path for path, _ in shop.evaluate("first")]
    assert 0 < sizes["/toast-viewer.js"] <= 16_510


def test_a_toast_comes_is_swiped_closed_and_answered(shop, channel):
    channel.configure(mode="stack", maxVisible=3)
    for style, placement in (("glass", "top"), ("retro", "top"), ("toaster", "bottom")):
        members = {"actions": [{"id": "undo", "title": "Undo"}], "progress": {"value": 1, "total": 2}}
        channel.post(f"In {style}", style=style, placement=placement, duration="indefinite", **members)
    toasts = shop.locator(TOAST)
    expect(toasts).to_have_count(3)
    # Half transparent, as they are while they enter, they have too little contrast.
    for toast in toasts.all():
        settled(toast)
    assert Axe().run(shop).response["violations"] == []
    toasts.filter(has_text="In glass").get_by_role("button", name="Dismiss").click()
    expect(toasts).to_have_count(2)
    toasts.filter(has_text="In retro").get_by_role("button", name="Undo").click()
    expect(toasts).to_have_count(1)
    box = settled(toasts.first).bounding_box()
    shop.mouse.move(box["x"] + 20, box["y"] + 8)
    shop.mouse.down()
    shop.mouse.move(box["x"] + 20, box["y"] + 68, steps=8)
    shop.mouse.up()
    expect(toasts).to_have_count(0)
    channel.wait(lambda: not channel.call("GET", "")["presentedCount"])


def test_history_preferences_and_german_are_loaded_when_needed(shop, channel):
    channel.post("Paid", duration="indefinite")
    expect(shop.locator(TOAST)).to_be_visible()
    shop.evaluate("document.documentElement.lang = 'de'")
    expect(shop.get_by_role("button", name="Schließen")).to_be_visible()
    shop.evaluate("document.querySelector('toast-viewer').showHistory()")
    expect(shop.get_by_role("dialog", name="Verlauf")).to_contain_text("Paid")


@pytest.mark.parametrize("path", ["/", "/gallery.html"])
def test_the_production_pages_work(watch, page, path):
    viewer = watch(page)
    page.goto(f"{viewer.base}{path}?channel={viewer.channel.name}")
    page.wait_for_function("customElements.get('toast-viewer') && document.querySelector('toast-viewer').shadowRoot")
    page.wait_for_load_state("networkidle") if path != "/" else page.locator("[data-connection=open]").wait_for()
    assert Axe().run(page).response["violations"] == []


def test_production_has_every_file(small, tmp_path):
    folder = tmp_path / "public"
    subprocess.run([ROOT / "scripts/dist", ROOT / "public", folder], check=True)
    names = {str(it.relative_to(ROOT / "public")) for it in pathlib.Path(ROOT / "public").rglob("*") if it.is_file()}
    made = {str(it.relative_to(folder)) for it in folder.rglob("*") if it.is_file()}
    assert made == names - {"biome.json", "deno.json"}
