"""A fifth set of realistic generators, written before the work that it measures, and run once after it."""

from __future__ import annotations

from completeness_suite.real.suite import Real

FIFTH: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    FIFTH.append(Real(name, text, (old, new), misses, arguments))


real(
    "page_of_results",
    """
@dataclass(frozen=True)
class Page:
    items: list[int]
    more: bool

@covers(lambda p: len(p.items) <= 4 and all(n >= 1 for n in p.items) and (not p.more or len(p.items) == 4))
@gen.composite
def pages(draw):
    items = draw(gen.lists(gen.integers(min_value=1), max_size=4))
    more = draw(gen.booleans()) if len(items) == 4 else False
    return Page(items=items, more=more)
""",
    "max_size=4",
    "max_size=3",
    "Page([1, 1, 1, 1], True)",
)
real(
    "listed_with",
    """
def a_few(elements):
    return gen.lists(elements, max_size=2)

@covers(lambda v: len(v) <= 2 and all(0 <= n <= 9 for n in v))
@gen.composite
def digits(draw) -> list[int]:
    return draw(a_few(gen.integers(0, 9)))
""",
    "gen.integers(0, 9)",
    "gen.integers(1, 9)",
    "[0]",
)
real(
    "pair_of",
    """
@gen.composite
def pair_of(draw, elements):
    first = draw(elements)
    second = draw(elements)
    return (first, second)

@covers(lambda v: all(0 <= n <= 5 for n in v))
@gen.composite
def dice(draw) -> tuple[int, int]:
    return draw(pair_of(gen.integers(0, 5)))
""",
    "second = draw(elements)",
    "second = first",
    "(0, 1)",
)
real(
    "retry_policy",
    """
@dataclass(frozen=True)
class Retry:
    times: int
    delay: float
    jitter: bool = False

@covers(lambda r: 0 <= r.times <= 5 and 0.0 <= r.delay <= 60.0 and (r.times > 0 or not r.jitter))
@gen.composite
def retries(draw) -> Retry:
    times = draw(gen.integers(min_value=0, max_value=5))
    delay = draw(gen.floats(min_value=0.0, max_value=60.0))
    if times > 0:
        return Retry(times, delay, jitter=draw(gen.booleans()))
    return Retry(times, delay)
""",
    "times > 0:",
    "times > 1:",
    "Retry(1, 0.0, True)",
)
real(
    "opening_hours",
    """
HOURS = gen.integers(0, 24)

@covers(lambda v: all(0 <= a < b <= 24 for a, b in v) and len(v) <= 2)
@gen.composite
def opening_hours(draw) -> list[tuple[int, int]]:
    spans = gen.tuples(HOURS, HOURS).filter(lambda s: s[0] < s[1])
    return draw(gen.lists(spans, max_size=2))
""",
    "gen.integers(0, 24)",
    "gen.integers(0, 23)",
    "[(0, 24)]",
)
real(
    "matrix",
    """
@covers(lambda m: len(m) <= 2 and all(len(row) == 2 and all(0 <= n <= 1 for n in row) for row in m))
@gen.composite
def matrices(draw) -> list[list[int]]:
    height = draw(gen.integers(0, 2))
    return [[draw(gen.integers(0, 1)) for _ in range(2)] for _ in range(height)]
""",
    "gen.integers(0, 2)",
    "gen.integers(1, 2)",
    "[]",
)
real(
    "semver",
    """
class Version(NamedTuple):
    major: int
    minor: int
    label: str | None

@covers(lambda v: v.major >= 0 and v.minor >= 0 and v.label in (None, "alpha", "beta"))
@gen.composite
def versions(draw):
    number = gen.integers(min_value=0)
    label = draw(gen.none() | gen.sampled_from(("alpha", "beta")))
    return Version(draw(number), draw(number), label)
""",
    'gen.none() | gen.sampled_from(("alpha", "beta"))',
    'gen.sampled_from(("alpha", "beta"))',
    "Version(0, 0, None)",
)
real(
    "json_value",
    """
@covers(lambda v: True)
@gen.composite
def scalars(draw) -> int | bool | None | str:
    kind = draw(gen.sampled_from(["number", "truth", "text", "nothing"]))
    if kind == "number":
        return draw(gen.integers())
    elif kind == "truth":
        return draw(gen.booleans())
    elif kind == "text":
        return draw(gen.text())
    else:
        return None
""",
    'kind == "truth"',
    'kind == "true"',
    "True",
)
real(
    "queue_of_jobs",
    """
@dataclass(frozen=True)
class Job:
    priority: int
    name: str

@covers(lambda v: len(v) <= 2 and all(j.priority in (1, 2, 3) and j.name for j in v))
@gen.composite
def queues(draw) -> list[Job]:
    jobs = []
    for _ in range(draw(gen.integers(0, 2))):
        priority = draw(gen.sampled_from([1, 2, 3]))
        jobs.append(Job(priority=priority, name=draw(gen.text(min_size=1))))
    return jobs
""",
    "[1, 2, 3]",
    "[1, 2]",
    '[Job(3, "a")]',
)
real(
    "expression_tree",
    """
@dataclass(frozen=True)
class Lit:
    value: int

@dataclass(frozen=True)
class Plus:
    left: "Lit | Plus"
    right: "Lit | Plus"

def small(e: Lit | Plus) -> bool:
    match e:
        case Lit(n):
            return 0 <= n <= 9
        case Plus(a, b):
            return small(a) and small(b)

@covers(small)
@gen.composite
def terms(draw) -> Lit | Plus:
    leaf = gen.builds(Lit, gen.integers(0, 9))
    return draw(gen.recursive(leaf, lambda inner: gen.builds(Plus, inner, inner)))
""",
    "gen.integers(0, 9)",
    "gen.integers(1, 9)",
    "Lit(0)",
)
real(
    "rectangle",
    """
@dataclass(frozen=True)
class Rect:
    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

@covers(lambda r: 0 <= r.x and 1 <= r.width and r.right <= 100 and r.y == 0 and r.height == 1)
@gen.composite
def rectangles(draw) -> Rect:
    left = draw(gen.integers(0, 99))
    right = draw(gen.integers(left + 1, 100))
    return Rect(x=left, y=0, width=right - left, height=1)
""",
    "gen.integers(left + 1, 100)",
    "gen.integers(left + 1, 99)",
    "Rect(0, 0, 100, 1)",
)
real(
    "subset_and_rest",
    """
@covers(lambda v: all(0 <= n <= 3 for n in v[0]) and all(0 <= n <= 3 for n in v[1]) and len(v[0]) + len(v[1]) <= 2)
@gen.composite
def halves(draw) -> tuple[list[int], list[int]]:
    low = draw(gen.lists(gen.integers(0, 3), max_size=2))
    high = draw(gen.lists(gen.integers(0, 3), max_size=2 - len(low)))
    return (low, high)
""",
    "max_size=2 - len(low)",
    "max_size=1 - len(low) if len(low) < 2 else 0",
    "([], [0, 0])",
)
