# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# What tests/run and tests/demo share: the packages they need, the builds, and how they tell what they are doing.
: "${root:?the top of the tree}" "${build:?a directory for builds and logs}" "${me:?the name of the caller, for messages}"
logs=$build/logs

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    bold=$'\e[1m' faint=$'\e[2m' green=$'\e[32m' yellow=$'\e[33m' red=$'\e[31m' plain=$'\e[0m'
else
    # shellcheck disable=SC2034 # the callers use them all
    bold='' faint='' green='' yellow='' red='' plain=''
fi

fail() {
    printf '%s%s: %s%s\n' "$red" "$me" "$1" "$plain" >&2
    exit 2
}

heading() { printf '\n%s== %s%s\n' "$bold" "$1" "$plain"; }

need_root() {
    [ "$(id -u)" = 0 ] || fail "it installs packages, mounts and uses network namespaces: run it as root (sudo $me)"
    command -v apt-get >/dev/null || fail 'it needs Debian 12 (there is no apt-get here)'
}

beat=''
end_beat() {
    [ -n "$beat" ] || return 0
    kill "$beat" 2>/dev/null || true
    wait "$beat" 2>/dev/null || true
    beat=''
}
trap end_beat EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Now and then a line about what goes on, so that nobody thinks it hangs. It waits without starting a process.
beat() {
    local log=$1 start=$SECONDS never
    exec {never}<> <(:)
    while ! read -rt 20 -u "$never"; do
        printf '%s   %d s: %s%s\n' "$faint" $((SECONDS - start)) "$(tail -n 1 "$log" | tr -cd '[:print:]' | cut -c 1-90)" "$plain"
    done
}

# quietly LOG WORDS COMMAND...: runs the command, its output in the log; shows the end of it when the command fails.
quietly() {
    local log=$logs/$1.log words=$2 start=$SECONDS status=0
    shift 2
    printf '   %s\n' "$words"
    : >"$log"
    beat "$log" &
    beat=$!
    "$@" >>"$log" 2>&1 </dev/null || status=$?
    end_beat
    if [ "$status" != 0 ]; then
        printf '%s   failed (status %d). The end of %s:%s\n' "$red" "$status" "$log" "$plain"
        tail -n 40 "$log"
        return "$status"
    fi
    printf '%s   done in %d s%s\n' "$faint" $((SECONDS - start)) "$plain"
}

# What running the tests takes besides the build (tests/packages) and the lab (tests/lab/packages).
test_packages() {
    echo clang-14 libclang-rt-14-dev llvm-14 clang-format-14 clang-tidy-14 shellcheck python3 git umockdev network-manager dbus iproute2 ethtool \
        pciutils util-linux locales bash-completion zsh less
}

# While packages are installed no service is started or restarted, and NetworkManager, if this brings it, is not left to
# start with the machine: the tests use its programs, in places of their own.
apt_install() (
    rule=/usr/sbin/policy-rc.d kept=/usr/sbin/policy-rc.d.before-nm-infiniband had_nm=no
    ! installed network-manager || had_nm=yes
    [ ! -e $rule ] || [ -e $kept ] || mv $rule $kept
    trap 'rm -f "$rule"; [ ! -e "$kept" ] || mv "$kept" "$rule"' EXIT
    printf '#!/bin/sh\nexit 101\n' >$rule
    chmod 755 $rule
    export DEBIAN_FRONTEND=noninteractive
    apt-get -q update || exit
    apt-get -qy --no-install-recommends -o DPkg::Lock::Timeout=300 install "$@" || exit
    [ $had_nm = yes ] || ! installed network-manager ||
        systemctl disable NetworkManager NetworkManager-dispatcher NetworkManager-wait-online
)

installed() { dpkg-query -Wf '${Status}' "$1" 2>/dev/null | grep -q ' installed$'; }

# install_packages NAME...: from the sources apt is configured with; only what is missing.
install_packages() {
    local missing=() name
    for name; do
        installed "$name" || missing+=("$name")
    done
    heading "Packages (${#missing[@]} of $# to be installed)"
    [ ${#missing[@]} = 0 ] || quietly apt "${missing[*]}" apt_install "${missing[@]}" ||
        fail 'the packages cannot be installed; see above'
}

# compile NAME OPTION...: one build of the tree, in $build/NAME. CXX in the environment says with what, $targets what
# (everything if it is not set).
compile() { quietly "build-$1" "$*" _compile "$build/$1" "${@:2}"; }
_compile() {
    local dir=$1
    shift
    [ ! -f "$dir/build.ninja" ] || set -- --reconfigure "$@"
    # shellcheck disable=SC2086 # words
    meson setup --werror "$dir" "$root" "$@" && meson compile -C "$dir" ${targets:-}
}

# Called at the end: what was built as root for somebody is theirs.
give_back() { [ -z "${SUDO_UID:-}" ] || chown -R "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" "$build"; }
