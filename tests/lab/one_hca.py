#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""one_hca.py HOST HCA WORD...: runs `nm-ib WORD...` like a host with this name and only this HCA."""

import json
import subprocess
import sys

host, hca, verb, *words = sys.argv[1:]
done = subprocess.run(["nm-ib", verb, *([f"{hca}/1"] if verb == "doctor" else []), *words], stdout=subprocess.PIPE, check=False)
told = json.loads(done.stdout)
told["host"] = host
for key, name in (("hcas", "name"), ("ports", "hca")):
    if key in told:
        told[key] = [entry for entry in told[key] if entry[name] == hca]
print(json.dumps(told))
sys.exit(done.returncode)
