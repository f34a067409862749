# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the entry in dispatcher.d starts the helper only for InfiniBand and for rdma.* words
# with: dispatcher
# releases: bookworm trixie
. ./lib.sh
entry=/usr/lib/NetworkManager/dispatcher.d/10-nm-ib helper=/usr/libexec/nm-infiniband/nm-ib-dispatcher
fabric
must ip link add v0 type veth peer name v1
must ip link add ib-bond type bond
must modprobe ib_ipoib
printf '#!/bin/sh\necho "$*" >/run/started\nexit 7\n' >/run/helper
chmod 755 /run/helper
must mount --bind /run/helper $helper
mkdir -p /etc/nm-infiniband/profiles
echo roce-mode=v2 >/etc/nm-infiniband/profiles/with
# starts yes|no VARIABLE=VALUE... -- ARGUMENT...
starts() {
    local expected=$1 variables=()
    shift
    while [ "$1" != -- ]; do variables+=("$1") && shift; done
    shift
    rm -f /run/started
    env -i "${variables[@]}" $entry "$@"
    is "$? $(cat /run/started 2>/dev/null)" "$([ "$expected" = yes ] && echo "7 $*" || echo '0 ')"
}
while IFS='|' read -r expected what words; do
    # shellcheck disable=SC2086 # words
    check "helper started for $what: $expected" starts $expected $words
done <<'END'
yes|InfiniBand, up|CONNECTION_UUID=none -- ib0 up
yes|InfiniBand, pre-up|-- ib0 pre-up
yes|InfiniBand, reapply|-- ib0 reapply
yes|InfiniBand, down|-- ib0 down
no|InfiniBand, another action|-- ib0 dhcp4-change
no|InfiniBand, an external connection|CONNECTION_EXTERNAL=1 -- ib0 up
no|Ethernet, up|CONNECTION_UUID=none -- v0 up
no|Ethernet, up, an empty UUID|CONNECTION_UUID= -- v0 up
no|Ethernet, up, no profile|-- v0 up
yes|Ethernet, up, a profile with words|CONNECTION_UUID=with -- v0 up
no|Ethernet, down, a profile with words|CONNECTION_UUID=with -- v0 down
no|Ethernet, pre-up, a profile with words|CONNECTION_UUID=with -- v0 pre-up
no|a bond without ports|-- ib-bond up
no|no such interface|-- gone0 down
no|a name that is a path|-- ../../class/net/ib0/../v0 up
no|the whole machine|-- none hostname
yes|the wrong number of arguments|-- ib0
END
mkdir -p /run/NetworkManager/nm-infiniband
touch /run/NetworkManager/nm-infiniband/mtu-ib0
check "helper started for Ethernet, down, no words in force: no" starts no -- v0 down
touch /run/NetworkManager/nm-infiniband/rdma-7
check "helper started for Ethernet, down, words in force: yes" starts yes -- v0 down
must umount $helper
must mv $helper $helper.off
check "entry without the helper: one line on stderr" prints -s 1 -2 -x "<3>nm-ib: cannot start $helper: No such file or directory" $entry ib0 up
