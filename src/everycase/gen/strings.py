"""Characters, text and bytes."""

from __future__ import annotations

import codecs
from collections.abc import Collection
from typing import Any

from everycase.errors import InvalidArgument
from everycase.gen import unicode
from everycase.gen.base import Gen
from everycase.gen.intern import interned
from everycase.gen.kinds import Int, List, Map
from everycase.gen.scalars import integers, pick
from everycase.gen.show import described
from everycase.gen.validate import (
    as_gen,
    is_description,
    require_count,
    require_instance,
    require_ordered,
    require_sizes,
)

#: In a large alphabet, this percentage of the drawn characters is readable ASCII or known to be tricky ...
_COMMON_SHARE = 0.95
#: ... and every readable one is this many times as likely as a tricky one.
_READABLE_WEIGHT = 9


def characters(
    *,
    codec: str | None = None,
    min_codepoint: int | None = None,
    max_codepoint: int | None = None,
    categories: Collection[str] | None = None,
    exclude_categories: Collection[str] | None = None,
    exclude_characters: Collection[str] | None = None,
    include_characters: Collection[str] | None = None,
) -> Gen[str]:
    """Strings of length one: any character, or those that the options allow.

    ``categories`` are Unicode categories, ``"Lu"`` or a whole group ``"L"``; ``codec`` keeps characters that
    an encoding can express; ``include_characters`` adds characters to those that the other options allow.
    Surrogates are not characters: they are made only if their category ``"Cs"`` is named.

    ``"0"`` is the simplest, then the rest of readable ASCII. Random characters are mostly that, and some are
    from a list of characters that often break programs: controls, combining marks, odd cases, invisible and
    astral ones.

    >>> all(c.isdigit() for c in characters(categories=["Nd"]).sample(50, seed=0))
    True
    """
    return _characters(
        codec,
        min_codepoint,
        max_codepoint,
        _names("categories", categories),
        _names("exclude_categories", exclude_categories),
        _singles("exclude_characters", exclude_characters),
        _singles("include_characters", include_characters),
    )


@interned
def _characters(
    codec: str | None,
    min_codepoint: int | None,
    max_codepoint: int | None,
    categories: tuple[str, ...] | None,
    exclude_categories: tuple[str, ...] | None,
    exclude: str | None,
    include: str | None,
) -> Gen[str]:
    for name, point in (("min_codepoint", min_codepoint), ("max_codepoint", max_codepoint)):
        if point is not None:
            require_count(name, point)
    require_ordered("min_codepoint", min_codepoint, "max_codepoint", max_codepoint)
    if categories is not None and exclude_categories is not None:
        raise InvalidArgument("categories and exclude_categories cannot be combined; give only one")
    both = [c for c in include or "" if c in (exclude or "")]
    if both:
        raise InvalidArgument(
            f"include_characters and exclude_characters both name {both[0]!r}; remove it from one of them"
        )
    ranges = unicode.EVERYTHING
    if categories is not None:
        if "Cs" in categories:
            ranges = unicode.union(ranges, unicode.SURROGATES)
        ranges = unicode.within(ranges, unicode.of_categories(categories))
    if exclude_categories is not None:
        ranges = unicode.minus(ranges, unicode.of_categories(exclude_categories))
    if codec is not None:
        require_instance("codec", codec, str, "the name of an encoding")
        try:
            encodable = unicode.of_codec(codecs.lookup(codec).name)
        except LookupError:
            raise InvalidArgument(f"codec={codec!r} is not an encoding of text known to Python") from None
        except UnicodeError:
            raise InvalidArgument(
                f"codec={codec!r} encodes whole texts, not single characters; filter texts instead, or give categories"
            ) from None
        ranges = unicode.within(ranges, encodable)
        lost = unicode.minus(unicode.ranges_of(map(ord, include or ())), encodable)
        if lost:
            raise InvalidArgument(
                f"include_characters has {chr(lost[0][0])!r}, which codec={codec!r} cannot encode"
            )
    if min_codepoint is not None or max_codepoint is not None:
        ranges = unicode.within(
            ranges, ((min_codepoint or 0, 0x110000 if max_codepoint is None else max_codepoint + 1),)
        )
    if include:
        ranges = unicode.union(ranges, unicode.ranges_of(map(ord, include)))
    if exclude:
        ranges = unicode.minus(ranges, unicode.ranges_of(map(ord, exclude)))
    if not ranges:
        raise InvalidArgument(
            "characters: the options codec, min_codepoint, max_codepoint, categories and exclude_characters "
            "exclude every character; leave out one of them"
        )
    return described(
        from_alphabet(unicode.Alphabet(ranges)),
        "characters",
        codec=codec,
        min_codepoint=min_codepoint,
        max_codepoint=max_codepoint,
        categories=categories,
        exclude_categories=exclude_categories,
        exclude_characters=exclude,
        include_characters=include,
    )


def from_alphabet(alphabet: unicode.Alphabet) -> Gen[str]:
    common: list[int] = []
    if alphabet.count > 128:
        # The first is the simplest, as everywhere; an alphabet without readable characters is mostly itself.
        common = list(range(len(alphabet.readable))) * _READABLE_WEIGHT or [0]
        for c in unicode.TRICKY:
            if alphabet.holds(c):
                common.append(alphabet.number(c))
    share = _COMMON_SHARE if alphabet.readable else 0.2
    return Map(
        Int(0, alphabet.count - 1, 0, tuple(common), share), alphabet.character, alphabet.number, share=True
    )


def text(
    alphabet: Collection[str] | Gen[str] | None = None, *, min_size: int = 0, max_size: int | None = None
) -> Gen[str]:
    """Strings, of any characters or of those in ``alphabet``: a string of characters, or a generator of them.

    The empty string is the simplest. See :func:`characters` for the distribution of random characters.

    >>> set("".join(text("ab", max_size=5).sample(50, seed=0))) == {"a", "b"}
    True
    >>> text(characters(codec="ascii"), min_size=1)
    text(characters(codec='ascii'), min_size=1)
    """
    if not (alphabet is None or isinstance(alphabet, str | Gen)):
        foreign = is_description(alphabet)
        alphabet = as_gen("alphabet", alphabet) if foreign else _singles("alphabet", alphabet)
    return _text(alphabet, min_size, max_size)


@interned
def _text(alphabet: Gen[str] | str | None, min_size: int, max_size: int | None) -> Gen[str]:
    require_sizes(min_size, max_size)
    shown = () if alphabet is None else (alphabet,)
    join: Any = "".join
    if alphabet is None:
        element = characters()
    elif isinstance(alphabet, str):
        if not alphabet:
            if min_size:
                raise InvalidArgument(
                    f"alphabet is empty, so there is no text of min_size={min_size}; add characters to alphabet"
                )
            return described(Map(List(integers(0, 0), 0, 0), join, list, share=True), "text", "")
        distinct = "".join(dict.fromkeys(alphabet))
        element = pick(tuple(distinct), "sampled_from", distinct)
    else:
        element = alphabet
        if not (element._text and element._text[0] == "characters"):
            join = _checked_join
    node = Map(List(element, min_size, max_size), join, list, share=True)
    return described(node, "text", *shown, min_size=min_size or None, max_size=max_size)


def binary(*, min_size: int = 0, max_size: int | None = None) -> Gen[bytes]:
    """Bytes; the empty ones are the simplest.

    >>> {len(b) for b in binary(min_size=2, max_size=3).sample(50, seed=0)}
    {2, 3}
    """
    return _binary(min_size, max_size)


@interned
def _binary(min_size: int, max_size: int | None) -> Gen[bytes]:
    require_sizes(min_size, max_size)
    node = Map(List(integers(0, 255), min_size, max_size), bytes, list, share=True)
    return described(node, "binary", min_size=min_size or None, max_size=max_size)


def _checked_join(parts: list[Any]) -> str:
    for part in parts:
        if not isinstance(part, str) or len(part) != 1:
            raise InvalidArgument(
                f"alphabet must make strings of length one, but it made {part!r}; "
                "for longer pieces write gen.lists(pieces).map(''.join)"
            )
    return "".join(parts)


def _singles(name: str, given: Collection[str] | None) -> str | None:
    """A collection of characters as one string, in an order that does not depend on hashes."""
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, Gen):
        raise InvalidArgument(f"{name} must be a string of characters, not the generator {given!r}")
    try:
        parts = list(given)
    except TypeError:
        raise InvalidArgument(
            f"{name} must be a string of characters, not {given!r} ({type(given).__name__})"
        ) from None
    for part in parts:
        if not isinstance(part, str) or len(part) != 1:
            raise InvalidArgument(
                f"{name} must contain strings of length one, but {part!r} is not one; write {name}='abc'"
            )
    return "".join(sorted(parts) if isinstance(given, set | frozenset) else parts)


def _names(name: str, given: Collection[str] | None) -> tuple[str, ...] | None:
    if given is None:
        return None
    if isinstance(given, str):
        raise InvalidArgument(
            f"{name} must be a list of categories, not one string; write {name}=[{given!r}]"
        )
    require_instance(name, given, Collection, "a list of Unicode categories")
    for category in given:
        if not isinstance(category, str) or not any(
            known.startswith(category) for known in unicode.CATEGORIES
        ):
            raise InvalidArgument(
                f"{name}: {category!r} is not a Unicode category; they are {', '.join(unicode.CATEGORIES)}"
            )
    return tuple(sorted(given))
