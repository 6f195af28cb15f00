#!/usr/bin/env bash
# Records a cassette, writes its page with `rewind show --html`, and opens the page in headless Chromium without a network.
# Checks that the page shows its rows and bars, that its own script runs, and that a hostile cassette can neither run
# scripts nor send requests.
#
# Arguments are passed to `swift build`. Skipped if Chromium cannot be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { printf 'page: %s\n' "$*"; }

# The settings and the proxy of this machine must not affect the tests.
unset CI REWIND_MODE http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if ! command -v chromium >/dev/null; then
    timeout 300 env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=60 install \
        --no-install-recommends chromium </dev/null >/dev/null 2>&1 || true
fi
if ! command -v chromium >/dev/null; then
    say "skipped: 'apt-get install chromium' failed"
    exit 0
fi

swift build "$@" --product rewind
rewind="$(swift build "$@" --show-bin-path)/rewind"

"$rewind" demo --keep "$folder" >/dev/null
python3 Tests/Integration/page.py "$rewind" "$folder"
