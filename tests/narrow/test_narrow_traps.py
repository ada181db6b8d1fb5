"""What Python does with undecided values: every row of the table is right, or clearly refused."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import json
import pickle
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any, Generic, TypeVar

import pytest

from everycase import check, gen
from everycase.explore import Narrow
from everycase.gen.base import Gen
from everycase.narrow import Narrowing, Untrusted

T = TypeVar("T")


@dataclass
class Leaf:
    pass


@dataclass
class Node(Generic[T]):
    v: int
    a: Any
    b: Any

    def depth(self) -> int:
        return 1 + max(depth(self.a), depth(self.b))

    @property
    def left(self) -> Any:
        return self.a

    @functools.cached_property
    def total(self) -> int:
        return self.v + sum(part.total for part in (self.a, self.b) if isinstance(part, Node))

    @classmethod
    def make(cls, v: int) -> Node[Any]:
        return cls(v, Leaf(), Leaf())

    @staticmethod
    def one() -> int:
        return 1


@dataclass
class Renewed:
    """Its copies are different values."""

    v: int

    def __copy__(self) -> Renewed:
        return Renewed(self.v + 1)

    def __deepcopy__(self, memo: Any) -> Renewed:
        return Renewed(self.v + 10)


def depth(tree: Any) -> int:
    return tree.depth() if isinstance(tree, Node) else 0


@dataclass(frozen=True)
class FrozenLeaf:
    def __len__(self) -> int:
        return 0


@dataclass(frozen=True)
class FrozenNode:
    v: int
    a: Any
    b: Any

    def __len__(self) -> int:
        return 1 + len(self.a) + len(self.b)

    def __str__(self) -> str:
        return f"<{self.v}>"


trees: Gen[Any] = gen.deferred(lambda: gen.builds(Leaf) | gen.builds(Node, gen.integers(0, 1), trees, trees))
frozen: Gen[Any] = gen.deferred(
    lambda: gen.builds(FrozenLeaf) | gen.builds(FrozenNode, gen.integers(0, 1), frozen, frozen)
)
optional: Gen[Any] = gen.deferred(
    lambda: gen.none() | gen.builds(Node, gen.integers(0, 2), optional, optional)
)
numbers = gen.lists(gen.integers(0, 2))
sets = gen.sets(gen.integers(0, 1))


def filled(copied: Any) -> int:
    """Change a copy, and return the number of its elements."""
    if isinstance(copied, set):
        copied.add(9)
        return len(copied)
    if isinstance(copied, list | tuple):
        return sum(map(filled, copied))
    return filled(copied.a) + filled(copied.b) if isinstance(copied, Node) else 0


@functools.singledispatch
def kind(x: object) -> str:
    return "other"


@kind.register
def _(x: Leaf) -> str:
    return "leaf"


@kind.register
def _(x: Node) -> str:  # type: ignore[type-arg]
    return "node"


def by_pattern(x: Any) -> bool:
    match x:
        case Node(1, Node(v=inner), Leaf()):
            return inner == 0
        case Leaf():
            return False
    return False


def by_sequence(xs: Any) -> bool:
    match xs:
        case []:
            return False
        case [a]:
            return bool(a == 1)
        case [a, b, *rest]:
            return a < b and not rest
    return False


def by_literal(n: Any) -> bool:
    match n:
        case 1 | 3:
            return True
        case int(k) if k > 4:
            return True
    return False


RIGHT: dict[str, tuple[Gen[Any], Callable[[Any], object], int]] = {
    "isinstance": (trees, lambda x: isinstance(x, Node) and isinstance(x.a, Leaf), 9),
    "__class__": (trees, lambda x: x.__class__ is Node and x.b.__class__ is Leaf, 9),
    "singledispatch": (trees, lambda x: kind(x) == "node" and kind(x.a) == "leaf", 9),
    "equal to a real one": (trees, lambda x: isinstance(x, Node) and Leaf() == x.a, 9),
    "in a list": (trees, lambda x: x in [Leaf(), Node(1, Leaf(), Leaf())], 9),
    "equal, both undecided": (trees, lambda x: isinstance(x, Node) and x.a == x.b, 9),
    "is None": (optional, lambda x: x is not None and x.a is None and x.b is not None, 3),
    "in a set": (
        frozen,
        lambda x: (
            isinstance(x, FrozenNode) and x.a in {FrozenLeaf(), FrozenNode(1, FrozenLeaf(), FrozenLeaf())}
        ),
        9,
    ),
    "a dictionary": (frozen, lambda x: {FrozenLeaf(): 1}.get(x, 0) == 0 and x.v == 1, 9),
    "a set of two": (frozen, lambda x: isinstance(x, FrozenNode) and len({x.a, x.b}) == 1, 9),
    "bool": (trees, lambda x: bool(x) and isinstance(x, Node), 9),
    "bool by __len__": (frozen, lambda x: not x or not x.a, 9),
    "len of an object": (frozen, lambda x: len(x) == 2, 9),
    "repr": (trees, lambda x: "v=1" in repr(x), 9),
    "str": (frozen, lambda x: str(x) == "<1>" or f"{x}" == "<0>", 9),
    "copies": (trees, lambda x: isinstance(copy.deepcopy(x), Node) and copy.copy(x).v == 1, 9),
    "a deep copy is shared with nothing": (
        gen.builds(Leaf) | gen.builds(Node, gen.integers(0, 1), sets, gen.lists(gen.tuples(sets))),
        lambda x: filled(copy.deepcopy(x)) == 5 and "9" not in repr(x),
        6,
    ),
    "a deep copy of a list is shared with nothing": (
        gen.lists(sets),
        lambda xs: filled(copy.deepcopy(xs)) == 4 and "9" not in repr(xs),
        5,
    ),
    "copies of one's own": (
        gen.builds(Leaf) | gen.builds(Renewed, gen.integers(0, 5)),
        lambda x: (isinstance(x, Renewed) and copy.copy(x).v == 2) or copy.deepcopy([x])[0] == Renewed(13),
        2,
    ),
    "pickle": (trees, lambda x: pickle.loads(pickle.dumps(x)) == x and isinstance(x, Node), 9),
    "asdict": (trees, lambda x: len(str(dataclasses.asdict(x))) > 40, 9),
    "astuple": (trees, lambda x: len(str(dataclasses.astuple(x))) > 15, 9),
    "is_dataclass": (trees, lambda x: dataclasses.is_dataclass(x) and isinstance(x, Node), 9),
    "replace": (trees, lambda x: isinstance(x, Node) and dataclasses.replace(x, v=0).a == Leaf(), 9),
    "json": (trees, lambda x: len(json.dumps(dataclasses.asdict(x))) > 40, 9),
    "methods": (trees, lambda x: depth(x) == 2, 9),
    "properties": (trees, lambda x: isinstance(x, Node) and isinstance(x.left, Node), 9),
    "cached properties": (trees, lambda x: isinstance(x, Node) and x.total == 2, 9),
    "class methods": (trees, lambda x: isinstance(x, Node) and x.make(x.one()) == x, 9),
    "vars": (trees, lambda x: len(vars(x)) == 3 and vars(x)["v"] == 1, 9),
    "hasattr": (trees, lambda x: hasattr(x, "v") and not hasattr(x.a, "v"), 9),
    "fields": (trees, lambda x: len(dataclasses.fields(x)) == 3, 9),
    "class patterns": (trees, by_pattern, 9),
    "len and negative index": (numbers, lambda xs: len(xs) == 2 and xs[0] < xs[-1], 4),
    "sequence patterns": (numbers, by_sequence, 4),
    "unpacking": (numbers, lambda xs: bool(xs) and (lambda a, *rest: a in rest)(*xs), 4),
    "set of a list": (numbers, lambda xs: len(set(xs)) == len(xs), 4),
    "join": (gen.lists(gen.sampled_from("ab")), lambda xs: "".join(xs) == "ab", 4),
    "index": (numbers, lambda xs: 1 in xs and xs.index(1) == 0 and xs.count(1) == 1, 4),
    "concatenation": (numbers, lambda xs: xs + [1] == [0, 1] or [1] + xs == [1, 2], 4),
    "reversed": (numbers, lambda xs: list(reversed(xs)) == xs, 4),
    "slices": (numbers, lambda xs: xs[::-1] == xs and xs[1:3] != [1], 4),
    "max": (numbers, lambda xs: max(xs, default=0) == 2, 4),
    "json of a list": (numbers, lambda xs: json.dumps(xs).count("1") == 2, 4),
    "is it a list": (numbers | gen.integers(0, 9), lambda x: isinstance(x, list) and len(x) == 1, 4),
    "order of lists": (numbers, lambda xs: xs < [1, 1] and xs >= [0], 3),
    "arithmetic": (
        gen.integers(0, 30),
        lambda n: (
            n % 7 == 3
            or n // 2 == 4
            or -n == -9
            or n * 2 == 20
            or 3 - n == 1
            or n**2 == 16
            or (n & 1 and n > 28)
        ),
        0,
    ),
    "ranges and indexing": (
        gen.tuples(gen.integers(0, 6), gen.integers(0, 6)),
        lambda p: p[0] in range(p[1]) and [5, 4, 3, 2, 1, 0, 0][p[0]] == 2,
        1,
    ),
    "formatting": (
        gen.integers(0, 30),
        lambda n: f"{n:02d}" == "07" or f"{n}" == "12" or str(n) == "3" or int(n) == 9 or float(n) == 2.0,
        0,
    ),
    "comparing two": (
        gen.tuples(gen.integers(), gen.integers()),
        lambda p: p[0] < p[1] < p[0] + 3 and p[0] != 0,
        5,
    ),
    "zero is false": (gen.integers(0, 5), lambda n: not n or n.bit_length() == 3, 0),
    "literal patterns": (gen.integers(0, 5), by_literal, 0),
    "equal to no number": (gen.integers(0, 5), lambda n: n != "1" and n != None and n == 2 + 0j, 0),  # noqa: E711
    "floats": (gen.integers(0, 5), lambda n: n < 2.5 and n / 2 > 0.4, 0),
    "bytes and repetition": (gen.integers(0, 5), lambda n: "ab" * n == "abab" or len(bytes(n)) == 4, 0),
    "order of tuples": (
        gen.tuples(gen.integers(0, 3), gen.integers(0, 3)),
        lambda p: p < (1, 2) or p == (3, 3),
        1,
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right(name: str) -> None:
    made, predicate, size = RIGHT[name]
    wanted = Counter(repr(value) for value in made.up_to_size(size) if predicate(value))
    assert 0 < wanted.total() < len(made.up_to_size(size))
    found = Counter(repr(one.value) for one in Narrowing([made]).search(size, predicate))
    assert found == wanted


def by_type(x: Any) -> bool:
    return type(x) is Node and x.v == 1


def behind_a_helper(x: Any) -> bool:
    return isinstance(x, Node) and by_type(x.a)


@functools.cache
def remembers(x: Any) -> bool:
    return isinstance(x, FrozenNode) and x.v == 1


def with_cache(x: Any) -> bool:
    return isinstance(x, FrozenNode) and remembers(x.a)


def making_generators(xs: Any) -> bool:
    return all(len(gen.integers(0, x)) != 3 for x in xs)


def as_json(xs: Any) -> bool:
    """A list-like object is not a list to C code, so json does not know its type and calls ``default``."""
    return json.dumps({"xs": xs}, default=str) == '{"xs": [1]}'


def as_json_by_class(xs: Any) -> bool:
    return json.dumps(xs, cls=Words, indent=None) == "[1]"


class Words(json.JSONEncoder):
    def default(self, o: object) -> str:
        return str(o)


def changing(x: Any) -> bool:
    if isinstance(x, Node):
        x.v = 3
    return True


def swallowing(x: Any) -> bool:
    try:
        return isinstance(x, Node) and json.dumps([x.v]) == "[1]"
    except TypeError:
        return False


def sorting(xs: list[int]) -> bool:
    before = list(xs)
    xs.sort()
    return before == xs


def changing_behind_except(xs: list[int]) -> bool:
    try:
        xs.append(1)
    except BaseException:
        return False
    return True


def changing_a_slice(xs: Any) -> bool:
    longer = xs[:]
    longer.append(1)
    return len(longer) == 2


def by_identity(pair: Any) -> bool:
    """True for equal small numbers, if they are real."""
    return pair[0] is pair[1]


@pytest.mark.parametrize(
    ("predicate", "made", "words"),
    [
        (by_type, trees, "calls type"),
        (behind_a_helper, trees, "by_type .line .*write isinstance"),
        (with_cache, frozen, "remembers"),
        (making_generators, numbers, "gen.integers.*outside"),
        (as_json, numbers, "default=.* in as_json .line .*, without default"),
        (as_json_by_class, numbers, "default="),
        (changing, trees, "sets the attribute v"),
        (swallowing, trees, "catches TypeError in swallowing"),
        (sorting, numbers, "calls sort on a list"),
        (changing_behind_except, numbers, "append"),
        (
            changing_a_slice,
            numbers,
            "calls append on a list.*list.xs.; a slice such as xs... is not a copy here",
        ),
        (by_identity, gen.tuples(gen.integers(0, 9), gen.integers(0, 9)), "== instead of `is`"),
    ],
)
def test_refused_with_the_remedy(predicate: Callable[[Any], bool], made: Gen[Any], words: str) -> None:
    with pytest.raises(Untrusted, match=words):
        list(Narrowing([made]).search(7 if made is not numbers else 3, predicate))


def test_a_search_inside_a_predicate() -> None:
    """Our own code may be called: only the values that the predicate passes to it matter."""
    places = gen.integers(0, 3)

    def has_a_place(xs: Any) -> bool:
        return bool(
            check(lambda i: not (i < len(xs) and xs[i] == i), places, explore=Narrow(max_size=0)).failures
        )

    def has_another_place(xs: Any) -> bool:
        return any(Narrowing([places]).search(0, lambda i: i < len(xs) and xs[i] == i))

    wanted = Counter(repr(xs) for xs in numbers.up_to_size(3) if has_a_place(xs))
    assert 0 < wanted.total() < len(numbers.up_to_size(3))
    for predicate in (has_a_place, has_another_place):
        found = Counter(repr(one.value) for one in Narrowing([numbers]).search(3, predicate))
        assert found == wanted


def test_predicates_that_depend_on_something_else() -> None:
    calls = 0

    def every_third(x: Any) -> bool:
        nonlocal calls
        calls += 1
        return isinstance(x, Node) and (calls % 3 == 0 or isinstance(x.a, Node))

    with pytest.raises(Untrusted):
        list(Narrowing([trees]).search(9, every_third))


@dataclass
class First:
    x: Any


@dataclass
class Second:
    x: Any


def test_parts_kept_between_calls() -> None:
    kept: list[Any] = []

    def keeping(value: Any) -> bool:
        if isinstance(value, First):
            kept.append(value.x)
            return isinstance(value.x, Leaf)
        # An object that belongs to earlier values, and is undecided again.
        return isinstance(kept[0], Node) or isinstance(value.x, Node)

    with pytest.raises(Untrusted, match="must not store anything"):
        list(Narrowing([gen.builds(First, trees) | gen.builds(Second, trees)]).search(9, keeping))


def test_the_run_goes_on_by_filtering_and_says_so() -> None:
    wanted = [value for value in trees.up_to_size(7) if by_type(value)]
    seen: list[Any] = []
    report = check(seen.append, trees.filter(by_type), explore=Narrow(max_size=7))
    assert sorted(map(repr, seen)) == sorted(map(repr, wanted))
    assert report.status == "passed"
    (warning,) = report.warnings
    assert "by_type cannot be used for pruning" in warning and "isinstance" in warning
    assert report.covered == f"all {len(wanted)} values up to size 7 that satisfy by_type; by filtering"
    assert "warning: by_type" in str(report)
    assert report.figures["by_filtering"]


@dataclass
class Printed:
    v: int

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.v})"

    def never_called(self) -> bool:
        return type(self) is Printed

    def called(self) -> bool:
        return type(self) is Printed


def test_only_code_that_the_predicate_reaches_is_looked_into() -> None:
    made = gen.builds(Printed, gen.integers(0, 9))
    assert [one.value.v for one in Narrowing([made]).search(1, lambda p: p.v > 7)] == [8, 9]
    with pytest.raises(Untrusted, match=r"type.* in called"):
        list(Narrowing([gen.lists(gen.tuples(made))]).search(3, lambda ps: all(p.called() for (p,) in ps)))


def installed(predicate: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A decorator from a library."""
    scope: dict[str, Any] = {}
    text = "def decorate(f):\n    def wrapper(value):\n        return f(value)\n    return wrapper"
    exec(compile(text, "/lib/site-packages/library.py", "exec"), scope)
    return scope["decorate"](predicate)  # type: ignore[no-any-return]


def test_what_a_library_wraps_is_looked_into() -> None:
    with pytest.raises(Untrusted, match=r"calls type.* in by_type"):
        list(Narrowing([trees]).search(7, installed(by_type)))


def v(thing: Any) -> str:
    """Has the name of a field, and is never called."""
    return type(thing).__name__


def test_a_field_is_not_taken_for_the_function_of_its_name() -> None:
    made = gen.builds(Printed, gen.integers(0, 9))
    assert [one.value.v for one in Narrowing([made]).search(1, lambda p: p.v > 7)] == [8, 9]
    with pytest.raises(Untrusted, match=r"type.* in v "):
        list(Narrowing([made]).search(1, lambda p: v(p) == "Printed"))


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("text", ["n is 3", "n is not 3", "n is -3", "n is 3 if n else False"])
def test_numbers_are_not_compared_by_identity(text: str) -> None:
    # Chance hardly ever hits one number among so large a range.
    code = compile(f"lambda n: {text}", "written.py", "eval", dont_inherit=True)
    with pytest.raises(Untrusted, match=r"compares a number by `is` in <lambda> .line 1.*write =="):
        list(Narrowing([gen.integers(-(10**9), 10**9)]).search(40, eval(code)))


def test_what_is_there_once_may_be_compared_by_identity() -> None:
    made = gen.tuples(gen.integers(0, 9), gen.none() | gen.booleans())
    found = Narrowing([made]).search(1, lambda p: p[0] == 3 and (p[1] is None or p[1] is True))
    assert [one.value for one in found] == [(3, None), (3, True)]


# --- exceptions -----------------------------------------------------------------------------------------


def test_an_exception_of_the_predicate_is_the_users() -> None:
    def raising(x: Any) -> bool:
        if isinstance(x, Node) and x.v == 1 and isinstance(x.a, Node):
            raise RuntimeError(f"bug on {x!r}")
        return True

    with pytest.raises(RuntimeError, match=r"bug on Node\(v=1, a=Node"):
        list(Narrowing([trees]).search(7, raising))
    report = check(lambda x: None, trees.filter(raising), explore=Narrow(max_size=7))
    assert report.status == "failed" and isinstance(report.error, RuntimeError)
    # Nothing shows the stand-in for the value.
    assert report.error.__context__ is None


def test_an_exception_that_only_a_partial_value_causes_is_none() -> None:
    def exact(x: Any) -> bool:
        assert not isinstance(x, Node) or isinstance(json.loads(json.dumps(x.v)), int)
        return isinstance(x, Node)

    search = Narrowing([trees])
    assert len(list(search.search(5, exact))) == sum(isinstance(x, Node) for x in trees.up_to_size(5))
    assert search.statistics.raised


def as_time(minutes: Any) -> bool:
    try:
        return timedelta(minutes=minutes) == timedelta(hours=20)
    except Exception:
        return False


def as_decimals(pair: Any) -> bool:
    a, b = pair
    if a > b:
        return False
    with contextlib.suppress(TypeError):
        return Decimal(a) * Decimal(b) == 35
    return False


def in_text(xs: Any) -> bool:
    if len(xs) != 2:
        return False
    try:
        text = json.dumps(xs)
    except TypeError:
        return False
    return text == "[17, 23]"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("predicate", "made", "size", "words"),
    [
        (as_time, gen.integers(0, 100_000), 20, "as_time"),
        (as_decimals, gen.tuples(gen.integers(0, 300), gen.integers(0, 300)), 20, "as_decimals"),
        (in_text, gen.lists(gen.integers(0, 63)), 2, "in_text"),
    ],
)
def test_an_exception_that_is_caught_and_only_a_partial_value_causes(
    predicate: Callable[[Any], bool], made: Gen[Any], size: int, words: str
) -> None:
    # Only one value is valid, so a sample of the rejected ones shows nothing.
    with pytest.raises(Untrusted, match=rf"catches TypeError in {words} .line.*Write int"):
        list(Narrowing([made]).search(size, predicate))
    report = check(lambda value: None, made.filter(predicate), explore=Narrow(max_size=size))
    assert report.examples == sum(map(predicate, made.up_to_size(size))) and report.figures["by_filtering"]


def lookup(x: Any) -> bool:
    """The exceptions that it catches are raised by real values, too."""
    try:
        x.a.a.missing  # noqa: B018
    except AttributeError:
        known = {0: "zero"}
        try:
            return known[x.v] == "zero" and [1, 2][x.v + 5] == 1
        except KeyError:
            return False
        except LookupError:
            return isinstance(x, Node) and next(iter([x.b])) == Leaf()
    return False


def endless(x: Any) -> bool:
    def again(depth: int) -> int:
        return again(depth + 1) if isinstance(x, Node) else depth

    try:
        return again(0) == 0
    except RecursionError:
        return isinstance(x.a, Node)


@pytest.mark.parametrize("predicate", [lookup, endless])
def test_exceptions_that_real_values_cause_as_well_may_be_caught(predicate: Callable[[Any], bool]) -> None:
    made = gen.builds(Node, gen.integers(0, 1), trees, trees)
    wanted = [repr(x) for x in made.up_to_size(7) if predicate(x)]
    assert sorted(repr(one.value) for one in Narrowing([made]).search(7, predicate)) == sorted(wanted) != []


def test_tracing_is_left_as_it_was() -> None:
    def trace(frame: Any, event: str, arg: Any) -> Any:
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        list(Narrowing([numbers]).search(3, lambda xs: sum(xs) == 2))
        assert sys.gettrace() is trace
    finally:
        sys.settrace(before)


@dataclass(frozen=True)
class Truthful:
    """Its truth value depends on its field."""

    n: int

    def __bool__(self) -> bool:
        return self.n > 2


@pytest.mark.parametrize("wanted", [7, 4])
def test_truth_of_the_answer_may_lead_to_a_dead_end(wanted):
    # No choice makes a field; or some do, but not the first ones.
    field = gen.integers(0, 5).filter(lambda n: n == wanted)
    search = Narrowing([gen.builds(Truthful, field)], [(lambda value: value, (0,))])
    assert [one.value for one in search.search(5)] == [Truthful(4)] * (wanted == 4)
