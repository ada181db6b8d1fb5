"""Repairs of realistic gaps, written before the work that they measure, and checked by running the result.

The oracle knows nothing about the proof. It runs the patched generator: every value must satisfy the predicate, and all
values named here must come up.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class RepairTask:
    """A generator with a gap, and small valid values (as Python source) that a repaired one must be able to make."""

    name: str
    text: str
    valid: str
    arguments: dict[str, object] = field(default_factory=dict)


TASKS: list[RepairTask] = []
MORE_TASKS: list[RepairTask] = []


def task(name: str, valid: str, text: str, into: list[RepairTask] = TASKS, **arguments: object) -> None:
    into.append(RepairTask(name, text, valid, arguments))


task(
    "port",
    "[1, 65535]",
    """
@covers(lambda v: 1 <= v <= 65535)
@gen.composite
def ports(draw) -> int:
    return draw(gen.integers(1, 65534))
""",
)
task(
    "stay",
    "[Stay(0, 1, 1), Stay(1, 3, 2), Stay(0, 2, 1)]",
    """
@dataclass(frozen=True)
class Stay:
    arrives: int
    leaves: int
    guests: int

@covers(lambda s: 0 <= s.arrives < s.leaves <= 30 and 1 <= s.guests <= 4)
@gen.composite
def stays(draw) -> Stay:
    arrives = draw(gen.integers(0, 28))
    leaves = draw(gen.integers(arrives + 2, 30))
    return Stay(arrives, leaves, draw(gen.integers(1, 4)))
""",
)
task(
    "log_level",
    "['debug', 'info', 'error']",
    """
@covers(lambda v: v in ("debug", "info", "error"))
@gen.composite
def levels(draw) -> str:
    return draw(gen.sampled_from(["debug", "info"]))
""",
)
task(
    "history",
    "[[], [1], [0, 0, 0]]",
    """
@covers(lambda v: len(v) <= 3 and all(0 <= n <= 1 for n in v))
@gen.composite
def histories(draw) -> list[int]:
    return draw(gen.lists(gen.integers(0, 1), min_size=1, max_size=3))
""",
)
task(
    "tree",
    "[Leaf(), Node(0, Leaf(), Leaf())]",
    """
@dataclass(frozen=True)
class Leaf:
    pass

@dataclass(frozen=True)
class Node:
    key: int
    left: "Leaf | Node"
    right: "Leaf | Node"

def depth(t: Leaf | Node) -> int:
    match t:
        case Leaf():
            return 0
        case Node(_, left, right):
            return 1 + max(depth(left), depth(right))

@covers(lambda t, d: depth(t) <= d, requires=lambda d: d >= 0)
@gen.composite
def trees(draw, d: int) -> Leaf | Node:
    if d == 0:
        return Leaf()
    return Node(draw(gen.integers()), draw(trees(d - 1)), draw(trees(d - 1)))
""",
    d=1,
)
task(
    "timeout",
    "[Config('a', None), Config('b', 1), Config('a', 60)]",
    """
@dataclass(frozen=True)
class Config:
    host: str
    timeout: int | None

@covers(lambda c: c.host in ("a", "b") and (c.timeout is None or 1 <= c.timeout <= 60))
@gen.composite
def configs(draw) -> Config:
    host = draw(gen.sampled_from(["a", "b"]))
    return Config(host, draw(gen.integers(1, 60)))
""",
)
task(
    "day_of_2000",
    "[datetime.date(2000, 1, 1), datetime.date(2000, 12, 31)]",
    """
@covers(lambda v: datetime.date(2000, 1, 1) <= v <= datetime.date(2000, 12, 31))
@gen.composite
def days(draw) -> datetime.date:
    return draw(gen.dates(datetime.date(2000, 1, 2), datetime.date(2000, 12, 31)))
""",
)
task(
    "interval",
    "[(0, 0), (0, 1), (3, 3)]",
    """
@covers(lambda v: 0 <= v[0] <= v[1] <= 3)
@gen.composite
def intervals(draw) -> tuple[int, int]:
    low = draw(gen.integers(0, 3))
    high = draw(gen.integers(0, 3))
    assume(low < high)
    return (low, high)
""",
)
task(
    "name",
    "['', 'aaa', 'b']",
    """
@covers(lambda v: len(v) <= 3 and all(c in "ab" for c in v))
@gen.composite
def names(draw) -> str:
    return draw(gen.text(alphabet="ab", min_size=1, max_size=3))
""",
)
task(
    "tags",
    "[set(), {'x'}, {'x', 'y', 'z'}]",
    """
@covers(lambda v: v <= {"x", "y", "z"})
@gen.composite
def tags(draw) -> set[str]:
    return draw(gen.sets(gen.sampled_from(["x", "y", "z"]), max_size=2))
""",
)
task(
    "color",
    "[Color.RED, Color.GREEN, Color.BLUE]",
    """
class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3

@covers(lambda v: True)
@gen.composite
def colors(draw) -> Color:
    return draw(gen.sampled_from([Color.RED, Color.BLUE]))
""",
)
task(
    "expression",
    "[Num(0), Neg(Num(0)), Add(Num(0), Num(0))]",
    """
@dataclass(frozen=True)
class Num:
    value: int

@dataclass(frozen=True)
class Neg:
    of: "Num | Neg | Add"

@dataclass(frozen=True)
class Add:
    left: "Num | Neg | Add"
    right: "Num | Neg | Add"

def depth(e: Num | Neg | Add) -> int:
    match e:
        case Num(_):
            return 0
        case Neg(inner):
            return 1 + depth(inner)
        case Add(left, right):
            return 1 + max(depth(left), depth(right))

@covers(lambda e, d: depth(e) <= d, requires=lambda d: d >= 0)
@gen.composite
def expressions(draw, d: int) -> Num | Neg | Add:
    if d == 0 or draw(gen.booleans()):
        return Num(draw(gen.integers()))
    return Add(draw(expressions(d - 1)), draw(expressions(d - 1)))
""",
    d=1,
)
task(
    "marks",
    "[[], [0], [0, 0], [1, 1]]",
    """
def rising(v: list[int], low: int) -> bool:
    if not v:
        return True
    return low <= v[0] and rising(v[1:], v[0])

@covers(lambda v, n, low: len(v) <= n and rising(v, low), requires=lambda n, low: n >= 0)
@gen.composite
def marks(draw, n: int, low: int) -> list[int]:
    if n == 0 or draw(gen.booleans()):
        return []
    first = draw(gen.integers(min_value=low))
    return [first, *draw(marks(n - 1, first + 1))]
""",
    n=2,
    low=0,
)
task(
    "offset",
    "[-5, 0, 5]",
    """
@covers(lambda v: -5 <= v <= 5)
@gen.composite
def offsets(draw) -> int:
    return draw(gen.one_of(gen.integers(-5, -1), gen.integers(1, 5)))
""",
)
task(
    "even",
    "[0, 2, 10]",
    """
@covers(lambda v: 0 <= v <= 10 and v % 2 == 0)
@gen.composite
def evens(draw) -> int:
    return draw(gen.integers(0, 10).filter(lambda n: n % 2 == 0 and n > 0))
""",
)
task(
    "account",
    "[Account(1, True), Account(1, False), Account(9, False)]",
    """
@dataclass(frozen=True)
class Account:
    number: int
    active: bool

@covers(lambda a: 1 <= a.number <= 9)
@gen.composite
def accounts(draw) -> Account:
    return Account(draw(gen.integers(1, 9)), True)
""",
)
task(
    "share",
    "[0.0, 1.0]",
    """
@covers(lambda v: 0.0 <= v <= 1.0)
@gen.composite
def shares(draw) -> float:
    return draw(gen.floats(0.0, 0.5))
""",
)
task(
    "budget",
    "[(0, 0), (10, 0), (0, 10), (4, 6)]",
    """
@covers(lambda v: v[0] >= 0 and v[1] >= 0 and v[0] + v[1] <= 10)
@gen.composite
def budgets(draw) -> tuple[int, int]:
    rent = draw(gen.integers(0, 9))
    food = draw(gen.integers(0, 9 - rent))
    return (rent, food)
""",
)
task(
    "shape",
    "[Circle(1), Square(1), Circle(3)]",
    """
@dataclass(frozen=True)
class Circle:
    radius: int

@dataclass(frozen=True)
class Square:
    side: int

def good(s: Circle | Square) -> bool:
    match s:
        case Circle(r):
            return 1 <= r <= 3
        case Square(a):
            return 1 <= a <= 3

@covers(good)
@gen.composite
def shapes(draw) -> Circle | Square:
    return Circle(draw(gen.integers(1, 3)))
""",
)
task(
    "stack",
    "[[], [Push(0)], [Push(0), Pop()]]",
    """
@dataclass(frozen=True)
class Push:
    value: int

@dataclass(frozen=True)
class Pop:
    pass

def runs(program: list[Push | Pop], height: int) -> bool:
    if not program:
        return True
    match program[0]:
        case Push(_):
            return runs(program[1:], height + 1)
        case Pop():
            return height > 0 and runs(program[1:], height - 1)

@covers(lambda v, n, height: len(v) <= n and runs(v, height), requires=lambda n, height: n >= 0 and height >= 0)
@gen.composite
def programs(draw, n: int, height: int) -> list[Push | Pop]:
    if n == 0 or draw(gen.booleans()):
        return []
    return [Push(draw(gen.integers())), *draw(programs(n - 1, height + 1))]
""",
    n=2,
    height=0,
)

# --- a second set, run once after the fixes -------------------------------------------------------------
task(
    "month",
    "[1, 12]",
    """
@covers(lambda v: 1 <= v <= 12)
@gen.composite
def months(draw) -> int:
    return 1 + draw(gen.integers(0, 10))
""",
    MORE_TASKS,
)
task(
    "currency",
    "[Money(0, 'EUR'), Money(9, 'CHF'), Money(0, 'USD')]",
    """
@dataclass(frozen=True)
class Money:
    amount: int
    currency: str

@covers(lambda m: 0 <= m.amount <= 9 and m.currency in ("EUR", "USD", "CHF"))
@gen.composite
def money(draw) -> Money:
    return draw(gen.builds(Money, amount=gen.integers(0, 9), currency=gen.sampled_from(["EUR", "USD"])))
""",
    MORE_TASKS,
)
task(
    "bracket",
    "[[], [1, 1]]",
    """
@covers(lambda v: len(v) <= 2 and all(1 <= n <= 2 for n in v))
@gen.composite
def brackets(draw) -> list[int]:
    found = []
    for _ in range(draw(gen.integers(0, 1))):
        found.append(draw(gen.integers(1, 2)))
    return found
""",
    MORE_TASKS,
)
task(
    "parent",
    "[None, 0, 3]",
    """
@covers(lambda v: v is None or 0 <= v <= 3)
@gen.composite
def parents(draw) -> int | None:
    return draw(gen.one_of(gen.none(), gen.integers(1, 3)))
""",
    MORE_TASKS,
)
task(
    "window",
    "[(0, 0), (2, 5), (5, 5)]",
    """
@covers(lambda v: 0 <= v[0] <= v[1] <= 5 and v[1] - v[0] <= 3)
@gen.composite
def windows(draw) -> tuple[int, int]:
    start = draw(gen.integers(0, 5))
    end = draw(gen.integers(start, min(5, start + 2)))
    return (start, end)
""",
    MORE_TASKS,
)
task(
    "scores",
    "[{}, {'a': 0}, {'a': 1, 'b': 1}]",
    """
@covers(lambda v: all(k in ("a", "b") and 0 <= n <= 1 for k, n in v.items()))
@gen.composite
def scores(draw) -> dict[str, int]:
    return draw(gen.dictionaries(gen.sampled_from(["a", "b"]), gen.integers(0, 1), min_size=1))
""",
    MORE_TASKS,
)
task(
    "path",
    "[[], [0], [1, 0]]",
    """
@covers(lambda v, n: len(v) <= n and all(0 <= s <= 1 for s in v), requires=lambda n: n >= 0)
@gen.composite
def paths(draw, n: int) -> list[int]:
    if n == 0:
        return []
    if draw(gen.booleans()):
        return [0, *draw(paths(n - 1))]
    return [1, *draw(paths(n - 1))]
""",
    MORE_TASKS,
    n=2,
)
task(
    "hour",
    "[datetime.time(0, 0), datetime.time(23, 30)]",
    """
@covers(lambda v: v.minute in (0, 30) and v.second == 0 and v.microsecond == 0)
@gen.composite
def hours(draw) -> datetime.time:
    return datetime.time(draw(gen.integers(0, 22)), draw(gen.sampled_from([0, 30])))
""",
    MORE_TASKS,
)
