"""Spells: is there a list of spells that makes a character too strong?

A character has ten attributes of 5 points each. A spell moves points around; a spell that would make an
attribute negative does nothing. Nearly all spells add as many points as they remove. Two of them gain a
little, but only with attributes that others have to supply first, so the exploit is a long chain of spells in
the right order. The claim under test: no list of spells brings the sum of the attributes to 100.

This is the shape of the user study in the paper on constructed neighbourhoods, with a table of our own. Its eight
kinds of hand-written neighbourhoods are below, next to the one that is constructed from the generator.

    python examples/spells.py            (a glance; with "30 20000": thirty runs of at most 20,000 tests;
                                          "plot 30 20000": the picture spells.svg)
"""

from __future__ import annotations

import inspect
import random
import sys
import time
from collections.abc import Callable

from comparing import summary, tests_to_failure
from plotting import draw_boxes

from everycase import gen, maximize
from everycase.explore import Climb, Random
from everycase.gen import Gen

ATTRIBUTES = 10
LIMIT = 100

Spell = dict[int, int]  # what is added to which attribute; all others stay


def table_of_spells(number: int) -> list[Spell]:
    """A table of twenty spells: 17 move points around, two gain 1 and 2 points, one only loses points.

    The spells that gain take more of an attribute than there is at first, so that others have to supply it.
    """
    dice = random.Random(f"spells {number}")
    table: list[Spell] = []
    for place in range(17):
        one, two, three = dice.sample(range(ATTRIBUTES), 3)
        points = dice.randint(1, 4)
        table.append({one: -points, two: points} if place % 4 else {one: -points, two: -1, three: points + 1})
    for gain in (1, 2):
        one, two, three = dice.sample(range(ATTRIBUTES), 3)
        table.append({one: -6, two: -1, three: 7 + gain})
    table.append({dice.randrange(ATTRIBUTES): -4})
    return table


#: The number was not chosen by how any search does: it is the first one whose spells can be exploited by a simple rule
#: (cast what gains if that is possible, else any other spell, 2,000 times) while 10,000 random lists do not do it.
TABLE = 3
SPELLS = table_of_spells(TABLE)


def works(effect: Spell, attributes: list[int]) -> bool:
    """Cast one spell, unless that would make an attribute negative."""
    if any(attributes[place] + change < 0 for place, change in effect.items()):
        return False
    for place, change in effect.items():
        attributes[place] += change
    return True


def cast(spells: list[int], table: list[Spell] = SPELLS) -> list[int]:
    """The attributes after all spells."""
    attributes = [5] * ATTRIBUTES
    for number in spells:
        works(table[number], attributes)
    return attributes


def can_be_exploited(table: list[Spell]) -> bool:
    """Whether a simple rule brings the attributes to the limit."""
    dice = random.Random("exploit")
    spells: list[int] = []
    attributes = [5] * ATTRIBUTES
    for _ in range(2000):
        for number in (18, 17, dice.randrange(17)):
            if works(table[number], attributes):
                spells.append(number)
                break
        if sum(attributes) >= LIMIT:
            return sum(cast(spells, table)) >= LIMIT
    return False


any_spell = gen.integers(0, len(SPELLS) - 1)
some_spells = gen.lists(any_spell)


def is_balanced(spells: list[int]) -> None:
    total = sum(cast(spells))
    maximize(total, "sum of the attributes")
    assert total < LIMIT


# --- neighbourhoods written by hand ---------------------------------------------------------------------

Spells = list[int]
Neighbourhood = Callable[[Spells, float], Gen[Spells]]


def a_few(things: Gen[int]) -> Gen[list[int]]:
    return gen.lists(things, min_size=1, max_size=4)


def places(spells: Spells) -> Gen[list[int]]:
    return a_few(gen.integers(0, max(0, len(spells) - 1)))


def random_expansion(spells: Spells, temperature: float) -> Gen[Spells]:
    """Add new spells anywhere."""

    def add(drawn: list[tuple[int, int]]) -> Spells:
        longer = list(spells)
        for place, spell in drawn:
            longer.insert(place, spell)
        return longer

    return gen.lists(gen.tuples(gen.integers(0, len(spells)), any_spell), min_size=1, max_size=4).map(add)


def random_reduction(spells: Spells, temperature: float) -> Gen[Spells]:
    """Remove spells from anywhere."""
    return places(spells).map(lambda gone: [spell for i, spell in enumerate(spells) if i not in gone])


def strategic_expansion(spells: Spells, temperature: float) -> Gen[Spells]:
    """Add new spells at the end, where they do not disturb the others."""
    return a_few(any_spell).map(lambda more: spells + more)


def strategic_reduction(spells: Spells, temperature: float) -> Gen[Spells]:
    """Remove the spells that had no effect, or else some."""
    attributes = [5] * ATTRIBUTES
    useful = [spell for spell in spells if works(SPELLS[spell], attributes)]
    return gen.just(useful) if len(useful) < len(spells) else random_reduction(spells, temperature)


def shuffling(spells: Spells, temperature: float) -> Gen[Spells]:
    """Swap two spells."""

    def swap(chosen: tuple[int, int]) -> Spells:
        i, j = chosen
        result = list(spells)
        if result:
            result[i], result[j] = result[j], result[i]
        return result

    place = gen.integers(0, max(0, len(spells) - 1))
    return gen.tuples(place, place).map(swap)


def modification_in_place(spells: Spells, temperature: float) -> Gen[Spells]:
    """Replace some spells where they stand."""

    def replace(drawn: list[tuple[int, int]]) -> Spells:
        result = list(spells)
        for place, spell in drawn:
            if place < len(result):
                result[place] = spell
        return result

    place = gen.integers(0, max(0, len(spells) - 1))
    return gen.lists(gen.tuples(place, any_spell), min_size=1, max_size=4).map(replace)


def restart(spells: Spells, temperature: float) -> Gen[Spells]:
    """Begin again with other spells, sometimes; else add one."""
    return gen.frequency((1, some_spells), (9, random_expansion(spells, temperature)))


def spell_selection(spells: Spells, temperature: float) -> Gen[Spells]:
    """Choose what to add by its effect: among a few additions the one that leaves the most points."""

    def best(candidates: list[Spells]) -> Spells:
        return max(candidates, key=lambda candidate: sum(cast(candidate)))

    return gen.lists(random_expansion(spells, temperature), min_size=3, max_size=3).map(best)


def combined(spells: Spells, temperature: float) -> Gen[Spells]:
    """What the good submissions did: expand, reduce and modify, a few spells at a time."""
    return gen.one_of(
        random_expansion(spells, temperature),
        random_reduction(spells, temperature),
        modification_in_place(spells, temperature),
    )


BY_HAND: list[Neighbourhood] = [
    random_expansion,
    random_reduction,
    strategic_expansion,
    strategic_reduction,
    shuffling,
    modification_in_place,
    restart,
    spell_selection,
    combined,
]


def main(seeds: int = 1, cap: int = 1000) -> None:
    print(f"tests until the attributes sum up to {LIMIT}, {seeds} runs of at most {cap:,} tests")
    rows: list[tuple[str, Gen[Spells], Climb | Random]] = [("random", some_spells, Random())]
    rows += [(rule.__name__, some_spells.with_neighbor(rule), Climb()) for rule in BY_HAND]
    rows += [("constructed", some_spells, Climb())]
    for name, inputs, explorer in rows:
        found = tests_to_failure(is_balanced, inputs, explorer, seeds=range(seeds), cap=cap)
        print(f"{name:24} {summary(found, cap)}")


def lines_of_code(rule: Neighbourhood) -> int:
    """Lines that a person has to write for a neighbourhood: without its description."""
    return len(inspect.getsource(rule).splitlines()) - len((rule.__doc__ or "").splitlines())


def plot(seeds: int = 30, cap: int = 20_000) -> None:
    """The paper's figure: milliseconds to the failure by neighbourhood, with its lines of code."""
    rules = [(rule.__name__, some_spells.with_neighbor(rule), lines_of_code(rule)) for rule in BY_HAND]
    boxes = {}
    for name, inputs, lines in [*rules, ("constructed", some_spells, 0)]:
        spent: list[float | None] = []
        tests, begun = 0, time.process_time()
        for seed in range(seeds):
            started = time.process_time()
            (found,) = tests_to_failure(is_balanced, inputs, Climb(), seeds=[seed], cap=cap)
            spent.append(None if found is None else 1000 * (time.process_time() - started))
            tests += found or cap
        speed = tests / (time.process_time() - begun)
        boxes["\n".join([*name.split("_"), f"{lines} lines", f"{speed:,.0f}/s"])] = spent
    title = f"Time until the attributes sum up to {LIMIT}, in runs of at most {cap:,} tests"
    draw_boxes("spells.svg", title, "CPU milliseconds to the failure", boxes)
    print("wrote spells.svg")


if __name__ == "__main__":
    if sys.argv[1:2] == ["plot"]:
        plot(*map(int, sys.argv[2:]))
    else:
        main(*map(int, sys.argv[1:]))
