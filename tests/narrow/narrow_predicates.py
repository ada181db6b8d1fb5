"""Conditions as people write them, one per line: name, generator, size, name of the value, expressions."""

from __future__ import annotations

from typing import Any

import narrow_vocabulary as v

PREDICATES: list[tuple[str, Any, int, str, str]] = [
    (
        "lists",
        v.lists,
        4,
        "xs",
        r"""
xs == sorted(xs)
sum(xs) == 4
xs and max(xs) == 3
min(xs, default=9) >= 1
len(set(xs)) == len(xs)
xs == xs[::-1]
xs[:2] == [1, 2]
xs[-1:] == [3]
xs[1:3] == [0, 1]
2 in xs
xs.count(1) == 2
xs.index(3) == 1 if 3 in xs else False
any((x == i for i, x in enumerate(xs)))
[*map(str, xs)] == ['1', '0']
''.join((f'{x}' for x in xs)) == '012'
'%d' % xs[0] == '2' if xs else False
f'{xs}' == '[1, 2]'
repr(xs) == '[]'
tuple(xs) in {(1, 2), (0,)}
dict(enumerate(xs)) == {0: 1}
collections.Counter(xs)[1] == 2
functools.reduce(operator.xor, xs, 0) == 3
list(itertools.accumulate(xs)) == [1, 2, 3]
all((0 < x < 3 for x in xs))
sorted(xs, reverse=True) == xs
sorted(xs, key=lambda x: -x)[:1] == [3]
[x for x in xs if x % 2] == [1, 3]
{x: i for i, x in enumerate(xs)}.get(2) == 0
math.prod(xs) == 6
len(xs) == 3 and xs[0] == xs[2]
xs[len(xs) // 2] == 2 if xs else False
list(zip(xs, xs[1:])) == [(1, 2)]
xs * 2 == [1, 1]
xs + [1] == [2, 1]
[1] + xs == [1, 3]
[0, *xs] == [0, 1]
(lambda a, *r: a == len(r))(*xs) if xs else False
attempt(lambda: xs[2] == 1, IndexError)
attempt(lambda: [10 // x for x in xs] == [10], ZeroDivisionError)
attempt(lambda: table[xs[0]] == 'o', (IndexError, KeyError))
table.get(len(xs)) == 't'
xs < [1, 2]
xs >= [3]
[1, 2] < xs
xs != []
not xs
bool(xs) is True and xs[0] is not None
next(iter(xs), None) == 2
next((x for x in xs if x > 1), 0) == 3
list(reversed(xs)) == [2, 1]
list(filter(None, xs)) == [1]
bytes(xs) == b'\x01\x02'
json.dumps(xs) == '[1]'
json.loads(json.dumps(xs)) == [3]
copy.copy(xs) == [1]
copy.deepcopy(xs) == [1, 1]
isinstance(xs, list) and len(xs) == 1
isinstance(xs, collections.abc.Sequence) and len(xs) == 1
hash(tuple(xs)) == hash((1,))
set(xs) <= {0, 1}
{1, 2} <= set(xs)
set(xs) & {3}
frozenset(xs) == frozenset([1])
mean(xs) == 1 if xs else False
sum((x * x for x in xs)) == 9
any((a + b == 5 for a, b in itertools.combinations(xs, 2)))
[len(list(g)) for k, g in itertools.groupby(xs)] == [2]
max(enumerate(xs), key=lambda p: p[1], default=(9, 9))[0] == 1
xs[::2] == [1, 1]
range(3)[xs[0]] == 1 if xs and xs[0] < 3 else False
'abcd'[xs[0]] == 'c' if xs else False
1 << len(xs) == 4
divmod(sum(xs), 2) == (1, 1)
-sum(xs) == -3
abs(sum(xs) - 4) <= 1
round(sum(xs) / 2) == 2
int(str(sum(xs))) == 2
pow(sum(xs), 2, 5) == 4
sum(xs) // 2 == 1
sum(xs) % 3 == 2
~sum(xs) == -2
(xs or [7])[0] == 7
[y for x in xs for y in range(x)] == [0, 1]
all(xs)
any(xs) and (not all(xs))
max(len(xs), sum(xs)) == 3
sum(map(bool, xs)) == 2
xs.copy() == [2]
[*xs] == list(xs) == [0, 0]
(n := len(xs)) == 2 and sum(xs) == n
seqmatch(xs)
seqmatch2(xs)
loop(xs)
bin_search(xs)
forelse(xs)
unpack(xs)
star(xs)
""",
    ),
    (
        "points",
        v.points,
        8,
        "p",
        r"""
p.norm == 3
p + P(1, 1) == P(0, 3)
p < P(-1, 0)
p.moved().x == 2
p in lookup
lookup.get(p) == 2
dataclasses.astuple(p) == (1, 1)
dataclasses.asdict(p) == {'x': 0, 'y': 2}
vars(p) == {'x': 2, 'y': 2}
p == P(1, -1)
p != P(0, 0) and p.x == 0
hash(p) == hash(P(2, 1))
str(p) == 'P(x=1, y=1)'
f'{p.x:+d}' == '+2'
p.x < p.y < 2
p.x * p.y == -2
p.x - p.y == 4
p.y - 1 == p.x + 1
-p.x == p.y
abs(p.x) == 2
p.x ** 2 + p.y ** 2 == 5
p.x and p.y
p.x or p.y == 1
not p.x
p.x in (1, 3)
p.x in range(-2, 0)
p.x not in {1, 2, 3, 0}
max(p.x, p.y) == -1
sorted([p.x, p.y]) == [0, 1]
{p.x, p.y} == {2}
p.x == 1.0
p.x > 0.5
p.x == True
math.gcd(p.x, p.y) == 2
math.hypot(p.x, p.y) == 1.0
p.x.bit_length() == 2
p.x.conjugate() == 1
(p.x, p.y) > (2, 1)
divmod(p.x, 2) == (1, 0)
p.x // 2 == -1
p.x % 2 == 1
p.x & 1
p.x | 1 == 3
p.x ^ p.y == 1
2 - p.x == p.y
1 + p.x > p.y + 1
3 > p.x >= p.y
p.x == p.y == 2
p.x != p.y
p.x is not None and p.x > 2
isinstance(p.x, int) and p.x == -3
[10, 20, 30][p.x] == 30 if 0 <= p.x < 3 else False
getattr(p, 'x') == 1 and hasattr(p, 'y') and (not hasattr(p, 'z'))
all((getattr(p, f.name) > 1 for f in dataclasses.fields(p)))
operator.attrgetter('x', 'y')(p) == (1, 3)
p.x.real == 2
attempt(lambda: 6 // p.x == p.y * 2, ZeroDivisionError)
attempt(lambda: p.zz, AttributeError, True)
float(p.x) == 1.0
int(p.x) == 1
bool(p.x)
str(p.x) == '-1'
'%s,%s' % (p.x, p.y) == '1,2'
'{0.x}{0.y}'.format(p) == '12'
'ab' * p.x == 'abab'
[0] * p.x == [0, 0]
list(range(p.x)) == [0, 1]
complex(p.x, p.y) == 1 + 1j
p.x.__add__(1) == 2
sum([p.x, p.y]) == 3
sum((p.x, p.y), 10) == 13
min(p.x, 0) == -2
round(p.x, 1) == 1
p.x.to_bytes(1, 'big', signed=True) == b'\xff'
hash(p.x) == -2
p.x << 1 == 4
8 >> abs(p.x) == 2
2 ** p.x == 4
-p.x < p.y
+p.x == 1
~p.x == 1
p.x / 2 == 0.5
6 % (abs(p.x) + 1) == 2
not (p.x < 0 or p.y < 0)
(p.x > 0) == (p.y > 0)
(p.x > 0) + (p.y > 0) == 1
p.x * 0 == 0 and p.y == 1
mp(p)
""",
    ),
    (
        "slotted",
        v.slotted,
        8,
        "s",
        r"""
ms(s)
s.b is None
s.b is not None and s.b > s.a
s.c is Color.RED
s.c == Color.GREEN
s.c.value == 'b'
s.c in (Color.RED, Color.BLUE)
s.c.name == 'RED' and s.a == 0
(s.b or 0) == s.a
{Color.RED: 1}.get(s.c, 0) == s.a
s == S(1, None, Color.RED)
s in {S(1, 2, Color.RED)}
dataclasses.replace(s, a=0) == S(0, None, Color.RED)
hash(s) == hash(S(0, 0, Color.RED))
s.b != None and s.a + s.b == 5
[s.a, s.b] == [1, None]
s.a if s.b else s.c is Color.RED
attempt(lambda: s.a < s.b, TypeError)
repr(s.c) == "<Color.RED: 'r'>"
list(Color).index(s.c) == s.a
isinstance(s.b, int)
copy.copy(s) == S(2, 1, Color.BLUE)
sorted([s.a, 2])[0] == s.a
""",
    ),
    (
        "ordered",
        v.ordered,
        6,
        "o",
        r"""
o < O(2, True)
o.flag and o.k > 3
o.flag is True
not o.flag
o.flag + o.k == 1
sorted([o, O(1)])[0] == o
max(o, O(2)) == O(2)
o.flag == (o.k > 2)
o.k >= 2 if o.flag else o.k < 2
O(3) <= o <= O(4, True)
[O(1), O(2)].count(o) == 1
o in [O(1), O(5, True)]
o == O(0)
dataclasses.astuple(o) > (4, False)
""",
    ),
    (
        "named tuples",
        v.named_tuples,
        6,
        "t",
        r"""
mn(t)
t.total() == 5
t[1] == 2
t.name == 'bb'
len(t) == 3 and t[0] == 'a'
t._replace(n=0) == NT('a', 0, (0, 0))
t._asdict()['n'] == 1
t == ('a', 1, (0, 0))
t < ('a', 2, ())
t.kids[0] == t.kids[-1]
(lambda a, b, c: b == len(a))(*t)
t in {('a', 0, (1, 2))}
t[1:] == (1, (2, 2))
t[::2] == ('a', (0, 1))
sum(t.kids) == t.n
max(t.kids) == 2
t.index(2) == 1 if 2 in t else False
t.count('a') == 1
t + (1,) == ('', 0, (0, 0), 1)
hash(t) == hash(('a', 1, (1, 1)))
[*t][1] == 3
t.name.upper() == 'BB' and t.n == 1
t.name * 2 == 'aa'
t.name[:1] == 'b'
re.match('b+', t.name) and t.n == 0
f'{t.name}{t.n}' == 'a1'
t.kids == (1, 2)
t.kids < (1,)
set(t.kids) == {0}
list(t.kids) == [2, 0]
dict([t.kids]) == {1: 2}
tuple(t) == ('a', 0, (0, 0))
list(zip(t.kids, t.kids[1:])) == [(1, 0)]
isinstance(t, tuple) and isinstance(t, NT) and (t.n == 3)
t.kids[t.n % 2] == 2
any((k > t.n for k in t.kids))
""",
    ),
    (
        "attrs",
        v.attrs_made,
        8,
        "a",
        r"""
a.width() == 2
a.lo < a.hi
attrs.asdict(a) == {'lo': 1, 'hi': 2}
attrs.astuple(a) == (0, 0)
a == At(1, 1)
attrs.evolve(a, lo=0) == At(0, 3)
str(a) == 'At(lo=1, hi=1)'
range(a.lo, a.hi) == range(1, 3)
len(range(a.lo, a.hi)) == 3
a.lo in range(a.hi)
slice(a.lo, a.hi) == slice(1, 2)
'abcde'[a.lo:a.hi] == 'bc'
[a.lo, a.hi].index(max(a.lo, a.hi)) == 1
""",
    ),
    (
        "frozen attrs",
        v.attrs_frozen,
        8,
        "a",
        r"""
a.tag is Color.RED and a.lo > 2
a in {Af(1, Color.RED)}
hash(a) == hash(Af(0, Color.BLUE))
{a: 1} == {Af(1, Color.GREEN): 1}
""",
    ),
    (
        "linked boxes",
        v.boxes,
        4,
        "b",
        r"""
mb(b)
list(b) == [1, 2]
len(b) == 3 and sum(b) == 2
2 in b
tail(b) == 4
b.rest is None
b.rest and b.rest.item == b.item
all((x == 0 for x in b))
sorted(b) == list(b)
b == Box(1, Box(1))
Box(1) == b
b in [Box(0), Box(2)]
max(b) - min(b) == 1
len({*b}) == 3
[i for i, x in enumerate(b) if x == i] == [0, 1]
b and sum((1 for _ in b)) == 2
dict(enumerate(b)).get(1) == 2
(b.rest or b).item == 1
b.rest != None and b.rest.rest == None
len(b) > 1 and hash(b.rest) == hash(Box(2))
functools.reduce(lambda a, x: a * 3 + x, b, 0) == 5
','.join(map(str, b)) == '1,2'
next(iter(b)) == 2
copy.deepcopy(b) == Box(1)
b.rest is not b and b.item == 0
""",
    ),
    (
        "expressions",
        v.expressions,
        6,
        "e",
        r"""
ev(e) == 3
depth(e) == 3
acc(e) == 2
attempt(lambda: strict(e), ValueError, True)
isinstance(e, Bin) and e.op == '*' and (ev(e.l) == ev(e.r))
isinstance(e, (Num, Neg)) and ev(e) < 0
e == Neg(Num(1))
repr(e) == 'Num(v=1)'
len(repr(e)) < 12
e.__class__ is Neg
e.__class__.__name__ == 'Num'
{Num: 1, Bin: 2, Neg: 3}[e.__class__] == 2 and e.op == '+'
issubclass(e.__class__, Neg)
hasattr(e, 'op') and e.op == '*'
getattr(e, 'v', None) == 1
'e' in vars(e)
dataclasses.is_dataclass(e) and len(dataclasses.fields(e)) == 1
json.dumps(dataclasses.asdict(e), sort_keys=True) == '{"v": 2}'
e in (Num(1), Neg(Num(1)))
{e} == {Num(0)}
e != Num(0) and isinstance(e, Num)
isinstance(e, Neg) and (not isinstance(e.e, Neg))
isinstance(e, Bin) and e.l == e.r
isinstance(e, Bin) and e.l is not e.r and (e.l != e.r)
isinstance(e, Bin | Neg) and ev(e) == 0
callable(getattr(e, '__hash__')) and ev(e) == 1
Visitor().visit(e) == 2
sd(e) == 2
stack(e)
early(e)
env_check(e)
sum((1 for _ in gen_walk(e))) == 4
[x.__class__ for x in gen_walk(e)] == [Neg, Neg, Num]
collections.Counter((x.__class__.__name__ for x in gen_walk(e)))['Num'] == 2
max((x.v for x in gen_walk(e) if isinstance(x, Num))) == 0
{x for x in gen_walk(e)} >= {Num(1), Num(2)}
""",
    ),
    (
        "tuples",
        v.tuples,
        8,
        "t",
        r"""
t[0] == 2 and t[1]
t[2] is None
t == (1, True, None)
(lambda a, b, c: a == (c or 0))(*t)
t[0] > 1 if t[1] else t[2] == 1
t[-1] == t[0]
None in t
t.count(1) == 2
t[:2] == (0, False)
len([x for x in t if x]) == 1
sum((x or 0 for x in t)) == 3
{t: 1}.get((0, True, 1))
tuple(reversed(t)) == (2, False, 1)
isinstance(t, tuple) and hash(t) == hash((1, True, 1))
any((x is True for x in t))
all((x is not None for x in t)) and t[0] == 4
""",
    ),
    (
        "nested",
        v.nested,
        5,
        "t",
        r"""
len(t[0]) == len(t[1])
all((any(r) for r in t[1])) and t[0] == [1]
[x for r in t[1] for x in r] == [True]
sum(map(len, t[1])) == len(t[0])
t[0] == [0] and t[1] != []
[[True]] == t[1]
t[1][:1] == [[]]
sorted(t[1]) == t[1]
max(map(len, t[1]), default=0) == 1
list(zip(*t)) == [(1, [])]
itertools.chain.from_iterable(t[1]).__class__ and list(itertools.chain(*t[1])) == [False, True]
dict(zip(t[0], t[1])) == {0: [], 1: []}
""",
    ),
    (
        "mixed",
        v.mixed,
        3,
        "v",
        r"""
v == 1
v is True
v is None
isinstance(v, str)
isinstance(v, bool)
isinstance(v, int) and (not isinstance(v, bool))
not v
v in ('a', 2)
str(v) == 'True'
v.__class__ is int
{1: 'x'}.get(v) == 'x'
v != 0 and v != ''
attempt(lambda: v + 1 == 2, TypeError)
attempt(lambda: len(v) == 1, TypeError)
""",
    ),
    (
        "lists of points",
        v.lists_of_points,
        6,
        "ps",
        r"""
len({p.x for p in ps}) == len(ps) == 2 and ps[0].y == 0
sum((p.x for p in ps)) == 3
sorted(ps) == ps and len(ps) == 2 and (ps[0].x == 2)
P(1, 1) in ps
max(ps, key=lambda p: p.y, default=P(0, 0)).y == 3 and len(ps) < 2
[p.x < q.x for p, q in itertools.combinations(ps, 2)] == [True] and ps[1].y == ps[0].y == 1
{p: i for i, p in enumerate(ps)}.get(P(0, 0)) == 0
""",
    ),
    (
        "keyword dicts",
        v.keyword_dicts,
        6,
        "d",
        r"""
d['a'] == 2 and d['b']
sum(d.values()) == 3
list(d) == ['a', 'b'] and d.get('c') is None and (d['a'] > 1)
""",
    ),
    (
        "dictionaries",
        v.dictionaries,
        4,
        "d",
        r"""
d.get('x') == 1
len(d) == 2 and d['x'] < d['y']
set(d) == {'y'}
""",
    ),
    (
        "permissions",
        v.permissions,
        2,
        "f",
        r"""
Perm.R in f
f & Perm.X
f.value == 2
""",
    ),
    (
        "priorities",
        v.priorities,
        2,
        "p",
        r"""
p > 1
p == Prio.LOW
p + 1 == 3
""",
    ),
]
