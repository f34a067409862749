# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: port --metrics and doctor --metrics: node_exporter reads them, and what it knows itself is the same
# with: plugin+dispatcher+cli
# releases: bookworm
. ./lib.sh
modprobe ib_umad
fabric name=mlx5_0,mlx5_1 devid=0x1021,0x1021 driver=mlx5_core,mlx5_core rev=0,0
port_state mlx5_1 1 down
nm_start
child 'the "größe"' ib0 0x8002 transport-mode datagram
expect_up 'the "größe"'
expect_carrier ib0.8002 1

scraped() { python3 -c 'import urllib.request as r; print(r.urlopen("http://127.0.0.1:9100/metrics", timeout=20).read().decode())' >/run/scraped; }
exported() { scraped && grep -qE "$1" /run/scraped; }

mkdir -p /var/lib/prometheus/node-exporter
check "the timers are off by default" eval "prints_only -s 1 disabled systemctl is-enabled nm-ib-metrics@port.timer && no_file '/run/nm-ib-*.prom'"
must systemctl start nm-ib-metrics@port.timer nm-ib-metrics@doctor.timer
check "the timers write both files" eventually eval "test -s /run/nm-ib-port.prom && test -s /run/nm-ib-doctor.prom"
ln -s /run/nm-ib-port.prom /run/nm-ib-doctor.prom /var/lib/prometheus/node-exporter/
prometheus-node-exporter --web.listen-address=127.0.0.1:9100 --collector.textfile.directory=/var/lib/prometheus/node-exporter >/run/exporter.log 2>&1 &
check "node_exporter reads both files, without an error" eventually exported '^node_textfile_scrape_error 0$'
check "node_exporter has an active port" exported '^nm_ib_port_up\{guid="[0-9a-f:]+",hca="mlx5_0",port="1"\} 1$'
check "node_exporter has a port that is down" exported '^nm_ib_port_up\{guid="[0-9a-f:]+",hca="mlx5_1",port="1"\} 0$'
check "node_exporter has an interface, with a profile that has quotes and UTF-8 in its name" exported '^nm_ib_interface_info\{hca="mlx5_0",interface="ib0.8002",p_key="0x8002",port="1",profile="the \\"größe\\""\} 1$'
check "node_exporter has the findings" exported '^nm_ib_doctor_findings\{severity="error"\} [0-9]+$'
check "node_exporter has the age of the files" exported '^node_textfile_mtime_seconds\{file="/var/lib/prometheus/node-exporter/nm-ib-port.prom"\}'

# same OURS THEIRS: each value of both is equal, for four ports
# Debian 12 only: node_exporter 1.9 shows no port of a machine in which one port has no hw_counters, as here.
same() {
    scraped
    grep -E "^$1\{" /run/scraped | sed -E 's/.*hca="([^"]+)",port="([0-9]+)"\} /\1 \2 /' | sort >/run/ours
    grep -E "^$2\{" /run/scraped | sed -E 's/.*device="([^"]+)",port="([0-9]+)"\} /\1 \2 /' | sort >/run/theirs
    is "$(wc -l </run/ours)" 4 && diff /run/ours /run/theirs
}
check "the state is node_exporter's" same nm_ib_port_state_id node_infiniband_state_id
check "the physical state is node_exporter's" same nm_ib_port_physical_state_id node_infiniband_physical_state_id
check "the rate is node_exporter's" same nm_ib_port_rate_bytes_per_second node_infiniband_rate_bytes_per_second
for pair in symbol_error:symbol_error rcv_errors:port_errors_received link_error_recovery:link_error_recovery link_downed:link_downed; do
    check "the counter ${pair%:*} is node_exporter's" same "nm_ib_port_${pair%:*}_total" "node_infiniband_${pair#*:}_total"
done

check "node_exporter has an interface with an active profile" exported '^nm_ib_interface_activated\{hca="mlx5_0",interface="ib0.8002",port="1"\} 1$'
printf '[Service]\nExecStart=/bin/false\n' >/run/systemd/system/opensm@lab.service
systemctl daemon-reload
must nmcli connection down 'the "größe"'
port_state mlx5_0 1 down
# A run of the timer may have begun before.
is_down() { systemctl start nm-ib-metrics@port.service && exported '^nm_ib_port_up\{guid="[0-9a-f:]+",hca="mlx5_0",port="1"\} 0$'; }
check "a port that went down is down at the next run" eventually is_down
systemctl start opensm@lab
has_finding() { systemctl start nm-ib-metrics@doctor.service && exported '^nm_ib_doctor_finding\{id="unit-failed",severity="error",where="[^"]+"\} 1$'; }
check "a finding is in the metrics, and no failure of the unit" eventually has_finding
systemctl stop nm-ib-metrics@doctor.timer nm-ib-metrics@doctor.service
mkdir -p /etc/nm-infiniband
echo nonsense >/etc/nm-infiniband/doctor.ignore
must systemctl start nm-ib-metrics@doctor.service
check "a message of doctor: in the journal, and not in the file" eval "prints_no nonsense cat /run/nm-ib-doctor.prom && journalctl --sync && prints \"unknown finding 'nonsense'\" journalctl -b -u nm-ib-metrics@doctor.service"
systemctl stop nm-ib-metrics@port.timer nm-ib-metrics@port.service
before=$(md5sum </run/nm-ib-port.prom)
mkdir -p /run/systemd/system/nm-ib-metrics@port.service.d
printf '[Service]\nExecStart=\nExecStart=/usr/bin/nm-ib port show ib9\n' >/run/systemd/system/nm-ib-metrics@port.service.d/fail.conf
systemctl daemon-reload
check "a run that fails keeps the file from before" eval "ends 1 systemctl start nm-ib-metrics@port.service && is '$before' \"\$(md5sum </run/nm-ib-port.prom)\""
check "--metrics with --json: one line, exit 2" refused_with 2 'Error: --metrics: not with --json' nm-ib port --metrics --json
expect_nm_alive
