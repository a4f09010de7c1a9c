"""The checker: gives every node a type and every name and call what it means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Final, cast

from crdkit.cel.ast import Call, Fold, Ident, ListLiteral, Literal, MapLiteral, Node, ObjectLiteral, Select
from crdkit.cel.checking.assignment import Substitutions, is_dyn, is_dyn_or_error, most_general, surely_differ
from crdkit.cel.declarations import Function, Overload
from crdkit.cel.source import Issue
from crdkit.cel.standard.messages import MESSAGES
from crdkit.cel.syntax.parser import Parsed
from crdkit.cel.types import (
    BOOL,
    DYN,
    ERROR,
    INT,
    Kind,
    MessageProvider,
    Type,
    TypeProvider,
    is_optional,
    list_of,
    map_of,
    optional_of,
    type_of_type,
)
from crdkit.cel.types import parameter as type_parameter
from crdkit.cel.values import Value, type_of
from crdkit.meta.records import record

OPTIONAL_SELECT: Final = "_?._"


@record(frozen=False)
class Checked:
    """A checked expression: its nodes (names resolved to whole ones), their types, what its calls may mean."""

    root: Node
    types: dict[int, Type]
    overloads: dict[int, list[Overload]] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)
    make: Callable[[str, Mapping[str, Value]], Value] | None = None
    """Makes messages of the provider's types, if it has any."""

    def type(self, node: Node) -> Type:
        """The type of a node."""
        return self.types[node.id]


@record
class Declarations:
    """What an expression may refer to."""

    functions: Mapping[str, Function]
    types: Mapping[str, Type]
    variables: Mapping[str, Type]
    provider: TypeProvider

    def global_name(self, name: str) -> Type | None:
        """The type of what a name means outside all folds: a variable, or the type of a type."""
        name = name.removeprefix(".")
        if (variable := self.variables.get(name)) is not None:
            return variable
        found = self.named_type(name)
        return None if found is None else type_of_type(found)

    def named_type(self, name: str) -> Type | None:
        """The type of that name."""
        return self.types.get(name) or self.provider.find_type(name)


def check(parsed: Parsed, declarations: Declarations) -> Checked:
    """Check an expression; what is wrong is among its issues."""
    return _Checker(declarations).run(parsed.root)


class _Checker:
    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        self._scopes: list[dict[str, Type]] = []
        self._known = Substitutions()
        self._types: dict[int, Type] = {}
        self._overloads: dict[int, list[Overload]] = {}
        self._issues: list[Issue] = []
        self._open = 0

    def run(self, root: Node) -> Checked:
        root = self._check(root)
        types = {node: self._known.resolve(type_, open_to_dyn=True) for node, type_ in self._types.items()}
        provider = self._declarations.provider
        make = cast("MessageProvider", provider).make if issubclass(type(provider), MessageProvider) else None
        return Checked(root, types, self._overloads, self._issues, make)

    # Nodes: each method sets the node's type and gives what it is replaced by.

    def _check(self, node: Node) -> Node:
        match node:
            case Ident():
                return self._ident(node)
            case Select():
                return self._select(node)
            case Call():
                self._call(node)
            case Literal():
                self._types[node.id] = type_of(node.value)
            case ListLiteral():
                self._list(node)
            case MapLiteral():
                self._map(node)
            case Fold():
                self._fold(node)
            case ObjectLiteral():
                self._object(node)
            case _:
                self._types[node.id] = ERROR
        return node

    def _ident(self, node: Ident) -> Node:
        found = self._resolve(node.name)
        if found is None:
            self._types[node.id] = ERROR
            self._undeclared(node, node.name)
            return node
        node.name, self._types[node.id] = found
        return node

    def _resolve(self, name: str) -> tuple[str, Type] | None:
        # the language means the dot to pass a fold's variables over, but the real checker finds them all the same
        plain = name.removeprefix(".")
        found = self._local(plain) or self._declarations.global_name(plain)
        return None if found is None else (plain, found)

    def _local(self, name: str) -> Type | None:
        for scope in reversed(self._scopes):
            if (found := scope.get(name)) is not None:
                return found
        return None

    def _select(self, node: Select) -> Node:
        if (names := _qualifiers(node)) is not None and self._local(names[0].removeprefix(".")) is None:
            name = ".".join(names)
            if (found := self._declarations.global_name(name)) is not None:
                self._types[node.id] = found
                return Ident(node.id, node.at, name.removeprefix("."))
        node.operand = self._check(node.operand)
        result = self._field(node, node.operand, node.field, optional=False)
        self._types[node.id] = BOOL if node.test else self._known.resolve(result)
        return node

    def _field(self, node: Node, operand: Node, name: str, *, optional: bool) -> Type:
        target = self._known.resolve(self._types[operand.id])
        if is_optional(target) and target.parameters:
            target, optional = target.parameters[0], True
        result = self._plain_field(node, target, name)
        return optional_of(result) if optional else result

    def _plain_field(self, node: Node, target: Type, name: str) -> Type:
        if target.kind is Kind.MAP:
            return target.parameters[1]
        if target.kind is Kind.OBJECT:
            return self._field_type(node, target.name, name)
        if target.kind is Kind.PARAMETER:
            self._assign(DYN, target)
        elif not is_dyn_or_error(target):
            self._say(node, f"type '{target}' does not support field selection")
        return DYN

    def _field_type(self, node: Node, type_name: str, name: str) -> Type:
        found = self._declarations.provider.find_field(type_name, name)
        if found is not None:
            return found
        if self._declarations.named_type(type_name) is None:
            self._say(node, f"unexpected failed resolution of '{type_name}'")
        else:
            self._say(node, f"undefined field '{name}'")
        return ERROR

    def _call(self, node: Call) -> None:
        if node.function == OPTIONAL_SELECT:
            self._optional_select(node)
            return
        node.arguments = [self._check(argument) for argument in node.arguments]
        if node.target is not None and (names := _qualifiers(node.target)) is not None:
            name = ".".join([*names, node.function])
            if (function := self._function(name)) is not None:
                node.target, node.function = None, function.name
                self._resolve_call(node, function)
                return
        if node.target is not None:
            node.target = self._check(node.target)
        function = self._function(node.function)
        if function is None:
            self._undeclared(node, node.function)
            self._types[node.id] = ERROR
            return
        node.function = function.name
        self._resolve_call(node, function)

    def _function(self, name: str) -> Function | None:
        return self._declarations.functions.get(name.removeprefix("."))

    def _optional_select(self, node: Call) -> None:
        operand, name = node.arguments
        operand = node.arguments[0] = self._check(operand)
        if not isinstance(name, Literal):
            self._say(name, f"unsupported optional field selection: {name}")
            return
        self._types[name.id] = type_of(name.value)
        self._types[node.id] = self._known.resolve(self._field(node, operand, name.value, optional=True))
        self._overloads[node.id] = self._declarations.functions[OPTIONAL_SELECT].overloads[:1]

    def _resolve_call(self, node: Call, function: Function) -> None:
        operands = node.operands()
        types = [self._types[operand.id] for operand in operands]
        if function.logical:
            self._logical(node, function, operands, types)
            return
        member, result = node.target is not None, None
        overloads: list[Overload] = []
        for overload in function.overloads:
            if overload.member is not member or (matched := self._match(overload, types)) is None:
                continue
            overloads.append(overload)
            if result is None:
                result = matched
            elif not is_dyn(result) and matched != result:
                result = DYN
        if result is None:
            self._no_overload(node, function.name, types)
            result = ERROR
        else:
            self._overloads[node.id] = overloads
        self._types[node.id] = result

    def _match(self, overload: Overload, types: Sequence[Type]) -> Type | None:
        """The type of the result if the overload takes such arguments."""
        if len(types) != len(overload.arguments) or surely_differ(types, overload.arguments):
            return None
        wanted, result = self._instantiate(overload)
        assigned = self._known.assign(types, wanted)
        if assigned is None:
            return None
        self._known = assigned
        return assigned.resolve(result)

    def _instantiate(self, overload: Overload) -> tuple[Sequence[Type], Type]:
        """The signature with parameters of its own."""
        names = _parameters((*overload.arguments, overload.result))
        if not names:
            return overload.arguments, overload.result
        fresh = Substitutions({name: self._fresh() for name in names})
        return [fresh.resolve(argument) for argument in overload.arguments], fresh.resolve(overload.result)

    def _logical(self, node: Call, function: Function, operands: Sequence[Node], types: Sequence[Type]) -> None:
        failed = False
        for operand, type_ in zip(operands, types, strict=True):
            if not self._assign(type_, BOOL):
                failed = True
                self._mismatch(operand, BOOL, type_)
        self._types[node.id] = ERROR if failed else BOOL
        self._overloads[node.id] = function.overloads

    def _no_overload(self, node: Call, name: str, types: Sequence[Type]) -> None:
        shown = [str(self._known.resolve(type_, open_to_dyn=True)) for type_ in types]
        text = f"({', '.join(shown)})" if node.target is None else f"{shown[0]}.({', '.join(shown[1:])})"
        self._say(node, f"found no matching overload for '{name}' applied to '{text}'")

    def _list(self, node: ListLiteral) -> None:
        joined: Type | None = None
        for index, unchecked in enumerate(node.elements):
            element = node.elements[index] = self._check(unchecked)
            type_ = self._types[element.id]
            if index in node.optional:
                type_ = self._unwrap(element, type_)
            joined = self._join(joined, type_)
        self._types[node.id] = list_of(self._fresh() if joined is None else joined)

    def _map(self, node: MapLiteral) -> None:
        keys: Type | None = None
        values: Type | None = None
        for entry in node.entries:
            entry.key = self._check(entry.key)
            keys = self._join(keys, self._types[entry.key.id])
            entry.value = self._check(entry.value)
            type_ = self._types[entry.value.id]
            if entry.optional:
                type_ = self._unwrap(entry.value, type_)
            values = self._join(values, type_)
        if keys is None or values is None:
            keys, values = self._fresh(), self._fresh()
        self._types[node.id] = map_of(keys, values)

    def _unwrap(self, node: Node, type_: Type) -> Type:
        if is_optional(type_) and type_.parameters:
            return type_.parameters[0]
        if not is_dyn(type_):
            self._mismatch(node, optional_of(type_), type_)
        return type_

    def _join(self, previous: Type | None, current: Type) -> Type:
        if previous is None:
            return current
        return most_general(previous, current) if self._assign(previous, current) else DYN

    def _object(self, node: ObjectLiteral) -> None:
        name = node.type_name.removeprefix(".")
        message = MESSAGES.get(name)
        found = self._declarations.named_type(name) if message is None else message.type
        if found is None:
            self._undeclared(node, node.type_name)
            self._types[node.id] = ERROR
            return
        node.type_name = name
        if message is None and found.kind is not Kind.OBJECT:
            self._say(node, f"'{found.name}' is not a message type")
            found = ERROR
        self._types[node.id] = found
        for initial in node.fields:
            initial.value = self._check(initial.value)
            wanted = ERROR if found is ERROR else self._initial_type(initial.at, name, initial.field)
            type_ = self._types[initial.value.id]
            if initial.optional:
                type_ = self._unwrap(initial.value, type_)
            if not self._assign(wanted, type_):
                text = f"expected type of field '{initial.field}' is '{wanted}' but provided type is '{type_}'"
                self._issues.append(Issue(initial.at, text))

    def _initial_type(self, at: int, type_name: str, name: str) -> Type:
        message = MESSAGES.get(type_name)
        found = self._declarations.provider.find_field(type_name, name) if message is None else message.fields.get(name)
        if found is None:
            self._issues.append(Issue(at, f"undefined field '{name}'"))
            return ERROR
        return found

    def _fold(self, node: Fold) -> None:
        node.range = self._check(node.range)
        node.init = self._check(node.init)
        accumulated = self._types[node.init.id]
        self._scopes.append({node.accumulator: accumulated})
        self._scopes.append(self._variables(node))
        node.condition = self._check(node.condition)
        self._expect(node.condition, BOOL)
        node.step = self._check(node.step)
        self._expect(node.step, accumulated)
        self._scopes.pop()
        node.result = self._check(node.result)
        self._scopes.pop()
        self._types[node.id] = self._known.resolve(self._types[node.result.id])

    def _variables(self, node: Fold) -> dict[str, Type]:
        over = self._known.resolve(self._types[node.range.id])
        if over.kind is Kind.LIST:
            first, second = (INT, over.parameters[0]) if node.second else (over.parameters[0], DYN)
        elif over.kind is Kind.MAP:
            first, second = over.parameters
        elif over.kind in (Kind.DYN, Kind.ERROR, Kind.PARAMETER):
            self._assign(DYN, over)
            first = second = DYN
        else:
            text = f"expression of type '{over}' cannot be range of a comprehension (must be list, map, or dynamic)"
            self._say(node.range, text)
            first = second = ERROR
        variables = {node.variable: first}
        if node.second:
            variables[node.second] = second
        return variables

    # Helpers.

    def _fresh(self) -> Type:
        fresh = type_parameter(f"_var{self._open}")
        self._open += 1
        return fresh

    def _assign(self, to: Type, type_: Type) -> bool:
        assigned = self._known.assign((to,), (type_,))
        if assigned is None:
            return False
        self._known = assigned
        return True

    def _expect(self, node: Node, wanted: Type) -> None:
        if not self._assign(wanted, self._types[node.id]):
            self._mismatch(node, wanted, self._types[node.id])

    def _mismatch(self, node: Node, wanted: Type, found: Type) -> None:
        self._say(node, f"expected type '{wanted}' but found '{found}'")

    def _undeclared(self, node: Node, name: str) -> None:
        self._say(node, f"undeclared reference to '{name}' (in container '')")

    def _say(self, node: Node, message: str) -> None:
        self._issues.append(Issue(node.at, message))


def _qualifiers(node: Node) -> list[str] | None:
    """The names of ``a.b.c``."""
    names: list[str] = []
    while isinstance(node, Select) and not node.test:
        names.append(node.field)
        node = node.operand
    if not isinstance(node, Ident):
        return None
    names.append(node.name)
    names.reverse()
    return names


def _parameters(types: Sequence[Type]) -> set[Type]:
    found: set[Type] = set()
    for type_ in types:
        if type_.kind is Kind.PARAMETER:
            found.add(type_)
        elif type_.parameters:
            found |= _parameters(type_.parameters)
    return found
