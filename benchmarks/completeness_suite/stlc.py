"""Terms of the simply typed lambda calculus: of a type, in a context, with a number of applications."""

from __future__ import annotations

from dataclasses import dataclass

from completeness_suite.rejecting import assume
from everycase import covers, gen


@dataclass(frozen=True)
class Nat:
    pass


@dataclass(frozen=True)
class Arr:
    source: Type
    target: Type


Type = Nat | Arr


@dataclass(frozen=True)
class Const:
    number: int


@dataclass(frozen=True)
class Var:
    index: int


@dataclass(frozen=True)
class Abs:
    parameter: Type
    body: Term


@dataclass(frozen=True)
class App:
    function: Term
    argument: Term


Term = Const | Var | Abs | App


def num_arr(t: Type) -> int:
    match t:
        case Nat():
            return 0
        case Arr(a, b):
            return 1 + num_arr(a) + num_arr(b)


def num_app(t: Term) -> int:
    match t:
        case Abs(_, body):
            return num_app(body)
        case App(f, a):
            return 1 + num_app(f) + num_app(a)
        case _:
            return 0


def lookup(gamma: list[Type], n: int) -> Type | None:
    if not gamma:
        return None
    return gamma[0] if n == 0 else lookup(gamma[1:], n - 1)


def typing(gamma: list[Type], t: Term) -> Type | None:
    match t:
        case Const():
            return Nat()
        case Var(n):
            return lookup(gamma, n)
        case Abs(a, body):
            b = typing([a, *gamma], body)
            return None if b is None else Arr(a, b)
        case App(f, argument):
            match typing(gamma, f):
                case Arr(a, b):
                    return b if typing(gamma, argument) == a else None
                case _:
                    return None


@covers(
    lambda v, gamma, tau: typing(gamma, v) == tau and num_app(v) == 0,
    decreases=lambda gamma, tau: num_arr(tau),
)
@gen.composite
def term_without_app(draw, gamma: list[Type], tau: Type) -> Term:
    if gamma and draw(gen.booleans()):
        n = draw(gen.integers(0, len(gamma) - 1))
        assume(lookup(gamma, n) == tau)
        return Var(n)
    match tau:
        case Nat():
            return Const(draw(gen.integers()))
        case Arr(a, b):
            return Abs(a, draw(term_without_app([a, *gamma], b)))


@covers(
    lambda v, num, gamma, tau: typing(gamma, v) == tau and num_app(v) == num,
    requires=lambda na, num, gamma, tau: na >= 0 and num >= 0 and num_arr(tau) == na,
    decreases=("num", "na"),
)
@gen.composite
def stlc(draw, na: int, num: int, gamma: list[Type], tau: Type) -> Term:
    if num == 0:
        return draw(term_without_app(gamma, tau))  # A
    elif draw(gen.booleans()):
        a = draw(gen.from_type(Type))
        nf = draw(gen.integers(0, num - 1))
        nx = draw(gen.integers(0, num - nf - 1))
        return App(
            draw(stlc(num_arr(Arr(a, tau)), nf, gamma, Arr(a, tau))), draw(stlc(num_arr(a), nx, gamma, a))
        )  # B
    else:
        match tau:
            case Nat():
                assume(False)
            case Arr(t1, t2):
                return Abs(t1, draw(stlc(num_arr(t2), num, [t1, *gamma], t2)))  # C
