#!/usr/bin/env bash
# Runs `swift package rewind` in another package that depends on this one by its path.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD

say() { printf 'plugin: %s\n' "$*"; }
fail() { say "$*"; exit 1; }

# The settings of this machine must not affect the test.
unset CI REWIND_MODE REWIND_CASSETTES REWIND_MANIFEST REWIND_LOG

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/App" "$folder/Cassettes"
cat >"$folder/Package.swift" <<SWIFT
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "App",
    dependencies: [.package(name: "Rewind", path: "$root")],
    targets: [.target(name: "App", dependencies: [.product(name: "Rewind", package: "Rewind")])]
)
SWIFT
echo 'public let answer = 42' >"$folder/Sources/App/App.swift"
cat >"$folder/Cassettes/talk.har" <<'HAR'
{"log": {"version": "1.2", "creator": {"name": "Browser", "version": "1"}, "entries": [{
  "startedDateTime": "2024-01-01T00:00:00Z", "time": 1,
  "request": {"method": "GET", "url": "https://h/me?access_token=4f9a7c21e0b84d5f"},
  "response": {"status": 200, "content": {"mimeType": "text/plain", "text": "hello"}}}]}}
HAR
cd "$folder"

# The first call builds the tool.
swift package plugin --list | grep -q rewind || fail "the plugin is not listed"
swift package rewind help >output 2>errors || fail "help: $(cat errors)"
grep -q 'SUBCOMMANDS' output || fail "no help on standard output"
if grep -q '^  list ' output; then
    swift package rewind list | grep -q talk.har || fail "the cassette is not listed"
fi

# SwiftPM replaces every exit status except 0 by 1, and does not pass standard input to the plugin.
status=0
swift package rewind list --sort colour >output 2>&1 || status=$?
grep -q "invalid value 'colour'" output || fail "the usage error is not printed: $(cat output)"
[ "$status" = 1 ] || fail "the exit status of a usage error is $status"
if swift package rewind show - <Cassettes/talk.har >output 2>&1; then fail "the plugin received standard input"; fi

# The plugin passes the arguments on, runs in the package's folder, and exits with the command's status.
swift package rewind redact Cassettes --check >output 2>&1 && fail "the secret was not found"
grep -q 'Cassettes/talk.har: secrets in 1 interaction' output || fail "the secret was not reported: $(cat output)"
grep -q 4f9a7c21e0b84d5f Cassettes/talk.har || fail "--check changed the file"

# Commands that write need permission from the caller.
swift package --allow-writing-to-package-directory rewind redact --in-place Cassettes >output 2>&1 ||
    fail "redact: $(cat output)"
grep -q 4f9a7c21e0b84d5f Cassettes/talk.har && fail "the secret was not redacted"
swift package rewind redact Cassettes --check >output 2>&1 || fail "secrets found after redaction: $(cat output)"
say "help, check and redact work in a package that depends on Rewind"
