"""The libraries under mutation, with natural properties of them: round trips, invariants, brute force, models.

Every property takes the module under test first, then generated arguments. Its inputs are written once, as a function of
the namespace of generators, so both tools get the same words (``st`` is ``everycase.gen`` or
``hypothesis.strategies``). The properties were written before anything was tuned.
"""

from __future__ import annotations

import datetime
import json
import math
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any


@dataclass
class Prop:
    """A property of a module: its inputs and its test."""

    inputs: Callable[[Any], tuple[Any, ...]]
    test: Callable[..., object]

    @property
    def name(self) -> str:
        return self.test.__name__


@dataclass
class Subject:
    """A module, its origin (None: the standard library), and its properties."""

    module: str
    requirement: str | None = None
    #: accelerators written in C, which are hidden so that the Python code runs
    hidden: tuple[str, ...] = ()
    props: tuple[Prop, ...] = ()


SUBJECTS: list[Subject] = []


def subject(module: str, requirement: str | None = None, hidden: tuple[str, ...] = ()) -> Subject:
    made = Subject(module, requirement, hidden)
    SUBJECTS.append(made)
    return made


def of(where: Subject, inputs: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], Any]:
    """Add the decorated test to a subject."""

    def add(test: Callable[..., object]) -> Callable[..., object]:
        where.props += (Prop(inputs, test),)
        return test

    return add


def ints(st: Any) -> Any:
    return st.lists(st.integers())


# --- the standard library -------------------------------------------------------------------------------

BISECT = subject("bisect", hidden=("_bisect",))


@of(BISECT, lambda st: (ints(st), st.integers()))
def bisect_splits(m: Any, xs: list[int], x: int) -> None:
    xs = sorted(xs)
    left, right = m.bisect_left(xs, x), m.bisect_right(xs, x)
    assert all(y < x for y in xs[:left]) and all(y >= x for y in xs[left:])
    assert all(y <= x for y in xs[:right]) and all(y > x for y in xs[right:])


@of(BISECT, lambda st: (ints(st), st.integers()))
def insort_keeps_order(m: Any, xs: list[int], x: int) -> None:
    for insert in (m.insort_left, m.insort_right):
        ys = sorted(xs)
        insert(ys, x)
        assert ys == sorted([*xs, x])


@of(BISECT, lambda st: (ints(st), st.integers()))
def bisect_by_key(m: Any, xs: list[int], x: int) -> None:
    xs = sorted(xs, key=lambda y: -y)
    at = m.bisect_left(xs, -x, key=lambda y: -y)
    assert all(y > x for y in xs[:at]) and all(y <= x for y in xs[at:])
    at = m.bisect_right(xs, -x, key=lambda y: -y)
    assert all(y >= x for y in xs[:at]) and all(y < x for y in xs[at:])


HEAPQ = subject("heapq", hidden=("_heapq",))


@of(HEAPQ, lambda st: (ints(st),))
def heap_sorts(m: Any, xs: list[int]) -> None:
    heap = list(xs)
    m.heapify(heap)
    assert [m.heappop(heap) for _ in xs] == sorted(xs)


@of(HEAPQ, lambda st: (ints(st), st.integers()))
def heap_pushpop(m: Any, xs: list[int], x: int) -> None:
    heap: list[int] = []
    for y in xs:
        m.heappush(heap, y)
    assert m.heappushpop(heap, x) == min([*xs, x])
    if xs:
        smallest = heap[0]
        assert m.heapreplace(heap, x) == smallest
        assert heap[0] == min(heap)


@of(HEAPQ, lambda st: (ints(st), st.integers(0, 12)))
def heap_extremes(m: Any, xs: list[int], n: int) -> None:
    assert m.nsmallest(n, xs) == sorted(xs)[:n]
    assert m.nlargest(n, xs) == sorted(xs, reverse=True)[:n]
    assert m.nsmallest(n, xs, key=abs) == sorted(xs, key=abs)[:n]


@of(HEAPQ, lambda st: (st.lists(ints(st)), st.booleans()))
def heap_merges(m: Any, lists: list[list[int]], reverse: bool) -> None:
    merged = m.merge(*[sorted(xs, reverse=reverse) for xs in lists], reverse=reverse)
    assert list(merged) == sorted((x for xs in lists for x in xs), reverse=reverse)


TEXTWRAP = subject("textwrap")


@of(TEXTWRAP, lambda st: (st.text(), st.integers(1, 40)))
def wrap_keeps_width_and_words(m: Any, text: str, width: int) -> None:
    lines = m.wrap(text, width)
    assert all(len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@of(TEXTWRAP, lambda st: (st.lists(st.text("ab- "), max_size=8), st.integers(4, 12)))
def wrap_with_words(m: Any, words: list[str], width: int) -> None:
    text = " ".join(words)
    lines = m.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    assert " ".join(lines).split() == text.split()
    assert all(len(line) <= width or len(line.split()) == 1 for line in lines)


@of(TEXTWRAP, lambda st: (st.lists(st.text("ab \t")), st.sampled_from(["  ", "\t", "> "])))
def indent_then_dedent(m: Any, lines: list[str], prefix: str) -> None:
    text = "\n".join(lines)
    indented = m.indent(text, prefix)
    assert len(indented.split("\n")) == len(text.split("\n"))
    if not prefix.strip():
        assert m.dedent(indented) == m.dedent(text)


@of(TEXTWRAP, lambda st: (st.text("ab "), st.integers(5, 30)))
def shorten_fits(m: Any, text: str, width: int) -> None:
    short = m.shorten(text, width, placeholder="...")
    assert len(short) <= width
    assert short == " ".join(text.split()) or short.endswith("...")


SHLEX = subject("shlex")


@of(SHLEX, lambda st: (st.lists(st.text()),))
def shell_words_round_trip(m: Any, words: list[str]) -> None:
    assert m.split(m.join(words)) == words


@of(SHLEX, lambda st: (st.lists(st.text("ab'\"\\ #", max_size=6)), st.booleans()))
def shell_quoting(m: Any, words: list[str], comments: bool) -> None:
    line = " ".join(m.quote(word) for word in words)
    assert m.split(line, comments=comments) == words


FRACTIONS = subject("fractions")


def _rationals(st: Any) -> Any:
    return st.tuples(st.integers(), st.integers(min_value=1))


@of(FRACTIONS, lambda st: (_rationals(st), _rationals(st)))
def fractions_form_a_field(m: Any, p: tuple[int, int], q: tuple[int, int]) -> None:
    a, b = m.Fraction(*p), m.Fraction(*q)
    assert a + b - b == a and (a - b) + b == a
    assert math.gcd(a.numerator, a.denominator) == 1 and a.denominator > 0
    if b:
        assert a / b * b == a
        assert (a // b) * b + a % b == a
        assert divmod(a, b) == (a // b, a % b)


@of(FRACTIONS, lambda st: (_rationals(st), _rationals(st)))
def fractions_are_ordered(m: Any, p: tuple[int, int], q: tuple[int, int]) -> None:
    a, b = m.Fraction(*p), m.Fraction(*q)
    cross = p[0] * q[1] - q[0] * p[1]
    assert (a < b) == (cross < 0) and (a <= b) == (cross <= 0) and (a == b) == (cross == 0)
    assert a != b or hash(a) == hash(b)


@of(FRACTIONS, lambda st: (_rationals(st), st.integers(1, 1000)))
def fractions_round(m: Any, p: tuple[int, int], most: int) -> None:
    a = m.Fraction(*p)
    assert math.floor(a) == p[0] // p[1] and math.ceil(a) == -(-p[0] // p[1])
    assert abs(round(a) - a) <= m.Fraction(1, 2)
    assert m.Fraction(str(a)) == a
    near = a.limit_denominator(most)
    assert near.denominator <= most
    assert a.denominator > most or near == a
    assert abs(near - a) <= abs(m.Fraction(math.floor(a)) - a)


@of(FRACTIONS, lambda st: (st.floats(allow_nan=False, allow_infinity=False),))
def fractions_of_floats(m: Any, x: float) -> None:
    assert float(m.Fraction(x)) == x
    assert m.Fraction(x) == x and not m.Fraction(x) < x


IPADDRESS = subject("ipaddress")


@of(IPADDRESS, lambda st: (st.integers(0, 2**32 - 1), st.integers(0, 2**128 - 1)))
def addresses_round_trip(m: Any, four: int, six: int) -> None:
    a, b = m.IPv4Address(four), m.IPv6Address(six)
    assert int(m.ip_address(str(a))) == four and int(m.ip_address(str(b))) == six
    assert m.IPv6Address(b.exploded) == b and m.IPv4Address(a.packed) == a


@of(IPADDRESS, lambda st: (st.integers(0, 2**32 - 1), st.integers(0, 32), st.integers(0, 2**32 - 1)))
def networks_contain(m: Any, base: int, prefix: int, other: int) -> None:
    net = m.ip_network((base, prefix), strict=False)
    first, last = int(net.network_address), int(net.broadcast_address)
    assert first <= base <= last and net.num_addresses == last - first + 1
    assert (m.ip_address(other) in net) == (first <= other <= last)
    assert m.ip_network(str(net)) == net
    assert net.subnet_of(net.supernet()) and net.overlaps(net.supernet())


@of(IPADDRESS, lambda st: (st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)))
def ranges_are_summarized(m: Any, a: int, b: int) -> None:
    a, b = min(a, b), max(a, b)
    nets = list(m.summarize_address_range(m.IPv4Address(a), m.IPv4Address(b)))
    assert sum(net.num_addresses for net in nets) == b - a + 1
    assert int(nets[0].network_address) == a and int(nets[-1].broadcast_address) == b
    assert list(m.collapse_addresses(reversed(nets))) == nets


DIFFLIB = subject("difflib")


@of(DIFFLIB, lambda st: (ints(st), ints(st)))
def opcodes_turn_one_into_the_other(m: Any, a: list[int], b: list[int]) -> None:
    matcher = m.SequenceMatcher(None, a, b)
    made: list[int] = []
    at = 0
    for tag, i, j, k, n in matcher.get_opcodes():
        assert i == at and i <= j and k <= n
        at = j
        if tag == "equal":
            assert a[i:j] == b[k:n]
        made += a[i:j] if tag == "equal" else b[k:n]
    assert made == b and at == len(a)
    assert 0 <= matcher.ratio() <= matcher.quick_ratio() <= matcher.real_quick_ratio() <= 1


@of(DIFFLIB, lambda st: (st.text("ab"), st.text("ab")))
def longest_match_matches(m: Any, a: str, b: str) -> None:
    match = m.SequenceMatcher(None, a, b).find_longest_match()
    assert a[match.a : match.a + match.size] == b[match.b : match.b + match.size]
    assert (match.size > 0) == bool(set(a) & set(b))


@of(DIFFLIB, lambda st: (st.lists(st.text("ab ")), st.lists(st.text("ab "))))
def ndiff_restores(m: Any, a: list[str], b: list[str]) -> None:
    delta = list(m.ndiff(a, b))
    assert list(m.restore(delta, 1)) == a and list(m.restore(delta, 2)) == b


BASE64 = subject("base64")


@of(BASE64, lambda st: (st.binary(),))
def base32_round_trip(m: Any, data: bytes) -> None:
    assert m.b32decode(m.b32encode(data)) == data
    assert m.b32hexdecode(m.b32hexencode(data)) == data
    assert m.b16decode(m.b16encode(data)) == data


@of(BASE64, lambda st: (st.binary(), st.booleans(), st.booleans(), st.sampled_from([0, 5, 20])))
def base85_round_trip(m: Any, data: bytes, pad: bool, adobe: bool, wrap: int) -> None:
    assert m.b85decode(m.b85encode(data)) == data
    text = m.a85encode(data, adobe=adobe, wrapcol=wrap)
    assert m.a85decode(text, adobe=adobe) == data
    padded = m.a85decode(m.a85encode(data, pad=pad))
    assert padded.startswith(data) and len(padded) - len(data) < 4


URLPARSE = subject("urllib.parse")


@of(URLPARSE, lambda st: (st.text(), st.binary()))
def quoting_round_trip(m: Any, text: str, data: bytes) -> None:
    assert m.unquote(m.quote(text)) == text and m.unquote_plus(m.quote_plus(text)) == text
    assert m.unquote_to_bytes(m.quote_from_bytes(data)) == data


@of(URLPARSE, lambda st: (st.lists(st.tuples(st.text(), st.text())),))
def query_round_trip(m: Any, pairs: list[tuple[str, str]]) -> None:
    query = m.urlencode(pairs)
    assert m.parse_qsl(query, keep_blank_values=True) == pairs
    assert sum(len(values) for values in m.parse_qs(query).values()) == sum(bool(v) for _, v in pairs)


def _word(st: Any) -> Any:
    return st.text("ab.1", min_size=1)


@of(
    URLPARSE,
    lambda st: (_word(st), st.one_of(st.none(), st.integers(0, 65535)), st.lists(_word(st)), st.text("ab&=")),
)
def url_round_trip(m: Any, host: str, port: int | None, path: list[str], query: str) -> None:
    netloc = host if port is None else f"{host}:{port}"
    url = m.urlunsplit(("http", netloc, "/".join(["", *path]), query, ""))
    parts = m.urlsplit(url)
    assert (parts.hostname, parts.port, parts.query) == (host, port, query)
    assert parts.geturl() == url and m.urldefrag(url + "#x").url == url


STATISTICS = subject("statistics")


@of(STATISTICS, lambda st: (st.lists(st.integers(-1000, 1000), min_size=1),))
def averages(m: Any, xs: list[int]) -> None:
    assert math.isclose(m.mean(xs), sum(xs) / len(xs))
    assert sum(x <= m.median(xs) for x in xs) * 2 >= len(xs) <= sum(x >= m.median(xs) for x in xs) * 2
    assert m.median_low(xs) in xs and m.median_high(xs) in xs
    assert m.median_low(xs) <= m.median(xs) <= m.median_high(xs)
    assert xs.count(m.mode(xs)) == max(Counter(xs).values()) == xs.count(m.multimode(xs)[-1])


@of(STATISTICS, lambda st: (st.lists(st.integers(-1000, 1000), min_size=2), st.integers(1, 12)))
def spreads(m: Any, xs: list[int], n: int) -> None:
    mean = Fraction(sum(xs), len(xs))
    squares = sum((x - mean) ** 2 for x in xs)
    assert math.isclose(m.pvariance(xs), squares / len(xs), abs_tol=1e-9)
    assert math.isclose(m.variance(xs), squares / (len(xs) - 1), abs_tol=1e-9)
    for method in ("inclusive", "exclusive"):
        cuts = m.quantiles(xs, n=n, method=method)
        assert len(cuts) == n - 1 and cuts == sorted(cuts)
    if n > 1:
        assert min(xs) <= m.quantiles(xs, n=n, method="inclusive")[0] <= max(xs)


@of(STATISTICS, lambda st: (st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=2),))
def regression(m: Any, points: list[tuple[int, int]]) -> None:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    assert math.isclose(m.covariance(xs, ys), m.covariance(ys, xs), abs_tol=1e-9)
    if len(set(xs)) > 1:
        slope, intercept = m.linear_regression(xs, ys)
        rest = [y - slope * x - intercept for x, y in points]
        assert abs(sum(rest)) < 1e-5
        if len(set(ys)) > 1:
            assert -1.000001 <= m.correlation(xs, ys) <= 1.000001


CALENDAR = subject("calendar")


@of(CALENDAR, lambda st: (st.dates(),))
def days_of_months(m: Any, day: datetime.date) -> None:
    first, length = m.monthrange(day.year, day.month)
    assert first == day.replace(day=1).weekday() and day.day <= length
    assert m.weekday(day.year, day.month, day.day) == day.weekday()
    following = day.replace(day=length).toordinal() + 1
    if following <= datetime.date.max.toordinal():
        assert datetime.date.fromordinal(following).day == 1
    assert m.isleap(day.year) == (m.monthrange(day.year, 2)[1] == 29)


@of(CALENDAR, lambda st: (st.integers(2, 9998), st.integers(1, 12), st.integers(0, 6)))
def weeks_of_months(m: Any, year: int, month: int, first: int) -> None:
    calendar = m.Calendar(first)
    days = list(calendar.itermonthdates(year, month))
    assert len(days) % 7 == 0 and days[0].weekday() == first
    assert all(b.toordinal() - a.toordinal() == 1 for a, b in pairwise(days))
    assert [d.day for d in days if d.month == month] == [d for d in calendar.itermonthdays(year, month) if d]
    assert m.TextCalendar(first).formatmonth(year, month).count("\n") == len(days) // 7 + 2


@of(CALENDAR, lambda st: (st.datetimes(), st.integers(1, 9999), st.integers(1, 9999)))
def timegm_and_leap_days(m: Any, moment: datetime.datetime, a: int, b: int) -> None:
    utc = moment.replace(tzinfo=datetime.UTC, microsecond=0)
    assert m.timegm(utc.timetuple()) == utc.timestamp()
    a, b = min(a, b), max(a, b)
    span = datetime.date(b, 1, 1) - datetime.date(a, 1, 1)
    assert m.leapdays(a, b) == span.days - 365 * (b - a)


ENCODER = subject("json.encoder", hidden=("_json",))


def _values(st: Any) -> Any:
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    return st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@of(ENCODER, lambda st: (_values(st), st.sampled_from([None, 0, 2]), st.booleans(), st.booleans()))
def json_round_trip(m: Any, value: Any, indent: int | None, ascii_only: bool, sort: bool) -> None:
    encoder = m.JSONEncoder(indent=indent, ensure_ascii=ascii_only, sort_keys=sort)
    text = encoder.encode(value)
    assert json.loads(text) == value and "".join(encoder.iterencode(value)) == text
    assert not ascii_only or text.isascii()


@of(
    ENCODER,
    lambda st: (
        st.dictionaries(st.one_of(st.integers(), st.floats(allow_nan=False), st.none()), st.integers()),
    ),
)
def json_keys(m: Any, value: dict[Any, int]) -> None:
    expected = {}
    for key, item in value.items():
        expected["null" if key is None else json.dumps(key)] = item
    assert json.loads(m.JSONEncoder().encode(value)) == expected


POSIXPATH = subject("posixpath")


def _paths(st: Any) -> Any:
    return st.lists(st.sampled_from(["a", "b", "..", ".", "", "a.b"])).map("/".join)


@of(POSIXPATH, lambda st: (_paths(st), st.booleans()))
def normal_paths(m: Any, path: str, rooted: bool) -> None:
    path = "/" + path if rooted else path
    normal = m.normpath(path)
    assert m.normpath(normal) == normal and m.isabs(normal) == m.isabs(path)
    kept = [part for part in normal.split("/") if part and part != ".."]
    assert "." not in kept or normal == "."
    head, tail = m.split(path)
    assert m.join(head, tail) == path or path.startswith("/") or "//" in path
    root, ext = m.splitext(path)
    assert root + ext == path and ext.count(".") <= 1
    assert m.basename(path) == path.split("/")[-1]


@of(POSIXPATH, lambda st: (_paths(st), _paths(st)))
def relative_paths(m: Any, a: str, b: str) -> None:
    a, b = m.normpath("/" + a), m.normpath("/" + b)
    assert m.normpath(m.join(b, m.relpath(a, b))) == a or a.startswith("//") or b.startswith("//")
    common = m.commonpath([a, b])
    shared = 0
    for one, other in zip(a.strip("/").split("/"), b.strip("/").split("/")):
        if one != other:
            break
        shared += bool(one)
    assert len([part for part in common.split("/") if part]) == shared
    assert a.startswith(m.commonprefix([a, b])) and b.startswith(m.commonprefix([a, b]))


# --- from PyPI ------------------------------------------------------------------------------------------

SORTED_LIST = subject("sortedcontainers.sortedlist", "sortedcontainers==2.4.0")


def _sorted_list(m: Any, xs: list[int]) -> Any:
    made = m.SortedList()
    made._reset(4)  # the documented way to make its inner lists short
    made.update(xs)
    return made


@of(SORTED_LIST, lambda st: (ints(st), ints(st)))
def sorted_list_adds_and_removes(m: Any, xs: list[int], ys: list[int]) -> None:
    ours, model = _sorted_list(m, xs), sorted(xs)
    for y in ys:
        assert (y in ours) == (y in model) and ours.count(y) == model.count(y)
        if y in model:
            ours.remove(y)
            model.remove(y)
        else:
            ours.add(y)
            model = sorted([*model, y])
        ours._check()
    assert list(ours) == model and list(reversed(ours)) == model[::-1]


@of(SORTED_LIST, lambda st: (ints(st), st.integers(), st.integers()))
def sorted_list_by_position(m: Any, xs: list[int], a: int, b: int) -> None:
    ours, model = _sorted_list(m, xs), sorted(xs)
    assert [ours[i] for i in range(len(xs))] == model
    assert ours.bisect_left(a) == sum(x < a for x in xs) and ours.bisect_right(a) == sum(x <= a for x in xs)
    a, b = min(a, b), max(a, b)
    assert list(ours.irange(a, b)) == [x for x in model if a <= x <= b]
    for x in xs:
        assert model[ours.index(x)] == x and ours.index(x) == model.index(x)
    if xs:
        at = a % len(xs)
        assert ours.pop(at) == model.pop(at)
        ours._check()
        assert list(ours.islice(at)) == model[at:]


@of(SORTED_LIST, lambda st: (ints(st), st.integers(-9, 9), st.integers(-9, 9)))
def sorted_list_slices(m: Any, xs: list[int], i: int, j: int) -> None:
    ours, model = _sorted_list(m, xs), sorted(xs)
    assert ours[i:j] == model[i:j] and ours[::-1] == model[::-1]
    del ours[i:j]
    del model[i:j]
    ours._check()
    assert list(ours) == model
    assert list(ours + xs) == sorted(model + xs) and list(ours * 2) == sorted(model * 2)


INTERVALTREE = subject("intervaltree.intervaltree", "intervaltree==3.2.1")


def _intervals(st: Any) -> Any:
    return st.lists(st.tuples(st.integers(), st.integers(1, 20)))


def _tree(m: Any, spans: list[tuple[int, int]]) -> tuple[Any, list[tuple[int, int]]]:
    pairs = [(begin, begin + length) for begin, length in spans]
    return m.IntervalTree.from_tuples(pairs), sorted(set(pairs))


@of(INTERVALTREE, lambda st: (_intervals(st), st.integers(), st.integers(1, 20)))
def intervals_overlap(m: Any, spans: list[tuple[int, int]], at: int, length: int) -> None:
    tree, pairs = _tree(m, spans)
    tree.verify()
    assert sorted((i.begin, i.end) for i in tree[at]) == [p for p in pairs if p[0] <= at < p[1]]
    end = at + length
    assert sorted((i.begin, i.end) for i in tree.overlap(at, end)) == [
        p for p in pairs if p[0] < end and at < p[1]
    ]
    assert sorted((i.begin, i.end) for i in tree.envelop(at, end)) == [
        p for p in pairs if at <= p[0] and p[1] <= end
    ]
    assert tree.overlaps(at) == any(p[0] <= at < p[1] for p in pairs)


@of(INTERVALTREE, lambda st: (_intervals(st), st.integers(), st.integers(1, 20)))
def intervals_are_cut(m: Any, spans: list[tuple[int, int]], at: int, length: int) -> None:
    tree, pairs = _tree(m, spans)
    end = at + length
    inside = [x for p in pairs for x in range(*p)]
    tree.chop(at, end)
    tree.verify()
    assert {x for i in tree for x in range(i.begin, i.end)} == set(inside) - set(range(at, end))


@of(INTERVALTREE, lambda st: (_intervals(st), _intervals(st)))
def intervals_are_merged(m: Any, a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    (first, left), (second, right) = _tree(m, a), _tree(m, b)
    assert sorted((i.begin, i.end) for i in first | second) == sorted({*left, *right})
    assert sorted((i.begin, i.end) for i in first & second) == sorted({*left} & {*right})
    for begin, end in right:
        if (begin, end) in left:
            first.removei(begin, end)
        else:
            first.addi(begin, end)
        first.verify()
    assert {(i.begin, i.end) for i in first} == {*left} ^ {*right}
    second.merge_overlaps()
    merged = sorted((i.begin, i.end) for i in second)
    assert all(p[1] <= q[0] for p, q in pairwise(merged))
    assert {x for p in merged for x in range(*p)} == {x for p in right for x in range(*p)}


TOOLZ = subject("toolz.itertoolz", "toolz==1.2.0")


@of(TOOLZ, lambda st: (ints(st), st.integers(1, 5)))
def toolz_partitions(m: Any, xs: list[int], n: int) -> None:
    assert [x for part in m.partition_all(n, xs) for x in part] == xs
    assert all(len(part) == n for part in m.partition(n, xs))
    assert len(list(m.partition(n, xs))) == len(xs) // n
    assert list(m.sliding_window(n, xs)) == [tuple(xs[i : i + n]) for i in range(len(xs) - n + 1)]
    assert list(m.take_nth(n, xs)) == xs[::n] and list(m.drop(n, xs)) == xs[n:]
    assert list(m.tail(n, xs)) == xs[-n:] and list(m.take(n, xs)) == xs[:n]


@of(TOOLZ, lambda st: (ints(st), ints(st)))
def toolz_sets(m: Any, xs: list[int], ys: list[int]) -> None:
    assert list(m.unique(xs)) == list(dict.fromkeys(xs))
    assert m.isdistinct(xs) == (len(set(xs)) == len(xs))
    assert m.frequencies(xs) == dict(Counter(xs))
    assert list(m.merge_sorted(sorted(xs), sorted(ys))) == sorted(xs + ys)
    groups = m.groupby(lambda x: x % 3, xs)
    assert sorted(x for group in groups.values() for x in group) == sorted(xs)
    assert Counter(m.interleave([xs, ys])) == Counter(xs + ys)


@of(TOOLZ, lambda st: (ints(st), ints(st)))
def toolz_joins(m: Any, xs: list[int], ys: list[int]) -> None:
    joined = list(m.join(lambda x: x, xs, lambda y: y, ys))
    assert Counter(joined) == Counter((x, y) for y in ys for x in xs if x == y)
    outer = list(m.join(lambda x: x, xs, lambda y: y, ys, left_default=None, right_default=None))
    assert {x for x, _ in outer if x is not None} == set(xs) and {
        y for _, y in outer if y is not None
    } == set(ys)
    assert list(m.diff(xs, ys, default=None)) == [
        pair for pair in zip([*xs, *[None] * len(ys)], [*ys, *[None] * len(xs)]) if pair[0] != pair[1]
    ]
    assert list(m.accumulate(max, xs)) == [max(xs[: i + 1]) for i in range(len(xs))]


MORE = subject("more_itertools.more", "more-itertools==11.2.1")


@of(MORE, lambda st: (ints(st), st.integers(1, 5)))
def more_chunks(m: Any, xs: list[int], n: int) -> None:
    assert list(m.chunked(xs, n)) == [xs[i : i + n] for i in range(0, len(xs), n)]
    assert [x for part in m.divide(n, xs) for x in part] == xs
    assert [x for part in m.distribute(n, xs) for x in part] == [x for i in range(n) for x in xs[i::n]]
    windows = list(m.windowed(xs, n, step=n))
    assert [x for window in windows for x in window][: len(xs)] == xs
    assert [list(part) for part in m.chunked_even(xs, n)] == [] or max(
        len(part) for part in m.chunked_even(xs, n)
    ) <= n


@of(MORE, lambda st: (ints(st), st.integers()))
def more_splits(m: Any, xs: list[int], x: int) -> None:
    parts = list(m.split_at(xs, lambda y: y == x))
    assert len(parts) == xs.count(x) + 1 and [y for part in parts for y in part] == [y for y in xs if y != x]
    assert [y for part in m.split_before(xs, lambda y: y > x) for y in part] == xs
    assert [y for part in m.split_after(xs, lambda y: y > x) for y in part] == xs
    assert list(m.locate(xs, lambda y: y == x)) == [i for i, y in enumerate(xs) if y == x]
    low, high = m.partition(lambda y: y > x, xs) if hasattr(m, "partition") else (None, None)
    assert low is None or sorted([*low, *high]) == sorted(xs)
    assert m.all_equal(xs) == (len(set(xs)) < 2) if hasattr(m, "all_equal") else True


@of(MORE, lambda st: (st.lists(ints(st)), ints(st)))
def more_peeks(m: Any, lists: list[list[int]], xs: list[int]) -> None:
    assert Counter(m.interleave_longest(*lists)) == Counter(x for part in lists for x in part)
    assert list(m.collapse(lists)) == [x for part in lists for x in part]
    peekable = m.peekable(xs)
    seen = []
    while peekable:
        assert peekable.peek() == xs[len(seen)] and list(peekable[:2]) == xs[len(seen) :][:2]
        seen.append(next(peekable))
        if len(seen) % 3 == 0:
            peekable.prepend(seen.pop())
            seen.append(next(peekable))
    assert seen == xs
    runs = list(m.run_length.encode(xs))
    assert list(m.run_length.decode(runs)) == xs
    assert all(one != other for (one, _), (other, _) in pairwise(runs))


SEMVER = subject("semver.version", "semver==3.1.1")


def _versions(st: Any) -> Any:
    number = st.integers(min_value=0)
    return st.tuples(
        number, number, number, st.one_of(st.none(), st.sampled_from(["a", "rc.1", "rc.2", "10"]))
    )


@of(SEMVER, lambda st: (_versions(st), _versions(st)))
def semver_order(m: Any, a: tuple[Any, ...], b: tuple[Any, ...]) -> None:
    one, other = m.Version(*a), m.Version(*b)
    assert m.Version.parse(str(one)) == one and one.to_tuple()[:4] == a
    assert (one < other) == (other > one) and (one <= other) == (not one > other)
    assert one.compare(other) == -other.compare(one)
    if a[:3] != b[:3]:
        assert (one < other) == (a[:3] < b[:3])
    elif (a[3] is None) != (b[3] is None):
        assert (one > other) == (a[3] is None)
    assert (one == other) == (a == b)
    assert one.match(f">={one}") and not one.match(f"<{one}") and one.match(f"=={one}")


@of(SEMVER, lambda st: (_versions(st),))
def semver_bumps(m: Any, a: tuple[Any, ...]) -> None:
    version = m.Version(*a)
    for bump in (version.bump_major, version.bump_minor, version.bump_patch, version.bump_prerelease):
        assert bump() > version or version.prerelease is None or bump == version.bump_prerelease
    assert version.bump_major().to_tuple() == (a[0] + 1, 0, 0, None, None)
    assert version.next_version("patch") > version
    assert version.replace(minor=7).minor == 7 and version.finalize_version() >= version
    assert version.is_compatible(version)


CACHETOOLS = subject("cachetools", "cachetools==8.0.0")


@of(CACHETOOLS, lambda st: (st.integers(1, 5), st.lists(st.tuples(st.integers(), st.booleans()))))
def lru_like_a_model(m: Any, size: int, steps: list[tuple[int, bool]]) -> None:
    cache, model = m.LRUCache(size), OrderedDict[int, int]()
    for key, put in steps:
        if put:
            cache[key] = model[key] = key
            model.move_to_end(key)
            if len(model) > size:
                model.popitem(last=False)
        else:
            assert cache.get(key) == model.get(key)
            if key in model:
                model.move_to_end(key)
        assert len(cache) == len(model) == cache.currsize <= size
        assert set(cache) == set(model)


@of(CACHETOOLS, lambda st: (st.integers(1, 5), ints(st)))
def fifo_and_lfu(m: Any, size: int, keys: list[int]) -> None:
    fifo, lfu = m.FIFOCache(size), m.LFUCache(size)
    counts: dict[int, int] = {}
    for key in keys:
        fifo[key] = key
        before = set(lfu)
        if key in lfu:
            assert lfu[key] == key
            counts[key] += 1
        else:
            lfu[key] = key
            gone = before - set(lfu)
            assert len(gone) == (len(before) == size)
            assert all(counts.pop(out) <= min(counts.values(), default=math.inf) for out in gone)
            counts[key] = 1
        assert len(lfu) <= size and len(fifo) <= size
    assert all(fifo[key] == key for key in list(fifo))


BIDICT = subject("bidict._base", "bidict==0.24.1")


@of(
    BIDICT,
    lambda st: (st.dictionaries(st.integers(), st.integers()), st.dictionaries(st.integers(), st.integers())),
)
def bidict_both_ways(m: Any, a: dict[int, int], b: dict[int, int]) -> None:
    unique = {value: key for key, value in a.items()}
    ours = m.BidictBase({key: value for value, key in unique.items()})
    assert {value: key for key, value in ours.items()} == dict(ours.inverse) == unique
    assert ours.inverse.inverse == ours and len(ours) == len(unique)
    assert (ours == b) == (dict(ours) == b)
    try:
        both = ours | b
    except Exception as problem:
        assert "Duplication" in type(problem).__name__
        assert any(v in unique and unique[v] != k for k, v in b.items()) or len(set(b.values())) < len(b)
    else:
        assert dict(both) == {**dict(ours), **b} and len(set(both.values())) == len(both)


DATEUTIL = subject("dateutil.relativedelta", "python-dateutil==4.0.0")


@of(DATEUTIL, lambda st: (st.datetimes(), st.datetimes()))
def relativedelta_between(m: Any, a: datetime.datetime, b: datetime.datetime) -> None:
    assert b + m.relativedelta(a, b) == a
    delta = m.relativedelta(a, b)
    assert abs(delta.months) < 12 and abs(delta.hours) < 24 and abs(delta.minutes) < 60
    assert -delta + delta == m.relativedelta()


@of(
    DATEUTIL,
    lambda st: (
        st.dates(datetime.date(1000, 1, 1), datetime.date(5000, 1, 1)),
        st.integers(-500, 500),
        st.integers(-500, 500),
    ),
)
def relativedelta_months(m: Any, day: datetime.date, months: int, days: int) -> None:
    moved = day + m.relativedelta(months=months)
    assert moved.year * 12 + moved.month == day.year * 12 + day.month + months
    assert moved.day <= day.day
    assert day + m.relativedelta(days=days) == day + datetime.timedelta(days)
    assert m.relativedelta(months=months).years * 12 + m.relativedelta(months=months).months == months
    assert day - m.relativedelta(days=days) == day + m.relativedelta(days=-days)
    weekday = day + m.relativedelta(weekday=m.weekday(2)) if hasattr(m, "weekday") else day
    assert 0 <= (weekday - day).days < 7


@of(DATEUTIL, lambda st: (st.integers(-100, 100), st.integers(-100, 100), st.integers(-5, 5)))
def relativedelta_scales(m: Any, hours: int, months: int, n: int) -> None:
    delta = m.relativedelta(hours=hours, months=months)
    assert delta * n == m.relativedelta(hours=delta.hours * n, days=delta.days * n, months=months * n)
    assert (delta + delta) == delta * 2 and delta - delta == m.relativedelta()
    assert bool(delta) == (hours != 0 or months != 0)
    assert abs(delta) == abs(-delta) and hash(delta) == hash(delta + m.relativedelta())


ROMAN = subject("roman", "roman==5.2")


@of(ROMAN, lambda st: (st.integers(0, 4999),))
def roman_round_trip(m: Any, n: int) -> None:
    text = m.toRoman(n)
    assert m.fromRoman(text) == n
    assert all(digit * 4 not in text for digit in "IXC")


PYRSISTENT = subject("pyrsistent._pmap", "pyrsistent==0.20.0")


@of(PYRSISTENT, lambda st: (st.dictionaries(st.integers(), st.integers()), st.integers(), st.integers()))
def pmap_like_a_dict(m: Any, items: dict[int, int], key: int, value: int) -> None:
    ours = m.pmap(items)
    more = ours.set(key, value)
    assert dict(ours) == items and dict(more) == {**items, key: value}
    assert dict(more.discard(key)) == {k: v for k, v in items.items() if k != key}
    assert len(more) == len({*items, key}) and (key in ours) == (key in items)
    assert ours.get(key) == items.get(key) and (ours == items) and hash(ours) == hash(m.pmap(items))


@of(
    PYRSISTENT,
    lambda st: (st.dictionaries(st.integers(), st.integers()), st.dictionaries(st.integers(), st.integers())),
)
def pmap_merges(m: Any, a: dict[int, int], b: dict[int, int]) -> None:
    assert dict(m.pmap(a).update(b)) == {**a, **b}
    assert dict(m.pmap(a).update_with(lambda x, y: x + y, b)) == {
        key: a.get(key, 0) + b.get(key, 0) for key in {**a, **b}
    }
    evolver = m.pmap(a).evolver()
    for key in b:
        if key in a:
            evolver.remove(key)
        else:
            evolver[key] = 0
    assert dict(evolver.persistent()) == {
        **{k: v for k, v in a.items() if k not in b},
        **{k: 0 for k in b if k not in a},
    }
    assert (m.pmap(a) == m.pmap(b)) == (a == b)


ITERUTILS = subject("boltons.iterutils", "boltons==26.2.0")


@of(ITERUTILS, lambda st: (ints(st), st.integers(1, 5), st.integers()))
def boltons_chunks(m: Any, xs: list[int], n: int, x: int) -> None:
    assert m.chunked(xs, n) == [xs[i : i + n] for i in range(0, len(xs), n)]
    assert m.windowed(xs, n) == [tuple(xs[i : i + n]) for i in range(len(xs) - n + 1)]
    assert m.split(xs, x) == [list(part) for part in _split(xs, x)]
    assert m.lstrip(xs, x) == xs[next((i for i, y in enumerate(xs) if y != x), len(xs)) :]
    assert m.strip(xs, x) == m.rstrip(m.lstrip(xs, x), x)
    assert m.first(xs, default=None, key=lambda y: y > x) == next((y for y in xs if y > x), None)
    ranges = list(m.chunk_ranges(len(xs), n))
    assert [i for a, b in ranges for i in range(a, b)] == list(range(len(xs)))


def _split(xs: list[int], x: int) -> list[list[int]]:
    parts: list[list[int]] = [[]]
    for y in xs:
        if y == x:
            parts.append([])
        else:
            parts[-1].append(y)
    return parts


@of(ITERUTILS, lambda st: (ints(st), st.lists(ints(st))))
def boltons_buckets(m: Any, xs: list[int], lists: list[list[int]]) -> None:
    assert m.unique(xs) == list(dict.fromkeys(xs))
    assert sorted(m.redundant(xs)) == sorted(x for x, n in Counter(xs).items() if n > 1)
    assert m.one(xs, default=None) == (
        xs[0] if len([x for x in xs if x]) == 1 and len(xs) == 1 else m.one(xs)
    )
    evens, odds = m.partition(xs, lambda x: x % 2 == 0)
    assert evens == [x for x in xs if x % 2 == 0] and odds == [x for x in xs if x % 2]
    assert m.flatten(lists) == [x for part in lists for x in part]
    assert m.same(xs) == (len(set(xs)) < 2)
    assert list(islice(m.pairwise_iter(xs), 99)) == list(pairwise(xs))[:99]
    assert m.remap(lists) == lists and m.get_path({"a": lists}, ("a",)) == lists
