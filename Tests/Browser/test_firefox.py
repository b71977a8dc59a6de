"""The main paths in Firefox ESR, controlled by WebDriver BiDi, which needs no driver."""

import json
import pathlib
import re
import secrets
import shutil
import subprocess
import time

import axe_playwright_python
import pytest
from websockets.sync.client import connect

from conftest import Channel

FIREFOX = shutil.which("firefox-esr")

VIEWER = "document.querySelector('toast-viewer')"
CARDS = f"[...{VIEWER}.shadowRoot.querySelectorAll('[part~=toast]:not([data-state=leaving])')]"


class Firefox:
    def __init__(self, profile):
        assert FIREFOX, "`make tools` installs firefox-esr"
        (profile / "user.js").write_text('user_pref("remote.active-protocols", 1);\n')
        command = [FIREFOX, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        for line in self.process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                break
        self.socket = connect(f"{found[1]}/session", max_size=None, open_timeout=30)
        self.count = 0
        self.call("session.new", capabilities={})
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method, **params):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv(timeout=60))
            if answer.get("id") == self.count:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, url):
        self.call("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def run(self, expression):
        """A value as JSON; promises are awaited."""
        answer = self.call(
            "script.evaluate", expression=f"(async () => JSON.stringify(await ({expression})))()",
            target={"context": self.context}, awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        text = answer["result"].get("value")
        return json.loads(text) if text is not None else None

    def wait(self, expression):
        deadline = time.monotonic() + 20
        while not self.run(expression):
            assert time.monotonic() < deadline, expression
            time.sleep(0.05)

    def press(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": actions}])

    def click(self, x, y):
        self.call("input.performActions", context=self.context, actions=[{
            "type": "pointer", "id": "mouse", "actions": [
                {"type": "pointerMove", "x": round(x), "y": round(y)}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0},
            ],
        }])

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=20)


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    firefox = Firefox(tmp_path_factory.mktemp("firefox"))
    yield firefox
    firefox.stop()


@pytest.fixture
def room(firefox, server):
    channel = Channel(server.base, f"firefox-{secrets.token_hex(6)}")
    firefox.open(f"{server.base}/?channel={channel.name}")
    firefox.run("(window.violations = [], document.addEventListener('securitypolicyviolation', (it) => violations.push(it.violatedDirective)), 0)")
    firefox.wait(f"{VIEWER}.connection === 'open'")
    yield channel
    assert firefox.run("violations") == []


def test_firefox_shows_and_a_click_dismisses(firefox, room):
    posted = room.post("Hello, Firefox", duration="indefinite", role="success")
    firefox.wait(f"{CARDS}.some((it) => it.textContent.includes('Hello, Firefox'))")
    firefox.run(f"Promise.all({CARDS}.flatMap((it) => it.getAnimations().map((animation) => animation.finished))).then(() => 0)")
    x, y = firefox.run(f"(() => {{ const it = {CARDS}[0].querySelector('[part=close]').getBoundingClientRect(); return [it.x + it.width / 2, it.y + it.height / 2]; }})()")
    firefox.click(x, y)
    firefox.wait(f"{CARDS}.length === 0")
    room.wait(lambda: room.toast(posted["id"])["state"] == "dismissed")
    assert room.toast(posted["id"])["dismissReason"] == "close"


def test_firefox_removes_toasts_that_have_ended(firefox, room):
    posted = room.post("Short", duration="indefinite")
    firefox.wait(f"{CARDS}.length === 1")
    room.patch(posted["id"], duration=1)
    firefox.wait(f"{VIEWER}.shadowRoot.querySelectorAll('[part~=toast]').length === 0")


def test_firefox_has_the_keys_and_the_dialog(firefox, room):
    firefox.run("""(() => {
      const dialog = document.body.appendChild(document.createElement("dialog"));
      dialog.id = "modal";
      dialog.append(Object.assign(document.createElement("button"), { textContent: "OK" }));
      window.viewer = document.querySelector("toast-viewer");
      dialog.showModal();
    })()""")
    # The code that moves the viewer into dialogs is loaded with the first toast.
    room.post("Above it", duration="indefinite")
    firefox.wait(f"{CARDS}.length === 1")
    firefox.wait("viewer.parentNode === modal")
    firefox.press("\ue038")  # F8
    assert firefox.run("viewer.shadowRoot.activeElement !== null")
    firefox.press("\ue00c")  # Escape
    firefox.wait("viewer.shadowRoot.querySelectorAll('[part~=toast]').length === 0")
    assert firefox.run("modal.open")
    firefox.run("modal.close()")
    firefox.wait("viewer.parentNode === document.body")


def test_firefox_axe_finds_nothing(firefox, room):
    room.configure(mode="stack", maxVisible=4)
    for role in ("success", "error", "warning", "info"):
        room.post("For the auditor", role=role, duration="indefinite", actions=[{"id": "a", "title": "Answer"}])
    firefox.wait(f"{CARDS}.length === 4")
    # Half transparent, as they are while they enter, they have too little contrast.
    firefox.wait(f"{CARDS}.every((it) => !it.getAnimations().length)")
    axe = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
    firefox.call("script.evaluate", expression=f"{axe}; 0", target={"context": firefox.context}, awaitPromise=False)
    found = firefox.run(f"axe.run({VIEWER}).then(({{ violations }}) => violations.map((it) => it.id + ' ' + it.nodes[0].target))")
    assert found == []
