"""No wrong verdict on programs that are easy to misread; the oracle runs the real generator."""

from __future__ import annotations

import itertools

import pytest
from adversarial import CLASSES, programs
from adversarial_families import more_programs
from oracle import wrong
from samples import module
from semantics import SEMANTICS

PROGRAMS = programs()
MORE = more_programs()
GROUPS = 12


def checked(text):
    """The error in the verdict on a program; None if there is none."""
    scope = module(CLASSES + text)
    return wrong(scope["f"], candidates(scope, scope["f"]))


def candidates(scope, generator):
    """Small values of the generator's annotated type."""
    numbers = range(-3, 10)
    bits = [list(p) for n in range(4) for p in itertools.product((0, 1, 2), repeat=n)]
    simple = {"int": list(numbers), "bool": [False, True], "list[int]": bits, "str": ["", "a", "\ud800"]}
    text = generator.__wrapped__.__annotations__["return"]
    if text in simple:
        return simple[text]
    found = []
    for name in text.split(" | "):
        cls = scope.get(name)
        if name == "None":
            found.append(None)
        elif name in simple:
            found += simple[name]
        elif isinstance(cls, type) and issubclass(cls, scope["enum"].Enum):
            found += [cls(n) for n in range(4)] if issubclass(cls, scope["enum"].Flag) else list(cls)
        elif cls is not None and hasattr(cls, "__dataclass_fields__") and len(cls.__dataclass_fields__) == 1:
            found += [cls(n) for n in numbers]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("group", range(GROUPS))
def test_no_wrong_verdict(group):
    names = list(PROGRAMS)[group::GROUPS]
    found = {name: problem for name in names if (problem := checked(PROGRAMS[name])) is not None}
    assert not found


def test_there_are_many_programs():
    assert len(PROGRAMS) >= 200


@pytest.mark.parametrize(
    "group", [pytest.param(i, marks=[pytest.mark.slow] if i >= 2 else []) for i in range(GROUPS)]
)
def test_no_wrong_verdict_on_further_programs(group):
    names = list(MORE)[group::GROUPS]
    found = {name: problem for name in names if (problem := checked(MORE[name])) is not None}
    assert not found
    assert len(MORE) >= 500


def in_hypothesis(text):
    return "from hypothesis import assume, strategies as st\n" + text.replace("gen.", "st.")


@pytest.mark.slow
@pytest.mark.parametrize("group", range(GROUPS))
def test_no_wrong_verdict_on_the_finer_points_of_python(group):
    found = {}
    for number, (name, (text, candidates)) in list(enumerate(SEMANTICS.items()))[group::GROUPS]:
        scope = module(text)
        values = eval(candidates, {**scope, "itertools": itertools})
        form = module(in_hypothesis(text)) if number % 5 == 0 else scope
        found[name] = wrong(form["f"], values, scope["f"])
    assert not {name: problem for name, problem in found.items() if problem is not None}
