"""The presets of toast systems."""

import pytest

from test_problems import problem
from toastd import ROOT

NAMES = ["toastd", "noticeui", "toaster", "toastui", "ysnackbar", "inapp"]


def at(document, path):
    for name in path.split("/"):
        document = document[name]
    return document


@pytest.fixture
def presets(channel):
    response = channel.http.get("/v1/presets")
    assert response.status_code == 200
    return response.json()["presets"]


def test_there_are_six_presets(presets):
    assert [preset["name"] for preset in presets] == NAMES
    assert all(preset["summary"].endswith(".") for preset in presets)


def test_every_value_has_a_source(presets):
    for preset in presets:
        assert preset["sources"]
        for path, source in preset["sources"].items():
            assert source
            at(preset["own"], path)


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_found_by_its_name(channel, presets, name):
    assert channel.http.get(f"/v1/presets/{name}").json() == presets[NAMES.index(name)]


@pytest.mark.parametrize("name", ["sonner", "Toastd"])
def test_an_unknown_preset_is_not_found(channel, name):
    problem(channel.http.get(f"/v1/presets/{name}"), 404, "preset-not-found")


@pytest.mark.parametrize("name", ["toastd%2F", "%00"])
def test_an_invalid_name_of_a_preset_is_refused(channel, name):
    assert channel.http.get(f"/v1/presets/{name}").status_code == 400


@pytest.mark.parametrize("name", NAMES)
def test_a_channel_with_a_preset_has_its_settings(channel, presets, name):
    answer = channel.configure(preset=name)
    preset = presets[NAMES.index(name)]
    assert "warnings" not in answer
    for path in preset["sources"]:
        value = at(preset["own"], path)
        assert at(answer["effective"], path) == (2 if value == "short" else value), path
        assert answer["sources"][path] == "preset"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("noticeui", {"style": "glass", "placement": "top", "duration": 2}),
        ("toaster", {"style": "toaster", "placement": "bottom", "duration": 6, "title": None}),
        (
            "toastui",
            {
                "style": "toastui",
                "placement": "center",
                "duration": "indefinite",
                "title": None,
                "dimsBackground": True,
            },
        ),
        ("ysnackbar", {"style": "snackbar", "placement": "top", "duration": 4, "title": None}),
        ("inapp", {"style": "material", "placement": "top", "duration": 3, "title": None}),
    ],
)
def test_toasts_under_a_preset_are_those_of_its_system(channel, name, expected):
    channel.configure(preset=name)
    toast = channel.publish()
    assert {member: toast[member] for member in expected} == expected
    assert ("title" in toast) == ("title" in expected)


def test_a_channels_settings_take_precedence_over_its_preset(channel):
    channel.configure(preset="toastui", placement="bottom", duration=5)
    toast = channel.publish(style="retro")
    assert (toast["placement"], toast["duration"], toast["style"]) == ("bottom", 5, "retro")


def test_the_documents_table_is_right(channel, presets):
    """docs/presets.md has every value; an empty cell is not set."""
    table = (ROOT / "docs/presets.md").read_text().split("## All values")[1]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("|")]
    assert rows[0] == ["setting", "server", *NAMES]
    documented = {row[0].strip("`"): row[2:] for row in rows[2:]}
    assert set(documented) == {path for preset in presets for path in preset["sources"]}

    def word(preset, path):
        if path not in preset["sources"]:
            return ""
        value = at(preset["own"], path)
        if isinstance(value, bool):
            return "yes" if value else "no"
        return (" ".join(value) or "none") if isinstance(value, list) else str(value)

    for path, cells in documented.items():
        assert cells == [word(preset, path) for preset in presets], path
