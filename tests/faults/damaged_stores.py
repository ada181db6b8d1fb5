"""Damaged and crafted stores: a test ends as it would without a store, and about as soon."""

from __future__ import annotations

import base64
import os
import random
import shutil
import tempfile
import time
import warnings
import zlib
from pathlib import Path

from everycase import check, gen
from everycase.run.store import open_store


def fails(xs):
    assert sum(xs) < 1000


def passes(xs):
    pass


LISTS = gen.lists(gen.integers(0, 1000), max_size=20)
BOMB = "ec1-" + base64.urlsafe_b64encode(zlib.compress(b"[" + b"0," * 5_000_000 + b"0]", 9)).decode()
DEEP = "ec1-" + base64.urlsafe_b64encode(zlib.compress(b"[" * 10**5, 9)).decode()
WIDE = "ec1-" + base64.urlsafe_b64encode(zlib.compress(b"[" + b"[]," * 150_000 + b"[]]", 9)).decode()


def damage(place: Path, chance: random.Random) -> str:
    """Damage a store, wherever it keeps its files, and say how."""
    files = [file for file in ([place] if place.is_file() else sorted(place.rglob("*"))) if file.is_file()]
    file = chance.choice(files)
    what = chance.choice(
        [
            "bytes",
            "cut",
            "zeros",
            "text",
            "bomb",
            "deep",
            "wide",
            "huge",
            "pipe",
            "link",
            "directory",
            "null",
            "many",
        ]
    )
    content = bytearray(file.read_bytes())
    match what:
        case "bytes":
            for _ in range(chance.randint(1, 200)):
                content[chance.randrange(len(content))] = chance.randrange(256)
            file.write_bytes(content)
        case "cut":
            file.write_bytes(content[: chance.randrange(len(content))])
        case "zeros":
            file.write_bytes(bytes(len(content)))
        case "text":
            file.write_bytes(bytes(chance.randrange(256) for _ in range(1000)))
        case "bomb" | "deep" | "wide":
            store = open_store(place)
            blob = {"bomb": BOMB, "deep": DEEP, "wide": WIDE}[what]
            for function in (fails, passes):
                for i in range(12):
                    store.save(f"{function.__module__}.{function.__qualname__}", " " * i + blob)
        case "huge":
            os.truncate(file, 900_000_000)
        case "pipe":
            file.unlink()
            os.mkfifo(file)
        case "link":
            file.unlink()
            file.symlink_to("/dev/zero")
        case "directory":
            file.unlink()
            file.mkdir()
        case "null":
            file.write_text('{"everycase": 1, "key": null, "example": null}')
        case _:
            folder = file.parent
            for i in range(2000):
                (folder / f"{i:032x}").write_text("{")
    return what


def trial(count: int, seed: int) -> list[str]:
    """The failures in a number of damaged stores."""
    chance = random.Random(seed)
    bad = []
    expected = {function: check(function, LISTS, database=None, seed=0) for function in (fails, passes)}
    for number in range(count):
        folder = Path(tempfile.mkdtemp())
        place = folder / "store"
        what = "?"
        try:
            for i in range(3):
                check(fails, LISTS, database=place, seed=i)
            what = damage(place, chance)
            for function, plain in expected.items():
                started, work = time.monotonic(), time.process_time()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    report = check(function, LISTS, database=place, seed=0)
                taken = time.process_time() - work - plain.seconds
                waited = time.monotonic() - started
                if report.status != plain.status:
                    bad.append(f"{number} {what}: {function.__name__} {report.status}")
                if taken > 1 or waited > 20:  # (on a busy machine other programs make it wait, too)
                    bad.append(f"{number} {what}: {function.__name__} took {taken:.1f} s more")
        except Exception as problem:
            bad.append(f"{number} {what}: {type(problem).__name__}: {str(problem)[:100]}")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return bad
