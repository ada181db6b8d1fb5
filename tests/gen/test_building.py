"""builds, composite, data and functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import attrs
import pytest
from table import Point

from everycase import check, gen
from everycase.choices.enact import record, replay
from everycase.errors import InvalidArgument
from everycase.explore import Exhaustive, Narrow
from everycase.gen.kinds import Build, Composite


@dataclass(frozen=True)
class Holding:
    share: float
    name: str


def area(width: bool, /, height: bool, *extra: bool, scale: bool = False, **options: bool) -> tuple[Any, ...]:
    return width, height, extra, scale, options


def test_parts_by_position_by_keyword_and_inferred() -> None:
    yes = gen.just(True)
    assert gen.builds(area, yes, yes).sample(1) == [(True, True, (), False, {})]
    assert gen.builds(area, yes, yes, yes, yes).sample(1) == [(True, True, (True, True), False, {})]
    assert gen.builds(area, yes, height=yes, scale=yes, other=yes).sample(1) == [
        (True, True, (), True, {"other": True})
    ]
    found = gen.builds(area, scale=...).sample(100, seed=0)
    assert {(width, height, scale) for width, height, _, scale, _ in found} == {
        (a, b, c) for a in (False, True) for b in (False, True) for c in (False, True)
    }
    assert {p.y for p in gen.builds(Point).sample(50, seed=0)} == {0}, "what has a default is left alone"


def test_builtins_that_do_not_tell_their_parameters() -> None:
    assert gen.builds(dict, a=gen.just(1)).sample(1) == [{"a": 1}]
    assert gen.builds(max, gen.just(1), gen.just(2)).sample(1) == [2]


def test_a_parameter_named_share_is_a_parameter() -> None:
    node = gen.builds(Holding, share=gen.just(0.5), name=gen.just("x"))
    assert node.sample(1) == [Holding(0.5, "x")]
    assert isinstance(node, Build) and node.share, "frozen"


def test_share_says_whether_values_may_be_one_object() -> None:
    def shared(node: gen.Gen[Any]) -> bool:
        assert isinstance(node, Build)
        return node.share

    assert not shared(gen.builds(Point))
    assert shared(gen.builds(Point, share=True))
    assert shared(gen.builds(Holding))
    assert not shared(gen.builds(Holding, share=False))


def test_what_was_built_can_be_taken_apart_if_the_class_keeps_its_arguments() -> None:
    node = gen.builds(Point, y=gen.integers(), x=gen.integers())
    assert isinstance(node, Build)
    assert (node.constructs, node.fields) == (Point, ("x", "y"))
    partly = gen.builds(Point, gen.integers())
    assert isinstance(partly, Build) and partly.constructs is None, "y is not decided by a part"


class Factory:
    limit = 3

    @gen.composite
    def below(draw, self) -> tuple[str, int]:  # noqa: N805
        return type(self).__name__, draw(gen.integers(self.limit, self.limit))

    @classmethod
    @gen.composite
    def of_class(draw, cls) -> tuple[str, int]:  # noqa: N804
        return cls.__name__, draw(gen.integers(cls.limit, cls.limit))

    @gen.composite
    @classmethod
    def of_class_too(draw, cls) -> str:  # noqa: N804
        return cls.__name__

    @staticmethod
    @gen.composite
    def alone(draw) -> int:
        return draw(gen.just(5))


def test_composites_work_as_methods() -> None:
    assert Factory().below().sample(1) == [("Factory", 3)]
    assert Factory.of_class().sample(1) == [("Factory", 3)]
    assert Factory.of_class_too().sample(1) == ["Factory"]
    assert Factory.alone().sample(1) == [5]


@gen.composite
def sized(draw: gen.Draw, size: int, *, fill: int = 0) -> list[int]:
    """Lists of a size."""
    return [draw(gen.just(fill)) for _ in range(size)]


def test_a_composite_keeps_what_it_wraps() -> None:
    assert sized.__name__ == "sized"
    assert sized.__doc__ == "Lists of a size."
    assert sized.__wrapped__ is sized.function
    node = sized(2, fill=7)
    assert isinstance(node, Composite)
    assert repr(node) == "sized(2, fill=7)"
    assert node.sample(1) == [[7, 7]]


def test_data_draws_during_the_test_and_shows_what_it_drew() -> None:
    source = gen.data().example(seed=0)
    number = source.draw(gen.integers(0, 9), label="number")
    word = source.draw(gen.sampled_from(["w"]))
    assert repr(source) == f"data(number={number!r}, {word!r})"
    assert source.drawn == [("number", number), (None, word)]


def test_what_data_drew_is_replayed() -> None:
    def use(data: Any) -> list[Any]:
        return [data.draw(gen.integers()) for _ in range(data.draw(gen.integers(0, 5)))]

    for seed in range(20):
        trace = record(gen.data(), seed)
        drawn = use(trace.value)
        assert use(replay(gen.data(), trace).value) == drawn


def test_functions_answer_from_their_generator() -> None:
    def compare(a: int, b: int = 2) -> bool: ...

    function = gen.functions(like=compare).example(seed=0)
    answers = {function(n) for n in range(50)}
    assert answers == {False, True}
    with pytest.raises(TypeError):
        function()
    assert function.__name__ == "compare"
    assert repr(function).startswith(f"<compare: (0) -> {function.calls[0][2]}; (1) -> ")


def test_pure_functions_answer_the_same_for_the_same_arguments() -> None:
    def like(a: Any, b: int = 2) -> None: ...

    function = gen.functions(like=like, returns=gen.integers(), pure=True).example(seed=0)
    first = [function(n) for n in range(30)]
    assert [function(n, 2) for n in range(30)] == first
    assert [function(a=n) for n in range(30)] == first
    assert len(set(first)) > 10
    assert function([1]) == function([1]), "arguments need not be hashable"
    assert (function(1), function(True), function(1.0)) == (function(1), function(True), function(1.0))
    changing = gen.functions(like=like, returns=gen.integers()).example(seed=0)
    assert len({changing(0) for _ in range(30)}) > 10


def test_a_function_that_hides_its_parameters_cannot_be_imitated() -> None:
    with pytest.raises(InvalidArgument, match="like"):
        gen.functions(like=dict)


def test_recursive_keeps_to_its_leaves() -> None:
    def leaves(value: Any) -> int:
        return sum(map(leaves, value)) if isinstance(value, list | tuple) else 1

    shapes: list[Callable[[gen.Gen[Any]], gen.Gen[Any]]] = [
        lambda inner: gen.tuples(inner, inner),
        lambda inner: gen.tuples(inner, inner, inner) | gen.lists(inner),
        lambda inner: gen.lists(inner, max_size=3),
        lambda inner: gen.lists(inner, min_size=3),
    ]
    for extend in shapes:
        for most in (1, 2, 7, 20):
            found = [
                leaves(value)
                for value in gen.recursive(gen.integers(), extend, max_leaves=most).sample(500, seed=0)
            ]
            assert max(found) <= most
            assert most < 7 or max(found) > most / 3


@dataclass(frozen=True)
class Tagged:
    number: int
    tags: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class TaggedLater:
    number: int
    tags: list[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tags", [])


@dataclass(frozen=True)
class TaggedUnlessGiven:
    number: int
    tags: list[str] | None = None

    def __post_init__(self) -> None:
        if self.tags is None:
            object.__setattr__(self, "tags", [])


@dataclass(frozen=True)
class TaggedByItsBase(TaggedUnlessGiven):
    pass


@dataclass(frozen=True)
class TaggedByHand:
    number: int

    def __post_init__(self) -> None:
        self.__dict__["tags"] = []


@attrs.frozen
class TagsConverted:
    number: int
    tags: list[str] = attrs.field(default=(), converter=list)


@attrs.frozen
class TaggedAfterwards:
    number: int
    tags: list[str] | None = None

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "tags", [])


@pytest.mark.parametrize("explorer", [Exhaustive(), Narrow(max_size=4)])
@pytest.mark.parametrize(
    "kind",
    [
        Tagged,
        TaggedLater,
        TaggedUnlessGiven,
        TaggedByItsBase,
        TaggedByHand,
        TagsConverted,
        TaggedAfterwards,
    ],
)
def test_a_frozen_object_with_a_list_of_its_own_is_made_anew_for_each_test(explorer: Any, kind: Any) -> None:
    tags_before: list[list[str]] = []

    def adds_a_tag(tagged: Any, _: int) -> None:
        tags_before.append(list(tagged.tags))
        tagged.tags.append("seen")

    numbers = gen.integers(0, 2)
    tagged = gen.builds(kind, numbers).filter(lambda one: one.number >= 0)
    check(adds_a_tag, tagged, numbers, explore=explorer, database=None)
    assert tags_before == [[]] * 9


@dataclass(frozen=True)
class Checked:
    number: int

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError(self.number)


def test_a_frozen_object_that_only_checks_its_fields_is_shared() -> None:
    checked = gen.builds(Checked, gen.integers(0, 2))
    pairs = list(gen.tuples(checked, gen.integers(0, 2)))
    assert len({id(one) for one, _ in pairs}) == 3
