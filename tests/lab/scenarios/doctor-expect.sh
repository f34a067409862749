# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor --expect compares the machine with a file or a number of ports; --ignore; --nagios
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe -a ib_umad rdma_ucm
fabric name=mlx5_0,mlx5_1 devid=0x1021 driver=mlx5_core rev=0 ports=1
nm_start
profile storage ifname ib0 connection.autoconnect yes mtu 2044
must up storage
must ip link set ib1 up
expect_carrier ib0 1
expect_carrier ib1 1
good=/run/good
check "healthy machine: a file for --expect" eventually eval "doctor_healthy && nm-ib doctor --expect now >$good"

# differs SEEN [EXIT]: exactly this finding of --expect, and this exit code (4)
differs() {
    local code=0
    nm-ib doctor --expect $good --json >/run/found || code=$?
    is "$(jq -r '[.findings[] | select(.id | startswith("expected")) | .seen] | join("; ")' /run/found) $code" "$1 ${2:-4}"
}
matches() { nm-ib doctor --expect $good --json >/run/found && is "$(jq -r '[.findings[].id] | join(" ")' /run/found)" kernel-name; } # a note

check "the same machine: no finding" eventually matches
hca link mlx5_0 1 1 4
check "3 lanes lost: the rate" differs "mlx5_0/1: rate is 10 Gb/s 1X QDR, and 40 Gb/s 4X QDR is expected"
hca link mlx5_0 1 4 4
check "all lanes again: no finding" eventually matches
must ip link set ib1 mtu 1500
check "MTU changed: the MTU" differs "ib1: mtu is 1500, and 2044 is expected"
must ip link set ib1 mtu 2044
echo 1 >/sys/module/softhca/parameters/sm_absent
check "no subnet manager: on the first of its ports, a warning" differs "mlx5_0/1: subnet_manager is no, and yes is expected" 1
echo 0 >/sys/module/softhca/parameters/sm_absent
check "subnet manager again: no finding" eventually matches
must ip link set ib1 down
check "an interface down: that, and no other value" differs "ib1: up is no, and yes is expected"
must ip link set ib1 up
hca state mlx5_1 1 down
check "a port down: the state, and nothing of its interface" eventually differs "mlx5_1/1: state is Down, and Active is expected"
check "a file made while a port is down: a note, and no link is expected there" eval "nm-ib doctor --expect now >/run/down 2>/run/err && grep -F 'note: mlx5_1/1 is Down' /run/err && not grep -E 'state=Down|carrier=no' /run/down"

check "2@40, one port down: expected-ports, exit 4" json_is 'too few active ports: 2 with at least 40 Gb/s are expected; found: 1; others: mlx5_1/1 (Down)' -s 4 '.findings[0].seen' nm-ib doctor --expect 2@40 --json
check "1@40: no finding" nm-ib doctor --expect 1@40
check "--ignore ID:WHERE: no finding, and the number" prints 'doctor.ignore: 1' nm-ib doctor --expect $good --ignore expected-differs:mlx5_1/1
check "--ignore with another place: the finding stays" ends 4 nm-ib doctor --expect $good --ignore expected-differs:mlx5_0/1
mkdir -p /etc/nm-infiniband
echo 'expected-differs:mlx5_1/1 # the cable is ordered' >/etc/nm-infiniband/doctor.ignore
check "doctor.ignore: no finding, and the number in --json" json_is $'1\nkernel-name' '.looked_at.ignored, .findings[].id' nm-ib doctor --expect $good --json
echo nonsense >>/etc/nm-infiniband/doctor.ignore
check "doctor.ignore with an unknown id: a note, and no failure" prints -2 "unknown finding 'nonsense'" nm-ib doctor
rm /etc/nm-infiniband/doctor.ignore

# nagios CODE LINE
nagios() {
    local line code=0
    line=$(nm-ib doctor --nagios "${@:3}") || code=$?
    is "$code $line" "$1 $2"
}
check "--nagios, healthy: 0, one line" nagios 0 "INFINIBAND OK - ports: 2, profiles: 1 | errors=0 warnings=0 ports=2 ignored=0"
check "--nagios, a port is missing: 2, one line" nagios 2 "INFINIBAND CRITICAL - mlx5_1/1: state is Down, and Active is expected [expected-differs] | errors=1 warnings=0 ports=2 ignored=0" --expect $good
must rmmod rdma_ucm
check "--nagios, a warning: 1, one line" nagios 1 "INFINIBAND WARNING - the module rdma_ucm is not loaded [no-ucm-module] | errors=0 warnings=1 ports=2 ignored=0"
must modprobe rdma_ucm
check "--nagios, no such file: 3, one line" nagios 3 "INFINIBAND UNKNOWN - Error: --expect: /run/absent: No such file or directory" --expect /run/absent

mistake() { refused_with 2 "Error: $1" nm-ib doctor "${@:2}"; } # TEXT WORD...
check "no such file" mistake '--expect: /run/absent: No such file or directory' --expect /run/absent
check "a number of ports with another word" mistake "--expect: '8@NDR': neither COUNT@GBPS" --expect 8@NDR
check "a file without values" mistake '--expect: /dev/null: the file has no group' --expect /dev/null
printf '[mlx5_0/1]\nfirmware=1\n' >/run/odd
check "a port with a key of a card" mistake '--expect: /run/odd: ' --expect /run/odd
check "--expect now with another option" mistake '--expect now: with no other option' --expect now --json
check "0 ports" mistake "--expect: '0@400': not COUNT@GBPS" --expect 0@400
check "--expect with --fix" mistake '--expect: not with --fix' --expect $good --fix
check "--expect with a port" mistake '--expect: not with --fix, and not with a port' ib0 --expect $good
check "--nagios with an unknown option: 3, one line" eval "prints -s 3 'INFINIBAND UNKNOWN - Error: unknown option' nm-ib doctor --nagios --nonsense && prints_only -s 3 -2 '' nm-ib doctor --nagios --nonsense"
check "--nagios with an option for tables: 3, one line" prints -s 3 -E '^INFINIBAND UNKNOWN - Error:' nm-ib -t doctor --nagios
check "--nagios with --json: 3, one line" nagios 3 "INFINIBAND UNKNOWN - Error: only one of --fix, --json, --nagios and --metrics." --json
hca state mlx5_1 1 active
check "the file made while a port was down, all ports up: no finding" eventually json_is kernel-name '.findings[].id' nm-ib doctor --expect /run/down --json
must nmcli connection down storage
fabric_unload
fabric name=mlx5_0 devid=0x1021 driver=mlx5_core rev=0 ports=1
check "a card lost: the card, and nothing of its port and interface" eventually json_is mlx5_1 -s 4 '[.findings[] | select(.id == "expected-missing") | .where] | join(" ")' nm-ib doctor --expect $good --json
