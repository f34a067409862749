# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: installed, upgraded, downgraded, removed and purged beside an interface at work, which does not notice
. ./lib.sh
. ./steps.sh
fabric_at_work
machine >/run/steps/machine
check "there is a machine to compare" eval "[ \$(wc -l </run/steps/machine) -gt 9000 ]"
objects >/run/steps/objects

step 'installation' install "$first"
expect_hint
check "  installed" is "$(state)" installed
journal_mark
check "  the dispatcher's helper is at work before any restart" eval "up x && eventually _said 'nm-ib: ib0: MTU 4092 was asked for' -t nm-dispatcher"
step 'upgrade before the restart' install "$next"
expect_hint
check "  the version is the higher one" is "$(version)" "$(dpkg-deb -f "$next" Version)"
expect_work
check "nothing is loaded into the daemon that it did not have, but our object" eval \
    "is \"\$(objects | comm -13 /run/steps/objects -)\" $object"
check "the package's own test" sh "$JOB/smoke"
must nm-online -sqt 180 # it has restarted the daemon
expect_state ib0 connected

step 'downgrade' install --allow-downgrades "$first"
expect_hint
check "  the version is the lower one" is "$(version)" "$(dpkg-deb -f "$first" Version)"
check "  the daemon goes on with the plugin that it has" eval "up x && is \"\$(cat $NET/ib0/mtu)\" 2044"
expect_work
step 'the same again' install --reinstall "$first"
expect_hint
expect_work

note 'what the administrator has set'
echo '# mine' >/etc/nm-infiniband/nm-ib.conf
echo '# mine' >/etc/nm-infiniband/quirks.d/50-mine.conf
must nm-ib name set ib0 mlx4_ib0
must nm-ib host memlock opensm.service unlimited
must nm-ib host memlock @root unlimited
must nm-ib host modules
must nmcli connection add type infiniband con-name words ifname none0 transport-mode datagram autoconnect no
must nm-ib connection modify words rdma.vf-guids auto
written() { find /etc -newer /run/steps/objects -type f \( -path '*nm-ib*' -o -path '*nm-infiniband*' \) -exec md5sum {} + | sort; }
written >/run/steps/written
check "  is in files" eval "[ \$(wc -l </run/steps/written) -ge 6 ] || { cat /run/steps/written; false; }"
step 'upgrade' install "$next"
expect_hint
check "  keeps it" eval "written | diff /run/steps/written -"
expect_work

step 'removal' apt-get remove -qy $package
check "  says that names do not hold" grep -q 'names that nm-ib has given' /run/steps/said
check "  keeps what the administrator has set" eval "written | diff /run/steps/written -"
check "  and nothing else of ours" eval "! find /usr -xdev -name '*nm-ib*' -o -name '*nm-infiniband*' -o -name libnm-device-plugin-infiniband.so | grep ."
expect_alone
step 'installation over what a removal left' install "$next"
check "  all is as it was" eval "written | diff /run/steps/written -"
expect_work

step 'purge' apt-get purge -qy $package
check "  dpkg knows nothing of it" eval "! dpkg-query -W $package 2>/dev/null"
machine >/run/steps/machine-after
check "  nothing is left, file by file" diff /run/steps/machine /run/steps/machine-after
expect_alone
check "dpkg is content" audit
expect_clean_kernel_log
