"""The longest path in a network: how far can a node be from the sink?

A network has 42 nodes and some links. A message takes the shortest path to the sink, node 1. The claim under
test is that no node is 21 or more hops away. Random networks are well connected, so random testing finds a
counterexample about once in half a million tests; a search that is told the distance finds one in a few
hundred.

The second half describes the same networks in several ways. They differ in how the number of nodes, the number of links
and the links depend on each other, which must not matter to the search.

    python examples/longest_path.py            (a glance; with "30 20000": thirty runs of at most 20,000 tests)
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from comparing import summary, tests_to_failure

from everycase import gen, maximize
from everycase.explore import Anneal, Climb, Random
from everycase.gen import Gen

Edge = tuple[int, int]
Graph = tuple[int, list[Edge]]

VERTICES = 42
HOPS = 21


def longest_distance(vertices: int, edges: Iterable[Edge]) -> int:
    """The largest distance from vertex 1 of all vertices that can be reached from it."""
    neighbours: list[list[int]] = [[] for _ in range(vertices + 1)]
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    distance = [-1] * (vertices + 1)
    distance[1] = 0
    reached = [1]
    for here in reached:  # the list grows during the loop
        for there in neighbours[here]:
            if distance[there] < 0:
                distance[there] = distance[here] + 1
                reached.append(there)
    return distance[reached[-1]]


# --- the generators -------------------------------------------------------------------------------------


def edge(vertices: int) -> Gen[Edge]:
    vertex = gen.integers(1, vertices)
    return gen.tuples(vertex, vertex).filter(lambda ends: ends[0] < ends[1])


def distinct(edges: Iterable[Edge]) -> list[Edge]:
    """The edges without those that repeat an earlier one."""
    return list(dict.fromkeys(edges))


#: a fixed number of vertices and any links
fixed_graph = gen.lists(edge(VERTICES)).map(lambda edges: (VERTICES, distinct(edges)))

#: as the papers have it: each end is one of the vertices, which are names and no numbers
_vertex = gen.sampled_from(range(1, VERTICES + 1))
papers_graph: Gen[Graph] = gen.lists(gen.tuples(_vertex, _vertex).filter(lambda ends: ends[0] < ends[1])).map(
    lambda edges: (VERTICES, distinct(edges))
)

#: the number of vertices is drawn first, and the links depend on it
graph_duplicated_edges: Gen[Graph] = gen.integers(2, VERTICES).flatmap(
    lambda n: gen.tuples(gen.just(n), gen.lists(edge(n)))
)

#: the same, with duplicates removed afterwards
graph: Gen[Graph] = graph_duplicated_edges.map(lambda drawn: (drawn[0], distinct(drawn[1])))

#: the duplicates are removed inside of what depends on the number of vertices
graph_no_caching: Gen[Graph] = gen.integers(2, VERTICES).flatmap(
    lambda n: gen.lists(edge(n)).map(lambda edges: (n, distinct(edges)))
)

#: the number of links is drawn as well, and then one generator per link is used
graph_no_matching: Gen[Graph] = gen.integers(2, VERTICES).flatmap(
    lambda n: gen.integers(0, 100).flatmap(
        lambda m: gen.tuples(*[edge(n)] * m).map(lambda edges: (n, distinct(edges)))
    )
)


@gen.composite
def graph_by_hand(draw: gen.Draw) -> Graph:
    """The same written as a function that draws: two draws per turn of a loop."""
    n = draw(gen.integers(2, VERTICES))
    m = draw(gen.integers(0, 100))
    edges = [(draw(gen.integers(1, n)), draw(gen.integers(1, n))) for _ in range(m)]
    return n, sorted({(min(a, b), max(a, b)) for a, b in edges if a != b})


SHAPES: dict[str, Gen[Graph]] = {
    "42 vertices": fixed_graph,
    "42 vertices by oneof": papers_graph,
    "graph": graph,
    "graph_duplicated_edges": graph_duplicated_edges,
    "graph_no_caching": graph_no_caching,
    "graph_no_matching": graph_no_matching,
    "graph_by_hand": graph_by_hand(),
}


# --- the property ---------------------------------------------------------------------------------------


def stays_shallow(network: Graph) -> None:
    vertices, edges = network
    hops = longest_distance(vertices, edges)
    maximize(hops, "hops")
    assert hops < HOPS


# --- a neighbourhood written by hand --------------------------------------------------------------------


@gen.composite
def graph_next(draw: gen.Draw, network: Graph, temperature: float) -> Graph:
    """The neighbourhood of the 2017 paper (Fig. 2): choose a size near the old one, and remove and add links to get there.

    As in the paper it does not look at the temperature.
    """
    vertices, edges = network
    size = len(edges)
    new_size, additional = draw(near(size)), draw(near(size // 10))
    removals = additional + max(0, size - new_size)
    additions = additional + max(0, new_size - size)
    places = list(range(size))
    removed = {places.pop(draw(gen.integers(0, len(places) - 1))) for _ in range(min(removals, size))}
    added = [draw(edge(vertices)) for _ in range(additions)]
    return vertices, sorted({*added, *(link for i, link in enumerate(edges) if i not in removed)})


def near(number: int) -> Gen[int]:
    """An integer at most a twentieth away."""
    offset = number // 20 + 1
    return gen.integers(max(0, number - offset), number + offset)


by_hand = fixed_graph.with_neighbor(graph_next)


def main(seeds: int = 1, cap: int = 1500) -> None:
    print(f"tests until a node is {HOPS} hops from the sink, {seeds} runs of at most {cap:,} tests")
    for name, inputs, explorer in [
        ("random", fixed_graph, Random()),
        ("hand-written neighbourhood, annealing", by_hand, Anneal(schedule="linear")),
        ("hand-written neighbourhood, climbing", by_hand, Climb()),
        ("constructed neighbourhood, annealing", fixed_graph, Anneal()),
        *((f"constructed, climbing, {shape}", inputs, Climb()) for shape, inputs in SHAPES.items()),
    ]:
        found = tests_to_failure(stays_shallow, inputs, explorer, seeds=range(seeds), cap=cap)
        print(f"{name:48} {summary(found, cap)}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
