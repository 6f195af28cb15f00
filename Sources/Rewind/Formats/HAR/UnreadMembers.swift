import Foundation

/// What an entry of an archive contains in addition to its interaction: members of other tools, and values that could not
/// be read. A rewrite keeps them, so they have to be redacted too.
struct UnreadMembers {
    enum Kind {
        case member
        /// A pair of a list of header fields or parameters, whose value is not text.
        case pair
        case cookie
    }

    /// Returns the new value of a member of the request or of the response; `nil` if it does not change.
    let edit: (_ member: JSONObject.Member, _ kind: Kind, _ isInResponse: Bool) -> JSON?

    /// Edits the unread members of an entry.
    /// - Parameter text: The text of the entry.
    /// - Returns: The edited text; `nil` if it does not change.
    func edited(_ text: Data) -> Data? {
        let read = try? HAREntry.read(text, nil)
        if let (interaction, paths) = read, Self.isOwn(text, interaction, paths) { return nil }
        guard let members = (try? JSON(parsing: text))?.objectValue else { return nil }
        let known = read.flatMap { HAREntryWriter.members(of: $0, bodiesAt: $1, tellsReason: true) }
        let edited = edited(members, known: known ?? JSONObject(), isInResponse: false)
        guard edited != members else { return nil }
        var writer = JSONWriter(depth: Self.depth)
        writer.value(.object(edited))
        return writer.elements()
    }

    /// The depth of `log.entries`.
    private static let depth = 3

    /// Whether Rewind wrote the text of an interaction, so that it has no other members.
    private static func isOwn(_ text: Data, _ interaction: Interaction, _ paths: BodyPaths) -> Bool {
        var writer = JSONWriter(depth: depth)
        HAREntryWriter.write(interaction, bodiesAt: paths, to: &writer)
        return writer.elements() == text
    }

    private func edited(_ object: JSONObject, known: JSONObject, isInResponse: Bool) -> JSONObject {
        var object = object
        let last = object.lastPlaces
        for (place, member) in object.members.enumerated() {
            let isInResponse = isInResponse || member.name == "response"
            // Of members with the same name, the last one is read.
            let isRead = last[Array(member.name.utf8)] == place
            let value = edited(member, known: isRead ? known[member.name] : nil, isInResponse)
            object.members[place].value = value ?? member.value
        }
        return object
    }

    private func edited(_ member: JSONObject.Member, known: JSON?, _ isInResponse: Bool) -> JSON? {
        switch member.value {
        case known: return nil
        case .object(let object) where known?.objectValue != nil:
            return .object(
                edited(object, known: known?.objectValue ?? JSONObject(), isInResponse: isInResponse)
            )
        case .string where member.name == "text" && known != nil:
            // The body, in another encoding than Rewind would write it in.
            return nil
        case .array(let elements) where Self.listsOfPairs.contains(member.name):
            return .array(elements.map { editedPair($0, of: member.name, isInResponse) })
        case .object(let headers) where member.name == "headers":
            let members = headers.members.map { member in
                let value = member.value.isHeaderValue ? nil : edit(member, .pair, isInResponse)
                return JSONObject.Member(name: member.name, value: value ?? member.value)
            }
            return .object(JSONObject(members))
        default: return edit(member, .member, isInResponse)
        }
    }

    private static let listsOfPairs: Set = ["headers", "cookies", "queryString", "params"]

    /// Edits an element of a list whose elements have a name and a value.
    private func editedPair(_ element: JSON, of list: String, _ isInResponse: Bool) -> JSON {
        let isRead = list == "headers" && element.countOfHeaders != nil
        let isText = element["value"]?.isHeaderValue == true
        guard let name = element["name"]?.stringValue, var object = element.objectValue,
            isRead || !isText || list == "cookies"
        else {
            if isRead { return element }
            return edit(.init(name: list, value: [element]), .member, isInResponse)?[0] ?? element
        }
        for (place, member) in object.members.enumerated() where member.name != "name" {
            let value: JSON?
            if member.name == "value" {
                if isRead { continue }
                let pair = JSONObject.Member(name: name, value: member.value)
                value = edit(pair, list == "cookies" ? .cookie : .pair, isInResponse)
            } else {
                value = edit(member, .member, isInResponse)
            }
            object.members[place].value = value ?? member.value
        }
        return .object(object)
    }
}
