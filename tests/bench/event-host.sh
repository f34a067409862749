#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# event-host.sh DIRECTORY ROUNDS [COMMAND...]: runs event.sh (under COMMAND) on a machine without InfiniBand, inside
# sandbox.sh. The helper is linked from the objects of the installed helper, plus address.cpp.
set -eu
dir=$1 rounds=$2
shift 2
"$dir/ipoibtun.py" ib0 ib1
for i in ib0 ib1; do ethtool -K $i tso off; done >/dev/null
"$@" "$dir/event.sh" "$dir" "$rounds" "$dir/bench-dispatcher" "$dir/stage/usr/lib/NetworkManager/dispatcher.d/10-nm-ib"
