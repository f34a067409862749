# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: apt upgrades NetworkManager to the next Debian's, with another plugin directory, under an interface at work
. ./lib.sh
. ./steps.sh
fabric_at_work
install "$first" >/run/steps/said 2>&1 || { cat /run/steps/said; exit 1; }
expect_work
older=$(NetworkManager --version | cut -d ' ' -f 1)
link() { echo /usr/lib/*/NetworkManager/"$1"/"${object##*/}"; }
check "the plugin is linked for $older" is "$(readlink "$(link "$older")")" $object
# The postinst of Debian's own package restarts the daemon.
restarts=yes step 'apt upgrades NetworkManager' install -o Dpkg::Options::=--force-confold "$JOB"/debs/*.deb
newer=$(NetworkManager --version | cut -d ' ' -f 1)
note "NetworkManager $older, then $newer"
check "  it is another version" not is "$older" "$newer"
check "  our package is still there" is "$(state)" installed
check "  dpkg is content" audit
check "  the newer daemon was started by its own package, and has the plugin" eval \
    "nmcli -t -f VERSION general | grep -x '$newer' && eventually eval 'objects | grep -x $object'"
expect_work
check "the newer daemon runs" eval "nmcli -t -f VERSION general | grep -x '$newer'"
check "the plugin is linked for $newer" is "$(readlink "$(link "$newer")")" $object
check "  and no more for $older" test ! -e "$(link "$older")"
step 'removal' apt-get remove -qy $package
expect_alone
check "no link is left" eval "! find /usr/lib -name '${object##*/}' | grep ."
check "dpkg is content" audit
expect_clean_kernel_log
