"""Campaigns on Dask: a local cluster whose workers are killed by hand and by their nannies."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from campaign_running import essence, names

from everycase import campaign, errors
from everycase.campaign.starter import raised_in_dask

distributed = pytest.importorskip("distributed")

HERE = str(Path(__file__).parent)


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


def children_of(cluster):
    """The processes that workers started to run tests."""
    import psutil

    found = [child for each in cluster.workers.values() for child in psutil.Process(each.pid).children()]
    return [child for child in found if "everycase.campaign.child" in child.cmdline()]


@pytest.mark.slow
def test_a_cluster_comes_to_the_result_of_one_machine_whatever_is_killed(cluster, undisturbed, tmp_path):
    targets = names("told", "fails", "segfaults", "climbs")
    over = threading.Event()
    killed = []

    def kill():
        while not over.wait(0.8) and len(killed) < 3:
            workers = [each for each in cluster.workers.values() if getattr(each, "pid", None)]
            if workers:
                worker = workers[len(killed) % len(workers)]
                killed.append(worker.pid)
                if len(killed) == 2:
                    cluster.sync(worker.kill, timeout=1)  # by its nanny, which starts another
                    cluster.sync(worker.instantiate)
                else:
                    os.kill(worker.pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        report = campaign.run(targets, tmp_path / "c", dask=cluster.scheduler_address, seed=7)
    finally:
        over.set()
        thread.join()
    assert killed
    assert essence(report) == essence(undisturbed)
    assert not children_of(cluster), "no process is left behind"


@pytest.mark.slow
def test_any_executor_will_do(cluster, tmp_path):
    with distributed.Client(cluster) as client:
        report = campaign.run(names("fails"), tmp_path / "c", executor=client.get_executor(), seed=7)
    assert [failure.index for failure in report.properties[0].failures] == [12_345, 24_001]
    assert not children_of(cluster), "no process is left behind"


def test_a_scheduler_that_is_not_there_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr("everycase.campaign.executors.PATIENCE", 0.5)
    with pytest.raises(errors.CampaignProblem, match=r"no scheduler at tcp://127.0.0.1:1 .*dask scheduler"):
        campaign.run(names("fails"), tmp_path / "c", dask="tcp://127.0.0.1:1")


def test_a_result_that_dask_loses_while_handing_it_over_is_a_lost_lease():
    dask = {"__name__": "distributed.cfexecutor"}
    exec("def hand_over(result):\n    typ, exc, tb = result", dask)
    with pytest.raises(ValueError) as lost:
        dask["hand_over"](range(5))
    assert raised_in_dask(lost.value)
    with pytest.raises(ValueError) as own:
        int("x")
    assert not raised_in_dask(own.value)
