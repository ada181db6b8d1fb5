"""Generators as people write them, complete and with a gap, in both forms: each must be read, and proved or refuted."""

from __future__ import annotations

import pytest
from samples import module

from everycase.complete import gaps

#: name: text, what is proved, what the twin has instead
READ = {
    "a condition whose parts have different types": (
        """
@covers(lambda v: len(v) == 2 and 0 <= v[0] <= 1 and v[1] == 2)
@gen.composite
def f(draw) -> list[int]:
    xs = [2]
    x = draw(gen.integers(0, 1))
    if xs and xs[0] != x:
        xs = [x, *xs]
    return xs
""",
        "gen.integers(0, 1)",
        "gen.integers(1, 1)",
    ),
    "a generator as a default, and None": (
        """
@covers(lambda v: len(v) == 2 and v[0] != v[1] and all(0 <= n <= 3 for n in v))
@gen.composite
def f(draw, elements=gen.integers(0, 3), second=None) -> list[int]:
    a = draw(elements)
    b = second or draw(elements.filter(lambda n: n != a))
    return [a, b]
""",
        "lambda n: n != a",
        "lambda n: n > a",
    ),
    "keys set one by one": (
        """
@covers(lambda d: len(d) <= 2 and all(k in ("a", "b") and 0 <= v <= 2 for k, v in d.items()))
@gen.composite
def f(draw) -> dict[str, int]:
    result = {}
    for name in draw(gen.lists(gen.sampled_from(["a", "b"]), max_size=2)):
        result[name] = draw(gen.integers(0, 2))
    return result
""",
        "gen.integers(0, 2)",
        "gen.integers(0, 1)",
    ),
    "fields set one by one": (
        """
@dataclass
class Sample:
    flag: bool
    n: int = 0

@covers(lambda s: 0 <= s.n <= 5)
@gen.composite
def f(draw):
    s = Sample(draw(gen.booleans()))
    s.n = draw(gen.integers(0, 5))
    return s
""",
        "gen.integers(0, 5)",
        "gen.integers(0, 4)",
    ),
    "permutations": (
        """
@covers(lambda v: sorted(v) == [1, 2, 3])
@gen.composite
def f(draw) -> list[int]:
    return draw(gen.permutations([1, 2, 3]))
""",
        "return draw(gen.permutations([1, 2, 3]))",
        "return [1, *draw(gen.permutations([2, 3]))]",
    ),
    "an f-string of known parts, and a method of a string": (
        """
@covers(lambda s: s in ("get-1", "get-2", "GET-1", "GET-2"))
@gen.composite
def f(draw) -> str:
    verb = draw(gen.sampled_from(["get"]))
    verb = verb.upper() if draw(gen.booleans()) else verb
    return f"{verb}-{draw(gen.sampled_from([1, 2]))}"
""",
        "[1, 2]",
        "[1]",
    ),
    "an f-string of which nothing is known": (
        """
@dataclass(frozen=True)
class User:
    id: int
    name: str

@covers(lambda u: 0 <= u.id <= 3 and u.name == f"user{u.id}")
@gen.composite
def f(draw):
    number = draw(gen.integers(0, 3))
    return User(number, f"user{number}")
""",
        "gen.integers(0, 3)",
        "gen.integers(0, 2)",
    ),
    "copies of a list": (
        """
@covers(lambda s: len(s) <= 3 and all(c == "x" for c in s))
@gen.composite
def f(draw) -> str:
    return "x" * draw(gen.integers(0, 3))
""",
        "gen.integers(0, 3)",
        "gen.integers(0, 2)",
    ),
    "a place in a list": (
        """
@covers(lambda v: v[1] in v[0] and 1 <= len(v[0]) <= 2 and all(0 <= n <= 2 for n in v[0]))
@gen.composite
def f(draw) -> tuple[list[int], int]:
    xs = draw(gen.lists(gen.integers(0, 2), min_size=1, max_size=2))
    i = draw(gen.integers(0, len(xs) - 1))
    return xs, xs[i]
""",
        "gen.integers(0, len(xs) - 1)",
        "gen.integers(0, 0)",
    ),
    "a loop that its numbers end": (
        """
@covers(lambda v: len(v) <= 3 and all(n >= 1 for n in v) and sum(v) == 3)
@gen.composite
def f(draw) -> list[int]:
    left = 3
    out = []
    while left > 0:
        n = draw(gen.integers(1, left))
        out.append(n)
        left -= n
    return out
""",
        "gen.integers(1, left)",
        "gen.integers(1, min(2, left))",
    ),
    "years": (
        """
import datetime

@covers(lambda d: 2020 <= d.year < 2022)
@gen.composite
def f(draw) -> datetime.datetime:
    return draw(gen.datetimes(datetime.datetime(2020, 1, 1), datetime.datetime(2021, 12, 31, 23, 59, 59, 999999)))
""",
        "23, 59, 59",
        "23, 59, 58",
    ),
    "comprehensions inside of each other": (
        """
@covers(lambda m: len(m) == 2 and all(len(r) == 2 and all(c in (0, 1) for c in r) for r in m))
@gen.composite
def f(draw) -> list[list[int]]:
    return [[draw(gen.integers(0, 1)) for _ in range(2)] for _ in range(2)]
""",
        "gen.integers(0, 1)",
        "gen.integers(0, 0)",
    ),
    "the length of something that may be None": (
        """
@dataclass(frozen=True)
class Login:
    token: str | None
    admin: bool

@covers(lambda l: (l.token is None or len(l.token) == 2) and (not l.admin or l.token is not None))
@gen.composite
def f(draw):
    token = draw(gen.none() | gen.text(min_size=2, max_size=2))
    return Login(token, token is not None and draw(gen.booleans()))
""",
        "token is not None and draw(gen.booleans())",
        "False",
    ),
    "a record with another field": (
        """
from dataclasses import replace

@dataclass(frozen=True)
class Conf:
    debug: bool
    port: int

@covers(lambda c: c.port in (80, 443))
@gen.composite
def f(draw):
    base = Conf(debug=False, port=draw(gen.sampled_from([80, 443])))
    return replace(base, debug=True) if draw(gen.booleans()) else base
""",
        "[80, 443]))",
        "[80]))",
    ),
    "a generator that is drawn": (
        """
@covers(lambda v: 0 <= v <= 1 or 5 <= v <= 6)
@gen.composite
def f(draw) -> int:
    numbers = draw(gen.sampled_from([gen.integers(0, 1), gen.integers(5, 6)]))
    return draw(numbers)
""",
        "gen.integers(5, 6)",
        "gen.integers(5, 5)",
    ),
    "a dictionary with the same keys every time": (
        """
@covers(lambda d: set(d) == {"user", "age"} and d["user"] in ("ann", "bob") and 0 <= d["age"] <= 9)
@gen.composite
def f(draw):
    return {"user": draw(gen.sampled_from(["ann", "bob"])), "age": draw(gen.integers(0, 9))}
""",
        "gen.integers(0, 9)",
        "gen.integers(0, 8)",
    ),
    "an alphabet from another module, and characters in order": (
        """
import string

@covers(lambda s: 1 <= len(s) <= 3 and all("a" <= c <= "z" for c in s))
@gen.composite
def f(draw) -> str:
    return draw(gen.text(alphabet=string.ascii_lowercase, min_size=1, max_size=3))
""",
        "ascii_lowercase",
        "ascii_lowercase[1:]",
    ),
    "a function that is given draw": (
        """
def coordinate(draw, limit):
    return draw(gen.integers(-limit, limit))

@covers(lambda p: -3 <= p[0] <= 3 and -2 <= p[1] <= 2)
@gen.composite
def f(draw) -> tuple[int, int]:
    return coordinate(draw, 3), coordinate(draw, 2)
""",
        "coordinate(draw, 3)",
        "coordinate(draw, 2)",
    ),
    "as many draws as there are elements": (
        """
@dataclass(frozen=True)
class Exam:
    key: list[int]
    answers: list[int | None]

@covers(lambda e: len(e.key) <= 1 and len(e.answers) == len(e.key) and all(0 <= k <= 1 for k in e.key)
        and all(a is None or 0 <= a <= 1 for a in e.answers))
@gen.composite
def f(draw):
    key = draw(gen.lists(gen.integers(0, 1), max_size=1))
    answers = [draw(gen.none() | gen.integers(0, 1)) for _ in key]
    return Exam(key, answers)
""",
        "gen.none() | ",
        "",
    ),
    "lists side by side": (
        """
@covers(lambda v: len(v) <= 1 and all(0 <= a <= 1 and b in ('x', 'y') for a, b in v))
@gen.composite
def f(draw) -> list[tuple[int, str]]:
    n = draw(gen.integers(0, 1))
    left = draw(gen.lists(gen.integers(0, 1), min_size=n, max_size=n))
    right = draw(gen.lists(gen.sampled_from(['x', 'y']), min_size=n, max_size=n))
    return list(zip(left, right))
""",
        "['x', 'y'])",
        "['x'])",
    ),
    "strings put together": (
        """
@covers(lambda s: s in ("a.b", "a.c", "b.b", "b.c"))
@gen.composite
def f(draw) -> str:
    parts = [draw(gen.sampled_from(["a", "b"])), draw(gen.sampled_from(["b", "c"]))]
    return ".".join(parts)
""",
        '["b", "c"]',
        '["b"]',
    ),
    "the last of a list": (
        """
@covers(lambda v: 1 <= len(v) <= 2 and v[-1] == 0 and all(0 <= n <= 2 for n in v))
@gen.composite
def f(draw) -> list[int]:
    v = [] if draw(gen.booleans()) else [draw(gen.integers(0, 2))]
    v.append(0)
    return v
""",
        "gen.integers(0, 2)",
        "gen.integers(0, 1)",
    ),
    "the greatest of a list": (
        """
@covers(lambda v: 1 <= len(v) <= 2 and max(v) == 2 and min(v) >= 0)
@gen.composite
def f(draw) -> list[int]:
    v = draw(gen.lists(gen.integers(0, 2), min_size=1, max_size=2))
    assume(max(v) == 2)
    return v
""",
        "gen.integers(0, 2)",
        "gen.integers(1, 2)",
    ),
}


def as_hypothesis(text: str) -> str:
    return "from hypothesis import assume, strategies as st\n" + text.replace("gen.", "st.")


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("form", ["everycase", "hypothesis"])
def test_read_proved_and_refuted(name, form):
    text, old, new = READ[name]
    assert old in text
    for shown, status in ((text, "proved"), (text.replace(old, new), "missing")):
        verdict = gaps(module(as_hypothesis(shown) if form == "hypothesis" else shown)["f"])
        assert verdict.unsupported is None, str(verdict)
        assert verdict.status == status, str(verdict)
