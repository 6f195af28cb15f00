#!/usr/bin/env bash
# Runs the tests of loading under a sanitizer, in a build of its own; any report fails the run.
# usage: sanitize.sh thread|address
set -euo pipefail
cd "$(dirname "$0")/../.."

sanitizer=$1
scratch=".build/$sanitizer"
tests='LoadTests|CancellationTests|RecordAndReplayTests|InterceptionTests|TaskPropertyTests|RedirectTests'

# Foundation keeps some memory of its live paths for good; what is looked for here is wrong access.
export ASAN_OPTIONS=detect_leaks=0
# The linker says of every symbol of the address sanitizer that it cannot be exported, which nobody asked for.
swift build --build-tests --sanitize "$sanitizer" --scratch-path "$scratch" 2>&1 | grep -v 'Cannot export local symbol'
run() { swift test --skip-build --sanitize "$sanitizer" --scratch-path "$scratch" "$@"; }
run --disable-swift-testing --filter "$tests"
run --disable-xctest --filter 'ParallelTests|CassetteTraitTests|CassettesTraitTests|StubLoadingTests'
