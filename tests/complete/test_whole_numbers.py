"""Which integers are sums of multiples, squares and the like: decided correctly, checked by brute force."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from samples import module

from everycase.complete import gaps

REACH = 60


def verdict_of(result: str, *draws: str, valid: str = "v >= 0"):
    names = "abc"
    lines = [f"    {n} = draw(gen.integers({bounds}))" for n, bounds in zip(names, draws)]
    text = f"@covers(lambda v: {valid})\n@gen.composite\ndef f(draw) -> int:\n"
    return gaps(module(text + "\n".join(lines) + f"\n    return {result}\n")["f"])


def makes(result: str, *draws: str) -> set[int]:
    ranges = []
    for bounds in draws:
        low, _, high = bounds.partition(", ")
        first = int(low) if low not in ("", "None") else -REACH
        last = int(high) if high not in ("", "None") else REACH
        ranges.append(range(first, last + 1))
    code = compile(result, "<result>", "eval")
    return {eval(code, dict(zip("abc", values))) for values in itertools.product(*ranges)}


MISSING = [
    ("3 * a + 4 * b", "0, None", "0, None"),
    ("5 * a + 7 * b + 3", "0, None", "0, None"),
    ("4 * a + 6 * b", "", ""),
    ("4 * a - 6 * b", "0, None", "0, None"),
    ("6 * a + 10 * b + 15 * c", "0, None", "0, None", "0, None"),
    ("a * a", ""),
    ("a * a - a", ""),
    ("a * a * a + 1", ""),
    ("2 * a * a + 3 * a", "0, None"),
    ("10 - 3 * a", "0, None"),
]


@pytest.mark.parametrize("case", MISSING, ids=lambda case: f"{case[0]} of {case[1:]}")
def test_the_smallest_number_that_cannot_be_made(case):
    verdict = verdict_of(*case)
    made = makes(*case)
    assert (verdict.status, verdict.value) == ("missing", next(n for n in range(REACH) if n not in made))


COMPLETE = [
    ("3 * a + 2 * b", "", ""),
    ("3 * a - 4 * b", "0, None", "0, None"),
    ("3 * a + b", "0, None", "0, 2"),
    ("6 * a + 10 * b + 15 * c", "", "", ""),
]


@pytest.mark.parametrize("case", COMPLETE, ids=lambda case: f"{case[0]} of {case[1:]}")
def test_sums_that_make_every_number_are_proved(case):
    assert verdict_of(*case).status == "proved"


def test_what_a_bounded_draw_adds_is_counted():
    verdict = verdict_of("3 * a + 5 * b", "0, None", "0, 1")
    assert (verdict.status, verdict.value) == ("missing", 1)
    assert verdict_of("3 * a + 5 * b", "0, None", "0, 2", valid="v >= 8").status == "proved"
    assert verdict_of("3 * a + 5 * b", "0, None", "0, 1", valid="v >= 8").value == 10


def test_a_product_of_two_draws_is_never_proved():
    verdict = verdict_of("a * b", "2, None", "2, None", valid="v >= 4")
    assert verdict.status != "proved"
    assert verdict.status == "no gap found" or verdict.value in (5, 7, 11, 13)


FLOORS = [("a // 3", "", "True", "proved"), ("a // -3", "1, None", "v <= -1", "proved"),
          ("a // -3", "1, None", "v >= 0", 0), ("(a // 2) * 2", "", "True", 1), ("a // 2 + a // 3", "0, None", "0 <= v <= 4", 4)]  # fmt: skip


@pytest.mark.parametrize(("result", "draw", "valid", "expected"), FLOORS)
def test_divisions_are_undone(result, draw, valid, expected):
    verdict = verdict_of(result, draw, valid=valid)
    assert expected in (verdict.status, verdict.value), str(verdict)


@pytest.mark.slow
def test_random_sums_agree_with_brute_force():
    """Every verdict must be true: a missing number is never made, and "proved" means that all are made."""
    rng, said = random.Random(4), Counter[str]()
    for _ in range(30):
        one, two, plus, modulus = (rng.randint(-7, 7) or 1 for _ in range(4))
        draws = [rng.choice(["", "0, None", "-2, 3", "None, 4"]) for _ in range(2)]
        result = rng.choice([
            f"{one} * a + {two} * b + {plus}", f"{one} * a * a + {two} * b", f"({one} * a + b) // {two}",
            f"{one} * a + {two} * b if (a - {two} * b) % {modulus} == 0 else {plus}",
        ])  # fmt: skip
        valid = rng.choice(["True", "v >= 0", "v % 3 == 1"])
        verdict = verdict_of(result, *draws, valid=valid)
        made = makes(result, *draws)
        said[verdict.status] += 1
        if verdict.status == "missing":
            assert verdict.value not in made, (result, draws, str(verdict))
        if verdict.status == "proved":
            wanted = {n for n in range(-9, 10) if eval(valid, {"v": n})}
            assert wanted <= made, (result, draws, wanted - made)
    assert said["missing"] > 6 and said["proved"] > 6
