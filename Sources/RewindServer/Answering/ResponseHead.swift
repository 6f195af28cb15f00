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

    var bytes: Data {
        Data("\(HTTPVersion.http11.rawValue) \(status) \(reason)\r\n".utf8) + headers.fieldSection
    }
}

extension HeaderList {
    /// The field lines and the empty line that ends them.
    var fieldSection: Data {
        Data((map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n").utf8)
    }

    /// Refuses fields that would end early and let the rest of their text pass for another field.
    func checkFields() throws {
        for field in self {
            guard field.name.utf8.isToken else { throw HTTPResponseError.invalidFieldName(field.name) }
            guard !field.value.utf8.contains(where: { [.carriageReturn, .lineFeed, 0].contains($0) }) else {
                throw HTTPResponseError.invalidFieldValue(name: field.name, value: field.value)
            }
        }
    }
}
