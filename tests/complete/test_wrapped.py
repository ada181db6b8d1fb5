"""Proofs about dates, floats, sets, dictionaries and tuples of any length, and about loops with a bounded length."""

from __future__ import annotations

import datetime
import math

import pytest
from samples import module

from everycase import assume, covers, gen
from everycase.complete import gaps
from everycase.complete.language.types import Types
from everycase.complete.language.values import from_python, to_python
from everycase.complete.language.wrapped import rank, unrank

HEADER = (
    "import datetime\nimport enum\nimport math\nfrom {} import assume, {}\nfrom everycase import covers\n"
)

#: annotation, predicate, body with {} for what the twin changes, the whole and the broken version, a missing value
PROVED = {
    "set": ("set[int]", "len(v) <= 2 and all(0 <= x <= 2 for x in v)", "return draw(gen.sets({}, max_size=2))", "gen.integers(0, 2)", "gen.integers(0, 1)", {2}),
    "frozenset": ("frozenset[int]", "v <= {1, 2}", "return draw(gen.frozensets({}))", "gen.integers(1, 2)", "gen.just(1)", frozenset({2})),
    "set of strings": ("set[str]", "v <= {'a', 'b'} and len(v) >= 1", "return draw(gen.sets(gen.sampled_from(['b', 'a']), min_size=1{}))", "", ", max_size=1", {"a", "b"}),
    "dictionary": ("dict[int, int]", "all(0 <= k <= 1 and 0 <= n <= 1 for k, n in v.items())", "return draw(gen.dictionaries(gen.integers(0, 1), {}))", "gen.integers(0, 1)", "gen.just(0)", {0: 1}),
    "display": ("dict[str, int]", "set(v) == {'x', 'y'} and 0 <= v['x'] <= 3 and v['y'] == 0", "return {{'y': 0, 'x': draw(gen.integers(0, {}))}}", "3", "2", {"x": 3, "y": 0}),
    "tuple": ("tuple[int, ...]", "len(v) <= 3", "return tuple(draw(gen.lists(gen.integers(), max_size={})))", "3", "2", (0, 0, 0)),
    "float": ("float", "0.0 <= v <= 1.0", "return draw(gen.floats({}, 1.0))", "0.0", "0.5", 0.0),
    "no NaN": ("float", "not math.isnan(v)", "return draw(gen.floats({}allow_nan=False))", "", "min_value=-1, ", -2.0),
    "pair of floats": ("tuple[float, float]", "v[0] <= v[1]", "low = draw(gen.floats(allow_nan=False))\n    return low, draw(gen.floats(min_value=low{}))", "", ", exclude_min=True", (0.0, 0.0)),
    "date": ("datetime.date", "v >= datetime.date(2000, 1, 1)", "return draw(gen.dates(min_value=datetime.date(2000, 1, {})))", "1", "2", datetime.date(2000, 1, 1)),
    "week": ("tuple[datetime.date, datetime.date]", "0 <= (v[1] - v[0]).days <= 7 and v[0] < datetime.date(9999, 1, 1)",
             "day = draw(gen.dates(max_value=datetime.date(9998, 12, 31)))\n    return day, day + datetime.timedelta(days=draw(gen.integers({}, 7)))", "0", "1", None),
    "duration": ("datetime.timedelta", "v >= datetime.timedelta(0)", "return draw(gen.timedeltas(min_value=datetime.timedelta({})))", "0", "1", datetime.timedelta(0)),
    "running total": ("list[int]", "len(v) <= 3 and all(a <= b for a, b in zip(v, v[1:])) and (not v or v[0] >= 0)",
                      "result = []\n    last = 0\n    for _ in range(draw(gen.integers(0, {}))):\n        last += draw(gen.integers(min_value=0))\n        result.append(last)\n    return result", "3", "2", [0, 0, 0]),
    "loop over a drawn list": ("list[int]", "len(v) <= 2 and all(n % 2 == 0 for n in v)",
                               "result = []\n    for n in draw(gen.lists(gen.integers(), max_size={})):\n        result.append(2 * n)\n    return result", "2", "1", [0, 0]),
    "comprehension": ("list[int]", "len(v) <= 2 and all(n >= 1 for n in v)", "drawn = draw(gen.lists(gen.integers(min_value={}), max_size=2))\n    return [n + 1 for n in drawn]", "0", "1", [1]),
    "sorted numbers": ("tuple[int, int]", "v[0] <= v[1]", "low, high = sorted([draw(gen.integers()), draw(gen.integers({}))])\n    return low, high", "", "0, None", (-1, -1)),
    "greatest first": ("list[int]", "all(a >= b for a, b in zip(v, v[1:]))", "return sorted(draw(gen.lists(gen.integers({}))), reverse=True)", "", "0, None", [-1]),
    "index": ("int", "v in (3, 5, 7)", "return [3, 5, 7][draw(gen.integers(-{}, 1))]", "1", "0", 7),
    "one of a list": ("int", "v in (1, 2, 5)", "options = [gen.integers(1, {}), gen.just(5)]\n    return draw(gen.one_of(options))", "2", "1", 2),
    "conditional generator": ("int", "v in (0, 1, 5)", "return draw(gen.integers(0, {}) if draw(gen.booleans()) else gen.just(5))", "1", "0", 1),
    "walrus": ("int", "0 <= v <= 4", "if (n := draw(gen.integers(0, {}))) > 1:\n        return n\n    return n", "4", "3", 4),
    "put in place": ("list[int]", "len(v) == 2 and v[0] == 0", "xs = draw(gen.lists(gen.integers({}), min_size=2, max_size=2))\n    xs[0] = 0\n    return xs", "", "0, None", [0, -1]),
    "alphabet": ("str", "1 <= len(v) <= 2 and all(c in 'ab' for c in v)", "return draw(gen.text('{}', min_size=1, max_size=2))", "ab", "a", "b"),
    "digits": ("str", "len(v) == 2 and v.isdigit() and v.isascii()", "return draw(gen.text('{}', min_size=2, max_size=2))", "0123456789", "012345678", "09"),
    "prefix": ("str", "v.startswith('id-') and len(v) <= 5", "return 'id-' + draw(gen.text(max_size={}))", "2", "1", "id-aa"),
    "extend": ("list[int]", "1 <= len(v) <= 3 and v[0] == 0", "xs = [0]\n    xs.extend(draw(gen.lists(gen.integers(), max_size={})))\n    return xs", "2", "1", [0, 0, 0]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("form", ["everycase", "hypothesis"])
@pytest.mark.parametrize("name", PROVED)
def test_both_verdicts_by_proof(name, form):
    annotation, predicate, body, whole, broken, missing = PROVED[name]
    header = (
        HEADER.format("everycase", "gen")
        if form == "everycase"
        else HEADER.format("hypothesis", "strategies as gen")
    )
    text = (
        header + f"@covers(lambda v: {predicate})\n@gen.composite\ndef f(draw) -> {annotation}:\n    {body}\n"
    )
    if missing is not None:
        good = gaps(module(text.replace(body, body.format(whole)))["f"], max_seconds=30)
        assert (good.status, good.unsupported) == ("proved", None)
    bad = gaps(module(text.replace(body, body.format(broken)))["f"], max_seconds=30)
    assert (bad.status, bad.unsupported) == ("missing", None)
    accepted = eval(f"lambda v: {predicate}", {"datetime": datetime, "math": math})
    assert accepted(bad.value)


def test_places_of_floats_are_in_the_order_of_floats():
    numbers = [-math.inf, -1e300, -1.0, -5e-324, 0.0, 5e-324, 0.1, 1.0, math.inf]
    assert sorted(numbers, key=rank) == numbers
    assert [unrank(rank(n)) for n in numbers] == numbers


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (set[int], {3, 1}), (frozenset[str], frozenset("ab")), (dict[int, str], {2: "b", 1: "a"}), (float, -2.5),
        (tuple[int, ...], (1, 2)), (datetime.date, datetime.date(2024, 2, 29)), (list[float], [1.0, math.inf]),
        (datetime.datetime, datetime.datetime(2024, 2, 29, 1, 2, 3, 4)), (datetime.time, datetime.time(23, 59)),
        (datetime.timedelta, datetime.timedelta(days=-1, microseconds=5)),
    ],
)  # fmt: skip
def test_values_go_there_and_back(annotation, value):
    kind = Types().resolve(annotation, {})
    assert to_python(kind, from_python(kind, value)) == value


def test_a_list_with_two_names_is_not_changed_behind_the_back_of_one():
    text = """
from everycase import covers, gen
@covers(lambda v: len(v) == 1)
@gen.composite
def f(draw) -> list[int]:
    xs: list[int] = []
    ys = xs
    ys.extend([draw(gen.integers())])
    return xs
"""
    verdict = gaps(module(text)["f"])
    assert verdict.status == "no gap found" and "may have another name" in str(verdict.unsupported)


BEFORE = {
    "given by a function": ("def up_to(n):\n    return gen.integers(0, n)\n", "return draw(up_to({}))", "4", "3"),
    "function that builds": ("def next_of(n: int) -> int:\n    return n + 1\n", "return draw(gen.builds(next_of, gen.integers(-1, {})))", "3", "2"),
}  # fmt: skip


@pytest.mark.parametrize("form", ["everycase", "hypothesis"])
@pytest.mark.parametrize("name", BEFORE)
def test_functions_around_generators(name, form):
    before, body, whole, broken = BEFORE[name]
    header = (
        HEADER.format("everycase", "gen")
        if form == "everycase"
        else HEADER.format("hypothesis", "strategies as gen")
    )
    text = (
        header
        + before
        + "@covers(lambda v: 0 <= v <= 4)\n@gen.composite\ndef f(draw) -> int:\n    "
        + body
        + "\n"
    )
    assert gaps(module(text.format(whole))["f"]).status == "proved"
    missing = gaps(module(text.format(broken))["f"])
    assert (missing.status, missing.value, missing.unsupported) == ("missing", 4, None)


def test_a_parameter_that_must_be_named():
    text = (
        HEADER.format("everycase", "gen")
        + """
@covers(lambda v, n: 0 <= v <= n, requires=lambda n: n >= 0)
@gen.composite
def f(draw, *, n: int) -> int:
    return draw(gen.integers(0, n))
"""
    )
    assert gaps(module(text)["f"]).status == "proved"


def test_the_line_is_the_users_if_a_function_of_a_library_cannot_be_read():
    text = (
        HEADER.format("everycase", "gen")
        + """
@covers(lambda v: v >= 0)
@gen.composite
def f(draw) -> int:
    kinds = {1: gen.integers(0, None)}
    return draw(kinds[1])
"""
    )
    verdict = gaps(module(text)["f"])
    assert verdict.unsupported.startswith("unsupported: <sample_")
    assert verdict.unsupported.endswith("a call of gen.integers(0, None)")


def test_a_dictionary_without_a_key_that_is_looked_up_is_not_valid():
    text = (
        HEADER.format("everycase", "gen")
        + """
@covers(lambda v: 0 <= v["home"] <= 9 and 0 <= v["away"] <= 9 and len(v) == 2)
@gen.composite
def f(draw) -> dict[str, int]:
    return {"home": draw(gen.integers(0, 9)), "away": draw(gen.integers(0, 8))}
"""
    )
    verdict = gaps(module(text)["f"])
    assert verdict.checked and verdict.unsupported is None and verdict.status != "proved"


@covers(lambda b: 1 <= len(b) <= 9 and b[0] == len(b) - 1 and not b.endswith(b"\xff"))
@gen.composite
def framed(draw) -> bytes:
    payload = draw(gen.binary(max_size=8))
    frame = bytes([len(payload)]) + payload
    assume(frame[-1] != 255)
    return frame


@covers(lambda b: all(n != 7 for n in b))
@gen.composite
def without_seven(draw) -> bytes:
    return bytes(draw(gen.lists(gen.integers(0, 260).filter(lambda n: n not in (7, 8)))))


def test_bytes_are_lists_of_small_numbers():
    verdict = gaps(framed)
    assert (verdict.status, verdict.soundness) == ("proved", "proved"), verdict.notes
    verdict = gaps(without_seven)  # numbers beyond 255 make no bytes
    assert (verdict.status, verdict.value, verdict.soundness) == ("missing", b"\x08", "proved")


def test_what_python_computes_of_strings_is_asked_of_strings_only():
    """A search tries numbers for characters that there are not (ValueError of chr)."""
    text = """
@covers(lambda v: 'a' in v)
@gen.composite
def f(draw) -> str:
    t = draw(gen.text(alphabet=gen.characters(), min_size=1))
    return f'[{t}]' if t[0] != 'a' else t
"""
    assert gaps(module(text)["f"], max_seconds=1).status != "proved"
