#!/usr/bin/env bash
# Writes the symbol graphs of the public modules, as they were built last, to a folder. More arguments go to the extractor.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$1
shift
mkdir -p "$folder"
triple=$(swift -print-target-info | sed -n 's/^ *"unversionedTriple" *: *"\(.*\)",*$/\1/p' | head -1)
for module in Rewind RewindServer RewindTesting RewindXCTest; do
    swift symbolgraph-extract -module-name "$module" -I .build/debug/Modules -target "$triple" \
        -minimum-access-level public -skip-inherited-docs -output-dir "$folder" "$@"
done
