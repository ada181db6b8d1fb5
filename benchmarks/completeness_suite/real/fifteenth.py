"""A fifteenth set of realistic generators, written before the reader was changed and run once, after the work."""

from __future__ import annotations

from completeness_suite.real.suite import Real

FIFTEENTH: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    FIFTEENTH.append(Real(name, text, (old, new), misses, arguments))


real(
    "canvas_boxes",
    """
class Box(NamedTuple):
    left: int
    top: int
    width: int
    height: int

@covers(
    lambda b: b.left >= 0 and b.top >= 0 and b.width >= 1 and b.height >= 1 and b.left + b.width <= 80 and b.top + b.height <= 25
)
@gen.composite
def boxes(draw):
    left, top = draw(gen.tuples(gen.integers(0, 79), gen.integers(0, 24)))
    width = draw(gen.integers(1, 80 - left))
    height = draw(gen.integers(min_value=1, max_value=25 - top))
    return Box(left=left, top=top, width=width, height=height)
""",
    "gen.integers(1, 80 - left)",
    "gen.integers(1, max(1, 79 - left))",
    "Box(0, 0, 80, 1)",
)
real(
    "stack_commands",
    """
def allowed(commands) -> bool:
    depth = 0
    for command in commands:
        depth += 1 if command == "push" else -1
        if depth < 0:
            return False
    return True

@covers(lambda c: len(c) <= 3 and all(x in ("push", "pop") for x in c) and allowed(c))
@gen.composite
def commands(draw) -> list[str]:
    depth = 0
    made = []
    for _ in range(draw(gen.integers(0, 3))):
        command = draw(gen.sampled_from(["push", "pop"])) if depth > 0 else "push"
        depth += 1 if command == "push" else -1
        made.append(command)
    return made
""",
    "if depth > 0 else",
    "if depth > 1 else",
    '["push", "pop"]',
)
real(
    "joined_fields",
    """
WORDS = ("red", "green", "blue")

@covers(lambda s: 1 <= len(s.split(",")) <= 2 and all(w in WORDS for w in s.split(",")))
@gen.composite
def joined_fields(draw) -> str:
    words = draw(gen.lists(gen.sampled_from(WORDS), min_size=1, max_size=2))
    return ",".join(words)
""",
    "gen.sampled_from(WORDS)",
    "gen.sampled_from(WORDS[:2])",
    '"blue"',
)
real(
    "word_counts",
    """
@covers(lambda c: set(c) <= {"a", "b"} and all(n >= 1 for n in c.values()) and sum(c.values()) <= 3)
@gen.composite
def word_counts(draw) -> dict[str, int]:
    counts = {}
    for word in draw(gen.lists(gen.sampled_from("ab"), max_size=3)):
        counts[word] = counts.get(word, 0) + 1
    return counts
""",
    "max_size=3",
    "max_size=2",
    '{"a": 3}',
)
real(
    "calendar_days",
    """
@covers(lambda d: d[0] in range(1, 13) and 1 <= d[1] <= (28 if d[0] == 2 else 30 if d[0] in (4, 6, 9, 11) else 31))
@gen.composite
def calendar_days(draw):
    month = draw(gen.integers(1, 12))
    if month == 2:
        last = 28
    elif month in {4, 6, 9, 11}:
        last = 30
    else:
        last = 31
    return month, draw(gen.integers(1, last))
""",
    "{4, 6, 9, 11}",
    "{4, 6, 8, 9, 11}",
    "(8, 31)",
)
real(
    "percentages",
    """
@covers(lambda p: len(p) == 3 and all(x >= 0 for x in p) and sum(p) == 100)
@gen.composite
def percentages(draw) -> list[int]:
    cuts = sorted([draw(gen.integers(0, 100)), draw(gen.integers(0, 100))])
    return [b - a for a, b in zip([0, *cuts], [*cuts, 100])]
""",
    "draw(gen.integers(0, 100))",
    "draw(gen.integers(0, 99))",
    "[100, 0, 0]",
)
real(
    "ticket_histories",
    """
NEXT = {"new": ["open", "closed"], "open": ["closed"], "closed": ["open"]}

@covers(lambda h: 1 <= len(h) <= 3 and h[0] == "new" and all(b in NEXT[a] for a, b in zip(h, h[1:])))
@gen.composite
def histories(draw):
    states = ["new"]
    for _ in range(draw(gen.integers(0, 2))):
        states.append(draw(gen.sampled_from(NEXT[states[-1]])))
    return states
""",
    "gen.sampled_from(NEXT[states[-1]])",
    "gen.sampled_from(NEXT[states[-1]][:1])",
    '["new", "closed"]',
)
real(
    "slices_of_lists",
    """
@covers(lambda s: 0 <= s[0] <= s[1] <= 10 and s[2] != 0 and -3 <= s[2] <= 3)
@gen.composite
def slices(draw):
    start = draw(gen.integers(0, 10))
    stop = draw(gen.integers(start, 10))
    step = draw(gen.integers(-3, 3).filter(bool))
    return start, stop, step
""",
    "filter(bool)",
    "filter(lambda n: n > 0)",
    "(0, 1, -1)",
)
real(
    "permission_bits",
    """
@covers(lambda m: 0 <= m < 8)
@gen.composite
def permission_bits(draw) -> int:
    mask = 0
    for bit in (1, 2, 4):
        if draw(gen.booleans()):
            mask |= bit
    return mask
""",
    "(1, 2, 4)",
    "(1, 2)",
    "5",
)
real(
    "tokens",
    """
@dataclass(frozen=True)
class Token:
    kind: str
    value: int | str | None

@covers(
    lambda t: t.kind in ("number", "name", "end")
    and (t.kind != "number" or (isinstance(t.value, int) and t.value >= 0))
    and (t.kind != "name" or (isinstance(t.value, str) and 1 <= len(t.value) <= 5))
    and (t.kind != "end" or t.value is None)
)
@gen.composite
def tokens(draw) -> Token:
    kind, values = draw(
        gen.sampled_from(
            [("number", gen.integers(min_value=0)), ("name", gen.text(min_size=1, max_size=5)), ("end", gen.none())]
        )
    )
    return Token(kind, draw(values))
""",
    "gen.integers(min_value=0)",
    "gen.integers(min_value=1)",
    'Token("number", 0)',
)
real(
    "settings_with_optional_keys",
    """
@covers(
    lambda s: set(s) <= {"host", "port", "debug"}
    and s["host"] in ("localhost", "example.org")
    and ("port" not in s or 1 <= s["port"] <= 65535)
    and ("debug" not in s or isinstance(s["debug"], bool))
)
@gen.composite
def settings(draw) -> dict[str, object]:
    required = {"host": gen.sampled_from(["localhost", "example.org"])}
    optional = {"port": gen.integers(1, 65535), "debug": gen.booleans()}
    return draw(gen.fixed_dictionaries(required, optional=optional))
""",
    '["localhost", "example.org"]',
    '["localhost"]',
    '{"host": "example.org"}',
)
real(
    "appointments",
    """
@dataclass(frozen=True)
class Appointment:
    begins: datetime.datetime
    minutes: int
    guests: tuple[str, ...]

@covers(
    lambda a: datetime.datetime(2024, 1, 1) <= a.begins
    and a.minutes in (15, 30, 45, 60)
    and a.begins + datetime.timedelta(minutes=a.minutes) <= datetime.datetime(2025, 1, 1)
    and len(a.guests) <= 2
    and len(set(a.guests)) == len(a.guests)
    and all(g in ("ann", "bob", "cy") for g in a.guests)
)
@gen.composite
def appointments(draw):
    minutes = draw(gen.sampled_from([15, 30, 45, 60]))
    latest = datetime.datetime(2025, 1, 1) - datetime.timedelta(minutes=minutes)
    begins = draw(gen.datetimes(datetime.datetime(2024, 1, 1), latest))
    guests = draw(gen.lists(gen.sampled_from(["ann", "bob", "cy"]), unique=True, max_size=2))
    return Appointment(begins, minutes, tuple(guests))
""",
    "[15, 30, 45, 60]",
    "[15, 30, 60]",
    "Appointment(datetime.datetime(2024, 1, 1), 45, ())",
)
