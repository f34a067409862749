# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Profiles in ifcfg files, with a NetworkManager that reads them (tests/releases --el).
. ./lib.sh
modprobe rdma_ucm
if [ "$PHASE" = 2 ]; then
    nm_start
    expect_state ib0 connected
    expect_mode ib0 connected
    check "migrated profile: still a keyfile after a reboot" is "$(nmcli -g NAME,FILENAME connection show | grep -c 'my port.*/system-connections/')" 1
    must up e0
    expect_roce mlx4_0 2 mode 'IB/RoCE v1'
    words_taken_back e0
    exit
fi
mixed_fabric
place=/etc/sysconfig/network-scripts
mkdir -p $place
printf '[main]\nplugins=keyfile,ifcfg-rh\n' >/etc/NetworkManager/conf.d/zz-ifcfg.conf
common='ONBOOT=no\nBOOTPROTO=none\nIPV6INIT=no\nPREFIX=24\n'
# shellcheck disable=SC2059 # the format is above
printf "TYPE=InfiniBand\nDEVICE=ib0\nNAME='my port'\nCONNECTED_MODE=yes\nMTU=65520\nIPADDR=10.9.0.1\n$common" >$place/ifcfg-ib0
# shellcheck disable=SC2059
printf "TYPE=InfiniBand\nDEVICE=ib0.8002\nNAME=kid\nCONNECTED_MODE=no\nMTU=2044\nIPADDR=10.9.1.1\nPKEY=yes\nPKEY_ID=2\nPHYSDEV=ib0\n$common" >$place/ifcfg-kid
# shellcheck disable=SC2059
printf "TYPE=Ethernet\nDEVICE=eth0\nNAME=e0\nIPADDR=10.9.2.1\n$common" >$place/ifcfg-e0
sums() { md5sum $place/*; }
before=$(sums)
nm_start
journal_mark
expect_up 'my port'
expect_mode ib0 connected
expect_mtu ib0 65520
expect_up kid
expect_pkey ib0.8002 0x8002
expect_mtu ib0.8002 2044
[ "$PARTS" = none ] || expect_tso ib0 off
expect_no_journal 'nm-ib: .*cannot be read'
if has cli; then
    check "ifcfg profile: rdma.vf-guids can be stored" nm-ib connection modify 'my port' rdma.vf-guids auto
    check "ifcfg profile, word stored: the files are unchanged" is "$(sums)" "$before"
    check "ifcfg profile: rdma.vf-guids can be removed" nm-ib connection modify 'my port' rdma.vf-guids ''
    words_outlive e0 nmcli connection modify e0 connection.id e0
    check "doctor, ifcfg files in use: one ifcfg-in-use of level note" eval \
        "nm-ib doctor --json | jq -e '[.findings[] | select(.id == \"ifcfg-in-use\")] | length == 1 and .[0].severity == \"note\"'"
    check "host opensm --dry-run: has the P_Key of the ifcfg partition" eval "nm-ib host opensm $(nm-ib -g PORT.GUID port show ib0) --dry-run 2>&1 | grep -i '0x8002'"
    check "nmcli connection migrate, as doctor names it: succeeds" nmcli connection migrate
    check "migrated profile: still has its words" is "$(nm-ib -g rdma.roce-mode connection show e0)" v1
    check "doctor, profiles migrated: no finding about ifcfg files" doctor_shows 'all(.findings[]; .id | startswith("ifcfg") | not)'
    expect_up 'my port'
    expect_mode ib0 connected
    check "rdma.skip yes: can be stored" nm-ib connection modify 'my port' rdma.skip yes
    check "plan, rdma.skip yes: reports it" eval "nm-ib plan 'my port' | grep -F 'rdma.skip yes'"
    check "rdma.skip: can be removed" nm-ib connection modify 'my port' rdma.skip '' connection.autoconnect yes
fi
# A profile of some users: a name that only a shell could evaluate counts as one of them.
if has dispatcher; then
    useradd alice
    printf 'TYPE=Ethernet\nDEVICE=eth0\nNAME=private\nUUID=5f0a5a16-4b2c-4a55-9a53-3a60d3f0a0aa\nUSERS="alice a(b"\nBOOTPROTO=none\nONBOOT=no\nIPV6INIT=no\nIPADDR=10.9.2.1\nPREFIX=24\n' >$place/ifcfg-private
    mkdir -p /etc/nm-infiniband/profiles
    echo roce-mode=v1 >/etc/nm-infiniband/profiles/5f0a5a16-4b2c-4a55-9a53-3a60d3f0a0aa
    nmcli connection reload
    journal_mark
    expect_up private
    expect_journal 'rdma.. words are refused in a profile with connection.permissions'
    expect_roce mlx4_0 2 mode 'RoCE v2'
    rm /etc/nm-infiniband/profiles/5f0a5a16-4b2c-4a55-9a53-3a60d3f0a0aa $place/ifcfg-private
    nmcli connection reload
fi
# nm-ib ignores a file that only a shell can evaluate; NetworkManager decides about it.
printf 'TYPE=InfiniBand\nDEVICE=ib1\nNAME=odd\nMTU=$(nproc)\nCONNECTED_MODE="yes\nONBOOT=no\nBOOTPROTO=none\nIPV6INIT=no\n' >$place/ifcfg-odd
nmcli connection reload
check "ifcfg file that only a shell can evaluate: the daemon still answers" eval "up odd; nmcli general"
expect_nm_alive
expect_clean_kernel_log
if has cli; then
    nm_stop
    mixed_at_boot
    reboot_guest
fi
