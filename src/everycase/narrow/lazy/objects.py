"""The stand-ins for class instances and tuples that are only partly decided.

A **face** stands in for an instance of a class: its ``__class__`` is the real class and it has all of its
methods, but it is not an instance and not a subclass (which would show up in ``__subclasses__`` and run
``__init_subclass__``). Its decided fields are in its ``__dict__``. An **undecided** object becomes a face in
place, by changing its own class, when its class is looked at, so all references to it see the decision. If a
class allows it, the object becomes a real instance of that class, which Python handles faster (see
:func:`becomes_itself`).
"""

from __future__ import annotations

import copy
import functools
import operator
import sys
import types
import typing
from abc import ABC
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from everycase.gen.records import is_generated
from everycase.narrow.trail import Again, Decisions


class Lazy:
    """The layout that all faces and undecided objects share, so that one can become another."""


dict_of: Callable[[Any], dict[str, Any]] = Lazy.__dict__["__dict__"].__get__
set_class: Callable[[Any, type], None] = object.__dict__["__class__"].__set__


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a half-decided object, as far as they exist."""
    own: dict[str, Any] = dict_of(value) if issubclass(type(value), Lazy) else value.__dict__
    return own


#: The attribute of faces of tuples that says whether unpacking them takes their fields, as it usually does.
UNPACKS = "everycase unpacks"

#: Makes the real value of a face; every lazy type has one.
Rebuild = Callable[[Any], Any]

#: What a face does not take over from its class.
_OWN = frozenset(
    {
        *("__dict__", "__weakref__", "__slots__", "__class__", "__qualname__", "__del__"),
        *(
            "__init__",
            "__new__",
            "__post_init__",
            "__init_subclass__",
            "__subclasshook__",
            "__class_getitem__",
        ),
        *("__setattr__", "__delattr__", "__getstate__", "__setstate__", "__reduce__", "__reduce_ex__"),
        *("__copy__", "__deepcopy__", "__getnewargs__", "__abstractmethods__", "_abc_impl"),
    }
)
_FOUNDATIONS = (object, ABC, typing.Generic, typing.Protocol, tuple)

#: What the undecided object has itself, whatever its classes define.
_BASIC = frozenset({"__class__", "__getattr__", "__eq__", "__hash__", "__repr__", "__str__"})


def class_members(cls: type) -> dict[str, Any]:
    """What instances find in their class, to be put into an unrelated class."""
    members: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base in _FOUNDATIONS:
            continue
        for name, member in vars(base).items():
            if name in _OWN or isinstance(member, types.MemberDescriptorType | types.GetSetDescriptorType):
                continue
            if isinstance(member, functools.cached_property):
                # Its cached value would outlive the decisions it was computed from.
                member = property(member.func)
            elif isinstance(member, classmethod):
                member = staticmethod(getattr(cls, name))
            members[name] = member
    return members


#: Attributes of a class that store nothing in its instances, among those used when an attribute is read.
_KEEPS_NOTHING = (
    *(types.FunctionType, types.GetSetDescriptorType, types.WrapperDescriptorType),
    *(property, classmethod, staticmethod),
)


#: Python accepts only a real number from these methods.
_NUMBERS = ("__int__", "__index__", "__hash__", "__length_hint__")


def becomes_itself(cls: type, names: Sequence[str]) -> bool:
    """Whether an undecided object can become an instance of ``cls`` itself, with its fields in the ``__dict__``.

    It must have one, and it must be immutable: a face reports changes as errors, and forgets what is stored
    in it. A face also decides the number that a user-defined method returns if it must be a real one.
    """
    if any(
        isinstance(made := getattr(cls, name, None), types.FunctionType) and not is_generated(made)
        for name in _NUMBERS
    ):
        return False
    for base in cls.__mro__:
        if base not in _FOUNDATIONS:
            for name, member in vars(base).items():
                kept = hasattr(type(member), "__get__") and not isinstance(member, _KEEPS_NOTHING)
                if kept or name == "__del__" or (name == "__dict__" and isinstance(member, property)):
                    return False
    probe = Lazy()
    try:
        set_class(probe, cls)
    except (
        TypeError
    ):  # its instances are laid out in another way, with slots of its own or of a base (Generic, ABC)
        return False
    return all(_is_fixed(probe, name) for name in (*names, "anything"))


def _is_fixed(value: Any, name: str) -> bool:
    try:
        setattr(value, name, None)
    except (AttributeError, TypeError):
        return True  # (TypeError from frozen dataclasses with slots, because of a bug in Python)
    return False


def make_face(
    cls: type, names: tuple[str, ...], fields: dict[str, Any], state: Decisions, rebuild: Rebuild
) -> type:
    """The class of the faces of ``cls``. ``fields`` are the descriptors of fields that are decided when read."""
    members = class_members(cls)
    # Attributes in the body of a class are told their name and class, and a descriptor must not take the face
    # for its class.
    told = {
        name
        for name, one in members.items()
        if hasattr(type(one), "__set_name__") and type(one) is not property
    }
    is_tuple = issubclass(cls, tuple)
    for name in names:
        members.pop(name, None)
    members.update(fields)
    members.update(_guards(cls, state, rebuild))
    members["__class__"] = cls
    for name in _NUMBERS:
        if isinstance(members.get(name), types.FunctionType):
            members[name] = _real_number(members[name])
    if is_tuple:
        members[UNPACKS] = not any(
            _is_users(members.get(name)) for name in ("__iter__", "__getitem__", "__len__")
        )
        usual = _tuple_members(names, rebuild, plain=cls is tuple)
        # Methods written by namedtuple need a real tuple; user-defined ones come first.
        members.update((name, one) for name, one in usual.items() if not _is_users(members.get(name)))
    members.update(_methods_of_models(cls, rebuild))
    members["__module__"] = cls.__module__
    members["__dict__"] = property(lambda self: _visible(self, names))
    added = {name: members.pop(name) for name in told - set(names)}
    base = types.new_class(
        f"lazy {cls.__name__}",
        (Lazy, Sequence) if is_tuple else (Lazy,),
        exec_body=lambda ns: ns.update(members),
    )
    for name, member in added.items():
        setattr(base, name, member)
    return base


def _methods_of_models(cls: type, rebuild: Rebuild) -> dict[str, Any]:
    """Methods of pydantic models (such as ``model_dump``) run on the real object, because they are not
    written in Python."""

    def of_real(name: str) -> Callable[..., Any]:
        return lambda self, *args, **named: getattr(rebuild(self), name)(*args, **named)

    return {
        name: of_real(name)
        for base in cls.__mro__
        if base.__module__ == "pydantic.main"
        for name, member in vars(base).items()
        if isinstance(member, types.FunctionType) and not name.startswith("_")
    }


def _real_number(method: Callable[[Any], Any]) -> Callable[[Any], int]:
    return lambda self: operator.index(method(self))


def _is_users(member: Any) -> bool:
    return isinstance(member, types.FunctionType) and member.__module__ != "collections"


def _visible(face: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """The result of ``vars``: the fields."""
    own = dict_of(face)
    return {**own, **{name: getattr(face, name) for name in names}}


def _guards(cls: type, state: Decisions, rebuild: Rebuild) -> dict[str, Any]:
    """Copies are those of the real value, and changes are errors."""

    def on_setattr(self: Any, name: str, value: Any) -> None:
        state.refuse(f"it sets the attribute {name} of a {cls.__name__}")

    def on_delattr(self: Any, name: str) -> None:
        state.refuse(f"it deletes the attribute {name} of a {cls.__name__}")

    def on_copy(self: Any) -> Any:
        return copy.copy(rebuild(self))

    def on_deepcopy(self: Any, memo: Any) -> Any:
        return copy.deepcopy(rebuild(self), memo)

    def on_reduce_ex(self: Any, protocol: Any) -> Any:
        return rebuild(self).__reduce_ex__(protocol)

    return {
        "__setattr__": on_setattr,
        "__delattr__": on_delattr,
        "__copy__": on_copy,
        "__deepcopy__": on_deepcopy,
        "__reduce_ex__": on_reduce_ex,
    }


def _tuple_members(names: tuple[str, ...], rebuild: Rebuild, *, plain: bool) -> dict[str, Any]:
    """The methods of tuples, by the names of the positions."""

    def on_len(self: Any) -> int:
        return len(names)

    def on_iter(self: Any) -> Iterator[Any]:
        for name in names:
            yield getattr(self, name)

    def on_getitem(self: Any, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple([getattr(self, name) for name in names[index]])
        return getattr(self, names[index])

    members: dict[str, Any] = {
        "__len__": on_len,
        "__iter__": on_iter,
        "__getitem__": on_getitem,
        "__repr__": lambda self: repr(rebuild(self)),
        "__hash__": lambda self: hash(tuple(self)),
        "__eq__": lambda self, other: _same_items(self, other, len(names), tuple),
        "__add__": lambda self, other: (
            tuple(self) + tuple(other) if isinstance(other, tuple) else NotImplemented
        ),
        "__radd__": lambda self, other: (
            tuple(other) + tuple(self) if isinstance(other, tuple) else NotImplemented
        ),
        "__mul__": lambda self, count: tuple(self) * count,
        "__rmul__": lambda self, count: tuple(self) * count,
    }
    for order in ("__lt__", "__le__", "__gt__", "__ge__"):
        members[order] = ordering(order, tuple)
    if plain:
        members["__match_args__"] = ()
    return members


def parts_to_unpack(value: Any, *read: bool) -> Any:
    """What a predicate unpacks. If it is a half-decided tuple of the right length, only the parts that are read
    later are looked at; anything else is unpacked as it is."""
    if (
        not issubclass(type(value), Lazy)
        or not getattr(type(value), UNPACKS, False)
        or len(value) != len(read)
    ):
        return value
    return [value[place] if is_read else None for place, is_read in enumerate(read)]


def _same_items(self: Any, other: Any, length: int, kind: Any) -> Any:
    if other is self:
        return True
    if not isinstance(other, kind):
        return NotImplemented
    if len(other) != length:
        return False
    return all(a is b or a == b for a, b in zip(self, other))


def ordering(name: str, kind: Any) -> Callable[[Any, Any], Any]:
    def compare(self: Any, other: Any) -> Any:
        if not isinstance(other, kind):
            return NotImplemented
        return getattr(kind(self), name)(kind(other))

    return compare


def make_undecided(
    name: str,
    classes: Sequence[type],
    special: set[str],
    decide: Callable[[Any], type],
    state: Decisions,
    rebuild: Rebuild,
) -> type:
    """The class of objects that are an instance of one of ``classes``, which have these ``special`` methods;
    ``decide`` turns them into one, or into a face of one."""

    def ensure_decided(hole: Any) -> None:
        """Decide an object, unless it was decided after the called method was looked up."""
        if type(hole) is made:
            decide(hole)

    def on_getattr(self: Any, attribute: str) -> Any:
        decide(self)
        return getattr(self, attribute)

    def on_eq(self: Any, other: Any) -> Any:
        # Also with itself: the decided object says whether it is equal, and looks at the same parts next
        # time.
        ensure_decided(self)
        return getattr(type(self), "__eq__")(self, other)  # noqa: B009 (mypy knows another one)

    def on_hash(self: Any) -> int:
        ensure_decided(self)
        return hash(self)

    def on_repr(self: Any) -> str:
        ensure_decided(self)
        return repr(self)

    def on_str(self: Any) -> str:
        ensure_decided(self)
        return str(self)

    def on_setattr(self: Any, attribute: str, value: Any) -> None:
        ensure_decided(self)
        setattr(self, attribute, value)

    def on_bool(self: Any) -> bool:
        ensure_decided(self)
        return bool(self)

    def on_dir(self: Any) -> Any:
        ensure_decided(self)
        return dir(self)

    members: dict[str, Any] = {
        "__class__": property(decide),
        "__getattr__": on_getattr,
        "__eq__": on_eq,
        "__hash__": on_hash,
        "__repr__": on_repr,
        "__str__": on_str,
        "__setattr__": on_setattr,
        "__dir__": on_dir,
        **_copies(decide, state, rebuild),
        "__dict__": property(lambda self: (decide(self), self.__dict__)[1]),
    }
    if all(hasattr(cls, "__dataclass_fields__") for cls in classes):
        # ``is_dataclass`` and ``asdict`` ask the type, ``fields`` the object.
        members["__dataclass_fields__"] = property(lambda self: decide(self).__dataclass_fields__)  # type: ignore[attr-defined]
    if special & {"__bool__", "__len__"}:
        members["__bool__"] = on_bool
    for member in sorted(special - _BASIC - members.keys()):
        members[member] = _forcing(member, ensure_decided)
    made = types.new_class(name, (Lazy,), exec_body=lambda namespace: namespace.update(members))
    return made


def _copies(decide: Callable[[Any], type], state: Decisions, rebuild: Rebuild) -> dict[str, Any]:
    """Copies of an undecided object are those of the real value."""

    def on_deepcopy(self: Any, memo: Any) -> Any:
        # ``dataclasses.asdict`` copies objects that it does not take for a dataclass: make it look again.
        caller = sys._getframe(2).f_globals.get("__name__")
        if caller == "dataclasses":
            decide(self)
            state.again = True
            raise Again
        return copy.deepcopy(rebuild(self), memo)

    def on_copy(self: Any) -> Any:
        return copy.copy(rebuild(self))

    def on_reduce_ex(self: Any, protocol: Any) -> Any:
        return rebuild(self).__reduce_ex__(protocol)

    return {"__copy__": on_copy, "__deepcopy__": on_deepcopy, "__reduce_ex__": on_reduce_ex}


def special_methods(cls: type) -> set[str]:
    """The methods of a class that Python looks up in the type."""
    names = class_members(cls)
    return {name for name in names if name.startswith("__") and name.endswith("__")} - _NOT_METHODS


_NOT_METHODS = frozenset(
    {
        *("__doc__", "__module__", "__annotations__", "__match_args__", "__orig_bases__", "__parameters__"),
        *(
            "__dataclass_fields__",
            "__dataclass_params__",
            "__replace__",
            "__getattribute__",
            "__type_params__",
        ),
        *(
            "__attrs_attrs__",
            "__attrs_own_setattr__",
            "__attrs_props__",
            "__static_attributes__",
            "__firstlineno__",
        ),
    }
)


#: What Python can do by other methods, or handles itself; all others with arguments are operators.
_DONE_BY: dict[str, Callable[..., Any]] = {
    "__contains__": operator.contains,
    "__getitem__": operator.getitem,
    "__call__": operator.call,
    "__iter__": iter,
}


def _forcing(name: str, ensure_decided: Callable[[Any], None]) -> Callable[..., Any]:
    """A special method that decides the object and delegates to the result."""

    def method(self: Any, *args: Any, **named: Any) -> Any:
        ensure_decided(self)
        own = getattr(type(self), name, None)
        if own is not None:
            return own(self, *args, **named)
        if name in _DONE_BY:
            return _DONE_BY[name](self, *args, **named)
        if args:
            return NotImplemented
        raise TypeError(f"{self.__class__.__name__!r} object has no {name}")

    return method
