import Foundation

extension JSONSpan {
    /// The text that the content spells.
    func string(in bytes: UnsafeRawBufferPointer) -> String {
        let content = UnsafeRawBufferPointer(rebasing: bytes[range])
        return hasEscapes ? JSONEscapes.decoded(content) : String(decoding: content, as: UTF8.self)
    }

    /// The bytes, in UTF-8, of the text that the content spells.
    func data(in bytes: UnsafeRawBufferPointer) -> Data {
        let content = UnsafeRawBufferPointer(rebasing: bytes[range])
        guard hasEscapes, let memory = malloc(content.count) else { return Data(content) }
        // No escape is shorter than what it stands for.
        let output = UnsafeMutableRawBufferPointer(start: memory, count: content.count)
        var decoder = JSONEscapeDecoder(content: content, output: output.bindMemory(to: UInt8.self))
        return Data(bytesNoCopy: memory, count: decoder.decode(), deallocator: .free)
    }

    /// The number that the content spells.
    func double(in bytes: UnsafeRawBufferPointer) -> Double? {
        // A fraction of two numbers that a Double holds exactly is the nearest one to its quotient.
        var (digits, decimals) = (0, -1)
        var index = range.lowerBound
        let isNegative = count > 0 && bytes[index] == JSONByte.minus
        if isNegative { index += 1 }
        guard range.upperBound - index <= 15 else { return Double(string(in: bytes)) }
        for byte in bytes[index..<range.upperBound] {
            if byte == UInt8(ascii: "."), decimals < 0 {
                decimals = 0
            } else if JSONByte.zero...JSONByte.nine ~= byte {
                digits = digits * 10 + Int(byte - JSONByte.zero)
                if decimals >= 0 { decimals += 1 }
            } else {
                return Double(string(in: bytes))
            }
        }
        let value = Double(digits) / Self.powers[max(0, decimals)]
        return isNegative ? -value : value
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]
}
