"""Nodes as text: every operator is shown as the call it is, so that precedence can be seen; and source text for nodes."""

from __future__ import annotations

from crdkit.cel.ast import Broken, Call, Entry, Fold, Ident, ListLiteral, Literal, MapLiteral, Node, ObjectLiteral, Select
from crdkit.cel.values import Uint

_BINARY = {
    "_+_": "+", "_-_": "-", "_*_": "*", "_/_": "/", "_%_": "%", "_==_": "==", "_!=_": "!=", "_<_": "<", "_<=_": "<=",
    "_>_": ">", "_>=_": ">=", "_&&_": "&&", "_||_": "||", "@in": "in",
}  # fmt: skip


def literal(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Uint):
        return f"{int(value)}u"
    if isinstance(value, bytes):
        return "b'" + "".join(f"\\x{byte:02x}" for byte in value) + "'"
    if isinstance(value, str):
        plain = all(char.isascii() and char.isprintable() and char not in "'\\" for char in value)
        return f"'{value}'" if plain else "'" + "".join(f"\\U{ord(char):08x}" for char in value) + "'"
    return repr(value)


def printed(node: Node) -> str:
    """The tree, in the form of calls."""
    match node:
        case Literal():
            return literal(node.value)
        case Ident():
            return node.name
        case Select():
            text = f"{printed(node.operand)}.{node.field}"
            return f"has({text})" if node.test else text
        case Call():
            arguments = ", ".join(map(printed, node.arguments))
            target = "" if node.target is None else f"{printed(node.target)}."
            return f"{target}{node.function}({arguments})"
        case ListLiteral():
            return f"[{', '.join(_optional(printed(e), i in node.optional) for i, e in enumerate(node.elements))}]"
        case MapLiteral():
            return f"{{{', '.join(_entry(entry) for entry in node.entries)}}}"
        case ObjectLiteral():
            fields = (_optional(f"{field.field}: {printed(field.value)}", field.optional) for field in node.fields)
            return f"{node.type_name}{{{', '.join(fields)}}}"
        case Fold():
            parts = ", ".join(map(printed, (node.range, node.init, node.condition, node.step, node.result)))
            return f"fold({node.variable}, {node.second}, {node.accumulator}, {parts})"
        case Broken():
            return "<broken>"


def _optional(text: str, optional: bool) -> str:
    return f"?{text}" if optional else text


def _entry(entry: Entry) -> str:
    return _optional(f"{printed(entry.key)}: {printed(entry.value)}", entry.optional)


def source(node: Node) -> str:
    """Text that parses to the node, with brackets around every operand."""
    match node:
        case Literal():
            return literal(node.value)
        case Ident():
            return node.name
        case Select():
            return f"({source(node.operand)}).{node.field}"
        case Call():
            return _call(node)
        case ListLiteral():
            return f"[{', '.join(_optional(source(e), i in node.optional) for i, e in enumerate(node.elements))}]"
        case MapLiteral():
            entries = (_optional(f"{source(e.key)}: {source(e.value)}", e.optional) for e in node.entries)
            return f"{{{', '.join(entries)}}}"
        case _:
            raise TypeError(node)


def _call(node: Call) -> str:
    arguments = [source(argument) for argument in node.arguments]
    if (symbol := _BINARY.get(node.function)) is not None:
        return f"({arguments[0]}) {symbol} ({arguments[1]})"
    match node.function:
        case "!_" | "-_":
            return f"{node.function[0]}({arguments[0]})"
        case "_?_:_":
            return f"({arguments[0]}) ? ({arguments[1]}) : ({arguments[2]})"
        case "_[_]":
            return f"({arguments[0]})[{arguments[1]}]"
        case "_[?_]":
            return f"({arguments[0]})[?{arguments[1]}]"
    target = "" if node.target is None else f"({source(node.target)})."
    return f"{target}{node.function}({', '.join(arguments)})"
