"""Laws of the log, the fold over it, leases and their intervals, without any worker."""

from __future__ import annotations

import itertools
import json
import random

import pytest

from everycase import errors, gen, given, settings
from everycase.campaign.intervals import Intervals
from everycase.campaign.lease import Lease, Todo
from everycase.campaign.log import (
    Writer,
    number_in,
    number_out,
    read_about,
    read_lines,
    write_about,
    writing,
)
from everycase.campaign.report import failures_of, report_of
from everycase.campaign.state import Progress, compact, compact_dead, fold, read_state
from everycase.run.leases import LeaseSize

ranges = gen.lists(gen.tuples(gen.integers(0, 60), gen.integers(0, 12)), max_size=12)


@given(ranges)
def test_intervals_are_the_set_of_their_numbers(pairs):
    intervals = Intervals((start, start + length) for start, length in pairs)
    numbers = {n for start, length in pairs for n in range(start, start + length)}
    assert {n for start, stop in intervals for n in range(start, stop)} == numbers
    assert intervals.total == len(numbers)
    missing = {n for start, stop in intervals.gaps(80) for n in range(start, stop)}
    assert missing == set(range(80)) - numbers
    assert all(intervals.meets(n, n + 2) == bool({n, n + 1} & numbers) for n in range(80))
    borders = [edge for pair in intervals for edge in pair]
    assert borders == sorted(set(borders)), "none touches another"


def lease_line(start, stop, **more):
    return {
        "kind": "lease",
        "property": "t",
        "fingerprint": "f",
        "technique": "numbers",
        "from": number_out(start),
        "to": number_out(stop),
        "tests": stop - start,
        "time": 1000.0 + start % 50,
        "worker": f"w{start % 3}",
        **more,
    }


def failure_line(place):
    return {
        "origin": "AssertionError at t.py:1",
        "place": place,
        "test": 0,
        "index": place,
        "blob": f"b{place}",
        "flaky": False,
        "input": f"t({place})",
        "error": "AssertionError",
    }


def partial_line(place, tests, fails=False):
    found = {"failures": [failure_line(place)]} if fails else {}
    return lease_line(place, place + 1, kind="partial", **found) | {"tests": tests}


PLAN = {
    "kind": "plan",
    "property": "t",
    "fingerprint": "f",
    "time": 1.0,
    "name": "t",
    "way": {},
    "technique": "numbers",
    "explorer": "Exhaustive()",
    "total": 200,
    "all": True,
    "wants_all": False,
    "limited": False,
    "max_examples": 1000,
    "block": 100,
    "seed": 1,
    "is_whole": True,
    "given": False,
}
RUN = {"kind": "run", "id": "r", "time": 1.0, "properties": ["t"], "problems": [], "islands": 4}


def told(state):
    return json.dumps(
        report_of(state, {"targets": ["t"]}, __import__("pathlib").Path("x")).to_json(), sort_keys=True
    )


@settings(max_examples=200)
@given(
    gen.lists(gen.tuples(gen.integers(0, 150), gen.integers(1, 40), gen.booleans()), max_size=10),
    gen.lists(gen.tuples(gen.integers(0, 150), gen.integers(1, 5), gen.booleans()), max_size=5),
    gen.integers(0, 10**6),
)
def test_the_fold_does_not_depend_on_order_or_repetition(pieces, begun, seed):
    lines = [PLAN, RUN, {"kind": "lost", "id": "l1", "why": "x"}]
    lines += [
        lease_line(start, start + length, failures=[failure_line(start)] if fails else [])
        for start, length, fails in pieces
    ]
    lines += [partial_line(place, tests, fails) for place, tests, fails in begun]
    expected = told(fold(lines))
    assert told(fold(fold(lines).as_lines())) == expected
    dice = random.Random(seed)
    shuffled = lines + dice.choices(lines, k=5)
    dice.shuffle(shuffled)
    assert told(fold(shuffled)) == expected


@given(gen.lists(gen.tuples(gen.integers(0, 150), gen.integers(1, 40)), max_size=10))
def test_nothing_is_counted_twice(pieces):
    state = fold([PLAN, RUN, *[lease_line(start, start + length) for start, length in pieces]])
    progress = state.of("t", "f")
    assert progress.tests == progress.places("numbers").total
    covered = {n for start, length in pieces for n in range(start, start + length)}
    assert {n for a, b in progress.places("numbers") for n in range(a, b)} <= covered


def test_a_place_that_was_begun_counts_until_it_is_booked():
    lines = [PLAN, RUN, lease_line(0, 50), partial_line(70, 3), partial_line(70, 2), partial_line(71, 1)]
    assert report_of(fold(lines), {}, "x").tests == 54
    assert report_of(fold([*lines, lease_line(60, 71)]), {}, "x").tests == 62
    assert report_of(fold([*lines, lease_line(60, 80)]), {}, "x").tests == 70


def test_the_fold_holds_no_lines_that_it_has_booked():
    class Counted(dict):
        alive = most = 0

        def __init__(self, line):
            super().__init__(line)
            Counted.alive += 1
            Counted.most = max(Counted.most, Counted.alive)

        def __del__(self):
            Counted.alive -= 1

    class Many:
        def __iter__(self):
            return (Counted(lease_line(2 * n, 2 * n + 2)) for n in range(500))

    state = fold(Many())
    assert state.of("t", "f").tests == 1000 and Counted.most < 10


def test_a_writer_is_known_to_be_writing_until_it_ends(tmp_path):
    assert writing(tmp_path) == []
    writer = Writer(tmp_path)
    writer.write(PLAN)
    assert writing(tmp_path) == [writer.name]
    writer.close()
    assert writing(tmp_path) == []


def test_a_torn_last_line_is_passed_over(tmp_path):
    write_about(tmp_path, {"targets": ["t"], "seed": 1})
    writer = Writer(tmp_path)
    writer.write(PLAN, RUN, lease_line(0, 50), lease_line(50, 100))
    writer.close()
    whole = writer.path.read_bytes()
    for cut in range(1, 60):
        writer.path.write_bytes(whole[:-cut])
        state = read_state(tmp_path)
        assert state.of("t", "f").tests == (100 if cut == 1 else 50)


def test_lines_that_are_not_ours_are_passed_over(tmp_path):
    writer = Writer(tmp_path)
    writer.write(PLAN)
    writer.close()
    (tmp_path / "log" / "other.jsonl").write_bytes(
        b'\xff\xfe\n[1]\n{"v": 99, "kind": "lease"}\n\n{"v": 1}\nnull\n'
    )
    assert [line["v"] for line in read_lines(tmp_path)] == [1, 1]
    assert fold(read_lines(tmp_path)).of("t", "f").plan


def test_large_numbers_are_written_as_text():
    for number in (0, 5, 2**53 - 1, 2**53, 10**40, None):
        assert number_in(json.loads(json.dumps(number_out(number)))) == number
    assert number_out(10**40) == "1" + "0" * 40


def test_compaction_says_the_same_in_few_lines(tmp_path):
    write_about(tmp_path, {"targets": ["t"], "seed": 1})
    pieces = [(n, n + 2) for n in range(0, 180, 2)]
    random.Random(1).shuffle(pieces)
    for part in (pieces[:30], pieces[30:]):
        writer = Writer(tmp_path)
        writer.write(
            PLAN, RUN, *[lease_line(a, b, failures=[failure_line(a)] if a == 60 else []) for a, b in part]
        )
        writer.close()
    before = told(read_state(tmp_path))
    paths = sorted((tmp_path / "log").glob("*.jsonl"))
    kept = {path: path.read_bytes() for path in paths}
    compact(tmp_path, paths)
    assert len(list(read_lines(tmp_path))) == 3
    assert told(read_state(tmp_path)) == before
    # Killed between writing the new file and taking away the old ones: both are there.
    for path, data in kept.items():
        path.write_bytes(data)
    assert told(read_state(tmp_path)) == before


def test_files_of_writers_that_may_live_are_not_compacted(tmp_path):
    (tmp_path / "log").mkdir()
    other = tmp_path / "log" / "elsewhere-1-abcdef01.jsonl"
    other.write_text(json.dumps({"v": 1, **PLAN}) + "\n")
    compact_dead(tmp_path, worthwhile=0)
    assert other.exists()


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(errors.CampaignProblem, match="not the folder of a campaign"):
        read_about(tmp_path)
    with pytest.raises(errors.CampaignProblem, match="is a file"):
        write_about(tmp_path / "notes.txt", {})
    (tmp_path / "campaign.json").write_text('{"version": 2}')
    with pytest.raises(errors.CampaignProblem, match="version 2"):
        read_about(tmp_path)
    (tmp_path / "campaign.json").write_text("{")
    with pytest.raises(errors.CampaignProblem, match="cannot be read"):
        read_about(tmp_path)


def test_what_is_lost_before_it_begins_is_nobodys_fault(tmp_path):
    """No matter how often workers are killed while they start, the lease stays as it is and no input is blamed."""
    from everycase.campaign.starter import Starter
    from everycase.campaign.state import CampaignState

    plan = {key: value for key, value in PLAN.items() if key not in ("kind", "property", "time")}
    planned = {"properties": [plan], "problems": []}
    starter = Starter(tmp_path, {}, CampaignState(), {"run": "r"}, planned, {"islands": 4}, limit=None)
    todo = starter.todos["t"]
    lease = Lease("t", "numbers", 5, 6, careful=True)
    for lost in ({"code": -9, "begun": False}, {"code": None}) * 10:
        (line,) = starter._booked(todo, lease, {"lost": "signal 9", **lost})
        assert line["kind"] == "lost"
        lease = todo.next(1)
        assert (lease.start, lease.stop, lease.deaths) == (5, 6, 0)
    starter.writer.close()
    assert not todo.progress.died


# --- leases -----------------------------------------------------------------------------------------------------


def todo(total=1000, booked=(), **more):
    progress = Progress("t", "f")
    progress.plan = {**PLAN, "total": total}
    for start, stop in booked:
        progress.places("numbers").add(start, stop)
    return Todo(progress.plan, progress, islands=4, open_ended=False, max_examples=None, **more)


def handed_out(todo, workers=2):
    leases = []
    while (lease := todo.next(workers)) is not None:
        leases.append(lease)
        todo.lease_size.measured(lease.stop - lease.start, 0.01 * (lease.stop - lease.start))
    return leases


@pytest.mark.slow
@given(gen.lists(gen.tuples(gen.integers(0, 990), gen.integers(1, 200)), max_size=6), gen.integers(1, 3))
def test_leases_are_what_is_missing_each_place_once(pieces, shares):
    booked = [(start, min(1000, start + length)) for start, length in pieces]
    places = []
    for share in range(shares):
        for lease in handed_out(todo(booked=booked, share=(share, shares))):
            places += range(lease.start, lease.stop)
    done = {n for start, stop in booked for n in range(start, stop)}
    assert sorted(places) == sorted(set(range(1000)) - done)


def test_first_leases_are_small_and_later_ones_are_sized_by_time():
    lease_size = LeaseSize()
    sizes = []
    for _ in range(8):
        size = lease_size.places(2, None)
        sizes.append(size)
        lease_size.measured(size, size * 1e-5)
    assert sizes[0] <= 64
    assert all(b <= 8 * a for a, b in itertools.pairwise(sizes))
    assert 0.9 < sizes[-1] * 1e-5 / 2.0 < 1.1
    for _ in range(20):
        lease_size.lost()
    assert lease_size.places(2, None) * 1e-5 < 0.1


def test_a_lost_lease_is_tested_again_with_care_and_cut_where_it_died():
    lease = Lease("t", "numbers", 10, 20)
    (careful,) = lease.after_loss(None)
    assert careful.careful and (careful.start, careful.stop) == (10, 20)
    before, suspect, after = careful.after_loss((13, 0))
    assert [(each.start, each.stop) for each in (before, suspect, after)] == [(10, 13), (13, 14), (14, 20)]
    assert not suspect.is_deadly(by_kill=False)
    (again,) = suspect.after_loss((13, 0))
    assert again.is_deadly(by_kill=False) and not again.is_deadly(by_kill=True)
    (once_more,) = again.after_loss((13, 0))
    assert once_more.is_deadly(by_kill=True)
    halves = careful.after_loss(None)
    assert [(each.start, each.stop) for each in halves] == [(10, 15), (15, 20)]


def test_a_full_disk_is_one_sentence(tmp_path, monkeypatch):
    writer = Writer(tmp_path)
    writer.write(PLAN)

    class Full:
        def write(self, data):
            raise OSError(28, "No space left on device")

        def close(self):
            pass

    writer._file.close()
    writer._file = Full()
    with pytest.raises(errors.CampaignProblem, match=r"No space left on device.*run the same command again"):
        writer.write(RUN)
    assert len(list(read_lines(tmp_path))) == 1


@pytest.mark.parametrize("index", [None, 7])
def test_of_many_deaths_of_one_kind_the_shrunk_one_is_shown_unless_they_have_numbers(index):
    progress = Progress("t", "f")
    line = {"origin": "died: 1", "error": "the process died: 1", "index": index, "blob": "", "input": ""}
    for place in range(3):
        progress.die({**line, "place": number_out(place)})
    assert len(failures_of(progress)) == 3
    progress.die({**line, "place": number_out(1), "input": "small", "shrunk": True})
    assert len(failures_of(progress)) == (1 if index is None else 3)
    assert "small" in [failure.input for failure in failures_of(progress)]
