#!/usr/bin/env bash
# Kills processes that record, at random moments, and checks that no interaction that had ended 50 ms before is lost: an
# XCTest process that uses URLSession, and `rewind record`.
#
# The argument `--kills N` is the number of kills of each; 10 by default. Other arguments are passed to `swift build`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

kills=10
flags=()
while (($# > 0)); do
    if [[ $1 == --kills ]]; then
        kills=$2
        shift
    else
        flags+=("$1")
    fi
    shift
done

# The settings and the proxy of this machine must not affect the tests.
unset CI REWIND_MODE REWIND_CASSETTES http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy

swift build ${flags[@]+"${flags[@]}"} --build-tests
binaries=$(swift build ${flags[@]+"${flags[@]}"} --show-bin-path)
python3 Tests/Integration/kills.py "$binaries" "$kills"
