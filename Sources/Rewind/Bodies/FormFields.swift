import Foundation

/// The fields of `application/x-www-form-urlencoded` text (WHATWG URL section 5) or of the query of a URL.
///
/// Every item keeps its spelling, so that ``text`` gives back exactly what was read:
///
/// ```swift
/// var form = FormFields(spelled: "user=J%C3%B6rg&agree")
/// form.fields[0].value  // "Jörg"
/// form.fields[1].value  // nil
/// form.text             // "user=J%C3%B6rg&agree"
/// ```
package struct FormFields: Hashable, Sendable {
    /// One item between two ampersands.
    package struct Field: Hashable, Sendable {
        /// The name as it was spelled.
        package var spelledName: String
        /// The value as it was spelled, or `nil` where no equals sign follows the name.
        package var spelledValue: String?

        /// Creates a field from what is already encoded.
        package init(spelledName: String, spelledValue: String?) {
            self.spelledName = spelledName
            self.spelledValue = spelledValue
        }
    }

    /// The fields in order, those without name and value included.
    package var fields: [Field]

    /// Splits a text at its ampersands; an empty text has no fields.
    package init(spelled text: String) {
        guard !text.isEmpty else {
            fields = []
            return
        }
        let items = text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        fields = items.map { Field(spelled: Substring($0)) }
    }

    /// Reads a body, or returns `nil` where it cannot be a form.
    ///
    /// No encoder leaves white space, a control character, a quote, a brace or an angle bracket as it is.
    package init?(_ data: Data) {
        guard !data.contains(where: Self.isAlwaysEncoded), let text = String(wellFormed: data) else {
            return nil
        }
        self.init(spelled: text)
    }

    /// The fields as they were spelled, joined by ampersands.
    package var text: String { fields.map(\.text).joined(separator: "&") }

    private static func isAlwaysEncoded(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "<"),
            UInt8(ascii: ">"):
            true
        default: false
        }
    }
}

extension FormFields {
    /// A text that two forms share exactly when they hold the same decoded fields, in whatever order.
    ///
    /// A field without a value differs from one with an empty value, and items that are empty do not count.
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
    fileprivate init(spelled item: Substring) {
        guard let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            self.init(spelledName: String(item), spelledValue: nil)
            return
        }
        let value = item[item.utf8.index(after: equals)...]
        self.init(spelledName: String(item[..<equals]), spelledValue: String(value))
    }

    /// The name without its encoding, or as spelled where that is broken or not UTF-8.
    package var name: String { PercentDecoding.decoded(spelledName, plusIsSpace: true) ?? spelledName }

    /// The value without its encoding, or as spelled where that is broken or not UTF-8.
    package var value: String? { spelledValue.map { PercentDecoding.decoded($0, plusIsSpace: true) ?? $0 } }

    /// The field as it was spelled.
    package var text: String {
        guard let spelledValue else { return spelledName }
        return spelledName + "=" + spelledValue
    }
}
