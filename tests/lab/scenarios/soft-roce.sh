# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: Soft-RoCE on a veth pair: nm-ib port shows the GID table, also after renames and removals
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe rdma_rxe
port() { prints -x "$2" nm-ib -t -e no -f "$1" port; }
shown() { nm-ib -g "$1" port show "$2"; }
# gids LINK TEXT...: the GID table of that port has exactly these lines
gids() {
    local link=$1
    shift
    is "$(shown GID "$link")" "$(printf '%s\n' "$@")"
}
# own LINK: the GID that the kernel derives from the MAC
own() {
    local m
    IFS=: read -ra m <"$NET/$1/address"
    printf 'fe80:0000:0000:0000:%02x%s:%sff:fe%s:%s%s' $((0x${m[0]} ^ 2)) "${m[@]:1}"
}

must ip link add ve0 type veth peer name ve1
for i in 0 1; do must ip link set ve$i up; done
must rdma link add rxe_ve0 type rxe netdev ve0
nm_start
for i in 0 1; do
    must nmcli connection add type ethernet con-name e$i ifname ve$i connection.autoconnect no \
        ipv4.method manual ipv4.addresses 10.9.0.$((i + 1))/24 ipv6.method disabled
    must nmcli device set ve$i managed yes
    expect_up e$i
done
check "rxe_ve0: nm-ib port shows interface and profile" port PORT,LINK_LAYER,STATE,INTERFACE,PROFILE 'rxe_ve0/1:RoCE:Active:ve0:e0'
check "rxe_ve0: has no PCI function" eval "prints_only '' shown HCA.PCI_ID ve0 && prints_only '' shown HCA.BUS_INFO ve0"
v2="0000:0000:0000:0000:0000:ffff:0a09:0001 RoCE v2 ve0"
check "rxe_ve0: RoCE v2 GIDs of the MAC and of the address" eventually gids ve0 "$(own ve0) RoCE v2 ve0" "$v2"
check "doctor, rxe_ve0 with an address: no finding" doctor_content
check "ve1: port show fails without an RDMA device" refused_with 10 ve1 shown PORT.NAME ve1
must rdma link add rxe_ve1 type rxe netdev ve1
check "ve1: port show has the GID after the RDMA device is made" eventually prints -x "${v2//0001 RoCE v2 ve0/0002 RoCE v2 ve1}" shown GID ve1
expect_down e0
check "rxe_ve0, address removed: its GID is gone" eventually prints_no ffff:0a09:0001 shown GID rxe_ve0/1
expect_up e0
check "rxe_ve0, address back: its GID is back" eventually prints -x "$v2" shown GID rxe_ve0/1
must ip address flush dev ve0
check "doctor, rxe_ve0 without an address: roce-link-local-only" eventually prints '[roce-link-local-only]' nm-ib doctor
expect_up e0
check "doctor, rxe_ve0 with an address again: no finding" eventually doctor_content

rename_link ve0 storage0
check "rxe_ve0, interface renamed: port shows the new name" port PORT,INTERFACE 'rxe_ve0/1:storage0'
must rdma dev set rxe_ve0 name roce0
check "rxe_ve0, device renamed: port shows the new name" port PORT,INTERFACE 'roce0/1:storage0'
must rdma link delete roce0
check "roce0, device deleted: no longer shown" prints_no roce0/1 nm-ib -t -e no -f PORT port
must ip link delete ve1
check "rxe_ve1, interface deleted: no longer shown" eventually prints_no rxe_ve1/1 nm-ib -t -e no -f PORT port
expect_nm_alive
expect_clean_kernel_log
