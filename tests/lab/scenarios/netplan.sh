# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: netplan's profiles come up; words survive its next run and a reboot; doctor names the fix in YAML
# with: plugin+dispatcher+cli dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
yaml() { # INTERFACE LINE...
    printf 'network:\n  version: 2\n  renderer: NetworkManager\n  ethernets:\n    %s:\n      addresses: [10.9.0.1/24]\n' "$1"
    printf '      %s\n' "${@:2}"
    printf '    eth0:\n      addresses: [10.9.2.1/24]\n'
} >/etc/netplan/ib.yaml
generate() {
    chmod 600 /etc/netplan/ib.yaml
    netplan generate && nmcli connection reload
}
address=80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:01
none_in_etc() { not ls /etc/NetworkManager/system-connections/*; }
modprobe rdma_ucm
case $PHASE in
1)
    mixed_fabric
    nm_start
    yaml ib0 'infiniband-mode: connected' 'mtu: 65520'
    check "netplan writes a profile that loads" generate
    expect_up netplan-ib0
    expect_mode ib0 connected
    expect_mtu ib0 65520
    yaml ib0 'infiniband-mode: datagram' 'mtu: 2044'
    words_outlive netplan-eth0 generate
    check "netplan-eth0: the profile is still in /run only" none_in_etc
    expect_up netplan-ib0
    expect_mode ib0 datagram
    check "doctor: no finding about netplan" doctor_shows '[.findings[] | select(.id != "kernel-name") | tostring | test("netplan"; "i")] | any | not'

    yaml ib0 "match: {macaddress: '$address'}"
    check "netplan without the mode: writes a profile that NetworkManager refuses" generate
    check "doctor, netplan without the mode: reports that the keyfile cannot be loaded" prints -E 'error .*netplan-ib0.nmconnection cannot be loaded' doctor_text
    check "doctor, netplan without the mode: names the line of YAML" prints '=> In /etc/netplan, below the interface: infiniband-mode: datagram' doctor_text
    check "doctor --fix keyfile-broken, netplan's keyfile: runs nothing" prints -s 4 'Nothing to fix.' nm-ib doctor --fix keyfile-broken --yes
    yaml ib0
    check "netplan without mode and mac-address: writes an Ethernet profile" generate
    check "doctor, netplan's Ethernet profile: the fix is in /etc/netplan" doctor_shows '.findings[] | select(.id == "ethernet-profile-on-infiniband").mend | startswith("In /etc/netplan")'
    yaml ib0 'infiniband-mode: datagram'
    check "netplan with infiniband-mode: writes a profile again" generate
    check "doctor, netplan with infiniband-mode: no finding about netplan" doctor_shows '[.findings[].mend | test("netplan")] | any | not'
    expect_up netplan-ib0
    nm_stop
    rm -f /etc/systemd/system-generators/netplan # the guest has no other generators
    mixed_at_boot
    reboot_guest
    ;;
2)
    nm_start
    expect_state ib0 connected
    expect_roce mlx4_0 2 mode 'IB/RoCE v1'
    words_taken_back netplan-eth0
    expect_nm_alive
    ;;
esac
