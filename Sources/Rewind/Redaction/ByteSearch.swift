import Foundation

struct ByteEdit {
    let range: Range<Int>
    let replacement: [UInt8]

    init(range: Range<Int>, replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }

    init(_ range: Range<Int>, _ text: String) { self.init(range: range, replacement: Array(text.utf8)) }
}

extension [ByteEdit] {
    /// The edits in order. Of overlapping edits, the first one counts, or the longer one.
    var merged: [ByteEdit] {
        guard count > 1 else { return self }
        let sorted = enumerated().sorted { left, right in
            let (first, second) = (left.element.range, right.element.range)
            if first.lowerBound != second.lowerBound { return first.lowerBound < second.lowerBound }
            return first.upperBound != second.upperBound
                ? first.upperBound > second.upperBound : left.offset < right.offset
        }
        var result: [ByteEdit] = []
        for edit in sorted.map(\.element) where edit.range.lowerBound >= result.last?.range.upperBound ?? 0 {
            result.append(edit)
        }
        return result
    }
}

extension UnsafeRawBufferPointer {
    /// Applies edits, which must be in order and must not overlap.
    func applying(_ edits: [ByteEdit]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        var end = 0
        for edit in edits {
            result += self[end..<edit.range.lowerBound]
            result += edit.replacement
            end = edit.range.upperBound
        }
        return result + self[end...]
    }

    func firstIndex(ofByte byte: UInt8, from start: Int) -> Int? {
        withMemoryRebound(to: UInt8.self) { $0.firstIndex(ofByte: byte, from: start) }
    }
}

extension String {
    /// The text after the edits; `nil` if there are none.
    func edited(_ find: (UnsafeRawBufferPointer) -> [ByteEdit]) -> String? {
        withBytes { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let edits = find(bytes)
            return edits.isEmpty ? nil : String(decoding: bytes.applying(edits), as: UTF8.self)
        }
    }
}

extension Data {
    /// Applies edits, and returns whether there are any.
    @discardableResult mutating func edit(_ find: (UnsafeRawBufferPointer) -> [ByteEdit]) -> Bool {
        let edited: Data? = withUnsafeBytes { bytes in
            let edits = find(bytes)
            return edits.isEmpty ? nil : Data(bytes.applying(edits))
        }
        if let edited { self = edited }
        return edited != nil
    }
}
