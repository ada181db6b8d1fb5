"""Asynchronous properties without pytest: awaited on a running loop, or run by ``check``."""

from __future__ import annotations

import asyncio
import threading

import pytest
import trio

from everycase import assume, check, errors, event, gen, given, note, settings
from everycase.explore import Narrow


@given(gen.integers())
@settings(database=None)
async def below_ten(n):
    await asyncio.sleep(0)
    note("noted")
    assert n < 10


def test_check_runs_a_coroutine_function():
    async def positive(n):
        await asyncio.sleep(0)
        assume(n != 3)
        event("seen")
        assert n < 10

    report = check(positive, gen.integers(), database=None)
    assert report.status == "failed" and report.counterexample == (10,)
    assert check(below_ten).counterexample == (10,)


def test_check_of_a_coroutine_that_returns_false():
    async def small(n):
        return n < 10

    assert check(small, gen.integers(), database=None).counterexample == (10,)


def test_check_on_a_running_loop_is_refused():
    async def main():
        check(below_ten)

    with pytest.raises(errors.InvalidArgument, match="put the test under @given and await it"):
        asyncio.run(main())


@pytest.mark.parametrize("start", [asyncio.run, lambda coroutine: trio.run(lambda: coroutine)])
def test_awaiting_a_property(start):
    seen = []

    @given(gen.integers())
    @settings(max_examples=50, database=None)
    async def test(fixed, n):
        seen.append((fixed, threading.current_thread()))
        assume(n != 7)
        event("seen")

    async def main():
        await test("fixed")

    start(main())
    assert len(seen) >= 50
    # On the thread of the loop, whatever thread the run is in.
    assert set(seen) == {("fixed", threading.current_thread())}


@pytest.mark.parametrize("library", ["asyncio", "trio"])
def test_a_failure_is_raised_with_its_notes(library):
    async def main():
        await below_ten_of[library]()

    @given(gen.integers())
    @settings(database=None)
    async def below_ten_in_trio(n):
        await trio.sleep(0)
        note("noted")
        assert n < 10

    below_ten_of = {"asyncio": below_ten, "trio": below_ten_in_trio}
    with pytest.raises(AssertionError) as caught:
        asyncio.run(main()) if library == "asyncio" else trio.run(main)
    notes = caught.value.__notes__
    assert notes[0] == "Falsifying input:" and notes[1].endswith("(n=10)") and "note: noted" in notes


def test_a_passing_test_says_that_its_precondition_was_not_pruned():
    @given(gen.booleans()).where(lambda b: type(b) is bool)
    @settings(explore=Narrow(max_size=0), database=None)
    async def passes(b):
        await asyncio.sleep(0)

    with pytest.warns(errors.EverycaseWarning, match="went on by filtering") as said:
        asyncio.run(passes())
    assert said[0].filename == __file__


def test_two_runs_on_one_loop_and_one_inside_the_other():
    sums = []

    @given(gen.integers(0, 10**6))
    @settings(max_examples=10, database=None)
    async def inner(total, n):
        await asyncio.sleep(0)
        note("inner")
        sums.append(total)

    @given(gen.integers(0, 10**6))
    @settings(max_examples=10, database=None)
    async def outer(name, n):
        await inner(name)
        note("outer")

    async def main():
        await asyncio.gather(outer("a"), outer("b"))

    asyncio.run(main())
    assert sorted(sums) == ["a"] * 100 + ["b"] * 100


def test_cancelling_stops_the_run_and_its_thread():
    entered = []
    cleaned = []

    @given(gen.integers())
    @settings(database=None)
    async def forever(n):
        entered.append(n)
        try:
            await asyncio.sleep(3600)
        finally:
            cleaned.append(n)

    async def main():
        task = asyncio.create_task(forever())
        while not entered:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert task.cancelled()
        return set(threading.enumerate()) - before

    before = set(threading.enumerate())
    left = asyncio.run(main())
    for thread in left:
        thread.join(60)
        assert not thread.is_alive()
    assert len(entered) == 1 and cleaned == entered


def test_a_timeout_of_asyncio_stops_the_run():
    @given(gen.integers())
    @settings(database=None)
    async def forever(n):
        await asyncio.sleep(3600)

    async def main():
        async with asyncio.timeout(0.05):
            await forever()

    with pytest.raises(TimeoutError):
        asyncio.run(main())


def test_a_timeout_of_trio_stops_the_run():
    entered = []

    @given(gen.integers())
    @settings(database=None)
    async def forever(n):
        entered.append(n)
        await trio.sleep(3600)

    async def main():
        with trio.move_on_after(0.05) as scope:
            await forever()
        return scope.cancelled_caught

    assert trio.run(main)
    assert len(entered) == 1


def test_an_interrupt_inside_a_test_case_is_not_a_failure():
    entered = []

    @given(gen.integers())
    @settings(database=None)
    async def interrupted(n):
        entered.append(n)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(interrupted())
    assert len(entered) == 1


def test_a_run_that_is_cancelled_by_its_own_test_fails():
    @given(gen.integers())
    @settings(database=None)
    async def cancels_itself(n):
        if n >= 10:
            asyncio.current_task().cancel()
        await asyncio.sleep(0)

    report = check(cancels_itself)
    assert report.counterexample == (10,)

    async def main():
        await cancels_itself()

    with pytest.raises(asyncio.CancelledError) as caught:
        asyncio.run(main())
    assert any(line.endswith("(n=10)") for line in caught.value.__notes__)
