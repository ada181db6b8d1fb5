"""Sequence covering arrays, checked by code that they do not share."""

from __future__ import annotations

import json
import math

import pytest
from click.testing import CliRunner

from everycase.arrays import orders_in, sequence_covering_array
from everycase.errors import InvalidArgument


def in_order(row, order):
    """Whether the events occur in this order, given their positions in the row."""
    places = [row.index(event) for event in order]
    return all(places[i] < places[i + 1] for i in range(len(places) - 1))


def every_order(events, t):
    if t == 0:
        yield ()
        return
    for event in events:
        for rest in every_order([other for other in events if other != event], t - 1):
            yield (event, *rest)


def check_array(array, events, t, allowed=lambda row: True):
    """Every row is an allowed permutation, and every order occurs exactly where the array says."""
    rows = [list(row) for row in array]
    for row in rows:
        assert sorted(map(str, row)) == sorted(map(str, events)) and allowed(row)
    infeasible, not_reached = set(array.infeasible), set(array.not_reached)
    covered = 0
    for order in every_order(list(events), t):
        if any(in_order(row, order) for row in rows):
            covered += 1
            assert order not in infeasible and order not in not_reached
        else:
            assert (order in infeasible) != (order in not_reached)
    assert covered == array.covered == array.total - len(infeasible) - len(not_reached)
    assert array.total == math.perm(len(events), t)


@pytest.mark.parametrize(
    "n, t, most", [(6, 3, 10), (8, 3, 12), (10, 3, 14), (6, 4, 38), (5, 2, 2), (4, 4, 24), (7, 1, 1)]
)
def test_published_sizes_are_reached(n, t, most):
    array = sequence_covering_array(range(n), t)
    check_array(array, range(n), t)
    assert len(array) <= most and array.covered == array.total


@pytest.mark.parametrize("seed", range(3))
def test_other_seeds_cover_as_well_and_the_same_seed_the_same(seed):
    array = sequence_covering_array("abcdefg", 3, seed=seed)
    check_array(array, "abcdefg", 3)
    assert array.rows == sequence_covering_array("abcdefg", 3, seed=seed).rows


def all_rows(events):
    return every_order(list(events), len(events))


@pytest.mark.parametrize(
    "constraints, allowed",
    [
        ([("a", "b")], lambda row: row.index("a") < row.index("b")),
        ([("a", "b"), ("b", "c")], lambda row: row.index("a") < row.index("b") < row.index("c")),
        (
            [lambda before, event: event != "e" or len(before) >= 2],
            lambda row: row.index("e") >= 2,
        ),
        (
            [("a", "d"), lambda before, event: event != "b" or not before or before[-1] != "c"],
            lambda row: row.index("a") < row.index("d") and row.index("b") != row.index("c") + 1,
        ),
    ],
)
@pytest.mark.parametrize("t", [2, 3])
def test_constraints_hold_and_what_they_exclude_is_what_no_allowed_row_has(constraints, allowed, t):
    events = "abcde"
    array = sequence_covering_array(events, t, constraints=constraints)
    check_array(array, events, t, allowed)
    possible = {
        order
        for row in all_rows(events)
        if allowed(list(row))
        for order in every_order(list(events), t)
        if in_order(row, order)
    }
    assert set(array.infeasible) == set(every_order(list(events), t)) - possible
    assert array.not_reached == []


def test_orders_in_a_sequence_go_by_first_occurrences():
    assert list(orders_in("abcab", 2)) == [("a", "b"), ("a", "c"), ("b", "c")]


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: sequence_covering_array("aab", 2), "given twice"),
        (lambda: sequence_covering_array("ab", 3), "between 1 and the number of events"),
        (lambda: sequence_covering_array("ab", 0), "between 1"),
        (lambda: sequence_covering_array([[1], [2]], 1), "hashable"),
        (lambda: sequence_covering_array("abc", 2, constraints=[("a", "x")]), "a constraint is a pair"),
        (
            lambda: sequence_covering_array("abc", 2, constraints=[("a", "b"), ("b", "a")]),
            "cannot hold together",
        ),
        (lambda: sequence_covering_array("abc", 2, effort=0), "effort"),
    ],
)
def test_mistakes_are_named(call, words):
    with pytest.raises(InvalidArgument, match=words):
        call()


def run(*arguments):
    from everycase.cli.root import root

    return CliRunner().invoke(root, ["cover", *arguments])


def test_the_command_line():
    result = run("--orders", "open,read,write,close", "-t", "2", "--before", "open,close", "--json")
    data = json.loads(result.output)
    assert result.exit_code == 0 and data["covered"] == 11 and data["infeasible"] == [["close", "open"]]
    rows = run("--orders", "a,b,c", "-t", "3", "--format", "csv")
    assert (
        rows.exit_code == 0 and len([line for line in rows.output.splitlines() if line.count(",") == 2]) == 6
    )
    assert run("--orders", "a,b", "-t", "5").exit_code == 2
    assert run("--before", "a,b").exit_code == 2
    assert run("--orders", "a,b,c", "--before", "a").exit_code == 2
