"""The fifth set of :mod:`preconditions`: structures by type, with predicates in their natural form, and bugs.

They were written before their results were seen. The second half (``HELD``) was run once, at the end, with seed 1 for the
structures and 3 for the bugs: a tenth of seven or more constructors on 2 of 4 (plans and stores have none), 2 CPU seconds on
3 of 4 (plans took 5), and 9 of 12 bugs found ("two at most", "last predecessor" and "third level kept" need larger inputs).
Of the first half, interval maps have none of seven or more either.
"""

# People also write zip(xs, xs[1:]) and nest their conditions:
# ruff: noqa: RUF007

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from precondition_sets.structures import Structure

from everycase import gen

# --- tries: sorted edges, no dead ends ------------------------------------------------------------------------


@dataclass(frozen=True)
class Edge:
    letter: str
    child: Trie


@dataclass(frozen=True)
class Trie:
    word: bool
    edges: tuple[Edge, ...]


def is_trie(t: Trie, root: bool = True) -> bool:
    letters = [e.letter for e in t.edges]
    if letters != sorted(set(letters)):
        return False
    if not t.edges and not t.word and not root:
        return False
    return all(is_trie(e.child, False) for e in t.edges)


def words(t: Trie, prefix: str = "") -> list[str]:
    found = [prefix] if t.word else []
    for e in t.edges:
        found += words(e.child, prefix + e.letter)
    return found


def remove(t: Trie, word: str, bug: str) -> Trie:
    if not word:
        return Trie(False, () if bug == "drops the longer words" else t.edges)
    edges = []
    for i, e in enumerate(t.edges):
        if e.letter != word[0]:
            if not (bug == "loses the third edge" and i == 2):
                edges.append(e)
            continue
        child = remove(e.child, word[1:], bug)
        if child.edges or child.word or bug == "keeps dead ends":
            edges.append(Edge(e.letter, child))
        elif bug == "stops after pruning":
            break
    return Trie(t.word, tuple(edges))


def removing_works(t: Trie, bug: str) -> bool:
    before = words(t)
    for w in before:
        after = remove(t, w, bug)
        if words(after) != [x for x in before if x != w] or not is_trie(after):
            return False
    return True


tries = gen.deferred(
    lambda: gen.builds(
        Trie,
        gen.booleans(),
        gen.lists(gen.builds(Edge, gen.sampled_from("abc"), tries)).map(tuple),
    )
)


# --- trees that know their sizes ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Sized:
    size: int
    left: Sized | None
    key: int
    right: Sized | None


def count(t: Sized | None) -> int:
    return 0 if t is None else 1 + count(t.left) + count(t.right)


def keys(t: Sized | None) -> list[int]:
    return [] if t is None else [*keys(t.left), t.key, *keys(t.right)]


def sizes_hold(t: Sized | None) -> bool:
    return t is None or (t.size == count(t) and sizes_hold(t.left) and sizes_hold(t.right))


def is_sized(t: Sized | None) -> bool:
    ks = keys(t)
    return all(a < b for a, b in zip(ks, ks[1:])) and sizes_hold(t)


def size(t: Sized | None) -> int:
    return t.size if t else 0


def node(left: Sized | None, key: int, right: Sized | None) -> Sized:
    return Sized(size(left) + 1 + size(right), left, key, right)


def kth(t: Sized | None, k: int, bug: str) -> int | None:
    while t is not None:
        n = size(t.left)
        if k == n:
            return t.key
        if k < n:
            t = t.left
        else:
            k -= n if bug == "rank without the root" else n + 1
            t = t.right
            if (
                bug == "third level"
                and t is not None
                and t.size >= 3
                and t.left is not None
                and t.left.size == 1
            ):
                t = replace(t, left=None)
    return None


def rotated(t: Sized, bug: str) -> Sized:
    if t.right and size(t.right) > size(t.left) + 1:
        r = t.right
        if bug == "rotation forgets a size":
            return Sized(t.size, Sized(t.size, t.left, t.key, r.left), r.key, r.right)
        if bug == "rotation drops the middle" and r.left is not None:
            return node(node(t.left, t.key, None), r.key, r.right)
        return node(node(t.left, t.key, r.left), r.key, r.right)
    return t


def kth_works(t: Sized | None, bug: str) -> bool:
    ks = keys(t)
    if [kth(t, i, bug) for i in range(len(ks))] != ks:
        return False
    if t is None:
        return True
    turned = rotated(t, bug)
    return keys(turned) == ks and sizes_hold(turned)


sized = gen.deferred(
    lambda: gen.none() | gen.builds(Sized, gen.integers(1, 12), sized, gen.integers(0, 9), sized)
)


# --- expressions with let ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Num:
    value: int


@dataclass(frozen=True)
class Ref:
    name: str


@dataclass(frozen=True)
class Add:
    left: Any
    right: Any


@dataclass(frozen=True)
class Let:
    name: str
    value: Any
    body: Any


def free(e: Any) -> set[str]:
    match e:
        case Num():
            return set()
        case Ref(name):
            return {name}
        case Add(left, right):
            return free(left) | free(right)
        case Let(name, value, body):
            return free(value) | (free(body) - {name})
    raise TypeError(e)


def lets(e: Any) -> int:
    match e:
        case Add(left, right):
            return lets(left) + lets(right)
        case Let(_, value, body):
            return 1 + lets(value) + lets(body)
    return 0


def is_program(e: Any) -> bool:
    return not free(e) and lets(e) >= 1


def value_of(e: Any, env: dict[str, int]) -> int:
    match e:
        case Num(n):
            return n
        case Ref(name):
            return env[name]
        case Add(left, right):
            return value_of(left, env) + value_of(right, env)
        case Let(name, value, body):
            return value_of(body, {**env, name: value_of(value, env)})
    raise TypeError(e)


def inline(e: Any, name: str, by: Any, bug: str) -> Any:
    match e:
        case Num():
            return e
        case Ref(n):
            return by if n == name else e
        case Add(left, right):
            if bug == "only the left":
                return Add(inline(left, name, by, bug), right)
            return Add(inline(left, name, by, bug), inline(right, name, by, bug))
        case Let(n, value, body):
            value = e.value if bug == "not in values" else inline(value, name, by, bug)
            if n == name and bug != "ignores shadowing":
                return Let(n, value, body)
            return Let(n, value, inline(body, name, by, bug))
    raise TypeError(e)


def simplified(e: Any, bug: str) -> Any:
    match e:
        case Let(name, value, body):
            value = simplified(value, bug)
            if isinstance(value, Num):
                return simplified(inline(body, name, value, bug), bug)
            return Let(name, value, simplified(body, bug))
        case Add(left, right):
            left, right = simplified(left, bug), simplified(right, bug)
            if isinstance(left, Num) and isinstance(right, Num):
                if bug == "adds zero twice" and left.value == 0:
                    return Num(right.value * 2)
                return Num(left.value + right.value)
            return Add(left, right)
    return e


def simplifying_works(e: Any, bug: str) -> bool:
    try:
        return value_of(simplified(e, bug), {}) == value_of(e, {})
    except KeyError:
        return False


letters = gen.sampled_from(["x", "y"])
programs = gen.deferred(
    lambda: gen.one_of(
        gen.builds(Num, gen.integers(0, 9)),
        gen.builds(Ref, letters),
        gen.builds(Add, programs, programs),
        gen.builds(Let, letters, programs, programs),
    )
)


# --- interval maps -------------------------------------------------------------------------------------------


class Piece(NamedTuple):
    start: int
    stop: int
    colour: int


def is_interval_map(pieces: list[Piece]) -> bool:
    ordered = sorted(pieces)
    if ordered != pieces:
        return False
    for p in pieces:
        if p.stop <= p.start:
            return False
    return all(
        a.stop < b.start or (a.stop == b.start and a.colour != b.colour) for a, b in zip(pieces, pieces[1:])
    )


def painted(pieces: list[Piece], new: Piece, bug: str) -> list[Piece]:
    out = []
    for i, p in enumerate(pieces):
        if p.stop <= new.start or p.start >= new.stop:
            out.append(p)
            continue
        if p.start < new.start:
            out.append(Piece(p.start, new.start, p.colour))
        if p.stop > new.stop and not (bug == "loses the tail of a later one" and i > 1):
            out.append(Piece(new.stop, p.stop, new.colour if bug == "tail repainted" else p.colour))
    out.append(new)
    out.sort()
    joined: list[Piece] = []
    for p in out:
        if joined and joined[-1].stop == p.start and joined[-1].colour == p.colour:
            if bug == "joins only once" and len(out) > 3 and len(joined) == 2:
                joined.append(p)
                continue
            joined[-1] = Piece(joined[-1].start, p.stop, p.colour)
        else:
            joined.append(p)
    return joined


def colour_at(pieces: list[Piece], x: int) -> int | None:
    return next((p.colour for p in pieces if p.start <= x < p.stop), None)


def painting_works(pieces: list[Piece], bug: str) -> bool:
    for new in (Piece(3, 8, 0), Piece(5, 12, 1)):
        after = painted(pieces, new, bug)
        if not is_interval_map(after):
            return False
        for x in range(22):
            expected = new.colour if new.start <= x < new.stop else colour_at(pieces, x)
            if colour_at(after, x) != expected:
                return False
    return True


interval_maps = gen.lists(gen.builds(Piece, gen.integers(0, 20), gen.integers(0, 20), gen.integers(0, 2)))


# --- held: quadtrees, tasks, edits, hunks ---------------------------------------------------------------------


@dataclass(frozen=True)
class Pixel:
    black: bool


@dataclass(frozen=True)
class Quad:
    nw: Any
    ne: Any
    sw: Any
    se: Any


def parts(q: Quad) -> list[Any]:
    return [q.nw, q.ne, q.sw, q.se]


def depth(q: Any) -> int:
    return 0 if isinstance(q, Pixel) else 1 + max(map(depth, parts(q)))


def is_normal(q: Any) -> bool:
    if isinstance(q, Pixel):
        return True
    if not all(is_normal(p) for p in parts(q)):
        return False
    first = q.nw
    return not (isinstance(first, Pixel) and all(p == first for p in parts(q)))


def is_picture(q: Any) -> bool:
    return is_normal(q) and 1 <= depth(q) <= 3


def inverted(q: Any) -> Any:
    return Pixel(not q.black) if isinstance(q, Pixel) else Quad(*map(inverted, parts(q)))


def union(a: Any, b: Any, bug: str) -> Any:
    if isinstance(a, Pixel):
        return a if a.black else b
    if isinstance(b, Pixel):
        return union(b, a, bug)
    new = [union(x, y, bug) for x, y in zip(parts(a), parts(b))]
    if bug == "swaps the lower ones" and isinstance(a.sw, Quad):
        new[2], new[3] = new[3], new[2]
    if bug != "not normal" and all(p == Pixel(True) for p in new):
        return Pixel(True)
    return Quad(*new)


def turned(q: Any, bug: str) -> Any:
    if isinstance(q, Pixel):
        return q
    inner = [p if bug == "turns only the top" else turned(p, bug) for p in parts(q)]
    return Quad(inner[2], inner[0], inner[3], inner[1])


def dot(q: Any, x: int, y: int, n: int) -> bool:
    if isinstance(q, Pixel):
        return q.black
    h = n // 2
    return dot(parts(q)[(y >= h) * 2 + (x >= h)], x % h, y % h, h)


def pictures_work(q: Any, bug: str) -> bool:
    n = 8
    both = union(q, turned(q, ""), bug)
    if not is_normal(both) or union(q, inverted(q), bug) != Pixel(True):
        return False
    other, ours = turned(q, ""), turned(q, bug)
    for x in range(n):
        for y in range(n):
            if dot(both, x, y, n) != (dot(q, x, y, n) or dot(other, x, y, n)) or dot(
                ours, n - 1 - y, x, n
            ) != dot(q, x, y, n):
                return False
    return True


pictures = gen.deferred(
    lambda: gen.builds(Pixel, gen.booleans()) | gen.builds(Quad, pictures, pictures, pictures, pictures)
)


class Job:
    def __init__(self, name: int, hours: int, after: list[int]) -> None:
        self.name = name
        self.hours = hours
        self.after = after

    def __repr__(self) -> str:
        return f"Job({self.name}, {self.hours}, {self.after})"


@dataclass(frozen=True)
class Task:
    name: int
    hours: int
    after: tuple[int, ...]


def is_plan(tasks: list[Task]) -> bool:
    names = [t.name for t in tasks]
    if len(names) != len(set(names)):
        return False
    known: set[int] = set()
    for t in tasks:
        if t.hours == 0:
            return False
        if not set(t.after) <= known:
            return False
        known.add(t.name)
    return True


def finish(tasks: list[Task], bug: str) -> int:
    done: dict[int, int] = {}
    for t in tasks:
        after = t.after[:2] if bug == "two at most" else t.after
        start = max((done[a] for a in after), default=0)
        if bug == "last predecessor" and t.after:
            start = done[t.after[-1]]
        done[t.name] = start + t.hours
    if bug == "end of the last" and len(tasks) > 3:
        return done[tasks[-1].name]
    return max(done.values(), default=0)


def finishing_works(tasks: list[Task], bug: str) -> bool:
    by_name = {t.name: t for t in tasks}

    def end(name: int) -> int:
        t = by_name[name]
        return t.hours + max(map(end, t.after), default=0)

    return finish(tasks, bug) == max(map(end, by_name), default=0)


plans = gen.lists(
    gen.builds(
        Task, gen.integers(0, 7), gen.integers(0, 5), gen.lists(gen.integers(0, 7), max_size=3).map(tuple)
    )
)


@dataclass(frozen=True)
class Insert:
    at: int
    letter: str


@dataclass(frozen=True)
class Delete:
    at: int


def edits_apply(edits: list[Any]) -> bool:
    n = 2
    for e in edits:
        if isinstance(e, Insert):
            if e.at > n:
                return False
            n += 1
        else:
            if e.at >= n:
                return False
            n -= 1
    return True


def apply(text: str, edits: list[Any]) -> str:
    for e in edits:
        text = (
            text[: e.at] + e.letter + text[e.at :]
            if isinstance(e, Insert)
            else text[: e.at] + text[e.at + 1 :]
        )
    return text


def undone(text: str, edits: list[Any], bug: str) -> str:
    stack = []
    now = text
    for e in edits:
        stack.append((e, now[e.at] if isinstance(e, Delete) else ""))
        now = apply(now, [e])
    if bug == "forgets the fifth":
        stack = stack[-4:] if len(stack) > 4 else stack
    order = stack if bug == "oldest first" and len(stack) > 3 else stack[::-1]
    for e, letter in order:
        if isinstance(e, Insert):
            now = apply(now, [Delete(e.at)])
        else:
            at = e.at - 1 if bug == "puts back before" and e.at > 2 else e.at
            now = apply(now, [Insert(at, letter)])
    return now


def undoing_works(edits: list[Any], bug: str) -> bool:
    return undone("pq", edits, bug) == "pq"


edits = gen.lists(
    gen.builds(Insert, gen.integers(0, 9), gen.sampled_from("xyz")) | gen.builds(Delete, gen.integers(0, 9))
)


@dataclass(frozen=True)
class Run:
    entries: list[tuple[int, int]]


def is_store(levels: list[Run]) -> bool:
    for level in levels:
        ks = [k for k, _ in level.entries]
        if ks != sorted(ks) or len(set(ks)) != len(ks):
            return False
        if not ks:
            return False
    return all(len(a.entries) <= len(b.entries) for a, b in zip(levels, levels[1:]))


def compacted(levels: list[Run], bug: str) -> dict[int, int]:
    merged: dict[int, int] = {}
    for i, level in enumerate(levels if bug == "oldest wins" else reversed(levels)):
        for k, v in level.entries:
            if bug == "third level kept" and i == 2 and k in merged:
                continue
            merged[k] = v
    if bug == "zero deletes" and len(levels) > 2:
        merged = {k: v for k, v in merged.items() if v}
    return merged


def looked_up(levels: list[Run], key: int) -> int | None:
    for level in levels:
        for k, v in level.entries:
            if k == key:
                return v
    return None


def compaction_works(levels: list[Run], bug: str) -> bool:
    merged = compacted(levels, bug)
    return all(merged.get(k) == looked_up(levels, k) for k in range(10))


stores = gen.lists(gen.builds(Run, gen.lists(gen.tuples(gen.integers(0, 9), gen.integers(0, 3)))))

OPEN = [
    Structure(
        "tries",
        tries,
        is_trie,
        removing_works,
        ("drops the longer words", "loses the third edge", "keeps dead ends", "stops after pruning"),
    ),
    Structure(
        "sized trees",
        sized,
        is_sized,
        kth_works,
        ("rank without the root", "third level", "rotation forgets a size", "rotation drops the middle"),
    ),
    Structure(
        "let programs",
        programs,
        is_program,
        simplifying_works,
        ("only the left", "not in values", "ignores shadowing", "adds zero twice"),
    ),
    Structure(
        "interval maps",
        interval_maps,
        is_interval_map,
        painting_works,
        ("loses the tail of a later one", "tail repainted", "joins only once"),
    ),
]
HELD = [
    Structure(
        "pictures",
        pictures,
        is_picture,
        pictures_work,
        ("swaps the lower ones", "not normal", "turns only the top"),
    ),
    Structure(
        "plans", plans, is_plan, finishing_works, ("two at most", "last predecessor", "end of the last")
    ),
    Structure(
        "edits", edits, edits_apply, undoing_works, ("forgets the fifth", "oldest first", "puts back before")
    ),
    Structure(
        "stores", stores, is_store, compaction_works, ("oldest wins", "third level kept", "zero deletes")
    ),
]
