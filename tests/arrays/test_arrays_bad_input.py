"""Invalid arguments raise an error that names the argument and says what to write instead."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import pytest

from everycase import gen
from everycase.arrays import Model, Radix, constraint, coverage, covering_array, forbid, implies
from everycase.errors import EverycaseError, InvalidArgument

GOOD = {"os": ["linux", "mac"], "arch": ["x86", "arm"], "debug": [True, False]}


class Endless:
    cardinality = math.inf

    def __getitem__(self, index):
        return index


class Empty(Endless):
    cardinality = 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "mapping from names to values"),
        (["os"], "mapping from names to values"),
        ({1: [2]}, "names are strings"),
        ({"os": []}, "'os' has no values"),
        ({"os": "linux"}, "write \\['linux'\\]"),
        ({"os": {"linux", "mac"}}, "a set, which has no order"),
        ({"os": ["linux", "linux"]}, "lists 'linux' twice"),
        ({"os": 3}, "'os' are 3"),
        ({"os": Endless()}, "infinitely many"),
        ({"os": Empty()}, "has no values"),
    ],
)
def test_parameters(parameters, message):
    with pytest.raises(InvalidArgument, match=message):
        Model(parameters)


@pytest.mark.parametrize("strength", [0, -1, 4, 2.0, True, "2", None])
def test_strength(strength):
    with pytest.raises(InvalidArgument, match=r"strength is .* write a number from 1 to 3"):
        covering_array(GOOD, strength)


def test_constraints_that_cannot_be_read():
    with pytest.raises(InvalidArgument, match="reads 'arhc', which is not a parameter; did you mean 'arch'"):
        Model(GOOD, [lambda os, arhc: True])
    with pytest.raises(InvalidArgument, match="the parameters are os, arch, debug"):
        Model(GOOD, [lambda zebra: True])
    with pytest.raises(InvalidArgument, match=r"constraints\[0\] is 'os'"):
        Model(GOOD, ["os"])
    with pytest.raises(InvalidArgument, match="name the columns it reads"):
        Model(GOOD, [lambda *values: True])
    with pytest.raises(InvalidArgument, match="reads no column"):
        Model(GOOD, [lambda: True])
    with pytest.raises(InvalidArgument, match="not a combination to forbid; name at least one column"):
        forbid()
    with pytest.raises(InvalidArgument, match="condition of implies"):
        implies(3, {"os": "mac"})
    with pytest.raises(InvalidArgument, match="takes a name"):
        constraint(lambda os: True)


def test_a_constraint_that_raises_says_on_what():
    with pytest.raises(InvalidArgument, match=r"raised ZeroDivisionError.*os='linux'"):
        covering_array(Model(GOOD, [lambda os: 1 // 0]), 2)


def test_a_forbidden_value_must_exist():
    with pytest.raises(
        InvalidArgument, match="'beos' is not a value of parameter 'os'; its values are 'linux', 'mac'"
    ):
        covering_array(Model(GOOD, [forbid(os="beos")]), 2)


def test_a_constraint_over_too_many_combinations():
    wide = {f"p{i}": range(100) for i in range(4)}
    with pytest.raises(InvalidArgument, match="split it, or give its columns fewer values"):
        covering_array(Model(wide, [lambda p0, p1, p2, p3: True]), 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"strengths": {("os", "zebra"): 2}}, "'zebra' is not a parameter"),
        ({"strengths": {("os", "arch"): 0}}, "strength of group"),
        ({"strengths": [(("os", "arch"), 2)]}, "write a mapping from groups to strengths"),
        ({"strengths": {(): 2}}, "one or more different parameters"),
        ({"strengths": {("os", "os"): 2}}, "one or more different parameters"),
        ({"constraints": 5}, "constraints is 5; write a list"),
        ({"invalid": {"os": "beos"}}, "one str, 'beos'"),
        ({"invalid": {"os": {"beos", "amiga"}}}, "are a set, which has no order"),
        ({"invalid": {"os": 5}}, r"invalid\['os'\] are 5; write a list"),
        ({"invalid": ["os"]}, "invalid is .* write a mapping"),
        ({"weights": {"os": 5}}, r"weights\['os'\] is 5"),
        ({"weights": {"os": {5, 1}}}, r"weights\['os'\] is"),
        ({"invalid": {"zebra": [1]}}, "invalid names 'zebra'"),
        ({"invalid": {"os": ["mac"]}}, "lists 'mac' twice"),
        ({"weights": {"zebra": [1]}}, "weights names 'zebra'"),
        ({"weights": {"os": [1, 2, 3]}}, "3 numbers for 2 values"),
        ({"weights": {"os": [1, -2]}}, "finite numbers from 0"),
        ({"weights": {"os": {"beos": 2}}}, "'beos' is not a value"),
    ],
)
def test_other_arguments_of_a_model(arguments, message):
    with pytest.raises(InvalidArgument, match=message):
        Model(GOOD, **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": -1}, "seed is -1"),
        ({"seed": "x"}, "seed is 'x'"),
        ({"effort": -1}, "effort is -1"),
        ({"must_include": {"os": "mac"}}, "must_include is .*write a list of rows"),
        ({"must_include": [{"zebra": 1}]}, r"must_include\[0\] has 'zebra'"),
        ({"must_include": [{"os": "beos"}]}, "'beos' is not a value"),
        ({"extend": [("linux",)]}, r"extend\[0\] has 1 values, but the model has 3"),
        (
            {"must_include": [{}, {"os": "beos"}]},
            r"must_include\[1\]: 'beos' is not a value of parameter 'os'",
        ),
        ({"must_include": None}, "must_include is None; write a list of rows"),
        ({"extend": 5}, "extend is 5; write a list of rows"),
        ({"extend": [5]}, r"extend\[0\] is 5"),
        ({"radix": "many"}, "radix is 'many'"),
        ({"radix": 1}, "radix base is 1"),
        ({"radix": {"zebra": 4}}, "'zebra' is not a parameter"),
    ],
)
def test_arguments_of_covering_array(arguments, message):
    with pytest.raises(InvalidArgument, match=message):
        covering_array(GOOD, 2, **arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"every_value": "maybe"}, "every_value is 'maybe'"),
        ({"boundaries": "x"}, "boundaries is 'x'"),
        ({"boundaries": {"n": 5}}, r"boundaries\['n'\] is 5"),
        ({"boundaries": {"n": []}}, "a list of at least one value"),
        ({"parameters": "n"}, r"write \['n'\]"),
    ],
)
def test_mistakes_in_radix_options(options, message):
    with pytest.raises(InvalidArgument, match=message):
        Radix(**options)


def test_values_that_are_listed_twice():
    for values, invalid in (([[1], [1]], []), (range(3), [1]), (gen.integers(0, 3), [2]), ([[1]], [[1]])):
        with pytest.raises(InvalidArgument, match="twice; keep one of them"):
            Model({"a": values}, invalid={"a": invalid})
    assert Model({"a": range(3)}, invalid={"a": [True, 1.0, "1"]}).levels == (6,)


def test_implications_name_known_values():
    for condition in ({"os": "beos"}, {"arch": "x86"}):
        with pytest.raises(
            InvalidArgument, match="constraint os='beos': 'beos' is not a value of parameter 'os'"
        ):
            covering_array(Model(GOOD, [implies(condition, {"os": "beos"})]))
    with pytest.raises(InvalidArgument, match="condition of implies\\(\\) is empty"):
        implies({}, {"os": "mac"})
    with pytest.raises(InvalidArgument, match=r"an invalid value of 'os'.*Use forbid"):
        covering_array(Model(GOOD, [implies({"os": "amiga"}, {"arch": "x86"})], invalid={"os": ["amiga"]}))


def test_radix_options():
    with pytest.raises(InvalidArgument, match="radix method"):
        Radix(method="fast")
    with pytest.raises(InvalidArgument, match="radix above"):
        Radix(above=1)
    with pytest.raises(InvalidArgument, match="has invalid values and would be split"):
        covering_array(Model({"n": range(100), "b": bool}, invalid={"n": [-1]}), 2, radix="auto")


def test_split_parameters_take_no_weights():
    weighted = Model({"n": range(100), "b": bool}, weights={"n": {0: 5}})
    with pytest.raises(InvalidArgument, match="has weights and would be split"):
        covering_array(weighted, 2, radix="auto")
    with pytest.raises(InvalidArgument, match="'zebra' is not a parameter"):
        covering_array(GOOD, 2, radix=Radix(parameters=["zebra"]))


def test_jobs_that_are_far_too_large_are_refused_with_a_remedy():
    with pytest.raises(InvalidArgument, match=r"at least 100,000,000 rows.*radix='auto'"):
        covering_array({"x": range(10_000), "y": range(10_000)}, 2)
    with pytest.raises(InvalidArgument, match="lower the strength"):
        covering_array({f"p{i}": bool for i in range(200)}, 6)


def test_coverage_of_rows_that_do_not_fit():
    with pytest.raises(InvalidArgument, match=r"rows\[1\] has 2 values"):
        coverage([("linux", "arm", True), ("linux", "arm")], GOOD)
    with pytest.raises(InvalidArgument, match="parameter 'os' has no value 'beos'"):
        coverage([{"os": "beos"}], GOOD, text=True)


def test_everycase_does_not_import_numpy_and_arrays_says_which_extra_is_missing():
    program = (
        "import sys, everycase\n"
        "assert 'numpy' not in sys.modules\n"
        "sys.modules['numpy'] = None\n"
        "try:\n    import everycase.arrays\n"
        "except everycase.errors.MissingExtra as error:\n    print(error)\n"
    )
    program = "import everycase.errors\n" + program
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    result = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert result.stdout.strip() == (
        "everycase.arrays needs the extra arrays: pip install '.[arrays]' in a checkout of everycase"
    ), result.stderr


def test_every_error_is_an_everycase_error():
    assert issubclass(InvalidArgument, EverycaseError)
