"""A fourteenth set of realistic generators, written before the reader was changed; looked at once during the work."""

from __future__ import annotations

from completeness_suite.real.suite import Real

FOURTEENTH: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    FOURTEENTH.append(Real(name, text, (old, new), misses, arguments))


real(
    "release_numbers",
    """
@dataclass(frozen=True)
class Release:
    major: int
    minor: int
    patch: int
    stage: str | None = None

@covers(lambda r: min(r.major, r.minor, r.patch) >= 0 and (r.stage is None or r.stage in ("alpha", "beta", "rc")))
@gen.composite
def releases(draw) -> Release:
    numbers = [draw(gen.integers(min_value=0)) for _ in range(3)]
    stage = draw(gen.one_of(gen.none(), gen.sampled_from(["alpha", "beta", "rc"])))
    return Release(*numbers, stage)
""",
    "gen.one_of(gen.none(), gen.sampled_from(",
    "gen.one_of(gen.sampled_from(",
    "Release(0, 0, 0, None)",
)
real(
    "pictures",
    """
@covers(
    lambda m: 1 <= len(m) <= 3
    and 1 <= len(m[0]) <= 2
    and all(len(row) == len(m[0]) for row in m)
    and all(x in (0, 1) for row in m for x in row)
)
@gen.composite
def pictures(draw) -> list[list[int]]:
    height, width = draw(gen.tuples(gen.integers(1, 3), gen.integers(1, 2)))
    row = gen.lists(gen.integers(0, 1), min_size=width, max_size=width)
    return draw(gen.lists(row, min_size=height, max_size=height))
""",
    "gen.tuples(gen.integers(1, 3), gen.integers(1, 2))",
    "gen.tuples(gen.integers(1, 3), gen.just(2))",
    "[[0]]",
)
real(
    "busy_times",
    """
@covers(
    lambda v: len(v) <= 2
    and all(0 <= begin < end <= 20 for begin, end in v)
    and all(one[1] < other[0] for one, other in zip(v, v[1:]))
)
@gen.composite
def busy_times(draw):
    count = draw(gen.integers(0, 2))
    points = sorted(draw(gen.lists(gen.integers(0, 20), min_size=2 * count, max_size=2 * count, unique=True)))
    return list(zip(points[::2], points[1::2]))
""",
    "gen.integers(0, 20)",
    "gen.integers(0, 19)",
    "[(3, 20)]",
)
real(
    "split_bills",
    """
@dataclass
class Bill:
    total: int
    shares: list[int]

@covers(lambda b: 0 <= b.total <= 1000 and len(b.shares) == 3 and all(s >= 0 for s in b.shares) and sum(b.shares) == b.total)
@gen.composite
def bills(draw):
    total = draw(gen.integers(0, 1000))
    left = total
    shares = []
    for _ in range(2):
        share = draw(gen.integers(0, left))
        shares.append(share)
        left -= share
    shares.append(left)
    return Bill(total=total, shares=shares)
""",
    "draw(gen.integers(0, left))",
    "draw(gen.integers(0, left // 2))",
    "Bill(4, [4, 0, 0])",
)
real(
    "select_queries",
    """
COLUMNS = ["id", "name", "age"]

@covers(
    lambda q: 1 <= len(q["select"]) <= 2
    and len(set(q["select"])) == len(q["select"])
    and all(c in COLUMNS for c in q["select"])
    and (q["order"] is None or q["order"] in q["select"])
    and (q["limit"] is None or 1 <= q["limit"] <= 100)
)
@gen.composite
def queries(draw):
    columns = draw(gen.lists(gen.sampled_from(COLUMNS), unique=True, min_size=1, max_size=2))
    order = draw(gen.sampled_from(columns)) if draw(gen.booleans()) else None
    limit = draw(gen.none() | gen.integers(1, 100))
    return {"select": columns, "order": order, "limit": limit}
""",
    "draw(gen.sampled_from(columns))",
    "columns[0]",
    '{"select": ["id", "name"], "order": "name", "limit": None}',
)
real(
    "http_answers",
    """
@covers(
    lambda a: a[0] in (200, 204, 301)
    and (a[1] == "" if a[0] == 204 else len(a[1]) <= 3)
    and set(a[2]) == ({"location"} if a[0] == 301 else set())
    and all(v in ("/", "/new") for v in a[2].values())
)
@gen.composite
def answers(draw) -> tuple[int, str, dict[str, str]]:
    status = draw(gen.sampled_from([200, 204, 301]))
    headers = {}
    if 300 <= status < 400:
        headers["location"] = draw(gen.sampled_from(["/", "/new"]))
    body = "" if status == 204 else draw(gen.text(max_size=3))
    return status, body, headers
""",
    '["/", "/new"]',
    '["/new"]',
    '(301, "", {"location": "/"})',
)
real(
    "clock_faces",
    """
@covers(
    lambda s: len(s) == 5
    and s[2] == ":"
    and all(c in "0123456789" for c in s[:2] + s[3:])
    and int(s[:2]) < 24
    and int(s[3:]) < 60
)
@gen.composite
def clock_faces(draw) -> str:
    hour = draw(gen.integers(0, 23))
    minute = draw(gen.integers(0, 59))
    return f"{hour:02d}:{minute:02d}"
""",
    "gen.integers(0, 59)",
    "gen.integers(0, 58)",
    '"00:59"',
)
real(
    "small_graphs",
    """
@covers(lambda g: 1 <= g[0] <= 3 and all(0 <= a < b < g[0] for a, b in g[1]))
@gen.composite
def graphs(draw) -> tuple[int, set[tuple[int, int]]]:
    size = draw(gen.integers(1, 3))
    edges = set()
    for a, b in itertools.combinations(range(size), 2):
        if draw(gen.booleans()):
            edges.add((a, b))
    return size, edges
""",
    "gen.integers(1, 3)",
    "gen.integers(2, 3)",
    "(1, set())",
)
real(
    "arithmetic",
    """
@dataclass(frozen=True)
class Number:
    value: int

@dataclass(frozen=True)
class Negated:
    inside: "Number | Negated | Sum"

@dataclass(frozen=True)
class Sum:
    left: "Number | Negated | Sum"
    right: "Number | Negated | Sum"

def fits(e: "Number | Negated | Sum", depth: int) -> bool:
    match e:
        case Number(value):
            return -9 <= value <= 9
        case Negated(inside):
            return depth > 0 and fits(inside, depth - 1)
        case Sum(left, right):
            return depth > 0 and fits(left, depth - 1) and fits(right, depth - 1)

@covers(lambda v, depth: fits(v, depth), requires=lambda depth: depth >= 0, decreases="depth")
@gen.composite
def formulas(draw, depth: int) -> Number | Negated | Sum:
    kind = draw(gen.sampled_from(["number", "negated", "sum"])) if depth > 0 else "number"
    match kind:
        case "number":
            return Number(draw(gen.integers(-9, 9)))
        case "negated":
            return Negated(draw(formulas(depth - 1)))
        case _:
            smaller = formulas(depth - 1)
            return Sum(draw(smaller), draw(smaller))
""",
    '["number", "negated", "sum"]',
    '["negated", "sum"]',
    "Number(1)",
    depth=1,
)
real(
    "timelines",
    """
class Event(NamedTuple):
    at: int
    kind: str

@covers(
    lambda v: len(v) <= 3
    and all(e.kind in ("start", "stop") and e.at >= 0 for e in v)
    and all(a.at < b.at for a, b in zip(v, v[1:]))
)
@gen.composite
def timelines(draw):
    now = draw(gen.integers(min_value=0))
    events = []
    for kind in draw(gen.lists(gen.sampled_from(["start", "stop"]), max_size=3)):
        events.append(Event(now, kind))
        now += draw(gen.integers(min_value=1))
    return events
""",
    "now += draw(gen.integers(min_value=1))",
    "now += draw(gen.integers(min_value=2))",
    '[Event(0, "start"), Event(1, "stop")]',
)
real(
    "accounts",
    """
class Role(enum.Enum):
    GUEST = "guest"
    USER = "user"
    ADMIN = "admin"

@dataclass(frozen=True)
class Account:
    name: str
    role: Role
    rights: frozenset[str]

@covers(
    lambda a: 1 <= len(a.name) <= 8
    and a.rights <= {"read", "write", "delete"}
    and (a.role is not Role.GUEST or a.rights <= {"read"})
    and (a.role is not Role.ADMIN or "delete" in a.rights)
)
@gen.composite
def accounts(draw):
    role = draw(gen.sampled_from(list(Role)))
    allowed = ["read"] if role is Role.GUEST else ["read", "write", "delete"]
    rights = draw(gen.frozensets(gen.sampled_from(allowed)))
    if role is Role.ADMIN:
        rights = rights | {"delete"}
    return Account(draw(gen.text(min_size=1, max_size=8)), role, rights)
""",
    "if role is Role.ADMIN:",
    "if role is not Role.GUEST:",
    'Account("a", Role.USER, frozenset())',
)
real(
    "deadlines",
    """
@covers(
    lambda d: datetime.date(2020, 1, 1) <= d[0] <= datetime.date(2029, 12, 31)
    and d[0].weekday() < 5
    and 1 <= (d[1] - d[0]).days <= 30
)
@gen.composite
def deadlines(draw):
    begins = draw(
        gen.dates(min_value=datetime.date(2020, 1, 1), max_value=datetime.date(2029, 12, 31)).filter(
            lambda day: day.weekday() not in (5, 6)
        )
    )
    return begins, begins + datetime.timedelta(days=draw(gen.integers(1, 30)))
""",
    "not in (5, 6)",
    "not in (4, 5, 6)",
    "(datetime.date(2021, 1, 1), datetime.date(2021, 1, 2))",
)
