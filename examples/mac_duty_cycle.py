"""Energy of a sensor network: how long must the radio of a node stay on?

Nodes sleep, and wake up briefly at regular times to listen. A node that has a packet for another one repeats it until
the receiver wakes up and takes it. Every client sends a packet to the server, node 0, every 15 seconds, along
a tree of shortest paths. Some networks load a few nodes heavily: they forward packets of others, they
overhear packets that are not for them, and senders that do not hear each other collide. The claim under test:
no radio is on for 34 % of the time.

The simulator is small and has no randomness of its own: when a node wakes and when a client sends is a function of the
node's number.

    python examples/mac_duty_cycle.py            (a glance; with "30 20000": thirty runs of at most 20,000 tests;
                                                  "plot": the picture duty_cycle.svg)
"""

from __future__ import annotations

import sys
from collections import deque
from heapq import heapify, heappop, heappush
from typing import Any

from comparing import summary, tests_to_failure
from plotting import draw_dots, every_utility

from everycase import gen, maximize
from everycase.explore import Anneal, Climb, Random
from everycase.gen import Gen

Edge = tuple[int, int]
Network = tuple[int, list[Edge]]

NODES = 42
MOST_EDGES = 150
SLOTS = 12_000  # 60 seconds of 5 ms
WAKE_EVERY = 25
PACKET_EVERY = 3_000
MOST_RETRIES = 8
ALLOWED = 0.34


def duty_cycle(network: Network) -> float:
    """The largest share of slots in which a node's radio is on."""
    count, edges = network
    hears: list[set[int]] = [set() for _ in range(count)]
    for a, b in edges:
        if a != b:
            hears[a].add(b)
            hears[b].add(a)
    parent = [-1] * count
    order = deque([0])
    reached = {0}
    while order:
        here = order.popleft()
        for there in sorted(hears[here]):
            if there not in reached:
                reached.add(there)
                parent[there] = here
                order.append(there)

    phase = [node * 7 % WAKE_EVERY for node in range(count)]
    on = [SLOTS // WAKE_EVERY] * count  # one slot of listening at each wake-up
    busy_until = [0] * count
    # Who wants to send, in order of time: (slot, node, tries so far).
    waiting = [
        (slot, node, 0)
        for node in range(1, count)
        if parent[node] >= 0
        for slot in range(100 + node * 37 % 500, SLOTS, PACKET_EVERY)
    ]
    heapify(waiting)
    on_air: list[tuple[int, int]] = []  # (end, sender)
    while waiting:
        slot, node, tries = heappop(waiting)
        on_air = [transmission for transmission in on_air if transmission[0] > slot]
        near = hears[node]
        if busy_until[node] > slot or any(sender in near for _, sender in on_air):
            later = max(busy_until[node], slot) + 3 + node % 5
            if later < SLOTS:
                heappush(waiting, (later, node, tries))
            continue
        receiver = parent[node]
        strobes = (phase[receiver] - slot) % WAKE_EVERY + 1
        end = slot + strobes + 1
        on[node] += strobes + 1
        on[receiver] += 2
        # Neighbours that wake up while the packet is on the air listen to it, although it is not for them.
        for neighbour in near:
            if neighbour != receiver and (phase[neighbour] - slot) % WAKE_EVERY < strobes:
                on[neighbour] += 3
        collides = any(sender in hears[receiver] for _, sender in on_air)
        on_air.append((end, node))
        busy_until[node] = end
        if collides:
            later = end + 11 + 7 * node % 13 + 5 * tries
            if later < SLOTS and tries < MOST_RETRIES:
                heappush(waiting, (later, node, tries + 1))
        else:
            busy_until[receiver] = max(busy_until[receiver], end)
            if receiver != 0 and end < SLOTS:
                heappush(waiting, (end, receiver, 0))
    return max(on) / SLOTS


# --- inputs and property --------------------------------------------------------------------------------

networks: Gen[Network] = gen.integers(2, NODES).flatmap(
    lambda n: gen.tuples(
        gen.just(n),
        gen.lists(gen.tuples(gen.integers(0, n - 1), gen.integers(0, n - 1)), max_size=MOST_EDGES),
    )
)


def sleeps_enough(network: Network) -> None:
    share = duty_cycle(network)
    maximize(share, "duty cycle")
    assert share < ALLOWED


# --- a neighbourhood written by hand: add and delete vertices, then edges --------------------------------


def graph_next(network: Network, temperature: float) -> Gen[Network]:
    """The neighbourhood of the 2017 paper: the numbers of vertices and edges change by up to a half (its Fig. 5)."""
    return _changed(network, 0.5 * temperature)


def small_steps(network: Network, temperature: float) -> Gen[Network]:
    """The same with a tenth instead of a half, which suits a search that accepts few steps."""
    return _changed(network, 0.1 * temperature)


@gen.composite
def _changed(draw: gen.Draw, network: Network, share: float) -> Network:
    vertices, edges = network
    # (1) an order near the old one, (2) reached by adding some vertices and deleting others
    order = draw(_near(vertices, share, 2, NODES))
    added = min(max(0, order - vertices) + draw(_a_few(vertices, share)), NODES - vertices)
    deleted = vertices + added - order
    # (3) the vertices: the old and the new ones without the deleted; the server, vertex 0, stays
    both = vertices + added
    gone = draw(gen.sets(gen.integers(1, both - 1), min_size=deleted, max_size=deleted))
    # (4) the edges: new ones at the new vertices, none at the deleted ones
    links = list(edges)
    if added:
        at_new = gen.tuples(gen.integers(0, both - 1), gen.integers(vertices, both - 1))
        links += draw(gen.lists(at_new, min_size=added, max_size=2 * added))
    left = [vertex for vertex in range(both) if vertex not in gone]
    number = {vertex: place for place, vertex in enumerate(left)}
    links = [(number[a], number[b]) for a, b in links if a in number and b in number]
    # Then the same for the edges.
    size = draw(_near(len(links), share, 0, MOST_EDGES))
    more = max(0, size - len(links)) + draw(_a_few(len(links), share))
    vertex = gen.integers(0, order - 1)
    links += draw(gen.lists(gen.tuples(vertex, vertex), min_size=more, max_size=more))
    fewer = max(0, len(links) - size)
    dropped = draw(gen.sets(gen.integers(0, max(0, len(links) - 1)), min_size=fewer, max_size=fewer))
    return order, [link for place, link in enumerate(links) if place not in dropped]


def _near(number: int, share: float, low: int, high: int) -> Gen[int]:
    offset = int(share * number) + 1
    return gen.integers(max(low, min(high, number - offset)), min(high, number + offset))


def _a_few(number: int, share: float) -> Gen[int]:
    """How many more are added and deleted than the new number asks for."""
    return gen.integers(0, int(0.1 * share * number) + 1)


def main(seeds: int = 1, cap: int = 300) -> None:
    print(f"tests until a radio is on for {ALLOWED:.0%} of the time, {seeds} runs of at most {cap:,} tests")
    rows: list[tuple[str, Gen[Network], Any]] = [
        ("random", networks, Random()),
        ("hand-written, annealing", networks.with_neighbor(graph_next), Anneal()),
        ("hand-written, climbing", networks.with_neighbor(graph_next), Climb()),
        ("small steps, climbing", networks.with_neighbor(small_steps), Climb()),
        ("constructed, annealing", networks, Anneal()),
        ("constructed, climbing", networks, Climb()),
    ]
    for name, inputs, explorer in rows:
        found = tests_to_failure(sleeps_enough, inputs, explorer, seeds=range(seeds), cap=cap)
        print(f"{name:28} {summary(found, cap)}")


def plot(seeds: int = 9, tests: int = 3000) -> None:
    """Figure 4 of the 2017 paper: the duty cycle of every test, at random and by annealing; the median run of each."""
    searches: dict[str, Any] = {"random": Random(), "annealing": Anneal()}
    dots = {
        name: [
            (number, 100 * share)
            for number, share in every_utility(
                sleeps_enough, networks, explorer, seeds=range(seeds), tests=tests
            )
        ]
        for name, explorer in searches.items()
    }
    title = "The duty cycle of every tested network, at random and by search"
    draw_dots("duty_cycle.svg", title, "highest duty cycle (% of the time)", dots, 100 * ALLOWED)
    print("wrote duty_cycle.svg")


if __name__ == "__main__":
    if sys.argv[1:2] == ["plot"]:
        plot(*map(int, sys.argv[2:]))
    else:
        main(*map(int, sys.argv[1:]))
