#!/usr/bin/env bash
# Validates written archives with the HAR 1.2 schema and imports them with mitmproxy.
#
# Arguments are passed to `swift test`, so that an existing build with the same flags is reused. Installs Python packages
# into a temporary folder; skipped if the package index cannot be reached.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 -m venv "$folder/python"
if ! "$folder/python/bin/pip" install --quiet --disable-pip-version-check mitmproxy jsonschema; then
    echo "archives: skipped: 'pip install mitmproxy jsonschema' failed"
    exit 0
fi

mkdir "$folder/archives"
ARCHIVE_SAMPLES="$folder/archives" swift test "$@" --filter ArchiveSamples
cp -r Cassettes "$folder/archives/own"
"$folder/python/bin/python" Tests/Integration/archives.py "$folder/archives"
