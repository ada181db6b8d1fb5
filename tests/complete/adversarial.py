"""Programs that are easy to misread, as text. Running them with Python decides which verdict is right.

``SINGLE`` has hand-written programs, one for each known cause of a wrong verdict. ``FAMILIES`` has templates with
alternatives; every combination is a program.
"""

from __future__ import annotations

import itertools

CLASSES = """
import abc, enum, random, time, itertools, typing
from typing import NamedTuple, ClassVar, Literal

@dataclass(frozen=True)
class Leaf: pass
@dataclass(frozen=True)
class Node:
    value: int
    rest: Leaf | Node
@dataclass(frozen=True)
class A:
    n: int
@dataclass(frozen=True)
class B:
    n: int
@dataclass(frozen=True)
class WithProperty:
    m: int
    @property
    def n(self): return self.m + 1
@dataclass(frozen=True)
class WithClassVar:
    m: int
    n: ClassVar[int] = 7
class Pair(NamedTuple):
    a: int
    b: int
class Colour(enum.Enum):
    RED = 1
    BLUE = 2
class One(enum.IntEnum):
    X = 1
    Y = 2
class Two(enum.IntEnum):
    P = 1
    Q = 3
class Word(enum.StrEnum):
    A = 'a'
class OtherWord(enum.StrEnum):
    B = 'a'
class Perm(enum.Flag):
    R = 1
    W = 2
"""

SINGLE: dict[str, str] = {}


def program(name: str, text: str) -> None:
    SINGLE[name] = text


# --- names captured by a case whose guard fails ---------------------------------------------------------
program(
    "guard_rebinds",
    """
@covers(lambda v: v == 5)
@gen.composite
def f(draw) -> int:
    x = 5
    match (draw(gen.integers(0, 1)), 3):
        case (x, _) if x > 10:
            return 0
    return x
""",
)
program(
    "guard_rebinds_next_case",
    """
@covers(lambda v: v == 9)
@gen.composite
def f(draw) -> int:
    x = 9
    match draw(gen.integers(0, 1)):
        case x if x == 0:
            return 1
        case _:
            return x
""",
)
program(
    "guard_rebinds_in_helper",
    """
def pick(p: int) -> int:
    x = 9
    match p:
        case x if x > 5:
            return 1
    return x
@covers(lambda v: v == 9)
@gen.composite
def f(draw) -> int:
    return pick(draw(gen.integers(0, 1)))
""",
)
program(
    "guard_rebinds_in_predicate",
    """
def good(v: int) -> bool:
    x = 9
    match v:
        case x if x > 100:
            return True
    return x == 9
@covers(good)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(0, 9))
""",
)
program(
    "guard_unbound_before",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    match draw(gen.integers(0, 1)):
        case y if y > 10:
            return 0
    return y
""",
)
# --- None and booleans ----------------------------------------------------------------------------------
for i, test in enumerate(
    ["b is None", "b == None", "b is not None", "b != None", "not (b is None)", "None == b"]
):
    program(
        f"none_of_bool_{i}",
        f"""
@covers(lambda v: True)
@gen.composite
def f(draw) -> bool:
    b = draw(gen.booleans())
    if {test}:
        return True
    return b
""",
    )
    program(
        f"none_in_predicate_{i}",
        f"""
@covers(lambda b: {test})
@gen.composite
def f(draw) -> bool:
    return False
""",
    )
    program(
        f"none_of_int_{i}",
        f"""
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    b = draw(gen.integers(0, 2))
    if {test}:
        return 0
    return b
""",
    )
# --- helpers that raise ---------------------------------------------------------------------------------
program(
    "helper_raises_on_empty",
    """
def last(xs: list[int]) -> int:
    if len(xs) == 1: return xs[0]
    return last(xs[1:])
@covers(lambda v, n: v == [] , requires=lambda n: 0 <= n <= 2)
@gen.composite
def f(draw, n: int) -> list[int]:
    xs = [] if n == 0 else [1]
    _x = last(xs)
    return []
""",
)
program(
    "helper_raises_index",
    """
def second(xs: list[int]) -> int:
    return xs[1]
@covers(lambda v, n: v == 0, requires=lambda n: 0 <= n <= 3)
@gen.composite
def f(draw, n: int) -> int:
    xs = [1] if n == 0 else [1, 2]
    y = second(xs)
    return 0
""",
)
program(
    "recursive_helper_raises",
    """
def nth(xs: list[int], n: int) -> int:
    if n <= 0:
        return xs[0]
    return nth(xs[1:], n - 1)
@covers(lambda v, n: v == 0, requires=lambda n: 0 <= n)
@gen.composite
def f(draw, n: int) -> int:
    y = nth([1, 2, 3], n)
    return 0
""",
)
program(
    "predicate_raises_on_large",
    """
def ok(xs: list[int]) -> bool:
    if len(xs) > 9:
        return xs[20] == 1
    return xs == [] or xs == [1]
@covers(ok)
@gen.composite
def f(draw) -> list[int]:
    return [] if draw(gen.booleans()) else [1]
""",
)
program(
    "helper_negative_recursion",
    """
def down(n: int) -> int:
    if n == 0: return 0
    return down(n - 2)
@covers(lambda v, n: v == 0, requires=lambda n: 0 <= n)
@gen.composite
def f(draw, n: int) -> int:
    return down(n)
""",
)
# --- enums ----------------------------------------------------------------------------------------------
program(
    "flag",
    """
@covers(lambda v: True)
@gen.composite
def f(draw) -> Perm:
    return draw(gen.sampled_from([Perm.R, Perm.W]))
""",
)
program(
    "flag_enums",
    """
@covers(lambda v: True)
@gen.composite
def f(draw) -> Perm:
    return draw(gen.sampled_from(list(Perm)))
""",
)
program(
    "two_int_enums",
    """
@covers(lambda v: v == Two.P)
@gen.composite
def f(draw) -> One | Two:
    return One.X if draw(gen.booleans()) else Two.Q
""",
)
program(
    "int_enum_and_int",
    """
@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> One | int:
    return One.X
""",
)
program(
    "int_enum_equals_number",
    """
@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> One:
    return One.X
""",
)
program(
    "str_enums",
    """
@covers(lambda v: v == OtherWord.B)
@gen.composite
def f(draw) -> Word | OtherWord:
    return Word.A
""",
)
program(
    "int_enum_is",
    """
@covers(lambda v: v is One.X)
@gen.composite
def f(draw) -> One:
    return draw(gen.sampled_from(One))
""",
)
program(
    "enum_alias",
    """
class Alias(enum.Enum):
    A = 1
    B = 1
    C = 2
@covers(lambda v: v == Alias.B or v == Alias.C)
@gen.composite
def f(draw) -> Alias:
    return Alias.A if draw(gen.booleans()) else Alias.C
""",
)
# --- classes that are more than their fields ------------------------------------------------------------
program(
    "setattr",
    """
@dataclass
class S:
    n: int
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value % 2)
@covers(lambda v: 0 <= v.n <= 3)
@gen.composite
def f(draw) -> S:
    return S(draw(gen.integers(0, 3)))
""",
)
program(
    "metaclass_call",
    """
class Meta(type):
    def __call__(cls, n):
        return super().__call__(abs(n))
@dataclass(frozen=True)
class S(metaclass=Meta):
    n: int
@covers(lambda v: -2 <= v.n <= 2)
@gen.composite
def f(draw) -> S:
    return S(draw(gen.integers(-2, 2)))
""",
)
program(
    "descriptor_field",
    """
class Twice:
    def __set_name__(self, owner, name): self.name = '_' + name
    def __get__(self, obj, owner):
        if obj is None: return 0
        return getattr(obj, self.name) * 2
    def __set__(self, obj, value): setattr(obj, self.name, value)
@dataclass
class S:
    n: int = Twice()
@covers(lambda v: 0 <= v.n <= 3)
@gen.composite
def f(draw) -> S:
    return S(draw(gen.integers(0, 3)))
""",
)
program(
    "namedtuple_getitem",
    """
class T(NamedTuple):
    a: int
    b: int
    def __getitem__(self, i): return 0
@covers(lambda v: v == (1, 1))
@gen.composite
def f(draw) -> T:
    t = T(draw(gen.integers(0, 1)), 1)
    return T(t[0], 1)
""",
)
program(
    "namedtuple_iter",
    """
class T(NamedTuple):
    a: int
    b: int
    def __iter__(self): return iter((0, 0))
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    a, b = T(draw(gen.integers(0, 1)), 1)
    return a
""",
)
program(
    "namedtuple_property",
    """
class Base(NamedTuple):
    a: int
class T(Base):
    @property
    def a(self): return 0
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return T(draw(gen.integers(0, 1))).a
""",
)
program(
    "eq_inherited",
    """
@dataclass(frozen=True)
class P:
    a: int
@dataclass(frozen=True, eq=False)
class Q(P):
    b: int
@covers(lambda v: v == Q(0, 1))
@gen.composite
def f(draw) -> Q:
    return Q(0, 0)
""",
)
program(
    "compare_false_field",
    """
import dataclasses
@dataclass(frozen=True)
class Q:
    a: int
    b: int = dataclasses.field(default=0, compare=False)
@covers(lambda v: v == Q(0, 1))
@gen.composite
def f(draw) -> Q:
    return Q(0, 0)
""",
)
program(
    "instancecheck",
    """
class M(type):
    def __instancecheck__(cls, other): return other.n == 1
class Odd(metaclass=M): pass
@covers(lambda v: isinstance(v, Odd) and 0 <= v.n <= 3)
@gen.composite
def f(draw) -> A:
    return A(draw(gen.integers(0, 0)))
""",
)
program(
    "runtime_protocol",
    """
@typing.runtime_checkable
class HasN(typing.Protocol):
    n: int
@covers(lambda v: isinstance(v, HasN) and 0 <= v.n <= 1)
@gen.composite
def f(draw) -> A:
    return A(draw(gen.integers(0, 0)))
""",
)
program(
    "plain_protocol",
    """
class HasN(typing.Protocol):
    n: int
@covers(lambda v: True)
@gen.composite
def f(draw) -> int:
    a = A(1)
    return 1 if isinstance(a, HasN) else 2
""",
)
program(
    "abc_register",
    """
class Base(abc.ABC): pass
Base.register(A)
@covers(lambda v: isinstance(v, Base) and 0 <= v.n <= 1)
@gen.composite
def f(draw) -> A | B:
    return A(draw(gen.integers(0, 1)))
""",
)
# --- chained comparisons, short circuits, and/or as values -----------------------------------------------
program(
    "draw_in_chain",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 1))
    if 0 < n < draw(gen.integers(0, 3)):
        return draw(gen.integers(0, 3))
    return draw(gen.integers(0, 3)) if n else draw(gen.integers(0, 1))
""",
)
program(
    "draw_in_chain_count",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 3))
    if 5 < n < draw(gen.nothing()):
        return 7
    return n
""",
)
program(
    "draw_in_chain_twice",
    """
@covers(lambda v: v)
@gen.composite
def f(draw) -> bool:
    return 1 < draw(gen.integers(0, 3)) < draw(gen.integers(0, 3)) < 2
""",
)
for i, (expression, wanted) in enumerate(
    [
        ("(n or 3)", "v == 3 or v == 1"),
        ("(n and 3)", "v == 3 or v == 0"),
        ("(n or m)", "0 <= v <= 1"),
        ("(n and m)", "0 <= v <= 1"),
        ("(n or m or 5)", "v == 5 or v == 1"),
        ("(not n or m)", "True"),
    ]
):
    program(
        f"and_or_value_{i}",
        f"""
@covers(lambda v: {wanted})
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 1))
    m = draw(gen.integers(0, 1))
    return {expression}
""",
    )
    program(
        f"and_or_compared_{i}",
        f"""
@covers(lambda v: v)
@gen.composite
def f(draw) -> bool:
    n = draw(gen.integers(0, 1))
    m = draw(gen.integers(0, 1))
    return {expression} == 3
""",
    )
    program(
        f"and_or_predicate_{i}",
        f"""
@covers(lambda n: 0 <= n <= 1 and {expression.replace("m", "2")} == 2)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(0, 0))
""",
    )
program(
    "and_or_draw",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(0, 1)) or draw(gen.integers(2, 3))
""",
)
program(
    "and_draw_value",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(0, 1)) and draw(gen.integers(1, 3))
""",
)
program(
    "or_list",
    """
@covers(lambda v: len(v) <= 1 and all(0 <= x <= 1 for x in v))
@gen.composite
def f(draw) -> list[int]:
    xs = [] if draw(gen.booleans()) else [draw(gen.integers(0, 1))]
    return xs or [1]
""",
)
# --- attributes -----------------------------------------------------------------------------------------
for cls in ("WithProperty", "WithClassVar"):
    program(
        f"attribute_{cls}",
        f"""
@covers(lambda v: 0 <= v <= 8)
@gen.composite
def f(draw) -> int:
    x: A | {cls} = A(draw(gen.integers(0, 6))) if draw(gen.booleans()) else {cls}(7)
    return x.n
""",
    )
    program(
        f"attribute_predicate_{cls}",
        f"""
@covers(lambda v: v.n == 7)
@gen.composite
def f(draw) -> A | {cls}:
    return A(7)
""",
    )
program(
    "attribute_of_both",
    """
@covers(lambda v: v.n == 1)
@gen.composite
def f(draw) -> A | B:
    return A(1)
""",
)
# --- annotations ----------------------------------------------------------------------------------------
program(
    "narrow_parameter",
    """
def name_it(x: int) -> int:
    return 1
@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> int:
    y: int | None = None
    return name_it(y)
""",
)
program(
    "narrow_result",
    """
@covers(lambda v: True)
@gen.composite
def f(draw) -> bool:
    return draw(gen.integers(0, 1))
""",
)
program(
    "narrow_local",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    y: int | None = None if draw(gen.booleans()) else 1
    z: int = y
    return 0 if z is None else 1
""",
)
program(
    "narrow_class",
    """
def same(t: Leaf) -> int:
    return 3
@covers(lambda v: v == 3)
@gen.composite
def f(draw) -> int:
    t: Leaf | Node = Node(1, Leaf())
    return same(t)
""",
)
program(
    "bool_for_int",
    """
@covers(lambda v: v == 1 or v == 2)
@gen.composite
def f(draw) -> int:
    b = draw(gen.booleans())
    return b + 1
""",
)
program(
    "int_returns_bool",
    """
@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> int:
    return True
""",
)
# --- results that depend on more than the draws ---------------------------------------------------------
program(
    "random",
    """
@covers(lambda v: 0 <= v <= 9)
@gen.composite
def f(draw) -> int:
    return random.randrange(10)
""",
)
program(
    "counter",
    """
_counter = itertools.count()
@covers(lambda v: 0 <= v <= 9)
@gen.composite
def f(draw) -> int:
    return next(_counter) % 10
""",
)
program(
    "global_state",
    """
_seen = []
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 1))
    _seen.append(n)
    return n if len(_seen) % 2 else n + 2
""",
)
program(
    "default_list",
    """
@covers(lambda v: 0 <= v <= 100)
@gen.composite
def f(draw, kept: list[int] = []) -> int:
    kept.append(1)
    return len(kept) % 50
""",
)
program(
    "clock_time",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return time.perf_counter_ns() // 100 % 2
""",
)
# --- text -----------------------------------------------------------------------------------------------
program(
    "surrogate",
    """
@covers(lambda v: v == '\\ud800')
@gen.composite
def f(draw) -> str:
    return draw(gen.text())
""",
)
program(
    "surrogate_made",
    """
@covers(lambda v: v == '\\ud800')
@gen.composite
def f(draw) -> str:
    return '\\ud800'
""",
)
# --- mutation and identity ------------------------------------------------------------------------------
program(
    "is_small_int",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    a = draw(gen.integers(0, 1))
    b = draw(gen.integers(0, 1))
    return 0 if a is b else 1
""",
)
program(
    "list_alias",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    xs = [1]
    ys = xs
    ys.append(2)
    return len(xs)
""",
)
program(
    "augmented_list",
    """
@covers(lambda v: v == [1] or v == [1, 2])
@gen.composite
def f(draw) -> list[int]:
    xs = [1]
    ys = xs
    ys += [2]
    return xs
""",
)
program(
    "shadowed_builtin",
    """
def len(x): return 0
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return len([1])
""",
)
program(
    "default_argument",
    """
@covers(lambda v, n: v == n, requires=lambda n: 0 <= n <= 2)
@gen.composite
def f(draw, n: int = 1) -> int:
    return n
""",
)
program(
    "floor_division_negative",
    """
@covers(lambda v: -2 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(-3, 3)) // 2
""",
)
program(
    "modulo_negative",
    """
@covers(lambda v: -1 <= v <= 0)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(-3, 3)) % -2
""",
)
program(
    "try_except",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    try:
        return [0][draw(gen.integers(0, 1))]
    except IndexError:
        return 1
""",
)
program(
    "walrus",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    if (n := draw(gen.integers(0, 3))) > 1:
        return n
    return n + 2
""",
)
program(
    "del_name",
    """
@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> int:
    x = 1
    del x
    return x
""",
)
program(
    "global_statement",
    """
k = 1
@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> int:
    global k
    k += 1
    return k
""",
)
program(
    "star_unpack",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    a, *rest = [draw(gen.integers(0, 1)), 2]
    return a
""",
)
program(
    "tuple_swap",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    a, b = 0, draw(gen.integers(0, 1))
    a, b = b, a
    return a
""",
)
program(
    "compare_bool_int",
    """
@covers(lambda v: v)
@gen.composite
def f(draw) -> bool:
    return draw(gen.booleans()) == 1
""",
)
program(
    "in_tuple_bool",
    """
@covers(lambda v: v)
@gen.composite
def f(draw) -> bool:
    return draw(gen.integers(0, 1)) in (True, 5)
""",
)
program(
    "literal_true_one",
    """
@covers(lambda v: v == 1)
@gen.composite
def f(draw) -> Literal[1, 2]:
    return True
""",
)
program(
    "one_of_impossible",
    """
@covers(lambda v, n: v == 0, requires=lambda n: 0 <= n <= 2)
@gen.composite
def f(draw, n: int) -> int:
    return draw(gen.one_of(gen.just(0), gen.integers(1, n)))
""",
)
program(
    "sampled_from_set_order",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    return draw(gen.sampled_from([0, 1, 1]))
""",
)
program(
    "while_false",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 1))
    while n > 5:
        n = 0
    return n
""",
)
program(
    "nested_function",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    def g(): return draw(gen.integers(0, 1))
    return g()
""",
)
program(
    "decorated_helper",
    """
def plus(function):
    return lambda *a: function(*a) + 1
@plus
def h(x: int) -> int: return x
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return h(draw(gen.integers(0, 1)))
""",
)
program(
    "unsound_only",
    """
@covers(lambda v: v >= 0)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers())
""",
)
program(
    "same_name_helper",
    """
def f2(x: int) -> int: return x
def use(x: int) -> int: return f2(x)
def f2(x: int) -> int: return x + 1
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return use(draw(gen.integers(0, 1)))
""",
)
program(
    "assume_and_return",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 2))
    assume(n != 1 or draw(gen.booleans()))
    return n
""",
)
program(
    "list_of_draws_order",
    """
@covers(lambda v: len(v) == 2 and 0 <= v[0] <= v[1] <= 2)
@gen.composite
def f(draw) -> list[int]:
    return [a := draw(gen.integers(0, 2)), draw(gen.integers(a, 2))]
""",
)
program(
    "conditional_expression_lazy",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 1))
    return draw(gen.integers(2, n)) if n > 5 else n
""",
)

FAMILIES: dict[str, tuple[str, dict[str, list[str]]]] = {
    "numbers": (
        """
@covers(lambda v: {promise})
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers({low}, 3))
    {middle}
    return {result}
""",
        {
            "promise": ["0 <= v <= 3", "v in (0, 2)", "v % 2 == 0 and 0 <= v < 4"],
            "low": ["0", "1"],
            "middle": [
                "pass",
                "assume(n != 2)",
                "if n == 2: n = 0",
                "n = n if n < 2 or draw(gen.booleans()) else 3 - n",
                "if n > 1 and draw(gen.booleans()): return 0",
            ],
            "result": ["n", "n and 2", "abs(n - 2)", "min(n, 2)"],
        },
    ),
    "lists": (
        """
@covers(lambda v, n: len(v) <= n and all(x in (0, 1) for x in v), requires=lambda n: 0 <= n <= 2)
@gen.composite
def f(draw, n: int) -> list[int]:
    if {stop}:
        return []
    return [{item}, *draw(f({smaller}))]
""",
        {
            "stop": ["n == 0", "n == 0 or draw(gen.booleans())", "not n or not draw(gen.integers(0, 2))", "n < 2 and draw(gen.booleans()) or n == 0"],
            "item": ["draw(gen.integers(0, 1))", "draw(gen.sampled_from([0, 1]))", "1 if draw(gen.booleans()) else 0", "draw(gen.just(1))"],
            "smaller": ["n - 1", "max(0, n - 2)"],
        },
    ),
    "unions": (
        """
@covers(lambda v: {promise})
@gen.composite
def f(draw) -> A | B | None:
    match draw({source}):
        case 0:
            return {zero}
        case k if k > 1:
            return B(k)
    return {rest}
""",
        {
            "promise": ["v is None or 0 <= v.n <= 2", "v is not None and v.n == 2", "isinstance(v, A) and v.n == 0"],
            "source": ["gen.integers(0, 2)", "gen.sampled_from([0, 2])"],
            "zero": ["None", "A(0)", "A(draw(gen.integers(0, 2)))"],
            "rest": ["None", "B(draw(gen.integers(0, 2)))", "A(1) if draw(gen.booleans()) else B(0)"],
        },
    ),
}  # fmt: skip


def programs() -> dict[str, str]:
    """Every program by name."""
    found = dict(SINGLE)
    for name, (text, choices) in FAMILIES.items():
        step = 2 if name == "numbers" else 1  # every other one of the many
        for i, chosen in enumerate(itertools.product(*choices.values())):
            if i % step:
                continue
            found[f"{name}_{i}"] = text.format(**dict(zip(choices, chosen)))
    return found
