# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: two ports in one IP subnet: each answers ARP and replies from its own address, also after a rename and a reboot; unset restores the state
# with: plugin+dispatcher+cli cli
# releases: bookworm (trixie)
# alone: either port answers ARP for both addresses, and all replies leave by one port
. ./lib.sh
FILE=/etc/sysctl.d/90-nm-ib-rails.conf
BEFORE=/var/lib/lab/rails-before
# machine: all state that rails change
machine() {
    for link in ib0 ib1; do
        for key in arp_ignore arp_announce rp_filter; do echo "$link $key $(cat /proc/sys/net/ipv4/conf/$link/$key)"; done
    done
    ip rule
    ip route show table all proto static
    ip route show | sed 's/ metric .*//' # depends on the order of activation
    sed '/^timestamp=/d' "$(_file rail0)" "$(_file rail1)" # NetworkManager adds the time of the last activation
    ls /etc/sysctl.d
}
# arp_of ADDRESS LINK: the peer's entry for the address is the hardware address of LINK
arp_of() {
    in_peer ping -n -c 1 -W 1 "$1"
    ip -n peer neigh show "$1" | grep -F "lladdr $(cat $NET/"$2"/address)" || { ip -n peer neigh; return 1; }
}
downs() { cat $NET/ib[01]/carrier_down_count | paste -sd ' '; }
tx() { cat $NET/"$1"/statistics/tx_packets; }
# leaves_by ADDRESS LINK OTHER: the peer's pings of the address are answered through LINK
leaves_by() {
    local link other
    in_peer ping -n -c 1 -W 2 "$1" >/dev/null # ARP is done
    link=$(tx "$2") other=$(tx "$3")
    in_peer ping -n -c 20 -i 0.05 -W 2 "$1" || return
    echo "$2: $(($(tx "$2") - link)) $3: $(($(tx "$3") - other))"
    (($(tx "$2") - link >= 20 && $(tx "$3") - other < 10)) && ip route get 192.0.2.9 from "$1" | grep -F "dev $2 "
}
# answered_by ADDRESS LINK: the peer gets LINK's hardware address for the address
answered_by() {
    in_peer ping -n -c 2 -W 1 "$1"
    arp_of "$1" "$2"
}
# mute LINK on, mute LINK off VALUE: LINK answers no ARP request; or as with this arp_ignore again
mute() { must sysctl -qw "net.ipv4.conf.$1.arp_ignore=$([ "$2" = on ] && echo 8 || echo "$3")"; must ip -n peer neigh flush all; }
# fixes: doctor --fix, with no crash; what it sees just after the commands is not judged
fixes() { nm-ib doctor --fix same-subnet --yes || (($? < 126)); }
# renamed LINE WORD...: nm-ib name set WORD... prints this line, and does not crash
renamed() {
    local code=0
    nm-ib name set "${@:2}" >/run/said 2>&1 || code=$?
    cat /run/said
    ((code < 126)) && grep -Fx "$1" /run/said
}
expect_rails() {
    for pair in "192.0.2.1 ib0 ib1" "192.0.2.2 ib1 ib0"; do
        read -r address link other <<<"$pair"
        check "$address${1:+, $1}: the peer's ARP entry is $link" eventually arp_of "$address" "$link"
        check "$address${1:+, $1}: replies leave by $link" leaves_by "$address" "$link" "$other"
        mute "$link" on
        check "$address${1:+, $1}: no other port answers ARP" not answered_by "$address" "$other"
        mute "$link" off 1
    done
}

modprobe ib_umad
if [ "$PHASE" = 1 ]; then
    fabric name=mlx4_0,mlx4_1 ports=2,1
    nm_start
    peer ib2 datagram 192.0.2.9/24
    profile rail0 ifname ib0 ipv4.method manual ipv4.addresses 192.0.2.1/24 connection.autoconnect yes
    profile rail1 ifname ib1 ipv4.method manual ipv4.addresses 192.0.2.2/24 connection.autoconnect yes
    expect_up rail0
    expect_up rail1
    expect_carrier ib1 1
    check "default configuration: replies of 192.0.2.2 leave by ib0" eventually leaves_by 192.0.2.2 ib0 ib1
    mute ib1 on
    check "default configuration: ib0 answers ARP for 192.0.2.2" arp_of 192.0.2.2 ib0
    mute ib1 off 0
    check "default configuration: doctor reports same-subnet once, exit 1" doctor_finds same-subnet 1
    check "default configuration: doctor names the command" is "$(jq -r '.findings[0].commands[] | join(" ")' /run/found)" "nm-ib host rails ib0 ib1"
    machine >$BEFORE

    child other ib0 0x8002 ipv4.method manual ipv4.addresses 198.51.100.1/24
    expect_up other
    set -f
    while IFS='|' read -r words text; do
        check "rails $words: refused" host_refuses "$text" rails $words
    done <<'END'
ib0|ib0: no other interface of the command
ib0 ib0|ib0: no other interface of the command
ib0 ib9|ib9: 
ib0 all|all: not a name for a file of sysctl.d
ib0 ib*|ib*: not a name for a file of sysctl.d
ib0 unset|unset: 
ib0 ib1 ib0.8002|ib0.8002: no other interface of the command
ib0 ib1 --now|unknown option '--now'
END
    set +f
    must nmcli connection modify other ipv4.method auto ipv4.addresses 192.0.2.3/24 ipv6.method link-local
    expect_up other
    check "rails, addresses that are not in the profile: refused, with the method" refused_with 2 "ipv4.method is 'auto'" nm-ib host rails ib0 ib1 ib0.8002
    must nmcli connection modify --temporary other ipv4.method manual ipv4.addresses 192.0.2.3/24
    expect_up other
    check "rails, profile changed in memory only: refused" refused_with 2 'is only in' nm-ib host rails ib0 ib1 ib0.8002
    must nmcli connection delete other
    check "rails --dry-run: prints the file and the changes of profiles" eval "nm-ib host rails ib0 ib1 --dry-run >/run/said && grep -Fx 'net/ipv4/conf/ib1/arp_announce = 2' /run/said && grep -F '+ipv4.routes' /run/said"
    must mount --bind "$(_file rail1)" "$(_file rail1)" # NetworkManager cannot replace a mount point
    check "rails, profile file that cannot be written: fails, exit 1" refused_with 1 'all profiles are as before' nm-ib host rails ib0 ib1
    must umount "$(_file rail1)"
    check "rails, refused, failed and --dry-run: nothing is changed" eval "machine | diff $BEFORE -"

    before=$(downs)
    must ip address add 192.0.2.100/32 dev ib0 # as pacemaker does
    check "doctor --fix same-subnet: no finding is left" eval "fixes && doctor_finds '' 0"
    check "rails: the links stayed up" is "$(downs)" "$before"
    check "rails: an address that NetworkManager does not know stays" prints 192.0.2.100/32 ip address show dev ib0
    must ip address delete 192.0.2.100/32 dev ib0
    expect_rails
    check "rails: packets that are not bound leave as before" prints 'dev ib0' ip route get 192.0.2.9
    check "rails: second run changes nothing" host_changes false rails ib1 ib0
    check "host list: rails are in effect" host_row SETTING,FILE,BY_NM_IB,IN_EFFECT,NEEDS "ib0 ib1:$FILE:yes:ib0 ib1:"
    must ip address add 192.0.2.100/24 dev ib1 # as pacemaker does
    check "rails, address that is not in the profile: nothing is needed, doctor has no finding" eval "host_row IN_EFFECT,NEEDS 'ib0 ib1:' && doctor_finds '' 0"
    must ip address delete 192.0.2.100/24 dev ib1
    expect_down rail1
    check "rails, ib1 is down: nothing is needed, and a run has nothing to do" eval "host_row IN_EFFECT,NEEDS ib0: && setpriv --reuid 65534 --clear-groups nm-ib host rails ib0"
    must cp -p "$(_file rail1)" /run/rail1
    must nmcli connection delete rail1
    check "rails, only one profile left: refused, with the command that removes all rails" refused_with 2 '  nm-ib host rails unset' nm-ib host rails ib0
    must cp -p /run/rail1 "$(_file rail1)"
    must nmcli connection load "$(_file rail1)"
    expect_up rail1
    ip rule >/run/rules
    must nmcli connection modify rail1 ipv4.addresses 192.0.2.4/24
    check "rails, other address not applied yet: the applied one stays a rail, and the command is printed" eval "nm-ib host rails ib0 ib1 >/run/said && grep -F '  nmcli connection up' /run/said && ip rule | diff /run/rules - && doctor_finds '' 0"
    must nmcli connection modify rail1 ipv4.addresses 192.0.2.2/24
    must nm-ib host rails ib0 ib1
    must nmcli connection modify rail1 ipv4.addresses 192.0.2.4/24
    expect_up rail1
    check "rails, other address in the profile: doctor reports same-subnet" doctor_finds same-subnet 1
    check "rails, other address in the profile: the same command corrects it" eval "host_changes true rails ib0 ib1 && doctor_finds '' 0"
    must nmcli connection modify rail1 ipv4.addresses 192.0.2.2/24
    expect_up rail1
    must nm-ib host rails ib0 ib1
    check "rails, first address again: the tables are those of the first run" eval "ip rule | diff /run/rules -"
    cp $FILE /run/rails.conf
    echo '# mine' >>$FILE
    check "rails, file edited: refused" eval "host_refuses 'changed by hand' rails ib0 ib1 && host_refuses 'changed by hand' rails unset && grep -x '# mine' $FILE"
    cp /run/rails.conf $FILE

    check "rails unset, without a new activation: profiles, values, rules and routes are as before" eval "host_changes true rails unset && eventually eval 'machine | diff $BEFORE -'"
    must nm-ib host rails ib0 ib1
    check "rails unset and set again: the tables are those of the first run" eval "ip rule | diff /run/rules -"

    must nmcli connection modify rail1 +ipv4.addresses 198.51.100.2/24
    expect_up rail1
    child other ib0 0x8002 ipv4.method manual ipv4.addresses 198.51.100.1/24
    expect_up other
    check "rails, second subnet on ib1: doctor names the command" eval "doctor_finds same-subnet 1 && is \"\$(jq -r '.findings[0].commands[] | join(\" \")' /run/found)\" 'nm-ib host rails ib0.8002 ib1'"
    check "rails, second subnet on ib1: --fix keeps the rails of the first" eval "fixes && doctor_finds '' 0 && host_row SETTING,IN_EFFECT 'ib0 ib0.8002 ib1:ib0 ib0.8002 ib1'"
    check "name set of a port and its P_Key child that are rails: the command has both names" renamed '  nm-ib host rails store0 store0.8002' ib0 store0
    must nm-ib name unset store0
    must nmcli connection delete other
    must nmcli connection modify rail1 -ipv4.addresses 198.51.100.2/24
    expect_up rail1
    check "rails, profile deleted: the rail is removed" eval "host_changes true rails ib0 && host_row SETTING,IN_EFFECT,NEEDS 'ib0 ib1:ib0 ib1:'"
    check "rails, profile deleted: the tables of the others are those of the first run" eval "ip rule | diff /run/rules -"
    must systemctl enable NetworkManager
    hca_at_boot name=mlx4_0,mlx4_1 ports=2,1
    reboot_guest
fi

peer ib2 datagram 192.0.2.9/24
nm_start
expect_state ib0 connected
expect_state ib1 connected
expect_carrier ib1 1
expect_rails "after a reboot"
check "rails, after a reboot: second run changes nothing" host_changes false rails ib0 ib1
check "rails unset: removes the setting" host_changes true rails unset
check "rails unset: profiles, values, rules and routes are as before" eventually eval "machine | diff $BEFORE -"
check "rails unset: second run changes nothing" host_changes false rails unset
check "rails unset: doctor reports same-subnet" doctor_finds same-subnet 1

must nm-ib host rails ib0 ib1
ip rule >/run/rules
check "name set --now of a rail: prints the command for its settings" renamed '  nm-ib host rails store1' ib1 store1 --now
check "rails, port renamed: the list has the command" host_row SETTING,IN_EFFECT,NEEDS 'ib0 ib1:ib0 store1:nm-ib host rails ib0 store1'
check "rails, port renamed: the printed command changes the name in the file" eval "host_changes true rails store1 && host_row SETTING,IN_EFFECT,NEEDS 'ib0 store1:ib0 store1:' && not grep -F ib1 $FILE"
check "rails, port renamed: the tables are as before" eval "ip rule | diff /run/rules -"
check "rails, port renamed: doctor has no finding" doctor_finds '' 0
must sysctl -qw net.ipv4.conf.ib0.arp_ignore=0
check "rails, not in effect, an ordinary user: exit 1" refused_with 1 'only root' setpriv --reuid 65534 --clear-groups nm-ib host rails store1
check "rails, not in effect: a run applies them" eval "nm-ib host rails ib0 store1 && host_row SETTING,IN_EFFECT 'ib0 store1:ib0 store1'"
must rm $FILE
check "rails, file removed: a run finds the routes and rules" eval "host_changes true rails ib0 store1 && ip rule | diff /run/rules -"
check "rails unset, port renamed: values and rules are as before" eval "host_changes true rails unset && is \"\$(cat /proc/sys/net/ipv4/conf/store1/arp_ignore)\" 0 && eventually prints_no 192.0.2 ip rule"

must nm-ib host rails ib0 store1
for pair in "rail0 ib0" "rail1 store1"; do
    read -r name link <<<"$pair"
    must nmcli connection modify "$name" connection.interface-name '' infiniband.mac-address "$(cat $NET/"$link"/address)"
done
expect_down rail0
rename_link ib0 gone0
rename_link store1 ib0
expect_up rail1
child other ib0 0x8002 ipv4.method manual ipv4.addresses 192.0.2.3/24
expect_up other
check "rails, a rail has the name of one that is down: both stay" eval "nm-ib host rails ib0.8002 && ip rule | grep -F 'from 192.0.2.2 ' && nmcli -g ipv4.routing-rules connection show rail0 | grep -F 'from 192.0.2.1 ' && host_row SETTING,IN_EFFECT,NEEDS 'ib0 ib0.8002:ib0 ib0.8002:'"
check "rails, a rail has the name of one that is down: second run changes nothing" host_changes false rails ib0
check "rails unset, one is down: no profile has a rule" eval "host_changes true rails unset && prints_no routing-rule cat /etc/NetworkManager/system-connections/*"
expect_nm_alive
expect_clean_kernel_log
