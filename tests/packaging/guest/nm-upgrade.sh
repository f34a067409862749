# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: apt upgrades NetworkManager to the next Debian's, with another plugin directory, while an interface is in use
. ./lib.sh
. ./steps.sh
fabric_at_work
install "$first" >/run/steps/said 2>&1 || { cat /run/steps/said; exit 1; }
expect_work
older=$(NetworkManager --version | cut -d ' ' -f 1)
link() { echo /usr/lib/*/NetworkManager/"$1"/"${object##*/}"; }
check "plugin: linked for $older" is "$(readlink "$(link "$older")")" $object
# The postinst of Debian's own package restarts the daemon.
restarts=yes step 'apt upgrades NetworkManager' install -o Dpkg::Options::=--force-confold "$JOB"/debs/*.deb
newer=$(NetworkManager --version | cut -d ' ' -f 1)
note "NetworkManager $older, then $newer"
check "NetworkManager: has another version" not is "$older" "$newer"
check "package: still installed" is "$(state)" installed
check "dpkg --audit: no finding" audit
check "newer daemon: started by its own package, with the plugin" eval \
    "nmcli -t -f VERSION general | grep -x '$newer' && eventually eval 'objects | grep -x $object'"
expect_work
check "newer daemon: runs" eval "nmcli -t -f VERSION general | grep -x '$newer'"
check "plugin: linked for $newer" is "$(readlink "$(link "$newer")")" $object
check "plugin: no longer linked for $older" test ! -e "$(link "$older")"
step 'removal' apt-get remove -qy $package
expect_alone
check "package removed: no link is left" eval "! find /usr/lib -name '${object##*/}' | grep ."
check "package removed: dpkg --audit has no finding" audit
expect_clean_kernel_log
