import Foundation

/// Why an entry has no body that could be played.
struct BodyAbsence: Error {
    let reason: String

    static let invalidBase64 = BodyAbsence(reason: "the body is not valid base64")
    static let invalidRequestBase64 = BodyAbsence(reason: "the body of the request is not valid base64")
}

/// Base64 as files have it: often broken into lines (RFC 2045 section 6.8), which `Data` refuses.
enum Base64Text {
    /// The bytes, or `nil` where the text is not base64.
    static func decoded(_ text: String) -> Data? {
        if let data = Data(base64Encoded: text) { return data }
        let plain = text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard plain.count < text.utf8.count else { return nil }
        return Data(base64Encoded: Data(plain))
    }
}
