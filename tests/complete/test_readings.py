"""Python that looks familiar but means something else: it must be read as it runs.

Each text suggests a verdict that would be false. Any other answer is fine, including "unsupported".
"""

from __future__ import annotations

import pytest
from samples import module

from everycase.complete import PredicateFailed, gaps
from everycase.errors import InvalidArgument

NEVER_PROVED = {
    "an impossible alternative": """
@covers(lambda v, n: 0 <= v <= n, requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> int:
    return draw(gen.one_of(gen.just(0), gen.integers(1, n)))
""",
    "an impossible side": """
@covers(lambda v, n: 0 <= v <= n, requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> int:
    return draw(gen.just(0) | gen.integers(1, n))
""",
    "an alternative that cannot be computed": """
@covers(lambda v, xs: v == 0)
@gen.composite
def f(draw, xs: list[int]) -> int:
    return draw(gen.one_of(gen.just(0), gen.just(xs[0])))
""",
    "an alternative without options": """
@covers(lambda v, xs: v == 0)
@gen.composite
def f(draw, xs: list[int]) -> int:
    return draw(gen.one_of(gen.just(0), gen.sampled_from(xs)))
""",
    "value named like parameter": """@covers(lambda n: 0 <= n)
@gen.composite
def f(draw, n: int) -> int:
    return n
""",
    "match or captures": """
@dataclass(frozen=True)
class A:
    x: int
@dataclass(frozen=True)
class B:
    x: int
T = A | B
@covers(lambda v, x: 0 <= v <= 1, requires=lambda x: 0 <= x <= 1)
@gen.composite
def f(draw, x: int) -> int:
    match draw(gen.sampled_from([A(0)])):
        case A(x) | B(x):
            return x
""",
    "base class pattern": """
@dataclass(frozen=True)
class Base: pass
@dataclass(frozen=True)
class A(Base):
    x: int
@dataclass(frozen=True)
class B(Base):
    x: int
@covers(lambda v, t: v == 1)
@gen.composite
def f(draw, t: A | B) -> int:
    match t:
        case Base(x=0):
            return 1
        case _:
            return 0
""",
    "guard true then more": """
@covers(lambda v: v in (1, 2))
@gen.composite
def f(draw) -> int:
    b = draw(gen.booleans())
    match b:
        case _ if True:
            return 1
        case False:
            return 2
""",
    "kwargs bounds": """
OPTS = {"min_value": 3}
@covers(lambda v: True)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(**OPTS))
""",
    "unbound local": """
x = 5
@covers(lambda v: v in (1, 5))
@gen.composite
def f(draw) -> int:
    if draw(gen.booleans()):
        x = 1
    return x
""",
    "partial index unused": """
@covers(lambda v, xs: v == 5)
@gen.composite
def f(draw, xs: list[int]) -> int:
    y = xs[0]
    return 5
""",
    "partial index in bound": """
@covers(lambda v, xs: v == 5)
@gen.composite
def f(draw, xs: list[int]) -> int:
    y = draw(gen.integers(xs[0], None))
    return 5
""",
    "partial attribute": """
@dataclass(frozen=True)
class A:
    x: int
@dataclass(frozen=True)
class B:
    y: int
@covers(lambda v, t: v == 5)
@gen.composite
def f(draw, t: A | B) -> int:
    z = t.x
    return 5
""",
    "foreign decorator": """
import functools
def double(g):
    @functools.wraps(g)
    def inner(*a):
        return g(*a).map(lambda v: 2 * v)
    return inner
@covers(lambda v: 0 <= v <= 3)
@double
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(0, 3))
""",
    "identity": """
@dataclass(frozen=True)
class A:
    x: int
@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> int:
    a = A(1)
    b = A(1)
    return 1 if a is b else 0
""",
    "eq false dataclass": """
@dataclass(eq=False)
class A:
    x: int
@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> int:
    a = A(1)
    b = A(1)
    return 1 if a == b else 0
""",
    "own eq": """
@dataclass(frozen=True)
class A:
    x: int
    def __eq__(self, other): return False
@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> int:
    a = A(1)
    b = A(1)
    return 1 if a == b else 0
""",
    "own bool": """
@dataclass(frozen=True)
class A:
    x: int
    def __bool__(self): return False
@covers(lambda v, a: v == 1, requires=lambda a: a is not None)
@gen.composite
def f(draw, a: A | None) -> int:
    return 1 if a else 0
""",
    "kw_only order": """
from dataclasses import KW_ONLY, field
@dataclass(frozen=True)
class A:
    x: int = field(kw_only=True)
    y: int
@covers(lambda v: v.x == 1 and v.y == 2)
@gen.composite
def f(draw) -> A:
    return A(1, y=2)
""",
    "kw_only match": """
from dataclasses import field
@dataclass(frozen=True)
class A:
    x: int = field(kw_only=True)
    y: int
@covers(lambda v, a: v == a.x)
@gen.composite
def f(draw, a: A) -> int:
    match a:
        case A(first):
            return first
""",
    "surplus argument": """
@dataclass(frozen=True)
class A:
    x: int
@covers(lambda v: True)
@gen.composite
def f(draw) -> A:
    return A(draw(gen.integers()), 3)
""",
    "annotated from_type": """
from typing import Annotated
@dataclass(frozen=True)
class A:
    x: Annotated[int, gen.integers(0, 3)]
@covers(lambda v: True)
@gen.composite
def f(draw) -> A:
    return draw(gen.from_type(A))
""",
    "registered type": """
@dataclass(frozen=True)
class A:
    x: int
gen.register_type(A, gen.builds(A, gen.integers(0, 4)))
@covers(lambda v: True)
@gen.composite
def f(draw) -> A:
    return draw(gen.from_type(A))
""",
    "none coerced enum": """
class C(Enum):
    R = 1
    B = 2
def blue(c: C) -> bool:
    return c == C.B
@covers(lambda v, c: v == 1, requires=lambda c: c is None)
@gen.composite
def f(draw, c: C | None) -> int:
    return 1 if blue(c) else 0
""",
    "shadowed in range": """
def range(a): return [a]
@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> int:
    return 1 if 2 in range(3) else 0
""",
    "odd function partial in generator": """
def last(xs: list[int]) -> int:
    return xs[0] if len(xs) == 1 else last(xs[1:])
@covers(lambda v, xs: v == 5)
@gen.composite
def f(draw, xs: list[int]) -> int:
    y = last(xs)
    return 5
""",
    "inconsistent 3": """
def g(n: int) -> int:
    return 1 + g(n) if n == 77777 * 3 + 5 else 0
@covers(lambda v, n: 0 <= v and (v < 50 or g(n) == 0), requires=lambda n: n > 5)
@gen.composite
def f(draw, n: int) -> int:
    return draw(gen.integers(0, None))
""",
    "infinite generator": """
@covers(lambda v, n: v == n, requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> int:
    return draw(f(n + 1))
""",
}

NEVER_MISSING = {
    "foreign assume": """
def assume(c): pass
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    x = draw(gen.integers(0, 3))
    assume(x != 2)
    return x
""",
    "slots ghost": """
class Base: pass
@dataclass(frozen=True, slots=True)
class A(Base):
    x: int
@dataclass(frozen=True, slots=True)
class B(Base):
    x: int
@covers(lambda v: v.x in (0,1))
@gen.composite
def f(draw) -> Base:
    x = draw(gen.integers(0, 1))
    return A(x) if draw(gen.booleans()) else B(x)
""",
    "abstract base": """
from abc import ABC, abstractmethod
@dataclass(frozen=True)
class Base(ABC):
    x: int
    @abstractmethod
    def area(self): ...
@dataclass(frozen=True)
class A(Base):
    def area(self): return 1
@covers(lambda v: v.x in (0,1))
@gen.composite
def f(draw) -> Base:
    return A(draw(gen.integers(0, 1)))
""",
    "shadowed range": """
def range(a): return [a]
@covers(lambda v: v == 3)
@gen.composite
def f(draw) -> int:
    return draw(gen.sampled_from(range(3)))
""",
    "huge range 2": """
@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> int:
    x = draw(gen.integers(0, 10**9))
    assume(x * x == 10**18)
    return 1
""",
    "two generics": """
from typing import Generic, TypeVar
T = TypeVar("T")
@dataclass(frozen=True)
class P(Generic[T]):
    a: T
@covers(lambda v: True)
@gen.composite
def f(draw) -> tuple[P[int], P[bool]]:
    return (P(draw(gen.integers())), P(draw(gen.booleans())))
""",
}


@pytest.mark.parametrize("name", NEVER_PROVED)
def test_what_python_does_not_do_is_not_proved(name):
    try:
        verdict = gaps(module(NEVER_PROVED[name])["f"], max_seconds=5)
    except PredicateFailed:
        return
    assert verdict.status != "proved", str(verdict)


@pytest.mark.parametrize("name", NEVER_MISSING)
def test_what_python_makes_is_not_missing(name):
    verdict = gaps(module(NEVER_MISSING[name])["f"], max_seconds=5)
    assert verdict.status != "missing", str(verdict)


def test_a_loop_inside_a_loop_keeps_its_names():
    same = """
@covers(lambda v: all(all(a == b for b in v) for a in v))
@gen.composite
def f(draw) -> list[int]:
    return MADE
"""
    assert gaps(module(same.replace("MADE", "draw(gen.from_type(list[int]))"))["f"]).unsound == ({}, [0, 1])
    assert gaps(module(same.replace("MADE", "[]"))["f"]).value == [0]


def test_a_parameter_called_items_is_not_the_loop():
    text = """
def long_enough(items: list[int]) -> bool:
    return all(len(items) <= x for x in items)

@covers(lambda v: len(v) == 2 and long_enough(v))
@gen.composite
def f(draw) -> list[int]:
    return [draw(gen.integers(2, None)), draw(gen.integers(LOW, None))]
"""
    assert gaps(module(text.replace("LOW", "2"))["f"]).status == "proved"
    assert gaps(module(text.replace("LOW", "1"))["f"]).unsound is not None


def test_soundness_needs_that_helpers_keep_to_what_their_helpers_allow():
    verdict = gaps(
        module("""
@covers(lambda v, n: v >= 0, requires=lambda n: n >= 0)
@gen.composite
def k(draw, n: int) -> int:
    return draw(gen.integers(0, None)) if n >= 0 else -1000

@covers(lambda v: v >= 0)
@gen.composite
def h(draw) -> int:
    return draw(k(-1)) if draw(gen.booleans()) else draw(k(0))

@covers(lambda v: v >= 0)
@gen.composite
def f(draw) -> int:
    return draw(h())
""")["f"]
    )
    assert not verdict.sound


def test_a_requirement_that_raises_is_an_error_of_the_specification():
    text = """
@covers(lambda v, xs: v == xs[0], requires=lambda xs: xs[0] > 0)
@gen.composite
def f(draw, xs: list[int]) -> int:
    return xs[0]
"""
    with pytest.raises(PredicateFailed, match=r"requires of f raises IndexError for the arguments \(\[\],\)"):
        gaps(module(text)["f"])


def test_a_type_without_values_is_refused():
    text = """
@dataclass(frozen=True)
class A:
    inside: A

@covers(lambda v: True)
@gen.composite
def f(draw) -> A:
    return A(draw(f()))
"""
    with pytest.raises(InvalidArgument, match="has no values"):
        gaps(module(text)["f"])


def test_classes_that_check_their_fields_are_still_explored():
    text = """
def refuse(slot):
    if slot.start >= slot.end:
        raise ValueError("empty")

@dataclass(frozen=True)
class Slot:
    start: int
    end: int

    def __post_init__(self):
        refuse(self)

@covers(lambda v: 0 <= v.start and v.end <= 2)
@gen.composite
def f(draw) -> Slot:
    start = draw(gen.integers(0, 1))
    return Slot(start, start + 1)
"""
    verdict = gaps(module(text)["f"])
    assert "the class Slot, of which it is not understood how it is made" in (verdict.unsupported or "")
    assert (verdict.value.start, verdict.value.end) == (0, 2)


def test_whole_numbers_far_away_cost_nothing():
    text = """
@covers(lambda v: 0 <= v <= 10**9 and v % 2 == 0)
@gen.composite
def f(draw) -> int:
    return 2 * draw(gen.integers(0, 5 * 10**8))
"""
    verdict = gaps(module(text)["f"])
    assert verdict.status == "proved" and verdict.sound


@pytest.mark.parametrize("top, status", [(24, "proved"), (23, "missing")])
def test_parts_of_a_tuple_that_may_be_none(top, status):
    text = f"""
@covers(lambda v: v is None or (0 <= v[0] < v[1] <= 24))
@gen.composite
def f(draw) -> tuple[int, int] | None:
    if draw(gen.booleans()):
        return None
    opens = draw(gen.integers(0, {top} - 1))
    return (opens, draw(gen.integers(opens + 1, {top})))
"""
    verdict = gaps(module(text)["f"])
    assert (verdict.status, verdict.soundness, verdict.unsupported) == (status, "proved", None)
