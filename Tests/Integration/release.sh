#!/usr/bin/env bash
# Checks the pattern of `ReplayInTheApp.md`: a release build of a tool with `Stubber.activateFromEnvironment()` inside of
# `#if DEBUG` compiles without Rewind, contains none of its symbols, and ignores REWIND_CASSETTE.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

folder=$(mktemp -d)
trap 'kill ${server:-} 2>/dev/null || true; rm -rf "$folder"' EXIT
unset CI REWIND_MODE REWIND_CASSETTES http_proxy HTTP_PROXY

# Without the folder of Rewind's module, so that an import would fail.
swiftc -O -swift-version 6 -parse-as-library Tests/Fixtures/WeatherTool/*.swift -o "$folder/weather"
# The file without a build of Rewind is a proof only if the pattern is there.
grep -q 'Stubber.activateFromEnvironment()' Tests/Fixtures/WeatherTool/WeatherTool.swift
if nm "$folder/weather" | grep -E '6Rewind(7Stubber|[0-9])'; then
    echo "release: the release build refers to Rewind"
    exit 1
fi
if grep -qa 'REWIND_' "$folder/weather"; then
    echo "release: the release build contains the name of a variable of Rewind"
    exit 1
fi

# A debug build of the same code needs Rewind.
if swiftc -D DEBUG -typecheck -swift-version 6 -parse-as-library Tests/Fixtures/WeatherTool/*.swift 2>/dev/null; then
    echo "release: the debug build does not need Rewind"
    exit 1
fi

mkdir "$folder/www"
echo sunny > "$folder/www/json"
python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$folder/www" > "$folder/log" 2>&1 &
server=$!
for _ in $(seq 100); do
    port=$(sed -nE 's/.* port ([0-9]+) .*/\1/p' "$folder/log")
    [[ -n $port ]] && break
    sleep 0.1
done
answer=$(REWIND_CASSETTE="$folder/none.har" REWIND_MODE=never REWIND_REPORT="$folder/report.json" \
    "$folder/weather" "http://127.0.0.1:$port" get /json)
[[ $answer == "200 /json sunny"* ]] || { echo "release: unexpected output: $answer"; exit 1; }
[[ ! -e $folder/report.json && ! -e $folder/none.har ]] || { echo "release: the release build wrote a file"; exit 1; }
echo "release: the release build does not know Rewind"
