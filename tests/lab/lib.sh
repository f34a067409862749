# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# The functions of the scenarios; `. ./lib.sh` is a scenario's first command. Runs in the guest.
#
# Every check prints one TAP line. `eventually` waits up to $WAIT seconds, since NetworkManager, its dispatcher and the fabric work
# asynchronously. `stays` checks that a condition holds until they are at rest.

JOB=$PWD
NET=/sys/class/net
WAIT=90
TAP=/var/lib/lab/tap
UNKNOWN=/var/lib/lab/unknown-commands
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
    if [ -s $UNKNOWN ]; then
        echo "not ok $((n += 1)) - scenario: has only commands that exist # $(paste -sd ' ' $UNKNOWN)"
        bad=$((bad + 1))
    fi
    echo "1..$n"
    exit $((bad > 0))
}
trap _finish EXIT
# A misspelt verb fails the scenario, also outside of a check. Bash calls this in a subshell, so the mark is a file.
command_not_found_handle() {
    echo "$1" >>$UNKNOWN
    echo "$1: command not found" >&2
    return 127
}

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
# not COMMAND...: it ends with 1 to 125; a command that ends by a signal or does not exist is no answer
not() { local code=0; "$@" || code=$?; ((code < 126)) || return $code; ((code > 0)); }
file_is() { # VALUE FILE: the first line of a file that exists, without a process
    local line=''
    [ -e "$2" ] || { echo "no file $2"; return 1; }
    read -r line <"$2"
    is "$line" "$1"
}

# --- what a command prints, and its exit status: a command that crashes passes none of these

# ends STATUS COMMAND...: with this exit status, below 126
ends() {
    local code=0
    _exit_status "$1" || return
    "${@:2}" || code=$?
    is "exit status $code" "exit status $1"
}
# _exit_status STATUS: a command can end with it of its own accord
_exit_status() { ((10#$1 < 126)) || { echo "exit status $1 is a crash"; return 1; }; }
# prints [OPTION...] TEXT COMMAND...: the command ends with 0, and a line of its standard output has TEXT
#   -s STATUS: it ends with this status; -2: a line of its standard error; -E, -x, -i: as in grep, else TEXT is a fixed string
prints() { _printed grep "$@"; }
# prints_no [OPTION...] TEXT COMMAND...: the same, but no line has TEXT
prints_no() { _printed "not grep" "$@"; }
# prints_only [OPTION...] TEXT COMMAND...: the same, and TEXT is all that it prints: lines, or nothing
prints_only() { _printed is "$@"; }
# refused_with STATUS TEXT COMMAND...: no standard output; standard error has one line with "Error: " or "Usage: ", and TEXT in
# it or in the remedy below it; no sanitizer has reported
refused_with() {
    local code=0 err=/run/refused.$BASHPID
    prints_only -s "$1" '' "${@:3}" 2>"$err" || code=1
    cat "$err"
    [ $code = 0 ] && is "$(grep -cE '^(Error|Usage): ' "$err") lines with Error" "1 lines with Error" &&
        sed -En '/^(Error|Usage): /,$p' "$err" | grep -qF -- "$2" && ! grep -qE 'ERROR: |runtime error:' "$err" || code=1
    rm -f "$err"
    return $code
}
_printed() {
    local how=$1 status=0 stream=out find=(-F) code=0 text out err=/run/printed.$BASHPID
    shift
    while :; do
        case $1 in
        -s) status=$2 && shift ;;
        -2) stream=err ;;
        -E) find[0]=-E ;;
        -x | -i) find+=("$1") ;;
        *) break ;;
        esac
        shift
    done
    text=$1
    shift
    _exit_status "$status" || return
    [ "$how" != grep ] || [ -n "$text" ] || { echo "prints '': each line has this text"; return 1; }
    if [ $stream = out ]; then
        out=$("$@") || code=$?
    else
        out=$("$@" 2>&1 >"$err") || code=$?
        cat "$err"
        rm -f "$err"
    fi
    echo "$out"
    is "exit status $code" "exit status $status" || return
    case $how in
    grep) grep -q "${find[@]}" -- "$text" <<<"$out" ;;
    is) is "$out" "$text" ;;
    *) ends 1 grep "${find[@]}" -- "$text" <<<"$out" ;; # 2: no valid pattern
    esac
}

# no_file PATTERN: no file has such a name
no_file() { ! compgen -G "$1"; }
# json_has [-s STATUS] FILTER COMMAND...: the command ends with STATUS (0) and prints a JSON object for which jq -e FILTER succeeds
json_has() { _json "" "$@"; }
# json_is TEXT [-s STATUS] FILTER COMMAND...: the same, and jq -r FILTER prints TEXT
json_is() { _json "=$1" "${@:2}"; }
_json() {
    local wanted=$1 status=0 code=0 json got
    shift
    [ "$1" != -s ] || { status=$2 && shift 2; }
    json=$("${@:2}") || code=$?
    echo "$json"
    _exit_status "$status" && is "exit status $code" "exit status $status" && _one_object <<<"$json" || return
    if [ -z "$wanted" ]; then
        jq -e "$1" <<<"$json" >/dev/null
    else
        got=$(jq -r "$1" <<<"$json") && is "=$got" "$wanted"
    fi
}

# _one_object [FILTER]: standard input is one JSON object, and the filter is true for it. jq 1.6 -e succeeds for no input at all
_one_object() {
    jq -es "length == 1 and (.[0] | type == \"object\" and (${1:-true}))" >/dev/null || { echo "not one JSON object${1:+ with $1}"; return 1; }
}

# --- waiting

pause() { read -rt "$1" <>/run/pause || :; } # sleep without a process
[ -p /run/pause ] || mkfifo /run/pause
# eventually COMMAND...: true within $WAIT seconds; prints its last output if not
eventually() {
    local end=$((SECONDS + WAIT)) pauses=0 out
    until out=$("$@" 2>&1); do
        ((SECONDS < end)) || { echo "$out"; echo "not within $WAIT seconds"; return 1; }
        if ((++pauses < 10)); then pause 0.1; else pause 0.5; fi # each try takes CPU time from what it waits for
    done
}
# eventually_is TEXT COMMAND...: within $WAIT seconds, TEXT is all that the command prints
eventually_is() { eventually prints_only "$@"; }
# nm_eventually COMMAND...: the same; runs COMMAND again after 2 s or when NetworkManager has worked
nm_eventually() {
    local end=$((SECONDS + WAIT)) pauses work before out
    until out=$("$@" 2>&1); do
        ((SECONDS < end)) || { echo "$out"; echo "not within $WAIT seconds"; return 1; }
        pause 0.2
        _work
        for ((before = work, pauses = 0; work == before && pauses < 20; pauses++)); do
            pause 0.1
            _work
        done
    done
}
# never SECONDS COMMAND...: false (see not) for this time; only where no event ends the wait, else use stays
never() {
    local end=$((SECONDS + $1))
    shift
    while ((SECONDS < end)); do
        not "$@" >/dev/null 2>&1 || { echo "came true, or crashed: $*"; return 1; }
        pause 0.2
    done
}
# stays COMMAND...: true until NetworkManager and its dispatcher are at rest: no processor time used for 1.4 s, more than the
# plugin's timers of 0.2 and 1 s, and no script runs. COMMAND must not call NetworkManager
stays() {
    local end=$((SECONDS + WAIT)) rest=0 before=0 work out=/run/stays.$BASHPID
    while ((rest < 5)); do
        "$@" >"$out" 2>&1 || { cat "$out"; echo "no longer true: $*"; return 1; }
        ((SECONDS < end)) || { echo "NetworkManager still works after $WAIT seconds"; return 1; }
        pause 0.28
        _work
        if ((work == before)); then ((++rest)); else rest=0; fi
        before=$work
    done
}
_work() { # sets work: the processor time of both; while a script runs, another value each time
    local slice=/sys/fs/cgroup/system.slice/NetworkManager unit time pids=()
    work=1
    for unit in '' -dispatcher; do
        [ ! -e $slice$unit.service ] || read -r _ time <$slice$unit.service/cpu.stat
        ((work += time))
    done
    [ ! -e $slice-dispatcher.service ] || mapfile -t pids <$slice-dispatcher.service/cgroup.procs
    ((${#pids[@]} < 2)) || ((work += RANDOM))
}
settle() { stays true; }
settled() { settle && "$@"; } # COMMAND...: true then

# --- the fabric

# fabric KNOB=VALUE...: load the soft HCAs (softhca/README.md has the knobs)
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
# rename_link ib0 mlx4_ib0: as a .link file does (Linux 6.1: only while the link is down)
rename_link() {
    must ip link set "$1" down
    must ip link set "$1" name "$2"
    udevadm settle -t 60
}
# name_port ib0 mlx4_ib0 OPTION...: a stable name by nm-ib, for when the port appears again
name_port() { must nm-ib name set "$@"; }
# hca_at_boot KNOB=VALUE...: the next boot loads the soft HCAs
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
# in_peer COMMAND...: in its namespace, with its own /sys/class/net
in_peer() { ip netns exec peer "$@"; }
# peer_child LINK P_KEY NAME ADDRESS: a partition in the namespace of the peer
peer_child() {
    must ip -n peer link add link "$1" name "$3" type ipoib pkey "$2" mode datagram
    must ip -n peer address add "$4" dev "$3"
    must ip -n peer link set "$3" up
}
# serve_dhcp LINK ITS-ADDRESS OFFERED [MTU]: a DHCP server of the peer (`files: dhcp.py`); its requests are in /run/dhcp
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
# nm_crash SIGNAL: the daemon dies and is not restarted
nm_crash() {
    mkdir -p /run/systemd/system/NetworkManager.service.d
    printf '[Service]\nRestart=no\n' >/run/systemd/system/NetworkManager.service.d/crash.conf
    must systemctl daemon-reload
    must systemctl kill -s "$1" NetworkManager
    must eventually ends 3 systemctl is-active NetworkManager # "failed"
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
journal_mark() { journalctl --sync 2>/dev/null; date '+%Y-%m-%d %H:%M:%S.%6N' >/run/mark; pause 0.05; }
journal() { journalctl -b --no-pager -o cat ${mark:+--since "$mark"} "$@"; }
_journal() { local mark=''; [ ! -e /run/mark ] || read -r mark </run/mark; journal "$@"; }
_said() { _journal "${@:2}" | grep -E -- "$1"; }
_tso() { ethtool -k "$1" | sed -n 's/^[[:space:]]*tx-tcp-segmentation: //p'; }
_has_address() { ip address show dev "$1" | grep -F " $2/"; }
_lacks_address() { prints_no " $2/" ip address show dev "$1"; } # false for a link that does not exist
_said_once() {
    settled journalctl --sync || return
    is "$(_said "$1" | wc -l)" 1 && return
    _said "$1"
    return 1
}
_never_said() { settled journalctl --sync && prints_no -E "$1" _journal; }

# --- rdma.* words

# nm_manages_ethernet: before NetworkManager starts; else it ignores eth*
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
# roce_kept DEVICE PORT FILE: the value in RDMA-CM
roce_kept() {
    local made=no value
    mkdir /sys/kernel/config/rdma_cm/"$1" 2>/dev/null && made=yes
    value=$(cat /sys/kernel/config/rdma_cm/"$1"/ports/"$2"/default_roce_"$3")
    [ $made = no ] || rmdir /sys/kernel/config/rdma_cm/"$1" # not while the helper works there
    echo "$value"
}
expect_roce() { check "$1/$2: RDMA-CM has $3 $4" eventually settled prints_only "$4" roce_kept "$1" "$2" "$3"; }
# words_outlive PROFILE COMMAND...: words of a profile of mlx4_0/2 are applied, and again after COMMAND has rewritten the profile
words_outlive() {
    check "rdma.roce-mode v1 of '$1': stored" nm-ib connection modify "$1" rdma.roce-mode v1
    expect_up "$1"
    expect_roce mlx4_0 2 mode 'IB/RoCE v1'
    check "profile '$1': rewritten by another program" "${@:2}"
    check "rdma.roce-mode v1 of '$1': still stored after the profile is rewritten" prints_only v1 nm-ib -g rdma.roce-mode connection show "$1"
    expect_up "$1"
    expect_roce mlx4_0 2 mode 'IB/RoCE v1'
}
# words_taken_back PROFILE: removes the words, and no file is left
words_taken_back() {
    check "rdma.roce-mode of '$1': removed" nm-ib connection modify "$1" rdma.roce-mode ''
    check "rdma.roce-mode of '$1', removed: no file of words is left" no_file '/etc/nm-infiniband/profiles/*'
    expect_up "$1"
    expect_roce mlx4_0 2 mode 'RoCE v2'
}
# --- settings of the machine (nm-ib host)

# host_files: every file of the administrator with its checksum
host_files() {
    { find /etc /run/systemd/system /run/systemd/transient -path /etc/NetworkManager -prune -o -printf '%y %m %u %p\n'
      find /etc -path /etc/NetworkManager -prune -o -type f -exec md5sum {} +; } 2>/dev/null | grep -v -e /etc/.pwd.lock -e /etc/.updated -e /etc/mtab | sort
}
host_mark() { host_files >/run/host-files; }
expect_host_files() { check "files of the administrator: unchanged" eval "host_files | diff /run/host-files -"; }
# host_changes true|false NOUN WORD...: the field "changed" of nm-ib host NOUN WORD... --json
host_changes() { json_is "$1" .changed nm-ib host "${@:2}" --json; }
host_refuses() { refused_with 2 "$1" nm-ib host "${@:2}"; } # TEXT WORD...
# host_row FIELDS TEXT: a row of the list with exactly this text
host_row() { prints -x "$2" nm-ib -e no -g "$1" host || { nm-ib -e no -t -f all host; return 1; }; }

# --- nm-ib doctor

# doctor_shows FILTER ARGUMENT...: nm-ib doctor prints one JSON object for which jq -e FILTER succeeds, and ends with the status
# of the worst finding: 4 for an error, 1 for a warning, else 0
# doctor_has ID ARGUMENT..., doctor_lacks ID ARGUMENT...: for one finding
doctor_has() { doctor_shows "any(.findings[]; .id == \"$1\")" "${@:2}"; }
doctor_lacks() { doctor_shows "all(.findings[]; .id != \"$1\")" "${@:2}"; }
doctor_shows() {
    local code=0 json
    json=$(nm-ib doctor "${@:2}" --json) || code=$?
    echo "$json"
    _one_object '.findings | type == "array"' <<<"$json" || return
    is "exit status $code" "exit status $(jq "[.findings[].severity] | if any(. == \"error\") then 4 elif any(. == \"warning\") then 1 else 0 end" <<<"$json")" &&
        jq -e "$1" <<<"$json" >/dev/null
}
# doctor_finds ID... EXIT: exactly these findings in this order, and this exit code. Profiles of scenarios are bound to
# ib0: kernel-name counts only if it is among the arguments.
doctor_finds() {
    local code=0
    nm-ib doctor --json >/run/found || code=$?
    _one_object '.findings | type == "array"' </run/found || return
    if [[ "$*" != *kernel-name* ]]; then
        jq -c '.findings |= map(select(.id != "kernel-name"))' /run/found >/run/found.new || return
        mv /run/found.new /run/found
    fi
    is "$(jq -r '[.findings[].id] | join(" ")' /run/found) $code" "$*"
}
doctor_field() { jq -r ".findings[0].$1 | if type == \"array\" then join(\" \") else . end" /run/found; } # a field of the first finding
# doctor_mend: runs the commands of the first finding, at least one
doctor_mend() {
    local commands
    commands=$(jq -r '.findings[0].commands[] | @sh' /run/found) && [ -n "$commands" ] && sh -e <<<"$commands"
}
# doctor_text ARGUMENT...: with each run of blanks and line breaks as one blank; nm-ib ends with the status of the worst finding
doctor_text() {
    local code=0 text worst=0
    text=$(nm-ib doctor "$@") || code=$?
    tr -s ' \n' ' ' <<<"$text"
    if grep -q '^error ' <<<"$text"; then worst=4; elif grep -q '^warning ' <<<"$text"; then worst=1; fi
    is "exit status $code" "exit status $worst" >&2
}
doctor_healthy() { doctor_content && doctor_finds "" 0; }
# shellcheck disable=SC2120 # scenarios name a port or a profile
doctor_content() { prints -E '^(No problem found|No RDMA device found, and no profile waits)' nm-ib doctor "$@"; }

# --- checks

expect_up() { check "profile '$1': comes up" up "$1"; }
expect_no_up() { check "profile '$1': does not come up" ends 4 up "$1"; }
expect_down() { check "profile '$1': goes down" down "$1"; }
expect_mode() { check "$1: $2 mode" eventually file_is "$2" $NET/"$1"/mode; }
expect_mtu() { check "$1: MTU $2" eventually file_is "$2" $NET/"$1"/mtu; }
# expect_address LINK ADDRESS, expect_no_address LINK ADDRESS: without the length of the prefix
expect_address() { check "$1: has address $2" eventually _has_address "$@"; }
expect_no_address() { check "$1: no address $2" eventually _lacks_address "$@"; }
expect_pkey() { check "$1: P_Key $2" eventually file_is "$2" $NET/"$1"/pkey; }
# expect_tso LINK on|off|"off [fixed]"
expect_tso() { check "$1: TSO $2" eventually_is "$2" _tso "$1"; }
expect_state() { check "$1: NetworkManager state $2" nm_eventually prints_only "$2" dev_state "$1"; }
expect_carrier() { check "$1: carrier $2" eventually file_is "$2" $NET/"$1"/carrier; }
expect_link() { check "$1: exists" eventually test -e "$NET/$1"; }
# expect_name LINK GUID: the port with this GUID has the name LINK (GUID: 0002:c903:000a:0001)
expect_name() {
    local tail
    tail=$(sed 's/://g; s/../:&/g' <<<"$2")
    check "port $2: has the name $1" eventually _ends_with "$tail" "$NET/$1/address"
}
_ends_with() { [[ $(<"$2") == *"$1" ]]; }
expect_no_link() { check "$1: does not exist" eventually test ! -e "$NET/$1"; }
# expect_journal REGEX: in the journal since the last journal_mark
expect_journal() { check "in the journal: $1" nm_eventually _said "$1"; }
# expect_journal_once REGEX, expect_no_journal REGEX: when NetworkManager is at rest
expect_journal_once() {
    expect_journal "$1"
    check "only once in the journal: $1" _said_once "$1"
}
expect_no_journal() { check "not in the journal: $1" _never_said "$1"; }
expect_ping() { check "ping $1${2:+ with $2 bytes}: answered" eventually ping -n -c 2 -i 0.2 -W 2 ${2:+-s "$2" -M do} "$1"; }
expect_profile_kept() { check "profile '$1': stored as the user wrote it" cmp "$(_file "$1")" "/run/profile-$1"; }
expect_nm_alive() { check "NetworkManager: runs, never restarted" prints_only $'ActiveState=active\nNRestarts=0' _nm_runs; }
_nm_runs() { systemctl show -p ActiveState -p NRestarts NetworkManager | sort; }
# expect_helper_at_work: not the plugin
expect_helper_at_work() {
    expect_nm_alive
    profile without-plugin ifname ib0 transport-mode datagram mtu 4092
    journal_mark
    expect_up without-plugin
    expect_mtu ib0 2044
    expect_tso ib0 off
    check "dispatcher's helper: logs the MTU limit" eventually _said 'nm-ib: ib0: MTU 4092 was requested' -t nm-dispatcher
}
expect_clean_kernel_log() { check "kernel log: no BUG, WARNING, Oops or call trace" prints_no -E 'BUG|WARNING|Oops|Call Trace' dmesg; }
