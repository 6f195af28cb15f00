#!/usr/bin/env bash
# Type-checks the package for Apple platforms, on Linux and without Apple's SDK. Argument: the build folder (default:
# .build/apple). Modules that depend only on the toolchain are reused in the next run.
#
# Two checks run in parallel:
#
# - The libraries and the command are compiled for macOS 13, and the libraries for the iOS 16 simulator, without generating
#   code. The standard library is compiled from the toolchain's interfaces, which contain the availability of each
#   declaration on Apple platforms; all other modules are declared in Tests/Apple/SDK.
# - Tests, benchmarks, examples and the code of the documentation use much more of Foundation and XCTest than is declared.
#   Copies of them are compiled with the Foundation of Linux; conditions in the copies select the branches for Apple
#   platforms. Tests/Apple/Overlay and the URL loading system of Tests/Apple/SDK replace what is different.
#
# Not checked:
#
# - whether the declarations are exactly Apple's: a missing declaration is an error, a wrong one is not detected
# - the Objective-C runtime: selectors from strings, signatures of replaced methods and of called pointers, dynamic
#   overrides; the second check has no Objective-C and ignores @objc, @convention and #selector
# - Swift 6.1 and 6.2: with a toolchain before 6.3 the script is skipped
# - availability in tests, benchmarks, examples and documents, and deprecation anywhere
# - Tests/Fuzz and the plugins
# - tvOS, watchOS and visionOS, linking, and behavior at run time
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

root=$PWD
declarations=$root/Tests/Apple
macOS=x86_64-apple-macosx13.0
iOS=x86_64-apple-ios16.0-simulator

# Whether the check can run here; prints the reason if not.
supported() {
    version=$(swiftc --version 2>&1)
    if [[ $(uname) != Linux ]]; then
        echo "apple: skipped: the check runs on Linux only; build the package instead"
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

# Checks a module and writes it for the modules that import it. If it has errors, writes its interface alone.
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

# Writes a module without checking function bodies.
interface() { # name, flags
    local name=$1
    shift
    frontend -emit-module -enable-testing -experimental-skip-all-function-bodies -module-name "$name" \
        -o "$modules/$name.swiftmodule" -filelist "$modules/$name.files" "$@"
}

finish() { # name of the check
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

# Sets $modules and $flags for a target and compiles the system's modules.
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

# MARK: Other targets, with the Foundation of Linux

# Copies Swift files to $copy, with the same paths and lines, the conditions of Apple platforms, and imports of the modules
# that replace Foundation and XCTest.
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

# Adds the code of the documentation, with the line numbers of the documents.
samples() { # folder
    local samples=$modules/samples document
    mkdir -p "$samples/$1"
    swiftc -swift-version 6 "$root"/Tests/Documentation/Extractor/*.swift -o "$modules/extract"
    find README.md Docs Sources -name '*.md' | while read -r document; do
        "$modules/extract" "$document" "$samples/$1/$(tr / - <<<"${document%.md}")-Samples.swift"
    done
    (cd "$samples" && translate "$1")
}

# Sets $modules, $flags and $copy, copies folders and the code of the documentation, changes to the copy, and compiles the
# modules that replace those of Linux.
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

# Writes the interface of a library or the command; its bodies are checked by the other check.
library() { # name, flags
    local name=$1
    shift
    files "$modules/$name.files" "Sources/$name"
    interface "$name" "$@" || {
        echo "apple: tests, benchmarks, examples and documentation: not checked, as $name has errors"
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
    finish "tests, benchmarks, examples and documentation"
}

main() { # folder
    supported || exit 0
    mkdir -p "${1:-.build/apple}"
    work=$(cd "${1:-.build/apple}" && pwd)
    local status=0 check
    # Each part runs in the background: `set -e` has no effect in a function whose status is tested.
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
