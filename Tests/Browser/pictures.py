"""Pictures for the documents: python Tests/Browser/pictures.py http://127.0.0.1:8080

The styles in light and dark, the page with a toast on it, and its parts, into docs/images.
"""

import io
import os
import pathlib
import secrets
import sys
import tempfile
from contextlib import contextmanager

from PIL import Image
from playwright.sync_api import sync_playwright

from conftest import ROOT, SCHEMES, STYLES, Channel
from gallery import GALLERY

IMAGES = ROOT / "docs/images"
# The maximum of a file in bytes; a picture of a whole page may be larger than one of a few toasts.
LIMIT = 150_000
PAGE_LIMIT = 200_000

# A machine without a desktop has no suitable system font: Inter (apt: fonts-inter) is used if it is installed.
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<match target="pattern"><test name="family"><string>system-ui</string></test>
<edit name="family" mode="assign" binding="strong"><string>Inter</string></edit></match>
<match target="pattern"><test name="family"><string>sans-serif</string></test>
<edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match></fontconfig>"""

BACKDROPS = {"light": "linear-gradient(120deg, #ffe0b0, #f6e7cf 40%, #ffd6c4)", "dark": "linear-gradient(120deg, #4a2c12, #2c221b 40%, #47252c)"}

UNDO = [{"id": "undo", "title": "Undo"}]


def toasts(style):
    yield {"style": style, "role": "success", "message": "Deployed to production in 42 seconds."}
    yield {"style": style, "role": "error", "title": "Payment failed", "message": "The provider does not answer."}
    yield {"style": style, "role": "warning", "title": "Three files deleted", "message": "They leave the bin in 30 days.", "actions": UNDO}
    yield {"style": style, "role": "info", "title": "Uploading", "message": "holiday.mov", "progress": {"value": 0.62, "total": 1}}


def palette(image, count=256):
    """The best colours for an image. Gradients have most of the pixels, but the icons need their colours, too."""
    colours = [colour for _, colour in image.getcolors(image.width * image.height)]
    pixels = image.resize((image.width // 4, image.height // 4)).convert("RGB").tobytes()
    sample = list(zip(pixels[::3], pixels[1::3], pixels[2::3]))
    vivid = [colour for colour in colours if max(colour) - min(colour) > 70]
    sample += vivid[:: max(1, len(vivid) // (len(sample) // 2))]
    sample += [(255, 255, 255), (0, 0, 0)] * (len(sample) // 20)
    strip = Image.new("RGB", (len(sample), 1))
    strip.putdata(sample)
    return strip.quantize(count, kmeans=1)


def save(name, picture, limit=LIMIT):
    """With all colours if the file is small enough, otherwise with a palette, otherwise smaller."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    data = io.BytesIO()
    image.save(data, "PNG", optimize=True)
    while data.tell() > limit:
        data = io.BytesIO()
        image.quantize(palette=palette(image), dither=Image.Dither.FLOYDSTEINBERG).save(data, "PNG", optimize=True)
        if data.tell() > limit:
            image = image.resize((image.width * 9 // 10, image.height * 9 // 10), Image.Resampling.LANCZOS)
    (IMAGES / name).write_bytes(data.getvalue())
    print(f"{name}: {data.tell() // 1000} kB, {image.width} x {image.height}")


def styles(browser, base, scheme):
    page = browser.new_page(viewport={"width": 960, "height": 300}, color_scheme=scheme, device_scale_factor=1.5)
    for style in STYLES:
        page.goto(f"{base}/?channel=pictures")
        page.evaluate(GALLERY, {"toasts": list(toasts(style)), "background": BACKDROPS[scheme]})
        page.wait_for_function("!document.querySelector('main').getAnimations({ subtree: true }).some((it) => it.effect.getTiming().iterations === 1)")
        save(f"{style}-{scheme}.png", page.locator("main").screenshot())
    page.close()


def play(channel, page):
    """A few seconds of activity: toasts that ended, one that was held, one on screen, and two that wait."""
    channel.post("All 214 tests passed.", role="success", duration=2)
    disk = channel.post("The disk of db-2 is 91 % full.", role="warning", duration=3)
    channel.post("It is warm, golden and on time.", title="Your toast is ready", role="success", icon="cup-hot-fill", duration=6)
    channel.post("Three files deleted.", role="info", style="pale", duration=3, actions=UNDO)
    toast = page.locator("toast-viewer [part~=toast]")
    toast.filter(has_text="db-2").wait_for()
    page.wait_for_timeout(800)
    channel.call("PUT", f"/toasts/{disk['id']}/holds/somebody", {"lease": 30})
    page.wait_for_timeout(2000)
    channel.call("DELETE", f"/toasts/{disk['id']}/holds/somebody")
    toast.filter(has_text="golden").wait_for()
    channel.post("The payment provider does not answer.", role="error")
    page.wait_for_timeout(1500)


def whole(browser, base, scheme, width, height, name):
    channel = Channel(base, f"demo-{secrets.token_hex(2)}")
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.goto(f"{base}/?channel={channel.name}")
    page.locator("[data-connection=open]").wait_for()
    play(channel, page)
    save(name, page.screenshot(), PAGE_LIMIT)
    channel.call("DELETE", "/toasts")
    page.close()


def parts(browser, base, scheme):
    """The timeline, the playground and the gallery, each separately."""
    channel = Channel(base, f"demo-{secrets.token_hex(2)}")
    page = browser.new_page(viewport={"width": 1100, "height": 1000}, color_scheme=scheme, device_scale_factor=1.5)
    page.goto(f"{base}/?channel={channel.name}&style=pale&role=warning")
    page.locator("[data-connection=open]").wait_for()
    page.locator("[data-area=timeline]").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('#timeline').scrollIntoView({ block: 'end', behavior: 'instant' })")
    play(channel, page)
    save(f"timeline-{scheme}.png", page.locator("[data-area=timeline]").screenshot())
    channel.call("DELETE", "/toasts")
    page.locator("toast-viewer [part~=toast]").first.wait_for(state="detached")
    page.locator("[name=message]").fill("They leave the bin in 30 days.")
    page.get_by_text("My own", exact=True).click()
    page.locator("[name=title]").fill("Three files deleted")
    page.locator("[data-more] > summary").click()
    page.locator("[name=action0]").fill("Undo")
    page.locator("[data-more] > summary").click()
    page.locator("h1").click()
    save(f"playground-{scheme}.png", page.locator("[data-form=compose]").screenshot())
    page.set_viewport_size({"width": 1400, "height": 1000})
    page.goto(f"{base}/gallery.html?channel={channel.name}")
    page.locator("figure [role=group]").first.wait_for()
    page.wait_for_timeout(1000)
    save(f"gallery-{scheme}.png", page.screenshot(), PAGE_LIMIT)
    page.close()


@contextmanager
def painter():
    """A browser with the fonts of the pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        fonts = pathlib.Path(folder, "fonts.conf")
        fonts.write_text(FONTS)
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"], env={**os.environ, "FONTCONFIG_FILE": str(fonts)}
        )
        yield browser
        browser.close()


def main(base):
    IMAGES.mkdir(parents=True, exist_ok=True)
    with painter() as browser:
        for scheme in SCHEMES:
            styles(browser, base, scheme)
            whole(browser, base, scheme, 1280, 860, f"page-{scheme}.png")
            parts(browser, base, scheme)


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))
