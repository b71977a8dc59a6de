"""Fixtures of every browser test: a running server, a separate channel, and a page that watches it."""

import collections
import json
import os
import pathlib
import re
import secrets
import subprocess
import threading
import time
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from cut_proxy import Proxy

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "out"
STYLES = ["glass", "vibrant", "pale", "capsule", "notification", "retro", "toaster", "toastui", "snackbar", "material"]
ROLES = ["success", "error", "warning", "info"]
SCHEMES = ["light", "dark"]

# Milliseconds until an awaited condition counts as failed: far more than a busy machine needs.
PATIENCE = 20_000
expect.set_options(timeout=PATIENCE)


class Server:
    """The binary, on a separate port, with nothing on disk."""

    def __init__(self, *options, public=ROOT / "public"):
        binary = os.environ.get("TOASTD_BIN", str(ROOT / ".build/debug/toastd"))
        arguments = ["serve", "--listen", "127.0.0.1:0", "--store", "memory", "--public", str(public), *options]
        self.process = subprocess.Popen([binary, *arguments], stderr=subprocess.PIPE, text=True)
        self.said = collections.deque(maxlen=50)
        self.base = self._address()
        # A thread must read the remaining output, or the server stops when the pipe is full.
        threading.Thread(target=lambda: self.said.extend(self.process.stderr), daemon=True).start()

    def _address(self):
        for line in self.process.stderr:
            self.said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                return found[0]
        raise RuntimeError("The server ended without saying its address: " + "".join(self.said))

    def stop(self):
        assert self.process.poll() is None, "The server ended by itself: " + "".join(self.said)
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Channel:
    """One channel, as a backend sees it."""

    def __init__(self, base, name):
        self.base, self.name = base, name
        self.address = f"{base}/v1/channels/{name}"

    def call(self, method, path, body=None, content_type="application/json"):
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"content-type": content_type} if data is not None else {}
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=10) as response:
            text = response.read()
            return json.loads(text) if text else None

    def post(self, message="Deployed", **members):
        return self.call("POST", "/toasts", {"message": message, **members})

    def toast(self, identifier):
        return self.call("GET", f"/toasts/{identifier}")

    def patch(self, identifier, **members):
        return self.call("PATCH", f"/toasts/{identifier}", members, "application/merge-patch+json")

    def configure(self, **settings):
        return self.call("PATCH", "/settings", settings, "application/merge-patch+json")

    def batch(self, toasts):
        return self.call("POST", "/toasts", toasts)

    def dismiss(self, identifier):
        return self.call("DELETE", f"/toasts/{identifier}")

    def wait(self, condition):
        """Waits until the server reports a condition: each event is an occasion to check again."""
        deadline = time.monotonic() + 20
        while not condition():
            assert time.monotonic() < deadline, "It did not happen"
            cursor = self.call("GET", "")["cursor"]
            if not condition():
                self.call("GET", f"/poll?wait=2&since={cursor}")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    arguments = ["--no-sandbox", "--disable-features=OverscrollHistoryNavigation"]
    # The same engine without a window's frame to draw: that takes only two thirds of the processor time.
    return {**browser_type_launch_args, "executable_path": "/usr/bin/chromium-headless-shell", "args": arguments}


@pytest.fixture(scope="session")
def server():
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def proxy(server):
    proxy = Proxy(server.base)
    yield proxy
    proxy.close()


@pytest.fixture
def channel(server):
    return Channel(server.base, f"test-{secrets.token_hex(6)}")


@pytest.fixture
def feed_of(new_context, channel):
    """Opens windows of any size that show the channel, and checks each of them after the test."""
    from feed import Feed  # Not above: feed.py imports this file.

    feeds = []

    def feed_of(width=1440, height=900, **options):
        feeds.append(Feed(new_context(viewport={"width": width, "height": height}, **options).new_page(), channel))
        return feeds[-1]

    yield feed_of
    for feed in feeds:
        feed.check()


# Violations of the policy are reported at once, because a page that navigates loses its list.
POLICY = """
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    violations.push(event.violatedDirective);
    reportViolation(`${event.violatedDirective}: ${event.blockedURI} ${event.sample} in ${event.documentURI}`);
  });
"""


def guarded(context, violations):
    """A context that reports, page by page, the violations of their policies."""
    context.expose_binding("reportViolation", lambda source, text: violations.append(text))
    context.add_init_script(POLICY)
    return context


@pytest.fixture
def new_context(new_context):
    """Contexts whose pages all comply with the Content-Security-Policy and with Trusted Types."""
    violations = []

    yield lambda **options: guarded(new_context(**options), violations)
    assert violations == []


@pytest.fixture
def context(new_context):
    return new_context()


class Watching:
    """A page that shows a channel, and the errors on it."""

    def __init__(self, page, channel, base=None):
        self.page, self.channel = page, channel
        self.base = base or channel.base
        self.errors = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        # Refused requests are part of some tests; script errors and policy violations of none.
        page.on("console", lambda message: self._note(message))
        page.add_init_script("window.isHacked = false;")

    def _note(self, message):
        if message.type == "error" and "Failed to load resource" not in message.text and "net::ERR" not in message.text:
            self.errors.append(message.text)

    def open(self, path="/"):
        self.page.goto(f"{self.base}{path}?channel={self.channel.name}")
        self.page.locator("[data-connection=open]").wait_for()
        return self

    @property
    def toasts(self):
        return self.page.locator("toast-viewer [part~=toast]:not([data-state=leaving])")

    def toast(self, text):
        return self.toasts.filter(has_text=text)

    @property
    def top(self):
        """Where the space for toasts begins: they do not cover the header of our page."""
        header = self.page.locator("body > header").bounding_box()
        return max(0, header["y"] + header["height"])

    @property
    def focused(self):
        """The focused element, through shadow roots, as its part or its name."""
        return self.page.evaluate(
            "() => { let it = document.activeElement; while (it.shadowRoot?.activeElement) it = it.shadowRoot.activeElement;"
            " return it.getAttribute('part') ?? it.getAttribute('name') ?? it.tagName; }"
        )

    def swipe(self, toast, dx, dy, steps=8, is_early=False):
        """Moves a finger from the icon side of a toast; `is_early`: even if the code for swipes is not loaded."""
        if not is_early:
            swipeable(toast)
        box = toast.bounding_box()
        x, y = box["x"] + 12, box["y"] + box["height"] / 2
        client = self.page.context.new_cdp_session(self.page)
        client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, steps + 1):
            point = {"x": x + dx * step / steps, "y": y + dy * step / steps}
            client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def wait_until(self, condition):
        deadline = time.monotonic() + 20
        while not condition():
            assert time.monotonic() < deadline, "It did not happen"
            self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def check(self):
        assert self.errors == []
        assert self.page.evaluate("violations") == []
        assert self.page.evaluate("isHacked") is False


@pytest.fixture
def watching(new_context):
    """Watchers of pages, checked while these are open: any complaint fails the test."""
    watching = []
    yield watching
    for each in watching:
        each.check()


@pytest.fixture
def watch(channel, watching):
    """Makes watching pages."""

    def watch(page, base=None):
        watching.append(Watching(page, channel, base))
        return watching[-1]

    return watch


@pytest.fixture
def viewer(page, watch):
    return watch(page).open()


@pytest.fixture
def phone(new_context, watch):
    """A watching page on a small touch screen."""
    return watch(new_context(has_touch=True, viewport={"width": 390, "height": 844}).new_page()).open()


class Secured:
    """A server with an access file; keys can be made before it starts and revoked while it runs."""

    def __init__(self, directory):
        self.file = directory / "access.json"
        self.binary = os.environ.get("TOASTD_BIN", str(ROOT / ".build/debug/toastd"))
        self.full = self.key("publish,subscribe,respond,manage")
        self.screen = self.key("subscribe", "shown-*")
        self.sender = self.key("publish")
        self.server = None

    def run(self, *arguments):
        command = [self.binary, *arguments, "--access", str(self.file)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def key(self, scopes, channels="*"):
        return self.run("key", "create", "--name", "test", "--scopes", scopes, "--channels", channels)

    def start(self, *options):
        self.server = Server("--access", str(self.file), *options)
        return self


@pytest.fixture
def secured(tmp_path):
    secured = Secured(tmp_path)
    yield secured
    if secured.server:
        secured.server.stop()


@pytest.fixture
def visit(new_context, watching, secured):
    """Opens the page of a channel, without waiting for a stream that may not come."""

    def visit(name=None, path="/", query="", context=None, **options):
        name = name or f"shown-{secrets.token_hex(4)}"
        page = (context or new_context(**options)).new_page()
        viewer = Watching(page, Channel(secured.server.base, name))
        watching.append(viewer)
        page.goto(f"{viewer.base}{path}?channel={name}{query}")
        page.wait_for_function("() => customElements.get('toast-viewer')")
        return viewer

    return visit


SPOKEN = """() => {
  window.spoken = [];
  window.lateRegions = 0;
  const root = document.querySelector("toast-viewer").shadowRoot;
  const live = "[role=status],[role=alert],[aria-live]:not([aria-live=off])";
  for (const role of ["status", "alert"]) {
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) spoken.push([role, node.textContent]);
    }).observe(root.querySelector(`[role=${role}]`), { childList: true });
  }
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) {
      if (node.nodeType === 1 && (node.matches(live) || node.querySelector(live))) lateRegions += 1;
    }
  }).observe(root, { childList: true, subtree: true });
}"""


def spoken(viewer, count):
    """The announcements so far, once they are as many as expected."""
    viewer.page.wait_for_function("(count) => spoken.length >= count", arg=count)
    return viewer.page.evaluate("spoken")


def look_away(page, is_hidden):
    """Makes a page believe that it is hidden, or that it is visible again."""
    page.evaluate("""(isHidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => isHidden ? "hidden" : "visible" });
      document.dispatchEvent(new Event("visibilitychange"));
    }""", is_hidden)


def settled(toast):
    """A toast whose entrance is over, so that it does not move when it is touched."""
    # An entrance that another animation interrupts is over, too.
    toast.evaluate("async (it) => { for (let all; (all = it.getAnimations()).length;) { await Promise.allSettled(all.map((each) => each.finished)); } }")
    return toast


def swipeable(toast):
    """A toast, or an element in it, once the code for swipes is loaded."""
    toast.evaluate("async (it) => { while (!it.closest('li').style.touchAction) { await new Promise(requestAnimationFrame); } }")
    return toast
