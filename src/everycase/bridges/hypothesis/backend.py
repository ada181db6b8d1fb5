"""``hypothesis.settings(backend="everycase")``: an unchanged Hypothesis test on a search that ``target``
guides.

Hypothesis asks for one choice after another. Each gets an address: its path of spans, and its number there.
Once a test case has reported a number with ``target``, most further ones repeat the best so far with a few
choices changed. Choices keep their address when an element is inserted before them, so the rest stays the
same. Numbers are searched along a line, with steps that double while they help; everything else changes at
random. A test that reports nothing gets fresh choices, as Hypothesis makes them; if most of those are
discarded, also small ones, and the choices of valid test cases with a few changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

from everycase.bridges.hypothesis.private import (
    ConjectureData,
    HypothesisProvider,
    PrimitiveProvider,
    current_data,
    permitted,
)

#: One test case in this number is fresh: a search that only continues from its best never leaves a hill.
FRESH_EVERY = 8
#: After this number of proposals in a row without improvement, the search leaves its best for a while.
PATIENCE = 200

#: Maximum number of valid test cases to continue from, while most fresh ones are discarded.
MOST_VALID = 32
#: By how much the strings of a small test case may be longer than they have to be.
ROOM = (0, 0, 1, 3)

#: The shortest step of a float.
SHORTEST = 2.0**-10

Address = tuple[Any, ...]


class Drawn:
    """One choice of a test case."""

    __slots__ = ("constraints", "kind", "value")

    def __init__(self, kind: str, value: Any, constraints: dict[str, Any]) -> None:
        self.kind = kind
        self.value = value
        self.constraints = constraints


class Proposal(NamedTuple):
    """The basis of the next test case: the choices of an earlier one, some of them changed, and fresh
    ones."""

    record: dict[Address, Drawn]
    changes: dict[Address, Any]
    #: the label whose best it starts from, if any
    label: str | None = None
    #: for a small one: by how much strings may be longer than they have to be
    room: int | None = None


#: Fresh choices only.
FRESH = Proposal({}, {})


class Best:
    """The best test case for one label, and the progress of the search around it."""

    def __init__(self, utility: float, record: dict[Address, Drawn]) -> None:
        self.utility = utility
        self.record = record
        #: by address of a number: the step to try next; 0 when neither direction helps
        self.steps: dict[Address, float] = {}
        self.failures = 0
        #: single changes that were tried without success
        self.tried: set[tuple[Address, Any]] = set()


class Provider(PrimitiveProvider):
    """Makes the choices of all test cases of one test function."""

    lifetime = "test_function"

    def __init__(self, conjecturedata: Any = None, /) -> None:
        super().__init__(conjecturedata)
        self._random = Random(0)
        self._seeded = False
        self._bests: dict[str, Best] = {}
        self._count = 0
        #: the choices of valid test cases, and how many test cases were valid and discarded
        self._valid: list[dict[Address, Drawn]] = []
        self._passed = self._discarded = 0
        self._begin(FRESH)

    # --- one test case ------------------------------------------------------------------------------------------

    @contextmanager
    def _test_case(self) -> Iterator[None]:
        data = current_data()
        if not self._seeded and data is not None and data._random is not None:
            # The dice of the test, which depend on its seed.
            self._random = Random(data._random.getrandbits(64))
            self._seeded = True
        self._begin(self._proposal())
        try:
            yield
            self._passed += 1
            if len(self._valid) < MOST_VALID:
                self._valid.append(self._record)
        except BaseException:
            self._discarded += 1  # or it has failed, and Hypothesis shrinks it from now on
            raise
        finally:
            if data is not None:
                self._learn(dict(data.target_observations))

    def per_test_case_context_manager(self) -> Any:
        return self._test_case()

    def _begin(self, proposal: Proposal) -> None:
        # Fresh choices are those of Hypothesis, made separately, so that they leave no mark in the test case.
        self._fresh = HypothesisProvider(ConjectureData(random=self._random))
        self._path: list[Any] = []
        self._counts: list[dict[Any, int]] = [{}]
        self._record: dict[Address, Drawn] = {}
        self._proposed = proposal
        self._base, self._changes = proposal.record, proposal.changes

    def span_start(self, label: int, /) -> None:
        counts = self._counts[-1]
        number = counts.get(label, 0)
        counts[label] = number + 1
        self._path.append((label, number))
        self._counts.append({})

    def span_end(self, discard: bool, /) -> None:
        if self._path:
            self._path.pop()
            self._counts.pop()

    def _choose(self, kind: str, constraints: dict[str, Any]) -> Any:
        counts = self._counts[-1]
        number = counts.get(None, 0)
        counts[None] = number + 1
        address = (*self._path, number)
        value = self._changes.get(address)
        if value is None:
            known = self._base.get(address)
            value = known.value if known is not None and known.kind == kind else None
        if value is None or not permitted(kind, value, constraints):
            room = self._proposed.room
            drawn = constraints if room is None else _small(kind, constraints, room)
            value = getattr(self._fresh, f"draw_{kind}")(**drawn)
        self._record[address] = Drawn(kind, value, constraints)
        return value

    def draw_boolean(self, p: float = 0.5) -> bool:
        return bool(self._choose("boolean", {"p": p}))

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        constraints = {
            "min_value": min_value,
            "max_value": max_value,
            "weights": weights,
            "shrink_towards": shrink_towards,
        }
        return int(self._choose("integer", constraints))

    def draw_float(
        self,
        *,
        min_value: float = -math.inf,
        max_value: float = math.inf,
        allow_nan: bool = True,
        smallest_nonzero_magnitude: float,
    ) -> float:
        constraints = {
            "min_value": min_value,
            "max_value": max_value,
            "allow_nan": allow_nan,
            "smallest_nonzero_magnitude": smallest_nonzero_magnitude,
        }
        return float(self._choose("float", constraints))

    def draw_string(self, intervals: Any, *, min_size: int = 0, max_size: int = 10**10) -> str:
        return str(
            self._choose("string", {"intervals": intervals, "min_size": min_size, "max_size": max_size})
        )

    def draw_bytes(self, min_size: int = 0, max_size: int = 10**10) -> bytes:
        return bytes(self._choose("bytes", {"min_size": min_size, "max_size": max_size}))

    # --- the search ---------------------------------------------------------------------------------------------

    def _learn(self, utilities: dict[str, float]) -> None:
        """Record what a test case reported."""
        for label, utility in utilities.items():
            best = self._bests.get(label)
            if best is None:
                self._bests[label] = Best(utility, self._record)
            elif utility > best.utility:
                best.utility, best.record, best.failures = utility, self._record, 0
                best.tried.clear()
                self._step(best, helped=True)
            elif self._proposed.label == label:
                best.failures += 1
                same = utility == best.utility and len(self._changes) != 1
                if same and self._random.random() < 0.5:
                    best.record = self._record  # an equally good one: moves over a plateau
                self._step(best, helped=False)
        if self._proposed.label is not None and self._proposed.label not in utilities:
            self._step(self._bests[self._proposed.label], helped=False)

    def _step(self, best: Best, *, helped: bool) -> None:
        """How far to go next along the number that was changed."""
        if self._proposed.label is None or len(self._changes) != 1:
            if helped:
                best.steps = {address: 1.0 for address in best.steps if address in best.record}
            return
        ((address, value),) = self._changes.items()
        if not helped:
            best.tried.add((address, value if value == value else None))
        step = best.steps.get(address)
        if step is None:
            return
        if helped:
            best.steps = {other: old or 1.0 for other, old in best.steps.items() if other in best.record}
            best.steps[address] = step * 2
        else:
            best.steps[address] = _shorter(best.record.get(address), step)

    def _proposal(self) -> Proposal:
        """Which test case to continue from, and what to change there."""
        self._count += 1
        labels = [label for label, best in self._bests.items() if best.record]
        if not labels and self._discarded > self._passed:
            return self._valid_again()
        if not labels or self._count % FRESH_EVERY == 0:
            return FRESH
        label = labels[self._count % len(labels)]
        best = self._bests[label]
        if best.failures > PATIENCE and self._random.random() < 0.5:
            return FRESH
        changes = self._along_a_line(best) if self._count % 4 else None
        return Proposal(best.record, changes or self._at_random(best), label)

    def _valid_again(self) -> Proposal:
        """Most test cases are discarded: smaller ones, and neighbours of valid ones, are valid more often."""
        kept = [record for record in self._valid if record]
        if not kept or self._random.random() < 0.2:
            return FRESH if self._random.random() < 0.2 else Proposal({}, {}, room=self._random.choice(ROOM))
        record = self._random.choice(kept)
        address = self._random.choice(list(record))
        return Proposal(record, {address: self._mutated(record[address])})

    def _along_a_line(self, best: Best) -> dict[Address, Any] | None:
        """One number of the best, a step further."""
        for address, drawn in best.record.items():
            if drawn.kind in ("integer", "float"):
                best.steps.setdefault(address, 1.0)
        # The one that last helped has the longest step.
        order = sorted(best.steps, key=lambda address: -abs(best.steps[address]))
        for address in order:
            step, known = best.steps[address], best.record.get(address)
            while known is not None and step:
                value = _moved(known, step)
                if (
                    value is not None
                    and (address, value) not in best.tried
                    and permitted(known.kind, value, known.constraints)
                ):
                    best.steps[address] = step
                    return {address: value}
                step = _shorter(known, step)
            best.steps[address] = 0.0
        return None

    def _at_random(self, best: Best) -> dict[Address, Any]:
        """One or a few choices of the best, changed at random."""
        addresses = list(best.record)
        if self._random.random() < 0.4:
            # A collection asks "one more?" with an uneven coin: where it said no is where it grows.
            ends = [
                address
                for address, drawn in best.record.items()
                if drawn.kind == "boolean" and not drawn.value and 0 < drawn.constraints["p"] != 0.5
            ]
            if ends:
                return {self._random.choice(ends): True}
        changes: dict[Address, Any] = {}
        for _ in range(1 if self._random.random() < 0.7 else self._random.randint(2, 4)):
            address = self._random.choice(addresses)
            changes[address] = self._mutated(best.record[address])
        return changes

    def _mutated(self, drawn: Drawn) -> Any:
        random, value, constraints = self._random, drawn.value, drawn.constraints
        if drawn.kind == "boolean":
            return not value
        if random.random() < 0.3:
            return getattr(self._fresh, f"draw_{drawn.kind}")(**constraints)
        if drawn.kind in ("integer", "float"):
            size = 2 ** random.uniform(
                0, max(4.0, math.log2(abs(value) + 1) if math.isfinite(value) else 4.0)
            )
            moved = _moved(drawn, random.choice((-1, 1)) * math.floor(size))
            return value if moved is None else moved
        return self._edited(drawn)

    def _edited(self, drawn: Drawn) -> Any:
        """A string or bytes with one element inserted, left out, replaced, or moved by a little."""
        random, value = self._random, drawn.value
        place = random.randint(0, len(value))
        element = getattr(self._fresh, f"draw_{drawn.kind}")(
            **{**drawn.constraints, "min_size": 1, "max_size": 1}
        )
        match random.randrange(4) if value else 0:
            case 0:
                return value[:place] + element + value[place:]
            case 1:
                return value[:place] + value[place + 1 :]
            case 2:
                return value[:place] + element + value[place + 1 :]
            case _:
                place = min(place, len(value) - 1)
                near = ord(value[place : place + 1]) + random.choice((-1, 1, -8, 8))
                if drawn.kind == "bytes":
                    return value[:place] + bytes([near % 256]) + value[place + 1 :]
                return value[:place] + chr(max(0, min(near, 0x10FFFF))) + value[place + 1 :]


def _small(kind: str, constraints: dict[str, Any], room: int) -> dict[str, Any]:
    """The constraints under which a choice stays small: short strings, and "one more?" is rarely answered
    with yes."""
    if kind in ("string", "bytes"):
        return {**constraints, "max_size": min(constraints["max_size"], constraints["min_size"] + room)}
    if kind == "boolean" and constraints["p"] != 0.5:
        return {"p": constraints["p"] / 2}
    return constraints


def _shorter(drawn: Drawn | None, step: float) -> float:
    """The step to try after one that did not help: a quarter of it, the other direction, at last none."""
    least = SHORTEST if drawn is not None and drawn.kind == "float" else 1.0
    if abs(step) > least:
        shorter = abs(step) / 4
        return math.copysign(max(least, shorter if least < 1 else math.floor(shorter)), step)
    return -1.0 if step > 0 else 0.0


def _moved(drawn: Drawn, step: float) -> Any:
    """A number a step further, or at the end of its range if the step would leave it; None if it is already
    there."""
    value, low, high = drawn.value, drawn.constraints["min_value"], drawn.constraints["max_value"]
    if not math.isfinite(value):
        return None
    moved = value + (int(step) if drawn.kind == "integer" else step)
    if low is not None and moved < low:
        moved = low
    if high is not None and moved > high:
        moved = high
    return None if moved == value else moved
