import Foundation

extension SecretEditor {
    /// Redacts a member of an archive that is not part of an interaction; `nil` if it does not change.
    func edited(unread member: JSONObject.Member, _ kind: UnreadMembers.Kind, isInResponse: Bool) -> JSON? {
        guard !rules.isEmpty else { return nil }
        message = isInResponse ? .response : .request
        let place = "\(message.rawValue) members of other tools"
        switch (kind, member.value) {
        case (.cookie, .string(let value)):
            let cookie = redactCookies("\(member.name)=\(value)", onlyFirst: true, all: false, at: place)
            return cookie.map { .string(String($0.dropFirst(member.name.count + 1))) }
        case (.pair, .object), (.pair, .array):
            guard isSecret(pairNamed: member.name) else { fallthrough }
            return redacted(member.value, named: member.name, at: place)
        default:
            var writer = JSONWriter(onOneLine: true)
            writer.value(.object(JSONObject([member])))
            let text = redact(writer.document(), mediaType: nil, at: place)
            return text.flatMap { try? JSON(parsing: $0) }?[member.name]
        }
    }

    private func isSecret(pairNamed name: String) -> Bool {
        let roles = [rules.role(ofHeader: name, host: host), rules.meaning(ofField: name, host: host)?.role]
        return roles.contains { $0 == .certain || $0 == .always }
    }

    /// Replaces all texts of a value.
    private func redacted(_ value: JSON, named name: String, at place: String) -> JSON {
        switch value {
        case .string(let text): placeholder(for: text, name: name, at: place).map(JSON.string) ?? value
        case .array(let elements): .array(elements.map { redacted($0, named: name, at: place) })
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map {
                        .init(name: $0.name, value: redacted($0.value, named: name, at: place))
                    }
                )
            )
        case .null, .bool, .number: value
        }
    }
}
