"""The output for a screen reader: the events on the real accessibility bus, with a browser on a (virtual) screen."""

import json
import os
import queue
import secrets
import shutil
import subprocess
import threading
import time

import pytest

from conftest import Channel, Watching, guarded
from cut_proxy import Proxy

LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
NEEDED = ["dbus-daemon", "Xvfb", LAUNCHER, "/usr/bin/python3"]


class Ear:
    """The accessibility bus, and the recorded announcements."""

    def __init__(self):
        missing = [name for name in NEEDED if not shutil.which(name)]
        assert not missing, f"{missing}: `make tools` installs at-spi2-core, gir1.2-atspi-2.0, python3-gi, dbus and xvfb"
        self.processes = []
        self.lines = queue.Queue()
        bus = self._start(["dbus-daemon", "--session", "--nofork", "--print-address=1"], dict(os.environ))
        environment = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus.stdout.readline().strip()}
        screen = self._start(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], environment)
        # Chromium queries this before it sends announcements.
        environment["ACCESSIBILITY_ENABLED"] = "1"
        environment["DISPLAY"] = f":{screen.stdout.readline().strip()}"
        self._start([LAUNCHER, "--launch-immediately"], environment)
        script = os.path.join(os.path.dirname(__file__), "listen.py")
        listener = self._start(["/usr/bin/python3", script], environment)
        threading.Thread(target=self._read, args=(listener.stdout,), daemon=True).start()
        assert self.lines.get(timeout=20) == {"ready": True}
        self.environment = environment

    def _start(self, command, environment):
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        )
        self.processes.append(process)
        return process

    def _read(self, lines):
        for line in lines:
            self.lines.put(json.loads(line))

    def forget(self):
        while not self.lines.empty():
            self.lines.get()

    def hears(self, count, quiet=1.5):
        """The announced texts, once there are this many and a while has passed, so that an extra one is found."""
        heard = []
        deadline = time.monotonic() + 20
        while (left := deadline - time.monotonic()) > 0:
            try:
                event = self.lines.get(timeout=min(left, quiet) if len(heard) >= count else left)
            except queue.Empty:
                break
            # U+FFFC stands for an embedded object; its text is a separate event.
            if event["live"] in ("polite", "assertive") and event["text"].strip("\ufffc"):
                heard.append(event)
        return sorted((event["live"], event["text"]) for event in heard)

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait(timeout=10)


@pytest.fixture(scope="module")
def ear():
    ear = Ear()
    yield ear
    ear.stop()


@pytest.fixture(scope="module")
def listening_browser(ear, playwright):
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", headless=False, env=ear.environment,
        args=["--no-sandbox", "--force-renderer-accessibility", "--disable-features=OverscrollHistoryNavigation"],
    )
    yield browser
    browser.close()


@pytest.fixture
def room(listening_browser, ear, server):
    """A page that is watched, with its announcements."""
    channel = Channel(server.base, f"speech-{secrets.token_hex(6)}")
    channel.configure(mode="stack", maxVisible=10)
    violations = []
    context = guarded(listening_browser.new_context(), violations)
    proxy = Proxy(server.base)
    viewer = Watching(context.new_page(), channel, proxy.base)
    # An empty page, because its own texts would be events, too.
    viewer.page.goto(f"{proxy.base}/favicon.svg")
    viewer.page.goto(f"{proxy.base}/?channel={channel.name}")
    viewer.page.locator("[data-connection=open]").wait_for()
    viewer.page.wait_for_timeout(800)
    ear.forget()
    viewer.proxy = proxy
    yield viewer
    viewer.check()
    assert violations == []
    context.close()
    proxy.close()


MODAL = """() => {
  const dialog = document.body.appendChild(document.createElement("dialog"));
  dialog.id = "modal";
  dialog.append(Object.assign(document.createElement("button"), { textContent: "OK" }));
  dialog.showModal();
}"""


def test_b10_live_regions_are_polite_or_assertive_and_cards_are_not_live(room, ear):
    room.channel.post("All is well", role="success", duration="indefinite")
    assert ear.hears(1) == [("polite", "success, All is well")]
    room.channel.post("All is lost", role="error", duration="indefinite")
    assert ear.hears(1) == [("assertive", "error, All is lost")]


def test_b13_two_equal_messages_are_announced_twice(room, ear):
    for _ in range(2):
        room.channel.post("The same again", duration="indefinite")
    assert ear.hears(2) == [("polite", "information, The same again")] * 2


def test_a_burst_is_one_summary(room, ear):
    room.channel.batch([{"message": f"One of many, {index}", "duration": "indefinite"} for index in range(8)])
    assert ear.hears(1) == [("polite", "8 notifications: press F8.")]


def test_an_update_is_announced_once_and_a_counter_never(room, ear):
    posted = room.channel.post(
        "0 of 10", title="Uploading", duration="indefinite", progress={"value": 0, "total": 10}
    )
    assert ear.hears(1) == [("polite", "information, Uploading. 0 of 10")]
    for value in (3, 6, 9):
        room.channel.patch(posted["id"], message=f"{value} of 10", progress={"value": value, "total": 10})
    room.channel.patch(posted["id"], title="Uploaded", message="10 of 10", role="success", progress=None)
    assert ear.hears(1) == [("polite", "success, Uploaded. 10 of 10")]


def test_b10_b11_announcements_work_under_a_modal_dialog_and_after_it(room, ear):
    room.channel.post("Before", duration="indefinite")
    assert ear.hears(1) == [("polite", "information, Before")]
    room.page.evaluate(MODAL)
    room.page.wait_for_function("() => document.querySelector('toast-viewer').parentNode.id === 'modal'")
    assert ear.hears(0) == []
    room.channel.post("Under it", duration="indefinite")
    assert ear.hears(1) == [("polite", "information, Under it")]
    room.page.evaluate("modal.close()")
    assert ear.hears(0) == []
    room.channel.post("After it", role="error", duration="indefinite")
    assert ear.hears(1) == [("assertive", "error, After it")]


def test_a_reconnection_announces_no_toast_twice(room, ear):
    room.channel.post("Still there", duration="indefinite")
    assert ear.hears(1) == [("polite", "information, Still there")]
    room.proxy.cut()
    room.channel.post("Came meanwhile", duration="indefinite")
    assert ear.hears(1, quiet=4) == [("polite", "information, Came meanwhile")]
