"""Observability lines: in Hypothesis' format, for every explorer."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st
from hypothesis.internal import observability

from everycase import assume, check, event, gen, given, maximize, minimize, note, settings
from everycase.explore import Anneal, Auto, Climb, Covering, Exhaustive, Narrow, Orders, Patterns, Random
from everycase.report.reading import runs_of
from everycase.run.observing.line_files import read_lines
from everycase.run.observing.tally import Tally
from everycase.stateful import RuleBasedStateMachine, rule
from sample_types import Leaf, Point


@dataclass(frozen=True)
class Node:
    left: Node | Leaf
    right: Node | Leaf


def lines_of(folder: Path, kind: str = "test_case") -> list[dict[str, Any]]:
    return [line for line in read_lines(folder) if line["type"] == kind]


def says_much(n: int) -> None:
    """A test that passes, fails, is discarded, and uses every kind of message."""
    assume(n % 3)
    note("seen")
    event("small", n < 5)
    assert n < 50


def theirs() -> list[dict[str, Any]]:
    """The lines that Hypothesis writes, in this process."""
    seen: list[Any] = []

    @hypothesis.settings(max_examples=200, database=None, deadline=None)
    @hypothesis.given(st.integers(0, 100))
    def says_much(n: int) -> None:
        hypothesis.assume(n % 3)
        hypothesis.note("seen")
        hypothesis.event("small", n < 5)
        hypothesis.target(float(n), label="n")
        assert n < 50

    with observability.with_observability_callback(seen.append), pytest.raises(AssertionError):
        says_much()
    from hypothesis.strategies._internal.utils import to_jsonable

    return [json.loads(json.dumps(to_jsonable(one, avoid_realization=False))) for one in seen]


def test_lines_have_the_keys_of_hypothesis_lines(tmp_path: Path) -> None:
    def test(n: int) -> None:
        maximize(n, "n")
        says_much(n)

    for seed in range(4):
        check(test, gen.integers(0, 100), seed=seed, observe=tmp_path, database=None, explore=Random())
        check(lambda n: True, gen.integers(0, 10**9), seed=seed, observe=tmp_path, max_examples=300)
    ours = lines_of(tmp_path)
    assert len(ours) >= 1000
    every = theirs()
    other = [line for line in every if line["type"] == "test_case"]
    info = [line for line in every if line["type"] == "info"]
    assert {frozenset(line) for line in ours} == {frozenset(line) for line in other}
    metadata = {frozenset(line["metadata"]) - {"everycase"} for line in ours}
    assert metadata == {frozenset(line["metadata"]) for line in other}
    assert {line["status"] for line in ours} == {"passed", "failed", "gave_up"}
    for status in ("passed", "failed"):
        known = {frozenset(line["timing"]) for line in other if line["status"] == status}
        assert {frozenset(line["timing"]) for line in ours if line["status"] == status} <= known
    for line in ours:
        like = next(one for one in other if one["status"] == line["status"])
        assert _types(line) == _types(like)
    infos = {frozenset(line) for line in lines_of(tmp_path, "info")}
    assert not info or infos == {frozenset(line) for line in info}


def _types(line: dict[str, Any]) -> dict[str, type]:
    return {key: type(value) for key, value in line.items() if key != "coverage"}


def test_a_line_says_what_was_tested(tmp_path: Path) -> None:
    def test(n: int) -> None:
        maximize(n, "n")
        minimize(n, "less")
        says_much(n)

    report = check(test, gen.integers(0, 100), seed=1, observe=tmp_path, database=None, explore=Random())
    lines = lines_of(tmp_path)
    last = [line for line in lines if line["status"] == "failed"][-1]
    assert last["how_generated"] == "minimal failing test case"
    assert last["arguments"] == {"n": 50}
    assert last["representation"] == "test(n=50)"
    assert last["features"] == {"target:n": 50.0, "target:less": 50.0, "small: False": ""}
    assert last["metadata"]["notes"] == ["seen"]
    assert last["metadata"]["interesting_origin"]["exc_type"] == "AssertionError"
    assert "assert n < 50" in last["metadata"]["traceback"]
    assert last["metadata"]["reproduction_decorator"] == f'@reproduce("{report.blob}")'
    assert {line["metadata"]["phase"] for line in lines} >= {"generate", "shrink", None}
    discarded = next(line for line in lines if line["status"] == "gave_up")
    assert discarded["status_reason"].startswith("assume() in test_observing.py, line ")
    explored = [line for line in lines if line["metadata"]["phase"] == "generate"]
    assert len(explored) == report.examples + report.discarded


class Counter(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.n = 0

    @rule()
    def up(self) -> None:
        self.n += 1

    @rule(by=gen.integers(1, 3))
    def down(self, by: int) -> None:
        self.n -= by


def is_sorted(xs: list[int]) -> bool:
    return xs == sorted(xs)


FEW = gen.lists(gen.integers(0, 9))
TREES = gen.from_type(Node).filter(lambda tree: isinstance(tree.left, Leaf))
THREE = [gen.booleans(), gen.sampled_from("abc"), gen.booleans()]


@pytest.mark.parametrize(
    ("explorer", "gens", "word"),
    [
        (Random(), [FEW], "random"),
        (Auto(), [gen.integers(0, 5)], "exhaustive #3"),
        (Exhaustive(max_size=3), [FEW], "exhaustive #2"),
        (Covering(strength=2), THREE, "row 2 of a covering array"),
        (Narrow(max_size=3), [FEW.filter(is_sorted)], "pruned"),
        (Patterns(max_size=5), [TREES], "pruned, by pattern"),
        (Climb(), [FEW], "neighbour of the best"),
        (Anneal(), [FEW], "neighbour of the best"),
    ],
)
def test_every_explorer_names_its_way(explorer: Any, gens: list[Any], word: str, tmp_path: Path) -> None:
    def test(*args: Any) -> None:
        maximize(len(str(args)))

    check(test, *gens, explore=explorer, max_examples=60, seed=0, observe=tmp_path, database=None)
    assert word in {line["how_generated"] for line in lines_of(tmp_path)}


@pytest.mark.parametrize("explorer", [Random(), Exhaustive(max_size=2), Orders(strength=2)])
def test_state_machines_show_their_steps(explorer: Any, tmp_path: Path) -> None:
    check(Counter, explore=explorer, max_examples=20, seed=0, observe=tmp_path, database=None)
    assert any("state.down(by=" in line["representation"] for line in lines_of(tmp_path))


def test_values_of_all_kinds_make_strict_json(tmp_path: Path) -> None:
    class Odd:
        def __repr__(self) -> str:
            raise ValueError("no")

    values = [
        float("nan"),
        float("inf"),
        10**5000,
        b"\xff",
        "\ud800</script>",
        {(1, 2): Point(1, "a")},
        Odd(),
        {3},
    ]
    odd = gen.integers(0, 7).map(values.__getitem__)
    check(lambda v: True, odd, explore=Exhaustive(), observe=tmp_path, database=None)
    lines = [
        json.loads(line, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
        for file in tmp_path.glob("*.jsonl")
        for line in file.read_text().splitlines()
    ]
    assert sum(line["type"] == "test_case" for line in lines) == 8


def test_what_the_test_changes_is_shown_as_it_was_given(tmp_path: Path) -> None:
    pairs = gen.lists(gen.booleans(), min_size=2, max_size=2)
    check(lambda xs: xs.clear(), pairs, observe=tmp_path, database=None)
    assert all(len(line["arguments"]["xs"]) == 2 for line in lines_of(tmp_path))


def test_sizes_and_depths_are_in_the_line(tmp_path: Path) -> None:
    points = gen.lists(gen.builds(Point, gen.just(1), gen.just("a")), min_size=2, max_size=2)
    check(lambda ps: True, points, observe=tmp_path, database=None)
    own = lines_of(tmp_path)[0]["metadata"]["everycase"]
    assert own == {"size": 7, "depth": 2, "constructors": {"Point": 2}}


def test_the_environment_and_the_decorator_switch_it_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVERYCASE_OBSERVE", str(tmp_path / "by_variable"))
    check(lambda b: True, gen.booleans(), database=None)
    assert len(lines_of(tmp_path / "by_variable")) == 2
    monkeypatch.setenv("EVERYCASE_OBSERVE", "0")

    @settings(observe=tmp_path / "by_decorator", database=None)
    @given(gen.booleans())
    def test(b: bool) -> None:
        pass

    test()
    assert len(lines_of(tmp_path / "by_decorator")) == 2


def test_an_observed_run_does_the_same_as_an_unobserved_one(tmp_path: Path) -> None:
    def run(**options: Any) -> list[list[int]]:
        seen: list[list[int]] = []
        check(lambda xs: seen.append(list(xs)), gen.lists(gen.integers()), seed=5, database=None, **options)
        return seen

    assert run() == run(observe=tmp_path)


def test_a_run_comes_back_from_its_lines(tmp_path: Path) -> None:
    report = check(says_much, gen.integers(0, 100), seed=1, observe=tmp_path, database=None, explore=Random())
    (told,) = runs_of(read_lines(tmp_path))
    assert told["verdict"] == report.to_json()["verdict"]
    (counted,) = runs_of(lines_of(tmp_path))
    assert counted["status"] == "failed"
    assert (counted["examples"], counted["discarded"]) == (report.examples, report.discarded)
    assert counted["tally"]["sizes"] == told["tally"]["sizes"]


def test_lines_of_hypothesis_can_be_read() -> None:
    (run,) = runs_of(theirs())
    assert run["status"] == "failed"
    assert "n=50" in run["failures"][0]["call"]
    assert run["best"]["n"] >= 50


def test_a_wrong_directory_is_one_clear_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(ValueError, match="is not a directory that lines can be written to"):
        check(lambda b: True, gen.booleans(), observe=file, database=None)
    with pytest.raises(ValueError, match="observe must be True, False or a directory"):
        settings(observe=3)  # type: ignore[arg-type]


def test_counting_many_at_once_is_counting_one_by_one() -> None:
    dice = random.Random(1)
    single, bulk = Tally(), Tally()
    for number in range(3000):
        how = "random" if number % 700 else "simplest"
        test = (
            how,
            f"f({dice.randrange(900)})",
            dice.randrange(9),
            dice.randrange(3),
            {"A": 1},
            dice.random(),
        )
        if number % 1000 == 999:
            for tally in (single, bulk):
                tally.add("failed", *test, "")
        else:
            single.add("passed", *test)
            bulk.passed(*test)
    one, other = single.as_data(), bulk.as_data()
    assert one.pop("seconds") == pytest.approx(other.pop("seconds"))
    assert one == other


def test_tests_by_number_are_one_way_and_large_numbers_can_be_written(tmp_path: Path) -> None:
    report = check(
        lambda n: True,
        gen.integers(),
        explore=Exhaustive(start=10**4400),
        max_examples=5,
        observe=tmp_path,
        database=None,
    )
    assert report.to_json()["tally"]["ways"] == {"exhaustive \u2026": 5}


def test_what_is_not_told_apart_is_counted_together() -> None:
    tally = Tally()
    for number in range(100):
        tally.add("gave_up", "random", "f()", 1, 0, None, 0.0, f"reason {number}")
    discards = tally.as_data()["discards"]
    assert sum(discards.values()) == 100 and discards["others"] == 100 - (len(discards) - 1)
