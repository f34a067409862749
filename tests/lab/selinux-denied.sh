# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Run by tests/selinux with Debian's policy, which denies configfs to dispatcher scripts: the helper's line names SELinux.
. ./lib.sh
modprobe rdma_ucm
roce_fabric
nm_start
ethernet e0 eth0 10.9.0.1/24 rdma.roce-mode v1
journal_mark
expect_up e0
expect_journal_once 'nm-ib: .*Permission denied.* \(SELinux enforces its policy; to check the labels: nm-ib doctor\)'
check "SELinux: enforcing" grep -qx 1 /sys/fs/selinux/enforce
expect_nm_alive
