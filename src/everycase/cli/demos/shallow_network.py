"""Targeted search: a network in which a node is far from the sink."""

from __future__ import annotations

from everycase import Phase, check, gen, maximize
from everycase.cli.demos import Scene, source
from everycase.explore import Climb, Random
from everycase.run.render import verdict

NODES = 30
HOPS = 15


def hops(links: list[tuple[int, int]]) -> int:
    """The largest distance from node 0 of all nodes that can be reached from it."""
    reached, frontier, steps = {0}, {0}, -1
    while frontier:
        steps += 1
        near = {b for a, b in links if a in frontier} | {a for a, b in links if b in frontier}
        frontier = near - reached
        reached |= frontier
    return steps


def stays_shallow(links: list[tuple[int, int]]) -> None:
    maximize(hops(links), "hops")
    assert hops(links) < HOPS


def demo() -> Scene:
    node = gen.integers(0, NODES - 1)
    links = gen.lists(gen.tuples(node, node))
    explore_only = [Phase.explore]
    random = check(
        stays_shallow, links, explore=Random(), max_examples=2000, seed=1, database=None, phases=explore_only
    )
    report = check(stays_shallow, links, explore=Climb(), max_examples=5000, seed=1, database=None)
    best = [(f"test {number:,}", utility) for number, _, utility in report.trajectory]
    return Scene(
        technique="Targeted search",
        story=f"No node of a network of {NODES} should be {HOPS} hops or more from the sink. Random networks are too well "
        "connected to break this. The test reports how far away the farthest node is, and the search climbs "
        "from there. It knows "
        "from the generator how to change an input.",
        code=source(stays_shallow),
        outcome=f"random: {verdict(random)}\ntargeted: {verdict(report)}",
        facts=[
            ("best of 2,000 random networks", f"{random.best['hops']:.0f} hops"),
            ("failing test of the search", f"{report.failed_at or 0:,}"),
        ],
        bars=best,
        unit="hops",
        works=random.status == "passed" and report.status == "failed",
    )
