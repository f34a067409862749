# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor reports narrow and slow links, rising and full error counters, a silent subnet manager; cards with planes
# with: plugin+dispatcher+cli
# releases: bookworm
. ./lib.sh
modprobe -a ib_umad rdma_ucm
fabric name=mlx5_0,mlx5_1 devid=0x1021 driver=mlx5_core rev=0 ports=1
nm_start
profile storage ifname ib0 connection.autoconnect yes
must up storage
expect_carrier ib0 1
looks=/run/NetworkManager/nm-infiniband/counters
forget() { rm -f $looks && nm-ib doctor >/run/out; } # and begins anew
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }

check "healthy links: no finding" eventually doctor_healthy
check "port show: the rate and LINK_SUPPORTED of the port" prints_only $'40 Gb/s 4X QDR\n4X QDR' nm-ib -g PORT.RATE,PORT.LINK_SUPPORTED port show ib0

hca link mlx5_0 1 1 4
check "1 of 4 lanes: link-narrow, exit 1" doctor_finds link-narrow 1
check "1 of 4 lanes: names the port and the possible width" is "$(doctor_field where) $(doctor_field seen)" 'mlx5_0/1 mlx5_0/1 runs at 1X QDR, and 4X QDR is possible'
check "1 of 4 lanes, unprivileged user: link-narrow" prints -s 1 '[link-narrow]' as_nobody nm-ib doctor
check "1 of 4 lanes: a second port is not reported" prints -E '^No problem found' nm-ib doctor mlx5_1/1
hca link mlx5_0 1 4 1
check "4X SDR where both ends support QDR: link-slow, exit 1" doctor_finds link-slow 1
hca enable mlx5_0 1 4 1
check "4X SDR, and the port enables no more: link-limited, exit 0" doctor_finds link-limited 0
hca enable mlx5_0 1 4 4
hca link mlx5_0 1 4 4
check "the full link again: no finding" eventually doctor_healthy

hca errors mlx5_0 1 symbol 9
check "counter risen by 9: no finding" doctor_healthy
hca errors mlx5_0 1 symbol 25
check "counter risen by 25: link-errors, exit 1" doctor_finds link-errors 1
check "counter risen by 25: names the counter" prints 'symbol_error has risen by 25 in the last 12 hours' doctor_field seen
check "counter file: only root can write it" prints_only 'root 644' stat -c '%U %a' $looks
echo nonsense >$looks
check "damaged counter file: no finding" doctor_healthy
forget
check "counter high before the first run: no finding" doctor_healthy
hca errors mlx5_0 1 downed 2
check "link down 2 times: no finding" doctor_healthy
hca errors mlx5_0 1 downed 3
check "link down 3 times: link-flaps, exit 1" doctor_finds link-flaps 1
hca errors mlx5_0 1 recovery 255
forget
check "full counter: counters-full, exit 1" doctor_finds counters-full 1
check "full counter: the command resets it" eval "doctor_mend && doctor_healthy"

echo 1 >/sys/module/softhca/parameters/sm_absent
check "subnet manager silent: subnet-manager-lost once for both of its ports, exit 1" doctor_finds subnet-manager-lost 1
echo 0 >/sys/module/softhca/parameters/sm_absent
check "subnet manager back: no finding" eventually doctor_healthy

must rmmod rdma_ucm ib_uverbs
check "ib_uverbs not loaded: no-uverbs-module, exit 1" doctor_finds no-uverbs-module 1
check "ib_uverbs not loaded: the command fixes it" eval "doctor_mend && doctor_healthy"
must rmmod rdma_ucm
check "rdma_ucm not loaded: no-ucm-module, exit 1" doctor_finds no-ucm-module 1
check "rdma_ucm not loaded: the command fixes it" eval "doctor_mend && doctor_healthy"

log() { echo "mlx5_core 0000:05:00.0: Port module event$1" >/dev/kmsg; }
log '[error]: module 0, Cable error, Unsupported or Unknown cable'
check "kernel log, cable error: cable-fault, exit 1" doctor_finds cable-fault 1
log ': module 0, Cable plugged'
check "kernel log, cable plugged again: no finding" doctor_healthy
log '[error]: module 0, Cable error, High Temperature'
check "kernel log, high temperature: card-hot, exit 1" doctor_finds card-hot 1

must nmcli connection down storage
fabric_unload
fabric name=mlx5_0,mlx5_smi devid=0x1023 driver=mlx5_core rev=0 ports=1,2 plane=0,1
ports() { nm-ib -g PORT port >/run/ports && sort -u /run/ports; }
check "card with planes: one port" prints_only mlx5_0/1 ports
check "card with planes: names the device for subnet management and the planes" prints_only $'mlx5_smi\n2' nm-ib -g HCA.SMI,HCA.PLANES port show ib0
check "card with planes: the MTU comes from the device for subnet management" prints -x 2048 nm-ib -g PORT.MTU_ACTIVE port show ib0
guid=$(nm-ib -g PORT.GUID port show mlx5_0/1)
check "card with planes: a name by its GUID" eval "nm-ib name set $guid storage0 && prints -E '^storage0:mlx5_0/1' nm-ib -g NAME,PORT name"
must up storage
check "card with planes: no finding" eventually prints -E '^No problem found' nm-ib doctor mlx5_0/1
