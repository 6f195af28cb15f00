#!/usr/bin/env bash
# Runs the samples of the documentation and the examples: records their cassettes from a server, stops the server, and
# replays them. With --record, writes the cassettes of the repository; otherwise uses a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/../.."

filter='DocumentationTests|ExampleTests|TimelineClientTests'
if [[ ${1:-} == --record ]]; then
    shift
else
    REWIND_CASSETTES=$(mktemp -d)
    trap 'rm -rf "$REWIND_CASSETTES"' EXIT
    # Files of other libraries, which samples play but do not record.
    cp -r Cassettes/Legacy* "$REWIND_CASSETTES"
    export REWIND_CASSETTES
fi
unset CI REWIND_MODE

swift build --build-tests "$@"
answers() { (: </dev/tcp/127.0.0.1/8017) 2>/dev/null; }
if answers; then
    echo "samples: port 8017 is in use"
    exit 1
fi
python3 Tests/Examples/backend.py &
backend=$!
trap 'kill $backend 2>/dev/null || true; rm -rf "${REWIND_CASSETTES:-}"' EXIT
until answers; do
    kill -0 $backend
    sleep 0.1
done

echo "samples: recording"
REWIND_MODE=all swift test --skip-build --filter "$filter" --skip Legacy "$@"

kill $backend
wait $backend 2>/dev/null || true
echo "samples: replaying without the server"
REWIND_MODE=never swift test --skip-build --filter "$filter" "$@"
