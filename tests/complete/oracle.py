"""An oracle for verdicts: run the real generator through its choices, and ask the real predicate."""

from __future__ import annotations

import copy
import inspect
import itertools

from everycase.complete import PredicateFailed, gaps
from everycase.enumeration.walk import walk

TRACES = 3_000
SEEDS = 60


def made_by(generator, arguments):
    """Values of the real generator, by repr (with the type: True is not 1), and whether these are all of them."""
    found = {}
    try:
        for trace in itertools.islice(walk(generator(**arguments)), TRACES):
            found[repr(trace.value)] = trace.value
        done = len(found) < TRACES
    except Exception:  # a program may raise for some choices
        done = False
    for seed in range(0 if done else SEEDS):
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
    """What the predicate says of a copy: it may change what it is asked about."""
    names = list(inspect.signature(function).parameters)[len(first) :]
    try:
        return bool(function(*copy.deepcopy(first), **{n: arguments[n] for n in names if n in arguments}))
    except Exception:
        return False


def wrong(generator, candidates, real=None):
    """The error in the verdict on a generator; None if the verdict is right.

    ``real`` is the same generator in everycase's form, which the oracle runs, if this is one of Hypothesis.
    """
    specification = generator.__everycase_covers__
    predicate, requires = specification.predicate, specification.requires
    real = real or generator
    try:
        verdict = gaps(generator, max_seconds=4)
    except PredicateFailed:
        return None
    if verdict.status == "missing":
        if repr(verdict.value) in made_by(real, verdict.arguments)[0]:
            return f"{verdict.value!r} is called missing and made"
        if not holds(predicate, verdict.value, **verdict.arguments):
            return f"{verdict.value!r} is called missing and is not valid"
    allowed = [a for a in small_arguments(real) if requires is None or holds(requires, **a)]
    made = (
        {i: made_by(real, a)[0] for i, a in enumerate(allowed)} if verdict.complete or verdict.sound else {}
    )
    for i, values in made.items():
        for value in candidates if verdict.complete else ():
            if holds(predicate, value, **allowed[i]) and repr(value) not in values:
                return f"proved, but {value!r} with {allowed[i]} is valid and was never made"
        for value in values.values() if verdict.sound else ():
            if not holds(predicate, value, **allowed[i]):
                return f"called sound, but it makes {value!r} with {allowed[i]}"
    if verdict.unsound is not None:
        arguments, value = verdict.unsound
        if repr(value) not in made_by(real, arguments)[0] or holds(predicate, value, **arguments):
            return f"{value!r} is called unsound"
    return None
