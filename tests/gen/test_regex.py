"""from_regex: every value matches, and if the pattern is unambiguous, every match is a value."""

from __future__ import annotations

import re
import sys
from itertools import product

import pytest

from everycase import check, find, gen
from everycase.errors import InvalidArgument
from everycase.gen.regex import _category

PATTERNS = [
    r"abc",
    r"a|bc|",
    r"[a-f0-9]{2,4}",
    r"[^a-z]+",
    r"\d{4}-\d\d-\d\d",
    r"\w+@\w+\.(com|org)",
    r"^start",
    r"end$",
    r"^whole$",
    r"\Aexact\Z",
    r"(?m)^line$",
    r"(?i)hello [a-z]",
    r"(?i)[^a-y]",
    r"(?x) a  b # comment",
    r"(?s).{3}",
    r".{3}",
    r"(a)(b)c\2",
    r"(?P<quote>['\"]).*?(?P=quote)",
    r"(<)?\w+(?(1)>)",
    r"(a)?(?(1)b|c)",
    r"(?:ab)+?",
    r"(?=a)\w{3}",
    r"\w{3}(?!x)",
    r"(?<=a)b",
    r"(?<!a)b",
    r"\bword\b",
    r"a\Bb",
    r"[\s\d]\S\D\W",
    r"(?a)\w\d\s",
    r"[]\-^]",
    r"(?i:A)b",
    r"((a|b)c)*d",
    r"x{0,3}y{2,}",
    r"(?>a+)b",
    r"a*+b",
    r"\x41\u00e9\N{DIGIT ONE}",
    r"",
    b"[\x00-\xff]{2}",
    rb"\w+\s\d",
    rb"^(GET|POST) /[^ ]* HTTP/1\.[01]\r\n",
]


@pytest.mark.parametrize("pattern", PATTERNS, ids=repr)
@pytest.mark.parametrize("fullmatch", [False, True])
def test_what_is_made_matches(pattern, fullmatch):
    compiled = re.compile(pattern)
    if fullmatch and pattern == r"(?<=a)b":
        return  # no whole string matches
    matches = compiled.fullmatch if fullmatch else compiled.search
    values = gen.from_regex(pattern, fullmatch=fullmatch).sample(60, seed=1)
    assert all(matches(value) for value in values)
    assert {type(value) for value in values} == {type(pattern)}


@pytest.mark.parametrize(
    "pattern",
    [
        r"a?b*",
        r"(ab|b)c?",
        r"[^a]b?",
        r"a{2,3}|b",
        r"(a|b)\1",
        r"a$",
        r"^b",
        r"(?!a)b?c?",
        r"[ab]?(?=c)c",
        r"(a)?b(?(1)c)",
    ],
)
def test_every_short_string_that_matches_is_made_and_no_other(pattern):
    strings = {"".join(letters) for n in range(4) for letters in product("abc", repeat=n)}
    expected = {string for string in strings if re.fullmatch(pattern, string)}
    source = gen.from_regex(pattern, fullmatch=True, alphabet="abc")
    made = {value for value in source.sample(3000, seed=0) if len(value) < 4}
    assert made == expected


def test_it_counts_where_nothing_is_left_to_a_filter():
    assert len(gen.from_regex(r"[ab]{0,3}(x|yz)?", fullmatch=True)) == (1 + 2 + 4 + 8) * 3
    report = check(lambda s: len(s) < 9, gen.from_regex(r"(0|1){4}", fullmatch=True), max_examples=100)
    assert report.exhaustive and report.examples == 16


@pytest.mark.parametrize("kind", ["DIGIT", "SPACE", "WORD"])
def test_classes_are_those_of_re(kind):
    everything = ((0, sys.maxunicode + 1),)
    points = range(sys.maxunicode + 1)
    expected = "".join(re.findall(rf"\{kind[0].lower()}", "".join(map(chr, points))))
    ranges = _category(f"CATEGORY_{kind}", False, everything)
    assert "".join(chr(point) for start, stop in ranges for point in range(start, stop)) == expected
    others = _category(f"CATEGORY_NOT_{kind}", False, everything)
    assert sum(stop - start for start, stop in others) == len(points) - len(expected)


def test_shrinking_ends_at_the_shortest():
    dates = gen.from_regex(r"\d{4}-(0[1-9]|1[0-2])", fullmatch=True)
    assert find(dates, lambda date: int(date[:4]) >= 1000, seed=0) == "1000-01"
    assert find(gen.from_regex(r"(a|b)+c"), lambda s: s.count("b") >= 2, seed=0) == "bbc"


def test_ignoring_case_makes_both():
    assert set(gen.from_regex("(?i)ab", fullmatch=True).sample(200, seed=0)) == {"ab", "Ab", "aB", "AB"}


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: gen.from_regex("("), "regular expression"),
        (lambda: gen.from_regex(5), "string, bytes or a compiled pattern"),
        (lambda: gen.from_regex(b"a", alphabet="a"), "alphabet"),
        (lambda: gen.from_regex("a", alphabet=["ab"]), "length one"),
        (lambda: gen.from_regex("a", fullmatch=1), "fullmatch"),
    ],
)
def test_wrong_arguments(call, words):
    with pytest.raises(InvalidArgument, match=words):
        call()


def test_an_alphabet_without_the_letters_makes_nothing():
    with pytest.raises(Exception, match="no value"):
        gen.from_regex("[xy]z", alphabet="ab", fullmatch=True).sample(1)
