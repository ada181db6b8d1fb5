"""Campaigns with real processes: every technique, poison inputs, resuming, messages and exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import campaign_properties
import pytest
from campaign_running import by_name, essence, names, run

from everycase import campaign, check, errors
from everycase.campaign.log import write_about
from everycase.explore import Exhaustive

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def every_kind(tmp_path_factory):
    """One campaign on properties of every kind."""
    into = tmp_path_factory.mktemp("kinds") / "c"
    kinds = (
        "passes fails random_passes random_fails default_search climbs anneals covers prunes prunes_at_random patterns walks "
        "endless never_valid nothing remembers Counter Wandering Ordered"
    )
    targets = names(*kinds.split())
    return targets, into, campaign.run(targets, into, workers=2, seed=7)


@pytest.mark.slow
def test_exhaustive_properties_come_to_the_result_of_one_process(every_kind):
    found = by_name(every_kind[2])
    for name in ("passes", "fails"):
        test = getattr(campaign_properties, name)
        alone = check(test, explore=Exhaustive(), max_examples=10**6, report_multiple_bugs=False)
        each = found[name]
        assert each.status == alone.status and each.coverage == 1 and each.exhaustive
        assert each.tests + each.discards == 30_000
        if name == "passes":
            assert (each.tests, each.discards, each.events) == (alone.examples, alone.discarded, alone.events)
    first, second = found["fails"].failures
    assert (first.index, first.input) == (12_345, "fails(n=12345)")
    assert second.index == 24_001 and "ValueError" in second.error
    assert found["passes"].verdict == "passed" and "30,000 of 30,000" in found["passes"].words


def test_every_other_kind_comes_to_an_end(every_kind):
    found = by_name(every_kind[2])
    assert found["random_passes"].tests == 600 and found["random_passes"].technique == "seeds"
    assert found["random_fails"].failures[0].input == "random_fails(xs=[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])"
    for name in ("default_search", "climbs", "anneals"):
        assert found[name].technique == "islands" and found[name].best
    assert found["default_search"].status == "failed" and found["climbs"].status == "passed"
    assert found["covers"].status == "failed" and found["covers"].coverage == 1
    assert found["prunes"].status == "passed" and found["prunes"].coverage == 1
    assert found["prunes"].tests == check(campaign_properties.prunes).examples
    assert found["prunes_at_random"].tests == 300
    assert (
        found["walks"].exhaustive
        and found["walks"].tests == 41 * 3 == check(campaign_properties.walks).examples
    )
    assert found["endless"].tests == 400 and not found["endless"].exhaustive
    assert found["never_valid"].status == "gave_up"
    assert found["nothing"].status == "gave_up" and "exhaustive" not in found["nothing"].words
    assert found["remembers"].status == "passed" and not found["remembers"].exhaustive
    assert "not exhaustive (" in found["remembers"].words
    assert found["patterns"].status == "passed"
    for machine in ("Counter", "Wandering", "Ordered"):
        assert found[machine].status in ("failed", "passed"), machine
    assert found["Counter"].status == "failed" and found["Counter"].failures[0].input.count("state.up()") == 4


def test_a_finished_campaign_runs_nothing(every_kind):
    targets, into, before = every_kind
    lines = sum(len(path.read_text().splitlines()) for path in (into / "log").glob("*.jsonl"))
    again = campaign.run(targets, into, workers=1)
    assert essence(again) == essence(before)
    assert sum(len(path.read_text().splitlines()) for path in (into / "log").glob("*.jsonl")) == lines + 1
    assert essence(campaign.read(into)) == essence(before)


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(every_kind, tmp_path):
    targets, _, before = every_kind
    some = [target for target in targets if "Wandering" not in target]
    alone = campaign.run(some, tmp_path / "c", workers=1, seed=7)
    assert essence(alone) == [each for each in essence(before) if "Wandering" not in each[0]]


# --- poison -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_inputs_that_kill_their_process_are_found_and_the_campaign_goes_on(undisturbed, tmp_path):
    found = by_name(run(tmp_path, "exits", "exits_at_random", "Fuse"))
    each = by_name(undisturbed)["segfaults"]
    assert each.verdict == "failed (died)" and each.tests == 4001 and each.coverage == 1
    died, failed = each.failures
    assert (died.kind, died.index, died.input) == ("died", 1777, "segfaults(n=1777)")
    assert "the process died: signal 11 (SIGSEGV)" in died.error and died.blob
    assert failed.index == 3000
    assert [failure.index for failure in found["exits"].failures] == [5, 300]
    assert all("exit code 3" in failure.error for failure in found["exits"].failures)
    assert found["exits_at_random"].verdict == "failed (died)"
    small = found["exits_at_random"].failures[0].input
    assert eval(small, {"exits_at_random": lambda xs: xs}) == [0] * 21
    (machine,) = found["Fuse"].failures
    assert machine.input.splitlines() == ["state = Fuse()", *["state.light()"] * 3, "state.wait()"]


@pytest.mark.slow
def test_limits_of_time_and_memory(tmp_path):
    found = by_name(run(tmp_path, "hangs", "eats_memory", lease_limit=2, max_memory=1500))
    (failure,) = found["hangs"].failures
    assert failure.index == 60 and "longer than 2 s" in failure.error and failure.kind == "died"
    (failure,) = found["eats_memory"].failures
    assert failure.index == 50 and "MemoryError" in failure.error


@pytest.fixture(scope="module")
def first_times(tmp_path_factory):
    """A campaign on properties that behave differently the first time they see an input."""
    folder = tmp_path_factory.mktemp("first")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CAMPAIGN_TOLD", str(folder))
        return run(folder, "killed_from_outside", "flaky")


@pytest.mark.slow
def test_a_kill_from_outside_is_not_blamed_on_the_input(first_times):
    each = by_name(first_times)["killed_from_outside"]
    assert each.verdict == "passed" and each.tests == 20_001 and not each.failures
    assert first_times.workers_lost == 1


def test_a_failure_that_does_not_repeat_is_flaky(first_times):
    each = by_name(first_times)["flaky"]
    assert each.verdict == "flaky" and each.tests == 1000
    assert each.failures[0].kind == "flaky" and each.failures[0].index == 500


def test_a_kill_while_properties_are_looked_for_is_no_problem(every_kind, monkeypatch):
    from everycase.campaign import api

    targets, into, before = every_kind
    real, asked = api.perform, []

    def killed_at_first(setup, request):
        asked.append(request)
        return {"lost": "signal 9 (SIGKILL)", "code": -9} if len(asked) < 3 else real(setup, request)

    monkeypatch.setattr(api, "perform", killed_at_first)
    assert essence(campaign.run(targets, into, workers=1)) == essence(before)
    assert len(asked) == 3


# --- properties that cannot be tested -----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_test_that_skips_itself_is_not_blamed_and_the_next_run_tries_again(tmp_path, monkeypatch):
    monkeypatch.setenv("CAMPAIGN_SKIPS", "1")
    report = run(tmp_path, "skips", "interrupts", "passes", workers=1)
    found = by_name(report)
    assert found["skips"].verdict == "gave_up" and "skipped: not today" in found["skips"].words
    assert found["passes"].verdict == "passed"
    (died,) = found["interrupts"].failures
    assert died.index == 2 and "exit code 130" in died.error
    monkeypatch.delenv("CAMPAIGN_SKIPS")
    found = by_name(run(tmp_path, "skips", "interrupts", "passes", workers=1))
    assert (found["skips"].verdict, found["skips"].tests) == ("passed", 4)


class KnowsEqualCalls(ThreadPoolExecutor):
    """Repeats its old answer to a call that it has seen, as Dask does for functions that it considers pure."""

    def __init__(self) -> None:
        super().__init__(1)
        self.known = {}

    def submit(self, test, /, *args):
        key = json.dumps(args)
        if key not in self.known:
            if any('"numbers"' in other for other in self.known) or '"numbers"' not in key:
                self.known[key] = super().submit(test, *args)
            else:
                self.known[key] = super().submit(dict, lost="signal 9 (SIGKILL)", code=-9, begun=False)
        return self.known[key]


def test_an_executor_that_knows_equal_calls_gets_a_lost_lease_again(tmp_path):
    with KnowsEqualCalls() as executor:
        report = run(tmp_path, "passes", workers=None, executor=executor)
    assert report.workers_lost == 1 and report.properties[0].verdict == "passed"


def test_an_unreachable_scheduler_leaves_no_folder(tmp_path, monkeypatch):
    from everycase.campaign import executors

    monkeypatch.setattr(executors, "PATIENCE", 0.2)
    with pytest.raises(errors.CampaignProblem, match=r"no scheduler at tcp://127\.0\.0\.1:9 "):
        run(tmp_path, "passes", workers=None, dask="tcp://127.0.0.1:9")
    assert not (tmp_path / "c").exists()


# --- resuming ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_time_ends_it_and_the_same_call_goes_on(tmp_path):
    reports = [run(tmp_path, "told", max_seconds=seconds) for seconds in (0.4, 0.4, None)]
    assert all(report.finished or "unfinished" in report.properties[0].verdict for report in reports)
    assert reports[-1].finished
    assert [report.tests for report in reports] == sorted(report.tests for report in reports)
    (each,) = reports[-1].properties
    assert each.tests == 2000 and each.failures[0].index == 1234


@pytest.mark.slow
def test_shares_are_put_together_by_copying_logs(every_kind, tmp_path):
    whole = every_kind[2]
    tests = sum(by_name(whole)[name].tests for name in ("fails", "random_passes"))
    for share in (1, 2):
        part = run(tmp_path, "fails", "random_passes", into=f"part{share}", share=(share, 2))
        assert not part.finished and part.tests < tests
    for path in (tmp_path / "part2" / "log").glob("*.jsonl"):
        path.rename(tmp_path / "part1" / "log" / path.name)
    together = run(tmp_path, "fails", "random_passes", into="part1")
    assert essence(together) == essence(whole, "fails", "random_passes")


def test_code_that_changed_is_begun_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    helper, test = tmp_path / "changing_helper.py", tmp_path / "changing.py"
    helper.write_text("def bound():\n    return 50\n")
    test.write_text(
        "from changing_helper import bound\nfrom everycase import gen, given, settings\n\n"
        "@settings(database=None)\n@given(gen.integers(0, 99))\ndef small(n):\n    assert n < bound()\n\n"
        "@settings(database=None)\n@given(gen.integers(0, 99))\ndef other(n):\n    assert n < 100\n"
    )
    targets = ["changing:small", "changing:other"]
    first = by_name(campaign.run(targets, "c", workers=1))
    assert first["small"].failures[0].index == 50
    helper.write_text("def bound():\n    return 2000\n")
    second = by_name(campaign.run(targets, "c", workers=1))
    assert second["small"].verdict == "passed (changed)" and "changed" in second["small"].words
    assert second["other"].verdict == "passed" and second["other"].tests == 100


# --- kills ------------------------------------------------------------------------------------------------------

SCRIPT = """
from everycase import campaign
campaign.run({targets!r}, {into!r}, workers=2, seed=7)
"""


def descendants(pid):
    import psutil

    try:
        return [
            each
            for each in psutil.Process(pid).children(recursive=True)
            if "everycase" in " ".join(each.cmdline())
        ]
    except psutil.NoSuchProcess:
        return []


@pytest.mark.slow
def test_kills_of_workers_and_starters_change_nothing(undisturbed, tmp_path, monkeypatch):
    """Workers are killed again and again, and the starter twice: nothing is skipped, and nothing is booked twice."""
    import psutil

    targets = names("told", "fails", "climbs")
    (tmp_path / "told").mkdir()
    monkeypatch.setenv("CAMPAIGN_TOLD", str(tmp_path / "told"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]))
    script = SCRIPT.format(targets=targets, into=str(tmp_path / "c"))
    kills, workers = 0, []
    for turn in range(3):
        with subprocess.Popen([sys.executable, "-c", script]) as starter:
            end = time.monotonic() + (1.5 if turn < 2 else 300)
            while starter.poll() is None and time.monotonic() < end:
                time.sleep(0.25)
                found = descendants(starter.pid)
                workers += found
                if found and kills < 6:
                    kills += 1
                    found[kills % len(found)].send_signal(signal.SIGKILL)
            starter.kill()
    report = campaign.run(targets, tmp_path / "c", workers=2)
    assert kills and essence(report) == essence(undisturbed, "told", "fails", "climbs")
    tested = {int(n) for path in (tmp_path / "told").iterdir() for n in path.read_text().split()}
    assert tested == set(range(2000)), "nothing was skipped"
    booked = [
        line for path in (tmp_path / "c" / "log").glob("*.jsonl") for line in path.read_text().splitlines()
    ]
    leases = [json.loads(line) for line in booked if '"lease"' in line]
    places = [
        n
        for each in leases
        if each["technique"] == "numbers" and each["property"].endswith("told")
        for n in range(each["from"], each["to"])
    ]
    assert sorted(places) == list(range(2000)), "nothing was booked twice"
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert not alive, "no process is left behind"


# --- bad input --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_bad_input_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    problem = errors.CampaignProblem
    with pytest.raises(problem, match="cannot be imported"):
        campaign.run("nowhere:test", "a", workers=1)
    with pytest.raises(problem, match=r"there is no file 'test_none.py'"):
        campaign.run("test_none.py", "b", workers=1)
    Path("test_plain.py").write_text("def test_plain():\n    pass\n")
    with pytest.raises(problem, match=r"no properties in test_plain.py"):
        campaign.run("test_plain.py", "c", workers=1)
    assert not Path("c").exists(), "the folder is free for the right target"
    write_about(Path("c"), {"targets": ["test_plain.py"], "seed": 1})
    with pytest.raises(problem, match=r"on test_plain.py; choose another folder for other.py"):
        campaign.run("other.py", "c", workers=1)
    with pytest.raises(problem, match="there is no campaign"):
        campaign.read("nothing")
    with pytest.raises(errors.InvalidArgument, match="cannot be found by other processes"):
        campaign.run(lambda n: True, "d")
    with pytest.raises(errors.InvalidArgument, match="one of workers, executor and dask"):
        campaign.run("x:y", "d", workers=1, dask="tcp://nowhere:1")
    for address in ("nonsense", "", "localhost:8786"):
        with pytest.raises(problem, match="is no address of a scheduler"):
            campaign.run("x:y", "d", dask=address)
    for wrong in (
        {"lease_limit": 0},
        {"max_memory": 0},
        {"workers": 0},
        {"max_seconds": 0},
        {"islands": 0},
        {"share": (3, 2)},
        {"max_examples": 0},
    ):
        with pytest.raises(errors.InvalidArgument, match=next(iter(wrong))):
            campaign.run("x:y", "d", **wrong)
    assert not (tmp_path / "d").exists()
