"""The same preconditions in Hypothesis: its filter on the same inputs, run by its own runner."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st
from pruning_structures import (
    RedBlack,
    Tree,
    is_red_black,
    is_search_tree,
    is_sorted,
    red_black_trees,
    search_trees,
)

from everycase import gen

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

import systemf_language as f


def nodes(tree: Any) -> int:
    return 0 if tree is None else 1 + nodes(tree.left) + nodes(tree.right)


def rate(strategy: Any) -> Callable[[float], tuple[int, float]]:
    """A function that takes a limit in seconds, and returns the number of valid inputs seen and the CPU seconds taken."""

    def run(limit: float) -> tuple[int, float]:
        valid = 0
        started = time.process_time()

        @settings(
            max_examples=200,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        )
        @given(strategy)
        def test(value: Any) -> None:
            nonlocal valid
            valid += 1

        while time.process_time() - started < limit:
            try:
                test()
            except Exception as problem:  # it gives up if nothing passes the filter
                if "Unsatisfiable" not in type(problem).__name__:
                    raise
        return valid, time.process_time() - started

    return run


def their_terms() -> Any:
    types = st.deferred(
        lambda: st.one_of(
            st.just(f.Base()),
            st.just(f.TBool()),
            st.builds(f.Fun, types, types),
            st.builds(f.TVar, st.integers(0, 3)),
            st.builds(f.ForAll, types),
        )
    )
    terms = st.deferred(
        lambda: st.one_of(
            st.just(f.Con()),
            st.builds(f.Var, st.integers(0, 3)),
            st.builds(f.Lam, types, terms),
            st.builds(f.App, terms, terms),
            st.builds(f.Cond, terms, terms, terms),
            st.just(f.BTrue()),
            st.just(f.BFalse()),
            st.builds(f.TLam, terms),
            st.builds(f.TApp, terms, types),
        )
    )
    return terms


def size(e: Any) -> int:
    """The number of constructors plus the bits of the indices."""
    if isinstance(e, int):
        return e.bit_length()
    return 1 + sum(size(getattr(e, name)) for name in e.__dataclass_fields__)


def trees(cls: Any, *colours: Any) -> Any:
    made = st.deferred(lambda: st.none() | st.builds(cls, *colours, made, st.integers(1, 6), made))
    return made


#: name: our generator, the size up to which it is searched, and the function that counts Hypothesis' valid inputs
PEERS: list[tuple[str, Callable[[], tuple[Any, int]], Callable[[float], tuple[int, float]]]] = [
    (
        "sorted lists of 6 from 0..99",
        lambda: (gen.lists(gen.integers(0, 99), min_size=6, max_size=6).filter(is_sorted), 6),
        rate(st.lists(st.integers(0, 99), min_size=6, max_size=6).filter(is_sorted)),
    ),
    (
        "search trees of 6",
        lambda: (search_trees(6).filter(lambda tree: is_search_tree(tree) and nodes(tree) == 6), 6),
        rate(trees(Tree).filter(lambda tree: nodes(tree) == 6 and is_search_tree(tree))),
    ),
    (
        "red-black trees of 5",
        lambda: (red_black_trees(6).filter(lambda tree: is_red_black(tree) and nodes(tree) == 5), 5),
        rate(trees(RedBlack, st.booleans()).filter(lambda tree: nodes(tree) == 5 and is_red_black(tree))),
    ),
    (
        "well-typed terms of size 8",
        lambda: (f.terms.filter(lambda e: f.well_typed_plain(e) and size(e) == 8), 8),
        rate(their_terms().filter(lambda e: size(e) == 8 and f.well_typed_plain(e))),
    ),
]
