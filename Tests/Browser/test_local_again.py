"""Toasts that the page itself shows with an id that it has used before: each is a toast of its own."""

import pytest
from playwright.sync_api import expect

from conftest import SPOKEN, spoken
from feed import Bare, run

VIEWER = "document.querySelector('toast-viewer')"


@pytest.fixture
def local(page, channel, watching):
    watching.append(Bare(page, channel))
    return watching[-1].open("local")


def test_each_toast_of_an_id_is_announced_and_remembered(local):
    page = local.page
    page.evaluate(SPOKEN)
    for n in (1, 2):
        run(local, f"toast.error('Upload {n} failed', {{ id: 'up', duration: 'indefinite' }})")
        expect(local.toast(f"Upload {n} failed")).to_be_visible()
        assert spoken(local, n)[-1][1] == f"Error: Upload {n} failed"
        run(local, "toast.dismiss('up')")
        expect(local.toasts).to_have_count(0)
    run(local, "toast('Uploaded', { id: 'up', duration: 'indefinite' })")
    assert spoken(local, 3)[-1] == ["status", "Info: Uploaded"]
    memories = page.evaluate(f"{VIEWER}.history.map(({{ toast, reason }}) => [toast.message, reason ?? null])")
    assert memories == [["Uploaded", None], ["Upload 2 failed", "api"], ["Upload 1 failed", "api"]]
