"""A third set of realistic generators, written before anyone had seen their verdicts, and run once."""

from __future__ import annotations

from completeness_suite.real.suite import Real

THIRD: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    THIRD.append(Real(name, text, (old, new), misses, arguments))


real(
    "train_journey",
    """
@dataclass(frozen=True)
class Leg:
    departs: int
    arrives: int

def connected(legs: list[Leg], ready: int) -> bool:
    if not legs:
        return True
    first = legs[0]
    return ready <= first.departs and first.departs < first.arrives and connected(legs[1:], first.arrives + 5)

@covers(lambda v, n, ready: len(v) <= n and connected(v, ready), requires=lambda n: n >= 0, decreases="n")
@gen.composite
def journeys(draw, n: int, ready: int) -> list[Leg]:
    if n == 0 or draw(gen.booleans()):
        return []
    departs = draw(gen.integers(min_value=ready))
    arrives = draw(gen.integers(min_value=departs + 1))
    return [Leg(departs, arrives)] + draw(journeys(n - 1, arrives + 5))
""",
    "min_value=departs + 1",
    "min_value=departs + 2",
    "[Leg(0, 1)]",
    n=1,
    ready=0,
)
real(
    "thermostat",
    """
class Mode(enum.Enum):
    OFF = "off"
    HEAT = "heat"
    COOL = "cool"

@dataclass(frozen=True)
class Setting:
    mode: Mode
    target: int | None

@covers(lambda s: (s.target is None) if s.mode is Mode.OFF else (s.target is not None and 5 <= s.target <= 30))
@gen.composite
def settings_(draw):
    mode = draw(gen.sampled_from(Mode))
    if mode is Mode.OFF:
        return Setting(mode, None)
    return Setting(mode, draw(gen.integers(5, 30)))
""",
    "gen.integers(5, 30)",
    "gen.integers(6, 30)",
    "Setting(Mode.HEAT, 5)",
)
real(
    "chess_move",
    """
class Square(NamedTuple):
    file: int
    rank: int

def on_board(s: Square) -> bool:
    return 0 <= s.file < 8 and 0 <= s.rank < 8

@covers(lambda v: on_board(v[0]) and on_board(v[1]) and v[0] != v[1])
@gen.composite
def moves(draw) -> tuple[Square, Square]:
    squares = gen.builds(Square, gen.integers(0, 7), gen.integers(0, 7))
    start = draw(squares)
    end = draw(squares.filter(lambda s: s != start))
    return (start, end)
""",
    "gen.integers(0, 7), gen.integers(0, 7)",
    "gen.integers(0, 7), gen.integers(1, 7)",
    "(Square(0, 0), Square(0, 1))",
)
real(
    "discount_codes",
    """
@dataclass(frozen=True)
class Code:
    text: str
    percent: int
    uses: int = 1

@covers(lambda c: len(c.text) >= 4 and c.percent in (5, 10, 25) and c.uses >= 1)
@gen.composite
def codes(draw) -> Code:
    return Code(
        draw(gen.text(min_size=4)),
        percent=draw(gen.sampled_from((5, 10, 25))),
        uses=draw(gen.integers(1, None)),
    )
""",
    "(5, 10, 25)))",
    "(5, 10)))",
    "Code('aaaa', 25)",
)
real(
    "two_sorted_halves",
    """
@covers(lambda v: len(v[0]) <= 2 and len(v[1]) <= 2 and all(a <= b for a, b in zip(v[0], v[0][1:])))
@gen.composite
def halves(draw) -> tuple[list[int], list[int]]:
    left = sorted(draw(gen.lists(gen.integers(), max_size=2)))
    right = draw(gen.lists(gen.integers(), max_size=2))
    return left, right
""",
    "right = draw(gen.lists(gen.integers(), max_size=2))",
    "right = draw(gen.lists(gen.integers(), max_size=1))",
    "([], [0, 0])",
)
real(
    "bank_statement",
    """
def never_negative(entries: list[int], balance: int) -> bool:
    return balance >= 0 and (not entries or never_negative(entries[1:], balance + entries[0]))

@covers(lambda v, n, balance: len(v) <= n and never_negative(v, balance), requires=lambda n, balance: n >= 0 and balance >= 0, decreases="n")
@gen.composite
def statements(draw, n: int, balance: int) -> list[int]:
    if n == 0:
        return []
    if draw(gen.booleans()):
        return []
    entry = draw(gen.integers(min_value=-balance))
    rest = draw(statements(n - 1, balance + entry))
    return [entry, *rest]
""",
    "min_value=-balance",
    "min_value=1 - balance",
    "[0]",
    n=1,
    balance=0,
)
real(
    "flight_seats",
    """
ROWS = 30
LETTERS = "ABCDEF"

@covers(lambda v: 1 <= v[0] <= 30 and v[1] in ("A", "B", "C", "D", "E", "F"))
@gen.composite
def seats(draw) -> tuple[int, str]:
    row = draw(gen.integers(1, ROWS))
    letter = draw(gen.sampled_from(list(LETTERS)))
    return row, letter
""",
    "gen.sampled_from(list(LETTERS))",
    "gen.sampled_from(list(LETTERS[:-1]))",
    "(1, 'F')",
)
real(
    "binary_tree_paths",
    """
@dataclass(frozen=True)
class Here:
    pass

@dataclass(frozen=True)
class Down:
    left: bool
    rest: "Way"

Way = Here | Down

def steps(w: Way) -> int:
    return 0 if isinstance(w, Here) else 1 + steps(w.rest)

@covers(lambda v, n: steps(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def ways(draw, n: int) -> Way:
    if n == 0 or not draw(gen.booleans()):
        return Here()
    return Down(draw(gen.booleans()), draw(ways(n - 1)))
""",
    "Down(draw(gen.booleans()),",
    "Down(True,",
    "Down(False, Here())",
    n=1,
)
real(
    "working_week",
    """
@dataclass(frozen=True)
class Day:
    weekday: int
    hours: int

    def overtime(self) -> bool:
        return self.hours > 8

@covers(lambda v: len(v) == 2 and all(0 <= d.weekday < 5 and 0 <= d.hours <= 12 for d in v) and v[0].weekday < v[1].weekday)
@gen.composite
def weeks(draw) -> list[Day]:
    first = draw(gen.integers(0, 3))
    second = draw(gen.integers(first + 1, 4))
    hours = gen.integers(0, 12)
    return [Day(first, draw(hours)), Day(second, draw(hours))]
""",
    "gen.integers(0, 3)",
    "gen.integers(0, 2)",
    "[Day(3, 0), Day(4, 0)]",
)
real(
    "tagged_values",
    """
@covers(lambda v: all(t in (0, 1) for t in v) and len(v) <= 3)
@gen.composite
def tags(draw) -> list[int]:
    result = []
    for _ in range(draw(gen.integers(0, 3))):
        result.append(draw(gen.sampled_from([0, 1])))
    return result
""",
    "gen.sampled_from([0, 1])",
    "gen.sampled_from([0])",
    "[1]",
)
real(
    "opening_hours",
    """
@covers(lambda v: v is None or (0 <= v[0] < v[1] <= 24))
@gen.composite
def opening(draw) -> tuple[int, int] | None:
    if draw(gen.booleans()):
        return None
    opens = draw(gen.integers(0, 23))
    return (opens, draw(gen.integers(opens + 1, 24)))
""",
    "gen.integers(opens + 1, 24)",
    "gen.integers(opens + 1, 23)",
    "(0, 24)",
)
real(
    "scores",
    """
@covers(lambda v: 0 <= v["home"] <= 9 and 0 <= v["away"] <= 9)
@gen.composite
def scores(draw) -> dict[str, int]:
    goals = gen.integers(0, 9)
    return {"home": draw(goals), "away": draw(goals)}
""",
    "gen.integers(0, 9)",
    "gen.integers(0, 8)",
    "{'home': 9, 'away': 0}",
)
real(
    "holidays",
    """
@covers(lambda v: datetime.date(2024, 1, 1) <= v[0] <= v[1] <= datetime.date(2024, 12, 31))
@gen.composite
def holidays(draw) -> tuple[datetime.date, datetime.date]:
    first = draw(gen.dates(datetime.date(2024, 1, 1), datetime.date(2024, 12, 31)))
    last = draw(gen.dates(first, datetime.date(2024, 12, 31)))
    return (first, last)
""",
    "gen.dates(first, datetime.date(2024, 12, 31))",
    "gen.dates(first, datetime.date(2024, 12, 30))",
    "(datetime.date(2024, 12, 31), datetime.date(2024, 12, 31))",
)
real(
    "lottery",
    """
@covers(lambda v: len(v) == 3 and v <= {1, 2, 3, 4, 5})
@gen.composite
def tickets(draw) -> set[int]:
    return draw(gen.sets(gen.integers(1, 5), min_size=3, max_size=3))
""",
    "gen.integers(1, 5)",
    "gen.integers(1, 4)",
    "{1, 2, 5}",
)
real(
    "probability",
    """
@covers(lambda v: 0.0 <= v <= 1.0)
@gen.composite
def probabilities(draw) -> float:
    return draw(gen.floats(0.0, 1.0))
""",
    "gen.floats(0.0, 1.0)",
    "gen.floats(0.0, 0.5)",
    "1.0",
)
