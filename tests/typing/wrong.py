"""Mistakes that a type checker must find, one per line."""

from __future__ import annotations

from everycase import gen, settings
from everycase import strategies as st

st.integers("a")
st.lists(5)
st.text(max_size="b")
st.tuples(st.integers()).map(len).filter(3)
gen.frequency(st.integers())
gen.recursive(st.integers(), 5)
settings(max_examples="many")
st.sampled_from(5)
