"""A thirteenth set of realistic generators, most without annotations, written before the reader was changed and run once."""

from __future__ import annotations

from completeness_suite.real.suite import Real

THIRTEENTH: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    THIRTEENTH.append(Real(name, text, (old, new), misses, arguments))


real(
    "port_mappings",
    """
@covers(
    lambda m: len(m) <= 3
    and all(1 <= host <= 65535 and 1 <= inside <= 65535 for host, inside in m)
    and len({host for host, inside in m}) == len(m)
)
@gen.composite
def mappings(draw):
    hosts = draw(gen.lists(gen.integers(1, 65535), max_size=3, unique=True))
    return [(host, draw(gen.integers(1, 65535))) for host in hosts]
""",
    "for host in hosts]",
    "for host in sorted(hosts)]",
    "[(2, 1), (1, 1)]",
)
real(
    "pages_of_results",
    """
@dataclass(frozen=True)
class Page:
    number: int
    size: int
    total: int

@covers(lambda p: 1 <= p.size <= 50 and 0 <= p.total <= 500 and p.number >= 1 and (p.number - 1) * p.size <= p.total)
@gen.composite
def pages(draw):
    size = draw(gen.integers(1, 50))
    total = draw(gen.integers(0, 500))
    number = draw(gen.integers(1, total // size + 1))
    return Page(number, size, total)
""",
    "total // size + 1",
    "max(1, total // size)",
    "Page(2, 50, 50)",
)
real(
    "optional_windows",
    """
@covers(lambda w: (w[0] is None or 0 <= w[0] <= 100) and (w[1] is None or 0 <= w[1] <= 100) and (w[0] is None or w[1] is None or w[0] <= w[1]))
@gen.composite
def windows(draw):
    first = draw(gen.one_of(gen.none(), gen.integers(0, 100)))
    lowest = 0 if first is None else first
    last = draw(gen.one_of(gen.none(), gen.integers(lowest, 100)))
    return first, last
""",
    "lowest = 0 if first is None else first",
    "lowest = 0 if not first else min(first + 1, 100)",
    "(5, 5)",
)
real(
    "feature_flags",
    """
FLAGS = ("beta", "dark", "fast")

@covers(lambda f: set(f) <= set(FLAGS) and (f.get("beta", False) or not f.get("fast", False)))
@gen.composite
def flags(draw):
    chosen = draw(gen.dictionaries(gen.sampled_from(FLAGS), gen.booleans()))
    if chosen.get("fast", False):
        chosen["beta"] = True
    return chosen
""",
    'if chosen.get("fast", False):',
    'if "fast" in chosen:',
    '{"fast": False}',
)
real(
    "weekly_rotas",
    """
@covers(lambda r: len(r) == 3 and all(w in ("ann", "bob", "cy") for w in r) and all(a != b for a, b in zip(r, r[1:])))
@gen.composite
def rotas(draw):
    people = gen.sampled_from(["ann", "bob", "cy"])
    rota = [draw(people)]
    for _ in range(2):
        rota.append(draw(people.filter(lambda p: p != rota[-1])))
    return rota
""",
    "lambda p: p != rota[-1]",
    "lambda p: p not in rota",
    '["ann", "bob", "ann"]',
)
real(
    "price_steps",
    """
@dataclass(frozen=True)
class Step:
    from_quantity: int
    cents: int

@covers(
    lambda s: 1 <= len(s) <= 3
    and s[0].from_quantity == 1
    and all(a.from_quantity < b.from_quantity and a.cents >= b.cents for a, b in zip(s, s[1:]))
    and all(x.cents >= 0 for x in s)
)
@gen.composite
def price_lists(draw):
    steps = [Step(1, draw(gen.integers(min_value=0)))]
    for _ in range(draw(gen.integers(0, 2))):
        last = steps[-1]
        quantity = draw(gen.integers(min_value=last.from_quantity + 1))
        steps.append(Step(quantity, draw(gen.integers(0, last.cents))))
    return steps
""",
    "draw(gen.integers(0, last.cents))",
    "draw(gen.integers(0, max(0, last.cents - 1)))",
    "[Step(1, 5), Step(2, 5)]",
)
real(
    "log_lines",
    """
LEVELS = {"debug": 10, "info": 20, "error": 40}

@covers(lambda line: line[0] in LEVELS and line[1] == LEVELS[line[0]] and (line[2] is None) == (line[1] < 40) and (line[2] is None or 400 <= line[2] < 600))
@gen.composite
def lines(draw):
    level = draw(gen.sampled_from(sorted(LEVELS)))
    code = None
    if level == "error":
        code = draw(gen.integers(400, 599))
    return level, LEVELS[level], code
""",
    "gen.integers(400, 599)",
    "gen.sampled_from([400, 404, 500, 503])",
    '("error", 40, 401)',
)
real(
    "moves_on_a_board",
    """
class Move(NamedTuple):
    row: int
    column: int
    to_row: int
    to_column: int

@covers(
    lambda m: all(0 <= x < 8 for x in m)
    and (m.row == m.to_row) != (m.column == m.to_column)
)
@gen.composite
def rook_moves(draw, size=8):
    square = gen.integers(0, size - 1)
    row, column = draw(square), draw(square)
    if draw(gen.booleans()):
        to = draw(square)
        assume(to != row)
        return Move(row, column, to, column)
    to = draw(square.filter(lambda c: c != column))
    return Move(row, column, row, to)
""",
    "lambda c: c != column",
    "lambda c: c > column",
    "Move(0, 3, 0, 1)",
)
real(
    "reservations_of_seats",
    """
@covers(lambda r, rows: 1 <= r[0] <= rows and 1 <= len(r[1]) <= 3 and all(0 <= s < 10 for s in r[1]) and all(b == a + 1 for a, b in zip(r[1], r[1][1:])), requires=lambda rows: 1 <= rows <= 5)
@gen.composite
def reservations(draw, rows):
    row = draw(gen.integers(1, rows))
    wanted = draw(gen.integers(1, 3))
    first = draw(gen.integers(0, 10 - wanted))
    return row, list(range(first, first + wanted))
""",
    "gen.integers(0, 10 - wanted)",
    "gen.integers(0, 9 - wanted)",
    "(1, [9])",
    rows=2,
)
real(
    "folders_and_files",
    """
@dataclass(frozen=True)
class File:
    size: int

@dataclass(frozen=True)
class Folder:
    entries: "list[File | Folder]"

def fits(node, depth: int) -> bool:
    if isinstance(node, File):
        return node.size >= 0
    return depth > 0 and len(node.entries) <= 2 and all(fits(e, depth - 1) for e in node.entries)

@covers(lambda v, depth: fits(v, depth), requires=lambda depth: 0 <= depth <= 2, decreases="depth")
@gen.composite
def entries(draw, depth):
    if depth == 0 or draw(gen.booleans()):
        return File(draw(gen.integers(min_value=0)))
    return Folder(draw(gen.lists(entries(depth - 1), max_size=2)))
""",
    "gen.lists(entries(depth - 1), max_size=2)",
    "gen.lists(entries(depth - 1), min_size=1, max_size=2)",
    "Folder([])",
    depth=1,
)
real(
    "temperature_readings",
    """
@covers(lambda r: len(r) <= 4 and all(x is None or -40 <= x <= 85 for x in r) and (not r or r[0] is not None))
@gen.composite
def readings(draw, low=-40, high=85):
    sensor = gen.integers(low, high)
    if draw(gen.booleans()):
        return []
    rest = draw(gen.lists(gen.none() | sensor, max_size=3))
    return [draw(sensor), *rest]
""",
    "gen.none() | sensor",
    "sensor",
    "[0, None]",
)
real(
    "retry_policies",
    """
class Backoff(enum.Enum):
    FIXED = 1
    LINEAR = 2
    NONE = 3

@dataclass
class Policy:
    backoff: Backoff
    attempts: int
    delay: int = 0

@covers(lambda p: 1 <= p.attempts <= 10 and 0 <= p.delay <= 60 and (p.backoff is not Backoff.NONE or p.attempts == 1 and p.delay == 0))
@gen.composite
def policies(draw, backoffs=gen.sampled_from(Backoff)):
    backoff = draw(backoffs)
    if backoff is Backoff.NONE:
        return Policy(backoff, attempts=1)
    return Policy(backoff, draw(gen.integers(1, 10)), delay=draw(gen.integers(0, 60)))
""",
    "delay=draw(gen.integers(0, 60))",
    "delay=draw(gen.integers(1, 60))",
    "Policy(Backoff.FIXED, 1, 0)",
)
