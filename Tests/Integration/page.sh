#!/usr/bin/env bash
# Records a conversation, writes the page of its cassette with `rewind show --html`, and opens it from the disk in Chromium
# without a window or a network: the rows, the bars and what is in them are there, the page's own script runs, nothing
# that a hostile cassette brings along does, and no request leaves.
#
# Arguments go to `swift build`. Where Chromium cannot be installed the script says so and ends well.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { printf 'page: %s\n' "$*"; }

# The proxy of this machine has no part in this, and a CI machine's own setting must not change what is tested.
unset CI REWIND_MODE http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if ! command -v chromium >/dev/null; then
    timeout 300 env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=60 install \
        --no-install-recommends chromium </dev/null >/dev/null 2>&1 || true
fi
if ! command -v chromium >/dev/null; then
    say "Chromium could not be installed (apt-get install chromium), so no page was opened"
    exit 0
fi

swift build "$@" --product rewind
rewind="$(swift build "$@" --show-bin-path)/rewind"

"$rewind" demo --keep "$folder" >/dev/null
python3 Tests/Integration/page.py "$rewind" "$folder"
