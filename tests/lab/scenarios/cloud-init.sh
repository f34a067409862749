# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: cloud-init's profiles come up; words survive its next run and a reboot; doctor names the fix in cloud-init's language
# with: plugin+dispatcher+cli dispatcher+cli
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
    check "cloud-init writes a profile that loads" run_cloud_init
    expect_up 'cloud-init ib0'
    expect_mode ib0 datagram
    expect_mtu ib0 2044
    expect_tso ib0 off
    check "doctor: no finding about cloud-init" doctor_shows '[.findings[] | select(.id != "kernel-name") | tostring | test("cloud-init"; "i")] | any | not'
    version1 'mtu: 1500' | configuration
    words_outlive 'cloud-init eth0' run_cloud_init
    expect_up 'cloud-init ib0'
    expect_mtu ib0 1500

    version1 | configuration
    check "cloud-init without an MTU: writes a profile that NetworkManager refuses" run_cloud_init
    check "doctor, cloud-init without an MTU: reports that the keyfile cannot be loaded" prints -E 'error .*cloud-init-ib0.nmconnection cannot be loaded' doctor_text
    check "doctor, cloud-init without an MTU: names the lines for cloud-init's configuration" prints '=> In the network configuration of cloud-init: version: 1, type: infiniband, mtu: 2044' doctor_text
    check "doctor --fix keyfile-broken, cloud-init's keyfile: runs nothing" prints -s 4 'Nothing to fix.' nm-ib doctor --fix keyfile-broken --yes
    printf 'version: 2\nethernets:\n  ib0:\n    addresses: [10.9.0.1/24]\n' | configuration
    check "cloud-init version 2: writes an Ethernet profile for the port" run_cloud_init
    check "doctor, cloud-init version 2: the fix is in cloud-init's configuration" doctor_shows '.findings[] | select(.id == "ethernet-profile-on-infiniband").mend | startswith("In the network configuration of cloud-init")'
    version1 'mtu: 2044' | configuration
    check "cloud-init with the named lines: writes a profile again" run_cloud_init
    check "doctor, cloud-init with the named lines: no finding about cloud-init" doctor_shows '[.findings[] | select(.id != "kernel-name") | tostring | test("cloud-init"; "i")] | any | not'
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
