"""A small file store as a state machine: at random, every short sequence, every order, and against a dictionary.

Run it with ``python examples/file_store.py``.
"""

from __future__ import annotations

from everycase import check, gen
from everycase.explore import Climb, Exhaustive, Orders
from everycase.run.context import maximize
from everycase.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    precondition,
    rule,
)


class Store:
    """Files by name, with renaming, and a bug: a file that is renamed to its own name is lost."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def write(self, name: str, text: str) -> None:
        self.files[name] = text

    def read(self, name: str) -> str | None:
        return self.files.get(name)

    def rename(self, old: str, new: str) -> bool:
        if old not in self.files:
            return False
        self.files[new] = self.files[old]
        del self.files[old]
        return True


class Repaired(Store):
    """The correct version."""

    def rename(self, old: str, new: str) -> bool:
        if old not in self.files:
            return False
        self.files[new] = self.files.pop(old)
        return True


NAMES = gen.sampled_from(["a", "b"])


class StoreMachine(RuleBasedStateMachine):
    """The operations of a store. Rules return what they see, so that stores can be compared."""

    def __init__(self, make: type[Store] = Store) -> None:
        super().__init__()
        self.store = make()

    @rule(name=NAMES, text=gen.sampled_from(["", "x"]))
    def write(self, name: str, text: str) -> None:
        self.store.write(name, text)

    @rule(name=NAMES)
    def read(self, name: str) -> str | None:
        return self.store.read(name)

    @rule(old=NAMES, new=NAMES)
    def rename(self, old: str, new: str) -> bool:
        count = len(self.store.files)
        renamed = self.store.rename(old, new)
        assert not renamed or old != new or len(self.store.files) == count, "a file is lost"
        return renamed

    def __model__(self) -> dict[str, str]:
        return self.store.files


class Right(StoreMachine):
    """The machine with the correct store."""

    def __init__(self) -> None:
        super().__init__(Repaired)


class Handles(RuleBasedStateMachine):
    """Bundles of values that steps make, and rules with preconditions."""

    handles: Bundle[object] = Bundle("handles")

    def __init__(self) -> None:
        super().__init__()
        self.open_handles = 0

    @rule(target=handles)
    def open(self) -> object:
        self.open_handles += 1
        maximize(self.open_handles)
        return object()

    @rule(target=handles, handle=handles)
    def share(self, handle: object) -> object:
        return multiple()

    @precondition(lambda self: self.open_handles > 0)
    @rule(handle=consumes(handles))
    def close(self, handle: object) -> None:
        self.open_handles -= 1

    @invariant()
    def is_never_negative(self) -> None:
        assert self.open_handles >= 0


def main() -> None:
    print("at random:")
    print(check(StoreMachine, seed=0, database=None).counterexample[0])  # type: ignore[index]
    print("every sequence:", check(Right, explore=Exhaustive(max_size=4), database=None).covered)
    print("every order:", check(Right, explore=Orders(strength=3), seed=0, database=None).covered)
    climbed = check(Handles, explore=Climb(), seed=0, max_examples=300, database=None)
    print("most handles open at once:", int(climbed.best[""]))
    difference = check(StoreMachine.against(Repaired, Store), seed=0, database=None)
    print("against another one:", difference.error)


if __name__ == "__main__":
    main()
