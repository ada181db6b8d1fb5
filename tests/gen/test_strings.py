"""Characters and text: which ones are generated. Oracle: the unicodedata module and the codecs, character by character."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache

import pytest

from everycase import gen
from everycase.gen import unicode
from everycase.gen.kinds import Int, Map


@cache
def all_characters() -> list[str]:
    return [chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000]


def alphabet_of(node: gen.Gen[str]) -> list[str]:
    """Every character of a generator, in order of simplicity."""
    assert isinstance(node, Map) and isinstance(node.source, Int)
    assert node.source.lo == 0 and node.source.hi is not None
    return [node.f(number) for number in range(node.source.hi + 1)]


def test_there_are_all_characters_once_and_no_surrogates() -> None:
    found = alphabet_of(gen.characters())
    assert len(found) == len(all_characters())
    assert sorted(found) == all_characters()


def test_readable_characters_come_first_and_zero_before_all() -> None:
    found = alphabet_of(gen.characters())
    assert sorted(found[:95]) == [chr(point) for point in range(32, 127)]
    assert found[0] == "0"
    assert found[95:] == sorted(found[95:])


@pytest.mark.parametrize(
    ("options", "holds"),
    [
        ({"categories": ["Lu", "Nd"]}, lambda c: unicodedata.category(c) in ("Lu", "Nd")),
        ({"categories": ["P"]}, lambda c: unicodedata.category(c)[0] == "P"),
        ({"exclude_categories": ["C", "Z"]}, lambda c: unicodedata.category(c)[0] not in "CZ"),
        ({"min_codepoint": 300, "max_codepoint": 70_000}, lambda c: 300 <= ord(c) <= 70_000),
        ({"max_codepoint": 127, "exclude_characters": "ab\n"}, lambda c: ord(c) < 128 and c not in "ab\n"),
        (
            {"categories": ["Nd"], "include_characters": "x."},
            lambda c: unicodedata.category(c) == "Nd" or c in "x.",
        ),
        ({"codec": "ascii"}, str.isascii),
        ({"codec": "latin-1"}, lambda c: ord(c) < 256),
        ({"codec": "utf-8"}, lambda c: True),
    ],
)
def test_options_leave_exactly_what_they_say(options: dict[str, object], holds: object) -> None:
    expected = [c for c in all_characters() if holds(c)]  # type: ignore[operator]
    assert sorted(alphabet_of(gen.characters(**options))) == expected  # type: ignore[arg-type]


def test_a_legacy_codec_keeps_what_it_can_encode() -> None:
    found = alphabet_of(gen.characters(codec="cp1252"))
    assert "€" in found and "中" not in found
    assert all(c.encode("cp1252") for c in found)
    assert len(found) == 251  # of 256 byte values five are not used


def test_surrogates_only_by_name() -> None:
    assert alphabet_of(gen.characters(categories=["Cs"])) == [chr(point) for point in range(0xD800, 0xE000)]
    assert not any(0xD800 <= ord(c) < 0xE000 for c in alphabet_of(gen.characters(categories=["C"])))


def test_ranges_behave_as_sets() -> None:
    """Brute force over small sets."""
    import random

    dice = random.Random(0)
    for _ in range(300):
        a, b = ({dice.randrange(30) for _ in range(dice.randrange(20))} for _ in range(2))
        one, two = unicode.ranges_of(a), unicode.ranges_of(b)
        for combined, expected in (
            (unicode.union(one, two), a | b),
            (unicode.minus(one, two), a - b),
            (unicode.within(one, two), a & b),
        ):
            assert [p for low, high in combined for p in range(low, high)] == sorted(expected)


def test_the_number_of_a_character_is_its_place() -> None:
    for ranges in (unicode.EVERYTHING, ((40, 60), (200, 300), (70_000, 70_010))):
        alphabet = unicode.Alphabet(ranges)
        for number in range(0, alphabet.count, max(1, alphabet.count // 5000)):
            assert alphabet.number(alphabet.character(number)) == number
    with pytest.raises(LookupError):
        unicode.Alphabet(((40, 60),)).number("z")


def test_an_alphabet_may_be_a_string_a_list_or_a_generator() -> None:
    for alphabet in (
        "abc",
        ["a", "b", "c"],
        {"c", "b", "a"},
        gen.sampled_from("abc"),
        gen.characters(min_codepoint=97, max_codepoint=99),
    ):
        found = "".join(gen.text(alphabet).sample(50, seed=0))  # type: ignore[arg-type]
        assert set(found) == set("abc")
    assert gen.text("").sample(2) == ["", ""]


def test_tricky_characters_are_what_they_are_said_to_be() -> None:
    categories = {unicodedata.category(c) for c in unicode.TRICKY}
    assert {"Cc", "Mn", "Cf", "Zs", "Zl", "Nd", "Lt", "Lo", "So", "Cn", "Co"} <= categories
    assert any(ord(c) > 0xFFFF for c in unicode.TRICKY)
    assert not any(0xD800 <= ord(c) < 0xE000 for c in unicode.TRICKY)
    assert len(set(unicode.TRICKY)) == len(unicode.TRICKY)
