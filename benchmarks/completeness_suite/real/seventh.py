"""A seventh set of realistic generators, written before the work that it measures, and run once after it."""

from __future__ import annotations

from completeness_suite.real.suite import Real

SEVENTH: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    SEVENTH.append(Real(name, text, (old, new), misses, arguments))


real(
    "user_account",
    """
@dataclass
class User:
    name: str
    age: int
    email: str | None
    roles: list[str]

ROLES = ["admin", "editor", "viewer"]

@covers(
    lambda u: len(u.name) >= 1
    and 18 <= u.age <= 120
    and len(u.roles) <= 2
    and all(r in ROLES for r in u.roles)
    and ("admin" not in u.roles or u.email is not None)
)
@gen.composite
def users(draw):
    name = draw(gen.text(min_size=1))
    age = draw(gen.integers(18, 120))
    roles = draw(gen.lists(gen.sampled_from(ROLES), max_size=2))
    if "admin" in roles:
        email = draw(gen.text())
    else:
        email = draw(gen.none() | gen.text())
    return User(name, age, email, roles)
""",
    "gen.integers(18, 120)",
    "gen.integers(18, 119)",
    'User("a", 120, None, [])',
)
real(
    "file_path",
    """
@covers(lambda p: 1 <= len(p) <= 3 and all(1 <= len(part) <= 2 and all(c in "ab." for c in part) and part != "." for part in p))
@gen.composite
def paths(draw) -> list[str]:
    part = gen.text(alphabet="ab.", min_size=1, max_size=2).filter(lambda s: s != ".")
    depth = draw(gen.integers(1, 3))
    return [draw(part) for _ in range(depth)]
""",
    'lambda s: s != "."',
    'lambda s: s[0] != "."',
    '[".a"]',
)
real(
    "price_list",
    """
class Currency(enum.Enum):
    EUR = "EUR"
    USD = "USD"

class Money(NamedTuple):
    cents: int
    currency: Currency

@covers(lambda ms: 1 <= len(ms) <= 3 and all(m.cents > 0 and m.currency == ms[0].currency for m in ms))
@gen.composite
def prices(draw) -> list[Money]:
    currency = draw(gen.sampled_from(list(Currency)))
    amounts = draw(gen.lists(gen.integers(min_value=1), min_size=1, max_size=3))
    return [Money(a, currency) for a in amounts]
""",
    "gen.integers(min_value=1)",
    "gen.integers(min_value=2)",
    "[Money(1, Currency.EUR)]",
)
real(
    "sql_row",
    """
@covers(
    lambda row: row["id"] >= 1 and (row["name"] is None or len(row["name"]) <= 20) and row["active"] in (True, False)
)
@gen.composite
def rows(draw) -> dict:
    row = {"id": draw(gen.integers(min_value=1)), "name": None, "active": draw(gen.booleans())}
    if draw(gen.booleans()):
        row["name"] = draw(gen.text(max_size=20))
    return row
""",
    "max_size=20",
    "max_size=19",
    '{"id": 1, "name": "a" * 20, "active": True}',
)
real(
    "disjoint_intervals",
    """
def disjoint(spans: list[tuple[int, int]], low: int) -> bool:
    if not spans:
        return True
    start, end = spans[0]
    return low <= start < end <= 20 and disjoint(spans[1:], end)

@covers(lambda spans: len(spans) <= 2 and disjoint(spans, 0))
@gen.composite
def span_lists(draw) -> list[tuple[int, int]]:
    spans = []
    low = 0
    for _ in range(draw(gen.integers(0, 2))):
        if low >= 20:
            break
        start = draw(gen.integers(low, 19))
        end = draw(gen.integers(start + 1, 20))
        spans.append((start, end))
        low = end
    return spans
""",
    "        low = end\n",
    "        low = end + 1\n",
    "[(0, 1), (1, 2)]",
)
real(
    "comment_thread",
    """
@dataclass(frozen=True)
class Comment:
    author: int
    replies: "tuple[Comment, ...]"

def small(c: Comment, d: int) -> bool:
    return c.author >= 0 and (d > 0 or len(c.replies) == 0) and len(c.replies) <= 2 and all(small(r, d - 1) for r in c.replies)

@covers(lambda c, d: small(c, d), requires=lambda d: d >= 0, decreases="d")
@gen.composite
def threads(draw, d: int) -> Comment:
    author = draw(gen.integers(min_value=0))
    if d == 0:
        return Comment(author, ())
    replies = draw(gen.lists(threads(d - 1), max_size=2))
    return Comment(author, tuple(replies))
""",
    "max_size=2))\n    return",
    "max_size=1))\n    return",
    "Comment(0, (Comment(0, ()), Comment(0, ())))",
    d=1,
)
real(
    "permission_bits",
    """
@dataclass(frozen=True)
class Mode:
    read: bool
    write: bool
    execute: bool

    @property
    def bits(self) -> int:
        return 4 * self.read + 2 * self.write + self.execute

@covers(lambda m: m.bits >= 4 or m.bits == 0)
@gen.composite
def modes(draw) -> Mode:
    read = draw(gen.booleans())
    write = draw(gen.booleans()) if read else False
    execute = read and draw(gen.booleans())
    return Mode(read=read, write=write, execute=execute)
""",
    "if read else False",
    "if not read else False",
    "Mode(True, True, False)",
)
real(
    "log_lines",
    """
@dataclass(frozen=True)
class Entry:
    at: datetime.datetime
    level: str
    message: str

@covers(lambda es: len(es) <= 3 and all(e.level in ("debug", "error") and e.message for e in es) and all(a.at <= b.at for a, b in zip(es, es[1:])))
@gen.composite
def logs(draw) -> list[Entry]:
    times = sorted(draw(gen.lists(gen.datetimes(), max_size=3)))
    entries = []
    for at in times:
        level = draw(gen.sampled_from(["debug", "error"]))
        message = draw(gen.text(min_size=1))
        entries.append(Entry(at, level, message))
    return entries
""",
    "gen.text(min_size=1)",
    "gen.text(min_size=2)",
    '[Entry(datetime.datetime(2000, 1, 1), "debug", "a")]',
)
real(
    "adjacency",
    """
@covers(lambda g: set(g) == {0, 1, 2} and all(t in (0, 1, 2) and t != n for n, ts in g.items() for t in ts))
@gen.composite
def graphs(draw) -> dict[int, set[int]]:
    nodes = range(3)
    graph = {}
    for node in nodes:
        others = [n for n in nodes if n != node]
        graph[node] = draw(gen.sets(gen.sampled_from(others)))
    return graph
""",
    "gen.sets(gen.sampled_from(others))",
    "gen.sets(gen.sampled_from(others), max_size=1)",
    "{0: {1, 2}, 1: set(), 2: set()}",
)
real(
    "date_of_birth",
    """
@dataclass(frozen=True)
class Person:
    born: datetime.date
    died: datetime.date | None

@covers(lambda p: p.born >= datetime.date(1900, 1, 1) and (p.died is None or p.born <= p.died))
@gen.composite
def people(draw):
    born = draw(gen.dates(min_value=datetime.date(1900, 1, 1)))
    died = draw(gen.one_of(gen.none(), gen.dates(min_value=born)))
    return Person(born=born, died=died)
""",
    "gen.dates(min_value=born)",
    "gen.dates(min_value=born).filter(lambda d: d > born)",
    "Person(datetime.date(1900, 1, 1), datetime.date(1900, 1, 1))",
)
real(
    "grid_walk",
    """
@covers(lambda moves: len(moves) <= 4 and all(m in ("N", "S") for m in moves) and all(moves[:i].count("S") <= moves[:i].count("N") for i in range(len(moves) + 1)))
@gen.composite
def walks(draw) -> list[str]:
    moves, height = [], 0
    for _ in range(draw(gen.integers(0, 4))):
        step = draw(gen.sampled_from("NS")) if height > 0 else "N"
        height += 1 if step == "N" else -1
        moves.append(step)
    return moves
""",
    "if height > 0",
    "if height > 1",
    '["N", "S"]',
)
real(
    "weights",
    """
@covers(lambda ws: len(ws) == 3 and all(w >= 0 for w in ws) and sum(ws) == 100)
@gen.composite
def weights(draw) -> list[int]:
    remaining = 100
    result = []
    for _ in range(2):
        w = draw(gen.integers(0, remaining))
        result.append(w)
        remaining -= w
    result.append(remaining)
    return result
""",
    "gen.integers(0, remaining)",
    "gen.integers(0, remaining // 2)",
    "[100, 0, 0]",
)
