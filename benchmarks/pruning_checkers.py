"""The type checker of System F as in the papers: recursive calls first, tests of shapes last.

``examples/systemf_language.py`` follows the advice of ``docs/pruning.md``: it tests the shape of the parts it knows
before it looks at more of the term. The two checkers here do not, so a search sees more of each term before the term is
rejected.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

from systemf_language import (
    BASE,
    BOOL,
    App,
    BFalse,
    BTrue,
    Con,
    Cond,
    Expr,
    ForAll,
    Fun,
    Lam,
    TApp,
    TLam,
    Type,
    Var,
    is_well_formed,
    lift_type,
    subst_type,
    well_formed_plain,
)


def type_of_late(binders: int, context: tuple[Type, ...], e: Expr) -> Type | None:
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
            result = type_of_late(binders, (t, *context), body)
            return None if result is None else Fun(t, result)
        case App(f, x):
            function = type_of_late(binders, context, f)
            if function is None:
                return None
            argument = type_of_late(binders, context, x)
            if argument is None or not isinstance(function, Fun) or function.a != argument:
                return None
            return function.b
        case Cond(c, p, q):
            test = type_of_late(binders, context, c)
            if test is None:
                return None
            first = type_of_late(binders, context, p)
            if first is None:
                return None
            second = type_of_late(binders, context, q)
            return first if test == BOOL and first == second else None
        case BTrue() | BFalse():
            return BOOL
        case TLam(body):
            lifted = tuple([lift_type(0, t) for t in context])
            result = type_of_late(binders + 1, lifted, body)
            return None if result is None else ForAll(result)
        case TApp(f, t):
            general = type_of_late(binders, context, f)
            if general is None or not is_well_formed(binders, t) or not isinstance(general, ForAll):
                return None
            return subst_type(0, t, general.body)


def well_typed_late(e: Expr) -> bool:
    """Whether a term has a type, with ``match``."""
    return type_of_late(0, (), e) is not None


def type_of_plain_late(binders: int, context: tuple[Type, ...], e: Expr) -> Type | None:
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
        result = type_of_plain_late(binders, (e.t, *context), e.e)
        return None if result is None else Fun(e.t, result)
    if isinstance(e, App):
        function = type_of_plain_late(binders, context, e.f)
        if function is None:
            return None
        argument = type_of_plain_late(binders, context, e.x)
        if argument is None or not isinstance(function, Fun) or function.a != argument:
            return None
        return function.b
    if isinstance(e, Cond):
        test = type_of_plain_late(binders, context, e.c)
        if test is None:
            return None
        first = type_of_plain_late(binders, context, e.p)
        if first is None:
            return None
        second = type_of_plain_late(binders, context, e.q)
        return first if test == BOOL and first == second else None
    if isinstance(e, BTrue | BFalse):
        return BOOL
    if isinstance(e, TLam):
        lifted = tuple([lift_type(0, t) for t in context])
        result = type_of_plain_late(binders + 1, lifted, e.e)
        return None if result is None else ForAll(result)
    general = type_of_plain_late(binders, context, e.e)
    if general is None or not well_formed_plain(binders, e.t) or not isinstance(general, ForAll):
        return None
    return subst_type(0, e.t, general.body)


def well_typed_plain_late(e: Expr) -> bool:
    """Whether a term has a type, with isinstance."""
    return type_of_plain_late(0, (), e) is not None
