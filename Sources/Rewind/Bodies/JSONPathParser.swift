struct JSONPathParser {
    private let text: String
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) {
        self.text = text
        scalars = Array(text.unicodeScalars)
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func path() throws(JSONPathError) -> JSONPath {
        guard skip("$") else { throw error(.expectedRoot) }
        var segments: [JSONPath.Segment] = []
        while position < scalars.count {
            segments.append(try segment())
        }
        return JSONPath(segments: segments)
    }

    private mutating func segment() throws(JSONPathError) -> JSONPath.Segment {
        if skip("[") { return JSONPath.Segment(selector: try bracketed(), isAtAnyDepth: false) }
        guard skip(".") else { throw error(.expectedSegment) }
        let isAtAnyDepth = skip(".")
        let selector = isAtAnyDepth && skip("[") ? try bracketed() : try bareName()
        return JSONPath.Segment(selector: selector, isAtAnyDepth: isAtAnyDepth)
    }

    private mutating func bareName() throws(JSONPathError) -> JSONPath.Selector {
        if skip("*") { return .every }
        let name = scalars[position...].prefix(while: JSONPathName.isBare)
        guard !name.isEmpty else { throw error(.expectedName) }
        position = name.endIndex
        return .step(.name(Self.string(name)))
    }

    private mutating func bracketed() throws(JSONPathError) -> JSONPath.Selector {
        skipBlanks()
        let selector: JSONPath.Selector
        switch next {
        case "*":
            position += 1
            selector = .every
        case "'", "\"": selector = .step(.name(try quotedName()))
        case let digit? where ("0"..."9").contains(digit): selector = .step(.index(try index()))
        case "-": throw error(.negativeIndex)
        default: throw error(.expectedSelector)
        }
        skipBlanks()
        guard skip("]") else { throw error(next == ":" ? .expectedSelector : .expectedClosingBracket) }
        return selector
    }

    private mutating func index() throws(JSONPathError) -> Int {
        let digits = scalars[position...].prefix { ("0"..."9").contains($0) }
        guard let index = Int(Self.string(digits)), digits.count == 1 || digits.first != "0" else {
            throw error(.invalidIndex)
        }
        position = digits.endIndex
        return index
    }

    private mutating func quotedName() throws(JSONPathError) -> String {
        let start = position
        let quote = next
        var name: [Unicode.Scalar] = []
        position += 1
        while let scalar = next, scalar != quote {
            if scalar == "\\" {
                name.append(try escape())
            } else {
                name.append(scalar)
                position += 1
            }
        }
        guard next != nil else { throw error(.unterminatedName, at: start) }
        position += 1
        return Self.string(name)
    }

    private mutating func escape() throws(JSONPathError) -> Unicode.Scalar {
        let start = position
        position += 2
        switch position <= scalars.count ? scalars[position - 1] : nil {
        case let scalar? where "'\"\\/".unicodeScalars.contains(scalar): return scalar
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": if let scalar = unicodeEscape() { return scalar }
        default: break
        }
        throw error(.invalidEscape, at: start)
    }

    /// Reads the digits after `\u` and, for half a surrogate pair, the other half.
    private mutating func unicodeEscape() -> Unicode.Scalar? {
        guard let first = codeUnit() else { return nil }
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, skip("\\"), skip("u"), let second = codeUnit(), 0xDC00..<0xE000 ~= second else {
            return nil
        }
        return Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func codeUnit() -> UInt32? {
        let digits = scalars[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else { return nil }
        position = digits.endIndex
        return UInt32(Self.string(digits), radix: 16)
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let scalar = next, " \t\n\r".unicodeScalars.contains(scalar) { position += 1 }
    }

    private func error(_ problem: JSONPathError.Problem, at place: Int? = nil) -> JSONPathError {
        JSONPathError(path: text, column: (place ?? position) + 1, problem: problem)
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}

/// The two spellings of a name in a path: bare after a dot, or quoted in brackets (RFC 9535 section 2.3.1).
enum JSONPathName {
    /// Whether a name may follow a dot; beyond RFC 9535, a digit may come first and a hyphen anywhere.
    static func isBare(_ name: String) -> Bool { !name.isEmpty && name.unicodeScalars.allSatisfy(isBare) }

    static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: scalar.value >= 0x80
        }
    }

    static func quoted(_ name: String) -> String {
        var result = String.UnicodeScalarView("'".unicodeScalars)
        for scalar in name.unicodeScalars {
            switch scalar {
            case "'", "\\": result += ["\\", scalar]
            case "\u{00}"..."\u{1F}":
                result += "\\u\(Hexadecimal.text(scalar.value, digits: 4))".unicodeScalars
            default: result.append(scalar)
            }
        }
        result.append("'")
        return String(result)
    }
}

package struct JSONPathError: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    package let column: Int
    package let problem: Problem

    package enum Problem: String, Sendable {
        case expectedRoot = "a path must begin with '$'"
        case expectedSegment = "expected '.', '..' or '['"
        case expectedName = "expected a name or '*'; a name with other characters is written ['name']"
        case expectedSelector = "expected a quoted name, an index or '*'; slices and filters are not supported"
        case expectedClosingBracket = "expected ']'; brackets contain only one name or index"
        case invalidIndex = "an index must be a whole number without leading zeros"
        case negativeIndex = "negative indexes are not supported"
        case unterminatedName = "missing closing quote"
        case invalidEscape = "invalid escape sequence: only JSON escapes and quotes may follow a backslash"
    }

    package var description: String {
        "invalid JSON path '\(path)' at column \(column): \(problem.rawValue)"
    }
}
