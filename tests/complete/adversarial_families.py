"""More programs that are easy to misread: templates whose alternatives are combined.

They cover state outside the draws, ``.filter``/``.map``/``.flatmap``, defaults, closures, chained comparisons, booleans
as numbers, guards, errors, inheritance, recursion, lists changed in place, loops, and shadowed names.
"""

from __future__ import annotations

import itertools

MOST = 40  # programs of one family

FAMILIES: dict[str, tuple[str, dict[str, list[str]]]] = {}


def family(name: str, text: str, **choices: list[str]) -> None:
    FAMILIES[name] = (text, choices)


family(
    "hyp_methods",
    """
@covers(lambda v: {promise})
@gen.composite
def f(draw) -> int:
    return draw(gen.integers({low}, 4){method})
""",
    promise=["0 <= v <= 4", "v % 2 == 0 and 0 <= v <= 8", "v in (1, 3)"],
    low=["0", "1"],
    method=[
        ".filter(lambda n: n % 2)",
        ".map(lambda n: n * 2)",
        ".flatmap(lambda n: gen.integers(0, n))",
        ".filter(lambda n: n != 2).map(lambda n: -n)",
        ".map(abs)",
        ".map(lambda n: n or 3)",
        ".filter(lambda n: 0 < n < 3 or n == 4)",
        ".flatmap(lambda n: gen.just(n) if n > 2 else gen.integers(n, 2))",
        ".map(lambda n: n // 2)",
        ".filter(bool)",
        ".map(str).map(int)",
        ".map(lambda n, k=1: n + k)",
    ],
)
family(
    "outside",
    """
{state}
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 2))
    {body}
""",
    state=["seen = []\ncount = 0", "seen = {}\ncount = 0"],
    body=[
        "seen.append(n) if isinstance(seen, list) else seen.update({n: 1}); return len(seen) % 3",
        "global count; count += 1; return n if count % 2 else 0",
        "return n if not seen else 0",
        "return n + len(seen)",
        "f.last = n; return getattr(f, 'last', 0)",
        "return n if n not in seen else 2",
        "return (seen and 1) or n",
    ],
)
family(
    "defaults",
    """
def helper(n: int, acc{ann}={default}) -> int:
    {step}
    return {ret}
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    return helper(draw(gen.integers(0, 3)))
""",
    ann=[": list", ""],
    default=["[]", "None", "{}"],
    step=["pass", "acc = acc or []", "(acc.append(n) if isinstance(acc, list) else None)"],
    ret=["n", "len(acc or []) or n", "n if acc is None else n"],
)
family(
    "closures",
    """
def maker(k):
    def inner(n: int) -> int:
        return {inner}
    return inner
g = maker({k})
@covers(lambda v: {promise})
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 2))
    return {use}
""",
    inner=["n + k", "k", "n if k else 0"],
    k=["1", "0"],
    promise=["0 <= v <= 3", "v == 1"],
    use=["g(n)", "maker(n)(1)", "(lambda m: g(m))(n)", "g(g(n))"],
)
family(
    "chains",
    """
@covers(lambda v: {promise})
@gen.composite
def f(draw) -> {kind}:
    a = draw(gen.integers(0, 2))
    b = draw(gen.integers(0, 2))
    return {ret}
""",
    promise=["True", "v in (0, 1)", "not v"],
    kind=["bool", "int"],
    ret=[
        "a < b < 2",
        "a == b == 1",
        "a < b != 2",
        "a in (0, 1) == True",
        "not a < b",
        "a and b",
        "a or b",
        "a and not b",
        "a == 1 or b",
        "(a < b) + 1",
        "bool(a) + b",
        "a is b",
        "True if a else b",
        "a if a > b else (a, b)[1]",
        "not not a and b",
        "int(a < b)",
        "a < b and b < 2",
    ],
)
family(
    "bools",
    """
@covers(lambda v: {promise})
@gen.composite
def f(draw) -> {kind}:
    b = draw(gen.booleans())
    n = draw(gen.integers(0, 1))
    return {ret}
""",
    promise=[
        "v == 1",
        "v is True",
        "v in (0, 1)",
        "v in (True, False)",
        "isinstance(v, int)",
        "isinstance(v, bool)",
    ],
    kind=["int", "bool", "int | None"],
    ret=[
        "b",
        "n",
        "b + n",
        "b == n",
        "n == 1",
        "b and n",
        "b or n",
        "not n",
        "b * n",
        "None if b else n",
        "[False, True][n]",
    ],
)
family(
    "guards",
    """
@covers(lambda v: {promise})
@gen.composite
def f(draw) -> int:
    x = 5
    match {subject}:
        case {p1}:
            return 1
        case {p2}:
            x = x + 1
        case _:
            pass
    return x
""",
    promise=["v in (1, 5, 6)", "v == 5", "0 <= v <= 6"],
    subject=["draw(gen.integers(0, 2))", "(draw(gen.integers(0, 1)), 2)", "[draw(gen.integers(0, 1))]"],
    p1=["0", "(x, 2) if x", "[0]", "x if x > 9"],
    p2=["1 | 2", "(a, b) if a == b", "[a]", "int() as x if x < 2", "[]"],
)
family(
    "raising",
    """
def part(n: int) -> int:
    {body}
@covers(lambda v: {promise})
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 3))
    {use}
""",
    body=[
        "return [1, 2, 3][n]",
        "return 6 // n",
        "return {0: 1}[n]",
        "assert n != 2; return n",
        "return n if n < 3 else part(n)",
        "return int('1' * n)",
    ],
    promise=["0 <= v <= 3", "v >= 1 and v <= 3"],
    use=[
        "return part(n)",
        "try:\n        return part(n)\n    except Exception:\n        return 0",
        "return part(n) if n else 3",
    ],
)
family(
    "classes",
    """
@dataclass(frozen=True)
class Base:
    n: int
    {extra}
@dataclass(frozen=True)
class Sub(Base):
    {sub}
@covers(lambda v: {promise})
@gen.composite
def f(draw) -> Base:
    n = draw(gen.integers(0, 2))
    return {ret}
""",
    extra=[
        "def twice(self) -> int: return 2 * self.n",
        "@property\n    def twice(self) -> int: return 2 * self.n",
        "m: int = 1",
    ],
    sub=[
        "pass",
        "k: int = 0",
        "def __post_init__(self): object.__setattr__(self, 'n', 0)",
        "def __eq__(self, o): return True",
    ],
    promise=[
        "0 <= v.n <= 2",
        "isinstance(v, Sub) and 0 <= v.n <= 2",
        "type(v) is Base and v.n == 1",
        "v == Base(1)",
    ],
    ret=["Base(n)", "Sub(n)", "Sub(n) if n else Base(n)", "Base(n=n)"],
)
family(
    "recursion",
    """
def steps(n: int) -> int:
    {body}
@covers(lambda v, n: {promise}, requires=lambda n: 0 <= n <= 3)
@gen.composite
def f(draw, n: int) -> list[int]:
    if {stop}:
        return []
    return {ret}
""",
    body=[
        "return 0 if n <= 0 else 1 + steps(n - 1)",
        "return n",
        "return 0 if n == 0 else steps(n - 2)",
        "return steps(n)",
    ],
    promise=["len(v) <= n and all(0 <= x <= 1 for x in v)", "len(v) == steps(n) and all(x == 0 for x in v)"],
    stop=["n == 0", "steps(n) == 0", "n <= 0 or draw(gen.booleans())"],
    ret=[
        "[draw(gen.integers(0, 1)), *draw(f(n - 1))]",
        "draw(f(n - 1)) + [0]",
        "[0] + draw(f(n - 1)) if n != 2 else [0, 0]",
        "[x for x in [0, *draw(f(n - 1))]]",
    ],
)
family(
    "mutation",
    """
@covers(lambda v: {promise})
@gen.composite
def f(draw) -> list[int]:
    xs = {start}
    ys = xs
    {change}
    return {ret}
""",
    promise=["len(v) <= 3 and all(0 <= x <= 1 for x in v)", "v == [0, 1] or v == [1]"],
    start=["[draw(gen.integers(0, 1))]", "draw(gen.lists(gen.integers(0, 1), max_size=2))", "[]"],
    change=[
        "ys.append(1)",
        "xs += [1]",
        "xs = xs + [1]",
        "ys = ys + [0]",
        "xs.insert(0, 0)",
        "xs.sort()",
        "xs.reverse()",
        "xs.extend(ys)",
        "del xs[:1]",
        "xs[:] = [1]",
    ],
    ret=["xs", "ys", "xs[:]", "list(xs)"],
)
family(
    "loops",
    """
@covers(lambda v: {promise})
@gen.composite
def f(draw) -> list[int]:
    out = []
    for i in range({n}):
        {body}
    {last}return out
""",
    promise=["len(v) <= 2 and all(0 <= x <= 2 for x in v)", "v in ([0, 1], [1], [])"],
    n=["2", "draw(gen.integers(0, 2))"],
    body=[
        "out.append(i)",
        "out.append(draw(gen.integers(0, i)))",
        "if draw(gen.booleans()): out.append(i)",
        "if draw(gen.booleans()): break\n        out.append(1)",
        "if draw(gen.booleans()): continue\n        out.append(i)",
        "out = [i, *out]",
        "i = 5; out.append(i - 5)",
    ],
    last=["", "out.append(0) if not out else None; ", "out.pop() if out else None; "],
)
family(
    "names",
    """
{shadow}
@covers(lambda v: {promise})
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 2))
    {body}
""",
    shadow=["len = lambda x: 7", "max = min", "def sum(xs): return 0", "abs = lambda n: n"],
    promise=["0 <= v <= 2", "v == 0 or v == 7"],
    body=[
        "return len([n])",
        "return max(n, 1)",
        "return sum([n, 1])",
        "return abs(n - 1)",
        "return len([n]) if n else 0",
        "max_ = max; return max_(n, 0)",
    ],
)


def more_programs() -> dict[str, str]:
    """Every program by name."""
    found = {}
    for name, (text, choices) in FAMILIES.items():
        combinations = list(itertools.product(*choices.values()))
        for i in range(0, len(combinations), max(1, len(combinations) // MOST)):
            made = text
            for spot, chosen in zip(choices, combinations[i]):
                made = made.replace(f"{{{spot}}}", chosen)
            found[f"{name}_{i}"] = made
    return found
