# SPDX-License-Identifier: LGPL-2.1-or-later
"""Finds the expressions of a C++ file that can be changed, with libclang."""

import bisect
import re
from dataclasses import dataclass, field

from clang.cindex import Config, CursorKind as K, Index, TokenKind, TranslationUnit, TypeKind  # noqa: F401

COMPARED = {"==": ["!="], "!=": ["=="], "<": ["<=", ">="], ">": [">=", "<="], "<=": ["<", ">"], ">=": [">", "<"]}
JOINED = {"&&": ["||"], "||": ["&&"]}
ADDED = {"+": ["-"], "-": ["+"]}
INTEGERS = {TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG, TypeKind.SHORT,
            TypeKind.USHORT}
BODIES = {K.COMPOUND_STMT, K.IF_STMT, K.FOR_STMT, K.WHILE_STMT, K.CXX_FOR_RANGE_STMT, K.CASE_STMT, K.DEFAULT_STMT, K.DO_STMT}
SKIPPED = {K.STATIC_ASSERT, K.ENUM_CONSTANT_DECL, K.TYPE_ALIAS_DECL, K.TYPEDEF_DECL, K.TEMPLATE_NON_TYPE_PARAMETER,
           K.TEMPLATE_TYPE_PARAMETER, K.TEMPLATE_TEMPLATE_PARAMETER, K.USING_DECLARATION, K.SIZE_OF_PACK_EXPR, K.DECL_REF_EXPR,
           K.CXX_UNARY_EXPR}
WITHOUT_EFFECT = re.compile(rb"^(\(void\)|static_cast<void>)|^[\w.>-]*\b(reserve|shrink_to_fit)\(")


@dataclass
class Arm:
    """One mutant of a site: `expression` replaces the site's text. number: in NMIB_MUTANT."""
    expression: bytes
    number: int = 0


@dataclass
class Site:
    """The bytes `start` to `end` of a file. form: how the choice is written; see rewrite.py."""
    start: int
    end: int
    form: str
    arms: list = field(default_factory=list)
    name: bytes = b""  # of the variable of a condition
    inner: list = field(default_factory=list)


class Finder:
    """Walks through one file."""

    def __init__(self, path, arguments):
        options = TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        self.unit = Index.create().parse(path, args=arguments, options=options)
        fatal = [d for d in self.unit.diagnostics if d.severity >= 3]
        if fatal:
            raise ValueError(f"{path}: {fatal[0].location.line}: {fatal[0].spelling}")
        self.path, self.found = path, {}
        with open(path, "rb") as f:
            self.text = f.read()
        self.tokens = [(t.extent.start.offset, t.extent.end.offset, t.spelling.encode())
                       for t in self.unit.get_tokens(extent=self.unit.cursor.extent) if t.kind != TokenKind.COMMENT]
        self.starts = [t[0] for t in self.tokens]
        self.macros = []
        for cursor in self.unit.cursor.get_children():
            if cursor.location.file is None or cursor.location.file.name != path:
                continue
            if cursor.kind in (K.MACRO_INSTANTIATION, K.MACRO_DEFINITION):
                self.macros.append(self.extent(cursor))
        for cursor in self.unit.cursor.get_children():
            if cursor.location.file is not None and cursor.location.file.name == path and not cursor.kind.is_preprocessing():
                self.walk(cursor, None)

    @staticmethod
    def extent(cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def token_at(self, offset):
        """The index of the first token at or after `offset`."""
        return bisect.bisect_left(self.starts, offset)

    def words(self, start, end):
        return [t[2] for t in self.tokens[self.token_at(start):self.token_at(end)]]

    def writable(self, start, end):
        """Returns false inside a macro, across lines of the preprocessor, and for an empty range."""
        if start >= end or re.search(rb"\n\s*#", self.text[start:end]):
            return False
        return not any(m <= start < n or m < end <= n for m, n in self.macros)

    def add(self, start, end, form, expressions, name=b""):
        if not expressions or not self.writable(start, end):
            return
        key = (start, end, form)
        site = self.found.setdefault(key, Site(start, end, form, name=name))
        known = [a.expression for a in site.arms]
        site.arms += [Arm(e) for e in expressions if e not in known]

    def operands(self, cursor, children):
        """The two operands of a binary operator, built-in or a function, and its text; or None."""
        start, end = self.extent(cursor)
        left = [self.extent(c) for c in children if self.extent(c)[0] == start]
        right = [self.extent(c) for c in children if self.extent(c)[1] == end]
        if not left or not right or left[0][1] > right[-1][0]:
            return None
        between = self.words(left[0][1], right[-1][0])
        return (left[0], right[-1], between[0]) if len(between) == 1 else None

    def binary(self, cursor, children):
        """The operator of an expression, as text, if it is one that has mutants."""
        if cursor.kind not in (K.BINARY_OPERATOR, K.CALL_EXPR, K.UNEXPOSED_EXPR):
            return None
        found = self.operands(cursor, children)
        if not found:
            return None
        (a, b), (c, d), operator = found
        word = operator.decode()
        changes = COMPARED.get(word) or JOINED.get(word) or (ADDED.get(word) if cursor.kind == K.BINARY_OPERATOR else None)
        if not changes:
            return None
        left, right = self.text[a:b], self.text[c:d]
        if word in JOINED:
            left, right = (b"(" + x + b")" if re.search(rb"&&|\|\|", x) else x for x in (left, right))
        return [left + b" " + change.encode() + b" " + right for change in changes]

    def decided(self, cursor):
        """Returns true if the negation of the expression is already one of its mutants."""
        start, end = self.extent(cursor)
        words = self.words(start, end)
        if not words or words[0] in (b"true", b"false") and len(words) == 1 or re.fullmatch(rb"[0-9].*", words[0]) and len(words) == 1:
            return True
        children = list(cursor.get_children())
        if cursor.kind == K.CONDITIONAL_OPERATOR or (cursor.kind == K.UNARY_OPERATOR and words[0] in (b"!", b"not")):
            return True
        if self.operands(cursor, children) and self.operands(cursor, children)[2].decode() in COMPARED | JOINED:
            return True
        only = cursor.kind in (K.UNEXPOSED_EXPR, K.PAREN_EXPR) and len(children) == 1
        return only and self.decided(children[0])

    def negate(self, cursor):
        start, end = self.extent(cursor)
        if not self.decided(cursor):
            self.add(start, end, "bool", [b"!(" + self.text[start:end] + b")"])

    def condition(self, cursor, children):
        """The children of an if or while outside its condition, after the condition has been read. Skips if constexpr."""
        at = self.token_at(cursor.extent.start.offset)
        if self.tokens[at + 1][2] != b"(":
            inside = self.closing(at + 2)
            return [c for c in children if self.extent(c)[0] > inside]
        close = self.closing(at + 1)
        within = [c for c in children if self.extent(c)[0] < close]
        variables = [c for c in within if c.kind == K.VAR_DECL]
        if variables:
            start, end = self.extent(variables[0])
            semicolon = b";" in self.words(self.tokens[at + 1][0], close)
            if cursor.kind == K.IF_STMT and not semicolon:
                name = variables[0].spelling.encode()
                self.add(start, end, "variable", [b"!" + name], name)
        elif within:
            last = max(within, key=lambda c: self.extent(c)[1])
            if last.kind.is_expression():
                self.negate(last)
        return children

    def closing(self, at):
        """The offset of the parenthesis that closes the one at token `at`."""
        depth = 0
        for start, _, word in self.tokens[at:]:
            depth += (word == b"(") - (word == b")")
            if depth == 0:
                return start
        return len(self.text)

    def statement(self, cursor, parent):
        start, end = self.extent(cursor)
        after = self.token_at(end)
        before = self.tokens[self.token_at(start) - 1][2]
        if parent.kind not in BODIES or before not in (b";", b"{", b"}", b")", b"else", b":", b"do"):
            return
        if parent.kind in (K.FOR_STMT, K.IF_STMT) and start < self.closing(self.token_at(parent.extent.start.offset) + 1 + (
                b"constexpr" in self.words(parent.extent.start.offset, parent.extent.start.offset + 13))):
            return
        if self.tokens[after][2] == b";" and not WITHOUT_EFFECT.match(self.text[start:end]):
            if cursor.kind not in (K.CXX_THROW_EXPR, K.LAMBDA_EXPR, K.CXX_DELETE_EXPR):
                self.add(start, end, "statement", [b"(void)0"])

    def integer(self, cursor, parent):
        start, end = self.extent(cursor)
        at = self.token_at(start)
        around = self.tokens[at - 1][2], self.tokens[at + 1][2]
        if around[0] == b"[" and parent.kind in (K.VAR_DECL, K.FIELD_DECL):
            return
        if (around[0] == b"<" or around[1] in (b">", b">>")) and parent.kind != K.BINARY_OPERATOR:
            return
        if set(around) & {b"<", b">", b"<=", b">="}:
            return  # `x < 5 + 1` is `x <= 5`
        text = self.text[start:end]
        if self.tokens[at][1] == end and re.fullmatch(rb"[0-9][0-9a-fA-FxXuUlLbB']*", text):
            self.add(start, end, "value", [b"(" + text + b" + 1)"])

    def walk(self, cursor, parent):
        kind = cursor.kind
        if kind in SKIPPED or kind.is_attribute() or kind.name == "CONCEPT_DECL":
            return
        children = list(cursor.get_children())
        start, end = self.extent(cursor)
        if kind == K.DECL_STMT and b"constexpr" in self.words(start, end)[:2]:
            return
        if kind == K.CALL_EXPR and WITHOUT_EFFECT.match(self.text[start:end]):
            return
        if kind in (K.VAR_DECL, K.FIELD_DECL, K.PARM_DECL):
            words = self.words(start, cursor.location.offset)
            if b"constexpr" in words:
                return
            children = [c for c in children if self.extent(c)[0] > cursor.location.offset]
            constant = b"const" in words and cursor.type.get_canonical().kind in INTEGERS | {TypeKind.BOOL}
            if constant and all(c.kind in (K.INTEGER_LITERAL, K.CXX_BOOL_LITERAL_EXPR) for c in children):
                return
        elif kind == K.CASE_STMT:
            children = children[1:]
        elif kind in (K.IF_STMT, K.WHILE_STMT):
            children = self.condition(cursor, children)
        elif kind == K.CONDITIONAL_OPERATOR and children:
            self.negate(children[0])
        elif kind == K.RETURN_STMT and children:
            value = children[0].type.get_canonical().kind
            if value == TypeKind.BOOL:
                self.negate(children[0])
            elif value in INTEGERS and not self.decided(children[0]):
                a, b = self.extent(children[0])
                self.add(a, b, "value", [b"(" + self.text[a:b] + b") + 1"])
        elif kind == K.INTEGER_LITERAL:
            self.integer(cursor, parent)
        elif kind == K.CXX_BOOL_LITERAL_EXPR:
            self.add(start, end, "value", [b"false" if self.text[start:end] == b"true" else b"true"])
        elif kind == K.UNARY_OPERATOR and self.words(start, end)[:1] in ([b"!"], [b"not"]):
            self.add(start, end, "bool", [self.text[self.tokens[self.token_at(start) + 1][0]:end]])
        elif kind == K.MEMBER_REF_EXPR:
            children = children[:1]
        if kind.is_expression():
            self.add(start, end, "value", self.binary(cursor, children))
            if parent is not None:
                self.statement(cursor, parent)
        for child in children:
            self.walk(child, cursor)


def find(path, arguments):
    """Returns the sites of a file, nested: those without a site around them, in order, each with `inner`."""
    with open(path, "rb") as f:
        if not re.search(rb"[=!<>]=|&&|\|\||[=(,{] ?[0-9]|\b(true|false|if|return)\b|;\s+\w+\(", re.sub(rb"//.*", b"", f.read())):
            return []  # a header that only declares
    sites = sorted(Finder(path, arguments).found.values(), key=lambda s: (s.start, -s.end, s.form != "variable", s.form != "statement"))
    top, open_ones = [], []
    for site in sites:
        while open_ones and open_ones[-1].end <= site.start:
            open_ones.pop()
        if open_ones and site.end > open_ones[-1].end:
            continue  # neither beside nor within: an extent that libclang reports wrongly
        (open_ones[-1].inner if open_ones else top).append(site)
        open_ones.append(site)
    return top
