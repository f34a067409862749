# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: cloud-init's profiles come up as they ask; words outlive its next run and a reboot; doctor mends a wrong one in its language
# with: plugin+dispatcher+cli (dispatcher+cli)
# releases: bookworm (trixie)
. ./lib.sh
configuration() { cat >/etc/cloud/cloud.cfg.d/network.yaml; } # on a real machine a data source may have it instead
run_cloud_init() {
    cloud-init devel net-convert -p /etc/cloud/cloud.cfg.d/network.yaml -k yaml -d / -D debian -O network-manager >/run/said 2>&1 || { cat /run/said; return 1; }
    nmcli connection reload
}
version1() { # LINE...
    printf 'version: 1\nconfig:\n  - type: physical\n    name: eth0\n    subnets: [{type: static, address: 10.9.2.1/24}]\n'
    printf '  - type: infiniband\n    name: ib0\n    subnets: [{type: static, address: 10.9.0.1/24}]\n'
    [ $# = 0 ] || printf '    %s\n' "$@"
}
modprobe rdma_ucm
case $PHASE in
1)
    mixed_fabric
    nm_start
    version1 'mtu: 2044' | configuration
    check "cloud-init writes a profile" run_cloud_init
    expect_up 'cloud-init ib0'
    expect_mode ib0 datagram
    expect_mtu ib0 2044
    expect_tso ib0 off
    check "doctor finds nothing wrong" not eval "nm-ib doctor | grep -i cloud-init"
    version1 'mtu: 1500' | configuration
    words_outlive 'cloud-init eth0' run_cloud_init
    expect_up 'cloud-init ib0'
    expect_mtu ib0 1500

    version1 | configuration
    check "without an MTU cloud-init writes a profile that NetworkManager refuses" run_cloud_init
    check "  doctor says so" eval "doctor_text | grep 'error .*cloud-init-ib0.nmconnection cannot be loaded'"
    check "  and names what to write in cloud-init's language" eval "doctor_text | grep -F '=> In the network configuration of cloud-init: version: 1, type: infiniband, mtu: 2044'"
    check "  --fix runs nothing" eval "nm-ib doctor --fix keyfile-broken --yes | grep -F 'There is nothing that --fix mends.'"
    printf 'version: 2\nethernets:\n  ib0:\n    addresses: [10.9.0.1/24]\n' | configuration
    check "from version 2 cloud-init takes the port for Ethernet" run_cloud_init
    check "  doctor says so" eval "nm-ib doctor --json | jq -e '.findings[] | select(.id == \"ethernet-profile-on-infiniband\").mend | startswith(\"In the network configuration of cloud-init\")'"
    version1 'mtu: 2044' | configuration
    check "with the lines all is well" run_cloud_init
    check "  doctor is content" not eval "nm-ib doctor | grep -i cloud-init"
    expect_up 'cloud-init ib0'
    nm_stop
    mixed_at_boot
    reboot_guest
    ;;
2)
    run_cloud_init # as its unit does at boot, before NetworkManager
    nm_start
    expect_state ib0 connected
    expect_mtu ib0 2044
    expect_roce mlx4_0 2 mode 'IB/RoCE v1'
    words_taken_back 'cloud-init eth0'
    expect_nm_alive
    ;;
esac
