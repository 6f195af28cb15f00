import Foundation

/// The text between the quotes of a JSON string.
package enum JSONText {
    /// The characters that it spells; the bytes themselves where an escape is broken.
    package static func decoded(_ spelled: UnsafeRawBufferPointer) -> String {
        guard spelled.contains(UInt8(ascii: "\\")) else { return String(decoding: spelled, as: UTF8.self) }
        let quoted = Data([UInt8(ascii: "\"")] + spelled + [UInt8(ascii: "\"")])
        return (try? JSON(parsing: quoted))?.stringValue ?? String(decoding: spelled, as: UTF8.self)
    }

    /// The spelling of some characters.
    package static func encoded(_ text: String) -> Data {
        JSON.string(text).lineText.dropFirst().dropLast()
    }
}
