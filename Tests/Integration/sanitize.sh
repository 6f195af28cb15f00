#!/usr/bin/env bash
# Runs the whole suite under a sanitizer, in a build of its own. A report of the tests, or of any process that they start,
# fails the run, and so does a test that was neither run nor skipped with a reason; what was skipped is told.
# usage: sanitize.sh thread|address
set -euo pipefail
cd "$(dirname "$0")/../.."

sanitizer=$1
build=(--sanitize "$sanitizer" --scratch-path ".build/$sanitizer")
logs=$(mktemp -d "${TMPDIR:-/tmp}/rewind-sanitize.XXXXXXXX")
trap 'rm -rf "$logs"' EXIT

say() { printf '\n-- %s, %s\n' "$(date +%T)" "$*"; }

# The linker says of every symbol of the address sanitizer that it cannot be exported, which nobody asked for.
say "build for the $sanitizer sanitizer"
swift build --build-tests "${build[@]}" 2>&1 | grep -v 'Cannot export local symbol'

# Reports go to files: a process that a test starts may be killed, or have its output read by the test.
# Leaks are not looked for: Foundation keeps what it makes once for the life of the process, and never frees a session
# that nobody invalidates, which is what most apps do with theirs. What is looked for here is wrong access.
export TSAN_OPTIONS="log_path=$logs/report"
export ASAN_OPTIONS="log_path=$logs/report:detect_leaks=0"

swift test list --skip-build "${build[@]}" --disable-swift-testing 2>/dev/null >"$logs/xctest.list"
swift test list --skip-build "${build[@]}" --disable-xctest 2>/dev/null >"$logs/testing.list"

status=0
run() {
    local name=$1
    shift
    say "$name"
    # A minute is enough for most of them; what takes this long hangs.
    timeout 40m swift test --skip-build "${build[@]}" "$@" >"$logs/$name.log" 2>&1 || {
        status=1
        printf '%s: failed\n' "$name"
        grep -E '✘|error:' "$logs/$name.log" | head -50 || tail -20 "$logs/$name.log"
    }
}

run xctest --disable-swift-testing
# A process for each target, so that one which ends too early takes few tests with it.
for target in $(cut -d. -f1 "$logs/testing.list" | sort -u); do
    run "$target" --disable-xctest --filter "^$target\." --event-stream-output-path "$logs/$target.events"
done

say "what was run"
python3 Tests/Integration/sanitize.py "$logs" || status=1
exit "$status"
