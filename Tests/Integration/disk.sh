#!/usr/bin/env bash
# Records on disks that are full, out of inodes or read-only: DiskTests with small file systems in memory.
#
# Arguments go to `swift test`, so that a build with flags of its own is used as it is. It has to be run by root, who alone
# may mount.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { printf 'disk: %s\n' "$*"; }
skip() {
    say "skipped, because $*"
    exit 0
}

[[ $(uname) == Linux ]] || skip "it mounts file systems of Linux"
((EUID == 0)) || skip "only root may mount a file system: run it as root"

folder=$(mktemp -d "${TMPDIR:-/tmp}/rewind-disks.XXXXXXXX")
cleanup() {
    local status=$?
    trap - EXIT
    for disk in small inodes readonly; do
        # A read-only view of the folder may lie over the file system.
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
disk small size=64k || skip "this machine does not let root mount a file system"
disk inodes size=1m,nr_inodes=12
disk readonly size=1m

# What a machine says about recording is not what is tested.
unset CI REWIND_MODE REWIND_CASSETTES
REWIND_DISKS=$folder timeout --kill-after=10 300 swift test "$@" --filter RewindTests.DiskTests 2>&1 | tee "$folder/log"
grep -q 'disk: The cassette' "$folder/log" || {
    say "the tests did not run"
    exit 1
}
