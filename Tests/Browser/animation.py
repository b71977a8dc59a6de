"""The picture at the top of the README: python Tests/Browser/animation.py http://127.0.0.1:8080

A curl asks a question, a page, a wall display and a phone show it, and a person answers on the phone. Everything in it
is real: the request, three streams, the press and the answer. Recorded as animated PNGs, light and dark, into
docs/images, with a still picture of each for people who want no motion. It needs curl and jq, and uses the channel ops.
"""

import base64
import io
import json
import pathlib
import struct
import subprocess
import sys
import time
import urllib.request
import zlib

from PIL import Image, ImageChops

from conftest import SCHEMES
from pictures import IMAGES, painter, palette

SCENE = pathlib.Path(__file__).parent / "scene"
# The recording has a pixel for each of the page's, so the scene is drawn larger for screens with many pixels.
SCALE = 1.5
SIZE = {"width": 1500, "height": 828}
LIMIT = 1_500_000

SHOWN_HOST = "localhost:8080"
COMMAND = f"""curl -H 'Prefer: wait=60' {SHOWN_HOST}/v1/channels/ops/toasts --json '{{
    "title": "Deploy build 4711?", "message": "All 214 tests passed.", "duration": "indefinite",
    "actions": [{{"id": "deploy", "title": "Deploy"}}, {{"id": "later", "title": "Not now"}}]}}' | jq -r .action"""

# Frames that are closer together than this, in seconds, are merged; the last frame stays for a while.
SHORTEST = 0.06
LAST = 3

# The last of the 256 indices of the palette.
UNCHANGED = 255


class Recorder:
    """Records a page: a frame, with its time, whenever the page changes."""

    def __init__(self, page):
        self.frames = []
        self._client = page.context.new_cdp_session(page)
        self._client.on("Page.screencastFrame", self._take)

    def __enter__(self):
        self._client.send("Page.startScreencast", {"format": "png"})
        return self

    def __exit__(self, *_):
        self._client.send("Page.stopScreencast")

    def _take(self, event):
        self.frames.append((event["metadata"]["timestamp"], base64.b64decode(event["data"])))
        self._client.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    def before(self, end):
        """The last frame before a time."""
        return Image.open(io.BytesIO([data for stamp, data in self.frames if stamp < end][-1])).convert("RGB")

    def timeline(self):
        """The frames with the seconds that each stays."""
        kept = []
        for index, (stamp, data) in enumerate(self.frames):
            after = self.frames[index + 1][0] if index + 1 < len(self.frames) else None
            # Of frames in quick succession the last one shows how the movement ended.
            if after is None or after - (kept[-1][0] if kept else 0) >= SHORTEST:
                kept.append((stamp, Image.open(io.BytesIO(data)).convert("RGB")))
        ends = [stamp for stamp, _ in kept[1:]] + [kept[-1][0] + LAST]
        return [(image, end - stamp) for (stamp, image), end in zip(kept, ends)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def animated_png(frames):
    """An animated PNG with one palette: each frame has only the pixels that changed, the others are transparent."""
    width, height = frames[0][0].size
    samples = Image.new("RGB", (width, height * 3))
    for index in range(3):
        samples.paste(frames[index * (len(frames) - 1) // 2][0], (0, height * index))
    colours = palette(samples, UNCHANGED)
    parts, number, shown = [], 0, None
    for image, seconds in frames:
        pixels = Image.frombytes("L", image.size, image.quantize(palette=colours, dither=Image.Dither.NONE).tobytes())
        box, part = (0, 0, width, height), pixels
        if shown:
            changes = ImageChops.difference(pixels, shown).point(lambda value: 255 if value else 0)
            box = changes.getbbox() or (0, 0, 1, 1)
            part = Image.composite(pixels, Image.new("L", pixels.size, UNCHANGED), changes).crop(box)
        shown = pixels
        left, top, right, bottom = box
        # No disposal, and drawn over what is there.
        parts.append(chunk(b"fcTL", struct.pack(
            ">IIIIIHHBB", number, right - left, bottom - top, left, top, round(seconds * 1000), 1000, 0, 1)))
        rows = b"".join(b"\0" + part.crop((0, row, part.width, row + 1)).tobytes() for row in range(part.height))
        data = zlib.compress(rows, 9)
        # The first frame is also the still picture for programs without APNG.
        parts.append(chunk(b"fdAT", struct.pack(">I", number + 1) + data) if number else chunk(b"IDAT", data))
        number += 2 if number else 1
    table = bytes(colours.getpalette()).ljust(768, b"\0")[:768]
    return b"".join([
        b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        chunk(b"acTL", struct.pack(">II", len(frames), 0)), chunk(b"PLTE", table),
        chunk(b"tRNS", b"\xff" * UNCHANGED + b"\0"), *parts, chunk(b"IEND", b""),
    ])


def scene(context, base):
    """The page of the scene on the server's origin, with its three screens connected."""
    context.route("**/scene/**", lambda route: route.fulfill(path=SCENE / route.request.url.split("/")[-1].split("?")[0]))
    page = context.new_page()
    page.goto(f"{base}/scene/scene.html")
    for screen in page.frames[1:]:
        screen.wait_for_function("() => document.querySelector('toast-viewer').connection === 'open'")
    page.evaluate("document.fonts.ready")
    return page


def toasts(page):
    return [screen.locator("toast-viewer [part~=toast]") for screen in page.frames[1:]]


def perform(page, base):
    """Plays the scene; returns the time at which all screens show the question."""
    page.wait_for_timeout(500)
    page.evaluate("(command) => type(command)", COMMAND)
    command = COMMAND.replace(SHOWN_HOST, base.removeprefix("http://")).replace("curl", "curl -sS", 1)
    asking = subprocess.Popen(["bash", "-c", command], stdout=subprocess.PIPE, text=True)
    for toast in toasts(page):
        toast.wait_for()
    page.wait_for_timeout(2200)
    middle = time.time()
    button = toasts(page)[-1].get_by_role("button", name="Deploy", exact=True)
    box = button.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate("([x, y]) => point(x, y)", [x / SCALE, y / SCALE])
    page.wait_for_timeout(1000)
    page.evaluate("press(true)")
    page.wait_for_timeout(150)
    page.touchscreen.tap(x, y)
    page.evaluate("press(false)")
    # Frames arrive only while this process waits for the page.
    deadline = time.monotonic() + 10
    while asking.poll() is None and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    answer = asking.communicate(timeout=1)[0]
    assert answer == "deploy\n", answer
    page.evaluate("(text) => answer(text)", answer)
    for toast in toasts(page):
        toast.wait_for(state="detached")
    page.evaluate("leave()")
    page.wait_for_timeout(800)
    return middle


def save(name, data):
    assert len(data) <= LIMIT, f"{name} has {len(data)} bytes"
    (IMAGES / name).write_bytes(data)
    print(f"{name}: {len(data) // 1000} kB")


def clear(base):
    urllib.request.urlopen(urllib.request.Request(f"{base}/v1/channels/ops/toasts", method="DELETE"), timeout=10).close()


def record(browser, base, scheme):
    clear(base)
    context = browser.new_context(viewport=SIZE, color_scheme=scheme, has_touch=True)
    page = scene(context, base)
    with Recorder(page) as recorder:
        middle = perform(page, base)
    context.close()
    frames = recorder.timeline()
    print(json.dumps({"frames": len(frames), "seconds": round(sum(seconds for _, seconds in frames), 1), "size": frames[0][0].size}))
    save(f"answer-{scheme}.png", animated_png(frames))
    still, image = io.BytesIO(), recorder.before(middle)
    image.quantize(palette=palette(image), dither=Image.Dither.NONE).save(still, "PNG", optimize=True)
    save(f"answer-{scheme}-still.png", still.getvalue())


def main(base):
    with painter() as browser:
        for scheme in SCHEMES:
            record(browser, base, scheme)


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))
