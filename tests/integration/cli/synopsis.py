#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""synopsis.py NM-IB MAN: compares the synopses of the manual pages with nm-ib COMMAND help."""
import os
import re
import subprocess
import sys

nm_ib, man = sys.argv[1:]
PAGES = {"plan": "nm-ib.1", "apply": "nm-ib.1", "port": "nm-ib-port.1", "name": "nm-ib-name.1", "host": "nm-ib-host.1",
         "doctor": "nm-ib-doctor.7", "check": "nm-ib-check.1"}


def of_help(command):
    page = subprocess.run([nm_ib, command, "help"], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout
    usage = re.sub(r"\n {11}", " ", page.partition("\n\n")[0]).removeprefix("Usage:")
    return [line.strip() for line in usage.splitlines()]


def of_page(page, command):
    with open(f"{man}/{page}.adoc", encoding="utf-8") as f:
        text = f.read().partition("\n== Synopsis\n")[2].partition("\n== ")[0]
    text = re.sub(r"(?<! \+)(?<!\n)\n(?!\n|\*nm-ib)", " ", text.strip())  # a synopsis may be longer than a line of the source
    lines = [re.sub(r"[*_]| \+$", "", line).replace("[nmcli options] ", "") for line in text.splitlines()]
    return [line for line in lines if line.startswith(f"nm-ib {command}")]


bad = 0
for name, manual in PAGES.items():
    ours, theirs = of_help(name), of_page(manual, name)
    if ours != theirs:
        bad += 1
        print(f"nm-ib {name} help, and {manual}:", *ours, "--", *theirs, sep="\n  ")
print(f"{len(PAGES) - bad} of {len(PAGES)} synopses are right")
sys.exit(bad != 0)
