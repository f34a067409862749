# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: dpkg is killed, the disk is full: InfiniBand works, the configuration stays, and the next try succeeds
. ./lib.sh
. ./steps.sh
fabric_at_work
install "$first" >/run/steps/said 2>&1 || { cat /run/steps/said; exit 1; }
echo '# mine' >/etc/nm-infiniband/nm-ib.conf
expect_work

# A systemctl that does not return, so that dpkg can be killed in a postinst.
mkdir /run/slow
printf '#!/bin/sh\ntouch /run/slow/called\nexec sleep 600\n' >/run/slow/systemctl
chmod 755 /run/slow/systemctl
killed() {
    rm -f /run/slow/called
    apt-get install -qy -o DPkg::Path=/run/slow:/usr/sbin:/usr/bin:/sbin:/bin "$next" &
    local apt=$!
    eventually test -e /run/slow/called || return
    pkill -KILL -x dpkg
    pkill -KILL -f '^sleep 600'
    ! wait $apt && not pgrep -x dpkg
}
step 'dpkg is killed in the postinst' killed
check "dpkg killed: the package is half configured" is "$(state)" half-configured
check "dpkg killed: dpkg --audit has a finding" not audit
check "dpkg killed: the profile goes down and up" eval "down x && up x"
step 'dpkg --configure -a' dpkg --configure -a
expect_hint
check "dpkg --configure -a: the package is installed" is "$(state) $(version)" "installed $(dpkg-deb -f "$next" Version)"
check "dpkg --configure -a: dpkg --audit has no finding" audit
check "dpkg --configure -a: the configuration stays" is "$(cat /etc/nm-infiniband/nm-ib.conf)" '# mine'
expect_work

# full KIB: fills the disk, except for KIB
full() {
    rm -f /var/lib/lab/filler
    dd if=/dev/zero of=/var/lib/lab/filler bs=64K 2>/dev/null
    truncate -s "-$1K" /var/lib/lab/filler
    sync
}
for left in 64 1024 2048; do
    full $left
    note "$left KiB are left on the disk"
    expected=100 step "upgrade with $left KiB left" install --reinstall "$next"
    check "upgrade with $left KiB left: fails for lack of space" grep -qi 'no space left\|enough free space' /run/steps/said
    note "$(state) $(version)"
    check "upgrade with $left KiB left: the profile goes down and up" eval "down x && up x"
    expect_ping 192.0.2.2
    rm /var/lib/lab/filler
    step "dpkg --configure -a after $left KiB left" dpkg --configure -a
    step "upgrade after $left KiB left" install --reinstall "$next"
    check "upgrade after $left KiB left: the package is installed" is "$(state) $(version)" "installed $(dpkg-deb -f "$next" Version)"
    check "upgrade after $left KiB left: dpkg --audit has no finding" audit
    check "upgrade after $left KiB left: every file is the package's" eval "is \"\$(dpkg --verify $package)\" ''"
    check "upgrade after $left KiB left: the configuration stays" is "$(cat /etc/nm-infiniband/nm-ib.conf)" '# mine'
done
expect_work
expect_clean_kernel_log
