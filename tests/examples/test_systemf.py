"""The System F example: its checker against known counts, its planted bugs against known witnesses."""

from __future__ import annotations

from functools import cache

import pytest
from systemf_language import (
    BASE,
    BOOL,
    FURTHER,
    QUICK,
    SLOW,
    App,
    BFalse,
    BTrue,
    Con,
    Cond,
    ForAll,
    Fun,
    Lam,
    TApp,
    TLam,
    TVar,
    Var,
    reduces_alike,
    show,
    terms,
    type_of,
    well_typed,
    well_typed_early,
    well_typed_plain,
)

from everycase.choices.invert import trace_of
from everycase.choices.trace import sizes
from everycase.narrow import Narrowing

#: well-typed closed terms up to each size from 1, as counted by several independent programs
COUNTS = [3, 6, 17, 68, 217, 811, 3108]

IDENTITY = Lam(BASE, Var(0))

#: a bug, its smallest known witness in print, the size of the smallest witnesses (None: only a bound is known)
WITNESSES = [
    ("AppForgetSubst", App(IDENTITY, Con()), 5),
    ("SubstSwapped", App(Lam(BASE, BTrue()), Con()), 5),
    ("TAppForgetSubst", TApp(TLam(Lam(TVar(0), Con())), BASE), 6),
    ("SubstLT", App(Lam(BASE, Lam(BASE, Var(0))), Con()), 7),
    ("SubstNoIncr", App(Lam(BASE, Lam(BASE, Var(0))), Con()), 7),
    ("SubstInTypeLT", TApp(TLam(Lam(ForAll(TVar(0)), Con())), BASE), 7),
    ("SubstInTypeNoIncr", TApp(TLam(Lam(ForAll(TVar(0)), Con())), BASE), 7),
    ("TSubstNoIncr", TApp(TLam(TLam(Lam(TVar(0), Con()))), BASE), 7),
    ("SubstVar", Lam(BASE, App(Lam(BASE, Var(1)), Con())), 8),
    ("SubstInTypeNoDecr", TLam(TApp(TLam(Lam(TVar(1), Con())), BASE)), 8),
    ("LiftTypeTVar", TApp(TLam(TLam(Lam(TVar(1), Con()))), ForAll(TVar(0))), 9),
    ("LiftTypeForAll", TApp(TLam(TLam(Lam(TVar(1), Con()))), ForAll(TVar(0))), 9),
    ("SubstNoLift", Lam(BASE, App(Lam(BASE, Lam(BASE, Var(1))), Var(0))), 10),
    ("SubstNoLiftT", TLam(App(Lam(Fun(TVar(0), BASE), TLam(Var(0))), Lam(TVar(0), Con()))), 11),
    ("LiftVar", App(Lam(Fun(BASE, BASE), Lam(BASE, Var(1))), IDENTITY), None),
    ("LiftLam", App(Lam(Fun(BASE, BASE), Lam(BASE, Var(1))), IDENTITY), None),
    ("LiftTLamA", Lam(BOOL, App(Lam(ForAll(BOOL), Lam(BASE, Var(1))), TLam(Var(0)))), None),
    ("LiftTLamB", Lam(BOOL, App(Lam(ForAll(BOOL), Lam(BASE, Var(1))), TLam(Var(0)))), None),
    ("LiftTNoIncr", App(Lam(ForAll(BOOL), TLam(Var(0))), TLam(TApp(TLam(BTrue()), TVar(0)))), 11),
    ("LiftTApp", Lam(ForAll(BOOL), App(Lam(BOOL, Lam(BASE, Var(1))), TApp(Var(0), BASE))), None),
    ("SubstApp", App(Lam(BASE, App(IDENTITY, Var(0))), Con()), 9),
    ("SubstInTypeNoLift", TLam(TApp(TLam(Lam(ForAll(TVar(1)), Con())), TVar(0))), 9),
    ("TSubstNoLift", TLam(TApp(TLam(TLam(Lam(TVar(1), Con()))), TVar(0))), 9),
    ("CondFalseToTrue", Cond(BFalse(), BTrue(), BFalse()), 4),
]


@cache
def small():
    return list(terms.up_to_size(7))


@cache
def small_and_well_typed():
    return [e for e in small() if well_typed(e)]


def size_of(e):
    trace = trace_of(terms, e)
    return sizes(trace)[id(trace)]


@pytest.mark.parametrize(("mutant", "witness", "size"), WITNESSES, ids=[row[0] for row in WITNESSES])
def test_a_mistake_shows_in_its_witness_and_in_no_smaller_term(mutant, witness, size):
    assert well_typed(witness)
    assert reduces_alike(witness, "")
    assert not reduces_alike(witness, mutant)
    if size is not None:
        assert size_of(witness) == size
        smaller = [e for e in small_and_well_typed() if not reduces_alike(e, mutant)]
        assert min(map(size_of, smaller), default=8) == min(size, 8)


def test_there_is_a_witness_for_every_mistake():
    assert sorted(row[0] for row in WITNESSES) == sorted(QUICK + SLOW + FURTHER)
    assert (len(QUICK), len(SLOW), len(FURTHER)) == (14, 6, 4)


def test_the_size_prices_constructors_and_bits_of_indices():
    assert [size_of(Var(n)) for n in range(9)] == [1, 2, 3, 3, 4, 4, 4, 4, 5]
    assert size_of(IDENTITY) == 3


@pytest.mark.slow
def test_the_counts_of_well_typed_terms():
    assert [sum(map(well_typed, terms.up_to_size(size))) for size in range(1, 8)] == COUNTS


@pytest.mark.parametrize("checker", [well_typed_plain, well_typed_early])
def test_all_checkers_agree(checker):
    assert [e for e in small() if checker(e)] == small_and_well_typed()


def test_all_checkers_agree_on_larger_terms():
    for _, witness, _ in WITNESSES:
        assert well_typed_early(witness)
    general = Lam(ForAll(Fun(TVar(0), BASE)), Var(0))
    assert well_typed_early(TLam(Lam(TVar(0), TLam(App(Lam(TVar(1), Con()), Var(0))))))
    assert not well_typed_early(TLam(Lam(TVar(0), TLam(App(Lam(TVar(0), Con()), Var(0))))))
    assert well_typed_early(App(general, TLam(Lam(TVar(0), Con()))))
    assert not well_typed_early(App(general, TLam(Lam(BASE, Con()))))
    assert not well_typed_early(App(general, Lam(BASE, Con())))


def test_the_checker_that_is_told_what_is_wanted_rejects_earlier():
    evaluations = []
    for checker in (well_typed_plain, well_typed_early):
        search = Narrowing([terms.filter(checker)])
        assert sum(1 for _ in search.search(6)) == COUNTS[5]
        evaluations.append(search.statistics.evaluations)
    assert evaluations[1] < 0.85 * evaluations[0]


def test_without_a_mistake_nothing_differs():
    assert all(reduces_alike(e, "") for e in small_and_well_typed())


def test_types_of_some_terms():
    assert type_of(0, (), TLam(Lam(TVar(0), Var(0)))) == ForAll(Fun(TVar(0), TVar(0)))
    assert type_of(0, (), TApp(TLam(Lam(TVar(0), Var(0))), BOOL)) == Fun(BOOL, BOOL)
    # The context is lifted below a type binder: the variable keeps its outer type.
    assert type_of(1, (TVar(0),), TLam(Var(0))) == ForAll(TVar(1))
    assert type_of(0, (), App(Con(), Con())) is None
    assert type_of(0, (), Var(0)) is None
    assert type_of(0, (), Lam(TVar(0), Con())) is None


def test_the_notation():
    assert (
        show(App(Lam(Fun(BASE, BASE), Lam(BASE, Var(1))), IDENTITY))
        == "(lam (()->()). lam (). 1) (lam (). 0)"
    )
