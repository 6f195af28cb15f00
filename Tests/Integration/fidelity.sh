#!/usr/bin/env bash
# Runs every conversation without Rewind, recorded and replayed, and compares what an app receives.
#   --write            updates Sources/Rewind/Rewind.docc/WhatWasCompared.md
#   --only OUTCOME     compares one outcome, for example "gzip"
set -euo pipefail
cd "$(dirname "$0")/../.."
case "${1:-}" in
    --write) export REWIND_FIDELITY_WRITE=1 ;;
    --only) export REWIND_FIDELITY_ONLY="${2:?missing value for --only}" ;;
    "") ;;
    *) echo "unexpected argument '$1'" >&2; exit 64 ;;
esac
swift test --filter ThreeWayTests
