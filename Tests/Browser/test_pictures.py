"""The pictures of the documents: each that is named is there, and the animated ones play and are small enough."""

import io
import re

import pytest
from PIL import Image, ImageChops, ImageDraw

from animation import LIMIT, animated_png
from conftest import ROOT, SCHEMES

IMAGES = ROOT / "docs/images"


def test_every_picture_that_a_document_names_is_there_and_none_is_left_over():
    text = "".join(path.read_text() for path in [ROOT / "README.md", *ROOT.glob("docs/*.md")])
    assert set(re.findall(r"images/([a-z-]+\.png)", text)) == {path.name for path in IMAGES.glob("*.png")}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_picture_of_the_readme_moves_and_its_still_picture_does_not(scheme):
    moving = Image.open(IMAGES / f"answer-{scheme}.png")
    assert moving.n_frames > 20
    assert (IMAGES / f"answer-{scheme}.png").stat().st_size <= LIMIT
    still = Image.open(IMAGES / f"answer-{scheme}-still.png")
    assert still.size == moving.size
    assert not getattr(still, "is_animated", False)


def test_an_animation_shows_the_frames_that_went_into_it():
    frames = []
    for step in range(5):
        image = Image.new("RGB", (60, 40), (250, 246, 239))
        ImageDraw.Draw(image).rectangle((step * 8, 10, step * 8 + 12, 24), fill=(160, 79, 18))
        # A frame that equals the one before it.
        frames += [(image, 0.2)] * (2 if step == 2 else 1)
    played = Image.open(io.BytesIO(animated_png(frames)))
    assert played.n_frames == len(frames)
    for index, (image, seconds) in enumerate(frames):
        played.seek(index)
        assert played.info["duration"] == seconds * 1000
        difference = ImageChops.difference(played.convert("RGB"), image)
        # The colours of a palette are nearly those of the image.
        assert max(high for _, high in difference.getextrema()) <= 8, index
