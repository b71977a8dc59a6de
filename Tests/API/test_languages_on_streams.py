"""Streams, polls and sockets use the language of each client; the log has the server's."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from channel import Channel
from receiver import Receiver
from streams import EventStream, Poller, Socket, facts

KINDS = {"stream": EventStream, "socket": Socket, "poll": Poller}
CATALOGS = {
    "en": {"saved": {"one": "%d file saved", "other": "%d files saved"}, "open": "Open", "backup": "Backup"},
    "de": {
        "saved": {"one": "%d Datei gesichert", "other": "%d Dateien gesichert"},
        "open": "Öffnen",
        "backup": "Sicherung",
    },
}
# The texts of BACKUP: its message, title and button, its announcement, and its announcement after a change.
WORDS = {
    "en": ("3 files saved", "Backup", "Open", "error, Backup. 3 files saved", "error, Backup. 1 file saved"),
    "de": (
        "3 Dateien gesichert",
        "Sicherung",
        "Öffnen",
        "Fehler, Sicherung. 3 Dateien gesichert",
        "Fehler, Sicherung. 1 Datei gesichert",
    ),
}
BACKUP = {
    "role": "error",
    "title": {"key": "backup"},
    "message": {"key": "saved", "arguments": [3]},
    "actions": [{"id": "open", "title": {"key": "open"}}],
    "duration": "indefinite",
}


@pytest.fixture
def ops(launch) -> Iterator[Channel]:
    """A channel of a separate server, because catalogs apply to all channels."""
    channel = Channel(launch(store="memory").url, "ops")
    for language, texts in CATALOGS.items():
        channel.http.put(f"/v1/catalogs/{language}", json=texts).raise_for_status()
    yield channel
    channel.close()


def listen(ops, kind, is_composite=False, headers=None, **parameters):
    path = f"{ops.url}/v1/{kind}" if is_composite else f"{ops.url}{ops.path}/{kind}"
    return KINDS[kind](path, headers, **({"channel": ["ops", "other"]} if is_composite else {}), **parameters)


def words(toast):
    return toast["message"]["text"], toast["title"]["text"], toast["actions"][0]["title"]["text"]


def without_words(event):
    """An event without the texts that depend on a language."""
    rest = {name: value for name, value in event.items() if name != "announcement"}
    if "toast" in event:
        rest["toast"] = {k: v for k, v in event["toast"].items() if k not in ("message", "title", "actions")}
    return rest


def post(ops, toast=BACKUP):
    response = ops.post(toast)
    assert response.status_code == 201, response.text
    return response.json()


@pytest.mark.parametrize("is_composite", [False, True], ids=["one", "several"])
@pytest.mark.parametrize("asks", ["query", "header"])
@pytest.mark.parametrize("kind", KINDS)
def test_each_client_gets_texts_in_its_language(ops, kind, asks, is_composite):
    def open_in(language):
        if asks == "query":
            return listen(ops, kind, is_composite, language=language)
        return listen(ops, kind, is_composite, headers={"Accept-Language": language})

    with open_in("de-AT, en;q=0.5") as german, open_in("en-GB") as english, listen(ops, kind, is_composite) as plain:
        readers = {"de": german, "en": english, "": plain}
        for reader in readers.values():
            reader.wait("snapshot")
        toast = post(ops)
        # The first poll is not an audience, so the toast may be presented only to the second one.
        german.wait("presented")
        ops.patch(toast, {"message": {"arguments": [1]}})
        ops.act(toast, "open")
        for language, reader in readers.items():
            said = WORDS[language or "en"]
            reader.wait("dismissed")
            enqueued, presented, updated = (reader.wait(kind) for kind in ("enqueued", "presented", "updated"))
            assert words(enqueued["toast"]) == words(presented["toast"]) == said[:3]
            assert (presented["announcement"], updated["announcement"]) == said[3:]
        if not is_composite:
            assert facts(english.events) == facts(plain.events)
            assert [without_words(e) for e in german.facts] == [without_words(e) for e in english.facts]


@pytest.mark.parametrize("kind", KINDS)
def test_snapshots_and_replays_are_in_the_language_of_the_client(ops, kind):
    before = ops.cursor()
    with listen(ops, "stream") as viewer:
        viewer.wait("snapshot")
        post(ops)
        viewer.wait("presented")
        with listen(ops, kind, language="de") as fresh:
            [shown] = fresh.wait("snapshot")["presented"]
            assert words(shown["toast"]) == WORDS["de"][:3]
            assert shown["announcement"] == WORDS["de"][3]
        with listen(ops, kind, language="de", since=before) as back:
            assert words(back.wait("enqueued")["toast"]) == WORDS["de"][:3]
            assert back.wait("presented")["announcement"] == WORDS["de"][3]
        with listen(ops, kind, language="de", since="00000000-1") as lost:
            snapshot = lost.wait("snapshot")
            assert (snapshot["reset"], words(snapshot["presented"][0]["toast"])) == (True, WORDS["de"][:3])
        with listen(ops, kind, is_composite=True, language="de", since=f"{before.split('-')[0]}-ops.0~other.0") as both:
            assert words(both.wait("enqueued")["toast"]) == WORDS["de"][:3]


def test_an_announcement_names_the_role_in_the_language_of_the_client(ops):
    with listen(ops, "stream", language="de") as german, listen(ops, "stream") as english:
        for reader in (german, english):
            reader.wait("snapshot")
        ops.publish("Disk full", role="error", duration=0.1)
        assert english.wait("presented")["announcement"] == "error, Disk full"
        shown = german.wait("presented")
        assert (shown["toast"]["message"], shown["announcement"]) == ("Disk full", "Fehler, Disk full")
        ops.configure(spokenPrefix=False)
        ops.publish("Disk fuller", role="warning")
        # Without the spoken prefix, the automatic title of the role is announced.
        assert german.wait("presented", message="Disk fuller")["announcement"] == "Warnung. Disk fuller"
        assert english.wait("presented", message="Disk fuller")["announcement"] == "Warning. Disk fuller"


def test_the_log_and_webhooks_stay_in_the_language_of_the_server(launch):
    receiver = Receiver()
    channel = Channel(launch("--webhook-allow", "127.0.0.0/8", store="memory").url, "hooked")
    channel.http.put("/v1/catalogs/de", json=CATALOGS["de"]).raise_for_status()
    channel.http.put("/v1/catalogs/en", json=CATALOGS["en"]).raise_for_status()
    channel.configure(webhooks=[{"url": receiver.url("/all"), "events": ["presented"]}])
    before = channel.cursor()
    with listen(channel, "stream", language="de") as german:
        german.wait("snapshot")
        post(channel)
        assert german.wait("presented")["announcement"] == WORDS["de"][3]
    data = receiver.wait()[0].event["data"]
    assert (words(data["toast"]), data["announcement"]) == (WORDS["en"][:3], WORDS["en"][3])
    [shown] = [event for event in channel.history(before) if event["type"] == "presented"]
    assert (words(shown["toast"]), shown["announcement"]) == (WORDS["en"][:3], WORDS["en"][3])
    channel.close()
    receiver.close()


def test_a_stream_uses_the_best_of_the_current_catalogs(ops):
    with (
        listen(ops, "stream", language="fr-CA,de;q=0.5") as french,
        listen(ops, "stream", language="fr") as only,
        listen(ops, "stream", language="de") as german,
    ):
        for reader in (french, only, german):
            reader.wait("snapshot")
        ops.configure(mode="stack")

        def spoken(message):
            toast = post(ops, {"role": "error", "title": None, "message": {"key": "saved", "arguments": [message]}})
            return [reader.wait("presented", id=toast["id"])["announcement"] for reader in (french, only, german)]

        assert spoken(2) == ["Fehler, 2 Dateien gesichert", "error, 2 files saved", "Fehler, 2 Dateien gesichert"]
        words = {"saved": "%d fichiers", "role.error.prefix": "erreur,"}
        ops.http.put("/v1/catalogs/fr", json=words).raise_for_status()
        assert spoken(3) == ["erreur, 3 fichiers", "erreur, 3 fichiers", "Fehler, 3 Dateien gesichert"]
        ops.http.delete("/v1/catalogs/fr").raise_for_status()
        assert spoken(4) == ["Fehler, 4 Dateien gesichert", "error, 4 files saved", "Fehler, 4 Dateien gesichert"]


def test_the_language_parameter_takes_precedence_over_accept_language(ops):
    headers = {"Accept-Language": "en"}
    with listen(ops, "stream", headers=headers, language="de") as german:
        german.wait("snapshot")
        post(ops)
        assert german.wait("presented")["announcement"] == WORDS["de"][3]
    with listen(ops, "stream", headers={"Accept-Language": "!!;;q=,de"}) as whatever:
        [shown] = whatever.wait("snapshot")["presented"]
        assert shown["announcement"] == WORDS["de"][3]


def test_the_replies_of_a_socket_are_in_its_language(ops):
    with listen(ops, "socket", language="de") as german, listen(ops, "socket") as english:
        acks = [reader.send(command="publish", toast=BACKUP) for reader in (german, english)]
        assert [words(ack["toast"]) for ack in acks] == [WORDS["de"][:3], WORDS["en"][:3]]


@pytest.mark.parametrize("kind", ["stream", "poll"])
@pytest.mark.parametrize(
    "value", ["", ",", "de,,en", "de;q=2", "de;q", "de;x=1", "d e", "<de>", "de_DE", ",".join(["de"] * 33)]
)
def test_an_invalid_list_of_languages_is_refused(ops, kind, value):
    answer = httpx.get(f"{ops.url}{ops.path}/{kind}", params={"language": value})
    assert (answer.status_code, answer.json()["type"]) == (400, "urn:toastd:problem:invalid-parameter")


@pytest.mark.parametrize(
    "value", ["*", "tlh", "english", "a" * 99, "de-x-Foo, *;q=0.1", "x-default", ",".join(["zz"] * 32)]
)
def test_a_language_without_a_catalog_is_no_error(ops, value):
    post(ops, {"message": {"key": "saved", "arguments": [3]}})
    answer = ops.poll(ops.cursor().split("-")[0] + "-0", wait=0, language=value)
    text = "3 Dateien gesichert" if value.startswith("de") else "3 files saved"
    assert answer["events"][0]["toast"]["message"]["text"] == text
