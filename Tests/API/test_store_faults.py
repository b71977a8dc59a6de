"""A store that fails: nothing is accepted, every client gets an error, and it recovers. Also the store's commands."""

import os
import resource
import sqlite3
import subprocess
import threading
import time
from pathlib import Path

import httpx
import pytest

from channel import Channel, channels_by_page
from receiver import Receiver
from streams import EventStream
from toastd import BINARY, Toastd
from waiting import wait_for_log

UNAVAILABLE = "urn:toastd:problem:store-unavailable"


def limit_files(server: Toastd, size: int | None) -> None:
    """Limits the size of the server's files, in bytes, to simulate a full disk; None removes the limit."""
    pid = server.process.pid
    hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard if size is None else size, hard))


def await_status(url: str, status: int) -> httpx.Response:
    """Repeats a request until the response has a status."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        response = httpx.get(url)
        if response.status_code == status:
            return response
        threading.Event().wait(0.05)
    raise AssertionError(f"{url} never answered {status}: {response.text}")


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


def command(*arguments: object) -> subprocess.CompletedProcess:
    return subprocess.run(
        [BINARY, "store", *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False
    )


def assert_refused(response: httpx.Response) -> None:
    assert response.status_code == 503, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["type"] == UNAVAILABLE
    assert int(response.headers["retry-after"]) >= 1


def test_a_full_disk_refuses_everything_and_recovers_without_a_publisher(launch, tmp_path):
    server = launch()
    channel = Channel(server.url, "full")
    channel.configure(duration="indefinite")
    settings = channel.http.get(f"{channel.path}/settings").json()
    with EventStream(f"{server.url}{channel.path}/stream") as viewer:
        viewer.wait("snapshot")
        shown = channel.publish("shown", actions=[{"id": "ok", "title": "OK"}])
        viewer.wait("presented", id=shown["id"])
        before = channel.cursor()

        limit_files(server, (tmp_path / "toastd.db-wal").stat().st_size)
        # Each kind of write gets an error.
        assert_refused(channel.post({"message": "lost"}))
        assert_refused(channel.post([{"message": "lost"}, {"message": "lost too"}]))
        assert_refused(channel.post({"message": "lost"}, headers={"Idempotency-Key": "k"}))
        assert_refused(channel.patch(shown, {"message": "lost"}))
        assert_refused(channel.dismiss(shown, "swipe"))
        assert_refused(channel.act(shown, "ok"))
        assert_refused(channel.hold(shown))
        assert_refused(channel.delete(shown))
        assert_refused(channel.http.delete(f"{channel.path}/toasts"))
        assert_refused(channel.http.put(f"{channel.path}/settings", json={"mode": "stack"}))
        assert_refused(channel.http.put("/v1/catalogs/de", json={"lost": "weg"}))
        many = channel.http.post("/v1/toasts", json={"channels": ["full", "new"], "toast": {"message": "lost"}})
        assert [result["status"] for result in many.json()["results"]] == [503, 503]

        refusal = await_status(f"{server.url}/readyz", 503)
        assert_refused(refusal)
        assert "\ntoastd_ready 0\n" in httpx.get(f"{server.url}/metrics").text
        assert "disk" in refusal.json()["detail"]
        assert httpx.get(f"{server.url}/livez").status_code == 200
        # Stored data can be read meanwhile.
        assert [toast["message"] for toast in channel.toasts()] == ["shown"]
        assert channel.cursor() == before

        limit_files(server, None)
        assert await_status(f"{server.url}/readyz", 200).json() == {"status": "ok"}
        kept = channel.publish("kept")
        viewer.wait("enqueued", id=kept["id"])
        seen = [event for event in viewer.events if event["type"] == "enqueued"]
        assert [event["toast"]["message"] for event in seen] == ["shown", "kept"]
        assert not any(event["type"] in ("dismissed", "updated", "held") for event in viewer.events)
    # The failed requests have stored nothing: the key can be used, the settings and texts are the old ones.
    assert channel.post({"message": "lost"}, headers={"Idempotency-Key": "k"}).status_code == 201
    assert channel.http.get(f"{channel.path}/settings").json() == settings
    server.stop()
    log = "".join(server.log)
    assert log.count("nothing can be stored") == 1 and log.count("the store can write again") == 1
    assert command("check", "--store", f"sqlite:{tmp_path}/toastd.db").returncode == 0


def test_timers_continue_after_a_failure_without_a_request(launch, receiver):
    server = launch("--webhook-allow", "127.0.0.0/8")
    channel = Channel(server.url, "unattended")
    channel.configure(whenUnattended="present", webhooks=[{"url": receiver.url()}])
    toast = channel.publish(duration=3)
    limit_files(server, 1)
    assert_refused(channel.post({"message": "lost"}))
    limit_files(server, None)
    await_status(f"{server.url}/readyz", 200)
    # From here on no request names the channel.
    (delivery,) = receiver.wait(1)
    assert (delivery.event["subject"], delivery.event["data"]["dismissReason"]) == (toast["id"], "timeout")
    channel.close()


def test_a_disk_that_fills_up_during_traffic_loses_nothing(launch, tmp_path):
    server = launch()
    accepted: list[str] = []
    refused, progress = threading.Semaphore(0), threading.Semaphore(0)
    stop = threading.Event()

    def publish(number: int) -> None:
        with httpx.Client(base_url=server.url, timeout=20) as client:
            count = 0
            while not stop.is_set():
                count += 1
                response = client.post(f"/v1/channels/c{number}/toasts", json={"message": f"{number}-{count}"})
                if response.status_code == 201:
                    accepted.append(response.json()["id"])
                    progress.release()
                else:
                    assert_refused(response)
                    refused.release()

    for number in range(6):
        Channel(server.url, f"c{number}").configure(capacity=10_000)
    publishers = [threading.Thread(target=publish, args=(number,)) for number in range(6)]
    for publisher in publishers:
        publisher.start()
    for _ in range(3):
        for _ in range(50):
            assert progress.acquire(timeout=30)
        limit_files(server, 8192)
        for _ in range(20):
            assert refused.acquire(timeout=30)
        limit_files(server, None)
        # The server recovers although the publishers retry without a pause.
        await_status(f"{server.url}/readyz", 200)
    stop.set()
    for publisher in publishers:
        publisher.join()
    server.kill()
    server = launch()
    stored = {toast["id"] for number in range(6) for toast in Channel(server.url, f"c{number}").toasts()}
    assert set(accepted) == stored


def overwrite(path: Path, start: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(data)


@pytest.fixture
def database(launch, tmp_path) -> Path:
    """A database with a few hundred toasts, of a stopped server."""
    server = launch()
    for number in range(4):
        channel = Channel(server.url, f"c{number}")
        for size in (40, 20, 40):
            assert channel.post([{"message": "x" * 400}] * size).status_code == 201
    server.stop()
    return tmp_path / "toastd.db"


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda path: overwrite(path, 0, b"\xee" * 64), "not a database"),
        (lambda path: path.write_bytes(path.read_bytes()[:20_000]), "damaged"),
        (lambda path: overwrite(path, path.stat().st_size // 8192 * 4096, b"\xee" * 2000), "damaged"),
        (lambda path: path.write_text("not a database at all\n" * 100), "not a database"),
        (lambda path: execute(path, "INSERT INTO grdb_migrations VALUES ('99: the future')"), "newer toastd"),
        (lambda path: execute(path, "PRAGMA application_id = 7"), "another program"),
    ],
    ids=["header", "cut", "page", "text", "newer", "foreign"],
)
def test_a_damaged_database_is_refused_with_a_remedy(database, tmp_path, damage, reason):
    damage(database)
    before = database.read_bytes()
    server = Toastd(tmp_path)
    with pytest.raises(AssertionError, match="toastd does not serve"):
        server.start()
    log = "".join(server.log)
    assert server.process.returncode == 1
    assert reason in log
    assert f"toastd store check --store sqlite:{database}" in log and "toastd store backup" in log
    assert database.read_bytes() == before
    check = command("check", "--store", f"sqlite:{database}")
    if reason in ("newer toastd", "another program"):
        assert check.returncode == 2 and reason in check.stderr, check
    else:
        assert check.returncode == 1 and "has faults" in check.stdout, check
    backup = command("backup", tmp_path / "copy.db", "--store", f"sqlite:{database}")
    assert backup.returncode == 1 and not (tmp_path / "copy.db").exists(), backup


def execute(path: Path, sql: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(sql)
    connection.commit()
    connection.close()


def test_damage_that_is_found_while_running_affects_only_its_channel(launch, database):
    execute(database, "DELETE FROM events WHERE channel_id = 2 AND offset = 60")
    server = launch()
    sick, well = Channel(server.url, "c1"), Channel(server.url, "c0")
    assert_refused(sick.http.get(f"{sick.path}/toasts"))
    assert_refused(sick.post({"message": "lost"}))
    assert len(well.toasts()) == 100
    assert well.publish()["state"] == "queued"
    names = [f"c{number}" for number in range(4) if number != 1]
    assert channels_by_page(server.url, 100) == [names]
    # A page that only the damaged channel would fill is empty, and the next one follows.
    assert channels_by_page(server.url, 1) == [["c0"], [], ["c2"], ["c3"]]
    assert httpx.get(f"{server.url}/readyz").status_code == 200
    wait_for_log(server, "does not follow")


def test_check_and_backup_beside_a_server_that_is_killed_in_the_middle_of_it(launch, tmp_path):
    server = launch()
    acknowledged: list[tuple[str, str]] = []
    progress = threading.Semaphore(0)

    def publish(number: int) -> None:
        with httpx.Client(base_url=server.url, timeout=20) as client:
            for count in range(900):
                try:
                    response = client.post(f"/v1/channels/c{number}/toasts", json={"message": f"{count}"})
                except httpx.HTTPError:
                    return
                assert response.status_code == 201, response.text
                acknowledged.append((f"c{number}", response.json()["id"]))
                progress.release()

    publishers = [threading.Thread(target=publish, args=(number,)) for number in range(4)]
    for publisher in publishers:
        publisher.start()
    store = f"sqlite:{tmp_path}/toastd.db"
    copies = []
    for number in range(3):
        for _ in range(30):
            assert progress.acquire(timeout=20)
        known = list(acknowledged)
        check = command("check", "--store", store)
        assert check.returncode == 0 and "is sound" in check.stdout, check
        backup = command("backup", tmp_path / f"{number}.db", "--store", store)
        assert backup.returncode == 0, backup
        copies.append((tmp_path / f"{number}.db", known))
    server.kill()
    for publisher in publishers:
        publisher.join()
    check = command("check", "--store", store)
    assert check.returncode == 0, check

    # Everything that was acknowledged before a backup began is in it.
    for path, known in copies:
        restored = launch(store=f"sqlite:{path}")
        stored = {name: {t["id"] for t in Channel(restored.url, name).toasts()} for name in dict(known)}
        assert all(toast in stored[name] for name, toast in known)
        restored.stop()


def test_clients_ahead_of_a_restored_backup_get_a_reset(launch, tmp_path):
    server = launch()
    channel = Channel(server.url, "restore")
    for _ in range(5):
        channel.publish("kept")
    early = channel.cursor()
    changed = channel.publish("kept")
    backup = tmp_path / "backup.db"
    assert command("backup", backup, "--store", f"sqlite:{tmp_path}/toastd.db").returncode == 0
    tag = channel.patch(changed, {"message": "lost"}).headers["etag"]
    late = channel.cursor()
    server.stop()

    # The same backup is restored twice, and gets a new epoch each time.
    for message in ("first", "second"):
        for suffix in ("", "-wal", "-shm"):
            (tmp_path / f"toastd.db{suffix}").unlink(missing_ok=True)
        (tmp_path / "toastd.db").write_bytes(backup.read_bytes())
        server = launch()
        channel = channel.on(server.url)
        # More events than were lost: in the old epoch the cursor would now point at other events.
        for _ in range(3):
            channel.publish(message)
        assert channel.patch(changed, {"message": message}).headers["etag"] != tag
        assert channel.patch(changed, {"message": "by mistake"}, If_Match=tag).status_code == 412
        first = channel.poll(late, wait=0)["events"][0]
        assert first["type"] == "snapshot" and first["reset"] is True
        # The backup has all events of this client, so it continues from there.
        heard = channel.poll(early, wait=0)["events"]
        assert [event["type"] for event in heard][:5] == [*["enqueued"] * 4, "updated"]
        assert [toast["message"] for toast in channel.toasts()] == ["kept"] * 5 + [message] * 4
        late = channel.cursor()
        channel.close()
        server.stop()


def test_a_backup_replaces_nothing_unless_told_to(launch, tmp_path):
    launch()
    file = tmp_path / "backup.db"
    file.write_text("precious")
    store = f"sqlite:{tmp_path}/toastd.db"
    refused = command("backup", file, "--store", store)
    assert refused.returncode == 1 and "--force" in refused.stderr
    assert file.read_text() == "precious"
    assert command("backup", file, "--force", "--store", store).returncode == 0
    assert command("check", "--store", f"sqlite:{file}").returncode == 0


def test_a_store_that_cannot_be_read_is_neither_sound_nor_faulty(tmp_path):
    for store in (f"sqlite:{tmp_path}/nothing.db", "memory", "nonsense"):
        check = command("check", "--store", store)
        assert check.returncode == 2 and check.stderr.startswith("Error: "), check
        backup = command("backup", tmp_path / "backup.db", "--store", store)
        assert backup.returncode != 0
    assert list(tmp_path.iterdir()) == []
    # SQLite would wait until another process writes into the pipe.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert command("check", "--store", f"sqlite:{pipe}").returncode == 2
    assert command("backup", tmp_path / "backup.db", "--store", f"sqlite:{pipe}").returncode == 1
    assert list(tmp_path.iterdir()) == [pipe]
