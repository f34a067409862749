# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: 64 children on one port come up and go, none is lost, none is left
# with: plugin+dispatcher plugin dispatcher
# alone: all come and go, TSO on
. ./lib.sh
keys=$(printf ',0x80%02x' $(seq 16 79))
fabric pkeys=0xffff"$keys" ports=1
nm_start
children() { ls -d $NET/ib0.* 2>/dev/null | wc -l; }
for k in $(seq 16 79); do
    printf '[connection]\nid=c%d\ntype=infiniband\nautoconnect=false\n[infiniband]\nparent=ib0\np-key=%d\ntransport-mode=datagram\n' \
        "$k" $((0x8000 + k)) >"$(_file "c$k")"
    echo '[ipv4]
method=disabled
[ipv6]
method=disabled' >>"$(_file "c$k")"
    chmod 600 "$(_file "c$k")"
done
must nmcli connection reload
export WAIT=60
check "NetworkManager knows 64 profiles" eventually eval 'is "$(nmcli -g NAME connection | grep -c ^c)" 64'
began=$(date +%s.%N)
seq 16 79 | xargs -P 8 -I K nmcli -w 120 connection up cK >>/run/up 2>&1 || note "$(grep Error /run/up)"
note "64 activations: $(python3 -c "import time; print('%.1f s' % (time.time() - $began))")"
check "all came up" is "$(grep -c 'successfully activated' /run/up)" 64
check "64 children" eventually eval 'is "$(children)" 64'
check "all are on their own key" is "$(cat $NET/ib0.*/pkey | sort -u | wc -l)" 64
tso_on() { for i in $NET/ib0.*; do _tso "${i##*/}"; done | grep -c '^on'; }
check "TSO is off on all of them" eventually eval 'is "$(tso_on)" 0'
began=$(date +%s.%N)
seq 16 79 | xargs -P 8 -I K nmcli -w 120 connection down cK >>/run/down 2>&1 || note "$(grep Error /run/down)"
check "none is left" eventually eval 'is "$(children)" 0'
note "64 deactivations: $(python3 -c "import time; print('%.1f s' % (time.time() - $began))")"
check "all went down" is "$(grep -c 'successfully deactivated' /run/down)" 64
expect_nm_alive
