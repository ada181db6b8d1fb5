"""How much of other projects' test suites runs here: with changed imports, and with the tests adopted as they are.

The suites are those of pinned projects on PyPI. They are unpacked in a scratch folder, and none of their code is part of
this tree. Every ``given`` test that passes with Hypothesis is counted: does it pass when ``hypothesis`` is replaced by
``everycase`` in the imports, and does it pass with ``pytest --everycase-adopt`` on the unchanged files? The CPU time of
each way is measured with the same number of examples. ::

    python benchmarks/migration.py            # everything; needs pip and the network
    python benchmarks/migration.py attrs yarl # some of them
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

#: The sdist, the additional packages that its tests need, and the files with ``given`` tests.
PROJECTS = {
    "attrs": ("attrs==26.1.0", ["cloudpickle", "pympler"], "tests"),
    "cattrs": (
        "cattrs==26.2.1",
        ["msgpack", "orjson", "ujson", "cbor2", "msgspec", "pyyaml", "tomlkit", "bson", "immutables"],
        "tests",
    ),
    "packaging": ("packaging==26.3", ["pretend", "tomli_w"], "tests"),
    "hyperlink": ("hyperlink==21.0.0", ["idna"], "src/hyperlink/test"),
    "yarl": ("yarl==1.25.1", [], "tests"),
    "ecdsa": ("ecdsa==0.19.2", ["six"], "src/ecdsa"),
    "natsort": ("natsort==8.4.0", ["pytest-mock"], "tests"),
    "isort": ("isort==9.0.2", ["hypothesmith", "libcst", "natsort", "black"], "tests/unit"),
    "h2": ("h2==4.4.1", [], "tests"),
    "hpack": ("hpack==4.2.0", [], "tests"),
    "pyrsistent": ("pyrsistent==0.20.0", [], "tests"),
    "python-dateutil": ("python-dateutil==4.0.0", ["freezegun", "six"], "tests"),
    "argon2-cffi": ("argon2-cffi==25.1.0", [], "tests"),
    "priority": ("priority==2.0.0", [], "test"),
    "hypothesis-jsonschema": ("hypothesis-jsonschema==0.23.1", ["jsonschema"], "tests"),
    "pytz-deprecation-shim": ("pytz-deprecation-shim==0.1.0.post0", ["pytz", "python-dateutil"], "tests"),
}

#: A pytest plugin that records the outcome of every test, and whether it uses ``given``.
RECORDER = """
import json, os
SEEN, READ = {}, [0, 0]
def pytest_configure(config):
    if config.getoption("everycase_adopt", False):
        from everycase.bridges.hypothesis import reading
        structure = reading._structure
        def counted(strategy):
            found = structure(strategy)
            READ[found is None] += 1
            return found
        reading._structure = counted
def pytest_runtest_makereport(item, call):
    function = getattr(item, "obj", None)
    ours = hasattr(function, "__everycase_property__")
    given = ours or getattr(function, "is_hypothesis_test", False)
    entry = SEEN.setdefault(item.nodeid, {"given": bool(given), "outcome": "passed", "why": ""})
    if call.excinfo is not None:
        skipped = call.excinfo.typename == "Skipped"
        entry["outcome"] = "skipped" if skipped else "failed"
        entry["why"] = f"{call.excinfo.typename}: {call.excinfo.value}"[:300]
def pytest_sessionfinish():
    with open(os.environ["RECORD"], "w") as file:
        json.dump({"tests": SEEN, "read": READ}, file)
"""

#: For each run: the number of strategies read by their structure, and the number of strategies driven.
READ: list[list[int]] = []

IMPORTS = re.compile(r"^(\s*)(from|import) hypothesis\b(?!_)", re.M)


def main() -> None:
    chosen = sys.argv[1:] or list(PROJECTS)
    with tempfile.TemporaryDirectory(prefix="migration-") as folder:
        scratch = Path(os.environ.get("MIGRATION_FOLDER") or folder)
        rows = [measure(name, scratch) for name in chosen]
    total = [sum(row[i] for row in rows) for i in range(1, 4)]
    structural, driven = (sum(counts[i] for counts in READ) for i in (0, 1))
    print(f"strategies read by their structure: {share(structural, structural + driven)}")
    print(f"{'all':24} {total[0]:6} {share(total[1], total[0])} {share(total[2], total[0])}")


def measure(name: str, scratch: Path) -> tuple[str, int, int, int]:
    """Measure one project in three ways, and print its row and the tests that were lost."""
    requirement, needs, tests = PROJECTS[name]
    python, source = prepare(name, requirement, needs, scratch)
    changed = source.with_name(source.name + "-everycase")
    if not changed.exists():
        copy(source, changed)
    files = [
        str(path.relative_to(source))
        for path in sorted((source / tests).rglob("*.py"))
        if IMPORTS.search(path.read_text(encoding="utf-8", errors="replace")) and path.name != "conftest.py"
    ]
    theirs, cpu = run(python, source, files, ["-p", "no:everycase"])
    door, door_cpu = run(
        python, changed, files, ["--everycase-max-examples=100", "-p", "no:hypothesispytest"]
    )
    adopted, adopted_cpu = run(python, source, files, ["--everycase-adopt", "--everycase-max-examples=100"])
    passing = [test for test, entry in theirs.items() if entry["given"] and entry["outcome"] == "passed"]
    kept = [
        sum(result.get(test, {}).get("outcome") == "passed" for test in passing) for result in (door, adopted)
    ]
    print(
        f"{name:24} {len(passing):6} {share(kept[0], len(passing))} {share(kept[1], len(passing))}"
        f"   CPU {cpu:6.1f} s, {door_cpu / max(cpu, 0.01):5.2f}, {adopted_cpu / max(cpu, 0.01):5.2f}",
        flush=True,
    )
    for way, result in (("imports", door), ("adopted", adopted)):
        for test in passing:
            entry = result.get(test, {"outcome": "missing", "why": "not collected"})
            if entry["outcome"] != "passed":
                print(
                    f"    {way}: {test}: {entry['outcome']}: {entry['why'].splitlines()[0] if entry['why'] else ''}"
                )
    return name, len(passing), *kept


def share(part: int, whole: int) -> str:
    return f"{part:5} ({part / max(whole, 1):4.0%})"


def prepare(name: str, requirement: str, needs: list[str], scratch: Path) -> tuple[Path, Path]:
    """Create a virtual environment with the project and unpack its sdist."""
    environment = scratch / "environment"
    python = environment / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        here = Path(__file__).parents[1]
        pip(python, "install", "-e", str(here), "hypothesis", "pytest", "numpy")
    pip(python, "install", requirement, *needs)
    sources = scratch / "sources" / name
    if not sources.exists():
        pip(
            python,
            "download",
            "--no-deps",
            "--no-binary",
            requirement.split("==")[0],
            "-d",
            str(sources),
            requirement,
        )
        archive = next(sources.glob("*.tar.gz"))
        with tarfile.open(archive) as file:
            file.extractall(sources, filter="data")
        archive.unlink()
    return python, next(
        path for path in sources.iterdir() if path.is_dir() and not path.name.endswith("-everycase")
    )


def pip(python: Path, *arguments: str) -> None:
    done = subprocess.run([str(python), "-m", "pip", "--quiet", *arguments], capture_output=True, text=True)
    if done.returncode:
        print(f"    pip {' '.join(arguments)}: {done.stderr.strip().splitlines()[-1:]}")


def copy(source: Path, target: Path) -> None:
    """Copy the files with the import replaced."""
    for path in source.rglob("*"):
        place = target / path.relative_to(source)
        if path.is_dir():
            place.mkdir(parents=True, exist_ok=True)
        elif path.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            data = path.read_bytes()
            if path.suffix == ".py" and b"hypothesis" in data:
                text = data.decode("utf-8", "replace")
                text = re.sub(
                    r"^(\s*)import hypothesis\s*$", r"\1import everycase as hypothesis", text, flags=re.M
                )
                text = IMPORTS.sub(r"\1\2 everycase", text)
                data = text.encode()
            place.write_bytes(data)


def run(
    python: Path, folder: Path, files: list[str], options: list[str]
) -> tuple[dict[str, dict[str, str]], float]:
    """The outcome of each test, and the CPU seconds of the whole run."""
    record, plugin = folder / "record.json", folder / "migration_recorder.py"
    plugin.write_text(RECORDER)
    record.unlink(missing_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {
        **os.environ,
        "RECORD": str(record),
        "PYTHONPATH": f"{folder}{os.pathsep}{folder / 'src'}",
        "PYTHONHASHSEED": "0",
        "YARL_NO_EXTENSIONS": "1",
    }
    command = [
        str(python),
        "-m",
        "pytest",
        "-q",
        "-p",
        "migration_recorder",
        "-p",
        "no:cacheprovider",
        "-W",
        "ignore",
        "-o",
        "addopts=",
    ]
    done = subprocess.run(
        ["timeout", "900", *command, *options, "--continue-on-collection-errors", *files],
        cwd=folder, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not record.exists():
        print("    pytest said:", (done.stdout + done.stderr).strip()[-500:])
        return {}, cpu
    (folder / "output.txt").write_text(done.stdout)
    found = json.loads(record.read_text())
    READ.append(found["read"])
    result: dict[str, dict[str, str]] = found["tests"]
    return result, cpu


if __name__ == "__main__":
    main()
