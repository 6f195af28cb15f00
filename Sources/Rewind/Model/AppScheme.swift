import Foundation

/// The schemes that no protocol of a platform loads, such as `app:`. A request with such a scheme can be stubbed, but
/// neither be recorded nor be sent to the network.
enum AppScheme {
    /// The schemes that a platform loads itself, on Linux or on Apple platforms. Rewind could not return such a request
    /// to it, so it leaves them alone.
    private static let platformSchemes: Set<String> = [
        "about", "blob", "data", "file", "ftp", "ftps", "http", "https", "sftp", "ws", "wss",
    ]

    static func isUsed(by url: String) -> Bool {
        // Almost every request is one of these.
        if url.hasPrefix("https://") || url.hasPrefix("http://") { return false }
        return url.firstIndex(of: ":").map { isOwn(url[..<$0]) } ?? false
    }

    static func isUsed(by url: URL?) -> Bool { url?.scheme.map { isOwn($0[...]) } ?? false }

    /// A scheme in the grammar of RFC 3986 section 3.1 that no platform loads.
    private static func isOwn(_ scheme: Substring) -> Bool {
        guard let first = scheme.utf8.first, first.isLetter else { return false }
        let isScheme = scheme.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
        return isScheme && !platformSchemes.contains(scheme.lowercased())
    }

    /// The failure of a request that no stub answers; the same as without Rewind.
    static let unsupported = Interaction.Failure(
        code: NSURLErrorUnsupportedURL,
        message: "unsupported URL",
        userInfo: Interaction.Failure.requestURLs
            .merging([NSLocalizedDescriptionKey: .text("unsupported URL")]) { $1 }
    )
}

extension UInt8 {
    fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
    fileprivate var isDigit: Bool { JSONByte.zero...JSONByte.nine ~= self }
}
