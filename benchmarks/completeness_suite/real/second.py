"""A second set of realistic generators, written after the reader and run once, to test it on generators that it was not
written for.
"""

from __future__ import annotations

from completeness_suite.real.suite import Real

SECOND: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    SECOND.append(Real(name, text, (old, new), misses, arguments))


real(
    "temperature",
    """
@dataclass(frozen=True)
class Reading:
    sensor: int
    celsius: int

    def freezing(self) -> bool:
        return self.celsius <= 0

@covers(lambda r: 1 <= r.sensor <= 8 and -40 <= r.celsius <= 60)
@gen.composite
def readings(draw):
    sensor = draw(gen.sampled_from(range(1, 9)))
    return Reading(sensor, draw(gen.integers(-40, 60)))
""",
    "range(1, 9)",
    "range(1, 8)",
    "Reading(8, 0)",
)
real(
    "grid_path",
    """
@covers(lambda v: len(v) == 2 and all(s in ("up", "down") for s in v))
@gen.composite
def steps(draw) -> list[str]:
    return draw(gen.lists(gen.sampled_from(["up", "down"]), min_size=2, max_size=2))
""",
    '["up", "down"]',
    '["up"]',
    '["down", "up"]',
)
real(
    "stack_ops",
    """
@covers(lambda v: len(v) <= 3 and all(n >= 0 for n in v))
@gen.composite
def pushes(draw):
    result = []
    for i in range(3):
        if draw(gen.booleans()):
            break
        result.append(draw(gen.integers(min_value=0)))
    return result
""",
    "range(3)",
    "range(2)",
    "[0, 0, 0]",
)
real(
    "quantity",
    """
def at_most(limit: int):
    return gen.integers(0, limit)

@covers(lambda v: 0 <= v <= 10)
@gen.composite
def quantities(draw) -> int:
    return draw(at_most(10))
""",
    "draw(at_most(10))",
    "draw(at_most(9))",
    "10",
)
real(
    "either_sign",
    """
SMALL = gen.integers(-5, -1)
LARGE = gen.integers(1, 5)

@covers(lambda v: v != 0 and -5 <= v <= 5)
@gen.composite
def signed(draw) -> int:
    return draw(SMALL | LARGE)
""",
    "SMALL | LARGE",
    "LARGE",
    "-1",
)
real(
    "matched_lengths",
    """
@covers(lambda v: len(v[0]) == len(v[1]) and len(v[0]) <= 2)
@gen.composite
def paired(draw) -> tuple[list[int], list[int]]:
    n = draw(gen.integers(0, 2))
    xs = draw(gen.lists(gen.integers(), min_size=n, max_size=n))
    ys = draw(gen.lists(gen.integers(), min_size=n, max_size=n))
    return xs, ys
""",
    "gen.integers(0, 2)",
    "gen.integers(0, 1)",
    "([0, 0], [0, 0])",
)
real(
    "flat_pair",
    """
@covers(lambda v: 0 <= v[0] <= 3 and 0 <= v[1] <= v[0])
@gen.composite
def pairs(draw) -> tuple[int, int]:
    return draw(gen.integers(0, 3).flatmap(lambda n: gen.tuples(gen.just(n), gen.integers(0, n))))
""",
    "gen.integers(0, n)",
    "gen.integers(0, max(0, n - 1))",
    "(1, 1)",
)
real(
    "discount",
    """
@dataclass(frozen=True)
class Order:
    total: int
    coupon: str | None
    member: bool

    @property
    def reduced(self) -> bool:
        return self.coupon is not None or self.member

@covers(lambda o: o.total >= 0 and (not o.reduced or o.total >= 10))
@gen.composite
def orders(draw) -> Order:
    member = draw(gen.booleans())
    coupon = draw(gen.one_of(gen.none(), gen.text()))
    least = 10 if member or coupon is not None else 0
    return Order(draw(gen.integers(min_value=least)), coupon, member)
""",
    "least = 10 if",
    "least = 11 if",
    "Order(10, None, True)",
)
real(
    "set_of_tags",
    """
@covers(lambda v: len(v) <= 2 and all(0 <= x <= 1 for x in v))
@gen.composite
def tags(draw) -> set[int]:
    return draw(gen.sets(gen.integers(0, 1)))
""",
    "integers(0, 1)",
    "integers(0, 0)",
    "{1}",
)
real(
    "headers",
    """
@covers(lambda v: len(v) <= 1 and all(k in ("a", "b") and x in (0, 1) for k, x in v.items()))
@gen.composite
def headers(draw) -> dict[str, int]:
    return draw(gen.dictionaries(gen.sampled_from(["a", "b"]), gen.integers(0, 1), max_size=1))
""",
    '["a", "b"]',
    '["a"]',
    '{"b": 0}',
)
real(
    "ratio",
    """
@covers(lambda v: 0.0 <= v <= 1.0)
@gen.composite
def ratios(draw) -> float:
    return draw(gen.floats(0.0, 1.0))
""",
    "1.0)",
    "0.5)",
    "1.0",
)
real(
    "countdown",
    """
@covers(lambda v, n: len(v) == n and all(1 <= x <= n for x in v), requires=lambda n: 0 <= n)
@gen.composite
def picks(draw, n: int) -> list[int]:
    return [draw(gen.integers(1, n)) for _ in range(n)]
""",
    "integers(1, n)",
    "integers(1, max(1, n - 1))",
    "[2, 2]",
    n=2,
)
