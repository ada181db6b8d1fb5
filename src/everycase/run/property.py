"""A property: a test function together with the generators of its arguments, and the decorators that make one."""

from __future__ import annotations

import functools
import hashlib
import inspect
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import EllipsisType
from typing import Any, TypeVar

from everycase.errors import FailedPrecondition, InvalidArgument, PropertyFalse
from everycase.explore.protocol import PASSED, Outcome, Status
from everycase.gen.base import Gen
from everycase.gen.collections import tuples
from everycase.gen.outside import functions_of
from everycase.gen.sharing import one_input
from everycase.gen.validate import as_gen, is_description, refuse_bare, require_predicate
from everycase.run.code_text import code_text
from everycase.run.goal_reader import may_have_goals
from everycase.run.goals import with_goals
from everycase.run.host import current_host
from everycase.run.report import Report
from everycase.run.settings import Resolved, settings

F = TypeVar("F", bound=Callable[..., Any])

#: The attribute of a test function that holds its :class:`Spec`. ``functools.wraps`` carries it to the wrapper.
SPEC = "__everycase__"

#: The method of a class or object that makes its own property: a state machine, for instance.
MAKE_PROPERTY = "__everycase_make_property__"

#: The attribute of the wrapper that ``given`` makes: the :class:`Property` that it runs.
PROPERTY = "__everycase_property__"

#: The attribute of the unittest method that runs a state machine.
MACHINE_TEST = "__everycase_machine_test__"


class ExplicitExample:
    """An input given by ``@example``: where it comes from, and whether it is expected to fail."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.args = args
        self.kwargs = kwargs
        self.whence = ""
        self.expected: type[BaseException] | tuple[type[BaseException], ...] | None = None
        self.reason = ""

    def as_expected(self, outcome: Outcome) -> Outcome:
        """The outcome of the test, inverted if a failure is expected."""
        if self.expected is None or outcome.status is Status.discarded:
            return outcome
        if outcome.status is Status.passed:
            reason = f" ({self.reason})" if self.reason else ""
            error = PropertyFalse(
                f"this example was expected to fail{reason}, but it passed; remove its .xfail(...)"
            )
            return Outcome(Status.failed, error)
        return PASSED if issubclass(type(outcome.error), self.expected) else outcome


class Spec:
    """What the decorators of one test specify, in any order, above or below ``given``."""

    def __init__(self) -> None:
        self.settings = settings()
        self.examples: list[ExplicitExample] = []
        self.blobs: list[str] = []
        #: what is wrong with a decorator, to be reported when the test is run
        self.mistake: InvalidArgument | None = None


def spec_of(test: Callable[..., Any], decorator: str) -> Spec:
    """The Spec of a test function, created by the first decorator that needs it."""
    if isinstance(test, type) and not hasattr(test, MAKE_PROPERTY):
        raise InvalidArgument(
            f"{decorator} decorates a test function, not the class {test.__name__}; put it above each of its tests"
        )
    if type(test).__name__ == "FixtureFunctionDefinition" or hasattr(test, "_pytestfixturefunction"):
        raise InvalidArgument(
            f"{decorator} decorates a test function, not a fixture. A fixture runs once for a test and cannot be given "
            "many values; put the generator into the given of the test that uses it"
        )
    if not callable(test):
        raise InvalidArgument(f"{decorator} decorates a test function, not {test!r}")
    spec = vars(test).get(SPEC) if isinstance(test, type) else getattr(test, SPEC, None)
    if spec is None:
        spec = Spec()
        setattr(test, SPEC, spec)
    result: Spec = spec
    return result


def _passes_mock(patch: Any) -> bool:
    """Whether a ``mock.patch`` decorator adds an argument to the call of the function below it."""
    from unittest.mock import DEFAULT

    return patch.attribute_name is None and patch.new is DEFAULT


class Property:
    """A test function, the generators of some of its arguments by name, and preconditions on them."""

    #: whether the tested object makes it for each run, so that no other run can know it
    is_made_to_run: bool = False
    #: whether it is a test of another library, whose decorators are not ours
    adopted: bool = False

    def __init__(
        self,
        function: Callable[..., Any],
        gens: Mapping[str, Gen[Any]],
        preconditions: tuple[Callable[..., object], ...] = (),
        spec: Spec | None = None,
        signature: inspect.Signature | None = None,
    ) -> None:
        self.function = function
        #: that of the function, if it was read already
        self._signature = signature
        self.gens = dict(gens)
        self.preconditions = preconditions
        self.spec = spec or Spec()
        #: whether a test runs only on inputs that satisfy the preconditions, rather than using them as hints
        #: where to search
        self.guarded = True

    @property
    def name(self) -> str:
        """The name of the test, unique enough to be the key of its stored failures."""
        function = getattr(self.function, "func", self.function)  # the function inside a functools.partial
        name = getattr(function, "__qualname__", type(function).__qualname__)
        return f"{getattr(function, '__module__', None) or 'builtins'}.{name}"

    def name_in(self, cls: type) -> str:
        """The name of the test as a method of a class; its own name if it is not a method."""
        method = getattr(self.function, "__name__", "")
        if not method or getattr(getattr(cls, method, None), PROPERTY, None) is not self:
            return self.name
        return f"{cls.__module__}.{cls.__qualname__}.{method}"

    @functools.cached_property
    def digest(self) -> str:
        """A digest of the test, its generators and preconditions, which changes if any of them is changed."""
        parts = [repr(self.gens), *map(code_text, (self.function, *self.preconditions))]
        for made in self.gens.values():
            with suppress(Exception):  # what a definition raises, the run itself will show
                parts += map(code_text, functions_of(made))
        text = re.sub(r" at 0x[0-9a-fA-F]+", "", "\n".join(parts))  # addresses differ in the next process
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]

    def begin(self, options: Resolved) -> Property:
        """The property for one run; a new one if it keeps state while it runs."""
        return self

    def finish(self, report: Report, options: Resolved) -> None:
        """Called at the end of a run, to add to its report."""

    @functools.cached_property
    def gen(self) -> Gen[tuple[Any, ...]]:
        """The generator of all generated arguments, in the order of ``gens``."""
        parts = tuple(self.gens.values())
        return one_input(parts, tuples(*parts))

    def caller(self, given: Mapping[str, Any], *, renewed: bool = False) -> Callable[..., Any]:
        """The test as a function of the generated arguments alone, preconditions first.

        ``given`` are the other arguments by name: ``self``, fixtures, parameters; ``renewed`` says that they may be
        others for the next call.
        """
        names = tuple(self.gens)
        function = self.function
        if may_have_goals(function):
            function = with_goals(function)
        if not renewed and self._positional_after(given):
            # The hot path: fixed arguments first, generated ones after them, all by position.
            test = functools.partial(function, *given.values()) if given else function
        else:
            first = given.get("self")

            def test(*args: Any) -> Any:
                if first is not None and given["self"] is not first:
                    # What runner() has drawn was the first instance.
                    args = tuple(given["self"] if arg is first else arg for arg in args)
                return function(**given, **dict(zip(names, args)))

        if not self.preconditions:
            return test
        checks = self.checks()

        def guarded(*args: Any) -> Any:
            for check, places in checks:
                if not check(*[args[place] for place in places]):
                    raise FailedPrecondition("where")
            return test(*args)

        return guarded

    def checks(self) -> list[tuple[Callable[..., object], tuple[int, ...]]]:
        """The preconditions, each with the places of the generated arguments that it reads."""
        names = tuple(self.gens)
        return [
            (check, tuple(names.index(name) for name in _reads(check, names))) for check in self.preconditions
        ]

    def _positional_after(self, given: Mapping[str, Any]) -> bool:
        try:
            signature = self._signature or inspect.signature(self.function)
        except (TypeError, ValueError):
            return not given
        parameters = list(signature.parameters.values())
        wanted = [*given, *self.gens]
        if not set(wanted) <= {p.name for p in parameters}:
            # The function takes any number of arguments: names made up for *args, or given for **kwargs.
            return any(p.kind is p.VAR_POSITIONAL for p in parameters)
        by_position = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        return by_position[: len(wanted)] == wanted


def _reads(check: Callable[..., object], names: tuple[str, ...]) -> list[str]:
    """The arguments that a precondition reads, for its first parameters: those that they name, or all of them
    in order if they name none. Other parameters with a default keep it."""
    try:
        signature = inspect.signature(check)
    except (TypeError, ValueError):
        raise InvalidArgument(
            f"the parameters of the precondition {check!r} cannot be read; write where(lambda {', '.join(names)}: ...)"
        ) from None
    parameters = list(signature.parameters.values())
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    by_position = [p.name for p in plain]
    needed = [p.name for p in plain if p.default is p.empty]
    named = [name for name in by_position if name in names]
    reads = list(names)
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        fits = by_position == reads[: len(plain)] or (
            not named and by_position == needed and len(needed) <= len(names)
        )
    elif named:
        reads = named
        fits = by_position[: len(named)] == named and set(needed) <= set(named)
    else:
        fits = len(needed) == len(names)
    if fits and not any(p.kind is p.KEYWORD_ONLY and p.default is p.empty for p in parameters):
        return reads
    raise InvalidArgument(
        f"the precondition takes {signature}, but its parameters must be names of generated arguments "
        f"({', '.join(names)}); other parameters need a default and must come last"
    )


class given:  # noqa: N801 (a decorator, named as in Hypothesis)
    """Make a test run on generated arguments.

    Positional generators fill the rightmost parameters, named ones the parameters of that name. The remaining
    parameters are left to pytest (fixtures, ``parametrize``). ``@given(...)`` with a literal ellipsis takes
    all generators from the type annotations.

    >>> from everycase import gen, settings
    >>> @settings(max_examples=100, database=None)
    ... @given(gen.lists(gen.integers()))
    ... def test_reverse_twice(xs):
    ...     assert list(reversed(list(reversed(xs)))) == xs
    >>> test_reverse_twice()
    """

    def __init__(self, *gens: Gen[Any] | EllipsisType, **named: Gen[Any] | EllipsisType) -> None:
        refuse_bare("given", "given(gen.integers())", *gens)
        self._gens, self._named = gens, named
        self._infer = len(gens) == 1 and gens[0] is ...
        self._preconditions: tuple[Callable[..., object], ...] = ()
        #: what is wrong with these arguments, to be reported when the test is run
        self._mistake: InvalidArgument | None = None
        try:
            self._read()
        except InvalidArgument as problem:
            if not current_host().collecting:
                raise
            self._mistake = problem

    def _read(self) -> None:
        gens, named, infer = self._gens, self._named, self._infer
        if not gens and not named:
            raise InvalidArgument(
                "given needs a generator for each argument, for example @given(gen.integers()); "
                "@given(...) takes them from the type annotations"
            )
        if not infer:
            gens = tuple(as_gen(f"argument {i + 1} of given", part) for i, part in enumerate(gens))
        named = {
            name: part if part is ... else as_gen(f"{name} in given", part) for name, part in named.items()
        }
        self._gens = () if infer else gens
        self._named = named

    def where(self, predicate: Callable[..., object]) -> given:
        """A precondition: inputs that do not satisfy it are discarded before the test runs.

        Its parameters name the arguments it reads: ``given(a=..., b=...).where(lambda a, b: a < b)``. If they
        name none of the arguments, it gets all of them, in order: ``given(gen.lists(...)).where(is_sorted)``.
        """
        result = object.__new__(given)
        result.__dict__.update(self.__dict__)
        try:
            require_predicate(
                "the predicate given to where", predicate, "given(a=x, b=y).where(lambda a, b: a < b)"
            )
        except InvalidArgument as problem:
            if not current_host().collecting:
                raise
            result._mistake = self._mistake or problem
        result._preconditions = (*self._preconditions, predicate)
        return result

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if not (inspect.isfunction(function) or _is_test_class(function)) or not current_host().collecting:
            if self._mistake is not None:
                raise self._mistake
            return self._decorate(function)
        try:
            if self._mistake is not None:
                raise self._mistake
            return self._decorate(function)
        except InvalidArgument as problem:
            return mistaken(function, problem)

    def _decorate(self, function: Callable[..., Any]) -> Callable[..., Any]:
        spec = spec_of(function, "given")
        if spec.mistake is not None:
            raise spec.mistake
        if any(_passes_mock(patch) for patch in getattr(function, "patchings", ())):
            raise InvalidArgument(
                f"given is above a mock.patch that passes a mock to {function.__name__}(); put the patch above given"
            )
        if hasattr(function, PROPERTY):
            raise InvalidArgument(
                f"given was applied twice to {function.__name__}; write one given with all generators"
            )
        gens = assign_generators(function, self._gens, self._named, self._infer)
        for check in self._preconditions:
            _reads(check, tuple(gens))
        return wrap(function, Property(function, gens, self._preconditions, spec))


def _test_methods(cls: Any) -> list[str]:
    return [
        name for name, member in vars(cls).items() if name.startswith("test") and inspect.isfunction(member)
    ]


def _is_test_class(thing: Any) -> bool:
    return isinstance(thing, type) and not hasattr(thing, MAKE_PROPERTY) and bool(_test_methods(thing))


def mistaken(test: F, problem: InvalidArgument) -> F:
    """A test, or a class of tests, that fails with a message about its decorators, so that the other tests of its
    module can run."""
    if _is_test_class(test):
        for name in _test_methods(test):
            setattr(test, name, mistaken(vars(test)[name], problem))
        return test
    if not inspect.isfunction(test):
        raise problem
    spec = spec_of(test, "given")
    spec.mistake = spec.mistake or problem

    @functools.wraps(test)
    def wrapper(*args: Any, **kwargs: Any) -> None:
        __tracebackhide__ = True
        assert spec.mistake is not None
        raise spec.mistake.with_traceback(None)

    # It takes no fixtures, and there is no property to be run.
    for name in ("__wrapped__", "__signature__", PROPERTY):
        vars(wrapper).pop(name, None)
    return wrapper  # type: ignore[return-value]


def assign_generators(
    function: Callable[..., Any],
    gens: tuple[Any, ...],
    named: dict[str, Any],
    infer: bool,
    signature: inspect.Signature | None = None,
) -> dict[str, Gen[Any]]:
    """Which generator belongs to which parameter, in the order of the parameters."""
    signature = signature or inspect.signature(function)
    name = getattr(function, "__name__", "the test")
    parameters = list(signature.parameters.values())
    free = [
        p.name
        for p in parameters
        if p.name not in named and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name != "self"
    ]
    takes_any_name = any(p.kind is p.VAR_KEYWORD for p in parameters)
    for argument in named:
        if argument not in signature.parameters and not takes_any_name:
            raise InvalidArgument(
                f"{name}() has no parameter {argument!r}; it has ({', '.join(signature.parameters)})"
            )
    if len(gens) > len(free):
        raise InvalidArgument(
            f"given got {len(gens)} generators for the {len(free)} free parameters of {name}({', '.join(free)})"
        )
    chosen: dict[str, Any] = dict(zip(free[len(free) - len(gens) :], gens)) if gens else {}
    chosen.update(named)
    if infer:
        if not free:
            raise InvalidArgument(f"{name}() has no parameters, so it has no generated arguments")
        chosen.update((argument, ...) for argument in free)
    for argument, part in chosen.items():
        if part is ...:
            chosen[argument] = _from_annotation(function, argument)
    for p in parameters:
        if p.name in chosen and p.default is not p.empty and p.name not in named:
            raise InvalidArgument(
                f"parameter {p.name!r} of {name}() has a default, so it cannot get a positional generator; "
                f"name it in given: given({p.name}=...)"
            )
    in_order = [p.name for p in parameters if p.name in chosen]
    return {argument: chosen[argument] for argument in [*in_order, *chosen]}


def _from_annotation(function: Callable[..., Any], argument: str) -> Gen[Any]:
    from typing import get_type_hints

    from everycase.gen.types import from_type

    try:
        hints = get_type_hints(function, include_extras=True)
    except Exception as problem:
        raise InvalidArgument(
            f"the annotations of {function.__name__}() cannot be read ({problem}), so parameter {argument!r} has no "
            f"generator; write given({argument}=...)"
        ) from None
    if argument not in hints:
        raise InvalidArgument(
            f"parameter {argument!r} of {function.__name__}() has no type annotation to take a generator from; "
            f"annotate it or write given({argument}=...)"
        )
    result: Gen[Any] = from_type(hints[argument])
    return result


def wrap(function: Callable[..., Any], prop: Property) -> Callable[..., Any]:
    """The function that pytest (or anyone) calls: it takes the arguments that are not generated, and runs the
    property."""
    signature = inspect.signature(function)
    remaining = [p for name, p in signature.parameters.items() if name not in prop.gens]
    outer = signature.replace(parameters=remaining, return_annotation=None)

    def bind(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        bound = outer.bind(*args, **kwargs)
        bound.apply_defaults()
        given = dict(bound.arguments)
        for p in remaining:
            if p.kind is p.VAR_KEYWORD:
                given.update(given.pop(p.name))
            elif p.kind is p.VAR_POSITIONAL and not given[p.name]:
                del given[p.name]
        return given

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def wrapper(*args: Any, **kwargs: Any) -> None:
            __tracebackhide__ = True
            from everycase.run.asynchronous import run_async

            await run_async(prop, bind(args, kwargs))

    else:

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> None:
            __tracebackhide__ = True
            from everycase.run.runner import run_or_raise

            run_or_raise(prop, bind(args, kwargs))

    setattr(wrapper, PROPERTY, prop)
    wrapper.__signature__ = outer  # type: ignore[attr-defined]
    wrapper.__annotations__ = {p.name: p.annotation for p in remaining if p.annotation is not p.empty}
    return wrapper


class example:  # noqa: N801 (a decorator, named as in Hypothesis)
    """Always test this input as well, before all others.

    ``example(...).via("issue 12")`` says where it comes from. ``example(...).xfail(raises=ValueError)`` says
    that the test is expected to fail on it: the example then passes, and fails if the input no longer fails.

    >>> from everycase import gen, given
    >>> @given(gen.integers())
    ... @example(0)
    ... def test_absolute(n):
    ...     assert abs(n) >= 0
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._explicit = ExplicitExample(args, kwargs)
        #: what is wrong with it, to be reported when the test is run
        self._mistake: InvalidArgument | None = None
        for value in (*args, *kwargs.values()):
            if is_description(value):
                self._refuse(f"example takes values, not generators such as {value!r}; give it to @given")
        if not args and not kwargs:
            self._refuse("example needs the values of the generated arguments, such as @example(0)")

    def _refuse(self, words: str) -> None:
        problem = InvalidArgument(words)
        if not current_host().collecting:
            raise problem
        self._mistake = self._mistake or problem

    def __call__(self, test: F) -> F:
        spec = spec_of(test, "example(...)")
        if self._mistake is not None:
            return mistaken(test, self._mistake)
        spec.examples.insert(0, self._explicit)
        return test

    def via(self, whence: str) -> example:
        """Say where this input comes from."""
        if not isinstance(whence, str):
            self._refuse(f"via takes a string that says where the example comes from, not {whence!r}")
        self._explicit.whence = whence
        return self

    def xfail(
        self,
        condition: bool = True,
        *,
        reason: str = "",
        raises: type[BaseException] | tuple[type[BaseException], ...] = BaseException,
    ) -> example:
        """Say that the test is expected to fail on this input, by raising one of ``raises``."""
        if not isinstance(condition, bool):
            self._refuse(f"condition must be True or False, not {condition!r}")
        kinds = raises if isinstance(raises, tuple) else (raises,)
        if not kinds or not all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in kinds):
            self._refuse(f"raises must be an exception class or a tuple of them, not {raises!r}")
        if condition:
            self._explicit.expected, self._explicit.reason = kinds, reason
        return self


def reproduce(blob: str) -> Callable[[F], F]:
    """Run only the input that a failing run printed as a blob."""
    problem = None
    if not isinstance(blob, str):
        problem = InvalidArgument(
            f"reproduce takes the blob that a failing run printed, a string, not {blob!r}"
        )
        if not current_host().collecting:
            raise problem

    def decorate(test: F) -> F:
        spec = spec_of(test, "reproduce(...)")
        if problem is not None:
            return mistaken(test, problem)
        spec.blobs.append(blob)
        return test

    return decorate
