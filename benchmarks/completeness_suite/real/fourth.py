"""A fourth set of realistic generators, written before the work that it measures, and run once after it."""

from __future__ import annotations

from completeness_suite.real.suite import Real

FOURTH: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    FOURTH.append(Real(name, text, (old, new), misses, arguments))


real(
    "sprint",
    """
@dataclass(frozen=True)
class Sprint:
    begins: datetime.date
    ends: datetime.date

@covers(lambda s: s.begins <= datetime.date(9999, 12, 1) and 0 <= (s.ends - s.begins).days <= 14)
@gen.composite
def sprints(draw) -> Sprint:
    begins = draw(gen.dates(max_value=datetime.date(9999, 12, 1)))
    return Sprint(begins, begins + datetime.timedelta(days=draw(gen.integers(0, 14))))
""",
    "gen.integers(0, 14)",
    "gen.integers(1, 14)",
    "Sprint(datetime.date(2000, 1, 1), datetime.date(2000, 1, 1))",
)
real(
    "ballot",
    """
CANDIDATES = ["ann", "bob", "cyd"]

@covers(lambda v: len(v) >= 1 and v <= {"ann", "bob", "cyd"})
@gen.composite
def approvals(draw) -> set[str]:
    return draw(gen.sets(gen.sampled_from(CANDIDATES), min_size=1))
""",
    "min_size=1",
    "min_size=1, max_size=2",
    '{"ann", "bob", "cyd"}',
)
real(
    "stock",
    """
@covers(lambda v: all(k in ("bolt", "nut") and 0 <= n <= 5 for k, n in v.items()))
@gen.composite
def stock(draw) -> dict[str, int]:
    return draw(gen.dictionaries(gen.sampled_from(["bolt", "nut"]), gen.integers(0, 5)))
""",
    "gen.integers(0, 5)",
    "gen.integers(1, 5)",
    '{"bolt": 0}',
)
real(
    "thermostat",
    """
@dataclass(frozen=True)
class Setting:
    low: float
    high: float

@covers(lambda s: 5.0 <= s.low <= s.high <= 30.0)
@gen.composite
def settings_of_a_room(draw) -> Setting:
    low = draw(gen.floats(5.0, 30.0))
    high = draw(gen.floats(low, 30.0))
    return Setting(low, high)
""",
    "gen.floats(5.0, 30.0)",
    "gen.floats(10.0, 30.0)",
    "Setting(5.0, 5.0)",
)
real(
    "identifier",
    """
@covers(lambda v: 1 <= len(v) <= 3 and all(c in "abc_" for c in v))
@gen.composite
def identifiers(draw) -> str:
    return draw(gen.text(alphabet="abc_", min_size=1, max_size=3))
""",
    'alphabet="abc_"',
    'alphabet="abc"',
    '"_"',
)
real(
    "running_total",
    """
@covers(lambda v: len(v) <= 3 and all(a <= b for a, b in zip(v, v[1:])) and (not v or v[0] >= 0))
@gen.composite
def totals(draw) -> list[int]:
    n = draw(gen.integers(0, 3))
    result = []
    last = 0
    for _ in range(n):
        last += draw(gen.integers(min_value=0))
        result.append(last)
    return result
""",
    "last += draw(gen.integers(min_value=0))",
    "last += draw(gen.integers(min_value=1))",
    "[0]",
)
real(
    "team",
    """
@dataclass(frozen=True)
class Team:
    captain: int
    members: list[int]

@covers(lambda t: 1 <= len(t.members) <= 3 and all(1 <= m <= 9 for m in t.members) and t.captain in t.members)
@gen.composite
def teams(draw) -> Team:
    members = draw(gen.lists(gen.integers(1, 9), min_size=1, max_size=3))
    captain = draw(gen.sampled_from(members))
    return Team(captain, members)
""",
    "gen.sampled_from(members)",
    "gen.just(members[0])",
    "Team(2, [1, 2])",
)
real(
    "pinned_list",
    """
@covers(lambda v, width: len(v) == width and 7 in v, requires=lambda width: 1 <= width)
@gen.composite
def rows(draw, width: int) -> list[int]:
    before = draw(gen.lists(gen.integers(), max_size=width - 1))
    rest = width - 1 - len(before)
    after = draw(gen.lists(gen.integers(), min_size=rest, max_size=rest))
    return before + [7] + after
""",
    "max_size=width - 1",
    "min_size=1, max_size=width - 1",
    "[7]",
    width=1,
)
real(
    "nested_menu",
    """
@dataclass(frozen=True)
class Item:
    price: int

@dataclass(frozen=True)
class Menu:
    entries: list["Item | Menu"]

def depth(m: Item | Menu) -> int:
    if isinstance(m, Item):
        return 0
    return 1 + deepest(m.entries)

def deepest(entries: list[Item | Menu]) -> int:
    if not entries:
        return 0
    return max(depth(entries[0]), deepest(entries[1:]))

@covers(lambda m, d: depth(m) <= d, requires=lambda d: d >= 0)
@gen.composite
def menus(draw, d: int) -> Item | Menu:
    if d == 0 or draw(gen.booleans()):
        return Item(draw(gen.integers()))
    return Menu(draw(gen.lists(menus(d - 1))))
""",
    "gen.lists(menus(d - 1))",
    "gen.lists(menus(d - 1), min_size=1)",
    "Menu([])",
    d=1,
)
real(
    "timesheet",
    """
class Entry(NamedTuple):
    day: int
    hours: int

@covers(lambda v: len(v) <= 2 and all(0 <= e.day <= 6 and 1 <= e.hours <= 8 for e in v))
@gen.composite
def timesheets(draw):
    entries = draw(gen.lists(gen.builds(Entry, day=gen.integers(0, 6), hours=gen.integers(1, 8)), max_size=2))
    assume(len(entries) <= 2)
    return [Entry(day, hours) for day, hours in entries]
""",
    "gen.integers(1, 8)",
    "gen.integers(1, 7)",
    "[Entry(0, 8)]",
)
real(
    "alarm",
    """
@dataclass(frozen=True)
class Alarm:
    minute: int
    label: str

    def __post_init__(self) -> None:
        if not 0 <= self.minute < 1440:
            raise ValueError(self.minute)

@covers(lambda a: 0 <= a.minute < 1440 and a.label in ("work", "sport"))
@gen.composite
def alarms(draw):
    hour, minute = draw(gen.tuples(gen.integers(0, 23), gen.integers(0, 59)))
    label = draw(gen.sampled_from(sorted({"work", "sport"})))
    return Alarm(60 * hour + minute, label)
""",
    "gen.integers(0, 23)",
    "gen.integers(0, 22)",
    'Alarm(1380, "work")',
)
real(
    "lines_of_code",
    """
@covers(lambda v: 1 <= len(v) <= 3 and all(n >= 0 for n in v) and sum(v) <= 10)
@gen.composite
def histograms(draw) -> list[int]:
    n = draw(gen.integers(1, 3))
    left = 10
    found: list[int] = []
    while len(found) < n:
        bar = draw(gen.integers(0, left))
        left -= bar
        found.append(bar)
    return found
""",
    "gen.integers(0, left)",
    "gen.integers(0, left // 2)",
    "[10]",
)
