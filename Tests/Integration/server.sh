#!/usr/bin/env bash
# Records with `rewind record` what clients that are not ours say to a server that is not ours, stops that server, and
# plays it with `rewind serve`: curl, Python's http.client and requests, sixty-four connections at once. Then clients come
# that a server should not have: ten thousand silent ones, slow ones, deaf ones, and those that ask for too much.
#
# With `--full` also Chromium without a window, and a comparison with mitmdump and nginx, which take minutes to install
# and are run by hand. Other arguments go to `swift build`, so that a build with flags of its own is used as it is. What
# cannot be installed is skipped, and the script says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { printf 'server: %s\n' "$*"; }

full=""
flags=()
for argument in "$@"; do
    if [[ $argument == --full ]]; then full=yes; else flags+=("$argument"); fi
done

# The proxy of this machine has no part in this, and a CI machine's own setting must not change what is tested.
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
packages=(requests)
[[ -n $full ]] && packages+=(mitmproxy)
for package in "${packages[@]}"; do
    "$python" -m pip install --quiet --disable-pip-version-check "$package" ||
        say "$package could not be installed (pip install $package), so what needs it is skipped"
done

# A comparison of speed says nothing of a build for debugging.
[[ -n $full ]] && flags+=(-c release)
swift build ${flags[@]+"${flags[@]}"} --product rewind
rewind="$(swift build ${flags[@]+"${flags[@]}"} --show-bin-path)/rewind"

"$python" Tests/Integration/server.py "$rewind" "$folder"
"$python" Tests/Integration/server_hostile.py "$rewind" "$folder"

if [[ -n $full ]]; then
    command -v chromium >/dev/null || install_package chromium || say "Chromium could not be installed (apt-get install chromium), and is skipped"
    command -v nginx >/dev/null || install_package nginx-light || say "nginx could not be installed (apt-get install nginx-light), and is skipped"
    command -v wrk >/dev/null || install_package wrk || say "wrk could not be installed (apt-get install wrk), so speed is not compared"
    PATH="$folder/python/bin:$PATH" "$python" Tests/Integration/server_full.py "$rewind" "$folder"
fi
