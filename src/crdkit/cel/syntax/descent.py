"""Recursive descent over tokens that are known to be in order, or not at all."""

from __future__ import annotations

from typing import Final

from crdkit.cel.ast import Entry, FieldValue, MapLiteral, Node, ObjectLiteral, Select
from crdkit.cel.syntax import literals
from crdkit.cel.syntax.builder import MAX_DEPTH, Builder, TooDeep
from crdkit.cel.syntax.tokens import PRODUCTS, RELATIONS, SUMS, Kind, Token

_NUMBERS: Final = (Kind.INT, Kind.FLOAT)
_LITERALS: Final = frozenset({Kind.MINUS, Kind.INT, Kind.FLOAT, Kind.UINT, Kind.STRING, Kind.BYTES, Kind.TRUE, Kind.FALSE, Kind.NULL})


class Unfit(Exception):
    """The tokens do not fit the grammar."""


class Descent:
    """One method per rule of the grammar; ``_height`` is that of the tree under the rule parsed last."""

    __slots__ = ("_builder", "_calcs", "_expressions", "_height", "_index", "_relations", "_token", "_tokens")

    def __init__(self, tokens: list[Token], builder: Builder) -> None:
        self._tokens = tokens
        self._builder = builder
        self._index = 0
        self._token = tokens[0]
        self._height = 0
        self._expressions = 0
        self._relations = 0
        self._calcs = 0

    def start(self) -> Node:
        """A whole expression. Raises `Unfit` and `TooDeep`."""
        root = self._expression()
        if self._token.kind is not Kind.EOF:
            raise Unfit
        if self._height > MAX_DEPTH:
            msg = "max recursion depth exceeded"
            raise TooDeep(msg)
        return root

    def _next(self) -> Token:
        token = self._token
        self._index += 1
        self._token = self._tokens[self._index]
        return token

    def _expect(self, kind: Kind) -> Token:
        if self._token.kind is not kind:
            raise Unfit
        return self._next()

    def _take(self, kind: Kind) -> bool:
        if self._token.kind is not kind:
            return False
        self._next()
        return True

    def _another(self, closing: Kind) -> bool:
        """Whether a comma is there, now passed, and not as the last thing before the closing bracket."""
        if self._token.kind is not Kind.COMMA or self._peek(1) is closing:
            return False
        self._next()
        if self._token.kind is Kind.COMMA:
            raise Unfit
        return True

    def _peek(self, ahead: int) -> Kind:
        index = self._index + ahead
        return self._tokens[index].kind if index < len(self._tokens) else Kind.EOF

    def _expression(self) -> Node:
        self._expressions += 1
        _check_depth(self._expressions)
        node = self._or()
        if self._token.kind is Kind.QUESTION:
            at, height = self._next().at, self._height
            yes = self._or()
            height = max(height, self._height)
            self._expect(Kind.COLON)
            no = self._expression()
            self._height = max(height, self._height) + 1
            node = self._builder.call(at, "_?_:_", None, [node, yes, no])
        self._expressions -= 1
        return node

    def _or(self) -> Node:
        node = self._and()
        if self._token.kind is not Kind.OR:
            return node
        terms, operators, height = [node], [], self._height
        while self._token.kind is Kind.OR:
            operators.append(self._next().at)
            terms.append(self._and())
            height = max(height, self._height)
        self._height = height
        return self._builder.balanced("_||_", terms, operators)

    def _and(self) -> Node:
        node = self._relation()
        if self._token.kind is not Kind.AND:
            return node
        terms, operators, height = [node], [], self._height
        while self._token.kind is Kind.AND:
            operators.append(self._next().at)
            terms.append(self._relation())
            height = max(height, self._height)
        self._height = height
        return self._builder.balanced("_&&_", terms, operators)

    def _relation(self) -> Node:
        self._relations += 1
        _check_depth(self._relations)
        node = self._calc(0)
        while (function := RELATIONS.get(self._token.kind)) is not None:
            at, height = self._next().at, self._height
            self._relations += 1
            _check_depth(self._relations)
            right = self._calc(0)
            self._relations -= 1
            self._height = max(height, self._height) + 1
            node = self._builder.call(at, function, None, [node, right])
        self._relations -= 1
        return node

    def _calc(self, precedence: int) -> Node:
        self._calcs += 1
        _check_depth(self._calcs)
        node = self._unary()
        while True:
            kind = self._token.kind
            if (function := PRODUCTS.get(kind)) is not None and precedence <= 2:
                below = 3
            elif (function := SUMS.get(kind)) is not None and precedence <= 1:
                below = 2
            else:
                break
            at, height = self._next().at, self._height
            right = self._calc(below)
            self._height = max(height, self._height) + 1
            node = self._builder.call(at, function, None, [node, right])
        self._calcs -= 1
        return node

    def _unary(self) -> Node:
        kind = self._token.kind
        if kind is Kind.EXCLAM:
            return self._prefixed(kind, "!_")
        if kind is Kind.MINUS and self._peek(1) not in _NUMBERS:
            return self._prefixed(kind, "-_")
        return self._member()

    def _prefixed(self, kind: Kind, function: str) -> Node:
        at, count = self._token.at, 0
        while self._take(kind):
            count += 1
        node = self._member()
        return self._builder.call(at, function, None, [node]) if count % 2 else node

    def _member(self) -> Node:
        node = self._primary()
        while True:
            kind = self._token.kind
            if kind is Kind.DOT:
                node = self._dotted(node)
            elif kind is Kind.LBRACKET:
                node = self._indexed(node)
            else:
                return node

    def _dotted(self, target: Node) -> Node:
        dot, height = self._next(), self._height
        optional = self._take(Kind.QUESTION)
        name = self._next() if self._token.kind is Kind.ESCAPED else self._expect(Kind.IDENTIFIER)
        if name.kind is Kind.ESCAPED:
            self._builder.refuse(name.at, "unsupported syntax: '`'")
        elif not optional and self._token.kind is Kind.LPAREN:
            at = self._token.at
            arguments = self._arguments()
            self._height = max(height, self._height) + 1
            return self._builder.call(at, name.text, target, arguments)
        self._height = height + 1
        if optional:
            field = self._builder.literal(name.at, name.text)
            return self._builder.call(dot.at, "_?._", None, [target, field])
        return Select(self._builder.ids.next(), dot.at, target, name.text)

    def _indexed(self, target: Node) -> Node:
        at, height = self._next().at, self._height
        optional = self._take(Kind.QUESTION)
        index = self._expression()
        self._expect(Kind.RBRACKET)
        self._height = max(height, self._height) + 1
        return self._builder.call(at, "_[?_]" if optional else "_[_]", None, [target, index])

    def _arguments(self) -> list[Node]:
        """From ``(`` to ``)``."""
        self._next()
        self._height = height = 0
        arguments: list[Node] = []
        if self._token.kind is not Kind.RPAREN:
            arguments.append(self._expression())
            height = self._height
            while self._take(Kind.COMMA):
                arguments.append(self._expression())
                height = max(height, self._height)
        self._expect(Kind.RPAREN)
        self._height = height
        return arguments

    def _primary(self) -> Node:
        kind = self._token.kind
        if kind in (Kind.IDENTIFIER, Kind.DOT):
            return self._named()
        self._height = 0
        if kind is Kind.LPAREN:
            self._next()
            node = self._expression()
            self._expect(Kind.RPAREN)
            return node
        if kind is Kind.LBRACKET:
            return self._list()
        if kind is Kind.LBRACE:
            return self._map()
        return self._literal()

    def _named(self) -> Node:
        start = self._token.at
        dot = "." if self._take(Kind.DOT) else ""
        if self._builds_object():
            return self._object(dot)
        name = self._expect(Kind.IDENTIFIER)
        self._height = 0
        if self._token.kind is not Kind.LPAREN:
            return self._builder.ident(name.at, name.text, start=start, dot=dot)
        at = self._token.at
        if self._builder.reserved(name.text):
            self._arguments()
            return self._builder.refuse(start, f"reserved identifier: {name.text}")
        return self._builder.call(at, dot + name.text, None, self._arguments())

    def _builds_object(self) -> bool:
        """Whether names joined by dots, and then ``{``, are ahead."""
        ahead = 0
        while self._peek(ahead) is Kind.IDENTIFIER:
            following = self._peek(ahead + 1)
            if following is Kind.LBRACE:
                return True
            if following is not Kind.DOT:
                return False
            ahead += 2
        return False

    def _object(self, dot: str) -> Node:
        names = [self._next().text]
        while self._take(Kind.DOT):
            names.append(self._next().text)
        at, height = self._next().at, 0
        fields: list[FieldValue] = []
        while self._token.kind not in (Kind.RBRACE, Kind.COMMA):
            fields.append(self._field())
            height = max(height, self._height)
            if not self._another(Kind.RBRACE):
                break
        self._take(Kind.COMMA)
        self._expect(Kind.RBRACE)
        self._height = height
        return ObjectLiteral(self._builder.ids.next(), at, dot + ".".join(names), fields)

    def _field(self) -> FieldValue:
        optional = self._take(Kind.QUESTION)
        name = self._next() if self._token.kind is Kind.ESCAPED else self._expect(Kind.IDENTIFIER)
        if name.kind is Kind.ESCAPED:
            self._builder.refuse(name.at, "unsupported syntax: '`'")
        colon = self._expect(Kind.COLON)
        return FieldValue(self._builder.ids.next(), colon.at, name.text, self._expression(), optional)

    def _list(self) -> Node:
        at, height = self._next().at, 0
        elements: list[Node] = []
        optional: set[int] = set()
        while self._token.kind not in (Kind.RBRACKET, Kind.COMMA):
            if self._take(Kind.QUESTION):
                optional.add(len(elements))
            elements.append(self._expression())
            height = max(height, self._height)
            if not self._another(Kind.RBRACKET):
                break
        self._take(Kind.COMMA)
        self._expect(Kind.RBRACKET)
        self._height = height
        return self._builder.list_literal(at, elements, frozenset(optional))

    def _map(self) -> Node:
        at, height = self._next().at, 0
        entries: list[Entry] = []
        while self._token.kind not in (Kind.RBRACE, Kind.COMMA):
            optional = self._take(Kind.QUESTION)
            key = self._expression()
            height = max(height, self._height)
            colon = self._expect(Kind.COLON)
            value = self._expression()
            height = max(height, self._height)
            entries.append(Entry(self._builder.ids.next(), colon.at, key, value, optional))
            if not self._another(Kind.RBRACE):
                break
        self._take(Kind.COMMA)
        self._expect(Kind.RBRACE)
        self._height = height
        return MapLiteral(self._builder.ids.next(), at, entries)

    def _literal(self) -> Node:
        token, builder, text = self._token, self._builder, self._token.text
        if token.kind not in _LITERALS:
            raise Unfit
        self._next()
        match token.kind:
            case Kind.MINUS:
                return self._signed(token)
            case Kind.INT:
                return builder.number(token.at, literals.integer, text, "")
            case Kind.FLOAT:
                return builder.number(token.at, literals.double, text, "")
            case Kind.UINT:
                return builder.unsigned(token.at, text)
            case Kind.STRING:
                return builder.string(token.at, text)
            case Kind.BYTES:
                return builder.byte_string(token.at, text)
            case Kind.TRUE:
                return builder.literal(token.at, True)
            case Kind.FALSE:
                return builder.literal(token.at, False)
            case Kind.NULL:
                return builder.literal(token.at, None)
        raise AssertionError(token)

    def _signed(self, minus: Token) -> Node:
        if self._token.kind is Kind.INT:
            return self._builder.number(minus.at, literals.integer, self._next().text, "-")
        return self._builder.number(minus.at, literals.double, self._expect(Kind.FLOAT).text, "-")


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        msg = f"expression recursion limit exceeded: {MAX_DEPTH}"
        raise TooDeep(msg)
