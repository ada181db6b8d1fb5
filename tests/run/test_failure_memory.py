"""What a run remembers about its failures, for which tests, and when it forgets them."""

from __future__ import annotations

import base64
import random
import zlib

import pytest

from everycase import check, errors, gen, given, reproduce, settings
from everycase.choices.shrink.shrinker import ShrinkEnd
from everycase.choices.trace import LARGEST_BLOB, Trace
from everycase.run import failures
from everycase.run.property import PROPERTY
from everycase.run.settings import Phase
from everycase.run.store import MemoryStore

REUSE = [Phase.reuse]


def everything_in(store: MemoryStore) -> list[tuple[str, str]]:
    return list(store._entries)


def fails_from(limit):
    def test(n):
        assert n < limit

    return test


def test_one_function_with_two_generators_keeps_both_failures():
    store = MemoryStore()

    def small(n):
        assert n < 5

    check(small, gen.integers(0, 100), database=store, seed=0)
    (before,) = everything_in(store)
    check(small, gen.integers(0, 3), database=store, seed=0)
    assert before in everything_in(store)
    check(small, gen.text(), database=store, phases=REUSE)
    assert before in everything_in(store)
    assert check(small, gen.integers(0, 100), database=store, phases=REUSE).status == "failed"


def above(bound, least=0):
    def test(n):
        assert n < bound or n < least

    return test


def reaching(scale):
    return gen.integers(0, 100).map(lambda n: n * scale)


@pytest.mark.parametrize(
    ("failing", "other"),
    [
        ((above(5), reaching(1)), (above(1000), reaching(1))),
        ((above(5, 0), reaching(1)), (above(5, 1000), reaching(1))),
        ((above(5), reaching(1)), (above(5), reaching(0))),
        ((above(5), gen.integers().map(lambda n: n)), (above(5), gen.integers().map(lambda n: 0))),
    ],
    ids=["variable", "two variables", "variable of a generator", "code of a generator"],
)
def test_functions_with_the_same_code_but_other_variables_do_not_forget_each_others_failures(failing, other):
    store = MemoryStore()
    assert check(*failing, database=store, seed=0).status == "failed"
    kept = everything_in(store)
    assert check(*other, database=store, seed=0).status == "passed"
    assert everything_in(store) == kept
    assert check(*failing, database=store, phases=REUSE).status == "failed"


def test_what_a_function_counts_and_collects_does_not_make_it_another_one():
    def make():
        calls, seen = 0, []

        def test(n):
            nonlocal calls
            calls += 1
            seen.append(n)
            assert n < limit

        limit = 5
        return test

    store = MemoryStore()
    first = make()
    assert check(first, gen.integers(0, 100), database=store, seed=0).status == "failed"
    digests = [text.split()[0] for _, text in everything_in(store)]
    assert check(first, gen.integers(0, 100), database=store, seed=1).status == "failed"
    assert check(make(), gen.integers(0, 100), database=store, seed=2).status == "failed"
    assert {text.split()[0] for _, text in everything_in(store)} == set(digests)


class Base:
    limit = 5

    @settings(seed=0)
    @given(gen.integers(0, 100))
    def test_it(self, n):
        assert n < self.limit


class Strict(Base):
    limit = 3


class Lenient(Base):
    limit = 1000


def test_inherited_tests_do_not_forget_each_others_failures(monkeypatch):
    store = MemoryStore()
    prop = getattr(Base.test_it, PROPERTY)
    monkeypatch.setattr(prop.spec, "settings", settings(prop.spec.settings, database=store))
    with pytest.raises(AssertionError):
        Strict().test_it()
    kept = everything_in(store)
    assert [key.rsplit(".", 2)[1:] for key, _ in kept] == [["Strict", "test_it"]]
    Lenient().test_it()
    assert everything_in(store) == kept


def test_only_a_clean_pass_forgets_a_failure():
    store = MemoryStore()
    now = {"do": "fail"}

    def test(n):
        match now["do"]:
            case "fail":
                assert n < 5
            case "discard":
                from everycase import assume

                assume(False)
            case "interrupt":
                raise KeyboardInterrupt

    numbers = gen.integers(0, 100)
    check(test, numbers, database=store, seed=0)
    (kept,) = everything_in(store)
    now["do"] = "discard"
    check(test, numbers, database=store, phases=REUSE)
    assert everything_in(store) == [kept]
    now["do"] = "interrupt"
    with pytest.raises(KeyboardInterrupt):
        check(test, numbers, database=store, phases=REUSE)
    assert everything_in(store) == [kept]
    now["do"] = "pass"
    check(test, numbers, database=store, phases=REUSE)
    assert everything_in(store) == []


def test_an_exception_in_a_generator_forgets_nothing():
    store = MemoryStore()
    broken = {"now": False}

    @gen.composite
    def numbers(draw):
        n = draw(gen.integers(0, 100))
        if broken["now"]:
            raise ConnectionError
        return n

    test = fails_from(5)
    check(test, numbers(), database=store, seed=0)
    kept = everything_in(store)
    broken["now"] = True
    check(test, numbers(), database=store, phases=REUSE)
    assert everything_in(store) == kept != []


def test_a_failure_is_saved_before_it_is_run_again():
    calls = []
    called_when_saved = []

    class Spy(MemoryStore):
        def save(self, key, blob):
            called_when_saved.append(len(calls))
            super().save(key, blob)

    def test(n):
        calls.append(n)
        raise ValueError

    check(test, gen.integers(5, 100), database=Spy(), seed=0)
    assert called_when_saved[0] == 1


def test_failures_met_while_shrinking_are_saved_at_once():
    store = MemoryStore()
    seen = []

    def test(n):
        if n > 1000:
            raise ValueError
        if n > 10:
            seen.append(len(everything_in(store)))
            if len(seen) > 1:
                assert seen[-1] >= 2, "the second failure was run again before it was saved"
            raise KeyError

    report = check(test, gen.integers(0, 10**6), database=store, seed=1)
    assert {type(failure.error) for failure in report.failures} == {ValueError, KeyError}


class Broken(MemoryStore):
    def fetch(self, key):
        raise OSError("fetch")

    def save(self, key, blob):
        raise OSError("save")

    def delete(self, key, blob):
        raise OSError("delete")


def test_a_store_of_the_users_own_that_raises_decides_nothing():
    assert check(fails_from(5), gen.integers(0, 100), database=Broken(), seed=0).counterexample == (5,)
    assert check(lambda n: True, gen.integers(0, 100), database=Broken(), seed=0).status == "passed"


# --- blobs --------------------------------------------------------------------------------------------------


def blob_of(data: bytes) -> str:
    return "ec1-" + base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


CRAFTED = {
    "bomb": blob_of(b"[" + b"0," * (LARGEST_BLOB // 2) + b"0]"),
    "brackets": blob_of(b"[" * 10**5),
    "nested": blob_of(b"[" * 10**5 + b"]" * 10**5),
    "objects": blob_of(b'{"0":' * 10**5 + b"0" + b"}" * 10**5),
    "digits": blob_of(b"[" + b"9" * 10**5 + b"]"),
    "key": blob_of(b'[{"' + b"9" * 10**5 + b'":0}]'),
    "pairs": blob_of(b'[{"1":0,"2":0}]'),
    "not UTF-8": blob_of(b'["\xff\xfe"]'),
    "surrogate": blob_of(b'["\\ud800"]'),
    "true": blob_of(b"[true]"),
    "NaN": blob_of(b"[NaN]"),
    "trailing": blob_of(b"[5]") + "AAAA",
    "cut": blob_of(b"[5]")[:-3],
    "odd version": "ec²-AAAA",
    "long": "x" * 10**6,
    "empty": "",
}


@pytest.mark.parametrize("name", CRAFTED)
@pytest.mark.parametrize("numbers", [gen.integers(), gen.lists(gen.integers()), gen.booleans() | gen.text()])
def test_a_crafted_blob_is_refused_with_a_short_message(name, numbers):
    decorated = reproduce(CRAFTED[name])(given(numbers)(lambda value: None))
    with pytest.raises(errors.CannotReproduce) as caught:
        check(decorated)
    assert len(str(caught.value)) < 400


def test_a_crafted_store_does_not_fail_a_test():
    store = MemoryStore()
    test = fails_from(10**9)
    for blob in CRAFTED.values():
        for text in (blob, f"{'0' * 12} {blob}", f"x y {blob}"):
            store.save(f"{test.__module__}.{test.__qualname__}", text)
    assert check(test, gen.integers(0, 10**6), database=store, seed=0).status == "passed"


def mutated(blob: str, chance: random.Random) -> str:
    letters = list(blob)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(letters) + 1)
        match chance.randrange(4):
            case 0:
                letters[place : place + 1] = [chance.choice("ABCabc019-_=+/ \n\x00é")]
            case 1:
                del letters[place : place + chance.randint(1, 5)]
            case 2:
                letters.insert(place, chance.choice("ABCabc019-_"))
            case _:
                letters[place:] = letters[: chance.randrange(len(letters) + 1)]
        letters = letters or ["e"]
    return "".join(letters)


def mutated_choices(data: bytes, chance: random.Random) -> bytes:
    """Change the JSON inside a blob so that it passes the checksum."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(data) + 1)
        data[place : place + chance.randrange(3)] = chance.choice(
            [
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
            ]
        )
    return bytes(data)


def test_mutated_blobs_are_refused_or_replayed_and_never_an_error_of_ours():
    trees = gen.deferred(lambda: gen.integers() | gen.tuples(trees, trees))
    shapes = [
        gen.lists(gen.integers(0, 99)),
        gen.tuples(gen.floats(), gen.text(), gen.dictionaries(gen.text(max_size=3), gen.booleans())),
        trees,
        gen.integers(0, 9).flatmap(lambda n: gen.lists(gen.integers(0, n), min_size=n)),
        gen.sets(gen.integers(0, 50)).filter(lambda s: len(s) != 1),
    ]
    chance = random.Random(0)
    raw = []
    for number in range(1500):
        shape = shapes[number % len(shapes)]
        trace = shape.record(seed=number)
        if number % 2:
            blob = mutated(trace.to_blob(), chance)
        else:
            body = trace.to_blob()[4:]
            data = zlib.decompress(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
            blob = blob_of(mutated_choices(data, chance))
        try:
            shape.replay(Trace.from_blob(blob))
        except (errors.CannotReproduce, errors.DoesNotFit, errors.Discarded):
            pass
        except Exception as problem:
            raw.append((blob, problem))
    assert raw == []


@pytest.mark.parametrize("moment", ["idle_parts", "Failures._fails_always"])
def test_an_interrupt_after_shrinking_never_calls_another_input_minimal(moment, monkeypatch):
    def interrupt(*args, **kwargs):
        raise KeyboardInterrupt

    owner, _, name = moment.rpartition(".")
    monkeypatch.setattr(getattr(failures, owner) if owner else failures, name, interrupt)
    report = check(fails_from(5), gen.integers(0, 10**9), database=None, seed=0)
    (failure,) = report.failures
    assert (failure.arguments == {"n": 5}) == (failure.shrink_reason is ShrinkEnd.minimal)
