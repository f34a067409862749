# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the Ansible role gives a name, words and a setting of the host; the second run changes nothing, and check mode writes nothing
# with: dispatcher+cli
# releases: (bookworm) (trixie)
# files: role
. ./lib.sh
fabric name=mlx4_0 ports=1
nm_start
must nmcli connection add type infiniband con-name storage ifname ib0 autoconnect no ipv4.method disabled ipv6.method disabled
mkdir -p /run/hosts
deb=$(find "$JOB" -name '*.deb') # tests/package has the role install it
all=$((3 + $(wc -w <<<"$deb")))
cat >/run/site.yml <<END
- hosts: localhost
  gather_facts: false
  roles:
    - role: nm_infiniband
      vars:
        nm_ib_package: "$deb"
        nm_ib_names: [{port: "0002:c903:000a:0001", name: mlx4_ib0}]
        nm_ib_words: [{profile: storage, words: {rdma.vf-guids: "0=0002:c903:000a:0011"}}]
        nm_ib_host: ["memlock @rdma unlimited"]
        nm_ib_collect: /run/hosts
END
# Each module that ansible starts takes seconds here: no looking for an interpreter first.
export LC_ALL=C.UTF-8 ANSIBLE_PIPELINING=1 ANSIBLE_ROLES_PATH=$JOB
# changes N OPTION...: the run reports N changed tasks
changes() {
    ansible-playbook -c local -i localhost, -e ansible_python_interpreter=/usr/bin/python3 /run/site.yml "${@:2}" >/run/play 2>&1 || { cat /run/play; return 1; }
    is "$(sed -n 's/.* changed=\([0-9]*\) .*/\1/p' /run/play)" "$1" || { cat /run/play; return 1; }
}
# An error that doctor finds does not end the role.
mkdir -p /etc/sysconfig/network-scripts
echo DEVICE=mlx4_ib0 >/etc/sysconfig/network-scripts/ifcfg-mlx4_ib0
what_is() { find /etc/systemd/network /etc/security/limits.d /etc/NetworkManager/system-connections -type f -exec md5sum {} +; }
what_is >/run/before
if [ -n "$deb" ]; then
    check "role, check mode without nm-ib: reports the package as the only change" changes 1 --check
else
    check "role, check mode: reports three changes" changes 3 --check
fi
check "role, check mode: no file changes" eval "what_is | cmp - /run/before"
check "role: reports $all changes" changes $all
check "role: the .link file of the name exists" test -e /etc/systemd/network/70-nm-infiniband-mlx4_ib0.link
check "role: the profile has the new interface name" is "$(nmcli -g connection.interface-name connection show storage)" mlx4_ib0
port_state mlx4_0 1 down
port_state mlx4_0 1 active
check "role: the profile comes up under the new name without a reboot" up storage
check "role: the profile has the rdma.vf-guids word" prints_only 0=0002:c903:000a:0011 nm-ib -e no -g rdma.vf-guids connection show storage
check "role: the memlock limit is in limits.d" grep -x '@rdma - memlock unlimited' /etc/security/limits.d/90-nm-ib-group-rdma.conf
check "role: the reports of port and doctor are collected" eval "python3 -m json.tool /run/hosts/localhost.port.json && jq -e 'any(.findings[]; .id == \"ifcfg-without-type\")' /run/hosts/localhost.doctor.json"
what_is >/run/after
check "role: the second run reports no change" changes 0
check "role: the second run changes no file" eval "what_is | cmp - /run/after"
