"""A ninth set of realistic generators, written before the work that it measures, and run once after it."""

from __future__ import annotations

from completeness_suite.real.suite import Real

NINTH: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    NINTH.append(Real(name, text, (old, new), misses, arguments))


real(
    "calendar_day",
    """
class Kind(enum.Enum):
    MEETING = "meeting"
    BREAK = "break"

class Event(NamedTuple):
    start: int
    end: int
    kind: Kind

def ordered(events: list[Event], earliest: int) -> bool:
    if len(events) == 0:
        return True
    first = events[0]
    return earliest <= first.start < first.end <= 24 and ordered(events[1:], first.end)

@covers(lambda events: len(events) <= 3 and ordered(events, 8))
@gen.composite
def days(draw):
    hour = 8
    events = []
    count = draw(gen.integers(min_value=0, max_value=3))
    while len(events) < count and hour < 24:
        start = draw(gen.integers(hour, 23))
        hour = draw(gen.integers(start + 1, 24))
        events.append(Event(start, hour, draw(gen.sampled_from(Kind))))
    return events
""",
    "gen.integers(start + 1, 24)",
    "gen.integers(start + 1, min(24, start + 8))",
    "[Event(8, 24, Kind.BREAK)]",
)
real(
    "service_config",
    """
from typing import NotRequired, TypedDict

class Config(TypedDict):
    host: str
    port: int
    retries: int
    timeout: NotRequired[int]

@covers(lambda c: len(c["host"]) > 0 and 1024 <= c["port"] <= 65535 and 0 <= c["retries"] <= 5 and c.get("timeout", 1) > 0)
@gen.composite
def configs(draw) -> Config:
    config: Config = {
        "host": draw(gen.text(min_size=1)),
        "port": draw(gen.integers(1024, 65535)),
        "retries": draw(gen.integers(0, 5)),
    }
    if draw(gen.booleans()):
        config["timeout"] = draw(gen.integers(min_value=1))
    return config
""",
    "gen.integers(0, 5)",
    "gen.integers(0, 4)",
    '{"host": "a", "port": 1024, "retries": 5}',
)
real(
    "parenthesised_tokens",
    """
def balance(tokens: list[str], depth: int) -> bool:
    if not tokens:
        return depth == 0
    if tokens[0] == "(":
        return balance(tokens[1:], depth + 1)
    if tokens[0] == ")":
        return depth > 0 and balance(tokens[1:], depth - 1)
    return tokens[0] == "x" and balance(tokens[1:], depth)

@covers(lambda tokens, n: len(tokens) <= n and balance(tokens, 0), requires=lambda n: n >= 0)
@gen.composite
def token_lists(draw, n: int) -> list[str]:
    tokens: list[str] = []
    depth = 0
    length = draw(gen.integers(0, n))
    for i in range(length):
        left = length - i
        options = []
        if depth + 1 <= left - 1:
            options.append("(")
        if depth > 0:
            options.append(")")
        if depth <= left - 1:
            options.append("x")
        token = draw(gen.sampled_from(options))
        depth += {"(": 1, ")": -1, "x": 0}[token]
        tokens.append(token)
    return tokens
""",
    "if depth + 1 <= left - 1:",
    "if depth + 1 < left - 1:",
    '["(", ")"]',
    n=2,
)
real(
    "shuffled_seats",
    """
SEATS = [1, 2, 3, 4]

@covers(lambda order: sorted(order) == SEATS)
@gen.composite
def seatings(draw):
    remaining = list(SEATS)
    order = []
    while remaining:
        seat = draw(gen.sampled_from(remaining))
        remaining.remove(seat)
        order.append(seat)
    return order
""",
    "seat = draw(gen.sampled_from(remaining))",
    "seat = draw(gen.sampled_from(remaining[:3]))",
    "[4, 1, 2, 3]",
)
real(
    "slice_arguments",
    """
@covers(lambda s, size: (s[0] is None or -size <= s[0] <= size) and (s[1] is None or -size <= s[1] <= size) and (s[2] is None or s[2] != 0), requires=lambda size: size >= 0)
@gen.composite
def slices(draw, size: int) -> tuple[int | None, int | None, int | None]:
    bound = gen.none() | gen.integers(-size, size)
    start, stop = draw(bound), draw(bound)
    step = draw(gen.none() | gen.integers().filter(bool))
    return (start, stop, step)
""",
    "gen.integers(-size, size)",
    "gen.integers(-size, max(size - 1, 0))",
    "(1, None, None)",
    size=1,
)
real(
    "windows_path",
    """
class Drive(str, enum.Enum):
    C = "C"
    D = "D"

@dataclass(frozen=True)
class Path:
    drive: Drive | None
    parts: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.parts[-1] if self.parts else ""

    @property
    def absolute(self) -> bool:
        return self.drive is not None

@covers(lambda p: (p.absolute or len(p.parts) > 0) and all(part not in ("", ".", "..") for part in p.parts))
@gen.composite
def file_paths(draw):
    drive = draw(gen.none() | gen.sampled_from(list(Drive)))
    min_size = 1 if drive is None else 0
    part = gen.text(min_size=1).filter(lambda s: s not in (".", ".."))
    parts = draw(gen.lists(part, min_size=min_size))
    return Path(drive, tuple(parts))
""",
    "min_size = 1 if drive is None else 0",
    "min_size = 1",
    "Path(Drive.C, ())",
)
real(
    "bounded_range",
    """
import attrs

@attrs.frozen
class Range:
    low: int
    high: int
    inclusive: bool = True

    def __contains__(self, x: int) -> bool:
        return self.low <= x <= self.high if self.inclusive else self.low <= x < self.high

    def is_empty(self) -> bool:
        return not self.inclusive and self.low == self.high

@covers(lambda r: r.low <= r.high and not r.is_empty())
@gen.composite
def ranges(draw, values=gen.integers()):
    a, b = draw(values), draw(values)
    if a > b:
        a, b = b, a
    inclusive = draw(gen.booleans()) if a != b else True
    return Range(a, b, inclusive)
""",
    "draw(gen.booleans()) if a != b else True",
    "draw(gen.booleans()) if b - a > 1 else True",
    "Range(0, 1, False)",
)
real(
    "expression_tree",
    """
@dataclass(frozen=True)
class Num:
    value: int

@dataclass(frozen=True)
class BinOp:
    op: str
    left: "Expr"
    right: "Expr"

Expr = Num | BinOp

def height(e: Expr) -> int:
    return 0 if isinstance(e, Num) else 1 + max(height(e.left), height(e.right))

def legal(e: Expr) -> bool:
    if isinstance(e, Num):
        return e.value >= 0
    if e.op == "/" and isinstance(e.right, Num) and e.right.value == 0:
        return False
    return e.op in ("+", "-", "/") and legal(e.left) and legal(e.right)

@covers(lambda e, depth: height(e) <= depth and legal(e), requires=lambda depth: depth >= 0, decreases="depth")
@gen.composite
def expressions(draw, depth: int) -> Expr:
    if depth == 0 or draw(gen.booleans()):
        return Num(draw(gen.integers(min_value=0)))
    op = draw(gen.sampled_from(["+", "-", "/"]))
    left = draw(expressions(depth - 1))
    right = draw(expressions(depth - 1))
    assume(not (op == "/" and right == Num(0)))
    return BinOp(op, left, right)
""",
    "right = draw(expressions(depth - 1))",
    "right = draw(expressions(0))",
    'BinOp("+", Num(0), BinOp("+", Num(0), Num(0)))',
    depth=2,
)
real(
    "csv_table",
    """
@dataclass
class Table:
    header: list[str]
    rows: list[list[int]]

@covers(
    lambda t: 1 <= len(t.header) <= 3
    and len(set(t.header)) == len(t.header)
    and all(len(row) == len(t.header) for row in t.rows)
)
@gen.composite
def tables(draw):
    header = draw(gen.lists(gen.text(), min_size=1, max_size=3, unique=True))
    row = gen.lists(gen.integers(), min_size=len(header), max_size=len(header))
    rows = draw(gen.lists(row))
    return Table(header=header, rows=rows)
""",
    "draw(gen.lists(row))",
    "draw(gen.lists(row, max_size=3))",
    'Table(["a"], [[0], [0], [0], [0]])',
)
real(
    "rate_limit_windows",
    """
@dataclass(order=True)
class Window:
    opens: datetime.datetime
    seconds: int

    @property
    def closes(self) -> datetime.datetime:
        return self.opens + datetime.timedelta(seconds=self.seconds)

START = datetime.datetime(2024, 1, 1)
END = datetime.datetime(2024, 12, 31)

@covers(lambda ws: len(ws) == 2 and all(START <= w.opens <= END and 1 <= w.seconds <= 3600 for w in ws) and ws[0].closes <= ws[1].opens)
@gen.composite
def window_pairs(draw) -> list[Window]:
    window = gen.builds(Window, opens=gen.datetimes(START, END), seconds=gen.integers(1, 3600))
    first = draw(window)
    second = draw(window)
    assume(first.closes <= second.opens)
    return [first, second]
""",
    "first.closes <= second.opens",
    "first.closes < second.opens",
    "[Window(START, 3600), Window(START + datetime.timedelta(hours=1), 1)]",
)
real(
    "stock_moves",
    """
@covers(
    lambda moves, start: len(moves) == 2 and all(m != 0 for m in moves) and start + moves[0] >= 0 and start + sum(moves) >= 0,
    requires=lambda start: start >= 0,
)
@gen.composite
def stock_moves(draw, start: int) -> tuple[int, ...]:
    level = start
    moves = []
    for _ in range(2):
        move = draw(gen.integers(min_value=-level).filter(lambda n: n != 0))
        level += move
        moves.append(move)
    return tuple(moves)
""",
    "min_value=-level",
    "min_value=min(0, 1 - level)",
    "(-1, 1)",
    start=1,
)
real(
    "version_range",
    """
Version = tuple[int, int]

@dataclass(frozen=True)
class Requirement:
    name: str
    at_least: Version | None
    below: Version | None

def satisfiable(r: Requirement) -> bool:
    return r.at_least is None or r.below is None or r.at_least < r.below

@covers(
    lambda r: r.name.isalpha() and satisfiable(r)
    and all(v is None or (v[0] >= 0 and v[1] >= 0) for v in (r.at_least, r.below))
)
@gen.composite
def requirements(draw):
    version = gen.tuples(gen.integers(0), gen.integers(0))
    name = draw(gen.text(min_size=1).filter(str.isalpha))
    at_least = draw(gen.none() | version)
    below = draw(gen.none() | version)
    if at_least is not None and below is not None:
        assume(at_least < below)
    return Requirement(name, at_least, below)
""",
    "assume(at_least < below)",
    "assume(at_least[0] < below[0])",
    'Requirement("a", (0, 0), (0, 1))',
)
