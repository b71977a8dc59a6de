"""The timeline of the queue: what it draws and describes, and what it removes."""

import re
import time

from playwright.sync_api import expect

from conftest import settled
from test_page import refuse

BARS = """(item) => [...item.querySelectorAll("[data-strip] span")].map((it) => it.dataset.kind)"""

# Begin and end of a bar in seconds from the present, which is at the strip's origin, less its translation.
EDGES = """(bar) => {
  const track = bar.closest("[data-track]").getBoundingClientRect();
  const style = getComputedStyle(bar);
  const [now, seconds] = [parseFloat(style.getPropertyValue("--now")) / 100, parseFloat(style.getPropertyValue("--window"))];
  const { left, right } = bar.getBoundingClientRect();
  return [left, right].map((x) => ((x - track.left) / track.width - now) * seconds);
}"""


def row(viewer, text):
    return viewer.page.locator("[data-queue] li", has_text=text)


def test_queued_toasts_are_below_presented_ones(viewer, channel):
    for name in ("first", "second", "third"):
        channel.post(f"The {name}", duration="indefinite")
    rows = viewer.page.locator("[data-queue] li")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_have_attribute("data-state", "presented")
    expect(rows.nth(1)).to_contain_text("comes next")
    expect(rows.nth(2)).to_contain_text("The third")
    expect(viewer.page.locator("[data-count=waiting]")).to_have_text("2")
    expect(viewer.page.locator("[data-count=watching]")).to_have_text("1")
    rows.nth(1).get_by_role("button", name="Dismiss: The second").click()
    expect(row(viewer, "The second")).to_have_attribute("data-state", "dismissed")
    expect(row(viewer, "The second")).to_contain_text("taken back")
    viewer.page.locator("[data-clear]").click()
    expect(viewer.page.locator("[data-queue] [data-state=dismissed]")).to_have_count(3)
    expect(viewer.toasts).to_have_count(0)
    expect(viewer.page.locator("[data-count=waiting]")).to_have_text("0")


def test_a_bar_stands_at_its_time(viewer, channel):
    began = time.monotonic()
    channel.post("Four seconds", duration=4)
    bar = row(viewer, "Four seconds").locator("[data-kind=shown]")
    expect(bar).to_be_visible()
    start, end = bar.evaluate(EDGES)
    assert abs(end - start - 4) < 0.3
    assert began - time.monotonic() - 0.2 < start <= 0.2
    left = bar.evaluate("(it) => it.getBoundingClientRect().left")
    # Bars are replaced when they are drawn anew, so the bar is looked up each time.
    viewer.page.wait_for_function("(left) => document.querySelector('[data-queue] [data-kind=shown]').getBoundingClientRect().left < left - 5", arg=left)


def test_the_timeline_shows_when_queued_toasts_will_come(viewer, channel):
    channel.post("Now", duration=9)
    channel.post("Then", duration=3)
    expect(row(viewer, "Then").locator("[data-kind=later]")).to_be_visible()

    def stands_after_the_exit_and_the_pause():
        # Measured together, because both move. On a busy machine the movement of a row that was just drawn begins late.
        (_, now_end), (start, end) = viewer.page.locator("[data-queue]").evaluate(
            f"(list) => [...list.querySelectorAll('[data-kind=shown], [data-kind=later]')].map({EDGES})"
        )
        return abs(start - now_end - 0.55) < 0.2 and abs(end - start - 3) < 0.2

    viewer.wait_until(stands_after_the_exit_and_the_pause)


def test_a_hold_is_seen_and_ends(viewer, channel):
    posted = channel.post("Hold me", duration=30)
    expect(row(viewer, "Hold me")).to_contain_text(re.compile(r"\b(30|2\d)\s"))
    channel.call("PUT", f"/toasts/{posted['id']}/holds/somebody", {"lease": 20})
    expect(row(viewer, "Hold me")).to_contain_text("held")
    assert row(viewer, "Hold me").evaluate(BARS)[-1] == "held"
    channel.call("DELETE", f"/toasts/{posted['id']}/holds/somebody")
    expect(row(viewer, "Hold me")).to_contain_text("on screen for")
    assert {"shown", "held", "exit", "pause"} <= set(row(viewer, "Hold me").evaluate(BARS))


def test_it_says_why_a_toast_went(viewer, channel):
    for reason, words in (("swipe", "swiped"), ("escape", "Escape")):
        posted = channel.post(f"Going by {reason}", duration="indefinite")
        expect(row(viewer, reason)).to_contain_text("stays until")
        channel.call("POST", f"/toasts/{posted['id']}/dismiss", {"dismissReason": reason})
        expect(row(viewer, reason)).to_contain_text(f"gone: {words}")
        expect(row(viewer, reason).locator("[data-kind=end]")).to_have_text(words)


def test_lanes_have_their_own_rows(viewer):
    viewer.page.evaluate("""() => {
      const viewer = document.querySelector("toast-viewer");
      const tell = (type, members) => viewer.dispatchEvent(new CustomEvent("toast-event", {
        detail: { type, channel: viewer.channel, cursor: "a-1", at: new Date().toISOString(), ...members },
      }));
      tell("configured", { effective: { mode: "stack", lanes: "placement" } });
      for (const placement of ["top", "bottom", "bottom"]) {
        const toast = { id: String(Math.random()), role: "info", message: `At the ${placement}`, placement, createdAt: new Date().toISOString() };
        tell("enqueued", { toast });
        tell("presented", { toast, remaining: 60 });
      }
    }""")
    expect(viewer.page.get_by_role("heading", name="Lane: Top")).to_be_visible()
    expect(viewer.page.locator("[data-lane=top] li")).to_have_count(1)
    expect(viewer.page.locator("[data-lane=bottom] [data-state=presented]")).to_have_count(2)
    expect(viewer.page.get_by_role("heading", name="Lane: Center")).to_be_hidden()
    expect(viewer.page.locator("[data-count=screen]")).to_have_text("3")


def test_the_table_has_the_data_of_the_timeline(viewer, channel):
    channel.post("In the table", role="warning", duration="indefinite")
    viewer.page.get_by_text("The same as a table").click()
    cells = viewer.page.locator("[data-table] tbody tr").locator("th, td")
    expect(cells.nth(0)).to_have_text("In the table")
    expect(cells.nth(1)).to_have_text("Warning")
    expect(cells.nth(2)).to_have_text("on screen")
    expect(cells.nth(3)).to_have_text("0 s")


def test_toasts_beyond_the_limit_are_counted_and_not_drawn(viewer, channel):
    channel.post("On screen", duration="indefinite")
    for _ in range(2):
        channel.call("POST", "/toasts", [{"message": f"Number {number}"} for number in range(100)])
    expect(viewer.page.locator("[data-count=waiting]")).to_have_text("200")
    rows = viewer.page.locator("[data-queue] li")
    expect(rows).to_have_count(12)
    expect(viewer.page.locator("[data-rest]")).to_have_text("and 189 more wait")
    nodes = viewer.page.locator("[data-area=timeline]").evaluate("(it) => it.querySelectorAll('*').length")
    channel.call("DELETE", "/toasts")
    expect(viewer.page.locator("[data-count=waiting]")).to_have_text("0")
    assert viewer.page.locator("[data-area=timeline]").evaluate("(it) => it.querySelectorAll('*').length") <= nodes + 50


def test_the_focus_stays_on_a_row_or_moves_to_another(viewer, channel):
    for name in ("first", "second"):
        channel.post(f"The {name}", duration="indefinite")
    button = row(viewer, "The second").get_by_role("button")
    button.focus()
    channel.post("The third", duration="indefinite")
    expect(viewer.page.locator("[data-queue] li")).to_have_count(3)
    expect(button).to_be_focused()
    viewer.page.keyboard.press("Enter")
    expect(row(viewer, "The second")).to_have_attribute("data-state", "dismissed")
    assert viewer.page.evaluate("document.activeElement.closest('[data-queue]') !== null")


def test_a_page_that_is_opened_later_shows_the_present_toasts(page, watch, channel, new_context):
    watch(page).open()
    channel.post("Here before", duration=30)
    channel.post("Waiting before", duration=30)
    late = watch(new_context().new_page()).open()
    settled(late.toast("Here before"))
    expect(row(late, "Here before")).to_have_attribute("data-state", "presented")
    expect(late.page.locator("[data-count=waiting]")).to_have_text("1")
    expect(late.page.locator("[data-rest]")).to_have_text("and one more waits")
    expect(late.page.locator("[data-count=watching]")).to_have_text("2")


def test_direction_marks_in_a_toast_do_not_affect_the_page_s_words(viewer, channel):
    channel.post("\u2069Invoice \u202efdp.exe", duration="indefinite")
    entry = viewer.page.locator("[data-log] [data-type=enqueued] span")
    expect(entry).to_have_text("“\u2068Invoice fdp.exe\u2069”", use_inner_text=False)
    channel.post("تم النشر", duration="indefinite")
    words = viewer.page.locator("[data-queue] li p", has_text="تم النشر")
    expect(words).to_have_css("direction", "rtl")
    viewer.page.locator("[data-area=timeline] details > summary").click()
    expect(viewer.page.locator("[data-area=timeline] details th", has_text="تم النشر")).to_have_css("direction", "rtl")


def test_a_refused_dismissal_is_shown_in_the_timeline(viewer, channel):
    page = viewer.page
    problem = page.locator("[data-area=timeline] [data-problem]")
    channel.post("The first", duration="indefinite")
    remove = row(viewer, "The first").get_by_role("button")
    for button, address in ((remove, "**/toasts/*"), (page.locator("[data-clear]"), "**/toasts")):
        allow = refuse(page, address)
        button.click()
        expect(problem).to_contain_text("Too many requests")
        allow()
        button.click()
        expect(problem).to_be_empty()
    expect(row(viewer, "The first")).to_have_attribute("data-state", "dismissed")
