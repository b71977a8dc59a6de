"""`toastd check-config`: the configuration that a server would use, without a server."""

import json
import os
import re
import socket

import pytest

from commands import run
from toastd import PUBLIC, ROOT

SECRET = "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"


@pytest.fixture
def check(tmp_path):
    def check(*arguments, environment=None, file=None):
        options = ["--public", str(PUBLIC), "--store", f"sqlite:{tmp_path / 'new' / 'toastd.db'}"]
        if file is not None:
            (tmp_path / "toastd.json").write_text(file if isinstance(file, str) else json.dumps(file))
            options += ["--config", str(tmp_path / "toastd.json")]
        return run("check-config", *options, *arguments, environment=environment)

    return check


def settings(checked):
    """Each setting with its value and origin."""
    return {line[0]: tuple(line[1:]) for line in map(str.split, checked.stdout.splitlines())}


def test_each_setting_is_shown_with_its_origin(check, tmp_path):
    checked = check(
        *("--loops", "2"),
        environment={"TOASTD_LOOPS": "3", "TOASTD_MAX_QUEUE": "500"},
        file={"loops": 4, "maxQueue": 600, "historyHours": 7, "webhookRetrySeconds": 2.5},
    )
    assert (checked.returncode, checked.stderr) == (0, "")
    found = settings(checked)
    file = str(tmp_path / "toastd.json")
    assert found["loops"] == ("2", "--loops")
    assert found["maxQueue"] == ("500", "TOASTD_MAX_QUEUE")
    assert found["historyHours"] == ("7", file)
    assert found["webhookRetrySeconds"] == ("2.5", file)
    assert found["idleTimeout"] == ("60", "default")
    assert found["limitPublish"] == ("100/s:1000", "default")


def test_every_flag_of_the_server_is_a_setting(check):
    helped = run("help", "serve").stdout
    flags = set(re.findall(r"^  (--[a-z-]+) <", helped, re.MULTILINE)) - {"--config"}
    names = {re.sub(r"-(.)", lambda letter: letter[1].upper(), flag.removeprefix("--")) for flag in flags}
    assert set(settings(check())) == names
    assert len(names) > 60


def test_neither_the_port_nor_the_store_is_opened(check, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert check("--listen", f"127.0.0.1:{taken.getsockname()[1]}").returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_json_has_the_same(check):
    checked = check("--loops", "2", "--output", "json")
    report = json.loads(checked.stdout)
    assert (checked.returncode, report["errors"], report["warnings"]) == (0, [], [])
    assert {"name": "loops", "value": "2", "source": "--loops"} in report["settings"]
    wrong = check("--limit-read", "fast", "--output", "json")
    assert (wrong.returncode, len(json.loads(wrong.stdout)["errors"])) == (1, 1)


def test_all_faults_are_reported_at_once(check, tmp_path):
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles" / "No Style.css").write_text("")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "de.json").write_text('{"a": 1,}')
    (tmp_path / "file").write_text("")
    checked = check(
        *("--limit-publish", "fast", "--styles", str(tmp_path / "styles"), "--catalogs", str(tmp_path / "texts")),
        *("--access", str(tmp_path / "none.json"), "--store", f"sqlite:{tmp_path / 'file' / 'toastd.db'}"),
        *("--trusted-proxies", "nowhere", "--log-level", "loud"),
        environment={"TOASTD_LOOPS": "many", "TOASTD_ALLOW_ANONYMOUS": "everything"},
        file={"maxQueue": 0, "listen": "everywhere"},
    )
    assert checked.returncode == 1
    lines = checked.stderr.splitlines()
    found = {line.removeprefix("Error: ").split(":")[0]: line for line in lines}
    assert set(found) == {
        *("limitPublish", "loops", "maxQueue", "listen", "allowAnonymous", "trustedProxies", "logLevel"),
        *("styles", "catalogs", "access", "store"),
    }
    assert len(lines) == len(found)
    assert found["loops"].endswith("(TOASTD_LOOPS has many)")
    assert found["maxQueue"].endswith(f"({tmp_path / 'toastd.json'} has 0)")
    assert found["limitPublish"].endswith("(--limit-publish has fast)")
    assert f"{tmp_path / 'texts' / 'de.json'}" in found["catalogs"]
    assert "No Style.css" in found["styles"]


def test_the_settings_are_shown_also_if_some_are_wrong(check, tmp_path):
    checked = check("--loops", "2", "--access", str(tmp_path / "none.json"), environment={"TOASTD_MAX_QUEUE": "many"})
    assert checked.returncode == 1
    assert [line.split(":")[1] for line in checked.stderr.splitlines()] == [" maxQueue", " access"]
    found = settings(checked)
    assert found["loops"] == ("2", "--loops")
    assert found["maxQueue"] == ("many", "TOASTD_MAX_QUEUE")
    assert len(found) > 60


def test_a_number_of_a_flag_is_checked_like_any_other(check):
    checked = check("--loops", "many", "--max-streams", "x")
    assert checked.returncode == 1
    assert [line.split(":")[1] for line in checked.stderr.splitlines()] == [" loops", " maxStreams"]
    assert settings(checked)["loops"] == ("many", "--loops")
    ended = run("serve", "--loops", "many", "--public", str(PUBLIC))
    assert (ended.returncode, "expected a number from 1 to 256 (--loops has many)" in ended.stderr) == (1, True)


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--loops", "+2"),
        ("--webhook-retry-seconds", "+5"),
        ("--webhook-retry-seconds", "0x5"),
        ("--limit-publish", "+5/s"),
        ("--listen", "127.0.0.1:+80"),
    ],
)
def test_a_number_has_no_sign(check, flag, value):
    checked = check(flag, value)
    assert (checked.returncode, f"({flag} has {value})" in checked.stderr) == (1, True)


@pytest.mark.parametrize("variable", ["TOASTD_ACCESS", "TOASTD_CONFIG", "TOASTD_STYLES"])
def test_an_empty_path_is_a_fault(check, variable):
    checked = check(environment={variable: ""})
    name = variable.removeprefix("TOASTD_").lower()
    assert (checked.returncode, checked.stderr.startswith(f"Error: {name}: expected a path")) == (1, True)


def test_all_files_are_read_that_a_server_would_read(check, tmp_path):
    (tmp_path / "short").write_text("short")
    (tmp_path / "text.db").write_text("no database" * 100)
    missing = str(tmp_path / "none")
    mercure = check("--mercure-key-file", str(tmp_path / "short"))
    assert (mercure.returncode, "mercureKeyFile" in mercure.stderr) == (1, True)
    assert "there is no such file" in check("--mercure-key-file", missing).stderr
    names = ("natsCredentials", "natsAuthorities", "natsCertificate", "natsKey")
    flags = ("--nats-credentials", "--nats-authorities", "--nats-certificate", "--nats-key")
    (tmp_path / "key").write_text("0123456789abcdef" * 4)
    files = [word for flag in flags for word in (flag, missing)]
    nats = check("--store", "nats://127.0.0.1:1", "--cluster-key-file", str(tmp_path / "key"), *files)
    assert [line.split(":")[1].strip() for line in nats.stderr.splitlines()] == list(names)
    certificate = check("--nats-certificate", str(tmp_path / "key"))
    assert (certificate.returncode, "natsKey: expected the file with the key" in certificate.stderr) == (1, True)
    key = check("--nats-key", str(tmp_path / "key"))
    assert (key.returncode, "natsCertificate: expected the file with the cert" in key.stderr) == (1, True)
    database = check("--store", f"sqlite:{tmp_path / 'text.db'}")
    assert (database.returncode, "store: The database is damaged" in database.stderr) == (1, True)


def test_a_pipe_and_a_file_with_two_names_are_no_store(check, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "It is no file." in check("--store", f"sqlite:{tmp_path / 'pipe'}").stderr
    (tmp_path / "one.db").touch()
    (tmp_path / "two.db").hardlink_to(tmp_path / "one.db")
    (tmp_path / "link.db").symlink_to("one.db")
    for name in ("one.db", "link.db"):
        assert "has 2 names" in check("--store", f"sqlite:{tmp_path / name}").stderr


@pytest.mark.parametrize("store", ["sqlite://a/t.db", "sqlite:t.db?mode=ro", "sqlite:"])
def test_a_url_is_no_path_of_a_store(check, store):
    checked = check("--store", store)
    assert (checked.returncode, checked.stderr.startswith("Error: store: expected memory, sqlite:PATH")) == (1, True)


def test_a_store_that_a_server_uses_is_sound(check, launch, tmp_path):
    launch()
    checked = check("--store", f"sqlite:{tmp_path / 'toastd.db'}")
    assert (checked.returncode, checked.stderr) == (0, "")


def test_a_server_without_keys_listens_on_loopback_only(check):
    checked = check("--listen", "0.0.0.0:8080")
    assert (checked.returncode, "--allow-anonymous" in checked.stderr) == (1, True)
    assert check("--listen", "0.0.0.0:8080", "--allow-anonymous", "subscribe").returncode == 0


def test_a_probable_mistake_is_a_warning(check):
    checked = check("--trusted-proxies", "127.0.0.1", environment={"TOASTD_MAX_STREAMZ": "7", "TOASTD_TOKEN": SECRET})
    assert checked.returncode == 0
    assert [line.split(": ")[:2] for line in checked.stderr.splitlines()] == [
        ["Warning", "TOASTD_MAX_STREAMZ is no setting; is TOASTD_MAX_STREAMS meant?"],
        ["Warning", "trustedProxies"],
    ]


@pytest.mark.parametrize(
    ("file", "fault"),
    [
        ('{"loops": 1,\n  oh}', "toastd.json: line 2, column 3: "),
        ("[]", "toastd.json: expected an object"),
        ('{"lisen": "127.0.0.1:1"}', "toastd.json: lisen is no setting; is listen meant?"),
        ('{"maxQueue": [1]}', "toastd.json: maxQueue: expected a text or a number"),
        ('{"loops": 1, "loops": 2}', "toastd.json: line 1, "),
    ],
)
def test_a_fault_of_the_file_has_its_place(check, file, fault):
    checked = check(file=file)
    assert checked.returncode == 1
    assert fault in checked.stderr
    assert len(checked.stderr.splitlines()) == 1


def test_a_server_does_not_start_with_invalid_settings(tmp_path):
    file = tmp_path / "toastd.json"
    file.write_text('{"lisen": "127.0.0.1:1", "maxQueue": null, "loops": 0}')
    served = run(
        "serve", "--listen", "127.0.0.1:0", "--store", "memory", "--public", str(PUBLIC), "--config", str(file)
    )
    assert (served.returncode, served.stdout) == (1, "")
    for fault in ("loops: expected", "lisen is no setting; is listen meant?", "maxQueue: expected a text or a number"):
        assert fault in served.stderr


def test_an_address_that_is_taken_is_named(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        ended = run("serve", "--listen", address, "--store", "memory", "--public", str(PUBLIC))
    assert ended.returncode == 1
    assert address in ended.stderr and "--listen" in ended.stderr


def test_a_store_that_is_a_directory_is_left_alone(tmp_path):
    store = tmp_path / "store"
    store.mkdir()
    ended = run("serve", "--listen", "127.0.0.1:0", "--store", f"sqlite:{store}", "--public", str(PUBLIC))
    assert ended.returncode == 1
    assert "directory" in ended.stderr
    assert list(tmp_path.iterdir()) == [store]


def test_a_file_that_is_not_there(check, tmp_path):
    checked = check("--config", str(tmp_path / "none.json"))
    assert (checked.returncode, checked.stderr) == (1, f"Error: {tmp_path / 'none.json'}: there is no such file\n")


@pytest.mark.parametrize("is_sound", [True, False])
def test_no_secret_is_printed(check, tmp_path, is_sound):
    key = {"kid": "a", "algorithm": "HS256" if is_sound else "ES256", "secret": SECRET}
    (tmp_path / "access.json").write_text(json.dumps({"keys": [], "tokens": {"audience": "t", "keys": [key]}}))
    checked = check("--access", str(tmp_path / "access.json"), environment={"TOASTD_TOKEN": SECRET})
    assert checked.returncode == (0 if is_sound else 1)
    assert SECRET not in checked.stdout + checked.stderr
    assert is_sound or "access: " in checked.stderr


def test_the_unit_of_systemd_is_sound(tmp_path):
    """The configurations in deploy/ would start, except for the directories of that machine."""
    unit = (ROOT / "deploy" / "systemd" / "toastd.service").read_text()
    environment = dict(re.findall(r"^Environment=(TOASTD_\w+)=(.*)$", unit, re.MULTILINE))
    access = tmp_path / "access.json"
    access.write_text('{"keys": []}')
    here = {"TOASTD_STORE": f"sqlite:{tmp_path}/t.db", "TOASTD_PUBLIC": str(PUBLIC), "TOASTD_ACCESS": str(access)}
    assert set(here) < set(environment)
    checked = run("check-config", environment={**environment, **here})
    assert (checked.returncode, checked.stderr) == (0, "")
