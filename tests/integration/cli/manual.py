#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""manual.py NM-IB PAGE: runs the examples of nm-ib(1) in their order, and compares their output."""
import os
import subprocess
import sys

import compare
import sandbox

nmcli = sandbox.enter()
nm_ib, page = map(os.path.abspath, sys.argv[1:])
os.mkdir("/run/bin")
os.symlink(nm_ib, "/run/bin/nm-ib")
os.environ["PATH"] = f"/run/bin:{os.environ['PATH']}"

examples = []
with open(page, encoding="utf-8") as f:
    for line in f:
        if line.startswith("    $ "):
            examples.append([line[6:], ""])
        elif line.startswith("    ") and examples and not line.startswith("    alias"):
            examples[-1][1] += line[4:]

bad = 0
with sandbox.bus(), sandbox.network_manager(nmcli):
    for command, expected in examples:
        done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        printed = compare.UUID.sub("UUID", done.stdout)
        if printed != expected:
            bad += 1
            print(f"$ {command}expected:\n{expected}printed:\n{printed}")
print(f"{len(examples) - bad} of {len(examples)} examples are right")
sys.exit(bad != 0 or len(examples) < 7)
