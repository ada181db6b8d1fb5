"""Expressions, one per line, of the names that :mod:`.programs` draws: ``n`` and ``m`` are numbers, ``b`` a truth, ``xs`` a
list, ``s`` a string, ``d`` a dictionary, ``t`` a tuple, ``st`` a set, ``day`` a date, ``p`` a record, ``e`` a member of an enum.
"""

from __future__ import annotations

NUMBERS = """
n + 1
n - m
n * 3
n // 2
n % 3
-n // 2
n // -2
n % -3
7 // (m + 1)
7 % (m + 1)
m ** 2
2 ** m
n << 1
m >> 1
m & 1
m & 2
m | 4
m ^ 1
~n
+n
-n
abs(n)
abs(n - m)
divmod(n, 2)
divmod(m, 2)[1]
round(n)
pow(2, m)
pow(n, 2)
int(b)
int(n)
bool(n)
int(n > 0)
int("12") + n
int(str(m))
float(n)
n / 2
n * 0.5
round(n / 2)
max(n, m)
min(n, m, 1)
max(n, 0)
max([n, m])
min((n, m))
max(xs, default=0)
min(xs, default=-1)
max(n, m, key=abs)
sum(xs)
sum(xs, n)
sum([n, m])
sum(x * x for x in xs)
sum(x > 0 for x in xs)
sum(1 for x in xs if x)
len(xs) + n
len(s)
n == m
n != 0 and m > 1
0 <= n < 2
-1 < n <= m
n in (0, 1)
n not in range(2)
n in [m, 1]
not n
b and n > 0
n > 0 or b
n or 5
n and 7
n if b else m
1 if n > 0 else -1 if n < 0 else 0
(n > 0) + (m > 1)
b + n
b == (n > 0)
b != (n > 0)
b ^ (n > 0)
b & (n > 0)
b | (n > 0)
n.bit_length()
m.bit_length()
bin(m)
hex(m)
chr(97 + m)
ord("a") + m
math.gcd(m, 6)
math.ceil(n / 2)
math.floor(n / 2)
math.isqrt(m)
math.factorial(m)
math.prod(xs)
math.comb(3, m)
math.lcm(m, 2)
operator.add(n, m)
(lambda a: a + 1)(n)
n.real
"""

LISTS = """
xs
[n, m]
[n] + xs
xs + [n]
xs * 2
[n] * 2
[*xs, n]
[n, *xs, m]
xs[:1]
xs[1:]
xs[-1:]
xs[:-1]
xs[::-1]
xs[::2]
[0, 1, 2, 3][m]
[0, 1, 2, 3][-1 - m]
[1, 2, 3, 4][m:]
[1, 2, 3, 4][:m]
[1, 2, 3, 4][1:3]
[1, 2, 3, 4][::2]
[1, 2, 3, 4][m::2]
[n, m, 0][0]
xs[0] if xs else n
xs[-1] if xs else n
list(xs)
list(range(m))
list(range(1, m + 1))
list(range(0, 6, 2))
list(range(m, 0, -1))
list(range(0, m, 2))
list(reversed(xs))
list(reversed([n, m]))
sorted(xs)
sorted(xs, reverse=True)
sorted([n, m])
sorted([n, m, 0], key=abs)
sorted([n, m], key=lambda a: -a)
sorted(["b", "a", s])
sorted([(n, 1), (m, 0)])
[x + 1 for x in xs]
[x for x in xs if x]
[x for x in [n, m] if x > 0]
[x * y for x in [1, 2] for y in [n, m]]
[i for i, x in enumerate(xs) if x]
[i + x for i, x in enumerate(xs, 1)]
[i + x for i, x in enumerate(xs, start=1)]
[a + c for a, c in zip(xs, [1, 2])]
[a for a, _ in zip(xs, range(5))]
[[x] for x in xs]
[x for row in [[n], [m]] for x in row]
[(x, x) for x in xs]
[n for _ in range(2)]
[str(x) for x in xs]
[x if x else 9 for x in xs]
list(map(abs, [n, m]))
list(map(lambda x: x + 1, xs))
list(map(str, xs))
list(filter(None, [n, m]))
list(filter(lambda x: x > 0, xs))
list(zip(xs, xs))
list(zip([n, m], [1, 2], strict=True))
list(enumerate(xs))
list(enumerate([n, m], 1))
list(dict.fromkeys(xs))
list(set(xs))
sorted(set(xs))
list(tuple(xs))
list(s)
xs.copy()
xs.index(1) if 1 in xs else -1
xs.count(1)
1 in xs
n not in xs
xs == [1]
xs != []
[n] == xs
not xs
bool(xs)
xs or [5]
all(xs)
any(xs)
all(x > 0 for x in xs)
any(x > n for x in xs)
all(a <= c for a, c in zip(xs, xs[1:]))
len(set(xs)) == len(xs)
len([x for x in xs if x])
max(x + 1 for x in [n, m])
min([n, m], key=lambda a: -a)
next((x for x in xs if x), None)
next(iter([n, m]))
list(itertools.chain([n], xs))
list(itertools.chain.from_iterable([[n], xs]))
list(itertools.accumulate([n, m]))
list(itertools.accumulate(xs))
list(itertools.repeat(n, 2))
list(itertools.islice([1, 2, 3], m))
list(itertools.combinations([n, m, 1], 2))
list(itertools.product([n], [m]))
list(itertools.pairwise([n, m, 0]))
list(itertools.takewhile(lambda x: x > 0, xs))
list(itertools.zip_longest([n], [m, 0], fillvalue=0))
functools.reduce(lambda a, c: a + c, xs, 0)
functools.reduce(operator.mul, [n, m])
statistics.median([n, m, 0])
collections.Counter(xs)[1]
"""

TUPLES = """
(n, m)
(n,)
t[0]
t[1]
t[-1]
t + (n,)
(n, *t)
t[::-1]
t[:1]
t * 2
t == (0, True)
tuple(xs)
tuple([n, m])
tuple(x + 1 for x in xs)
tuple(sorted((n, m)))
tuple(range(m))
tuple(reversed(t))
(n, m) < (0, 2)
len(t)
n in t
t.count(1)
t.index(t[0])
tuple(zip(*[(n, 1), (m, 2)]))
((n, m), b)
(n, [m])
min((n, 1), (m, 0))
sum((n, m))
dict([("a", n), ("b", m)])
"""

STRINGS = """
s
s + "x"
"x" + s
s * 2
"ab" * m
s.upper()
s.lower()
s.title()
s.capitalize()
s.swapcase()
s.strip("a")
s.lstrip("a")
s.rstrip("b")
s.replace("a", "c")
s.zfill(3)
s.center(4)
s.ljust(3, ".")
s.rjust(3)
s.split("a")
s.split(",")
"a,b".split(",")[0] + s
s.partition("a")
s.find("b")
s.index("a") if "a" in s else -1
s.count("a")
s.startswith("a")
s.endswith("b")
s.startswith(("a", "b"))
s.isalpha()
s.isdigit()
s.isupper()
s.islower()
s.isidentifier()
s.isspace()
s.encode()
s.removeprefix("a")
s.removesuffix("b")
s.join(["x", "y"])
",".join([s, "z"])
"".join(["x", s])
"-".join(str(x) for x in [n, m])
"-".join(str(x) for x in xs)
"".join(reversed(s))
"".join(sorted(s))
s[0] if s else ""
s[-1] if s else ""
s[1:]
s[:1]
s[::-1]
"abcd"[m]
"abcd"[:m]
"ab" in s
"a" not in s
s in ("a", "b")
s == "ab"
s < "b"
s <= "ab"
not s
s or "z"
len(s) > 1
f"{n}"
f"{n}-{m}"
f"{n:03d}"
f"{m:>2}"
f"{n!r}"
f"{s}!"
f"{s!r}"
f"{s:>3}"
f"{n=}"
f"{m:x}"
f"<{s.upper()}>"
f"{n + 1}"
f"{n * 1.5:.2f}"
"{} and {}".format(n, m)
"{:02d}".format(m)
"{a}-{b}".format(a=n, b=m)
"%d" % n
"%s-%02d" % (s, m)
str(n)
str(b)
str(n) + s
repr(n)
repr(s)
ascii(s)
int("1" + str(m))
chr(ord("a") + m) + s
set(s)
list(s)
sorted(s)
max(s, default="z")
any(c == "a" for c in s)
all(c in "ab" for c in s)
[c for c in s]
[c.upper() for c in s]
sum(c == "a" for c in s)
string.ascii_lowercase[m]
string.digits[:m]
s.casefold()
s.translate(str.maketrans("a", "z"))
s.expandtabs()
s.splitlines()
"""

MAPPINGS = """
d
{"x": n}
{"x": n, "y": m}
{"x": n}["x"]
{**d}
{**d, "z": n}
{"z": n, **d}
{**{"x": n}, **{"x": m}}
{"x": n} | {"y": m}
{"x": n} | {"x": m}
dict(x=n, y=m)
dict([("x", n)])
dict(zip(["x", "y"], [n, m]))
dict(d)
d.copy()
d.get("a")
d.get("a", 5)
d.get("z", n)
d["a"] if "a" in d else n
"a" in d
"a" not in d
len(d)
not d
d == {"a": 1}
d == {}
list(d)
sorted(d)
list(d.keys())
sorted(d.values())
sum(d.values())
list(d.items())
sorted(d.items())
max(d.values(), default=0)
{k: x + 1 for k, x in d.items()}
{k: x for k, x in d.items() if x}
{x: k for k, x in [("a", n), ("b", m)]}
{k: n for k in "ab"}
{i: x for i, x in enumerate(xs)}
{str(i): i for i in range(2)}
[k for k in d if d[k]]
[x for x in d.values() if x]
set(d)
all(x for x in d.values())
any(k == "a" for k in d)
{"x": 1, "y": 2}.get(s, 0)
{0: "a", 1: "b"}.get(n, "z")
TABLE["k"] + n
TABLE[draw(gen.sampled_from(["k", "m"]))]
TABLE.get(s, n)
{n: 1, m: 2}
{"x": [n], "y": []}
{"x": {"y": n}}
{"x": {"y": n}}["x"]["y"]
dict(collections.OrderedDict(x=n))
dict(collections.Counter(s))
dict.fromkeys(["x", "y"], n)
"""

SETS = """
st
{n, m}
{n}
set()
set(xs)
set([n, m])
frozenset(xs)
frozenset({n})
st | {n}
st & {0, 1}
st - {0}
st ^ {0}
st.union({n})
st.union([n, m])
st.intersection({0, 1})
st.difference({0})
st.symmetric_difference({0})
st <= {0, 1}
st < {0, 1, 2}
st == {0}
st >= {1}
st.issubset({0, 1})
st.issuperset({1})
st.isdisjoint({1})
n in st
len(st)
not st
sorted(st)
sum(st)
max(st, default=0)
{x + 1 for x in xs}
{x for x in xs if x}
{x % 2 for x in st}
{str(x) for x in xs}
[x for x in sorted(st)]
set(range(m))
set("ab") | set(s)
st.copy()
{(n, m)}
all(x > 0 for x in st)
tuple(sorted(st))
"""

RECORDS = """
p
p.x
p.x + p.y
p == Point(0, 1)
Point(n, m)
Point(x=n, y=m)
Point(n)
Point(*[n, m])
Point(*t)
Point(**{"x": n, "y": m})
dataclasses.replace(p, x=n)
dataclasses.asdict(p)
dataclasses.astuple(p)
p.size
p.moved(n)
Point.origin()
Point.make(n)
Point.LIMIT + n
Pair(n, m)
Pair(n, m)[0]
Pair(n, m).a
Pair(n, m) + (1,)
Pair(n, m)._replace(a=0)
Pair(n, m)._asdict()
Pair._make([n, m])
Pair(*xs) if len(xs) == 2 else Pair(n, m)
[q.x for q in [p, Point(n)]]
e
e.value
e.name
e is Kind.A
e == Kind.B
e in (Kind.A, Kind.B)
Kind(1)
Kind["A"]
list(Kind)
[k for k in Kind if k is not e]
len(Kind)
Kind(m % 2 + 1)
isinstance(p, Point)
isinstance(n, int)
type(n) is int
None
None if b else n
n is None
(None if b else n) is not None
Level.HIGH > Level.LOW
Level.LOW + n
getattr(p, "x")
hasattr(p, "z")
SimpleNamespace(a=n).a
{Kind.A: n, Kind.B: m}[e]
{Kind.A: "x", Kind.B: "y"}[e]
"""

TIMES = """
day
day + datetime.timedelta(days=n)
day - datetime.timedelta(days=m)
day + datetime.timedelta(1)
datetime.timedelta(days=n)
datetime.timedelta(hours=m, minutes=30)
datetime.timedelta(days=m).days
datetime.timedelta(minutes=m).total_seconds()
datetime.timedelta(days=1) * m
datetime.timedelta(days=m) / 2
datetime.timedelta(days=m) // 2
-datetime.timedelta(days=m)
(day - datetime.date(2024, 1, 1)).days
day.year
day.month
day.day
day.weekday()
day.isoweekday()
day.isoformat()
day.toordinal()
day.replace(day=1)
day.replace(year=2023, day=1)
day.strftime("%Y")
day < datetime.date(2024, 3, 1)
max(day, datetime.date(2024, 2, 29))
datetime.date(2024, 1, 1 + m)
datetime.date(2024, m + 1, 1)
datetime.datetime(2024, 1, 1, m)
datetime.datetime(2024, 1, 1, hour=m, minute=30)
datetime.time(m, 30)
datetime.datetime.combine(day, datetime.time(0))
datetime.datetime.combine(day, datetime.time(m))
datetime.date.fromordinal(738000 + m)
datetime.date.fromisoformat("2024-01-01")
datetime.date.min + datetime.timedelta(days=m)
datetime.datetime(2024, 1, 1) + datetime.timedelta(minutes=m)
datetime.datetime(2024, 1, 1, m).date()
datetime.datetime(2024, 1, 1, m).time()
datetime.datetime(2024, 1, 1, m).hour
datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
decimal.Decimal(n)
decimal.Decimal(n) / 2
decimal.Decimal("1.5") + n
fractions.Fraction(n, 3)
fractions.Fraction(n, 3).denominator
uuid.UUID(int=m)
pathlib.PurePosixPath("a") / s
complex(n, m)
bytes([m])
bytes(m)
b"x" + bytes([m])
bytearray([m])
re.sub("a", "x", s)
json.dumps({"a": n})
json.dumps([n, m])
"""

GROUPS = {
    "numbers": NUMBERS, "lists": LISTS, "tuples": TUPLES, "strings": STRINGS, "mappings": MAPPINGS, "sets": SETS,
    "records": RECORDS, "times and others": TIMES,
}  # fmt: skip
