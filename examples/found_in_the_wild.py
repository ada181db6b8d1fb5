"""Bugs in published packages that a default run finds, each by a property of a line or two.

    pip install everycase durationpy==0.11 toml==0.10.2 configobj==5.0.9 humanfriendly==10.0
    python examples/found_in_the_wild.py

docs/gallery.md explains each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any

from everycase import check, gen

#: name of the property: the package, and the property with its generators
FOUND: dict[str, tuple[str, Callable[..., None], list[Any]]] = {}


def about(package: str, *gens: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Put a property into the list."""

    def put(test: Callable[..., None]) -> Callable[..., None]:
        FOUND[test.__name__] = (package, test, list(gens))
        return test

    return put


# --8<-- [start:durations]
@about("durationpy", gen.timedeltas())
def durations_are_read_as_they_are_written(duration: timedelta) -> None:
    durationpy = import_module("durationpy")
    assert durationpy.from_str(durationpy.to_str(duration)) == duration


# --8<-- [end:durations]


# --8<-- [start:toml]
@about("toml", gen.dictionaries(gen.text(min_size=1), gen.text()))
def toml_is_read_as_it_is_written(table: dict[str, str]) -> None:
    toml = import_module("toml")
    assert toml.loads(toml.dumps(table)) == table


# --8<-- [end:toml]


# --8<-- [start:configurations]
PRINTABLE = gen.text(gen.characters(codec="ascii", categories=["L", "N"]), min_size=1)
ASCII = gen.text(gen.characters(codec="ascii"))


@about("configobj", gen.dictionaries(PRINTABLE, ASCII))
def configurations_are_read_as_they_are_written(values: dict[str, str]) -> None:
    configobj = import_module("configobj")
    config = configobj.ConfigObj()
    config.update(values)
    assert dict(configobj.ConfigObj(config.write(), interpolation=False)) == values


# --8<-- [end:configurations]


# --8<-- [start:sizes]
@about("humanfriendly", gen.integers(0, 10**15))
def sizes_are_written_in_the_largest_unit(size: int) -> None:
    humanfriendly = import_module("humanfriendly")
    assert not humanfriendly.format_size(size).startswith("1000 ")


# --8<-- [end:sizes]


def main() -> None:
    for name, (package, test, gens) in FOUND.items():
        try:
            import_module(package)
        except ImportError:
            print(f"{name}: pip install {package} to see it\n")
            continue
        print(check(test, *gens, seed=1, database=None), "\n")


if __name__ == "__main__":
    main()
