#!/usr/bin/env bash
# Redacts the messages of Tests/RewindTests/Redaction/Labelled/Messages, whose values are labelled as secret or harmless.
# Prints how many secrets of each category leak and how many harmless values change, and then each of these values.
# Fails if a secret leaks, or if more than one harmless value in a hundred changes.
#   --table            prints only the table
set -euo pipefail
cd "$(dirname "$0")/../.."

filter=cat
case "${1:-}" in
    --table) filter=table ;;
    "") ;;
    *) echo "unexpected argument '$1'" >&2; exit 64 ;;
esac
table() { sed -n '/^category /,/^all /p'; }
output=$(mktemp)
trap 'rm -f "$output"' EXIT
status=0
swift test --filter LabelledRedactionTests >"$output" 2>&1 || status=$?
if ! grep -q '^category ' "$output"; then
    cat "$output" >&2
    exit 1
fi
sed -n '/^category /,$p' "$output" | grep -E '^(category|all|[a-z0-9-]+  |leaked|refused|destroyed|stopped)' | $filter
exit "$status"
