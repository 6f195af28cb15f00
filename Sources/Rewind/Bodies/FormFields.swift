import Foundation

/// The fields of `application/x-www-form-urlencoded` text (WHATWG URL section 5) or of a URL's query. Fields
/// preserve their spelling, so that ``text`` returns exactly the text that was read.
package struct FormFields: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var spelledName: String
        /// `nil` if no equals sign follows the name.
        package var spelledValue: String?

        package init(spelledName: String, spelledValue: String?) {
            self.spelledName = spelledName
            self.spelledValue = spelledValue
        }
    }

    /// The fields in order, including those without name and value.
    package var fields: [Field]

    package init(spelled text: String) {
        guard !text.isEmpty else {
            fields = []
            return
        }
        fields = text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
            var name = Substring(item)
            let value = name.cut(at: UInt8(ascii: "="))
            return Field(spelledName: String(name), spelledValue: value.map(String.init))
        }
    }

    /// Reads a body; `nil` if it cannot be a form. Every encoder encodes white space, control characters, quotes, braces
    /// and angle brackets.
    package init?(_ data: Data) {
        guard !data.contains(where: Self.isAlwaysEncoded), let text = String(wellFormed: data) else {
            return nil
        }
        self.init(spelled: text)
    }

    package var text: String { fields.map(\.text).joined(separator: "&") }

    private static func isAlwaysEncoded(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "<"),
            UInt8(ascii: ">"):
            true
        default: false
        }
    }

    /// A text that is equal for two forms if and only if they contain the same decoded fields, in any order. A field
    /// without a value differs from a field with an empty value; empty items are ignored.
    package func canonicalText(ignoring isIgnored: (String) -> Bool = { _ in false }) -> String {
        var pairs: [(name: String, value: String)] = []
        for field in fields where !field.spelledName.isEmpty || field.spelledValue != nil {
            let name = field.name
            guard !isIgnored(name) else { continue }
            let value = field.value.map { "=" + PercentEncoding.encoded($0) } ?? ""
            pairs.append((PercentEncoding.encoded(name), value))
        }
        return pairs.sorted(by: <).map { $0.name + $0.value }.joined(separator: "&")
    }
}

extension FormFields.Field {
    /// The decoded name, or the undecoded one if its encoding is invalid or not UTF-8.
    package var name: String { PercentDecoding.decoded(spelledName, plusIsSpace: true) ?? spelledName }

    /// The decoded value, or the undecoded one if its encoding is invalid or not UTF-8.
    package var value: String? { spelledValue.map { PercentDecoding.decoded($0, plusIsSpace: true) ?? $0 } }

    package var text: String { spelledName + (spelledValue.map { "=" + $0 } ?? "") }
}
