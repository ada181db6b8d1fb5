"""Energy of a sensor network: how long must the radio of a node stay on?

Nodes sleep, and wake up briefly at regular times to listen. A node that has a packet for another one repeats it until
the receiver wakes up and takes it. Every client sends a packet to the server, node 0, every 15 seconds, along a tree of
shortest ways. Some networks load a few nodes heavily: they forward what others send, they overhear what is not for
them, and senders that do not hear each other collide. The claim under test: no radio is on for 34 % of the time.

The simulator is small and has no randomness of its own: when a node wakes and when a client sends is a function of the
node's number.

    python examples/mac_duty_cycle.py            (a glance; with "30 20000": thirty runs of at most 20,000 tests)
"""

from __future__ import annotations

import sys
from collections import deque
from heapq import heapify, heappop, heappush
from typing import Any

from comparing import summary, tests_to_failure

from everycase import gen, maximize
from everycase.explore import Anneal, Climb, Random
from everycase.gen import Gen

Edge = tuple[int, int]
Network = tuple[int, list[Edge]]

NODES = 42
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
        # Neighbours that wake up while the packet is on the air listen to what is not for them.
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
        gen.just(n), gen.lists(gen.tuples(gen.integers(0, n - 1), gen.integers(0, n - 1)), max_size=150)
    )
)


def sleeps_enough(network: Network) -> None:
    share = duty_cycle(network)
    maximize(share, "duty cycle")
    assert share < ALLOWED


# --- a neighbourhood written by hand: add and delete vertices, then edges --------------------------------


def graph_next(network: Network, temperature: float) -> Gen[Network]:
    """The neighbourhood of the paper: a new order near the old one, vertices added and deleted to reach it, their
    edges with them, then the same for the edges. All amounts shrink with the temperature."""
    vertices, edges = network
    reach = max(1, round(4 * temperature))
    most = max(1, round(0.1 * temperature * len(edges)))

    def change(drawn: Any) -> Network:
        added, deleted, gone, for_new, dropped, more = drawn
        order = min(NODES, vertices + added)
        # Deleted vertices leave with their edges; the others close ranks.
        going = {vertex % (order - 1) + 1 for vertex in gone[:deleted]} if order > 2 else set()
        new_number: dict[int, int] = {}
        for vertex in range(order):
            if vertex not in going:
                new_number[vertex] = len(new_number)
        links = [link for i, link in enumerate(edges) if i not in dropped]
        links += [
            (a % order, vertices + b % max(1, added))
            for a, b in for_new
            if vertices + added <= NODES and added
        ]
        links += [(a % order, b % order) for a, b in more]
        kept = [(new_number[a], new_number[b]) for a, b in links if a in new_number and b in new_number]
        return max(2, len(new_number)), kept[:150]

    number = gen.integers(0, NODES - 1)
    pairs = gen.lists(gen.tuples(number, number), max_size=2 * reach)
    changed = gen.tuples(
        gen.integers(0, reach),
        gen.integers(0, reach),
        gen.lists(number, min_size=reach, max_size=reach),
        pairs,
        gen.lists(gen.integers(0, max(0, len(edges) - 1)), max_size=most),
        gen.lists(gen.tuples(number, number), max_size=most),
    )
    return changed.map(change)


def main(seeds: int = 1, cap: int = 300) -> None:
    print(f"tests until a radio is on for {ALLOWED:.0%} of the time, {seeds} runs of at most {cap:,} tests")
    rows: list[tuple[str, Gen[Network], Any]] = [
        ("random", networks, Random()),
        ("hand-written, annealing", networks.with_neighbor(graph_next), Anneal()),
        ("hand-written, climbing", networks.with_neighbor(graph_next), Climb()),
        ("constructed, annealing", networks, Anneal()),
        ("constructed, climbing", networks, Climb()),
    ]
    for name, inputs, explorer in rows:
        found = tests_to_failure(sleeps_enough, inputs, explorer, seeds=range(seeds), cap=cap)
        print(f"{name:28} {summary(found, cap)}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
