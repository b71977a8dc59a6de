"""The viewer on a page of another origin, with a token; and the server's own pages in frames."""

import functools
import http.server
import json
import os
import re
import subprocess
import threading
import urllib.request

import pytest

from conftest import ROOT, Channel, Server, settled
from frameworks import snippet

PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Another origin</title>
  <meta http-equiv="Content-Security-Policy"
    content="default-src 'none'; script-src 'self' {server}; connect-src {server}; img-src {server} https:; frame-src {server}; require-trusted-types-for 'script'; trusted-types 'none'">
  <script type="module" src="/app.js"></script>
</head>
<body></body>
</html>
"""

APP = """
import { ToastViewer } from "%(server)s/toast-viewer.js";

window.asked = 0;
ToastViewer.authorize("%(server)s", async () => { window.asked += 1; return "%(key)s"; });
const viewer = new ToastViewer();
viewer.setAttribute("share", "off");
viewer.channel = "ops";
document.body.append(viewer);
"""


class Site:
    """Files on another port, which is another origin."""

    def __init__(self, directory):
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=directory)
        self.directory = directory
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def put(self, server, key):
        (self.directory / "index.html").write_text(PAGE.format(server=server))
        (self.directory / "app.js").write_text(APP % {"server": server, "key": key})


@pytest.fixture
def site(tmp_path):
    (tmp_path / "site").mkdir()
    site = Site(tmp_path / "site")
    yield site
    site.server.shutdown()


@pytest.fixture
def key(tmp_path):
    binary = os.environ.get("TOASTD_BIN", str(ROOT / ".build/debug/toastd"))
    options = ["--name", "page", "--scopes", "publish,subscribe,respond", "--access", str(tmp_path / "access.json")]
    made = subprocess.run([binary, "key", "create", *options], check=True, capture_output=True, text=True)
    return made.stdout.strip()


@pytest.fixture
def serve(tmp_path):
    servers = []

    def serve(*options):
        servers.append(Server(*options))
        return servers[-1]

    yield serve
    for server in servers:
        server.stop()


def test_a_page_of_another_origin_shows_toasts_and_answers_them(page, site, serve, key, tmp_path):
    server = serve("--access", str(tmp_path / "access.json"), "--allow-origin", site.origin)
    site.put(server.base, key)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(site.origin)
    page.wait_for_function("() => document.querySelector('toast-viewer')?.connection === 'open'")

    # The page posts, and reads the header fields of the response.
    posted = page.evaluate(
        """async ([server, key]) => {
          const answer = await fetch(server + "/v1/channels/ops/toasts", {
            method: "POST",
            headers: { authorization: "Bearer " + key, "content-type": "application/json", "idempotency-key": "a1" },
            body: JSON.stringify({ message: "From elsewhere", duration: "indefinite" }),
          });
          return { status: answer.status, tag: answer.headers.get("etag"), location: answer.headers.get("location") };
        }""",
        [server.base, key],
    )
    assert posted["status"] == 201
    assert posted["tag"] and posted["location"].startswith("/v1/channels/ops/toasts/")
    toast = page.locator("toast-viewer [part~=toast]").filter(has_text="From elsewhere")
    toast.wait_for()
    settled(toast)
    # The style was loaded too.
    assert page.evaluate("document.querySelector('toast-viewer').shadowRoot.adoptedStyleSheets.length") >= 2

    toast.locator("[part~=close]").click()
    toast.wait_for(state="detached")
    identifier = posted["location"].rsplit("/", 1)[1]
    ended = page.evaluate(
        """async ([address, key]) => {
          for (;;) {
            const toast = await (await fetch(address, { headers: { authorization: "Bearer " + key } })).json();
            if (toast.state === "dismissed") { return toast; }
          }
        }""",
        [f"{server.base}/v1/channels/ops/toasts/{identifier}", key],
    )
    assert ended["dismissReason"] == "close"
    assert page.evaluate("asked") >= 2
    assert errors == []


def test_the_code_of_the_document_shows_a_channel_of_another_origin(page, site, serve, key, tmp_path):
    server = serve("--access", str(tmp_path / "access.json"), "--allow-origin", site.origin)
    site.put(server.base, key)
    # The script is in a file and the token from the page's own backend, as the documented policy requires.
    code = snippet("From another origin", "html").replace("https://toasts.example", server.base)
    (site.directory / "app.js").write_text(code.partition(">")[2].rpartition("</script>")[0])
    (site.directory / "toast-token").write_text(key)
    html = site.directory / "index.html"
    html.write_text(html.read_text().replace("connect-src ", "connect-src 'self' "))
    page.goto(site.origin)
    page.wait_for_function("() => document.querySelector('toast-viewer')?.connection === 'open'")


def test_a_stream_that_breaks_comes_back_with_another_ticket(page, site, serve, key, tmp_path):
    server = serve("--access", str(tmp_path / "access.json"), "--allow-origin", site.origin, "--stream-age", "2")
    site.put(server.base, key)
    page.goto(site.origin)
    page.wait_for_function("() => document.querySelector('toast-viewer')?.connection === 'open'")
    page.wait_for_function("() => asked >= 3 && document.querySelector('toast-viewer').connection === 'open'")


def test_an_origin_that_is_not_allowed_gets_nothing(page, site, serve, key, tmp_path):
    server = serve("--access", str(tmp_path / "access.json"), "--allow-origin", "http://127.0.0.1:1")
    site.put(server.base, key)
    refused = []
    page.on("requestfailed", lambda request: refused.append(request.url))
    page.goto(site.origin)
    page.wait_for_load_state("networkidle")
    assert refused == [f"{server.base}/toast-viewer.js"]
    assert page.evaluate("customElements.get('toast-viewer')") is None
    failed = page.evaluate(
        """async ([server, key]) => {
          const tries = [
            fetch(server + "/v1/channels", { headers: { authorization: "Bearer " + key } }),
            fetch(server + "/v1/channels/ops/toasts", { method: "POST", body: "x" }),
            fetch(server + "/livez"),
          ];
          return (await Promise.allSettled(tries)).map(({ status }) => status);
        }""",
        [server.base, key],
    )
    assert failed == ["rejected"] * 3


def frame(page, site, server):
    """The content of a frame with the server's page."""
    (site.directory / "frame.html").write_text(f'<!doctype html><title>f</title><iframe src="{server.base}/"></iframe>')
    page.goto(f"{site.origin}/frame.html")
    page.wait_for_load_state("networkidle")
    inner = page.frames[1]
    return inner.url, inner.locator("toast-viewer").count()


def test_an_allowed_page_shows_the_viewer_in_a_frame(page, site, serve):
    server = serve("--frame-ancestors", site.origin)
    url, viewers = frame(page, site, server)
    assert url.startswith(f"{server.base}/") and viewers >= 1


def test_no_other_page_shows_the_viewer_in_a_frame(page, site, serve):
    url, viewers = frame(page, site, serve())
    assert url.startswith("chrome-error:") and viewers == 0


# Requests that a page can send without `Origin`. Each has a different address, or the browser would send only one.
HIDDEN = """async (server) => {
  let count = 0;
  const address = (path) => `${server}${path}${path.includes("?") ? "&" : "?"}n=${count += 1}`;
  const within = (promise) => Promise.race([promise, new Promise((go) => setTimeout(go, 20_000))]);
  const loaded = (tag, path) => within(new Promise((go) => {
    const element = document.createElement(tag);
    element.onload = element.onerror = go;
    element.src = address(path);
    document.body.append(element);
  }));
  const hidden = (path) => within(fetch(address(path), { mode: "no-cors", credentials: "include" }).catch(() => 0));
  const stream = "/v1/channels/ops/stream", poll = "/v1/channels/ops/poll?wait=20", bad = poll + "&ticket=bad";
  await Promise.all([
    loaded("img", stream), loaded("img", poll), loaded("script", stream), loaded("iframe", stream), loaded("video", poll),
    hidden(stream), hidden(poll), hidden("/v1/stream?channel=ops"), hidden("/v1/channels/ops/toasts"),
    ...Array.from({ length: 40 }, () => loaded("img", bad)),
  ]);
  return count;
}"""


def refused_for_their_origin(server):
    with urllib.request.urlopen(f"{server.base}/metrics", timeout=10) as answer:
        return int(re.search(r'type="origin-not-allowed"} (\d+)|$', answer.read().decode())[1] or 0)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"], ids=["cross-site", "same-site"])
def test_requests_without_an_origin_open_no_stream_and_spend_no_one_else_s_limit(page, site, serve, key, tmp_path, host):
    server = serve("--access", str(tmp_path / "access.json"), "--allow-anonymous", "subscribe,manage")
    (site.directory / "empty.html").write_text("<!doctype html><title>empty</title><link rel=icon href=data:,>")
    page.goto(f"{site.origin.replace('127.0.0.1', host)}/empty.html")
    count = page.evaluate(HIDDEN, server.base)

    with urllib.request.urlopen(f"{server.base}/v1/channels/ops", timeout=10) as answer:
        assert json.load(answer)["audience"] == {"sse": 0, "websocket": 0, "poll": 0}
    # The person's own key is accepted from the same address.
    post = urllib.request.Request(f"{server.base}/v1/channels/ops/toasts", b"x", {"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(post, timeout=10) as answer:
        assert answer.status == 201
    assert refused_for_their_origin(server) == count == 49


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"], ids=["cross-site", "same-site"])
def test_a_link_on_any_page_leads_to_documents_and_opens_no_stream(context, site, serve, host):
    server = serve()
    links = {"openapi.yaml": 200, "metrics": 200, "v1/channels/ops": 200, "": 200, "v1/channels/ops/stream": 403}
    html = "".join(f'<a id="l{number}" href="{server.base}/{path}">x</a> ' for number, path in enumerate(links))
    (site.directory / "links.html").write_text(f"<!doctype html><title>links</title>{html}")
    for number, (path, status) in enumerate(links.items()):
        page = context.new_page()
        page.goto(f"{site.origin.replace('127.0.0.1', host)}/links.html")
        with page.expect_response(f"{server.base}/{path}") as answer:
            page.locator(f"#l{number}").click(no_wait_after=True)
        assert answer.value.status == status, path


def test_the_servers_own_page_works_as_before_beside_allowed_origins(page, site, serve):
    server = serve("--allow-origin", site.origin)
    channel = Channel(server.base, "own")
    page.goto(f"{server.base}/?channel=own")
    page.locator("[data-connection=open]").wait_for()
    channel.post("At home")
    page.locator("toast-viewer [part~=toast]").filter(has_text="At home").wait_for()
    assert json.loads(page.evaluate("fetch('/livez').then((answer) => answer.text())"))["status"] == "ok"


def test_a_token_function_that_rejects_with_undefined_is_called_again(page, site, serve, key, tmp_path):
    server = serve("--access", str(tmp_path / "access.json"), "--allow-origin", site.origin)
    site.put(server.base, key)
    (site.directory / "app.js").write_text((APP % {"server": server.base, "key": key}).replace(
        "window.asked += 1;", "window.asked += 1; if (window.asked < 2) { return Promise.reject(); }",
    ))
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(site.origin)
    page.wait_for_function("() => document.querySelector('toast-viewer')?.connection === 'open'")
    assert page.evaluate("asked") == 2
    assert errors == []
