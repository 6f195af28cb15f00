#!/usr/bin/env bash
# Measures the processor time that a package with tests builds longer for depending on RewindXCTest, in debug and release.
# Both packages are built from nothing: one with an empty dependency, one with Rewind. The ratio compares them, as seconds
# differ between machines. The argument `--runs N` is the number of builds of each; 3 by default, of which the median counts.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

runs=3
if [[ ${1:-} == --runs ]]; then runs=${2:?missing value for --runs}; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Writes a package with one test, which imports a product of a dependency in a folder.
package() { # name, folder of the dependency, product, base class
    mkdir -p "$folder/$1/Tests/AppTests"
    cat >"$folder/$1/Package.swift" <<END
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "App",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "$2")],
    targets: [
        .testTarget(name: "AppTests", dependencies: [.product(name: "$3", package: "$(basename "$2")")])
    ]
)
END
    cat >"$folder/$1/Tests/AppTests/AppTests.swift" <<END
import $3
import XCTest

final class AppTests: $4 { func testNothing() {} }
END
}

# Prints the processor seconds of a build from nothing.
seconds() { # package, configuration
    rm -rf "$folder/$1/.build"
    local TIMEFORMAT='%U %S'
    { time swift build --package-path "$folder/$1" -c "$2" --build-tests >"$folder/log" 2>&1; } 2>"$folder/time" || {
        cat "$folder/log" >&2
        exit 1
    }
    awk '{ print $1 + $2 }' "$folder/time"
}

median() { sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

mkdir -p "$folder/Empty/Sources/Empty"
cat >"$folder/Empty/Package.swift" <<'END'
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Empty",
    products: [.library(name: "Empty", targets: ["Empty"])],
    targets: [.target(name: "Empty")]
)
END
echo 'public struct Empty {}' >"$folder/Empty/Sources/Empty/Empty.swift"
ln -s "$root" "$folder/Rewind"
package without "$folder/Empty" Empty XCTestCase
package with "$folder/Rewind" RewindXCTest CassetteTestCase

for configuration in debug release; do
    for ((run = 0; run < runs; run++)); do
        seconds without "$configuration" >>"$folder/without.$configuration"
        seconds with "$configuration" >>"$folder/with.$configuration"
    done
    awk -v configuration="$configuration" -v without="$(median <"$folder/without.$configuration")" \
        -v with="$(median <"$folder/with.$configuration")" \
        'BEGIN { printf "%-8s %6.1f s with Rewind, %5.1f s without: %5.1f s more, ratio %.1f\n", configuration, with, without, with - without, with / without }'
done
