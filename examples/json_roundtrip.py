"""A compact text form for JSON-like values: a recursive generator, and two ways in which encoding goes wrong.

Run it with ``python examples/json_roundtrip.py``, or its tests with ``pytest examples/json_roundtrip.py``.
"""

from __future__ import annotations

import json
from typing import Any

from everycase import check, gen, given

json_values: gen.Gen[Any] = gen.deferred(
    lambda: gen.one_of(
        gen.none(),
        gen.booleans(),
        gen.integers(),
        gen.floats(allow_nan=False, allow_infinity=False),
        gen.text(),
        gen.lists(json_values),
        gen.dictionaries(gen.text(), json_values),
    )
)


@given(json_values)
def test_json_comes_back(value: Any) -> None:
    assert json.loads(json.dumps(value)) == value


def keys_in_order(value: Any) -> None:
    """Not true: sorting the keys on the way out loses the order in which they came."""
    back = json.loads(json.dumps(value, sort_keys=True))
    assert list(back) == list(value)


def keys_stay_what_they_are(value: Any) -> None:
    """Not true: JSON has no keys but strings."""
    assert json.loads(json.dumps(value)) == value


if __name__ == "__main__":
    test_json_comes_back()
    print("json: values come back")
    objects = gen.dictionaries(gen.text(), json_values)
    print(check(keys_in_order, objects, seed=0, database=None))
    numbered = gen.dictionaries(gen.integers(), json_values)
    print(check(keys_stay_what_they_are, numbered, seed=0, database=None))
