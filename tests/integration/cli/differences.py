# SPDX-License-Identifier: LGPL-2.1-or-later
"""Where nm-ib means to answer differently from nmcli. Short, or the promise is broken."""
import re

# nm-ib may add lines of its own on standard error; they begin with the command's name.
OWN_LINE = re.compile(r"^nm-ib: .*\n", re.M)

# (what it is, which vectors: a test on arguments and the reference's answer)
INTENDED = (
    ("nmcli crashes", lambda vector, reference: reference.code < 0),
)


def intended(vector, reference):
    return next((why for why, test in INTENDED if test(vector, reference)), None)
