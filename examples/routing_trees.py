"""Routing trees for directional antennas: how good or bad can a tree be?

Forty nodes with six antenna directions each are placed in a field. Some pairs of directions hear each other,
more or less well. A routing tree connects every node to the root in the middle. Its cost grows with the
number of hops and with the share of packets that its links lose. The search looks for the worst tree and for
the best one.

The deployment is made up (the measured one behind the papers was never published): positions, shadowing and antenna
gain are drawn from a fixed seed, and each link's delivery rate is "measured" with a hundred packets.

    python examples/routing_trees.py       (a glance; "30 10000 1000": runs, random tests, targeted tests;
                                            "plot 30 1000": the pictures routing_worst.svg and routing_best.svg)
"""

from __future__ import annotations

import math
import random
import sys
from bisect import bisect_left
from typing import Any, NamedTuple

from comparing import best_after
from plotting import best_so_far, draw_curves

from everycase import gen, maximize, minimize
from everycase.explore import Climb, Random
from everycase.gen import Gen

NODES = 40
BEAMS = 6


class Link(NamedTuple):
    one: int
    other: int
    delivery: float


def deployment(seed: int = 2017) -> list[Link]:
    """The usable links: for two nodes each pair of beams that delivers some packets, among the best of the 36."""
    dice = random.Random(seed)
    spots = [(50.0, 50.0)] + [(dice.uniform(0, 100), dice.uniform(0, 100)) for _ in range(NODES - 1)]
    links = []
    for one in range(NODES):
        for other in range(one + 1, NODES):
            dx, dy = spots[other][0] - spots[one][0], spots[other][1] - spots[one][1]
            angle = math.atan2(dy, dx)
            margin = 42 - 30 * math.log10(max(1.0, math.hypot(dx, dy))) + dice.gauss(0, 4)
            gains = sorted(
                2.5 * math.cos(angle - near * math.tau / BEAMS)
                + 2.5 * math.cos(angle - far * math.tau / BEAMS)
                for near in range(BEAMS)
                for far in range(BEAMS)
            )
            for gain in (gains[-1], gains[-8], gains[-16]):
                rate = 1 / (1 + math.exp(-(margin + gain)))
                heard = sum(dice.random() < rate for _ in range(100))
                if heard >= 10:
                    links.append(Link(one, other, heard / 100))
    return links


LINKS = deployment()
AT: list[list[int]] = [
    [number for number, link in enumerate(LINKS) if node in (link.one, link.other)] for node in range(NODES)
]

Tree = list[int]  # numbers of links


def cost(tree: Tree) -> float:
    """Hops from all nodes to the root, times the mean share of packets that a link of the tree loses."""
    joined: list[list[int]] = [[] for _ in range(NODES)]
    for number in tree:
        link = LINKS[number]
        joined[link.one].append(link.other)
        joined[link.other].append(link.one)
    hops = [-1] * NODES
    hops[0] = 0
    order = [0]
    for here in order:
        for there in joined[here]:
            if hops[there] < 0:
                hops[there] = hops[here] + 1
                order.append(there)
    lost = 1 - sum(LINKS[number].delivery for number in tree) / len(tree)
    return sum(hops) * lost


# --- two ways to describe a tree ------------------------------------------------------------------------


@gen.composite
def attached(draw: gen.Draw) -> Tree:
    """Attach one node at a time, by a link that leaves the tree: the first one from a drawn number on.

    An index into the frontier would mean another link after every earlier change. The number of a link always
    means the same link, so most of a tree stays the same when one choice is changed.
    """
    inside = {0}
    tree: Tree = []
    frontier = list(AT[0])
    while frontier:
        wish = draw(gen.integers(0, len(LINKS) - 1))
        number = frontier[bisect_left(frontier, wish) % len(frontier)]
        link = LINKS[number]
        new = link.other if link.one in inside else link.one
        tree.append(number)
        inside.add(new)
        # The links at the new node go in or out: those that it has with the tree no longer leave it.
        frontier = sorted(set(frontier).symmetric_difference(AT[new]))
    return tree


def spanning_tree(weights: list[int]) -> Tree:
    """The minimum spanning tree of the links for these weights (Kruskal)."""
    leader = list(range(NODES))

    def find(node: int) -> int:
        while leader[node] != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    tree = []
    for number in sorted(range(len(LINKS)), key=weights.__getitem__):
        a, b = find(LINKS[number].one), find(LINKS[number].other)
        if a != b:
            leader[a] = b
            tree.append(number)
            if len(tree) == NODES - 1:
                break
    return tree


weights = gen.lists(gen.integers(0, 9999), min_size=len(LINKS), max_size=len(LINKS))
weighted = weights.map(spanning_tree)


# --- neighbourhoods written by hand, one for each generator ---------------------------------------------


@gen.composite
def switch_weights(draw: gen.Draw, old: list[int], temperature: float) -> list[int]:
    """Section V.B of the 2018 paper: exchange the weights of some links, so that they are taken in another order.

    The paper does not say how many. Here it is up to a tenth of the links at temperature 1. (The paper also
    draws new antenna directions. Here each pair of directions that can be used is a link of its own.)
    """
    result = list(old)
    place = gen.integers(0, len(result) - 1)
    for _ in range(draw(gen.integers(1, 1 + int(len(result) * temperature / 10)))):
        one, other = draw(place), draw(place)
        result[one], result[other] = result[other], result[one]
    return result


weighted_by_hand = weights.with_neighbor(switch_weights).map(spanning_tree)


def exchange(tree: Tree, temperature: float) -> Gen[Tree]:
    """Add some other links to the tree; each time remove one link of the cycle that this closes."""

    def put_in(drawn: list[tuple[int, float]]) -> Tree:
        result = list(tree)
        for new, which in drawn:
            if new not in result:
                circle = _path(result, LINKS[new].one, LINKS[new].other)
                result.remove(circle[int(which * len(circle))])
                result.append(new)
        return result

    swaps = gen.tuples(gen.integers(0, len(LINKS) - 1), gen.floats(0, 1, exclude_max=True))
    return gen.lists(swaps, min_size=1, max_size=1 + int(3 * temperature)).map(put_in)


def _path(tree: Tree, start: int, goal: int) -> list[int]:
    """The links of a tree on the path from one node to another."""
    joined: list[list[tuple[int, int]]] = [[] for _ in range(NODES)]
    for number in tree:
        joined[LINKS[number].one].append((LINKS[number].other, number))
        joined[LINKS[number].other].append((LINKS[number].one, number))
    came: dict[int, tuple[int, int]] = {start: (start, -1)}
    order = [start]
    for here in order:
        for there, number in joined[here]:
            if there not in came:
                came[there] = (here, number)
                order.append(there)
    path = []
    while goal != start:
        goal, number = came[goal]
        path.append(number)
    return path


# --- the two searches -----------------------------------------------------------------------------------


def looks_for_the_worst(tree: Tree) -> None:
    maximize(cost(tree), "cost")


def looks_for_the_best(tree: Tree) -> None:
    minimize(cost(tree), "cost")


def main(seeds: int = 1, random_tests: int = 100, tests: int = 100) -> None:
    print(f"{len(LINKS)} links; best cost of {seeds} runs: worst run .. best run")
    rows: list[tuple[str, Gen[Tree], Any, int]] = [
        ("attached, random", attached(), Random(), random_tests),
        ("weighted, random", weighted, Random(), random_tests),
        ("weighted, constructed", weighted, Climb(), tests),
        ("weighted, hand-written", weighted_by_hand, Climb(), tests),
        ("attached, constructed", attached(), Climb(), tests),
        ("attached, hand-written", attached().with_neighbor(exchange), Climb(), tests),
    ]
    for goal in (looks_for_the_worst, looks_for_the_best):
        print(goal.__name__.replace("_", " "))
        for name, inputs, explorer, budget in rows:
            found = sorted(best_after(goal, inputs, explorer, seeds=range(seeds), tests=budget))
            low, high = (found[0], found[-1]) if goal is looks_for_the_worst else (found[-1], found[0])
            print(f"  {name:24} after {budget:6,} tests: {low:8.1f} .. {high:8.1f}")


def plot(seeds: int = 30, tests: int = 1000) -> None:
    """The papers' figure: the best cost over the tests, from the worst to the best of all runs, on one generator."""
    searches: dict[str, tuple[Gen[Tree], Any]] = {
        "random": (weighted, Random()),
        "hand-written": (weighted_by_hand, Climb()),
        "constructed": (weighted, Climb()),
    }
    for goal, file in ((looks_for_the_worst, "routing_worst.svg"), (looks_for_the_best, "routing_best.svg")):
        curves = {
            name: best_so_far(goal, inputs, explorer, seeds=range(seeds), tests=tests)
            for name, (inputs, explorer) in searches.items()
        }
        kind = "worst" if goal is looks_for_the_worst else "best"
        draw_curves(
            file, f"Search for the {kind} routing tree", "cost of the tree (hops x share lost)", curves
        )
        print(f"wrote {file}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["plot"]:
        plot(*map(int, sys.argv[2:]))
    else:
        main(*map(int, sys.argv[1:]))
