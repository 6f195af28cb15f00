#!/usr/bin/env bash
# Compares the public symbols with the list in Docs/API.txt and reports those without documentation. With --write, updates
# the list, so that reviewers see each change of the public API. Other arguments are passed to `swift build`.
set -euo pipefail
cd "$(dirname "$0")/../.."

write=
if [[ ${1:-} == --write ]]; then
    write=yes
    shift
fi
swift build "$@"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
Tests/Integration/symbols.sh "$folder"
# Compiler versions print declarations differently, so the list is for one version.
version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/Swift \1/p' | head -1)
{
    echo "# The public symbols, on Linux with $version: Tests/Integration/api.sh --write"
    python3 Tests/Integration/api.py "$folder"
} > "$folder/API.txt"

if [[ -n $write ]]; then
    cp "$folder/API.txt" Docs/API.txt
elif ! grep -qF "with $version:" Docs/API.txt; then
    echo "api: skipped: Docs/API.txt was written with another Swift version than $version"
elif ! diff -u Docs/API.txt "$folder/API.txt"; then
    echo "api: the public symbols have changed; if that is intended, run Tests/Integration/api.sh --write"
    exit 1
fi

# What is public at 1.0 stays, so a new symbol needs a reason to be one.
limit=645
count=$(tail -n +2 "$folder/API.txt" | wc -l)
if ((count > limit)); then
    echo "error: $count public symbols, more than $limit."
    exit 1
fi
