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
        guard self.reason.utf8.allSatisfy(\.isFieldContent) else {
            throw HTTPResponseError.invalidReason(self.reason)
        }
        try headers.checkFields()
    }

    /// Whether another answer to the same request follows (RFC 9110 section 15.2).
    var isInterim: Bool { status < 200 }

    /// Whether the answer never has a body, whatever its fields say (RFC 9112 section 6.3).
    var excludesContent: Bool { isInterim || status == 204 || status == 304 }

    /// The head as it is sent, with room for so many bytes after it.
    func bytes(spare: Int = 0) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 + reason.utf8.count + headers.sizeOnWire)
        bytes.append(contentsOf: "HTTP/1.1 ".utf8)
        bytes.append(contentsOf: String(status).utf8)
        bytes.append(.space)
        bytes.append(contentsOf: reason.utf8)
        bytes.append(.carriageReturn)
        bytes.append(.lineFeed)
        headers.write(to: &bytes)
        var data = Data(capacity: bytes.count + spare)
        data.append(contentsOf: bytes)
        return data
    }
}

extension HeaderList {
    /// The field lines and the empty line that ends them.
    var fieldSection: Data {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return Data(bytes)
    }

    fileprivate var sizeOnWire: Int {
        reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    fileprivate func write(to bytes: inout [UInt8]) {
        for field in fields {
            bytes.append(contentsOf: field.name.utf8)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(.space)
            bytes.append(contentsOf: field.value.utf8)
            bytes.append(.carriageReturn)
            bytes.append(.lineFeed)
        }
        bytes.append(.carriageReturn)
        bytes.append(.lineFeed)
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
    var isSendable: Bool { name.utf8.isToken && !value.utf8.contains(where: \.endsLine) }
}
