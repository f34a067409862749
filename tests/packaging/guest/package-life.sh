# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: installation, upgrade, downgrade, removal and purge while an interface is in use: the interface does not change
. ./lib.sh
. ./steps.sh
fabric_at_work
machine >/run/steps/machine
check "machine: there are files to compare" eval "[ \$(wc -l </run/steps/machine) -gt 9000 ]"
objects >/run/steps/objects

step 'installation' install "$first"
expect_hint
check "installation: the package is installed" is "$(state)" installed
journal_mark
check "installation, before any restart: the dispatcher's helper does the work" eval "up x && eventually _said 'nm-ib: ib0: MTU 4092 was requested' -t nm-dispatcher"
step 'upgrade before the restart' install "$next"
expect_hint
check "upgrade before the restart: the package has the higher version" is "$(version)" "$(dpkg-deb -f "$next" Version)"
expect_work
check "upgrade before the restart: the daemon loads no new object but the plugin" eval \
    "is \"\$(objects | comm -13 /run/steps/objects -)\" $object"
check "package's own test: passes" sh "$JOB/smoke"
must nm-online -sqt 180 # the test has restarted the daemon
expect_state ib0 connected

step 'downgrade' install --allow-downgrades "$first"
expect_hint
check "downgrade: the package has the lower version" is "$(version)" "$(dpkg-deb -f "$first" Version)"
check "downgrade: the daemon keeps the plugin that it has loaded" eval "up x && is \"\$(cat $NET/ib0/mtu)\" 2044"
expect_work
step 'the same again' install --reinstall "$first"
expect_hint
expect_work

note 'settings of the administrator'
echo '# mine' >/etc/nm-infiniband/nm-ib.conf
echo '# mine' >/etc/nm-infiniband/quirks.d/50-mine.conf
must nm-ib name set ib0 mlx4_ib0
must nm-ib host memlock @root unlimited
must nmcli connection add type infiniband con-name words ifname none0 transport-mode datagram autoconnect no
must nm-ib connection modify words rdma.vf-guids auto
written() { find /etc -newer /run/steps/objects -type f \( -path '*nm-ib*' -o -path '*nm-infiniband*' \) -exec md5sum {} + | sort; }
written >/run/steps/written
check "settings of the administrator: in files" eval "[ \$(wc -l </run/steps/written) -ge 5 ] || { cat /run/steps/written; false; }"
step 'upgrade' install "$next"
expect_hint
check "upgrade: keeps the settings" eval "written | diff /run/steps/written -"
expect_work

step 'removal' apt-get remove -qy $package
check "removal: warns that names do not hold" grep -q 'names that nm-ib has given' /run/steps/said
check "removal: keeps the settings" eval "written | diff /run/steps/written -"
check "removal: removes all other files of the package" eval "! find /usr -xdev -name '*nm-ib*' -o -name '*nm-infiniband*' -o -name libnm-device-plugin-infiniband.so | grep ."
expect_alone
step 'installation over what a removal left' install "$next"
check "installation after a removal: the settings are unchanged" eval "written | diff /run/steps/written -"
expect_work

step 'purge' apt-get purge -qy $package
check "purge: dpkg does not know the package" eval "! dpkg-query -W $package 2>/dev/null"
machine >/run/steps/machine-after
check "purge: every file is as before the installation" diff /run/steps/machine /run/steps/machine-after
expect_alone
check "purge: dpkg --audit has no finding" audit
expect_clean_kernel_log
