#!/usr/bin/env bash
# Validates written and converted archives with the HAR 1.2 schema and imports them with mitmproxy.
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

# A file of each tool, converted with body files and without them.
rewind="$(swift build "$@" --show-bin-path)/rewind"
files=Tests/RewindTests/Formats/Files
convert() {
    "$rewind" convert "$1" --to har --output "$2" --force --keep '*' "${@:3}" >"$folder/output" 2>&1 ||
        { cat "$folder/output"; exit 1; }
}
mkdir "$folder/converted" "$folder/large"
for file in "$files"/*; do
    case "$file" in *.html | */refused) continue ;; esac
    convert "$file" "$folder/converted/$(basename "$file").har"
    convert "$file" "$folder/converted/$(basename "$file").inline.har" --inline
done
"$folder/python/bin/python" Tests/Integration/archives.py --large "$folder/large/talk.json"
convert "$folder/large/talk.json" "$folder/large/files.har"
test -d "$folder/large/files.bodies"
convert "$folder/large/files.har" "$folder/archives/inline.har" --inline

"$folder/python/bin/python" Tests/Integration/archives.py "$folder/archives" "$folder/converted"
