"""The page switches to another channel: it shows nothing of the one before, and posts nothing by itself."""

import re

from playwright.sync_api import expect

from test_sign_in import post, sign_in


def turn_to(page, name):
    page.get_by_role("textbox", name="Channel").fill(name)
    page.get_by_role("button", name="Go").click()


def test_the_channel_can_be_switched_without_a_reload(viewer, channel, server):
    page = viewer.page
    channel.post("Of the first", duration="indefinite")
    expect(page.locator("[data-queue] li")).to_have_count(1)
    page.evaluate("window.mark = true")
    page.get_by_role("textbox", name="Channel").fill(f"{channel.name}-b")
    page.get_by_role("button", name="Go").click()
    expect(viewer.toasts).to_have_count(0)
    expect(page.locator("[data-queue] li")).to_have_count(0)
    expect(page).to_have_title(f"#{channel.name}-b – toastd")
    expect(page.locator("[data-form=compose] code")).to_contain_text(f"{channel.name}-b/toasts")
    for link in ("Gallery", "Guide"):
        expect(page.get_by_role("link", name=link)).to_have_attribute("href", re.compile(f"[?&]channel={channel.name}-b$"))
    page.go_back()
    expect(viewer.toast("Of the first")).to_be_visible()
    assert page.evaluate("mark")


def test_nothing_of_the_settings_of_the_channel_before_stays(viewer, channel):
    page = viewer.page
    pause = page.locator("[data-path=pause]")
    pause.fill("99")
    pause.press("Tab")
    expect(pause).to_have_attribute("aria-invalid", "true")
    problem = page.locator("[data-form=settings] [data-problem]")
    expect(problem).not_to_be_empty()
    channel.configure(mode="priority")
    expect(page.locator("[name=mode][value=priority]")).to_be_checked()
    # The settings of the other channel do not come.
    page.route(f"**/{channel.name}-b/**", lambda route: route.abort())
    turn_to(page, f"{channel.name}-b")
    expect(page).to_have_title(f"#{channel.name}-b – toastd")
    expect(page.locator("[data-path]")).to_have_count(0)
    expect(problem).to_be_empty()
    expect(page.locator("[data-form=settings] [data-curl]")).to_be_hidden()
    expect(page.locator("[name=mode]:checked")).to_have_count(0)
    page.unroute_all(behavior="ignoreErrors")


def test_the_greeting_goes_to_no_channel_but_the_visitor_s_own(page, secured):
    key = secured.key("subscribe,publish,respond", "ops")
    secured.start()
    posted = []
    page.on("request", lambda it: posted.append(it.url) if it.method == "POST" and it.url.endswith("/toasts") else None)
    page.goto(f"{secured.server.base}/")
    expect(page).to_have_url(re.compile(r"\?channel=demo-"))
    expect(page.get_by_label("Key or token")).to_be_visible()
    turn_to(page, "ops")
    sign_in(page, key)
    page.locator("[data-log] [data-type=snapshot]").wait_for()
    assert post(page, "ops") == 201
    expect(page.locator("[data-log] [data-type=enqueued]")).to_have_count(1)
    assert posted == [f"{secured.server.base}/v1/channels/ops/toasts"]
