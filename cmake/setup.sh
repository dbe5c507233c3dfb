# Sourced by examples/run, tests/run, bench/run and .ci/run: installs packages, configures and builds.
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf 'clutch: %s\n' "$*"; }
fail() { say "$*" >&2; exit 1; }

# Packages are named as Debian and Ubuntu do. "ninja-build=ninja" is there if the command `ninja` is, wherever from, and
# "opencl-headers=/usr/include/CL/cl.h" if that file is. Where there is no dpkg, libraries are taken to be installed, and
# CMake says so if they are not.
is_there() {
    local package=${1%%=*} command=${1#*=}
    if [[ $command = /* ]]; then
        [ ! -e "$command" ] || return 0
    elif [ "$command" != "$1" ]; then
        command -v "$command" >/dev/null && return 0
        command -v dpkg-query >/dev/null || return 1
    fi
    ! command -v dpkg-query >/dev/null ||
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ]
}

# Puts those of the packages that are not there into the array `missing`.
find_missing() {
    local package
    missing=()
    for package; do
        is_there "$package" || missing+=("${package%%=*}")
    done
}

# Installs packages; updates apt's lists only if it cannot do without.
apt_install() {
    local as_root=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
    local install=(install -y --no-install-recommends "$@")
    [ "$(id -u)" = 0 ] || as_root=(sudo "${as_root[@]}")
    say "installing $*"
    "${as_root[@]}" "${install[@]}" >/dev/null 2>&1 </dev/null || {
        "${as_root[@]}" update >/dev/null && "${as_root[@]}" "${install[@]}" >/dev/null
    } 2>&1 </dev/null
}

can_install() { command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }; }

# need PACKAGE...: has them installed, or ends the script.
need() {
    local missing
    find_missing "$@"
    [ ${#missing[@]} != 0 ] || return 0
    command -v apt-get >/dev/null || fail "please install what Debian calls ${missing[*]}"
    can_install || fail "please run, as root: apt-get install --no-install-recommends ${missing[*]}"
    apt_install "${missing[@]}" || fail "apt-get could not install ${missing[*]}"
}

# want PACKAGE...: has them installed if that is possible; the build leaves out what needs the others.
want() {
    local missing
    find_missing "$@"
    [ ${#missing[@]} != 0 ] || return 0
    if can_install; then
        apt_install "${missing[@]}" 2>/dev/null || true
        find_missing "$@"
    fi
    [ ${#missing[@]} = 0 ] || say "skipped: what needs ${missing[*]}"
}

# build NAME [CMAKE OPTION...]: configures and builds in build/NAME. Shows what the tools print only if they fail.
build() {
    local folder=$root/build/$1 log=$root/build/$1.log
    say "building in build/$1"
    shift
    if command -v ninja >/dev/null; then export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}; fi
    mkdir -p "$folder"
    { cmake -S "$root" -B "$folder" "$@" && cmake --build "$folder" -j "$(nproc)"; } >"$log" 2>&1 || {
        cat "$log"
        fail "the build failed"
    }
}
