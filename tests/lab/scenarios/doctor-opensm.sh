# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor's command for a port without a subnet manager starts opensm there; the opensm of another port keeps running
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric sm=none name=mlx4_0,mlx4_1 ports=2,1
printf 'sminfo_polling_timeout 1000\npolling_retry_number 2\n' >/etc/opensm/opensm.conf
nm_start
profile storage ifname ib0 connection.autoconnect yes
# first_is ID PORT: the first finding about the port; leaves the report in /run/found
first_is() { doctor_shows ".findings[0].id == \"$1\"" "$2" >/run/found || { cat /run/found; return 1; }; }

check "port without a subnet manager: no-subnet-manager" eventually first_is no-subnet-manager mlx4_0/1
check "port without a subnet manager: the command has the GUID of the port" prints_only 'nm-ib host opensm 0002:c903:000a:0001' jq -r '.findings[0].commands[0] | join(" ")' /run/found
check "port without a subnet manager: the text has each command on its own line, in 80 columns" eval "
    ends 4 nm-ib doctor mlx4_0/1 >/run/text && grep -Ex ' +systemctl start opensm' /run/text && not grep -E '.{81}' /run/text"
check "port without a subnet manager: the commands fix it" eval "doctor_mend && eventually doctor_content mlx4_0/1"
manager=$(($(cat /sys/class/infiniband/mlx4_0/ports/2/sm_lid)))
other_port() {
    pkill -STOP -x opensm # else its next sweep makes the port active before doctor looks
    hca smlid mlx4_0 2 0
    hca state mlx4_0 2 init
    first_is subnet-manager-on-other-port mlx4_0/2 &&
        prints_only 'nm-ib host opensm 0002:c903:000a:0002 0002:c903:000a:0001' jq -r '.findings[0].commands[0] | join(" ")' /run/found
}
check "the card's other port without a subnet manager: the command keeps the first" eventually other_port
pkill -CONT -x opensm
hca smlid mlx4_0 2 "$manager"
hca state mlx4_0 2 active
pkill -x opensm
check "the only subnet manager is killed: subnet-manager-lost, exit 1" eventually doctor_finds subnet-manager-lost 1
