"""What is known about a generator, as an object and as text: does it make every valid value, and only those?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_SOUND = {
    "proved": "sound: every value that it makes is valid (proved)",
    "no violation found": "no invalid value was made within these bounds",
}


@dataclass
class Verdict:
    """The answer of :func:`everycase.complete.gaps`.

    ``status`` is one of three. ``"missing"``: ``value`` is valid for ``arguments`` and the generator can
    never make it. ``"proved"``: every valid value can be made, for all arguments. ``"no gap found"``: no
    valid value was missing within ``bounds``; this is not a proof. :attr:`soundness` is the second verdict:
    does it make only valid values?
    """

    name: str
    status: str
    value: Any = None
    arguments: dict[str, Any] = field(default_factory=dict)
    missing: int = 0
    """How many valid (arguments, value) pairs within the bounds cannot be made."""
    valid: int = 0
    """How many valid pairs there are within the bounds."""
    description: str | None = None
    described: int = 0
    """How many of the missing pairs ``description`` covers; the others are missing from a generator that this
    one calls."""
    bounds: str = ""
    unsound: tuple[dict[str, Any], Any] | None = None
    """Arguments and a value that the generator makes although the predicate rejects it."""
    sound: bool = False
    """True if it was proved that only valid values are made."""
    validated: bool = False
    """Were the values that it makes within the bounds checked?"""
    suspected: tuple[dict[str, Any], Any] | None = None
    """A case that looks missing but could not be confirmed."""
    unsupported: str | None = None
    checked: bool = True
    """False if not even small cases could be checked; ``notes`` say why."""
    inferred: dict[str, str] = field(default_factory=dict)
    """The types that no annotation gives, by parameter, and ``return``: what they say comes from the generator itself."""
    only_made: bool = False
    """Were only the values that it makes looked at, because the other values of the type are not known?"""
    notes: list[str] = field(default_factory=list)
    queries: int = 0
    seconds: float = 0.0

    @property
    def complete(self) -> bool:
        """True only for a proof."""
        return self.status == "proved"

    @property
    def soundness(self) -> str:
        """Are only valid values made? ``"proved"``, ``"refuted"`` (``unsound`` is a value that running the generator
        gave), ``"no violation found"`` within the bounds, or ``"not checked"``."""
        if self.unsound is not None:
            return "refuted"
        if self.sound:
            return "proved"
        return "no violation found" if self.validated and self.checked else "not checked"

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.headline}"]
        if self.status == "missing":
            lines.append(f"  never made: {shown_case(self.arguments, self.value)}")
            lines.append(f"  {self.missing} of {self.valid} valid cases are missing within {self.bounds}")
            if self.description:
                lines.append(f"  {self.which} (within these bounds): {self.description}")
        if self.suspected is not None:
            arguments, value = self.suspected
            lines.append(f"  suspected, not confirmed: {shown_case(arguments, value)}")
        if self.unsound is not None:
            arguments, value = self.unsound
            lines.append(f"  unsound: it makes {shown_case(arguments, value)}, which the predicate rejects")
        elif self.soundness in _SOUND:
            lines.append(f"  {_SOUND[self.soundness]}")
        if self.unsupported:
            lines.append(f"  {self.unsupported}")
        return "\n".join(lines + [f"  note: {note}" for note in self.notes])

    @property
    def which(self) -> str:
        """The cases that the description is about."""
        if self.described == self.missing:
            return "the missing ones"
        return f"the {self.described} of them that are not already missing from a generator it calls"

    @property
    def headline(self) -> str:
        """The verdict in a few words."""
        if self.status == "missing":
            return "missing"
        if self.status == "proved":
            return "proved: every valid value can be made, for all arguments"
        if not self.checked:
            return "nothing was checked"
        what = "no gap confirmed" if self.suspected is not None else "no gap found"
        return f"{what} up to {self.bounds}" if self.bounds else what

    def to_json(self) -> dict[str, Any]:
        """Plain data; values are shown with repr."""
        return {
            "name": self.name,
            "status": self.status,
            "value": shown(self.value) if self.status == "missing" else None,
            "arguments": _shown(self.arguments),
            "missing": self.missing,
            "valid": self.valid,
            "description": self.description,
            "described": self.described,
            "bounds": self.bounds,
            "unsound": _shown_case(self.unsound),
            "sound": self.sound,
            "soundness": self.soundness,
            "suspected": _shown_case(self.suspected),
            "unsupported": self.unsupported,
            "checked": self.checked,
            "inferred": dict(self.inferred),
            "notes": list(self.notes),
            "queries": self.queries,
            "seconds": round(self.seconds, 3),
        }


def shown_case(arguments: dict[str, Any], value: Any) -> str:
    """A value with its arguments, as people read it."""
    return f"{shown(value)}{_with(arguments)}"


def shown(value: Any) -> str:
    """A value as people read it; objects without a repr of their own are shown with what they hold.

    >>> class Job:
    ...     def __init__(self, number):
    ...         self.number = number
    >>> shown([Job(1)])
    '[Job(number=1)]'
    """
    kind = type(value)
    if kind in (list, tuple) and any(shown(v) != repr(v) for v in value):
        inside = ", ".join(map(shown, value))
        return f"[{inside}]" if kind is list else f"({inside}{',' if len(value) == 1 else ''})"
    if getattr(kind, "__repr__", None) is object.__repr__ and hasattr(value, "__dict__"):
        return f"{kind.__name__}({', '.join(f'{k}={shown(v)}' for k, v in vars(value).items())})"
    return repr(value)


def _with(arguments: dict[str, Any]) -> str:
    return f" with {', '.join(f'{k}={shown(v)}' for k, v in arguments.items())}" if arguments else ""


def _shown_case(case: tuple[dict[str, Any], Any] | None) -> dict[str, Any] | None:
    return None if case is None else {"arguments": _shown(case[0]), "value": shown(case[1])}


def _shown(arguments: dict[str, Any]) -> dict[str, str]:
    return {k: shown(v) for k, v in arguments.items()}
