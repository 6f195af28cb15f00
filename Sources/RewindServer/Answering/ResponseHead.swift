import Foundation
import Rewind

/// The status line and the header section of an answer (RFC 9112 section 4).
struct ResponseHead {
    let status: Int
    let reason: String
    var headers: HeaderList

    /// Checks the parts, so that no text of an answer can become structure of the message.
    init(status: Int, reason: String?, headers: HeaderList) throws {
        guard (100...999).contains(status) else { throw HTTPResponseError.invalidStatus(status) }
        self.status = status
        self.reason = reason ?? ReasonPhrase.of(status)
        self.headers = headers
        guard self.reason.withBytes({ $0.allSatisfy(\.isFieldContent) }) else {
            throw HTTPResponseError.invalidReason(self.reason)
        }
        try headers.checkFields()
    }

    /// Whether another answer to the same request follows (RFC 9110 section 15.2).
    var isInterim: Bool { status < 200 }

    /// Whether the answer never has a body, whatever its fields say (RFC 9112 section 6.3).
    var excludesContent: Bool { isInterim || status == 204 || status == 304 }

    /// The head as it is sent, and what follows it.
    func bytes(before content: [Data] = []) -> Data {
        let size = content.reduce(32 + reason.utf8.count + headers.sizeOnWire) { $0 + $1.count }
        var bytes = TextBuffer(capacity: size)
        bytes.append("HTTP/1.1 ")
        bytes.append(String(status))
        bytes.append(.space)
        bytes.append(reason)
        bytes.append("\r\n")
        headers.write(to: &bytes)
        for data in content { data.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        return bytes.data()
    }
}

extension HeaderList {
    /// The field lines and the empty line that ends them.
    var fieldSection: Data {
        var bytes = TextBuffer(capacity: sizeOnWire)
        write(to: &bytes)
        return bytes.data()
    }

    fileprivate var sizeOnWire: Int {
        reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    fileprivate func write(to bytes: inout TextBuffer) {
        for field in fields {
            bytes.append(field.name)
            bytes.append(": ")
            bytes.append(field.value)
            bytes.append("\r\n")
        }
        bytes.append("\r\n")
    }

    /// Refuses fields that would end early and let the rest of their text pass for another field.
    func checkFields() throws {
        guard let position = firstPosition(where: { !$0.isSendable }) else { return }
        let field = self[position]
        guard field.name.utf8.isToken else { throw HTTPResponseError.invalidFieldName(field.name) }
        throw HTTPResponseError.invalidFieldValue(name: field.name, value: field.value)
    }
}

extension HeaderList.Field {
    /// Whether no text of the field could become structure of a message.
    var isSendable: Bool { name.withBytes(\.isToken) && !value.withBytes { $0.contains(where: \.endsLine) } }
}
