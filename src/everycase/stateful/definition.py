"""Rules, initializers, preconditions and invariants: the decorators for the methods of a state machine."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from everycase.errors import InvalidArgument, InvalidDefinition
from everycase.gen.base import Gen
from everycase.gen.validate import as_gen, require_bool, require_predicate
from everycase.run.settings import settings
from everycase.stateful.bundles import Bundle, name_of, refers_to

F = TypeVar("F", bound=Callable[..., Any])

#: The attributes of a method that hold the data of its decorators.
RULE = "__everycase_rule__"
INVARIANT = "__everycase_invariant__"
PRECONDITIONS = "__everycase_preconditions__"


@dataclass(frozen=True)
class RuleDefinition:
    """A step that a machine can take."""

    function: Callable[..., Any]
    arguments: dict[str, Gen[Any]]
    #: the names of the bundles that get its results
    targets: tuple[str, ...]
    preconditions: tuple[Callable[[Any], object], ...] = ()
    #: whether it runs once, before all others
    initializes: bool = False

    @property
    def name(self) -> str:
        return self.function.__name__


@dataclass(frozen=True)
class Invariant:
    """A method that checks what must hold after every step."""

    function: Callable[..., Any]
    check_during_init: bool = False
    preconditions: tuple[Callable[[Any], object], ...] = ()

    @property
    def name(self) -> str:
        return self.function.__name__


def rule(
    *wrong: Any, targets: Sequence[Bundle[Any]] = (), target: Bundle[Any] | None = None, **strategies: Any
) -> Callable[[F], F]:
    """A method that is a step of the machine; the keywords say where its arguments come from.

    An argument comes from a generator, or from a :class:`Bundle` of results of earlier steps. The result of
    the method goes into the bundle ``target``, or into each of ``targets``.

    >>> from everycase import check, gen
    >>> from everycase.stateful import RuleBasedStateMachine
    >>> class Sum(RuleBasedStateMachine):
    ...     total = 0
    ...     @rule(n=gen.integers(0, 9))
    ...     def add(self, n):
    ...         self.total += n
    ...         assert self.total < 20
    >>> print(check(Sum, seed=0).counterexample[0])
    state = Sum()
    state.add(n=2)
    state.add(n=9)
    state.add(n=9)
    """
    _check_called("rule", wrong)
    return _rule("rule", targets, target, strategies, initializes=False)


def initialize(
    *wrong: Any, targets: Sequence[Bundle[Any]] = (), target: Bundle[Any] | None = None, **strategies: Any
) -> Callable[[F], F]:
    """A rule that runs once, before all others. Several of them run in any order."""
    _check_called("initialize", wrong)
    return _rule("initialize", targets, target, strategies, initializes=True)


def _check_called(word: str, wrong: tuple[Any, ...]) -> None:
    if len(wrong) == 1 and inspect.isfunction(wrong[0]):
        raise InvalidDefinition(f"{word} needs parentheses: write @{word}()")
    if wrong:
        raise InvalidArgument(
            f"{word} takes arguments by name, such as @{word}(x=gen.integers()), not {wrong[0]!r}"
        )


def _rule(
    word: str, targets: Any, target: Any, strategies: dict[str, Any], *, initializes: bool
) -> Callable[[F], F]:
    names = _names_of_targets(targets, target)
    strategies = {name: as_gen(f"{name} in {word}", source) for name, source in strategies.items()}

    def decorate(function: F) -> F:
        _check_method(function, word, strategies)
        known = getattr(function, RULE, None)
        if known is not None:
            other = "initialize" if known.initializes else "rule"
            raise InvalidDefinition(
                f"{_called(function)} is under @{other} and @{word}; a method can be one of them, once"
            )
        if hasattr(function, INVARIANT):
            raise InvalidDefinition(
                f"{_called(function)} is under @{word} and @invariant; make it two methods"
            )
        preconditions = getattr(function, PRECONDITIONS, ())
        if initializes and preconditions:
            raise _precondition_on_initialize(function)
        made = RuleDefinition(function, dict(strategies), names, preconditions, initializes)
        setattr(function, RULE, made)
        return function

    return decorate


def precondition(condition: Callable[[Any], object]) -> Callable[[F], F]:
    """Use a rule or an invariant only in states where ``condition(machine)`` is true. With several
    conditions, all must be true.

    If removing a step from a failing run makes the condition of a later step false, that step is skipped too,
    so no rule ever runs against its precondition.
    """
    require_predicate(
        "the condition given to precondition", condition, "precondition(lambda self: self.items)"
    )

    def decorate(function: F) -> F:
        known: RuleDefinition | Invariant | None = getattr(function, RULE, None) or getattr(
            function, INVARIANT, None
        )
        if known is None:
            setattr(function, PRECONDITIONS, (*getattr(function, PRECONDITIONS, ()), condition))
            return function
        if isinstance(known, RuleDefinition) and known.initializes:
            raise _precondition_on_initialize(function)
        made = replace(known, preconditions=(*known.preconditions, condition))
        setattr(function, RULE if isinstance(known, RuleDefinition) else INVARIANT, made)
        return function

    return decorate


def invariant(*wrong: Any, check_during_init: bool = False) -> Callable[[F], F]:
    """A method that checks what must hold after every step: it raises if something is wrong.

    It is also called before the first step, but only after the ``initialize`` rules, unless
    ``check_during_init``.
    """
    _check_called("invariant", wrong)
    require_bool("check_during_init", check_during_init)

    def decorate(function: F) -> F:
        _check_method(function, "invariant", {})
        if hasattr(function, RULE):
            raise InvalidDefinition(f"{_called(function)} is under @rule and @invariant; make it two methods")
        if hasattr(function, INVARIANT):
            raise InvalidDefinition(f"{_called(function)} is under @invariant twice")
        preconditions = getattr(function, PRECONDITIONS, ())
        setattr(function, INVARIANT, Invariant(function, check_during_init, preconditions))
        return function

    return decorate


def conditions_hold(method: Callable[..., Any]) -> bool:
    """Whether the preconditions of a rule or an invariant hold now, such as ``conditions_hold(state.pop)``. A
    program that fails in a precondition ends with this call."""
    bound: Any = method
    known = getattr(bound, RULE, None) or getattr(bound, INVARIANT)
    return all(condition(bound.__self__) for condition in known.preconditions)


class Definition:
    """The data of all decorators of one machine class."""

    def __init__(self, machine: type) -> None:
        self.machine = machine
        self.rules: list[RuleDefinition] = []
        self.initializers: list[RuleDefinition] = []
        self.invariants: list[Invariant] = []
        for name, member in _members(machine):
            made: RuleDefinition | None = getattr(member, RULE, None)
            if made is not None:
                (self.initializers if made.initializes else self.rules).append(replace(made, function=member))
            holds: Invariant | None = getattr(member, INVARIANT, None)
            if holds is not None:
                self.invariants.append(replace(holds, function=member))
            if made is None and holds is None and hasattr(member, PRECONDITIONS):
                raise InvalidDefinition(
                    f"{machine.__name__}.{name} is under @precondition, but neither a rule nor an invariant"
                )
        self._check()

    def _check(self) -> None:
        machine = self.machine.__name__
        if not self.rules:
            raise InvalidDefinition(
                f"the machine {machine} has no rules; put @rule() above the methods that are its steps"
            )
        for cls in self.machine.__mro__:
            if isinstance(vars(cls).get("settings"), settings):
                raise InvalidDefinition(
                    f"settings as an attribute of {cls.__name__} has no effect; write {machine}.TestCase.settings = "
                    f"settings(...), or put @settings(...) above the class"
                )
        reserved = set(dir(_base(self.machine)))
        named: list[RuleDefinition | Invariant] = [*self.rules, *self.initializers, *self.invariants]
        for each in named:
            if each.name in reserved:
                raise InvalidDefinition(
                    f"{machine}.{each.name} clashes with the attribute {each.name} that every machine has; give the "
                    "rule another name"
                )
        filled = {name for part in [*self.rules, *self.initializers] for name in part.targets}
        for part in [*self.rules, *self.initializers]:
            for argument, source in part.arguments.items():
                for bundle in refers_to(source):
                    if bundle not in filled:
                        raise InvalidDefinition(
                            f"{argument} of {machine}.{part.name} comes from the bundle {bundle!r}, which no rule fills: "
                            f"give a rule target={bundle}"
                        )


def _base(machine: type) -> type:
    return next(cls for cls in machine.__mro__ if "_is_machine_base" in vars(cls))


def _members(machine: type) -> Iterator[tuple[str, Any]]:
    """The members of a class in the order of their definition, those of base classes first."""
    names: dict[str, None] = {}
    for cls in reversed(machine.__mro__):
        names.update(dict.fromkeys(vars(cls)))
    for name in names:
        member = inspect.getattr_static(machine, name, None)
        if inspect.isfunction(member):
            yield name, member
        elif isinstance(member, staticmethod | classmethod) and (
            hasattr(member.__func__, RULE) or hasattr(member.__func__, INVARIANT)
        ):
            raise InvalidDefinition(
                f"{machine.__name__}.{name} is under @{type(member).__name__}; a rule or an invariant is a plain method, "
                "which takes self"
            )


def _names_of_targets(targets: Any, target: Any) -> tuple[str, ...]:
    if target is not None:
        if targets:
            raise InvalidArgument(
                f"target={target!r} and targets={targets!r} cannot be combined; give all bundles in targets"
            )
        targets = (target,)
    if isinstance(targets, Bundle) or not isinstance(targets, Iterable):
        raise InvalidArgument(f"targets is a tuple of bundles, not {targets!r}; for one bundle write target=")
    names = []
    for each in targets:
        if not isinstance(each, Bundle):
            raise InvalidArgument(
                f"a target is a Bundle, not {each!r}; targets=(a, b) puts what the rule returns into both a and b"
            )
        name, consume = name_of(each)
        if consume:
            raise InvalidArgument(f"consumes({name}) makes no sense as a target; write target={name}")
        names.append(name)
    return tuple(names)


def _check_method(function: Any, word: str, strategies: dict[str, Any]) -> None:
    if not inspect.isfunction(function):
        raise InvalidDefinition(f"@{word}() decorates a method of a state machine, not {function!r}")
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise InvalidDefinition(
            f"{_called(function)} is under @{word} and yields, so calling it would do nothing; use return"
        )
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters:
        raise InvalidDefinition(f"{_called(function)} is under @{word} and has no self parameter")
    for parameter in parameters[1:]:
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise InvalidDefinition(
                f"{_called(function)} is under @{word} and gets its arguments by name, but {parameter.name} comes before a /"
            )
    names = [p.name for p in parameters[1:] if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    any_name = any(p.kind is p.VAR_KEYWORD for p in parameters)
    for name in strategies:
        if name not in names and not any_name:
            raise InvalidDefinition(
                f"{_called(function)} has no parameter {name!r}, which @{word} gives it; it has ({', '.join(names)})"
            )
    missing = [
        p.name
        for p in parameters[1:]
        if p.name not in strategies
        and p.default is p.empty
        and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
    ]
    if missing:
        raise InvalidDefinition(
            f"{_called(function)} takes {', '.join(missing)}, but @{word} does not say where it comes from: "
            f"@{word}({missing[0]}=...)"
        )


def _precondition_on_initialize(function: Any) -> InvalidDefinition:
    return InvalidDefinition(
        f"{_called(function)} is under @initialize and @precondition; an initializer always runs, so it "
        "cannot have a precondition"
    )


def _called(function: Any) -> str:
    return str(function.__qualname__).rpartition("<locals>.")[2]
