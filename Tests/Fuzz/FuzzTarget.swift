import Foundation

/// What is fed with bytes of any kind, one file each.
enum FuzzTarget: String, CaseIterable, Sendable {
    case har, plist, yaml, importers, json, jsonpath, requests, multipart, escapes, redaction, matching, graphql
    case patterns, fields, response, platform

    /// The target that the environment names.
    static let chosen: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: " ")
            tell("FUZZ_TARGET names one of: \(names)")
            exit(64)
        }
        return target
    }()

    /// Feeds it with bytes; what is wrong ends the process.
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

/// Ends the process, and so the run, where something does not hold that must.
func hold(_ condition: Bool, _ what: @autoclosure () -> String, line: UInt = #line, file: String = #fileID) {
    guard !condition else { return }
    tell("\(file):\(line): does not hold: \(what())")
    abort()
}

/// Prints a line where libFuzzer prints its own.
private func tell(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // A copy of its own size, so that the address sanitizer sees each byte that is read beyond it.
    FuzzTarget.chosen.run(Data(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
