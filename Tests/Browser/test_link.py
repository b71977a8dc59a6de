"""A toast whose body is a link: with mouse, touch and keyboard, in every style."""

import contextlib

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError, expect

from conftest import STYLES, settled
from feed import Feed, presented

PAGE = "<!doctype html><html lang=en><title>Elsewhere</title><h1>Elsewhere</h1>"


class Linked:
    """A toast with a link, on the screen."""

    def __init__(self, viewer, channel, **members):
        self.viewer, self.channel = viewer, channel
        members = {"title": "News", "duration": "indefinite", "link": "/elsewhere?n=1", **members}
        self.id = channel.post("Deployed", **members)["id"]
        self.toast = settled(viewer.toast("Deployed"))
        self.link = self.toast.get_by_role("link", name="News Deployed")

    def check_opened(self, page):
        """The page is open without a reference to its opener; the toast was dismissed by a tap."""
        page.wait_for_load_state()
        assert page.url == f"{self.viewer.base}/elsewhere?n=1"
        assert page.evaluate("[opener, document.referrer]") == [None, ""]
        assert self.ended()["dismissReason"] == "tap"

    def check_nothing_opened(self):
        """Follows a second link: a page that had been opened before would be counted, too. It clears the channel."""
        context = self.viewer.page.context
        context.route("**/elsewhere?n=2", lambda route: route.fulfill(content_type="text/html", body=PAGE))
        self.channel.call("DELETE", "/toasts")
        expect(self.viewer.toasts).to_have_count(0)
        other = Linked(self.viewer, self.channel, link="/elsewhere?n=2")
        with context.expect_page() as opened:
            other.toast.locator("[part=message]").click()
        opened.value.wait_for_load_state()
        assert opened.value.url == f"{self.viewer.base}/elsewhere?n=2"
        assert len(context.pages) == 2

    def ended(self):
        """The dismissed toast, in the page and on the server."""
        expect(self.viewer.toasts).to_have_count(0)
        self.channel.wait(lambda: self.channel.toast(self.id)["state"] == "dismissed")
        return self.channel.toast(self.id)


@pytest.fixture
def context(context):
    context.route("**/elsewhere?n=1", lambda route: route.fulfill(content_type="text/html", body=PAGE))
    return context


def test_a_click_on_the_body_opens_the_link_and_dismisses_the_toast(viewer, channel):
    it = Linked(viewer, channel)
    with viewer.page.context.expect_page() as opened:
        it.toast.locator("[part=message]").click()
    it.check_opened(opened.value)


def test_enter_opens_the_link_and_dismisses_the_toast(viewer, channel):
    it = Linked(viewer, channel, actions=[{"id": "a", "title": "Undo"}])
    viewer.page.keyboard.press("F8")
    viewer.page.keyboard.press("Tab")
    expect(it.link).to_be_focused()
    expect(it.link).to_have_css("outline-style", "solid")
    with viewer.page.context.expect_page() as opened:
        viewer.page.keyboard.press("Enter")
    it.check_opened(opened.value)


def test_buttons_beside_the_link_open_nothing(viewer, channel):
    it = Linked(viewer, channel, actions=[{"id": "undo", "title": "Undo"}])
    it.toast.get_by_role("button", name="Undo").click()
    assert it.ended()["action"] == "undo"
    it = Linked(viewer, channel)
    it.toast.get_by_role("button", name="Dismiss").click()
    assert it.ended()["dismissReason"] == "close"
    it.check_nothing_opened()


def test_a_patch_adds_and_removes_a_link(viewer, channel):
    it = Linked(viewer, channel, link=None)
    expect(it.link).to_have_count(0)
    channel.patch(it.id, link="https://status.example/")
    expect(it.link).to_have_attribute("href", "https://status.example/")
    channel.patch(it.id, link=None)
    expect(it.link).to_have_count(0)


def test_a_finger_that_begins_on_the_link_swipes_the_toast(phone, channel):
    it = Linked(phone, channel)
    phone.swipe(it.link, 0, -90)
    assert it.ended()["dismissReason"] == "swipe"
    it.check_nothing_opened()


def test_a_finger_that_swipes_too_little_opens_nothing(phone, channel):
    it = Linked(phone, channel)
    phone.swipe(it.link, 0, -30)
    phone.page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    expect(phone.toasts).to_have_count(1)
    it.check_nothing_opened()


@pytest.mark.parametrize("style", STYLES)
def test_the_link_is_reached_in_every_style_and_axe_finds_nothing(viewer, channel, style):
    image = {"url": "/favicon.svg", "alt": ""}
    it = Linked(viewer, channel, style=style, image=image, progress={"value": 1, "total": 2})
    expect(it.toast.locator("[part=image]")).to_be_visible()
    it.link.focus()
    expect(it.link).to_be_focused()
    words, link = it.toast.locator("[part=message]").bounding_box(), it.link.bounding_box()
    assert link["x"] <= words["x"] and link["x"] + link["width"] >= words["x"] + words["width"]
    assert link["y"] <= words["y"] and link["y"] + link["height"] >= words["y"] + words["height"]
    results = Axe().run(viewer.page, context="toast-viewer")
    assert results.violations_count == 0, results.generate_report()
    it.toast.get_by_role("button", name="Dismiss").click()
    assert it.ended()["dismissReason"] == "close"


# On a busy machine a key sometimes scrolls nothing.
@pytest.mark.alone
def test_nothing_in_a_link_takes_the_focus(viewer, channel):
    channel.post("A line of a long story.\n" * 100, title="News", duration="indefinite", link="/elsewhere?n=1")
    link = settled(viewer.toast("News")).get_by_role("link")
    assert link.evaluate("(it) => it.querySelectorAll('a, button, [tabindex]').length") == 0
    link.focus()
    # All of it can be read, because the list, which begins at or near its end, scrolls. An event that arrives meanwhile
    # ends a scroll; then a person presses again.
    before = link.bounding_box()["y"]

    has_moved = "([it, y]) => it.getBoundingClientRect().y > y"
    for _ in range(20):
        viewer.page.keyboard.press("PageUp")
        with contextlib.suppress(TimeoutError):
            viewer.page.wait_for_function(has_moved, arg=[link.element_handle(), before], timeout=1000)
            return
    pytest.fail("the list does not scroll")


@pytest.mark.parametrize("link", ["javascript:isHacked = true", "data:text/html,x", "https://bank.example@evil.example/"])
def test_an_unsafe_link_is_not_made(page, channel, watching, link):
    feed = Feed(page, channel)
    watching.append(feed)
    feed.begin()
    feed.send(presented("a", link=link))
    toast = settled(feed.toast("Toast a"))
    expect(toast.get_by_role("link")).to_have_count(0)
    expect(toast.locator("[part=body]")).to_be_visible()
