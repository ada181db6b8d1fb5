"""A sixth set of realistic generators, written before the work that it measures, and run once after it."""

from __future__ import annotations

from completeness_suite.real.suite import Real

SIXTH: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    SIXTH.append(Real(name, text, (old, new), misses, arguments))


real(
    "subnet",
    """
@dataclass(frozen=True)
class Subnet:
    octets: tuple[int, int, int, int]
    prefix: int

    def __contains__(self, n: int) -> bool:
        return n in self.octets

@covers(lambda s: all(0 <= o <= 255 for o in s.octets) and 0 <= s.prefix <= 32)
@gen.composite
def subnets(draw):
    octet = gen.integers(min_value=0, max_value=255)
    octets = draw(gen.tuples(octet, octet, octet, octet))
    return Subnet(octets=octets, prefix=draw(gen.integers(0, 32)))
""",
    "gen.integers(0, 32)",
    "gen.integers(0, 31)",
    "Subnet((0, 0, 0, 0), 32)",
)
real(
    "undo_stack",
    """
@dataclass
class Editor:
    done: list[str]
    undone: list[str]

@covers(lambda e: len(e.done) + len(e.undone) <= 3 and all(c in ("cut", "copy") for c in e.done + e.undone))
@gen.composite
def editors(draw) -> Editor:
    commands = draw(gen.lists(gen.sampled_from(["cut", "copy"]), max_size=3))
    at = draw(gen.integers(0, len(commands)))
    return Editor(done=commands[:at], undone=commands[at:])
""",
    "gen.integers(0, len(commands))",
    "gen.integers(min(1, len(commands)), len(commands))",
    'Editor([], ["cut"])',
)
real(
    "tournament",
    """
class Match(NamedTuple):
    home: str
    away: str

TEAMS = ("red", "green", "blue")

@covers(lambda m: m.home in ("red", "green", "blue") and m.away in ("red", "green", "blue") and m.home != m.away)
@gen.composite
def matches(draw):
    home = draw(gen.sampled_from(TEAMS))
    away = draw(gen.sampled_from([t for t in TEAMS if t != home]))
    return Match(home, away)
""",
    "if t != home",
    'if t != home and t != "red"',
    'Match("green", "red")',
)
real(
    "csv_row",
    """
@covers(lambda row: len(row) == 3 and row[0] != "" and row[2] in ("yes", "no"))
@gen.composite
def rows(draw) -> list[str]:
    key = draw(gen.text(min_size=1))
    note = draw(gen.text())
    flag = "yes" if draw(gen.booleans()) else "no"
    row = [key, note]
    row.append(flag)
    return row
""",
    "note = draw(gen.text())",
    "note = draw(gen.text(min_size=1))",
    '["a", "", "yes"]',
)
real(
    "countdown",
    """
@covers(lambda v: 1 <= len(v) <= 4 and v[-1] == 0 and all(a == b + 1 for a, b in zip(v, v[1:])))
@gen.composite
def countdowns(draw) -> list[int]:
    n = draw(gen.integers(min_value=0, max_value=3))
    steps = []
    while n >= 0:
        steps.append(n)
        n -= 1
    return steps
""",
    "max_value=3",
    "max_value=2",
    "[3, 2, 1, 0]",
)
real(
    "shopping_cart",
    """
@dataclass(frozen=True)
class Item:
    sku: int
    quantity: int

@dataclass(frozen=True)
class Cart:
    items: tuple[Item, ...]
    voucher: int | None

    @property
    def count(self) -> int:
        return sum(item.quantity for item in self.items)

@covers(
    lambda c: len(c.items) <= 2
    and all(i.sku >= 1 and 1 <= i.quantity <= 9 for i in c.items)
    and (c.voucher is None or 1 <= c.voucher <= 50)
)
@gen.composite
def carts(draw) -> Cart:
    item = gen.builds(Item, sku=gen.integers(min_value=1), quantity=gen.integers(1, 9))
    items = tuple(draw(gen.lists(item, max_size=2)))
    voucher = draw(gen.one_of(gen.none(), gen.integers(1, 50)))
    return Cart(items, voucher)
""",
    "gen.one_of(gen.none(), gen.integers(1, 50))",
    "gen.one_of(gen.none(), gen.integers(1, 49))",
    "Cart((), 50)",
)
real(
    "leap_day",
    """
@covers(lambda v: v[0] <= v[1] and v[0].year >= 2000 and v[1].year <= 2030)
@gen.composite
def periods(draw) -> tuple[datetime.date, datetime.date]:
    days = gen.dates(min_value=datetime.date(2000, 1, 1), max_value=datetime.date(2030, 12, 31))
    a, b = draw(days), draw(days)
    if b < a:
        a, b = b, a
    return a, b
""",
    "    if b < a:\n        a, b = b, a\n",
    "    assume(a < b)\n",
    "(datetime.date(2000, 1, 1), datetime.date(2000, 1, 1))",
)
real(
    "permissions",
    """
@covers(lambda p: p <= {"read", "write", "admin"} and ("admin" not in p or "write" in p))
@gen.composite
def permissions(draw) -> set[str]:
    granted = draw(gen.sets(gen.sampled_from(["read", "write", "admin"])))
    if "admin" in granted:
        granted.add("write")
    return granted
""",
    'if "admin" in granted:',
    'if "read" in granted:',
    '{"read"}',
)
real(
    "config_file",
    """
@covers(
    lambda c: set(c) == {"host", "port"} and c["host"] in ("localhost", "example.org") and 1024 <= c["port"] <= 65535
)
@gen.composite
def configs(draw) -> dict[str, str | int]:
    config = {}
    config["host"] = draw(gen.sampled_from(["localhost", "example.org"]))
    config["port"] = draw(gen.integers(1024, 65535))
    return config
""",
    "gen.integers(1024, 65535)",
    "gen.integers(1025, 65535)",
    '{"host": "localhost", "port": 1024}',
)
real(
    "identifier",
    """
LETTERS = "abc_"

@covers(lambda s: 1 <= len(s) <= 4 and all(c in "abc_0" for c in s) and s[0] != "0")
@gen.composite
def identifiers(draw) -> str:
    first = draw(gen.sampled_from(LETTERS))
    rest = draw(gen.text(alphabet=LETTERS + "0", max_size=3))
    return first + rest
""",
    "max_size=3",
    "max_size=2",
    '"aaaa"',
)
real(
    "linked_list",
    """
@dataclass(frozen=True)
class Cell:
    head: int
    tail: "Cell | None"

def rising(c: Cell | None, low: int) -> bool:
    return c is None or (low <= c.head <= 9 and rising(c.tail, c.head))

@covers(lambda v, n: rising(v, 0) and length(v) <= n, requires=lambda n: n >= 0, decreases="n")
@gen.composite
def chains(draw, n: int) -> Cell | None:
    if n == 0 or draw(gen.booleans()):
        return None
    rest = draw(chains(n - 1))
    most = 9 if rest is None else rest.head
    return Cell(draw(gen.integers(0, most)), rest)

def length(c: Cell | None) -> int:
    return 0 if c is None else 1 + length(c.tail)
""",
    "gen.integers(0, most)",
    "gen.integers(1, max(1, most))",
    "Cell(0, None)",
    n=1,
)
real(
    "board",
    """
class Mark(enum.Enum):
    EMPTY = "."
    NOUGHT = "o"
    CROSS = "x"

def count(row: list[Mark], mark: Mark) -> int:
    return sum(1 for m in row if m is mark)

@covers(lambda row: len(row) == 3 and 0 <= count(row, Mark.CROSS) - count(row, Mark.NOUGHT) <= 1)
@gen.composite
def boards(draw) -> list[Mark]:
    row = [Mark.EMPTY] * 3
    moves = draw(gen.integers(0, 3))
    cells = draw(gen.permutations([0, 1, 2]))
    for turn, cell in enumerate(cells[:moves]):
        row[cell] = Mark.CROSS if turn % 2 == 0 else Mark.NOUGHT
    return row
""",
    "gen.integers(0, 3)",
    "gen.integers(0, 2)",
    "[Mark.CROSS, Mark.NOUGHT, Mark.CROSS]",
)
