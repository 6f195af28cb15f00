import Foundation

/// A function that is tested with random bytes; each has its own file.
enum FuzzTarget: String, CaseIterable, Sendable {
    case har, plist, yaml, importers, json, jsonpath, requests, multipart, escapes, redaction, matching, graphql
    case patterns, fields, response, platform

    /// The target that the environment variable names.
    static let chosen: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: " ")
            printLine("invalid value '\(name)' for FUZZ_TARGET: expected one of \(names)")
            exit(64)
        }
        return target
    }()

    /// Runs the target with an input. A failed check aborts the process.
    func run(_ data: Data) {
        switch self {
        case .har: fuzzHAR(data)
        case .plist: fuzzPropertyLists(data)
        case .yaml: fuzzYAML(data)
        case .importers: fuzzImporters(data)
        case .json: fuzzJSON(data)
        case .jsonpath: fuzzJSONPath(data)
        case .requests: fuzzRequests(data)
        case .multipart: fuzzMultipart(data)
        case .escapes: fuzzEscapes(data)
        case .redaction: fuzzRedaction(data)
        case .matching: fuzzMatching(data)
        case .graphql: fuzzGraphQL(data)
        case .patterns: fuzzPatterns(data)
        case .fields: fuzzFields(data)
        case .response: fuzzResponse(data)
        case .platform: fuzzPlatform(data)
        }
    }
}

/// Aborts the process, and with it the run, if a condition is false.
func check(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line, file: String = #fileID)
{
    guard !condition else { return }
    printLine("\(file):\(line): check failed: \(message())")
    abort()
}

/// Prints a line to standard error, like libFuzzer.
private func printLine(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}

/// The function that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // A copy of the exact size, so that the address sanitizer detects each read beyond it.
    FuzzTarget.chosen.run(Data(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
