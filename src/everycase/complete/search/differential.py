"""Compare a generator's translation with the generator itself, by running both.

A verdict is about the translation. Before it is given, the two must agree wherever they can be compared
cheaply:

- every way through the translation, for small draws, is repeated in Python by a ``draw`` that returns these very
  values; each must be one that the real generator could draw there, and the result must be the same;
- every value that the real generator makes, with small choices and with random ones, must be one that the
  translation can make.

A disagreement is never a verdict. It means that the generator cannot be reasoned about.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from everycase.choices.assumptions import making_values
from everycase.complete.clock import Clock
from everycase.complete.frontend.program import DrawStep, Generator, Path
from everycase.complete.frontend.source import innermost
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.types import Value
from everycase.complete.language.values import from_python, size_of, to_python
from everycase.complete.search.concrete import Forward, Reality, RealSets
from everycase.complete.search.running import Runs, explore
from everycase.complete.search.small_choices import Pools
from everycase.complete.search.worlds import Level
from everycase.errors import Discarded
from everycase.gen.base import Gen
from everycase.gen.kinds import (
    Bind,
    Build,
    Composite,
    Const,
    Defer,
    Filter,
    Float,
    Int,
    List,
    Live,
    Map,
    Union,
)
from everycase.gen.reading import total

ARGUMENTS = 6  # argument lists that the generator is run with
RUNS = 160  # runs for each of them
REPLAYS = 8  # ways to draw that are repeated for each path and argument list
SMALL = 4  # the size of values that must turn up by running
LARGEST = 30  # the size of values that are asked about
TARGETED = 1_500  # runs in search of one value


class Differential:
    """The comparison of one generator with its translation in a small world."""

    def __init__(self, generator: Generator, level: Level, clock: Clock) -> None:
        self.generator, self.level, self.clock = generator, level, clock
        texts: tuple[str, ...] = level.world.texts
        if generator.program.library.types.open_text:
            texts = (*texts, *(chr(n) for n in level.world.integers if 32 < n < 0xD800))
        self.pools = Pools(tuple(level.world.integers), ("", *texts))
        self.holes = any(p.ending == "hole" for p in generator.paths)

    def disagreement(self) -> str | None:
        """A sentence about a disagreement; None if none was found."""
        for args in self._arguments():
            found = self._replays(args) or self._runs(args)
            if found is not None:
                return found
        return None

    def seen(self) -> Iterator[tuple[Value, ...]]:
        """Arguments and values that come up when the real generator is run."""
        for args in self._arguments():
            described = self._called(args)
            if described is not None:
                runs = explore(described, self._key, self.pools, most=RUNS, clock=self.clock)
                yield from ((*args, value) for value in runs.values)

    def makes(self, args: tuple[Value, ...], value: Value, drawn: tuple[Value, ...] = ()) -> bool:
        """Does the real generator make this value, as far as a search for it (with these draws first)
        shows?"""
        parts = (*drawn, value, *args)
        numbers = dict.fromkeys([*(n for part in parts for n in _integers(part)), *self.pools.integers])
        near = tuple(dict.fromkeys(m for n in numbers for m in (n, n + 1, n - 1)))
        shown = to_python(self.generator.result, value)
        strings = [*(t for part in parts for t in _texts(part)), *_texts(shown), *self.pools.texts]
        texts = tuple(dict.fromkeys(strings))
        described = self._called(args)
        if described is None:
            return False
        for integers in (tuple(numbers), near):
            runs = explore(
                described,
                self._key,
                Pools(integers, texts),
                most=TARGETED // 2,
                clock=self.clock,
                wanted=value,
            )
            if value in runs.values:
                return True
        return False

    # --- running the real one ---------------------------------------------------------------------------

    def _runs(self, args: tuple[Value, ...]) -> str | None:
        described = self._called(args)
        if described is None:
            return None
        runs = explore(described, self._key, self.pools, most=RUNS, clock=self.clock)
        problem = self._problem(runs, args)
        if problem is not None:
            return problem
        reality = Reality(self.level.world)
        for value, native in runs.values.items():
            if self.clock.left() <= 0:
                return None
            small = size_of(self.generator.result, value) <= LARGEST
            if small and reality.certainly_not(self.generator, *args, value):
                return f"it makes {native!r}{self._with(args)}, which its translation does not"
        return None

    def _problem(self, runs: Runs, args: tuple[Value, ...]) -> str | None:
        if runs.misfits:
            kind = self.generator.result
            return (
                f"it makes {runs.misfit!r}{self._with(args)}, which does not have the annotated type {kind}"
            )
        if runs.unsteady is not None:
            first, second = runs.unsteady
            return f"the same draws gave {first!r} and then {second!r}: it depends on more than its draws"
        return None

    def _called(self, args: tuple[Value, ...]) -> Any:
        """The real generator for these arguments; None if the call itself fails."""
        try:
            return self.generator.alive(**self._native(args))
        except Exception:
            return None

    def _key(self, value: Any) -> Value:
        if self.holes and value is ...:
            raise Discarded("a hole")
        return from_python(self.generator.result, value)

    # --- repeating the translation ----------------------------------------------------------------------

    def _replays(self, args: tuple[Value, ...]) -> str | None:
        for path in self.generator.paths:
            if path.result is None:
                continue
            try:
                ways = list(itertools.islice(self._ways(path, args), REPLAYS))
            except (RecursionError, IndexError, TypeError):
                continue  # user code that has no answer here
            for outputs in ways:
                self.clock.check()
                found = (
                    self._replay(path, args, outputs) if path.scripted else self._reached(args, outputs[-1])
                )
                if found is not None:
                    return found
        return None

    def _ways(self, path: Path, args: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
        """For some ways to draw: what each ``draw`` returns, the arguments of calls, and the result."""
        assert path.result is not None
        real = RealSets(self.level.world)
        forward = Forward(Evaluator(), self.level.world, real.values)
        calls = [a for d in path.draws for a in d.args]
        outputs = (*path.drawn, *calls, path.result, path.result)  # two at least, so that a tuple comes back
        ways = forward.compile(self.generator.params, path, outputs)(*args)
        # the first ones differ in the last draw only
        return itertools.chain(itertools.islice(ways, REPLAYS // 2), itertools.islice(ways, 0, 400, 41))

    def _replay(self, path: Path, args: tuple[Value, ...], outputs: tuple[Value, ...]) -> str | None:
        callees = self._callees(path, outputs[len(path.drawn) :])
        expected = outputs[-1]
        script: list[tuple[Any, Any]] = []
        for e, value in zip(path.drawn, outputs):
            native = to_python(e.type, value)
            script += [(item, None) for item in native] if e in path.spread else [(native, callees.get(e))]
        drawn = [value for value, _ in script]
        problems: list[str] = []
        left = iter(script)

        def draw(source: Any, label: str | None = None) -> Any:
            value, callee = next(left)
            if callee is not None and not _is_call(source, callee):
                problems.append(f"a draw from {source!r} was read as one from {callee[0].name}{callee[1]!r}")
            elif callee is None and admits(source, value) is False:
                problems.append(f"{value!r} was wrongly taken for a value that {source!r} makes")
            return value

        plain = innermost(self.generator.alive)
        shown = f"with the draws {drawn!r}{self._with(args)}"
        try:
            with making_values():
                made = plain(draw, **self._native(args))
        except Discarded:
            return f"{shown} it discards the input, but its translation makes {self._shown(expected)}"
        except Exception as error:
            name = type(error).__name__
            return f"{shown} it raises {name}, but its translation makes {self._shown(expected)}"
        if problems:
            return problems[0]
        if next(left, None) is not None:
            return f"{shown} it draws less often than its translation"
        try:
            same = self._key(made) == expected
        except (ValueError, Discarded):
            same = False
        return (
            None if same else f"{shown} it makes {made!r}, but its translation makes {self._shown(expected)}"
        )

    def _reached(self, args: tuple[Value, ...], expected: Value) -> str | None:
        """If the draws are not known, the value must come up by running."""
        if size_of(self.generator.result, expected) > SMALL or self.makes(args, expected):
            return None
        return f"{self._shown(expected)}{self._with(args)}, which its translation makes, was not made by running it"

    def _callees(self, path: Path, values: tuple[Value, ...]) -> dict[Any, tuple[Generator, tuple[Any, ...]]]:
        """By drawn variable: the generator that it comes from, and the arguments of that call."""
        found = {}
        rest = iter(values)
        for step in path.steps:
            if isinstance(step, DrawStep) and step.generator is not None:
                given = [to_python(p.type, next(rest)) for p in step.generator.params]
                found[step.variable] = (step.generator, tuple(given))
        return found

    # --- arguments --------------------------------------------------------------------------------------

    def _arguments(self) -> list[tuple[Value, ...]]:
        """The smallest argument lists and a few others."""
        known = self.level.arguments
        step = max(1, len(known) // ARGUMENTS)
        return list(dict.fromkeys([*known[:2], *known[2::step]]))[:ARGUMENTS]

    def _native(self, args: tuple[Value, ...]) -> dict[str, Any]:
        return {p.data: to_python(p.type, a) for p, a in zip(self.generator.params, args)}

    def _with(self, args: tuple[Value, ...]) -> str:
        given = ", ".join(f"{k}={v!r}" for k, v in self._native(args).items())
        return f" with {given}" if given else ""

    def _shown(self, value: Value) -> str:
        return repr(to_python(self.generator.result, value))


def _is_call(source: Any, callee: tuple[Generator, tuple[Any, ...]]) -> bool:
    """Is this generator a call of that function with these arguments? (True when in doubt.)"""
    generator, args = callee
    if not isinstance(source, Composite):
        return True
    plain: Callable[..., Any] = source.function
    if plain.__name__ != generator.name:
        return False
    names = [p.data for p in generator.params]
    given = {**dict(zip(names, source.args)), **source.kwargs}
    return all(name not in given or given[name] == arg for name, arg in zip(names, args))


def admits(gen: Any, value: Any) -> bool | None:
    """Can the generator make this value? None if that is not seen at once."""
    rule = ADMITS.get(type(gen))  # none for a strategy of Hypothesis
    return None if rule is None else rule(gen, value)


def _admits_any(gen: Union[Any], value: Any) -> bool | None:
    found = [admits(option, value) for option in gen.options]
    return True if True in found else None if None in found else False


def _admits_list(gen: List[Any], value: Any) -> bool | None:
    if not isinstance(value, list) or len(value) < gen.min_size:
        return False
    if gen.max_size is not None and len(value) > gen.max_size:
        return False
    found = [admits(gen.element, item) for item in value]
    return False if False in found else None if None in found or gen.unique_by else True


def _not_seen(gen: Gen[Any], value: Any) -> bool | None:
    return None


#: Whether a generator can make a value, as far as that is seen at once.
ADMITS: dict[type[Any], Callable[[Any, Any], bool | None]] = total(
    "values that a generator admits",
    {
        Const: lambda gen, value: type(gen.value) is type(value) and bool(gen.value == value),
        Int: lambda gen, value: gen.fits(value),
        Float: lambda gen, value: gen.fits(value),
        Union: _admits_any,
        List: _admits_list,
        Filter: lambda gen, value: False if admits(gen.source, value) is False else None,
        Defer: lambda gen, value: admits(gen.target, value),
        **dict.fromkeys((Build, Map, Bind, Composite, Live), _not_seen),
    },
)


def _integers(value: Value) -> Iterator[int]:
    """The numbers inside a value (and the numbers of its constructors, which do no harm)."""
    if type(value) is int:
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _integers(part)


def _texts(value: Value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list | set | frozenset | dict):
        for part in value:
            yield from _texts(part)
