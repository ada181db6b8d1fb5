"""An explorer of your own: a search that climbs towards the largest value of a function."""

from __future__ import annotations

from collections.abc import Generator
from math import inf

from everycase import check, gen, maximize
from everycase.cli.demos import Scene, source
from everycase.explore import Case, Explorer, Outcome, Random, Space


class MutateBest(Explorer):
    """Keep the best input so far, and redraw one of its choices at random."""

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        candidate, score = space.sample(), -inf
        while True:
            outcome = yield candidate
            reached = outcome.utilities.get("", -inf)
            if candidate.trace and reached >= score:
                best, score = candidate.trace, reached
            leaves = [at for at, node in best.walk() if not node.children]
            forgotten = best.replace(space.random.choice(leaves), None)
            candidate = space.enact(forgotten)


SECRET = "property"


def the_password_is_hard_to_guess(guess: str) -> None:
    right = sum(a == b for a, b in zip(guess, SECRET))
    maximize(right)
    assert right < len(SECRET)


def demo() -> Scene:
    letters = gen.lists(
        gen.sampled_from("abcdefghijklmnopqrstuvwxyz"), min_size=len(SECRET), max_size=len(SECRET)
    ).map("".join)
    found = check(
        the_password_is_hard_to_guess,
        letters,
        explore=MutateBest(),
        seed=0,
        max_examples=20_000,
        database=None,
    )
    blind = check(
        the_password_is_hard_to_guess, letters, explore=Random(), seed=0, max_examples=20_000, database=None
    )
    return Scene(
        technique="An explorer of your own",
        story="An explorer is a class with one method that picks the next input. This one keeps the input "
        "with the best "
        "number that the test has reported, and redraws one of its choices.",
        code=source(MutateBest, the_password_is_hard_to_guess),
        outcome=f"MutateBest: {found.status} at test {found.failed_at}, {found.counterexample}\n"
        f"Random: {blind.status} after {blind.examples:,} tests, best {blind.best.get('', 0):g} of {len(SECRET)} letters",
        facts=[("MutateBest, failing test", f"{found.failed_at}")],
        works=found.counterexample == (SECRET,),
    )
