"""No wrong verdict on programs that are easy to misread; the oracle runs the real generator."""

from __future__ import annotations

import inspect
import itertools

import pytest
from adversarial import CLASSES, programs
from adversarial_families import more_programs
from samples import module

from everycase.complete import PredicateFailed, gaps
from everycase.enumeration.walk import walk

PROGRAMS = programs()
MORE = more_programs()
TRACES = 3_000
GROUPS = 12


def made_by(generator, arguments):
    """Values of the real generator, by repr (with the type: True is not 1), and whether these are all of them."""
    found = {}
    try:
        for trace in itertools.islice(walk(generator(**arguments)), TRACES):
            found[repr(trace.value)] = trace.value
        done = len(found) < TRACES
    except Exception:  # a program may raise for some choices
        done = False
    for seed in range(60):
        try:
            (value,) = generator(**arguments).sample(1, seed=seed)
        except Exception:
            done = False
        else:
            found[repr(value)] = value
    return found, done


def small_arguments(generator):
    names = list(inspect.signature(generator.__wrapped__).parameters)[1:]
    return [dict(zip(names, values)) for values in itertools.product(range(3), repeat=len(names))]


def holds(function, *first, **arguments):
    names = list(inspect.signature(function).parameters)[len(first) :]
    return bool(function(*first, **{n: arguments[n] for n in names if n in arguments}))


def wrong(text):
    """The error in the verdict on a program; None if the verdict is right."""
    scope = module(CLASSES + text)
    generator = scope["f"]
    specification = generator.__everycase_covers__
    try:
        verdict = gaps(generator, max_seconds=4)
    except PredicateFailed:
        return None
    if verdict.status == "missing":
        found, _ = made_by(generator, verdict.arguments)
        if repr(verdict.value) in found:
            return f"{verdict.value!r} is called missing and made"
        if not holds(specification.predicate, verdict.value, **verdict.arguments):
            return f"{verdict.value!r} is called missing and is not valid"
    if verdict.status == "proved":
        for arguments in small_arguments(generator):
            if specification.requires and not holds(specification.requires, **arguments):
                continue
            found, _ = made_by(generator, arguments)
            for value in candidates(scope, generator):
                if holds(specification.predicate, value, **arguments) and repr(value) not in found:
                    return f"proved, but {value!r} with {arguments} is valid and was never made"
    if verdict.unsound is not None:
        arguments, value = verdict.unsound
        found, _ = made_by(generator, arguments)
        if repr(value) not in found or holds(specification.predicate, value, **arguments):
            return f"{value!r} is called unsound"
    if verdict.sound:
        for arguments in small_arguments(generator):
            if specification.requires and not holds(specification.requires, **arguments):
                continue
            for value in made_by(generator, arguments)[0].values():
                if not holds(specification.predicate, value, **arguments):
                    return f"called sound, but it makes {value!r} with {arguments}"
    return None


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
    found = {name: problem for name in names if (problem := wrong(PROGRAMS[name])) is not None}
    assert not found


def test_there_are_many_programs():
    assert len(PROGRAMS) >= 200


@pytest.mark.parametrize(
    "group", [pytest.param(i, marks=[pytest.mark.slow] if i >= 2 else []) for i in range(GROUPS)]
)
def test_no_wrong_verdict_on_further_programs(group):
    names = list(MORE)[group::GROUPS]
    found = {name: problem for name in names if (problem := wrong(MORE[name])) is not None}
    assert not found
    assert len(MORE) >= 500
