"""`toastd key create`: the file that it writes, its owner and its mode."""

import json
import os
import secrets
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from commands import run
from toastd import BINARY

IS_ROOT = os.geteuid() == 0
# A user and a group that can own files: only root can change the owner of a file.
STRANGER = (12345, 12346) if IS_ROOT else (os.geteuid(), os.getegid())


def create(path, **options):
    return run("key", "create", "--access", str(path), "--name", "ci", "--scopes", "publish", **options)


def test_a_missing_directory_is_created(tmp_path):
    path = tmp_path / "new" / "deep" / "access.json"
    made = create(path)
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith("toastd_")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_directory_that_cannot_be_created_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    made = create(tmp_path / "file" / "access.json")
    assert made.returncode == 1
    assert made.stderr == (
        f"Error: {tmp_path}/file/access.json: its directory {tmp_path}/file is not there and cannot be made\n"
    )


def test_a_new_file_needs_a_setting_of_the_server(tmp_path):
    path = tmp_path / "access.json"
    assert f"toastd serve --access {path}" in create(path).stderr
    # A second key in the same file gets another note, because a server may have read the file already.
    assert create(path).stderr == "Note: a running server reads the change when it gets SIGHUP.\n"


def test_a_file_other_than_the_configured_one_causes_a_warning(tmp_path):
    path = tmp_path / "access.json"
    configured = {"TOASTD_ACCESS": str(path)}
    assert "TOASTD_ACCESS" not in create(path, environment=configured).stderr
    made = create(tmp_path / "other.json", environment=configured)
    assert made.returncode == 0
    assert f"TOASTD_ACCESS names {path}." in made.stderr


def test_keys_that_are_made_at_the_same_time_are_all_kept(tmp_path):
    path = tmp_path / "new" / "access.json"
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: create(path), range(8)))
    assert [it.returncode for it in made] == [0] * 8, [it.stderr for it in made]
    kept = {key["id"] for key in json.loads(path.read_text())["keys"]}
    assert kept == {it.stdout.split("_")[1] for it in made} and len(kept) == 8
    # `key revoke` needs an existing file, and creates no directory.
    missing = tmp_path / "missing" / "access.json"
    assert run("key", "revoke", "--access", str(missing), "x").returncode != 0
    assert not missing.parent.exists()


def test_a_file_that_root_creates_has_the_owner_of_its_directory(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, *STRANGER)
    path = home / "access.json"
    made = create(path)
    assert (path.stat().st_uid, path.stat().st_gid) == STRANGER
    assert "Warning" not in made.stderr


def test_a_changed_file_keeps_its_owner_and_mode(tmp_path):
    path = tmp_path / "access.json"
    os.chown(tmp_path, *STRANGER)
    key = create(path).stdout.split("_")[1]
    os.chown(path, os.geteuid(), STRANGER[1])
    path.chmod(0o640)
    assert run("key", "revoke", "--access", str(path), key).returncode == 0
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (os.geteuid(), STRANGER[1], 0o640)


def test_a_file_behind_a_link_is_replaced_with_its_mode(tmp_path):
    path, link = tmp_path / "real.json", tmp_path / "link.json"
    assert create(path).returncode == 0
    link.symlink_to(path.name)
    assert create(link).returncode == 0
    assert link.is_symlink()
    assert path.read_text().count('"id"') == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_the_owner_of_its_directory_cannot_read_causes_a_warning():
    """Every user may write to /tmp, which belongs to root."""
    path = Path("/tmp") / f"toastd-{secrets.token_hex(8)}.json"
    # Executed by descriptor, because the other user may not be able to read the program's directory.
    program = os.open(BINARY, os.O_PATH)
    try:
        options = {"user": 65534, "executable": f"/proc/self/fd/{program}", "pass_fds": [program]} if IS_ROOT else {}
        made = create(path, **options)
        assert made.returncode == 0, made.stderr
        assert "its directory belongs to root" in made.stderr
        assert f"chown root {path}" in made.stderr
    finally:
        os.close(program)
        path.unlink(missing_ok=True)
