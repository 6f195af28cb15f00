import Foundation

@testable import Rewind

/// Multipart bodies and forms are parsed and written again.
func fuzzMultipart(_ data: Data) {
    if let boundary = MultipartContent.boundary(beginning: data) { take(data, boundary) }
    var input = FuzzInput(data)
    let boundary = input.text()
    take(input.remainder, boundary)
    if let form = FormFields(data) {
        check(FormFields(spelled: form.text).text == form.text, "a form is written differently")
        _ = form.canonicalText()
        for field in form.fields { _ = (field.name, field.value) }
    }
}

private func take(_ data: Data, _ boundary: String) {
    guard let content = MultipartContent(data, boundary: boundary) else { return }
    check(content.replacingContents { _ in nil } == data, "replacing nothing changes the body")
    _ = content.replacingContents { part in Data("-\(part.name ?? "")-".utf8) }
    _ = content.removingParts { _ in true }
    _ = content.canonicalData
    for part in content.parts {
        _ = (part.name, part.fileName, part.mediaType)
        check(MultipartContent.areSame(part, part), "a part differs from itself")
    }
}

/// GraphQL documents are parsed or rejected.
func fuzzGraphQL(_ data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    if let tokens = GraphQLLexer.tokens(of: text) {
        let again = GraphQLLexer.tokens(of: tokens.joined(separator: " "))
        check(again == tokens, "separated tokens are parsed differently")
    }
    if let document = GraphQLDocument(text) { _ = document.operation(named: nil) }
    if let json = try? JSON(parsing: data) { _ = GraphQLOperation.all(in: json) }
}

/// Patterns match in little time, and their captures are in the text.
func fuzzPatterns(_ data: Data) {
    var input = FuzzInput(data)
    let (pattern, text) = (input.text(), input.text())
    for ignoringCase in [false, true] {
        let glob = Glob(pattern, ignoringCase: ignoringCase)
        check(
            glob.matches(text) == (glob.captures(in: text) != nil),
            "a glob captures without matching, or matches without capturing"
        )
    }
    let path = PathPattern(pattern)
    check(
        path.matches(text) == (path.captures(in: text) != nil),
        "a path captures without matching, or matches without capturing"
    )
    _ = MocktailPattern.literal(pattern)
    _ = MocktailPattern.alternatives(pattern)
}
