#!/usr/bin/env bash
# Runs all tests with a sanitizer, in a separate build. Fails on a sanitizer report of the tests or of a process they start,
# and on a test that neither ran nor was skipped with a reason. Lists skipped tests.
# usage: sanitize.sh thread|address
set -euo pipefail
cd "$(dirname "$0")/../.."

sanitizer=$1
build=(--sanitize "$sanitizer" --scratch-path ".build/$sanitizer")
logs=$(mktemp -d "${TMPDIR:-/tmp}/rewind-sanitize.XXXXXXXX")
trap 'rm -rf "$logs"' EXIT

say() { printf '\n-- %s, %s\n' "$(date +%T)" "$*"; }

# The linker warns for every symbol of the address sanitizer that it cannot be exported.
say "build for the $sanitizer sanitizer"
swift build --build-tests "${build[@]}" 2>&1 | grep -v 'Cannot export local symbol'

# Reports are written to files: a process that a test starts may be killed, or the test may read its output.
# Leak detection is off: Foundation never frees its caches and sessions that were not invalidated.
export TSAN_OPTIONS="log_path=$logs/report"
export ASAN_OPTIONS="log_path=$logs/report:detect_leaks=0"

swift test list --skip-build "${build[@]}" --disable-swift-testing 2>/dev/null >"$logs/xctest.list"
swift test list --skip-build "${build[@]}" --disable-xctest 2>/dev/null >"$logs/testing.list"

status=0
run() {
    local name=$1
    shift
    say "$name"
    # Most take less than a minute; the timeout is for hangs.
    timeout 40m swift test --skip-build "${build[@]}" "$@" >"$logs/$name.log" 2>&1 || {
        status=1
        printf '%s: failed\n' "$name"
        grep -E '✘|error:' "$logs/$name.log" | head -50 || tail -20 "$logs/$name.log"
    }
}

run xctest --disable-swift-testing
# A process for each target, so that a crash stops only the tests of one target.
for target in $(cut -d. -f1 "$logs/testing.list" | sort -u); do
    run "$target" --disable-xctest --filter "^$target\." --event-stream-output-path "$logs/$target.events"
done

say "summary"
python3 Tests/Integration/sanitize.py "$logs" || status=1
exit "$status"
