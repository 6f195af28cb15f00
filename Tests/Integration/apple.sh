#!/usr/bin/env bash
# Checks the types of the package for Apple's platforms, on Linux and without Apple's SDK. Argument: the folder for what is
# built (.build/apple unless given); what depends on nothing but the toolchain is kept there for the next run.
#
# Two checks run beside each other:
#
# - The libraries and the command are compiled as they are for macOS 13, and the libraries for the simulator of iOS 16, up
#   to the point where code would be generated. The standard library is made from the toolchain's own interfaces, which say
#   since when each declaration is in Apple's systems; all other modules are declared in Tests/Apple/SDK.
# - Tests, benchmarks, examples and the code of the documents use far more of Foundation and XCTest than is declared. They
#   are compiled with this platform's Foundation, in copies whose conditions choose the branches for Apple's platforms.
#   Tests/Apple/Overlay and the URL loading system of Tests/Apple/SDK replace what differs.
#
# Not checked:
#
# - whether the declarations are exactly Apple's: what they lack is an error here, what they have wrong goes unnoticed
# - what Objective-C's runtime does: selectors given as text, the signatures of methods that are replaced and of pointers
#   that are called, overrides found at run time; the second check has no Objective-C at all and leaves out @objc,
#   @convention and what is in #selector
# - Swift 6.1 and 6.2: with a toolchain before 6.3 the script says so and succeeds
# - availability in tests, benchmarks, examples and documents, and deprecation anywhere
# - Tests/Fuzz and the plugins, which run on Linux or come with the package manager
# - tvOS, watchOS and visionOS, linking, and every behaviour
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

root=$PWD
declarations=$root/Tests/Apple
macOS=x86_64-apple-macosx13.0
iOS=x86_64-apple-ios16.0-simulator

# Whether the check can run here; says why where it cannot.
supported() {
    version=$(swiftc --version 2>&1)
    if [[ $(uname) != Linux ]]; then
        echo "apple: skipped: the check is for Linux; build the package itself here"
        return 1
    fi
    if ! [[ $version =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] || ((BASH_REMATCH[1] * 100 + BASH_REMATCH[2] < 603)); then
        echo "apple: skipped: the check needs Swift 6.3 or newer"
        return 1
    fi
    toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
}

# MARK: Modules, in the folder $modules, with $flags

frontend() {
    swiftc -frontend "$@" -swift-version 6 -package-name rewind -plugin-path "$toolchain/lib/swift/host/plugins" \
        -module-cache-path "$modules/cache" -I "$modules" "${flags[@]}"
}

# Lists the Swift files of folders.
files() { # file for the list, files and folders
    local list=$1
    shift
    find "$@" -name '*.swift' | LC_ALL=C sort >"$list"
}

# Checks a module and writes it for those that import it; where it has errors, they still get its interface.
module() { # name, folder, flags
    local name=$1 folder=$2
    shift 2
    files "$modules/$name.files" "$folder"
    if ! frontend -emit-module -enable-testing -module-name "$name" -o "$modules/$name.swiftmodule" \
        -filelist "$modules/$name.files" "$@"; then
        failed+=("$name")
        interface "$name" "$@" 2>/dev/null || true
    fi
}

# Writes a module without looking at the bodies of its functions.
interface() { # name, flags
    local name=$1
    shift
    frontend -emit-module -enable-testing -experimental-skip-all-function-bodies -module-name "$name" \
        -o "$modules/$name.swiftmodule" -filelist "$modules/$name.files" "$@"
}

finish() { # what was checked
    if ((${#failed[@]})); then
        echo "apple: $1: errors in ${failed[*]}"
        return 1
    fi
    echo "apple: $1: no errors"
}

# MARK: The libraries and the command, for Apple's targets

standard_library() { # name, flags
    local name=$1 source=$modules/$1.swiftinterface
    shift
    sed -E -e "3s/-target [^ ]+/-target $target/" -e '3s/-static //' -e 's/@backDeployed\([^)]*\)//' \
        "$toolchain/lib/swift_static/linux/$name.swiftmodule/$(uname -m)-unknown-linux-gnu.swiftinterface" >"$source"
    if [[ $name == Swift ]]; then cat "$declarations/SDK/Swift/ObjectiveC.swiftinterface" >>"$source"; fi
    swiftc -frontend -compile-module-from-interface -module-name "$name" -module-cache-path "$modules/cache" \
        -I "$modules" "${flags[@]}" "$@" -o "$modules/$name.swiftmodule" "$source"
}

# Sets $modules and $flags for a target, and makes the modules of the system.
prepare() { # target
    target=$1
    modules=$work/$target
    flags=(-target "$target" -enable-objc-interop -disable-objc-attr-requires-foundation-module
        -resource-dir "$toolchain/lib/swift" -I "$declarations/SDK/DarwinHeaders")
    local made name
    made=$(cat - "$declarations/SDK/Swift/ObjectiveC.swiftinterface" "${BASH_SOURCE[0]}" <<<"$version" | cksum)
    if [[ $(cat "$modules/made" 2>/dev/null) != "$made" ]]; then
        rm -rf "$modules"
        mkdir -p "$modules"
        standard_library Swift -parse-stdlib
        standard_library SwiftOnoneSupport
        standard_library _Builtin_float
        standard_library _Concurrency -disable-availability-checking
        standard_library _RegexParser
        standard_library _StringProcessing
        echo "$made" >"$modules/made"
    fi
    for name in Darwin ObjectiveC Dispatch Foundation CoreFoundation XCTest Testing; do
        files "$modules/$name.files" "$declarations/SDK/$name"
        interface "$name" -parse-as-library
    done
}

libraries() { # target
    local failed=() name
    prepare "$1"
    for name in Rewind RewindServer RewindXCTest RewindTesting; do module "$name" "Sources/$name" -parse-as-library; done
    if [[ $1 == "$macOS" ]]; then module RewindCLI Sources/RewindCLI; fi
    finish "$1"
}

# MARK: Everything else, with this platform's Foundation

# Copies Swift files to $copy, where they have the same paths and lines, the conditions of Apple's platforms, and imports
# of the modules that replace Foundation and XCTest.
translate() { # files and folders
    find "$@" -name '*.swift' -print0 | xargs -0 cp --parents -t "$copy"
    (cd "$copy" && find "$@" -name '*.swift' -print0) | (cd "$copy" && xargs -0 sed -E -i \
        -e 's/canImport\((FoundationNetworking|Glibc|Musl)\)/false/g' \
        -e 's/canImport\((ObjectiveC|Darwin)\)/true/g' \
        -e 's/os\(Linux\)/false/g' \
        -e 's/^( *(@testable |@_exported )?import )(Foundation|XCTest)$/\1Apple\3/' \
        -e 's/^( *)import (CoreFoundation|Darwin)$/\1import AppleFoundation/' \
        -e 's/@convention\((c|block)\) //g' \
        -e 's/#selector\(([^()]|\([^()]*\))*\)/Selector("")/g' \
        -e 's/@objc(\([^)]*\))?( optional)? //g')
}

# Adds the code of the documents, which names the lines of the documents.
samples() { # folder
    local samples=$modules/samples document
    mkdir -p "$samples/$1"
    swiftc -swift-version 6 "$root"/Tests/Documentation/Extractor/*.swift -o "$modules/extract"
    find README.md Docs Sources -name '*.md' | while read -r document; do
        "$modules/extract" "$document" "$samples/$1/$(tr / - <<<"${document%.md}")-Samples.swift"
    done
    (cd "$samples" && translate "$1")
}

# Sets $modules, $flags and $copy, copies folders and the code of the documents, changes to the copy, and makes the modules
# that replace those of this platform.
prepare_overlay() { # folders
    modules=$work/overlay
    copy=$modules/sources
    flags=()
    rm -rf "$modules"
    mkdir -p "$copy"
    (cd "$root" && translate Tests/Apple/SDK)
    translate "$@"
    samples Tests/Documentation/Samples
    cd "$copy"
    local sdk=Tests/Apple/SDK overlay=$declarations/Overlay name
    files "$modules/ObjectiveC.files" "$sdk/ObjectiveC/Runtime.swift"
    files "$modules/AppleFoundation.files" "$sdk/Foundation/Shim.swift" "$sdk/Foundation/Loading" "$overlay/AppleFoundation"
    files "$modules/CorelibsXCTest.files" "$overlay/CorelibsXCTest"
    files "$modules/AppleXCTest.files" "$sdk/XCTest/XCTIssue.swift" "$overlay/AppleXCTest"
    for name in ObjectiveC AppleFoundation CorelibsXCTest AppleXCTest; do interface "$name" -parse-as-library; done
}

# A library or the command for those that import it, as its bodies are checked for Apple's targets.
library() { # name, flags
    local name=$1
    shift
    files "$modules/$name.files" "Sources/$name"
    interface "$name" "$@" || {
        echo "apple: tests, benchmarks, examples and documents: not checked, as declarations of $name have errors"
        return 1
    }
}

others() {
    local failed=() name
    prepare_overlay Sources Tests/*Tests Tests/Support Tests/Examples Tests/Documentation/Samples
    for name in Rewind RewindServer RewindXCTest RewindTesting; do library "$name" -parse-as-library; done
    library RewindCLI
    module RewindTestSupport Tests/Support -parse-as-library
    for name in RewindTests RewindServerTests RewindXCTestTests RewindTestingTests RewindCLITests; do
        module "$name" "Tests/$name" -parse-as-library
    done
    module RewindBenchmarks Sources/RewindBenchmarks
    module ExampleBlog Tests/Examples/Blog -parse-as-library
    module ExampleApp Tests/Examples/App
    module ExampleTests Tests/Examples/Tests -parse-as-library
    module DocumentationTests Tests/Documentation/Samples -parse-as-library
    finish "tests, benchmarks, examples and documents"
}

main() { # folder
    supported || exit 0
    mkdir -p "${1:-.build/apple}"
    work=$(cd "${1:-.build/apple}" && pwd)
    local status=0 check
    # Each part is a job of its own: `set -e` has no effect in a function whose status somebody asks for.
    others >"$work/others.log" 2>&1 &
    local beside=$!
    for check in "$macOS" "$iOS"; do
        libraries "$check" >"$work/$check.log" 2>&1 &
        wait $! || status=1
        cat "$work/$check.log"
    done
    wait "$beside" || status=1
    cat "$work/others.log"
    if ((status)); then echo "apple: failed"; fi
    exit "$status"
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then main "$@"; fi
