"""Exhaustive testing: sorting networks on every list of zeros and ones."""

from __future__ import annotations

from collections.abc import Callable

from everycase import check, gen
from everycase.cli.demos import Scene, source
from everycase.explore import Exhaustive
from everycase.run.render import verdict
from everycase.run.source_text.printer import call

#: Batcher's odd-even merge sort for eight wires
NETWORK = [
    *[(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (1, 2), (5, 6)],
    *[(0, 4), (1, 5), (2, 6), (3, 7), (2, 4), (3, 5), (1, 2), (3, 4), (5, 6)],
]


def sort(wires: list[int], network: list[tuple[int, int]]) -> list[int]:
    wires = list(wires)
    for i, j in network:
        if wires[i] > wires[j]:
            wires[i], wires[j] = wires[j], wires[i]
    return wires


def network_sorts(wires: list[int]) -> None:
    assert sort(wires, NETWORK) == sorted(wires)


def _without(missing: int) -> Callable[[list[int]], bool]:
    shorter = NETWORK[:missing] + NETWORK[missing + 1 :]
    return lambda wires: sort(wires, shorter) == sorted(wires)


def demo() -> Scene:
    bits = gen.lists(gen.integers(0, 1), min_size=8, max_size=8)
    proof = check(network_sorts, bits, explore=Exhaustive(), database=None)
    necessary = 0
    for missing in range(len(NETWORK)):
        report = check(_without(missing), bits, explore=Exhaustive(), database=None)
        necessary += report.status == "failed"
    return Scene(
        technique="Exhaustive testing",
        story="A network of comparators that sorts every list of zeros and ones sorts everything, so 256 tests are a "
        "proof for eight wires. Running the same test without one of the comparators, for each of them, "
        "shows that none "
        "can be left out.",
        code=source(sort, network_sorts),
        outcome=f"{verdict(proof)}\n{necessary} of {len(NETWORK)} comparators are necessary; without the last one:\n"
        + call("sort", dict(zip(["wires"], report.counterexample or ()))),
        facts=[("inputs tested", f"{proof.examples} of {len(bits)}"), ("comparators", f"{len(NETWORK)}")],
        works=proof.exhaustive and proof.examples == 256 and necessary == len(NETWORK),
    )
