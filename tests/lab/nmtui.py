#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""nmtui.py add NAME DEVICE [connected] [mtu=N] [by-hand]: makes an InfiniBand profile in nmtui, with keystrokes; delete NAME removes a profile.

nmtui runs on a pseudo terminal of type VT52, which has the fewest control sequences. Screen content and cursor position show which
field receives the keys. Prints the screen on failure.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

ROWS, COLUMNS = 40, 100
TAB, ENTER, SPACE, DOWN = b"\t", b"\r", b" ", b"\x1bB"
CLEAR = b"\x01\x0b"  # go to the start of the entry, delete to its end


class Screen:
    """The screen of a VT52."""

    def __init__(self):
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.y = self.x = 0
        self.rest = b""

    def __str__(self):
        return "\n".join("".join(row).rstrip() for row in self.cells if "".join(row).strip())

    def row(self):
        return "".join(self.cells[self.y])

    def feed(self, data):
        data = self.rest + data
        while data and not (data[:1] == b"\x1b" and len(data) < (4 if data[1:2] == b"Y" else 2)):
            data = data[self.take(data):]
        self.rest = data

    def take(self, data):
        """Executes the first sequence of DATA. Returns its length in bytes."""
        if data[:1] != b"\x1b":
            self.put(data[0])
            return 1
        key = data[1:2]
        if key == b"Y":
            self.y, self.x = data[2] - 32, data[3] - 32
            return 4
        self.x += {b"C": 1, b"D": -1}.get(key, 0)
        self.y += {b"B": 1, b"A": -1}.get(key, 0)
        if key == b"H":
            self.y = self.x = 0
        if key in (b"J", b"K"):
            self.cells[self.y][self.x:] = [" "] * (COLUMNS - self.x)
        if key == b"J":
            self.cells[self.y + 1:] = [[" "] * COLUMNS for _ in range(self.y + 1, ROWS)]
        return 2

    def put(self, byte):
        if byte == 10:
            self.y = min(self.y + 1, ROWS - 1)
        elif byte == 13:
            self.x = 0
        elif byte == 8:
            self.x = max(self.x - 1, 0)
        elif byte >= 32 and self.x < COLUMNS:
            self.cells[self.y][self.x] = chr(byte)
            self.x += 1


class Tui:
    def __init__(self):
        self.screen = Screen()
        pid, self.terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            os.execvpe("nmtui", ["nmtui", "edit"], dict(os.environ, TERM="vt52", LC_ALL="C"))
        self.until(lambda: "<Quit>" in str(self.screen), "the list")

    def settle(self, patience):
        """Reads output until there is a pause. Returns False without any output."""
        came = False
        while select.select([self.terminal], [], [], 0.1 if came else patience)[0]:
            self.screen.feed(os.read(self.terminal, 65536))
            came = True
        return came

    def until(self, true, what):
        while not true():
            if not self.settle(20):
                sys.exit(f"nmtui does not show {what}:\n{self.screen}")

    def press(self, keys):
        os.write(self.terminal, keys)
        self.settle(5)

    def find(self, true, what, key):
        for _ in range(30):
            if true():
                return
            self.press(key)
        sys.exit(f"nmtui: the cursor does not get to {what}:\n{self.screen}")

    def line(self, text, key=TAB):
        self.find(lambda: text in self.screen.row(), text, key)

    def button(self, text):
        self.find(lambda: self.screen.row()[max(self.screen.x - 1, 0):].startswith(text), text, TAB)
        self.press(ENTER)

    def add(self, name, device, *more):
        self.button("<Add>")
        self.until(lambda: "New Connection" in str(self.screen), "the types")
        self.line("InfiniBand", DOWN)
        self.press(ENTER)
        self.until(lambda: "Edit Connection" in str(self.screen), "the editor")
        self.line("Profile name")
        self.press(CLEAR + name.encode())
        self.line("Device")
        self.press(device.encode())
        for word in more:
            if word == "connected":
                self.line("Transport mode")
                self.press(ENTER)
                self.press(DOWN)
                self.press(ENTER)
            elif word == "by-hand":
                self.line("Automatically connect")
                self.press(SPACE)
            else:
                self.line("MTU")
                self.press(CLEAR + word.removeprefix("mtu=").encode())
        self.button("<OK>")
        self.until(lambda: "Edit Connection" not in str(self.screen), "the list again")

    def delete(self, name):
        self.line(name, DOWN)
        self.button("<Delete>")
        self.until(lambda: "Are you sure" in str(self.screen), "the question")
        self.press(TAB)
        self.press(ENTER)
        self.until(lambda: "Are you sure" not in str(self.screen), "the list again")


getattr(Tui(), sys.argv[1])(*sys.argv[2:])
