import Foundation

extension String {
    /// The first place of a byte of ASCII, from a place on.
    ///
    /// The library of C looks at many bytes at once, and the views of strings at one after the other.
    func firstIndex(ofByte byte: UInt8, from start: Index) -> Index? {
        let rest = utf8[start...]
        let distance = rest.withContiguousStorageIfAvailable { bytes -> Int? in
            guard let base = bytes.baseAddress, let place = memchr(base, Int32(byte), bytes.count) else {
                return nil
            }
            return UnsafeRawPointer(place) - UnsafeRawPointer(base)
        }
        guard let distance else { return rest.firstIndex(of: byte) }
        return distance.map { utf8.index(start, offsetBy: $0) }
    }
}
