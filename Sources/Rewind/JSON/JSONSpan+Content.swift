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
}
