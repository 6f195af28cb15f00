import Foundation

/// Finds the rules for values by the text around them.
struct RuleSuggestions {
    private let bytes: UnsafeRawBufferPointer

    init(in bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The rule for a value in a header field, of which the text contains the name: the name of its cookie, or of the field.
    func inHeader(_ name: String, _ range: Range<Int>) -> SuggestedRule {
        guard ["cookie", "set-cookie"].contains(name.lowercased()) else { return .header(name) }
        let start = name.utf8.count + 2
        let before = bytes[start..<max(start, range.lowerBound)]
        let pair = before.lastIndex(of: UInt8(ascii: ";")).map { $0 + 1 } ?? start
        guard let equals = bytes[pair..<range.lowerBound].firstIndex(of: UInt8(ascii: "=")) else {
            return .header(name)
        }
        let cookie = String(decoding: bytes[pair..<equals], as: UTF8.self).trimmingSpaces()
        return Self.usable(String(cookie)).map(SuggestedRule.field) ?? .header(name)
    }

    /// The rule for a value in a URL: the name of its query item, or a pattern.
    func inURL(_ range: Range<Int>) -> SuggestedRule? {
        guard let query = bytes.firstIndex(where: { Self.queryStarts.contains($0) }), query < range.lowerBound
        else { return pattern(for: range) }
        return item(around: range, from: query + 1).map(SuggestedRule.field) ?? pattern(for: range)
    }

    /// The rules for values in a body, in the order of the ranges.
    func inBody(_ ranges: [Range<Int>], mediaType: String?) -> [SuggestedRule?] {
        let type = MediaType(mediaType)
        // Without a type, it is the whole of a multipart body.
        if mediaType == nil || type?.essence.hasPrefix("multipart/") == true,
            let content = multipart(type)
        {
            return ranges.map { part($0, content) }
        }
        if type?.essence == "application/x-www-form-urlencoded" {
            return ranges.map { item(around: $0, from: 0).map(SuggestedRule.field) ?? pattern(for: $0) }
        }
        var members = JSONMembers(bytes)
        return ranges.map { members.rule(for: $0) ?? element($0) ?? pattern(for: $0) ?? members.member(of: $0) }
    }

    /// The name of a form field or a query item whose value contains a range.
    private func item(around range: Range<Int>, from start: Int) -> String? {
        let before = bytes[start..<range.lowerBound]
        let itemStart = before.lastIndex { Self.itemEnds.contains($0) }.map { $0 + 1 } ?? start
        guard let equals = bytes[itemStart..<range.lowerBound].firstIndex(of: UInt8(ascii: "=")) else {
            return nil
        }
        let name = String(decoding: bytes[itemStart..<equals], as: UTF8.self)
        return Self.usable(PercentDecoding.decoded(name, plusIsSpace: true) ?? name)
    }

    private func multipart(_ type: MediaType?) -> MultipartContent? {
        let data = Data(bytes)
        let boundary = type?.parameters["boundary"] ?? MultipartContent.boundary(beginning: data)
        return boundary.flatMap { MultipartContent(data, boundary: $0) }
    }

    /// The name of a part whose content is the value.
    private func part(_ range: Range<Int>, _ content: MultipartContent) -> SuggestedRule? {
        let name = content.parts.first { $0.contentRange == range }?.name
        return name.flatMap(Self.usable).map(SuggestedRule.field) ?? pattern(for: range)
    }

    /// The local name of an XML element whose text is the value.
    private func element(_ range: Range<Int>) -> SuggestedRule? {
        guard range.lowerBound > 0, bytes[range.lowerBound - 1] == UInt8(ascii: ">"),
            bytes[range.upperBound...].starts(with: "</".utf8)
        else { return nil }
        let tag = bytes[(range.upperBound + 2)...].prefix { $0 != UInt8(ascii: ">") && $0 > 0x20 }
        let name = tag.split(separator: UInt8(ascii: ":")).last.map { String(decoding: $0, as: UTF8.self) }
        return name.flatMap(Self.usable).map(SuggestedRule.field)
    }

    /// A pattern for values of the same form: the same prefix, characters and length. It does not contain the value.
    func pattern(for range: Range<Int>) -> SuggestedRule? {
        let value = bytes[range]
        if value.starts(with: "-----BEGIN ".utf8) {
            return .pattern(#"-----BEGIN [\s\S]+?-----END [A-Z ]+-----"#)
        }
        guard value.allSatisfy(Self.plain.contains) else {
            // Such as a password in a URL. Text with white space or quotes has no form.
            guard !value.contains(where: Self.ends.contains), value.count <= Self.longest else { return nil }
            return .pattern(#"(?<![^\s"'<>])[^\s"'<>]{\#(value.count)}(?![^\s"'<>])"#)
        }
        // The prefixes of providers, such as `ghp_`, are not secret.
        let prefix = value.prefix(10).lastIndex { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
            .map { value[...$0] }
            .flatMap { $0.allSatisfy { !ByteSet.digits.contains($0) } ? $0 : nil }
        let rest = value[(prefix?.endIndex ?? value.startIndex)...]
        let signs = ".~+/=:".filter { rest.contains($0.asciiValue ?? 0) }
        let characters = "[A-Za-z0-9_\(signs)-]"
        let start = String(decoding: prefix ?? value.prefix(0), as: UTF8.self)
        let count = rest.count <= Self.longest ? "\(rest.count)" : "\(Self.longest),"
        return .pattern("(?<!\(characters))\(start)\(characters){\(count)}(?!\(characters))")
    }

    /// A name for which a rule can be written; `nil` if it is too long or contains white space or a star.
    fileprivate static func usable(_ name: String) -> String? {
        let isUsable =
            !name.isEmpty && name.utf8.count <= 64 && !name.contains { $0.isWhitespace || $0 == "*" }
        return isUsable ? name : nil
    }

    private static let longest = 512
    private static let ends = ByteSet(" \t\r\n\"'<>")
    private static let queryStarts = ByteSet("?#")
    private static let itemEnds = ByteSet("?#&;")
    private static let plain = ByteSet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~+/=:"
    )
}

/// The members of JSON that contain values, found in one pass over the text.
private struct JSONMembers {
    private typealias Scanner = JSONScalarScanner

    private var scanner: Scanner
    private var scalar: Scanner.Scalar?

    init(_ bytes: UnsafeRawBufferPointer) {
        scanner = Scanner(bytes) { _ in nil }
        scalar = scanner.nextScalar()
    }

    /// The rule for a value that is the whole string of a member. The ranges must be in order.
    mutating func rule(for range: Range<Int>) -> SuggestedRule? {
        advance(to: range)
        return scalar?.range == range ? member(of: range) : nil
    }

    /// The rule for the member that contains a value.
    mutating func member(of range: Range<Int>) -> SuggestedRule? {
        advance(to: range)
        guard let scalar, scalar.range.lowerBound <= range.lowerBound else { return nil }
        let name = scanner.member(scalar.member).map { scanner.text(of: $0.name) }.flatMap(
            RuleSuggestions.usable
        )
        return name.map(SuggestedRule.field) ?? (scanner.place.steps.isEmpty ? nil : .path("\(scanner.place)"))
    }

    private mutating func advance(to range: Range<Int>) {
        while let present = scalar, present.range.upperBound < range.upperBound {
            scalar = scanner.nextScalar()
        }
    }
}
