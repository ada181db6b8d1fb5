"""An eighth set of realistic generators, written before the work that it measures. The ninth was run once after it."""

from __future__ import annotations

from completeness_suite.real.suite import Real

EIGHTH: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    EIGHTH.append(Real(name, text, (old, new), misses, arguments))


real(
    "http_headers",
    """
NAMES = ("host", "accept", "etag", "content-length")

def well_formed(headers: list[tuple[str, str]]) -> bool:
    names = [name for name, _ in headers]
    return len(names) == len(set(names)) and all(name in NAMES for name in names) and all(len(v) > 0 for _, v in headers)

@covers(lambda headers: len(headers) <= 3 and well_formed(headers))
@gen.composite
def header_lists(draw):
    headers = []
    names = draw(gen.lists(gen.sampled_from(NAMES), unique=True, max_size=3))
    for name in names:
        value = draw(gen.text(min_size=1))
        headers.append((name, value))
    return headers
""",
    "max_size=3",
    "max_size=2",
    '[("host", "a"), ("accept", "a"), ("etag", "a")]',
)
real(
    "semantic_version",
    """
@dataclass(frozen=True)
class Version:
    major: int
    minor: int
    patch: int
    pre: str | None = None

    def is_stable(self) -> bool:
        return self.major > 0 and self.pre is None

    def bump(self) -> "Version":
        return Version(self.major, self.minor, self.patch + 1)

@covers(
    lambda v, allow_pre: v.major >= 0
    and v.minor >= 0
    and v.patch >= 0
    and (v.pre is None or (allow_pre and v.pre in ("alpha", "beta", "rc")))
)
@gen.composite
def versions(draw, allow_pre=True):
    number = gen.integers(min_value=0)
    version = Version(draw(number), draw(number), draw(number))
    if allow_pre and draw(gen.booleans()):
        return Version(version.major, version.minor, version.patch, pre=draw(gen.sampled_from(["alpha", "beta", "rc"])))
    return version
""",
    '["alpha", "beta", "rc"]',
    '["alpha", "beta"]',
    'Version(0, 0, 0, "rc")',
    allow_pre=True,
)
real(
    "date_span",
    """
@dataclass
class Span:
    begin: datetime.date
    end: datetime.date

    @property
    def days(self) -> int:
        return (self.end - self.begin).days + 1

    def overlaps(self, other: "Span") -> bool:
        return self.begin <= other.end and other.begin <= self.end

MIN = datetime.date(2000, 1, 1)
MAX = datetime.date(2030, 12, 31)

@covers(lambda s: MIN <= s.begin <= s.end <= MAX and s.days <= 31)
@gen.composite
def spans(draw, min_date=MIN, max_date=MAX):
    begin = draw(gen.dates(min_date, max_date))
    length = draw(gen.integers(0, 30))
    end = min(begin + datetime.timedelta(days=length), max_date)
    return Span(begin=begin, end=end)
""",
    "gen.integers(0, 30)",
    "gen.integers(1, 30)",
    "Span(MIN, MIN)",
)
real(
    "adjacency",
    """
def is_dag(graph: dict[int, list[int]], n: int) -> bool:
    return set(graph) == set(range(n)) and all(all(0 <= t < s for t in ts) and len(set(ts)) == len(ts) for s, ts in graph.items())

@covers(lambda g: is_dag(g, 3))
@gen.composite
def dags(draw):
    graph = {}
    for node in range(3):
        if node == 0:
            graph[node] = []
        else:
            graph[node] = draw(gen.lists(gen.integers(0, node - 1), unique=True))
    return graph
""",
    "gen.integers(0, node - 1), unique=True",
    "gen.integers(0, node - 1), unique=True, max_size=1",
    "{0: [], 1: [], 2: [0, 1]}",
)
real(
    "url_parts",
    """
@dataclass(frozen=True)
class URL:
    scheme: str
    host: str
    port: int | None
    path: tuple[str, ...]

DEFAULT_PORTS = {"http": 80, "https": 443}

@covers(
    lambda u: u.scheme in DEFAULT_PORTS
    and len(u.host) >= 1
    and (u.port is None or (1 <= u.port <= 65535 and u.port != DEFAULT_PORTS[u.scheme]))
    and all("/" not in segment and segment != "" for segment in u.path)
)
@gen.composite
def urls(draw):
    scheme = draw(gen.sampled_from(sorted(DEFAULT_PORTS)))
    host = draw(gen.text(min_size=1))
    port = draw(gen.one_of(gen.none(), gen.integers(1, 65535)))
    if port == DEFAULT_PORTS[scheme]:
        port = None
    segments = draw(gen.lists(gen.text(min_size=1).filter(lambda s: "/" not in s)))
    return URL(scheme, host, port, tuple(segments))
""",
    "gen.integers(1, 65535)",
    "gen.integers(1, 65534)",
    'URL("http", "a", 65535, ())',
)
real(
    "json_values",
    """
def is_json(v, d) -> bool:
    if isinstance(v, list):
        return d > 0 and all(is_json(x, d - 1) for x in v)
    return v is None or isinstance(v, (bool, int))

@covers(lambda v, d: is_json(v, d), requires=lambda d: d >= 0, decreases="d")
@gen.composite
def json_values(draw, d: int):
    scalar = gen.none() | gen.booleans() | gen.integers()
    if d == 0:
        return draw(scalar)
    return draw(scalar | gen.lists(json_values(d - 1)))
""",
    "gen.lists(json_values(d - 1))",
    "gen.lists(json_values(d - 1), min_size=1)",
    "[]",
    d=1,
)
real(
    "select_statement",
    """
COLUMNS = ["id", "name", "age"]

class Select(NamedTuple):
    columns: list[str]
    where: tuple[str, str, int] | None
    limit: int | None

@covers(
    lambda q: 1 <= len(q.columns) <= 2
    and all(c in COLUMNS for c in q.columns)
    and (q.where is None or (q.where[0] in q.columns and q.where[1] in ("=", "<", ">")))
    and (q.limit is None or q.limit >= 0)
)
@gen.composite
def selects(draw):
    columns = draw(gen.lists(gen.sampled_from(COLUMNS), min_size=1, max_size=2))
    where = None
    if draw(gen.booleans()):
        where = (draw(gen.sampled_from(columns)), draw(gen.sampled_from("=<>")), draw(gen.integers()))
    limit = draw(gen.none() | gen.integers(min_value=0))
    return Select(columns, where, limit)
""",
    "draw(gen.sampled_from(columns))",
    "columns[0]",
    'Select(["id", "name"], ("name", "=", 0), None)',
)
real(
    "money_split",
    """
@covers(lambda parts, total: len(parts) == 3 and sum(parts) == total and all(p >= 0 for p in parts), requires=lambda total: total >= 0)
@gen.composite
def splits(draw, total: int) -> list[int]:
    remaining = total
    parts = []
    for _ in range(2):
        part = draw(gen.integers(0, remaining))
        parts.append(part)
        remaining -= part
    parts.append(remaining)
    return parts
""",
    "gen.integers(0, remaining)",
    "gen.integers(0, max(0, remaining - 1))",
    "[1, 0, 0]",
    total=1,
)
real(
    "matrices",
    """
def rectangular(rows: list[list[int]]) -> bool:
    return all(len(row) == len(rows[0]) for row in rows)

@covers(lambda m: 1 <= len(m) <= 3 and 1 <= len(m[0]) <= 3 and rectangular(m))
@gen.composite
def matrices(draw, elements=gen.integers()):
    height = draw(gen.integers(1, 3))
    width = draw(gen.integers(1, 3))
    return [draw(gen.lists(elements, min_size=width, max_size=width)) for _ in range(height)]
""",
    "width = draw(gen.integers(1, 3))",
    "width = draw(gen.integers(1, height))",
    "[[0, 0]]",
)
real(
    "byte_frame",
    """
@covers(lambda frame: 1 <= len(frame) <= 9 and frame[0] == len(frame) - 1)
@gen.composite
def frames(draw) -> bytes:
    payload = draw(gen.binary(max_size=8))
    return bytes([len(payload)]) + payload
""",
    "gen.binary(max_size=8)",
    "gen.binary(min_size=1, max_size=8)",
    'b"\\x00"',
)
real(
    "priority_queue",
    """
def is_heap(items: list[int]) -> bool:
    return all(items[(i - 1) // 2] <= items[i] for i in range(1, len(items)))

@covers(lambda q: len(q) <= 4 and is_heap(q))
@gen.composite
def queues(draw) -> list[int]:
    size = draw(gen.integers(0, 4))
    items: list[int] = []
    for i in range(size):
        if i == 0:
            items.append(draw(gen.integers()))
        else:
            parent = items[(i - 1) // 2]
            items.append(draw(gen.integers(min_value=parent)))
    return items
""",
    "min_value=parent",
    "min_value=parent + 1",
    "[0, 0]",
)
real(
    "tagged_post",
    """
TAGS = frozenset({"python", "testing", "news"})

@dataclass
class Post:
    title: str
    tags: set[str]
    draft: bool = False

    def visible(self) -> bool:
        return not self.draft and bool(self.tags)

@covers(lambda p: 1 <= len(p.title) <= 80 and p.tags <= TAGS and (p.draft or p.tags))
@gen.composite
def posts(draw):
    draft = draw(gen.booleans())
    tags = draw(gen.sets(gen.sampled_from(sorted(TAGS)), min_size=0 if draft else 1))
    return Post(title=draw(gen.text(min_size=1, max_size=80)), tags=tags, draft=draft)
""",
    "min_size=0 if draft else 1",
    "min_size=1",
    'Post("a", set(), True)',
)
