"""Classes and helper functions as people write them, for the predicates of ``narrow_predicates.py``."""

from __future__ import annotations

import dataclasses
import enum
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import attrs

from everycase import gen


class Color(enum.Enum):
    RED = "r"
    GREEN = "g"
    BLUE = "b"


class Prio(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Perm(enum.Flag):
    R = 1
    W = 2
    X = 4


@dataclass(frozen=True)
class P:
    x: int
    y: int

    @property
    def norm(self) -> int:
        return abs(self.x) + abs(self.y)

    def __add__(self, other: P) -> P:
        return P(self.x + other.x, self.y + other.y)

    def __lt__(self, other: P) -> bool:
        return (self.x, self.y) < (other.x, other.y)

    def moved(self, dx: int = 1) -> P:
        return dataclasses.replace(self, x=self.x + dx)


@dataclass(frozen=True, slots=True)
class S:
    a: int
    b: int | None
    c: Color


@dataclass(order=True)
class O:  # noqa: E742
    k: int
    flag: bool = False


class NT(NamedTuple):
    name: str
    n: int
    kids: tuple[int, int]

    def total(self) -> int:
        return self.n + sum(self.kids)


@attrs.define
class At:
    lo: int
    hi: int

    def width(self) -> int:
        return self.hi - self.lo


@attrs.frozen
class Af:
    lo: int
    tag: Color


T = TypeVar("T")


@dataclass(frozen=True)
class Box(Generic[T]):
    item: T
    rest: Box[T] | None = None

    def __iter__(self) -> Iterator[T]:
        box: Box[T] | None = self
        while box is not None:
            yield box.item
            box = box.rest

    def __len__(self) -> int:
        return 1 + (len(self.rest) if self.rest is not None else 0)

    def __bool__(self) -> bool:
        return True

    def __contains__(self, value: object) -> bool:
        return any(value == item for item in self)


@dataclass(frozen=True)
class Num:
    v: int


@dataclass(frozen=True)
class Bin:
    op: str
    l: Any  # noqa: E741
    r: Any


@dataclass(frozen=True)
class Neg:
    e: Any


# --- generators -----------------------------------------------------------------------------------------

small = gen.integers(-3, 3)
lists = gen.lists(gen.integers(0, 3), max_size=4)
points = gen.builds(P, small, small)
slotted = gen.builds(S, gen.integers(0, 4), gen.none() | gen.integers(0, 3), gen.sampled_from(Color))
ordered = gen.builds(O, gen.integers(0, 5), gen.booleans())
named_tuples = gen.builds(
    NT,
    gen.sampled_from(["a", "bb", ""]),
    gen.integers(0, 3),
    gen.tuples(gen.integers(0, 2), gen.integers(0, 2)),
)
attrs_made = gen.builds(At, gen.integers(0, 4), gen.integers(0, 4))
attrs_frozen = gen.builds(Af, gen.integers(0, 4), gen.sampled_from(Color))
boxes: Any = gen.deferred(lambda: gen.builds(Box, gen.integers(0, 2), gen.none() | boxes))
expressions: Any = gen.deferred(
    lambda: gen.one_of(
        gen.builds(Num, gen.integers(0, 2)),
        gen.builds(Bin, gen.sampled_from("+*"), expressions, expressions),
        gen.builds(Neg, expressions),
    )
)
tuples = gen.tuples(gen.integers(0, 4), gen.booleans(), gen.none() | gen.integers(0, 2))
nested = gen.tuples(
    gen.lists(gen.integers(0, 2), max_size=2), gen.lists(gen.lists(gen.booleans(), max_size=1), max_size=2)
)
mixed = gen.one_of(gen.integers(0, 3), gen.booleans(), gen.none(), gen.text(alphabet="ab", max_size=1))
lists_of_points = gen.lists(points, max_size=2)
keyword_dicts = gen.builds(dict, a=gen.integers(0, 3), b=gen.booleans())
dictionaries = gen.dictionaries(gen.sampled_from("xy"), gen.integers(0, 2), max_size=2)
permissions = gen.sampled_from([Perm.R, Perm.W, Perm.R | Perm.X])
priorities = gen.sampled_from(Prio)

# --- helper functions -----------------------------------------------------------------------------------

table = {0: "z", 1: "o", 2: "t"}
lookup = {P(0, 0): 1, P(1, 2): 2}


def attempt(action: Callable[[], Any], exceptions: Any, default: Any = False) -> Any:
    try:
        return action()
    except exceptions:
        return default


def ev(e: Any) -> int:
    match e:
        case Num(v):
            return v
        case Bin("+", l, r):
            return ev(l) + ev(r)
        case Bin("*", l, r):
            return ev(l) * ev(r)
        case Neg(x):
            return -ev(x)
    raise AssertionError(e)


def depth(e: Any) -> int:
    below = (getattr(e, "l", None), getattr(e, "r", None), getattr(e, "e", None))
    return 1 + max([depth(part) for part in below if part is not None], default=0)


def acc(e: Any, total: int = 0) -> int:
    if isinstance(e, Num):
        return total + e.v
    if isinstance(e, Neg):
        return acc(e.e, total + 1)
    return acc(e.r, acc(e.l, total))


def strict(e: Any) -> bool:
    if isinstance(e, Bin) and isinstance(e.l, Num) and e.l.v == 0:
        raise ValueError("zero")
    parts = [getattr(e, field.name) for field in dataclasses.fields(e)]
    return all(strict(part) for part in parts if not isinstance(part, int | str))


class Visitor:
    def visit(self, e: Any) -> Any:
        return getattr(self, "visit_" + e.__class__.__name__.lower())(e)

    def visit_num(self, e: Num) -> int:
        return e.v

    def visit_neg(self, e: Neg) -> int:
        return int(self.visit(e.e)) + 1

    def visit_bin(self, e: Bin) -> int:
        return max(self.visit(e.l), self.visit(e.r))


@functools.singledispatch
def sd(e: Any) -> int:
    return 0


@sd.register
def _(e: Num) -> int:
    return e.v


@sd.register
def _(e: Neg) -> int:
    return 1 + sd(e.e)


@sd.register
def _(e: Bin) -> int:
    return sd(e.l) * sd(e.r)


def stack(e: Any) -> bool:
    todo, total = [e], 0
    while todo:
        one = todo.pop()
        if isinstance(one, Num):
            total += one.v
        elif isinstance(one, Neg):
            todo.append(one.e)
        else:
            todo += [one.l, one.r]
    return total == 2


def gen_walk(e: Any) -> Iterator[Any]:
    yield e
    if isinstance(e, Neg):
        yield from gen_walk(e.e)
    if isinstance(e, Bin):
        yield from gen_walk(e.l)
        yield from gen_walk(e.r)


def early(e: Any) -> bool:
    return not any(isinstance(one, Num) and one.v == 2 for one in gen_walk(e))


def env_check(e: Any, env: tuple[int, ...] = ()) -> bool:
    if isinstance(e, Num):
        return e.v < len(env)
    if isinstance(e, Neg):
        return env_check(e.e, (*env, 1))
    return env_check(e.l, env) and env_check(e.r, env)


def seqmatch(xs: Any) -> bool:
    match xs:
        case []:
            return True
        case [x]:
            return bool(x == 1)
        case [a, b]:
            return bool(a < b)
        case [a, *rest, b]:
            return a == b and not sum(rest)
    return False


def seqmatch2(xs: Any) -> bool:
    match xs:
        case [0, *_] | [1 | 2, _]:
            return True
    return False


def loop(xs: Any) -> bool:
    i = 0
    while i < len(xs):
        if xs[i] == i:
            return True
        i += 1
    return False


def bin_search(xs: Any) -> bool:
    low, high = 0, len(xs)
    while low < high:
        middle = (low + high) // 2
        if xs[middle] < 2:
            low = middle + 1
        else:
            high = middle
    return low == 1


def forelse(xs: Any) -> bool:
    for x in xs:
        if x == 3:
            break
    else:
        return False
    return True


def unpack(xs: Any) -> bool:
    try:
        a, b = xs
    except ValueError:
        return False
    return bool(a == b + 1)


def star(xs: Any) -> bool:
    try:
        a, *rest = xs
    except ValueError:
        return False
    return bool(a == len(rest))


def mean(xs: Any) -> float:
    return float(sum(xs) / len(xs))


def tail(box: Any, total: int = 0) -> int:
    return total if box is None else tail(box.rest, total + box.item)


def mp(p: Any) -> bool:
    match p:
        case P(0, y):
            return bool(y > 1)
        case P(x=1):
            return True
        case P(x, y) if x == y:
            return True
        case object(x=2):
            return True
    return False


def ms(s: Any) -> bool:
    match s:
        case S(0, None, _):
            return True
        case S(a, int(b), Color.RED):
            return bool(a < b)
        case S(c=Color.BLUE, b=None):
            return True
    return False


def mn(t: Any) -> bool:
    match t:
        case NT("a", n, (x, y)):
            return bool(n == x + y)
        case (name, 1, _):
            return bool(name == "")
        case [*_, (1, 1)]:
            return True
    return False


def mb(b: Any) -> bool:
    match b:
        case Box(0, None):
            return True
        case Box(1, Box(x, _)):
            return bool(x == 1)
        case Box(item=2, rest=rest):
            return rest is None
    return False
