# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# What tests/run and tests/demo share: packages, builds, guests, and lines about progress.
: "${root:?the top of the tree}" "${build:?a directory for builds and logs}" "${me:?the name of the caller, for messages}"
logs=$build/logs
: "${NMIB_LAB_CACHE:=/var/cache/nm-infiniband-lab}"
export NMIB_LAB_CACHE CCACHE_DIR=${CCACHE_DIR:-$NMIB_LAB_CACHE/ccache} CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=$root # for other clones, too

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
trap 'end_beat; end_guests' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Prints a line about the progress every 20 seconds. It waits without starting a process.
beat() {
    local log=$1 start=$SECONDS never
    exec {never}<> <(:)
    while ! read -rt 20 -u "$never"; do
        printf '%s   %d s: %s%s\n' "$faint" $((SECONDS - start)) "$(tail -n 1 "$log" | tr -cd '[:print:]' | cut -c 1-90)" "$plain"
    done
}

# quietly LOG WORDS COMMAND...: runs the command, and writes its output to the log; prints the end of the log if the command fails.
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

# Packages of the tests, besides those of the build (tests/packages) and of the lab (tests/lab/packages).
test_packages() {
    echo ccache clang-14 libclang-rt-14-dev llvm-14 clang-format-14 clang-tidy-14 shellcheck python3 git strace umockdev network-manager dbus iproute2 ethtool \
        pciutils systemd util-linux locales bash-completion zsh less
}

# The installation starts and restarts no service. If it installs NetworkManager, it disables the service: the tests run
# the daemon in their own namespaces.
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

# install_packages NAME...: installs missing packages, from the sources of this machine.
install_packages() {
    local missing=() name
    for name; do
        installed "$name" || missing+=("$name")
    done
    heading "Packages (${#missing[@]} of $# to be installed)"
    [ ${#missing[@]} = 0 ] || quietly apt "${missing[*]}" apt_install "${missing[@]}" ||
        fail 'the packages cannot be installed; see above'
}

# begin_guests RELEASE...: builds the guests in the background: they wait for the network, the compilers for processors.
guests=''
begin_guests() {
    xargs -P 2 -L 1 -a <(printf '%s\n' "$@") "$root/tests/lab/lab" build --release >"$logs/guests.log" 2>&1 &
    guests=$!
}
# await_guests: waits for them; fails if a guest cannot be built.
await_guests() {
    quietly guests-wait 'built from Debian packages, if missing, and booted once' tail --pid="$guests" -f "$logs/guests.log" || true
    wait "$guests"
}
end_guests() { [ -z "$guests" ] || pkill -P "$guests" || true; }

# compile NAME OPTION...: builds the tree in $build/NAME, with CXX from the environment; $targets: only these targets.
compile() { quietly "build-$1" "$*" _compile "$build/$1" "${@:2}"; }
_compile() {
    local dir=$1
    shift
    [ ! -f "$dir/build.ninja" ] || set -- --reconfigure "$@"
    # shellcheck disable=SC2086 # words
    # ccache takes the language for a part of the compilation
    meson setup --werror "$dir" "$root" "$@" && env -u LANG -u LC_ALL -u LC_CTYPE -u LC_MESSAGES meson compile -C "$dir" ${targets:-}
}

# At the end: the files belong to the user who called sudo.
give_back() { [ -z "${SUDO_UID:-}" ] || chown -R "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" "$build"; }
