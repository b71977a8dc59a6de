"""Toasts that do not fit on a small touch screen are scrolled by finger, and not swiped away."""

import pytest
from playwright.sync_api import expect

from conftest import settled, swipeable
from feed import Bare, run

LIST = "document.querySelector('toast-viewer').shadowRoot.querySelector('ol:not([hidden])')"
FAR = "A long title with many words. " * 40


@pytest.fixture
def local(new_context, channel, watching):
    page = new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True).new_page()
    bare = Bare(page, channel)
    watching.append(bare)
    bare.open("local max='10' controls='off'")
    # Without a viewport element browsers lay the page out for a wide screen.
    page.evaluate("() => document.head.append(Object.assign(document.createElement('meta'), { name: 'viewport', content: 'width=device-width' }))")
    return bare


def show(local, count=1, **options):
    members = {"duration": "indefinite", **options}
    local.page.evaluate(
        "async ([count, members]) => { const { toast } = await import('/toast-viewer.js');"
        " for (let index = 0; index < count; index += 1) { toast(`Toast ${index} with some words`, { title: `Title ${index}`, ...members }); } }",
        [count, members],
    )
    expect(local.toasts).to_have_count(count)
    for index in range(count):
        swipeable(settled(local.toasts.nth(index)))
    # stage.css, which lets lists scroll, is loaded after the first toast.
    local.settle()


def drag(local, target, dy):
    """A finger on a text, moved up or down the screen, and lifted."""
    box = target.bounding_box()
    x, y = box["x"] + 10, min(max(box["y"] + 5, 60), 580)
    client = local.page.context.new_cdp_session(local.page)
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 21):
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y + dy * step / 20}]})
        local.page.evaluate("() => new Promise(requestAnimationFrame)")
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def scroll_top(local):
    return local.page.evaluate(f"{LIST}.scrollTop")


def wait_for_scroll(local, condition):
    local.wait_until(lambda: condition(scroll_top(local)))


@pytest.mark.parametrize("placement", ["top", "center", "bottom"])
@pytest.mark.parametrize("part", ["message", "icon"])
def test_a_list_that_does_not_fit_is_scrolled_by_finger(local, placement, part):
    show(local, 9, placement=placement)
    newest = scroll_top(local)
    texts = local.page.locator(f"toast-viewer [part={part}]")
    drag(local, texts.nth(4), -200 if placement == "bottom" else 200)
    wait_for_scroll(local, (lambda at: at > newest + 100) if placement == "bottom" else (lambda at: at < newest - 100))
    expect(local.toasts).to_have_count(9)


@pytest.mark.parametrize("far", [{"title": FAR}, {"link": "/there", "message": FAR}], ids=["title", "link"])
def test_a_toast_that_is_taller_than_the_screen_is_read_to_its_end(local, far):
    show(local, actions=[{"title": "Call"}], **far)
    text = local.toasts.locator("[part=title]" if "title" in far else "[part=message]")
    for _ in range(4):
        drag(local, text, -400)
    wait_for_scroll(local, lambda at: at > 100)
    expect(local.toasts).to_have_count(1)
    local.toasts.get_by_role("button", name="Call").tap()
    expect(local.toasts).to_have_count(0)


def test_a_list_stays_where_a_finger_has_scrolled_it(local):
    show(local, 9, placement="top")
    drag(local, local.page.locator("toast-viewer [part=message]").nth(4), 500)
    wait_for_scroll(local, lambda at: at < 100)
    before = scroll_top(local)
    run(local, "toast('A new one', { duration: 'indefinite' })")
    expect(local.toasts).to_have_count(10)
    settled(local.toast("A new one"))
    assert scroll_top(local) == pytest.approx(before, abs=1)


def test_a_toast_that_fits_is_swiped_also_on_its_words_and_after_others_have_gone(local):
    show(local, 9, placement="top")
    for index in range(8):
        local.toast(f"Toast {index}").get_by_role("button", name="Dismiss").tap()
        expect(local.toasts).to_have_count(8 - index)
    last = settled(local.toasts)
    expect(last).to_have_css("touch-action", "pan-x pinch-zoom")
    drag(local, last.locator("[part=message]"), -50)
    expect(local.toasts).to_have_count(0)


def test_a_message_that_is_cut_is_scrolled_in_its_toast(local):
    show(local, message=FAR * 2)
    message = local.toasts.locator("[part=message]")
    expect(message).to_have_attribute("tabindex", "0")
    drag(local, message, -50)
    local.wait_until(lambda: message.evaluate("(it) => it.scrollTop") > 10)
    expect(local.toasts).to_have_count(1)
