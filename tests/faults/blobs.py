"""Mutated blobs: rejected with a clear message, or replayed; never an internal error."""

from __future__ import annotations

import base64
import random
import zlib

from everycase import check, gen, given, reproduce
from everycase.errors import EverycaseError

LETTERS = "ABCXYZabcxyz0189-_=+/ \n\x00é"
PIECES = [
    *(
        b"[",
        b"]",
        b"{",
        b"}",
        b"null",
        b"-1",
        b"1e999",
        b"0.5",
        b'"0x1"',
        b",",
        b'{"1":',
        b"9" * 30,
        b'"nan"',
        b"true",
    ),
    *(b'"\\ud800"', b"\xff", b"[" * 2000, b"NaN", b"-0.0", b'{"0":[]}', b'{"-1":0}', b"1" * 5000),
]


def shapes():
    trees = gen.deferred(lambda: gen.integers() | gen.tuples(trees, trees))

    @gen.composite
    def composite(draw):
        return [draw(gen.integers(0, 9)) for _ in range(draw(gen.integers(0, 5)))]

    return [
        gen.lists(gen.integers(0, 99)),
        gen.tuples(gen.floats(), gen.text(), gen.dictionaries(gen.text(max_size=3), gen.booleans())),
        trees,
        gen.integers(0, 9).flatmap(lambda n: gen.lists(gen.integers(0, n), min_size=n)),
        gen.sets(gen.integers(0, 50)).filter(lambda s: len(s) != 1),
        composite(),
        gen.datetimes() | gen.decimals() | gen.sampled_from("abc"),
    ]


def in_letters(blob: str, chance: random.Random) -> str:
    letters = list(blob)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(letters) + 1)
        match chance.randrange(4):
            case 0:
                letters[place : place + 1] = [chance.choice(LETTERS)]
            case 1:
                del letters[place : place + chance.randint(1, 5)]
            case 2:
                letters.insert(place, chance.choice(LETTERS))
            case _:
                letters[place:] = letters[: chance.randrange(len(letters) + 1)]
    return "".join(letters)


def in_choices(blob: str, chance: random.Random) -> str:
    """Change the content and pack it again, so that it passes the checksum."""
    body = blob[4:]
    data = bytearray(zlib.decompress(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))))
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(data) + 1)
        data[place : place + chance.randrange(3)] = chance.choice(PIECES)
    return "ec1-" + base64.urlsafe_b64encode(zlib.compress(bytes(data))).decode().rstrip("=")


def passes(value):
    pass


def trial(count: int, seed: int) -> list[str]:
    """The failures in a number of mutated blobs."""
    chance = random.Random(seed)
    bad = []
    every = shapes()
    for number in range(count):
        shape = every[number % len(every)]
        try:
            blob = gen.tuples(shape).record(seed=number).to_blob()
        except EverycaseError:
            continue
        changed = chance.choice([in_letters, in_choices])(blob, chance)

        def test(value):
            pass

        try:
            check(reproduce(changed)(given(shape)(test)), database=None)
        except EverycaseError as problem:
            if len(str(problem)) > 500:
                bad.append(f"{number}: a message of {len(str(problem))} characters")
        except BaseException as problem:
            bad.append(f"{number}: {type(problem).__name__}: {str(problem)[:80]} for {changed[:80]}")
    return bad
