import Foundation

@testable import Rewind

/// Multipart bodies and forms are taken apart and put together again.
func fuzzMultipart(_ data: Data) {
    if let boundary = MultipartContent.boundary(beginning: data) { take(data, boundary) }
    var input = FuzzInput(data)
    let boundary = input.text()
    take(input.remainder, boundary)
    if let form = FormFields(data) {
        hold(FormFields(spelled: form.text).text == form.text, "a form is spelled otherwise")
        _ = form.canonicalText()
        for field in form.fields { _ = (field.name, field.value) }
    }
}

private func take(_ data: Data, _ boundary: String) {
    guard let content = MultipartContent(data, boundary: boundary) else { return }
    hold(content.replacingContents { _ in nil } == data, "what is not replaced changes")
    _ = content.replacingContents { part in Data("-\(part.name ?? "")-".utf8) }
    _ = content.removingParts { _ in true }
    _ = content.canonicalData
    for part in content.parts {
        _ = (part.name, part.fileName, part.mediaType)
        hold(MultipartContent.areSame(part, part), "a part differs from itself")
    }
}

/// The documents of GraphQL are taken apart or refused.
func fuzzGraphQL(_ data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    if let tokens = GraphQLLexer.tokens(of: text) {
        let again = GraphQLLexer.tokens(of: tokens.joined(separator: " "))
        hold(again == tokens, "tokens are read otherwise once they are apart")
    }
    if let document = GraphQLDocument(text) { _ = document.operation(named: nil) }
    if let json = try? JSON(parsing: data) { _ = GraphQLOperation.all(in: json) }
}

/// Patterns match or do not, in little time, and what they capture is in the text.
func fuzzPatterns(_ data: Data) {
    var input = FuzzInput(data)
    let (pattern, text) = (input.text(), input.text())
    for ignoringCase in [false, true] {
        let glob = Glob(pattern, ignoringCase: ignoringCase)
        hold(
            glob.matches(text) == (glob.captures(in: text) != nil),
            "a glob captures otherwise than it matches"
        )
    }
    let path = PathPattern(pattern)
    hold(path.matches(text) == (path.captures(in: text) != nil), "a path captures otherwise than it matches")
    _ = MocktailPattern.literal(pattern)
    _ = MocktailPattern.alternatives(pattern)
}
