/// Reads JSON text from front to back, one function for each rule of the grammar.
struct JSONParser {
    let bytes: UnsafeRawBufferPointer
    let limits: JSONLimits
    /// The names that lead to the array whose elements are located, if one is wanted.
    let path: [String]?
    /// The offsets of each element of the array at the path.
    private(set) var elementRanges: [Range<Int>] = []
    /// The offset of the next byte to be read.
    var position = 0

    init(
        _ bytes: UnsafeRawBufferPointer,
        limits: JSONLimits,
        path: [String]? = nil
    ) {
        self.bytes = bytes
        self.limits = limits
        self.path = path
    }

    /// The next byte, or 0 at the end of the text, which like a NUL in the text begins nothing.
    var next: UInt8 {
        position < bytes.count ? bytes[position] : 0
    }

    /// Reads the whole text.
    mutating func document(_ visitor: JSONElementVisitor? = nil) throws(JSONError) -> JSON {
        if bytes.starts(with: JSONLocation.byteOrderMark) {
            position = JSONLocation.byteOrderMark.count
        }
        skipWhiteSpace()
        let value = try value(inside: .document, depth: 0, step: path == nil ? nil : 0, visitor)
        skipWhiteSpace()
        guard position == bytes.count else { throw error(.textAfterDocument) }
        return value
    }

    /// Reads one value; `step` counts the names of the path that led to it, if it lies on the path.
    private mutating func value(
        inside construct: JSONError.Construct,
        depth: Int,
        step: Int?,
        _ visitor: JSONElementVisitor?
    ) throws(JSONError) -> JSON {
        if step != nil {
            // A later member of the same name replaces what an earlier one led to.
            elementRanges = []
        }
        // Scalars are read elsewhere, as whatever is done here needs stack at every level.
        return switch next {
        case JSONByte.openBrace: try object(depth: depth + 1, step: step, visitor)
        case JSONByte.openBracket: try array(depth: depth + 1, step: step, visitor)
        default: try scalar(inside: construct)
        }
    }

    private mutating func array(depth: Int, step: Int?, _ visitor: JSONElementVisitor?) throws(JSONError)
        -> JSON
    {
        try enter(depth)
        let isLocated = step != nil && step == path?.count
        var elements: [JSON] = []
        var isAtEnd = next == JSONByte.closeBracket
        while !isAtEnd {
            let start = position
            let element = try value(inside: .array, depth: depth, step: nil, nil)
            if isLocated { elementRanges.append(start..<position) }
            if isLocated, let visitor {
                visitor.visit(element, start..<position, elementRanges.count - 1)
            } else {
                elements.append(element)
            }
            isAtEnd = try skipComma(
                before: JSONByte.closeBracket,
                inside: .array,
                or: .expectedCommaOrEndOfArray
            )
        }
        position += 1
        return .array(elements)
    }

    private mutating func object(depth: Int, step: Int?, _ visitor: JSONElementVisitor?) throws(JSONError)
        -> JSON
    {
        try enter(depth)
        var members: [JSONObject.Member] = []
        // Most objects are headers, which have two members; growing step by step would cost a fifth more.
        members.reserveCapacity(2)
        var isAtEnd = next == JSONByte.closeBrace
        while !isAtEnd {
            let name = try memberName()
            let value = try value(
                inside: .object,
                depth: depth,
                step: self.step(after: step, to: name),
                visitor
            )
            members.append(JSONObject.Member(name: name, value: value))
            isAtEnd = try skipComma(
                before: JSONByte.closeBrace,
                inside: .object,
                or: .expectedCommaOrEndOfObject
            )
        }
        position += 1
        return .object(JSONObject(members))
    }

    /// Reads the name of a member and skips the colon after it.
    private mutating func memberName() throws(JSONError) -> String {
        guard next == JSONByte.quote else { throw error(.expectedName, inside: .object) }
        let name = try string()
        skipWhiteSpace()
        guard next == JSONByte.colon else { throw error(.expectedColon, inside: .object) }
        position += 1
        skipWhiteSpace()
        return name
    }

    private func step(after step: Int?, to name: String) -> Int? {
        guard let step, let path, step < path.count, path[step].utf8.elementsEqual(name.utf8) else {
            return nil
        }
        return step + 1
    }

    /// Skips the bracket or brace that opens a container.
    private mutating func enter(_ depth: Int) throws(JSONError) {
        guard depth <= limits.maximumDepth else { throw error(.tooDeep(limit: limits.maximumDepth)) }
        position += 1
        skipWhiteSpace()
    }

    /// Skips the comma after an element or member, or returns `true` if the container ends instead.
    private mutating func skipComma(
        before end: UInt8,
        inside construct: JSONError.Construct,
        or problem: JSONError.Problem
    ) throws(JSONError) -> Bool {
        skipWhiteSpace()
        if next == end { return true }
        guard next == JSONByte.comma else { throw error(problem, inside: construct) }
        let comma = position
        position += 1
        skipWhiteSpace()
        if next == end { throw error(.trailingComma, at: comma) }
        return false
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case JSONByte.space, JSONByte.lineFeed, JSONByte.carriageReturn, JSONByte.tab: position &+= 1
            default: return
            }
        }
    }
}

/// Takes the elements of an array as they are parsed.
final class JSONElementVisitor {
    /// Takes an element, its offsets and its index.
    let visit: (JSON, Range<Int>, Int) -> Void

    init(_ visit: @escaping (JSON, Range<Int>, Int) -> Void) {
        self.visit = visit
    }
}
