"""The example store: what it keeps, and that nothing that can happen to its file stops a test."""

from __future__ import annotations

import doctest
import hashlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from everycase.errors import EverycaseWarning, InvalidArgument
from everycase.run import store as store_module
from everycase.run.sqlite_store import SqliteStore
from everycase.run.store import MemoryStore, NoStore, Store, open_store, project_root


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".everycase" / "examples.sqlite"


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


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, path: Path) -> Store:
    return MemoryStore() if request.param == "memory" else SqliteStore(path)


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


class Model:
    """A store written without regard to cost: a list of [key, blob, last use, number of the save]."""

    def __init__(self, per_key: int, capacity: int) -> None:
        self.per_key, self.capacity = per_key, capacity
        self.rows: list[list[object]] = []
        self.clock = 0

    def fetch(self, key: str) -> list[str]:
        found = [row for row in self.rows if row[0] == key]
        found.sort(key=lambda row: (len(str(row[1])), -int(str(row[2])), -int(str(row[3]))))
        self.clock += 1
        for row in found:
            row[2] = self.clock
        return [str(row[1]) for row in found]

    def save(self, key: str, blob: str) -> None:
        self.delete(key, blob)
        self.clock += 1
        self.rows.append([key, blob, self.clock, self.clock])
        by_use = sorted(self.rows, key=lambda row: (-int(str(row[2])), -int(str(row[3]))))
        per_key: dict[object, int] = {}
        kept = []
        for row in by_use:
            per_key[row[0]] = per_key.get(row[0], 0) + 1
            if per_key[row[0]] <= self.per_key:
                kept.append(row)
        used = 0
        self.rows = []
        for row in kept:
            used += 100 + len(str(row[0])) + len(str(row[1]))
            if used <= self.capacity:
                self.rows.append(row)

    def delete(self, key: str, blob: str) -> None:
        self.rows = [row for row in self.rows if row[:2] != [key, blob]]


@pytest.mark.parametrize("seed", range(10))
def test_both_stores_do_as_the_model_does_within_their_limits(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    limits = {"per_key": chance.randint(1, 4), "capacity": chance.randint(150, 1200)}
    model = Model(**limits)
    memory = MemoryStore(**limits)
    file = SqliteStore(path, **limits)
    for _ in range(60):
        key = chance.choice(["k", "l", "mm"])
        blob = chance.choice("abcdef") * chance.randint(1, 4)
        match chance.choice(["save", "save", "save", "fetch", "fetch", "delete"]):
            case "fetch":
                expected = model.fetch(key)
                assert memory.fetch(key) == expected
                assert file.fetch(key) == expected
            case operation:
                for each in (model, memory, file):
                    getattr(each, operation)(key, blob)


def test_the_default_limits_keep_fifty_examples_of_a_property(store: Store) -> None:
    for i in range(60):
        store.save("key", f"{i:02}")
    assert store.fetch("key") == [f"{i:02}" for i in reversed(range(10, 60))]


# --- the file ---------------------------------------------------------------------------------------------


def test_another_store_on_the_same_file_sees_what_was_saved(path: Path) -> None:
    SqliteStore(path).save("key", "blob")
    assert SqliteStore(path).fetch("key") == ["blob"]
    assert files_below(path.parent) == [".gitignore", "examples.sqlite"]  # no journal is left lying about
    assert (path.parent / ".gitignore").read_text() == "*\n"


def test_nothing_is_made_or_imported_before_the_first_save(tmp_path: Path) -> None:
    code = """
import os, sys
from everycase.run.store import open_store
store = open_store(os.path.join(sys.argv[1], ".everycase", "examples.sqlite"))
store.fetch("key"); store.delete("key", "blob"); store.close()
assert "sqlite3" not in sys.modules
assert os.listdir(sys.argv[1]) == []
store.save("key", "blob")
assert os.listdir(sys.argv[1]) == [".everycase"]
"""
    assert run_python(code, tmp_path).wait() == 0


def test_a_gitignore_that_was_taken_away_stays_away(path: Path, tmp_path: Path) -> None:
    SqliteStore(path).save("key", "blob")
    (path.parent / ".gitignore").unlink()
    SqliteStore(path).save("key", "other")
    assert files_below(path.parent) == ["examples.sqlite"]
    SqliteStore(tmp_path / "kept" / "examples.sqlite").save("key", "blob")
    assert files_below(tmp_path / "kept") == [
        "examples.sqlite"
    ]  # the user's own directory is not hidden from git


def test_the_file_may_vanish_between_two_operations(path: Path) -> None:
    store = SqliteStore(path)
    store.save("key", "blob")
    path.unlink()
    assert store.fetch("key") == []
    store.save("key", "again")
    assert SqliteStore(path).fetch("key") == ["again"]


def test_threads_share_a_store(path: Path) -> None:
    shared = SqliteStore(path)
    stores = [shared, shared, shared, SqliteStore(path)]
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
    assert sorted(SqliteStore(path).fetch("common")) == [f"{n} {i}" for n in range(4) for i in range(8)]
    assert all(len(shared.fetch(f"key {n}")) == 8 for n in range(4))


def test_processes_share_a_file_that_they_make_at_the_same_time(path: Path) -> None:
    code = """
import sys, warnings
warnings.simplefilter("error")
from everycase.run.sqlite_store import SqliteStore
store = SqliteStore(sys.argv[1])
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
    assert sorted(SqliteStore(path).fetch("common")) == [f"{n} {i:02}" for n in range(4) for i in range(12)]


def whole(blob: str) -> bool:
    digest, _, rest = blob.partition(":")
    return digest == hashlib.sha256(rest.encode()).hexdigest()


def test_kill_9_while_saving_leaves_only_whole_examples_and_all_that_were_saved(path: Path) -> None:
    code = """
import hashlib, sys
from everycase.run.sqlite_store import SqliteStore
store = SqliteStore(sys.argv[1], per_key=10**6)
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
            found = SqliteStore(path).fetch("key")
        assert all(whole(blob) for blob in found)
        for blob in said[:-1]:
            number = int(blob.split(":")[1].split("-")[1])
            # What was said to be saved is there, unless it was about to be deleted.
            assert blob in found or number % 3 == 2
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


# --- a file that cannot be used ---------------------------------------------------------------------------


def assert_goes_on_in_memory(store: Store, expected: str, already: list[str] | None = None) -> None:
    """One warning that names the file, the trouble and the remedy; then everything works within the process."""
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


@pytest.mark.parametrize(
    "content", [b"not a database, but somebody's notes" * 10, b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_damaged_file_is_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    assert_goes_on_in_memory(SqliteStore(path), "delete it or move it away")
    assert path.read_bytes() == content
    with pytest.warns(EverycaseWarning, match="damaged"):
        assert SqliteStore(path).fetch("key") == []


@pytest.mark.parametrize("seed", range(12))
def test_damage_anywhere_in_the_file_is_never_an_error(path: Path, seed: int) -> None:
    store = SqliteStore(path)
    for i in range(30):
        store.save(f"key {i % 3}", f"{i}" * 200)
    content = bytearray(path.read_bytes())
    chance = random.Random(seed)
    start = chance.randrange(len(content))
    for i in range(start, min(start + 400, len(content))):
        content[i] = chance.randrange(256)
    path.write_bytes(content[: chance.choice([len(content), len(content) // 2])])
    damaged = SqliteStore(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EverycaseWarning)
        for i in range(3):
            assert all(isinstance(blob, str) for blob in damaged.fetch(f"key {i}"))
            damaged.save(f"key {i}", "new")
            assert "new" in damaged.fetch(f"key {i}")
            damaged.delete(f"key {i}", "new")
            assert "new" not in damaged.fetch(f"key {i}")


def test_a_file_of_a_newer_version_is_left_alone(path: Path) -> None:
    SqliteStore(path).save("key", "old")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    content = path.read_bytes()
    assert_goes_on_in_memory(SqliteStore(path), "newer everycase")
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE examples (key, blob)")
    connection.close()
    content = path.read_bytes()
    assert_goes_on_in_memory(SqliteStore(path), "another program")
    assert path.read_bytes() == content


def test_a_table_that_was_changed_is_left_alone(path: Path) -> None:
    SqliteStore(path).save("key", "old")
    connection = sqlite3.connect(path)
    connection.execute("ALTER TABLE examples RENAME COLUMN blob TO trace")
    connection.close()
    assert_goes_on_in_memory(SqliteStore(path), "not as everycase left it")


def test_a_file_that_another_program_keeps_locked(path: Path) -> None:
    SqliteStore(path).save("key", "old")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert_goes_on_in_memory(SqliteStore(path, patience=0), "Close that program")
    other.execute("ROLLBACK")
    other.execute("BEGIN IMMEDIATE")  # somebody is about to write: reading still works
    assert SqliteStore(path).fetch("key") == ["old"]
    assert_goes_on_in_memory(SqliteStore(path, patience=0), "Close that program", already=["old"])
    other.close()


@contextmanager
def without_privileges() -> Iterator[Path]:
    """A new directory, and (if the tests run as root, whom no permission stops) the rights of nobody."""
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
        assert_goes_on_in_memory(SqliteStore(locked / ".everycase" / "examples.sqlite"), "Make it writable")
        assert_goes_on_in_memory(SqliteStore(locked / "examples.sqlite"), "Make it writable")
        assert files_below(locked) == []
        locked.chmod(0o755)


def test_a_file_that_cannot_be_written_is_still_read() -> None:
    with without_privileges() as directory:
        path = directory / "examples.sqlite"
        SqliteStore(path).save("key", "old")
        path.chmod(0o444)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert SqliteStore(path).fetch("key") == ["old"]  # reading is no reason to warn
        assert_goes_on_in_memory(SqliteStore(path), "Make it writable", already=["old"])
        directory.chmod(0o555)
        path.chmod(0o644)
        assert_goes_on_in_memory(SqliteStore(path), "Make it writable", already=["old"])
        assert SqliteStore(path).fetch("key") == ["old"]
        path.chmod(0o000)
        assert_goes_on_in_memory(SqliteStore(path), "Make it writable")
        directory.chmod(0o755)


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert_goes_on_in_memory(SqliteStore(tmp_path / "file" / "examples.sqlite"), "Make it writable")
    assert_goes_on_in_memory(SqliteStore(tmp_path / "\x00" / "examples.sqlite"), "Make it writable")
    assert_goes_on_in_memory(SqliteStore(tmp_path / ("x" * 5000)), "Make it writable")
    assert_goes_on_in_memory(SqliteStore(tmp_path), "Make it writable")


def test_a_full_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SqliteStore(path).save("key", "old")
    connect = sqlite3.connect

    def on_a_full_disk(*args: object, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **options)  # type: ignore[call-overload]
        connection.execute("PRAGMA max_page_count = 1")  # as many pages as there are, and not one more
        return connection

    monkeypatch.setattr(sqlite3, "connect", on_a_full_disk)
    store = SqliteStore(path)
    with pytest.warns(EverycaseWarning, match="no space left"):
        store.save("key", "much longer" * 10_000)
    assert store.fetch("key") == ["old", "much longer" * 10_000]
    monkeypatch.undo()
    assert SqliteStore(path).fetch("key") == ["old"]


def test_a_quota_that_is_reached_while_writing(path: Path) -> None:
    pytest.importorskip("resource")
    code = """
import resource, sys
from everycase.run.sqlite_store import SqliteStore
store = SqliteStore(sys.argv[1])
store.save("key", "old")
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
store.save("key", "much longer" * 100_000)
assert store.fetch("key") == ["old", "much longer" * 100_000]
"""
    worker = run_python(code, path, stderr=subprocess.PIPE)
    assert "EverycaseWarning" in worker.communicate()[1]
    assert worker.returncode == 0
    assert SqliteStore(path).fetch("key") == ["old"]


def test_a_python_without_sqlite(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    assert_goes_on_in_memory(SqliteStore(path), "without sqlite3")


def test_where_warnings_are_errors_the_trouble_is_printed(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.parent.mkdir()
    path.write_bytes(b"notes" * 200)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store = SqliteStore(path)
        store.save("key", "blob")
        assert store.fetch("key") == ["blob"]
    assert f"EverycaseWarning: The example store {path}" in capsys.readouterr().err


# --- which store ------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVERYCASE_DATABASE", raising=False)


def place(store: Store) -> Path:
    assert isinstance(store, SqliteStore)
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
    expected = tmp_path / "project" / ".everycase" / "examples.sqlite"
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
    assert place(open_store("my.sqlite")) == tmp_path / "my.sqlite"
    assert place(open_store(tmp_path / "my.sqlite")) == tmp_path / "my.sqlite"
    assert place(open_store("directory")) == tmp_path / "directory" / "examples.sqlite"
    assert place(open_store("new/")) == tmp_path / "new" / "examples.sqlite"
    assert place(open_store("~/my.sqlite")) == Path.home() / "my.sqlite"
    monkeypatch.setenv("EVERYCASE_DATABASE", str(tmp_path / "theirs.sqlite"))
    assert place(open_store()) == tmp_path / "theirs.sqlite"
    assert place(open_store("my.sqlite")) == tmp_path / "my.sqlite"  # what the code says goes first
    monkeypatch.setenv("EVERYCASE_DATABASE", "None")
    assert isinstance(open_store(), NoStore)
    monkeypatch.setenv("EVERYCASE_DATABASE", "")
    assert isinstance(open_store(), SqliteStore)


def test_a_current_directory_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert_goes_on_in_memory(open_store(), "Make it writable")


def test_no_store_memory_and_your_own(path: Path) -> None:
    for nowhere in (open_store(None), open_store("none")):
        nowhere.save("key", "blob")
        nowhere.delete("key", "blob")
        nowhere.close()
        assert nowhere.fetch("key") == []
    assert isinstance(open_store(":memory:"), MemoryStore)
    mine = MemoryStore()
    assert open_store(mine) is mine
    assert isinstance(mine, Store) and isinstance(SqliteStore(path), Store) and isinstance(NoStore(), Store)


def test_one_store_per_file(path: Path) -> None:
    assert open_store(path) is open_store(str(path))
    assert repr(open_store(path)) == f"SqliteStore({str(path)!r})"


@pytest.mark.parametrize("wrong", [3, "", b"bytes", MemoryStore, object()])
def test_what_is_no_place_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidArgument, match="database must"):
        open_store(wrong)  # type: ignore[arg-type]
