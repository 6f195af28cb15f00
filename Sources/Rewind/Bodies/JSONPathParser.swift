/// Reads the text of a path from front to back.
struct JSONPathParser {
    private let text: String
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) {
        self.text = text
        scalars = Array(text.unicodeScalars)
    }

    /// The next character, or `nil` at the end.
    private var next: Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    /// Reads the whole text.
    mutating func path() throws(JSONPathError) -> JSONPath {
        guard skip("$") else { throw error(.expectedRoot) }
        var segments: [JSONPath.Segment] = []
        while position < scalars.count {
            segments.append(try segment())
        }
        return JSONPath(segments: segments)
    }

    private mutating func segment() throws(JSONPathError) -> JSONPath.Segment {
        if skip("[") {
            return JSONPath.Segment(selector: try bracketed(), isAtAnyDepth: false)
        }
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

    /// Reads the digits after `\u` and, where they are one half of a surrogate pair, the other half.
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
