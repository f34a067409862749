# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an RDMA device keeps its name: reload, swapped HCAs, another "add", boot
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
two_hcas() { # first or swapped
    if [ "$1" = first ]; then
        fabric name=mlx4_0,mlx4_1 ports=2,1 guid=0x0002c903000a0000,0x0002c903000b0000
    else
        fabric name=mlx4_0,mlx4_1 ports=1,2 guid=0x0002c903000b0000,0x0002c903000a0000
    fi
}
# device NAME GUID: the RDMA device with this node GUID has the name
device() { check "node $2: is called $1${3:+ $3}" eventually file_is "$2" "/sys/class/infiniband/$1/node_guid"; }
a=0002:c903:000a:0000 b=0002:c903:000b:0000
rules=/etc/udev/rules.d/59-nm-infiniband-rdma

case $PHASE in
1)
    rm /etc/udev/rules.d/60-rdma-persistent-naming.rules # the guest's mask of rdma-core's own names
    udevadm control --reload
    two_hcas first
    left=$(basename "$(dirname "$(grep -l $a /sys/class/infiniband/*/node_guid)")")
    right=$(basename "$(dirname "$(grep -l $b /sys/class/infiniband/*/node_guid)")")
    note "rdma-core's names: $left $right"
    check "without nm-ib: rdma-core names the devices" eval "[[ $left = ib* && $right = ib* ]]"
    check "name set --rdma, two ports, no NAME: refused" refused_with 2 "has 2 ports" nm-ib name set ib0 one_ib0 --rdma
    check "name set --rdma, a name of the kernel: refused" refused_with 2 "another RDMA device may get" nm-ib name set ib0 one_ib0 --rdma mlx5_0
    check "name set --rdma, refused: no file is written" eval "no_file '$rules*' && no_file '/etc/systemd/network/70-nm-infiniband-*'"
    check "name set --rdma --dry-run: prints the rule" prints 'NAME_FIXED storage' nm-ib name set ib0 one_ib0 --rdma storage --dry-run
    nm_start
    check "name set --rdma NAME --now: renames the device" nm-ib name set ib0 one_ib0 --rdma storage --now
    device storage $a "now"
    nm_stop
    check "name set --rdma: a port's name for an HCA with one port; changed in JSON" eval "
        nm-ib name set ib2 compute && json_is true .changed nm-ib name set ib2 compute --rdma --json"
    check "name set --rdma with two names: refused" refused_with 2 Usage nm-ib name set ib2 compute --rdma one two
    check "name set --rdma: without --now nothing is renamed" test -e "/sys/class/infiniband/$right"
    check "name: shows the names" eval "prints -x storage:holds nm-ib -t -f NAME,STATE name && prints -x '$right:compute:next-boot' nm-ib -t -f PORT,NAME,STATE name"
    check "name set --rdma: a second run changes nothing" json_is false .changed nm-ib name set ib2 compute --rdma --json
    check "name set --rdma: another HCA's name is refused" refused_with 2 "gives storage to another" nm-ib name set ib2 compute --rdma storage --force
    check "name check: the names hold" nm-ib name check

    fabric_unload
    two_hcas swapped
    device storage $a "after a reload, swapped"
    device compute $b "after a reload, swapped"
    must systemctl restart systemd-udev-trigger
    udevadm settle
    device storage $a 'after another "add"'
    must rdma dev set storage name ibstore
    check "rdma dev set: nm-ib leaves a name given by hand" eval 'udevadm settle -t 60 && test -e /sys/class/infiniband/ibstore && ! test -e /sys/class/infiniband/storage'
    must rdma dev set ibstore name storage

    hca_at_boot name=mlx4_0,mlx4_1 ports=1,2 guid=0x0002c903000b0000,0x0002c903000a0000
    reboot_guest
    ;;
2)
    device storage $a "after a boot"
    device compute $b "after a boot"
    check "name check: the names hold" nm-ib name check
    check "doctor: no finding about names" doctor_shows '[.findings[].id | startswith("name-")] | any | not'
    mv /usr/lib/udev/rdma_rename /usr/lib/udev/away
    check "name check, without rdma-core: names the package" prints -s 1 "Install rdma-core" nm-ib name check
    check "name set --rdma, without rdma-core: refused" refused_with 2 "Install rdma-core" nm-ib name set one_ib0 one_ib0 --rdma other
    mv /usr/lib/udev/away /usr/lib/udev/rdma_rename
    must ip link add eth9 type dummy
    must modprobe rdma_rxe
    must rdma link add soft type rxe netdev eth9
    check "name set --rdma, the name of a device without InfiniBand: refused" refused_with 2 "already exists" nm-ib name set one_ib0 one_ib0 --rdma soft
    must mkfifo $rules-disk.rules
    check "doctor, a file of names that cannot be read: says that names were not checked" prints 'Names of ports were not checked: ' nm-ib doctor
    check "the same with --nagios and --json" eval "prints 'names of ports were not checked' nm-ib doctor --nagios && doctor_shows '.looked_at.names == false'"
    rm $rules-disk.rules
    echo "# mine" >>$rules-compute.rules
    check "name unset --rdma, changed by hand: refused" refused_with 2 "changed by hand" nm-ib name unset compute --rdma
    check "name unset --rdma --force: keeps a copy" eval "nm-ib name unset compute --rdma --force && ls $rules-compute.rules.before-nm-ib.bak"
    check "name unset --rdma: a second run changes nothing" json_is false .changed nm-ib name unset compute --rdma --json
    check "name unset --rdma: the port keeps its name" test -e /etc/systemd/network/70-nm-infiniband-compute.link
    check "name propose --rdma: proposes the port's name" json_has '.names == [{hca: "compute", node_guid: "'$b'", name: "compute"}]' nm-ib name propose --rdma --json
    check "name unset of a device's name, without --rdma: refused" refused_with 2 "name unset storage --rdma" nm-ib name unset storage
    check "name unset PORT --rdma: removes the device's name" nm-ib name unset one_ib0 --rdma
    fabric_unload
    two_hcas first
    check "names unset: rdma-core names the devices again" eval "no_file /sys/class/infiniband/storage && no_file /sys/class/infiniband/compute &&
        grep $a /sys/class/infiniband/*/node_guid && grep $b /sys/class/infiniband/*/node_guid"
    ;;
esac
