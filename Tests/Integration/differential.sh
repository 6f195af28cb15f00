#!/usr/bin/env bash
# Compares what Rewind reads from thousands of made cassette files with what an independent reader reads from them.
#
# Takes the options of differential.py, and those of `swift build` after `--`, so that an existing build with the same flags
# is reused. Installs PyYAML into a temporary folder; without it, the YAML formats are skipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

options=()
while (($# > 0)) && [[ $1 != -- ]]; do
    options+=("$1")
    shift
done
(($# == 0)) || shift

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 -m venv "$folder/python"
if ! "$folder/python/bin/pip" install --quiet --disable-pip-version-check pyyaml; then
    echo "differential: YAML skipped: 'pip install pyyaml' failed"
fi

swift build "$@" --product rewind
"$folder/python/bin/python" Tests/Integration/differential.py --rewind "$(swift build "$@" --show-bin-path)/rewind" \
    "${options[@]}"
