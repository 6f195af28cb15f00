import Foundation

extension String {
    /// Creates a text from bytes, or `nil` where they are not UTF-8; a byte order mark stays part of the text.
    package init?(wellFormed bytes: some ContiguousBytes) {
        let text: String? = bytes.withUnsafeBytes { bytes in
            WellFormedUTF8.isAll(of: bytes) ? String(decoding: bytes, as: UTF8.self) : nil
        }
        guard let text else { return nil }
        self = text
    }
}
