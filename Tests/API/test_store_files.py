"""The files of a store: their permissions, and the loss of their names."""

import os
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from channel import Channel
from commands import run
from test_key_create import STRANGER
from test_store_faults import assert_refused, await_status, command
from toastd import BINARY, Toastd


@pytest.mark.parametrize("is_replaced", [False, True], ids=["removed", "replaced"])
@pytest.mark.parametrize("part", ["", "-wal"], ids=["database", "log"])
def test_a_publish_is_refused_when_a_file_is_gone(launch, tmp_path, part, is_replaced):
    server = launch()
    channel = Channel(server.url, "gone")
    channel.publish("kept")
    file = tmp_path / f"toastd.db{part}"
    file.rename(tmp_path / "away")
    if is_replaced:
        file.write_bytes((tmp_path / "away").read_bytes())
    # The first publish must fail already, and so must each further one.
    for _ in range(3):
        assert_refused(channel.post({"message": "lost"}))
    refusal = await_status(f"{server.url}/readyz", 503)
    assert "removed or replaced" in refusal.json()["detail"]
    assert [toast["message"] for toast in channel.toasts()] == ["kept"]
    # The server recovers when the file is put back.
    (tmp_path / "away").replace(file)
    await_status(f"{server.url}/readyz", 200)
    channel.publish("kept, too")
    server.kill()
    again = channel.on(launch().url)
    assert [toast["message"] for toast in again.toasts()] == ["kept", "kept, too"]
    log = "".join(server.log)
    assert log.count("nothing can be stored") == 1 and str(file) in log


def test_a_server_without_its_file_is_not_ready_even_if_idle(launch, tmp_path):
    server = launch()
    (tmp_path / "toastd.db").unlink()
    await_status(f"{server.url}/readyz", 503)


def test_no_second_server_opens_a_store_under_any_name(launch, tmp_path):
    server = launch()
    database = tmp_path / "toastd.db"
    names = [database, tmp_path / "symbolic.db", tmp_path / "other" / "hard.db"]
    names[1].symlink_to(database)
    names[2].parent.mkdir()
    os.link(database, names[2])
    (tmp_path / "toastd.db-lock").unlink()
    for name in names:
        second = Toastd(tmp_path, store=f"sqlite:{name}")
        with pytest.raises(AssertionError, match="Another toastd has this database open"):
            second.start()
    Channel(server.url, "own").publish()
    # Two names of one file would have one log each.
    server.stop()
    for name in names:
        second = Toastd(tmp_path, store=f"sqlite:{name}")
        with pytest.raises(AssertionError, match="has 2 names"):
            second.start()
    names[2].unlink()
    again = launch(store=f"sqlite:{names[1]}")
    assert len(Channel(again.url, "own").toasts()) == 1


def test_only_the_owner_reads_the_files(launch, tmp_path):
    server = launch()
    Channel(server.url, "secret").publish()
    backup = tmp_path / "backup.db"
    assert command("backup", backup, "--store", f"sqlite:{tmp_path}/toastd.db").returncode == 0
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [
        "backup.db",
        *(f"toastd.db{part}" for part in ("", "-lock", "-shm", "-wal")),
    ]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    # Files that an older version left readable are corrected.
    server.kill()
    for file in files:
        file.chmod(0o644)
    launch()
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600, 0o644}
    assert backup.stat().st_mode & 0o777 == 0o644


def test_files_that_root_creates_have_the_owner_of_their_directory(launch, tmp_path):
    """`store copy` as root must leave both the original and the copy to the user of the service."""
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, *STRANGER)
    with Toastd(home) as server:
        Channel(server.url, "own").publish()
    source, target = (f"sqlite:{home / name}" for name in ("toastd.db", "copy.db"))
    (home / "toastd.db-lock").unlink()
    os.chown(home / "toastd.db", *STRANGER)
    copied = run("store", "copy", source, target)
    assert copied.returncode == 0, copied.stderr
    assert {file.name for file in home.iterdir()} >= {"toastd.db", "toastd.db-lock", "copy.db"}
    assert {(file.stat().st_uid, file.stat().st_gid) for file in home.iterdir()} == {STRANGER}


# Simulates a file system without hard links, such as FAT. If TAKEN is set, another process creates the file meanwhile.
NO_LINKS = """
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
int link(const char *old, const char *new) {
    if (getenv("TAKEN")) open(new, O_CREAT | O_WRONLY, 0600);
    errno = EPERM;
    return -1;
}
"""


def test_copies_are_made_where_there_are_no_hard_links(launch, tmp_path):
    server = launch()
    Channel(server.url, "own").publish()
    library = tmp_path / "nolinks.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=NO_LINKS, text=True, check=True)
    store, preload = f"sqlite:{tmp_path / 'toastd.db'}", {"LD_PRELOAD": str(library)}
    backup, taken = tmp_path / "backup.db", tmp_path / "taken.db"
    made = run("store", "backup", str(backup), "--store", store, environment=preload)
    assert made.returncode == 0, made.stderr
    refused = run("store", "backup", str(taken), "--store", store, environment={**preload, "TAKEN": "1"})
    assert (refused.returncode, "cannot be written" in refused.stderr) == (1, True)
    assert taken.stat().st_size == 0
    server.stop()
    copy = tmp_path / "copy.db"
    made = run("store", "copy", store, f"sqlite:{copy}", environment=preload)
    assert made.returncode == 0, made.stderr
    for file in (backup, copy):
        assert len(Channel(launch(store=f"sqlite:{file}").url, "own").toasts()) == 1
    assert not list(tmp_path.glob("*.partial*"))


def end_in_the_middle(backup: Path, store: str, number: signal.Signals) -> int:
    """Ends a backup by a signal while it is being written, and returns its exit status."""
    draft = backup.with_name(f"{backup.name}.partial")
    for _ in range(50):
        process = subprocess.Popen([BINARY, "store", "backup", backup, "--force", "--store", store])
        while process.poll() is None and not draft.exists():
            threading.Event().wait(0.0005)
        process.send_signal(number)
        if (status := process.wait(60)) != 0:
            return status
    raise AssertionError("the backup is always finished before the signal")


def test_an_interrupted_backup_does_not_stop_the_next_one(launch, tmp_path):
    server = launch()
    channel = Channel(server.url, "large")
    channel.configure(capacity=10_000)
    for _ in range(20):
        assert channel.post([{"message": "x" * 400}] * 100).status_code == 201
    store = f"sqlite:{tmp_path}/toastd.db"
    directory = tmp_path / "backups"
    directory.mkdir()
    backup = directory / "backup.db"
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        assert end_in_the_middle(backup, store, number) == 128 + number
        assert {file.name for file in directory.iterdir()} <= {backup.name}
    assert end_in_the_middle(backup, store, signal.SIGKILL) == -signal.SIGKILL
    left = {file.name for file in directory.iterdir()} - {backup.name}
    assert "backup.db.partial" in left and all(name.startswith("backup.db.partial") for name in left)
    assert {file.stat().st_mode & 0o777 for file in directory.iterdir()} == {0o600}
    assert command("backup", backup, "--force", "--store", store).returncode == 0
    assert [file.name for file in directory.iterdir()] == [backup.name]
    assert "FILE.partial" in command("backup", "--help").stdout


def test_a_file_name_that_begins_like_a_uri_is_a_file_name(tmp_path):
    """SQLite would take the name as a URI and open another file, without lock, file mode and checks of names."""
    servers = [Toastd(tmp_path, store=f"sqlite:{name}") for name in ("file:u.db", "u.db", "file:u.db")]
    for server in servers:
        server.command = ["env", f"--chdir={tmp_path}", *server.command]
    with servers[0], servers[1]:
        Channel(servers[0].url, "own").publish()
        assert Channel(servers[1].url, "own").toasts() == []
        with pytest.raises(AssertionError, match="Another toastd has this database open"):
            servers[2].start()
        backup = ["store", "backup", "file:copy.db", "--store", "sqlite:file:u.db"]
        assert "1 channels" in subprocess.check_output([BINARY, *backup], cwd=tmp_path, text=True)
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    assert all((tmp_path / name).stat().st_size > 0 for name in ("file:copy.db", "file:u.db", "u.db"))


@pytest.mark.parametrize("target", ["sqlite:copy.db", "nats://127.0.0.1:4222", "-"])
def test_a_backup_goes_to_a_path(tmp_path, target):
    ended = run("store", "backup", target, "--store", f"sqlite:{tmp_path / 'toastd.db'}")
    assert (ended.returncode, ended.stderr) == (64, f"Error: {target}: expected the path of a file.\n")


def test_a_backup_needs_its_directory(tmp_path, launch):
    launch()
    ended = run("store", "backup", str(tmp_path / "none" / "copy.db"), "--store", f"sqlite:{tmp_path / 'toastd.db'}")
    assert (ended.returncode, f"There is no directory {tmp_path / 'none'}." in ended.stderr) == (1, True)
