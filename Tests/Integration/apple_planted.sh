#!/usr/bin/env bash
# Inserts errors of many kinds into copies of sources, tests and documents, and fails unless apple.sh reports each one at
# its file and line. Argument: the build folder of apple.sh, whose modules are reused.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/apple.sh"

supported || exit 0
mkdir -p "${1:-.build/apple}"
work=$(cd "${1:-.build/apple}" && pwd)
inserted=$work/inserted
expected=$inserted/expected
rm -rf "$inserted"
mkdir -p "$inserted"
cp -r --parents Sources Tests/Support Tests/RewindXCTestTests Tests/Documentation/Samples README.md Docs "$inserted"

# Appends lines to a file and notes the error expected at the second to last line.
insert() { # target or "others", file, part of the message; the lines on standard input
    cat >>"$inserted/$2"
    printf '%s\t%s\t%s\n' "$1" "$2:$(($(wc -l <"$inserted/$2") - 1)):" "$3" >>"$expected"
}

insert "$macOS" Sources/RewindXCTest/TestName.swift "only available in macOS 15.0 or newer" <<'SWIFT'
func plantedAvailability(_ bytes: some Collection<UInt8>) -> String? {
    String(validating: bytes, as: UTF8.self)
}
SWIFT
insert "$iOS" Sources/RewindXCTest/MissReports.swift "only available in iOS 17.0 or newer" <<'SWIFT'
func plantedSession(_ session: URLSession, _ data: Data) {
    _ = session.uploadTask(withResumeData: data)
}
SWIFT
insert "$macOS" Sources/RewindXCTest/MissReports.swift "non-Sendable type 'NSMutableURLRequest'" <<'SWIFT'
func plantedCapture(_ request: NSMutableURLRequest) -> @Sendable () -> Void {
    { _ = request.url }
}
SWIFT
insert "$macOS" Sources/RewindXCTest/MissReports.swift "value of optional type 'URLRequest?' must be unwrapped" <<'SWIFT'
func plantedOptional(_ task: URLSessionTask) -> URLRequest {
    task.originalRequest
}
SWIFT
insert "$macOS" Sources/RewindXCTest/CassetteTestCase.swift "'XCTSourceCodeLocation' has no member 'vanish'" <<'SWIFT'
func plantedMember(_ location: XCTSourceCodeLocation) {
    location.vanish()
}
SWIFT
insert "$macOS" Sources/Rewind/URLLoading/Apple/SessionInterception+Apple.swift "must be unwrapped" <<'SWIFT'
func plantedRequirement(_ delegate: any URLSessionTaskDelegate, _ session: URLSession, _ task: URLSessionTask) {
    delegate.urlSession(session, didCreateTask: task)
}
SWIFT
insert "$macOS" Sources/Rewind/URLLoading/Apple/SessionInterception+Apple.swift "not representable in Objective-C" <<'SWIFT'
enum PlantedConvention {
    typealias Getter = @convention(c) (AnyObject, Selector) -> Stubber.Configuration
}
SWIFT
# An error of a later compiler pass, so in a module without type errors.
insert "$macOS" Sources/RewindTesting/CassetteName.swift "risks causing data races" <<'SWIFT'
private final class PlantedValue { func change() {} }
private func plantedRace(_ value: PlantedValue) {
    Task.detached { value.change() }
}
SWIFT
insert others Tests/RewindXCTestTests/Support/FixtureRunner.swift "cannot convert value of type 'URLSession' to specified type 'Int'" <<'SWIFT'
#if !canImport(FoundationNetworking)
    private let plantedBranch: Int = URLSession.shared
#endif
SWIFT
insert others README.md "cannot convert value of type 'String' to specified type 'Int'" <<'SWIFT'

```swift
let plantedSample: Int = "text"
```
SWIFT

# Checks the modules with errors for a target, and the one file of Rewind with errors.
check_libraries() { # target
    failed=()
    prepare "$1"
    files "$modules/Rewind.files" Sources/Rewind
    interface Rewind -parse-as-library
    cd "$inserted"
    module RewindXCTest Sources/RewindXCTest -parse-as-library
    if [[ $1 == "$macOS" ]]; then
        module RewindTesting Sources/RewindTesting -parse-as-library
        local file=Sources/Rewind/URLLoading/Apple/SessionInterception+Apple.swift others
        mapfile -t others < <(find Sources/Rewind -name '*.swift' -not -path "$file")
        frontend -typecheck -module-name Rewind -parse-as-library -primary-file "$file" "${others[@]}" || failed+=(Rewind)
    fi
    finish "$1"
}

check_others() {
    local name
    failed=()
    cd "$inserted"
    prepare_overlay Sources Tests
    for name in Rewind RewindServer RewindXCTest RewindTesting; do library "$name" -parse-as-library; done
    module RewindTestSupport Tests/Support -parse-as-library
    module RewindXCTestTests Tests/RewindXCTestTests -parse-as-library
    module DocumentationTests Tests/Documentation/Samples -parse-as-library
    finish others
}

status=0
for check in "check_libraries $macOS" "check_libraries $iOS" "check_others others"; do
    log=$inserted/${check#* }.log
    # shellcheck disable=SC2086
    ($check) >"$log" 2>&1 &
    if wait $!; then
        echo "apple_planted: ${check#* }: the check passes despite the inserted errors"
        status=1
    fi
done
while IFS=$'\t' read -r check place message; do
    if ! grep -F "$place" "$inserted/$check.log" | grep -qF "$message"; then
        echo "apple_planted: $check: missing error at $place $message"
        status=1
    fi
done <"$expected"
if ((status)); then
    echo "apple_planted: failed; see the logs in $inserted"
    exit 1
fi
echo "apple_planted: $(wc -l <"$expected") inserted errors, all reported at their lines"
