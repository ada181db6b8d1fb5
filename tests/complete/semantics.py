"""Programs about the finer points of Python, with the values to try. Running them with Python decides which verdict is right.

Each is a predicate, a generator and the candidates: values of its type, some valid and some not. Most draw so little that
all they can make is made by walking through their choices.
"""

from __future__ import annotations

SEMANTICS: dict[str, tuple[str, str]] = {}


def program(name: str, candidates: str, text: str) -> None:
    assert name not in SEMANTICS, name
    SEMANTICS[name] = (text, candidates)


# --- scopes ---------------------------------------------------------------------------------------------
program(
    "comprehension_keeps_outer_name",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    x = draw(gen.integers(0, 3))
    ys = [x for x in range(2)]
    return x
""",
)
program(
    "loop_name_stays",
    "range(6)",
    """
@covers(lambda v: v == 2)
@gen.composite
def f(draw) -> int:
    x = draw(gen.integers(0, 3))
    for x in range(3):
        pass
    return x
""",
)
program(
    "loop_name_after_no_round",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    x = draw(gen.integers(0, 3))
    for x in range(0):
        pass
    return x
""",
)
program(
    "late_binding_of_lambda",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 2))
    later = lambda: n
    n = 1
    return later()
""",
)
program(
    "late_binding_in_loop",
    "[[a, b] for a in range(4) for b in range(4)]",
    """
@covers(lambda v: v == [0, 1])
@gen.composite
def f(draw) -> list[int]:
    made = []
    for i in range(2):
        made.append(lambda: i)
    return [g() for g in made]
""",
)
program(
    "late_binding_local_function",
    "range(-1, 12)",
    """
@covers(lambda v: v == 10)
@gen.composite
def f(draw) -> int:
    low = draw(gen.integers(0, 3))
    def up() -> int:
        return low + 1
    low = 9
    return up()
""",
)
program(
    "nonlocal_counter",
    "range(6)",
    """
@covers(lambda v: v in (1, 2))
@gen.composite
def f(draw) -> int:
    n = 0
    def step() -> int:
        nonlocal n
        n += 1
        return n
    a = step()
    if draw(gen.booleans()):
        a = step()
    return n
""",
)
program(
    "match_binds_and_stays",
    "range(12)",
    """
@covers(lambda v: 0 <= v <= 9)
@gen.composite
def f(draw) -> int:
    x = 9
    match (draw(gen.integers(0, 3)), draw(gen.booleans())):
        case (x, True):
            pass
        case (0, y):
            x = 5
    return x
""",
)
program(
    "match_partial_binding",
    "range(12)",
    """
@covers(lambda v: v in (7, 8))
@gen.composite
def f(draw) -> int:
    x = 7
    match (8, draw(gen.integers(0, 1))):
        case (x, 1):
            return x
    return x
""",
)
program(
    "match_or_pattern",
    "range(12)",
    """
@covers(lambda v: 0 <= v <= 4)
@gen.composite
def f(draw) -> int:
    match draw(gen.integers(0, 4)):
        case 0 | 1 as n:
            return n
        case n if n > 3:
            return n
        case _:
            return n
""",
)
program(
    "match_true_is_one",
    "range(5)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    match draw(gen.integers(0, 1)):
        case True:
            return 2
        case 1:
            return 3
        case _:
            return 0
""",
)
program(
    "match_class_int_of_bool",
    "range(5)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    match draw(gen.booleans()):
        case int(n):
            return 3 if n else 2
        case _:
            return 0
""",
)
program(
    "walrus_in_comprehension_leaks",
    "range(5)",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 2))
    xs = [last := k for k in range(2)]
    return last
""",
)
program(
    "walrus_short_circuit",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    m = 3
    if draw(gen.booleans()) and (m := draw(gen.integers(0, 1))) == 1:
        return 0
    return m
""",
)
program(
    "default_is_bound_early",
    "range(12)",
    """
base = 1
def plus(n: int, by: int = base) -> int:
    return n + by
base = 5
@covers(lambda v: 1 <= v <= 3)
@gen.composite
def f(draw) -> int:
    return plus(draw(gen.integers(0, 2)))
""",
)
program(
    "keyword_only_default",
    "range(12)",
    """
def plus(n: int, *, by: int = 2, twice: bool = False) -> int:
    return n + by * (2 if twice else 1)
@covers(lambda v: v in (2, 3, 4, 5))
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 1))
    return plus(n, twice=draw(gen.booleans()))
""",
)
program(
    "order_of_keyword_arguments",
    "[(a, b) for a in range(4) for b in range(4)]",
    """
@dataclass(frozen=True)
class P:
    a: int
    b: int
@covers(lambda v: 0 <= v[0] <= 1 and v[0] <= v[1] <= 3)
@gen.composite
def f(draw) -> tuple[int, int]:
    p = P(b=(b := draw(gen.integers(0, 3))), a=draw(gen.integers(0, min(b, 1))))
    return (p.a, p.b)
""",
)
program(
    "star_arguments",
    "[(a, b) for a in range(4) for b in range(4)]",
    """
def swap(a: int, b: int) -> tuple[int, int]:
    return (b, a)
@covers(lambda v: 0 <= v[0] <= 1 and 2 <= v[1] <= 3)
@gen.composite
def f(draw) -> tuple[int, int]:
    parts = (draw(gen.integers(2, 3)), draw(gen.integers(0, 1)))
    return swap(*parts)
""",
)
program(
    "class_scope_name",
    "range(6)",
    """
class Box:
    size = 3
    def __init__(self) -> None: ...
size = 1
@covers(lambda v: v == 3)
@gen.composite
def f(draw) -> int:
    return Box.size
""",
)
program(
    "class_attribute_changed",
    "range(6)",
    """
class Box:
    size = 3
@covers(lambda v: 3 <= v <= 4)
@gen.composite
def f(draw) -> int:
    if draw(gen.booleans()):
        Box.size = Box.size + 1 if Box.size == 3 else 3
    return Box.size
""",
)
# --- aliases and changes in place -----------------------------------------------------------------------
program(
    "alias_of_drawn_list",
    "[[], [0], [1], [9], [0, 9], [1, 9]]",
    """
@covers(lambda v: len(v) == 1 and 0 <= v[0] <= 1)
@gen.composite
def f(draw) -> list[int]:
    xs = draw(gen.lists(gen.integers(0, 1), min_size=1, max_size=1))
    ys = xs
    ys.append(9)
    return xs
""",
)
program(
    "augmented_alias",
    "[[], [0], [1], [9], [0, 9], [1, 9]]",
    """
@covers(lambda v: len(v) == 1 and 0 <= v[0] <= 1)
@gen.composite
def f(draw) -> list[int]:
    xs = [draw(gen.integers(0, 1))]
    ys = xs
    ys += [9]
    return xs
""",
)
program(
    "plus_makes_a_new_list",
    "[[], [0], [1], [9], [0, 9], [1, 9]]",
    """
@covers(lambda v: len(v) == 1 and 0 <= v[0] <= 1)
@gen.composite
def f(draw) -> list[int]:
    xs = [draw(gen.integers(0, 1))]
    ys = xs
    ys = ys + [9]
    return xs
""",
)
program(
    "helper_changes_its_argument",
    "[[], [0], [1], [9], [0, 9], [1, 9]]",
    """
def add(xs: list[int]) -> int:
    xs.append(9)
    return len(xs)
@covers(lambda v: len(v) <= 1)
@gen.composite
def f(draw) -> list[int]:
    xs = [draw(gen.integers(0, 1))]
    n = add(xs)
    return xs
""",
)
program(
    "rows_share_one_list",
    "[[[a], [b]] for a in range(3) for b in range(3)] + [[[a, a], [a, a]] for a in range(3)]",
    """
@covers(lambda v: len(v) == 2 and all(len(r) == 1 and 0 <= r[0] <= 1 for r in v))
@gen.composite
def f(draw) -> list[list[int]]:
    rows = [[0]] * 2
    rows[0][0] = draw(gen.integers(0, 1))
    return rows
""",
)
program(
    "inner_list_twice",
    "[[[a], [b]] for a in range(3) for b in range(3)] + [[[0, 1], [0, 1]]]",
    """
@covers(lambda v: len(v) == 2 and all(r == [0] for r in v))
@gen.composite
def f(draw) -> list[list[int]]:
    row = [0]
    rows = [row, row]
    row.append(1)
    return rows
""",
)
program(
    "tuple_of_list_changed_later",
    "[([0], 1), ([0, 1], 1), ([0], 2)]",
    """
@covers(lambda v: v == ([0], 1))
@gen.composite
def f(draw) -> tuple[list[int], int]:
    xs = [0]
    pair = (xs, len(xs))
    xs.append(1)
    return pair
""",
)
program(
    "record_holds_the_list",
    "[Bag([]), Bag([0]), Bag([0, 9]), Bag([1]), Bag([1, 9])]",
    """
@dataclass
class Bag:
    items: list[int]
@covers(lambda v: len(v.items) == 1 and 0 <= v.items[0] <= 1)
@gen.composite
def f(draw) -> Bag:
    xs = [draw(gen.integers(0, 1))]
    bag = Bag(xs)
    xs.append(9)
    return bag
""",
)
program(
    "mutable_default_of_helper",
    "[[], [0], [1], [0, 0], [0, 1], [1, 0], [1, 1]]",
    """
def collected(n: int, into: list[int] = []) -> list[int]:
    into.append(n)
    return into
@covers(lambda v: len(v) == 1 and 0 <= v[0] <= 1)
@gen.composite
def f(draw) -> list[int]:
    return list(collected(draw(gen.integers(0, 1))))
""",
)
program(
    "mutable_default_of_dataclass",
    "[Bag([]), Bag([0]), Bag([1])]",
    """
from dataclasses import field
SHARED: list[int] = []
@dataclass
class Bag:
    items: list[int] = field(default_factory=lambda: SHARED)
@covers(lambda v: len(v.items) <= 1)
@gen.composite
def f(draw) -> Bag:
    b = Bag()
    if len(b.items) < 1:
        b.items.append(draw(gen.integers(0, 1)))
    return b
""",
)
program(
    "sampled_mutable",
    "[[], [0], [1], [0, 5], [1, 5]]",
    """
ROWS = [[0], [1]]
@covers(lambda v: v in ([0], [1]))
@gen.composite
def f(draw) -> list[int]:
    row = draw(gen.sampled_from(ROWS))
    if len(row) < 2:
        row.append(5)
    return row
""",
)
program(
    "slice_is_a_copy",
    "[[0], [1], [0, 7], [1, 7]]",
    """
@covers(lambda v: v in ([0], [1]))
@gen.composite
def f(draw) -> list[int]:
    xs = [draw(gen.integers(0, 1))]
    ys = xs[:]
    ys.append(7)
    return xs
""",
)
program(
    "remove_while_looping",
    "[list(p) for n in range(5) for p in itertools.product((0, 1), repeat=n)]",
    """
@covers(lambda v: len(v) <= 2 and all(x == 1 for x in v))
@gen.composite
def f(draw) -> list[int]:
    xs = [0, 0, 1, draw(gen.integers(0, 1))]
    for x in xs:
        if x == 0:
            xs.remove(x)
    return xs
""",
)
program(
    "append_while_looping",
    "[list(p) for n in range(5) for p in itertools.product((0, 1), repeat=n)]",
    """
@covers(lambda v: len(v) == 4)
@gen.composite
def f(draw) -> list[int]:
    xs = [draw(gen.integers(0, 1))]
    for x in xs:
        if len(xs) < 4:
            xs.append(x)
    return xs
""",
)
program(
    "insert_at_negative",
    "[[1, 2, a] for a in range(4)] + [[1, a, 2] for a in range(4)]",
    """
@covers(lambda v: len(v) == 3 and v[0] == 1 and v[1] == 2 and 0 <= v[2] <= 1)
@gen.composite
def f(draw) -> list[int]:
    xs = [1, 2]
    xs.insert(-1, draw(gen.integers(0, 1)))
    return xs
""",
)
program(
    "insert_beyond",
    "[[1, 2, a] for a in range(4)] + [[a, 1, 2] for a in range(4)]",
    """
@covers(lambda v: len(v) == 3 and v[0] == 1 and v[1] == 2 and 0 <= v[2] <= 1)
@gen.composite
def f(draw) -> list[int]:
    xs = [1, 2]
    xs.insert(9, draw(gen.integers(0, 1)))
    return xs
""",
)
program(
    "negative_slices",
    "[list(p) for n in range(4) for p in itertools.product((0, 1, 2), repeat=n)]",
    """
@covers(lambda v: len(v) == 2 and v[1] == 1)
@gen.composite
def f(draw) -> list[int]:
    xs = [0, 1, draw(gen.integers(0, 2))]
    return xs[2:0:-1]
""",
)
program(
    "slice_with_step",
    "[list(p) for n in range(4) for p in itertools.product((0, 1, 2), repeat=n)]",
    """
@covers(lambda v: len(v) == 2 and v[0] == 2)
@gen.composite
def f(draw) -> list[int]:
    xs = [draw(gen.integers(0, 2)), 1, 2]
    return xs[::-2]
""",
)
program(
    "negative_index_of_drawn",
    "range(-3, 6)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    xs = [0, 1, 2, 3]
    return xs[draw(gen.integers(-3, 1))]
""",
)
program(
    "sort_is_stable",
    "[[(a, b), (c, d)] for a in range(2) for b in range(2) for c in range(2) for d in range(2)]",
    """
@covers(lambda v: len(v) == 2 and v[0][0] <= v[1][0] and v[0][1] == 0 and v[1][1] == 1)
@gen.composite
def f(draw) -> list[tuple[int, int]]:
    xs = [(draw(gen.integers(0, 1)), 0), (draw(gen.integers(0, 1)), 1)]
    return sorted(xs, key=lambda p: p[0])
""",
)
program(
    "sorted_reverse",
    "[list(p) for n in range(4) for p in itertools.product((0, 1, 2), repeat=n)]",
    """
@covers(lambda v: len(v) == 2 and v[0] >= v[1] and all(0 <= x <= 2 for x in v))
@gen.composite
def f(draw) -> list[int]:
    return sorted([draw(gen.integers(0, 2)), draw(gen.integers(0, 1))], reverse=True)
""",
)
program(
    "reverse_gives_none",
    "[None, [], [0], [0, 1], [1, 0]]",
    """
@covers(lambda v: True)
@gen.composite
def f(draw) -> list[int] | None:
    xs = [0, draw(gen.integers(0, 1))]
    return xs.reverse()
""",
)
# --- iterators ------------------------------------------------------------------------------------------
program(
    "generator_consumed_twice",
    "[[], [0], [0, 1], [0, 1, 0, 1]]",
    """
@covers(lambda v: v in ([0, 1], [0, 1, 0, 1]))
@gen.composite
def f(draw) -> list[int]:
    it = (k for k in range(2))
    return list(it) + list(it)
""",
)
program(
    "zip_consumed_twice",
    "range(8)",
    """
@covers(lambda v: v in (0, 2, 4))
@gen.composite
def f(draw) -> int:
    pairs = zip([0, 1], [draw(gen.integers(0, 1)), 1])
    return len(list(pairs)) + len(list(pairs))
""",
)
program(
    "zip_stops_at_the_shorter",
    "[[], [(0, 0)], [(0, 0), (1, 0)], [(0, 1)]]",
    """
@covers(lambda v: len(v) <= 2 and all(a in (0, 1) and b in (0, 1) for a, b in v))
@gen.composite
def f(draw) -> list[tuple[int, int]]:
    return list(zip([0, 1], draw(gen.lists(gen.integers(0, 1), max_size=3))))
""",
)
program(
    "map_is_lazy",
    "range(6)",
    """
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    m = map(lambda k: k + 1, [draw(gen.integers(0, 1))])
    return 1 if m else 0
""",
)
program(
    "any_stops_early",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    count = 0
    if any(draw(gen.booleans()) for _ in range(2)):
        count = 1
    return count + draw(gen.integers(0, 1))
""",
)
program(
    "range_with_step",
    "[list(range(0, n, s)) for n in range(8) for s in (1, 2, 3)]",
    """
@covers(lambda v: v in ([0], [0, 3], [0, 3, 6]))
@gen.composite
def f(draw) -> list[int]:
    return list(range(0, draw(gen.integers(1, 6)), 3))
""",
)
program(
    "range_downwards",
    "[list(range(a, b, -1)) for a in range(4) for b in range(-1, 3)]",
    """
@covers(lambda v: len(v) <= 3 and all(a == b + 1 for a, b in zip(v, v[1:])) and all(0 < x <= 3 for x in v))
@gen.composite
def f(draw) -> list[int]:
    return list(range(draw(gen.integers(0, 3)), 0, -1))
""",
)
# --- control flow ---------------------------------------------------------------------------------------
program(
    "while_else",
    "range(8)",
    """
@covers(lambda v: 0 <= v <= 5)
@gen.composite
def f(draw) -> int:
    n = 0
    while n < 3:
        if draw(gen.booleans()):
            break
        n += 1
    else:
        n = 5
    return n
""",
)
program(
    "for_else_continue",
    "range(8)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    total = 0
    for i in range(2):
        if draw(gen.booleans()):
            continue
        total += 1
    else:
        total += 1
    return total
""",
)
program(
    "try_finally_overrides",
    "range(8)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    try:
        return draw(gen.integers(0, 1))
    finally:
        return 3
""",
)
program(
    "try_else_with_draw",
    "range(8)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 1))
    try:
        k = 1 // n
    except ZeroDivisionError:
        return draw(gen.integers(2, 3))
    else:
        return k
""",
)
program(
    "nested_break",
    "range(8)",
    """
@covers(lambda v: 0 <= v <= 4)
@gen.composite
def f(draw) -> int:
    n = 0
    for i in range(2):
        for j in range(2):
            if draw(gen.booleans()):
                break
            n += 1
    return n
""",
)
program(
    "return_in_loop",
    "range(8)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    for i in range(3):
        if draw(gen.booleans()):
            return i
    return 7 if draw(gen.booleans()) else 3
""",
)
program(
    "short_circuit_or_draw",
    "[(a, b) for a in range(3) for b in range(3)]",
    """
@covers(lambda v: 0 <= v[0] <= 1 and 0 <= v[1] <= 2)
@gen.composite
def f(draw) -> tuple[int, int]:
    a = draw(gen.integers(0, 1))
    b = a or draw(gen.integers(0, 2))
    return (a, b)
""",
)
program(
    "conditional_in_index",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    return (0, 1, 2, 3)[2 * draw(gen.booleans()) + (1 if draw(gen.booleans()) else 0)]
""",
)
program(
    "evaluation_order_of_assignment",
    "[[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [0, 2]]",
    """
@covers(lambda v: len(v) == 2 and all(0 <= x <= 1 for x in v))
@gen.composite
def f(draw) -> list[int]:
    xs = [0, 0]
    i = 0
    i, xs[i] = 1, draw(gen.integers(0, 1))
    return xs
""",
)
program(
    "chained_assignment_shares",
    "[[], [1], [0]]",
    """
@covers(lambda v: v == [])
@gen.composite
def f(draw) -> list[int]:
    a = b = []
    a.append(draw(gen.integers(0, 1)))
    return b
""",
)
program(
    "chained_comparison",
    "range(-2, 8)",
    """
@covers(lambda v: -1 <= v <= 3)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(-1, 4))
    return n if 0 < n != 2 < 4 else 0
""",
)
program(
    "chained_comparison_of_bools",
    "range(4)",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 3))
    return 1 if (n > 1) == True == (n < 3) else 0
""",
)
program(
    "not_in_with_equality",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 1))
    return 1 if n in [0] == [0] else 0
""",
)
# --- numbers --------------------------------------------------------------------------------------------
program(
    "floor_division_of_negatives",
    "range(-4, 5)",
    """
@covers(lambda v: -2 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(-3, 3)) // 2
""",
)
program(
    "modulo_by_negative",
    "range(-4, 5)",
    """
@covers(lambda v: -2 <= v <= 2)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(-4, 4)) % -3
""",
)
program(
    "divmod_of_negatives",
    "[(a, b) for a in range(-3, 3) for b in range(-3, 4)]",
    """
@covers(lambda v: -2 <= v[0] <= 1 and 0 <= v[1] <= 2)
@gen.composite
def f(draw) -> tuple[int, int]:
    return divmod(draw(gen.integers(-4, 4)), 3)
""",
)
program(
    "power_of_negative_exponent",
    "range(5)",
    """
@covers(lambda v: v in (1, 2, 4))
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(-1, 2))
    return 2 ** n if n >= 0 else 1
""",
)
program(
    "minus_power",
    "range(-10, 10)",
    """
@covers(lambda v: v in (-9, -4, -1, 0))
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 3))
    return -n ** 2
""",
)
program(
    "shifts_of_negatives",
    "range(-6, 6)",
    """
@covers(lambda v: -2 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(-4, 3)) >> 1
""",
)
program(
    "invert",
    "range(-6, 6)",
    """
@covers(lambda v: -4 <= v <= 0)
@gen.composite
def f(draw) -> int:
    return ~draw(gen.integers(0, 3))
""",
)
program(
    "invert_bool",
    "range(-6, 6)",
    """
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    b = draw(gen.integers(0, 1)) == 1
    return 1 if ~b else 0
""",
)
program(
    "bool_plus_bool",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    return draw(gen.booleans()) + draw(gen.booleans())
""",
)
program(
    "bool_times_text",
    "['', 'a', 'aa', 'b']",
    """
@covers(lambda v: v in ("", "a", "aa"))
@gen.composite
def f(draw) -> str:
    return "a" * (draw(gen.booleans()) + draw(gen.booleans()))
""",
)
program(
    "bool_is_a_key_of_ints",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    table = {0: 0, 1: 1, True: 2}
    return table[draw(gen.integers(0, 1))]
""",
)
program(
    "true_equals_one_in_list",
    "[False, True]",
    """
@covers(lambda v: True)
@gen.composite
def f(draw) -> bool:
    return draw(gen.integers(0, 2)) in [True, False, 2][:1]
""",
)
program(
    "bitand_of_negative",
    "range(-6, 6)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(-3, 0)) & 3
""",
)
program(
    "bitor",
    "range(-6, 8)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(0, 2)) | 1
""",
)
program(
    "xor",
    "range(-6, 8)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(0, 3)) ^ 1
""",
)
program(
    "round_half_even",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    return round(draw(gen.integers(0, 6)) / 2)
""",
)
program(
    "true_division",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 3))
    return 0 if n / 2 == 1 else n
""",
)
program(
    "int_of_float_truncates",
    "range(-4, 5)",
    """
@covers(lambda v: -1 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return int(draw(gen.sampled_from([-1.5, -0.5, 0.5, 1.5])))
""",
)
program(
    "float_equals_int",
    "range(5)",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    x = draw(gen.sampled_from([0.0, 1.0, 1.5]))
    return 2 if x == 1 else 0
""",
)
program(
    "negative_zero",
    "[0.0, 1.0]",
    """
@covers(lambda v: v == 0)
@gen.composite
def f(draw) -> float:
    return 0.0
""",
)
program(
    "negative_zero_by_range",
    "[0.0, 1.0]",
    """
@covers(lambda v: 0.0 <= v <= 1.0)
@gen.composite
def f(draw) -> float:
    return draw(gen.floats(0.0, 1.0))
""",
)
program(
    "nan_is_unlike_itself",
    "[float('nan'), 0.0, 1.0]",
    """
@covers(lambda v: v == v and v in (0.0, 1.0))
@gen.composite
def f(draw) -> float:
    return draw(gen.sampled_from([0.0, 1.0, float("nan")]))
""",
)
program(
    "nan_not_at_least",
    "[float('nan'), 0.0, 1.0, -1.0, float('inf'), -float('inf')]",
    """
@covers(lambda v: not v < 0)
@gen.composite
def f(draw) -> float:
    return draw(gen.floats(min_value=0.0))
""",
)
program(
    "nan_in_list",
    "[[float('nan')], [0.0]]",
    """
NAN = float("nan")
@covers(lambda v: len(v) == 1 and v[0] in [NAN, 0.0])
@gen.composite
def f(draw) -> list[float]:
    return [draw(gen.sampled_from([NAN, 0.0]))]
""",
)
program(
    "min_of_nan",
    "[float('nan'), 0.0, 1.0]",
    """
@covers(lambda v: v <= 1.0)
@gen.composite
def f(draw) -> float:
    return min(1.0, draw(gen.floats()))
""",
)
program(
    "large_numbers_as_floats",
    "[0, 1, 2**53, 2**53 + 1]",
    """
@covers(lambda v: v in (2**53, 2**53 + 1))
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(2**53, 2**53 + 1))
    return n if n != float(2**53) else 2**53 + 1
""",
)
program(
    "identity_of_large_ints",
    "[0, 1, 999, 1000]",
    """
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(999, 1000))
    return 1 if n is 1000 else 0
""",
)
program(
    "abs_min_int",
    "range(-4, 5)",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    return abs(draw(gen.integers(-1, 2)))
""",
)
program(
    "sum_of_bools_with_start",
    "range(8)",
    """
@covers(lambda v: 2 <= v <= 4)
@gen.composite
def f(draw) -> int:
    return sum([draw(gen.booleans()), draw(gen.booleans())], 2)
""",
)
program(
    "max_with_key",
    "range(-4, 5)",
    """
@covers(lambda v: -2 <= v <= 2 and v != 0)
@gen.composite
def f(draw) -> int:
    return max(draw(gen.integers(-2, 2)), 1, key=abs)
""",
)
program(
    "max_of_equals_keeps_the_first",
    "[True, False, 1, 0]",
    """
@covers(lambda v: v)
@gen.composite
def f(draw) -> int:
    return max(draw(gen.integers(0, 1)), True)
""",
)
# --- text -----------------------------------------------------------------------------------------------
program(
    "substring",
    "['', 'a', 'b', 'ab', 'ba', 'c']",
    """
@covers(lambda v: v in "abc")
@gen.composite
def f(draw) -> str:
    return draw(gen.sampled_from(["a", "b", "c", "ab", "bc", "abc"]))
""",
)
program(
    "substring_not_member",
    "['', 'a', 'b', 'c', 'ac', 'ab']",
    """
@covers(lambda v: len(v) <= 1 and v in "abc")
@gen.composite
def f(draw) -> str:
    return draw(gen.sampled_from("abc"))
""",
)
program(
    "upper_grows",
    "['SS', 'A', 'B', 'ß']",
    """
@covers(lambda v: v in ("SS", "A"))
@gen.composite
def f(draw) -> str:
    return draw(gen.sampled_from(["ß", "a"])).upper()
""",
)
program(
    "casefold_length",
    "range(4)",
    """
@covers(lambda v: 1 <= v <= 2)
@gen.composite
def f(draw) -> int:
    return len(draw(gen.sampled_from(["ŉ", "a", "İ"])).lower())
""",
)
program(
    "isdigit_superscript",
    "['0', '9', '²', '٣', 'a', '½']",
    """
@covers(lambda v: len(v) == 1 and v.isdigit() and not v.isdecimal())
@gen.composite
def f(draw) -> str:
    return draw(gen.sampled_from("²³"))
""",
)
program(
    "isalpha_beyond_ascii",
    "['a', 'z', 'é', '1', 'ⅷ']",
    """
@covers(lambda v: len(v) == 1 and v.isalpha())
@gen.composite
def f(draw) -> str:
    return draw(gen.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=1))
""",
)
program(
    "strip_takes_a_set",
    "['', 'a', 'b', 'ab', 'c']",
    """
@covers(lambda v: v in ("", "c"))
@gen.composite
def f(draw) -> str:
    return draw(gen.sampled_from(["abba", "bca", "ab"])).strip("ab")
""",
)
program(
    "split_of_empty",
    "[[], [''], ['a'], ['a', '']]",
    """
@covers(lambda v: v in ([""], ["a"], ["a", ""]))
@gen.composite
def f(draw) -> list[str]:
    return draw(gen.sampled_from(["", "a", "a,"])).split(",")
""",
)
program(
    "join_of_text",
    "['', 'a', 'a,b', 'ab']",
    """
@covers(lambda v: v in ("a", "a,b"))
@gen.composite
def f(draw) -> str:
    return ",".join(draw(gen.sampled_from(["a", "ab"])))
""",
)
program(
    "text_order_upper_first",
    "['a', 'B', 'Z', 'b', '_']",
    """
@covers(lambda v: v in ("B", "a"))
@gen.composite
def f(draw) -> str:
    return min("a", draw(gen.sampled_from(["B", "b", "c"])))
""",
)
program(
    "fstring_of_bool",
    "['True', 'False', '1', '0']",
    """
@covers(lambda v: v in ("True", "False"))
@gen.composite
def f(draw) -> str:
    return f"{draw(gen.booleans())}"
""",
)
program(
    "fstring_with_format",
    "['00', '01', '02', '0', '1', '2']",
    """
@covers(lambda v: v in ("00", "01", "02"))
@gen.composite
def f(draw) -> str:
    return f"{draw(gen.integers(0, 2)):02}"
""",
)
program(
    "fstring_repr",
    "['a', repr('a'), repr('b'), 'b']",
    """
@covers(lambda v: v in ("'a'", "'b'"))
@gen.composite
def f(draw) -> str:
    return f"{draw(gen.sampled_from('ab'))!r}"
""",
)
program(
    "text_from_alphabet_list",
    "['', 'a', 'b', 'ab', 'aa', 'c']",
    """
@covers(lambda v: len(v) <= 2 and all(c in "ab" for c in v))
@gen.composite
def f(draw) -> str:
    return draw(gen.text(alphabet=["a", "b"], max_size=2))
""",
)
program(
    "text_alphabet_repeats",
    "['', 'a', 'aa', 'aaa', 'b']",
    """
@covers(lambda v: len(v) <= 2 and all(c in "ab" for c in v))
@gen.composite
def f(draw) -> str:
    return draw(gen.text("aa", max_size=2))
""",
)
program(
    "startswith_tuple",
    "['a', 'b', 'c', 'ab', '']",
    """
@covers(lambda v: len(v) <= 1 and v.startswith(("a", "b")))
@gen.composite
def f(draw) -> str:
    return draw(gen.sampled_from("ab"))
""",
)
program(
    "startswith_empty",
    "['', 'a', 'b']",
    """
@covers(lambda v: len(v) <= 1 and v.startswith("") and all(c == "a" for c in v))
@gen.composite
def f(draw) -> str:
    return draw(gen.text("a", max_size=1))
""",
)
program(
    "count_overlapping",
    "['', 'aa', 'aaa', 'aaaa', 'a']",
    """
@covers(lambda v: len(v) <= 4 and all(c == "a" for c in v) and v.count("aa") == 1)
@gen.composite
def f(draw) -> str:
    return draw(gen.text("a", min_size=2, max_size=2))
""",
)
program(
    "find_gives_minus_one",
    "range(-2, 3)",
    """
@covers(lambda v: -1 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return draw(gen.sampled_from(["ab", "ba", "c"])).find("a")
""",
)
program(
    "text_times_negative",
    "['', 'a', 'aa']",
    """
@covers(lambda v: v in ("", "a"))
@gen.composite
def f(draw) -> str:
    return "a" * draw(gen.integers(-2, 1))
""",
)
program(
    "ord_and_chr",
    "['a', 'b', 'c', '`']",
    """
@covers(lambda v: len(v) == 1 and "a" <= v <= "c")
@gen.composite
def f(draw) -> str:
    return chr(ord("a") + draw(gen.integers(0, 2)))
""",
)
program(
    "text_slices_beyond",
    "['', 'a', 'b', 'ab']",
    """
@covers(lambda v: v in ("", "b"))
@gen.composite
def f(draw) -> str:
    return draw(gen.sampled_from(["ab", "a", ""]))[1:9]
""",
)
program(
    "bytes_elements_are_ints",
    "[b'', b'a', b'b', b'ab']",
    """
@covers(lambda v: len(v) == 1 and v[0] in (97, 98))
@gen.composite
def f(draw) -> bytes:
    return bytes([draw(gen.integers(97, 98))])
""",
)
program(
    "bytes_in_bytes",
    "[b'', b'a', b'b', b'ab', b'c']",
    """
@covers(lambda v: len(v) <= 2 and v in b"ab")
@gen.composite
def f(draw) -> bytes:
    return draw(gen.sampled_from([b"a", b"b", b"ab"]))
""",
)
program(
    "bytes_of_number",
    "[b'', b'\\0', b'\\0\\0', b'\\1', b'\\2']",
    """
@covers(lambda v: len(v) <= 1)
@gen.composite
def f(draw) -> bytes:
    return bytes(draw(gen.integers(0, 2)))
""",
)
program(
    "bytes_slice_and_index",
    "range(97, 100)",
    """
@covers(lambda v: v in (97, 98))
@gen.composite
def f(draw) -> int:
    return draw(gen.sampled_from([b"ab", b"ba"]))[-1]
""",
)
# --- records --------------------------------------------------------------------------------------------
program(
    "eq_false",
    "[1, 2, 3]",
    """
@dataclass(eq=False)
class P:
    n: int
@covers(lambda v: v in (1, 2))
@gen.composite
def f(draw) -> int:
    a, b = P(draw(gen.integers(0, 1))), P(0)
    return 1 if a == b else 2
""",
)
program(
    "own_hash_and_eq",
    "[1, 2, 3]",
    """
class P:
    def __init__(self, n: int) -> None:
        self.n = n
    def __eq__(self, other: object) -> bool:
        return True
@covers(lambda v: v in (1, 2))
@gen.composite
def f(draw) -> int:
    return 1 if P(draw(gen.integers(0, 1))) == P(5) else 2
""",
)
program(
    "post_init_changes",
    "[P(0), P(1), P(2), P(3)]",
    """
@dataclass
class P:
    n: int
    def __post_init__(self) -> None:
        self.n = self.n * 2 if self.n < 2 else self.n
@covers(lambda v: v.n in (0, 1, 2))
@gen.composite
def f(draw) -> P:
    return P(draw(gen.integers(0, 1)))
""",
)
program(
    "post_init_raises",
    "[P(0), P(1)]",
    """
@dataclass
class P:
    n: int
    def __post_init__(self) -> None:
        if self.n > 1:
            raise ValueError(self.n)
@covers(lambda v: v.n in (0, 1))
@gen.composite
def f(draw) -> P:
    return P(draw(gen.integers(0, 3)))
""",
)
program(
    "property_with_side_effect",
    "range(6)",
    """
@dataclass
class P:
    n: int
    @property
    def next(self) -> int:
        self.n += 1
        return self.n
@covers(lambda v: 1 <= v <= 4)
@gen.composite
def f(draw) -> int:
    p = P(draw(gen.integers(0, 1)))
    a = p.next
    return p.next
""",
)
program(
    "method_that_changes_self",
    "range(6)",
    """
@dataclass
class P:
    n: int
    def bump(self) -> int:
        self.n += 1
        return self.n
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    p = P(draw(gen.integers(0, 1)))
    p.bump()
    return p.n
""",
)
program(
    "namedtuple_subclass",
    "[P(0), P(1), P(2)]",
    """
from typing import NamedTuple
class Base(NamedTuple):
    n: int
class P(Base):
    def __new__(cls, n: int):
        return super().__new__(cls, n + 1)
@covers(lambda v: v.n in (0, 1))
@gen.composite
def f(draw) -> P:
    return P(draw(gen.integers(0, 1)))
""",
)
program(
    "namedtuple_equals_tuple",
    "range(4)",
    """
from typing import NamedTuple
class P(NamedTuple):
    a: int
    b: int
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    return 1 if P(draw(gen.integers(0, 1)), 1) == (1, 1) else 0
""",
)
program(
    "subclass_is_not_equal",
    "range(4)",
    """
@dataclass
class A:
    n: int
@dataclass
class B(A):
    pass
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    return 1 if A(1) == B(draw(gen.integers(0, 1))) else 0
""",
)
program(
    "overridden_method",
    "range(6)",
    """
@dataclass
class A:
    n: int
    def value(self) -> int:
        return self.n
@dataclass
class B(A):
    def value(self) -> int:
        return self.n + 2
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    p: A = B(draw(gen.integers(0, 1))) if draw(gen.booleans()) else A(draw(gen.integers(0, 1)))
    return p.value()
""",
)
program(
    "enum_alias",
    "[C.RED, C.BLUE]",
    """
class C(Enum):
    RED = 1
    CRIMSON = 1
    BLUE = 2
@covers(lambda v: True)
@gen.composite
def f(draw) -> C:
    return draw(gen.sampled_from([C.RED, C.CRIMSON]))
""",
)
program(
    "enum_is_true",
    "range(4)",
    """
class C(Enum):
    ZERO = 0
    ONE = 1
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    return 1 if draw(gen.sampled_from(C)) else 0
""",
)
program(
    "int_enum_is_false_at_zero",
    "range(4)",
    """
from enum import IntEnum
class C(IntEnum):
    ZERO = 0
    ONE = 1
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    return 1 if draw(gen.sampled_from(C)) else 0
""",
)
program(
    "record_with_len_is_false",
    "range(4)",
    """
@dataclass
class Bag:
    n: int
    def __len__(self) -> int:
        return self.n
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    return 1 if Bag(draw(gen.integers(0, 2))) else 0
""",
)
program(
    "record_with_bool",
    "range(4)",
    """
@dataclass
class Bag:
    n: int
    def __bool__(self) -> bool:
        return self.n > 1
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    return 1 if Bag(draw(gen.integers(0, 2))) else 0
""",
)
program(
    "order_of_dataclass",
    "range(4)",
    """
@dataclass(order=True)
class P:
    a: int
    b: int
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    return 1 if P(draw(gen.integers(0, 1)), 5) < P(1, 0) else 0
""",
)
program(
    "compare_false_field_of_value",
    "[P(0, 0), P(0, 1), P(1, 0), P(1, 1)]",
    """
from dataclasses import field
@dataclass
class P:
    a: int
    b: int = field(compare=False)
@covers(lambda v: v == P(0, 1))
@gen.composite
def f(draw) -> P:
    return P(0, draw(gen.integers(0, 1)))
""",
)
program(
    "init_false_field",
    "[P(0), P(1)]",
    """
from dataclasses import field
@dataclass
class P:
    a: int
    b: int = field(init=False, default=3)
@covers(lambda v: 0 <= v.a <= 1 and v.b == 3)
@gen.composite
def f(draw) -> P:
    return P(draw(gen.integers(0, 1)))
""",
)
program(
    "getattr_default",
    "range(6)",
    """
@dataclass
class P:
    n: int
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    return getattr(P(draw(gen.integers(0, 1))), "m", 2)
""",
)
program(
    "call_operator",
    "range(6)",
    """
@dataclass
class Adder:
    n: int
    def __call__(self, k: int) -> int:
        return self.n + k
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    return Adder(draw(gen.integers(0, 1)))(1)
""",
)
program(
    "own_add",
    "range(6)",
    """
@dataclass
class P:
    n: int
    def __add__(self, other: "P") -> "P":
        return P(self.n - other.n)
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return (P(draw(gen.integers(1, 2))) + P(1)).n
""",
)
program(
    "own_contains",
    "range(6)",
    """
@dataclass
class Span:
    n: int
    def __contains__(self, k: int) -> bool:
        return k < self.n
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return 1 if 1 in Span(draw(gen.integers(0, 3))) else 0
""",
)
# --- dictionaries and sets ------------------------------------------------------------------------------
program(
    "dict_order_is_not_compared",
    "range(4)",
    """
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 1))
    return 1 if {"a": n, "b": 1} == {"b": 1, "a": 0} else 0
""",
)
program(
    "dict_order_of_keys",
    "[['a', 'b'], ['b', 'a']]",
    """
@covers(lambda v: len(v) == 2 and set(v) == {"a", "b"})
@gen.composite
def f(draw) -> list[str]:
    d = {"b": 0}
    if draw(gen.booleans()):
        d = {}
    d["a"] = 1
    d["b"] = 2
    return list(d)
""",
)
program(
    "setting_a_key_keeps_its_place",
    "[['a', 'b'], ['b', 'a']]",
    """
@covers(lambda v: len(v) == 2 and set(v) == {"a", "b"})
@gen.composite
def f(draw) -> list[str]:
    d = {"a": 0, "b": draw(gen.integers(0, 1))}
    d["a"] = 5
    return list(d.keys())
""",
)
program(
    "dict_value_last_wins",
    "[{'a': 0}, {'a': 1}, {'a': 2}]",
    """
@covers(lambda v: set(v) == {"a"} and 0 <= v["a"] <= 1)
@gen.composite
def f(draw) -> dict[str, int]:
    return {"a": draw(gen.integers(0, 1)), "a": draw(gen.integers(1, 2))}
""",
)
program(
    "merge_of_dicts",
    "[{'a': 0}, {'a': 1}, {'a': 1, 'b': 0}, {'a': 0, 'b': 0}]",
    """
@covers(lambda v: set(v) == {"a", "b"} and 0 <= v["a"] <= 1 and v["b"] == 0)
@gen.composite
def f(draw) -> dict[str, int]:
    return {"a": draw(gen.integers(0, 1)), "b": 0} | {"a": 1}
""",
)
program(
    "dict_get_none",
    "[None, 0, 1]",
    """
@covers(lambda v: True)
@gen.composite
def f(draw) -> int | None:
    return {"a": 1}.get(draw(gen.sampled_from(["a", "b"])))
""",
)
program(
    "setdefault",
    "range(4)",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    d = {"a": draw(gen.integers(0, 1))}
    return d.setdefault("a", 2)
""",
)
program(
    "set_drops_repeats",
    "range(5)",
    """
@covers(lambda v: 1 <= v <= 3)
@gen.composite
def f(draw) -> int:
    return len({draw(gen.integers(0, 1)), draw(gen.integers(0, 1)), 1})
""",
)
program(
    "set_of_bool_and_int",
    "range(5)",
    """
@covers(lambda v: 1 <= v <= 2)
@gen.composite
def f(draw) -> int:
    return len({draw(gen.booleans()), draw(gen.integers(0, 1))})
""",
)
program(
    "set_order_of_small_ints",
    "[list(p) for p in itertools.permutations((0, 1, 2))]",
    """
@covers(lambda v: sorted(v) == [0, 1, 2])
@gen.composite
def f(draw) -> list[int]:
    return list({2, 1, 0}) if draw(gen.booleans()) else [0, 1, 2]
""",
)
program(
    "subset_is_not_order",
    "range(4)",
    """
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    a, b = draw(gen.sets(gen.integers(0, 1))), {0}
    return 1 if not a <= b and not b <= a else 0
""",
)
program(
    "symmetric_difference",
    "[set(), {0}, {1}, {0, 1}]",
    """
@covers(lambda v: v <= {0, 1})
@gen.composite
def f(draw) -> set[int]:
    return draw(gen.sets(gen.integers(0, 1))) ^ {0}
""",
)
program(
    "frozenset_equals_set",
    "range(4)",
    """
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    return 1 if draw(gen.frozensets(gen.integers(0, 1))) == {0} else 0
""",
)
program(
    "tuple_is_not_a_list",
    "range(4)",
    """
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    return 1 if (draw(gen.integers(0, 1)),) == [0] else 0
""",
)
program(
    "tuple_order",
    "range(4)",
    """
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    return 1 if (draw(gen.integers(0, 1)), 9) < (1,) else 0
""",
)
program(
    "list_order_of_prefix",
    "range(4)",
    """
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    return 1 if draw(gen.lists(gen.integers(0, 1), max_size=2)) < [0, 0] else 0
""",
)
program(
    "unhashable_in_set",
    "range(4)",
    """
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    if draw(gen.booleans()):
        return len({(0,)})
    return len({tuple([0]), [1] and (0,)}) - 1
""",
)
program(
    "unhashable_raises",
    "range(4)",
    """
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    if draw(gen.booleans()):
        return len({[0]})
    return 0
""",
)
program(
    "dictionary_of_lists_aliased",
    "[{'a': [0], 'b': [0]}, {'a': [], 'b': []}, {'a': [0], 'b': []}]",
    """
@covers(lambda v: v == {"a": [0], "b": []})
@gen.composite
def f(draw) -> dict[str, list[int]]:
    d = dict.fromkeys(["a", "b"], [])
    d["a"].append(0)
    return d
""",
)
# --- draws and generators -------------------------------------------------------------------------------
program(
    "unique_by",
    "[list(p) for n in range(4) for p in itertools.product(range(-2, 3), repeat=n)]",
    """
@covers(lambda v: len(v) <= 2 and all(-1 <= x <= 1 for x in v) and len(set(v)) == len(v))
@gen.composite
def f(draw) -> list[int]:
    return draw(gen.lists(gen.integers(-1, 1), unique_by=abs, max_size=2))
""",
)
program(
    "unique_by_modulo",
    "[list(p) for n in range(3) for p in itertools.product(range(4), repeat=n)]",
    """
@covers(lambda v: len(v) <= 2 and all(0 <= x <= 3 for x in v) and (len(v) < 2 or v[0] % 2 != v[1] % 2))
@gen.composite
def f(draw) -> list[int]:
    return draw(gen.lists(gen.integers(0, 3), unique_by=lambda x: x % 2, max_size=2))
""",
)
program(
    "unique_bool_and_int",
    "[[], [True], [1], [0], [True, 0], [0, 1]]",
    """
@covers(lambda v: len(v) <= 2 and all(0 <= x <= 1 for x in v))
@gen.composite
def f(draw) -> list[int]:
    return draw(gen.lists(gen.sampled_from([0, 1, 1]), unique=True, max_size=2))
""",
)
program(
    "filter_on_a_draw",
    "range(8)",
    """
@covers(lambda v: 0 <= v <= 5 and v != 2)
@gen.composite
def f(draw) -> int:
    low = draw(gen.integers(0, 2))
    return draw(gen.integers(0, 5).filter(lambda n: n >= low and n != 2))
""",
)
program(
    "filter_with_changing_name",
    "range(8)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    low = 0
    source = gen.integers(0, 3).filter(lambda n: n >= low)
    low = 2
    return draw(source)
""",
)
program(
    "map_with_changing_name",
    "range(8)",
    """
@covers(lambda v: 0 <= v <= 5)
@gen.composite
def f(draw) -> int:
    by = 0
    source = gen.integers(0, 1).map(lambda n: n + by)
    a = draw(source)
    by = 4
    return draw(source)
""",
)
program(
    "flatmap_of_flatmap",
    "[(a, b) for a in range(4) for b in range(4)]",
    """
@covers(lambda v: 0 <= v[0] <= v[1] <= 3)
@gen.composite
def f(draw) -> tuple[int, int]:
    return draw(gen.integers(0, 3).flatmap(lambda a: gen.integers(a, 3).map(lambda b: (a, b))))
""",
)
program(
    "one_of_nested",
    "range(8)",
    """
@covers(lambda v: 0 <= v <= 4)
@gen.composite
def f(draw) -> int:
    return draw(gen.one_of(gen.just(0), gen.one_of(gen.integers(1, 2), gen.one_of(gen.just(4)))))
""",
)
program(
    "sampled_from_repeats",
    "range(8)",
    """
@covers(lambda v: v in (1, 2))
@gen.composite
def f(draw) -> int:
    return draw(gen.sampled_from([1, 1, 1]))
""",
)
program(
    "sampled_from_dict_keys",
    "['a', 'b', 'c']",
    """
TABLE = {"a": 1, "b": 2}
@covers(lambda v: v in ("a", "b"))
@gen.composite
def f(draw) -> str:
    return draw(gen.sampled_from(list(TABLE)))
""",
)
program(
    "sampled_from_range_step",
    "range(8)",
    """
@covers(lambda v: v in (0, 2, 4))
@gen.composite
def f(draw) -> int:
    return draw(gen.sampled_from(range(0, 5, 2)))
""",
)
program(
    "source_bound_before_change",
    "range(8)",
    """
@covers(lambda v: 0 <= v <= 3)
@gen.composite
def f(draw) -> int:
    top = 1
    source = gen.integers(0, top)
    top = 3
    return draw(source)
""",
)
program(
    "options_changed_after",
    "range(8)",
    """
@covers(lambda v: v in (0, 1, 2))
@gen.composite
def f(draw) -> int:
    options = [0, 1]
    source = gen.sampled_from(options)
    options.append(2)
    return draw(source)
""",
)
program(
    "just_of_mutable",
    "[[0], [0, 1], [0, 1, 1]]",
    """
@covers(lambda v: v in ([0], [0, 1]))
@gen.composite
def f(draw) -> list[int]:
    source = gen.just([0])
    if draw(gen.booleans()):
        draw(source).append(1)
    return draw(source)
""",
)
program(
    "draw_is_renamed",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(d) -> int:
    draw = d
    return draw(gen.integers(0, 1))
""",
)
program(
    "draw_in_default_argument",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    def g(n: int = draw(gen.integers(0, 1))) -> int:
        return n
    return g()
""",
)
program(
    "draw_in_lambda_called_twice",
    "[(a, b) for a in range(2) for b in range(2)]",
    """
@covers(lambda v: 0 <= v[0] <= 1 and 0 <= v[1] <= 1)
@gen.composite
def f(draw) -> tuple[int, int]:
    bit = lambda: draw(gen.integers(0, 1))
    return (bit(), bit())
""",
)
program(
    "draw_once_used_twice",
    "[(a, b) for a in range(2) for b in range(2)]",
    """
@covers(lambda v: 0 <= v[0] <= 1 and 0 <= v[1] <= 1)
@gen.composite
def f(draw) -> tuple[int, int]:
    return (draw(gen.integers(0, 1)),) * 2
""",
)
program(
    "discarded_draw_has_a_filter",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 1))
    draw(gen.integers(0, 3).filter(lambda k: k < n))
    return n
""",
)
program(
    "empty_range_depends_on_draw",
    "range(6)",
    """
@covers(lambda v: 0 <= v <= 2)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 2))
    assume(n != 1)
    m = draw(gen.integers(n, 1)) if n < 2 else n
    return m
""",
)
program(
    "booleans_is_not_int",
    "[False, True, 0, 1]",
    """
@covers(lambda v: isinstance(v, bool))
@gen.composite
def f(draw) -> bool:
    return draw(gen.integers(0, 1)) == 1
""",
)
program(
    "lists_of_lists_shared_element",
    "[[], [[]], [[0]], [[0], [0]], [[0], []]]",
    """
@covers(lambda v: len(v) == 2 and all(len(r) <= 1 and all(x == 0 for x in r) for r in v))
@gen.composite
def f(draw) -> list[list[int]]:
    row = draw(gen.lists(gen.just(0), max_size=1))
    return [row] * 2
""",
)
program(
    "recursion_with_budget",
    "range(6)",
    """
@covers(lambda v, n: 0 <= v <= n, requires=lambda n: 0 <= n, decreases="n")
@gen.composite
def f(draw, n: int) -> int:
    if n == 0 or draw(gen.booleans()):
        return 0
    return 1 + draw(f(n - 2)) if n >= 2 else 1
""",
)
program(
    "recursion_measure_by_half",
    "range(6)",
    """
@covers(lambda v, n: 0 <= v <= n, requires=lambda n: 0 <= n, decreases="n")
@gen.composite
def f(draw, n: int) -> int:
    if n == 0:
        return 0
    return draw(f(n // 2)) + draw(gen.integers(0, 1))
""",
)
# --- dates ----------------------------------------------------------------------------------------------
program(
    "dates_across_months",
    "[datetime.date(2024, 2, 28), datetime.date(2024, 2, 29), datetime.date(2024, 3, 1), datetime.date(2024, 3, 2)]",
    """
import datetime
@covers(lambda v: datetime.date(2024, 2, 28) <= v <= datetime.date(2024, 3, 1))
@gen.composite
def f(draw) -> datetime.date:
    return datetime.date(2024, 2, 28) + datetime.timedelta(days=draw(gen.integers(0, 2)))
""",
)
program(
    "dates_across_months_no_leap",
    "[datetime.date(2023, 2, 28), datetime.date(2023, 3, 1), datetime.date(2023, 3, 2)]",
    """
import datetime
@covers(lambda v: datetime.date(2023, 2, 28) <= v <= datetime.date(2023, 3, 1))
@gen.composite
def f(draw) -> datetime.date:
    return datetime.date(2023, 2, 28) + datetime.timedelta(days=2 * draw(gen.integers(0, 1)))
""",
)
program(
    "day_of_month",
    "[datetime.date(2024, 1, 31), datetime.date(2024, 2, 1), datetime.date(2024, 2, 2)]",
    """
import datetime
@covers(lambda v: v.year == 2024 and v.month == 2 and v.day <= 2)
@gen.composite
def f(draw) -> datetime.date:
    return datetime.date(2024, 2, draw(gen.integers(1, 2)))
""",
)
program(
    "replace_day_raises",
    "[datetime.date(2023, 2, 27), datetime.date(2023, 2, 28), datetime.date(2023, 3, 1)]",
    """
import datetime
@covers(lambda v: datetime.date(2023, 2, 27) <= v <= datetime.date(2023, 2, 28))
@gen.composite
def f(draw) -> datetime.date:
    return datetime.date(2023, 2, 27).replace(day=draw(gen.integers(27, 29)))
""",
)
program(
    "timedelta_is_normalised",
    "[datetime.timedelta(seconds=n) for n in range(-2, 3)]",
    """
import datetime
@covers(lambda v: v.seconds <= 1 and v.days == 0 and v.microseconds == 0)
@gen.composite
def f(draw) -> datetime.timedelta:
    return datetime.timedelta(seconds=draw(gen.integers(-1, 1)))
""",
)
program(
    "datetime_is_a_date",
    "range(3)",
    """
import datetime
@covers(lambda v: v in (0, 1))
@gen.composite
def f(draw) -> int:
    d = draw(gen.datetimes(datetime.datetime(2024, 1, 1), datetime.datetime(2024, 1, 1, 0, 0, 0, 1)))
    return 1 if d == datetime.date(2024, 1, 1) else 0
""",
)
program(
    "weekday_and_isoweekday",
    "range(9)",
    """
import datetime
@covers(lambda v: 1 <= v <= 7)
@gen.composite
def f(draw) -> int:
    return (datetime.date(2024, 1, 1) + datetime.timedelta(days=draw(gen.integers(0, 6)))).isoweekday()
""",
)
# --- predicates that are easy to misread ----------------------------------------------------------------
program(
    "predicate_gives_a_list",
    "[[], [0], [1], [0, 0]]",
    """
@covers(lambda v: v and len(v) < 2 and all(x in (0, 1) for x in v))
@gen.composite
def f(draw) -> list[int]:
    return [draw(gen.integers(0, 1))]
""",
)
program(
    "predicate_none_is_false",
    "range(4)",
    """
def good(v: int):
    if 0 <= v <= 1:
        return True
@covers(good)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(0, 1))
""",
)
program(
    "predicate_changes_the_value",
    "[[], [0], [1], [0, 0], [1, 0]]",
    """
@covers(lambda v: (v.append(0) or len(v) == 2) and v[0] in (0, 1))
@gen.composite
def f(draw) -> list[int]:
    return [draw(gen.integers(0, 1))]
""",
)
program(
    "predicate_sorts_in_place",
    "[[a, b] for a in range(3) for b in range(3)]",
    """
def good(v: list[int]) -> bool:
    w = v
    w.sort()
    return len(v) == 2 and v[0] == 0 and v[1] in (0, 1)
@covers(good)
@gen.composite
def f(draw) -> list[int]:
    return [0, draw(gen.integers(0, 1))]
""",
)
program(
    "predicate_pops",
    "[[a, b] for a in range(3) for b in range(3)]",
    """
def good(v: list[int]) -> bool:
    w = list(v)
    return len(w) == 2 and w.pop() == 1 and w.pop() == 0
@covers(good)
@gen.composite
def f(draw) -> list[int]:
    return [draw(gen.integers(0, 1)), 1]
""",
)
program(
    "predicate_all_of_generator_twice",
    "[[], [0], [1], [2], [0, 1]]",
    """
def good(v: list[int]) -> bool:
    it = iter(v)
    return len(v) == 1 and all(x >= 0 for x in it) and all(x > 5 for x in it)
@covers(good)
@gen.composite
def f(draw) -> list[int]:
    return [draw(gen.integers(0, None))]
""",
)
program(
    "predicate_in_iterator",
    "[[a, b] for a in range(3) for b in range(3)]",
    """
def good(v: list[int]) -> bool:
    it = iter(v)
    return len(v) == 2 and 0 in it and 1 in it
@covers(good)
@gen.composite
def f(draw) -> list[int]:
    return [0, 1]
""",
)
program(
    "predicate_rare_exception",
    "[list(p) for n in range(4) for p in itertools.product((0, 1), repeat=n)]",
    """
@covers(lambda v: len(v) <= 2 and all(x in (0, 1) for x in v) and (len(v) < 2 or 1 // (v[0] + v[1]) >= 0))
@gen.composite
def f(draw) -> list[int]:
    xs = draw(gen.lists(gen.integers(0, 1), max_size=2))
    assume(xs != [0, 0])
    return xs
""",
)
program(
    "predicate_far_exception",
    "[0, 1, 2, 700, 701]",
    """
TABLE = list(range(700))
@covers(lambda v: v >= 0 and TABLE[v] == v)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(0, 600))
""",
)
program(
    "predicate_far_constant",
    "[0, 1, 2, 12345, 12346]",
    """
@covers(lambda v: 0 <= v <= 20000 and v != 12345)
@gen.composite
def f(draw) -> int:
    n = draw(gen.integers(0, 20000))
    assume(n not in (12345, 12346))
    return n
""",
)
program(
    "predicate_shadows_len",
    "[[], [0], [1], [0, 0]]",
    """
def good(v: list[int]) -> bool:
    len = lambda xs: 1
    return len(v) == 1 and v in ([0], [])
@covers(good)
@gen.composite
def f(draw) -> list[int]:
    return draw(gen.lists(gen.just(0), min_size=1, max_size=1))
""",
)
program(
    "predicate_recursive_default",
    "[[], [0], [1], [0, 1], [1, 0]]",
    """
def rising(v: list[int], last: int = 0) -> bool:
    return not v or (last <= v[0] <= 1 and rising(v[1:], v[0]))
@covers(lambda v: len(v) <= 2 and rising(v))
@gen.composite
def f(draw) -> list[int]:
    a = draw(gen.integers(0, 1))
    return [a, draw(gen.integers(a, 1))]
""",
)
program(
    "predicate_module_list_changes",
    "range(-1, 6)",
    """
OK = [0, 1]
@covers(lambda v: v in OK)
@gen.composite
def f(draw) -> int:
    return draw(gen.sampled_from(OK))
OK.append(2)
""",
)
program(
    "predicate_set_of_characters",
    "['', 'a', 'b', 'aa', 'ab', 'ba', 'aab']",
    """
@covers(lambda v: len(v) <= 2 and len(set(v)) == 1 and set(v) <= set("ab"))
@gen.composite
def f(draw) -> str:
    return draw(gen.sampled_from("ab")) * draw(gen.integers(1, 2))
""",
)
program(
    "predicate_reversed_palindrome",
    "[list(p) for n in range(4) for p in itertools.product((0, 1), repeat=n)]",
    """
@covers(lambda v: len(v) <= 3 and v == v[::-1] and all(x in (0, 1) for x in v))
@gen.composite
def f(draw) -> list[int]:
    half = draw(gen.lists(gen.integers(0, 1), max_size=1))
    middle = draw(gen.lists(gen.integers(0, 1), max_size=1))
    return half + middle + half[::-1]
""",
)
program(
    "predicate_isinstance_bool_of_int",
    "[0, 1, 2]",
    """
@covers(lambda v: isinstance(v, int) and not isinstance(v, bool) and 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(0, 1))
""",
)
program(
    "predicate_type_is_int",
    "[0, 1, 2]",
    """
@covers(lambda v: type(v) is int and 0 <= v <= 1)
@gen.composite
def f(draw) -> int:
    return draw(gen.integers(0, 1))
""",
)
program(
    "predicate_min_default",
    "[[], [0], [5], [6]]",
    """
@covers(lambda v: len(v) <= 1 and min(v, default=5) == 5)
@gen.composite
def f(draw) -> list[int]:
    return draw(gen.lists(gen.just(5), max_size=1))
""",
)
program(
    "predicate_enumerate_start",
    "[list(p) for n in range(3) for p in itertools.product((0, 1, 2), repeat=n)]",
    """
@covers(lambda v: len(v) <= 2 and all(x == i for i, x in enumerate(v, 1)))
@gen.composite
def f(draw) -> list[int]:
    return list(range(1, draw(gen.integers(1, 3))))
""",
)
program(
    "predicate_zip_strict",
    "[list(p) for n in range(3) for p in itertools.product((0, 1), repeat=n)]",
    """
@covers(lambda v: all(a == b for a, b in zip(v, [0, 1], strict=True)))
@gen.composite
def f(draw) -> list[int]:
    return [0, 1]
""",
)
program(
    "predicate_any_of_nothing",
    "[[], [0], [1]]",
    """
@covers(lambda v: len(v) <= 1 and any(x == 0 for x in v) == all(x == 0 for x in v))
@gen.composite
def f(draw) -> list[int]:
    return [draw(gen.integers(None, None))]
""",
)
program(
    "predicate_ternary_of_none",
    "[None, 0, 1, 2]",
    """
@covers(lambda v: v is None or 0 <= v <= 1)
@gen.composite
def f(draw) -> int | None:
    return draw(gen.integers(0, 1)) or None
""",
)
program(
    "predicate_not_none_zero",
    "[None, 0, 1, 2]",
    """
@covers(lambda v: not v or v == 1)
@gen.composite
def f(draw) -> int | None:
    return draw(gen.none() | gen.integers(1, 1))
""",
)
program(
    "substrings_of_letters",
    "['x', 'y', 'z', 'xy', 'yz', 'xyz', '']",
    """
@covers(lambda v: v != "" and len(v) <= 2 and v in "xyz")
@gen.composite
def f(draw) -> str:
    return draw(gen.sampled_from("xyz"))
""",
)
program(
    "substrings_inside_a_tuple",
    "[(0, 'x'), (0, ''), (0, 'xy')]",
    """
@covers(lambda v: 0 <= v[0] <= 1 and v[1] in "xyz")
@gen.composite
def f(draw) -> tuple[int, str]:
    return (draw(gen.integers(0, 1)), draw(gen.sampled_from("xyz")))
""",
)
# --- loops in predicates --------------------------------------------------------------------------------
program(
    "loop_depth",
    "[list(p) for n in range(5) for p in itertools.product((0,1), repeat=n)]",
    """
def good(v: list[int]) -> bool:
    depth = 0
    for x in v:
        if x == 1:
            if depth == 0:
                return False
            depth -= 1
        else:
            depth += 1
    return depth == 0
@covers(lambda v: len(v) <= 4 and all(x in (0, 1) for x in v) and good(v))
@gen.composite
def f(draw) -> list[int]:
    n = draw(gen.integers(0, 2))
    xs = []
    depth = 0
    while len(xs) < 2 * n:
        if depth and (depth == 2 * n - len(xs) or draw(gen.booleans())):
            xs.append(1)
            depth -= 1
        else:
            xs.append(0)
            depth += 1
    return xs
""",
)
program(
    "loop_sum",
    "[list(p) for n in range(5) for p in itertools.product(range(-1,4), repeat=n)]",
    """
def total(v: list[int]) -> int:
    t = 0
    for x in v:
        t += x
    return t
@covers(lambda v: len(v) == 2 and total(v) == 2 and all(0 <= x <= 2 for x in v))
@gen.composite
def f(draw) -> list[int]:
    a = draw(gen.integers(0, 2))
    return [a, 2 - a]
""",
)
program(
    "loop_break",
    "[list(p) for n in range(5) for p in itertools.product(range(-1,4), repeat=n)]",
    """
def first_negative(v: list[int]) -> int:
    found = 0
    for i, x in enumerate(v):
        if x < 0:
            found = i
            break
        if x == 3:
            continue
        found = found + 1
    else_ = found
    return else_
@covers(lambda v: len(v) == 2 and first_negative(v) == 1 and all(-1 <= x <= 1 for x in v))
@gen.composite
def f(draw) -> list[int]:
    return [draw(gen.integers(0, 1)), -1]
""",
)
program(
    "loop_prev",
    "[list(p) for n in range(5) for p in itertools.product(range(-1,4), repeat=n)]",
    """
def rising(v: list[int]) -> bool:
    last = -5
    for x in v:
        if x < last:
            return False
        last = x
    return True
@covers(lambda v: len(v) <= 2 and rising(v) and all(0 <= x <= 2 for x in v))
@gen.composite
def f(draw) -> list[int]:
    return sorted(draw(gen.lists(gen.integers(0, 2), max_size=2)))
""",
)
program(
    "loop_nested",
    "[[a,b] for a in [[],[0],[1],[0,1]] for b in [[],[0],[1],[1,1]]]",
    """
def ones(v: list[list[int]]) -> int:
    n = 0
    for row in v:
        for x in row:
            if x == 0:
                continue
            n += 1
        n += 0
    return n
@covers(lambda v: len(v) == 2 and all(len(r) <= 1 and all(0 <= x <= 1 for x in r) for r in v) and ones(v) == 1)
@gen.composite
def f(draw) -> list[list[int]]:
    other = [] if draw(gen.booleans()) else [0]
    return [[1], other] if draw(gen.booleans()) else [other, [1]]
""",
)
program(
    "loop_nested_break",
    "[[a,b] for a in [[],[0],[1],[0,1],[1,0]] for b in [[],[0],[1],[1,1]]]",
    """
def ones(v: list[list[int]]) -> int:
    n = 0
    for row in v:
        for x in row:
            if x == 0:
                break
            n += 1
        if n > 1:
            break
    return n
@covers(lambda v: len(v) == 2 and all(len(r) <= 1 and all(0 <= x <= 1 for x in r) for r in v) and ones(v) == 2)
@gen.composite
def f(draw) -> list[list[int]]:
    return [[1], [1]]
""",
)
program(
    "loop_loopvar_after",
    "[list(p) for n in range(5) for p in itertools.product(range(-1,4), repeat=n)]",
    """
def last(v: list[int]) -> int:
    x = 9
    for x in v:
        pass
    return x
@covers(lambda v: len(v) <= 1 and all(0 <= x <= 1 for x in v) and last(v) == 9)
@gen.composite
def f(draw) -> list[int]:
    return []
""",
)
program(
    "loop_shadow",
    "[list(p) for n in range(5) for p in itertools.product(range(-1,4), repeat=n)]",
    """
def count(v: list[int], x: int) -> int:
    n = 0
    for x in v:
        if x == 1:
            n += 1
    return n
@covers(lambda v: len(v) <= 1 and all(0 <= x <= 1 for x in v) and count(v, 7) == 1)
@gen.composite
def f(draw) -> list[int]:
    return [1]
""",
)
program(
    "loop_text",
    "['','a','b','ab','aab','aabb','abb']",
    """
def balanced(s: str) -> bool:
    n = 0
    for c in s:
        n += 1 if c == "a" else -1
        if n < 0:
            return False
    return n == 0
@covers(lambda s: len(s) <= 4 and all(c in "ab" for c in s) and balanced(s))
@gen.composite
def f(draw) -> str:
    return draw(gen.sampled_from(["", "ab", "aabb", "abab"]))
""",
)
program(
    "loop_constants",
    "[{k: w for k, w in zip('abcde', p)} for p in itertools.product((0,1,2),repeat=3)]",
    """
KEYS = ["a", "b", "c"]
def weight(v: dict[str, int]) -> int:
    n = 0
    for k in KEYS:
        if k in v:
            n += v[k]
    return n
@covers(lambda v: set(v) <= set(KEYS) and all(0 <= x <= 1 for x in v.values()) and weight(v) == 1)
@gen.composite
def f(draw) -> dict[str, int]:
    return {"a": 1}
""",
)
program(
    "loop_five_constants",
    "range(40)",
    """
def bits(v: int) -> int:
    n = 0
    for k in (1, 2, 4, 8, 16):
        if v // k % 2 == 1 if k == 1 else v % (k + k) >= k:
            n += 1
    return n
@covers(lambda v: 0 <= v < 32 and bits(v) == 1)
@gen.composite
def f(draw) -> int:
    return draw(gen.sampled_from([1, 2, 4, 8]))
""",
)
program(
    "loop_range",
    "range(12)",
    """
def tri(n: int) -> int:
    t = 0
    for i in range(4):
        if i <= n:
            t += i
    return t
@covers(lambda v: 0 <= v <= 5 and tri(v) == 3)
@gen.composite
def f(draw) -> int:
    return 2
""",
)
program(
    "loop_matchloop",
    "[list(p) for n in range(5) for p in itertools.product(range(-1,4), repeat=n)]",
    """
def ok(v: list[int]) -> bool:
    state = 0
    for x in v:
        match (state, x):
            case (0, 0):
                state = 1
            case (1, y) if y > 0:
                state = y
            case _:
                return False
    return state == 1
@covers(lambda v: len(v) <= 2 and ok(v))
@gen.composite
def f(draw) -> list[int]:
    return [0] if draw(gen.booleans()) else [0, 1]
""",
)
program(
    "loop_zipper",
    "[(a,b) for a in [[],[0],[1]] for b in [[],[0],[1],[0,1]]]",
    """
def close(a: list[int], b: list[int]) -> bool:
    off = 0
    for x, y in zip(a, b):
        if x != y:
            off += 1
    return off == 0
@covers(lambda v: len(v[0]) <= 1 and len(v[1]) <= 1 and all(0 <= x <= 1 for x in v[0]) and all(0 <= x <= 1 for x in v[1]) and close(v[0], v[1]))
@gen.composite
def f(draw) -> tuple[list[int], list[int]]:
    a = draw(gen.lists(gen.integers(0, 1), max_size=1))
    return (a, draw(gen.lists(gen.integers(0, 1), max_size=1)) if not a else draw(gen.sampled_from([[], [a[0]]])))
""",
)
