"""Statements: bodies of a few lines that end with ``made = ...`` or return early; programs are separated by empty lines."""

from __future__ import annotations

STATEMENTS = """
if n > 0:
    made = n
else:
    made = -n

if n > 0:
    made = "plus"
elif n == 0:
    made = "zero"
else:
    made = "minus"

made = 0
if b:
    made += n

made = n
made -= 1
made *= 2

made = n
made //= 2

made = m
made %= 2

made = m
made |= 4

made = m
made ^= 1

made = m
made <<= 1

made = [n]
made += [m]

made = "x"
made += s

made = 2
made **= m

a = c = n
made = a + c

a, c = n, m
made = a - c

a, c = c0 = (n, m)
made = c0

a, c = m, n
a, c = c, a
made = [a, c]

(a, c), z = (n, m), b
made = [a, c] if z else [c]

[a, c] = [n, m]
made = a * 2 + c

a, *rest = [n, m, 1]
made = rest

*front, z = [n, m, 1]
made = front

a, *_, z = [n, m, 1]
made = a + z

first, *_ = (n, m)
made = first

made: int = n

made = []
made.append(n)
made.append(m)

made = [n]
made.extend([m, 1])

made = [n]
made.extend(xs)

made = [n, 1]
made.insert(0, m)

made = [n, m]
made.insert(-1, 5)

made = [n, m]
made.insert(1, 5)

xs.append(n)
made = xs

made = [n, m, 0]
made.sort()

made = [n, m, 0]
made.sort(reverse=True)

made = [n, m]
made.sort(key=abs)

made = [n, m, 0]
made.reverse()

rest = [n, m]
made = rest.pop()

rest = [n, m]
made = rest.pop(0)

made = [n, m, 1]
made.remove(1)

made = [n, m]
made.clear()

made = [n, m]
del made[0]

made = [n, m, 0]
del made[1:]

made = [0, 0]
made[m % 2] = n

made = [0, 0, 0]
made[-1] = n

made = [0, 0, 0]
made[1:] = [n]

made = [n, m]
made[0] += 1

made = [n, m]
made[0], made[1] = made[1], made[0]

made = [[0] * 2 for _ in range(2)]
made[0][1] = n

made = [[0]] * 2
made[0].append(n)

made = list(range(3))
made[m % 3] = n

made = [n, m][:]
made.append(1)

made = {}
made["x"] = n

made = {"x": n}
made["x"] += 1

made = {"x": n}
if b:
    made["y"] = m

made = {"x": n}
made.update({"y": m})

made = {"x": n}
made.update(y=m)

made = dict(d)
made.update({"z": 1})

made = {"x": n}
made.setdefault("y", m)

made = {"x": n}
made.setdefault("x", m)

made = {"x": n, "y": m}
made.pop("x")

rest = {"x": n, "y": m}
made = rest.pop("x")

rest = {"x": n}
made = rest.pop("z", 5)

made = {"x": n, "y": m}
del made["x"]

made = {}
made.setdefault("x", []).append(n)

made = collections.defaultdict(int)
made["x"] += n
made = dict(made)

made = collections.defaultdict(list)
made["x"].append(n)
made = dict(made)

rest = collections.deque([n, m])
made = rest.popleft()

made = {"x": {"y": 0}}
made["x"]["y"] = n

d["z"] = n
made = d

d["a"] = n
made = d

made = {n}
made.add(m)

made = {0, 1}
made.discard(n)

made = {0, 1}
made.update([n])

made = {0, 1}
made |= {n}

st.add(n)
made = st

st -= {0}
made = st

p.x = n
made = p

p.x += 1
made = p.x

made = 0
for i in range(m):
    made += i

made = 0
for i in range(1, 4):
    if i == m:
        break
    made = i

made = []
for i in range(3):
    if i == m:
        continue
    made.append(i)

made = 0
for x in xs:
    made += x

made = 0
for x in xs:
    if x == 0:
        made = 5
        break
else:
    made = 7

made = []
for i, x in enumerate(xs):
    made.append(i + x)

made = []
for x, y in zip(xs, [1, 2]):
    made.append(x + y)

made = []
for a, c in [(1, n), (2, m)]:
    made.append(a + c)

made = []
for i in range(2):
    for j in range(2):
        if i != j:
            made.append(i + n)

made = []
for c in s:
    made.append(c)

made = ""
for c in s:
    made += c.upper()

made = ""
for i in range(m):
    made += str(i)

made = 0
for k, x in d.items():
    made += x

made = []
for k in sorted(d):
    made.append(k)

made = 0
for x in sorted(st):
    made = made * 2 + x

made = []
for x in reversed([n, m]):
    made.append(x)

made = []
for x in (n, m):
    if x not in made:
        made.append(x)

made = []
for _ in range(2):
    made.append(draw(gen.integers(0, 1)))

made = []
for _ in range(draw(gen.integers(0, 2))):
    made.append(draw(gen.booleans()))

made = []
for i in range(3):
    if draw(gen.booleans()):
        made.append(i)

made = [0]
for _ in range(2):
    made.append(made[-1] + draw(gen.integers(0, 1)))

made = []
for low in (0, 2):
    made.append(draw(gen.integers(low, 3)))

made = []
last = 0
for _ in range(2):
    last = draw(gen.integers(last, 2))
    made.append(last)

made = {}
for k in ("x", "y"):
    made[k] = draw(gen.integers(0, 1))

made = {}
for k in ("x", "y"):
    if draw(gen.booleans()):
        made[k] = n

made = set()
for i in range(2):
    made.add(draw(gen.integers(0, 2)))

made = 0
while made < m:
    made += 1

made = 0
while made < 2 and draw(gen.booleans()):
    made += 1

made = 0
while True:
    if made >= m:
        break
    made += 1

made = []
while len(made) < 2:
    made.append(draw(gen.integers(0, 1)))

made = []
left = 2
while left:
    step = draw(gen.integers(1, left))
    made.append(step)
    left -= step

rest = [n, m]
made = 0
while rest:
    made += rest.pop()

if b:
    return n, extra
made = m

assume(n != 0)
made = n

assume(n > 0 and m > 0)
made = n * m

if n == 0:
    reject()
made = n

assert n < 9
made = n

match n:
    case 0:
        made = "zero"
    case 1 | 2:
        made = "some"
    case _:
        made = "other"

match (n, b):
    case (0, True):
        made = 1
    case (x, False) if x > 0:
        made = x
    case _:
        made = 0

match xs:
    case []:
        made = 0
    case [x]:
        made = x
    case [x, *rest]:
        made = len(rest)

match e:
    case Kind.A:
        made = n
    case Kind.B:
        made = m

match d:
    case {"a": x}:
        made = x
    case _:
        made = -1

match p:
    case Point(x=0):
        made = 0
    case Point(x=a, y=c):
        made = a + c

match s:
    case "a" | "b":
        made = 1
    case str():
        made = 2

try:
    made = 6 // n
except ZeroDivisionError:
    made = 0

try:
    made = [1, 2][m]
except IndexError:
    made = -1

try:
    made = {"x": n}[s]
except KeyError:
    made = 7

try:
    made = int(s)
except ValueError:
    made = 0
finally:
    pass

try:
    made = n
except ValueError:
    made = 0
else:
    made = n + 1

def double(a):
    return a * 2
made = double(n)

def pick(low, high=2):
    return draw(gen.integers(low, high))
made = pick(0) + pick(1, high=1)

def pick(*, low):
    return draw(gen.integers(low, 2))
made = pick(low=1)

def add(*numbers):
    return sum(numbers)
made = add(n, m)

def named(**parts):
    return parts
made = named(x=n)

def bump():
    nonlocal_list.append(n)
nonlocal_list = []
bump()
made = nonlocal_list

add = lambda a, c=1: a + c
made = add(n)

functions = [lambda i=i: i for i in range(2)]
made = functions[0]() + n

functions = [lambda: i for i in range(2)]
made = functions[0]() + n

def keep(x, seen=[]):
    seen.append(x)
    return len(seen)
made = n

if (a := n + 1) > 0:
    made = a
else:
    made = 0

made = [a := n, a + 1]

made = (a := n) + a

def outer():
    def inner():
        return n
    return inner() + 1
made = outer()

rows = [[n], [m]]
made = rows[0] + rows[1]

rows = [[n], [m]]
made = rows[0]
made.append(1)

one = [n]
other = one
other.append(m)
made = one

one = [n]
other = list(one)
other.append(m)
made = one

pass
made = n

global_like = LIMIT
made = n + global_like

import math as m2
made = m2.floor(n)

made = n; made += 1

made = helper(n)

made = helper(a=n, c=m)

made = helper(*[n, m])

made = helper(**{"a": n})

made = drawing(draw, m)

made = draw(pair())

made = draw(pair(low=1))

first, second = draw(pair())
made = first + second

made = draw(optional(gen.integers(0, 1)))

made = [draw(gen.integers(0, i)) for i in range(2)]

made = {i: draw(gen.booleans()) for i in range(2)}

made = tuple(draw(gen.booleans()) for _ in range(2))

made = sum(draw(gen.integers(0, 1)) for _ in range(2))

made = max(draw(gen.integers(0, 1)), draw(gen.integers(0, 2)))

made = draw(gen.integers(0, draw(gen.integers(0, 1))))

made = draw(gen.booleans()) and draw(gen.integers(0, 1))

made = draw(gen.integers(0, 1)) if draw(gen.booleans()) else None

made = [draw(gen.booleans()), *draw(gen.lists(gen.booleans(), max_size=1))]

strategy = gen.integers(0, 1)
made = draw(strategy) + draw(strategy)

strategy = gen.integers(0, 1) if b else gen.integers(5, 6)
made = draw(strategy)

options = [gen.integers(0, 1), gen.just(5)]
made = draw(gen.one_of(options))

options = [gen.integers(0, 1)]
if b:
    options.append(gen.just(7))
made = draw(gen.one_of(*options))

options = {"a": gen.integers(0, 1), "b": gen.just(7)}
made = draw(options[draw(gen.sampled_from(["a", "b"]))])

choices = [1, 2]
if b:
    choices.append(3)
made = draw(gen.sampled_from(choices))

made = draw(gen.sampled_from([x for x in (0, 1, 2) if x != m]))

made = draw(gen.sampled_from(sorted({0, 1, 2} - {m})))

made = draw(gen.sampled_from(range(m + 1)))

made = draw(gen.sampled_from([n, m]))

made = draw(gen.sampled_from(list(TABLE.items())))

made = draw(gen.sampled_from(sorted(TABLE)))

made = draw(gen.permutations([n, m, 5]))

made = draw(gen.lists(gen.integers(0, 1), min_size=m % 2, max_size=1 + m % 2))

made = draw(gen.integers(min_value=n, max_value=n + m))

made = draw(gen.one_of(gen.just(n), gen.integers(0, m)))

made = draw(gen.one_of(*[gen.just(i) for i in range(2)]))

made = draw(gen.tuples(*[gen.integers(0, i) for i in range(2)]))

made = draw(gen.just([n])) + [m]

made = draw(gen.builds(Point, gen.just(n), y=gen.integers(0, 1)))

made = draw(gen.integers(0, 2).filter(lambda x: x != n))

made = draw(gen.integers(0, 1).map(lambda x: x + n))

made = draw(gen.integers(0, 1).flatmap(lambda x: gen.integers(x, 1)))
"""
