#!/usr/bin/env bash
# Writes the symbol graphs of the public modules of the last build to a folder.
set -euo pipefail
cd "$(dirname "$0")/../.."

mkdir -p "$1"
triple=$(swift -print-target-info | sed -n 's/^ *"unversionedTriple" *: *"\(.*\)",*$/\1/p' | head -1)
for module in Rewind RewindServer RewindTesting RewindXCTest; do
    swift symbolgraph-extract -module-name "$module" -I .build/debug/Modules -target "$triple" \
        -minimum-access-level public -skip-inherited-docs -output-dir "$1"
done
