"""System F: a small typed language, its type checker, its reductions, and 24 bugs that one can put into them.

Types and terms use de Bruijn indices: ``Var(0)`` is the variable of the innermost ``Lam`` around it, ``TVar(0)`` that of
the innermost ``TLam`` or ``ForAll``; the two are counted separately. Nearly everything that can go wrong here is an
index that is not shifted when it crosses a binder.

This module is the subject; ``systemf.py`` beside it searches for its bugs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from everycase import gen

# --- syntax ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Base:
    pass


@dataclass(frozen=True)
class TBool:
    pass


@dataclass(frozen=True)
class Fun:
    a: Type
    b: Type


@dataclass(frozen=True)
class TVar:
    n: int


@dataclass(frozen=True)
class ForAll:
    body: Type


Type = Base | TBool | Fun | TVar | ForAll


@dataclass(frozen=True)
class Con:
    pass


@dataclass(frozen=True)
class Var:
    n: int


@dataclass(frozen=True)
class Lam:
    t: Type
    e: Expr


@dataclass(frozen=True)
class App:
    f: Expr
    x: Expr


@dataclass(frozen=True)
class Cond:
    c: Expr
    p: Expr
    q: Expr


@dataclass(frozen=True)
class BTrue:
    pass


@dataclass(frozen=True)
class BFalse:
    pass


@dataclass(frozen=True)
class TLam:
    e: Expr


@dataclass(frozen=True)
class TApp:
    e: Expr
    t: Type


Expr = Con | Var | Lam | App | Cond | BTrue | BFalse | TLam | TApp

BASE, BOOL = Base(), TBool()

# The size of a value is its number of constructors plus the bits of its indices.
indices = gen.integers(min_value=0)
types: gen.Gen[Any] = gen.deferred(
    lambda: gen.one_of(
        gen.builds(Base),
        gen.builds(TBool),
        gen.builds(Fun, types, types),
        gen.builds(TVar, indices),
        gen.builds(ForAll, types),
    )
)
terms: gen.Gen[Any] = gen.deferred(
    lambda: gen.one_of(
        gen.builds(Con),
        gen.builds(Var, indices),
        gen.builds(Lam, types, terms),
        gen.builds(App, terms, terms),
        gen.builds(Cond, terms, terms, terms),
        gen.builds(BTrue),
        gen.builds(BFalse),
        gen.builds(TLam, terms),
        gen.builds(TApp, terms, types),
    )
)

# --- the type checker, written three times --------------------------------------------------------------------


def is_well_formed(binders: int, t: Type) -> bool:
    """Whether every type variable is bound."""
    match t:
        case TVar(n):
            return n < binders
        case Fun(a, b):
            return is_well_formed(binders, a) and is_well_formed(binders, b)
        case ForAll(body):
            return is_well_formed(binders + 1, body)
    return True


def type_of(binders: int, context: tuple[Type, ...], e: Expr) -> Type | None:
    """The type of a term, or None. ``binders`` type variables are in scope; ``context`` has the newest first.

    It tests the shape of the known part before it looks at more of the term. That reduces the work of the
    search for well-typed terms to a third.
    """
    match e:
        case Con():
            return BASE
        case Var(n):
            for place, t in enumerate(context):
                if n == place:
                    return t
            return None
        case Lam(t, body):
            if not is_well_formed(binders, t):
                return None
            result = type_of(binders, (t, *context), body)
            return None if result is None else Fun(t, result)
        case App(f, x):
            function = type_of(binders, context, f)
            if not isinstance(function, Fun) or type_of(binders, context, x) != function.a:
                return None
            return function.b
        case Cond(c, p, q):
            if type_of(binders, context, c) != BOOL:
                return None
            result = type_of(binders, context, p)
            return None if result is None or type_of(binders, context, q) != result else result
        case BTrue() | BFalse():
            return BOOL
        case TLam(body):
            lifted = tuple([lift_type(0, t) for t in context])
            result = type_of(binders + 1, lifted, body)
            return None if result is None else ForAll(result)
        case TApp(f, t):
            general = type_of(binders, context, f)
            if not isinstance(general, ForAll) or not is_well_formed(binders, t):
                return None
            return subst_type(0, t, general.body)


def well_typed(e: Expr) -> bool:
    """Whether a term has a type, with ``match``."""
    return type_of(0, (), e) is not None


def well_formed_plain(binders: int, t: Type) -> bool:
    """As :func:`is_well_formed`, with isinstance."""
    if isinstance(t, Base | TBool):
        return True
    if isinstance(t, Fun):
        return well_formed_plain(binders, t.a) and well_formed_plain(binders, t.b)
    if isinstance(t, TVar):
        return t.n < binders
    return well_formed_plain(binders + 1, t.body)


def type_of_plain(binders: int, context: tuple[Type, ...], e: Expr) -> Type | None:
    """As :func:`type_of`, with isinstance."""
    if isinstance(e, Con):
        return BASE
    if isinstance(e, Var):
        for place, t in enumerate(context):
            if e.n == place:
                return t
        return None
    if isinstance(e, Lam):
        if not well_formed_plain(binders, e.t):
            return None
        result = type_of_plain(binders, (e.t, *context), e.e)
        return None if result is None else Fun(e.t, result)
    if isinstance(e, App):
        function = type_of_plain(binders, context, e.f)
        if not isinstance(function, Fun) or type_of_plain(binders, context, e.x) != function.a:
            return None
        return function.b
    if isinstance(e, Cond):
        if type_of_plain(binders, context, e.c) != BOOL:
            return None
        result = type_of_plain(binders, context, e.p)
        return None if result is None or type_of_plain(binders, context, e.q) != result else result
    if isinstance(e, BTrue | BFalse):
        return BOOL
    if isinstance(e, TLam):
        lifted = tuple([lift_type(0, t) for t in context])
        result = type_of_plain(binders + 1, lifted, e.e)
        return None if result is None else ForAll(result)
    general = type_of_plain(binders, context, e.e)
    if not isinstance(general, ForAll) or not well_formed_plain(binders, e.t):
        return None
    return subst_type(0, e.t, general.body)


def well_typed_plain(e: Expr) -> bool:
    """Whether a term has a type, with isinstance."""
    return type_of_plain(0, (), e) is not None


# A checker can reject much earlier if it knows the expected type. If it first found the type of ``f`` in ``f
# x`` and only then saw that it is not a function, the search would go through all terms for ``f`` in vain. So
# the calls pass down what is known of a type; unknown parts are ``ANY``.


@dataclass(frozen=True)
class Unknown:
    pass


ANY: Any = Unknown()
SOME_FUN, SOME_FOR_ALL = Fun(ANY, ANY), ForAll(ANY)


def fits(t: Any, wanted: Any) -> bool:
    """Whether a type is as expected."""
    if wanted is ANY:
        return True
    kind = t.__class__
    if kind is not wanted.__class__:
        return False
    if kind is Fun:
        return fits(t.a, wanted.a) and fits(t.b, wanted.b)
    if kind is TVar:
        return bool(t.n == wanted.n)
    return fits(t.body, wanted.body) if kind is ForAll else True


def is_bound(binders: int, t: Any) -> bool:
    """As :func:`is_well_formed`, by class: asking for the class is the fastest way to decide it."""
    kind = t.__class__
    if kind is Fun:
        return is_bound(binders, t.a) and is_bound(binders, t.b)
    if kind is TVar:
        return bool(t.n < binders)
    return is_bound(binders + 1, t.body) if kind is ForAll else True


def type_as_wanted(binders: int, context: tuple[tuple[Type, int], ...], e: Any, wanted: Any) -> Any:
    """The type of a term, or None if it has no type that is as expected.

    ``context`` has each type with the number of type variables that were in scope where it was written.
    """
    kind = e.__class__
    if kind is Var:
        for place, (t, before) in enumerate(context):
            # A variable of another kind of type is not even tried.
            if (wanted is ANY or t.__class__ is wanted.__class__) and e.n == place:
                for _ in range(before, binders):
                    t = lift_type(0, t)
                return t if fits(t, wanted) else None
        return None
    if kind is Lam:
        if wanted is ANY:
            wanted = SOME_FUN
        elif wanted.__class__ is not Fun:
            return None
        if not (is_bound(binders, e.t) if wanted.a is ANY else fits(e.t, wanted.a)):
            return None
        result = type_as_wanted(binders, ((e.t, binders), *context), e.e, wanted.b)
        return None if result is None else Fun(e.t, result)
    if kind is App:
        some = SOME_FUN if wanted is ANY else Fun(ANY, wanted)
        function = type_as_wanted(binders, context, e.f, some)
        if function is None or type_as_wanted(binders, context, e.x, function.a) is None:
            return None
        return function.b
    if kind is Con:
        return BASE if fits(BASE, wanted) else None
    if kind is TLam:
        if wanted is ANY:
            wanted = SOME_FOR_ALL
        elif wanted.__class__ is not ForAll:
            return None
        result = type_as_wanted(binders + 1, context, e.e, wanted.body)
        return None if result is None else ForAll(result)
    if kind is TApp:
        general = type_as_wanted(binders, context, e.e, SOME_FOR_ALL)
        if general is None:
            return None
        result = subst_type(0, e.t, general.body)
        return result if fits(result, wanted) and is_bound(binders, e.t) else None
    if kind is Cond:
        if type_as_wanted(binders, context, e.c, BOOL) is None:
            return None
        result = type_as_wanted(binders, context, e.p, wanted)
        return None if result is None or type_as_wanted(binders, context, e.q, result) is None else result
    return BOOL if fits(BOOL, wanted) else None


def well_typed_early(e: Expr) -> bool:
    """Whether a term has a type; rejects as early as it can."""
    return type_as_wanted(0, (), e, ANY) is not None


# --- bugs -----------------------------------------------------------------------------------------------

Mutant = Literal[
    "",  # no bug
    "AppForgetSubst",
    "SubstSwapped",
    "TAppForgetSubst",
    "SubstLT",
    "SubstNoIncr",
    "SubstInTypeLT",
    "SubstInTypeNoIncr",
    "TSubstNoIncr",
    "SubstVar",
    "SubstInTypeNoDecr",
    "LiftTypeTVar",
    "LiftTypeForAll",
    "SubstNoLift",
    "SubstNoLiftT",
    "LiftVar",
    "LiftLam",
    "LiftTLamA",
    "LiftTLamB",
    "LiftTNoIncr",
    "LiftTApp",
    "SubstApp",
    "SubstInTypeNoLift",
    "TSubstNoLift",
    "CondFalseToTrue",
]

_ALL: tuple[Mutant, ...] = get_args(Mutant)[1:]
#: found by plain lazy search in seconds
QUICK = _ALL[:14]
#: found by plain lazy search in minutes, if at all
SLOW = _ALL[14:20]
#: others, which the papers' figures leave out
FURTHER = _ALL[20:]

# --- indices: lifting and substitution ------------------------------------------------------------------


def lift_type(n: int, t: Type, m: Mutant = "") -> Type:
    """Make room for a type variable: add 1 to the indices from ``n`` on."""
    if isinstance(t, TVar):
        return t if t.n < n and m != "LiftTypeTVar" else TVar(t.n + 1)
    if isinstance(t, Fun):
        a, b = lift_type(n, t.a, m), lift_type(n, t.b, m)
        return t if a is t.a and b is t.b else Fun(a, b)
    if isinstance(t, ForAll):
        body = lift_type(n if m == "LiftTypeForAll" else n + 1, t.body, m)
        return t if body is t.body else ForAll(body)
    return t


def subst_type(n: int, s: Type, t: Type, m: Mutant = "") -> Type:
    """Put ``s`` in the place of type variable ``n``, and close the gap."""
    if isinstance(t, TVar):
        if t.n == n:
            return s
        if t.n < n if m == "SubstInTypeLT" else t.n > n:
            return t if m == "SubstInTypeNoDecr" else TVar(t.n - 1)
        return t
    if isinstance(t, Fun):
        a, b = subst_type(n, s, t.a, m), subst_type(n, s, t.b, m)
        return t if a is t.a and b is t.b else Fun(a, b)
    if isinstance(t, ForAll):
        inner = n if m == "SubstInTypeNoIncr" else n + 1
        body = subst_type(inner, s if m == "SubstInTypeNoLift" else lift_type(0, s, m), t.body, m)
        return t if body is t.body else ForAll(body)
    return t


def lift(n: int, e: Expr, m: Mutant) -> Expr:
    """Make room for a variable: add 1 to the indices from ``n`` on."""
    if isinstance(e, Var):
        return e if e.n < n and m != "LiftVar" else Var(e.n + 1)
    if isinstance(e, Lam):
        return Lam(e.t, lift(n if m == "LiftLam" else n + 1, e.e, m))
    if isinstance(e, App):
        return App(lift(n, e.f, m), lift(n, e.x, m))
    if isinstance(e, TLam):
        return e if m == "LiftTLamA" else TLam(lift(n + 1 if m == "LiftTLamB" else n, e.e, m))
    if isinstance(e, TApp):
        return e if m == "LiftTApp" else TApp(lift(n, e.e, m), e.t)
    if isinstance(e, Cond):
        return Cond(lift(n, e.c, m), lift(n, e.p, m), lift(n, e.q, m))
    return e


def lift_types(n: int, e: Expr, m: Mutant) -> Expr:
    """Make room for a type variable in the annotations of a term."""
    if isinstance(e, Lam):
        return Lam(lift_type(n, e.t, m), lift_types(n, e.e, m))
    if isinstance(e, App):
        return App(lift_types(n, e.f, m), lift_types(n, e.x, m))
    if isinstance(e, TLam):
        return TLam(lift_types(n if m == "LiftTNoIncr" else n + 1, e.e, m))
    if isinstance(e, TApp):
        return TApp(lift_types(n, e.e, m), lift_type(n, e.t, m))
    if isinstance(e, Cond):
        return Cond(lift_types(n, e.c, m), lift_types(n, e.p, m), lift_types(n, e.q, m))
    return e


def subst(n: int, s: Expr, e: Expr, m: Mutant) -> Expr:
    """Put ``s`` in the place of variable ``n``, and close the gap."""
    if isinstance(e, Var):
        if e.n == n:
            return s
        if e.n < n if m == "SubstLT" else e.n > n:
            return e if m == "SubstVar" else Var(e.n - 1)
        return e
    if isinstance(e, Lam):
        inner = n if m == "SubstNoIncr" else n + 1
        return Lam(e.t, subst(inner, s if m == "SubstNoLift" else lift(0, s, m), e.e, m))
    if isinstance(e, App):
        function = subst(n, e.f, s, m) if m == "SubstApp" else subst(n, s, e.f, m)
        return App(function, subst(n, s, e.x, m))
    if isinstance(e, TLam):
        return TLam(subst(n, s if m == "SubstNoLiftT" else lift_types(0, s, m), e.e, m))
    if isinstance(e, TApp):
        return TApp(subst(n, s, e.e, m), e.t)
    if isinstance(e, Cond):
        return Cond(subst(n, s, e.c, m), subst(n, s, e.p, m), subst(n, s, e.q, m))
    return e


def subst_type_in_term(n: int, s: Type, e: Expr, m: Mutant) -> Expr:
    """Put type ``s`` in the place of type variable ``n`` in the annotations of a term."""
    if isinstance(e, Lam):
        return Lam(subst_type(n, s, e.t, m), subst_type_in_term(n, s, e.e, m))
    if isinstance(e, App):
        return App(subst_type_in_term(n, s, e.f, m), subst_type_in_term(n, s, e.x, m))
    if isinstance(e, TLam):
        inner = n if m == "TSubstNoIncr" else n + 1
        return TLam(subst_type_in_term(inner, s if m == "TSubstNoLift" else lift_type(0, s, m), e.e, m))
    if isinstance(e, TApp):
        return TApp(subst_type_in_term(n, s, e.e, m), subst_type(n, s, e.t, m))
    if isinstance(e, Cond):
        parts = (subst_type_in_term(n, s, part, m) for part in (e.c, e.p, e.q))
        return Cond(*parts)
    return e


# --- reduction ------------------------------------------------------------------------------------------


def apply(body: Expr, argument: Expr, m: Mutant) -> Expr:
    """What ``(lam. body) argument`` becomes."""
    if m == "AppForgetSubst":
        return body
    return subst(0, body, argument, m) if m == "SubstSwapped" else subst(0, argument, body, m)


def apply_type(body: Expr, argument: Type, m: Mutant) -> Expr:
    """What ``(Lam. body) [argument]`` becomes."""
    return body if m == "TAppForgetSubst" else subst_type_in_term(0, argument, body, m)


def step(e: Expr, m: Mutant) -> Expr | None:
    """One step at the head, call by name; None if there is none."""
    if isinstance(e, App):
        if isinstance(e.f, Lam):
            return apply(e.f.e, e.x, m)
        head = step(e.f, m)
        return None if head is None else App(head, e.x)
    if isinstance(e, TApp):
        if isinstance(e.e, TLam):
            return apply_type(e.e.e, e.t, m)
        head = step(e.e, m)
        return None if head is None else TApp(head, e.t)
    if isinstance(e, Cond):
        if isinstance(e.c, BTrue):
            return e.p
        if isinstance(e.c, BFalse):
            return e.p if m == "CondFalseToTrue" else e.q
        head = step(e.c, m)
        return None if head is None else Cond(head, e.p, e.q)
    return None


def step_everywhere(e: Expr, m: Mutant) -> Expr:
    """Reduce everywhere at once, also below binders: first the parts, then the whole."""
    if isinstance(e, Lam):
        body = step_everywhere(e.e, m)
        return e if body is e.e else Lam(e.t, body)
    if isinstance(e, App):
        f, x = step_everywhere(e.f, m), step_everywhere(e.x, m)
        if isinstance(f, Lam):
            return apply(f.e, x, m)
        return e if f is e.f and x is e.x else App(f, x)
    if isinstance(e, TLam):
        body = step_everywhere(e.e, m)
        return e if body is e.e else TLam(body)
    if isinstance(e, TApp):
        f = step_everywhere(e.e, m)
        if isinstance(f, TLam):
            return apply_type(f.e, e.t, m)
        return e if f is e.e else TApp(f, e.t)
    if isinstance(e, Cond):
        c, p, q = step_everywhere(e.c, m), step_everywhere(e.p, m), step_everywhere(e.q, m)
        if isinstance(c, BTrue):
            return p
        if isinstance(c, BFalse):
            return p if m == "CondFalseToTrue" else q
        return e if c is e.c and p is e.p and q is e.q else Cond(c, p, q)
    return e


# --- the property ---------------------------------------------------------------------------------------


def reduces_alike(e: Expr, m: Mutant) -> bool:
    """Whether the language with a bug reduces a term like the correct one: step by step, and everywhere at
    once.

    After equal steps both runs continue from equal terms, so one pair of steps at a time is enough.
    """
    here: Expr = e
    for _ in range(99):
        right, wrong = step(here, ""), step(here, m)
        if right != wrong:
            return False
        if right is None:
            break
        here = right
    here = e
    for _ in range(30):
        after, other = step_everywhere(here, ""), step_everywhere(here, m)
        if after != other:
            return False
        if after == here:
            break
        here = after
    return True


# --- showing --------------------------------------------------------------------------------------------


def show(e: Expr | Type) -> str:
    """A term or type in the usual notation: ``(lam (). 0) #``.

    >>> show(TLam(Lam(Fun(TVar(0), BASE), App(Var(0), Con()))))
    'Lam. lam (0->()). 0 #'
    """
    match e:
        case Con():
            return "#"
        case Var(n) | TVar(n):
            return str(n)
        case Lam(t, body):
            return f"lam {show(t)}. {show(body)}"
        case App(f, x):
            return f"{_closed(f)} {_closed(x)}"
        case Cond(c, p, q):
            return f"if {show(c)} then {show(p)} else {_closed(q)}"
        case BTrue():
            return "T"
        case BFalse():
            return "F"
        case TLam(body):
            return f"Lam. {show(body)}"
        case TApp(f, t):
            return f"{_closed(f)} [{show(t)}]"
        case Base():
            return "()"
        case TBool():
            return "B"
        case Fun(a, b):
            return f"({show(a)}->{show(b)})"
        case ForAll(body):
            return f"(forall {show(body)})"


def _closed(e: Expr) -> str:
    return f"({show(e)})" if isinstance(e, Lam | App | Cond | TLam | TApp) else show(e)
