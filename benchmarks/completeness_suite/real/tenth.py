"""A tenth set of realistic generators, shaped after public tests and written before the work that it measures."""

from __future__ import annotations

from completeness_suite.real.suite import Real

TENTH: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    TENTH.append(Real(name, text, (old, new), misses, arguments))


real(
    "overlapping_sets",
    """
VALUES = gen.integers(min_value=0, max_value=12)

@covers(lambda v: v[2] in v[0] and v[2] in v[1] and all(0 <= x <= 12 for x in v[0] | v[1]))
@gen.composite
def overlapping(draw) -> tuple[set[int], set[int], int]:
    shared = draw(VALUES)
    left = draw(gen.sets(VALUES))
    right = draw(gen.sets(VALUES))
    return {shared} | left, {shared} | right, shared
""",
    "draw(gen.sets(VALUES))",
    "draw(gen.sets(VALUES, min_size=2))",
    "({0}, {0}, 0)",
)
real(
    "integer_parameter",
    """
from typing import TypedDict

class Parameter(TypedDict):
    name: str
    required: bool
    low: int
    high: int
    default: int | None

NAMES = gen.text(alphabet="abcdefghij", min_size=1, max_size=8)

def sensible(p: Parameter) -> bool:
    if not -100 <= p["low"] <= p["high"] <= p["low"] + 100 or p["low"] > 100:
        return False
    return p["default"] is None or p["low"] <= p["default"] <= p["high"]

@covers(lambda p: 1 <= len(p["name"]) <= 8 and all(c in "abcdefghij" for c in p["name"]) and sensible(p))
@gen.composite
def parameters(draw) -> Parameter:
    low = draw(gen.integers(-100, 100))
    high = low + draw(gen.integers(0, 100))
    value = gen.integers(low, high)
    return {
        "name": draw(NAMES),
        "required": draw(gen.booleans()),
        "low": low,
        "high": high,
        "default": draw(gen.one_of(gen.none(), value)),
    }
""",
    "value = gen.integers(low, high)",
    "value = gen.integers(low, max(low, high - 1))",
    '{"name": "a", "required": False, "low": 0, "high": 1, "default": 1}',
)
real(
    "simulation_config",
    """
class Criterion(enum.Enum):
    ABSOLUTE = 1
    RELATIVE = 2

@dataclass
class Config:
    least: int
    iterations: int
    most: int
    seed: int | None
    criterion: Criterion
    interval: int

@covers(
    lambda c: 1000 <= c.least <= 10000
    and c.least <= c.iterations <= 100000
    and c.iterations <= c.most <= 1000000
    and (c.seed is None or 0 <= c.seed < 2**31)
    and 100 <= c.interval <= min(10000, c.iterations // 2)
)
@gen.composite
def configs(draw):
    least = draw(gen.integers(min_value=1000, max_value=10000))
    iterations = draw(gen.integers(min_value=least, max_value=100000))
    most = draw(gen.integers(min_value=iterations, max_value=1000000))
    seed = draw(gen.one_of(gen.none(), gen.integers(min_value=0, max_value=2**31 - 1)))
    criterion = draw(gen.sampled_from(Criterion))
    interval = draw(gen.integers(min_value=100, max_value=min(10000, iterations // 2)))
    return Config(least=least, iterations=iterations, most=most, seed=seed, criterion=criterion, interval=interval)
""",
    "max_value=2**31 - 1",
    "max_value=2**31 - 2",
    "Config(1000, 1000, 1000, 2**31 - 1, Criterion.ABSOLUTE, 100)",
)
real(
    "trade_decisions",
    """
@dataclass
class Decision:
    direction: str
    volume: float
    act: bool = True

VOLUMES = gen.one_of(gen.floats(0.0, 10.0), gen.just(0.0), gen.just(0.01))

@covers(
    lambda ds, min_size, max_size: min_size <= len(ds) <= max_size
    and all(d.direction in ("long", "short") and 0.0 <= d.volume <= 10.0 for d in ds),
    requires=lambda min_size, max_size: 0 <= min_size <= max_size,
)
@gen.composite
def decision_lists(draw, min_size: int = 0, max_size: int = 30) -> list[Decision]:
    n = draw(gen.integers(min_size, max_size))
    decisions: list[Decision] = []
    for i in range(n):
        decisions.append(
            Decision(
                direction=draw(gen.sampled_from(["long", "short"])),
                volume=abs(draw(VOLUMES)),
                act=draw(gen.booleans()),
            )
        )
    return decisions
""",
    "act=draw(gen.booleans())",
    "act=draw(gen.booleans()) or i == 0",
    '[Decision("long", 0.0, False)]',
    min_size=0,
    max_size=30,
)
real(
    "cycle_of_years",
    """
@covers(lambda v: 1800 <= v[0] <= 2598 and v[1] - (v[1] - 1984) % 60 <= v[0] < v[1] - (v[1] - 1984) % 60 + 60)
@gen.composite
def year_pairs(draw) -> tuple[int, int]:
    year = draw(gen.integers(min_value=1800, max_value=2598))
    begins = 1984 + 60 * ((year - 1984) // 60)
    reference = draw(gen.integers(min_value=begins, max_value=begins + 59))
    return year, reference
""",
    "begins + 59",
    "begins + 58",
    "(1984, 2043)",
)
real(
    "blob_and_block_size",
    """
@covers(lambda v: 1 <= v[1] <= max(len(v[0]), 1))
@gen.composite
def blobs_with_block_size(draw):
    blob = draw(gen.binary())
    size = draw(gen.integers(min_value=1, max_value=max(len(blob), 1)))
    return blob, size
""",
    "gen.binary()",
    "gen.binary(min_size=1)",
    '(b"", 1)',
)
real(
    "length_prefixed_packets",
    """
class Packet(NamedTuple):
    kind: int
    length: int
    payload: bytes

@covers(lambda p: p.kind in (1, 2, 7) and p.length == len(p.payload) <= 255 and (p.kind != 7 or p.length == 0))
@gen.composite
def packets(draw) -> Packet:
    kind = draw(gen.sampled_from([1, 2, 7]))
    payload = b"" if kind == 7 else draw(gen.binary(max_size=255))
    return Packet(kind, len(payload), payload)
""",
    "max_size=255",
    "max_size=254",
    'Packet(1, 255, b"0" * 255)',
)
real(
    "nested_json",
    """
def size(v) -> int:
    return 1 + sum(size(x) for x in v) if isinstance(v, list) else 1

@covers(lambda v: size(v) <= 3)
@gen.composite
def documents(draw) -> "None | bool | int | list":
    scalars = gen.none() | gen.booleans() | gen.integers()
    return draw(gen.recursive(scalars, lambda children: gen.lists(children), max_leaves=20))
""",
    "gen.lists(children)",
    "gen.lists(children, min_size=1)",
    "[]",
)
real(
    "boolean_formulas",
    """
@dataclass(frozen=True)
class Var:
    name: str

@dataclass(frozen=True)
class Not:
    inner: "Formula"

@dataclass(frozen=True)
class And:
    left: "Formula"
    right: "Formula"

Formula = Var | Not | And

def depth(f: Formula) -> int:
    if isinstance(f, Var):
        return 0
    if isinstance(f, Not):
        return 1 + depth(f.inner)
    return 1 + max(depth(f.left), depth(f.right))

def known(f: Formula) -> bool:
    if isinstance(f, Var):
        return f.name in ("p", "q")
    if isinstance(f, Not):
        return known(f.inner)
    return known(f.left) and known(f.right)

@covers(lambda f: depth(f) <= 2 and known(f))
@gen.composite
def formulas(draw) -> Formula:
    variables = gen.sampled_from(["p", "q"]).map(Var)
    tree = gen.recursive(variables, lambda sub: gen.builds(Not, sub) | gen.builds(And, sub, sub), max_leaves=16)
    return draw(tree.filter(lambda f: depth(f) <= 2))
""",
    "gen.builds(And, sub, sub)",
    "gen.builds(And, sub, variables)",
    'And(Var("p"), Not(Var("p")))',
)
real(
    "message_fields",
    """
def legal(fields: list[tuple[int, str]]) -> bool:
    numbers = [number for number, _ in fields]
    return len(set(numbers)) == len(numbers) and all(1 <= n <= 2000 for n in numbers)

@covers(lambda fields: 1 <= len(fields) <= 3 and legal(fields) and all(kind in ("int", "bytes") for _, kind in fields))
@gen.composite
def message_types(draw):
    numbers = draw(gen.lists(gen.integers(min_value=1, max_value=2000), min_size=1, max_size=3, unique=True))
    kinds = draw(gen.lists(gen.sampled_from(["int", "bytes"]), min_size=len(numbers), max_size=len(numbers)))
    return list(zip(numbers, kinds))
""",
    "max_value=2000",
    "max_value=1999",
    '[(2000, "int")]',
)
real(
    "operation_sequence",
    """
@covers(
    lambda ops: len(ops) <= 8
    and all(op in ("mul", "neg", "pow") and ((op == "neg") == (n == 0)) and (op != "pow" or 1 <= n <= 3) for op, n in ops)
)
@gen.composite
def operations(draw) -> list[tuple[str, int]]:
    count = draw(gen.integers(min_value=0, max_value=8))
    ops: list[tuple[str, int]] = []
    for _ in range(count):
        op = draw(gen.sampled_from(["mul", "neg", "pow"]))
        if op == "mul":
            ops.append((op, draw(gen.integers().filter(lambda n: n != 0))))
        elif op == "pow":
            ops.append((op, draw(gen.integers(min_value=1, max_value=3))))
        else:
            ops.append((op, 0))
    return ops
""",
    "min_value=1, max_value=3",
    "min_value=1, max_value=2",
    '[("pow", 3)]',
)
real(
    "homogeneous_lists",
    """
@covers(lambda xs: len(xs) <= 5 and (all(isinstance(x, bool) for x in xs) or all(isinstance(x, str) for x in xs)))
@gen.composite
def columns(draw) -> list[bool | str]:
    element = draw(gen.sampled_from([gen.booleans(), gen.text()]))
    return draw(gen.lists(element, max_size=5))
""",
    "max_size=5",
    "max_size=4",
    "[True] * 5",
)
real(
    "utc_offsets",
    """
@covers(lambda tz: abs(tz) < datetime.timedelta(hours=24) and tz.seconds % 60 == 0 and tz.microseconds == 0)
@gen.composite
def offsets(draw) -> datetime.timedelta:
    minutes = draw(gen.integers(min_value=-(60 * 24) + 1, max_value=(60 * 24) - 1))
    return datetime.timedelta(minutes=minutes)
""",
    "(60 * 24) - 1",
    "(60 * 24) - 2",
    "datetime.timedelta(minutes=1439)",
)
real(
    "sentence",
    """
LETTERS = "abc"

@covers(
    lambda ws, min_length, max_length: min_length <= len(ws) <= max_length
    and all(w != "" and w != "a" and all(c in LETTERS for c in w) for w in ws),
    requires=lambda min_length, max_length: 1 <= min_length <= max_length,
)
@gen.composite
def sentences(draw, min_length: int = 1, max_length: int = 4) -> list[str]:
    words = []
    for _ in range(draw(gen.integers(min_length, max_length))):
        word = draw(gen.text(LETTERS, min_size=1))
        assume(word != "a")
        words.append(word)
    return words
""",
    'assume(word != "a")',
    'assume(not word.startswith("a"))',
    '["ab"]',
    min_length=1,
    max_length=4,
)
real(
    "job_records",
    """
class Status(str, enum.Enum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"

class Job:
    def __init__(self, number: int, status: Status, results: dict[str, int]) -> None:
        self.number = number
        self.status = status
        self.results = results

    @property
    def finished(self) -> bool:
        return self.status is Status.DONE

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Job) and (self.number, self.status, self.results) == (other.number, other.status, other.results)

@covers(lambda j: j.number > 0 and (j.finished or not j.results))
@gen.composite
def jobs(draw, statuses=gen.sampled_from(Status), results=gen.dictionaries(gen.text(), gen.integers())) -> Job:
    number = draw(gen.integers(min_value=1))
    status = draw(statuses)
    return Job(number, status, draw(results) if status is Status.DONE else {})
""",
    "draw(results) if status is Status.DONE else {}",
    "draw(results.filter(bool)) if status is Status.DONE else {}",
    "Job(1, Status.DONE, {})",
)
real(
    "range_with_steps",
    """
@covers(lambda v: v[0] < v[1] and v[2] >= 1 and (v[1] - v[0]) % v[2] == 0 and v[2] <= 4)
@gen.composite
def stepped(draw) -> tuple[int, int, int]:
    step = draw(gen.integers(1, 4))
    start = draw(gen.integers())
    count = draw(gen.integers(min_value=1))
    return start, start + count * step, step
""",
    "gen.integers(min_value=1)",
    "gen.integers(min_value=2)",
    "(0, 1, 1)",
)
real(
    "grid_paths",
    """
@dataclass(frozen=True)
class Point:
    x: int
    y: int

    def moved(self, direction: str) -> "Point":
        if direction == "R":
            return Point(self.x + 1, self.y)
        return Point(self.x, self.y + 1)

def follows(points: list[Point]) -> bool:
    return all(b in (a.moved("R"), a.moved("U")) for a, b in zip(points, points[1:]))

@covers(lambda ps: 1 <= len(ps) <= 4 and ps[0] == Point(0, 0) and follows(ps))
@gen.composite
def paths(draw):
    here = Point(0, 0)
    points = [here]
    for direction in draw(gen.lists(gen.sampled_from("RU"), max_size=3)):
        here = here.moved(direction)
        points.append(here)
    return points
""",
    'gen.lists(gen.sampled_from("RU"), max_size=3)',
    'gen.lists(gen.sampled_from("RU"), max_size=2)',
    "[Point(0, 0), Point(1, 0), Point(2, 0), Point(3, 0)]",
)
real(
    "inventory",
    """
SKUS = ("bolt", "nut", "gear")

@covers(lambda stock: set(stock) <= set(SKUS) and all(0 < n <= 99 for n in stock.values()) and sum(stock.values()) <= 150)
@gen.composite
def inventories(draw) -> dict[str, int]:
    stock: dict[str, int] = {}
    room = 150
    for sku in SKUS:
        if room == 0 or not draw(gen.booleans()):
            continue
        stock[sku] = draw(gen.integers(1, min(99, room)))
        room -= stock[sku]
    return stock
""",
    "min(99, room)",
    "min(99, room - 1)",
    '{"bolt": 99, "nut": 51}',
)
real(
    "hex_colours",
    """
@covers(lambda s: len(s) == 4 and s[0] == "#" and all(c in "0123456789abcdef" for c in s[1:]))
@gen.composite
def colours(draw) -> str:
    digits = [draw(gen.sampled_from("0123456789abcdef")) for _ in range(3)]
    return "#" + "".join(digits)
""",
    'gen.sampled_from("0123456789abcdef")',
    'gen.sampled_from("0123456789abcde")',
    '"#00f"',
)
real(
    "intervals_merged",
    """
def disjoint(spans: list[tuple[int, int]]) -> bool:
    return all(a < b for a, b in spans) and all(spans[i][1] < spans[i + 1][0] for i in range(len(spans) - 1))

@covers(lambda spans: len(spans) <= 2 and disjoint(spans))
@gen.composite
def span_lists(draw) -> list[tuple[int, int]]:
    count = draw(gen.integers(0, 2))
    cuts = sorted(draw(gen.lists(gen.integers(), min_size=2 * count, max_size=2 * count, unique=True)))
    return [(cuts[2 * i], cuts[2 * i + 1]) for i in range(count)]
""",
    "gen.integers(), min_size",
    "gen.integers(min_value=0), min_size",
    "[(-1, 0)]",
)
