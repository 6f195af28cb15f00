import Foundation

extension String {
    /// Creates a text from bytes, or `nil` where they are not UTF-8; a byte order mark stays part of the text.
    package init?(wellFormed bytes: some ContiguousBytes) {
        let text: String? = bytes.withUnsafeBytes { bytes in
            guard JSONEncoding.firstIllFormedByte(in: bytes, from: 0, to: bytes.count) == nil else {
                return nil
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        guard let text else { return nil }
        self = text
    }
}
