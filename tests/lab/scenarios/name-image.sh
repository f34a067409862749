# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: --root changes the tree of an image: nothing outside is written, nothing of the running machine is read
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric
image=/srv/image
mkdir -p $image/{dev,proc,sys,run} $image/etc/{systemd/network,udev,security/limits.d} $image/usr/lib/udev/rules.d $image/root /srv/outside
cp /usr/lib/udev/rules.d/70-nm-infiniband.rules $image/usr/lib/udev/rules.d/
for place in proc sys run; do must mount --bind /$place $image/$place; done # as builders of images do
ln -s /srv/outside $image/etc/modules-load.d                               # absolute: in the image, it is the image's
mkdir -p $image/srv/outside
outside() { find /etc /srv/outside /run/systemd /run/udev/rules.d /usr/lib/udev -type f -printf '%p %s %T@\n' 2>/dev/null | sort; }
outside >/run/before

check "control: the running machine has a port" eval "nm-ib name --json | jq -e '.ports | length > 0'"
check "name --root: shows no port of the running machine" eval "nm-ib name --root $image --json | jq -e '.ports == []'"
traced() { must strace -f -qq -o /run/trace -e trace=file,connect,execve "$@"; }
traced nm-ib name set 0002:c903:000a:0001 one --root $image
check "name set --root: writes the file in the image" grep -F 'the InfiniBand port with GUID 0002:c903:000a:0001 is called one' $image/etc/systemd/network/70-nm-infiniband-one.link
check "strace: the image becomes the root" grep -F 'chroot(".")' /run/trace
check "strace, before chroot: nothing is opened for writing" eval "sed '/chroot(/,\$d' /run/trace | not grep -E 'O_(WRONLY|RDWR|CREAT)'"
check "strace: no connection, and no other program" eval "not grep -E 'connect\(' /run/trace && is \"\$(grep -c 'execve(' /run/trace)\" 1"
check "name set --root, by path: without a card" nm-ib name set 0001:41:00.0/2 two --root $image
check "name set --root, by path: a second run changes nothing" eval "nm-ib name set 0001:41:00.0/2 two --root $image --json | jq -e '.changed | not'"
check "name set --root, name of another port: refused, the command with --root" eval "nm-ib name set 0001:41:00.0/1 two --root $image 2>/run/err; is \$? 2 && grep -F 'with --root' /run/err"
check "name set --root, by path: replaces the name" eval "nm-ib name set 0001:41:00.0/2 other --root $image && nm-ib name set 0001:41:00.0/2 two --root $image && ls $image/etc/systemd/network | grep -c link | grep -x 2"
must nm-ib name set ib1 two --match path
check "name set --root, by path: the same file as on the machine with the card" cmp $image/etc/systemd/network/70-nm-infiniband-two.link /etc/systemd/network/70-nm-infiniband-two.link
must nm-ib name unset two
rm -f /etc/systemd/network/70-nm-infiniband-two.link*
check "name --root: lists the names" eval "nm-ib -t -f PORT,NAME,STATE name --root $image | grep -x 'GUID 0002\\\\:c903\\\\:000a\\\\:0001:one:in-image'"
must nm-ib name set ib0 zero --rdma first
mkdir -p $image/etc/udev/rules.d
must mv /etc/udev/rules.d/59-nm-infiniband-rdma-first.rules $image/etc/udev/rules.d/
must nm-ib name unset zero
check "name --root: lists the name of an RDMA device with its node GUID" eval "nm-ib -t -f PORT,NAME,STATE name --root $image | grep '^node GUID .*:first:in-image\$'"
check "name set --root: an interface is refused, exit 2" eval "nm-ib name set ib0 x --root $image; is \$? 2"
check "name set --root --now: refused, exit 2" eval "nm-ib name set 0002:c903:000a:0001 one --now --root $image; is \$? 2"

check "host modules --root: succeeds" nm-ib host modules ib_ipoib --root $image
check "host modules --root: an absolute link stays in the image" grep -x ib_ipoib $image/srv/outside/90-nm-ib.conf
check "host memlock --root: a group that the machine lacks" nm-ib host memlock @hpc unlimited --root $image
check "host --root: lists the settings, without those of the machine" eval "nm-ib host --root $image --json | jq -e '[.settings[] | .noun] == [\"memlock\", \"modules\"]'"
check "host --root: no command for the running machine" eval "nm-ib host --root $image --json | jq -e '[.settings[].commands[]] == []'"
mkdir -p $image/etc/sysctl.d
printf '# Written by nm-ib host rails ib0; to undo: nm-ib host rails unset\n# rail ib0 a\n' >$image/etc/sysctl.d/90-nm-ib-rails.conf
traced nm-ib host --root $image
check "strace, host --root with rails: no connection, and no other program" eval "not grep -E 'connect\(' /run/trace && is \"\$(grep -c 'execve(' /run/trace)\" 1"
check "host --root: asks no service of the image for users" eval "grep -F 'chroot(' /run/trace && not grep -E 'nsswitch|libnss|/etc/passwd' <(sed '1,/chroot(/d' /run/trace)"
check "name set --root --match path, by GUID: refused, exit 2" eval "nm-ib name set 0002:c903:000a:0009 six --match path --root $image 2>/run/err; is \$? 2 && grep -F 'write the PCI address' /run/err"
check "name unset --root of a device's name: the command with --root" eval "nm-ib name unset first --root $image 2>/run/err; is \$? 2 && grep -F 'with --root' /run/err"
check "host modules auto --root: refused, exit 2" eval "nm-ib host modules auto --root $image; is \$? 2"
check "an ordinary user: may list" setpriv --reuid 65534 --clear-groups nm-ib name --root $image
check "an ordinary user: may not write" eval "setpriv --reuid 65534 --clear-groups nm-ib name unset one --root $image; is \$? 1 && test -e $image/etc/systemd/network/70-nm-infiniband-one.link"
check "--root without the directory: one line, exit 2" eval "nm-ib name --root /srv/none 2>/run/err; is \$? 2 && is \"\$(wc -l </run/err)\" 1"
check "name unset --root: by the PCI address" eval "nm-ib name unset 0001:41:00.0/2 --root $image && test ! -e $image/etc/systemd/network/70-nm-infiniband-two.link"
check "name unset --root: removes the file, by the GUID" eval "nm-ib name unset 0002:c903:000a:0001 --root $image && test ! -e $image/etc/systemd/network/70-nm-infiniband-one.link"
check "host modules unset --root: removes the file" eval "nm-ib host modules unset --root $image && test ! -e $image/srv/outside/90-nm-ib.conf"
outside >/run/after
check "outside of the image: nothing changed" cmp /run/before /run/after
