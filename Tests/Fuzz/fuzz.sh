#!/usr/bin/env bash
# Fuzzes the parsers with libFuzzer and the address sanitizer, each target for a limited time.
# usage: fuzz.sh [--seconds N] [TARGET …]     60 seconds for each target by default; all targets by default
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=60
targets=()
while [[ $# -gt 0 ]]; do
    case $1 in
        --seconds) seconds=$2; shift 2 ;;
        --*) printf 'usage: fuzz.sh [--seconds N] [TARGET …]\n' >&2; exit 64 ;;
        *) targets+=("$1"); shift ;;
    esac
done
if [[ ${#targets[@]} -eq 0 ]]; then
    mapfile -t targets < <(ls Tests/Fuzz/Seeds)
fi

# A short run builds without optimization, in a fifth of the time, and starts with the seeds. A long run continues with
# the corpus of earlier runs.
optimisation=Onone
[[ $seconds -lt 30 ]] || optimisation=O
build=.build/fuzz/$optimisation
mkdir -p "$build"

# Compiles a module whose sources, or the modules before it, are newer than its object.
isStale=
module() {
    local name=$1 sources
    shift
    mapfile -t sources < <(find "$@" -name '*.swift' | sort)
    if [[ -z $isStale && -e $build/$name.o && -z $(find "${sources[@]}" -newer "$build/$name.o") ]]; then return; fi
    isStale=yes
    printf '== Build %s\n' "$name"
    rm -f "$build/$name.o"
    swiftc -swift-version 6 -parse-as-library -package-name rewind -sanitize=fuzzer,address -"$optimisation" -wmo \
        -enable-testing -warnings-as-errors -I "$build" -module-name "$name" \
        -emit-module -emit-module-path "$build/$name.swiftmodule" -emit-object -o "$build/$name.o" "${sources[@]}"
}

engine=Sources/Rewind
server=Sources/RewindServer
module Rewind $engine
module RewindServer $server/{HTTP,Connections}
module Fuzz Tests/Fuzz
# The default linker warns that the symbols of the sanitizer cannot be exported.
swiftc -use-ld=lld -sanitize=fuzzer,address "$build"/{Rewind,RewindServer,Fuzz}.o -o "$build/fuzz"

# Foundation never frees some memory, and a backtrace with every frame of the fuzzer does not help.
export ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no

failed=()
for target in "${targets[@]}"; do
    corpus=.build/fuzz/corpus/$target
    findings=.build/fuzz/findings/$target
    seeds=Tests/Fuzz/Seeds/$target
    [[ $seconds -ge 30 ]] || { corpus=$build/corpus/$target && rm -rf "$corpus"; }
    rm -rf "$findings"
    mkdir -p "$corpus" "$findings"
    dictionary=Tests/Fuzz/http.dictionary
    case $target in har | json | jsonpath | plist | yaml | importers) dictionary=Tests/Fuzz/har.dictionary ;; esac
    options=(
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1
        -dict="$dictionary" -artifact_prefix="$findings/"
    )
    # A short run is a check of every change, so it must not depend on chance. A long run looks for new inputs.
    [[ $seconds -ge 30 ]] || options+=(-seed=1)
    log=$build/$target.log
    if FUZZ_TARGET=$target "$build/fuzz" "${options[@]}" "$corpus" "$seeds" >"$log" 2>&1; then
        printf '%-10s %s inputs, %s kept\n' "$target" \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$(find "$corpus" -type f | wc -l)"
    else
        failed+=("$target")
        printf '%-10s FAILED\n' "$target"
        grep -E 'check failed|ERROR|SUMMARY|Fatal error|usage' "$log" | cut -c1-300 || tail -5 "$log"
        for finding in "$findings"/*; do
            [[ -e $finding ]] || continue
            printf '  input: %s\n  repeat with: ASAN_OPTIONS=detect_leaks=0 FUZZ_TARGET=%s %s %s\n' \
                "$finding" "$target" "$build/fuzz" "$finding"
        done
    fi
done
[[ ${#failed[@]} -eq 0 ]] || { printf 'Failed: %s\n' "${failed[*]}"; exit 1; }
