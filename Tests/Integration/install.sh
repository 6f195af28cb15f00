#!/usr/bin/env bash
# Runs the commands of the section "Install the command" of CommandLine.md as they are: those of the first part with a clone
# of this repository, and the steps for CI in a package that depends on Rewind. Both have no build folder, and their home
# folder is empty.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD

say() { printf 'install: %s\n' "$*"; }
fail() { say "$*"; exit 1; }

# The settings of this machine must not affect the test.
unset CI REWIND_MODE REWIND_CASSETTES REWIND_MANIFEST REWIND_LOG

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/home" "$folder/source"

# What git would commit now, in a repository of its own, so that it can be cloned.
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
    [[ ! -e $file ]] || printf '%s\0' "$file"
done | tar --null --files-from=- --create --file=- | tar --extract --file=- --directory="$folder/source"
git -C "$folder/source" init -q -b main
git -C "$folder/source" add --all
git -C "$folder/source" -c user.name=Rewind -c user.email=rewind@example.com commit -q -m "Rewind"
mv "$folder/source" "$folder/Rewind.git"

# Prints the blocks of a language in the section, with the clone in place of the address on the web.
blocks() { # language
    awk -v fence="\`\`\`$1" '
        /^## / { inside = $0 == "## Install the command" }
        inside && $0 == fence { printing = 1; next }
        $0 == "```" { printing = 0 }
        printing' "$root/Sources/Rewind/Rewind.docc/CommandLine.md" |
        sed "s|https://github.com/OWNER/Rewind.git|file://$folder/Rewind.git|"
}

commands=$(blocks sh)
grep -q 'swift build' <<<"$commands" || fail "no commands in the article"
(cd "$folder" && HOME="$folder/home" bash -euxo pipefail -c "$commands" >output 2>&1) || fail "$(tail -20 "$folder/output")"
installed="$folder/home/.local/bin/rewind"
[[ -x $installed ]] || fail "the command is not in ~/.local/bin"
rm -rf "$folder/Rewind"
(cd "$folder" && "$installed" demo >output) || fail "the installed command does not work: $(cat "$folder/output")"
say "the command is installed with a release build, and works without the clone"

mkdir -p "$folder/app/Sources/App" "$folder/app/Cassettes"
cat >"$folder/app/Package.swift" <<SWIFT
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "App",
    dependencies: [.package(url: "file://$folder/Rewind.git", branch: "main")],
    targets: [.target(name: "App", dependencies: [.product(name: "Rewind", package: "Rewind")])]
)
SWIFT
echo 'public let answer = 42' >"$folder/app/Sources/App/App.swift"
echo '{"log": {"version": "1.2", "creator": {"name": "a", "version": "1"}, "entries": []}}' >"$folder/app/Cassettes/a.har"
steps=$(blocks yaml | sed -nE 's/^ *(- )?run: //p')
grep -q 'rewind lint' <<<"$steps" || fail "no steps for CI in the article"
(cd "$folder/app" && HOME="$folder/home" bash -euxo pipefail -c "$steps" >../output 2>&1) || fail "$(tail -20 "$folder/output")"
grep -q 'Cassettes/a.har' "$folder/output" || fail "the cassette was not checked: $(cat "$folder/output")"
say "the steps for CI work in a package that depends on Rewind"
