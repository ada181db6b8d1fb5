"""A twelfth set of realistic generators, written before the reader was changed and run once, after the work."""

from __future__ import annotations

from completeness_suite.real.suite import Real

TWELFTH: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    TWELFTH.append(Real(name, text, (old, new), misses, arguments))


real(
    "version_ranges",
    """
@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int

    @property
    def released(self) -> bool:
        return (self.major, self.minor) > (0, 0)

@covers(lambda r: r[0].released and r[0].major >= 0 and r[0].minor >= 0 and r[1].minor >= 0 and r[0] <= r[1])
@gen.composite
def version_ranges(draw) -> tuple[Version, Version]:
    versions = gen.builds(Version, gen.integers(min_value=0), gen.integers(min_value=0)).filter(lambda v: v.released)
    first = draw(versions)
    second = draw(versions)
    if second < first:
        first, second = second, first
    return first, second
""",
    "if second < first:",
    "if second <= first:\n        assume(first != second)",
    "(Version(1, 0), Version(1, 0))",
)
real(
    "query_parameters",
    """
KEYS = ["page", "sort", "limit"]

@covers(
    lambda q: all(k in KEYS for k in q)
    and (q.get("sort") or "asc") in ("asc", "desc")
    and ("page" not in q or "limit" in q)
    and all(q[k] in ("1", "2") for k in q if k != "sort")
)
@gen.composite
def queries(draw) -> dict[str, str]:
    query = {}
    if draw(gen.booleans()):
        query["limit"] = draw(gen.sampled_from(["1", "2"]))
        if draw(gen.booleans()):
            query["page"] = draw(gen.sampled_from(["1", "2"]))
    if draw(gen.booleans()):
        query["sort"] = draw(gen.sampled_from(["asc", "desc", ""]))
    return query
""",
    'query["page"] = draw(gen.sampled_from(["1", "2"]))',
    'query["page"] = draw(gen.sampled_from(["1"]))',
    '{"limit": "1", "page": "2"}',
)
real(
    "rectangular_tables",
    """
@covers(lambda t: 1 <= len(t) <= 4 and all(len(row) == len(t[0]) for row in t) and 1 <= len(t[0]) <= 3)
@gen.composite
def tables(draw, cells=gen.integers()):
    width = draw(gen.integers(min_value=1, max_value=3))
    row = gen.lists(cells, min_size=width, max_size=width)
    return draw(gen.lists(row, min_size=1, max_size=4))
""",
    "min_size=1, max_size=4)",
    "min_size=1, max_size=3)",
    "[[0], [0], [0], [0]]",
)
real(
    "working_shifts",
    """
@covers(lambda s: datetime.timedelta(hours=1) <= s[1] - s[0] <= datetime.timedelta(hours=12) and s[0].year >= 2000 and s[1].year < 2100)
@gen.composite
def shifts(draw):
    start = draw(gen.datetimes(min_value=datetime.datetime(2000, 1, 1), max_value=datetime.datetime(2099, 12, 31, 22, 59, 59, 999999)))
    length = draw(gen.timedeltas(min_value=datetime.timedelta(hours=1), max_value=datetime.timedelta(hours=12)))
    assume((start + length).year < 2100)
    return start, start + length
""",
    "max_value=datetime.timedelta(hours=12)",
    "max_value=datetime.timedelta(hours=11)",
    "(datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 1, 12))",
)
real(
    "undirected_graphs",
    """
@covers(
    lambda g: 1 <= g[0] <= 4
    and len(g[1]) <= 4
    and all(0 <= a < b < g[0] for a, b in g[1])
)
@gen.composite
def graphs(draw) -> tuple[int, set[tuple[int, int]]]:
    nodes = draw(gen.integers(1, 4))
    edges = set()
    if nodes > 1:
        pairs = [(a, b) for a in range(nodes) for b in range(a + 1, nodes)]
        edges = draw(gen.sets(gen.sampled_from(pairs), max_size=4))
    return nodes, edges
""",
    "if nodes > 1:",
    "if nodes > 2:",
    "(2, {(0, 1)})",
)
real(
    "identifiers",
    """
FIRST = "abc_"

@covers(lambda s: 1 <= len(s) <= 6 and s[0] in FIRST and all(c in FIRST or c.isdigit() and c in "019" for c in s[1:]) and s not in ("a", "ab"))
@gen.composite
def identifiers(draw) -> str:
    first = draw(gen.sampled_from(FIRST))
    rest = draw(gen.text(alphabet=FIRST + "019", max_size=5))
    name = first + rest
    assume(name not in ["a", "ab"])
    return name
""",
    "max_size=5",
    "max_size=4",
    '"a" * 6',
)
real(
    "account_balances",
    """
class Kind(enum.Enum):
    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"

@dataclass
class Movement:
    kind: Kind
    cents: int

    def signed(self) -> int:
        return self.cents if self.kind is Kind.DEPOSIT else -self.cents

def never_below(moves: list[Movement], balance: int) -> bool:
    if not moves:
        return True
    after = balance + moves[0].signed()
    return moves[0].cents >= 1 and after >= 0 and never_below(moves[1:], after)

@covers(lambda ms: len(ms) <= 3 and never_below(ms, 0))
@gen.composite
def movements(draw) -> list[Movement]:
    moves, balance = [], 0
    for _ in range(draw(gen.integers(0, 3))):
        if balance > 0 and draw(gen.booleans()):
            taken = draw(gen.integers(1, balance))
            balance -= taken
            moves.append(Movement(Kind.WITHDRAWAL, taken))
        else:
            given = draw(gen.integers(min_value=1))
            balance += given
            moves.append(Movement(Kind.DEPOSIT, given))
    return moves
""",
    "gen.integers(1, balance)",
    "gen.integers(1, max(1, balance - 1))",
    "[Movement(Kind.DEPOSIT, 2), Movement(Kind.WITHDRAWAL, 2)]",
)
real(
    "slices_of_a_list",
    """
@covers(lambda v: 0 <= v[1] <= v[2] <= len(v[0]))
@gen.composite
def slices(draw):
    items = draw(gen.lists(gen.booleans()))
    start = draw(gen.integers(0, len(items)))
    stop = draw(gen.integers(start, len(items)))
    return items, start, stop
""",
    "gen.integers(start, len(items))",
    "gen.integers(start, max(start, len(items) - 1))",
    "([True], 0, 1)",
)
real(
    "sensor_readings",
    """
@dataclass(frozen=True)
class Reading:
    sensor: str
    value: float | None
    flags: frozenset[str] = frozenset()

SENSORS = ["north", "south"]

@covers(
    lambda r: r.sensor in SENSORS
    and (r.value is None or -40.0 <= r.value <= 85.0)
    and r.flags <= {"low", "stale"}
    and (r.value is not None or "stale" in r.flags)
)
@gen.composite
def readings(draw):
    flags = draw(gen.frozensets(gen.sampled_from(["low", "stale"])))
    value = draw(gen.floats(min_value=-40.0, max_value=85.0))
    if "stale" in flags and draw(gen.booleans()):
        value = None
    return Reading(draw(gen.sampled_from(SENSORS)), value, flags)
""",
    '"stale" in flags and',
    '"stale" in flags and "low" in flags and',
    'Reading("north", None, frozenset({"stale"}))',
)
real(
    "chunks",
    """
@covers(lambda v: 1 <= v[1] <= 3 and len(v[0]) <= 3 and all(1 <= len(c) <= v[1] for c in v[0]) and all(len(c) == v[1] for c in v[0][:-1]))
@gen.composite
def chunked(draw) -> tuple[list[list[int]], int]:
    size = draw(gen.integers(1, 3))
    full = draw(gen.integers(0, 2))
    chunks = [[draw(gen.integers()) for _ in range(size)] for _ in range(full)]
    if draw(gen.booleans()):
        chunks.append(draw(gen.lists(gen.integers(), min_size=1, max_size=size)))
    return chunks, size
""",
    "min_size=1, max_size=size",
    "min_size=1, max_size=max(1, size - 1)",
    "([[0, 0], [0, 0], [0, 0]], 2)",
)
real(
    "permission_trees",
    """
@dataclass(frozen=True)
class Folder:
    open: bool
    inside: "list[Folder]"

def consistent(f: Folder) -> bool:
    return all((f.open or not g.open) and consistent(g) for g in f.inside)

def height(f: Folder) -> int:
    return 1 + max([height(g) for g in f.inside], default=0)

@covers(lambda f, d, open: height(f) <= d + 1 and consistent(f) and (open or not f.open), requires=lambda d: 0 <= d, decreases="d")
@gen.composite
def folders(draw, d: int, open: bool) -> Folder:
    allowed = draw(gen.booleans()) if open else False
    if d == 0:
        return Folder(allowed, [])
    return Folder(allowed, draw(gen.lists(folders(d - 1, allowed))))
""",
    "draw(gen.booleans()) if open else False",
    "open",
    "Folder(False, [])",
    d=0,
    open=True,
)
real(
    "escaped_strings",
    r"""
def balanced(s: str) -> bool:
    if not s:
        return True
    if s[0] == "\\":
        return len(s) > 1 and s[1] in "a\\" and balanced(s[2:])
    return balanced(s[1:])

@covers(lambda s: len(s) <= 8 and all(c in "ab\\" for c in s) and balanced(s))
@gen.composite
def escaped(draw) -> str:
    parts = draw(gen.lists(gen.sampled_from(["a", "b", r"\a", r"\\"]), max_size=8))
    made = "".join(parts)
    assume(len(made) <= 8)
    return made
""",
    r'r"\a", ',
    "",
    r'r"\a"',
)
