"""A viewer whose events come from the test, for moments that are hard to arrange with a server."""

import itertools

from playwright.sync_api import expect

from conftest import Watching, settled

SOURCE = """
window.sources = [];
window.EventSource = class extends EventTarget {
  static CLOSED = 2;
  constructor(address) { super(); this.address = String(address); this.readyState = 1; sources.push(this); }
  close() { this.readyState = 2; }
};
window.feed = (...events) => {
  for (const event of events) {
    sources.at(-1).dispatchEvent(new MessageEvent(event.type, { data: JSON.stringify(event) }));
  }
};
"""

BARE = """<!doctype html><html lang="en"><title>Bare</title><meta name="color-scheme" content="light dark">
<script type="module" src="/toast-viewer.js"></script>
<body><main><h1>A page</h1><p>Some words.</p><button>Press me</button></main><toast-viewer channel="CHANNEL" ATTRIBUTES></toast-viewer></body></html>"""

SETTINGS = {
    "mode": "stack", "style": "glass", "placement": "top", "duration": 6, "closeButton": True,
    "animations": {
        "enter": {"duration": 0.4, "curve": "spring", "damping": 0.6, "velocity": 0.4},
        "move": {"duration": 0.3, "curve": "easeInOut"},
        "exit": {"duration": 0.3, "curve": "easeOut"},
    },
    "layout": {"spacing": 16, "inset": 16, "maximumWidth": 428},
}


def toast(identifier, **members):
    return {
        "id": identifier, "channel": "feed", "revision": 1, "state": "presented", "role": "info", "message": f"Toast {identifier}",
        "style": "glass", "placement": "top", "duration": "indefinite", "createdAt": "2026-01-01T00:00:00.000Z", **members,
    }


def presented(identifier, **members):
    more = {name: members.pop(name) for name in ("remaining", "haptic", "announcement") if name in members}
    return {"type": "presented", "toast": toast(identifier, **members), **more}


def updated(identifier, **members):
    more = {name: members.pop(name) for name in ("remaining", "moved", "announcement") if name in members}
    return {"type": "updated", "toast": toast(identifier, revision=2, **members), "changed": ["message"], **more}


def dismissed(identifier, reason="api", exit=0.3):
    return {"type": "dismissed", "id": identifier, "dismissReason": reason, "exit": exit}


class Bare(Watching):
    """A page with nothing but a viewer on it."""

    def open(self, attributes=""):
        body = BARE.replace("CHANNEL", self.channel.name).replace("ATTRIBUTES", attributes)
        self.page.route("**/bare", lambda route: route.fulfill(content_type="text/html", body=body))
        self.page.goto(f"{self.base}/bare")
        return self

    def opened(self):
        self.page.wait_for_function("() => document.querySelector('toast-viewer')?.connection === 'open'")
        return self

    def order(self):
        """The messages from top to bottom, without toasts that are leaving."""
        boxes = self.toasts.evaluate_all("(all) => all.map((it) => [it.getBoundingClientRect().top, it.querySelector('[part=message]').lastChild.textContent])")
        return [text for _, text in sorted(boxes)]

    def settle(self):
        """Waits for the lazy layout, which is loaded with the first toast, and for the end of all animations."""
        self.page.wait_for_function("""() => {
          const root = document.querySelector("toast-viewer").shadowRoot;
          const rules = () => root.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules]);
          return !root.querySelector("li") || root.querySelector("[part=region][data-placement]")
            && rules().some(({ cssText }) => cssText.includes("[data-crowded]"));
        }""")
        self.page.evaluate("""async () => {
          const root = document.querySelector("toast-viewer").shadowRoot;
          const isOver = () => root.getAnimations().filter((it) => it.effect.getTiming().iterations === 1).map((it) => it.finished.catch(() => {}));
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          await Promise.all(isOver());
        }""")

    def finish(self):
        """Sets all animations to their end."""
        self.page.evaluate("() => document.querySelector('toast-viewer').shadowRoot.getAnimations().forEach((it) => it.finish())")


class Feed(Bare):
    """A page whose stream is controlled by the test."""

    def __init__(self, page, channel):
        super().__init__(page, channel)
        self._offsets = itertools.count(1)
        page.add_init_script(SOURCE)

    def begin(self, attributes="", **settings):
        """Open the page and send the first frame."""
        self.open(attributes)
        self.page.wait_for_function("() => window.sources?.length > 0")
        self.send({"type": "snapshot", "effective": {**SETTINGS, **settings}, "presented": [], "queuedCount": 0, "reset": False})
        return self.opened()

    def send(self, *events):
        common = {"channel": self.channel.name, "at": "2026-01-01T00:00:00.000Z"}
        self.page.evaluate("(events) => feed(...events)", [{**common, "cursor": f"e-{next(self._offsets)}", **event} for event in events])


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none';"
    " form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


class Slow(Feed):
    """A page under the strictest policy, whose lazy parts ("the rest") are delivered when the test says so."""

    def __init__(self, page, channel):
        super().__init__(page, channel)
        self.asked, self.sent = [], []
        page.route("**/lazy/interaction.js", lambda route: self.asked.append(route))
        page.route("**/v1/channels/**", self._answer)

    def _answer(self, route):
        self.sent.append((route.request.url.split("/toasts/")[1], route.request.post_data_json))
        route.fulfill(json={})

    def open(self, attributes=""):
        body = BARE.replace("CHANNEL", self.channel.name).replace("ATTRIBUTES", attributes)
        headers = {"content-security-policy": POLICY}
        self.page.route("**/bare", lambda route: route.fulfill(content_type="text/html", headers=headers, body=body))
        self.page.goto(f"{self.base}/bare")
        return self

    def show(self, identifier="a", **members):
        """One toast, on screen before the rest is requested."""
        self.send(presented(identifier, **members))
        expect(self.toast(f"Toast {identifier}")).to_be_visible()
        self.wait_until(lambda: self.asked)
        return settled(self.toast(f"Toast {identifier}"))

    def give(self):
        """Delivers the rest, and waits until it is loaded."""
        while self.asked:
            self.asked.pop().continue_()
        self.page.unroute("**/lazy/interaction.js")
        # Once loaded, it requests its sheet at once.
        self.page.wait_for_function("() => performance.getEntriesByName(location.origin + '/styles/stage.css').length > 0")

    def fail(self):
        while self.asked:
            self.asked.pop().abort()
        self.page.unroute("**/lazy/interaction.js")
        self.page.route("**/lazy/interaction.js", lambda route: route.abort())


def run(bare, script):
    """Run a script that has `toast`, as a page imports it."""
    return bare.page.evaluate(f"async () => {{ const {{ toast }} = await import('/toast-viewer.js'); {script} }}")
