import Foundation
import Rewind

/// Bytes in a few words: their type, their number and the start of their digest.
struct BodySummary: CustomStringConvertible {
    private let data: Data
    private let type: String?

    /// Sums up bytes of the type that header fields name.
    init(_ data: Data, _ headers: HeaderList) {
        self.data = data
        type = MediaType(headers["Content-Type"])?.essence
    }

    var description: String {
        let size = ByteCount(data.count).description
        let digest = "SHA-256 \(CredentialFinding.fingerprint(of: data))…"
        return [type, size, digest].compactMap { $0 }.joined(separator: ", ")
    }

    /// The bytes themselves where they are a short text.
    var excerpt: String {
        data.count <= 80 && HARBody.isText(data) ? String(decoding: data, as: UTF8.self) : description
    }
}
