#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""pager.py NM-IB RECORDED: what goes through a pager on a terminal, and how it gets there, with nmcli and with nm-ib."""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios

import active
import compare
import sandbox

SHOW = ("connection", "show", "plain")
TELL = "printf '<%s %s%s>' \"$LESS\" \"$LESSCHARSET\" \"$LESSSECURE\"; cat"
# (words, environment beyond TERM=xterm, keys: typed one by one whenever nothing moves)
CASES = (
    (SHOW, {"PAGER": TELL}, ""),
    (("-c", "no", *SHOW), {"PAGER": TELL}, ""),
    (("-t", *SHOW), {"PAGER": TELL}, ""),
    (("-p", "-f", "IP4", *SHOW), {"PAGER": TELL}, ""),
    (("-g", "infiniband.mtu", *SHOW), {"PAGER": TELL}, ""),
    (("-f", "", *SHOW), {"PAGER": TELL}, ""),
    (("-f", "infiniband.bogus", *SHOW), {"PAGER": TELL}, ""),
    (("-m", "tabular", "-f", "infiniband", *SHOW, "nothere"), {"PAGER": "sed s/^/P/"}, ""),
    (("connection", "show", "nothere", "plain"), {"PAGER": TELL}, ""),
    (SHOW, {"PAGER": ""}, ""),
    (SHOW, {"PAGER": "head"}, ""),
    (SHOW, {"PAGER": "no-such-program"}, ""),
    (SHOW, {"PAGER": "head -n 2"}, ""),
    (SHOW, {"PAGER": TELL, "NO_COLOR": ""}, ""),
    (SHOW, {"PAGER": TELL, "NO_COLOR": "1"}, ""),
    (SHOW, {"PAGER": TELL, "CLICOLOR_FORCE": "1", "TERM": "dumb"}, ""),
    (SHOW, {"PAGER": TELL, "CLICOLOR_FORCE": "", "TERM": "dumb"}, ""),
    (SHOW, {"PAGER": TELL, "LESSSECURE": "0"}, ""),
    (SHOW, {"PAGER": TELL, "TERM": "dumb"}, ""),
    (("-c", "yes", *SHOW), {"PAGER": TELL, "TERM": "dumb", "NO_COLOR": "1"}, ""),
    (SHOW, {"PAGER": TELL, "XDG_CONFIG_HOME": "/run/no"}, ""),
    (SHOW, {"PAGER": TELL, "XDG_CONFIG_HOME": "/run/no-xterm"}, ""),
    (SHOW, {"PAGER": TELL, "XDG_CONFIG_HOME": "/run/no-but"}, ""),
    (SHOW, {"PAGER": "less"}, " q"),
    (SHOW, {}, " /GENERAL\nq"),
    (SHOW, {}, " \x03"),
    (("-f", "infiniband", *SHOW), {"PAGER": "less"}, ""),
)


def look(command, environment, keys):
    """Everything on a terminal of 24 lines, and the exit code."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execve(command[0], command, {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm", **environment})
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    os.kill(pid, signal.SIGWINCH)
    said, left = b"", list(keys)
    while select.select([fd], [], [], 0.5 if left and said else 20)[0] or left:
        try:
            if select.select([fd], [], [], 0)[0]:
                said += os.read(fd, 65536)
            else:
                os.write(fd, left.pop(0).encode())
        except OSError:
            break
    os.close(fd)
    return compare.UUID.sub("UUID", said.decode()), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), left


def main():
    nmcli, nm_ib, recorded = sandbox.enter(), *sys.argv[1:]
    for name in ("no/terminal-colors.d/nmcli.disable", "no-xterm/terminal-colors.d/@xterm.disable",
                 "no-but/terminal-colors.d/nmcli.disable", "no-but/terminal-colors.d/nmcli@xterm.enable"):
        os.makedirs(os.path.dirname(f"/run/{name}"), exist_ok=True)
        with open(f"/run/{name}", "w", encoding="utf-8"):
            pass
    bad = paged = 0
    with sandbox.bus(), active.recorded(recorded, nmcli):
        for words, environment, keys in CASES:
            reference, ours = (look((command, *words), environment, keys) for command in (nmcli, nm_ib))
            paged += "<FRSXMK utf-8" in reference[0]
            if reference != ours or reference[2]:
                bad += 1
                print(words, environment, reference, ours, sep="\n  ")
    print(f"{len(CASES) - bad} of {len(CASES)} look the same, {paged} through a pager that tells")
    sys.exit(bad != 0 or paged < 4)


if __name__ == "__main__":
    main()
