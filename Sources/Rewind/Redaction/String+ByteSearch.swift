import Foundation

extension String {
    /// The first place of a byte of ASCII, from a place on.
    func firstIndex(ofByte byte: UInt8, from start: Index) -> Index? {
        let offset = utf8.distance(from: utf8.startIndex, to: start)
        return withBytes { $0.firstIndex(ofByte: byte, from: offset) }
            .map { utf8.index(start, offsetBy: $0 - offset) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The first index of a byte, from an index on.
    ///
    /// The library of C looks at many bytes at once, and the views of strings at one after the other.
    func firstIndex(ofByte byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count,
            let place = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(place) - UnsafeRawPointer(base)
    }
}
