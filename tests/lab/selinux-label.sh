# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Run by tests/selinux: a dispatcher entry with a wrong label, so that the helper lacks its permissions, is logged, and doctor finds it.
. ./lib.sh
modprobe ib_umad
entry=/usr/lib/NetworkManager/dispatcher.d/10-nm-ib
fabric
nm_start
profile storage ifname ib0
expect_up storage
check "dispatcher entry with the right label: no finding" eventually doctor_healthy
label=$(stat -c %C $entry)
must chcon -t bin_t $entry
check "dispatcher entry with a wrong label: selinux-label, exit 4" doctor_finds selinux-label 4
journal_mark
expect_up storage
expect_journal "nm-ib: ib0: the interface's type in sysfs cannot be read, skipping; to check the SELinux label of .*10-nm-ib: nm-ib doctor"
check "dispatcher entry with a wrong label: the command restores the label" eval "doctor_mend && is \"\$(stat -c %C $entry)\" \"$label\""
journal_mark
expect_up storage
# Not every policy logs the denial.
check "label restored: at most selinux-denied, from the kernel's log" eventually eval "doctor_finds selinux-denied 1 || doctor_healthy"
expect_no_journal "the interface's type in sysfs cannot be read"
