"""Undecided objects that become instances of the exact class, and those that must not."""

from __future__ import annotations

import copy
import functools
import pickle
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass, field, replace
from typing import Any, Generic, TypeVar

import attrs
import pytest

from everycase import gen
from everycase.errors import Untrusted
from everycase.gen.base import Gen
from everycase.narrow import Narrowing
from everycase.narrow.lazy.objects import becomes_itself

T = TypeVar("T")


@dataclass(frozen=True)
class Tip:
    pass


@dataclass(frozen=True, order=True)
class Fork:
    n: int
    left: Any
    right: Any

    @property
    def least(self) -> int:
        return self.left.n if isinstance(self.left, Fork) else self.n

    @classmethod
    def name(cls) -> str:
        return cls.__name__

    def same(self, other: Any) -> bool:
        return self.__class__ is other.__class__ and self == other


@attrs.frozen(slots=False)
class Held:
    n: int


@dataclass(frozen=True)
class Box(Generic[T]):
    content: T


class Named:
    """Has a ``__dict__``, and so do instances of its subclasses, with or without slots."""

    def name(self) -> str:
        return self.__class__.__name__


@dataclass(frozen=True, slots=True)
class Bare(Named):
    pass


@dataclass
class Changeable:
    n: int


@dataclass(frozen=True, slots=True)
class Slotted:
    n: int


@dataclass(frozen=True)
class WithCache:
    n: int

    @functools.cached_property
    def double(self) -> int:
        return 2 * self.n


class Remembering:
    """A descriptor that caches its result in the instance."""

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else instance.__dict__.setdefault("twice", 2 * instance.n)


@dataclass(frozen=True)
class WithDescriptor:
    n: int
    double = Remembering()


@dataclass(frozen=True)
class WithEnd:
    n: int

    def __del__(self) -> None:
        raise AssertionError("never made, so it never ends")


class Loose(Box[int]):
    """Not frozen beyond the fields of its base."""


numbers = gen.integers(0, 3)
trees: Gen[Any] = gen.deferred(lambda: gen.builds(Tip) | gen.builds(Fork, numbers, trees, trees))


@pytest.mark.parametrize(
    ("cls", "itself"),
    [
        *((Tip, True), (Fork, True), (Held, True), (Box, False)),
        *((Changeable, False), (Slotted, False), (WithCache, False), (WithDescriptor, False)),
        *((WithEnd, False), (Loose, False), (tuple, False), (int, False)),
    ],
)
def test_which_classes_stand_for_themselves(cls: type, itself: bool) -> None:
    assert becomes_itself(cls, ("n",)) is itself


def test_what_a_predicate_sees_is_of_the_very_class() -> None:
    seen, true_class = Counter(), type

    def looking(tree: Any) -> bool:
        if isinstance(tree, Fork):
            seen[true_class(tree) is Fork] += 1
            return isinstance(tree.left, Tip) and isinstance(tree.right, Tip)
        return False

    assert len(list(Narrowing([trees]).search(5, looking))) == 4
    assert seen[True] > 10 and not seen[False]


def first_is_tip(tree: Any) -> bool:
    return isinstance(tree, Fork) and isinstance(tree.left, Tip) and tree.n > 1


def matching(tree: Any) -> bool:
    match tree:
        case Fork(n, Tip(), Fork(m, _, Tip())):
            return bool(n < m)
        case Fork(2, _, _):
            return True
    return False


CASES: dict[str, tuple[Gen[Any], Callable[[Any], bool], int]] = {
    "isinstance": (trees, first_is_tip, 9),
    "match": (trees, matching, 9),
    "properties and methods": (trees, lambda t: isinstance(t, Fork) and t.least == 1 and t.name() == "Fork", 7),
    "equality and class": (trees, lambda t: isinstance(t, Fork) and (t.same(t.left) or t.left == t.right), 9),
    "order": (trees, lambda t: isinstance(t, Fork) and isinstance(t.left, Fork) and t.n != t.left.n and t < t.left, 7),
    "vars": (trees, lambda t: isinstance(t, Fork) and list(vars(t)) == ["n", "left", "right"] and t.n == 2, 5),
    "copy": (trees, lambda t: isinstance(t, Fork) and isinstance(copy.copy(t).left, Fork) and copy.copy(t) == t, 7),
    "deepcopy": (trees, lambda t: isinstance(t, Fork) and copy.deepcopy(t).right == Tip(), 7),
    "pickle": (trees, lambda t: isinstance(t, Fork) and pickle.loads(pickle.dumps(t)).left == t.right, 7),
    "replace": (trees, lambda t: isinstance(t, Fork) and replace(t, n=1).left == Tip() and t.n == 3, 7),
    "asdict": (trees, lambda t: isinstance(t, Fork) and asdict(t)["left"] != {}, 7),
    "astuple": (trees, lambda t: isinstance(t, Fork) and astuple(t)[0] == 1, 7),
    "hash": (trees, lambda t: isinstance(t, Fork) and len({t.left, t.right}) == 1, 9),
    "lists of them": (
        gen.lists(trees, max_size=2),
        lambda ts: any(isinstance(t, Fork) and isinstance(t.right, Fork) for t in ts),
        8,
    ),
    "two builds of one class": (
        gen.builds(Fork, gen.integers(0, 1), trees, gen.just(Tip())) | gen.builds(Fork, numbers, gen.just(Tip()), trees),
        lambda t: t.n == 1 and t.left != t.right,
        7,
    ),
    "without fields, with slots, of a class without": (
        gen.builds(Bare) | gen.builds(Held, numbers), lambda x: x.name() == "Bare" if isinstance(x, Bare) else x.n == 2, 2,
    ),
    "beside others": (
        gen.builds(Held, numbers) | gen.builds(Slotted, numbers) | gen.builds(Changeable, numbers)
        | gen.builds(WithCache, numbers) | gen.builds(WithDescriptor, numbers) | gen.builds(Box, numbers),
        lambda x: x.content > 1 if isinstance(x, Box) else x.double == 4 if hasattr(x, "double") else x.n == 1,
        4,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_same_values_as_filtering(name: str) -> None:
    made, predicate, size = CASES[name]
    wanted = Counter(repr(value) for value in made.up_to_size(size) if predicate(value))
    assert 0 < wanted.total() < len(made.up_to_size(size))
    found = Counter()
    for one in Narrowing([made]).search(size, predicate):
        found[repr(one.value)] += 1
        assert one.trace().value == (one.value,)
        assert pickle.loads(pickle.dumps(one.value)) == one.value
    assert found == wanted


def test_a_real_object_at_the_same_place_stays_what_it_is() -> None:
    given = Fork(7, Tip(), Tip())
    object.__setattr__(given, "note", "mine")
    made = gen.just(given) | gen.builds(Tip) | gen.builds(Fork, numbers, trees, trees)
    found = [one.value for one in Narrowing([made]).search(5, lambda t: isinstance(t, Fork) and t.n > 2)]
    assert [value for value in found if value.n == 7] == [given]
    assert next(value for value in found if value.n == 7) is given
    assert len(found) == 1 + sum(t.n > 2 for t in made.up_to_size(5) if isinstance(t, Fork) and t.n < 7)


@dataclass(frozen=True)
class KeepsItsDepth:
    below: Any

    def depth(self) -> int:
        known = self.__dict__.get("_depth")
        if known is None:
            known = 1 + (self.below.depth() if isinstance(self.below, KeepsItsDepth) else 0)
            object.__setattr__(self, "_depth", known)
        return known


chains: Gen[Any] = gen.deferred(lambda: gen.builds(Tip) | gen.builds(KeepsItsDepth, chains))


def test_what_is_kept_in_a_part_is_noticed() -> None:
    with pytest.raises(
        Untrusted, match="stores something in a KeepsItsDepth, as _depth; a predicate must not store anything"
    ):
        list(Narrowing([chains]).search(6, lambda c: isinstance(c, KeepsItsDepth) and c.depth() == 3))


def test_what_others_have_kept_in_a_real_object_does_not_count() -> None:
    given = KeepsItsDepth(Tip())
    assert given.depth() == 1
    made = gen.tuples(gen.just(given), chains)

    def looking(pair: Any) -> bool:
        first, second = pair
        return isinstance(second, KeepsItsDepth) and isinstance(second.below, Tip) and first.below == Tip()

    assert [one.value for one in Narrowing([made]).search(6, looking)] == [(given, KeepsItsDepth(Tip()))]


@dataclass(frozen=True)
class Numbered:
    n: int
    extra: list[int] = field(default_factory=list, init=False, compare=False)


def test_defaults_are_there_and_are_not_taken_for_something_kept() -> None:
    made = gen.builds(Tip) | gen.builds(Numbered, numbers)
    found = [
        one.value for one in Narrowing([made]).search(4, lambda x: isinstance(x, Numbered) and x.extra == [])
    ]
    assert found == [Numbered(n) for n in range(4)]
    assert len({id(value.extra) for value in found}) == 4


@dataclass(frozen=True)
class Holding:
    n: int

    def __contains__(self, other: int) -> bool:
        return self.n == other

    def __getitem__(self, place: int) -> int:
        return self.n + place

    def __call__(self, *, by: int) -> int:
        return self.n + by


@dataclass(frozen=True)
class Listing:
    n: int

    def __iter__(self) -> Any:
        return iter((self.n, 5))


def does(act: Callable[[], Any]) -> bool:
    try:
        return bool(act())
    except TypeError:
        return False


@pytest.mark.parametrize(
    "predicate",
    [
        lambda x: does(lambda: 2 in x),
        lambda x: not does(lambda: 2 in x),
        lambda x: does(lambda: x[0]),
        lambda x: does(lambda: x(by=1) == 3),
        lambda x: not does(lambda: x(by=0)),
    ],
)
def test_what_only_some_classes_can_do(predicate: Callable[[Any], bool]) -> None:
    made = gen.builds(Held, numbers) | gen.builds(Listing, numbers) | gen.builds(Holding, numbers)
    wanted = [value for value in made.up_to_size(3) if predicate(value)]
    assert wanted
    assert [one.value for one in Narrowing([made]).search(3, predicate)] == wanted
