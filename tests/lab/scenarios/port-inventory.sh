# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib port agrees with ibstat, smpquery and NetworkManager, also when ports change
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
# files: compare_ibstat.py
. ./lib.sh
modprobe ib_umad
fabric name=mlx4_0,mlx5_0 ports=2,1 rev=0xb0 devid=0x634a,0x1017 driver=mlx4_core,mlx5_core enhanced=0,1 total_vfs=2
port() { prints -x "$2" nm-ib -t -e no -f "$1" port; }

check "port without NetworkManager: shows the port without a state of NetworkManager" port PORT,STATE,INTERFACE,NM_STATE 'mlx4_0/1:Active:ib0:'
nm_start
child storage ib0 0x8002 transport-mode connected mtu 65520
expect_up storage
expect_carrier ib0.8002 1
check "port: a child below its parent, with mode, MTU and profile" \
    port INTERFACE,PARENT,P_KEY,MODE,MTU,NM_STATE,PROFILE 'ib0.8002:ib0:0x8002:connected:65520:connected:storage'
check "port, active ports: ibstat and smpquery agree" python3 compare_ibstat.py
port_state mlx4_0 2 down
hca state mlx5_0 1 init
check "port, ports that are not active: ibstat and smpquery agree" eventually python3 compare_ibstat.py
check "port, table: state and physical state of a port that is down" eval "nm-ib port >/run/table && grep -E '^mlx4_0/2 +InfiniBand +Down/Polling ' /run/table"
check "port, table: fits 80 columns" prints_no -E '.{81}' cat /run/table
check "port, table in a file: no colours" prints_no $'\033' cat /run/table
check "port, table on a terminal: colours" prints $'\033[32mActive' env TERM=xterm script -eqc 'nm-ib port' /dev/null
check "port, table on a terminal with NO_COLOR: no colours" prints_no $'\033[' env TERM=xterm NO_COLOR=1 script -eqc 'nm-ib port' /dev/null
expect_nm_alive
expect_clean_kernel_log
