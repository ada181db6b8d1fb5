"""Realistic generators, modelled on public test suites and written before the reader was extended.

Each is text in everycase's form; :func:`in_hypothesis` turns it into Hypothesis' form. ``broken`` replaces one piece
of the text and names a value that the twin can never make (as Python source, with the arguments).
"""

from __future__ import annotations

from dataclasses import dataclass, field

HEADER = """
import datetime
import enum
import itertools
from dataclasses import dataclass
from typing import NamedTuple
from {library} import assume, {module}
from everycase import covers

"""


@dataclass(frozen=True)
class Real:
    """One generator: its text, the piece that its twin replaces, and a value that the twin misses."""

    name: str
    text: str
    broken: tuple[str, str]
    misses: str
    arguments: dict[str, object] = field(default_factory=dict)

    def everycase(self, twin: bool = False) -> str:
        """The module in everycase's form."""
        return HEADER.format(library="everycase", module="gen") + self._body(twin)

    def in_hypothesis(self, twin: bool = False) -> str:
        """The same module in Hypothesis' form."""
        header = HEADER.format(library="hypothesis", module="strategies as st")
        return header + self._body(twin).replace("gen.", "st.")

    def _body(self, twin: bool) -> str:
        if not twin:
            return self.text
        old, new = self.broken
        assert old in self.text, (self.name, old)
        return self.text.replace(old, new, 1)


SUITE: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    SUITE.append(Real(name, text, (old, new), misses, arguments))


# --- records and intervals ------------------------------------------------------------------------------
real(
    "interval",
    """
@covers(lambda v: v[0] <= v[1])
@gen.composite
def intervals(draw) -> tuple[int, int]:
    low = draw(gen.integers())
    high = draw(gen.integers(min_value=low))
    return (low, high)
""",
    "min_value=low",
    "min_value=low + 1",
    "(0, 0)",
)
real(
    "interval_by_sorting",
    """
@covers(lambda v: v[0] <= v[1])
@gen.composite
def intervals(draw) -> tuple[int, int]:
    ends = draw(gen.lists(gen.integers(), min_size=2, max_size=2))
    low, high = sorted(ends)
    return (low, high)
""",
    "gen.integers(), min",
    "gen.integers(min_value=0), min",
    "(-1, 0)",
)
real(
    "point_in_box",
    """
@dataclass(frozen=True)
class Box:
    width: int
    height: int

@dataclass(frozen=True)
class Placed:
    box: Box
    x: int
    y: int

    @property
    def inside(self) -> bool:
        return 0 <= self.x < self.box.width and 0 <= self.y < self.box.height

@covers(lambda v: v.inside and v.box.width <= 5 and v.box.height <= 5)
@gen.composite
def placed(draw) -> Placed:
    sizes = gen.integers(1, 5)
    box = Box(draw(sizes), draw(sizes))
    x = draw(gen.integers(0, box.width - 1))
    y = draw(gen.integers(0, box.height - 1))
    return Placed(box, x, y)
""",
    "gen.integers(1, 5)",
    "gen.integers(2, 5)",
    "Placed(Box(1, 1), 0, 0)",
)
real(
    "money",
    """
@dataclass(frozen=True)
class Money:
    amount: int
    currency: str

CURRENCIES = ["EUR", "USD", "JPY"]

@covers(lambda v: v.amount >= 0 and v.currency in ("EUR", "USD", "JPY"))
@gen.composite
def money(draw):
    amounts = gen.integers(min_value=0)
    currencies = gen.sampled_from(CURRENCIES)
    return Money(amount=draw(amounts), currency=draw(currencies))
""",
    "gen.sampled_from(CURRENCIES)",
    "gen.sampled_from(CURRENCIES[:2])",
    'Money(0, "JPY")',
)
real(
    "invoice_line",
    """
@dataclass(frozen=True)
class Line:
    quantity: int
    price: int
    discount: int

    def total(self) -> int:
        return self.quantity * self.price - self.discount

@covers(lambda v: 1 <= v.quantity <= 3 and 0 <= v.price <= 3 and v.discount >= 0 and v.total() >= 0)
@gen.composite
def lines(draw) -> Line:
    quantity = draw(gen.integers(1, 3))
    price = draw(gen.integers(0, 3))
    discount = draw(gen.integers(0, quantity * price))
    return Line(quantity, price, discount)
""",
    "gen.integers(0, quantity * price)",
    "gen.integers(0, price)",
    "Line(2, 1, 2)",
)
real(
    "page_request",
    """
@dataclass(frozen=True)
class Page:
    number: int
    size: int
    descending: bool

@covers(lambda v: v.number >= 1 and 1 <= v.size <= 100)
@gen.composite
def pages(draw) -> Page:
    return draw(gen.builds(Page, number=gen.integers(min_value=1), size=gen.integers(1, 100), descending=gen.booleans()))
""",
    "gen.integers(1, 100)",
    "gen.integers(1, 99)",
    "Page(1, 100, False)",
)
real(
    "version",
    """
class Version(NamedTuple):
    major: int
    minor: int
    patch: int

@covers(lambda v: v.major >= 0 and v.minor >= 0 and v.patch >= 0)
@gen.composite
def versions(draw) -> Version:
    part = gen.integers(min_value=0)
    return Version(draw(part), draw(part), draw(part))
""",
    "Version(draw(part), draw(part), draw(part))",
    "Version(draw(part), draw(part), 0)",
    "Version(0, 0, 1)",
)
real(
    "booking",
    """
@dataclass(frozen=True)
class Booking:
    start: int
    end: int
    guests: int

@covers(lambda b: 0 <= b.start < b.end and 1 <= b.guests <= 4)
@gen.composite
def bookings(draw) -> Booking:
    start = draw(gen.integers(min_value=0))
    nights = draw(gen.integers(min_value=1))
    return Booking(start, start + nights, draw(gen.integers(1, 4)))
""",
    "min_value=1)",
    "min_value=2)",
    "Booking(0, 1, 1)",
)
real(
    "rectangle_overlap",
    """
@covers(lambda v: v[0][0] <= v[1][1] and v[1][0] <= v[0][1] and v[0][0] <= v[0][1] and v[1][0] <= v[1][1])
@gen.composite
def overlapping(draw) -> tuple[tuple[int, int], tuple[int, int]]:
    a = draw(gen.integers())
    b = draw(gen.integers(min_value=a))
    c = draw(gen.integers(max_value=b))
    d = draw(gen.integers(min_value=max(a, c)))
    return ((a, b), (c, d))
""",
    "max_value=b",
    "max_value=a",
    "((0, 1), (1, 1))",
)
real(
    "percentages",
    """
@covers(lambda v: len(v) == 3 and sum(v) == 100 and all(0 <= x for x in v))
@gen.composite
def shares(draw) -> list[int]:
    first = draw(gen.integers(0, 100))
    second = draw(gen.integers(0, 100 - first))
    return [first, second, 100 - first - second]
""",
    "gen.integers(0, 100 - first)",
    "gen.integers(0, 50)",
    "[0, 51, 49]",
)
real(
    "rgb",
    """
@covers(lambda v: len(v) == 3 and all(0 <= c <= 255 for c in v))
@gen.composite
def colours(draw) -> list[int]:
    channel = gen.integers(0, 255)
    return [draw(channel) for _ in range(3)]
""",
    "integers(0, 255)",
    "integers(0, 254)",
    "[255, 0, 0]",
)
# --- options and enums ----------------------------------------------------------------------------------
real(
    "log_level",
    """
class Level(enum.Enum):
    DEBUG = 10
    INFO = 20
    ERROR = 40

@dataclass(frozen=True)
class Config:
    level: Level
    path: str | None
    rotate: bool

@covers(lambda v: v.path is not None or not v.rotate)
@gen.composite
def configs(draw) -> Config:
    path = draw(gen.none() | gen.text())
    rotate = draw(gen.booleans()) if path is not None else False
    return Config(draw(gen.sampled_from(Level)), path, rotate)
""",
    "gen.none() | gen.text()",
    "gen.text()",
    "Config(Level.DEBUG, None, False)",
)
real(
    "http_request",
    """
@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: str | None

METHODS = ("GET", "POST", "PUT")

@covers(lambda v: v.method in ("GET", "POST", "PUT") and (v.body is None or v.method != "GET"))
@gen.composite
def requests(draw):
    method = draw(gen.sampled_from(METHODS))
    body = None if method == "GET" else draw(gen.one_of(gen.none(), gen.text()))
    return Request(method, draw(gen.text()), body)
""",
    "gen.one_of(gen.none(), gen.text())",
    "gen.text()",
    'Request("POST", "", None)',
)
real(
    "shape_union",
    """
@dataclass(frozen=True)
class Circle:
    radius: int

@dataclass(frozen=True)
class Rect:
    width: int
    height: int

@covers(lambda v: (v.radius > 0 if isinstance(v, Circle) else v.width > 0 and v.height > 0))
@gen.composite
def shapes(draw) -> Circle | Rect:
    positive = gen.integers(min_value=1)
    circles = gen.builds(Circle, positive)
    rects = gen.builds(Rect, positive, positive)
    return draw(gen.one_of(circles, rects))
""",
    "gen.one_of(circles, rects)",
    "gen.one_of(rects)",
    "Circle(1)",
)
real(
    "retry_policy",
    """
@dataclass(frozen=True)
class Retry:
    attempts: int
    delay: int
    backoff: int

@covers(lambda v: 0 <= v.attempts <= 5 and (v.attempts > 0 or (v.delay == 0 and v.backoff == 1)) and v.delay >= 0 and v.backoff in (1, 2))
@gen.composite
def retries(draw) -> Retry:
    attempts = draw(gen.integers(0, 5))
    if not attempts:
        return Retry(0, 0, 1)
    return Retry(attempts, draw(gen.integers(min_value=0)), draw(gen.sampled_from([1, 2])))
""",
    "gen.sampled_from([1, 2])",
    "gen.just(2)",
    "Retry(1, 0, 1)",
)
real(
    "card",
    """
class Suit(enum.Enum):
    HEARTS = "h"
    SPADES = "s"

@covers(lambda v: 1 <= v[0] <= 13)
@gen.composite
def cards(draw) -> tuple[int, Suit]:
    return draw(gen.tuples(gen.integers(1, 13), gen.sampled_from(Suit)))
""",
    "gen.integers(1, 13)",
    "gen.integers(1, 12)",
    "(13, Suit.HEARTS)",
)
real(
    "user_age",
    """
@dataclass(frozen=True)
class User:
    name: str
    age: int
    guardian: str | None

    def is_minor(self) -> bool:
        return self.age < 18

@covers(lambda u: 0 <= u.age <= 120 and (u.guardian is not None) == u.is_minor())
@gen.composite
def users(draw) -> User:
    age = draw(gen.integers(0, 120))
    guardian = draw(gen.text()) if age < 18 else None
    return User(draw(gen.text()), age, guardian)
""",
    "gen.integers(0, 120)",
    "gen.integers(0, 99)",
    'User("", 100, None)',
)
# --- lists ----------------------------------------------------------------------------------------------
real(
    "short_lists",
    """
@covers(lambda v: len(v) <= 4)
@gen.composite
def shorts(draw) -> list[int]:
    return draw(gen.lists(gen.integers(), max_size=4))
""",
    "max_size=4",
    "max_size=3",
    "[0, 0, 0, 0]",
)
real(
    "naturals",
    """
@covers(lambda v: len(v) >= 1 and all(x >= 0 for x in v))
@gen.composite
def naturals(draw):
    return draw(gen.lists(gen.integers(min_value=0), min_size=1))
""",
    "min_size=1",
    "min_size=2",
    "[0]",
)
real(
    "sorted_lists",
    """
@covers(lambda v: all(a <= b for a, b in zip(v, v[1:])))
@gen.composite
def sorted_lists(draw) -> list[int]:
    return sorted(draw(gen.lists(gen.integers())))
""",
    "gen.lists(gen.integers())",
    "gen.lists(gen.integers(), min_size=1)",
    "[]",
)
real(
    "sorted_by_map",
    """
@covers(lambda v: all(a <= b for a, b in zip(v, v[1:])) and len(v) <= 3)
@gen.composite
def sorted_lists(draw) -> list[int]:
    return draw(gen.lists(gen.integers(), max_size=3).map(sorted))
""",
    "max_size=3",
    "max_size=2",
    "[0, 0, 0]",
)
real(
    "even_numbers",
    """
@covers(lambda v: v % 2 == 0)
@gen.composite
def evens(draw) -> int:
    return draw(gen.integers().filter(lambda n: n % 2 == 0))
""",
    "n % 2 == 0)",
    "n % 4 == 0)",
    "2",
)
real(
    "doubled",
    """
@covers(lambda v: v % 2 == 0 and v >= 0)
@gen.composite
def doubled(draw) -> int:
    return draw(gen.integers(min_value=0).map(lambda n: n * 2))
""",
    "n * 2",
    "n * 4",
    "2",
)
real(
    "padded",
    """
@covers(lambda v: len(v) == 3 and v[0] == 0)
@gen.composite
def padded(draw) -> list[int]:
    rest = draw(gen.lists(gen.integers(), min_size=2, max_size=2))
    return [0] + rest
""",
    "gen.integers(), min",
    "gen.integers(max_value=9), min",
    "[0, 10, 0]",
)
real(
    "appended",
    """
@covers(lambda v, n: len(v) == n and all(0 <= x <= 9 for x in v), requires=lambda n: 0 <= n <= 4)
@gen.composite
def digits(draw, n: int) -> list[int]:
    found = []
    for _ in range(n):
        found.append(draw(gen.integers(0, 9)))
    return found
""",
    "integers(0, 9)",
    "integers(1, 9)",
    "[0]",
    n=1,
)
real(
    "increasing",
    """
@covers(lambda v: len(v) == 3 and all(a < b for a, b in zip(v, v[1:])))
@gen.composite
def increasing(draw) -> list[int]:
    current = draw(gen.integers())
    steps = [current]
    for _ in range(2):
        current = draw(gen.integers(min_value=current + 1))
        steps.append(current)
    return steps
""",
    "current + 1",
    "current + 2",
    "[0, 1, 2]",
)
real(
    "coordinates",
    """
@covers(lambda v: len(v) == 2 and all(0 <= p[0] <= 7 and 0 <= p[1] <= 7 for p in v))
@gen.composite
def moves(draw):
    square = gen.tuples(gen.integers(0, 7), gen.integers(0, 7))
    return [draw(square) for _ in range(2)]
""",
    "gen.integers(0, 7)",
    "gen.integers(0, 6)",
    "[(7, 0), (0, 0)]",
)
real(
    "matrix_row",
    """
@covers(lambda v, w: len(v) == 2 and all(len(r) == w for r in v), requires=lambda w: 0 <= w <= 3)
@gen.composite
def matrices(draw, w: int) -> list[list[int]]:
    row = gen.lists(gen.integers(), min_size=w, max_size=w)
    return draw(gen.lists(row, min_size=2, max_size=2))
""",
    "gen.integers(), min",
    "gen.integers(0, 1), min",
    "[[2], [0]]",
    w=1,
)
real(
    "filtered_comprehension",
    """
@covers(lambda v: all(x != 0 for x in v) and len(v) <= 3)
@gen.composite
def nonzero(draw) -> list[int]:
    values = draw(gen.lists(gen.integers(), max_size=3))
    return [x for x in values if x != 0]
""",
    "max_size=3",
    "max_size=2",
    "[1, 1, 1]",
)
real(
    "shifted",
    """
@covers(lambda v: all(x >= 10 for x in v) and len(v) <= 2)
@gen.composite
def shifted(draw) -> list[int]:
    return [x + 10 for x in draw(gen.lists(gen.integers(min_value=0), max_size=2))]
""",
    "x + 10",
    "x + 11",
    "[10]",
)
real(
    "unique_ids",
    """
@covers(lambda v: len(v) <= 3 and all(1 <= x <= 3 for x in v) and len(set(v)) == len(v))
@gen.composite
def ids(draw) -> list[int]:
    return draw(gen.lists(gen.integers(1, 3), unique=True))
""",
    "integers(1, 3)",
    "integers(1, 2)",
    "[3]",
)
real(
    "headed",
    """
@covers(lambda v: v[0] >= 0 and len(v[1]) <= 2 and all(x <= v[0] for x in v[1]))
@gen.composite
def bounded(draw) -> tuple[int, list[int]]:
    top = draw(gen.integers(min_value=0))
    return (top, draw(gen.lists(gen.integers(max_value=top), max_size=2)))
""",
    "max_value=top",
    "max_value=top - 1",
    "(0, [0])",
)
# --- dates, text, other types ---------------------------------------------------------------------------
real(
    "period",
    """
@covers(lambda v: v[0] <= v[1])
@gen.composite
def periods(draw) -> tuple[datetime.date, datetime.date]:
    start = draw(gen.dates())
    end = draw(gen.dates(min_value=start))
    return (start, end)
""",
    "min_value=start",
    "min_value=start, max_value=datetime.date(2999, 12, 31)",
    "(datetime.date(2000, 1, 1), datetime.date(3000, 1, 1))",
)
real(
    "this_century",
    """
FIRST = datetime.date(2000, 1, 1)
LAST = datetime.date(2099, 12, 31)

@covers(lambda v: FIRST <= v <= LAST)
@gen.composite
def days(draw) -> datetime.date:
    return draw(gen.dates(FIRST, LAST))
""",
    "gen.dates(FIRST, LAST)",
    "gen.dates(FIRST, datetime.date(2099, 12, 30))",
    "datetime.date(2099, 12, 31)",
)
real(
    "name_tag",
    """
@dataclass(frozen=True)
class Tag:
    key: str
    value: str

@covers(lambda v: len(v.key) >= 1)
@gen.composite
def tags(draw) -> Tag:
    return Tag(draw(gen.text(min_size=1)), draw(gen.text()))
""",
    "min_size=1",
    "min_size=2",
    'Tag("a", "")',
)
real(
    "short_text",
    """
@covers(lambda v: 1 <= len(v) <= 8)
@gen.composite
def names(draw) -> str:
    return draw(gen.text(min_size=1, max_size=8))
""",
    "max_size=8",
    "max_size=7",
    '"aaaaaaaa"',
)
real(
    "greeting",
    """
@covers(lambda v: v[0] >= 0)
@gen.composite
def labelled(draw) -> tuple[int, str]:
    n = draw(gen.integers(min_value=0))
    return (n, draw(gen.text()))
""",
    "min_value=0",
    "min_value=1",
    '(0, "")',
)
# --- recursive data -------------------------------------------------------------------------------------
real(
    "json_tree",
    """
@dataclass(frozen=True)
class Leaf:
    value: int

@dataclass(frozen=True)
class Branch:
    left: "Leaf | Branch"
    right: "Leaf | Branch"

def depth(t: "Leaf | Branch") -> int:
    return 0 if isinstance(t, Leaf) else 1 + max(depth(t.left), depth(t.right))

@covers(lambda v, n: depth(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def trees(draw, n: int) -> Leaf | Branch:
    if n == 0 or draw(gen.booleans()):
        return Leaf(draw(gen.integers()))
    smaller = trees(n - 1)
    return Branch(draw(smaller), draw(smaller))
""",
    "n == 0 or draw(gen.booleans())",
    "n == 0",
    "Leaf(0)",
    n=1,
)
real(
    "expression",
    """
@dataclass(frozen=True)
class Num:
    value: int

@dataclass(frozen=True)
class Neg:
    inner: "Num | Neg"

def nested(e: "Num | Neg") -> int:
    return 0 if isinstance(e, Num) else 1 + nested(e.inner)

@covers(lambda v, n: nested(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def expressions(draw, n: int) -> Num | Neg:
    if n <= 0:
        return Num(draw(gen.integers()))
    return draw(gen.one_of(gen.builds(Num, gen.integers()), gen.builds(Neg, expressions(n - 1))))
""",
    "gen.one_of(gen.builds(Num, gen.integers()), gen.builds(Neg, expressions(n - 1)))",
    "gen.builds(Neg, expressions(n - 1))",
    "Num(0)",
    n=1,
)
real(
    "sql_where",
    """
@dataclass(frozen=True)
class Test:
    column: str
    value: int

@dataclass(frozen=True)
class And:
    left: "Test | And"
    right: Test

COLUMNS = ["id", "age"]

def known(w: "Test | And") -> bool:
    return w.column in ("id", "age") if isinstance(w, Test) else known(w.left) and known(w.right)

def length(w: "Test | And") -> int:
    return 1 if isinstance(w, Test) else 1 + length(w.left)

@covers(lambda v, n: known(v) and length(v) <= n, requires=lambda n: n >= 1)
@gen.composite
def wheres(draw, n: int) -> Test | And:
    test = Test(draw(gen.sampled_from(COLUMNS)), draw(gen.integers()))
    if n <= 1 or draw(gen.booleans()):
        return test
    return And(draw(wheres(n - 1)), test)
""",
    "n <= 1 or",
    "n <= 2 or",
    'And(Test("id", 0), Test("id", 0))',
    n=2,
)
real(
    "linked_path",
    """
@covers(lambda v, n: len(v) <= n + 1 and len(v) >= 1 and all(0 <= x <= 2 for x in v) and all(a != b for a, b in zip(v, v[1:])), requires=lambda n: n >= 0)
@gen.composite
def walks(draw, n: int) -> list[int]:
    here = draw(gen.integers(0, 2))
    if n == 0 or draw(gen.booleans()):
        return [here]
    rest = draw(walks(n - 1))
    assume(rest[0] != here)
    return [here, *rest]
""",
    "rest[0] != here",
    "rest[0] > here",
    "[1, 0]",
    n=1,
)
real(
    "stack_machine",
    """
@covers(lambda v, n: len(v) <= n and all(op in (0, 1, 2) for op in v), requires=lambda n: n >= 0)
@gen.composite
def programs(draw, n):
    if n == 0:
        return []
    ops = gen.sampled_from([0, 1, 2])
    rest = draw(programs(n - 1))
    return rest if draw(gen.booleans()) else [draw(ops)] + rest
""",
    "[0, 1, 2]",
    "[0, 1]",
    "[2]",
    n=1,
)
real(
    "optional_pair",
    """
@covers(lambda v: (v[0] is None) == (v[1] is None))
@gen.composite
def pairs(draw) -> tuple[int | None, int | None]:
    numbers = gen.integers()
    if draw(gen.booleans()):
        return (None, None)
    return (draw(numbers), draw(numbers))
""",
    "numbers = gen.integers()",
    "numbers = gen.integers(min_value=1)",
    "(0, 0)",
)
real(
    "keep_drawing",
    """
@covers(lambda v: len(v) <= 3 and all(0 <= x <= 1 for x in v))
@gen.composite
def bits(draw) -> list[int]:
    found = []
    while len(found) < 3 and draw(gen.booleans()):
        found.append(draw(gen.integers(0, 1)))
    return found
""",
    "len(found) < 3",
    "len(found) < 2",
    "[0, 0, 0]",
)
real(
    "weekday_slot",
    """
@covers(lambda v: 0 <= v[0] <= 6 and 9 <= v[1] < v[2] <= 17)
@gen.composite
def slots(draw):
    day = draw(gen.integers(0, 6))
    start = draw(gen.integers(9, 16))
    end = draw(gen.integers(start + 1, 17))
    return (day, start, end)
""",
    "integers(9, 16)",
    "integers(9, 15)",
    "(0, 16, 17)",
)
real(
    "port_range",
    """
@covers(lambda v: 1 <= v[0] <= v[1] <= 65535)
@gen.composite
def ranges(draw, low=1):
    first = draw(gen.integers(1, 65535))
    last = draw(gen.integers(first, 65535))
    return first, last
""",
    "integers(first, 65535)",
    "integers(first, 65534)",
    "(1, 65535)",
)
