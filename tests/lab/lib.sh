# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# The functions of the scenarios; `. ./lib.sh` is a scenario's first command. Runs in the guest.
#
# Every check prints one TAP line. `eventually` waits up to $WAIT seconds for a condition, since NetworkManager, its dispatcher
# and the fabric work asynchronously. `never` checks that a condition stays false.

JOB=$PWD
NET=/sys/class/net
WAIT=90
TAP=/var/lib/lab/tap
PARTS=$(cat parts 2>/dev/null || echo none)
n=0
bad=0
[ ! -e $TAP ] || read -r n bad <$TAP

_finish() {
    local status=$?
    [ ! -e /var/lib/lab/reboot ] || { echo "$n $bad" >$TAP; exit 0; }
    if [ $status != 0 ]; then
        echo "not ok $((n += 1)) - scenario: ran to its end # exit status $status"
        bad=$((bad + 1))
    fi
    echo "1..$n"
    exit $((bad > 0))
}
trap _finish EXIT

# --- results

# check "OBJECT: what holds" COMMAND...: one TAP line; prints the command's output if it fails
check() {
    local what=$1 out
    shift
    n=$((n + 1))
    if out=$("$@" 2>&1); then
        echo "ok $n - $what"
    else
        bad=$((bad + 1))
        echo "not ok $n - $what"
        echo "# $*"
        [ -z "$out" ] || sed 's/^/#   /' <<<"$out"
    fi
}
# must COMMAND...: a step that the rest needs; ends the scenario if it fails
must() {
    local out
    out=$("$@" 2>&1) && return
    echo "# could not: $*"
    sed 's/^/#   /' <<<"$out"
    exit 1
}
note() { echo "# $*"; }
has() { [[ +$PARTS+ == *+$1+* ]]; } # has plugin: true if the guest has this part of the package
is() { [ "$1" = "$2" ] || { echo "is '$1', should be '$2'"; return 1; }; }
not() { ! "$@"; }

# eventually COMMAND...: true within $WAIT seconds; prints its last output if not
eventually() {
    local end=$((SECONDS + WAIT)) pauses=0 out
    until out=$("$@" 2>&1); do
        ((SECONDS < end)) || { echo "$out"; echo "not within $WAIT seconds"; return 1; }
        if ((++pauses < 10)); then sleep 0.1; else sleep 0.5; fi # each try takes CPU time from what it waits for
    done
}
# never SECONDS COMMAND...: stays false for this time
never() {
    local end=$((SECONDS + $1))
    shift
    while ((SECONDS < end)); do
        ! "$@" >/dev/null 2>&1 || { echo "came true: $*"; return 1; }
        sleep 0.2
    done
}

# --- the fabric

# fabric KNOB=VALUE...: load the soft HCAs (README.md of softhca has the knobs)
fabric() {
    modprobe -a ib_cm ib_ipoib
    must insmod "$JOB/softhca.ko" "$@"
    udevadm settle -t 60
}
fabric_unload() { must rmmod softhca; udevadm settle -t 60; }
# hca mlx4_0 1 down | active | ...: change a port while it runs ("COMMAND HCA PORT ARGUMENTS")
hca() { must _cmd "$*"; }
_cmd() { echo "$1" >/sys/module/softhca/parameters/cmd; }
port_state() { hca state "$@"; }
# rename_link ib0 mlx4_ib0: a stable name, like one from a .link file (Linux 6.1: only while the link is down)
rename_link() {
    must ip link set "$1" down
    must ip link set "$1" name "$2"
    udevadm settle -t 60
}
# name_port ib0 mlx4_ib0 OPTION...: a stable name by nm-ib, which holds when the port appears again
name_port() { must nm-ib name set "$@"; }
# hca_at_boot KNOB=VALUE...: the next boot loads the soft HCAs, like the driver of a real HCA
hca_at_boot() {
    must cp "$JOB/softhca.ko" "/lib/modules/$(uname -r)/softhca.ko"
    must depmod
    [ $# = 0 ] || echo "options softhca $*" >/etc/modprobe.d/softhca.conf
    echo softhca >/etc/modules-load.d/softhca.conf
}
# peer LINK MODE ADDRESS...: move a port into a namespace of its own, so that pings cross the fabric
peer() {
    local link=$1 mode=$2 address
    shift 2
    must ip netns add peer
    must ip link set "$link" netns peer
    must ip netns exec peer sh -c "echo $mode >/sys/class/net/$link/mode"
    for address; do
        must ip -n peer address add "$address" dev "$link" nodad
    done
    must ip -n peer link set "$link" up
}
# in_peer COMMAND...: in the namespace of the peer, with its own /sys/class/net
in_peer() { ip netns exec peer "$@"; }
# peer_child LINK P_KEY NAME ADDRESS: a partition in the namespace of the peer
peer_child() {
    must ip -n peer link add link "$1" name "$3" type ipoib pkey "$2" mode datagram
    must ip -n peer address add "$4" dev "$3"
    must ip -n peer link set "$3" up
}
# serve_dhcp LINK ITS-ADDRESS OFFERED: a DHCP server of the peer with one address (`files: dhcp.py`); its requests are in /run/dhcp
serve_dhcp() { in_peer python3 "$JOB/dhcp.py" "$@" >>/run/dhcp 2>&1 & }
# dhcp_side: ib1 of the peer and its child on 0x8002 serve DHCP
dhcp_side() {
    peer ib1 datagram 192.0.2.2/24
    peer_child ib1 0x8002 kid 198.51.100.2/24
    serve_dhcp ib1 192.0.2.2 192.0.2.77
    serve_dhcp kid 198.51.100.2 198.51.100.77
}
# reboot_guest: restarts the guest; the scenario runs again from its top with PHASE one higher
reboot_guest() {
    echo $((PHASE + 1)) >/var/lib/lab/phase
    touch /var/lib/lab/reboot
    /usr/local/lib/lab/collect /var/lib/lab/logs
    exit 0
}

# --- NetworkManager

nm_start() { must systemctl start NetworkManager; must nm-online -sqt 180; }
nm_stop() { must systemctl stop NetworkManager; }
nm_restart() { must systemctl restart NetworkManager; must nm-online -sqt 180; }
# nm_crash SIGNAL: the daemon dies, and systemd does not restart it
nm_crash() {
    mkdir -p /run/systemd/system/NetworkManager.service.d
    printf '[Service]\nRestart=no\n' >/run/systemd/system/NetworkManager.service.d/crash.conf
    must systemctl daemon-reload
    must systemctl kill -s "$1" NetworkManager
    must eventually not systemctl is-active NetworkManager
    systemctl reset-failed NetworkManager
}
# profile NAME PROPERTY VALUE...: an InfiniBand profile without autoconnect, and without addresses unless given
profile() {
    local name=$1
    shift
    must nmcli connection add type infiniband con-name "$name" connection.autoconnect no \
        ipv4.method disabled ipv6.method disabled "$@"
    _remember "$name"
}
# child NAME PARENT P_KEY PROPERTY VALUE...: the same for a partition
child() {
    local name=$1 parent=$2 key=$3
    shift 3
    profile "$name" infiniband.parent "$parent" infiniband.p-key "$key" "$@"
}
modify() { must nmcli connection modify "$@"; _remember "$1"; }
_file() { echo "/etc/NetworkManager/system-connections/$1.nmconnection"; }
# words PROFILE LINE...: the file of its rdma.* words, as nm-ib writes it
words() {
    mkdir -p /etc/nm-infiniband/profiles
    printf '%s\n' "${@:2}" >"/etc/nm-infiniband/profiles/$(nmcli -g connection.uuid connection show "$1")"
}
_remember() { cp "$(_file "$1")" "/run/profile-$1"; }
up() { nmcli -w 120 connection up "$1"; }
down() { nmcli -w 120 connection down "$1"; }
dev_state() { nmcli -g GENERAL.STATE device show "$1" | sed 's/^[0-9]* (\(.*\))$/\1/'; }
# journal: the lines of all units since the last `journal_mark`
journal_mark() { journalctl --sync 2>/dev/null; date '+%Y-%m-%d %H:%M:%S.%6N' >/run/mark; sleep 0.05; }
journal() { journalctl -b --no-pager -o cat ${mark:+--since "$mark"} "$@"; }
_said() { local mark; mark=$(cat /run/mark 2>/dev/null); journal "${@:2}" | grep -E -- "$1"; }
_tso() { ethtool -k "$1" | sed -n 's/^[[:space:]]*tx-tcp-segmentation: //p'; }
_has_address() { ip address show dev "$1" | grep -F " $2/"; }
_said_once() {
    is "$(_said "$1" | wc -l)" 1 && return
    _said "$1"
    return 1
}

# --- rdma.* words

# nm_manages_ethernet: before NetworkManager starts; the guest's own configuration ignores eth*
nm_manages_ethernet() { printf '[keyfile]\nunmanaged-devices=none\n' >/etc/NetworkManager/conf.d/roce.conf; }
# roce_fabric: a card with an Ethernet port for both versions of RoCE, mlx4_0/2, and one for v2 alone, mlx5_0/1
roce_fabric() {
    fabric name=mlx4_0,mlx5_0 ports=2,1 eth=2,1 roce=3,2 devid=0x1003,0x1017 driver=mlx4_core,mlx5_core
    nm_manages_ethernet
}
# mixed_fabric: two cards with one Ethernet port, mlx4_0/2; mixed_at_boot: for the next boot
mixed_fabric() {
    fabric name=mlx4_0,mlx4_1 eth=2,0
    nm_manages_ethernet
}
mixed_at_boot() { hca_at_boot name=mlx4_0,mlx4_1 eth=2,0; }
# ethernet NAME LINK ADDRESS PROPERTY VALUE...: an Ethernet profile without autoconnect
ethernet() { must nm-ib connection add type ethernet con-name "$1" ifname "$2" autoconnect no ipv4.method manual ipv4.addresses "$3" ipv6.method disabled "${@:4}"; }
# roce_kept DEVICE PORT FILE: the default RoCE value in RDMA-CM
roce_kept() {
    local made=no value
    mkdir /sys/kernel/config/rdma_cm/"$1" 2>/dev/null && made=yes
    value=$(cat /sys/kernel/config/rdma_cm/"$1"/ports/"$2"/default_roce_"$3")
    [ $made = no ] || rmdir /sys/kernel/config/rdma_cm/"$1"
    echo "$value"
}
expect_roce() { check "$1/$2: RDMA-CM has $3 $4" eventually eval "is \"\$(roce_kept $1 $2 $3)\" '$4'"; }
# words_outlive PROFILE COMMAND...: words of a profile of mlx4_0/2 are applied, and again after COMMAND has rewritten the profile
words_outlive() {
    check "rdma.roce-mode v1 of '$1': stored" nm-ib connection modify "$1" rdma.roce-mode v1
    expect_up "$1"
    expect_roce mlx4_0 2 mode 'IB/RoCE v1'
    check "profile '$1': rewritten by another program" "${@:2}"
    check "rdma.roce-mode v1 of '$1': still stored after the profile is rewritten" is "$(nm-ib -g rdma.roce-mode connection show "$1")" v1
    expect_up "$1"
    expect_roce mlx4_0 2 mode 'IB/RoCE v1'
}
# words_taken_back PROFILE: removes the words, and no file is left
words_taken_back() {
    check "rdma.roce-mode of '$1': removed" nm-ib connection modify "$1" rdma.roce-mode ''
    check "rdma.roce-mode of '$1', removed: no file of words is left" not eval 'ls /etc/nm-infiniband/profiles/*'
    expect_up "$1"
    expect_roce mlx4_0 2 mode 'RoCE v2'
}
# rdma_machine: all state that the words could change
rdma_machine() {
    mkdir -p /run/NetworkManager/nm-infiniband # else the first state file would add this directory
    find /etc -type f ! -path '*/system-connections/*' ! -path '*/nm-infiniband/profiles/*' -exec md5sum {} + | sort -k2
    find /run/NetworkManager/nm-infiniband /sys/kernel/config/rdma_cm | sort
    cat /run/NetworkManager/nm-infiniband/rdma-*
    rdma dev | sed 's/^[0-9]*: //; s/ *$//'
    rdma link | sed 's/ *$//'
    local d
    for d in /sys/class/infiniband/*; do
        d=${d##*/}
        mkdir "/sys/kernel/config/rdma_cm/$d"
        head /sys/kernel/config/rdma_cm/"$d"/ports/*/*
        rmdir "/sys/kernel/config/rdma_cm/$d"
    done
    ip link show ib0 | grep -o 'vf .*GUID.*'
    lsmod | awk '{ print $1 }' | sort
}

# --- settings of the machine (nm-ib host)

# host_files: every file of the administrator with its checksum; systemd writes .updated at boot
host_files() {
    { find /etc /run/systemd/system /run/systemd/transient -path /etc/NetworkManager -prune -o -printf '%y %m %u %p\n'
      find /etc -path /etc/NetworkManager -prune -o -type f -exec md5sum {} +; } 2>/dev/null | grep -v -e /etc/.pwd.lock -e /etc/.updated -e /etc/mtab | sort
}
host_mark() { host_files >/run/host-files; }
expect_host_files() { check "files of the administrator: unchanged" eval "host_files | diff /run/host-files -"; }
# host_changes true|false NOUN WORD...: the field "changed" of nm-ib host NOUN WORD... --json
host_changes() { is "$(nm-ib host "${@:2}" --json | jq .changed)" "$1"; }
# host_refuses NOUN WORD...: exit 2, one line
host_refuses() { local code=0 out; out=$(nm-ib host "$@" 2>&1) || code=$?; is "$code $(grep -cE '^(Error|Usage): ' <<<"$out")" "2 1"; }
# host_row FIELDS TEXT: a row of the list with exactly this text
host_row() { nm-ib -e no -g "$1" host | grep -Fx -- "$2" || { nm-ib -e no -t -f all host; return 1; }; }

# --- nm-ib doctor

# doctor_finds ID... EXIT: exactly these findings in this order, and this exit code. Profiles of scenarios are bound to
# ib0: kernel-name counts only if it is among the arguments.
doctor_finds() {
    local code=0
    nm-ib doctor --json >/run/found || code=$?
    [[ "$*" = *kernel-name* ]] || jq -c '.findings |= map(select(.id != "kernel-name"))' /run/found >/run/found.new
    [ ! -e /run/found.new ] || mv /run/found.new /run/found
    is "$(jq -r '[.findings[].id] | join(" ")' /run/found) $code" "$*"
}
doctor_field() { jq -r ".findings[0].$1 | if type == \"array\" then join(\" \") else . end" /run/found; } # a field of the first finding
doctor_mend() { jq -r '.findings[0].commands[] | @sh' /run/found | sh -e; } # runs the commands of the first finding
doctor_text() { nm-ib doctor "$@" | tr -s ' \n' ' '; }                  # with each run of blanks and line breaks as one blank
doctor_healthy() { doctor_content && doctor_finds "" 0; }
# shellcheck disable=SC2120 # scenarios name a port or a profile
doctor_content() { nm-ib doctor "$@" | grep -E '^(No problem found|No RDMA device found, and no profile waits)'; }

# --- nm-ib check, towards a peer on 192.0.2.2

PEER=192.0.2.2
check_start="route:ok carrier:ok neighbour:ok"
# check_finds "STEP:RESULT..." EXIT OPTION...: exactly these steps in this order, and this exit code
check_finds() {
    local code=0
    nm-ib check "${@:3}" --json >/run/found || code=$?
    is "$(jq -r '[.steps[] | .step + ":" + .result] | join(" ")' /run/found) $code" "$1 $2"
}
check_said() { jq -r '.steps[].seen' /run/found | grep -E -- "$1"; }
# check_all_well: all steps pass, without throughput
check_all_well() { check "check of the peer: all steps pass" eventually check_finds "$check_start ping:ok large-ping:ok" 0 $PEER --no-iperf; }
# two_ends: ib0, and ib1 of the peer, both up
two_ends() {
    peer ib1 datagram $PEER/24 2001:db8::2/64
    must ip address add 192.0.2.1/24 dev ib0
    must ip address add 2001:db8::1/64 dev ib0 nodad
    must ip link set ib0 up
    expect_carrier ib0 1
}

# --- NFS over RDMA

# An NFS server; a Soft-RoCE device on one end of a veth pair, so that this machine can mount; the fstab line that nm-ib prints.
nfs_export() {
    mkdir -p /srv/share /mnt/share
    echo hello >/srv/share/file
    echo '/srv/share *(rw,insecure,no_root_squash,fsid=0)' >/etc/exports
}
nfs_rxe() {
    must ip link add ve0 type veth peer name ve1
    must ip address add 10.9.0.1/24 dev ve0
    must ip link set ve0 up
    must ip link set ve1 up
    must rdma link add rxe_ve0 type rxe netdev ve0
}
nfs_fstab() {
    local line
    line=$(nm-ib host nfs-server rdma | sed -n 's/^ *SERVER:/SERVER:/p')
    sed "s|SERVER:/EXPORT /MOUNTPOINT|10.9.0.1:/ /mnt/share|" <<<"$line" >>/etc/fstab
}
nfs_end_grace() { echo Y >/proc/fs/nfsd/v4_end_grace; } # else clients wait for 90 seconds after the server has started

# --- checks

expect_up() { check "profile '$1': comes up" up "$1"; }
expect_no_up() { check "profile '$1': does not come up" not up "$1"; }
expect_down() { check "profile '$1': goes down" down "$1"; }
expect_mode() { check "$1: $2 mode" eventually eval "is \"\$(cat $NET/$1/mode)\" $2"; }
expect_mtu() { check "$1: MTU $2" eventually eval "is \"\$(cat $NET/$1/mtu)\" $2"; }
# expect_address LINK ADDRESS, expect_no_address LINK ADDRESS: without the length of the prefix
expect_address() { check "$1: has address $2" eventually _has_address "$@"; }
expect_no_address() { check "$1: no address $2" eventually not _has_address "$@"; }
expect_pkey() { check "$1: P_Key $2" eventually eval "is \"\$(cat $NET/$1/pkey)\" $2"; }
# expect_tso LINK on|off|"off [fixed]"
expect_tso() { check "$1: TSO $2" eventually eval "is \"\$(_tso $1)\" '$2'"; }
expect_state() { check "$1: NetworkManager state $2" eventually eval "is \"\$(dev_state $1)\" '$2'"; }
expect_carrier() { check "$1: carrier $2" eventually eval "is \"\$(cat $NET/$1/carrier)\" $2"; }
expect_link() { check "$1: exists" eventually test -e "$NET/$1"; }
# expect_name LINK GUID: the port with this GUID has the name LINK (GUID: 0002:c903:000a:0001)
expect_name() {
    local tail
    tail=$(sed 's/://g; s/../:&/g' <<<"$2")
    check "port $2: has the name $1" eventually eval "[[ \$(cat $NET/$1/address) == *$tail ]]"
}
expect_no_link() { check "$1: does not exist" eventually test ! -e "$NET/$1"; }
# expect_journal TEXT (an extended regular expression): in the journal since the last journal_mark
expect_journal() { check "in the journal: $1" eventually _said "$1"; }
expect_journal_once() {
    expect_journal "$1"
    check "only once in the journal: $1" _said_once "$1"
}
expect_no_journal() { check "not in the journal: $1" not _said "$1"; }
expect_ping() { check "ping $1${2:+ with $2 bytes}: answered" eventually ping -n -c 2 -i 0.2 -W 2 ${2:+-s "$2" -M do} "$1"; }
expect_profile_kept() { check "profile '$1': stored as the user wrote it" cmp "$(_file "$1")" "/run/profile-$1"; }
expect_nm_alive() { check "NetworkManager: runs, never restarted" eval "systemctl is-active NetworkManager && is \"\$(systemctl show -P NRestarts NetworkManager)\" 0"; }
# expect_helper_at_work: the daemon has no plugin; the dispatcher's helper does the work
expect_helper_at_work() {
    expect_nm_alive
    profile without-plugin ifname ib0 transport-mode datagram mtu 4092
    journal_mark
    expect_up without-plugin
    expect_mtu ib0 2044
    expect_tso ib0 off
    check "dispatcher's helper: logs the MTU limit" eventually _said 'nm-ib: ib0: MTU 4092 was requested' -t nm-dispatcher
}
expect_clean_kernel_log() { check "kernel log: no BUG, WARNING, Oops or call trace" eval "! dmesg | grep -E 'BUG|WARNING|Oops|Call Trace'"; }
