import Foundation

extension JSON {
    /// The text of a value, by default with members sorted by name, so that it is the same in every run.
    package static func text(of value: some Encodable, encoder: JSONEncoder? = nil) throws -> Data {
        if let encoder { return try encoder.encode(value) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Why a value could not be encoded, in words.
    package static func cause(of error: any Error) -> String {
        guard case .invalidValue(_, let context)? = error as? EncodingError else { return "\(error)" }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return (path.isEmpty ? "" : "\(path): ") + context.debugDescription
    }
}
