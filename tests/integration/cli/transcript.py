#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""transcript.py NM-IB TRANSCRIPT [--only WORD] [--write]: runs the commands of a transcript on the machine of testbed.py, and
compares both outputs, the exit status, the changed files and the called programs.

A transcript has sections. Each begins with a line "== CONDITION: RESULT", on a new machine. Its other lines:
  % COMMAND     prepares something; must succeed, and is not compared
  $ COMMAND     is followed by what it prints. JSON is printed in lines.
  2> LINE       a line of the previous command on standard error
  + FILE, ~ FILE, - FILE   the command made, changed or removed the file; with the mode, if it is not 0644
  > PROGRAM     the command called this program
  [STATUS]      the exit status, if not 0
  # COMMENT
A line "@ NetworkManager": NetworkManager runs in the following sections. --only WORD: only sections with WORD in their first line.
--write: writes the result of this run into the transcript. Read the difference before you commit it."""
import contextlib
import difflib
import json
import os
import re
import subprocess
import sys

import compare
import testbed
import live
import sandbox

KNOWN = re.compile(r"(?!c1f5ab11)" + compare.UUID.pattern)
WIDTH = 118
VERSION = re.compile(r'"version":"[^"]*"')


def laid_out(value, indent=0):
    """Returns JSON with as many values in a line as fit."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= WIDTH or not isinstance(value, (dict, list)) or not value:
        return flat
    start, lines = " " * (indent + 1), [""]
    values = value.items() if isinstance(value, dict) else (("", v) for v in value)
    texts = [(f"{json.dumps(key)}: " if key else "") + laid_out(v, indent + 1) for key, v in values]
    for text in texts:
        if lines[-1] and ("\n" in text + lines[-1] or len(lines[-1]) + len(text) + 2 > WIDTH):
            lines.append("")
        lines[-1] += f", {text}" if lines[-1] else start + text
    brackets = "{}" if isinstance(value, dict) else "[]"
    return brackets[0] + "\n" + ",\n".join(lines) + "\n" + " " * indent + brackets[1]


def shown(out):
    out = KNOWN.sub("UUID", VERSION.sub('"version":"VERSION"', out))
    if out.startswith("{") and out.count("\n") == 1:
        with contextlib.suppress(ValueError):
            return laid_out(json.loads(out)) + "\n"
    return out


def run(command, before=False):
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, encoding="utf-8", errors="backslashreplace", timeout=60,
                          stdin=subprocess.DEVNULL)
    if before and done.returncode:
        sys.exit(f"{command}: {done}")
    return done


def happens(command):
    """Runs the command. Returns the lines after it in the transcript."""
    testbed.calls()
    before = testbed.files()
    done = run(command)
    after = testbed.files()
    lines = shown(done.stdout).split("\n")
    unfinished = lines.pop()
    lines += [unfinished + "\\"] if unfinished else []
    lines += [f"2> {line}".rstrip() for line in shown(done.stderr).splitlines()]
    for path in sorted({*before, *after}):
        if before.get(path) != after.get(path):
            lines.append(("+ " if path not in before else "- " if path not in after else "~ ") + KNOWN.sub("UUID", path))
    lines += [f"> {call}" for call in testbed.calls()]
    lines += [f"[{done.returncode}]"] if done.returncode else []
    return lines


class Player:
    """Plays sections, in the order of the transcript."""

    def __init__(self, stack):
        self.stack = stack
        self.daemon = False
        self.commands = 0

    def start_daemon(self):
        testbed.show_real_sys()
        self.stack.enter_context(sandbox.bus())
        self.stack.enter_context(sandbox.network_manager(sandbox.NMCLI))
        self.daemon = True

    def play(self, section):
        """Returns the section as it happens now."""
        if section.startswith("== "):
            testbed.begin()
            if self.daemon:
                run("nmcli connection reload", before=True)
        lines, after_command = [], False
        for line in section.rstrip("\n").split("\n"):
            mark = line[:2] if line.startswith(("$ ", "% ", "@ ")) else ""
            if after_command and not mark:  # the previous result of the command
                continue
            after_command = mark == "$ "
            if mark == "@ ":
                lines += [""] if lines and lines[-1] else []
                self.start_daemon()
            lines.append(line)
            if mark == "% ":
                run(line[2:], before=True)
            if mark == "$ ":
                self.commands += 1
                lines += happens(line[2:])
        return "\n".join(lines) + "\n"


def main():
    sandbox.enter()
    nm_ib, path, *options = sys.argv[1:]
    only = options[options.index("--only") + 1] if "--only" in options else ""
    with open(path, encoding="utf-8") as f:
        sections = re.split(r"(?m)^\n(?===)", f.read())
    testbed.enter()
    os.makedirs("/run/bin")
    os.symlink(sandbox.for_anybody(nm_ib), "/run/bin/nm-ib")
    testbed.write("/run/bin/nobody", f"#!/bin/sh\nexec {' '.join(live.USER)} \"$@\"\n")
    os.chmod("/run/bin/nobody", 0o755)
    os.environ["PATH"] = f"/run/bin:{os.environ['PATH']}"
    happened, wrong = [], 0
    with contextlib.ExitStack() as stack:
        player = Player(stack)
        for section in sections:
            wanted = only in section.partition("\n")[0] or "\n@ " in section
            happened.append(player.play(section) if wanted else section)
            if happened[-1] == section or "--write" in options:
                continue
            print(*difflib.unified_diff(section.splitlines(), happened[-1].splitlines(), "transcript", "this run", n=8, lineterm=""), sep="\n")
            wrong += 1
            if wrong == 3:  # enough to see the cause
                break
    if "--write" in options:
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(happened))
    print(f"{player.commands} commands in {len(happened)} of {len(sections)} sections: {wrong} sections differ")
    if player.commands < 10 and not only:
        sys.exit("fewer than 10 commands: the transcript is not complete")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
