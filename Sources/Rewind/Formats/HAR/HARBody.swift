import Foundation

/// Writes the bytes of a body to an archive: as text if they are readable UTF-8, otherwise as base64.
package enum HARBody {
    /// Whether bytes are UTF-8 without control characters, so that a person can read them in JSON.
    package static func isText(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            guard let text = bytes.baseAddress else { return true }
            var index = 0
            while true {
                while index &+ 8 <= bytes.count {
                    let word = EightBytes.load(from: text, at: index)
                    let deletes = EightBytes.zeros(in: word ^ 0x7F7F_7F7F_7F7F_7F7F)
                    if EightBytes.controls(in: word) | deletes != 0 { break }
                    index &+= 8
                }
                guard index < bytes.count else { return WellFormedUTF8.isAll(of: bytes) }
                let end = min(index &+ 8, bytes.count)
                if unreadable.first(in: bytes, from: index, to: end) != nil { return false }
                index = end
            }
        }
    }

    /// All control characters except white space.
    private static let unreadable = ByteSet(
        String(
            (0...0x7F as ClosedRange<UInt8>).filter {
                $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D || $0 == 0x7F
            }.map { Character(Unicode.Scalar($0)) }
        )
    )

    static func text(_ data: Data) -> String? { isText(data) ? String(decoding: data, as: UTF8.self) : nil }

    /// Whether a body is small enough for an archive whose large bodies are in separate files.
    static func isSmall(_ data: Data) -> Bool { data.count <= 1024 || data.count <= 16 * 1024 && isText(data) }

    /// Writes the body of a request, or the path of the file that contains it.
    static func writePostData(
        _ body: Interaction.Body,
        mediaType: String?,
        path: String?,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("mimeType", text: mediaType ?? "application/octet-stream")
            writer.member("params", [])
            if let path { return writer.member("_file", text: path) }
            if isText(body.data), TextEncoding.request(body.data, sentAs: mediaType) == body.data {
                return writer.member("text", utf8: body.data)
            }
            writer.member("text", utf8: body.data.base64EncodedData())
            // HAR 1.2 has no field for the encoding of a request body, and custom names must begin with `_`.
            writer.member("_encoding", text: "base64")
        }
    }

    /// Writes the content of a response whose body cannot be read.
    static func writeMissingContent(_ mediaType: String?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("size", -1)
            writer.member("mimeType", text: mediaType ?? "application/octet-stream")
        }
    }

    /// Writes that the body of a request is not known, so that a converted cassette says so too.
    static func writePostData(unknown reason: String, mediaType: String?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("mimeType", text: mediaType ?? "application/octet-stream")
            writer.member("params", [])
            writer.member("_unknown", text: reason)
        }
    }

    /// Writes the body of a response, or the path of the file that contains it.
    static func writeContent(
        _ body: Interaction.Body,
        mediaType: String?,
        path: String?,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("size", JSON(body.count))
            writer.member("mimeType", text: mediaType ?? "application/octet-stream")
            if let path { return writer.member("_file", text: path) }
            // Readers convert the text to the character set of the header, which must result in the same bytes.
            if isText(body.data), (try? TextEncoding.data(body.data, sentAs: mediaType)) == body.data {
                return writer.member("text", utf8: body.data)
            }
            writer.member("encoding", text: "base64")
            writer.member("text", utf8: body.data.base64EncodedData())
        }
    }
}
