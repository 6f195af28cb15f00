#!/usr/bin/env bash
# Checks what others make of the archives we write: the HAR 1.2 schema, and mitmproxy's import.
#
# Arguments go to `swift test`, so that a build with flags of its own is used as it is. Python's packages come from the
# package index into a folder that is removed; where it cannot be reached, the script says so and is skipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 -m venv "$folder/python"
if ! "$folder/python/bin/pip" install --quiet --disable-pip-version-check mitmproxy jsonschema; then
    echo "archives: skipped, because 'pip install mitmproxy jsonschema' failed, which needs the package index"
    exit 0
fi

mkdir "$folder/archives"
ARCHIVE_SAMPLES="$folder/archives" swift test "$@" --filter ArchiveSamples
cp -r Cassettes "$folder/archives/own"
"$folder/python/bin/python" Tests/Integration/archives.py "$folder/archives"
