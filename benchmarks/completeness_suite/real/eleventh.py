"""An eleventh set of realistic generators, written with the tenth and run once, after the work."""

from __future__ import annotations

from completeness_suite.real.suite import Real

ELEVENTH: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    ELEVENTH.append(Real(name, text, (old, new), misses, arguments))


real(
    "text_of_same_length",
    """
@covers(lambda v: len(v[0]) == len(v[1]))
@gen.composite
def bytes_and_text(draw):
    blob = draw(gen.binary())
    length = len(blob)
    string = draw(gen.text(min_size=length, max_size=length))
    return blob, string
""",
    "max_size=length)",
    "max_size=length).filter(len)",
    '(b"", "")',
)
real(
    "s_expressions",
    """
def nesting(v) -> int:
    return 1 + max([nesting(x) for x in v], default=0) if isinstance(v, tuple) else 0

def atoms_ok(v) -> bool:
    return all(atoms_ok(x) for x in v) if isinstance(v, tuple) else isinstance(v, int) and v >= 0

@covers(lambda v: nesting(v) <= 2 and atoms_ok(v) and (not isinstance(v, tuple) or len(v) <= 2))
@gen.composite
def s_expressions(draw) -> "int | tuple":
    return draw(
        gen.recursive(gen.integers(min_value=0), lambda s: gen.lists(s, max_size=2).map(tuple), max_leaves=8)
    )
""",
    "max_size=2",
    "min_size=1, max_size=2",
    "()",
)
real(
    "log_lines",
    """
class Level(enum.IntEnum):
    DEBUG = 10
    INFO = 20
    ERROR = 30

@dataclass(frozen=True)
class LogLine:
    when: datetime.datetime
    level: Level
    message: str
    trace: tuple[str, ...] = ()

    @property
    def severe(self) -> bool:
        return self.level >= Level.ERROR

@covers(lambda line: line.when.year < 2100 and line.message and (line.severe or not line.trace))
@gen.composite
def log_lines(draw) -> LogLine:
    when = draw(gen.datetimes(max_value=datetime.datetime(2099, 12, 31, 23, 59, 59, 999999)))
    level = draw(gen.sampled_from(list(Level)))
    message = draw(gen.text(min_size=1))
    trace: list[str] = []
    if level >= Level.ERROR:
        trace = draw(gen.lists(gen.text()))
    return LogLine(when, level, message, tuple(trace))
""",
    "level >= Level.ERROR:",
    "level > Level.ERROR:",
    'LogLine(datetime.datetime(2000, 1, 1), Level.ERROR, "a", ("b",))',
)
real(
    "shopping_cart",
    """
@dataclass
class Item:
    price: int
    quantity: int

    def total(self) -> int:
        return self.price * self.quantity

@dataclass
class Cart:
    items: list[Item]
    voucher: int

def cart_total(items: list[Item]) -> int:
    return sum(item.total() for item in items)

@covers(lambda c: 1 <= len(c.items) <= 2 and all(0 <= i.price <= 50 and 1 <= i.quantity <= 3 for i in c.items) and 0 <= c.voucher <= cart_total(c.items))
@gen.composite
def carts(draw):
    item = gen.builds(Item, price=gen.integers(0, 50), quantity=gen.integers(1, 3))
    items = draw(gen.lists(item, min_size=1, max_size=2))
    voucher = draw(gen.integers(0, sum(i.price * i.quantity for i in items)))
    return Cart(items=items, voucher=voucher)
""",
    "i.price * i.quantity for i in items",
    "i.price for i in items",
    "Cart([Item(1, 2)], 2)",
)
real(
    "tic_tac_toe",
    """
@covers(
    lambda moves: len(moves) <= 4 and len(set(moves)) == len(moves) and all(0 <= r < 3 and 0 <= c < 3 for r, c in moves)
)
@gen.composite
def games(draw) -> list[tuple[int, int]]:
    moves = []
    for _ in range(draw(gen.integers(0, 4))):
        free = [(r, c) for r in range(3) for c in range(3) if (r, c) not in moves]
        moves.append(draw(gen.sampled_from(free)))
    return moves
""",
    "gen.sampled_from(free)",
    "gen.sampled_from(free[1:])",
    "[(0, 0)]",
)
real(
    "bank_ledger",
    """
class Entry(NamedTuple):
    account: str
    amount: int

@covers(lambda es: len(es) == 2 and sum(e.amount for e in es) == 0 and es[0].account != es[1].account and all(e.account and e.amount != 0 for e in es))
@gen.composite
def transfers(draw, accounts=gen.text(min_size=1)) -> list[Entry]:
    source = draw(accounts)
    target = draw(accounts.filter(lambda a: a != source))
    amount = draw(gen.integers(min_value=1))
    entries = [Entry(source, -amount), Entry(target, amount)]
    if draw(gen.booleans()):
        entries = [Entry(source, amount), Entry(target, -amount)]
    return entries
""",
    "min_value=1))",
    "min_value=2))",
    '[Entry("a", 1), Entry("b", -1)]',
)
real(
    "feature_flags",
    """
FLAGS = ["dark", "beta", "fast"]

@covers(lambda c: set(c) == set(FLAGS) and (not c["fast"] or c["beta"]))
@gen.composite
def flag_settings(draw) -> dict[str, bool]:
    settings = {name: draw(gen.booleans()) for name in FLAGS}
    if settings["fast"]:
        settings["beta"] = True
    return settings
""",
    'settings["beta"] = True',
    'settings["beta"] = settings["dark"] = True',
    '{"dark": False, "beta": True, "fast": True}',
)
real(
    "binary_search_input",
    """
@covers(lambda v: len(v[0]) >= 1 and all(a <= b for a, b in zip(v[0], v[0][1:])) and v[1] in v[0])
@gen.composite
def haystacks(draw) -> tuple[list[int], int]:
    xs = draw(gen.lists(gen.integers(), min_size=1).map(sorted))
    index = draw(gen.integers(0, len(xs) - 1))
    return xs, xs[index]
""",
    "gen.integers(0, len(xs) - 1)",
    "gen.integers(0, max(0, len(xs) - 2))",
    "([0, 1], 1)",
)
real(
    "mac_addresses",
    """
@covers(lambda b: len(b) == 6 and b[0] % 2 == 0)
@gen.composite
def mac_addresses(draw) -> bytes:
    first = draw(gen.integers(0, 127)) * 2
    rest = draw(gen.binary(min_size=5, max_size=5))
    return bytes([first]) + rest
""",
    "gen.integers(0, 127)",
    "gen.integers(0, 126)",
    'b"\\xfe\\x00\\x00\\x00\\x00\\x00"',
)
real(
    "retry_policy",
    """
@dataclass(frozen=True, kw_only=True)
class Policy:
    attempts: int
    base: float
    limit: float
    jitter: bool = False

@covers(lambda p: 1 <= p.attempts <= 10 and 0.0 < p.base <= p.limit <= 60.0)
@gen.composite
def policies(draw) -> Policy:
    base = draw(gen.floats(min_value=0.0, max_value=60.0, exclude_min=True))
    limit = draw(gen.floats(min_value=base, max_value=60.0))
    return Policy(attempts=draw(gen.integers(1, 10)), base=base, limit=limit, jitter=draw(gen.booleans()))
""",
    "min_value=base, max_value=60.0)",
    "min_value=base, max_value=60.0, exclude_max=True)",
    "Policy(attempts=1, base=1.0, limit=60.0)",
)
real(
    "tournament_rounds",
    """
TEAMS = ["a", "b", "c", "d"]

@covers(lambda r: len(r) == 2 and sorted(t for match in r for t in match) == TEAMS)
@gen.composite
def rounds(draw) -> list[tuple[str, str]]:
    order = draw(gen.permutations(TEAMS))
    return [(order[i], order[i + 1]) for i in range(0, len(order), 2)]
""",
    "gen.permutations(TEAMS)",
    "gen.permutations(TEAMS).filter(lambda o: o[0] < o[1])",
    '[("b", "a"), ("c", "d")]',
)
real(
    "undo_history",
    """
def replayed(actions: list[str]) -> bool:
    depth = 0
    for action in actions:
        if action == "undo":
            if depth == 0:
                return False
            depth -= 1
        else:
            depth += 1
    return True

@covers(lambda xs: len(xs) <= 4 and all(x in ("type", "undo") for x in xs) and replayed(xs))
@gen.composite
def histories(draw):
    actions = []
    depth = 0
    while len(actions) < 4 and draw(gen.booleans()):
        if depth > 0 and draw(gen.booleans()):
            actions.append("undo")
            depth -= 1
        else:
            actions.append("type")
            depth += 1
    return actions
""",
    "if depth > 0 and",
    "if depth > 1 and",
    '["type", "undo"]',
)
