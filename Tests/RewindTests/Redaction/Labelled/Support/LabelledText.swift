import Foundation

/// A value that the author of a message labelled as secret or as harmless.
struct LabelledValue {
    enum Kind: String {
        case secret, keep
    }

    let kind: Kind
    let value: String
    /// The text around the value, up to another label.
    let before: String
    let after: String
    /// Whether the value is inside an encoding, such as base64.
    let isEncoded: Bool
    let line: Int

    /// The value with enough of its surroundings to recognize its place.
    var inContext: String { before + value + after }
}

/// A text in which values are labelled: `⟦secret:hunter2⟧`, `⟦keep:dark⟧`.
///
/// `⟦base64:…⟧` and other encodings apply to the text inside, which may contain labels. Broken bars are removed. They separate
/// the prefixes of keys, so that nothing in the repository looks like a real key.
struct LabelledText {
    private(set) var text = ""
    private(set) var values: [LabelledValue] = []

    init(_ source: some StringProtocol, line: Int) throws {
        var parser = Parser(scalars: Array(source.unicodeScalars).filter { $0 != "¦" }, line: line)
        (text, values) = try parser.level(isEncoded: false, isNested: false)
    }

    enum Encoding: String {
        case base64, base64url, base64lines, percent, form, json, go, slashes, uescape, xml

        func encoded(_ text: String) -> String {
            let bytes = Data(text.utf8)
            switch self {
            case .base64: return bytes.base64EncodedString()
            case .base64url:
                return bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-")
                    .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
            case .base64lines:
                let text = Array(bytes.base64EncodedString())
                return stride(from: 0, to: text.count, by: 60).map {
                    String(text[$0..<min($0 + 60, text.count)]) + #"\n"#
                }.joined()
            case .percent: return Self.percentEncoded(text)
            case .form: return Self.percentEncoded(text).replacingOccurrences(of: "%20", with: "+")
            case .json: return Self.jsonEscaped(text)
            case .go:
                return Self.jsonEscaped(text).replacingOccurrences(of: "&", with: #"\u0026"#)
                    .replacingOccurrences(of: "<", with: #"\u003c"#)
                    .replacingOccurrences(of: ">", with: #"\u003e"#)
            case .slashes: return Self.jsonEscaped(text).replacingOccurrences(of: "/", with: #"\/"#)
            case .uescape: return text.utf16.map { String(format: #"\u%04x"#, $0) }.joined()
            case .xml:
                return text.replacingOccurrences(of: "&", with: "&amp;")
                    .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: ">", with: "&gt;")
                    .replacingOccurrences(of: "\"", with: "&quot;")
                    .replacingOccurrences(of: "'", with: "&#39;")
            }
        }

        private static func percentEncoded(_ text: String) -> String {
            let unreserved = Set("-._~".utf8)
            return text.utf8.map { byte in
                let character = Character(UnicodeScalar(byte))
                return unreserved.contains(byte)
                    || (character.isASCII && (character.isLetter || character.isNumber))
                    ? String(character) : String(format: "%%%02X", byte)
            }.joined()
        }

        private static func jsonEscaped(_ text: String) -> String {
            text.replacingOccurrences(of: "\\", with: #"\\"#).replacingOccurrences(of: "\"", with: #"\""#)
                .replacingOccurrences(of: "\r", with: #"\r"#).replacingOccurrences(of: "\n", with: #"\n"#)
                .replacingOccurrences(of: "\t", with: #"\t"#)
        }
    }

    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private struct Parser {
        let scalars: [UnicodeScalar]
        var line: Int
        var position = 0

        /// Reads to the end of the text or of the enclosing label.
        mutating func level(isEncoded: Bool, isNested: Bool) throws -> (String, [LabelledValue]) {
            var text = String.UnicodeScalarView()
            var values: [LabelledValue] = []
            // The labels of this level, as ranges of the text.
            var labels: [(kind: LabelledValue.Kind?, range: Range<Int>, line: Int)] = []
            var count = 0
            while position < scalars.count, scalars[position] != "⟧" {
                let scalar = scalars[position]
                position += 1
                guard scalar == "⟦" else {
                    if scalar == "\n" { line += 1 }
                    text.append(scalar)
                    count += 1
                    continue
                }
                let start = line
                let name = label()
                let content: String
                let kind = LabelledValue.Kind(rawValue: name)
                if kind != nil {
                    let inner = try level(isEncoded: isEncoded, isNested: true)
                    content = inner.0
                    guard inner.1.isEmpty else {
                        throw Problem(description: "line \(start): label inside a label")
                    }
                } else if let encoding = Encoding(rawValue: name) {
                    let inner = try level(isEncoded: true, isNested: true)
                    content = encoding.encoded(inner.0)
                    values += inner.1
                } else {
                    throw Problem(description: "line \(start): unknown label '\(name)'")
                }
                guard position < scalars.count else {
                    throw Problem(description: "line \(start): label without an end")
                }
                position += 1
                text.append(contentsOf: content.unicodeScalars)
                labels.append((kind, count..<count + content.unicodeScalars.count, start))
                count += content.unicodeScalars.count
            }
            if !isNested, position < scalars.count {
                throw Problem(description: "line \(line): end of a label without its beginning")
            }
            values += Self.values(of: labels, in: Array(text), isEncoded: isEncoded)
            return (String(text), values)
        }

        private mutating func label() -> String {
            var name = String.UnicodeScalarView()
            while position < scalars.count, scalars[position] != ":", scalars[position] != "⟧" {
                name.append(scalars[position])
                position += 1
            }
            if position < scalars.count, scalars[position] == ":" { position += 1 }
            return String(name)
        }

        private static func values(
            of labels: [(kind: LabelledValue.Kind?, range: Range<Int>, line: Int)],
            in text: [UnicodeScalar],
            isEncoded: Bool
        ) -> [LabelledValue] {
            labels.enumerated().compactMap { index, label in
                guard let kind = label.kind else { return nil }
                let floor = index > 0 ? labels[index - 1].range.upperBound : 0
                let ceiling = index + 1 < labels.count ? labels[index + 1].range.lowerBound : text.count
                let before = max(floor, label.range.lowerBound - 14)
                let after = min(ceiling, label.range.upperBound + 1)
                func string(_ range: Range<Int>) -> String {
                    var view = String.UnicodeScalarView()
                    view.append(contentsOf: text[range])
                    return String(view)
                }
                return LabelledValue(
                    kind: kind,
                    value: string(label.range),
                    before: string(before..<label.range.lowerBound),
                    after: string(label.range.upperBound..<after),
                    isEncoded: isEncoded,
                    line: label.line
                )
            }
        }
    }
}
