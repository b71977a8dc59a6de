"""Simulated power failures: a server on a disk that loses unsynchronized data, and possible remains of its files."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

from toastd import ROOT, Toastd

SOURCE = ROOT / "Tests/PowerCut/disk.c"
# The unit that a disk writes as a whole or not at all.
SECTOR = 512
FILES = ("toastd.db", "toastd.db-wal")


def build_disk(directory: Path) -> Path:
    """Builds Tests/PowerCut/disk.c with the compiler that comes with Swift."""
    compiler = Path(shutil.which("swift")).resolve().parent / "clang"
    library = directory / "disk.so"
    flags = ["-std=c17", "-Wall", "-Wextra", "-Werror", "-O2", "-fPIC", "-shared", "-fuse-ld=lld"]
    subprocess.run([compiler, *flags, SOURCE, "-o", library, "-ldl", "-lpthread"], check=True, timeout=60)
    return library


class Machine:
    """A server with a separate simulated disk and boot."""

    def __init__(self, library: Path, directory: Path, *options: str) -> None:
        self.directory = directory
        self.platter = directory / "platter"
        self.platter.mkdir(parents=True)
        boot = directory / "boot_id"
        boot.write_text(f"{random.randbytes(16).hex()}\n")
        self.environment = {
            "LD_PRELOAD": str(library),
            "DISK_FILE": str(directory / FILES[0]),
            "DISK_PLATTER": str(self.platter),
            "BOOT_ID": str(boot),
        }
        self.server = Toastd(directory, *options, "--loops", "1")

    def __enter__(self) -> Toastd:
        """Starts the server, the only process for which the disk and the boot are simulated."""
        saved = dict(os.environ)
        os.environ.update(self.environment)
        try:
            return self.server.start()
        finally:
            os.environ.clear()
            os.environ.update(saved)

    def __exit__(self, kind: type | None, *_: object) -> None:
        """Stops the server, unless its power was cut."""
        if self.server.process.poll() is None:
            self.server.__exit__(kind)

    def restore(self, directory: Path, chance: random.Random) -> None:
        """Writes one of the possible states of the files after a power failure to a directory."""
        directory.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            cache, platter = (
                path.read_bytes() if path.exists() else b"" for path in (self.directory / name, self.platter / name)
            )
            if cache or platter:
                (directory / name).write_bytes(remains(cache, platter, chance))


def remains(cache: bytes, platter: bytes, chance: random.Random) -> bytes:
    """A random state of a file after a power failure: the synchronized data, and any part of later writes."""
    kind = chance.choice(["nothing", "beginning", "garbage", "zeros", "anything", "everything"])
    if kind == "nothing":
        return platter
    if kind == "everything":
        return cache
    left = bytearray(platter.ljust(len(cache), b"\0"))
    old = bytes(left)
    changed = [at for at in range(0, len(cache), SECTOR) if cache[at : at + SECTOR] != old[at : at + SECTOR]]
    place = chance.randrange(len(changed) + 1)
    for number, at in enumerate(changed):
        sector = cache[at : at + SECTOR]
        if number < place if kind != "anything" else chance.random() < 0.5:
            left[at : at + SECTOR] = sector
        elif kind in ("garbage", "zeros"):
            # Only written bytes are damaged. SQLite relies on the other bytes of a sector to keep their values
            # (https://sqlite.org/psow.html): a frame of its log ends in the sector in which the next one begins.
            written = [index for index, byte in enumerate(sector) if byte != old[at + index]]
            start, end = at + written[0], at + written[-1] + 1
            left[start:end] = chance.randbytes(end - start) if kind == "garbage" else bytes(end - start)
    # The size of a file may be unsynchronized, too.
    shortest = min(len(platter), len(cache))
    return bytes(left[: chance.randint(shortest, len(left))] if chance.random() < 0.5 else left)
