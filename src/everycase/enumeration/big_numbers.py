"""Numbers of values in words. They may have thousands of digits, which Python refuses to print."""

from __future__ import annotations

_LONG = 10**100


def in_words(number: int) -> str:
    """A count, or approximately how many there are.

    >>> in_words(9694845), in_words(2**50_000)
    ('9,694,845', 'about 2**50000')
    """
    if -_LONG < number < _LONG:
        return f"{number:,}"
    return f"about {'-' if number < 0 else ''}2**{number.bit_length() - 1}"


def as_literal(number: int) -> str:
    """A number as it can be pasted into a program, exactly.

    >>> as_literal(57), as_literal(2**400)[:6]
    ('57', '0x1000')
    """
    return str(number) if -_LONG < number < _LONG else hex(number)
