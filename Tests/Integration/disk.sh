#!/usr/bin/env bash
# Records on disks that are full, out of inodes or read-only: runs DiskTests with small file systems in memory.
#
# Arguments are passed to `swift test`, so that an existing build with the same flags is reused. Requires root to mount
# file systems.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { printf 'disk: %s\n' "$*"; }
skip() {
    say "skipped: $*"
    exit 0
}

[[ $(uname) == Linux ]] || skip "requires Linux"
((EUID == 0)) || skip "requires root to mount file systems"

folder=$(mktemp -d "${TMPDIR:-/tmp}/rewind-disks.XXXXXXXX")
cleanup() {
    local status=$?
    trap - EXIT
    for disk in small inodes readonly locked; do
        # A read-only bind mount may cover the file system.
        while mountpoint -q "$folder/$disk"; do umount -l "$folder/$disk" || break; done
    done
    rm -rf "$folder"
    exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

disk() {
    mkdir "$folder/$1"
    mount -t tmpfs -o "$2" tmpfs "$folder/$1" 2>/dev/null
}
disk small size=64k || skip "root may not mount file systems on this machine"
disk inodes size=1m,nr_inodes=12
disk readonly size=1m
disk locked size=1m,ro

# The settings of this machine must not affect the tests.
unset CI REWIND_MODE REWIND_CASSETTES
REWIND_DISKS=$folder timeout --kill-after=10 300 swift test "$@" --filter RewindTests.DiskTests 2>&1 | tee "$folder/log"
grep -q 'disk: The cassette' "$folder/log" || {
    say "failed: the tests did not run"
    exit 1
}
