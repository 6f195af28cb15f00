import Foundation

/// Base64 as files have it: often broken into lines (RFC 2045 section 6.8), which `Data` refuses.
enum WrappedBase64 {
    /// The bytes, or `nil` where the text is not base64.
    static func data(_ text: String) -> Data? {
        if let data = Data(base64Encoded: text) { return data }
        let plain = text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard plain.count < text.utf8.count else { return nil }
        return Data(base64Encoded: Data(plain))
    }
}
