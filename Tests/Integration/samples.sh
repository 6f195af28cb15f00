#!/usr/bin/env bash
# Runs the samples of the documents and the examples as a reader would: records them all from a server, ends the server, and
# plays them. With --record, what is recorded becomes the cassettes of the repository; otherwise it is thrown away.
set -euo pipefail
cd "$(dirname "$0")/../.."

filter='DocumentationTests|ExampleTests'
if [[ ${1:-} == --record ]]; then
    shift
else
    REWIND_CASSETTES=$(mktemp -d)
    trap 'rm -rf "$REWIND_CASSETTES"' EXIT
    # The files of other systems, which samples play and nothing records.
    cp -r Cassettes/Legacy* "$REWIND_CASSETTES"
    export REWIND_CASSETTES
fi
unset CI REWIND_MODE

swift build --build-tests "$@"
answers() { (: </dev/tcp/127.0.0.1/8017) 2>/dev/null; }
if answers; then
    echo "Port 8017 is taken by another program."
    exit 1
fi
python3 Tests/Examples/backend.py &
backend=$!
trap 'kill $backend 2>/dev/null || true; rm -rf "${REWIND_CASSETTES:-}"' EXIT
until answers; do
    kill -0 $backend
    sleep 0.1
done

echo "Recording"
REWIND_MODE=all swift test --skip-build --filter "$filter" --skip Legacy "$@"

kill $backend
wait $backend 2>/dev/null || true
echo "Playing, with the server gone"
REWIND_MODE=none swift test --skip-build --filter "$filter" "$@"
