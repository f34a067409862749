# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: ports go down and up at run time; without a subnet manager there is no carrier
# with: none
# releases: bookworm (trixie)
. ./lib.sh
fabric sm_absent=1
ip link set ib0 up
check "ib0: no carrier without a subnet manager" never 3 eval "is \"\$(cat $NET/ib0/carrier)\" 1"
echo 0 >/sys/module/softhca/parameters/sm_absent
hca event mlx4_0 1 sm
hca event mlx4_0 1 rereg
expect_carrier ib0 1
port_state mlx4_0 1 down
expect_carrier ib0 0
check "mlx4_0: sysfs shows the port as DOWN" is "$(cat /sys/class/infiniband/mlx4_0/ports/1/state)" "1: DOWN"
port_state mlx4_0 1 active
expect_carrier ib0 1
fabric_unload
check "softhca unloaded: no interface is left" not test -e $NET/ib0
fabric init_down=1
ip link set ib0 up
check "ib0: no carrier on a port that starts down" never 1 eval "is \"\$(cat $NET/ib0/carrier)\" 1"
port_state mlx4_0 1 active
expect_carrier ib0 1
check "softhca: a command for a port that does not exist is refused" not _cmd "state mlx4_0 3 active"
expect_clean_kernel_log
