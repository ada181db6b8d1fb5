"""``max_seconds`` holds where the work grows with the number of branches: every verdict comes in time."""

from __future__ import annotations

import pytest
from samples import module

from everycase.complete import gaps, repair
from everycase.complete.clock import Clock, TimeIsUp
from everycase.complete.frontend.reader import new_program
from everycase.complete.search import concrete
from everycase.complete.search.promise import natively_valid
from everycase.complete.search.worlds import World

BODY = "    x{i} = draw(gen.integers(0, 5)) if draw(gen.booleans()) else draw(gen.integers(6, 20))\n"


def branching(count):
    parts = "".join(BODY.format(i=i) for i in range(count))
    kinds, names = ", ".join(["int"] * count), ", ".join(f"x{i}" for i in range(count))
    text = f"@covers(lambda v: True)\n@gen.composite\ndef f(draw) -> tuple[{kinds}]:\n{parts}    return ({names})\n"
    return module(text)["f"]


def test_a_question_without_time_says_so():
    verdict = gaps(branching(6), max_seconds=1e-6)
    assert verdict.status == "no gap found"
    assert not verdict.checked
    assert "time limit" in verdict.notes[0]


@pytest.mark.parametrize("seconds", [1e-6, 0.001])
def test_a_repair_without_time_says_so(seconds):
    result = repair(branching(6), max_seconds=seconds)
    assert result.status == "not repaired"
    assert result.bound == f"--max-seconds {seconds:g}"


def test_a_record_of_many_numbers_does_not_fill_the_memory():
    world = World((0, 1, 2, 3), ("a",), 100)
    kind = new_program().generator(branching(6)).result
    assert len(world.of_size(kind, 0)) == 4**6
    wide = new_program().generator(branching(8)).result
    assert len(world.of_size(wide, 0)) < 4**8
    assert world.cut


def test_values_that_are_really_made_are_looked_for_within_the_time():
    model = new_program().generator(branching(6))
    with pytest.raises(TimeIsUp):
        concrete.RealSets(World((0, 1), ("a",), 100), Clock(0.0)).values(model)


class Times:
    """Instead of the module ``time``, on a system that says nothing else: the work of the thread, and the time of day."""

    def __init__(self):
        self.worked = self.passed = 0.0

    def thread_time(self):
        return self.worked

    def monotonic(self):
        return self.passed


def test_a_busy_machine_takes_no_time_from_a_limit(monkeypatch):
    times = Times()
    monkeypatch.setattr("everycase.complete.clock.time", times)
    monkeypatch.setattr("everycase.complete.clock.waited_for_processor", lambda: None)
    whole = Clock(10.0)
    part = whole.part(0.5)
    times.worked, times.passed = 1.0, 3.0  # two seconds for other processes
    assert (whole.left(), part.left()) == (9.0, 4.0)
    assert whole.by_the_wall() == 27.0
    times.passed = 41.0  # but there is an end
    assert whole.left() < 0


def test_the_time_for_which_a_generator_sleeps_counts(monkeypatch):
    times = Times()
    monkeypatch.setattr("everycase.complete.clock.time", times)
    monkeypatch.setattr("everycase.complete.clock.waited_for_processor", lambda: None)
    whole = Clock(10.0)
    part = whole.part(0.5)
    with part.running():
        times.worked, times.passed = 1.0, 5.0
    assert (whole.left(), part.left()) == (5.0, 0.0)
    with pytest.raises(TimeIsUp):
        part.check()


def test_sleep_counts_and_waiting_for_a_processor_does_not(monkeypatch):
    times, waited = Times(), 0.0
    monkeypatch.setattr("everycase.complete.clock.time", times)
    monkeypatch.setattr("everycase.complete.clock.waited_for_processor", lambda: waited)
    whole = Clock(10.0)
    times.worked, times.passed, waited = 1.0, 8.0, 4.0  # it worked for a second and slept for three
    assert whole.left() == 6.0
    times.passed, waited = 41.0, 37.0  # but there is an end
    assert whole.left() < 0


def test_the_predicate_is_not_asked_when_the_time_is_up():
    model = new_program().generator(branching(1))
    model.program.clock = Clock(0.0)
    with pytest.raises(TimeIsUp):
        natively_valid(model, ())
