#!/usr/bin/env bash
# Holds every conversation natively, recorded and replayed, and compares what an app can see of the three.
#   --write            writes Sources/Rewind/Rewind.docc/WhatWasCompared.md anew
#   --only OUTCOME     compares one outcome, such as "gzip"
set -euo pipefail
cd "$(dirname "$0")/../.."
case "${1:-}" in
    --write) export REWIND_FIDELITY_WRITE=1 ;;
    --only) export REWIND_FIDELITY_ONLY="${2:?names an outcome}" ;;
    "") ;;
    *) echo "unexpected argument '$1'" >&2; exit 64 ;;
esac
swift test --filter ThreeWayTests
