# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: invalid names are refused in one line with the way out, and a second run changes nothing
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx4_0,mlx4_1 ports=2,1 guid=0x0002c903000a0000,0x0002c903000b0000
files=/etc/systemd/network
mkdir -p $files
before=$(ls -A $files)
# refuses TEXT ARGUMENT...: exit status 2, TEXT in the only line, nothing written
refuses() {
    local status=0
    wanted=$1
    shift
    said=$(nm-ib name set "$@" 2>&1 >/dev/null) || status=$?
    check "name set $(printf '%q ' "$@"): refused, exit 2" is "$status" 2
    check "name set, refused: one line with $wanted" eval 'is "$(wc -l <<<"$said")" 1 && grep -qE -- "$wanted" <<<"$said"'
    check "name set, refused for $wanted: nothing is written" is "$(ls -A $files)" "$before"
}
refuses "'a b' is not a name" ib0 'a b'
refuses "not a name for a port" ib0 $'x\n[Link]\nName=evil'
refuses 'more than 10 characters.*--force' ib0 elevenchars
refuses 'the kernel gives such names' ib0 ib7
refuses 'like the name of a P_Key child' ib0 ib.8002
refuses 'udev' ib0 12345
check "name set, unknown port: exit 10, like nmcli" eval "nm-ib name set nothere mlx4_ib0 2>/run/err; is \$? 10 && grep 'no such InfiniBand port' /run/err && grep -x '  nm-ib name' /run/err"
refuses 'no such InfiniBand port; --force' 0002:c903:00ff:0001 mlx4_ib0
refuses 'guid.path' ib0 mlx4_ib0 --match bogus
must ip link add taken0 type dummy
refuses 'taken0' ib0 taken0
must ip link del taken0
printf '[Match]\nMACAddress=%s\n[Link]\nName=foreign0\n' "$(cat $NET/ib0/address)" >$files/10-foreign.link
before=$(ls -A $files)
refuses '10-foreign.link.*would win|10-foreign.link.*first' ib0 mlx4_ib0
rm $files/10-foreign.link
ln -s /dev/null /etc/udev/rules.d/80-net-setup-link.rules
before=$(ls -A $files)
refuses '80-net-setup-link.rules' ib0 mlx4_ib0
rm /etc/udev/rules.d/80-net-setup-link.rules
check "name set --dry-run: prints the file, writes nothing" eval 'prints -x Name=mlx4_ib0 nm-ib name set ib0 mlx4_ib0 --dry-run && is "$(ls -A $files)" "$before"'

check "plan without open descriptors: fails" eval "ends 1 nm-ib plan <&- >&- 2>&-"
check "help to a full device: fails" eval "ends 1 nm-ib help >/dev/full"
set_unseen() { prints -2 'NetworkManager is not running: profiles' nm-ib name set mlx4_0/1 unseen --no-initramfs && nm-ib name unset unseen --no-initramfs; }
check "name set without NetworkManager: reports that profiles were not checked" set_unseen
file=$files/70-nm-infiniband-mlx4_ib0.link
changed() { json_is "$1" .changed nm-ib name "${@:2}" --json; } # true|false WORD...
names() {
    local text
    text=$(nm-ib -t -f name name) || return
    grep -c . <<<"$text"
}
nm-ib name set ib0 mlx4_ib0 --dry-run >/run/printed
for port in ib0 0x0002c903000a0001 00:02:c9:03:00:0a:00:01 0002:c903:000a:0001 mlx4_0/1 0001:41:00.0/1; do
    rm -f $file
    check "name set, port given as $port: changes the name" changed true set $port mlx4_ib0
done
check "name set: writes the file that --dry-run prints, for images" cmp $file /run/printed
check ".link file: owned by root, mode 0644" is "$(stat -c '%U %a' $file)" "root 644"
check "name set, second run: changes nothing" changed false set ib0 mlx4_ib0
cp $file /run/kept
echo '# mine' >>$file
before=$(ls -A $files)
refuses 'changed by hand.*--force' ib0 mlx4_ib0
check "name unset, file edited by hand: refused" refused_with 2 'changed by hand' nm-ib name unset mlx4_ib0
check "name set --force, file edited by hand: changes it" changed true set ib0 mlx4_ib0 --force
check "name set --force, file edited by hand: the content is nm-ib's again" cmp $file /run/kept
check "name set, second name for a port: replaces the first" eval 'changed true set ib0 mlx4_new && test ! -e $file'
check "name set, name of another port: refused even with --force" refused_with 2 mlx4_new nm-ib name set mlx4_1/1 mlx4_new --force
check "name propose --yes: names the other ports" changed true propose --yes
check "name propose --yes, second run: changes nothing" changed false propose --yes
check "name propose --yes: every port has a name" prints_only 3 names
check "name unset: removes the name" changed true unset mlx4_new
check "name unset, second run: changes nothing" changed false unset mlx4_new
check "name set without NetworkManager, no other name set: reports that profiles were not checked" set_unseen
file=$files/70-nm-infiniband-edited.link
must nm-ib name set mlx4_0/1 edited --no-initramfs
echo MTUBytes=2044 >>$file
cp $file /run/edited
check "name unset, file with an added line: refused, the file stays" eval "nm-ib name unset edited 2>/run/err; is \$? 2 && cmp $file /run/edited"
check "name set --force, file with an added line: keeps a copy" eval "nm-ib name set mlx4_0/1 edited --force --no-initramfs && cmp $file.before-nm-ib.bak /run/edited"
echo garbage >$file
check "name list, file with other content: shown as odd" prints -x edited:odd nm-ib -t -f name,state name
check "name unset --force, file with other content: keeps a copy" eval "nm-ib name unset edited --force --no-initramfs && grep -x garbage $file.before-nm-ib.2.bak"
rm $file.*
at_once() {
    local name pid code pids=() succeeded=0
    for name in one two three four; do
        nm-ib name set mlx4_0/1 $name --no-initramfs &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do
        code=0
        wait "$pid" || code=$?
        [ $code != 0 ] || ((++succeeded))
        ((code < 126)) || { echo "exit status $code"; return 1; }
    done
    ((succeeded > 0)) && is "$(find $files -name '70-*' | grep -cE '(one|two|three|four).link')" 1
}
setpriv --reuid 65534 --regid 65534 --clear-groups sh -c 'for d in /run /etc/systemd /etc/systemd/network; do flock $d sleep 60 & done; wait' &
for d in /run /etc/systemd /etc/systemd/network; do must eventually ends 1 flock -n $d true; done
check "name unset, locks of an unprivileged user: not delayed" timeout 20 nm-ib name unset mlx4_0/1 --no-initramfs
pkill -x sleep
check "name set, four names for a port at once: one file remains" eval "at_once && at_once && at_once"
expect_clean_kernel_log
