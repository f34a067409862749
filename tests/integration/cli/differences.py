# SPDX-License-Identifier: LGPL-2.1-or-later
"""The intended differences between nm-ib and nmcli. The list must stay short."""
import re

# nm-ib may add lines on standard error; they begin with its name.
OWN_LINE = re.compile(r"^nm-ib: .*\n", re.M)
# nmcli from 1.58 on warns about gateways outside the subnets of the profile; NetworkManager accepts them.
GATEWAYS = re.compile(r"^Warning: the following gateways are not directly reachable .*\n+", re.M)

# (name, test on arguments and both answers)
INTENDED = (
    # connection modify of a P_Key or its parent: nm-ib adapts interface-name and parent unless they are given
    ("refused by nmcli, follows with nm-ib", lambda vector, reference, ours: "modify" in vector.args and ours.code == 0 and
        re.search("did not specify parent interface name|interface name of software infiniband device (with MAC address )?must be",
                  reference.err)),
    # with a mac-address, newer nmcli accepts the P_Key, and the profile comes up on the port itself
    ("follows with nm-ib", lambda vector, reference, ours: "modify" in vector.args and reference.code == 0 and
        "infiniband.parent set to" in ours.err),
    ("a port GUID", lambda _, reference, ours: "not a valid Ethernet MAC" in reference.err and "nm-ib: port GUID" in ours.err),
    ("no warning of gateways", lambda vector, reference, ours: reference[:2] == ours[:2] and
        GATEWAYS.sub("", reference.err) == OWN_LINE.sub("", ours.err) and GATEWAYS.search(reference.err)),
    ("nmcli crashes, and nm-ib says so", lambda _, reference, ours: reference.code < 0 and ours.code == 1 and
        re.search(r"^Error: nmcli ended by signal \d+ \(", ours.err, re.M)),
)


def intended(vector, reference, ours):
    return next((why for why, test in INTENDED if test(vector, reference, ours)), None)
