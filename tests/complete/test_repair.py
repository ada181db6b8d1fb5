"""Repairs: the new text, that nothing else changes, and that bounds are respected."""

from __future__ import annotations

import pytest
from samples import BST, COMPLETE, HEADER, NO_LEAF, bst, module

from everycase.complete import Unsupported, repair
from everycase.errors import InvalidArgument


def run(result):
    """The patched generator, loaded."""
    return module(result.new.removeprefix(HEADER))[result.name]


def test_a_missing_branch_is_added_and_proved():
    result = repair(bst(NO_LEAF))
    assert result.status == "repaired" and result.proved
    assert "+        if draw(gen.integers(0, d)) == 0:\n+            return Leaf()\n" in result.diff
    assert "\n-" not in result.diff.split("@@")[-1]
    assert any(repr(v) == "Leaf()" for v in run(result)(3, 0, 9).sample(50, seed=1))


@pytest.mark.slow
def test_holes_are_filled():
    result = repair(bst("..."))
    assert result.status == "repaired" and result.holes == 1
    assert "return Node(x, draw(bsts(d - 1, lo, x)), draw(bsts(d - 1, x, hi)))" in result.new
    assert "return Leaf()" in result.new


@pytest.mark.slow
def test_a_sketch_without_any_branch_is_filled():
    text = BST.replace("BODY", "...").replace("        return Leaf()\n", "        ...\n")
    result = repair(module(text)["bsts"])
    assert result.status == "repaired" and result.holes == 3


def test_nothing_to_repair():
    result = repair(bst(COMPLETE))
    assert result.status == "nothing to repair" and result.diff == ""


def test_writing_leaves_every_other_byte(tmp_path, monkeypatch):
    text = HEADER + (
        "@covers(lambda v, n: len(v) <= n, requires=lambda n: 0 <= n)\n@gen.composite\n"
        "def written(draw,   n : int) -> list[int]:  # café\n"
        "    if n == 0: return []   # stop\n"
        "    else: ...  # todo\n\n\nAFTER = 'x'   \n"
    )
    raw = text.replace("\n", "\r\n").encode()
    file = tmp_path / "written_sample.py"
    file.write_bytes(raw)
    monkeypatch.syspath_prepend(str(tmp_path))
    import written_sample

    result = repair(written_sample.written)
    assert result.status == "repaired"
    result.write(file)
    after = file.read_bytes()
    assert b"\r\n" in after and b"\n" not in after.replace(b"\r\n", b"")
    kept = raw.decode().split("...")
    assert after.decode().startswith(kept[0].rstrip()) and after.decode().endswith(kept[1])
    with pytest.raises(InvalidArgument, match="changed since"):
        result.write(file)


@pytest.mark.parametrize(
    ("name", "tail"), [("no_end", b""), ("mixed_ends", b"\r\nONE = 1\nTWO = 2\r\n"), ("hole_is_last", None)]
)
def test_line_ends_stay_as_they_are(tmp_path, monkeypatch, name, tail):
    """Also in a file without a final newline, and in one with mixed line endings."""
    text = HEADER + (
        "@covers(lambda v, n: 0 <= v <= n, requires=lambda n: 0 <= n)\n@gen.composite\n"
        "def written(draw, n: int) -> int:\n    ..."
    )
    raw = text.encode() + (b"" if tail is None else b"  # todo" + tail)
    file = tmp_path / f"{name}_sample.py"
    file.write_bytes(raw)
    monkeypatch.syspath_prepend(str(tmp_path))
    result = repair(__import__(f"{name}_sample").written)
    assert result.status == "repaired"
    result.write(file)
    start, end = raw.split(b"...")
    after = file.read_bytes()
    assert after.startswith(start) and after[len(start) :] == b"return draw(gen.integers(0, n))" + end


def test_bounds_give_an_honest_answer():
    result = repair(bst("..."), max_cost=2)
    assert result.status == "not repaired"
    assert any("--max-cost" in note for note in result.notes)
    with pytest.raises(InvalidArgument, match="strategy"):
        repair(bst("..."), strategy="best")
    with pytest.raises(InvalidArgument, match="max_cost"):
        repair(bst("..."), max_cost=0)


def test_a_bound_gives_the_best_patch_so_far_and_says_what_is_not_shown():
    text = BST.replace("BODY", "...").replace("        return Leaf()\n", "        ...\n")
    result = repair(module(text)["bsts"], max_cost=4)
    assert result.status == "not repaired" and result.bound == "--max-cost 4"
    assert result.diff.count("+            return Leaf()") + result.diff.count("+        return Leaf()") == 3
    assert result.verdict.status == "missing"
    assert any(note.startswith("still missing: Node(") for note in result.notes)
    assert all(repr(v) == "Leaf()" for v in run(result)(3, 0, 9).sample(20, seed=1))


def test_a_hole_that_nothing_was_found_for_stays_a_hole():
    text = """
@covers(lambda v, n: len(v) == n and all(x == 5 * n + 3 for x in v), requires=lambda n: 0 <= n)
@gen.composite
def f(draw, n: int) -> list[int]:
    if n == 0:
        ...
    else:
        ...
"""
    result = repair(module(text)["f"], max_cost=6)
    assert result.status == "not repaired" and result.bound == "--max-cost 6"
    assert result.new.count("...") == 1 and "return []" in result.new


def test_how_likely_the_new_values_are_is_reported():
    result = repair(bst(NO_LEAF))
    first = result.likelihoods[0]
    assert first.arguments == {"d": 1, "lo": 0, "hi": 2} and first.rarest == "Leaf()"
    # the choice is `draw(gen.integers(0, 1)) == 0`: a fair coin, 400 times
    assert 120 < first.seen == first.new < 280
    assert first.samples == 400 and "400 random values" in str(result)
    assert result.to_json()["likelihoods"][0]["arguments"] == {"d": "1", "lo": "0", "hi": "2"}


def test_the_likelihood_is_about_values_that_were_missing_not_about_others_of_their_shape():
    text = """
@covers(lambda v: v in (0, 1, 2))
@gen.composite
def f(draw) -> int:
    return draw(gen.sampled_from([0, 1]))
"""
    (likelihood,) = repair(module(text)["f"]).likelihoods
    assert 120 < likelihood.seen == likelihood.new < 280


def test_the_two_simple_strategies():
    complete = repair(bst("..."), strategy="complete")
    assert "draw(gen.from_type(Tree))" in complete.new and complete.verdict.unsound is not None
    safe = repair(bst("..."), strategy="safe")
    assert "return Leaf()" in safe.new and safe.verdict.status == "missing"


def test_components_and_costs_of_the_user():
    text = """
def double(n: int) -> int:
    return n + n

def all_double(items: list[int]) -> bool:
    return all(x % 2 == 0 for x in items)

@covers(lambda v, n: len(v) == n and all_double(v), requires=lambda n: 0 <= n)
@gen.composite
def doubles(draw, n: int) -> list[int]:
    if n == 0:
        return []
    ...
"""
    names = module(text)
    result = repair(
        names["doubles"], components=[names["double"]], cost=lambda name: 1 if name == "double" else None
    )
    assert result.status == "repaired"
    assert "return [double(draw(gen.integers())), *draw(doubles(n - 1))]" in result.new


def test_a_component_that_makes_no_sense_is_refused():
    with pytest.raises(InvalidArgument, match="component"):
        repair(bst("..."), components=["Leaf"])


def test_an_overfitted_patch_is_corrected_by_counterexamples():
    text = """
@covers(lambda v, n, k: len(v) == n and all(0 <= x <= k for x in v), requires=lambda n, k: 0 <= n and 0 <= k)
@gen.composite
def bounded(draw, n: int, k: int) -> list[int]:
    if n == 0:
        return []
    ...
"""
    result = repair(module(text)["bounded"])
    assert result.status == "repaired"
    values = run(result)(3, 5).sample(200, seed=3)
    assert all(len(v) == 3 and all(0 <= x <= 5 for x in v) for v in values)


def test_classes_are_named_as_the_file_names_them(tmp_path, monkeypatch):
    (tmp_path / "far_trees.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n"
        "@dataclass(frozen=True)\nclass Leaf: pass\n\n@dataclass(frozen=True)\nclass Node:\n    left: Tree\n    right: Tree\n\n"
        "Tree = Leaf | Node\n\ndef depth(t: Tree) -> int:\n    match t:\n        case Leaf(): return 0\n"
        "        case Node(a, b): return 1 + max(depth(a), depth(b))\n"
    )
    text = (
        "from __future__ import annotations\nimport far_trees as t\nfrom everycase import covers, gen\n\n"
        "@covers(lambda v, d: t.depth(v) <= d, requires=lambda d: d >= 0)\n@gen.composite\n"
        "def trees(draw, d: int) -> t.Tree:\n\tif d == 0:\n\t\treturn t.Leaf()  # tabs\n\t...\n"
    )
    (tmp_path / "far_user.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    import far_user

    result = repair(far_user.trees)
    assert result.status == "repaired"
    assert "\t\treturn t.Leaf()\n\treturn t.Node(draw(trees(d - 1)), draw(trees(d - 1)))\n" in result.new


def test_a_broken_neighbour_in_the_file_is_no_obstacle():
    text = """
@covers(lambda v: v[0] > 3)
@gen.composite
def broken(draw) -> list[int]:
    return [4]

@covers(lambda v: 0 <= v < 3)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(0, 1))
"""
    assert repair(module(text)["f"]).status == "repaired"


def test_a_local_that_is_a_number_here_and_none_there_can_be_used():
    text = """
@dataclass(frozen=True)
class Server:
    port: int
    workers: int | None

@covers(lambda v: v.port in (80, 443) and (v.workers is None or 1 <= v.workers <= 64))
@gen.composite
def servers(draw) -> Server:
    workers = draw(gen.integers(1, 64)) if draw(gen.booleans()) else None
    if draw(gen.booleans()):
        return Server(443, workers)
    ...
"""
    result = repair(module(text)["servers"])
    assert result.status == "repaired" and "return Server(80, workers)" in result.new


def test_a_number_without_an_upper_bound_can_be_drawn():
    text = """
@covers(lambda v, n: len(v) == n and all(count > 0 for _, count in v), requires=lambda n: n >= 0)
@gen.composite
def runs(draw, n: int) -> list[tuple[int, int]]:
    if n == 0:
        return []
    ...
"""
    result = repair(module(text)["runs"])
    assert result.status == "repaired"
    assert "return [(draw(gen.integers()), draw(gen.integers(1, None))), *draw(runs(n - 1))]" in result.new


def test_values_that_look_alike_are_told_apart_when_a_patch_is_judged():
    text = (
        BST.replace("def is_bst", "def unused").replace("is_bst(v, lo, hi)", "lefty(v)")
        + """
def spine(t: Tree) -> int:
    match t:
        case Leaf():
            return 0
        case Node(_, _, right):
            return 1 + spine(right)

def lefty(t: Tree) -> bool:
    match t:
        case Leaf():
            return True
        case Node(_, left, right):
            return spine(right) <= spine(left) and lefty(left) and lefty(right)
"""
    )
    text = (
        text.split("@covers")[0]
        + text.split("        return Leaf()\n")[-1]
        + """
@covers(lambda v, d: depth(v) <= d and lefty(v), requires=lambda d: 0 <= d)
@gen.composite
def heaps(draw, d: int) -> Tree:
    if d == 0 or draw(gen.booleans()):
        return Leaf()
    x = draw(gen.integers())
    left = draw(heaps(d - 1))
    right = draw(heaps(d - 1))
    if spine(right) <= spine(left):
        ...
    else:
        return Node(x, right, left)
"""
    )
    result = repair(module(text)["heaps"])
    assert result.status == "repaired" and "return Node(x, left, right)" in result.new


def test_the_safe_strategy_looks_further_than_the_smallest_arguments():
    text = """
@covers(lambda v, n: len(v) == n, requires=lambda n: n >= 1)
@gen.composite
def f(draw, n: int) -> list[int]:
    if n == 1:
        return [draw(gen.integers())]
    ...
"""
    result = repair(module(text)["f"], strategy="safe")
    assert result.verdict.unsound is None


@pytest.mark.slow
def test_one_general_term_is_waited_for_when_many_special_ones_would_do():
    """Each day of the small world could be listed separately; a person would write the range."""
    text = """
@dataclass(frozen=True)
class Date:
    year: int
    month: int
    day: int

def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)

def days_in(year: int, month: int) -> int:
    if month == 2:
        return 29 if is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31

@covers(lambda v: 1 <= v.year <= 9999 and 1 <= v.month <= 12 and 1 <= v.day <= days_in(v.year, v.month))
@gen.composite
def dates(draw) -> Date:
    year = draw(gen.integers(1, 9999))
    month = draw(gen.integers(1, 12))
    if month == 2 and is_leap(year):
        ...
    return Date(year, month, draw(gen.integers(1, days_in(year, month))))
"""
    made = repair(module(text)["dates"], max_seconds=600)
    assert made.status == "repaired"
    assert "        return Date(year, month, draw(gen.integers(1, 29)))\n" in made.new


@pytest.mark.parametrize(
    "body", ["return steps(n)", "return 0 if n == 0 else steps(n - 2)", 'return int("12"[n])']
)
def test_a_function_that_fails_where_it_is_looked_at_is_named(body):
    text = f"""
def steps(n: int) -> int:
    {body}
@covers(lambda v, n: len(v) <= n and all(0 <= x <= 1 for x in v), requires=lambda n: 0 <= n <= 3)
@gen.composite
def f(draw, n: int) -> list[int]:
    if steps(n) == 0:
        return []
    return [draw(gen.integers(0, 1)), *draw(f(n - 1))]
"""
    try:
        assert not repair(module(text)["f"], max_seconds=3).proved
    except Unsupported as error:
        assert "line" in str(error)


def test_a_line_that_was_wrong_before_the_patch_let_it_run_is_not_the_patches_fault():
    text = """
@covers(lambda v, n: len(v) == n, requires=lambda n: 0 <= n)
@gen.composite
def f(draw, n: int) -> list[int]:
    if n == 0:
        ...
    return [draw(gen.integers()), *draw(f(draw(gen.integers(0, n - 1))))]
"""
    result = repair(module(text)["f"], max_seconds=20)
    assert result.proved and "return []" in result.new
    line = 1 + result.old.splitlines().index(
        "    return [draw(gen.integers()), *draw(f(draw(gen.integers(0, n - 1))))]"
    )
    assert any(f"line {line} makes invalid values" in note for note in result.notes)
    assert result.verdict.unsound is not None
