import Foundation
import Rewind

/// The path of a request and the question whether it leaves the path of its upstream.
enum RequestPath {
    /// A path and query without `.` and `..` segments (RFC 3986 section 5.2.4), also percent-encoded ones, which browsers
    /// and many servers take for the same.
    static func resolved(_ target: String) -> String {
        // Most paths have no such segment.
        let mayHaveDots = target.withBytes { bytes in
            zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: "/") && ".%".utf8.contains($1) }
        }
        guard mayHaveDots else { return target }
        let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        var segments: [Substring] = []
        var isChanged = false
        var endsInFolder = false
        for segment in target[..<end].split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let dots = dotCount(segment)
            endsInFolder = dots > 0
            isChanged = isChanged || endsInFolder
            if dots == 0 { segments.append(segment) }
            if dots == 2 { _ = segments.popLast() }
        }
        guard isChanged else { return target }
        let path = "/" + segments.joined(separator: "/") + (endsInFolder && !segments.isEmpty ? "/" : "")
        return path + target[end...]
    }

    /// 1 for `.`, 2 for `..`, otherwise 0.
    private static func dotCount(_ segment: Substring) -> Int {
        guard (1...6).contains(segment.utf8.count) else { return 0 }
        switch segment.lowercased() {
        case ".", "%2e": return 1
        case "..", ".%2e", "%2e.", "%2e%2e": return 2
        default: return 0
        }
    }

    /// Whether some server could read the path as one that leads out of the folder it begins in.
    ///
    /// Servers differ: some decode a path twice, some take a backslash or an encoded slash for a slash, some ignore what
    /// follows a semicolon. A segment with `..` in any of these readings leads up, and no reading leads further down than
    /// one folder.
    static func mayLeave(_ target: String) -> Bool {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        var depth = 0
        for segment in path.split(separator: UInt8(ascii: "/")) {
            let names = decoded(Array(segment)).split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
                .map { $0.prefix { $0 != UInt8(ascii: ";") } }
            let ups = names.count { isParent($0) }
            if ups > 0 {
                depth -= ups
            } else if names.contains(where: { !$0.elementsEqual(".".utf8) }) {
                depth += 1
            }
            if depth < 0 { return true }
        }
        return false
    }

    /// Whether a name is `..`, perhaps with white space or control characters around it, which some systems ignore.
    private static func isParent(_ name: ArraySlice<UInt8>) -> Bool {
        let start = name.drop { $0 <= .space }
        let end = start.lastIndex { $0 > .space }.map { start[...$0] } ?? []
        return end.elementsEqual("..".utf8)
    }

    /// Decodes until nothing changes, at most four times, and also dots and slashes in overlong UTF-8.
    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<4 {
            let next = decodedOnce(bytes)
            if next == bytes { break }
            bytes = next
        }
        return bytes
    }

    private static func decodedOnce(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = hexadecimal(rest.prefix(2)) {
                result.append(value)
                rest = rest.dropFirst(2)
            } else if byte == 0xC0, let next = rest.first, 0x80...0xBF ~= next {
                result.append(next & 0x3F)
                rest = rest.dropFirst()
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
        digits.count == 2 ? UInt8(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    }
}
