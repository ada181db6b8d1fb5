"""The trace: the tree of choices that made one value.

A trace has the shape of the generator that made it. It can be replayed, edited and stored. A **partial
trace** has holes: places where a choice is missing or was invalidated by an edit, to be filled when it is
enacted. Positions are paths in the tree, so an edit in one place does not change the meaning of other places.

The contents of a node, by the kind of its generator:

===========  ==================  ==============================================
kind         choice              children
===========  ==================  ==============================================
Const        -                   -
Int, Float   the number          -
Union        number of option    the option's trace
Build        -                   one per part
List         -                   one per element
Map, Filter  -                   the source's trace
Bind         -                   the outer trace, the inner trace
Composite    -                   one per draw, in order
Live         -                   one per draw, in order (grows during the test)
===========  ==================  ==============================================

``Defer`` leaves no node behind. As JSON a number is a choice, a list is children, ``{"2": child}`` is the choice of
option 2, and ``null`` is a hole; only choices are stored, since the generator knows the rest.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

from everycase.errors import CannotReproduce
from everycase.gen.base import Gen
from everycase.gen.kinds import Build, Float, Int, List
from everycase.sizes.numbers import size_of_leaf

T_co = TypeVar("T_co", covariant=True)

#: Changes whenever recorded choices would be read differently. A blob contains the version that wrote it.
VERSION = 1

_PREFIX = f"ec{VERSION}-"

#: Maximum number of bytes of the choices of a blob as JSON: enough for hundreds of thousands of choices, and
#: a crafted blob cannot fill the memory.
LARGEST_BLOB = 4_000_000
#: The same as a number of nodes. Writing a million takes seconds, and nobody would read them.
MOST_STORED = 200_000

Choice = int | float | None


class Opaque:
    """The memory of a node without choices: the value itself."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


_NOT_FINITE = ("inf", "-inf", "nan")


class Trace(Generic[T_co]):
    """One node of a tree of choices, with the value it evaluates to.

    ``gen`` is the generator that the node was enacted with, None in a trace read from storage. ``clean``
    means that the node is as it was enacted; an edit sets it to False on the whole path to the root, and such
    a trace has no value until it is enacted again. None means that it is also a **draft**: an edited node
    that nothing else refers to, so that it is finished in place. ``memory`` is for the rule that made the
    node: a Bind keeps its outer trace and the generator for it. ``_places``, ``_sums`` and ``_fresh`` are
    caches of :mod:`everycase.choices.neighbor.edits` (the last two do not exist before the first is known,
    because there are many nodes and most never need them), and ``_frozen`` is a cache of
    :mod:`everycase.choices.enact_flat`.
    """

    __slots__ = (
        "_fresh",
        "_frozen",
        "_places",
        "_sums",
        "children",
        "choice",
        "clean",
        "gen",
        "memory",
        "value",
    )

    _sums: Sequence[int] | None
    _fresh: bool

    def __init__(
        self,
        choice: Choice = None,
        children: Sequence[Trace[Any] | None] = (),
        gen: Gen[T_co] | None = None,
        value: Any = None,
        clean: bool | None = True,
        memory: Any = None,
    ) -> None:
        self.choice = choice
        self.children = children
        self.gen = gen
        self.value: T_co = value
        self.clean = clean and gen is not None
        self.memory = memory
        self._places = -1
        self._frozen: bool | None = None

    @staticmethod
    def opaque(gen: Gen[T_co], value: Any) -> Trace[T_co]:
        """A value whose choices are not known: it can be tested and kept, but not edited, shrunk or
        stored."""
        return Trace(None, (), gen, value, memory=Opaque(value))

    @property
    def is_list(self) -> bool:
        """Whether the children are the elements of a list: some can be deleted, others inserted."""
        return type(self.gen) is List

    @property
    def is_chosen(self) -> bool:
        """Whether something was chosen at the node itself: a number, an option of a union, the length of a list."""
        return self.choice is not None or self.is_list

    @property
    def is_opaque(self) -> bool:
        """Whether there is a part whose choices are not known."""
        return any(type(node.memory) is Opaque for node in self.nodes())

    @property
    def is_small(self) -> bool:
        """Whether it has at most :data:`MOST_STORED` nodes."""
        return next(islice(self.nodes(), MOST_STORED, None), None) is None

    # --- looking around ---------------------------------------------------------------------------------

    def nodes(self) -> Iterator[Trace[Any]]:
        """All nodes, in no particular order: for questions that need no paths."""
        pending: list[Trace[Any] | None] = [self]
        while pending:
            node = pending.pop()
            if node is not None:
                yield node
                pending += node.children

    def walk(self) -> Iterator[tuple[tuple[int, ...], Trace[Any]]]:
        """All nodes with their paths, parents before children, left before right."""
        pending: list[tuple[tuple[int, ...], Trace[Any]]] = [((), self)]
        while pending:
            path, node = pending.pop()
            yield path, node
            for i in range(len(node.children) - 1, -1, -1):
                child = node.children[i]
                if child is not None:
                    pending.append(((*path, i), child))

    def at(self, path: Sequence[int]) -> Trace[Any] | None:
        """The node at a path, or None if there is none."""
        node: Trace[Any] | None = self
        for step in path:
            if node is None or step >= len(node.children):
                return None
            node = node.children[step]
        return node

    def count_choices(self) -> int:
        """How many choices were made: numbers, options of unions, lengths of lists.

        >>> from everycase import gen
        >>> gen.tuples(gen.booleans(), gen.lists(gen.integers(), min_size=2, max_size=2)).record(seed=0).count_choices()
        4
        """
        return sum(node.is_chosen for node in self.nodes())

    def same_choices(self, other: Trace[Any]) -> bool:
        """Whether both have the same choices in the same places."""
        pending: list[tuple[Trace[Any] | None, Trace[Any] | None]] = [(self, other)]
        while pending:
            one, two = pending.pop()
            if one is two:
                continue
            if one is None or two is None or one.choice != two.choice:
                return False
            if len(one.children) != len(two.children):
                return False
            pending += zip(one.children, two.children)
        return True

    # --- editing ----------------------------------------------------------------------------------------

    def replace(self, path: Sequence[int], new: Trace[Any] | None) -> Trace[Any]:
        """A partial trace with the node at ``path`` replaced (None makes it a hole); the rest is shared."""
        nodes: list[Trace[Any]] = []
        node: Any = self
        for step in path:
            nodes.append(node)
            node = node.children[step]
        result: Any = new
        for parent, step in zip(reversed(nodes), reversed(path)):
            children = list(parent.children)
            children[step] = result
            result = parent.with_children(children)
        return result if result is not None else Trace()

    def with_children(self, children: Sequence[Trace[Any] | None]) -> Trace[Any]:
        """A partial trace like this one except for its children."""
        return Trace(self.choice, children, self.gen, None, False, self.memory)

    def draft(self, children: Sequence[Trace[Any] | None]) -> Trace[Any]:
        """Like ``with_children``, for a result that is enacted once and dropped."""
        return Trace(self.choice, children, self.gen, None, None, self.memory)

    def with_choice(self, choice: Choice) -> Trace[Any]:
        """A partial trace like this one except for its own choice."""
        return Trace(choice, self.children, self.gen, None, False, self.memory)

    # --- storing ----------------------------------------------------------------------------------------

    def to_json(self) -> Any:
        """The choices as plain data that :func:`json.dumps` takes."""
        results: list[Any] = []
        # Children first, with an explicit stack: a trace may be deeper than Python's recursion limit.
        pending: list[tuple[Trace[Any] | None, bool]] = [(self, False)]
        while pending:
            node, done = pending.pop()
            if node is None:
                results.append(None)
            elif done:
                count = len(node.children)
                below = results[len(results) - count :] if count else []
                del results[len(results) - count :]
                results.append({str(node.choice): below[0]} if node.choice is not None else below)
            elif node.children:
                pending.append((node, True))
                pending.extend((child, False) for child in reversed(node.children))
            else:
                results.append(_leaf_to_json(node))
        return results[0]

    @staticmethod
    def from_json(data: Any) -> Trace[Any]:
        """The partial trace that :meth:`to_json` wrote. Raises :class:`CannotReproduce` on anything else."""
        results: list[Trace[Any] | None] = []
        pending: list[tuple[Any, bool]] = [(data, False)]
        while pending:
            item, done = pending.pop()
            if item is None:
                results.append(None)
            elif isinstance(item, list):
                if done:
                    below = results[len(results) - len(item) :] if item else []
                    del results[len(results) - len(item) :]
                    results.append(Trace(None, below))
                else:
                    pending.append((item, True))
                    pending.extend((child, False) for child in reversed(item))
            elif isinstance(item, dict):
                key, child = _only_item(item)
                if done:
                    results[-1] = Trace(key, (results[-1],))
                else:
                    pending += [(item, True), (child, False)]
            else:
                results.append(Trace(_leaf_from_json(item)))
        return results[0] or Trace()

    def to_blob(self) -> str:
        """A short printable form, for bug reports and :func:`everycase.reproduce`.

        Raises :class:`CannotReproduce` if there are too many choices to print.
        """
        if not self.is_small:
            raise CannotReproduce(f"the input has more than {MOST_STORED:,} choices, too many for a blob")
        text = json.dumps(self.to_json(), separators=(",", ":"))
        if len(text) > LARGEST_BLOB:
            raise CannotReproduce(f"the choices take {len(text):,} bytes, more than a blob may hold")
        packed = zlib.compress(text.encode(), 9)
        return _PREFIX + base64.urlsafe_b64encode(packed).decode().rstrip("=")

    @staticmethod
    def from_blob(blob: str, most: int = LARGEST_BLOB) -> Trace[Any]:
        """The partial trace that :meth:`to_blob` wrote; its size as JSON is limited."""
        if not isinstance(blob, str) or not blob.startswith("ec") or "-" not in blob:
            shown = repr(blob) if len(repr(blob)) <= 80 else f"{repr(blob)[:60]}..."
            raise CannotReproduce(
                f"{shown} is not a blob that everycase printed; copy it whole, {_PREFIX}... (One that Hypothesis printed "
                "cannot be used here: run the test without it, and take the blob that is printed then)"
            )
        if not blob.startswith(_PREFIX):
            version = blob.split("-", 1)[0][2:]
            if not (version.isascii() and version.isdigit() and len(version) < 6):
                raise CannotReproduce(
                    f"the blob is damaged: it must begin with {_PREFIX}; was it copied whole?"
                )
            raise CannotReproduce(
                f"this blob was written by version {version} of the trace format and this everycase reads "
                f"version {VERSION}; run the test again with the seed instead"
            )
        try:
            data = json.loads(_unpacked(blob[len(_PREFIX) :], most))
        except (binascii.Error, zlib.error, ValueError) as problem:
            raise CannotReproduce(f"the blob is damaged ({problem}); was it copied whole?") from None
        except RecursionError:
            raise CannotReproduce(
                "the blob is damaged: its choices are nested deeper than any value"
            ) from None
        return Trace.from_json(data)

    def __repr__(self) -> str:
        return f"<Trace of {self.value!r}>" if self.clean else f"<partial Trace {self.to_json()}>"


def _unpacked(body: str, most: int) -> bytes:
    """The unpacked content of a blob; an error if it is more than ``most`` bytes, before they are
    unpacked."""
    packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    unpack = zlib.decompressobj()
    data = unpack.decompress(packed, most + 1)
    if len(data) > most:
        raise ValueError(f"it holds more than {most:,} bytes")
    if not unpack.eof:
        raise ValueError("its end is missing")
    if unpack.unused_data:
        raise ValueError("there is something after its end")
    return data


def integer(gen: Int, number: int) -> Trace[int]:
    """The trace of an integer that fits. There are many of these, so a generator may cache its few."""
    nodes: dict[int, Trace[int]] | None = gen._nodes
    if nodes is None:
        return Trace(number, (), gen, number)
    node = nodes.get(number)
    if node is None:
        node = nodes[number] = Trace(number, (), gen, number)
    return node


def repeatable(nodes: list[Trace[Any] | None]) -> list[Trace[Any] | None]:
    """The same nodes, to be used in another place: none of them is a draft any longer, nor are those
    below."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if node is not None and not node.clean:
            node.clean = False
            pending += node.children
    return nodes


def _leaf_to_json(node: Trace[Any]) -> Any:
    choice = node.choice
    if choice is None:
        # No children and no choice: an empty list, an empty build, or a constant.
        return []
    if isinstance(choice, float):
        return choice if math.isfinite(choice) else repr(choice)
    # Python refuses to print very long integers in decimal, so long ones are hexadecimal.
    return choice if -(2**63) <= choice < 2**63 else hex(choice)


def _leaf_from_json(item: Any) -> Choice:
    if isinstance(item, str):
        try:
            return float(item) if item in _NOT_FINITE else int(item, 16)
        except ValueError:
            pass
    if isinstance(item, int | float) and not isinstance(item, bool):
        return item
    raise CannotReproduce(f"a trace contains numbers, lists and choices, not {type(item).__name__}")


def _only_item(item: dict[str, Any]) -> tuple[int, Any]:
    try:
        ((key, child),) = item.items()
        return int(key), child
    except ValueError:
        raise CannotReproduce(
            f"the choice of an option is written {{number: trace}}, not with {len(item)} such pairs or other keys"
        ) from None


def sizes(trace: Trace[Any]) -> dict[int, int]:
    """The size of the value at every node of a trace, by the node's ``id``.

    A constructor application costs 1, a list its length and its elements, an integer or float without a small
    range the bits of its distance from the start of its order, and everything else nothing.
    """
    found: dict[int, int] = {}
    pending: list[tuple[Trace[Any], bool]] = [(trace, False)]
    while pending:
        node, done = pending.pop()
        if not done:
            pending.append((node, True))
            pending.extend((child, False) for child in node.children if child is not None)
            continue
        size = sum(found[id(child)] for child in node.children if child is not None)
        if isinstance(node.gen, Build):
            size += 1
        elif isinstance(node.gen, List):
            size += len(node.children)
        elif isinstance(node.gen, Int | Float):
            size += size_of_leaf(node.gen, node.choice)
        found[id(node)] = size
    return found
