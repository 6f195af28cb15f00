import Foundation

/// A part of an interaction, written by hand, that no server would send.
public enum InteractionInputError: Error, Hashable, Sendable {
    /// A URL that is not absolute, or not of HTTP.
    case url(String)
    /// A number that is no status code.
    case status(Int)
    /// A text that is not base64.
    case base64(String)
    /// A value that cannot be encoded as JSON.
    case json(cause: String)
}

extension InteractionInputError: LocalizedError, CustomStringConvertible {
    /// What is wrong and what mends it.
    public var description: String {
        switch self {
        case .url(let url):
            "\(url.debugDescription) is no URL that can be asked for. Write a whole one, such as"
                + " \"https://example.com/users\"."
        case .status(let status): "\(status) is no status code. A status code has three digits: 100 to 999."
        case .base64(let text):
            "The body is not base64: \(text.prefix(40).debugDescription). Its letters are those of RFC 4648"
                + " section 4, and their number is a multiple of four."
        case .json(let cause): "The body cannot be encoded as JSON: \(cause)"
        }
    }

    /// What is wrong and what mends it.
    public var errorDescription: String? { description }
}
