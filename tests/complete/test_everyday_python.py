"""Everyday Python in generators and predicates: keyword arguments, defaults, named tuples, Literal, ``+=``."""

from __future__ import annotations

import datetime

import pytest
from samples import module

from everycase.complete import PredicateFailed, gaps, repair


def verdict_of(text: str, name: str = "f"):
    verdict = gaps(module(text)[name])
    assert verdict.unsupported is None, str(verdict)
    return verdict


def test_keyword_arguments_and_defaults_of_pure_functions():
    text = """
def between(v: int, low: int = 0, high: int = 9) -> bool:
    return low <= v <= high

@covers(lambda v, n: between(v, high=n), requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> int:
    return draw(gen.integers(FIRST, n))

@covers(lambda v: between(v) and between(high=5, low=-5, v=v))
@gen.composite
def g(draw) -> int:
    return draw(gen.integers(0, 5))
"""
    assert verdict_of(text.replace("FIRST", "0")).status == "proved"
    wrong = verdict_of(text.replace("FIRST", "min(1, n)"))
    assert (wrong.status, wrong.value, wrong.arguments) == ("missing", 0, {"n": 1})
    assert verdict_of(text.replace("FIRST", "0"), "g").status == "proved"


def test_a_default_of_a_recursive_function():
    text = """
def ascending(v: list[int], low: int = 0) -> bool:
    return not v or (low <= v[0] and ascending(v[1:], low=v[0]))

@covers(lambda v, n, low: len(v) == n and ascending(v, low), requires=lambda n: n >= 0)
@gen.composite
def rest(draw, n: int, low: int) -> list[int]:
    if n == 0:
        return []
    x = draw(gen.integers(low, None))
    return [x, *draw(rest(low=x, n=n - 1))]

@covers(lambda v, n: len(v) == n and ascending(v), requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> list[int]:
    return draw(rest(n, low=0))
"""
    assert verdict_of(text).status == "proved"


def test_a_default_that_python_would_not_copy_is_named():
    text = """
def short(v: list[int], seen: list[int] = []) -> bool:
    return len(v) <= len(seen) + 1

@covers(lambda v: short(v))
@gen.composite
def f(draw) -> list[int]:
    return []
"""
    verdict = gaps(module(text)["f"])
    assert "the default of seen" in (verdict.unsupported or "")


def test_fields_with_defaults():
    text = """
@dataclass(frozen=True)
class Server:
    port: int
    secure: bool = False
    replicas: int = 1

@covers(lambda v: 0 <= v.port <= 9 and v.replicas == 1 and not (v.secure and v.port == 8))
@gen.composite
def f(draw) -> Server:
    port = draw(gen.integers(0, 9))
    if draw(gen.booleans()) and port != EXCEPT:
        return Server(port, secure=True)
    return Server(port)
"""
    assert verdict_of(text.replace("EXCEPT", "8")).status == "proved"
    verdict = verdict_of(text.replace("EXCEPT", "7"))
    assert verdict.status == "missing" and (verdict.value.port, verdict.value.secure) == (7, True)
    assert verdict.unsound is not None and verdict.unsound[1].port == 8


POINTS = """
from typing import NamedTuple

class Point(NamedTuple):
    x: int
    y: int = 0

@covers(lambda v, n: 0 <= v.x <= v.y <= n, requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> Point:
    y = draw(gen.integers(0, n))
    return Point(draw(gen.integers(0, HIGH)), y)
"""


def test_named_tuples_are_classes_with_fields():
    verdict = verdict_of(POINTS.replace("HIGH", "y"))
    assert verdict.status == "proved" and verdict.sound
    verdict = verdict_of(POINTS.replace("HIGH", "y // 2"))
    assert (verdict.status, verdict.value, verdict.arguments) == ("missing", (1, 1), {"n": 1})
    assert type(verdict.value).__name__ == "Point"


def test_named_tuples_can_be_unpacked_indexed_and_matched():
    text = """
from typing import NamedTuple

class Point(NamedTuple):
    x: int
    y: int

def fine(p: Point) -> bool:
    x, y = p
    match p:
        case Point(0, _):
            return y == 0
    return p[0] == x and p[1] == y and 0 <= x <= 2 and 0 <= y <= 2

@covers(lambda v: fine(v))
@gen.composite
def f(draw) -> Point:
    x = draw(gen.integers(0, 2))
    return Point(x, draw(gen.integers(0, 2)) if x else 0)
"""
    assert verdict_of(text).status == "proved"


def test_named_tuples_of_two_classes_with_equal_parts_are_equal():
    """In Python A(1) == B(1), so the classes prove nothing."""
    text = """
from typing import NamedTuple

class A(NamedTuple):
    x: int

class B(NamedTuple):
    x: int

@covers(lambda v, w: v == w)
@gen.composite
def f(draw, w: A | B) -> A | B:
    return w
"""
    verdict = gaps(module(text)["f"])
    assert verdict.status != "proved" and "which has its own meaning" in (verdict.unsupported or "")


def test_a_named_tuple_is_not_mistaken_for_a_tuple():
    text = """
from typing import NamedTuple

class P(NamedTuple):
    x: int
    y: int

@covers(lambda v, w: v == w)
@gen.composite
def f(draw, w: P | tuple[int, int]) -> P | tuple[int, int]:
    return w
"""
    assert gaps(module(text)["f"]).status != "proved"


def test_a_hole_is_filled_with_a_named_tuple():
    text = POINTS.replace("    return Point(draw(gen.integers(0, HIGH)), y)", "    ...")
    made = repair(module(text)["f"])
    assert made.status == "repaired"
    assert "    return Point(" in made.new


LITERALS = """
from typing import Literal

Kind = Literal["file", "dir", "link"]

@dataclass(frozen=True)
class Entry:
    kind: Kind
    size: int

def valid(e: Entry) -> bool:
    return 0 <= e.size <= 3 if e.kind == "file" else e.size == 0

@covers(lambda v: valid(v))
@gen.composite
def f(draw) -> Entry:
    kind = draw(gen.sampled_from(["file", OTHERS]))
    return Entry(kind, draw(gen.integers(0, 3)) if kind == "file" else 0)
"""


def test_literals_are_a_choice_of_values():
    verdict = verdict_of(LITERALS.replace("OTHERS", '"dir", "link"'))
    assert verdict.status == "proved" and verdict.sound
    verdict = verdict_of(LITERALS.replace("OTHERS", '"dir"'))
    assert verdict.status == "missing" and verdict.value.kind == "link" and verdict.value.size == 0
    assert verdict.description is None or "link" in verdict.description


def test_literals_as_parameters_results_and_numbers():
    text = """
from typing import Literal

@covers(lambda v, side: v * side >= 0 and v in (-1, 0, 1))
@gen.composite
def f(draw, side: Literal[-1, 1]) -> Literal[-1, 0, 1]:
    return draw(gen.sampled_from([0, SIDE]))
"""
    assert verdict_of(text.replace("SIDE", "side")).status == "proved"
    verdict = verdict_of(text.replace("SIDE", "1"))
    assert (verdict.status, verdict.value, verdict.arguments) == ("missing", -1, {"side": -1})
    assert verdict.unsound == ({"side": -1}, 1)


def test_a_literal_beside_another_type():
    text = """
from typing import Literal

@covers(lambda v: v == "auto" or (isinstance(v, int) and 0 <= v <= 9))
@gen.composite
def f(draw) -> int | Literal["auto"]:
    return 3 if draw(gen.booleans()) else WORD
"""
    verdict = verdict_of(text.replace("WORD", "'auto'"))
    assert (verdict.status, verdict.value) == ("missing", 0)
    verdict = verdict_of(text.replace("WORD", "draw(gen.integers(0, 9))"))
    assert (verdict.status, verdict.value) == ("missing", "auto")


def test_a_literal_that_mixes_equal_values_is_refused():
    text = """
from typing import Literal

@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> Literal[1, True]:
    return 1
"""
    verdict = gaps(module(text)["f"])
    assert verdict.status != "proved" and "True and 1 are equal" in (verdict.unsupported or "")


def test_a_value_outside_a_literal_is_named():
    text = """
from typing import Literal

@covers(lambda v: v == "on")
@gen.composite
def f(draw) -> Literal["on", "off"]:
    return "broken"
"""
    verdict = gaps(module(text)["f"])
    assert verdict.status != "proved" and "'broken'" in (verdict.unsupported or "")


def test_literals_in_patches_are_written_as_python():
    text = LITERALS.replace('    kind = draw(gen.sampled_from(["file", OTHERS]))\n', "").replace(
        '    return Entry(kind, draw(gen.integers(0, 3)) if kind == "file" else 0)', "    ..."
    )
    made = repair(module(text)["f"])
    assert made.status == "repaired", str(made)
    assert "'link'" in made.new or '"link"' in made.new or "from_type(Kind)" in made.new


def test_counting_up_in_a_generator_and_in_a_predicate():
    text = """
def even(n: int) -> bool:
    n += 1
    n -= 1
    return n % 2 == 0

@covers(lambda v, n: even(v) and 0 <= v <= 2 * n, requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> int:
    total = draw(gen.integers(0, n))
    total *= 2
    total += DELTA
    return total
"""
    assert verdict_of(text.replace("DELTA", "0")).status == "proved"
    verdict = verdict_of(text.replace("DELTA", "2"))
    assert (verdict.status, verdict.value, verdict.arguments) == ("missing", 0, {"n": 0})
    assert verdict.unsound == ({"n": 0}, 2)


def test_adding_to_a_list_in_place_is_named():
    text = """
@covers(lambda v: len(v) == 1)
@gen.composite
def f(draw) -> list[int]:
    xs: list[int] = []
    ys = xs
    ys += [draw(gen.integers())]
    return xs
"""
    verdict = gaps(module(text)["f"])
    assert verdict.status != "missing"
    assert "line 13" in (verdict.unsupported or "") and "in place" in (verdict.unsupported or "")


def test_the_old_value_of_a_name_is_not_forgotten():
    text = """
@covers(lambda v: v[1] == v[0] + 1)
@gen.composite
def f(draw) -> tuple[int, int]:
    n = draw(gen.integers())
    before = n
    n += 1
    return (before, n)
"""
    assert verdict_of(text).status == "proved"


def test_a_wrong_keyword_is_python_s_error_and_no_verdict():
    text = """
def small(v: int) -> bool:
    return v == 0

@covers(lambda v: small(w=v))
@gen.composite
def f(draw) -> int:
    return 0
"""
    with pytest.raises(PredicateFailed):
        gaps(module(text)["f"])


GIVEN = {
    "to a function": """
def a_few(elements, most=2):
    return gen.lists(elements, max_size=most)

@covers(lambda v: len(v) <= 2 and all(0 <= n <= 9 for n in v))
@gen.composite
def f(draw) -> list[int]:
    low = 0
    return draw(a_few(gen.integers(low, 9)))
""",
    "to a function that adds to it": """
def optional(s):
    return s | gen.none()

@covers(lambda v: v is None or 0 <= v <= 9)
@gen.composite
def f(draw) -> int | None:
    return draw(optional(gen.integers(0, 9)))
""",
    "to a composite, where a name means something else": """
@gen.composite
def shifted_pair(draw, elements, by):
    n = by
    return (draw(elements) + n, draw(elements))

@covers(lambda v: 2 <= v[0] <= 11 and 0 <= v[1] <= 9)
@gen.composite
def f(draw) -> tuple[int, int]:
    n = 9
    return draw(shifted_pair(gen.integers(0, n), by=2))
""",
}


@pytest.mark.parametrize("what", GIVEN)
def test_a_generator_can_be_given(what):
    for text in (
        GIVEN[what],
        GIVEN[what].replace("gen.", "st.").replace("from everycase", "from hypothesis"),
    ):
        library = "from hypothesis import strategies as st\n" if "st." in text else ""
        verdict = gaps(module(library + text)["f"])
        assert (verdict.status, verdict.soundness) == ("proved", "proved")


@pytest.mark.parametrize("what", GIVEN)
def test_what_a_given_generator_does_not_make_is_missing(what):
    text = (
        GIVEN[what]
        .replace("integers(low, 9)", "integers(low, 8)")
        .replace("integers(0, 9)", "integers(1, 9)")
    )
    text = text.replace("integers(0, n)", "integers(1, n)")
    assert gaps(module(text)["f"]).status == "missing"


def test_questions_about_the_parts_of_a_tuple():
    text = """
@covers(lambda v: all(0 <= n <= 5 for n in v) and any(n == 5 for n in v if n > 4))
@gen.composite
def f(draw) -> tuple[int, int]:
    n = draw(gen.integers(0, 5))
    return (n, 5) if draw(gen.booleans()) else (5, n)
"""
    assert gaps(module(text)["f"]).status == "proved"
    verdict = gaps(module(text.replace("else (5, n)", "else (4, 5)"))["f"])
    assert verdict.status == "missing" and verdict.value[0] == 5


def test_a_class_whose_init_only_assigns():
    text = """
from enum import IntEnum

class Level(IntEnum):
    LOW = 10
    HIGH = 20

class Job:
    def __init__(self, level: Level, *, retries: int = 0) -> None:
        self.level = level
        self.retries = retries

    @property
    def urgent(self) -> bool:
        return self.level >= Level.HIGH

@covers(lambda j: 0 <= j.retries <= 2 and (j.urgent or not j.retries))
@gen.composite
def f(draw) -> Job:
    level = draw(gen.sampled_from(Level))
    return Job(level, retries=draw(gen.integers(0, 2)) if level > Level.LOW else 0)
"""
    assert verdict_of(text).status == "proved"
    broken = verdict_of(text.replace("gen.integers(0, 2)", "gen.integers(1, 2)"))
    assert broken.status == "missing" and broken.soundness == "proved"
    assert "never made: Job(level=<Level.HIGH: 20>, retries=0)" in str(broken)


def test_what_an_init_does_besides_is_not_overlooked():
    text = """
class Job:
    def __init__(self, n: int) -> None:
        self.n = n
        self.n += 1

@covers(lambda j: 0 <= j.n <= 1)
@gen.composite
def f(draw) -> Job:
    return Job(draw(gen.integers(0, 1)))
"""
    verdict = gaps(module(text)["f"])
    assert verdict.status != "proved" and "does more in __init__" in verdict.unsupported


def test_loops_of_predicates_that_change_names():
    text = """
def balanced(v: list[str]) -> bool:
    depth, most = 0, 0
    for x in v:
        if x == "open":
            depth += 1
            most = max(most, depth)
            continue
        if not depth:
            return False
        depth -= 1
    return depth == 0 and most <= 1

@covers(lambda v: len(v) <= 4 and all(x in ("open", "close") for x in v) and balanced(v))
@gen.composite
def f(draw) -> list[str]:
    return ["open", "close"] * draw(gen.integers(0, 2))
"""
    assert verdict_of(text).status == "proved"
    assert verdict_of(text.replace("integers(0, 2)", "integers(0, 1)")).status == "missing"


def test_durations_and_one_value_with_several_names():
    text = """
import datetime

@covers(lambda v: abs(v[0]) < datetime.timedelta(hours=2) and v[0].seconds % 60 == v[0].microseconds == 0 and v[1] == v[2])
@gen.composite
def f(draw) -> tuple[datetime.timedelta, int, int]:
    a = b = draw(gen.integers())
    return datetime.timedelta(minutes=draw(gen.integers(-119, 119))), a, b
"""
    assert verdict_of(text).status == "proved"
    assert verdict_of(text.replace("-119", "-118")).value[0] == datetime.timedelta(minutes=-119)


def test_negative_floats_lookups_without_a_default_and_several_names_at_once():
    text = """
@covers(lambda v: (v[0] is None or -40.0 <= v[0] <= 1.5) and set(v[1]) <= {"a"} and (v[1].get("a") or 5) == 5)
@gen.composite
def f(draw) -> tuple[float | None, dict[str, int]]:
    value, found = draw(gen.floats(-40.0, 1.5)), {}
    if draw(gen.booleans()):
        value = None
    if draw(gen.booleans()):
        found["a"] = draw(gen.sampled_from([0, 5]))
    return value, found
"""
    assert verdict_of(text).status == "proved"
    assert verdict_of(text.replace("-40.0, 1.5)", "-39.0, 1.5)")).value[0] < -39.0
    assert verdict_of(text.replace("[0, 5]", "[5]")).value[1] == {"a": 0}
