import Foundation

/// A change of one field in a JSON answer. The raw value is part of the name of the variation.
enum FieldChange: String, CaseIterable, Sendable {
    case removed, null
    case otherType = "other-type"
    case emptyArray = "empty-array"
    case unknownValue = "unknown-value"
    case largeNumber = "large-number"
    case extraMember = "extra-member"
    case longString = "long-string"
    case otherDate = "other-date"

    /// The title of the column of a report.
    var title: String { rawValue.replacingOccurrences(of: "-", with: " ") }

    /// What becomes of a value.
    enum Edit {
        case none, removal
        case replacement(JSON)
    }

    /// What becomes of a value; `none` if the change does not apply to such a value.
    func edit(of value: JSON) -> Edit {
        switch (self, value) {
        case (.removed, _): return .removal
        case (.null, .null): return .none
        case (.null, _): return .replacement(.null)
        case (.otherType, .string), (.otherType, .array): return .replacement(5)
        case (.otherType, _): return .replacement("text")
        case (.emptyArray, .array(let elements)): return elements.isEmpty ? .none : .replacement([])
        case (.unknownValue, .string(let text)) where Self.isWord(text): return .replacement("rewind-unknown")
        case (.largeNumber, .number): return .replacement(JSON(Int(Int32.max) + 1))
        case (.extraMember, .object(var object)):
            object.append("rewindExtraMember", ["is": "new"])
            return .replacement(.object(object))
        case (.longString, .string): return .replacement(.string(String(repeating: "long text ", count: 1000)))
        case (.otherDate, .string(let text)):
            return Self.otherDate(text).map { .replacement(.string($0)) } ?? .none
        default: return .none
        }
    }

    /// Whether the change is one of a value. The outermost value can neither be missing nor have another type here, as
    /// those are faults of the whole answer.
    func applies(to value: JSON, isRoot: Bool) -> Bool {
        if isRoot, [.removed, .null, .otherType].contains(self) { return false }
        if case .none = edit(of: value) { return false }
        return true
    }

    /// Whether a text may be the value of an enumeration.
    private static func isWord(_ text: String) -> Bool {
        1...40 ~= text.utf8.count
            && text.utf8.allSatisfy { JSONPathName.isBare(Unicode.Scalar($0)) && $0 < 0x80 }
            && text.contains { $0.isLetter }
    }

    /// A date of ISO 8601 with fractions of a second and an offset, or without them.
    private static func otherDate(_ text: String) -> String? {
        let start = text.utf8.prefix(10)
        guard start.count == 10,
            zip(start, "0000-00-00".utf8).allSatisfy({
                $1 == UInt8(ascii: "-") ? $0 == $1 : 0x30...0x39 ~= $0
            })
        else { return nil }
        return text.prefix(10) + (text.contains(".") ? "T06:07:08Z" : "T06:07:08.123+01:00")
    }
}

/// A place in JSON, with one selector for all elements of an array, so that the elements of a list vary together.
struct FieldPath: Hashable, Sendable, CustomStringConvertible {
    private(set) var path = JSONPath(segments: [])

    func appending(_ selector: JSONPath.Selector) -> FieldPath {
        FieldPath(path: JSONPath(segments: path.segments + [.init(selector: selector, isAtAnyDepth: false)]))
    }

    var isRoot: Bool { path.segments.isEmpty }

    /// The path in one line and without the characters that end a code span or a cell of Markdown.
    var description: String {
        let steps = path.segments.map { segment in
            if case .every = segment.selector { "[*]" } else { segment.description }
        }
        return "$" + String(steps.joined().map { "`|".contains($0) || $0.isNewline ? "'" : $0 })
    }

    /// The path as a part of a file name.
    var fileName: String {
        let names = path.segments.map { segment in
            if case .step(.name(let name)) = segment.selector { name } else { "each" }
        }
        return names.isEmpty ? "root" : names.joined(separator: ".")
    }
}

/// The places in a JSON value, each with the first value there that is not `null`, in the order of the text.
struct JSONFields {
    private(set) var fields: [(path: FieldPath, value: JSON)] = []
    private var positions: [FieldPath: Int] = [:]

    init(_ root: JSON) { add(root, at: FieldPath()) }

    private mutating func add(_ value: JSON, at path: FieldPath) {
        if let position = positions[path] {
            if case .null = fields[position].value { fields[position].value = value }
        } else {
            positions[path] = fields.count
            fields.append((path, value))
        }
        switch value {
        case .array(let elements): for element in elements { add(element, at: path.appending(.every)) }
        case .object(let object):
            for member in object.members { add(member.value, at: path.appending(.step(.name(member.name)))) }
        default: break
        }
    }
}

/// Reads JSON answers, and keeps the last one, because the variations of one answer follow each other.
final class AnswerReader: Sendable {
    private let last = Locked<(text: Data, json: JSON)?>(nil)

    /// The JSON of an answer; `nil` if it has none that can be read.
    func json(of interaction: Interaction) -> JSON? {
        guard interaction.isJSONAnswer, let text = interaction.response?.body.data else { return nil }
        if let last = last.withLock({ $0 }), last.text == text { return last.json }
        guard let json = try? JSON(parsing: text) else { return nil }
        last.withLock { $0 = (text, json) }
        return json
    }

    /// The interaction with a change at a place.
    func changed(_ interaction: Interaction, _ change: FieldChange, at place: FieldPath) -> Interaction {
        guard let json = json(of: interaction) else { return interaction }
        // A list may contain values to which the change does not apply, such as `null`.
        let text = json.changing(place.path) { value in
            switch change.edit(of: value) {
            case .none: value
            case .removal: nil
            case .replacement(let new): new
            }
        }.compactText
        var changed = interaction
        changed.changeResponse { $0.replaceBody(text) }
        return changed
    }
}
