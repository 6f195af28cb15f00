#!/usr/bin/env bash
# Records requests to a Python server with `rewind record`: of curl, of Python's http.client, requests and httpx, and of
# fetch in Node.js. Stops that server, and replays them with `rewind serve`, with 64 connections at once. Then tests
# hostile clients: ten thousand silent connections, slow writers, clients that do not read, and oversized requests, and attacks that use up threads, memory or
# file descriptors.
#
# With `--full` also runs headless Chromium and compares the speed with mitmdump and nginx, which take minutes to install.
# Other arguments are passed to `swift build`, so that an existing build with the same flags is reused. Skips what cannot
# be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { printf 'server: %s\n' "$*"; }

full=""
flags=()
for argument in "$@"; do
    if [[ $argument == --full ]]; then full=yes; else flags+=("$argument"); fi
done

# The settings and the proxy of this machine must not affect the tests.
unset CI REWIND_MODE http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

install_package() {
    command -v apt-get >/dev/null || return 1
    timeout 300 env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=60 install \
        --no-install-recommends "$1" </dev/null >/dev/null 2>&1
}

python3 -m venv "$folder/python"
python="$folder/python/bin/python"
packages=(requests httpx)
[[ -n $full ]] && packages+=(mitmproxy)
for package in "${packages[@]}"; do
    "$python" -m pip install --quiet --disable-pip-version-check "$package" ||
        say "skipping tests of $package: 'pip install $package' failed"
done

# The speed of a debug build is meaningless.
[[ -n $full ]] && flags+=(-c release)
swift build ${flags[@]+"${flags[@]}"} --product rewind
rewind="$(swift build ${flags[@]+"${flags[@]}"} --show-bin-path)/rewind"

"$python" Tests/Integration/server.py "$rewind" "$folder"
"$python" Tests/Integration/server_hostile.py "$rewind" "$folder"
"$python" Tests/Integration/server_attacks.py "$rewind" "$folder"

if [[ -n $full ]]; then
    command -v chromium >/dev/null || install_package chromium || say "skipping Chromium: 'apt-get install chromium' failed"
    command -v nginx >/dev/null || install_package nginx-light || say "skipping nginx: 'apt-get install nginx-light' failed"
    command -v wrk >/dev/null || install_package wrk || say "skipping the comparison of speed: 'apt-get install wrk' failed"
    PATH="$folder/python/bin:$PATH" "$python" Tests/Integration/server_full.py "$rewind" "$folder"
fi
