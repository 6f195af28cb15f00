import Foundation

@testable import Rewind

/// Parsing, writing and parsing gives the same value, compact and formatted; the scanner agrees with the parser.
func fuzzJSON(_ data: Data) {
    let isScanned: ()? = try? JSONScanner.reading(data) { (scanner) throws(JSONError) in
        scanner.beginDocument()
        try scanner.skipValue()
        try scanner.endDocument()
    }
    guard let json = try? JSON(parsing: data) else {
        return check(isScanned == nil, "the scanner accepts what the parser rejects")
    }
    for text in [json.serialized(), json.compactText, json.lineText] {
        guard let again = try? JSON(parsing: text) else { return check(false, "written JSON is rejected") }
        check(again == json, "a round trip changes the value")
    }
    _ = json.canonicalText()
    _ = json.canonicalText(unorderedArrays: true)
    check(JSONDifference.between(json, json).isEmpty, "a value differs from itself")
}

/// A path is parsed or rejected, and removing it removes what it selects.
func fuzzJSONPath(_ data: Data) {
    var input = FuzzInput(data)
    let text = input.text()
    guard let path = try? JSONPath(text) else { return }
    guard let again = try? JSONPath(path.description) else {
        return check(false, "\(path.description), the description of \(text), is rejected")
    }
    check(again == path, "\(text) and \(path.description) are different")
    guard let json = try? JSON(parsing: input.remainder) else { return }
    let once = json.removing([path])
    // After an element is removed, the next one has its index, so only paths without indices remove everything at once.
    if !text.contains("[") {
        check(once.removing([path]) == once, "\(text) still selects something after its removal")
    }
}
