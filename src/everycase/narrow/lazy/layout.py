"""Which constructors can be half decided, and where their parts go.

An instance can stand half decided if making it does nothing but keep its arguments, and refuse some: dataclasses, attrs
classes and NamedTuples whose ``__init__`` is the generated one, plain classes whose ``__init__`` only assigns, and models
of pydantic that only check what they are given.
Everything else is made whole (see :mod:`everycase.narrow.lazy.whole`).
"""

from __future__ import annotations

import ast
import inspect
import random as stdlib_random
import sys
from abc import ABC
from collections.abc import Callable
from types import FunctionType, MemberDescriptorType
from typing import Any, Generic, Protocol

from everycase.choices.assumptions import making_values
from everycase.choices.sample import sampler
from everycase.gen.building import parameter_attributes
from everycase.gen.kinds import Build
from everycase.gen.records import NO_DEFAULT, RecordField, is_generated, is_named_tuple, record_of
from everycase.gen.sources import code_of, is_same_code, tree_of
from everycase.narrow.effects import Doubt, Effects

_HEAP_TYPE = 1 << 9
VARARGS, VARKEYWORDS = inspect.CO_VARARGS, inspect.CO_VARKEYWORDS
_FOUNDATIONS = (object, ABC, Generic, Protocol)


class FieldLayout:
    """Where the parts of a constructor are kept: an attribute for each, and what is set besides."""

    __slots__ = ("cls", "defaults", "names")

    def __init__(
        self, cls: type, names: tuple[str, ...], defaults: tuple[tuple[str, Callable[[], Any]], ...] = ()
    ) -> None:
        self.cls = cls
        self.names = names
        self.defaults = defaults

    @property
    def attributes(self) -> list[str]:
        """All that instances have."""
        return [*self.names, *[name for name, _ in self.defaults]]


def layout_of(build: Build[Any]) -> FieldLayout | None:
    """How instances can stand half decided; None if they cannot."""
    if build.constructs is tuple:
        return FieldLayout(tuple, tuple(f"_{i}" for i in range(len(build.parts))))
    cls = build.make
    if not isinstance(cls, type) or _metaclass_call(cls) is not type.__call__:
        return None
    if is_named_tuple(cls):
        return _named_tuple(cls, build)
    pydantic = sys.modules.get("pydantic")
    if pydantic is not None and issubclass(cls, getattr(pydantic, "BaseModel", ())):
        return _pydantic(cls, build, pydantic)
    foreign = [base for base in cls.__mro__ if base not in _FOUNDATIONS and not base.__flags__ & _HEAP_TYPE]
    makes: Any = cls.__new__
    if foreign or makes is not object.__new__ or "__getattribute__" in _defined(cls):
        return None
    if _sets_attributes(cls):
        return None
    writes: Any = cls.__init__  # type: ignore[misc]
    if isinstance(writes, FunctionType) and not is_generated(writes):
        return _plain(cls, build)
    if not _is_generated_init(cls):
        return None
    attributes = parameter_attributes(cls)
    if attributes is None:
        return None
    given = _parameters(cls, build)
    if given is None or not set(given) <= set(attributes):
        return None
    names = tuple(attributes[name] for name in given)
    if any(_is_set_otherwise(cls, name) for name in attributes.values()):
        return None
    return _with_defaults(cls, names)


def _metaclass_call(cls: Any) -> Any:
    return type(cls).__call__


def _defined(cls: type) -> set[str]:
    return {name for base in cls.__mro__ if base is not object for name in vars(base)}


def _is_generated_init(cls: type) -> bool:
    """Whether ``__init__`` was written by dataclasses or attrs and runs nothing of the user's."""
    if not is_generated(cls.__init__):  # type: ignore[misc]
        return False
    if "__attrs_pre_init__" in _defined(cls):
        return False
    return all(
        _only_checks(getattr(cls, name))
        for name in ("__post_init__", "__attrs_post_init__")
        if name in _defined(cls)
    )


def _only_checks(function: Any) -> bool:
    """Whether a function of the user's that completes instances sets nothing, so that it can only refuse them."""
    tree = tree_of(function)
    if not isinstance(tree, ast.FunctionDef) or len(tree.args.args) != 1:
        return False
    effects = Effects()
    try:
        effects.of_statements(tree.body, function)
    except Doubt:
        return False
    return is_same_code(code_of(tree.args, tree.body, function), function.__code__)


def _plain(cls: type, build: Build[Any]) -> FieldLayout | None:
    """A class whose ``__init__`` was written by hand and does nothing but keep its arguments."""
    written: Any = cls.__init__  # type: ignore[misc]
    tree = tree_of(written)
    if not isinstance(tree, ast.FunctionDef) or written.__code__.co_flags & (VARARGS | VARKEYWORDS):
        return None
    if not is_same_code(code_of(tree.args, tree.body, written), written.__code__):
        return None
    given = _parameters(cls, build)
    every = [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
    if given is None or not every:
        return None
    own, parameters = every[0].arg, [arg.arg for arg in every[1:]]
    kept: dict[str, str] = {}
    constants: list[tuple[str, Callable[[], Any]]] = []
    for statement in tree.body:
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)], value=value)
                | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=owner), attr=name), value=value)
            ) if owner == own:
                match value:
                    case ast.Name(id=parameter) if parameter in parameters and parameter not in kept:
                        kept[parameter] = name
                    case ast.Constant(value=constant):
                        constants.append((name, _always(constant)))
                    case _:
                        return None
            case _:
                return None
    names = [*kept.values(), *[name for name, _ in constants]]
    if set(kept) != set(parameters) or len(set(names)) < len(names) or not set(given) <= set(kept):
        return None
    if any(_is_set_otherwise(cls, name) for name in names):
        return None
    signature = inspect.signature(cls)
    for parameter in parameters:
        if parameter not in given:
            constants.append((kept[parameter], _always(signature.parameters[parameter].default)))
    return FieldLayout(cls, tuple(kept[name] for name in given), tuple(constants))


def _sets_attributes(cls: type) -> bool:
    """Whether a ``__setattr__`` of the user's decides what becomes of the arguments."""
    found: Any = cls.__setattr__
    return not (
        found is object.__setattr__
        or is_generated(found)
        or getattr(found, "__module__", "").startswith(("attr.", "attrs."))
    )


def _is_set_otherwise(cls: type, name: str) -> bool:
    """Whether a field is a property or another descriptor, which may keep something else than it is given."""
    found = inspect.getattr_static(cls, name, None)
    return hasattr(type(found), "__set__") and not isinstance(found, MemberDescriptorType)


def _parameters(cls: type, build: Build[Any]) -> list[str] | None:
    """The parameters that the parts are passed to."""
    positional = len(build.parts) - len(build.names)
    if positional == 0:
        return list(build.names)
    parameters = list(inspect.signature(cls).parameters.values())
    if any(p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters[:positional]):
        return None
    return [p.name for p in parameters[:positional]] + list(build.names)


def _named_tuple(cls: Any, build: Build[Any]) -> FieldLayout | None:
    code = getattr(cls.__new__, "__code__", None)
    if code is None or not (code.co_filename.startswith("<string>") or code.co_filename.startswith("<")):
        return None
    if "__init__" in _defined(cls) - set(dir(tuple)) or cls.__init__ is not tuple.__init__:
        return None
    given = _parameters(cls, build)
    return None if given is None or tuple(given) != cls._fields else FieldLayout(cls, cls._fields)


def _with_defaults(cls: type, names: tuple[str, ...]) -> FieldLayout | None:
    """The layout of a class whose ``__init__`` was made from its fields, of which these are given."""
    record = record_of(cls)
    defaults: list[tuple[str, Callable[[], Any]]] = []
    for field in record.fields if record is not None else ():
        if field.converter is not None or not _is_plain_validator(field.validator):
            return None
        if field.attribute in names:
            continue
        if field.factory_takes_self:
            return None
        default = _default_of(field)
        if default is not None:
            defaults.append((field.attribute, default))
    return FieldLayout(cls, names, tuple(defaults))


def _default_of(field: RecordField) -> Callable[[], Any] | None:
    if field.factory is not None:
        return field.factory
    return None if field.default is NO_DEFAULT else _always(field.default)


def _is_plain_validator(validator: Any) -> bool:
    """Whether a validator of attrs can only refuse a value: there is none, or it is one of attrs' own."""
    return validator is None or type(validator).__module__.startswith(("attr.", "attrs."))


#: Options of a model under which it may keep something else than it is given.
_CHANGING_OPTIONS = ("str_strip_whitespace", "str_to_lower", "str_to_upper", "use_enum_values")
#: How many models are made to see whether they keep what they are given.
PROBES = 8


def _pydantic(cls: Any, build: Build[Any], pydantic: Any) -> FieldLayout | None:
    """A model of pydantic (from version 2 on) that runs nothing of the user's and keeps what it is given.

    Real values are made by the constructor, which checks them; half-decided ones are not checked.
    """
    base = pydantic.BaseModel
    fields = getattr(cls, "__pydantic_fields__", None) or getattr(cls, "model_fields", None)
    decorators = getattr(cls, "__pydantic_decorators__", None)
    if not fields or decorators is None or issubclass(cls, pydantic.RootModel):
        return None
    if any(
        getattr(cls, name) is not getattr(base, name)
        for name in (
            "__init__",
            "__new__",
            "__setattr__",
            "__getattr__",
            "__getattribute__",
            "model_post_init",
        )
    ):
        return None
    validators = ("validators", "field_validators", "root_validators", "model_validators")
    if cls.__private_attributes__ or any(getattr(decorators, name) for name in validators):
        return None
    options = cls.model_config
    if options.get("extra") == "allow" or any(options.get(name) for name in _CHANGING_OPTIONS):
        return None
    if any(field.alias or field.validation_alias for field in fields.values()):
        return None
    if len(build.names) < len(build.parts) or not set(build.names) <= set(fields) or not _keeps(build):
        return None
    defaults: list[tuple[str, Callable[[], Any]]] = []
    for name, field in fields.items():
        if name not in build.names:
            if field.is_required() or field.default_factory is not None:
                return None
            defaults.append((name, _always(field.default)))
    return FieldLayout(cls, tuple(build.names), tuple(defaults))


def _keeps(build: Build[Any]) -> bool:
    """Whether models keep what they are given, as it is: a number stays a number of the same type."""
    random = stdlib_random.Random("everycase models").random
    rolls = [sampler(part) for part in build.parts]
    with making_values():
        for number in range(PROBES):
            try:
                parts = [roll(random, 2 * number) for roll in rolls]
                made = build.make(**dict(zip(build.names, parts)))
            except Exception:
                return False
            for name, part in zip(build.names, parts):
                kept = getattr(made, name)
                if type(kept) is not type(part) or kept != part:
                    return False
    return True


def _always(value: Any) -> Callable[[], Any]:
    return lambda: value
