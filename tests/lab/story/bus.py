# SPDX-License-Identifier: LGPL-2.1-or-later
"""A small D-Bus client for the guest, which has no Python module for D-Bus. A call takes milliseconds, a gdbus process hundreds."""

import socket
import struct

SOCKET = "/run/dbus/system_bus_socket"
FIXED = {"y": "B", "b": "I", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d", "h": "I"}
ALIGN = {"y": 1, "g": 1, "v": 1, "n": 2, "q": 2, "x": 8, "t": 8, "d": 8, "(": 8, "{": 8}  # all others: 4
REPLY, ERROR = 2, 3


class BusError(Exception):
    """The name and the text of an error reply."""


def _first(signature):
    """Splits off the first complete type."""
    if signature[0] == "a":
        return "a" + _first(signature[1:])
    if signature[0] not in "({":
        return signature[0]
    depth = 0
    for i, c in enumerate(signature):
        depth += (c in "({") - (c in ")}")
        if not depth:
            return signature[: i + 1]
    raise ValueError(signature)


def _types(signature):
    while signature:
        one = _first(signature)
        yield one
        signature = signature[len(one) :]


class Reader:
    """Reads values from a little-endian message body."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def align(self, size):
        self.at = (self.at + size - 1) & -size

    def text(self, size_format):
        size = self.fixed(size_format)
        value = self.data[self.at : self.at + size].decode(errors="replace")
        self.at += size + 1
        return value

    def fixed(self, form):
        size = struct.calcsize("<" + form)
        self.align(size)
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += size
        return value

    def read(self, kind):
        c = kind[0]
        if c in FIXED:
            value = self.fixed(FIXED[c])
            return bool(value) if c == "b" else value
        if c in "so":
            return self.text("I")
        if c == "g":
            return self.text("B")
        if c == "v":
            return self.read(self.text("B"))
        if c in "({":
            self.align(8)
            return [self.read(t) for t in _types(kind[1:-1])]
        size = self.fixed("I")
        self.align(ALIGN.get(kind[1], 4))
        end, items = self.at + size, []
        while self.at < end:
            items.append(self.read(kind[1:]))
        return dict(items) if kind[1] == "{" else bytes(items) if kind == "ay" else items


def _pad(out, size):
    out.extend(b"\0" * (-len(out) % size))


def _write(out, kind, value):
    c = kind[0]
    if c in FIXED:
        form = "<" + FIXED[c]
        _pad(out, struct.calcsize(form))
        out.extend(struct.pack(form, value))
    elif c in "sog":
        if c != "g":
            _pad(out, 4)
        out.extend(struct.pack("<B" if c == "g" else "<I", len(value.encode())) + value.encode() + b"\0")
    elif c == "v":
        signature, inner = value
        _write(out, "g", signature)
        _write(out, signature, inner)
    elif c in "({":
        _pad(out, 8)
        for t, v in zip(_types(kind[1:-1]), value):
            _write(out, t, v)
    else:
        _pad(out, 4)
        at = len(out)
        out.extend(b"\0\0\0\0")
        _pad(out, ALIGN.get(kind[1], 4))
        start = len(out)
        for v in value.items() if isinstance(value, dict) else value:
            _write(out, kind[1:], v)
        out[at : at + 4] = struct.pack("<I", len(out) - start)


class Bus:
    """A connection to the system bus, as root, for one call at a time."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(SOCKET)
        self.socket.sendall(b"\0AUTH EXTERNAL 30\r\nBEGIN\r\n")
        self.held, self.serial = b"", 0
        while b"\r\n" not in self.held:
            self.held += self.socket.recv(4096)
        self.held = self.held.partition(b"\r\n")[2]
        self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")

    def _take(self, size):
        while len(self.held) < size:
            data = self.socket.recv(65536)
            if not data:
                raise BusError("the bus closed the connection")
            self.held += data
        data, self.held = self.held[:size], self.held[size:]
        return data

    def _message(self):
        head = self._take(16)
        _, kind, _, _, size, _serial, fields = struct.unpack("<BBBBIII", head)
        reader = Reader(head + self._take(((fields + 7) & -8) + size), 12)
        known = {code: value for code, value in reader.read("a(yv)")}
        reader.align(8)
        return kind, known, [reader.read(t) for t in _types(known.get(8, ""))]

    def call(self, destination, path, interface, method, signature="", *arguments, timeout=30):
        """Returns the values of the reply; raises BusError for an error reply."""
        self.serial += 1
        body = bytearray()
        for t, v in zip(_types(signature), arguments):
            _write(body, t, v)
        out = bytearray(struct.pack("<cBBBII", b"l", 1, 2, 1, len(body), self.serial))  # flag 2: do not start the service
        fields = [(1, ("o", path)), (2, ("s", interface)), (3, ("s", method)), (6, ("s", destination))]
        _write(out, "a(yv)", fields + ([(8, ("g", signature))] if signature else []))
        _pad(out, 8)
        self.socket.settimeout(timeout)
        self.socket.sendall(out + body)
        while True:
            kind, known, values = self._message()
            if known.get(5) != self.serial:
                continue
            if kind == ERROR:
                raise BusError(known.get(4), *values[:1])
            return values
