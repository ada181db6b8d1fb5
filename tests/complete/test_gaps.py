"""The three verdicts, their descriptions, and the messages about the source."""

from __future__ import annotations

import pytest
from samples import COMPLETE, NO_LEAF, bst, module

from everycase import covers, gen
from everycase.complete import Unsupported, gaps, repair
from everycase.errors import InvalidArgument


def test_a_complete_generator_is_proved_complete_and_sound():
    verdict = gaps(bst(COMPLETE))
    assert verdict.status == "proved" and verdict.complete and verdict.sound
    assert verdict.queries > 0


def test_the_smallest_missing_value_is_named_and_the_missing_set_described():
    verdict = gaps(bst(NO_LEAF))
    assert verdict.status == "missing"
    assert repr(verdict.value) == "Leaf()"
    assert verdict.arguments == {"d": 1, "lo": 0, "hi": 2}
    assert verdict.description == "not (d == 0) and (lo + 1) < hi and v is Leaf()"
    assert 0 < verdict.missing < verdict.valid
    assert "never made: Leaf() with d=1, lo=0, hi=2" in str(verdict)


def test_without_a_proof_the_word_is_no_gap_found():
    verdict = gaps(bst(COMPLETE), prove=False)
    assert verdict.status == "no gap found"
    assert "up to" in verdict.headline and verdict.queries == 0


def test_queries_are_written_for_anyone_to_check(tmp_path):
    """Another process that knows only the text gives the same answers, including the proof."""
    z3 = pytest.importorskip("z3")
    assert gaps(bst(COMPLETE), smt_out=tmp_path).status == "proved"
    index = [line.split() for line in (tmp_path / "index.txt").read_text().splitlines()]
    assert len(index) == len(list(tmp_path.glob("*.smt2"))) > 0
    for name, answer in index:
        again = z3.Solver(ctx=z3.Context())
        again.from_string((tmp_path / name).read_text())
        assert str(again.check()) == answer, name
    assert any("complete-" in name and answer == "unsat" for name, answer in index)


@pytest.mark.parametrize("ask", [gaps, repair])
def test_a_directory_that_is_a_file_is_refused(ask, tmp_path):
    occupied = tmp_path / "file"
    occupied.write_text("mine")
    with pytest.raises(InvalidArgument, match=f"{ask.__name__}: smt_out must be a directory"):
        ask(bst(NO_LEAF), smt_out=occupied)
    assert occupied.read_text() == "mine"


def test_the_queries_of_a_repair_do_not_overwrite_each_other(tmp_path):
    made = repair(bst(NO_LEAF), smt_out=tmp_path)
    names = [line.split()[0] for line in (tmp_path / "index.txt").read_text().splitlines()]
    assert made.proved and len(set(names)) == len(names) == len(list(tmp_path.glob("*.smt2")))


def test_own_atoms_are_used_in_descriptions():
    g = module(
        "@covers(lambda v: 0 <= v <= 3)\n@gen.composite\ndef f(draw) -> int:\n    return draw(gen.integers(0, 1))\n"
    )["f"]
    assert gaps(g, atoms=[lambda v: v >= 2]).description in ("2 <= v", "1 < v")


def test_verdicts_are_plain_data_too():
    data = gaps(bst(NO_LEAF)).to_json()
    assert data["status"] == "missing" and data["value"] == "Leaf()" and data["arguments"]["hi"] == "2"


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("return [draw(gen.integers(0, i)) for i in range(n)]", "a draw that depends on the round"),
        ("while draw(gen.booleans()):\n        n += 1\n    return []", "a loop that may go round more than"),
        ("x = []\n    return [*x]", "an empty list whose element type is not known here"),
        ("return draw(gen.integers().map(repr))", "a call of"),
        (
            "x = draw(gen.lists(gen.integers()))\n    return [x[0], *sorted(x)]",
            "used both as it is and sorted",
        ),
        ("x = [1]\n    y = x\n    x.append(2)\n    return y", "x, which is changed in place"),
        ("return [n // (n + 1)]", "// or % by something other than a constant"),
    ],
)
def test_unsupported_constructs_are_named_with_their_line(body, construct):
    g = module(
        f"@covers(lambda v, n: len(v) <= n, requires=lambda n: 0 <= n)\n@gen.composite\n"
        f"def f(draw, n: int) -> list[int]:\n    {body}\n"
    )["f"]
    with pytest.raises(Unsupported) as problem:
        repair(g)
    assert construct in str(problem.value)
    assert problem.value.line >= 9


def test_unsupported_generators_are_still_explored():
    g = module(
        "@covers(lambda v, n: len(v) == n and all(0 <= x <= 1 for x in v), requires=lambda n: 0 <= n)\n"
        "@gen.composite\ndef f(draw, n: int) -> list[int]:\n    return [*map(lambda _: draw(gen.integers(0, 0)), range(n))]\n"
    )["f"]
    verdict = gaps(g)
    assert (verdict.status, verdict.value, verdict.arguments) == ("missing", [1], {"n": 1})
    assert "unsupported" in str(verdict)


def test_mistakes_in_the_specification_are_explained():
    with pytest.raises(InvalidArgument, match="must be a function"):
        covers(True)
    with pytest.raises(InvalidArgument, match="must name parameters"):
        covers(lambda v: True, decreases=3)
    with pytest.raises(InvalidArgument, match="use the same names"):
        gaps(
            module(
                "@covers(lambda v, m, k: True)\n@gen.composite\ndef f(draw, n: int) -> int:\n    return n\n"
            )["f"]
        )
    with pytest.raises(InvalidArgument, match="no specification"):
        gaps(gen.composite(lambda draw: 1))
    with pytest.raises(InvalidArgument, match="max_seconds"):
        gaps(bst(COMPLETE), max_seconds=0)


def test_helpers_must_be_complete_too():
    text = """
@covers(lambda v: 0 <= v <= 9)
@gen.composite
def digits(draw) -> int:
    return draw(gen.integers(0, TOP))

@covers(lambda v: 0 <= v[0] <= 9 and 0 <= v[1] <= 9)
@gen.composite
def pairs(draw) -> tuple[int, int]:
    return (draw(digits()), draw(digits()))
"""
    assert gaps(module(text.replace("TOP", "9"))["pairs"]).status == "proved"
    verdict = gaps(module(text.replace("TOP", "8"))["pairs"])
    assert verdict.status != "proved"


def test_mutual_recursion_with_lexicographic_measure():
    text = """
@covers(lambda v, n: len(v) <= 2 * n, requires=lambda n: 0 <= n, decreases=lambda n: (n, 1))
@gen.composite
def evens(draw, n: int) -> list[int]:
    if n == 0 or draw(gen.booleans()):
        return []
    return draw(odds(n))

@covers(lambda v, n: 1 <= len(v) <= 2 * n, requires=lambda n: 1 <= n, decreases=lambda n: (n, 0))
@gen.composite
def odds(draw, n: int) -> list[int]:
    if draw(gen.booleans()):
        return [draw(gen.integers())]
    return [draw(gen.integers()), draw(gen.integers()), *draw(evens(n - 1))]
"""
    assert gaps(module(text)["evens"]).status == "proved"


def test_enums_options_and_generic_dataclasses():
    text = """
from typing import Generic, TypeVar
T = TypeVar("T")

class Color(Enum):
    RED = 1
    GREEN = 2

@dataclass(frozen=True)
class Pair(Generic[T]):
    first: T
    second: T | None

@covers(lambda v: True)
@gen.composite
def pairs(draw) -> Pair[Color]:
    first = draw(gen.sampled_from(Color))
    if draw(gen.booleans()):
        return Pair(first, None)
    return Pair(first, draw(gen.sampled_from([SECOND])))
"""
    assert gaps(module(text.replace("SECOND", "Color.RED, Color.GREEN"))["pairs"]).status == "proved"
    verdict = gaps(module(text.replace("SECOND", "Color.RED"))["pairs"])
    assert verdict.status == "missing" and "GREEN" in repr(verdict.value.second)


def test_hypothesis_composites_are_understood():
    pytest.importorskip("hypothesis")
    text = """
from hypothesis import strategies as st

@covers(lambda v, n: len(v) <= n, requires=lambda n: 0 <= n)
@st.composite
def lists(draw, n: int) -> list[int]:
    if n == 0:
        return []
    return [draw(st.integers()), *draw(lists(n - 1))]
"""
    verdict = gaps(module(text)["lists"])
    assert (verdict.status, verdict.value, verdict.arguments) == ("missing", [], {"n": 1})


def test_a_gap_that_only_a_deep_world_shows_is_counted_and_described_there():
    """A node with two nodes as children needs three constructors, but the next larger world has only two."""
    text = """
@dataclass(frozen=True)
class Leaf: pass

@dataclass(frozen=True)
class Node:
    left: Tree
    value: tuple[int, bool]
    right: Tree

Tree = Leaf | Node

def depth(t: Tree) -> int:
    match t:
        case Leaf():
            return 0
        case Node(left, _, right):
            return 1 + max(depth(left), depth(right))

@covers(lambda v, n: depth(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> Tree:
    if n == 0 or draw(gen.booleans()):
        return Leaf()
    inside = draw(f(n - 1))
    value = (draw(gen.integers()), draw(gen.booleans()))
    return Node(inside, value, Leaf()) if draw(gen.booleans()) else Node(Leaf(), value, inside)
"""
    verdict = gaps(module(text)["f"])
    assert verdict.status == "missing" and verdict.arguments == {"n": 2}
    assert "the one above" not in verdict.bounds and verdict.missing > 1


@covers(lambda v: 0 <= v <= 3)
@gen.composite
def up_to_two(draw) -> int:
    return draw(gen.integers(0, 2))


@covers(lambda v: 0 <= v[0] <= 3 and 0 <= v[1] <= 3)
@gen.composite
def pairs_of_them(draw) -> tuple[int, int]:
    return (draw(up_to_two()), draw(up_to_two()))


def test_a_gap_in_a_generator_that_is_called_is_said_with_its_name():
    verdict = gaps(pairs_of_them)
    assert verdict.status != "proved"
    if verdict.status == "no gap found":
        assert any("up_to_two is, which can never make 3: repair up_to_two" in note for note in verdict.notes)
        assert verdict.notes == repair(pairs_of_them).notes[1:]


def test_nothing_is_made_at_a_hole_though_python_goes_on():
    text = """
@covers(lambda v, n: v is None or 0 <= v <= n, requires=lambda n: 0 <= n)
@gen.composite
def f(draw, n: int) -> int | None:
    if n == 0:
        ...
    if draw(gen.booleans()):
        return None
    return draw(gen.integers(0, n))
"""
    verdict = gaps(module(text)["f"])
    assert (verdict.status, verdict.arguments, verdict.unsupported) == ("missing", {"n": 0}, None)
    assert repair(module(text)["f"]).proved


def test_a_gap_behind_draws_that_cannot_be_read_off_is_proved_missing():
    text = """
@covers(lambda v, width: len(v) == width and 7 in v, requires=lambda width: 1 <= width)
@gen.composite
def f(draw, width: int) -> list[int]:
    before = draw(gen.lists(gen.integers(), max_size=width - 1))
    rest = width - 1 - len(before)
    return before + [7] + draw(gen.lists(gen.integers(), min_size=rest, max_size=rest))
"""
    whole = gaps(module(text)["f"])
    assert whole.status == "no gap found"
    verdict = gaps(module(text.replace("max_size=width - 1", "min_size=1, max_size=width - 1"))["f"])
    assert verdict.status == "missing" and (verdict.arguments, verdict.value) == ({"width": 1}, [7])


def test_cases_like_a_gap_that_only_the_solver_sees_are_counted_too():
    text = """
@dataclass(frozen=True)
class Entry:
    day: int
    hours: int

@covers(lambda v: len(v) <= 2 and all(0 <= e.day <= 6 and 1 <= e.hours <= 8 for e in v))
@gen.composite
def f(draw) -> list[Entry]:
    entries = draw(gen.lists(gen.builds(Entry, day=gen.integers(0, 6), hours=gen.integers(1, 7)), max_size=2))
    return [Entry(e.day, e.hours) for e in entries]
"""
    verdict = gaps(module(text)["f"])
    assert verdict.status == "missing" and [e.hours for e in verdict.value] == [8]
    assert verdict.missing > 1
