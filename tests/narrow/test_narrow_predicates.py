"""Hundreds of conditions as people write them: pruning finds exactly what filtering finds."""

from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import itertools
import json
import math
import operator
import re
from collections import Counter
from typing import Any

import attrs
import narrow_vocabulary
import pytest
from narrow_predicates import PREDICATES

from everycase.narrow import Narrowing

NAMES = {
    **vars(narrow_vocabulary),
    **{module.__name__: module for module in (attrs, collections, copy, dataclasses, functools, itertools)},
    **{module.__name__: module for module in (json, math, operator, re)},
}
ALL = [
    pytest.param(inputs, size, f"lambda {name}: {text}", id=f"{kind}: {text}")
    for kind, inputs, size, name, texts in PREDICATES
    for text in texts.strip().splitlines()
]


@pytest.mark.parametrize("inputs, size, text", ALL)
def test_as_filtering(inputs: Any, size: int, text: str) -> None:
    predicate = eval(text, NAMES)
    wanted = Counter(repr(value) for value in inputs.up_to_size(size) if predicate(value))
    found = Counter(repr(one.value) for one in Narrowing([inputs.filter(predicate)]).search(size))
    assert found == wanted


def test_there_are_hundreds_of_them() -> None:
    assert len(ALL) > 380
