"""The example store: what it keeps, and that no damage to its file stops a test."""

from __future__ import annotations

import doctest
import errno
import hashlib
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from everycase.errors import EverycaseWarning, InvalidArgument
from everycase.run import directory_store
from everycase.run import store as store_module
from everycase.run.directory_store import DirectoryStore
from everycase.run.store import MemoryStore, NoStore, Store, open_store, project_root


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".everycase" / "examples"


def files_below(directory: Path) -> list[str]:
    return sorted(str(p.relative_to(directory)) for p in directory.rglob("*") if p.is_file())


def run_python(code: str, *args: object, **options: object) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, args)],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        **options,  # type: ignore[call-overload]
    )


def test_doctests() -> None:
    assert doctest.testmod(store_module).failed == 0


# --- what every store does --------------------------------------------------------------------------------


@pytest.fixture(params=["memory", "directory"])
def store(request: pytest.FixtureRequest, path: Path) -> Store:
    return MemoryStore() if request.param == "memory" else DirectoryStore(path)


def test_fetch_gives_the_shortest_first_and_then_the_latest(store: Store) -> None:
    for blob in ["ccc", "a", "bb", "b", "c", "aaaa"]:
        store.save("key", blob)
    assert store.fetch("key") == ["c", "b", "a", "bb", "ccc", "aaaa"]
    store.save("key", "a")
    assert store.fetch("key") == ["a", "c", "b", "bb", "ccc", "aaaa"]


def test_keys_do_not_see_each_other(store: Store) -> None:
    store.save("one", "x")
    store.save("two", "y")
    store.delete("one", "y")
    assert (store.fetch("one"), store.fetch("two"), store.fetch("three")) == (["x"], ["y"], [])
    store.delete("one", "x")
    assert (store.fetch("one"), store.fetch("two")) == ([], ["y"])


@pytest.mark.parametrize("text", ["", "naïve\x00\n'\";--", "\ud800", "\U0001f600" * 3, "%_"])
def test_any_text_is_a_key_and_a_blob(store: Store, text: str) -> None:
    store.save(text, text)
    assert store.fetch(text) == [text]
    store.delete(text, text)
    assert store.fetch(text) == []


@pytest.mark.parametrize("seed", range(10))
def test_a_directory_does_as_a_dictionary_does_within_its_limits(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    per_key = chance.randint(1, 4)
    expected: dict[str, list[str]] = {}  # the latest saved first
    store = DirectoryStore(path, per_key=per_key)
    for _ in range(60):
        key = chance.choice(["k", "l", "mm"])
        blob = chance.choice("abcdef") * chance.randint(1, 4)
        kept = expected.setdefault(key, [])
        match chance.choice(["save", "save", "save", "fetch", "fetch", "delete"]):
            case "fetch":
                assert store.fetch(key) == sorted(kept, key=len)
            case "save":
                store.save(key, blob)
                expected[key] = [blob, *(other for other in kept if other != blob)][:per_key]
            case _:
                store.delete(key, blob)
                expected[key] = [other for other in kept if other != blob]


def test_what_is_over_the_capacity_goes_the_oldest_key_first(path: Path) -> None:
    store = DirectoryStore(path, capacity=5000)
    for i in range(100):
        store.save(f"key {i}", "x" * 200)
        if i % 10 == 0:
            assert store.fetch("key 0")  # recently used entries stay
    kept = [i for i in range(100) if store.fetch(f"key {i}")]
    assert 0 in kept and 99 in kept and len(kept) < 30
    assert kept[1:] == list(range(kept[1], 100))


def test_the_default_limits_keep_fifty_examples_of_a_property(store: Store) -> None:
    for i in range(60):
        store.save("key", f"{i:02}")
    assert store.fetch("key") == [f"{i:02}" for i in reversed(range(10, 60))]


# --- the file ---------------------------------------------------------------------------------------------


def test_another_store_on_the_same_file_sees_what_was_saved(path: Path) -> None:
    DirectoryStore(path).save("key", "blob")
    assert DirectoryStore(path).fetch("key") == ["blob"]
    assert len(files_below(path.parent)) == 2  # no other files are left
    assert (path.parent / ".gitignore").read_text() == "*\n"


def test_nothing_is_made_or_imported_before_the_first_save(tmp_path: Path) -> None:
    code = """
import os, sys
from everycase.run.store import open_store
store = open_store(os.path.join(sys.argv[1], ".everycase", "examples"))
store.fetch("key"); store.delete("key", "blob"); store.close()
assert "sqlite3" not in sys.modules
assert os.listdir(sys.argv[1]) == []
store.save("key", "blob")
assert os.listdir(sys.argv[1]) == [".everycase"]
"""
    assert run_python(code, tmp_path).wait() == 0


def test_a_gitignore_that_was_taken_away_stays_away(path: Path, tmp_path: Path) -> None:
    DirectoryStore(path).save("key", "blob")
    (path.parent / ".gitignore").unlink()
    DirectoryStore(path).save("key", "other")
    assert ".gitignore" not in files_below(path.parent)
    DirectoryStore(tmp_path / "kept" / "examples").save("key", "blob")
    assert ".gitignore" not in files_below(
        tmp_path / "kept"
    )  # the user's own directory is not hidden from git


def test_the_file_may_vanish_between_two_operations(path: Path) -> None:
    store = DirectoryStore(path)
    store.save("key", "blob")
    shutil.rmtree(path)
    assert store.fetch("key") == []
    store.save("key", "again")
    assert DirectoryStore(path).fetch("key") == ["again"]


def test_threads_share_a_store(path: Path) -> None:
    shared = DirectoryStore(path)
    stores = [shared, shared, shared, DirectoryStore(path)]
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for i in range(8):
                stores[number].save(f"key {number}", f"{i}")
                stores[number].save("common", f"{number} {i}")
                stores[number].fetch("common")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(DirectoryStore(path).fetch("common")) == [f"{n} {i}" for n in range(4) for i in range(8)]
    assert all(len(shared.fetch(f"key {n}")) == 8 for n in range(4))


def test_processes_share_a_file_that_they_make_at_the_same_time(path: Path) -> None:
    code = """
import sys, warnings
warnings.simplefilter("error")
from everycase.run.directory_store import DirectoryStore
store = DirectoryStore(sys.argv[1])
sys.stdin.readline()
for i in range(12):
    store.save("common", f"{sys.argv[2]} {i:02}")
    assert store.fetch("common")
"""
    workers = [run_python(code, path, n, stderr=subprocess.PIPE) for n in range(4)]
    outputs = []
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    for worker in workers:
        outputs.append(worker.communicate()[1])
    assert outputs == [""] * 4
    assert sorted(DirectoryStore(path).fetch("common")) == [
        f"{n} {i:02}" for n in range(4) for i in range(12)
    ]


def whole(blob: str) -> bool:
    digest, _, rest = blob.partition(":")
    return digest == hashlib.sha256(rest.encode()).hexdigest()


@pytest.mark.slow
def test_kill_9_while_saving_leaves_only_whole_examples_and_all_that_were_saved(path: Path) -> None:
    code = """
import hashlib, sys
from everycase.run.directory_store import DirectoryStore
store = DirectoryStore(sys.argv[1], per_key=10**6)
for i in range(10**9):
    rest = f"{sys.argv[2]}-{i}:" + "x" * (i % 7 * 3000)
    blob = hashlib.sha256(rest.encode()).hexdigest() + ":" + rest
    store.save("key", blob)
    print(blob, flush=True)
    if i % 3 == 2:
        store.delete("key", blob)
"""
    chance = random.Random(0)
    for life in range(12):
        worker = run_python(code, path, life)
        assert worker.stdout is not None
        for _ in range(chance.randint(0, 8)):
            worker.stdout.readline()
        time.sleep(chance.random() * 0.01)
        worker.send_signal(signal.SIGKILL)
        said = worker.stdout.read().split("\n")
        worker.wait()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = DirectoryStore(path).fetch("key")
        assert all(whole(blob) for blob in found)
        for blob in said[:-1]:
            number = int(blob.split(":")[1].split("-")[1])
            # Every example that was reported as saved is there, unless it was about to be deleted.
            assert blob in found or number % 3 == 2


# --- a file that cannot be used ---------------------------------------------------------------------------


def assert_goes_on_in_memory(store: Store, expected: str, already: list[str] | None = None) -> None:
    """One warning names the file, the problem and the remedy; after that everything works within the process."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        store.save("key", "new blob")
        assert store.fetch("key") == [*(already or []), "new blob"]
        store.save("other", "x")
        store.delete("other", "x")
        assert store.fetch("other") == []
        for blob in already or []:
            store.delete("key", blob)
        assert store.fetch("key") == ["new blob"]
        store.delete("key", "new blob")
        assert store.fetch("key") == []
    assert [each.category for each in caught] == [EverycaseWarning]
    message = str(caught[0].message)
    assert str(store.path) in message  # type: ignore[attr-defined]
    assert expected in message


def example_files(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*") if file.is_file())


DAMAGE: dict[str, Callable[[Path], object]] = {
    "empty": lambda file: file.write_bytes(b""),
    "half": lambda file: file.write_bytes(file.read_bytes()[:20]),
    "no text": lambda file: file.write_bytes(b"\xff\xfe" * 100),
    "other JSON": lambda file: file.write_text("[1, 2]"),
    "null": lambda file: file.write_text('{"everycase": 1, "key": "key", "example": null}'),
    "other key": lambda file: file.write_text('{"everycase": 1, "key": "k", "example": "old"}'),
    "newer": lambda file: file.write_text('{"everycase": 2, "key": "key", "example": "old"}'),
    "deep": lambda file: file.write_text("[" * 10**5),
    "huge": lambda file: os.truncate(file, 10**9),  # takes no space, and would take long to read
    "pipe": lambda file: (file.unlink(), os.mkfifo(file)),
    "link": lambda file: (file.unlink(), file.symlink_to("/dev/zero")),
    "directory": lambda file: (file.unlink(), file.mkdir()),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_example_is_passed_over(path: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("everycase.run.directory_store.PATIENCE", math.inf)  # the machine may be slow
    if damage in ("pipe", "link") and not hasattr(os, "mkfifo"):
        pytest.skip("this system has no such files")
    store = DirectoryStore(path)
    store.save("key", "older")
    (other,) = example_files(path)
    store.save("key", "old")
    (file,) = set(example_files(path)) - {other}
    DAMAGE[damage](file)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert DirectoryStore(path).fetch("key") == ["older"]
        DirectoryStore(path).save("key", "new")
        assert DirectoryStore(path).fetch("key") == ["new", "older"]


def test_many_files_that_are_no_examples_are_not_all_looked_at(path: Path) -> None:
    store = DirectoryStore(path)
    store.save("key", "old")
    (folder,) = {file.parent for file in example_files(path)}
    for i in range(3000):
        (folder / f"{i:032}").write_text("[" * 1000)
    store.save("key", "new")
    assert "new" in store.fetch("key")


def test_a_file_in_place_of_the_directory_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("notes")
    assert_goes_on_in_memory(DirectoryStore(path), "Make it a directory")
    assert path.read_text() == "notes"


def test_what_could_not_be_written_is_written_with_the_next_example(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("notes")
    store = DirectoryStore(path)
    with pytest.warns(EverycaseWarning):
        store.save("key", "early")
    path.unlink()
    store.save("other", "late")
    assert DirectoryStore(path).fetch("key") == ["early"]


def test_a_file_that_was_begun_and_left_is_taken_away(path: Path) -> None:
    store = DirectoryStore(path)
    store.save("key", "old")
    (folder,) = {file.parent for file in example_files(path)}
    begun = folder / ".123-abcabcabcabc"
    begun.write_text("half")
    os.utime(begun, (1, 1))
    DirectoryStore(path).save("key", "new")
    assert not begun.exists() and DirectoryStore(path).fetch("key") == ["new", "old"]


@contextmanager
def without_privileges() -> Iterator[Path]:
    """A new directory. As root, who may write anywhere, the test takes on the rights of the user nobody."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        directory = Path(name) / "directory"
        user = os.geteuid()
        if user == 0:
            os.seteuid(65534)
        try:
            directory.mkdir()
            yield directory
        finally:
            os.seteuid(user)


def test_a_directory_that_cannot_be_written() -> None:
    with without_privileges() as directory:
        locked = directory / "project"
        locked.mkdir(mode=0o555)
        assert_goes_on_in_memory(DirectoryStore(locked / ".everycase" / "examples"), "Make it a directory")
        assert_goes_on_in_memory(DirectoryStore(locked / "examples"), "Make it a directory")
        assert files_below(locked) == []
        locked.chmod(0o755)


def test_a_directory_that_cannot_be_written_is_still_read() -> None:
    with without_privileges() as directory:
        path = directory / "examples"
        DirectoryStore(path).save("key", "old")
        (folder,) = path.iterdir()
        folder.chmod(0o555)
        path.chmod(0o555)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert DirectoryStore(path).fetch("key") == ["old"]  # reading is no reason to warn
        assert_goes_on_in_memory(DirectoryStore(path), "Make it a directory", already=["old"])
        assert DirectoryStore(path).fetch("key") == ["old"]
        folder.chmod(0o755)
        path.chmod(0o755)


def test_what_else_lies_in_the_directory_is_left_alone(tmp_path: Path) -> None:
    for name in ["notes.txt", ".hidden", "src/code.py", "src/.env", f"{'a' * 32}/mine.txt"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("precious" * 100)
        os.utime(tmp_path / name, (1, 1))
    before = files_below(tmp_path)
    store = DirectoryStore(tmp_path, capacity=500)
    for i in range(20):
        store.save(f"key {i}", "x" * 100)
    assert set(before) <= set(files_below(tmp_path))


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert_goes_on_in_memory(DirectoryStore(tmp_path / "file" / "examples"), "Make it a directory")
    assert_goes_on_in_memory(DirectoryStore(tmp_path / "\x00" / "examples"), "Make it a directory")
    assert_goes_on_in_memory(DirectoryStore(tmp_path / ("x" * 5000)), "Make it a directory")


def test_a_full_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    DirectoryStore(path).save("key", "old")

    def full(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(directory_store, "_write_file", full)
    store = DirectoryStore(path)
    with pytest.warns(EverycaseWarning, match="No space left"):
        store.save("key", "new")
    assert store.fetch("key") == ["new", "old"] or store.fetch("key") == ["old", "new"]
    monkeypatch.undo()
    assert DirectoryStore(path).fetch("key") == ["old"]


def test_a_quota_that_is_reached_while_writing(path: Path) -> None:
    pytest.importorskip("resource")
    code = """
import resource, sys
from everycase.run.directory_store import DirectoryStore
store = DirectoryStore(sys.argv[1])
store.save("key", "old")
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
store.save("key", "much longer" * 100_000)
assert store.fetch("key") == ["old", "much longer" * 100_000]
"""
    worker = run_python(code, path, stderr=subprocess.PIPE)
    assert "EverycaseWarning" in worker.communicate()[1]
    assert worker.returncode == 0
    assert DirectoryStore(path).fetch("key") == ["old"]


def test_where_warnings_are_errors_the_trouble_is_printed(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.parent.mkdir()
    path.write_bytes(b"notes" * 200)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store = DirectoryStore(path)
        store.save("key", "blob")
        assert store.fetch("key") == ["blob"]
    assert f"EverycaseWarning: The example store {path}" in capsys.readouterr().err


# --- which store ------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVERYCASE_DATABASE", raising=False)


def place(store: Store) -> Path:
    assert isinstance(store, DirectoryStore)
    return store.path


@pytest.mark.parametrize("marker", ["pyproject.toml", "setup.cfg", "tox.ini", ".git"])
def test_the_default_file_lies_in_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marker: str
) -> None:
    inside = tmp_path / "project" / "tests" / "unit"
    inside.mkdir(parents=True)
    (tmp_path / "project" / marker).touch()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    expected = tmp_path / "project" / ".everycase" / "examples"
    monkeypatch.chdir(inside)
    assert place(open_store()) == expected
    monkeypatch.chdir(elsewhere)
    assert place(open_store(near=inside / "test_it.py")) == expected
    monkeypatch.chdir(tmp_path)
    assert place(open_store(near="project/tests/unit/test_it.py")) == expected


def test_a_file_outside_any_project_takes_that_of_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "tox.ini").touch()
    (tmp_path / "loose").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setattr(store_module, "MARKERS", ("tox.ini",))  # whatever lies above the temporary directory
    assert project_root(tmp_path / "loose" / "test_it.py") == tmp_path / "project"
    monkeypatch.setattr(store_module, "MARKERS", ())
    assert project_root(tmp_path / "loose" / "test_it.py") == tmp_path / "project"


def test_a_path_or_the_environment_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "directory").mkdir()
    assert place(open_store("mine")) == tmp_path / "mine"
    assert place(open_store(tmp_path / "mine")) == tmp_path / "mine"
    assert place(open_store("directory")) == tmp_path / "directory"
    assert place(open_store("new/")) == tmp_path / "new"
    assert place(open_store("~/mine")) == Path.home() / "mine"
    monkeypatch.setenv("EVERYCASE_DATABASE", str(tmp_path / "theirs"))
    assert place(open_store()) == tmp_path / "theirs"
    assert place(open_store("mine")) == tmp_path / "mine"  # the code takes precedence
    monkeypatch.setenv("EVERYCASE_DATABASE", "None")
    assert isinstance(open_store(), NoStore)
    monkeypatch.setenv("EVERYCASE_DATABASE", "")
    assert isinstance(open_store(), DirectoryStore)


def test_a_current_directory_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert_goes_on_in_memory(open_store(), "Make it a directory")


def test_no_store_memory_and_your_own(path: Path) -> None:
    for nowhere in (open_store(None), open_store("none")):
        nowhere.save("key", "blob")
        nowhere.delete("key", "blob")
        nowhere.close()
        assert nowhere.fetch("key") == []
    assert isinstance(open_store(":memory:"), MemoryStore)
    mine = MemoryStore()
    assert open_store(mine) is mine
    assert (
        isinstance(mine, Store) and isinstance(DirectoryStore(path), Store) and isinstance(NoStore(), Store)
    )


def test_one_store_per_file(path: Path) -> None:
    assert open_store(path) is open_store(str(path))
    assert repr(open_store(path)) == f"DirectoryStore({str(path)!r})"


@pytest.mark.parametrize("wrong", [3, "", b"bytes", MemoryStore, object()])
def test_what_is_no_place_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidArgument, match="database must"):
        open_store(wrong)  # type: ignore[arg-type]
