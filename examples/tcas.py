"""TCAS: an avionics advisory program, 41 faulty versions of it, and what covering arrays find in them.

The case study of the radix-coverage paper. Run it with ``python examples/tcas.py`` (seconds), or with ``--full``
for the large arrays too (some minutes, and about a gigabyte for those of a million rows). ``--bases`` makes the
arrays of digits as the paper describes them, in other bases too (a minute). Each line says how
many of the faulty versions the tests of the array distinguish from the correct program, how long that took,
and what *the same number of random tests* finds. Covering arrays guarantee that every t-way combination was
tested. On this program that does not mean finding more faults, and the table shows it. What pays off is
choosing the values well.
"""

from __future__ import annotations

import argparse
import random
import time
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from everycase.arrays import Constraint, Model, Radix, covering_array

INTEGERS = (
    "Cur_Vertical_Sep",
    "Own_Tracked_Alt",
    "Own_Tracked_Alt_Rate",
    "Other_Tracked_Alt",
    "Up_Separation",
    "Down_Separation",
)
ORDER = (
    "Cur_Vertical_Sep",
    "High_Confidence",
    "Two_of_Three_Reports_Valid",
    "Own_Tracked_Alt",
    "Own_Tracked_Alt_Rate",
    "Other_Tracked_Alt",
    "Alt_Layer_Value",
    "Up_Separation",
    "Down_Separation",
    "Other_RAC",
    "Other_Capability",
    "Climb_Inhibit",
)


class Tcas:
    """The correct program. A faulty version overrides a constant or one of the small methods."""

    OLEV = 600
    MAXALTDIFF = 600
    MINSEP = 300
    NOZCROSS = 100
    THRESHOLDS = (400, 500, 640, 740)
    UPWARD, DOWNWARD = 1, 2

    def __init__(self, row: Sequence[int]) -> None:
        (
            self.separation,
            self.confident,
            self.two_of_three,
            self.own,
            self.rate,
            self.other,
            self.layer,
            self.up,
            self.down,
            self.rac,
            self.capability,
            self.inhibit,
        ) = row

    def alim(self) -> int:
        return self.THRESHOLDS[self.layer]

    def biased_climb(self) -> int:
        return self.up + self.NOZCROSS if self.inhibit else self.up

    def below(self) -> bool:
        return self.own < self.other

    def above(self) -> bool:
        return self.other < self.own

    def climb_preferred(self) -> bool:
        return self.biased_climb() > self.down

    def descend_preferred(self) -> bool:
        return self.biased_climb() > self.down

    def climb_first(self) -> bool:
        return not self.below() or not self.down >= self.alim()

    def climb_second(self) -> bool:
        return self.above() and self.separation >= self.MINSEP and self.up >= self.alim()

    def descend_first(self) -> bool:
        return self.below() and self.separation >= self.MINSEP and self.down >= self.alim()

    def descend_second(self) -> bool:
        return not self.above() or self.up >= self.alim()

    def climb(self) -> bool:
        return self.climb_first() if self.climb_preferred() else self.climb_second()

    def descend(self) -> bool:
        return self.descend_first() if self.descend_preferred() else self.descend_second()

    def enabled(self) -> bool:
        return bool(self.confident) and self.rate <= self.OLEV and self.separation > self.MAXALTDIFF

    def intent_unknown(self) -> bool:
        return bool(self.two_of_three) and self.rac == 0

    def gate(self) -> bool:
        return self.enabled() and (self.capability != 1 or self.intent_unknown())

    def need_up(self) -> bool:
        return self.climb() and self.below()

    def need_down(self) -> bool:
        return self.descend() and self.above()

    def decide(self, up: bool, down: bool) -> int:
        if up and down:
            return 0
        return self.UPWARD if up else self.DOWNWARD if down else 0

    def advice(self) -> int:
        return self.decide(self.need_up(), self.need_down()) if self.gate() else 0


def _version(**changes: Any) -> type[Tcas]:
    return type("FaultyTcas", (Tcas,), changes)


def _always_biased(t: Tcas) -> bool:
    return t.up + t.NOZCROSS > t.down


def _never_biased(t: Tcas) -> bool:
    return t.up > t.down


def _no_separation(t: Tcas) -> bool:
    return bool(t.confident) and t.rate <= t.OLEV


def _at_least(t: Tcas) -> bool:
    return t.biased_climb() >= t.down


def _own_at_most(t: Tcas) -> bool:
    return t.own <= t.other


def _other_at_most(t: Tcas) -> bool:
    return t.other <= t.own


def _up_above_limit(t: Tcas) -> bool:
    return not t.above() or t.up > t.alim()


def _inverted_bias(t: Tcas) -> int:
    return t.up if t.inhibit else t.up + t.NOZCROSS


def _thresholds(*values: int) -> type[Tcas]:
    return _version(THRESHOLDS=values)


FAULTS: dict[int, type[Tcas]] = {
    1: _version(climb_first=lambda t: not t.below() or not t.down > t.alim()),
    2: _version(biased_climb=lambda t: t.up + t.MINSEP if t.inhibit else t.up),
    3: _version(intent_unknown=lambda t: bool(t.two_of_three) or t.rac == 0),
    4: _version(climb_second=lambda t: (t.above() and t.separation >= t.MINSEP) or t.up >= t.alim()),
    5: _version(enabled=_no_separation),
    6: _version(below=_own_at_most),
    7: _thresholds(400, 550, 640, 740),
    8: _thresholds(400, 500, 640, 700),
    9: _version(descend_preferred=_at_least),
    10: _version(below=_own_at_most, above=_other_at_most),
    11: _version(
        below=_own_at_most,
        above=_other_at_most,
        decide=lambda t, up, down: t.UPWARD if up else t.DOWNWARD if down else 0,
    ),
    12: _version(enabled=lambda t: bool(t.confident) or (t.rate <= t.OLEV and t.separation > t.MAXALTDIFF)),
    13: _version(OLEV=700),
    14: _version(MAXALTDIFF=650),
    15: _version(MINSEP=650, enabled=_no_separation),
    16: _thresholds(401, 500, 640, 740),
    17: _thresholds(400, 501, 640, 740),
    18: _thresholds(400, 500, 690, 740),
    19: _thresholds(400, 500, 640, 760),
    20: _version(climb_preferred=_at_least),
    21: _version(climb_preferred=_always_biased),
    22: _version(climb_preferred=_never_biased),
    23: _version(descend_preferred=_always_biased),
    24: _version(descend_preferred=_never_biased),
    25: _version(descend_second=_up_above_limit),
    26: _version(enabled=lambda t: bool(t.confident) and t.separation > t.MAXALTDIFF),
    27: _version(enabled=_no_separation),
    28: _version(biased_climb=_inverted_bias),
    29: _version(biased_climb=lambda t: t.up),
    30: _version(biased_climb=lambda t: t.up + t.NOZCROSS),
    31: _version(
        climb_first=lambda t: Tcas.climb_first(t) and t.own <= t.other,
        climb_second=lambda t: Tcas.climb_second(t) and t.own < t.other,
        need_up=lambda t: t.climb(),
    ),
    32: _version(
        descend_first=lambda t: Tcas.descend_first(t) and t.other < t.own,
        descend_second=lambda t: Tcas.descend_second(t) and t.other <= t.own,
        need_down=lambda t: t.descend(),
    ),
    33: _thresholds(0, 400, 500, 640),
    34: _version(
        gate=lambda t: (t.enabled() and t.capability == 1 and t.intent_unknown()) or t.capability != 1
    ),
    35: _version(biased_climb=_inverted_bias),
    36: _version(DOWNWARD=1),
    37: _version(alim=lambda t: t.THRESHOLDS[0]),
    38: _thresholds(
        400, 500, 640, 3
    ),  # reads past its array: with one common memory layout it finds a 3 there
    39: _version(descend_second=_up_above_limit),
    40: _version(
        climb_first=lambda t: t.below() and not t.down >= t.alim(),
        need_up=lambda t: t.climb(),
    ),
    41: _version(climb_second=lambda t: t.separation >= t.MINSEP and t.up >= t.alim()),
}

READINGS = {
    "no repeated edits": [v for v in FAULTS if v not in (27, 35, 39)],
    "no memory errors": [v for v in FAULTS if v not in (33, 38, 27)],
}
"""The paper tests 38 of the 41 versions and does not say which; these are the two plausible choices."""

HAND_PICKED = {
    "Cur_Vertical_Sep": [299, 300, 600, 601, 650, 651],
    "Own_Tracked_Alt": [1, 2, 3],
    "Own_Tracked_Alt_Rate": [600, 601, 700],
    "Other_Tracked_Alt": [1, 2, 3],
    "Up_Separation": [0, 399, 400, 499, 500, 639, 640, 739, 740, 840],
    "Down_Separation": [0, 399, 400, 499, 500, 639, 640, 739, 740, 840],
}
SMALL = {
    "High_Confidence": [0, 1],
    "Two_of_Three_Reports_Valid": [0, 1],
    "Alt_Layer_Value": [0, 1, 2, 3],
    "Other_RAC": [0, 1, 2],
    "Other_Capability": [0, 1, 2],
    "Climb_Inhibit": [0, 1],
}


def parameters(integers: dict[str, Any]) -> dict[str, Any]:
    """All twelve, in the order of the program, with the given values for the integers."""
    both = {**integers, **SMALL}
    return {name: both[name] for name in ORDER}


def killed(rows: Iterable[Sequence[int]]) -> set[int]:
    """The faulty versions that some row distinguishes from the correct program."""
    rows = list(rows)
    expected = [Tcas(row).advice() for row in rows]
    return {
        version
        for version, faulty in FAULTS.items()
        if any(faulty(row).advice() != answer for row, answer in zip(rows, expected))
    }


def random_rows(values: dict[str, Any], count: int, seed: int) -> list[tuple[int, ...]]:
    dice = random.Random(seed)
    return [tuple(dice.choice(values[name]) for name in ORDER) for _ in range(count)]


@dataclass(frozen=True)
class Setting:
    """One line of the table: the values, the strength, and how the large ranges are split."""

    name: str
    values: dict[str, Any]
    strength: int
    radix: Any
    paper: str
    quick: bool = True


RANGE = parameters(dict.fromkeys(INTEGERS, range(1001)))
TENS = parameters(dict.fromkeys(INTEGERS, range(0, 1001, 10)))
PICKED = parameters(HAND_PICKED)
LIMITS = {name: HAND_PICKED[name] for name in INTEGERS}


def settings() -> list[Setting]:
    split = Radix(above=4)
    lines = [Setting("hand-picked", PICKED, t, None, "ACTS 35" if t == 6 else "", t < 5) for t in range(2, 7)]
    lines += [
        Setting("hand-picked, radix", PICKED, t, split, "26" if t == 6 else "", t < 4) for t in range(2, 7)
    ]
    lines += [
        Setting("0..1000", RANGE, 2, None, "ACTS 18 in 46 h", False),
        Setting("0..1000, radix", RANGE, 2, "auto", "26 in 2.5 min"),
        Setting("0..1000, radix", RANGE, 3, "auto", "28 in 53 min"),
        Setting("0..1000, radix", RANGE, 4, "auto", "", False),
        Setting("0..1000, radix + ends", RANGE, 2, Radix(boundaries=True), ""),
        Setting("0..1000, radix + limits", RANGE, 2, Radix(boundaries=LIMITS), ""),
        Setting("0,10..1000", TENS, 2, None, "ACTS 17 in 103 s", False),
        Setting("0,10..1000", TENS, 3, None, "ACTS 35 in 77 h", False),
        Setting("0,10..1000, radix", TENS, 2, "auto", "9 in 46 s"),
        Setting("0,10..1000, radix", TENS, 3, "auto", "30 in 148 s"),
        Setting("0,10..1000, radix", TENS, 4, "auto", "35 in 26 min", False),
    ]
    return lines


def digits_of(values: dict[str, Any], base: int) -> Model:
    """The paper's own way: a parameter for each digit, all digits of one number together, none beyond the range."""
    columns: dict[str, Any] = {}
    strengths = {}
    constraints = []
    for name, choices in values.items():
        if name not in INTEGERS:
            columns[name] = choices
            continue
        places = [f"{name}_{k}" for k in range(places_needed(len(choices), base))]
        columns.update(dict.fromkeys(places, range(base)))
        strengths[tuple(places)] = len(places)
        constraints.append(Constraint(partial(_within, len(choices), base), places, f"{name} in range"))
    return Model(columns, constraints, strengths)


def places_needed(count: int, base: int) -> int:
    places = 1
    while base**places < count:
        places += 1
    return places


def _number(base: int, digits: Iterable[int]) -> int:
    number = 0
    for digit in digits:
        number = number * base + digit
    return number


def _within(count: int, base: int, **digits: int) -> bool:
    return _number(base, digits.values()) < count


def from_digits(row: dict[str, int], values: dict[str, Any], base: int) -> tuple[int, ...]:
    """The inputs that a row of digits stands for."""
    found = []
    for name, choices in values.items():
        if name in INTEGERS:
            digits = (row[f"{name}_{k}"] for k in range(places_needed(len(choices), base)))
            found.append(choices[_number(base, digits)])
        else:
            found.append(row[name])
    return tuple(found)


def bases() -> None:
    """How many faults arrays of digits find, by base, and random rows, by their number."""
    counted = READINGS["no repeated edits"]
    for name, values, strengths, tried in (
        ("0,10..1000", TENS, (2, 3, 4), (3, 4, 5, 6, 7, 8, 10)),
        ("0..1000", RANGE, (2, 3), (4, 5, 6, 8, 10, 11)),
    ):
        for base in tried:
            for strength in strengths:
                if base**strength > 5000:
                    continue  # rows by the ten thousands
                rows = covering_array(digits_of(values, base), strength)
                found = killed(from_digits(row, values, base) for row in rows)
                print(
                    f"{name:11} base {base:2} t={strength} {len(rows):7,} rows: {len(found.intersection(counted))}",
                    flush=True,
                )
        for count in (100, 200, 400, 800, 1600, 3200, 6400):
            each = [len(killed(random_rows(values, count, seed)).intersection(counted)) for seed in range(10)]
            print(
                f"{name:11} random {count:7,} rows: {sum(each) / 10:.1f} ({min(each)} to {max(each)})",
                flush=True,
            )


def measured(action: Callable[[], Any]) -> tuple[Any, float]:
    before = time.process_time()
    result = action()
    return result, time.process_time() - before


def peak_memory(action: Callable[[], Any]) -> float:
    """Peak of what Python and NumPy allocate, in megabytes (in a run of its own: tracing slows it down)."""
    tracemalloc.start()
    action()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def main() -> None:
    options = argparse.ArgumentParser(description="TCAS: faults found by covering arrays and by random rows")
    options.add_argument(
        "--full", action="store_true", help="also the lines that take more than a few seconds"
    )
    options.add_argument("--seeds", type=int, default=5, help="random baselines to average over")
    options.add_argument(
        "--bases", action="store_true", help="arrays of digits in several bases, and nothing else"
    )
    chosen = options.parse_args()
    full, seeds = chosen.full, chosen.seeds
    if chosen.bases:
        bases()
        return
    print("Faults found of 38 (two readings of which 38), CPU seconds; random: mean of", seeds, "seeds\n")
    heads = ("values", "t", "rows", "array s", "tests s", "MB", *READINGS, "random: same", "", "paper")
    print("{:24} {:>1} {:>9} {:>8} {:>8} {:>6}  {:>17} {:>16}  {:>12} {:>4}  {}".format(*heads))
    for line in settings():
        if not (full or line.quick):
            continue
        model = Model(line.values)
        build = partial(covering_array, model, line.strength, radix=line.radix)
        rows, array_seconds = measured(build)
        tests = rows.tuples()
        found, test_seconds = measured(partial(killed, tests))
        memory = f"{peak_memory(build):.0f}" if line.name.startswith("hand") else ""
        counts = [len(found.intersection(reading)) for reading in READINGS.values()]
        baseline = [killed(random_rows(line.values, len(rows), seed)) for seed in range(seeds)]
        means = [sum(len(b.intersection(reading)) for b in baseline) / seeds for reading in READINGS.values()]
        print(
            f"{line.name:24} {line.strength} {len(rows):9,} {array_seconds:8.2f} {test_seconds:8.2f} {memory:>6}  "
            f"{counts[0]:>17} {counts[1]:>16}  {means[0]:12.1f} {means[1]:4.1f}  {line.paper}",
            flush=True,
        )


if __name__ == "__main__":
    main()
