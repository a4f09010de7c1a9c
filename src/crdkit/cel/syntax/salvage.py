"""Makes nodes of the tree of a text that does not parse: what is wrong with the sound parts is told as well."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from crdkit.cel.ast import Entry, FieldValue, MapLiteral, Node, ObjectLiteral, Select
from crdkit.cel.source import BEFORE
from crdkit.cel.syntax import literals
from crdkit.cel.syntax.builder import MAX_DEPTH, Builder, TooDeep
from crdkit.cel.syntax.tokens import PRODUCTS, RELATIONS, SUMS, Kind, Token

_OPERATORS: Final = RELATIONS | SUMS | PRODUCTS
_PASSED: Final = {"start": "e", "expr": "e", "or": "e", "and": "e", "relation": "calc", "calc": "calc", "member": "member",
                  "primary member": "primary", "nested": "e", "literal": "literal"}  # fmt: skip
_COUNTED: Final = frozenset({"expr", "relation", "calc", "select", "member call", "index"})


@dataclass(slots=True, eq=False)
class Tree:
    """What was made out of one rule: tokens and lists of trees by role, any of which may be missing."""

    name: str
    start: Token
    parts: dict[str, list[Tree]] = field(default_factory=dict)
    op: Token | None = None
    opt: Token | None = None
    id: Token | None = None
    dot: Token | None = None
    open: Token | None = None
    ops: list[Token] = field(default_factory=list)
    cols: list[Token] = field(default_factory=list)
    ids: list[Token] = field(default_factory=list)

    def add(self, role: str, tree: Tree) -> None:
        """Add a part."""
        self.parts.setdefault(role, []).append(tree)

    def become(self, name: str) -> None:
        """Tell which alternative of its rule it is."""
        self.name = name

    def left(self, tree: Tree) -> None:
        """The first operand of a chain of operators."""
        self.add("calc", tree)

    def grow(self, name: str, op: Token) -> None:
        """Become the operand of an operator (or of a suffix) that comes behind it."""
        below = Tree(self.name, self.start, self.parts, self.op, self.opt, self.id, self.dot, self.open, self.ops)
        self.name, self.parts, self.op, self.opt = name, {"operand": [below]}, op, None
        self.id = self.dot = self.open = None
        self.ops = []

    def part(self, role: str, index: int = 0) -> Tree | None:
        """A part, if it is there."""
        parts = self.parts.get(role, ())
        return parts[index] if index < len(parts) else None


class Salvage:
    """Visits a tree as the real server's parser does."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._depth = 0

    def visit(self, tree: Tree | None) -> Node:
        """The node of a tree. Raises `TooDeep`."""
        while tree is not None and tree.op is None and not tree.ops and (role := _PASSED.get(tree.name)):
            tree = tree.part(role)
        if tree is None:
            return self._builder.broken()
        if tree.name not in _COUNTED:
            return self._make(tree)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            msg = "max recursion depth exceeded"
            raise TooDeep(msg)
        node = self._make(tree)
        self._depth -= 1
        return node

    def _make(self, tree: Tree) -> Node:
        match tree.name:
            case "expr":
                parts = [self.visit(tree.part(role)) for role in ("e", "e1", "e2")]
                return self._builder.call(_at(tree.op), "_?_:_", None, parts)
            case "or" | "and":
                return self._chain(tree)
            case "relation" | "calc":
                return self._binary(tree)
            case "unary":
                return self._builder.literal(tree.start.at, "<<error>>")
            case "not":
                return self._prefixed(tree, "!_")
            case "negate":
                return self._prefixed(tree, "-_")
            case "select":
                return self._select(tree)
            case "member call":
                return self._member_call(tree)
            case "index":
                return self._index(tree)
            case _:
                return self._primary(tree)

    def _primary(self, tree: Tree) -> Node:
        match tree.name:
            case "ident":
                return self._ident(tree)
            case "global call":
                return self._global_call(tree)
            case "list":
                return self._list(tree)
            case "map":
                return MapLiteral(self._builder.ids.next(), _at(tree.op), self._entries(tree.part("entries")))
            case "object":
                return self._object(tree)
            case "constant":
                return self._constant(tree)
            case _:
                return self._builder.broken()

    def _chain(self, tree: Tree) -> Node:
        terms = [self.visit(tree.part("e")), *[self.visit(part) for part in tree.parts.get("e1", ())]]
        operators = [token.at for token in tree.ops][: len(terms) - 1]
        return self._builder.balanced("_||_" if tree.name == "or" else "_&&_", terms, operators)

    def _binary(self, tree: Tree) -> Node:
        assert tree.op is not None
        left = self.visit(tree.part("operand"))
        right = self.visit(tree.part("right"))
        return self._builder.call(tree.op.at, _OPERATORS[tree.op.kind], None, [left, right])

    def _prefixed(self, tree: Tree, function: str) -> Node:
        node = self.visit(tree.part("member"))
        return self._builder.call(_at(tree.ops[0]), function, None, [node]) if len(tree.ops) % 2 else node

    def _select(self, tree: Tree) -> Node:
        operand = self.visit(tree.part("operand"))
        name = tree.part("id")
        if name is None:
            return self._builder.broken(tree.start.at)
        text = self._name(name)
        if tree.opt is not None:
            return self._builder.call(_at(tree.op), "_?._", None, [operand, self._builder.literal(name.start.at, text)])
        return Select(self._builder.ids.next(), _at(tree.op), operand, text)

    def _name(self, tree: Tree) -> str:
        if tree.id is None:
            self._builder.refuse(tree.start.at, "unsupported ident kind")
            return ""
        if tree.id.kind is Kind.ESCAPED:
            self._builder.refuse(tree.start.at, "unsupported syntax: '`'")
        return tree.id.text

    def _member_call(self, tree: Tree) -> Node:
        target = self.visit(tree.part("operand"))
        if tree.id is None:
            return self._builder.broken(tree.start.at)
        return self._builder.call(_at(tree.open), tree.id.text, target, self._arguments(tree))

    def _arguments(self, tree: Tree) -> list[Node]:
        arguments = tree.part("args")
        return [] if arguments is None else [self.visit(part) for part in arguments.parts.get("e", ())]

    def _index(self, tree: Tree) -> Node:
        operand = self.visit(tree.part("operand"))
        index = self.visit(tree.part("index"))
        return self._builder.call(_at(tree.op), "_[_]" if tree.opt is None else "_[?_]", None, [operand, index])

    def _ident(self, tree: Tree) -> Node:
        if tree.id is None:
            return self._builder.broken(tree.start.at)
        return self._builder.ident(tree.id.at, tree.id.text, start=tree.start.at, dot="." if tree.dot else "")

    def _global_call(self, tree: Tree) -> Node:
        if tree.id is None:
            return self._builder.broken(tree.start.at)
        if self._builder.reserved(tree.id.text):
            return self._builder.refuse(tree.start.at, f"reserved identifier: {tree.id.text}")
        name = ("." if tree.dot else "") + tree.id.text
        return self._builder.call(_at(tree.open), name, None, self._arguments(tree))

    def _list(self, tree: Tree) -> Node:
        entries = tree.part("entries")
        elements = [] if entries is None else entries.parts.get("elems", [])
        nodes = [self.visit(element.part("e")) for element in elements]
        optional = frozenset(index for index, element in enumerate(elements) if element.opt)
        return self._builder.list_literal(_at(tree.op), nodes, optional)

    def _entries(self, tree: Tree | None) -> list[Entry]:
        entries: list[Entry] = []
        for index, colon in enumerate([] if tree is None else tree.cols):
            assert tree is not None
            key, value = tree.part("keys", index), tree.part("values", index)
            if key is None or value is None:
                return []
            nodes = self.visit(key.part("e")), self.visit(value)
            entries.append(Entry(self._builder.ids.next(), colon.at, *nodes, key.opt is not None))
        return entries

    def _object(self, tree: Tree) -> Node:
        name = ("." if tree.dot else "") + ".".join(token.text for token in tree.ids)
        fields: list[FieldValue] = []
        entries = tree.part("entries")
        for index, part in enumerate([] if entries is None else entries.parts.get("fields", [])):
            assert entries is not None
            value = entries.part("values", index)
            if index >= len(entries.cols) or value is None:
                fields = []
                break
            if (named := part.part("id")) is not None:
                text = self._name(named)
                colon = entries.cols[index].at
                fields.append(FieldValue(self._builder.ids.next(), colon, text, self.visit(value), part.opt is not None))
        return ObjectLiteral(self._builder.ids.next(), _at(tree.op), name, fields)

    def _constant(self, tree: Tree) -> Node:
        token, sign, builder = tree.id, "-" if tree.op else "", self._builder
        at = tree.start.at
        match None if token is None else token.kind:
            case Kind.INT:
                return builder.number(at, literals.integer, _text(token), sign)
            case Kind.FLOAT:
                return builder.number(at, literals.double, _text(token), sign)
            case Kind.UINT:
                return builder.unsigned(at, _text(token))
            case Kind.STRING:
                return builder.string(at, _text(token))
            case Kind.BYTES:
                return builder.byte_string(at, _text(token))
            case Kind.NULL:
                return builder.literal(at, None)
            case Kind.TRUE | Kind.FALSE:
                return builder.literal(at, _text(token) == "true")
        return builder.broken()


def _at(token: Token | None) -> int:
    return BEFORE if token is None else token.at


def _text(token: Token | None) -> str:
    return "" if token is None else token.text
