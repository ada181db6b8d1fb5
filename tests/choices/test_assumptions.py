"""Composites may discard anywhere while their values are made; other code may not."""

from __future__ import annotations

import pytest

from everycase import assume, errors, gen
from everycase.enumeration.walk import walk


@gen.composite
def evens(draw):
    n = draw(gen.integers(0, 9))
    assume(n % 2 == 0)
    return n


def test_composites_that_assume_can_be_sampled_recorded_and_walked():
    assert set(evens().sample(100, seed=0)) == {0, 2, 4, 6, 8}
    assert evens().record(seed=0).value % 2 == 0
    assert [trace.value for trace in walk(evens())] == [0, 2, 4, 6, 8]


def test_assume_elsewhere_is_still_a_mistake():
    evens().sample(1, seed=0)
    with pytest.raises(errors.OutsideRun):
        assume(True)
