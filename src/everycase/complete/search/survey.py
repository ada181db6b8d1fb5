"""One small world, examined completely: which valid cases exist, and which does the next step not reach?"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from everycase.complete.frontend.program import Generator
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.search.concrete import CoverSearch
from everycase.complete.search.coverage import PathCover, covering
from everycase.complete.search.promise import Case, Specified
from everycase.complete.search.worlds import Level

EVALUATIONS = 300_000  # (arguments, value) pairs looked at in one world
SPENT = 2_000_000  # values tried for draws that cannot be read off the value, in one world


@dataclass
class Survey:
    """The result for one world: the valid cases, and those that the next step does not reach."""

    level: Level
    valid: list[Case]
    unreached: list[Case]
    complete: bool = True  # False if the world was too large to be examined completely


def survey(
    generator: Generator,
    level: Level,
    evaluator: Evaluator,
    most: int = EVALUATIONS,
    coverings: list[PathCover] | None = None,
) -> Survey:
    """Modular check: recursive calls are assumed to keep their promise."""
    specified = Specified(generator, evaluator)
    if coverings is None:
        coverings = [c for p in generator.paths for c in covering(generator, p)]
    search = CoverSearch(generator, coverings, evaluator, level.world)
    found = Survey(level, [], [])
    pairs = itertools.product(level.arguments, level.values)
    covers = specified.covers
    clock = generator.program.clock
    for count, (args, value) in enumerate(pairs):
        clock.check()
        if count >= most:
            found.complete = False
            break
        if covers(*args, value):
            case = (*args, value)
            found.valid.append(case)
            if not search(*case):
                found.unreached.append(case)
            if search.spent > SPENT:
                found.complete = False
                break
    return found
