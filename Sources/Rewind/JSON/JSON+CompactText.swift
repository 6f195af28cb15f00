import Foundation

extension JSON {
    /// The value without any white space between its parts, as servers send it.
    package var compactText: Data {
        var text = Data()
        writeCompactly(to: &text)
        return text
    }

    private func writeCompactly(to text: inout Data) {
        switch self {
        case .array(let elements):
            text.append(JSONByte.openBracket)
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(JSONByte.comma) }
                element.writeCompactly(to: &text)
            }
            text.append(JSONByte.closeBracket)
        case .object(let object):
            text.append(JSONByte.openBrace)
            for (index, member) in object.members.enumerated() {
                if index > 0 { text.append(JSONByte.comma) }
                text += JSON.string(member.name).lineText
                text.append(JSONByte.colon)
                member.value.writeCompactly(to: &text)
            }
            text.append(JSONByte.closeBrace)
        default:
            text += lineText
        }
    }
}
