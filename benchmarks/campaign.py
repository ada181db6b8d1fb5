"""Campaigns: the cost of a lease, the growth of the log, the speedup by more workers, and the effect of kills.

python benchmarks/campaign.py [simulate] [overhead] [workers] [kills] [cluster] [memory]
    [--leases N] [--values N] [--every SECONDS]
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

from everycase import campaign
from everycase.campaign.executors import Workers
from everycase.campaign.log import read_lines
from everycase.campaign.starter import Starter
from everycase.campaign.state import CampaignState, read_state

PROPERTIES = """
import time
from everycase import gen, given, settings
from everycase.explore import Exhaustive

@settings(database=None, explore=Exhaustive())
@given(gen.integers(0, {last}))
def many(n):
    assert n % 3_000_017 != 3_000_016

@settings(database=None)
@given(gen.integers(0, 49_999))
def slow(n):
    end = time.perf_counter() + 0.0002
    while time.perf_counter() < end:
        pass
"""


class Pretended(Executor):
    """A thousand simulated workers that test nothing: they come back in any order, and some never do."""

    def __init__(self, losses: float) -> None:
        self.random = random.Random(1)
        self.losses = losses
        self.pending: list[tuple[Future[Any], dict[str, Any]]] = []
        self.lock = threading.Lock()
        self.over = threading.Event()
        threading.Thread(target=self._work, daemon=True).start()

    def submit(self, test: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self.lock:
            self.pending.append((future, args[1]))
        return future

    def _work(self) -> None:
        while not self.over.wait(0.001):
            with self.lock:
                self.random.shuffle(self.pending)
                done, self.pending = (
                    self.pending[: 1 + len(self.pending) // 2],
                    self.pending[1 + len(self.pending) // 2 :],
                )
            for future, request in done:
                if not future.set_running_or_notify_cancel():
                    continue
                places = int(request["to"]) - int(request["from"])
                if self.random.random() < self.losses:
                    future.set_result({"lost": "signal 9 (SIGKILL)", "code": -9, "begun": True})
                else:
                    worker = f"w{self.random.randrange(1000)}"
                    told = {
                        "visited": places,
                        "tests": places,
                        "discards": 0,
                        "cpu": 1.9,
                        "seconds": places * 1e-3,
                        "worker": worker,
                    }
                    future.set_result(told)


def simulate(most: int) -> None:
    """The real starter, leases, log and fold, with simulated workers."""
    print("leases   us/lease (CPU)   log bytes/lease   fold s (CPU)   intervals   peak MB")
    leases = 1000
    while leases <= most:
        folder = Path(tempfile.mkdtemp(prefix="campaign-"))
        plan = {
            "name": "t", "way": {}, "fingerprint": "f", "technique": "numbers", "explorer": "Exhaustive()",
            "total": leases * 2000, "all": True, "wants_all": False, "limited": False, "max_examples": 1000,
            "block": 100, "seed": 1, "is_whole": True, "given": False,
        }  # fmt: skip
        pretended = Pretended(0.001)
        setup = {"run": "r"}
        began = time.process_time()
        starter = Starter(
            folder,
            {},
            CampaignState(),
            setup,
            {"properties": [plan], "problems": []},
            {"islands": 4},
            limit=None,
        )
        starter.run(Workers(pretended, lambda: 1000, pretended.over.set), None)
        pretended.over.set()
        spent = time.process_time() - began
        progress = starter.state.of("t", "f")
        assert progress.tests == leases * 2000 == progress.places("numbers").total
        size = sum(path.stat().st_size for path in (folder / "log").iterdir())
        began = time.process_time()
        folded = read_state(folder).of("t", "f") if leases <= 200_000 else progress
        fold_seconds = time.process_time() - began
        assert folded.tests == progress.tests
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        fold_text = f"{fold_seconds:.2f}" if leases <= 200_000 else "-"
        print(
            f"{progress.leases:>8,} {spent / progress.leases * 1e6:>12.1f} {size / progress.leases:>16.0f} {fold_text:>14} "
            f"{len(folded.places('numbers')):>10} {memory:>9}",
            flush=True,
        )
        shutil.rmtree(folder)
        leases *= 10


def module_in(folder: Path, values: int) -> None:
    (folder / "campaign_subject.py").write_text(PROPERTIES.format(last=values - 1))
    sys.path.insert(0, str(folder))


def overhead() -> None:
    """The CPU time of a campaign with one worker, compared with the CPU time of its tests."""
    folder = Path(tempfile.mkdtemp(prefix="campaign-"))
    module_in(folder, 1000)
    began = resource.getrusage(resource.RUSAGE_CHILDREN), time.process_time(), time.perf_counter()
    report = campaign.run("campaign_subject:slow", folder / "c", workers=1, seed=1)
    seconds = time.perf_counter() - began[2]
    starter = time.process_time() - began[1]
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = children.ru_utime + children.ru_stime - began[0].ru_utime - began[0].ru_stime
    leases = report.properties[0].leases
    print(f"200 us test, 50,000 values: {seconds:.1f} s, {leases} leases, in tests {report.cpu:.2f} CPU s")
    print(
        f"  starter {starter:.2f} CPU s ({starter / leases * 1e3:.2f} ms a lease, {starter / report.cpu:.1%} of the tests)"
    )
    print(f"  processes outside the tests (start, import, plan): {cpu - report.cpu:.2f} CPU s")
    shutil.rmtree(folder)


def workers() -> None:
    """Wall time and CPU time with one worker and with two."""
    folder = Path(tempfile.mkdtemp(prefix="campaign-"))
    module_in(folder, 1000)
    rates = {}
    for count in (1, 2):
        report = campaign.run("campaign_subject:slow", folder / f"c{count}", workers=count, seed=1)
        lines = [line for line in read_lines(folder / f"c{count}") if line["kind"] == "lease"]
        wall = max(line["time"] for line in lines) - min(line["time"] - line["seconds"] for line in lines)
        cpu = sum(line["cpu"] for line in lines)
        busy = sum(line["seconds"] for line in lines) / (count * wall)
        rates[count] = report.tests / wall
        print(
            f"{count} workers: {wall:.2f} s wall, {cpu:.2f} CPU s in tests, {rates[count]:,.0f} tests/s, workers busy {busy:.1%}, load {os.getloadavg()[0]:.1f}"
        )
    print(f"gain {rates[2] / rates[1]:.2f}x")
    shutil.rmtree(folder)


def kills(values: int) -> None:
    """Kill a worker every second and the starter three times; the result must equal that of an undisturbed run."""
    import psutil

    folder = Path(tempfile.mkdtemp(prefix="campaign-"))
    module_in(folder, values)
    command = [
        sys.executable,
        "-m",
        "everycase",
        "campaign",
        "run",
        "campaign_subject:many",
        "--workers",
        "2",
        "--seed",
        "1",
        "--json",
    ]
    quiet = json.loads(subprocess.run([*command, "--into", "quiet"], cwd=folder, capture_output=True).stdout)
    dice, killed, starters = random.Random(1), 0, 0
    while True:
        # Into a file: an unread pipe holds only 64 KB, and the report names every worker.
        with (
            (folder / "report.json").open("w") as told,
            subprocess.Popen([*command, "--into", "c"], cwd=folder, stdout=told) as starter,
        ):
            end = time.monotonic() + (4 + 3 * starters if starters < 3 else 3600)
            while starter.poll() is None and time.monotonic() < end:
                time.sleep(1)
                try:
                    alive = [
                        p
                        for p in psutil.Process(starter.pid).children(recursive=True)
                        if "campaign.child" in " ".join(p.cmdline())
                    ]
                    if alive:
                        dice.choice(alive).send_signal(signal.SIGKILL)
                        killed += 1
                except psutil.Error:
                    continue
            if starter.poll() is None:
                starter.kill()
                starters += 1
                continue
        disturbed = json.loads((folder / "report.json").read_text())
        break

    def essence(told: dict[str, Any]) -> list[Any]:
        keys = ("name", "verdict", "tests", "discards", "coverage", "exhaustive")
        return [
            [each[key] for key in keys] + [[f["index"], f["input"], f["blob"]] for f in each["failures"]]
            for each in told["properties"]
        ]

    booked = sorted(
        (line["from"], line["to"]) for line in read_lines(folder / "c") if line["kind"] == "lease"
    )
    places = sum(stop - start for start, stop in booked)
    whole = all(stop == start for (_, stop), (start, _) in itertools.pairwise(booked)) and places == values
    print(
        f"{values:,} values, {killed} workers and {starters} starters killed, lost {disturbed['workers_lost']}"
    )
    print(
        f"  equal to the undisturbed run: {essence(quiet) == essence(disturbed)}; each booked once: {whole}"
    )
    print(f"  {essence(disturbed)}")
    shutil.rmtree(folder)


def cluster(values: int, every: float) -> None:
    """The same kills on a Dask cluster: every few seconds a Dask worker (which its nanny restarts) or one of the
    processes that run tests.
    """
    import psutil
    from distributed import Client, LocalCluster

    folder = Path(tempfile.mkdtemp(prefix="campaign-"))
    module_in(folder, values)
    os.environ["PYTHONPATH"] = str(folder)
    os.chdir(folder)
    quiet = campaign.run("campaign_subject:many", folder / "quiet", workers=2, seed=1)
    dice, killed = random.Random(1), {"worker": 0, "child": 0}
    over = threading.Event()

    def below() -> list[tuple[psutil.Process, str]]:
        """The descendants of this process with their command lines. A process that has just died has none."""
        told = []
        for each in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                told.append((each, " ".join(each.cmdline())))
        return told

    def disturb() -> None:
        while not over.wait(every):
            with contextlib.suppress(psutil.Error):
                told = below()
                children = [each for each, line in told if "campaign.child" in line]
                # A nanny gives up on a worker that dies while it starts.
                dask_workers = [
                    each
                    for each, line in told
                    if "spawn_main" in line and time.time() - each.create_time() > 8 * every
                ]
                kind = dice.choice(("worker", "child"))
                if chosen := (dask_workers if kind == "worker" else children):
                    dice.choice(chosen).send_signal(signal.SIGKILL)
                    killed[kind] += 1

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as dask,
        Client(dask) as client,
    ):
        threading.Thread(target=disturb, daemon=True).start()
        disturbed = campaign.run(
            "campaign_subject:many", folder / "c", executor=client.get_executor(pure=False), seed=1
        )
        over.set()
    one, other = quiet.properties[0], disturbed.properties[0]
    same = all(
        getattr(one, key) == getattr(other, key) for key in ("verdict", "tests", "discards", "coverage")
    )
    same = same and [f.index for f in one.failures] == [f.index for f in other.failures]
    booked = sorted(
        (line["from"], line["to"]) for line in read_lines(folder / "c") if line["kind"] == "lease"
    )
    whole = all(stop == start for (_, stop), (start, _) in itertools.pairwise(booked))
    whole = whole and sum(stop - start for start, stop in booked) == values
    print(f"{values:,} values on LocalCluster, killed: {killed}, lost {disturbed.workers_lost}")
    print(f"  equal to the undisturbed run: {same}; each booked once: {whole}")
    print(f"  {other.verdict}, {other.tests:,} tests, first failures {[f.index for f in other.failures]}")
    shutil.rmtree(folder)


def memory(values: int) -> None:
    """The memory of the starter and of its worker as more and more values are tested."""
    import psutil

    folder = Path(tempfile.mkdtemp(prefix="campaign-"))
    module_in(folder, values)
    os.environ["PYTHONPATH"] = str(folder)
    os.chdir(folder)
    rows: dict[int, tuple[float, float]] = {}

    def look(report: Any) -> None:
        step = report.tests * 10 // values
        if step not in rows:
            own = psutil.Process()
            below = [each.memory_info().rss for each in own.children(recursive=True)]
            rows[step] = own.memory_info().rss / 2**20, sum(below) / 2**20
            print(
                f"  {report.tests:>13,} tests: starter {rows[step][0]:.0f} MB, worker {rows[step][1]:.0f} MB",
                flush=True,
            )

    print(f"memory over {values:,} values, one worker")
    campaign.run("campaign_subject:many", folder / "c", workers=1, seed=1, watcher=look)
    shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sections", nargs="*", default=[])
    parser.add_argument("--leases", type=int, default=1_000_000)
    parser.add_argument("--values", type=int, default=10_000_000)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between kills on a cluster")
    given = parser.parse_args()
    sections = {
        "simulate": lambda: simulate(given.leases),
        "overhead": overhead,
        "workers": workers,
        "kills": lambda: kills(given.values),
        "cluster": lambda: cluster(given.values, given.every),
        "memory": lambda: memory(10 * given.values),
    }
    for name in given.sections or sections:
        print(f"--- {name}")
        sections[name]()


if __name__ == "__main__":
    main()
