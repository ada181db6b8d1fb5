"""Wrong calls: each raises an everycase error that names the argument and says what to do instead."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from functools import partial
from typing import Any

import pytest

from everycase import campaign, check, find, gen, given, settings
from everycase.arrays import Constraint, orders_in, sequence_covering_array, why_infeasible
from everycase.complete import gaps
from everycase.errors import EverycaseError, GeneratorError, InvalidArgument
from everycase.stateful import interleaved

numbers = gen.integers()


async def eventually(n: int) -> bool:
    return n > 0


class Unspeakable:
    def __repr__(self) -> str:
        raise ZeroDivisionError

    __eq__ = __hash__ = __repr__  # type: ignore[assignment]


class NoMembers(Enum):
    pass


class Unhinted:
    def __init__(self, size, color: str) -> None:
        self.size = size


class Hidden(ABC):
    @abstractmethod
    def show(self) -> str: ...


class Refers:
    def __init__(self, other: NotDefinedAnywhere) -> None: ...  # noqa: F821


def endless() -> gen.Gen[Any]:
    trees: gen.Gen[Any] = gen.deferred(lambda: gen.tuples(trees, trees))
    return trees


def circle() -> gen.Gen[Any]:
    same: gen.Gen[Any] = gen.deferred(lambda: same)
    return same


@gen.composite
def draws_a_list(draw: gen.Draw) -> Any:
    return draw([1, 2])  # type: ignore[arg-type]


@gen.composite
def with_limit(draw: gen.Draw, limit: int) -> int:
    return draw(gen.integers(0, limit))


def no_parameters() -> int:
    return 1


def default_draw(draw: Any = None) -> int:
    return 1


WRONG: list[tuple[str, Callable[[], Any], list[str]]] = [
    # the wrong type
    ("text as a bound", lambda: gen.integers("1"), ["min_value", "int", "'1'"]),
    ("float as a bound", lambda: gen.integers(0, 2.5), ["max_value", "int", "2.5"]),
    ("bool as a bound", lambda: gen.integers(True, 5), ["min_value", "int"]),
    ("list as a bound", lambda: gen.integers([1]), ["min_value", "int"]),
    ("generator as a bound", lambda: gen.integers(0, numbers), ["max_value", "flatmap", "composite"]),
    ("text as a size", lambda: gen.lists(numbers, max_size="3"), ["max_size", "int"]),
    ("number as unique", lambda: gen.lists(numbers, unique=1), ["unique", "True or False"]),
    ("text as a float bound", lambda: gen.floats("0"), ["min_value", "number"]),
    ("class as a float bound", lambda: gen.floats(int), ["min_value", "number"]),
    ("list as a width", lambda: gen.complex_numbers(width=[64]), ["width=[64]", "128"]),
    ("list as a type", lambda: gen.from_type([int]), ["tp=[", "list[int]"]),
    ("no end of places", lambda: gen.decimals(places=10**30), ["places=1000", "100,000"]),
    ("generator as checks", lambda: settings(suppress_health_check=numbers), ["suppress_health_check", "integers()"]),
    ("what has no text", lambda: gen.lists(Unspeakable()), ["element", "Unspeakable"]),
    ("what cannot be compared", lambda: given(Unspeakable())(print), ["generator", "Unspeakable"]),
    ("number as columns", lambda: Constraint(lambda a: True, 5), ["reads", "sequence of values"]),
    ("a word as columns", lambda: Constraint(lambda a: True, "os"), ["reads is 'os'", "names of columns"]),
    ("no events", lambda: sequence_covering_array(None, 2), ["events", "sequence of values"]),
    ("negative orders", lambda: orders_in("ab", -1), ["strength=-1"]),
    ("no model", lambda: why_infeasible({"a": [1]}, {}), ["model", "Model"]),
    ("no path", lambda: check(lambda n: None, gen.booleans(), database=None).to_html(None), ["path", "NoneType"]),
    ("a parent for a run", lambda: check(print, numbers, parent=None), ["parent", "settings(parent"]),
    ("number as a directory", lambda: gaps(with_limit, smt_out=5), ["smt_out", "directory"]),
    ("no faults at all", lambda: interleaved(dict, faults=None), ["faults", "NoneType"]),
    ("class as a temperature", lambda: gen.booleans().neighbor(True, int), ["temperature", "number"]),
    ("size without a limit", lambda: numbers.of_size(10**30), ["n=1", "1,000,000,000"]),
    ("datetime as a date", lambda: gen.dates(datetime(2020, 1, 1)), ["min_value", "date()"]),
    ("text as a date", lambda: gen.dates("2020-01-01"), ["min_value", "datetime.date"]),
    ("date as a time", lambda: gen.times(max_value=date(2020, 1, 1)), ["max_value", "datetime.time"]),
    ("date as a datetime", lambda: gen.datetimes(date(2020, 1, 1)), ["min_value", "datetime.datetime"]),
    ("number as a timedelta", lambda: gen.timedeltas(5), ["min_value", "timedelta"]),
    ("words as a decimal", lambda: gen.decimals("a few"), ["min_value", "'a few'"]),
    ("nothing over zero", lambda: gen.fractions("1/0"), ["min_value", "'1/0'"]),
    ("text as seed", lambda: numbers.sample(3, seed="x"), ["seed", "int"]),
    ("negative number of samples", lambda: numbers.sample(-1), ["n=-1", "negative"]),
    # empty ranges
    ("min above max", lambda: gen.integers(5, 3), ["min_value=5", "max_value=3", "swap"]),
    ("sizes the wrong way round", lambda: gen.text(min_size=4, max_size=2), ["min_size=4", "max_size=2"]),
    ("negative size", lambda: gen.binary(min_size=-1), ["min_size=-1", "negative"]),
    ("dates the wrong way round", lambda: gen.dates(date(2021, 1, 1), date(2020, 1, 1)), ["min_value", "max_value"]),
    ("floats the wrong way round", lambda: gen.floats(1.0, 0.0), ["min_value=1.0", "max_value=0.0", "widen"]),
    ("open range of one", lambda: gen.floats(1, 1, exclude_min=True), ["exclude_min", "widen"]),
    ("no decimal of so few places", lambda: gen.decimals("0.11", "0.12", places=1), ["places=1", "more places"]),
    ("nothing to sample from", lambda: gen.sampled_from([]), ["values", "empty", "gen.nothing()"]),
    ("an enum without members", lambda: gen.enums(NoMembers), ["cls", "NoMembers", "members"]),
    ("no letter left", lambda: gen.characters(categories=["Lu"], max_codepoint=60), ["categories", "leave out"]),
    ("empty alphabet", lambda: gen.text("", min_size=1), ["alphabet", "min_size=1"]),
    ("no leaves", lambda: gen.recursive(numbers, gen.lists, max_leaves=0), ["max_leaves", "at least 1"]),
    # contradictions
    ("nan in a range", lambda: gen.floats(0, 1, allow_nan=True), ["allow_nan", "min_value", "gen.just(math.nan)"]),
    ("infinity in a range", lambda: gen.floats(0, 1, allow_infinity=True), ["allow_infinity", "leave out"]),
    ("exclude what is not there", lambda: gen.floats(exclude_min=True), ["exclude_min", "allow_infinity=False"]),
    ("not a 32 bit float", lambda: gen.floats(0.1, width=32), ["min_value=0.1", "32", "0.10000000149011612"]),
    ("an odd width", lambda: gen.floats(width=80), ["width=80", "16, 32 or 64"]),
    ("nan as a bound", lambda: gen.floats(math.nan), ["min_value", "nan"]),
    ("subnormals out of range", lambda: gen.floats(1, allow_subnormal=True), ["allow_subnormal", "leave"]),
    ("both kinds of unique", lambda: gen.lists(numbers, unique=True, unique_by=abs), ["unique", "unique_by"]),
    ("both category options", lambda: gen.characters(categories=["L"], exclude_categories=["N"]), ["only one"]),
    ("in and out", lambda: gen.characters(include_characters="a", exclude_characters="a"), ["'a'", "remove"]),
    ("zoned bound", lambda: gen.datetimes(datetime(2020, 1, 1, tzinfo=UTC)), ["min_value", "timezones"]),
    ("nil with a version", lambda: gen.uuids(version=4, allow_nil=True), ["allow_nil", "version"]),
    ("no such version", lambda: gen.uuids(version=9), ["version=9", "1 to 5"]),
    ("key twice", lambda: gen.fixed_dictionaries({"a": numbers}, optional={"a": numbers}), ["optional", "'a'"]),
    # not a category, codec, character
    ("a category as text", lambda: gen.characters(categories="Lu"), ["categories", "['Lu']"]),
    ("no such category", lambda: gen.characters(categories=["Xx"]), ["categories", "'Xx'", "Lu"]),
    ("no such codec", lambda: gen.characters(codec="utf-99"), ["codec='utf-99'"]),
    ("long characters", lambda: gen.text(["ab"]), ["alphabet", "'ab'", "length one"]),
    ("an alphabet of numbers", lambda: gen.text(numbers, min_size=1).sample(1), ["alphabet", "length one"]),
    # values where generators belong
    ("a type in lists", lambda: gen.lists(int), ["elements", "gen.from_type(int)"]),
    ("a value in tuples", lambda: gen.tuples(numbers, 5), ["argument 2 of tuples", "gen.just(5)"]),
    ("a list in one_of", lambda: gen.one_of(numbers, [1, 2]), ["argument 2 of one_of", "gen.sampled_from([1, 2])"]),
    ("a function in sets", lambda: gen.sets(gen.integers), ["elements", "integers(...)"]),
    ("a value in builds", lambda: gen.builds(dict, x=1), ["x", "gen.just(1)"]),
    ("a value in a dictionary", lambda: gen.fixed_dictionaries({"a": 1}), ["mapping['a']", "gen.just(1)"]),
    ("a list of keys", lambda: gen.fixed_dictionaries(["a"]), ["mapping", "dictionary"]),
    ("values of a dictionary", lambda: gen.dictionaries(numbers, str), ["values", "gen.from_type(str)"]),
    ("drawing from a list", lambda: draws_a_list().sample(1), ["draw", "gen.sampled_from([1, 2])"]),
    ("data from a value", lambda: gen.data().example().draw(3), ["draw", "gen.just(3)"]),
    ("flatmap to a value", lambda: numbers.flatmap(lambda n: n + 1).sample(1), ["flatmap", "gen.just("]),
    ("returns a value", lambda: gen.functions(returns=3), ["returns", "gen.just(3)"]),
    ("deferred to a value", lambda: gen.deferred(lambda: 3).sample(1), ["deferred", "gen.just(3)"]),
    ("extend to a value", lambda: gen.recursive(numbers, lambda inner: [inner]), ["recursive", "generator"]),
    ("zones that are text", lambda: gen.times(timezones=gen.just("UTC")).sample(1), ["timezones", "'UTC'"]),
    # generators where values belong
    ("sampling a generator", lambda: gen.sampled_from(numbers), ["values", "generator"]),
    ("permuting a generator", lambda: gen.permutations(numbers), ["values", "generator"]),
    ("a type that is a generator", lambda: gen.from_type(numbers), ["thing", "use it directly"]),
    ("a set to sample from", lambda: gen.sampled_from({"a", "b"}), ["values", "sorted("]),
    ("a number to sample from", lambda: gen.sampled_from(5), ["values", "sequence"]),
    # not functions
    ("map with a value", lambda: numbers.map(3), ["map", "function", "lambda"]),
    ("map with a generator", lambda: numbers.map(numbers), ["map", "function", "generator"]),
    ("inverse that is none", lambda: numbers.map(abs, inverse=3), ["inverse", "lambda"]),
    ("filter with a coroutine", lambda: numbers.filter(eventually), ["filter", "eventually", "def"]),
    ("filter with part of a coroutine", lambda: numbers.filter(partial(eventually)), ["filter", "eventually"]),
    ("where with a coroutine", lambda: given(numbers).where(eventually), ["where", "eventually", "def"]),
    ("find with a coroutine", lambda: find(numbers, eventually), ["predicate", "eventually", "def"]),
    ("filter with a value", lambda: numbers.filter(True), ["filter", "lambda"]),
    ("flatmap with a generator", lambda: numbers.flatmap(gen.lists(numbers)), ["flatmap", "lambda"]),
    ("building nothing", lambda: gen.builds(5), ["target", "gen.builds(Point"]),
    ("deferred generator", lambda: gen.deferred(numbers), ["definition", "lambda"]),
    ("composite of a value", lambda: gen.composite(5), ["function", "@gen.composite"]),
    ("unique by a name", lambda: gen.lists(numbers, unique_by="id"), ["unique_by", "lambda"]),
    ("functions like nothing", lambda: gen.functions(like=5), ["like", "lambda"]),
    # the wrong arguments
    ("composite without draw", lambda: gen.composite(no_parameters), ["no_parameters", "draw"]),
    ("composite with a default", lambda: gen.composite(default_draw), ["default_draw", "default"]),
    ("composite called with too few", lambda: with_limit(), ["with_limit", "limit"]),
    ("composite called with too many", lambda: with_limit(1, 2, 3), ["with_limit", "too many"]),
    ("too many parts", lambda: gen.builds(Unhinted, *[numbers] * 5), ["builds", "Unhinted", "too many"]),
    ("an unknown part", lambda: gen.builds(Unhinted, shape=numbers), ["builds", "shape"]),
    ("a missing part", lambda: gen.builds(Unhinted), ["size", "no type hint", "gen.builds(Unhinted, size=...)"]),
    ("a weight of zero", lambda: gen.frequency((0, numbers), (1, numbers)), ["weight", "pair 1", "leave"]),
    ("a negative weight", lambda: gen.frequency((2, numbers), (-1, numbers)), ["weight", "pair 2", "positive"]),
    ("pairs the wrong way round", lambda: gen.frequency((numbers, 1)), ["(weight, generator)"]),
    ("no pairs", lambda: gen.frequency(), ["at least one pair"]),
    # types
    ("a class without hints", lambda: gen.from_type(Unhinted), ["size", "register_type(Unhinted"]),
    ("an abstract class", lambda: gen.from_type(Hidden), ["Hidden", "abstract", "register_type"]),
    ("an unknown name", lambda: gen.from_type(Refers), ["NotDefinedAnywhere", "register_type"]),
    ("a name for a type", lambda: gen.from_type("int"), ["'int'", "the type itself"]),
    ("a value for a type", lambda: gen.from_type(5), ["5", "type"]),
    ("registering a value", lambda: gen.register_type(5, numbers), ["tp", "type"]),
    ("registering a class", lambda: gen.register_type(Unhinted, Unhinted), ["how", "gen.builds(Unhinted"]),
    # generators that make nothing
    ("no base case", lambda: endless().sample(1), ["no base case", "alternative"]),
    ("deferred to itself", lambda: circle().sample(1), ["deferred", "itself"]),
    ("a filter that never passes", lambda: numbers.filter(lambda n: False).sample(1), ["filter", "Build valid"]),
    ("nothing", lambda: gen.nothing().sample(1), ["nothing()", "no value"]),
    ("too few different ones", lambda: gen.lists(gen.booleans(), min_size=3, unique=True).sample(1), ["lists(", "no value"]),
    ("lists that cannot be in a set", lambda: gen.sets(gen.lists(numbers), min_size=1).sample(1), ["hashable", "unique_by"]),
    ("a unique_by that returns lists", lambda: gen.lists(numbers, min_size=1, unique_by=lambda n: [n]).sample(1), ["unique_by", "hashable", "tuple"]),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("wrong", "words"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_wrong_call_is_explained(wrong: Callable[[], Any], words: list[str]) -> None:
    with pytest.raises(EverycaseError) as caught:
        wrong()
    message = str(caught.value)
    for word in words:
        assert word in message, message
    # A wrong argument is a ValueError too; a generator without values is an error of its own.
    assert isinstance(caught.value, InvalidArgument | GeneratorError)


def test_there_are_many_of_them() -> None:
    assert len(WRONG) >= 40
    assert len({row[0] for row in WRONG}) == len(WRONG)


def test_operators_leave_foreign_operands_to_python() -> None:
    with pytest.raises(TypeError):
        numbers | 3  # type: ignore[operator]
    with pytest.raises(TypeError):
        numbers * 3  # type: ignore[operator]


def test_bounds_that_are_equal_are_fine() -> None:
    assert gen.integers(3, 3).sample(2) == [3, 3]
    assert gen.timedeltas(timedelta(1), timedelta(1)).sample(1) == [timedelta(1)]
    assert gen.times(time(3), time(3)).sample(1) == [time(3)]


def test_sizes_beyond_the_largest_value_are_empty() -> None:
    assert len(gen.lists(gen.booleans(), max_size=2).of_size(10**30)) == 0
    assert len(gen.lists(gen.booleans(), max_size=2).up_to_size(10**30)) == 7
    doubled: gen.Gen[Any] = gen.booleans()
    for _ in range(60):
        doubled = gen.tuples(doubled, doubled)
    assert len(doubled.of_size(2**62)) == 0


def test_codecs_of_whole_texts_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="encodes whole texts"):
        gen.characters(codec="idna")
    with pytest.raises(InvalidArgument, match="not an encoding of text"):
        gen.characters(codec="base64")


def test_a_function_with_other_parameters_is_refused_where_it_is_given() -> None:
    pairs = gen.tuples(gen.integers(), gen.integers())
    wrong: list[Callable[[], Any]] = [
        lambda: pairs.map(lambda a, b: a),  # type: ignore[arg-type, misc]
        lambda: pairs.filter(lambda a, b: a < b),  # type: ignore[arg-type, misc]
        lambda: pairs.flatmap(lambda a, b: gen.integers(a, b)),  # type: ignore[arg-type, misc]
        lambda: pairs.chain(lambda a, b: gen.integers(a, b)),  # type: ignore[arg-type, misc]
        lambda: gen.lists(pairs, unique_by=lambda a, b: a),  # type: ignore[arg-type, misc]
        lambda: find(pairs, lambda a, b: a < b),  # type: ignore[arg-type, misc]
    ]
    for call in wrong:
        with pytest.raises(InvalidArgument, match=r"called with one argument.*A tuple is one argument"):
            call()
    with pytest.raises(InvalidArgument, match=r"called with no argument, but <lambda> takes \(x\)"):
        gen.deferred(lambda x: x)  # type: ignore[arg-type, misc]
    assert gen.integers(0, 3).map(lambda n, k=2: n * k).sample(1, seed=0)[0] < 7
    assert gen.integers(0, 3).map(lambda *args: args).sample(1, seed=0)[0] < (4,)


def test_targets_of_a_campaign_that_are_none_are_refused() -> None:
    for wrong in (None, 3, gen.integers()):
        with pytest.raises(InvalidArgument, match="targets must be tests, files or folders"):
            campaign.run(wrong, into="unused", max_seconds=1)  # type: ignore[arg-type]


def test_characters_that_the_codec_cannot_encode_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="'é', which codec='ascii' cannot encode"):
        gen.characters(codec="ascii", include_characters="é")
    with pytest.raises(InvalidArgument, match="cannot encode"):
        gen.characters(codec="utf-8", include_characters="\ud800")
    assert set(gen.characters(codec="ascii", categories=[], include_characters="ab")) == {"a", "b"}


def test_a_version_of_uuids_is_an_int() -> None:
    with pytest.raises(InvalidArgument, match="must be a number from 1 to 5"):
        gen.uuids(version=1.0)  # type: ignore[arg-type]
