# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Runs event.sh in the lab's guest, on ib_ipoib: two ports of a ConnectX of revision A0.
. ./lib.sh
trap - EXIT
fabric
must ip link set ib0 up
must eventually grep -q 1 "$NET"/ib0/carrier
chmod 755 event.sh recipe.sh pcitree.py bench-*
chmod 600 profile
ethtool -K ib1 tso off
./event.sh "$PWD" "$(cat rounds)" /usr/lib/NetworkManager/dispatcher.d/10-nm-ib{,}
