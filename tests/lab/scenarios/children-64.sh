# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: 64 children on one port come up and go down: none is missing, none is left behind
# with: plugin+dispatcher plugin dispatcher
# releases: (bookworm)
# alone: all come and go, TSO on
. ./lib.sh
keys=$(printf ',0x80%02x' $(seq 16 79))
# srq_sge=1: a receive buffer of one page; with 16, 64 children take a gigabyte in connected mode
fabric pkeys=0xffff"$keys" ports=1 srq_sge=1
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
export WAIT=180
check "NetworkManager knows 64 profiles" eventually eval 'is "$(nmcli -g NAME connection | grep -c ^c)" 64'
began=$(date +%s.%N)
# by single calls: each of 64 nmcli processes would first read all objects
for path in $(nmcli -g DBUS-PATH,NAME connection | sed -n 's/:c[0-9]*$//p'); do
    must busctl call org.freedesktop.NetworkManager /org/freedesktop/NetworkManager org.freedesktop.NetworkManager \
        ActivateConnection ooo "$path" / /
done
check "64 child interfaces exist" eventually_is 64 children
check "all 64 children are activated" eventually eval 'is "$(nmcli -g STATE,NAME connection | grep -c ^activated:c)" 64'
note "64 activations: $(python3 -c "import time; print('%.1f s' % (time.time() - $began))")"
check "all 64 children have different P_Keys" is "$(cat $NET/ib0.*/pkey | sort -u | wc -l)" 64
tso_on() { for i in $NET/ib0.*; do _tso "${i##*/}"; done | grep -c '^on'; }
check "TSO is off on all children" eventually_is 0 tso_on
began=$(date +%s.%N)
check "all 64 profiles go down" eval 'nmcli -w 300 connection down $(seq -f c%g 16 79)'
check "no child is left" eventually_is 0 children
note "64 deactivations: $(python3 -c "import time; print('%.1f s' % (time.time() - $began))")"
expect_no_journal 'had left it behind'
expect_nm_alive
