import Foundation

@testable import Rewind

/// What is parsed is written and parsed to the same value, in both ways of writing; the scanner agrees.
func fuzzJSON(_ data: Data) {
    let isScanned: ()? = try? JSONScanner.reading(data) { (scanner) throws(JSONError) in
        scanner.beginDocument()
        try scanner.skipValue()
        try scanner.endDocument()
    }
    guard let json = try? JSON(parsing: data) else {
        return hold(isScanned == nil, "what cannot be parsed is skipped")
    }
    for text in [json.serialized(), json.compactText, json.lineText] {
        guard let again = try? JSON(parsing: text) else { return hold(false, "what is written is refused") }
        hold(again == json, "a round trip differs")
    }
    _ = json.canonicalText()
    _ = json.canonicalText(unorderedArrays: true)
    hold(JSONDifference.between(json, json).isEmpty, "a value differs from itself")
}

/// A path is read or refused, and what it selects is gone once it is removed.
func fuzzJSONPath(_ data: Data) {
    var input = FuzzInput(data)
    let text = input.text()
    guard let path = try? JSONPath(text) else { return }
    guard let again = try? JSONPath(path.description) else {
        return hold(false, "\(path.description) is refused, which \(text) is spelled as")
    }
    hold(again == path, "\(text) and \(path.description) differ")
    guard let json = try? JSON(parsing: input.remainder) else { return }
    let once = json.removing([path])
    // What follows a removed element takes its place, so that only paths of names are done at once.
    if !text.contains("[") { hold(once.removing([path]) == once, "something is left at \(text)") }
}
